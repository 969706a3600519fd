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
    dead: set[str] = set()
    for entry in reversed(log.entries):
        if "undoes" in entry and not log.undone(entry):
            dead.add(entry["undoes"])
        yield entry, log.undone(entry)
    if log.upto:
        yield from _judged(_behind_snapshot(session), dead)


def _behind_snapshot(session: Session) -> Iterator[Entry]:
    """Yield the entries that are not in memory, newest first. End early if the file cannot be read."""
    # The snapshot in the file may be newer than the one in memory.
    shown = {entry["id"] for entry in session.log.entries}
    before: int | None = None
    while before != 0:
        try:
            entries, before = session.save.older(before, CHUNK)
        except OSError:
            return  # the save status already says that the file is gone
        yield from (entry for entry in reversed(entries) if entry["id"] not in shown)


def _judged(entries: Iterator[Entry], dead: set[str]) -> Iterator[tuple[Entry, bool]]:
    """Yield each of these entries, which come newest first, and whether it is undone. `dead` are ids undone so far.

    An undo may name any entry of a procedure, so entries wait until every procedure among them is read to its start.
    """
    waiting: list[Entry] = []
    closes: dict[str, str] = {}
    starts: set[str] = set()

    def is_undone(ident: str | None) -> bool:
        while ident is not None and ident not in dead:
            ident = closes.get(ident)
        return ident is not None

    def settled() -> Iterator[tuple[Entry, bool]]:
        for entry in waiting:
            undone = is_undone(entry["id"])
            if undone and "closes" in entry:
                dead.add(entry["closes"])
            yield entry, undone
        waiting.clear()

    for entry in entries:
        waiting.append(entry)
        if "undoes" in entry and entry["id"] not in dead:
            dead.add(entry["undoes"])
        starts.discard(entry["id"])
        if "closes" in entry:
            closes[entry["id"]] = entry["closes"]
            starts.add(entry["closes"])
        if not starts:
            yield from settled()
    yield from settled()


def newest_to_undo(session: Session) -> str | None:
    """Return the id of the newest entry that can be undone, however old, or None."""
    done = (entry for entry, undone in history(session) if not undone and "undoes" not in entry)
    return next((entry["id"] for entry in done if not session.superseded(entry)), None)
