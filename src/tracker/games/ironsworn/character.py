"""Procedures that make a character, change the sheet outside moves, and change the party."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tracker.games.api.content import Oracle
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Option, Pick, Roll, Text, roll_until_accepted
from tracker.games.api.schema import State
from tracker.games.common import party
from tracker.games.ironsworn.assets import add_asset, asset_id, offered, record, taken
from tracker.games.ironsworn.roll import set_initiative
from tracker.games.ironsworn.state import (
    ABILITIES,
    DEBILITIES,
    STATS,
    TOP,
    other_debilities,
    owed_label,
    owed_times,
    times_due,
)
from tracker.games.ironsworn.tracks import ask_rank
from tracker.text import shown_line

ARRAYS = tuple(
    (three, a, b) for three in STATS for n, a in enumerate(STATS) for b in STATS[n + 1 :] if three not in {a, b}
)
"""The thirty ways to assign 3, 2, 2, 1, 1 to five stats: the stat with 3, then the two with 2."""
PEOPLES = ("name_hill", "name_coast", "name_forest")

MEANING = {
    "edge": "quick, agile, good at range",
    "heart": "brave, loyal, good with people",
    "iron": "strong, tough, good up close",
    "shadow": "sly, quiet, good at deceit",
    "wits": "clever, watchful, good at figuring things out",
}


def make_character(table: Draft) -> Procedure:
    """Make a character by choice or by dice, and add it to the party.

    By choice, ask for a name, the stats (3, 2, 2, 1, 1), assets, weapon, bonds and a background vow. Dice choose only
    name, stats and assets.
    """
    how, name = yield from party.begin_character(
        Option("choose", "choose", "name, stats, assets, bonds, background vow", hot="c"),
        dice="name, stats, and three assets",
        hint="Kara",
    )
    if how == "random":
        yield from _by_dice(table)
        return
    best = yield Pick(
        key="three",
        title="Assign 3, 2, 2, 1, 1. Which stat gets the 3?",
        options=tuple(Option(stat, stat, MEANING[stat], hot=stat[0]) for stat in STATS),
    )
    good = yield Choose(
        key="twos",
        title="Which two get a 2?",
        options=tuple(Option(stat, stat, MEANING[stat], hot=stat[0]) for stat in STATS if stat != best),
        least=2,
        most=2,
    )
    yield from _background(table, _join(table, name, best, good))


def _join(table: Draft, name: str, best: str, good: list[str]) -> str:
    ident = table.new_id(name, table.state["party"], *TOP.fields)
    table.add("party", {"id": ident, "name": name, **_laid(best, good)})
    if not table.state["supply"]:  # supply is shared: a new member of a party without supply is unprepared, too
        table.add(f"{ident}.debilities", {"id": "unprepared"})
    return ident


def _laid(best: str, good: list[str]) -> dict[str, int]:
    return {stat: 3 if stat == best else 2 if stat in good else 1 for stat in STATS}


def _by_dice(table: Draft) -> Procedure:
    """Roll the name, the stats and three different assets, and add the character with a deadly weapon."""
    assets = [option.key for option in offered(table)]
    faces = yield from roll_until_accepted(
        Roll(
            key="dice",
            title="A character",
            dice={
                "people": len(PEOPLES),
                "first": 100,
                "last": 100,
                "array": len(ARRAYS),
                **{f"asset_{n}": len(assets) - n for n in range(3)},
            },
            at_once=True,
            ours=True,
        ),
        "Reroll",
        "a different random character",
    )
    oracles = table.content().oracles
    people = oracles[PEOPLES[faces["people"] - 1]]
    parts = [oracles[part] for part in people.parts] or [people]
    said = (_at(part, face) for part, face in zip(parts, (faces["first"], faces["last"]), strict=False))
    name = shown_line(people.join.join(said))
    best, *good = ARRAYS[faces["array"] - 1]
    who = _join(table, name, best, good)
    table.to(f"{who}.weapon", "deadly")
    for n in range(3):
        _give(table, who, assets.pop(faces[f"asset_{n}"] - 1))


def _at(oracle: Oracle, face: int) -> str:
    """Return the text of the row of a table for a d100 face.

    The face is scaled, because a player's own table may have another die.
    """
    return oracle.row((face - 1) * oracle.sides // 100 + 1)


def _give(table: Draft, who: str, asset: str) -> None:
    new = record(table.content().assets[asset])
    ident = asset_id(table, asset, new["name"], table.state["party"][who]["assets"])
    if ABILITIES[0] in new and not any(new[name]["on"] for name in ABILITIES if name in new):
        new[ABILITIES[0]]["on"] = True
    add_asset(table, who, {"id": ident, **new})


def _background(table: Draft, who: str) -> Procedure:
    """Ask for assets, weapon, bonds and a background vow of the new character. All but the weapon are optional."""
    title = "Choose up to 3 assets"
    assets = yield Choose(key="assets", title=title, options=offered(table), least=0, most=3, default=[])
    for asset in assets:
        new = yield from taken(table.content().assets[asset], f"{asset}.")
        ident = asset_id(table, asset, new["name"], table.state["party"][who]["assets"])
        add_asset(table, who, {"id": ident, **new})
    weapon = yield _ask_weapon("deadly")
    table.to(f"{who}.weapon", weapon)
    for number in (1, 2, 3):
        bond = yield Text(
            key=f"bond_{number}",
            title=f"Background bond {number} of 3 (optional)",
            hint="Your sister Aren",
            empty=True,
            default="",
        )
        if not bond:
            break
        table.add(f"{who}.bonds", {"id": table.new_id(bond, table.state["party"][who]["bonds"]), "name": bond})
        table.by(f"{who}.bond_ticks", 1)
    vow = yield Text(key="vow", title="Background vow (optional)", hint="Avenge my people", empty=True, default="")
    if vow:
        rank = yield ask_rank("How hard will it be?", offered=("extreme", "epic"), vow=True, default="extreme")
        track = table.new_id(vow, table.state["tracks"])
        table.add("tracks", {"id": track, "name": vow, "kind": "vow", "rank": rank, "sworn_by": who})


def _ask_weapon(default: str) -> Pick:
    return Pick(
        key="weapon",
        title="What do you fight with?",
        options=(
            Option("deadly", "a deadly weapon", "sword, axe, spear, bow: 2 harm", hot="d"),
            Option("simple", "something simple", "hands, staff, club, rock: 1 harm", hot="s"),
        ),
        default=default,
    )


def take_weapon(table: Draft) -> Procedure:
    """Ask whether the acting character fights with a deadly weapon or a simple one, and store the answer.

    A deadly weapon inflicts 2 harm, a simple one 1.
    """
    weapon = yield _ask_weapon(table.me["weapon"])
    table.to(f"{table.who}.weapon", weapon)


def mark_debility(table: Draft) -> Procedure:
    """Ask for a debility and mark it without a move, such as for a heavy load. Raise Refused if all are marked."""
    name = yield _ask_debility(table, marked=False)
    table.add(f"{table.who}.debilities", {"id": name})


def clear_debility(table: Draft) -> Procedure:
    """Ask for a marked debility and clear it without a move. Raise Refused if none is marked."""
    name = yield _ask_debility(table, marked=True)
    table.drop(f"{table.who}.debilities", name)


def _ask_debility(table: Draft, *, marked: bool) -> Pick:
    reason = "not marked" if marked else "already marked"
    if marked and not table.me["debilities"]:
        raise Refused("No debility is marked.")
    names = {name: name for name in DEBILITIES} | other_debilities(table.me)
    if not marked and len(table.me["debilities"]) >= len(names):
        raise Refused("Every debility is marked.")
    return Pick(
        key="debility",
        title="Which debility?",
        options=tuple(
            Option(one, shown_line(name), reason="" if (one in table.me["debilities"]) is marked else reason)
            for one, name in names.items()
        ),
    )


_LEGAL = [3, 2, 2, 1, 1]


def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
    """Return the answers, by prompt key, with which `make_character` makes a character of this name and stats.

    Raise Refused if the name is blank, a stat is unknown or missing, or the stats are not 3, 2, 2, 1 and 1.
    """
    party.check_name(name)
    party.check_stats(stats, STATS, "stat")
    if sorted(stats.values(), reverse=True) != _LEGAL:
        given = ", ".join(str(stats[stat]) for stat in STATS)
        raise Refused(f"The stats are 3, 2, 2, 1 and 1 in any order, not {given}.")
    return {
        "name": name,
        "how": "choose",
        "three": next(stat for stat in STATS if stats[stat] == 3),
        "twos": [stat for stat in STATS if stats[stat] == 2],
    }


def _holds(me: State) -> Iterator[str]:
    for word, held in (("asset", me["assets"]), ("bond", me["bonds"])):
        if held:
            yield f"{len(held)} {word}{'s' if len(held) > 1 else ''}"


def _due(me: State) -> list[str]:
    points = [f"{owed_label(name)} ({me[name]})" for name in ("setback", "out_of_supply") if me[name]]
    moves = [label for name, times in owed_times(me).items() for label in times_due(owed_label(name), times)]
    return moves + points


member_moves = party.member_moves
rename = party.rename
_retire, _remove = party.leaving(_due, "Vows, journeys, and fights stay", _holds)


def retire(table: Draft) -> Procedure:
    """Ask for confirmation, then take the character out of play and out of a fight; the sheet stays visible.

    Raise Refused if the status is not alive.
    """
    yield from _retire(table)
    _out_of_the_fight(table)


def remove(table: Draft) -> Procedure:
    """Ask for confirmation, then take the character out of a fight and hide them. The record stays, for a return."""
    yield from _remove(table)
    _out_of_the_fight(table)


def _out_of_the_fight(table: Draft) -> None:
    if table.me["initiative"] != "none":
        set_initiative("none", table)


def bring_back(table: Draft) -> Procedure:
    """Ask who comes back into play, and set the status to alive.

    The character becomes unprepared if the shared supply is 0, and is no longer unprepared otherwise. Raise Refused if
    all are in play.
    """
    whom = yield from party.bring_back(table)
    unprepared = "unprepared" in table.state["party"][whom]["debilities"]
    if not table.state["supply"] and not unprepared:
        table.add(f"{whom}.debilities", {"id": "unprepared"})
    elif table.state["supply"] and unprepared:
        table.drop(f"{whom}.debilities", "unprepared")
