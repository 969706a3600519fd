"""Data about the past of a campaign: finished moves with their rolls and dice, numbers over time, landmarks.

A game makes it from what an entry has saved, and statistics and the recap read it. None of it is part of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

from tracker.games.api.facts import is_whole, items, numbers
from tracker.games.api.schema import State
from tracker.games.api.view import Tone
from tracker.records import NamedTuple


class PastMove(NamedTuple):
    """A finished move as its entries have it. An entry may have been edited by hand: any value can be anywhere.

    `did` is the id of the move, `who` the id of the character or "". `answers` and `facts` are those of the entry that
    ended the move. `before` is the state before that entry, and `after` the one that it led to.
    """

    did: str
    who: str
    answers: Mapping[str, Any]
    facts: Mapping[str, Any]
    before: State
    after: State

    def faces(self, key: str, *names: str) -> list[int]:
        """Return the faces of the dice with these names in the answer `key`, in that order; [] if one is missing."""
        given = self.answers.get(key)
        if not isinstance(given, Mapping):
            return []
        found: list[int] = []
        for name in names:
            face = given.get(name)
            shown = [one for one in (face if isinstance(face, list) else [face]) if is_whole(one)]
            if not shown or (isinstance(face, list) and len(shown) < len(face)):
                return []
            found += shown
        return found


class RollKind(NamedTuple):
    """A kind of roll with its outcomes, best first, each with its tone.

    `match` is the word for dice that show the same face, "" if the game has none, and `match_odds` its exact odds as
    (ways, all).
    """

    name: str
    outcomes: tuple[tuple[str, Tone], ...]
    match: str = ""
    match_odds: tuple[int, int] = (0, 1)


class PastRoll(NamedTuple):
    """A roll that was made. `kind` names a RollKind of the game, and the outcomes are among those of that kind.

    `outcome` is the one that counted in the end. `fell` is the one that the dice showed at first, before any reroll,
    burn or gamble, and `odds` are the exact odds of that moment: the number of equally likely combinations for each
    outcome of the kind, in the same order. They are "" and () if the entry does not tell. `match` is True if the first
    dice matched.
    """

    kind: str
    outcome: str
    fell: str = ""
    odds: tuple[int, ...] = ()
    match: bool = False


class PastDie(NamedTuple):
    """A die that was rolled: its name, its number of sides and its face."""

    name: str
    sides: int
    face: int


class Feat(NamedTuple):
    """Something worth counting that a move did, such as a burn: its name, and in a few words what came of it.

    `paid` is what it cost, in `unit`, and `many` how often it happened in this move.
    """

    name: str
    what: str = ""
    paid: int = 0
    unit: str = ""
    many: int = 1


Group = Literal["main", "meter", "track", "count"]


class Gauge(NamedTuple):
    """A number of the state that is worth following over time. `who` is the id of a character, or "" if it is shared.

    Of the groups, "main" is plotted large, "meter" and "track" small, and "count" not at all. A recap tells changes of
    all but "track" as gained or lost. `high` is None for a number without a limit. If `worse` is True, more is worse.
    """

    id: str
    label: str
    value: int
    low: int
    high: int | None
    group: Group
    who: str = ""
    worse: bool = False


HEADINGS: Final = ("Vows", "Met", "Fights", "Travel", "Tracks", "Gained", "Lost")
"""Lines of a recap, in order, under which landmarks are told."""


class Landmark(NamedTuple):
    """Something in the story that a recap tells: the heading, which is one of HEADINGS, and the words."""

    heading: str
    words: str


def thrown(move: PastMove, name_die: Callable[[str, str, int], tuple[str, int] | None]) -> Iterator[PastDie]:
    """Yield every die of a move whose size is known, in the order of rolling: those in the answers, or those of tables.

    `name_die` is called with the key of the answer, the name of the die there, and its place among several of that
    name, from 0; it returns (name to tell, sides), or None for what is not a die or has an unknown size.
    """
    if items(move.facts, "tables"):
        for face, size in zip(numbers(move.facts, "faces"), numbers(move.facts, "sides"), strict=False):
            if 1 <= face <= size:
                yield PastDie(f"d{size}", size, face)
        return
    for key, answer in move.answers.items():
        if not isinstance(answer, Mapping):
            continue
        for name, shown in answer.items():
            for place, face in enumerate(shown if isinstance(shown, list) else [shown]):
                known = name_die(key, str(name), place)
                if known and is_whole(face) and 1 <= face <= known[1]:
                    yield PastDie(*known, face)
