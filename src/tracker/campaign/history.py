"""Entries of any age, and which of them later entries undo, edit or strike.

Other modules see only the entries after the snapshot, which are in memory; this one reads the older ones from the file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from tracker.campaign.log import Entry, Log, is_about_seats
from tracker.saves.save import Save, Step

EDIT, STRIKE, RESTORE = "journal/edit", "journal/strike", "journal/restore"
"""Values of `did` in entries that change how another entry reads; their `of` is the id of that entry."""

CHUNK = 100
"""Number of entries that iterating over a History reads at once."""
PAGE = 200
"""Number of entries by which `Pages` grow."""
PATIENCE = 1000
"""Most entries to hold back until the first entry of a procedure is read; it may have been deleted by hand."""


_WHOLE = rb"\nwhole = true\n"
"""Matches entries whose effects replace those of earlier entries of their procedure."""


class HistorySource(Protocol):
    """Protocol of the part of a Session that History uses: its log and its save."""

    log: Log
    save: Save


class Later:
    """What later entries do to earlier ones: which of them they undo, edit or strike.

    Pass the entries to `hear`, newest first. `texts` maps the id of each edited entry to its new text. `struck` maps
    the id of each entry that was struck or restored to True if it is struck now. `hands` maps pairs (what was done,
    id of the entry) to the id of the seat that did it last; what was done is "undo", "redo", EDIT or STRIKE. A "redo"
    is there only if another player had undone the entry.
    """

    def __init__(self) -> None:
        self._undone: set[str] = set()
        self._closes: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.struck: dict[str, bool] = {}
        self.hands: dict[tuple[str, str], str] = {}

    def undoes(self, entry: Entry) -> bool:
        """Return True if this entry is undone by one that was passed to `hear` before.

        An entry is also undone if the entry that it closes is.
        """
        ident, before = entry["id"], entry.get("closes")
        while ident not in self._undone:
            if before is None:
                return False
            ident, before = before, self._closes.get(before)
        return True

    def foresee(self, entry: Entry) -> None:
        """Record which entries this one undoes and closes, ahead of `hear`.

        Call it for an entry if it is not known yet whether that entry is undone itself.
        """
        if "undoes" in entry and entry["id"] not in self._undone:
            self._undone.add(entry["undoes"])
        if "closes" in entry:
            self._closes[entry["id"]] = entry["closes"]

    def join(self, closes: Mapping[str, str]) -> None:
        """Make undo act on whole procedures: for each undone entry, record as undone those that it closes, in turn.

        `closes` maps the id of each closing entry to the id of the entry that it closes. It is remembered, so that
        `undoes` follows it, too.
        """
        self._closes.update(closes)
        for ident in list(self._undone):
            before = closes.get(ident)
            while before is not None and before not in self._undone:
                self._undone.add(before)
                before = closes.get(before)

    def hear(self, entry: Entry, *, undone: bool) -> None:
        """Record what this entry does to earlier ones. Call it for each entry, newest first.

        `undone` is True if the entry itself is undone. It then does nothing to others, except that the entry that it
        closes is undone too. Of several edits or strikes of one entry, the newest counts.
        """
        by = str(entry.get("by", ""))
        if undone:
            if "closes" in entry:
                self._undone.add(entry["closes"])
            if "undoes" in entry and (again := self.hands.get(("undo", entry["id"]), by)) != by:
                self.hands.setdefault(("redo", entry["undoes"]), again)
            return
        if "undoes" in entry:
            self._undone.add(entry["undoes"])
            self.hands.setdefault(("undo", entry["undoes"]), by)
        of, did = entry.get("of"), entry.get("did")
        if isinstance(of, str) and did == EDIT:
            self.texts.setdefault(of, entry.get("text", ""))
            self.hands.setdefault((EDIT, of), by)
        elif isinstance(of, str) and did in {STRIKE, RESTORE}:
            self.struck.setdefault(of, did == STRIKE)
            self.hands.setdefault((STRIKE, of), by)


class History:
    """Read access to all entries of one campaign, in memory and in the file, with their undone state.

    A Session makes it, for the journal, the search and undo.
    """

    def __init__(self, source: HistorySource) -> None:
        self._source = source
        self._closings: tuple[Log, Mapping[str, str], frozenset[str]] | None = None
        """A log, which entries from before its snapshot close which others, and the ids of the superseded ones."""

    @property
    def log(self) -> Log:
        """The session's present log, with the entries after the snapshot."""
        return self._source.log

    @property
    def save(self) -> Save:
        """The session's present save, which has the entries from before the snapshot."""
        return self._source.save

    def __iter__(self) -> Iterator[tuple[Entry, bool]]:
        """Yield (entry, undone) for all entries, newest first. Those from before the snapshot are read on demand.

        Stop, without an error, if the file cannot be read.
        """
        return self._judged(self._older(), Later())

    def newest(self) -> Iterator[tuple[Entry, bool]]:
        """Return an iterator over (entry, undone) for the entries after the snapshot, newest first. Reads no file."""
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
        """Yield (entry, undone) for the entries after the snapshot, then for these `older` ones, newest first.

        Each entry is passed to `later.hear`. Older entries are held back until all entries of their procedures are
        read, because an undo may name any entry of a procedure.
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

    def oldest_first(self, later: Later, since: str = "", step: Step | None = None) -> Iterator[tuple[Entry, bool]]:
        """Yield (entry, undone) for all entries, oldest first, or for those from the entry with the id `since` on.

        `later` is the result of `self.later(self.marked())`. Entries that are added after the first one is yielded are
        left out. Memory does not grow with the campaign. `step` is called with the progress, from 0 to 1, and may raise
        to cancel. Raise OSError if the file cannot be read.
        """
        log = self.log
        newest = list(log.entries)
        here = {entry["id"] for entry in newest}
        if log.upto and since not in here:
            for entry in self._from_file(since, step):
                if entry["id"] in here:
                    continue  # the snapshot in the file may be newer than the one in memory
                if entry.get("open"):
                    later.foresee(entry)
                yield entry, later.undoes(entry)
        first = next((n for n, entry in enumerate(newest) if entry["id"] == since), 0)
        for entry in newest[first:]:
            yield entry, log.undone(entry)

    def _from_file(self, since: str, step: Step | None) -> Iterator[Entry]:
        """Yield the entries before the snapshot, oldest first.

        If one of them has the id `since`, begin with that one. `step` is called with the progress, from 0 to 1. Raise
        OSError if the file cannot be read.
        """
        place = self.save.place_of(since) if since else None
        if place is not None:
            yield from self.save.older(place, 1)[0]
        at: int | None = place or 0
        while at is not None:
            entries, at = self.save.newer(at, None)
            yield from entries
            base = self.save.head.base
            if step and at is not None and base:
                step(min(1.0, at / base.size))

    def counted(self, step: Step | None = None) -> Iterator[tuple[Entry, bool]]:
        """Yield (entry, counts) for all entries, oldest first. `counts` is True if its effects are part of the state.

        Applying the effects of those entries gives the present state. Entries that are added in the meantime are left
        out. `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the file cannot
        be read.
        """
        log, later, left_out = self.log, self.later(self.marked()), frozenset[str]()
        if log.upto:
            closes, superseded = self._closed()
            later.join(closes)
            left_out = superseded | self._void(closes, superseded)
        for entry, undone in self.oldest_first(later, "", step):
            if log.holds(entry["id"]):
                yield entry, log.counts(entry)
            else:
                yield entry, not (undone or "undoes" in entry or entry["id"] in left_out)

    def _void(self, closes: Mapping[str, str], superseded: frozenset[str]) -> frozenset[str]:
        """Return the ids of entries before the snapshot whose effects a later entry of the same procedure replaces.

        `closes` and `superseded` are the results of `_closed`. Raise OSError if the file cannot be read.
        """
        found: set[str] = set()
        for entries in self.save.matching(re.compile(_WHOLE)):
            for entry in entries:
                before = entry.get("closes") if entry.get("whole") and entry["id"] not in superseded else None
                while before is not None and before not in found:
                    found.add(before)
                    before = closes.get(before)
        return frozenset(found)

    # -- questions about one entry ----------------------------------------------------------------------

    def superseded(self, entry: Entry) -> bool:
        """Return True if the entry never counts, because an earlier entry has closed the same open entry.

        An entry that closes a superseded one is superseded too. For an entry from before the snapshot, the file is
        read, once per log. Return False if it cannot be read.
        """
        log = self.log
        if "closes" not in entry or log.holds(entry["id"]) or not log.upto:
            return log.superseded(entry)
        try:
            return entry["id"] in self._closed()[1]
        except OSError:
            return False  # the save status says that the file is gone; read again for the next entry

    def _closed(self) -> tuple[Mapping[str, str], frozenset[str]]:
        """Return (closes, superseded) for the entries from before the snapshot.

        `closes` maps the id of each closing entry to that of the entry that it closes. `superseded` has the ids of the
        superseded entries. The file is read once per log. Raise OSError if it cannot be read.
        """
        if self._closings is None or self._closings[0] is not self.log:
            closes = self.save.closings()
            goes_on: dict[str, list[str]] = {}
            for ident, before in closes.items():
                goes_on.setdefault(before, []).append(ident)
            left = [ident for several in goes_on.values() for ident in several[1:]]
            found: set[str] = set()
            while left:
                if (ident := left.pop()) not in found:
                    found.add(ident)
                    left += goes_on.get(ident, ())
            self._closings = self.log, closes, frozenset(found)
        return self._closings[1:]

    def newest_to_undo(self) -> str | None:
        """Return the id of the newest entry, however old, that the undo key can undo; None if there is none.

        Older entries are read from the file on demand; those that cannot be read are not found.
        """
        done = (entry for entry, undone in self if not undone and "undoes" not in entry and not is_about_seats(entry))
        return next((entry["id"] for entry in done if not self.superseded(entry)), None)

    def undo_of(self, entry: Entry) -> str | None:
        """Return the id of the undo, however old, that has undone this entry; None if the entry is not undone.

        Raise OSError if the file has to be read and cannot be.
        """
        names = {entry["id"], entry.get("closes")} | self.log.group_of(entry["id"])
        judged = self._judged(self.marked(), Later())
        undos = (one for one, undone in judged if "undoes" in one and not undone)
        return next((str(one["id"]) for one in undos if one["undoes"] in names), None)

    # -- without reading everything ---------------------------------------------------------------------

    def marked(self) -> Iterator[Entry]:
        """Yield the undos, edits and strikes from before the snapshot, newest first.

        Raise OSError if the file cannot be read.
        """
        if self.log.upto:
            yield from self.save.marked()

    def later(self, marked: Iterable[Entry]) -> Later:
        """Return a Later that has heard all entries after the snapshot and, before those, the entries in `marked`.

        `marked` is the result of `marked()`, or () if only entries after the snapshot matter. Raise OSError if reading
        `marked` fails.
        """
        later = Later()
        for _ in self._judged(marked, later):
            pass
        return later

    def matching(self, wanted: re.Pattern[bytes], later: Later) -> Iterator[list[tuple[Entry, bool]]]:
        """Yield lists of (entry, undone) for entries from before the snapshot whose bytes match `wanted`, newest first.

        `later` is the result of `later()`. A list may be empty. Raise OSError if the file cannot be read.
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
    """The part of the journal that is loaded while a player reads it: a range of consecutive entries.

    `entries` has the range as (entry, undone) pairs, oldest first; `later` has the edits and strikes of these entries.
    At first the range is what lies after the snapshot. It can be moved, and grown at both ends; older entries are read
    from the file. If the file cannot be read, no method raises: the range stays the same and `missing` has the reason.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._far: list[Entry] = []
        self._low: int | None = None
        self._high: int | None = None
        """Offsets, as in `Save.older`, where `_far` begins and ends; None is the end of what the snapshot covers."""
        self._marked: list[Entry] | None = None
        self._judged = (history.log, history.log.upto, 0)
        """At the last `_judge`: the log, its `upto`, and the number of older entries in the range."""
        self.entries: list[tuple[Entry, bool]] = []
        """(entry, undone) for each entry of the range, oldest first."""
        self.later = Later()
        """Edits and strikes of these entries."""
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
        """Move the range to the entries after the snapshot."""
        self._far, self._low, self._high = [], None, None
        self.renew()

    def to_oldest(self) -> None:
        """Move the range to the first page of the campaign; do nothing if all entries are in memory.

        If the file cannot be read, the range stays the same and `missing` has the reason.
        """
        with self._reading():
            if self._history.log.upto:
                self._far, self._low, self._high = [], 0, 0
                self._forth()
            self._judge()

    def to(self, ident: str) -> bool:
        """Move the range to the entry with the id `ident` and the pages around it, and return True.

        Return False, with the range unchanged, if there is no such entry or the file cannot be read.
        """
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
        """True if the range includes the newest entry."""
        return self._high is None

    # -- growing ----------------------------------------------------------------------------------------

    def back(self) -> bool:
        """Add the page of older entries before the range and return True.

        Return False if there is none or the file cannot be read.
        """
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
        """Add the page of newer entries after the range and return True.

        Return False if the range has the newest entry already or the file cannot be read.
        """
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
        """Update `entries` and `later` of the same range after the campaign has got new entries.

        If the file has to be read and cannot be, change nothing and set `missing`.
        """
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
        """Read from the file the entries that the log has dropped from memory since the last `_judge`.

        Without them, the range would have a gap before the entries of the log. Raise OSError if the file cannot be
        read.
        """
        _, upto, far = self._judged
        base = self._history.save.head.base
        if self._high is None and log.upto > upto and base:
            self._far, self._low = self._history.save.older(None, base.upto - upto + far)
