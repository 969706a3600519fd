"""Lantern, a toy game of one number and one roll. docs/adding-a-game.md walks through it."""

from tracker.games import GameInfo
from tracker.games.api.game import Game, Move, lazy, lazy_procedure
from tracker.games.api.schema import DICE, Choice, Collection, Integer, Line, Record
from tracker.games.common import clocks, scenes

CHARACTER = Record({"name": Line(), "status": Choice(("alive", "retired", "gone")), "light": Integer(0, 6, 3)})
TOP = Record({**scenes.LAYOUT, "dice_are": DICE, "party": Collection(CHARACTER), "clocks": clocks.CLOCKS})


def _move(ident: str, name: str, trigger: str, *, solo: bool = False) -> Move:
    group, _, procedure = ident.partition("/")
    return Move(ident, name, lazy_procedure(f"{__name__}.rules", procedure), group, trigger, solo=solo)


_OWN = (
    _move("dark/step", "Step into the dark", "You go where you cannot see."),
    _move("dark/refill", "Refill the lantern", "You find oil."),
    _move("character/make", "Make a character", "Somebody new joins.", solo=True),
)
MOVES = {move.id: move for move in (*_OWN, *clocks.MOVES)} | scenes.MOVES


class Lantern(Game):
    """The rules of Lantern."""

    id, name, top, moves = "lantern", "Lantern", TOP, MOVES
    typed_examples = "oil -1"
    breaks = staticmethod(scenes.breaks)
    tracks = staticmethod(clocks.shown)
    track_moves = lazy("view:track_moves")
    sheet = lazy("view:sheet")
    card = lazy("view:card")
    now = lazy("view:now")
    creation_answers = lazy("rules:creation_answers")


GAME = Lantern()
INFO = GameInfo("lantern", "Lantern", "one light in the dark", "", "Lantern is our own.", package=__name__)
