"""The campaigns on the shelf, as they stand now."""

from __future__ import annotations

from dataclasses import replace

from tracker.saves import places
from tracker.saves.errors import SaveError
from tracker.saves.places import Listed
from tracker.saves.save import Step
from tracker.table.session import Session

READ_MOST = 1 << 23
"""Bytes that a list reads of one campaign, about 40,000 entries: a longer one without a snapshot is only read when
somebody opens it."""


class TooLong(SaveError):
    """A save of which a list would have to read more than READ_MOST."""


def shelf(folder: str) -> list[Listed]:
    """Return every campaign, the one played last first. One that was not closed cleanly is opened to see its party."""
    return [as_it_stands(one) if one.stale else one for one in places.campaigns(folder)]


def as_it_stands(one: Listed, step: Step | None = None) -> Listed:
    """Return this campaign as it is after its last entry; as its head has it, where that would take long to read."""
    if not one.game and not one.problem:
        one = places.look_at(one.path)  # its head was too long for a quick look
    if not one.stale or one.problem:
        return one
    try:
        session = look_into(one, step)
    except TooLong:
        return one
    except (SaveError, OSError) as error:
        return replace(one, problem=str(error))
    names = tuple(member.name for member in session.game.members(session.state))
    damage = session.save.read.damage if session.save.read.bad else ""
    return replace(one, characters=names, problem=damage)


def look_into(one: Listed, step: Step | None = None) -> Session:
    """Return the session of this campaign, closed again. Raise TooLong where more than READ_MOST has to be read.

    `step` may raise to leave it.
    """

    def going_through(done: float) -> None:
        """Called only where the whole file is read, snapshot or not."""
        if step:
            step(done)
        if one.size > READ_MOST:
            raise _too_long(one.size)

    if one.unread > READ_MOST:
        raise _too_long(one.unread)
    session = Session.open(one.path, write=False, tail="keep", step=going_through)
    session.close()
    return session


def _too_long(size: int) -> TooLong:
    return TooLong(f"It is long: {size >> 20} MB of it have to be read first. Enter opens it.")
