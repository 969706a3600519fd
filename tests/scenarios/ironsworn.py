"""Ironsworn's table in the words of scenarios, and back."""

from collections.abc import Mapping
from typing import Any

from tracker.content import shipped
from tracker.games.ironsworn import assets
from tracker.games.ironsworn.moves import NAMED
from tracker.games.ironsworn.ranks import RANKS
from tracker.games.ironsworn.state import ABILITIES, CHARACTER, STATS, most_momentum, owed_times, reset_momentum
from tracker.games.ironsworn.tracks import NEW

KEYS = {
    "move": {
        *("move", "using", "bond", "adds", "dice", "reroll", "burn", "choose", "amount", "track", "rank", "pack"),
        *("burden", "target", "exchange", "odds", "others", "focus", "take_initiative", "then", "shared", "payers"),
        *("helped_by", "gifts", "reroll_by"),
    },
    "use": {"ability"},
    "suffer": {"momentum", "supply"},
    "gain": {"momentum", "health", "spirit", "supply"},
    "start_track": {"track", "kind", "rank", "pack"},
    "mark_progress": {"track", "times"},
    "unblock": {"track"},
    "join_vow": {"track"},
    "mark_debility": {"debility"},
    "clear_debility": {"debility"},
}
"""What a step of each kind may say; the words are the keys of the prompts."""
BY_HAND = {"suffer", "gain"}
ASKED: set[str] = set()
_PROCEDURES = {
    "start_track": "track/start",
    "mark_progress": "track/mark",
    "unblock": "quest/overcome",
    "join_vow": "track/join",
    "mark_debility": "sheet/mark",
    "clear_debility": "sheet/clear",
    "use": "sheet/use_asset",
}

_SUFFERED = {"endure_harm", "endure_stress", "companion_endure_harm", "face_death", "face_desolation"}
"""A strong hit on these takes the initiative only where a scenario says so; a player is offered it."""

_ROLLED = {"stat_used", "adds", "raw", "score", "cancelled", "match", "outcome", "before_burn", "burn_offered"}
TOLD = {*_ROLLED, "options", "picks", "xp", "answer", "row", "harm", "focus", "rerolled_by", "gave"}
"""What a step may say of itself; what does not apply to it is false."""

_SAME = {*STATS, "health", "spirit", "momentum", "weapon", "status", "initiative", "bond_ticks"}
_RENAMED = {"xp_earned": "xp", "xp_spent": "spent", "turn_the_tide_used": "tide"}
_TABLE = {"supply", "tracks", "allies"}
_COMPANION = "companion"


def by_hand(step: Mapping[str, Any], who: str) -> list[dict[str, Any]]:
    """Return the effect of a gain or loss outside a move, as `+` and `-` on the sheet make it."""
    sign = 1 if step["do"] == "gain" else -1
    fields = [key for key in step if key in KEYS[step["do"]]]
    return [{"at": key if key == "supply" else f"{who}.{key}", "by": sign * step[key]} for key in fields]


def who(step: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    """Return the id of the character who acts."""
    return str(step.get("who", "you"))


def prepared(step: Mapping[str, Any], state: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the changes before a step: none, because `given` says everything that Ironsworn's steps need."""
    return []


def procedure(step: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the id of the procedure that a step means, and the step's answers, with its dice by roll."""
    answers = {key: value for key, value in step.items() if key not in {"do", "who", "expect", "after", "move"}}
    dice = {"": dict(answers.pop("dice", {}))}
    if "reroll" in answers:
        dice["reroll_dice"] = answers["reroll"]
        answers["reroll"] = list(answers["reroll"])
    _focus(answers, dice, answers.pop("focus", {}), "")
    for other, picks in answers.pop("others", {}).items():
        answers[f"choose.{other}"] = picks["choose"]
        _focus(answers, dice, picks.get("focus", {}), f".{other}")
    answers["dice"] = dice
    answers |= {f"given.{gift}": picks for gift, picks in answers.pop("gifts", {}).items()}
    if step["do"] != "move":
        if step["do"] == "start_track":
            answers["name"] = answers.pop("track")
        return _PROCEDURES[step["do"]], answers
    move = step["move"]
    for way in answers.get("then", []):  # such as endure_harm_3: the size is a prompt of its own
        size = way.rpartition("_")[2]
        answers |= {"amount": int(size)} if size.isdigit() else {}
    if move in _SUFFERED and state["party"][who(step, state)]["initiative"] == "foe":
        answers.setdefault("take_initiative", False)
    if answers.get("choose") == ["let_go"]:
        answers |= {"let_go": True}
        del answers["choose"]
    if "track" in answers and move != "swear_an_iron_vow" and answers["track"] not in state["tracks"]:
        answers["name"] = answers["track"]
        answers["track"] = NEW
        if move == "draw_the_circle":
            del answers["track"]
    return NAMED[move], answers


def _focus(answers: dict[str, Any], dice: dict[str, Any], focus: Mapping[str, Any], suffix: str) -> None:
    if focus:
        answers[f"focus{suffix}"] = focus["pick"]
        dice[f"focus{suffix}_dice"] = focus["dice"]
        answers |= {f"focus{suffix}_{key}": focus[key] for key in ("burn", "adds") if key in focus}


def given(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the effects that make this table, as a player who edits the sheet would enter them."""
    effects = [{"at": "party", "add": _member("you", {k: v for k, v in table.items() if k not in _TABLE})}]
    effects += [{"at": "party", "add": _member(name, keys)} for name, keys in table.get("allies", {}).items()]
    for name, track in table.get("tracks", {}).items():
        boasts: dict[str, Any] = {boast: {} for boast in track.get("boasts", [])}
        effects.append({"at": "tracks", "add": {"id": name, "name": name, **track, "boasts": boasts}})
    if "supply" in table:
        effects.append({"at": "supply", "to": table["supply"]})
    return effects


def _member(ident: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = {"id": ident, "name": ident.capitalize(), "assets": _assets(keys)}
    bonds = keys.get("bonds", 0)
    record |= {"bonds": {f"bond_{n}": {"name": f"Bond {n}"} for n in range(bonds)}, "bond_ticks": bonds}
    for key, value in keys.items():
        if key in {"bonds", "assets", "held", _COMPANION}:
            continue
        if key == "debilities":
            record[key] = {debility: {} for debility in value}
        elif key == "pending_add":
            record["waiting"] = value
        else:
            field = _RENAMED.get(key, key)
            assert field in CHARACTER.fields, f"given: nobody knows the key {key}"
            record[field] = value
    return record


def _assets(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return as many assets as wanted, a companion among them, each with its first ability."""
    held: dict[str, Any] = {}
    companion = keys.get(_COMPANION)
    if companion:
        known = {"name", "health", "max", "abilities", "status"}
        assert set(companion) <= known, f"given: nobody knows {set(companion) - known} of a companion"
        marks = {ability: {"on": n < companion.get("abilities", 1)} for n, ability in enumerate(ABILITIES)}
        plain = {key: value for key, value in companion.items() if key != "abilities"}
        held[_COMPANION] = {"kind": "companion", "health": plain.get("max", 0), **plain, **marks}
    for ident, card in keys.get("held", {}).items():
        held[ident] = _card(ident, card)
    for n in range(keys.get("assets", 3) - len(held)):
        held[f"asset_{n}"] = {"name": f"Asset {n}", "kind": "path", "one": {"on": True}}
    return held


def _card(ident: str, card: Mapping[str, Any]) -> dict[str, Any]:
    """Return a shipped asset with the abilities in `on`, and with other values of its numbers and boxes."""
    known = {"on", "note", "health", "meters", "flags", "used"}
    assert set(card) <= known, f"given: nobody knows {set(card) - known} of an asset"
    record = assets.record(shipped("ironsworn").assets[ident], card.get("note", ""))
    for ability in ABILITIES[:3]:
        record[ability]["on"] = ability in card["on"]
    for meter, value in card.get("meters", {}).items():
        record["meters"][meter]["value"] = value
    for flag, on in card.get("flags", {}).items():
        record["flags"][flag]["on"] = on
    return record | ({"health": card["health"]} if "health" in card else {})


def _compare_card(asset: Mapping[str, Any], card: Mapping[str, Any]) -> None:
    got: dict[str, Any] = {
        "on": [ability for ability in ABILITIES if asset[ability]["on"]],
        "used": list(asset["used"]),
        "meters": {ident: meter["value"] for ident, meter in asset["meters"].items()},
        "flags": {ident: flag["on"] for ident, flag in asset["flags"].items()},
        **{key: asset[key] for key in ("note", "health")},
    }
    assert {key: got[key] for key in card} == card, f"{asset['name']} is {got}"


def compare(state: Mapping[str, Any], wanted: Mapping[str, Any], who: str = "you") -> None:
    """Assert that the state has the wanted values; what is not named is not compared."""
    for key, value in wanted.items():
        if key == "allies":
            for ally, keys in value.items():
                compare(state, keys, ally)
        elif key == "tracks":
            for name, keys in value.items():
                got = {field: _track(state["tracks"][name], field) for field in keys}
                assert got == {k: sorted(v) if isinstance(v, list) else v for k, v in keys.items()}, (
                    f"track {name}: {got}"
                )
        elif key == "held":
            for ident, card in value.items():
                _compare_card(state["party"][who]["assets"][ident], card)
        elif key == _COMPANION:
            got = _companion(state["party"][who]["assets"].get(_COMPANION))
            assert {field: got.get(field) for field in value} == value, f"{who}: companion is {got}"
        else:
            got = _said(state, who, key)
            told = sorted(value) if isinstance(value, list) else value
            assert got == told, f"{who}: {key} is {got!r}, not {value!r}"


def _track(track: Mapping[str, Any], field: str) -> Any:
    if field == "foe_harm":
        return RANKS[track["rank"]].number + ("bare" in track["boasts"])
    return sorted(track[field]) if field in {"boasts", "shared_by"} else track[field]


def _companion(asset: Mapping[str, Any] | None) -> dict[str, Any]:
    if asset is None:
        return {"status": "dead"}
    status = "active" if asset["health"] else asset["status"]
    return {**asset, "status": status, "abilities": sum(asset[ability]["on"] for ability in ABILITIES)}


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
        case "bonds" | "assets":
            return len(me[key])
        case "upgrades":
            own = {ident: asset for ident, asset in me["assets"].items() if ident != _COMPANION}
            return sum(asset[ability]["on"] for asset in own.values() for ability in ABILITIES) - len(own)
        case _:
            field = _RENAMED.get(key, key)
            assert field in _SAME | set(_RENAMED.values()), f"expect: nobody knows the key {key}"
            return me[field]


def _pending(me: Mapping[str, Any]) -> list[str]:
    """Return the names of the due moves; amounts are left out, and points of one kind are one move."""
    owed = [_move(name) for name, count in owed_times(me).items() for _ in range(count)]
    points = {"setback": "face_a_setback", "out_of_supply": "out_of_supply"}
    return sorted(owed + [move for field, move in points.items() if me[field]])


def _move(owed: str) -> str:
    stem, _, more = owed.rpartition("_")
    return stem if more.isdigit() or more in {"cursed", "tormented"} else owed


def told(key: str, wanted: Any, got: Any) -> None:
    """Assert that what a step says about itself is what is wanted; options may be in any order."""
    if key == "focus":
        got = {name: got.get(name) for name in wanted}
    elif key == "options":
        got, wanted = sorted(got), sorted(wanted)
    assert got == wanted, f"{key} is {got!r}, not {wanted!r}"
