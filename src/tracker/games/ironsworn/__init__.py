"""Ironsworn by Shawn Tomkin: its numbers and names, in our words."""

from __future__ import annotations

from tracker.games.ironsworn import sheet as _sheet
from tracker.games.ironsworn import telling as _telling
from tracker.games.ironsworn.catalogue import MOVES
from tracker.games.ironsworn.layout import TOP
from tracker.games.sheet import Start


class Ironsworn:
    """The rules as the rest of the program sees them."""

    id = "ironsworn"
    name = "Ironsworn"
    rules = 1
    top = TOP
    moves = MOVES
    make_character = Start("character/make")
    no_tracks = "No vow yet: m swears one."

    members = staticmethod(_sheet.members)
    sheet = staticmethod(_sheet.sheet)
    tracks = staticmethod(_sheet.tracks)
    track_moves = staticmethod(_sheet.track_moves)
    now = staticmethod(_sheet.now)
    rolls = staticmethod(_sheet.rolls)
    owed = staticmethod(_sheet.owed)
    lint = staticmethod(_sheet.lint)
    card = staticmethod(_telling.card)
    label = staticmethod(_telling.label)
    changes = staticmethod(_telling.changes)


GAME = Ironsworn()
