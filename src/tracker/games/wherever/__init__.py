"""Wherever We Go by jaredmdunn: its numbers and names, in our words."""

from __future__ import annotations

from tracker.games.api.game import Game, lazy
from tracker.games.common import scenes
from tracker.games.wherever.moves import MOVES
from tracker.games.wherever.state import TOP


class Wherever(Game):
    """The rules of Wherever We Go. Its only tracks are clocks."""

    id, name, top, moves = "wherever", "Wherever We Go", TOP, MOVES
    typed_examples = "health -1, stress = 2, wits d8"
    breaks = staticmethod(scenes.breaks)

    member = lazy("sheet:member")
    sheet = lazy("sheet:sheet")
    tracks = lazy("sheet:tracks")
    track_moves = lazy("sheet:track_moves")
    card = lazy("cards:card")
    phrases = lazy("cards:PHRASES")
    changes = lazy("cards:changes")
    belongings = lazy("sheet:belongings")
    member_moves = lazy("character:member_moves")
    now = lazy("suggestions:now")
    rolls = lazy("suggestions:rolls")
    owed = lazy("suggestions:owed")
    oracles = lazy("suggestions:oracles")
    chance_told = lazy("suggestions:chance_told")
    why_not = lazy("availability:why_not")
    lint = lazy("lint:lint")
    creation_answers = lazy("character:creation_answers")
    roll_kinds = lazy("finished_moves:KINDS")
    past_rolls = lazy("finished_moves:rolls")
    past_dice = lazy("finished_moves:dice")
    feats = lazy("finished_moves:feats")
    gauges = lazy("finished_moves:gauges")
    landmarks = lazy("finished_moves:landmarks")


GAME = Wherever()
