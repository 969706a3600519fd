"""Entries of any age, and what later ones say of them. Only this module reads entries behind the snapshot."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from tracker.campaign.log import Entry, Log
from tracker.saves.save import Save

EDIT, STRIKE, RESTORE = "journal/edit", "journal/strike", "journal/restore"
"""What an entry does that changes how another one reads; `of` names that one."""

CHUNK = 100
PAGE = 200
PATIENCE = 1000
"""Most entries that wait for the start of a procedure; a start that was deleted by hand never comes."""


class Source(Protocol):
    """The entries of an open campaign: the newest in memory, the older ones in the file."""

    log: Log
    save: Save


class Later:
    """What later entries say of earlier ones: which are undone, edited and struck. Hears entries newest first."""

    def __init__(self) -> None:
        self._undone: set[str] = set()
        self._closes: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.struck: dict[str, bool] = {}

    def undoes(self, entry: Entry) -> bool:
        """Return True if an entry heard so far undoes this older one, or one that it goes on from."""
        ident, before = entry["id"], entry.get("closes")
        while ident not in self._undone:
            if before is None:
                return False
            ident, before = before, self._closes.get(before)
        return True

    def foresee(self, entry: Entry) -> None:
        """Take in which entries this one undoes and goes on from, before it is known whether it is undone itself."""
        if "undoes" in entry and entry["id"] not in self._undone:
            self._undone.add(entry["undoes"])
        if "closes" in entry:
            self._closes[entry["id"]] = entry["closes"]

    def hear(self, entry: Entry, *, undone: bool) -> None:
        """Take in the next older entry. An undone one says nothing of others, but what it goes on from is undone too.

        Of several edits or strikes the newest counts.
        """
        if undone:
            if "closes" in entry:
                self._undone.add(entry["closes"])
            return
        if "undoes" in entry:
            self._undone.add(entry["undoes"])
        of, did = entry.get("of"), entry.get("did")
        if isinstance(of, str) and did == EDIT:
            self.texts.setdefault(of, entry.get("text", ""))
        elif isinstance(of, str) and did in {STRIKE, RESTORE}:
            self.struck.setdefault(of, did == STRIKE)


class History:
    """The entries of one campaign. Iterate for each entry and whether it is undone, newest first."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._superseded: tuple[Log, frozenset[str]] | None = None
        """The superseded entries behind the snapshot of this log."""

    @property
    def log(self) -> Log:
        """The entries in memory."""
        return self._source.log

    @property
    def save(self) -> Save:
        """The file with the older entries."""
        return self._source.save

    def __iter__(self) -> Iterator[tuple[Entry, bool]]:
        """Yield each entry and whether it is undone, newest first. Read those behind the snapshot on demand.

        End early if the file cannot be read.
        """
        return self._judged(self._older(), Later())

    def newest(self) -> Iterator[tuple[Entry, bool]]:
        """Yield each entry in memory and whether it is undone, newest first."""
        return ((entry, self.log.undone(entry)) for entry in reversed(self.log.entries))

    def _older(self) -> Iterator[Entry]:
        before: int | None = None if self.log.upto else 0
        while before != 0:
            try:
                entries, before = self.save.older(before, CHUNK)
            except OSError:
                return  # the save status already says that the file is gone
            yield from reversed(entries)

    def _judged(self, older: Iterable[Entry], later: Later) -> Iterator[tuple[Entry, bool]]:
        """Yield the entries in memory and then these `older` ones, newest first. `later` hears all of them.

        An undo may name any entry of a procedure, so older entries wait until every procedure among them is read to its
        start.
        """
        here = {entry["id"] for entry in self.log.entries}
        for entry, undone in self.newest():
            later.hear(entry, undone=undone)
            yield entry, undone
        waiting: list[Entry] = []
        starts: set[str] = set()
        for entry in older:
            if entry["id"] in here:
                continue  # the snapshot in the file may be newer than the one in memory
            waiting.append(entry)
            later.foresee(entry)
            starts.discard(entry["id"])
            if "closes" in entry:
                starts.add(entry["closes"])
            if not starts or len(waiting) >= PATIENCE:
                yield from _settled(waiting, later)
                waiting, starts = [], set()
        yield from _settled(waiting, later)

    # -- questions about one entry ----------------------------------------------------------------------

    def superseded(self, entry: Entry) -> bool:
        """Return True if the entry never counts, because an earlier one goes on from where it does (see `Log`).

        Those behind the snapshot are looked up in the file, once per log; False as long as the file cannot be read.
        """
        log = self.log
        if "closes" not in entry or log.holds(entry["id"]) or not log.upto:
            return log.superseded(entry)
        if self._superseded is None or self._superseded[0] is not log:
            try:
                self._superseded = log, self.save.superseded()
            except OSError:
                return False  # the save status says that the file is gone; asked again with the next entry
        return entry["id"] in self._superseded[1]

    def newest_to_undo(self) -> str | None:
        """Return the id of the newest entry that can be undone, however old, or None."""
        done = (entry for entry, undone in self if not undone and "undoes" not in entry)
        return next((entry["id"] for entry in done if not self.superseded(entry)), None)

    def undo_of(self, entry: Entry) -> str | None:
        """Return the id of the undo by which this entry is undone, however long ago that was; None if it is not.

        Raise OSError if the file has to be read for that, and cannot be.
        """
        names = {entry["id"], entry.get("closes")} | self.log.one_with(entry["id"])
        judged = self._judged(self.marked(), Later())
        undos = (one for one, undone in judged if "undoes" in one and not undone)
        return next((str(one["id"]) for one in undos if one["undoes"] in names), None)

    # -- without reading everything ---------------------------------------------------------------------

    def marked(self) -> Iterator[Entry]:
        """Yield the entries behind the snapshot that are about another one, newest first.

        Raise OSError if the file cannot be read.
        """
        if self.log.upto:
            yield from self.save.marked()

    def later(self, marked: Iterable[Entry]) -> Later:
        """Return what the entries in memory and those `marked` say of others."""
        later = Later()
        for _ in self._judged(marked, later):
            pass
        return later

    def matching(self, wanted: re.Pattern[bytes], later: Later) -> Iterator[list[tuple[Entry, bool]]]:
        """Yield batches of entries behind the snapshot with these bytes, and whether each is undone, newest first.

        Raise OSError if the file cannot be read.
        """
        here = {entry["id"] for entry in self.log.entries}
        for entries in self.save.matching(wanted) if self.log.upto else ():
            yield [(entry, later.undoes(entry)) for entry in entries if entry["id"] not in here]


def _settled(waiting: list[Entry], later: Later) -> Iterator[tuple[Entry, bool]]:
    for entry in waiting:
        undone = later.undoes(entry)
        later.hear(entry, undone=undone)
        yield entry, undone


class Pages:
    """A window on the history, oldest entry first, that can be moved and grown at both ends.

    Entries after the snapshot are in memory, older ones are read when the window reaches them. Edits and undos of those
    are found by scanning the bytes of the file. If it cannot be read, the window stays as it is and `missing` says why.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._far: list[Entry] = []
        self._low: int | None = None
        self._high: int | None = None
        """Offsets in the file where `_far` begins and ends; None is the end of what the snapshot covers."""
        self._marked: list[Entry] | None = None
        self._judged = (history.log, history.log.upto, 0)
        """The log last judged by, its `upto` at that time, and the number of `_far` entries then."""
        self.entries: list[tuple[Entry, bool]] = []
        """Each entry of the window and whether it is undone, oldest first."""
        self.later = Later()
        """What is said of these entries by any later one."""
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
            if self._history.log.upto:
                self._far, self._low, self._high = [], 0, 0
                self._forth()
            self._judge()

    def to(self, ident: str) -> bool:
        """Move to the pages around the entry with this id; return False if it was not found."""
        if any(entry["id"] == ident for entry in self._history.log.entries):
            self.to_newest()
            return True
        with self._reading():
            place = self._history.save.place_of(ident)
            if place is not None:
                self._far, self._low, self._high = [], place, place
                self._back()
                self._forth()
                self._judge()
                return True
        return False

    @property
    def is_newest(self) -> bool:
        """True if the window reaches to the newest entry."""
        return self._high is None

    # -- growing ----------------------------------------------------------------------------------------

    def back(self) -> bool:
        """Add the page before; return False if there is none."""
        with self._reading():
            if self._history.log.upto and self._low != 0:
                found = self._back()
                self._judge()
                return found
        return False

    def _back(self) -> bool:
        entries, self._low = self._history.save.older(self._low, PAGE)
        self._far = entries + self._far
        return bool(entries)

    def forth(self) -> bool:
        """Add the page after; return False if the window is at the newest entry."""
        with self._reading():
            if self._high is not None:
                self._forth()
                self._judge()
                return True
        return False

    def _forth(self) -> None:
        assert self._high is not None
        entries, self._high = self._history.save.newer(self._high, PAGE)
        self._far = self._far + entries

    def renew(self) -> None:
        """Judge the entries anew, with edits, strikes and undos made since."""
        with self._reading():
            self._judge()

    def _judge(self) -> None:
        log = self._history.log
        self._follow(log)
        near = [(entry, log.undone(entry)) for entry in log.entries] if self._high is None else []
        if self._far and (self._marked is None or self._judged[:2] != (log, log.upto)):
            self._marked = list(self._history.marked())
        self.later = self._history.later(self._marked or ())
        here = {entry["id"] for entry in log.entries}
        far = [(entry, self.later.undoes(entry)) for entry in self._far if entry["id"] not in here]
        self.entries = [*far, *near]
        self._judged = log, log.upto, len(far)

    def _follow(self, log: Log) -> None:
        """Read entries that the log has dropped from memory since last time, so that there is no gap."""
        _, upto, far = self._judged
        base = self._history.save.head.base
        if self._high is None and log.upto > upto and base:
            self._far, self._low = self._history.save.older(None, base.upto - upto + far)
