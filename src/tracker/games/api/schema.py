"""Kinds of state: what a state can hold, and how each number behaves. This is the declarative part of a game's rules.

A game lays out its state as records of these kinds. The fold clamps, passes overflow on, and applies what a change
triggers. Every function here is pure and gets the state and the path.

`label` is what players call a field; without one they see its name. A field labeled `OWN` goes by its record's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

State: TypeAlias = Mapping[str, Any]
Effect: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str, ...]
"""Keys from the top of the state, such as ("party", "kara", "momentum")."""
OWN = "{id}"
"""Label of the one field that its record is about, such as the die of a talent."""


class Integer(NamedTuple):
    """A whole number. `low` and `high` hold for every change, also for one made by hand.

    - `most`: the number that a gain can reach now; a gain never lowers.
    - `blocked`: the reason why a gain has no effect now, or "".
    - `rest`: effects for the part of a loss that does not fit.
    - `emptied`: effects when a loss takes the number from above to `low`.
    - `lowered`: effects of any loss, given its points.
    - `filled`: effects when a gain takes the number from below to `most`, given the points beyond.
    - `beyond`: effects for the part of a gain that does not fit.
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
    label: str = ""


class Choice(NamedTuple):
    """One of a few words; the first is the start value."""

    values: tuple[str, ...]
    label: str = ""


class Ladder(NamedTuple):
    """One of a few words in order, the lowest first; a gain or a loss is a number of rungs.

    `moved` returns the effects of a move, given the rungs climbed or lost and those beyond the end.
    """

    values: tuple[str, ...]
    start: str
    moved: Callable[[State, Path, int, int], list[Effect]] | None = None
    label: str = ""


class Line(NamedTuple):
    """A typed text of one line, at most `most` characters."""

    most: int = 60
    label: str = ""


class Boolean(NamedTuple):
    """True or false; starts as false."""

    label: str = ""


class Counters(NamedTuple):
    """Numbers by name. A missing name counts 0, and a number that falls to 0 is removed."""

    most: int


class Record(NamedTuple):
    """Fields by name."""

    fields: Mapping[str, Kind]


class Collection(NamedTuple):
    """Records by id, in the order of adding. `added` returns the effects of adding one."""

    of: Record
    added: Callable[[State, Path], list[Effect]] | None = None


Kind: TypeAlias = Integer | Choice | Ladder | Line | Boolean | Counters | Record | Collection

ROLLED, TYPED = "rolled here", "typed in"
DICE = Choice(("", ROLLED, TYPED))
"""Where a campaign's dice come from: `dice_are` at the top of every state. "" leaves it to the player's settings."""


def typed_in(state: State, usual: str) -> bool:
    """Return True if dice are typed in: by the campaign, or else by the player's `usual` setting."""
    return bool((state.get("dice_are") or usual) in {TYPED, "typed"})
