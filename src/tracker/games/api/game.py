"""What a game offers, and what a procedure works on.

A procedure is a generator: it yields prompts, gets answers, and records effects on its draft. It knows no
screen, no file, no clock and no random; whoever drives it may show it, play it from a file, or replay it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

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

if TYPE_CHECKING:
    pass


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


class Game(Protocol):
    """The rules of one game, seen from outside. All of it is pure."""

    id: str
    name: str
    rules: int
    """The number of its table of limits; a save made with another one has to be migrated."""
    top: Record
    moves: Mapping[str, Move]
    make_character: Start
    new_track: Start
    """Begins a track, or whatever this game counts with."""
    rolled: frozenset[str]
    """The moves with a roll that an asset can help, each by the last part of its id."""
    no_tracks: str
    """What stands where there is no track yet."""

    def members(self, state: State) -> tuple[Member, ...]:
        """The party, in order: those out of play too, but nobody who was taken off the table."""
        ...

    def sheet(self, state: State, who: str) -> tuple[Pane, ...]: ...

    def belongings(self, state: State, who: str) -> tuple[Holding, ...]:
        """What somebody has besides numbers, by sort."""
        ...

    def member_moves(self, state: State, who: str) -> tuple[Action, ...]:
        """What can be done with this member of the party: another name, out of play, back again."""
        ...

    def tracks(self, state: State) -> tuple[Track, ...]: ...

    def track_moves(self, state: State, who: str, track: str) -> tuple[Action, ...]:
        """What this character can do with this track."""
        ...

    def track_odds(self, state: State, track: str) -> tuple[tuple[str, Odds], ...]:
        """The odds of a roll against it, as it stands and after another mark, each with its word."""
        ...

    def now(self, state: State, who: str) -> tuple[Action, ...]:
        """What fits this moment, best first."""
        ...

    def why_not(self, state: State, who: str, move: str) -> str:
        """Why the move of this id cannot be made now; "" if it can."""
        ...

    def fight(self, state: State, who: str) -> Fight | None:
        """The fight under way, as this character sees it; None if there is none."""
        ...

    def gm_side(self, state: State) -> GmSide | None:
        """The other side of the table, in games in which the GM has numbers; else None."""
        ...

    def breaks(self, state: State) -> tuple[Action, ...]:
        """What begins a new part of the story: a scene, a session."""
        ...

    def rolls(self, state: State, who: str) -> tuple[Action, ...]:
        """The bare rolls that always have a button."""
        ...

    def owed(self, state: State, who: str) -> tuple[DueItem, ...]: ...

    def oracles(self) -> Oracles: ...

    def card(self, did: str, facts: Mapping[str, Any]) -> Card:
        """How a roll is told."""
        ...

    def label(self, at: str) -> str:
        """The word for a path, as the sheet shows it: `kara.health` is health."""
        ...

    def changes(self, before: State, after: State, who: str) -> list[str]:
        """What is different now, one phrase each; `who` acts and is named only beside others."""
        ...

    def lint(self, state: State) -> tuple[str, ...]:
        """What is not legal on this table, one line each."""
        ...

    def creation_answers(self, name: str, stats: Mapping[str, int]) -> dict[str, Any]:
        """The answers with which making a character leads to this one; Refused if no character is like that."""
        ...
