"""This machine's copy of a shared campaign: which entries it has, and the texts of those that others lack."""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

from tracker.campaign.session import Session
from tracker.coop import wire
from tracker.games.api.schema import State
from tracker.saves.blocks import Entry
from tracker.saves.id_set import IdSet, split

_TIME = re.compile(r"^t = (\d+)$", re.MULTILINE)


class Replica:
    """The copy of a campaign in an open session. Use it only in one thread, or hold `guard`."""

    def __init__(self, session: Session, guard: AbstractContextManager[object] | None = None) -> None:
        """Raise OSError if the campaign's file cannot be read.

        `guard` is a lock that others use for the session, too; by default a new one is made.
        """
        self.session = session
        self.guard = guard or threading.RLock()
        """Lock for every use of the session, for a frontend that runs in another thread."""
        self.before: State = session.state
        """The state before the last entries from elsewhere were taken."""
        self.apart = False
        """True if the last entries from elsewhere were made while their author was not here."""
        self.read_again()

    def read_again(self) -> None:
        """Find out again which entries the session has, after anything but `take` and `add` has changed them.

        Raise OSError if the campaign's file cannot be read.
        """
        self.ids = IdSet()
        self._near: dict[str, Entry] = {}
        """Entries that may not be in the file yet, by id."""
        self._last: dict[str, Entry | None] = {}
        """The entry with the highest counter by opening, as far as `last_of` was asked; None for an unknown opening."""
        self._sums: dict[str, int] = {}
        """Checksum of the entries of each opening."""
        for ident, crc in self.session.save.sums():
            if ident not in self.ids:
                self._count(ident, crc)
        for entry in self.session.log.entries:
            if entry["id"] not in self.ids:
                self.add(entry)

    def _count(self, ident: str, crc: int) -> None:
        self.ids.add(ident)
        opening = split(ident)[0]
        self._sums[opening] = self._sums.get(opening, 0) ^ crc ^ zlib.crc32(ident.encode()) << 32

    @property
    def time(self) -> int:
        """The highest time `t` of all entries."""
        log = self.session.log
        return int(log.entries[-1]["t"]) if log.entries else log.last[0]

    def add(self, entry: Entry) -> None:
        """Count an entry, which the session has or is about to get, among those that this copy has.

        The session is not changed.
        """
        self._count(entry["id"], zlib.crc32(wire.text_of(entry).encode()))
        self._near[entry["id"]] = entry
        opening, counter = split(entry["id"])
        last = self._last.get(opening)
        if last is None or counter > split(last["id"])[1]:
            self._last[opening] = entry

    def take(self, entries: Sequence[Entry]) -> list[Entry]:
        """Add entries from elsewhere to the session; return those that it did not have.

        If there are any, the state before them goes to `before`. Raise Refused or OSError if they cannot be added.
        """
        new = [entry for entry in entries if entry["id"] not in self.ids]
        if new:
            self.before = self.session.state
            self.session.take(new)
        for entry in new:
            if entry["id"] not in self.ids:
                self.add(entry)
        return new

    def written(self, ids: Iterable[str]) -> list[Entry]:
        """Return the entries with these ids, which have become durable, each once: a second call leaves them out.

        Ids of other entries are left out, too.
        """
        return [self._near.pop(ident) for ident in ids if ident in self._near]

    def entry(self, ident: str) -> Entry | None:
        """Return the entry with this id, or None if this copy lacks it. Slow if it is from before the snapshot.

        Raise OSError if the campaign's file cannot be read.
        """
        near = next((one for one in reversed(self.session.log.entries) if one["id"] == ident), self._near.get(ident))
        if near is None and ident in self.ids and (texts := self.texts([ident])):
            return wire.entry_of(texts[0])
        return near

    def last_of(self, opening: str) -> Entry | None:
        """Return the entry with the highest counter of this opening, or None if there is none.

        An opening is the first part of an id, before the counter. Raise OSError if the campaign's file cannot be read.
        """
        if opening not in self._last:
            counters = [self.ids.upto.get(opening, 0)]
            counters += [split(ident)[1] for ident in self.ids.beyond if split(ident)[0] == opening]
            found = self.texts([f"{opening}.{max(counters)}"])
            self._last[opening] = wire.entry_of(found[0]) if found else None
        return self._last[opening]

    def texts(self, ids: Iterable[str]) -> list[str]:
        """Return the TOML texts of these entries, in the order in which they take effect.

        Ids that this copy lacks are left out. Callable in any thread. Raise OSError if the campaign's file cannot be
        read.
        """
        wanted = {*ids}
        near = {ident: entry for ident in wanted if (entry := self._near.get(ident))}  # first: then the file has it
        found = {ident: wire.text_of(entry) for ident, entry in near.items()}
        found |= self.session.save.holding(wanted - found.keys())
        return [text for _, _, text in sorted((time_of(text), ident, text) for ident, text in found.items())]

    def lacking(self, theirs: IdSet, but: Container[str] = ()) -> list[str]:
        """Return the texts of the entries of this copy that are not in `theirs`, without the ids in `but`.

        They are in the order in which they take effect; [] if there are none. Raise OSError if the campaign's file
        cannot be read.
        """
        wanted = self.lacking_ids(theirs, but)
        return self.texts(wanted) if wanted else []

    def lacking_ids(self, theirs: IdSet, but: Container[str] = ()) -> list[str]:
        """Return the ids of the entries of this copy that are not in `theirs`, without those in `but`."""
        return [ident for ident in self._beyond(theirs) if ident not in but]

    def _beyond(self, theirs: IdSet) -> Iterator[str]:
        for opening, upto in self.ids.upto.items():
            for counter in range(min(theirs.upto.get(opening, 0), upto) + 1, upto + 1):
                if (ident := f"{opening}.{counter}") not in theirs:
                    yield ident
        yield from (ident for ident in self.ids.beyond if ident not in theirs)

    def different(self, theirs: Mapping[str, object]) -> list[str]:
        """Return the texts of all entries in the openings whose checksum differs from the one in `theirs`.

        `theirs` has the other copy's checksums by opening, as `sums` does. Raise OSError if the campaign's file cannot
        be read.
        """
        openings = {opening for opening, total in self._sums.items() if theirs.get(opening) != total}
        return self.texts(ident for ident in self._beyond(IdSet()) if split(ident)[0] in openings)

    @property
    def sums(self) -> Mapping[str, int]:
        """Checksums of the entries, by opening."""
        return self._sums

    def total(self) -> str:
        """Return a checksum of all entries as hexadecimal digits. Copies with the same entries have the same one."""
        total = 0
        for part in self._sums.values():
            total ^= part
        return f"{total:x}"


def time_of(text: str) -> int:
    """Return the time `t` in the TOML text of an entry; 0 if there is none."""
    found = _TIME.search(text)
    return int(found[1]) if found else 0
