"""Every `do`, outcome and choice of Wherever We Go has its scenario; one that has none is named."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.scenarios.runner import scenarios
from tests.scenarios.wherever import KEYS, TOLD

from tracker.games.wherever.dice import GRADES, OUTCOMES, RATED, RUNGS, WEAKENED
from tracker.games.wherever.harm import BENEFITS, CONSEQUENCES
from tracker.games.wherever.state import TRACKS

FOLDER = Path(__file__).parent / "scenarios"
Step = dict[str, Any]
STEPS: list[Step] = [
    step for path in sorted(FOLDER.glob("wherever*.toml")) for scenario in scenarios(path) for step in scenario["step"]
]


def told(step: Step) -> Step:
    expected: Step = step.get("expect", {})
    return expected


def sides(step: Step) -> list[Step]:
    return [step[one] for one in ("acting", "defending") if one in step] or [step]


def done(do: str, **wanted: Any) -> Callable[[Step], bool]:
    """Return a test for steps: of this kind, with these values in what they do or say."""
    return lambda step: step["do"] == do and all(step.get(k, told(step).get(k)) == v for k, v in wanted.items())


def wanted() -> dict[str, Callable[[Step], bool]]:
    """Return everything that the format allows, by the name used if no scenario shows it."""
    found: dict[str, Callable[[Step], bool]] = {do: done(do) for do in KEYS}
    for do, keys in KEYS.items():
        for key in keys:
            found[f"{do} with {key}"] = lambda s, do=do, key=key: s["do"] == do and key in s
        if do not in {"odds", "opposed"}:
            found[f"{do} refused"] = done(do, refused=True)
    for key in KEYS["roll"] - {"gamble_limit", "second_gamble"}:
        found[f"opposed: a side with {key}"] = lambda s, key=key: any(
            key in side for side in sides(s) if s["do"] == "opposed"
        )
    for key in TOLD:
        found[f"told: {key}"] = lambda s, key=key: key in told(s)
    for outcome in OUTCOMES:
        for push in (False, True):
            for gamble in (False, True):
                ways = " and ".join(["push"] * push + ["gamble"] * gamble) or "neither push nor gamble"
                found[f"{outcome} with {ways}"] = lambda s, o=outcome, p=push, g=gamble: (
                    told(s).get("outcome") == o and s.get("push", False) is p and ("gamble" in s) is g
                )
    for track in TRACKS:
        found[f"{track} broken"] = lambda s, t=track: t in told(s).get("broken", [])
        for grade in (WEAKENED, *GRADES):
            found[f"{grade} on {track}"] = lambda s, t=track, g=grade: told(s).get("harm", {}).get(t) == g
        found[f"take_harm to {track}"] = done("consequence", choose="take_harm", to=track)
    for target in (*TRACKS, "other"):
        found[f"damage to {target}"] = lambda s, t=target: any(t in side.get("assign", {}) for side in sides(s))
    found["damage to gear"] = lambda s: any(set(side.get("assign", {})) - {*TRACKS, "other"} for side in sides(s))
    found["gear broken"] = lambda s: bool(set(told(s).get("broken", [])) - set(TRACKS))
    for benefit in BENEFITS:
        found[f"benefit {benefit}"] = done("benefit", choose=benefit)
    for consequence in CONSEQUENCES:
        found[f"consequence {consequence}"] = done("consequence", choose=consequence)
    found["montage clear_stress"] = done("montage", choose="clear_stress")
    for result in ("death", "permanent injury", "stable"):
        found[f"save: {result}"] = done("broken_save", result=result)
    for attack in (False, True):
        for side in ("acting", "defending"):
            for winner in ("acting", "defending"):
                found[f"{side} side, {winner} wins, attack {attack}"] = lambda s, a=attack, i=side, w=winner: (
                    told(s).get("winner") == w and s.get("side", "acting") == i and s.get("attack", False) is a
                )
    for side in ("acting", "defending"):
        found[f"{side} gambles"] = lambda s, i=side: "gamble" in s.get(i, {}) and "winner" in told(s)
        found[f"refused: {side} gambles in an attack"] = lambda s, i=side: (
            "gamble" in s.get(i, {}) and s.get("attack", False) and told(s).get("refused", False)
        )
    found["refused: the defender pushes in an attack"] = lambda s: (
        s.get("attack", False) and "push" in s.get("defending", {}) and told(s).get("refused", False)
    )
    for when in ("never", "failure", "mixed"):
        found[f"odds with a gamble if {when}"] = done("odds", gamble_if=when)
    for die in RATED:
        found[f"attribute {die}"] = lambda s, d=die: s.get("attribute") == d
        found[f"talent {die}"] = lambda s, d=die: any(side.get("talent") == d for side in sides(s))
    for die in RUNGS:
        found[f"skill {die}"] = lambda s, d=die: s.get("skill") == d
    return found


def missing(steps: Iterable[Step]) -> list[str]:
    steps = list(steps)
    return [name for name, shows in wanted().items() if not any(map(shows, steps))]


def test_everything_that_the_format_speaks_of_is_played() -> None:
    assert not missing(STEPS), f"no scenario for: {', '.join(missing(STEPS))}"


def test_option_that_nobody_plays_is_named() -> None:
    without = [step for step in STEPS if step.get("choose") != "opening_gone" and told(step).get("result") != "death"]
    assert missing(without) == ["consequence opening_gone", "save: death"]
