"""Weapons and armor: the first ones, those that are taken later, and where they are carried."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final, NamedTuple

from tracker.games.base import Draft, Procedure, new_id
from tracker.games.daggerheart.asking import TYPED_IN, ask_belonging, ask_own
from tracker.games.daggerheart.damage import dice
from tracker.games.daggerheart.layout import RANGES, SLOTS_MOST, SORTS
from tracker.games.daggerheart.rolls import HOT, TRAITS
from tracker.games.prompts import Answer, Number, Option, Pick, Prompt, Refused, Text
from tracker.games.words import signed
from tracker.text import shown_line

_PLACES = ("primary", "secondary", "spare")
OWN = "own."
"""What is one's own among what is offered, and before the id of a piece out of the player's files: no id has a dot."""
_NONE = "none."


# -- armor ----------------------------------------------------------------------------------------------


class Armor(NamedTuple):
    """Base thresholds, Armor Score, and what wearing it does to the one who wears it."""

    name: str
    major: int
    severe: int
    score: int
    evasion: int = 0
    agility: int = 0


NO_ARMOR: Final = Armor("", 0, 0, 0)
ARMORS: Final[Mapping[str, Armor]] = {
    "gambeson": Armor("Gambeson", 5, 11, 3, 1),
    "leather": Armor("Leather", 6, 13, 3),
    "chainmail": Armor("Chainmail", 7, 15, 4, -1),
    "full_plate": Armor("Full plate", 8, 17, 4, -2, -1),
}


def first_armor(table: Draft, who: str) -> Procedure:
    """Of a new character: one of the usual, or of the player's files."""
    there = _armors(table)
    chosen = yield Pick(
        key="armor",
        title="Which armor",
        options=(Option("none", "no armor", "thresholds 1/2"), *_shown(there, table.state["party"][who]["level"])),
        default="leather",
    )
    if chosen in there:
        put_on(table, who, there[chosen])


def _armors(table: Draft) -> dict[str, Armor]:
    """The usual ones, and those of the player's files."""
    mine = table.content().pieces.get("armor", {})
    return {**ARMORS, **{f"{OWN}{ident}": Armor(**one) for ident, one in mine.items()}}


def _shown(armors: Mapping[str, Armor], level: int) -> tuple[Option, ...]:
    """Each with all that it does to somebody of this level."""
    options = []
    for key, one in armors.items():
        words = [f"thresholds {one.major + level}/{one.severe + level}", f"score {one.score}"]
        words += [
            f"{part} {signed(more)}" for part, more in (("Evasion", one.evasion), ("Agility", one.agility)) if more
        ]
        options.append(Option(key, shown_line(one.name), ", ".join(words)))
    return tuple(options)


def wear(table: Draft) -> Procedure:
    """Another armor, or none."""
    there = _armors(table)
    chosen = yield Pick(
        key="from",
        title="Which armor",
        options=(
            *_shown(there, table.me["level"]),
            Option(TYPED_IN, "another", "you type it in"),
            Option(_NONE, "no armor", "thresholds by your level alone"),
        ),
        default=TYPED_IN,
    )
    if chosen == TYPED_IN:
        armor = yield from _type_in_armor(table)
    else:
        armor = there.get(chosen, NO_ARMOR)
    yield from _change_armor(table, armor)


def _type_in_armor(table: Draft) -> Generator[Prompt, Answer, Armor]:
    me, base = table.me, table.me["armor_base"]
    name = yield Text(key="name", title="Which armor, or nothing", hint="Leather", empty=True, default=me["armor_name"])
    if not name:
        return NO_ARMOR
    same = name == me["armor_name"]
    major = yield Number(key="major", title="Base Major threshold", low=0, high=99, default=base["major"])
    severe = yield Number(key="severe", title="Base Severe threshold", low=0, high=99, default=base["severe"])
    score = yield Number(key="score", title="Armor Score", low=0, high=SLOTS_MOST, default=base["score"])
    beside = {}
    for part in ("evasion", "agility"):
        title = f"what it does to {part.capitalize()}"
        default = base[part] if same else 0
        beside[part] = yield Number(key=part, title=title, low=-9, high=9, default=default, quiet=True)
    if severe < major:
        raise Refused("The Severe threshold is not below the Major one.")
    return Armor(name, major, severe, score, **beside)


def _change_armor(table: Draft, armor: Armor) -> Procedure:
    """Every armor has its own marks: they go with the old one, and the new one comes with those it has."""
    me = table.me
    old, used = me["armor_name"], me["armor"]
    put_on(table, table.who, armor)
    if armor.name == old:
        return
    marked = 0
    if armor.score:
        marked = yield Number(
            key="used",
            title=f"Armor Slots of {shown_line(armor.name)} that are used already:",
            low=0,
            high=table.me["armor_max"],
            default=0,
            quiet=True,
        )
    if table.me["armor"] != marked:
        table.to(f"{table.who}.armor", marked)
    if used:
        table.facts["told"] = f"{shown_line(old) or 'the old armor'} keeps its {used} used"


def put_on(table: Draft, who: str, armor: Armor) -> None:
    """What the old one did to Evasion and Agility goes with it; what a shield or a feature adds to the score stays."""
    me = table.state["party"][who]
    base = me["armor_base"]
    worn = base["score"] or (me["armor_max"] if base["severe"] else 0)
    table.to(f"{who}.armor_name", armor.name)
    table.to(f"{who}.armor_base.major", armor.major)
    table.to(f"{who}.armor_base.severe", armor.severe)
    for part, new in (("evasion", armor.evasion), ("agility", armor.agility)):
        if more := new - me["armor_base"][part]:
            table.by(f"{who}.{part}", more)
            table.to(f"{who}.armor_base.{part}", new)
    table.to(f"{who}.armor_base.score", armor.score)
    table.by(f"{who}.armor_max", armor.score - worn)


# -- weapons --------------------------------------------------------------------------------------------


def first_weapon(table: Draft, who: str) -> Procedure:
    """Of a new character; there may be none."""
    own = yield from ask_own(table, "weapon", "Your weapon", key="weapon_from")
    if own is not None:
        _take(table, who, own)
        return
    name = yield Text(key="weapon", title="Your weapon, or nothing", hint="Longbow", empty=True, default="")
    if name:
        yield from _type_in(table, who, name)


def take_weapon(table: Draft) -> Procedure:
    """Typed in, or kept in one's own files."""
    own = yield from ask_own(table, "weapon", "Which weapon")
    if own is not None:
        _take(table, table.who, own)
        return
    name = yield Text(key="weapon", title="Which weapon", hint="Longbow")
    yield from _type_in(table, table.who, name)


def _take(table: Draft, who: str, weapon: Mapping[str, Any]) -> None:
    """Into a hand that is free."""
    me = table.state["party"][who]
    table.add(f"{who}.weapons", {"id": new_id(weapon["name"], me["weapons"]), "place": _free_place(me), **weapon})


def _type_in(table: Draft, who: str, name: str) -> Procedure:
    """A weapon of this name, typed in."""
    me = table.state["party"][who]
    trait = yield Pick(
        key="weapon_trait",
        title="Rolled with which trait",
        options=tuple(Option(t, f"{t.capitalize()} {signed(me[t])}", hot=HOT[t]) for t in TRAITS),
        default=max(TRAITS, key=lambda t: int(me[t])),
    )
    damage = yield Text(key="weapon_damage", title="Damage dice, Proficiency many of them", hint="d8+3", default="d8")
    reach = yield Pick(
        key="weapon_range", title="Range", options=tuple(Option(r, r) for r in RANGES), default=RANGES[0], quiet=True
    )
    sort = yield Pick(
        key="weapon_type",
        title="Type of damage",
        options=tuple(Option(sort, sort) for sort in SORTS),
        default=SORTS[0],
        quiet=True,
    )
    place = yield Pick(
        key="weapon_place",
        title="Where",
        options=tuple(Option(place, place) for place in _PLACES),
        default=_free_place(me),
        quiet=True,
    )
    dice(damage)
    _take(table, who, {"name": name, "trait": trait, "damage": damage, "range": reach, "type": sort, "place": place})


def _free_place(me: Mapping[str, Any]) -> str:
    """Where one more weapon goes."""
    taken = {one["place"] for one in me["weapons"].values()}
    return next((place for place in ("primary", "secondary") if place not in taken), "spare")


def draw_weapon(table: Draft) -> Procedure:
    """Another place for a weapon; in danger that costs a Stress."""
    ident = yield ask_belonging(table, "weapons", "weapon", "Which weapon")
    place = yield Pick(
        key="place",
        title="Where to",
        options=tuple(Option(place, place) for place in _PLACES),
        default="primary",
    )
    danger = yield Pick(
        key="danger",
        title="In danger",
        options=(Option("no", "no, it is quiet"), Option("yes", "yes: it costs 1 Stress")),
        default="no",
        quiet=True,
    )
    if danger == "yes":
        if table.me["stress"] >= table.me["stress_max"]:
            raise Refused("This costs 1 Stress, and no Stress slot is free.")
        table.mine("stress", 1)
    weapons = table.me["weapons"]
    if place != "spare":
        for other, one in weapons.items():
            if one["place"] == place and other != ident:
                table.to(f"{table.who}.weapons.{other}.place", weapons[ident]["place"])
    table.to(f"{table.who}.weapons.{ident}.place", place)
