"""The ruling on each entry that another player sends: it is taken, waits, or is refused.

An entry that can never become right is refused: no honest tracker sends it. One that may become right waits, for
example for another entry or for the host's consent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from tracker.games.common.seats import GM, SPECTATOR, holder, name_of
from tracker.records import NamedTuple
from tracker.saves.blocks import Entry
from tracker.saves.id_set import split

if TYPE_CHECKING:
    from tracker.coop.replica import Replica
    from tracker.coop.seats import Seat

AHEAD = 1_000_000
"""Most by which the time `t` of an entry may exceed the highest time of all other entries."""
_OPENING = re.compile(r"[a-z0-9]{8}")


class Ruling(NamedTuple):
    """A decision about an entry: it is taken, waits, or is refused. `why` is a clause with the reason, "" if taken."""

    word: Literal["take", "wait", "refuse"]
    why: str = ""


TAKE = Ruling("take")


def judge(entry: Entry, seat: Seat, ours: Replica, *, missed: bool, trusted: bool, time: int | None = None) -> Ruling:
    """Return the ruling on an entry that the player in this seat has sent and that `ours` lacks.

    `missed` is True while the player sends what was made while apart: only then may entries of other players be among
    it. `trusted` is True if the host has agreed to take everything that this player sends. `time` is the highest time
    of all entries so far, if not that of `ours`. Raise OSError if the campaign's file cannot be read.
    """
    if seat.role == SPECTATOR:
        return Ruling("refuse", "spectators only watch")
    if entry["t"] > (ours.time if time is None else time) + AHEAD:
        return Ruling("refuse", "its time is too far ahead")
    own = entry.get("by", "") == seat.id
    if why := _misplaced(entry, ours, own=own):
        return Ruling("refuse", why)
    trusted = trusted or seat.role == GM
    if not own:
        if not missed:
            return Ruling("refuse", "it is in another player's name")
        if not trusted:
            return Ruling("wait", f"it is by {name_of(ours.session.state, entry.get('by', '')) or 'an unknown player'}")
    for named in ("closes", "undoes", "of"):
        if (target := entry.get(named)) is not None and target not in ours.ids:
            return Ruling("wait", "it is about an entry that is not here")
    if trusted:
        return TAKE
    if _changes_seats(entry, ours):
        return Ruling("wait", "it changes who plays whom")
    other = holder(ours.session.state, entry.get("who", ""))
    if other and other != seat.id:
        return Ruling("wait", f"it acts for a character of {name_of(ours.session.state, other)}")
    return TAKE


def _changes_seats(entry: Entry, ours: Replica) -> bool:
    """Return True if an entry says who plays whom, or undoes or redoes such an entry.

    Raise OSError if the campaign's file cannot be read.
    """
    about: Entry | None = entry
    while about and "undoes" in about:
        about = ours.entry(about["undoes"])
    effects = about.get("effects", ()) if about else ()
    return any(effect["at"].partition(".")[0] == "seats" for effect in effects)


def _misplaced(entry: Entry, ours: Replica, *, own: bool) -> str:
    """Return why this entry's id, author and time contradict the other entries of its opening; "" if they do not.

    The reason is a clause. `own` is True for an entry of the player who sent it: its id then needs our usual form.
    Raise OSError if the campaign's file cannot be read.
    """
    opening, counter = split(entry["id"])
    if own and not (counter and _OPENING.fullmatch(opening)):
        return "its id has the wrong form"
    last = ours.last_of(opening)
    if last is None:
        return ""
    if last.get("by", "") != entry.get("by", ""):
        return "its id belongs to another player"
    earlier, known = split(last["id"])[1], last["t"]
    if (counter > earlier and entry["t"] <= known) or (counter < earlier and entry["t"] >= known):
        return "its time contradicts its id"
    return ""
