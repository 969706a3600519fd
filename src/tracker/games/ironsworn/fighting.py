"""A fight as it is shown: the foes, who has the initiative, and which moves that allows."""

from __future__ import annotations

from tracker.games.ironsworn.catalogue import MOVES, NAMED
from tracker.games.ironsworn.layout import living
from tracker.games.ironsworn.legal import why_not
from tracker.games.ironsworn.sheet import tracks
from tracker.games.schema import State
from tracker.games.sheet import Action, Fight, Side, Start
from tracker.text import shown_line

_STANDS = {"you": "has the initiative", "foe": "is without the initiative", "none": "is not in the fight"}
_MOVES = ("strike", "clash", "secure_an_advantage", "face_danger", "turn_the_tide", "end_the_fight")


def fight(state: State, who: str) -> Fight | None:
    """None as long as no foe has a track."""
    foes = tuple(track for track in tracks(state) if track.kind == "fight" and not track.closed)
    if not foes:
        return None
    sides = (
        Side(shown_line(state["party"][one]["name"]), _STANDS[state["party"][one]["initiative"]], one)
        for one in living(state)
    )
    return Fight(foes, tuple(sides), tuple(_move(state, who, name) for name in _named(state, who)))


def _named(state: State, who: str) -> tuple[str, ...]:
    """What somebody in a fight may think of; who is not in it yet has to enter it first."""
    if state["party"][who]["initiative"] == "none":
        return ("enter_the_fray",)
    return (*_MOVES, "aid_your_ally") if len(living(state)) > 1 else _MOVES


def _move(state: State, who: str, name: str) -> Action:
    return Action("", MOVES[NAMED[name]].name, Start(NAMED[name]), reason=why_not(state, who, name))
