"""Ironsworn by Shawn Tomkin: its numbers and names, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.api.schema import State
from tracker.games.api.view import Action, DueItem, Fight, GmSide, Holding, Odds, Oracles, Start
from tracker.games.common import scenes as _story
from tracker.games.ironsworn import cards as _telling
from tracker.games.ironsworn import sheet as _sheet
from tracker.games.ironsworn.moves import MOVES, ROLLED
from tracker.games.ironsworn.state import TOP


class Ironsworn:
    """The rules as the rest of the program sees them."""

    id = "ironsworn"
    name = "Ironsworn"
    rules = 1
    top = TOP
    moves = MOVES
    make_character = Start("character/make")
    new_track = Start("track/start")
    no_tracks = "No vow yet: Swear an Iron Vow."
    rolled = ROLLED

    members = staticmethod(_sheet.members)
    sheet = staticmethod(_sheet.sheet)
    tracks = staticmethod(_sheet.tracks)
    card = staticmethod(_telling.card)
    label = staticmethod(_telling.label)
    changes = staticmethod(_telling.changes)
    breaks = staticmethod(_story.breaks)

    # What the first frame does not show is imported when it is wanted.

    @staticmethod
    def track_moves(state: State, who: str, track: str) -> tuple[Action, ...]:
        from tracker.games.ironsworn.tracks import track_moves

        return track_moves(state, who, track)

    @staticmethod
    def track_odds(state: State, track: str) -> tuple[tuple[str, Odds], ...]:
        from tracker.games.ironsworn.tracks import track_odds

        return track_odds(state, track)

    @staticmethod
    def gm_side(state: State) -> GmSide | None:  # noqa: ARG004
        """The GM has no numbers in this game."""
        return None

    @staticmethod
    def now(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.ironsworn.suggestions import now

        return now(state, who)

    @staticmethod
    def fight(state: State, who: str) -> Fight | None:
        from tracker.games.ironsworn.moves.combat import fight

        return fight(state, who)

    @staticmethod
    def rolls(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.ironsworn.suggestions import rolls

        return rolls(state, who)

    @staticmethod
    def owed(state: State, who: str) -> tuple[DueItem, ...]:
        from tracker.games.ironsworn.suggestions import owed

        return owed(state, who)

    @staticmethod
    def belongings(state: State, who: str) -> tuple[Holding, ...]:
        from tracker.games.ironsworn.belongings import belongings

        return belongings(state, who)

    @staticmethod
    def member_moves(state: State, who: str) -> tuple[Action, ...]:
        from tracker.games.ironsworn.party import member_moves

        return member_moves(state, who)

    @staticmethod
    def oracles() -> Oracles:
        from tracker.games.ironsworn.suggestions import oracles

        return oracles()

    @staticmethod
    def why_not(state: State, who: str, move: str) -> str:
        from tracker.games.ironsworn.availability import why_not

        return why_not(state, who, move.rpartition("/")[2])

    @staticmethod
    def lint(state: State) -> tuple[str, ...]:
        from tracker.games.ironsworn.lint import lint

        return lint(state)

    @staticmethod
    def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
        from tracker.games.ironsworn.character import creation_answers

        return creation_answers(name, stats)


GAME = Ironsworn()
