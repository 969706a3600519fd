"""The games, each imported only when a campaign needs it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tracker.games.api.content import PieceKind
    from tracker.games.api.game import Game

NAMES = {"ironsworn": "Ironsworn", "wherever": "Wherever We Go", "daggerheart": "Daggerheart compatible"}
"""Every game there is, by id."""

PITCHES = {
    "ironsworn": "vows, journeys and fights; no GM needed",
    "wherever": "stepped dice to push and to gamble",
    "daggerheart": "Hope for the players, Fear for the GM",
}
"""What each is about, in a few words."""

EXAMPLES = {
    "ironsworn": "two sworn friends, a vow, a fight",
    "wherever": "a stolen ledger, a long stair",
    "daggerheart": "a night on the wolf road",
}
"""What the example of each is about."""


def game(ident: str) -> Game:
    """The rules of this game; Refused if there is no such game."""
    if ident not in NAMES:
        raise Refused(f"There is no game “{ident}”; there is {', '.join(NAMES)}.")
    found: Game = import_module(f"tracker.games.{ident}").GAME
    return found


def piece_kinds(ident: str) -> Mapping[str, PieceKind]:
    """What besides tables and assets a player of this game may keep in files, by the word that stands there."""
    from importlib.util import find_spec

    room = f"tracker.games.{ident}.equipment"
    found: Mapping[str, PieceKind] = import_module(room).PIECES if ident in NAMES and find_spec(room) else {}
    return found


CREDITS = (
    "Ironsworn is a game by Shawn Tomkin (ironswornrpg.com). The text of its moves, assets and oracles is licensed "
    "under Creative Commons Attribution 4.0 International (creativecommons.org/licenses/by/4.0). Its names and numbers "
    "are used here; every sentence, table and asset is our own. This work is unofficial, not endorsed by the author.",
    "Wherever We Go is a game by jaredmdunn (github.com/jaredmdunn/wherever-we-go). Its names and numbers are used "
    "here; every sentence and table is our own. This work is unofficial, not endorsed by the author.",
    "Daggerheart compatible. This product includes material from the Daggerheart System Reference Document 2.0, "
    "© Critical Role, LLC, under the terms of the Darrington Press Community Gaming License "
    "(darringtonpress.com/license, version 2.0 of 5 August 2026). More at daggerheart.com. Modified: names and numbers "
    "of its rules are used here, every sentence and table is our own, and nothing was modified before us. This work is "
    "unofficial, not affiliated with or endorsed by Darrington Press or Critical Role.",
)
"""Whose games these are, one paragraph each."""
