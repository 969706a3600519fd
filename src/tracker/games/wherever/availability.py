"""Reasons why a move cannot be made now."""

from __future__ import annotations

from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.schema import State
from tracker.games.wherever.state import broken, harms_of
from tracker.text import shown_line

ACTS = frozenset({"roll", "group", "opposed", "attack", "train"})
"""Moves that a Broken character cannot make."""


def why_not(state: State, who: str, move: str) -> str:
    """Return the reason in a few words, or "" if nothing is in the way. `move` is an id, or the last part of one."""
    move = move.rpartition("/")[2]
    me = state["party"][who]
    if me["status"] != "alive" and move != "broken_save":
        return f"{shown_line(me['name'])} is {me['status']}"
    if move in ACTS and broken(me):
        return f"{shown_line(me['name'])} is Broken and cannot act"
    reasons = {
        "name_harm": "there is no harm" if not any(harms_of(me).values()) else "",
        "injury": "no permanent injury is due" if not me["owed"].get("permanent_injury") else "",
        "use_supply": "there are no supplies" if not _supplied(me) else "",
        "heal_harm": "there is no harm" if not any(harms_of(me).values()) else "",
        "strike_off": "nothing is owed" if not me["owed"] else "",
    }
    return reasons.get(move, "")


def begin(table: Draft, move: str) -> None:
    """Raise Refused with the reason if the move cannot be made now."""
    if reason := why_not(table.state, table.who, move):
        raise Refused(f"{reason[0].upper()}{reason[1:]}.")


def _supplied(me: State) -> bool:
    return any(one["die"] != "gone" for one in me["supplies"].values())
