"""The campaigns on the shelf, as they stand now."""

from __future__ import annotations

from dataclasses import replace

from tracker.saves import places
from tracker.saves.errors import SaveError
from tracker.saves.places import Listed
from tracker.table.session import Session


def shelf(folder: str) -> list[Listed]:
    """Every campaign, the one played last first. One that was not closed cleanly is opened to see who is in it."""
    return [as_it_stands(one) if one.stale else one for one in places.campaigns(folder)]


def as_it_stands(one: Listed) -> Listed:
    try:
        session = Session.open(one.path, write=False, tail="keep")
    except (SaveError, OSError) as error:
        return replace(one, problem=str(error))
    session.close()
    names = tuple(member.name for member in session.game.members(session.state))
    damage = session.save.read.damage if session.save.read.bad else ""
    return replace(one, characters=names, problem=damage)
