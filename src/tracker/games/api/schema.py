"""Kinds of state: what a state can hold, how each number behaves, and which effects lead from one state to another.

A game declares its state as records of these kinds: the declarative part of its rules. Applying an effect keeps a
number within its limits and applies the further effects that the functions of its kind return. These functions are
pure; they get the state before the change and the path of the field.

`label` is what players call a field; without one they see its name. A field labeled `OWN` goes by its record's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from tracker.records import NamedTuple

State: TypeAlias = Mapping[str, Any]
Effect: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str, ...]
"""Keys from the top of the state, such as ("party", "kara", "momentum")."""
_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
OWN = "{id}"
"""Label of a field that is shown under the name of its record, such as the die of a talent."""


class Integer(NamedTuple):
    """Schema of a whole number in the state. `low` and `high` limit every change, also one made by hand.

    `start` is the value in a new record. The functions apply to gains and losses only, except for `words`:
    - `most` returns the highest value that a gain can reach now; without it that is `high`. A higher value stays.
    - `least` returns the lowest value that a loss can reach now; without it that is `low`.
    - `blocked` returns the reason why a gain has no effect now, or "".
    - `rest` returns the effects of the points of a loss that would go below `low`, given their number.
    - `emptied` returns the effects of a loss that takes a higher number down to `low`.
    - `lowered` returns the effects of any loss, given its points.
    - `filled` returns the effects of a gain that takes a lower number up to `most`, given the points beyond.
    - `beyond` returns the effects of the points of a gain that would go above `most`, given their number.
    - `words` has named values that can be set, computed from the state, such as "reset" for momentum.
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
    least: Callable[[State, Path], int] | None = None


class Choice(NamedTuple):
    """Schema of a field of the state that holds one of the words `values`; the first is the start value."""

    values: tuple[str, ...]
    label: str = ""


class Ladder(NamedTuple):
    """Schema of a field of the state that holds one of the words `values`, sorted from the lowest to the highest.

    A gain or loss of n moves the field n words up or down, but not beyond the last or first word. `moved` returns
    further effects of such a change. It gets the state, the path, the number of steps made, and the number of steps
    that did not fit; both numbers are negative for a loss.
    """

    values: tuple[str, ...]
    start: str
    moved: Callable[[State, Path, int, int], list[Effect]] | None = None
    label: str = ""


class Line(NamedTuple):
    """Schema of a field of the state that holds a text of one line.

    `most` is the intended maximum length in characters; nothing enforces it.
    """

    most: int = 60
    label: str = ""


class Boolean(NamedTuple):
    """Schema of a field of the state that is true or false; the start value is false."""

    label: str = ""


class Counters(NamedTuple):
    """Schema of a field of the state that holds numbers by name, each from 1 to `most`.

    A missing name counts 0, and a number that falls to 0 is removed.
    """

    most: int


class Record(NamedTuple):
    """Schema of a record in the state: the schema of each of its fields, by name."""

    fields: Mapping[str, Kind]


class Collection(NamedTuple):
    """Schema of a field of the state that holds records by id, in the order of adding.

    `of` is the schema of one such record. `added` returns the effects of adding a record, given the state before
    and the path of the new record. `sparse` is True if saves do not mention the field while it is empty.
    """

    of: Record
    added: Callable[[State, Path], list[Effect]] | None = None
    sparse: bool = False


Kind: TypeAlias = Integer | Choice | Ladder | Line | Boolean | Counters | Record | Collection

ROLLED, TYPED = "rolled here", "typed in"
DICE = Choice(("", ROLLED, TYPED))
"""Where a campaign's dice come from: `dice_are` at the top of every state. "" leaves it to the player's settings."""


def typed_in(state: State, usual: str) -> bool:
    """Return True if the player types in the results of dice, and False if the app rolls them.

    The campaign's setting decides. If the campaign has none, `usual` does, which is the player's own setting.
    """
    return bool((state.get("dice_are") or usual) in {TYPED, "typed"})


def state_difference(top: Record, old: State, new: State) -> list[Effect]:
    """Return the effects (`to`, `add` and `drop`) that turn `old` into `new`; `top` is the schema of both.

    If `new` lacks a record of a collection, the record is dropped; if it lacks a counter, the counter is set to 0.
    Other keys that `new` lacks are ignored.
    """
    return list(_record(top, old, new, ()))


def _record(kind: Record, old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...]) -> list[Effect]:
    effects: list[Effect] = []
    for key, value in new.items():
        effects += _field(kind.fields.get(key), old.get(key), value, (*path, key))
    return effects


def _field(kind: Kind | None, old: Any, new: Any, path: tuple[str, ...]) -> list[Effect]:
    if old == new and type(old) is type(new):
        return []
    if isinstance(kind, Collection) and isinstance(new, dict) and isinstance(old, dict):
        effects: list[Effect] = [{"at": _at(path), "drop": ident} for ident in old if ident not in new]
        for ident, record in new.items():
            if not isinstance(record, dict):
                continue
            if ident in old:
                effects += _record(kind.of, old[ident], record, (*path, ident))
            else:
                effects.append({"at": _at(path), "add": {"id": ident, **record}})
        return effects
    if isinstance(kind, Record) and isinstance(new, dict) and isinstance(old, dict):
        return _record(kind, old, new, path)
    if isinstance(kind, Counters) and isinstance(new, dict) and isinstance(old, dict):
        return [
            {"at": _at((*path, key)), "to": new.get(key, 0)}
            for key in {**old, **new}
            if old.get(key, 0) != new.get(key, 0)
        ]
    return [{"at": _at(path), "to": new}]


def _at(path: tuple[str, ...]) -> str:
    """Return a path as effects write it: the keys joined with dots, without a leading "party", such as `kara.health`.

    The path of the party itself is "party".
    """
    return ".".join(path[1:] if path[0] == "party" and len(path) > 1 else path)


def is_id(text: str) -> bool:
    """Return True if the text has 1 to 40 characters, all of `[a-z0-9_]`, as the ids of records do."""
    return 1 <= len(text) <= 40 and not text.strip(_ID_LETTERS)
