"""Wherever We Go by jaredmdunn: its numbers and names, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.api.schema import State
from tracker.games.api.view import Action, DueItem, Fight, GmSide, Holding, Odds, Oracles, Start
from tracker.games.common import clocks as _clocks
from tracker.games.common import scenes as _story
from tracker.games.wherever import cards as _telling
from tracker.games.wherever import sheet as _sheet
from tracker.games.wherever.moves import MOVES
from tracker.games.wherever.state import TOP


class Wherever:
    """The rules as the rest of the program sees them."""

    id = "wherever"
    name = "Wherever We Go"
    rules = 1
    top = TOP
    moves = MOVES
    make_character = Start("character/make")
    new_track = Start("clock/begin")
    no_tracks = "No clock yet: n begins one."
    rolled: frozenset[str] = frozenset()

    members = staticmethod(_sheet.members)
    sheet = staticmethod(_sheet.sheet)
    tracks = staticmethod(_sheet.tracks)
    card = staticmethod(_telling.card)
    label = staticmethod(_telling.label)
    changes = staticmethod(_telling.changes)
    breaks = staticmethod(_story.breaks)

    @staticmethod
    def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:  # noqa: ARG004
        """The same for everybody: whatever is on the table is a clock."""
        return _clocks.actions(state, track)

    @staticmethod
    def track_odds(state: State, track: str) -> tuple[tuple[str, Odds], ...]:  # noqa: ARG004
        """Nothing is rolled against a clock."""
        return ()

    @staticmethod
    def fight(state: State, who: str) -> Fight | None:  # noqa: ARG004
        """A fight has no table of its own in this game."""
        return None

    # What the first frame does not show is imported when it is wanted.

    @staticmethod
    def gm_side(state: State) -> GmSide | None:  # noqa: ARG004
        """The GM has no numbers in this game."""
        return None

    @staticmethod
    def now(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.wherever.suggestions import now

        return now(state, who)

    @staticmethod
    def rolls(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.wherever.suggestions import rolls

        return rolls(state, who)

    @staticmethod
    def owed(state: State, who: str) -> tuple[DueItem, ...]:
        from tracker.games.wherever.suggestions import owed

        return owed(state, who)

    @staticmethod
    def oracles() -> Oracles:
        from tracker.games.wherever.suggestions import oracles

        return oracles()

    @staticmethod
    def belongings(state: State, who: str) -> tuple[Holding, ...]:
        from tracker.games.wherever.belongings import belongings

        return belongings(state, who)

    @staticmethod
    def member_moves(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.wherever.character import member_moves

        return member_moves(state, who)

    @staticmethod
    def why_not(state: State, who: str, move: str) -> str:
        from tracker.games.wherever.availability import why_not

        return why_not(state, who, move.rpartition("/")[2])

    @staticmethod
    def lint(state: State) -> tuple[str, ...]:
        from tracker.games.wherever.lint import lint

        return lint(state)

    @staticmethod
    def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
        from tracker.games.wherever.character import creation_answers

        return creation_answers(name, stats)


GAME = Wherever()
