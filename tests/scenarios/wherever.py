"""Wherever We Go's table in the words of scenarios, and back."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from tracker.games.wherever.action import NO_TALENT
from tracker.games.wherever.dice import NONE, OUTCOMES, PENALTIES, Pool, chances, net, opposed_odds, stepped
from tracker.games.wherever.state import TRACKS

_SIDE = {
    "attribute",
    "skill",
    "talent",
    "mods",
    "harms",
    "push",
    "dice",
    "gamble",
    "second_gamble",
    "gamble_limit",
    "assign",
}
_ODDS = {"attribute", "skill", "talent", "mods", "harms", "push"}
KEYS = {
    "roll": {*_SIDE, "situation"},
    "opposed": {"acting", "defending", "side", "attack", "benefits"},
    "benefit": {"choose"},
    "consequence": {"choose", "amount", "to"},
    "montage": {"choose", "edges"},
    "broken_save": {"damage", "dice"},
    "odds": {*_ODDS, "gamble_if", "against"},
}
"""What a step of each kind may say."""
BY_HAND: set[str] = set()
ASKED = {"odds"}
_PROCEDURES = {
    "roll": "action/roll",
    "opposed": "action/opposed",
    "benefit": "after/benefit",
    "consequence": "after/consequence",
    "montage": "montage/montage",
    "broken_save": "harm/broken_save",
}
TOLD = {
    *("net", "pool", "initial_edges", "edges", "outcome", "stress_dice", "banes", "damage", "harm", "broken"),
    *("winner", "margin", "acting_edges", "defending_edges", "result"),
    *("failure", "mixed", "success", "great", "gamble", "wp_mean", "acting", "tie", "defending"),
}
"""What a step may say of itself."""
_NOTHING: dict[str, Any] = {"harm": {}, "broken": [], "stress_dice": []}
"""What a step that does not tell these means by it."""
_NUMBERS = {"situation", "stress", "wp", "wp_max", *TRACKS, *(f"{track}_max" for track in TRACKS)}

ATTRIBUTE, SKILL, TALENT = "strength", "force", "knack"
"""The dice of a step are put on the sheet under these names."""
_GIVEN = "given"
"""What the harms of a step are called."""


def who(step: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    """Return the id of the character who acts."""
    return str(step.get("who", "you"))


def prepared(step: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Put the dice and harms of a step on the sheet, with the procedures that a player would use."""
    side = _tracked(step)
    if side is None:
        return
    me = state["party"]["you"]
    for what, key, now in ((ATTRIBUTE, "attribute", me[ATTRIBUTE]), (SKILL, "skill", me["skills"][SKILL])):
        if side[key] != now:
            yield "sheet/rate", {"what": what, "die": side[key], "dice": {}}
    if "talent" in side and me["talents"].get(TALENT, {}).get("die") != side["talent"]:
        yield "sheet/talent", {"name": TALENT, "die": side["talent"], "dice": {}}
    there = [PENALTIES[harm["grade"]] for harm in _given_harms(state).values()]
    for penalty in side.get("harms", []):
        if penalty in there:
            there.remove(penalty)
            continue
        grade = next(grade for grade, points in PENALTIES.items() if points == penalty)
        on = ATTRIBUTE if grade == "major" else SKILL
        yield "sheet/harm", {"sort": "physical", "grade": grade, "on": on, "name": _GIVEN, "dice": {}}


def _tracked(step: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the side of the character who has a sheet."""
    if step["do"] == "roll":
        return step
    return step[step.get("side", "acting")] if step["do"] == "opposed" else None


def _given_harms(state: Mapping[str, Any]) -> dict[str, Any]:
    harms = state["party"]["you"]["harms"]
    every = {f"{sort}.{ident}": harm for sort, them in harms.items() for ident, harm in them.items()}
    return {key: harm for key, harm in every.items() if harm["name"] == _GIVEN}


def procedure(step: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the id of the procedure that a step means, and the step's answers, with its dice by roll."""
    side = _tracked(step)
    if side is None:
        answers = {key: value for key, value in step.items() if key in KEYS[step["do"]] - {"dice"}}
        return _PROCEDURES[step["do"]], {**answers, "dice": {"": dict(step.get("dice", {}))}}
    answers, dice = _answers(side, state)
    if step["do"] == "opposed":
        role = step.get("side", "acting")
        other = step["defending" if role == "acting" else "acting"]
        theirs, more = _their_answers(other)
        answers |= {"side": role, "attack": step.get("attack", False), **theirs}
        answers |= {"benefits": step["benefits"]} if "benefits" in step else {}
        dice[""] |= more.pop("")
        dice |= more
    return _PROCEDURES[step["do"]], {**answers, "dice": dice}


def _answers(side: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    assert set(side) <= _SIDE | {"situation", "do", "who", "expect", "after"}, (
        f"nobody knows the keys {set(side) - _SIDE}"
    )
    answers: dict[str, Any] = {"skill": SKILL, **_mods(side)}
    me = state["party"]["you"]
    if me["talents"]:
        answers["talent"] = TALENT if "talent" in side else NO_TALENT
    if any(me["harms"].values()):
        answers["harms"] = _these_harms(side.get("harms", []), state)
    answers |= {key: side[key] for key in ("push", "assign", "situation") if key in side}
    dice: dict[str, Any] = {"": dict(side.get("dice", {}))}
    for key in ("gamble", "second_gamble"):
        if key in side:
            answers[key] = True
            dice[f"{key}_dice"] = dict(side[key])
    if "gamble" in side and "gamble_limit" in side:
        answers["gamble_limit"] = side["gamble_limit"]
    return answers, dice


def _these_harms(penalties: list[int], state: Mapping[str, Any]) -> list[str]:
    left = dict(_given_harms(state))
    chosen = []
    for penalty in penalties:
        key = next(key for key, harm in left.items() if PENALTIES[harm["grade"]] == penalty)
        chosen.append(key)
        del left[key]
    return chosen


def _their_answers(side: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the dice and gambles of the other side as answers, because it has no sheet."""
    assert set(side) <= _SIDE - {"push", "assign"}, "the other side neither pushes nor assigns"
    mods = _mods(side)
    worst = min(side.get("harms", []), default=0)
    answers = {
        "other_attribute": side["attribute"],
        "other_skill": side["skill"],
        "other_talent": side.get("talent", NONE),
        "other_bonus": mods["bonus"],
        "other_penalty": mods["penalty"] + worst,
    }
    dice: dict[str, Any] = {"": _others(side.get("dice", {}))}
    for key in ("gamble", "second_gamble"):
        if key in side:
            answers[f"other_{key}"] = True
            dice[f"other_{key}_dice"] = _others(side[key])
    if "gamble" in side and "gamble_limit" in side:
        answers["other_gamble_limit"] = side["gamble_limit"]
    return answers, dice


def _others(faces: Mapping[str, Any]) -> dict[str, Any]:
    return {f"other_{name}": face for name, face in faces.items()}


def _mods(side: Mapping[str, Any]) -> dict[str, int]:
    mods = side.get("mods", [])
    assert all(-3 <= mod <= 3 for mod in mods), "each modifier is from -3 to 3"
    return {"bonus": sum(mod for mod in mods if mod > 0), "penalty": sum(mod for mod in mods if mod < 0)}


# -- odds -----------------------------------------------------------------------------------------------


def asked(step: Mapping[str, Any], state: Mapping[str, Any], key: str) -> Any:
    """Return one of the chances of a pool."""
    pool = _pool(step, state)
    if "against" in step:
        contest = opposed_odds(pool, _pool(step["against"], state))
        return Fraction(getattr(contest, key), contest.total)
    upto = {"never": -1, "failure": 0, "mixed": 1}[step.get("gamble_if", "never")]
    counted = chances(pool, upto)
    if key == "damage":
        return [Fraction(count, counted.total) for count in counted.damage]
    each = {outcome.split()[0]: count for outcome, count in zip(OUTCOMES, counted.outcomes, strict=True)}
    return Fraction({**each, "gamble": counted.gambles, "wp_mean": counted.sixes}[key], counted.total)


def _pool(step: Mapping[str, Any], state: Mapping[str, Any]) -> Pool:
    by = net(step.get("mods", []), step.get("harms", []))
    stress = state["party"]["you"]["stress"] if step.get("push") else 0
    return Pool(*stepped(step["attribute"], step["skill"], by), step.get("talent", NONE), stress)


# -- the table ------------------------------------------------------------------------------------------


def given(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the effects that make this table, as a player who edits the sheet would enter them."""
    me: dict[str, Any] = {"id": "you", "name": "You"}
    for track in TRACKS:
        me[f"{track}_max"] = max(12, table.get(track, 12))
        me[track] = me[f"{track}_max"]
    for key, value in table.items():
        if key == "gear":
            me["gear"] = {
                name: {"name": name.capitalize(), "reliability": n, "max": max(n, 1)} for name, n in value.items()
            }
        elif key == "xp_marks":
            me["gambled"] = value
        else:
            assert key in _NUMBERS, f"given: nobody knows the key {key}"
            me[key] = value
    return [{"at": "party", "add": me}]


def compare(state: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Assert that the state has the wanted values; what is not named is not compared."""
    me = state["party"]["you"]
    for key, value in wanted.items():
        if key == "gear":
            got: Any = {name: me["gear"][name]["reliability"] for name in value}
        elif key == "xp_marks":
            got = me["gambled"]
        else:
            assert key in _NUMBERS, f"expect: nobody knows the key {key}"
            got = me[key]
        assert got == value, f"{key} is {got!r}, not {value!r}"


def told(key: str, wanted: Any, got: Any) -> None:
    """Assert that what a step says about itself is what is wanted; fractions are compared by value."""
    if got is False:
        got = _NOTHING.get(key, got)
    if isinstance(got, Fraction):
        wanted = Fraction(wanted)
    elif isinstance(got, list) and got and isinstance(got[0], Fraction):
        wanted = [Fraction(one) for one in wanted]
    assert got == wanted, f"{key} is {got!r}, not {wanted!r}"
