"""Game: the base class of every game, with defaults; Move and lazy().

A procedure is a generator: it yields prompts, gets answers, and records effects on its draft. It knows no
screen, no file, no clock and no random; whoever drives it may show it, play it from a file, or replay it.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.schema import Record, State
from tracker.games.api.view import (
    Action,
    Card,
    DueItem,
    Fight,
    GmSide,
    Holding,
    Member,
    Odds,
    Oracles,
    Pane,
    Start,
    Track,
)
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.content import PieceKind


class Move(NamedTuple):
    """A procedure under the name that players know. `trigger` says when it is made, in our words."""

    id: str
    name: str
    make: Callable[[Draft], Procedure]
    group: str = ""
    trigger: str = ""
    outcomes: tuple[tuple[str, str], ...] = ()
    solo: bool = False
    """Made without a character, such as making one."""


def lazily(module: str, name: str) -> Callable[[Draft], Procedure]:
    """The procedure of this name, imported when it is made: the first frame shows names only."""

    def make(table: Draft) -> Procedure:
        procedure: Procedure = getattr(import_module(module), name)(table)
        return procedure

    return make


class _Lazy:
    """An attribute that lives in another module of the game's package."""

    def __init__(self, target: str) -> None:
        self._module, _, self._name = target.partition(":")
        self._package = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._package = sys.modules[owner.__module__].__package__ or ""

    def __get__(self, game: Game | None, owner: type) -> Any:
        # ABC looks at every attribute while it makes the class: nothing may be imported for that.
        return self if game is None else getattr(import_module(f"{self._package}.{self._module}"), self._name)


def lazy(target: str) -> Any:
    """Return a descriptor for "module:name", a function or a constant in the package of the class that has it.

    The module is imported at the first use: what the first frame does not show must not be loaded for it.
    """
    return _Lazy(target)


class Game(ABC):
    """The rules of one game, as the rest of the program sees them. Every method is pure.

    A game sets the attributes without a default and overrides what it has; the defaults say "nothing of the kind".
    """

    id: str
    name: str
    rules: int = 1
    """Version of the limits in `top`; a save made with another one has to be migrated."""
    top: Record
    """Layout of the state. It has the fields of `common.scenes.LAYOUT`, `dice_are`, and a `party` with names and
    statuses."""
    moves: Mapping[str, Move]
    make_character: Start = Start("character/make")
    new_track: Start = Start("clock/begin")
    """Begins a track, or whatever the game counts with."""
    no_tracks: str = "No clock yet: n begins one."
    """Shown where there is no track yet."""
    rolled: frozenset[str] = frozenset()
    """Moves with a roll that an asset can help, each by the last part of its id."""
    pieces: Mapping[str, PieceKind] = MappingProxyType({})
    """Kinds of content besides tables and assets that players may keep in files, by their key there."""

    # -- required ---------------------------------------------------------------------------------------

    @abstractmethod
    def sheet(self, state: State, who: str) -> tuple[Pane, ...]:
        """Return the numbers of a character."""

    @abstractmethod
    def card(self, did: str, facts: Mapping[str, Any]) -> Card:
        """Return an entry as it is told. `facts` may have been edited by hand: any TOML value at any key."""

    @abstractmethod
    def creation_answers(self, name: str, stats: Mapping[str, int]) -> dict[str, Any]:
        """Return the answers with which `make_character` makes this character. Raise Refused if none is like that."""

    # -- with defaults ----------------------------------------------------------------------------------

    def members(self, state: State) -> tuple[Member, ...]:
        """Return the party in order: those out of play too, but nobody who was taken off the table."""
        return tuple(
            Member(ident, shown_line(who["name"]), "", "" if who["status"] == "alive" else who["status"])
            for ident, who in state["party"].items()
            if who["status"] != "gone"
        )

    def belongings(self, state: State, who: str) -> tuple[Holding, ...]:  # noqa: ARG002
        """Return what a character has besides numbers, by sort."""
        return ()

    def member_moves(self, state: State, who: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return what can be done with this member of the party: another name, out of play, back again."""
        return ()

    def tracks(self, state: State) -> tuple[Track, ...]:  # noqa: ARG002
        """Return the tracks and clocks on the table."""
        return ()

    def track_moves(self, state: State, who: str, track: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return what this character can do with this track."""
        return ()

    def track_odds(self, state: State, track: str) -> tuple[tuple[str, Odds], ...]:  # noqa: ARG002
        """Return the odds of a roll against a track, as it stands and after another mark, each with its word."""
        return ()

    def now(self, state: State, who: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the moves that fit this moment, best first."""
        return ()

    def why_not(self, state: State, who: str, move: str) -> str:  # noqa: ARG002
        """Return why a member of the party cannot make the move of this id now; "" if nothing is in the way."""
        return ""

    def fight(self, state: State, who: str) -> Fight | None:  # noqa: ARG002
        """Return the fight under way as this character sees it, or None."""
        return None

    def gm_side(self, state: State) -> GmSide | None:  # noqa: ARG002
        """Return the GM's side of the table, or None in games in which the GM has no numbers."""
        return None

    def breaks(self, state: State) -> tuple[Action, ...]:  # noqa: ARG002
        """Return what begins a new part of the story: a scene, a session."""
        return ()

    def rolls(self, state: State, who: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the bare rolls that always have a button."""
        return ()

    def owed(self, state: State, who: str) -> tuple[DueItem, ...]:  # noqa: ARG002
        """Return the moves that have become due for this character."""
        return ()

    def oracles(self) -> Oracles:
        """Return what can be asked of fate."""
        return Oracles((), Start(""), 0)

    def label(self, at: str) -> str:
        """Return the word for a path as the sheet shows it: `kara.health` is health."""
        return at.rpartition(".")[2].replace("_", " ")

    def changes(self, before: State, after: State, who: str) -> list[str]:
        """Return what is different now, one phrase each; `who` acts and is named only beside others."""
        from tracker.games.api.phrases import plain_changes

        return plain_changes(self.top, before, after, who, self.label)

    def lint(self, state: State) -> tuple[str, ...]:  # noqa: ARG002
        """Return what the rules cannot have produced, one line each."""
        return ()
