"""Procedures that make a character, and those that change the party."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any, Final

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Number, Option, Pick, Roll, Text, roll_until_accepted
from tracker.games.common import party
from tracker.games.daggerheart.dice import ARRAY, HOT, TRAITS, tier
from tracker.games.daggerheart.equipment import ARMORS, OWN, equip_armor, first_armor, first_weapon
from tracker.games.daggerheart.level_up import DUE
from tracker.games.daggerheart.moves import owed_label
from tracker.games.daggerheart.state import TOP
from tracker.records import NamedTuple


class Class(NamedTuple):
    """The starting numbers of a character class; CLASSES has those of the game. The player can change them later.

    `hp` is the number of HP slots.
    """

    name: str
    evasion: int
    hp: int
    spellcast: str = ""
    """Trait that the class casts spells with, or "" for none."""


CLASSES: Final[Mapping[str, Class]] = {
    "bard": Class("Bard", 10, 5, "presence"),
    "druid": Class("Druid", 10, 6, "instinct"),
    "guardian": Class("Guardian", 9, 7),
    "ranger": Class("Ranger", 12, 6, "agility"),
    "rogue": Class("Rogue", 12, 6, "finesse"),
    "seraph": Class("Seraph", 9, 7, "strength"),
    "sorcerer": Class("Sorcerer", 10, 6, "instinct"),
    "warrior": Class("Warrior", 11, 6),
    "wizard": Class("Wizard", 11, 5, "knowledge"),
}

NO_SPELLS: Final = "none."
"""Key of the option for no Spellcast trait."""
ARRAYS: Final = tuple(sorted(set(permutations(ARRAY)), reverse=True))
"""All distinct ways to assign the six numbers to the six traits."""

MEANING: Final = {
    "agility": "to be quick, to leap, to slip by",
    "strength": "to lift, to break, to hold",
    "finesse": "to hide, to handle, to aim",
    "instinct": "to sense, to notice, to find your way",
    "presence": "to charm, to perform, to overawe",
    "knowledge": "to recall, to work out, to make",
}


def make_character(table: Draft) -> Procedure:
    """Make a character step by step or at random, and add it to the party.

    The traits are +2, +1, +1, 0, 0, -1 in any order. Raise Refused if the player types in weapon damage that is not
    written like `d8+3`.
    """
    how, name = yield from party.begin_character(
        Option("choose", "choose", "class, traits, Experiences, armor, weapon", hot="c"),
        dice="name, class and traits",
        hint="Wren",
    )
    if how == "random":
        yield from _by_dice(table)
        return
    sort = yield Pick(
        key="class",
        title="Which class?",
        options=(
            *(Option(key, one.name, f"Evasion {one.evasion}, HP {one.hp}") for key, one in CLASSES.items()),
            Option(OWN, "another", "enter your own numbers"),
        ),
    )
    if sort == OWN:
        called = yield Text(key="class_name", title="What is the class called?", default="Adventurer")
        evasion = yield Number(key="evasion", title="Evasion", low=1, high=20, default=10)
        hp = yield Number(key="hp", title="HP slots", low=1, high=12, default=6)
        spellcast = yield _ask_spellcast("", quiet=True)
        chosen = Class(called, evasion, hp, "" if spellcast == NO_SPELLS else spellcast)
    else:
        chosen = CLASSES[sort]
    best = yield Pick(
        key="two",
        title="Assign +2, +1, +1, 0, 0, -1. Which trait gets +2?",
        options=tuple(_trait(trait) for trait in TRAITS),
    )
    good = yield Choose(
        key="ones",
        title="Which two get +1?",
        options=tuple(_trait(trait) for trait in TRAITS if trait != best),
        least=2,
        most=2,
    )
    worst = yield Pick(
        key="minus",
        title="Which one gets -1?",
        options=tuple(_trait(trait) for trait in TRAITS if trait != best and trait not in good),
    )
    traits = {t: 2 if t == best else 1 if t in good else -1 if t == worst else 0 for t in TRAITS}
    who = _join(table, name, chosen, traits)
    for n, hint in (("1", "Wolf-road guide"), ("2", "Reads a lie")):
        experience = yield Text(
            key=f"experience_{n}", title=f"Experience {n} of 2, +2 (optional)", hint=hint, empty=True, default=""
        )
        if experience:
            known = table.state["party"][who]["experiences"]
            table.add(f"{who}.experiences", {"id": table.new_id(experience, known), "name": experience, "bonus": 2})
    yield from first_armor(table, who)
    yield from first_weapon(table, who)


def _ask_spellcast(now: str, *, quiet: bool) -> Pick:
    """Return the prompt for the Spellcast trait; the answer NO_SPELLS means none.

    `now` is the present trait, or "" if there is none, and makes the default answer. A `quiet` prompt is answered by
    default.
    """
    return Pick(
        key="spellcast",
        title="Spellcast trait",
        options=(Option(NO_SPELLS, "none", "no spells"), *(_trait(trait) for trait in TRAITS)),
        default=now or NO_SPELLS,
        quiet=quiet,
    )


def change_spellcast(table: Draft) -> Procedure:
    """Ask for the acting character's Spellcast trait, or none, and set it."""
    chosen = yield _ask_spellcast(table.me["spellcast"], quiet=False)
    table.to(f"{table.who}.spellcast", "" if chosen == NO_SPELLS else chosen)


def _trait(trait: str) -> Option:
    return Option(trait, trait.capitalize(), MEANING[trait], hot=HOT[trait])


def _join(table: Draft, name: str, sort: Class, traits: Mapping[str, int]) -> str:
    """Add a character of the class `sort` to the party, at the party's highest level, and return the id.

    `traits` maps each trait to its value.
    The gains of each level above 1 become due. In session 1, the GM gains 1 Fear for each character who joins at level
    1.
    """
    ident = table.new_id(name, table.state["party"], *TOP.fields, *table.state["adversaries"])
    tokens = table.state["settings"]["tokens"]
    new = {"name": name, "class": sort.name, "evasion": sort.evasion, "hp_max": sort.hp, "tokens": tokens, **traits}
    new["spellcast"] = sort.spellcast
    level = max((one["level"] for one in table.state["party"].values() if one["status"] == "alive"), default=1)
    due = {f"{DUE}{n}": 1 for n in range(2, level + 1)}
    table.add("party", {"id": ident, **new, "level": level, "proficiency": tier(level), "owed": due})
    if table.state["session"] == 1 and level == 1:
        table.by("fear", 1)
    return ident


def _by_dice(table: Draft) -> Procedure:
    names = table.content().oracles["name"]
    classes = list(CLASSES.values())
    faces = yield from roll_until_accepted(
        Roll(
            key="dice",
            title="A character",
            dice={"name": names.sides, "class": len(classes), "array": len(ARRAYS)},
            at_once=True,
            ours=True,
        ),
        "Reroll",
        "a different random character",
    )
    name = names.row(faces["name"])
    traits = dict(zip(TRAITS, ARRAYS[faces["array"] - 1], strict=True))
    who = _join(table, name, classes[faces["class"] - 1], traits)
    equip_armor(table, who, ARMORS["leather"])
    table.facts["told"] = f"{name}, {classes[faces['class'] - 1].name}"


def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
    """Return {prompt key: answer} with which `make_character` makes a Warrior with this name and these traits.

    Empty `stats` assign 2, 1, 1, 0, 0, -1 in printed order. Raise Refused if the name is blank, a trait is unknown or
    missing, or the numbers are not these six.
    """
    party.check_name(name)
    given = dict(stats) or dict(zip(TRAITS, ARRAY, strict=True))
    party.check_stats(given, TRAITS, "trait")
    if tuple(sorted(given.values(), reverse=True)) != ARRAY:
        laid = ", ".join(str(given[trait]) for trait in TRAITS)
        raise Refused(f"The traits are 2, 1, 1, 0, 0 and -1 in any order, not {laid}.")
    return {
        "name": name,
        "how": "choose",
        "class": "warrior",
        "two": next(trait for trait in TRAITS if given[trait] == 2),
        "ones": [trait for trait in TRAITS if given[trait] == 1],
        "minus": next(trait for trait in TRAITS if given[trait] == -1),
    }


member_moves = party.member_moves
rename = party.rename
bring_back = party.bring_back
retire, remove = party.leaving(lambda me: party.due(me, owed_label), "Fear, adversaries and countdowns stay")
