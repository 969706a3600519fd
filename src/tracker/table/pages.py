"""The journal from any place in it: what is read are the pages around that place, however long the log is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tracker.table.log import Entry, Log
from tracker.table.session import Session
from tracker.table.story import Item, Words, items

PAGE = 200


class Pages:
    """Items in order, oldest first, of a stretch that grows at both ends.

    The entries after the base are in memory. Those behind it are read when somebody comes there; what newer
    entries say about them is found by a look at the bytes of all. Where the file cannot be read now, these pages stay
    as they are, and `missing` says why.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._far: list[Entry] = []
        self._low: int | None = None
        self._high: int | None = None
        """Where in the file `_far` begins and ends; None is the end of what the base stands for."""
        self._marked: list[Entry] | None = None
        self._told = (session.log, session.log.upto, 0)
        """The log that was shown last, its `upto` then, and how many entries of `_far` came before that."""
        self.items: list[Item] = []
        self.missing = ""
        self.renew()

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        before = self._far, self._low, self._high
        try:
            yield
        except OSError as error:
            self._far, self._low, self._high = before
            self.missing = error.strerror or str(error)

    # -- where ------------------------------------------------------------------------------------------

    def to_newest(self) -> None:
        self._far, self._low, self._high = [], None, None
        self.renew()

    def to_oldest(self) -> None:
        with self._reading():
            if self._session.log.upto:
                self._far, self._low, self._high = [], 0, 0
                self._forth()
            self._tell()

    def to(self, ident: str) -> bool:
        """Whether an entry with this id was found; the pages around it are here then."""
        if any(entry["id"] == ident for entry in self._session.log.entries):
            self.to_newest()
            return True
        with self._reading():
            place = self._session.save.place_of(ident)
            if place is not None:
                self._far, self._low, self._high = [], place, place
                self._back()
                self._forth()
                self._tell()
                return True
        return False

    @property
    def is_newest(self) -> bool:
        """Whether these pages reach to the newest entry."""
        return self._high is None

    # -- growing ----------------------------------------------------------------------------------------

    def back(self) -> bool:
        """Whether there was something older."""
        with self._reading():
            if self._session.log.upto and self._low != 0:
                found = self._back()
                self._tell()
                return found
        return False

    def _back(self) -> bool:
        entries, self._low = self._session.save.older(self._low, PAGE)
        self._far = entries + self._far
        return bool(entries)

    def forth(self) -> bool:
        """Whether there was something newer than these pages."""
        with self._reading():
            if self._high is not None:
                self._forth()
                self._tell()
                return True
        return False

    def _forth(self) -> None:
        assert self._high is not None
        entries, self._high = self._session.save.newer(self._high, PAGE)
        self._far = self._far + entries

    def renew(self) -> None:
        """Read again what later entries say about earlier ones."""
        with self._reading():
            self._tell()

    def _tell(self) -> None:
        log = self._session.log
        self._follow(log)
        near = log.entries if self._high is None else []
        if self._far and (self._marked is None or self._told[:2] != (log, log.upto)):
            self._marked = self._session.save.marked()
        dead, words = said_later(log, self._marked or [])
        here = {entry["id"] for entry in log.entries}
        far = [(entry, far_undone(entry, dead)) for entry in self._far if entry["id"] not in here]
        both = [*far, *((entry, log.undone(entry)) for entry in near)]
        self.items = list(items(self._session, reversed(both), words))[::-1]
        self._told = log, log.upto, len(far)

    def _follow(self, log: Log) -> None:
        """Read again what has left the memory of the log since the last time, so that no entry is missing between."""
        _, upto, far = self._told
        base = self._session.save.head.base
        if self._high is None and log.upto > upto and base:
            self._far, self._low = self._session.save.older(None, base.upto - upto + far)


def said_later(log: Log, marked: list[Entry]) -> tuple[set[str], Words]:
    """What is undone, and how things read, by the word of this log and of these older entries, newest first."""
    dead = {entry["undoes"] for entry in log.entries if "undoes" in entry and not log.undone(entry)}
    words = Words()
    for entry in reversed(log.entries):
        if not log.undone(entry):
            words.hear(entry)
    for entry in marked:
        if not far_undone(entry, dead):
            if "undoes" in entry:
                dead.add(entry["undoes"])
            words.hear(entry)
    return dead, words


def far_undone(entry: Entry, dead: set[str]) -> bool:
    """Whether an entry behind the base is undone."""
    return entry["id"] in dead or entry.get("closes") in dead
