"""Campaigns that are not open, for frontends: lists, names, examples, copies, the archive and backups.

Names in `__all__` that are not defined here come from `tracker.saves.saves_folder` and `tracker.saves.backups`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from tracker.campaign.session import SaveError, Session, Step
from tracker.saves import saves_folder
from tracker.saves.backups import REPLACED, Backup, Condition, ago, as_new, find, in_place, intact_path, look
from tracker.saves.disk import Disk
from tracker.saves.lock import held, lock_of
from tracker.saves.reader import FIRST_READ
from tracker.saves.saves_folder import (
    CampaignInfo,
    archive,
    bring_back,
    campaigns,
    copy_example,
    copy_name,
    copy_path,
    duplicate,
    example_name,
    examples,
    id_of,
    look_at,
    rename,
)
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
    "example_name",
    "examples",
    "find",
    "in_place",
    "look",
    "rename",
]

READ_MOST = 1 << 23
"""Most bytes that a list reads of one campaign; about 40,000 entries. Longer ones are read only to be played."""


class TooLong(SaveError):
    """Raised for a campaign if more than READ_MOST bytes would have to be read to show it in a list."""


def use_packs(path: str, packs: Sequence[str]) -> None:
    """Record in the campaign at this path that it uses the packs with these ids; do nothing if there are none.

    The campaign is opened and closed for that. Raise Refused if one of them is not installed, and SaveError if the
    campaign cannot be opened or saved.
    """
    if not packs:
        return
    session = Session.open(path)
    try:
        for ident in packs:
            session.finish(session.begin("packs/use", "", [["pack", ident]]))
    finally:
        sign = session.close()
    if sign.word != "saved":
        raise SaveError(f"Created the campaign, but couldn't save its packs: {sign.why}.")


def all_as_they_stand(listed: Iterable[CampaignInfo], step: Step | None = None) -> list[CampaignInfo]:
    """Return the campaigns with their present parties and `stale` set to False.

    Those that are `stale` are read for that, which takes longer, unless they are very long; their errors are in
    `problem`. `step` is called with the progress in each of them, from 0 to 1, and may raise to cancel.
    """
    return [as_it_stands(one, step)._replace(stale=False) if one.stale else one for one in listed]


def as_it_stands(one: CampaignInfo, step: Step | None = None) -> CampaignInfo:
    """Return `one` with its present party, number of entries and damage; if `one.stale` is True, the file is read.

    A game that is missing because of a long head is looked up, too. If more than READ_MOST bytes would have to be read,
    party and number stay the same. Errors are in the result's `problem`. `step` is called with the progress, from 0 to
    1, and may raise to cancel.
    """
    if not one.game and not one.problem:
        one = look_at(one.path)  # the head was too long for a quick look
    if not one.stale or one.problem:
        return one
    try:
        session = look_into(one, step)
    except TooLong:
        return one
    except (SaveError, OSError) as error:
        return one._replace(problem=str(error))
    names = tuple(member.name for member in session.game.members(session.state))
    damage = session.save.read.damage if session.save.read.bad else ""
    entries = session.log.upto + len(session.log.entries)
    return one._replace(characters=names, entries=entries, problem=damage)


def look_into(one: CampaignInfo, step: Step | None = None) -> Session:
    """Read a campaign and return its session, which is closed already: only its state and log can be read.

    `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise TooLong if more than READ_MOST bytes
    would have to be read, and SaveError if the campaign cannot be opened.
    """

    def going_through(done: float) -> None:
        """Report the progress; raise TooLong for a large file, since this is called only if all of the file is read."""
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
    """Return the campaigns in a folder, or in its archive if `archive` is True, last played first.

    To be fast enough for the first frame, only the start of each head is read, so those with a long head have no game
    or characters yet. Pass each campaign that is `stale` to `as_it_stands` later. Raise OSError if the folder cannot be
    read.
    """
    return (saves_folder.archived if archive else campaigns)(folder, FIRST_READ)


def name_problem(name: str, folder: str) -> str | None:
    """Return why a new campaign in this folder cannot have this name, as a sentence for the player; None if it can."""
    taken = os.path.lexists(os.path.join(folder, f"{name}.toml"))
    return saves_folder.name_problem(name) or (f"“{shown_line(name)}” already exists." if taken else None)


def copies(path: str) -> list[CampaignInfo]:
    """Return the other copies of the campaign at this path that are in its folder.

    Raise OSError if the folder cannot be read.
    """
    ident = id_of(path)
    there = campaigns(os.path.dirname(path) or ".")
    return [one for one in there if ident and not os.path.samefile(one.path, path) and id_of(one.path) == ident]


def open_elsewhere(path: str) -> bool:
    """Return True if a tracker, this one included, has the campaign at this path open for writing."""
    return held(lock_of(os.path.realpath(path)))


def look_at_backup(backup: Backup) -> CampaignInfo:
    """Return a backup as a list of campaigns shows one, with the name that the campaign had then.

    Never raises OSError or SaveError: the result's `problem` says what is wrong with the file.
    """
    return look_at(intact_path(backup))._replace(name=backup.name)


def save_copy(session: Session, said: str) -> None:
    """Save an open campaign to a new file and make the session continue with that file.

    `said` is what the player typed: a name for the same folder, or a path. Raise SaveError if the name is not valid or
    taken, if the file cannot be written, or if the campaign is read-only.
    """
    session.save_copy(copy_path(said, session.save.path))


def report_fault(folder: str, details: str) -> str:
    """Write `details` of a crash to a file in the saves folder, replacing that of the last crash; return its path.

    Raise OSError on failure.
    """
    path = os.path.join(folder, ".last-fault.txt")
    Disk().replace_file(path, details.encode("utf-8", "backslashreplace"), 0o600)
    return path
