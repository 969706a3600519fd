"""Daggerheart compatible: the numbers and names of a game by Darrington Press, in our words."""

from __future__ import annotations

from tracker.games.api.game import Game, lazy
from tracker.games.api.view import Start
from tracker.games.common import scenes
from tracker.games.daggerheart.moves import MOVES
from tracker.games.daggerheart.state import TOP


class Daggerheart(Game):
    """The rules of a game compatible with Daggerheart."""

    id, name, top, moves = "daggerheart", "Daggerheart compatible", TOP, MOVES
    new_track = Start("countdown/begin")
    typed_examples = "HP +1, Hope -2, Stress = 2"
    no_tracks = "No countdowns yet: n starts one."
    pieces = lazy("equipment:PIECES")
    breaks = staticmethod(scenes.breaks)

    member = lazy("sheet:member")
    sheet = lazy("sheet:sheet")
    tracks = lazy("sheet:tracks")
    card = lazy("cards:card")
    phrases = lazy("cards:PHRASES")
    changes = lazy("cards:changes")
    belongings = lazy("sheet:belongings")
    member_moves = lazy("character:member_moves")
    track_moves = lazy("gm_side:track_moves")
    fight = lazy("gm_side:fight")
    gm_side = lazy("gm_side:gm_side")
    hides_gm_side = lazy("derived_values:are_secret")
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


GAME = Daggerheart()
