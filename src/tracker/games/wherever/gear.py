"""Gear: items that wear out, and supplies that run out."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Number, Option, Pick, Roll, Text
from tracker.games.wherever.dice import DIE_KEYS, RATED, sides
from tracker.games.wherever.harm import RESERVED
from tracker.games.wherever.state import PLACES, WEIGHTS
from tracker.text import shown_line

LAST = "last use"
AMOUNTS = {"d6": "little", "d8": "some", "d10": "much", "d12": "plenty"}
_RUNS_LOW = 2
"""Highest face on which the die of a supply steps down."""


def take_item(table: Draft) -> Procedure:
    """Ask for an item with its place, weight and reliability, and add it to the acting character."""
    name = yield Text(key="name", title="What is it?", hint="A storm lantern")
    place = yield Pick(
        key="place", title="Where", options=tuple(Option(p, p) for p in PLACES), default="carried", quiet=True
    )
    weight = yield Pick(
        key="weight", title="Weight", options=tuple(Option(w, w) for w in WEIGHTS), default="normal", quiet=True
    )
    reliability = yield Number(key="reliability", title="Reliability, usually 1 to 4", low=0, high=20, default=2)
    ident = table.new_id(name, table.me["gear"], *RESERVED)
    table.add(
        f"{table.who}.gear",
        {"id": ident, "name": name, "reliability": reliability, "max": reliability, "place": place, "weight": weight},
    )


def stow_item(table: Draft) -> Procedure:
    """Ask for an item of the acting character and its new place, and move it; "gone" removes it.

    Raise Refused if the character has no items.
    """
    item = yield _ask_item(table)
    where = yield Pick(
        key="place",
        title="Where is it now?",
        options=(*(Option(p, p) for p in PLACES), Option("gone", "gone", "off the sheet")),
    )
    if where == "gone":
        table.drop(f"{table.who}.gear", item)
    else:
        table.to(f"{table.who}.gear.{item}.place", where)


def _ask_item(table: Draft) -> Pick:
    if not table.me["gear"]:
        raise Refused("No gear yet: take an item first.")
    gear = table.me["gear"].items()
    return Pick(
        key="item",
        title="Which item?",
        options=tuple(Option(i, shown_line(one["name"]), one["place"]) for i, one in gear),
    )


def take_supply(table: Draft) -> Procedure:
    """Ask for a supply and a die for its amount, and add it to the acting character.

    If the character has a supply of this name, set its die instead.
    """
    name = yield Text(key="name", title="Which supply?", hint="Lamp oil")
    die = yield Pick(
        key="die", title="How much?", options=tuple(Option(d, d, AMOUNTS[d], hot=DIE_KEYS[d]) for d in RATED)
    )
    there = next((i for i, one in table.me["supplies"].items() if one["name"] == name), "")
    if there:
        table.to(f"{table.who}.supplies.{there}.die", die)
    else:
        table.add(f"{table.who}.supplies", {"id": table.new_id(name, table.me["supplies"]), "name": name, "die": die})


def use_supply(table: Draft) -> Procedure:
    """Ask for a supply and roll its die, which steps down on 1 or 2. Below d6, one last use is left.

    The last use needs no roll, and the supply is then used up. Raise Refused if no supply is left or the character is
    out of play.
    """
    table.begin("use_supply")
    supplies = table.me["supplies"]
    which = yield Pick(
        key="supply",
        title="Which supply?",
        options=tuple(
            Option(ident, shown_line(one["name"]), one["die"], "" if one["die"] != "gone" else "used up")
            for ident, one in supplies.items()
        ),
    )
    die = supplies[which]["die"]
    at = f"{table.who}.supplies.{which}.die"
    table.facts["supply"] = supplies[which]["name"]
    if die == LAST:
        table.facts["told"] = f"the last of the {shown_line(supplies[which]['name'])}"
        table.by(at, -1)
        return
    faces = yield Roll(
        key="dice", title=f"{shown_line(supplies[which]['name'])} {die}", dice={"supply": sides(die)}, at_once=True
    )
    table.facts |= {"faces": [faces["supply"]], "sides": [sides(die)]}
    if faces["supply"] <= _RUNS_LOW:
        table.by(at, -1)
