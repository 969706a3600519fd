"""Every `do`, outcome and choice of Daggerheart has its scenario; one that has none is named."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.scenarios.daggerheart import KEYS, TOLD
from tests.scenarios.runner import Scenario, scenarios

from tracker.games.daggerheart.battle_points import ADJUSTMENTS
from tracker.games.daggerheart.dice import CRITICAL, OUTCOMES, TRAITS
from tracker.games.daggerheart.gm import SPENDS
from tracker.games.daggerheart.harm import DAMAGE_TYPES, SEVERITIES
from tracker.games.daggerheart.level_up import ADVANCEMENTS
from tracker.games.daggerheart.rest import MOVES, NOTHING
from tracker.games.daggerheart.state import ADVERSARY_TYPES, CONDITIONS, KINDS

FOLDER = Path(__file__).parent / "scenarios"
Step = dict[str, Any]
ALL: list[Scenario] = [one for path in sorted(FOLDER.glob("daggerheart*.toml")) for one in scenarios(path)]
CHANGES_NOTHING = {"odds", "begin_session"}
"""What is never refused."""


def told(step: Step) -> Step:
    expected: Step = step.get("expect", {})
    return expected


def done(do: str, **wanted: Any) -> Callable[[Step], bool]:
    """Return a test for steps: of this kind, with these values in what they do or say, and not refused."""
    return lambda step: (
        step["do"] == do
        and all(step.get(k, told(step).get(k)) == v for k, v in wanted.items())
        and ("refused" in wanted or "refused" not in told(step))
    )


def downtime(step: Step) -> Iterable[Step]:
    return (move for moves in step.get("moves", {}).values() for move in moves)


def rolls(step: Step) -> list[Step]:
    """Return every Duality roll of a step."""
    return [step, *step.get("participants", {}).values(), *step.get("rolls", {}).values()]


def wanted() -> dict[str, Callable[[Step], bool]]:
    """Return everything that the format allows in steps, by the name used if no scenario shows it."""
    found: dict[str, Callable[[Step], bool]] = {}
    for do, keys in KEYS.items():
        found[do] = done(do)
        for key in keys:
            found[f"{do} with {key}"] = lambda s, do=do, key=key: s["do"] == do and key in s
        if do not in CHANGES_NOTHING:
            found[f"{do} refused"] = done(do, refused=True)
    for key in TOLD:
        found[f"told: {key}"] = lambda s, key=key: key in told(s)
    for outcome in OUTCOMES:
        for do in ("action_roll", "group_roll", "tag_team"):
            found[f"{do}: {outcome}"] = done(do, outcome=outcome)
        if outcome != CRITICAL:
            found[f"verdict: {outcome}"] = done("verdict", outcome=outcome)
    for end in ("with hope", "with fear", CRITICAL):
        found[f"secret roll {end}"] = lambda s, o=end: done("action_roll", outcome=o)(s) and "difficulty" not in s
    for end in (CRITICAL, "success", "failure"):
        found[f"reaction: {end}"] = done("reaction_roll", outcome=end)
        found[f"reaction with damage: {end}"] = lambda s, o=end: done("reaction_roll", outcome=o)(s) and "damage" in s
    for trait in TRAITS:
        found[f"roll with {trait}"] = lambda s, t=trait: any(roll.get("trait") == t for roll in rolls(s))
    for severity in SEVERITIES:
        found[f"{severity} damage"] = done("take_damage", severity=severity)
    for sort in DAMAGE_TYPES[1:]:
        found[f"{sort} damage taken"] = done("take_damage", type=sort)
    for forced in (True, False):
        found[f"stress, forced {forced}"] = done("mark_stress", forced=forced)
    for on in SPENDS:
        found[f"Fear on {on}"] = done("spend_fear", on=on)
    for to in ("players", "gm"):
        found[f"spotlight to {to}"] = done("spotlight", to=to)
    for condition in CONDITIONS:
        found[f"condition {condition}"] = done("condition", add=condition)
    for kind in ("short", "long"):
        for move in MOVES:
            if move != NOTHING and (kind, move) != ("short", "work_on_project"):
                found[f"{move} on a {kind} rest"] = lambda s, k=kind, m=move: (
                    done("rest", kind=k)(s)
                    and not s.get("interrupted")
                    and any(one["move"] == m for one in downtime(s))
                )
        found[f"{kind} rest interrupted"] = done("rest", kind=kind, interrupted=True)
    for move in ("tend_to_wounds", "repair_armor"):
        found[f"{move} for another"] = lambda s, m=move: any(
            one["move"] == m and "target" in one for one in downtime(s)
        )
    for choice in ("blaze_of_glory", "avoid_death", "risk_it_all"):
        found[f"death move {choice}"] = done("death_move", choose=choice)
    for scar in (True, False):
        found[f"scar {scar}"] = done("death_move", scar=scar)
    for name, fits in {
        "higher": lambda d: d["hope"] > d["fear"],
        "lower": lambda d: d["hope"] < d["fear"],
        "equal": lambda d: d["hope"] == d["fear"],
    }.items():
        found[f"Risk It All, Hope {name}"] = lambda s, f=fits: (
            done("death_move", choose="risk_it_all")(s) and f(s["dice"])
        )
    for take in ADVANCEMENTS:
        found[f"advancement {take}"] = lambda s, t=take: (
            done("level_up")(s) and any(one["take"] == t for one in s["advancements"])
        )
        found[f"advancement {take} refused"] = lambda s, t=take: (
            done("level_up", refused=True)(s) and any(one["take"] == t for one in s["advancements"])
        )
    for adjust in ADJUSTMENTS:
        found[f"adjust {adjust}"] = lambda s, a=adjust: done("battle_points")(s) and a in s.get("adjust", [])
    for sort in ADVERSARY_TYPES:
        found[f"Battle Points of {sort}"] = lambda s, t=sort: t in s.get("adversaries", {})
    for count in ("advantage", "disadvantage"):
        found[f"odds with {count}"] = lambda s, c=count: s["do"] == "odds" and s.get(c, 0) > 0
    return found


def held() -> dict[str, Callable[[Scenario], bool]]:
    """Return everything that the format allows in a table."""

    def countdown(**values: Any) -> Callable[[Scenario], bool]:
        return lambda one: any(
            all(each.get(k) == v for k, v in values.items())
            for each in one.get("given", {}).get("countdowns", {}).values()
        )

    found = {f"countdown {kind}": countdown(kind=kind) for kind in KINDS}
    found |= {f"loop {loop}": countdown(loop=loop) for loop in ("loop", "increasing", "decreasing")}
    found["a countdown that does not listen"] = countdown(active=False)
    found["edition 1.0"] = lambda one: one.get("given", {}).get("settings", {}).get("edition") == "1.0"
    found["massive damage"] = lambda one: one.get("given", {}).get("settings", {}).get("massive_damage", False)
    for status in ("up", "death_move", "unconscious", "dead", "retired"):
        found[f"status {status}"] = lambda one, s=status: any(
            pc.get("status") == s for pc in one.get("expect", {}).get("party", {}).values()
        )
    return found


def missing(these: Iterable[Scenario]) -> list[str]:
    these = list(these)
    steps = [step for one in these for step in one["step"]]
    return [name for name, shows in wanted().items() if not any(map(shows, steps))] + [
        name for name, shows in held().items() if not any(map(shows, these))
    ]


def test_everything_that_the_format_speaks_of_is_played() -> None:
    assert not missing(ALL), f"no scenario for: {', '.join(missing(ALL))}"


def test_option_that_nobody_plays_is_named() -> None:
    def kept(step: Step) -> bool:
        return step.get("on") != "end_effect" and step.get("choose") != "blaze_of_glory"

    without = [{**one, "step": [step for step in one["step"] if kept(step)]} for one in ALL]
    assert missing(without) == ["Fear on end_effect", "death move blaze_of_glory"]
