"""Content that a game is played with besides its rules: oracle tables, assets and pieces, ours or the player's."""

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
    """An oracle table.

    With `parts`, the ids of other tables, the table has no rows: each part is rolled, and the results are joined with
    `join`. `upto` holds the highest face of each row; without `upto` all rows have the same share of the die.
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
        """Number of sides of the die to roll on this table; 0 for a table made of `parts`."""
        if self.upto:
            return self.upto[-1]
        return 100 if len(self.rows) in _SPLIT_EVENLY else len(self.rows)

    def row(self, face: int) -> str:
        """Return the row for a face of the die. Raise ValueError if the die has no such face."""
        if not 1 <= face <= self.sides:
            raise ValueError(f"{self.name} has no row for {face}; it goes from 1 to {self.sides}.")
        if self.upto:
            return next(text for last, text in zip(self.upto, self.rows, strict=True) if face <= last)
        return self.rows[(face - 1) * len(self.rows) // self.sides]


class AbilityEffect(NamedTuple):
    """Bonus of an ability to the roll of a move: 1 to 3 `points` to add, or a reroll of dice with 0 `points`."""

    kind: Literal["add", "reroll"]
    points: int
    move: str
    """Last part of the move's id, such as `face_danger`, or ANY_MOVE."""


class Ability(NamedTuple):
    """One of the three abilities of an asset.

    `marked` is True if every owner of the asset has the ability from the start. `gives` holds bonuses to rolls, each as
    text that `gift` can parse.
    """

    text: str
    marked: bool = False
    gives: tuple[str, ...] = ()


class Asset(NamedTuple):
    """An asset card. `health` is the maximum of a companion, and 0 for other kinds.

    `asks` is the question for the player's note on the asset, such as "Its name"; "" if there is none.
    """

    id: str
    name: str
    kind: AssetKind
    abilities: tuple[Ability, Ability, Ability]
    health: int = 0
    asks: str = ""


class PieceKind(NamedTuple):
    """A further kind of content that players may keep in files, such as weapons.

    `record` is the schema of a piece, `needs` lists its required fields. `wrong` validates a piece: it returns the
    name of a wrong field and the reason, or None if all is well.
    """

    record: Record
    needs: tuple[str, ...]
    wrong: Callable[[Mapping[str, Any]], tuple[str, str] | None]


class Content(NamedTuple):
    """All content of a campaign by id.

    `problems` has one sentence for each thing that could not be read. `pieces` holds the player's own weapons, armor
    and adversaries, by kind and id.
    """

    oracles: Mapping[str, Oracle]
    assets: Mapping[str, Asset]
    problems: tuple[str, ...] = ()
    pieces: Mapping[str, Mapping[str, Mapping[str, Any]]] = MappingProxyType({})


def whole(oracles: Mapping[str, Oracle]) -> tuple[Oracle, ...]:
    """Return the tables that can be rolled alone: all but those that are parts of another table."""
    parts = {part for oracle in oracles.values() for part in oracle.parts}
    return tuple(oracle for ident, oracle in oracles.items() if ident not in parts)


def gift(text: str) -> AbilityEffect:
    """Parse a bonus such as `+1 face_danger` or `reroll strike`.

    Raise ValueError for any other text; its message shows the player how to write a bonus.
    """
    what, _, move = text.partition(" ")
    if is_id(move):
        if what == "reroll":
            return AbilityEffect("reroll", 0, move)
        if what in {"+1", "+2", "+3"}:
            return AbilityEffect("add", int(what), move)
    raise ValueError(f"“{shown_line(text, 40)}” should be written like “+1 face_danger” or “reroll strike”.")


def is_id(text: str) -> bool:
    """Return True if the text has 1 to 40 characters, all of `[a-z0-9_]`."""
    return 1 <= len(text) <= 40 and not text.strip(_ID_LETTERS)
