"""The state of Wherever We Go: schema, limits, and triggers, which are changes that another change brings with it.

Increase `Game.rules` when a limit or a trigger changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tracker.games.api.schema import (
    DICE,
    OWN,
    Choice,
    Collection,
    Counters,
    Effect,
    Integer,
    Ladder,
    Line,
    Path,
    Record,
    State,
)
from tracker.games.common.clocks import CLOCKS
from tracker.games.common.members import character
from tracker.games.common.scenes import LAYOUT
from tracker.games.wherever.dice import BONUSES_MOST, GRADES, MARKS_FOR, NONE, RATED, RUNGS

SKILLS: Mapping[str, tuple[str, ...]] = {
    "strength": ("force", "endurance", "melee", "menace"),
    "dexterity": ("marksmanship", "mobility", "precision", "stealth"),
    "intuition": ("connection", "insight", "manipulation", "performance"),
    "wits": ("craft", "learning", "medicine", "observation"),
}
"""The four attributes and their skills."""
ATTRIBUTES = tuple(SKILLS)
ATTRIBUTE_OF = {skill: attribute for attribute, skills in SKILLS.items() for skill in skills}
HOT = dict(zip(ATTRIBUTE_OF, "femnkbpsciaotldv", strict=True))
"""Hotkey of each skill."""
TRACKS: Mapping[str, tuple[str, str]] = {"health": ("strength", "dexterity"), "resolve": ("intuition", "wits")}
"""Tracks that damage lowers, with two attributes each. The maximum of a track is the sum of their sides."""
SORTS = {"health": "physical", "resolve": "mental"}
"""For each track, the sort of harm that damage to it leaves."""
OF_SORT = {sort: track for track, sort in SORTS.items()}
WP_MOST = 6
RECOVERY = 2
"""Segments of a recovery clock. A full clock lowers all harm of its sort by one grade."""
SUPPLY = ("gone", "last use", *RATED)
PLACES = ("at hand", "carried", "stored", "worn")
SLOTS: Mapping[str, int] = {"at hand": 4, "carried": 6, "stored": 8}
WEIGHTS: Mapping[str, float] = {"normal": 1, "light": 0.5, "heavy": 2}


def harms_of(me: State) -> dict[str, State]:
    """Return the harms of the character `me` by sort. Sorts that the game does not have are left out."""
    return {sort: me["harms"][sort] for sort in SORTS.values()}


def broken(me: Mapping[str, Any]) -> bool:
    """Return True if the character's Health or Resolve is 0. Such a character is Broken and cannot act."""
    return any(not me[track] for track in TRACKS)


def _most(name: str) -> Callable[[State, Path], int]:
    """Return a function that reads a number's maximum from the field `name` of the same character."""
    return lambda state, path: int(character(state, path)[name])


def _breaks(state: State, path: Path, points: int) -> list[Effect]:
    """Return the effect that makes a save due when `points` of damage empty a track, else [].

    The save is against this damage.
    """
    who, track = path[1:]
    if 0 < character(state, path)[track] <= points:
        return [{"at": f"{who}.owed.broken_save_{min(points, 99)}", "by": 1}]
    return []


def _follows(track: str) -> Callable[[State, Path, int], list[Effect]]:
    """Return a schema function that keeps the number `track` within its maximum when the maximum falls.

    That function returns the effect that does so, or [] if the number is not above the new maximum. `track` can also be
    "wp".
    """

    def lowered(state: State, path: Path, points: int) -> list[Effect]:
        me = character(state, path)
        over = me[track] - max(0, me[f"{track}_max"] - points)
        # Set the number with `to`: a loss would count as damage and could make a save due.
        return [{"at": f"{path[1]}.{track}", "to": me[track] - over}] if over > 0 else []

    return lowered


def _attribute_moved(_: State, path: Path, rungs: int, beyond: int) -> list[Effect]:
    """Return the effects of an attribute's die that steps up or down: its track's maximum changes by 2 for each step.

    `rungs` is the number of steps, negative for steps down. `beyond` is the number of steps that did not fit; if it is
    negative, the attribute would fall below d6, and the character is out of play for good.
    """
    who, attribute = path[1:]
    track = next(track for track, two in TRACKS.items() if attribute in two)
    effects: list[Effect] = [{"at": f"{who}.{track}_max", "by": 2 * rungs}] if rungs else []
    return [*effects, {"at": f"{who}.status", "to": "lost"}] if beyond < 0 else effects


def _skills_clock(state: State, path: Path) -> int:
    return MARKS_FOR[character(state, path)["skills"][path[3]]]


def _talents_clock(state: State, path: Path) -> int:
    return MARKS_FOR[character(state, path)["talents"][path[3]]["die"]]


def _learned(state: State, path: Path, over: int) -> list[Effect]:  # noqa: ARG001
    """Return the effects of a full clock of marks: the die steps up, and `over` further marks begin the next clock."""
    who, sort, ident = path[1:4]
    marks = ".".join(path[1:])
    die = f"{who}.skills.{ident}" if sort == "marks" else f"{who}.talents.{ident}.die"
    return [{"at": die, "by": 1}, {"at": marks, "to": 0}, {"at": marks, "by": over}]


def is_hurt(me: Mapping[str, Any], sort: str) -> bool:
    """Return True if the character has harm of this sort, or the track of this sort is not full.

    `sort` is "physical", whose track is Health, or "mental", whose track is Resolve.
    """
    track = OF_SORT[sort]
    return bool(me["harms"][sort]) or me[track] < me[f"{track}_max"]


def _nothing_to_heal(state: State, path: Path) -> str:
    sort = path[3]
    return "" if is_hurt(character(state, path), sort) else f"no {sort} harm, and {OF_SORT[sort]} is whole"


def _recovered(state: State, path: Path, over: int) -> list[Effect]:
    """Return the effects of a full recovery clock: all harm of its sort falls by one grade, and its track becomes full.

    `over` further segments begin the next clock.
    """
    who, sort = path[1], path[3]
    harms = character(state, path)["harms"][sort]
    less: list[Effect] = [{"at": f"{who}.harms.{sort}.{ident}.grade", "by": -1} for ident in harms]
    clock = f"{who}.recovery.{sort}"
    whole = {"at": f"{who}.{OF_SORT[sort]}", "by": 999}
    return [*less, whole, {"at": clock, "to": 0}, {"at": clock, "by": over}]


def _grade_moved(_: State, path: Path, __: int, beyond: int) -> list[Effect]:
    """Return the effect that removes a harm whose grade falls below minor (`beyond` is negative), else []."""
    return [{"at": f"{path[1]}.harms.{path[3]}", "drop": path[4]}] if beyond < 0 else []


def misplaced(harm: Mapping[str, Any]) -> bool:
    """Return True for a major harm that is on a skill, and for a lesser harm that is on an attribute."""
    return bool(harm["on"]) and (harm["grade"] == "major") != (harm["on"] in ATTRIBUTES)


def _new_harm(_: State, path: Path) -> list[Effect]:
    """Return the effect of adding a harm: the recovery clock for harm of its sort is emptied."""
    return [{"at": f"{path[1]}.recovery.{path[3]}", "to": 0}]


def _its_most(state: State, path: Path) -> int:
    return int(character(state, path)["gear"][path[3]]["max"])


HARM = Record(
    {
        "name": Line(),
        "grade": Ladder(GRADES, "minor", moved=_grade_moved),
        "on": Choice(("", *ATTRIBUTE_OF, *ATTRIBUTES)),
    }
)
TALENT = Record(
    {
        "name": Line(),
        "die": Ladder(RATED, "d6", label=OWN),
        "marks": Integer(0, 12, most=_talents_clock, filled=_learned, label=OWN),
        "ability": Line(200),
    }
)
ITEM = Record(
    {
        "name": Line(),
        "reliability": Integer(0, 99, 1, most=_its_most, label=OWN),
        "max": Integer(0, 99, 1),
        "place": Choice(PLACES, label=OWN),
        "weight": Choice(tuple(WEIGHTS)),
    }
)

CHARACTER = Record(
    {
        "name": Line(),
        "status": Choice(("alive", "retired", "lost", "gone")),
        **{attribute: Ladder(RATED, "d6", moved=_attribute_moved) for attribute in ATTRIBUTES},
        "skills": Record({skill: Ladder(RUNGS, NONE) for skill in ATTRIBUTE_OF}),
        "marks": Record(
            {
                skill: Integer(0, 12, most=_skills_clock, filled=_learned, label=f"{skill} marks")
                for skill in ATTRIBUTE_OF
            }
        ),
        "stress": Integer(0, 99),
        "wp": Integer(0, 99, 3, most=_most("wp_max"), label="WP"),
        "wp_max": Integer(0, 99, WP_MOST, lowered=_follows("wp"), label="WP maximum"),
        **{track: Integer(0, 99, 12, most=_most(f"{track}_max"), lowered=_breaks) for track in TRACKS},
        **{f"{track}_max": Integer(0, 99, 12, lowered=_follows(track), label=f"{track} maximum") for track in TRACKS},
        "harms": Record({sort: Collection(HARM, added=_new_harm) for sort in SORTS.values()}),
        "recovery": Record(
            {
                sort: Integer(0, RECOVERY, blocked=_nothing_to_heal, filled=_recovered, label=f"{sort} recovery")
                for sort in SORTS.values()
            }
        ),
        "talents": Collection(TALENT),
        "traits": Collection(Record({"name": Line(), "points": Integer(-3, 3, 1, label=OWN)})),
        "drives": Collection(Record({"name": Line(), "intensity": Integer(1, 3, 1, label=OWN)})),
        "gear": Collection(ITEM),
        "supplies": Collection(Record({"name": Line(), "die": Ladder(SUPPLY, "d6", label=OWN)})),
        "gambled": Integer(0, 9999),
        "edges": Integer(0, 99),
        "rolled": Choice(("", *ATTRIBUTE_OF)),
        "situation": Integer(-BONUSES_MOST, BONUSES_MOST),
        "owed": Counters(9),
    }
)

TOP = Record({**LAYOUT, "dice_are": DICE, "party": Collection(CHARACTER), "clocks": CLOCKS})
