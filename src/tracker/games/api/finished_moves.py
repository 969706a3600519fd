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
    """A finished move, read from its entries. They may have been edited by hand: any value can be at any key.

    `did` is the id of the move, `who` the id of the character or "". `answers` and `facts` are those of the last entry
    of the move. `before` is the state before that entry, and `after` the state after it.
    """

    did: str
    who: str
    answers: Mapping[str, Any]
    facts: Mapping[str, Any]
    before: State
    after: State

    def faces(self, key: str, *names: str) -> list[int]:
        """Return the faces of the dice with these names in the answer `key`, in the order of `names`.

        Return [] if the face of any of them is missing.
        """
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
    """A kind of roll: its outcomes as (name, tone), best first.

    `match` is the game's word for dice that show the same face, or "". `match_odds` is the exact chance of a match:
    (number of combinations with a match, number of all combinations).
    """

    name: str
    outcomes: tuple[tuple[str, Tone], ...]
    match: str = ""
    match_odds: tuple[int, int] = (0, 1)


class PastRoll(NamedTuple):
    """A roll that was made. `kind` is the name of a RollKind of the game, which has the possible outcomes.

    `outcome` is the one that counted in the end. `fell` is the outcome of the dice as first rolled, before any reroll,
    burn or gamble. `odds` has the number of equally likely combinations for each outcome of the kind, in the same
    order, as they were for that first roll. `fell` is "" and `odds` is () if the entry does not tell. `match` is True
    if the first dice matched.
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
    """Something that a move did and that statistics count, such as a burn. `what` describes its result in a few words.

    `paid` is what it cost, in `unit`. `many` is the number of times that it happened in this move.
    """

    name: str
    what: str = ""
    paid: int = 0
    unit: str = ""
    many: int = 1


Group = Literal["main", "meter", "track", "count"]


class Gauge(NamedTuple):
    """A number of the state that is worth plotting over time. `who` is the id of a character, or "" if it is shared.

    Statistics plot the group "main" large, "meter" and "track" small, and "count" not at all. A recap lists changes of
    all groups except "track" as gained or lost. `high` is None for a number without a limit. `worse` is True if a
    higher number is worse.
    """

    id: str
    label: str
    value: int
    low: int
    high: int | None
    group: Group
    who: str = ""
    worse: bool = False


HEADINGS: Final = ("Vows", "Party", "Fights", "Travel", "Tracks", "Gained", "Lost", "Changed", "Notes")
"""Lines of a recap, in order, under which landmarks are told."""


class Landmark(NamedTuple):
    """An event in the story that a recap mentions. `heading` is one of HEADINGS, and `words` describes the event."""

    heading: str
    words: str


def thrown(move: PastMove, name_die: Callable[[str, str, int], tuple[str, int] | None]) -> Iterator[PastDie]:
    """Yield every die of a move whose number of sides is known, in the order of rolling.

    Dice of oracle tables are read from the facts, all others from the answers. `name_die` is called with (key of the
    answer, name of the die in it, place from 0 among several dice of that name). It must return (name to show, sides),
    or None for something that is not a die or has an unknown number of sides.
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
