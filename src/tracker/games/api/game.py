"""Game: the base class of every game, with defaults; Move, lazy_procedure() and lazy().

A procedure is a generator: it yields prompts, gets answers, and records effects on its draft. A procedure uses no
screen, file, clock or random number, so any frontend can play it, and a log can replay it.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
from tracker.records import NamedTuple
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.content import PieceKind
    from tracker.games.api.finished_moves import Feat, Gauge, Landmark, PastDie, PastMove, PastRoll, RollKind
    from tracker.games.api.iron_vault import Vault
    from tracker.games.api.phrases import Phrases


class Move(NamedTuple):
    """A move: a procedure with the id and the name by which players start it. `Game.moves` holds all moves of a game.

    `make` starts the procedure on a draft. `group` is the heading of the move in lists. `trigger` says when the move is
    made. `outcomes` has (mark, consequence) of each outcome: a mark such as ■□, and what follows in a few words.
    """

    id: str
    name: str
    make: Callable[[Draft], Procedure]
    group: str = ""
    trigger: str = ""
    outcomes: tuple[tuple[str, str], ...] = ()
    solo: bool = False
    """True if the move needs no character, such as making one."""
    kept: bool = False
    """True if the answers are kept when the player leaves the move, even before any roll."""
    beside: bool = False
    """True if the move can be made in the middle of another one, such as a question to the oracle."""

    @property
    def named(self) -> bool:
        """True if the journal shows the name of the move; False if it shows only what the move changed."""
        return self.group not in {"by hand", "character", "countdown", "notes", "story"}

    def meaning(self, mark: str) -> str:
        """Return what follows from the outcome with this mark, such as ■□, in a few words; "" if that is not known."""
        return next((words for known, words in self.outcomes if mark and known == mark), "")


def lazy_procedure(module: str, name: str) -> Callable[[Draft], Procedure]:
    """Return a function that imports `module` when called and starts its procedure `name`.

    So the program can list all moves at its start without importing their modules.
    """

    def make(table: Draft) -> Procedure:
        procedure: Procedure = getattr(import_module(module), name)(table)
        return procedure

    return make


class _Lazy:
    """Descriptor for a class attribute of a game whose value is a name in another module of the package.

    The module is imported when the attribute is first used.
    """

    def __init__(self, target: str) -> None:
        self._module, _, self._name = target.partition(":")
        self._package = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._package = sys.modules[owner.__module__].__package__ or ""

    def __get__(self, game: Game | None, owner: type) -> Any:
        # ABC reads every attribute while it creates the class; that must import nothing.
        return self if game is None else getattr(import_module(f"{self._package}.{self._module}"), self._name)


def lazy(target: str) -> Any:
    """Return a descriptor for a function or a constant that is in another module of the game's package.

    `target` is "module:name". The module is imported on first use, so that the program starts faster.
    """
    return _Lazy(target)


class Game(ABC):
    """The rules of one game, as the rest of the program sees them.

    A subclass must set the attributes without a default and override the abstract methods. It overrides other methods
    only if they apply to the game; most defaults return an empty result. Methods must be pure: they return new values
    and change nothing. `who` is the id of a character, and `track` the id of a Track.
    """

    id: str
    name: str
    rules: int = 1
    """Version of the limits in `top`, stored in the head of every save.

    Opening a save applies its recorded effects again under these limits, so a changed limit needs another version and
    a migration.
    """
    top: Record
    """Schema of the state.

    It has the fields of `common.scenes.LAYOUT`, `dice_are`, and a `party` with names and statuses.
    """
    moves: Mapping[str, Move]
    make_character: Start = Start("character/make")
    new_track: Start = Start("clock/begin")
    """Procedure that begins a track, or the game's counterpart of one."""
    no_tracks: str = "No clocks yet: n starts one."
    """Text shown while there is no track."""
    typed_examples: str
    """Some changes of values that a player can type on the command line, with commas between them."""
    helped: frozenset[str] = frozenset()
    """Moves that an asset can help, as the last part of their ids, such as `face_danger`."""
    phrases: Phrases = MappingProxyType({})
    """Phrases for changes that the label of a field and its values do not describe well enough."""
    roll_kinds: tuple[RollKind, ...] = ()
    """Kinds of rolls that `past_rolls` returns."""
    vault: Vault | None = None
    """How Iron Vault sees the game; None if that plugin does not know it."""
    pieces: Mapping[str, PieceKind] = MappingProxyType({})
    """Kinds of content besides tables and assets that players may keep in files, by their key in the file."""

    # -- required ---------------------------------------------------------------------------------------

    @abstractmethod
    def sheet(self, state: State, who: str) -> tuple[Pane, ...]:
        """Return the panes of a character's sheet."""

    @abstractmethod
    def card(self, did: str, facts: Mapping[str, Any]) -> Card:
        """Return the card that shows an entry in the journal. `did` is the id of the entry's move.

        `facts` are the values that the move stored for display. They may have been edited by hand, so an implementation
        must not raise for an unknown `did`, or for any TOML value at any key of `facts`.
        """

    @abstractmethod
    def creation_answers(self, name: str, stats: Mapping[str, int]) -> dict[str, Any]:
        """Return {prompt key: answer} with which `make_character` makes a character of this name with these stats.

        Raise Refused if the rules do not allow such a character.
        """

    # -- with defaults ----------------------------------------------------------------------------------

    def members(self, state: State) -> tuple[Member, ...]:
        """Return the party in order, including retired and dead members but not those with the status `gone`."""
        return tuple(self.member(ident, who) for ident, who in state["party"].items() if who["status"] != "gone")

    def member(self, ident: str, who: State) -> Member:
        """Return a character for the strip of members at the top of the screen.

        `ident` is the id of the character, and `who` the character's record.
        """
        return Member(ident, shown_line(who["name"]), "", "" if who["status"] == "alive" else who["status"])

    def belongings(self, state: State, who: str) -> tuple[Holding, ...]:  # noqa: ARG002
        """Return what a character owns, in groups."""
        return ()

    def member_moves(self, state: State, who: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the actions on a member of the party: rename, retire, remove, bring back."""
        return ()

    def tracks(self, state: State) -> tuple[Track, ...]:  # noqa: ARG002
        """Return the tracks and clocks of the campaign, without those that the players have hidden."""
        return ()

    def track_moves(self, state: State, who: str, track: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the actions that this character can take on a track, disabled ones included."""
        return ()

    def track_odds(self, state: State, track: str) -> tuple[tuple[str, Odds], ...]:  # noqa: ARG002
        """Return (label, odds) pairs for the roll that ends a track: now, and after one more mark of progress.

        Return () if no roll ends the track.
        """
        return ()

    def now(self, state: State, who: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the moves that fit the current state, best first, with disabled ones last."""
        return ()

    def chance_told(self, state: State) -> tuple[str, ...]:  # noqa: ARG002
        """Return ways to say what the percentage beside a suggested move means, longest first.

        The longest one that fits is shown.
        """
        return ("% = odds of success",)

    def why_not(self, state: State, who: str, move: str) -> str:  # noqa: ARG002
        """Return why this character cannot make a move now, in a few words, or "" if it can be made.

        `move` is the id of the move, or its last part.
        """
        return ""

    def fight(self, state: State, who: str) -> Fight | None:  # noqa: ARG002
        """Return the current fight with the moves that it allows this character, or None if there is no fight."""
        return None

    def gm_side(self, state: State) -> GmSide | None:  # noqa: ARG002
        """Return the GM's numbers and adversaries, or None in games in which the GM has none."""
        return None

    def hides_gm_side(self, state: State) -> bool:  # noqa: ARG002
        """Return True if the screens of players should not show the GM's side, at a table with a GM's seat."""
        return False

    def breaks(self, state: State) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the actions that begin a scene or a session."""
        return ()

    def rolls(self, state: State, who: str) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the rolls whose buttons are always shown. A roll that cannot be made now is disabled."""
        return ()

    def owed(self, state: State, who: str) -> tuple[DueItem, ...]:  # noqa: ARG002
        """Return the due moves of this character. A move is due if another move has made it necessary."""
        return ()

    def oracles(self) -> Oracles:
        """Return the questions and oracle tables that the game offers."""
        return Oracles((), Start(""), 0)

    def label(self, at: str) -> str:
        """Return the label of a path as the sheet shows it, such as "health" for `kara.health`."""
        from tracker.games.api.phrases import label

        return label(self.top, at)

    def changes(self, before: State, after: State, who: str) -> list[str]:
        """Return the differences between two states, one phrase each.

        `who` is the acting character, whose name is left out unless other members of the party change too.
        """
        from tracker.games.api.phrases import changes

        return changes(self.top, self.phrases, before, after, who)

    def lint(self, state: State) -> tuple[str, ...]:  # noqa: ARG002
        """Return one line for each value that the rules cannot produce; () if there is none."""
        return ()

    # -- the past ---------------------------------------------------------------------------------------

    def past_rolls(self, move: PastMove) -> tuple[PastRoll, ...]:  # noqa: ARG002
        """Return the rolls of a finished move, computed from its facts, with the exact odds that they had; () for none.

        The facts may have been edited by hand: an implementation must not raise for any value.
        """
        return ()

    def past_dice(self, move: PastMove) -> tuple[PastDie, ...]:  # noqa: ARG002
        """Return the dice that a finished move rolled.

        Leave out dice whose number of sides is not known from the entry.
        """
        return ()

    def feats(self, move: PastMove) -> tuple[Feat, ...]:  # noqa: ARG002
        """Return the things that a finished move did and players like to count, such as burns, pushes and gambles."""
        return ()

    def gauges(self, state: State) -> tuple[Gauge, ...]:  # noqa: ARG002
        """Return the numbers of a state that are worth plotting over time."""
        return ()

    def landmarks(self, move: PastMove) -> tuple[Landmark, ...]:  # noqa: ARG002
        """Return the events of an entry that a recap mentions, such as a vow sworn or a fight won.

        The entry may also be a change by hand. Most events follow from the states before and after it. For those that
        all games share, see `common.landmarks`.
        """
        return ()
