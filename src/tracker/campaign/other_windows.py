"""Copies of a campaign that further windows of this player wrote: what only they have is added to the campaign.

A copy has something of its own if its window went on after the window that hosted the campaign was gone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from tracker.campaign.own_seat import FOLDER, WINDOWS
from tracker.campaign.session import SaveError, Session
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import counted
from tracker.saves import toml
from tracker.saves.disk import data_folder
from tracker.saves.head import folder_name
from tracker.saves.lock import Lock, lock_of
from tracker.text import shown_line


def take_left(session: Session) -> Session:
    """Add the entries that only other windows' copies have to the campaign of `session`, and return the session.

    A copy that is open is left alone, and a damaged one stays. Once all its entries are in the campaign's own file, a
    copy is deleted: later it would bring back what was deleted by hand or by a restore. Blocks while there are copies
    to read. The session gets a note for each copy that had new entries, is damaged, or cannot be read.
    """
    if not session.readonly and session.state["seats"]:  # else it was never shared
        for path in _copies(session):
            try:
                _take(session, path)
            except (SaveError, Refused, OSError, toml.BadToml) as error:
                why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).rstrip(".")
                session.notes.append(f"What another window saved in {shown_line(path, 200)} can't be read: {why}.")
    return session


def _copies(session: Session) -> Iterator[str]:
    """Yield the paths of the copies of this campaign that windows on this machine made, except the session's own.

    Stop, without an error, if a folder cannot be read.
    """
    with contextlib.suppress(OSError):
        parent = os.path.join(data_folder(), FOLDER, WINDOWS)
        begin = f"{folder_name(session.save.head.id)}-"
        mine = (name for name in sorted(os.listdir(parent)) if name.startswith(begin))
        for folder in (os.path.join(parent, name) for name in mine):
            for name in os.listdir(folder) if not os.path.islink(folder) else ():
                path = os.path.join(folder, name)
                if name.endswith(".toml") and not name.startswith(".") and os.path.realpath(path) != session.save.real:
                    yield path


def _take(session: Session, path: str) -> None:
    """Add the entries of the copy at `path` that the campaign lacks, and delete the copy once they are saved.

    Do nothing if its window is open, or if it is a copy of another campaign. A damaged copy is not deleted. Raise
    SaveError, Refused, BadToml or OSError if the copy cannot be read or its entries cannot be added.
    """
    try:
        lock = Lock(lock_of(path))
    except SaveError:
        return  # that window is still open, and shares its entries itself
    try:
        copy = Session.open(path, write=False, tail="keep")
        try:
            if not session.save.head.same_campaign(copy.save.head):
                return
            missing = {ident for ident, _ in copy.save.sums()} - {*session.ids()}
            found = [toml.parse(text.encode())["entry"][0] for _, text in copy.save.holding(missing)]
            damaged = bool(copy.save.read.bad or copy.save.read.torn)
        finally:
            copy.close()
        disk, new = session.save.disk, session.take(found)
        if session.settle().word == "saved":
            session.adopt_late()
            if not damaged:
                disk.unlink(path)
                lock.remove(lock_of(path))
        if new:
            session.notes.append(f"{counted(len(new), 'entry')} of another window were added.")
        if damaged:
            session.notes.append(
                f"Part of what another window saved in {shown_line(path, 200)} is damaged; it stays there."
            )
    finally:
        lock.release()
