"""What a game is played with besides its rules: tables to roll on, and assets. They are data, ours or a player's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from tracker.games.api.schema import Record
from tracker.text import shown_line

_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
_SPLIT_EVENLY = {25, 50, 100}

AssetKind: TypeAlias = Literal["companion", "path", "combat talent", "ritual"]
ANY_MOVE = "any"


class Oracle(NamedTuple):
    """A table to roll on; with `parts` it has no rows, rolls on each of those tables and joins what they say.

    `upto` is the highest face of each row. Without it every row has an equal share of the die.
    """

    id: str
    name: str
    group: str
    rows: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    join: str = ""
    upto: tuple[int, ...] = ()

    @property
    def sides(self) -> int:
        """The die that is fair to every row; 0 if the parts are rolled instead."""
        if self.upto:
            return self.upto[-1]
        return 100 if len(self.rows) in _SPLIT_EVENLY else len(self.rows)

    def row(self, face: int) -> str:
        """What this face of the die says."""
        if not 1 <= face <= self.sides:
            raise ValueError(f"{self.name} has no row for {face}: its faces are 1 to {self.sides}.")
        if self.upto:
            return next(text for last, text in zip(self.upto, self.rows, strict=True) if face <= last)
        return self.rows[(face - 1) * len(self.rows) // self.sides]


class AbilityEffect(NamedTuple):
    """What an ability can give to the roll of a move: points to add, or any dice to roll again."""

    kind: Literal["add", "reroll"]
    points: int
    move: str
    """The last part of the move's id, such as `face_danger`, or `any`."""


class Ability(NamedTuple):
    """One of an asset's three. `gives` are gifts in their short form: what can be ticked at a roll."""

    text: str
    marked: bool = False
    gives: tuple[str, ...] = ()


class Asset(NamedTuple):
    """`health` is a companion's and else 0; `asks` says what its note is for, such as "Its name"."""

    id: str
    name: str
    kind: AssetKind
    abilities: tuple[Ability, Ability, Ability]
    health: int = 0
    asks: str = ""


class PieceKind(NamedTuple):
    """Something else that a game lets a player keep in files: its fields, those that must be there, and what is wrong.

    `wrong` names a field and why it cannot be like that, or is None.
    """

    record: Record
    needs: tuple[str, ...]
    wrong: Callable[[Mapping[str, Any]], tuple[str, str] | None]


class Content(NamedTuple):
    """All tables and assets by id, and one sentence for each thing that could not be taken.

    `pieces` are a player's own by kind and id, whole, such as weapons where a game has them.
    """

    oracles: Mapping[str, Oracle]
    assets: Mapping[str, Asset]
    problems: tuple[str, ...] = ()
    pieces: Mapping[str, Mapping[str, Mapping[str, Any]]] = MappingProxyType({})


def whole(oracles: Mapping[str, Oracle]) -> tuple[Oracle, ...]:
    """The tables that are rolled on for themselves, and not only as a part of another."""
    parts = {part for oracle in oracles.values() for part in oracle.parts}
    return tuple(oracle for ident, oracle in oracles.items() if ident not in parts)


def gift(text: str) -> AbilityEffect:
    """`+1 face_danger` or `reroll strike`, read; ValueError tells how it is written."""
    what, _, move = text.partition(" ")
    if is_id(move):
        if what == "reroll":
            return AbilityEffect("reroll", 0, move)
        if what in {"+1", "+2", "+3"}:
            return AbilityEffect("add", int(what), move)
    raise ValueError(f"“{shown_line(text, 40)}” should be written like “+1 face_danger” or “reroll strike”.")


def is_id(text: str) -> bool:
    """Whether it is `[a-z0-9_]+` of a sensible length."""
    return 1 <= len(text) <= 40 and not text.strip(_ID_LETTERS)
