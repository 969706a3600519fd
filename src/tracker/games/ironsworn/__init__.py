"""Ironsworn by Shawn Tomkin: its numbers and names, in our words."""

from __future__ import annotations

from tracker.games.api.game import Game, lazy
from tracker.games.api.view import Start
from tracker.games.common import scenes
from tracker.games.ironsworn.moves import HELPED, MOVES
from tracker.games.ironsworn.state import TOP


class Ironsworn(Game):
    """The rules of Ironsworn."""

    id, name, top, moves, helped = "ironsworn", "Ironsworn", TOP, MOVES, HELPED
    rules = 2
    new_track = Start("track/start")
    typed_examples = "health -1, momentum = -2, mark wounded"
    no_tracks = "No vow yet: Swear an Iron Vow."
    breaks = staticmethod(scenes.breaks)

    member = lazy("sheet:member")
    sheet = lazy("sheet:sheet")
    tracks = lazy("sheet:tracks")
    card = lazy("cards:card")
    phrases = lazy("cards:PHRASES")
    belongings = lazy("sheet:belongings")
    member_moves = lazy("character:member_moves")
    track_moves = lazy("suggestions:track_moves")
    track_odds = lazy("suggestions:track_odds")
    now = lazy("suggestions:now")
    rolls = lazy("suggestions:rolls")
    owed = lazy("suggestions:owed")
    oracles = lazy("suggestions:oracles")
    why_not = lazy("availability:why_not")
    fight = lazy("suggestions:fight")
    lint = lazy("lint:lint")
    vault = lazy("iron_vault:VAULT")
    creation_answers = lazy("character:creation_answers")
    roll_kinds = lazy("finished_moves:KINDS")
    past_rolls = lazy("finished_moves:rolls")
    past_dice = lazy("finished_moves:dice")
    feats = lazy("finished_moves:feats")
    gauges = lazy("finished_moves:gauges")
    landmarks = lazy("finished_moves:landmarks")


GAME = Ironsworn()
