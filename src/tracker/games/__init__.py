"""The games, each imported only when a campaign needs it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tracker.games.refused import Refused

if TYPE_CHECKING:
    from tracker.games.base import Game

NAMES = {"ironsworn": "Ironsworn", "wherever": "Wherever We Go"}
"""Every game there is, by id."""


def game(ident: str) -> Game:
    """The rules of this game; Refused if there is no such game."""
    if ident not in NAMES:
        raise Refused(f"There is no game “{ident}”; there is {', '.join(NAMES)}.")
    found: Game = import_module(f"tracker.games.{ident}").GAME
    return found


CREDITS = (
    "Ironsworn is a game by Shawn Tomkin (ironswornrpg.com). The text of its moves, assets and oracles is licensed "
    "under Creative Commons Attribution 4.0 International (creativecommons.org/licenses/by/4.0). Its names and numbers "
    "are used here; every sentence, table and asset is our own. This work is unofficial, not endorsed by the author.",
    "Wherever We Go is a game by jaredmdunn (github.com/jaredmdunn/wherever-we-go). Its names and numbers are used "
    "here; every sentence and table is our own. This work is unofficial, not endorsed by the author.",
)
"""Whose games these are, one paragraph each."""
