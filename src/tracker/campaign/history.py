"""Entries of any age, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tracker.campaign.log import Entry

if TYPE_CHECKING:
    from tracker.campaign.session import Session

CHUNK = 100


def history(session: Session) -> Iterator[tuple[Entry, bool]]:
    """Yield each entry and whether it is undone, newest first. Read those behind the snapshot on demand.

    End early if the file cannot be read.
    """
    log = session.log
    shown = {entry["id"] for entry in log.entries}
    dead: set[str] = set()
    for entry in reversed(log.entries):
        if "undoes" in entry and not log.undone(entry):
            dead.add(entry["undoes"])
        yield entry, log.undone(entry)
    before: int | None = None if log.upto else 0
    while before != 0:
        try:
            entries, before = session.save.older(before, CHUNK)
        except OSError:
            return  # the save status already says that the file is gone
        for entry in reversed(entries):
            if entry["id"] in shown:
                continue  # the snapshot in the file may be newer than the one in memory
            undone = entry["id"] in dead
            if "undoes" in entry and not undone:
                dead.add(entry["undoes"])
            if undone and "closes" in entry:
                dead.add(entry["closes"])
            yield entry, undone


def newest_to_undo(session: Session) -> str | None:
    """Return the id of the newest entry that can be undone, however old, or None."""
    done = (entry for entry, undone in history(session) if not undone and "undoes" not in entry)
    return next((entry["id"] for entry in done if not session.superseded(entry)), None)
