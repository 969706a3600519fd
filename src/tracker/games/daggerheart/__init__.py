"""Daggerheart compatible: the numbers and names of a game by Darrington Press, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.api.schema import State
from tracker.games.api.view import Action, DueItem, Fight, GmSide, Holding, Odds, Oracles, Start
from tracker.games.common import scenes as _story
from tracker.games.daggerheart import cards as _telling
from tracker.games.daggerheart import sheet as _sheet
from tracker.games.daggerheart.moves import MOVES
from tracker.games.daggerheart.state import TOP


class Daggerheart:
    """The rules as the rest of the program sees them."""

    id = "daggerheart"
    name = "Daggerheart compatible"
    rules = 1
    top = TOP
    moves = MOVES
    make_character = Start("character/make")
    new_track = Start("countdown/begin")
    no_tracks = "No countdown yet: n begins one."
    rolled: frozenset[str] = frozenset()

    members = staticmethod(_sheet.members)
    sheet = staticmethod(_sheet.sheet)
    tracks = staticmethod(_sheet.tracks)
    card = staticmethod(_telling.card)
    label = staticmethod(_telling.label)
    changes = staticmethod(_telling.changes)
    breaks = staticmethod(_story.breaks)

    @staticmethod
    def track_odds(state: State, track: str) -> tuple[tuple[str, Odds], ...]:  # noqa: ARG004
        """Nothing is rolled against a countdown."""
        return ()

    # What the first frame does not show is imported when it is wanted.

    @staticmethod
    def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:
        from tracker.games.daggerheart.gm_side import track_moves

        return track_moves(state, who, track)

    @staticmethod
    def fight(state: State, who: str) -> Fight | None:
        from tracker.games.daggerheart.gm_side import fight

        return fight(state, who)

    @staticmethod
    def gm_side(state: State) -> GmSide | None:
        from tracker.games.daggerheart.gm_side import gm_side

        return gm_side(state)

    @staticmethod
    def now(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.daggerheart.suggestions import now

        return now(state, who)

    @staticmethod
    def rolls(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.daggerheart.suggestions import rolls

        return rolls(state, who)

    @staticmethod
    def owed(state: State, who: str) -> tuple[DueItem, ...]:
        from tracker.games.daggerheart.suggestions import owed

        return owed(state, who)

    @staticmethod
    def belongings(state: State, who: str) -> tuple[Holding, ...]:
        from tracker.games.daggerheart.belongings import belongings

        return belongings(state, who)

    @staticmethod
    def member_moves(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.daggerheart.character import member_moves

        return member_moves(state, who)

    @staticmethod
    def oracles() -> Oracles:
        from tracker.games.daggerheart.suggestions import oracles

        return oracles()

    @staticmethod
    def why_not(state: State, who: str, move: str) -> str:
        from tracker.games.daggerheart.availability import why_not

        return why_not(state, who, move.rpartition("/")[2])

    @staticmethod
    def lint(state: State) -> tuple[str, ...]:
        from tracker.games.daggerheart.lint import lint

        return lint(state)

    @staticmethod
    def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
        from tracker.games.daggerheart.character import creation_answers

        return creation_answers(name, stats)


GAME = Daggerheart()
