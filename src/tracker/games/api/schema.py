"""What a table can hold, and how each number behaves: the declarative part of a game's rules.

A game lays out its table as records of these kinds. The fold does the rest: it clamps, lets overflow run on,
and fires what a change brings with it. Whatever is a function here is pure and gets the state and the path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

State: TypeAlias = Mapping[str, Any]
Effect: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str, ...]
"""From the top of the table, as in ("party", "kara", "momentum")."""


class Integer(NamedTuple):
    """A whole number; `low` and `high` hold for everything, even for a person's own word.

    - `most`: what a gain can reach now; a gain never lowers.
    - `blocked`: why a gain gives nothing now, or "".
    - `rest`: where the part of a loss goes that does not fit.
    - `emptied`: what follows when a loss takes it from above to `low`.
    - `lowered`: what a loss of so many points brings with it, wherever it ends.
    - `filled`: what follows when a gain takes it from below to `most`, with the points beyond.
    - `beyond`: where the part of a gain goes that does not fit.
    - `words`: values that depend on the state, such as momentum's "reset".
    """

    low: int
    high: int
    start: int = 0
    most: Callable[[State, Path], int] | None = None
    blocked: Callable[[State, Path], str] | None = None
    rest: Callable[[State, Path, int], list[Effect]] | None = None
    emptied: Callable[[State, Path], list[Effect]] | None = None
    lowered: Callable[[State, Path, int], list[Effect]] | None = None
    filled: Callable[[State, Path, int], list[Effect]] | None = None
    beyond: Callable[[State, Path, int], list[Effect]] | None = None
    words: Mapping[str, Callable[[State, Path], int]] = MappingProxyType({})


class Choice(NamedTuple):
    """One of a few words; the first is where it starts."""

    values: tuple[str, ...]


class Ladder(NamedTuple):
    """One of a few words in an order, the lowest first: a gain or a loss is so many rungs.

    `moved` is what that brings with it: it gets the rungs that were climbed or lost, and those beyond the end.
    """

    values: tuple[str, ...]
    start: str
    moved: Callable[[State, Path, int, int], list[Effect]] | None = None


class Line(NamedTuple):
    """A text of one line that a person typed."""

    most: int = 60


class Boolean:
    """True or false; it starts false."""


class Counters(NamedTuple):
    """Numbers by name; what is not there is 0, and what falls to 0 is gone."""

    most: int


class Record(NamedTuple):
    """Fields by name."""

    fields: Mapping[str, Kind]


class Collection(NamedTuple):
    """Records by id, in the order in which they were added. `added` is what an added one brings with it."""

    of: Record
    added: Callable[[State, Path], list[Effect]] | None = None


Kind: TypeAlias = Integer | Choice | Ladder | Line | Boolean | Counters | Record | Collection

ROLLED, TYPED = "rolled here", "typed in"
DICE = Choice(("", ROLLED, TYPED))
"""Whose dice a campaign is played with, `dice_are` at the top of every game's table; "" leaves it to the player."""


def typed_in(state: State, usual: str) -> bool:
    """Whether dice are typed in: as the campaign has it, or else as this player usually does."""
    return bool((state.get("dice_are") or usual) in {TYPED, "typed"})
