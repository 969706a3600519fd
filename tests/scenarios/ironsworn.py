"""Ironsworn's table in the words of scenarios, and back."""

from collections.abc import Mapping
from typing import Any

from tracker.games import game
from tracker.games.ironsworn.layout import CHARACTER, STATS, most_momentum, reset_momentum

KEYS = {
    "move": {"move", "using", "bond", "adds", "dice", "burn", "choose", "track", "rank", "odds", "amount", "exchange"}
}
"""What a step of each kind may say; the words are the keys of the prompts."""

_ROLLED = {"stat_used", "adds", "raw", "score", "cancelled", "match", "outcome", "before_burn", "burn_offered"}
TOLD = {*_ROLLED, "options", "picks", "xp", "answer", "row"}
"""What a step may say of itself; what does not apply to it is false."""

_SAME = {*STATS, "health", "spirit", "momentum", "weapon", "status"}
_RENAMED = {"xp_earned": "xp", "xp_spent": "spent"}
_TABLE = {"supply", "tracks", "allies"}


def procedure(step: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The id of the procedure that a step means, and the answers that it brings."""
    moves = {ident.rpartition("/")[2]: ident for ident in game("ironsworn").moves}
    answers = {key: value for key, value in step.items() if key not in {"do", "who", "expect", "after", "move"}}
    return moves[step["move"]], answers


def given(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One entry of sets and adds, as a person editing the sheet would make it."""
    effects = [{"at": "party", "add": _member("you", {k: v for k, v in table.items() if k not in _TABLE})}]
    effects += [{"at": "party", "add": _member(name, keys)} for name, keys in table.get("allies", {}).items()]
    effects += [{"at": "tracks", "add": {"id": n, "name": n, **t}} for n, t in table.get("tracks", {}).items()]
    if "supply" in table:
        effects.append({"at": "supply", "to": table["supply"]})
    return effects


def _member(ident: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = {"id": ident, "name": ident.capitalize()}
    for key, value in keys.items():
        if key == "debilities":
            record[key] = {debility: {} for debility in value}
        elif key == "pending_add":
            record["waiting"] = value
        else:
            field = _RENAMED.get(key, key)
            assert field in CHARACTER.fields, f"given: nobody knows the key {key}"
            record[field] = value
    return record


def compare(state: Mapping[str, Any], wanted: Mapping[str, Any], who: str = "you") -> None:
    """The state says what is wanted; what is not named is not compared."""
    for key, value in wanted.items():
        if key == "allies":
            for ally, keys in value.items():
                compare(state, keys, ally)
        elif key == "tracks":
            for name, keys in value.items():
                got = {field: state["tracks"][name][field] for field in keys}
                assert got == keys, f"track {name}: {got}, not {keys}"
        else:
            got = _said(state, who, key)
            assert got == (sorted(value) if isinstance(value, list) else value), f"{who}: {key} is {got!r}, not {value!r}"


def _said(state: Mapping[str, Any], who: str, key: str) -> Any:
    me, path = state["party"][who], ("party", who, "momentum")
    match key:
        case "supply":
            return state["supply"]
        case "momentum_max":
            return most_momentum(state, path)
        case "momentum_reset":
            return reset_momentum(state, path)
        case "debilities":
            return sorted(me["debilities"])
        case "pending_add":
            return me["waiting"]
        case "pending":
            return _pending(me)
        case _:
            field = _RENAMED.get(key, key)
            assert field in _SAME | set(_RENAMED.values()), f"expect: nobody knows the key {key}"
            return me[field]


def _pending(me: Mapping[str, Any]) -> list[str]:
    """The moves that are owed, by name: an amount is not part of it, and points of one kind are one move."""
    owed = [name.rstrip("0123456789").rstrip("_") for name, count in me["owed"].items() for _ in range(count)]
    points = {"setback": "face_a_setback", "out_of_supply": "out_of_supply"}
    return sorted(owed + [move for field, move in points.items() if me[field]])
