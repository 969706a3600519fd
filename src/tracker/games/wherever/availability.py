"""Which moves a character can make now, and the reasons why others cannot be made."""

from __future__ import annotations

from tracker.games.api.schema import State
from tracker.games.common.members import out_of_play
from tracker.games.wherever.state import broken, harms_of
from tracker.text import shown_line

ACTS = frozenset({"roll", "group", "opposed", "attack", "train"})
"""Moves, by the last part of their id, that a Broken character cannot make."""


def why_not(state: State, who: str, move: str) -> str:
    """Return the reason why the character `who` cannot make a move now, or "" if nothing is in the way.

    `move` is an id such as "action/roll", or its last part.
    """
    move = move.rpartition("/")[2]
    me = state["party"][who]
    if (reason := out_of_play(me)) and move != "broken_save":
        return reason
    if move in ACTS and broken(me):
        return f"{shown_line(me['name'])} is Broken and can't act"
    reasons = {
        "name_harm": "no harm" if not any(harms_of(me).values()) else "",
        "injury": "no permanent injury due" if not me["owed"].get("permanent_injury") else "",
        "use_supply": "no supplies left" if not _supplied(me) else "",
        "heal_harm": "no harm" if not any(harms_of(me).values()) else "",
        "strike_off": "nothing is due" if not me["owed"] else "",
    }
    return reasons.get(move, "")


def _supplied(me: State) -> bool:
    return any(one["die"] != "gone" for one in me["supplies"].values())
