"""Procedures that make a character, change the sheet by hand, and change the party."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping
from typing import Any, TypeAlias

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import signed
from tracker.games.api.prompts import (
    Answer,
    Choose,
    Number,
    Option,
    Pick,
    Prompt,
    Roll,
    Text,
    choose_any,
    roll_until_accepted,
)
from tracker.games.api.schema import State
from tracker.games.common import party
from tracker.games.wherever.dice import DIE_KEYS, NONE, RATED, RUNGS, sides
from tracker.games.wherever.moves import owed_label
from tracker.games.wherever.state import ATTRIBUTE_OF, ATTRIBUTES, HOT, SKILLS, TOP, TRACKS
from tracker.text import shown_line

BALANCED = ("d10", "d8", "d8", "d6")
"""Attribute dice of a balanced character. The game prints no budget, so this one is ours (ruling W30)."""

TRAINED: Mapping[str, int] = {"d8": 2, "d6": 4}
"""Number of skills that a balanced character has at each die."""
RATINGS = {"d6": "feeble", "d8": "average", "d10": "capable", "d12": "extraordinary"}
TRAINING = {"0": "untrained", "d6": "novice", "d8": "experienced", "d10": "veteran", "d12": "elite"}

POINTS = (1, 2, 3, -1, -2, -3)
"""Points that a trait can have, helpful or harmful."""

Dice: TypeAlias = tuple[dict[str, str], dict[str, str]]
"""Attribute dice by name and skill dice by name. Untrained skills are missing."""


def make_character(table: Draft) -> Procedure:
    """Make a character, balanced, at random or with any dice, and add it to the party.

    Talent, drive and traits are optional; a random character has none.
    """
    how, name = yield from party.begin_character(
        Option("balanced", "balanced", "attributes d10 d8 d8 d6, two skills d8, four d6", hot="b"),
        Option("free", "free", "set every die yourself", hot="f"),
        dice="name, attributes and skills",
        hint="Ilse",
    )
    if how == "random":
        yield from _by_dice(table)
        return
    attributes, skills = (yield from _balanced()) if how == "balanced" else (yield from _free())
    who = join(table, name, attributes, skills)
    yield from _background(table, who)


def join(table: Draft, name: str, attributes: Mapping[str, str], skills: Mapping[str, str]) -> str:
    """Add a character with full Health and Resolve and 3 WP to the party; return the id.

    `attributes` and `skills` map names to dice such as "d8"; a skill that is missing is untrained.
    """
    ident = table.new_id(name, table.state["party"], *TOP.fields)
    most = {track: sum(sides(attributes[one]) for one in two) for track, two in TRACKS.items()}
    table.add(
        "party",
        {
            "id": ident,
            "name": name,
            **attributes,
            "skills": dict(skills),
            **most,
            **{f"{track}_max": points for track, points in most.items()},
        },
    )
    return ident


def _ask_attribute(key: str, title: str, left: list[str]) -> Pick:
    return Pick(
        key=key, title=title, options=tuple(Option(one, one, ", ".join(SKILLS[one]), hot=one[0]) for one in left)
    )


def _balanced() -> Generator[Prompt, Answer, Dice]:
    """Ask where a balanced character is best and weakest; return ({attribute: die}, {skill: die}), dice such as "d8".

    The best attribute gets d10, the weakest d6 and the others d8; two skills get d8 and four get d6.
    """
    high = yield _ask_attribute("high", "Which attribute is your best (d10)?", list(ATTRIBUTES))
    low = yield _ask_attribute("low", "Which is weakest (d6, the rest are d8)?", [a for a in ATTRIBUTES if a != high])
    attributes = {one: "d10" if one == high else "d6" if one == low else "d8" for one in ATTRIBUTES}
    good = yield _ask_skills("good", "Two skills at d8", attributes, (), TRAINED["d8"])
    some = yield _ask_skills("some", "Four skills at d6", attributes, good, TRAINED["d6"])
    return attributes, dict.fromkeys(good, "d8") | dict.fromkeys(some, "d6")


def _ask_skills(key: str, title: str, attributes: Mapping[str, str], taken: Collection[str], many: int) -> Choose:
    options = _skills_left(attributes, taken)
    return Choose(key=key, title=title, options=options, least=many, most=many)


def _skills_left(attributes: Mapping[str, str], taken: Collection[str]) -> tuple[Option, ...]:
    """Return an option for each skill that is not in `taken`, with its attribute and that attribute's die."""
    return tuple(
        Option(skill, skill, f"{attribute} {attributes[attribute]}", hot=HOT[skill])
        for skill, attribute in ATTRIBUTE_OF.items()
        if skill not in taken
    )


def _free() -> Generator[Prompt, Answer, Dice]:
    """Ask for the die of every attribute, then for the skills that have each die.

    Return ({attribute: die}, {skill: die}), with dice such as "d8". Skills that are not chosen are untrained and left
    out.
    """
    attributes: dict[str, str] = {}
    for one in ATTRIBUTES:
        attributes[one] = yield Pick(
            key=one,
            title=f"{one.capitalize()}: {', '.join(SKILLS[one])}",
            options=tuple(Option(die, die, RATINGS[die], hot=DIE_KEYS[die]) for die in RATED),
            default="d8",
        )
    skills: dict[str, str] = {}
    for die in reversed(RATED):
        left = _skills_left(attributes, skills)
        if not left:
            break
        chosen = yield choose_any(
            key=f"skills_{die}",
            title=f"Skills at {die}, {TRAINING[die]}",
            options=left,
            quiet=False,
        )
        skills |= dict.fromkeys(chosen, die)
    return attributes, skills


def _background(table: Draft, who: str) -> Procedure:
    """Ask for a talent, a drive and two traits of the character `who`, and add them.

    The player can leave each empty.
    """
    talent = yield Text(key="talent", title="A talent (optional)", hint="Ghost-step", empty=True, default="")
    if talent:
        die = yield Pick(
            key="talent_die",
            title="Talent",
            options=tuple(Option(die, die, hot=DIE_KEYS[die]) for die in RATED),
            default=RATED[0],
            quiet=True,
        )
        table.add(f"{who}.talents", {"id": table.new_id(talent, {}), "name": talent, "die": die})
    drive = yield Text(key="drive", title="What drives you (optional)", hint="Bring Sefa home", empty=True, default="")
    if drive:
        strongly = yield Number(key="intensity", title="drive intensity", low=1, high=3, default=1, quiet=True)
        table.add(f"{who}.drives", {"id": table.new_id(drive, {}), "name": drive, "intensity": strongly})
    for key, points, title, hint in (
        ("good_trait", 1, "A trait that helps (optional)", "Light-footed"),
        ("bad_trait", -1, "A trait that hinders (optional)", "Known to the watch"),
    ):
        trait = yield Text(key=key, title=title, hint=hint, empty=True, default="")
        if trait:
            taken = table.state["party"][who]["traits"]
            table.add(f"{who}.traits", {"id": table.new_id(trait, taken), "name": trait, "points": points})


def _by_dice(table: Draft) -> Procedure:
    """Roll a name, the best and the weakest attribute and six skills, and add that character to the party.

    The player can roll again until satisfied.
    """
    names = table.content().oracles["name"]
    faces = yield from roll_until_accepted(
        Roll(
            key="dice",
            title="A character",
            dice={
                "name": names.sides,
                "high": 4,
                "low": 3,
                **{f"skill_{n}": len(ATTRIBUTE_OF) - n + 1 for n in range(1, 7)},
            },
            at_once=True,
            ours=True,
        ),
        "Reroll",
        "a different random character",
    )
    left = list(ATTRIBUTES)
    high = left.pop(faces["high"] - 1)
    low = left.pop(faces["low"] - 1)
    skills = list(ATTRIBUTE_OF)
    trained = [skills.pop(faces[f"skill_{n}"] - 1) for n in range(1, 7)]
    attributes = {one: "d10" if one == high else "d6" if one == low else "d8" for one in ATTRIBUTES}
    name = shown_line(names.row(faces["name"]))
    join(table, name, attributes, dict.fromkeys(trained[:2], "d8") | dict.fromkeys(trained[2:], "d6"))
    table.facts["told"] = name


# -- by hand --------------------------------------------------------------------------------------------
def rate(table: Draft) -> Procedure:
    """Ask for an attribute or a skill of the acting character and a die, and set it."""
    me = table.me
    what = yield Pick(
        key="what",
        title="Which rating?",
        options=(
            *(Option(one, f"{one} {me[one]}", "attribute") for one in ATTRIBUTES),
            *(
                Option(skill, f"{skill} {me['skills'][skill]}", attribute, hot=HOT[skill])
                for skill, attribute in ATTRIBUTE_OF.items()
            ),
        ),
    )
    named = RATINGS if what in ATTRIBUTES else TRAINING
    die = yield Pick(
        key="die",
        title=f"{what.capitalize()}: which die?",
        options=tuple(
            Option(die, "no die" if die == NONE else die, named[die], hot=DIE_KEYS[die])
            for die in RUNGS
            if die in named
        ),
    )
    table.to(f"{table.who}.{what}" if what in ATTRIBUTES else f"{table.who}.skills.{what}", die)


def take_talent(table: Draft) -> Procedure:
    """Ask for a talent and its die, and add it to the acting character.

    If the character has a talent of this name, set its die instead.
    """
    name = yield Text(key="name", title="Which talent?", hint="Ghost-step")
    die = yield Pick(key="die", title="Its die", options=tuple(Option(die, die, hot=DIE_KEYS[die]) for die in RATED))
    there = next((i for i, one in table.me["talents"].items() if one["name"] == name), "")
    if there:
        table.to(f"{table.who}.talents.{there}.die", die)
        return
    ability = yield Text(
        key="ability", title="What it lets you do (optional)", most=200, empty=True, default="", quiet=True
    )
    ident = table.new_id(name, table.me["talents"])
    table.add(f"{table.who}.talents", {"id": ident, "name": name, "die": die, "ability": ability})


def take_trait(table: Draft) -> Procedure:
    """Ask for a trait and its points, a bonus or a penalty, and add it to the acting character."""
    name = yield Text(key="name", title="Which trait?", hint="Light-footed")
    points = yield Pick(
        key="points",
        title="Bonus or penalty?",
        options=tuple(Option(signed(n), f"{'helps' if n > 0 else 'hinders'} {signed(n)}") for n in POINTS),
    )
    ident = table.new_id(name, table.me["traits"])
    table.add(f"{table.who}.traits", {"id": ident, "name": name, "points": int(points)})


def take_drive(table: Draft) -> Procedure:
    """Ask for a drive and its intensity, 1 to 3, and add it to the acting character.

    In a roll, 1 WP adds the intensity.
    """
    name = yield Text(key="name", title="What drives you?", hint="Bring Sefa home")
    intensity = yield Number(key="intensity", title="How intense, 1 to 3?", low=1, high=3, default=1)
    ident = table.new_id(name, table.me["drives"])
    table.add(f"{table.who}.drives", {"id": ident, "name": name, "intensity": intensity})


def let_go(table: Draft) -> Procedure:
    """Ask for one of the acting character's talents, traits or drives, and remove it.

    Raise Refused if the character has none.
    """
    held = [
        Option(f"{sort}.{ident}", shown_line(one["name"]), sort[:-1])
        for sort in ("talents", "traits", "drives")
        for ident, one in table.me[sort].items()
    ]
    if not held:
        raise Refused("No talent, trait or drive to let go of.")
    which = yield Pick(key="which", title="Let go of what?", options=tuple(held))
    sort, ident = which.split(".")
    table.drop(f"{table.who}.{sort}", ident)


def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
    """Return {prompt key: answer} with which `make_character` makes a character with this name and these dice.

    `stats` holds the sides of attributes and skills by name; attributes that are missing are d8, skills untrained.
    Raise Refused if the name is blank, a stat is unknown, or a stat has no die with so many sides.
    """
    party.check_name(name)
    for stat, number in stats.items():
        if stat not in (*ATTRIBUTES, *ATTRIBUTE_OF):
            there = ", ".join((*ATTRIBUTES, *ATTRIBUTE_OF))
            raise Refused(f"“{shown_line(stat)}” isn't a stat. Choose from: {there}.")
        dice = RATED if stat in ATTRIBUTES else RUNGS
        if _die(number) not in dice:
            raise Refused(f"{stat} can't be {number}: its dice are {', '.join(dice)}.")
    attributes = {one: _die(stats.get(one, 8)) for one in ATTRIBUTES}
    by_die = {f"skills_{die}": [s for s in ATTRIBUTE_OF if _die(stats.get(s, 0)) == die] for die in RATED}
    return {"how": "free", "name": name, **attributes, **by_die}


def _die(number: int) -> str:
    return f"d{number}" if number else NONE


def _holds(me: State) -> Iterator[str]:
    if me["gear"]:
        yield f"{len(me['gear'])} {'item' if len(me['gear']) == 1 else 'items'}"


member_moves = party.member_moves
rename = party.rename
bring_back = party.bring_back
retire, remove = party.leaving(lambda me: party.due(me, owed_label), "Clocks stay", _holds)
