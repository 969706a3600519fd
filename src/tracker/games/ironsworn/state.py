"""The state of Ironsworn: schema, limits, and consequences of changes.

A changed limit needs another number in `Game.rules`, because saves apply their recorded effects under these limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tracker.games.api.schema import (
    DICE,
    OWN,
    Boolean,
    Choice,
    Collection,
    Counters,
    Effect,
    Integer,
    Line,
    Path,
    Record,
    State,
)
from tracker.games.common.clocks import CLOCKS
from tracker.games.common.members import character, living
from tracker.games.common.scenes import LAYOUT
from tracker.games.ironsworn.ranks import RANKS
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.draft import Draft

STATS = ("edge", "heart", "iron", "shadow", "wits")
DEBILITIES = ("wounded", "shaken", "unprepared", "maimed", "cursed", "encumbered", "corrupted", "tormented")
COUNTS, COUNTS_NO_LONGER = "counts as a debility", "no longer counts as a debility"
"""What players read of an asset that is a debility, or is none any more."""
OPEN = ("open", "blocked")
READY = 32
"""Ticks from which to suggest ending a track: with eight full boxes one progress roll in eleven misses."""
KINDS = ("companion", "path", "combat talent", "ritual")
"""Kinds of assets that the rules name. Packs have others."""
ABILITIES = ("one", "two", "three", "four", "five", "six")
TYPED_ABILITIES = ABILITIES[:3]
"""Abilities that a player is asked for when typing in an asset."""
OWN_ASSET = "own."
"""Key of the option for an asset that the player types in. No asset has this id, because ids have no dot."""
OWED_MOST = 9
"""Limit of `owed` for each move. Further ones are counted in `owed_beyond`, because old saves rely on this limit."""
ABOUT_MOST = 1200
"""Most characters kept about a foe: its features, drives and tactics."""
ASSET_COST, UPGRADE_COST = 3, 2
"""Experience that a new asset costs, and that one more ability costs."""


def momentum_max(debilities: int) -> int:
    """Return the maximum of momentum for a character with that many debilities."""
    return 10 - debilities


def momentum_reset(debilities: int) -> int:
    """Return the momentum after burning it, for a character with that many debilities."""
    return max(0, 2 - debilities)


def most_momentum(state: State, path: Path) -> int:
    return momentum_max(len(character(state, path)["debilities"]))


def reset_momentum(state: State, path: Path) -> int:
    return momentum_reset(len(character(state, path)["debilities"]))


def owners(state: State, track: Mapping[str, Any]) -> list[str]:
    """Return the ids of the characters in play whose vow this is: who swore it, and who joined (ruling I19).

    If an old save does not name them, return all characters in play.
    """
    known = {track["sworn_by"], *track["shared_by"]} - {""}
    return [ident for ident in living(state) if not known or ident in known]


def experience(me: Mapping[str, Any]) -> int:
    """Return the unspent experience of a character."""
    return int(me["xp"] - me["spent"])


def no_asset(me: Mapping[str, Any]) -> str:
    """Return the reason why the character cannot buy a new asset, or "" if there is enough experience."""
    return f"costs {ASSET_COST}; you have {experience(me)}" if experience(me) < ASSET_COST else ""


def no_upgrade(me: Mapping[str, Any]) -> str:
    """Return the reason why the character cannot buy an ability of an asset, or "" if nothing is in the way."""
    if experience(me) < UPGRADE_COST:
        return f"costs {UPGRADE_COST}; you have {experience(me)}"
    return "" if can_upgrade(me) else "every ability is marked"


def can_upgrade(me: Mapping[str, Any]) -> dict[str, Any]:
    """Return {id: record} of the character's assets that have an unmarked ability; {} if there are none."""
    held = me["assets"].items()
    return {ident: asset for ident, asset in held if any(not asset[name]["on"] for name in abilities(asset))}


def abilities(asset: Mapping[str, Any]) -> list[str]:
    """Return the keys of an asset's abilities, such as "one". The first three are included even without a text."""
    return [name for n, name in enumerate(ABILITIES) if n < 3 or asset[name]["text"] or asset[name]["on"]]


def called(asset: Mapping[str, Any]) -> str:
    """Return the name of an asset for players. For a companion, that is the name that its player gave it, if any."""
    own = asset["note"] or asset["options"].get("name", {}).get("value", "")
    return str(own if asset["max"] and own else asset["name"])


def in_line(text: str) -> str:
    """Return a text of an asset on one line, its paragraphs and lists too."""
    return shown_line(" ".join(text.split()), ABILITY_MOST)


def ability_line(name: str, text: str) -> str:
    """Return an ability on one line: its own name, if it has one, and its text."""
    return ": ".join(filter(None, (shown_line(name), in_line(text))))


def in_lines(text: str) -> str:
    """Return a text of an asset with its paragraphs and lists as lines, without the blank lines between them."""
    return "\n".join(shown_line(line, ABILITY_MOST) for line in text.splitlines() if line.strip())


def own_debility(asset: str) -> str:
    """Return the id of the debility that the asset with this id can count as. No debility of the rules has that id."""
    return f"asset_{asset}" if asset in DEBILITIES else asset


def other_debilities(me: Mapping[str, Any]) -> dict[str, str]:
    """Return {id: name} of a character's marked debilities that the rules do not name: assets that count as one."""
    names = {own_debility(ident): called(asset) for ident, asset in me["assets"].items()}
    return {one: names.get(one) or one.replace("_", " ") for one in me["debilities"] if one not in DEBILITIES}


def foes_harm(track: Mapping[str, Any], *, stress: bool = False) -> int:
    """Return the harm that the foe of this track inflicts; with `stress`, the stress. It is the number of its rank.

    The boast to fight without armor adds 1 to harm.
    """
    return RANKS[track["rank"]].number + ("bare" in track["boasts"] and not stress)


UNSURE = 2
"""Size of harm, stress or a price, in points, if nothing else determines it."""


def harm_in_the_fight(state: State, who: str, *, stress: bool = False) -> int | None:
    """Return the harm (with `stress`, the stress) of the worst foe on an open track.

    Return None if there is none, or if the character is not in a fight.
    """
    if state["party"][who]["initiative"] == "none":
        return None
    foes = (t for t in state["tracks"].values() if t["kind"] == "fight" and t["status"] in OPEN)
    return max((foes_harm(foe, stress=stress) for foe in foes), default=None)


def owed_times(me: Mapping[str, Any]) -> dict[str, int]:
    """Return {name in `owed`: number of times that the move is due} for a character."""
    owed, beyond = me["owed"], me["owed_beyond"]
    return {name: owed.get(name, 0) + beyond.get(name, 0) for name in {**owed, **beyond}}


def times_due(label: str, times: int) -> list[str]:
    """Return a list with the label `times` times. Above OWED_MOST, return it once, with the count: ["Heal ×12"]."""
    return [label] * times if times <= OWED_MOST else [f"{label} ×{times}"]


def owe(table: Draft, move: str) -> None:
    """Record that a move is due for the acting character, once more if it is due already.

    `move` is the last part of its id, with an amount or a debility if it needs one, such as `endure_harm_2`.
    """
    full = table.me["owed"].get(move, 0) >= OWED_MOST
    table.mine(f"{'owed_beyond' if full else 'owed'}.{move}", 1)


def pay(table: Draft, move: str) -> None:
    """Record that the due move `move`, such as `endure_harm_2`, is due once less for the acting character.

    Change nothing if it is not due.
    """
    if table.me["owed_beyond"].get(move):
        table.mine(f"owed_beyond.{move}", -1)
    elif table.me["owed"].get(move):
        table.mine(f"owed.{move}", -1)


def heal_companion(table: Draft, who: str, asset: str, points: int) -> None:
    """Record that a companion of the character `who` gains health, up to its maximum, and is active again.

    `asset` is the companion's id. 0 points change nothing.
    """
    if points:
        table.by(f"{who}.assets.{asset}.health", points)
        table.to(f"{who}.assets.{asset}.status", "active")


def heal_companions(table: Draft, who: str, points: int) -> None:
    for asset, one in table.state["party"][who]["assets"].items():
        if one["max"]:
            heal_companion(table, who, asset, points)


def owed_label(name: str) -> str:
    """Return the label of a due move, such as "Endure Harm (2)" for `endure_harm_2`."""
    known = {"setback": "Face a Setback", "out_of_supply": "Out of Supply"}
    stem, _, more = name.rpartition("_")
    told = more.isdigit() or more in {"cursed", "tormented"}
    small = {"a", "an", "the", "of"}
    words = (stem if told else name).split("_")
    title = " ".join(w if w in small and n else w.capitalize() for n, w in enumerate(words))
    return known.get(name, title) + (f" ({more})" if told else "")


def _held_by(debility: str) -> Any:
    """Return a function for `Integer.blocked`. It returns `debility` if the character has that debility, else ""."""
    return lambda state, path: debility if debility in character(state, path)["debilities"] else ""


def _into_momentum(_: State, path: Path, points: int) -> list[Effect]:
    return [{"at": f"{path[1]}.momentum", "by": -points}]


def _into_setback(_: State, path: Path, points: int) -> list[Effect]:
    return [{"at": f"{path[1]}.setback", "by": points}]


def _out_of_supply(state: State, _: Path, points: int) -> list[Effect]:
    return [{"at": f"{ident}.out_of_supply", "by": points} for ident in living(state)]


def _everyone_unprepared(state: State, _: Path) -> list[Effect]:
    return [{"at": f"{ident}.debilities", "add": {"id": "unprepared"}} for ident in living(state)]


def _someone_unprepared(state: State, _: Path) -> str:
    return "unprepared" if any("unprepared" in state["party"][i]["debilities"] for i in living(state)) else ""


def _momentum_falls(state: State, path: Path) -> list[Effect]:
    """Return the effect that lowers momentum to its maximum, which a new debility has lowered (ruling I2).

    Return [] if momentum is not above that maximum.
    """
    me = character(state, path)
    over = me["momentum"] - momentum_max(len(me["debilities"]) + 1)
    return [{"at": f"{path[1]}.momentum", "by": -over}] if over > 0 else []


def _companions_most(state: State, path: Path) -> int:
    return int(character(state, path)["assets"][path[3]]["max"])


def _one_box(state: State, path: Path) -> int:
    """Return the ticks left after all boxes but one are cleared: 4, or fewer if there were fewer (ruling I6)."""
    return min(int(state["tracks"][path[1]]["ticks"]), 4)


def _meter(state: State, path: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = character(state, path)["assets"][path[3]]["meters"][path[5]]
    return found


def _meters_most(state: State, path: Path) -> int:
    return int(_meter(state, path)["most"]) or METER_MOST


def _meters_least(state: State, path: Path) -> int:
    return int(_meter(state, path)["least"])


METER_MOST = 999
ABILITY_MOST = 1200
"""Most characters in the text of an ability, in what it gives, and in the requirement of an asset."""

ABILITY = Record(
    {
        "name": Line(),
        "text": Line(ABILITY_MOST),
        "on": Boolean(),
        "gives": Line(ABILITY_MOST),
        "guesses": Line(ABILITY_MOST),
    }
)

METER = Record(
    {
        "name": Line(),
        "value": Integer(-99, METER_MOST, most=_meters_most, least=_meters_least, label=OWN),
        "least": Integer(-99, METER_MOST),
        "most": Integer(0, METER_MOST),
        "kind": Choice(("meter", "counter", "clock")),
    }
)

ASSET = Record(
    {
        "name": Line(),
        "kind": Line(),
        "note": Line(),
        **dict.fromkeys(ABILITIES, ABILITY),
        "health": Integer(0, 9, most=_companions_most, rest=_into_momentum),
        "max": Integer(0, 9),
        "status": Choice(("active", "out", "dying")),
        "needs": Line(ABILITY_MOST),
        "shared": Boolean(),
        "meters": Collection(METER),
        "flags": Collection(Record({"name": Line(), "on": Boolean(label=OWN)})),
        "options": Collection(Record({"name": Line(), "value": Line(200, label=OWN)})),
        "used": Collection(Record({"period": Line(), "when": Line()})),
    }
)

CHARACTER = Record(
    {
        "name": Line(),
        "status": Choice(("alive", "retired", "dead", "lost", "gone")),
        **{stat: Integer(0, 9, 1) for stat in STATS},
        "health": Integer(0, 5, 5, blocked=_held_by("wounded"), rest=_into_momentum),
        "spirit": Integer(0, 5, 5, blocked=_held_by("shaken"), rest=_into_momentum),
        "momentum": Integer(-6, 10, 2, most=most_momentum, rest=_into_setback, words={"reset": reset_momentum}),
        "debilities": Collection(Record({"vow": Line()}), added=_momentum_falls),
        "xp": Integer(0, 999, label="experience"),
        "spent": Integer(0, 999, label="experience spent"),
        "weapon": Choice(("simple", "deadly")),
        "setback": Integer(0, 99),
        "out_of_supply": Integer(0, 99),
        "owed": Counters(OWED_MOST),
        "owed_beyond": Counters(999),
        "waiting": Counters(9),
        "repeated": Line(),
        "times": Integer(0, 99),
        "latest": Choice(("", "strong hit", "weak hit", "miss")),
        "initiative": Choice(("none", "you", "foe")),
        "tide": Boolean(),
        "turning": Boolean(),
        "aided": Boolean(),
        "bonds": Collection(Record({"name": Line(), "note": Line(200), "noted": Line()})),
        "bond_ticks": Integer(0, 40),
        "assets": Collection(ASSET),
    }
)

TRACK = Record(
    {
        "name": Line(),
        "kind": Choice(("vow", "journey", "fight")),
        "rank": Choice(tuple(RANKS)),
        "ticks": Integer(0, 40, words={"one_box": _one_box}),
        "status": Choice((*OPEN, "fulfilled", "forsaken", "arrived", "abandoned", "won", "lost")),
        "burden": Choice(("", "cursed", "tormented")),
        "boasts": Collection(Record({})),
        "away": Boolean(),
        "foes": Integer(1, 99, 1),
        "sworn_by": Line(),
        "shared_by": Collection(Record({})),
        "waypoints": Collection(Record({"name": Line()})),
        "about": Line(ABOUT_MOST),
        "noted": Line(),
    }
)

TOP = Record(
    {
        **LAYOUT,
        "dice_are": DICE,
        "supply": Integer(0, 5, 5, blocked=_someone_unprepared, rest=_out_of_supply, emptied=_everyone_unprepared),
        "party": Collection(CHARACTER),
        "tracks": Collection(TRACK),
        "clocks": CLOCKS,
        "truths": Collection(Record({"name": Line()})),
    }
)
