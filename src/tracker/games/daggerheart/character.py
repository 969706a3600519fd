"""Making a character: a class, the six traits, two Experiences, armor and a weapon; or all by dice."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any, Final, NamedTuple

from tracker.games.base import Draft, Procedure, new_id
from tracker.games.daggerheart.damage import dice
from tracker.games.daggerheart.layout import RANGES, TOP
from tracker.games.daggerheart.rolls import ARRAY, HOT, TRAITS
from tracker.games.prompts import Choose, Number, Option, Pick, Roll, Text
from tracker.games.words import signed


class Class(NamedTuple):
    """The numbers that a class starts with; they can all be changed on the sheet."""

    name: str
    evasion: int
    hp: int


CLASSES: Final[Mapping[str, Class]] = {
    "bard": Class("Bard", 10, 5),
    "druid": Class("Druid", 10, 6),
    "guardian": Class("Guardian", 9, 7),
    "ranger": Class("Ranger", 12, 6),
    "rogue": Class("Rogue", 12, 6),
    "seraph": Class("Seraph", 9, 7),
    "sorcerer": Class("Sorcerer", 10, 6),
    "warrior": Class("Warrior", 11, 6),
    "wizard": Class("Wizard", 11, 5),
}
OWN = "own."
ARMORS: Final[Mapping[str, tuple[str, int, int, int, int]]] = {
    "none": ("no armor", 0, 0, 0, 0),
    "gambeson": ("Gambeson", 5, 11, 3, 1),
    "leather": ("Leather", 6, 13, 3, 0),
    "chainmail": ("Chainmail", 7, 15, 4, -1),
    "full_plate": ("Full plate", 8, 17, 4, -2),
}
"""Name, thresholds, Armor Score, what it does to Evasion."""
ARRAYS: Final = tuple(sorted(set(permutations(ARRAY)), reverse=True))
"""Every way to lay the six numbers over the six traits."""
MEANING: Final = {
    "agility": "to be quick, to leap, to slip by",
    "strength": "to lift, to break, to hold",
    "finesse": "to hide, to handle, to aim",
    "instinct": "to sense, to notice, to find your way",
    "presence": "to charm, to perform, to overawe",
    "knowledge": "to recall, to work out, to make",
}


def make_character(table: Draft) -> Procedure:
    """Only legal arrays: +2, +1, +1, 0, 0, -1."""
    how = yield Pick(
        key="how",
        title="A new character",
        options=(
            Option("choose", "choose", "class, traits, Experiences, armor, weapon", hot="c"),
            Option("random", "let the dice do it", "name, class and traits", hot="d"),
        ),
    )
    if how == "random":
        yield from _by_dice(table)
        return
    name = yield Text(key="name", title="What is your character called?", hint="Wren")
    sort = yield Pick(
        key="class",
        title="Which class",
        options=(
            *(Option(key, one.name, f"Evasion {one.evasion}, HP {one.hp}") for key, one in CLASSES.items()),
            Option(OWN, "another", "you say its numbers"),
        ),
    )
    if sort == OWN:
        called = yield Text(key="class_name", title="What is the class called?", default="Adventurer")
        evasion = yield Number(key="evasion", title="Evasion", low=1, high=20, default=10)
        hp = yield Number(key="hp", title="HP slots", low=1, high=12, default=6)
        chosen = Class(called, evasion, hp)
    else:
        chosen = CLASSES[sort]
    best = yield Pick(
        key="two",
        title="+2, +1, +1, 0, 0, -1 lie over six traits. Which is +2?",
        options=tuple(_trait(trait) for trait in TRAITS),
    )
    good = yield Choose(
        key="ones",
        title="Which two are +1?",
        options=tuple(_trait(trait) for trait in TRAITS if trait != best),
        least=2,
        most=2,
    )
    worst = yield Pick(
        key="minus",
        title="Which one is -1?",
        options=tuple(_trait(trait) for trait in TRAITS if trait != best and trait not in good),
    )
    traits = {t: 2 if t == best else 1 if t in good else -1 if t == worst else 0 for t in TRAITS}
    who = _join(table, name, chosen, traits)
    for n, hint in (("1", "Wolf-road guide"), ("2", "Reads a lie")):
        experience = yield Text(
            key=f"experience_{n}", title=f"Experience {n} of 2, at +2, or nothing", hint=hint, empty=True, default=""
        )
        if experience:
            known = table.state["party"][who]["experiences"]
            table.add(f"{who}.experiences", {"id": new_id(experience, known), "name": experience, "bonus": 2})
    armor = yield Pick(
        key="armor",
        title="Which armor",
        options=tuple(
            Option(key, label, f"thresholds {major + 1}/{severe + 1}, score {score}" if severe else "thresholds 1/2")
            for key, (label, major, severe, score, _) in ARMORS.items()
        ),
        default="leather",
    )
    _wear(table, who, armor)
    weapon = yield Text(key="weapon", title="Your weapon, or nothing", hint="Longbow", empty=True, default="")
    if weapon:
        yield from arm(table, who, weapon)


def _trait(trait: str) -> Option:
    return Option(trait, trait.capitalize(), MEANING[trait], hot=HOT[trait])


def _join(table: Draft, name: str, sort: Class, traits: Mapping[str, int]) -> str:
    """The GM begins a campaign with a Fear for each of the party; who joins later brings none."""
    ident = new_id(name, table.state["party"], *TOP.fields, *table.state["adversaries"])
    tokens = table.state["settings"]["tokens"]
    new = {"name": name, "class": sort.name, "evasion": sort.evasion, "hp_max": sort.hp, "tokens": tokens, **traits}
    levels = [one["level"] for one in table.state["party"].values() if one["status"] == "alive"]
    table.add("party", {"id": ident, **new})
    if table.state["session"] == 1 and max(levels, default=1) == 1:
        table.by("fear", 1)
    return ident


def _wear(table: Draft, who: str, armor: str) -> None:
    label, major, severe, score, evasion = ARMORS[armor]
    if severe:
        put_on(table, who, label, major, severe, score, evasion=evasion, agility=-(armor == "full_plate"))


def put_on(
    table: Draft, who: str, name: str, major: int, severe: int, score: int, *, evasion: int = 0, agility: int = 0
) -> None:
    """Another armor; what the old one did to Evasion and Agility goes with it."""
    me = table.state["party"][who]
    table.to(f"{who}.armor_name", name)
    for part, new in (("major", major), ("severe", severe)):
        table.to(f"{who}.armor_base.{part}", new)
    for part, new in (("evasion", evasion), ("agility", agility)):
        if more := new - me["armor_base"][part]:
            table.by(f"{who}.{part}", more)
            table.to(f"{who}.armor_base.{part}", new)
    table.by(f"{who}.armor_max", score - me["armor_max"])


def _by_dice(table: Draft) -> Procedure:
    names = table.content().oracles["name"]
    classes = list(CLASSES.values())
    faces = yield Roll(
        key="dice",
        title="A character",
        dice={"name": names.sides, "class": len(classes), "array": len(ARRAYS)},
        at_once=True,
    )
    name = names.row(faces["name"])
    traits = dict(zip(TRAITS, ARRAYS[faces["array"] - 1], strict=True))
    who = _join(table, name, classes[faces["class"] - 1], traits)
    _wear(table, who, "leather")
    table.facts["told"] = f"{name}, {classes[faces['class'] - 1].name}"


# -- weapons --------------------------------------------------------------------------------------------


def arm(table: Draft, who: str, name: str) -> Procedure:
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
        options=(Option("physical", "physical"), Option("magic", "magic")),
        default="physical",
        quiet=True,
    )
    place = yield Pick(
        key="weapon_place",
        title="Where",
        options=(Option("primary", "primary"), Option("secondary", "secondary"), Option("spare", "spare")),
        default=free_place(me),
        quiet=True,
    )
    dice(damage)
    table.add(
        f"{who}.weapons",
        {
            "id": new_id(name, me["weapons"]),
            "name": name,
            "trait": trait,
            "damage": damage,
            "range": reach,
            "type": sort,
            "place": place,
        },
    )


def free_place(me: Mapping[str, Any]) -> str:
    """Where one more weapon goes."""
    taken = {one["place"] for one in me["weapons"].values()}
    return next((place for place in ("primary", "secondary") if place not in taken), "spare")
