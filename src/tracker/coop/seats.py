"""The seat that a player gets in a shared campaign, and the characters that are handed to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.games.api.schema import State
from tracker.games.common.seats import GM, PLAYER, add, free_id, handed, name_of, with_key
from tracker.records import NamedTuple

if TYPE_CHECKING:
    from tracker.campaign.session import Session


class Seat(NamedTuple):
    """A place in a campaign: the id that entries have as `by`, the player's name, and the role."""

    id: str
    name: str
    role: str = PLAYER


def seat_of(state: State, ident: str) -> Seat:
    """Return the seat with this id. Raise KeyError if the campaign has none."""
    record = state["seats"][ident]
    return Seat(ident, name_of(state, ident), record["role"])


def sit(session: Session, name: str, key: str) -> Seat:
    """Return the seat with this public key, and make it the session's own; if there is none, make one.

    The new seat has the name `name`. The first seat of a campaign is that of a GM and plays all its characters. Raise
    Refused if a new seat cannot be saved.
    """
    ident = with_key(session.state, key)
    if not ident:
        first = not session.state["seats"]
        ident = free_id(session.state, name)
        session.by = ident
        plays = session.state["party"] if first else ()
        session.do("seat", add(ident, name, GM if first else PLAYER, key, plays))
    session.by = ident
    return seat_of(session.state, ident)


def give(session: Session, who: str, seat: str) -> None:
    """Let only the player in the seat `seat` play the character `who`, both ids; with "", everybody may.

    Do nothing if that is so already. Raise Refused if the change cannot be saved.
    """
    effects = handed(session.state, who, seat)
    if effects:
        session.do("seat", effects)
