"""Registry of games. The rules of a game are imported only when a campaign needs them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tracker.games.api.errors import Refused
from tracker.records import NamedTuple

if TYPE_CHECKING:
    from tracker.games.api.game import Game


class GameInfo(NamedTuple):
    """A game that the program knows, as lists show it: id, name, descriptions and credits.

    Making one does not import the game's rules; `load` does.
    """

    id: str
    """Id of the game in saves, and the name of its package here and of its folder in `content`."""
    name: str
    pitch: str
    """Description of the game, in a few words."""
    example: str
    """Description of the game's example campaign; "" if there is none."""
    credits: str
    """Author and license, one paragraph."""
    official: str = ""
    """How to get official content, one sentence; "" if there is none."""
    package: str = ""
    """Package that defines the constant GAME; "" for `tracker.games.<id>`."""

    def load(self) -> Game:
        """Import the game's package and return its rules."""
        game: Game = import_module(self.package or f"{__name__}.{self.id}").GAME
        return game


_ALL = (
    GameInfo(
        "ironsworn",
        "Ironsworn",
        "vows, journeys, and fights; no GM needed",
        "two sworn friends, a vow, a fight",
        "Ironsworn is a game by Shawn Tomkin (ironswornrpg.com). The text of its moves, assets and oracles is licensed "
        "under Creative Commons Attribution 4.0 International (creativecommons.org/licenses/by/4.0). Its names and "
        "numbers are used here; every sentence, table and asset is our own. This work is unofficial, not endorsed by "
        "the author.",
        "The official assets, oracles, and texts come as a pack, now or later: `tracker packs add "
        "npm:@datasworn/ironsworn-classic` installs it, then Ctrl+P finds “Packs of this campaign”.",
    ),
    GameInfo(
        "wherever",
        "Wherever We Go",
        "stepped dice to push and to gamble",
        "a stolen ledger, a long stair",
        "Wherever We Go is a game by jaredmdunn (github.com/jaredmdunn/wherever-we-go). Its names and numbers are used "
        "here; every sentence and table is our own. This work is unofficial, not endorsed by the author.",
    ),
    GameInfo(
        "daggerheart",
        "Daggerheart compatible",
        "Hope for the players, Fear for the GM",
        "a night on the wolf road",
        "Daggerheart compatible. This product includes material from the Daggerheart System Reference Document 2.0, "
        "© Critical Role, LLC, under the terms of the Darrington Press Community Gaming License "
        "(darringtonpress.com/license, version 2.0 of August 5, 2026). More at daggerheart.com. Modified: names and "
        "numbers of its rules are used here, every sentence and table is our own, and nothing was modified before us. "
        "This work is unofficial, not affiliated with or endorsed by Darrington Press or Critical Role.",
    ),
)

GAMES = {info.id: info for info in _ALL}
"""Every game by id, in the order in which they are offered."""


def get(ident: str) -> Game:
    """Import and return the rules of the game with this id. Raise Refused if there is no such game."""
    if ident not in GAMES:
        raise Refused(f"No game is called “{ident}”; choose from: {', '.join(GAMES)}.")
    return GAMES[ident].load()


def name_of(ident: str) -> str:
    """Return the name of the game with this id, or the id itself if there is no such game."""
    return GAMES[ident].name if ident in GAMES else ident
