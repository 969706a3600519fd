"""Campaigns that are not open, for front ends: lists, names, examples, copies, the archive and backups."""

from __future__ import annotations

import os
from dataclasses import replace

from tracker.campaign.session import SaveError, Session, Step
from tracker.saves import library
from tracker.saves.backups import REPLACED, Backup, Condition, ago, as_new, find, in_place, intact_path, look
from tracker.saves.disk import Disk
from tracker.saves.library import (
    CampaignInfo,
    archive,
    bring_back,
    campaigns,
    copy_example,
    copy_name,
    copy_path,
    duplicate,
    examples,
    look_at,
    rename,
)
from tracker.saves.lock import held, lock_of
from tracker.saves.reader import FIRST_READ
from tracker.text import shown_line

__all__ = [
    "REPLACED",
    "Backup",
    "CampaignInfo",
    "Condition",
    "ago",
    "archive",
    "as_new",
    "bring_back",
    "copy_example",
    "copy_name",
    "duplicate",
    "examples",
    "find",
    "in_place",
    "look",
    "rename",
]

READ_MOST = 1 << 23
"""Most bytes that a list reads of one campaign, about 40,000 entries; longer ones are read only when opened."""


class TooLong(SaveError):
    """Raised for a save of which a list would have to read more than READ_MOST bytes."""


def shelf(folder: str) -> list[CampaignInfo]:
    """Return every campaign in a folder, last played first. Open those not closed cleanly to see their party."""
    return [as_it_stands(one) if one.stale else one for one in campaigns(folder)]


def as_it_stands(one: CampaignInfo, step: Step | None = None) -> CampaignInfo:
    """Return the campaign as of its last entry, or as of its head if reading more would take long."""
    if not one.game and not one.problem:
        one = look_at(one.path)  # the head was too long for a quick look
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


def look_into(one: CampaignInfo, step: Step | None = None) -> Session:
    """Open a campaign for reading and return its closed session. Raise TooLong beyond READ_MOST bytes.

    `step` may raise to cancel.
    """

    def going_through(done: float) -> None:
        """Report progress; called only while the whole file is read."""
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
    return TooLong(f"This campaign is long: {size >> 20} MB to read first. Enter opens it.")


def first_look(folder: str, *, archive: bool) -> list[CampaignInfo]:
    """Return the campaigns of a folder or of its archive as far as a first frame can wait for them.

    Only heads are read, of long ones only the start; `as_it_stands` reads on. Raise OSError if the folder cannot be
    read.
    """
    return (library.archived if archive else campaigns)(folder, FIRST_READ)


def name_problem(name: str, folder: str) -> str | None:
    """Return why no new campaign in this folder can be called this, in one sentence, or None."""
    taken = os.path.lexists(os.path.join(folder, f"{name}.toml"))
    return library.name_problem(name) or (f"“{shown_line(name)}” already exists." if taken else None)


def open_elsewhere(path: str) -> bool:
    """Return True if a tracker has this campaign open."""
    return held(lock_of(os.path.realpath(path)))


def look_at_backup(backup: Backup) -> CampaignInfo:
    """Return a backup as a list of campaigns shows it, under the name that the campaign had."""
    return replace(look_at(intact_path(backup)), name=backup.name)


def save_copy(session: Session, said: str) -> None:
    """Save a copy of an open campaign under a name beside it or at a path, and go on with it.

    Raise SaveError, with nothing changed, if that is no name for a campaign, is taken, or cannot be written.
    """
    session.save_copy(copy_path(said, session.save.path))


def report_fault(folder: str, details: str) -> str:
    """Write what is known about a fault of the program into the saves folder and return the path. Raise OSError."""
    path = os.path.join(folder, ".last-fault.txt")
    Disk().replace_file(path, details.encode("utf-8", "backslashreplace"), 0o600)
    return path
