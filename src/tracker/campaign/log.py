"""The entries after the snapshot, sorted by (t, id); which of them count; and the state that they lead to.

An undo is an entry that names another in `undoes`. An entry is undone if a live undo names it: one that is not itself
undone. This is decided from the newest entry backwards. After an undo the state is computed again from the entries
that still count; effects are never inverted.

An open entry and the entries that close it form one procedure, which is undone and redone as a whole, whichever of its
entries an undo names. Two copies of a campaign may both close the same open entry. After a merge, the first of the two
in (t, id) order counts; the other, and every entry that closes it in turn, is superseded and never counts, whatever is
undone or redone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Any

from tracker.campaign.fold import fold
from tracker.campaign.state import share, unshare
from tracker.games.api.schema import Effect, Record, State
from tracker.saves.entries import key
from tracker.saves.errors import SaveError

Entry = dict[str, Any]
_ABOUT_OTHERS = frozenset(["undoes", "closes", "whole"])
"""Keys of an entry that may change which entries count."""
KEEP = 200
"""Number of undoable entries that the snapshot never covers, so that undoing them after a restart is fast."""
_STRIDE = 64
"""Entries between two states that are kept, in a log that is not long."""
_MARKS = 128
"""States that are kept at most. In a longer log they lie further apart: each holds a copy of what has changed."""


_WORK_MOST, _WORK_OF_ENTRY = 5_000_000, 300
"""Most changes that a log may need, and how many more for each of its entries."""


def _require_bounded_work(base: State, entries: Iterable[Entry]) -> None:
    """Raise SaveError if these entries would take hours to apply to the state `base`.

    One change of a number may change each character in the party, as a loss of supply does. A campaign that was played
    needs a hundredth of what is allowed here. A file of a few megabytes can be made to need a million times as much.
    """
    party, work, allowed = len(base.get("party", ())), 0, _WORK_MOST
    for entry in entries:
        allowed += _WORK_OF_ENTRY
        for effect in entry.get("effects", ()):
            party += effect["at"] == "party"
            work += party if "by" in effect else 0
    if work > allowed:
        raise SaveError(
            f"This campaign has {party:,} characters and more changes than can be worked out; restore a backup of it."
        )


class NeedsFullLog(Exception):
    """Raised if an entry undoes, closes or sorts before an entry that the snapshot covers.

    The full log is needed then.
    """


class Log:
    """The entries of a campaign that are in memory, those after the snapshot, and the `state` that results from them.

    `top` is the game's schema. `base` is the snapshot's state. `upto` is the number of entries that the snapshot
    covers, 0 if `entries` has all entries of the campaign, and `last` is (t, id) of the last of them. `without` has the
    ids of covered entries that undos in `entries` name. `step` is called with the progress, from 0 to 1. Raise
    NeedsFullLog if an undo names another covered entry, or if an entry closes a covered one, and SaveError if the state
    would take hours to compute.
    """

    def __init__(
        self,
        top: Record,
        base: State,
        entries: Sequence[Entry] = (),
        *,
        upto: int = 0,
        last: tuple[int, str] = (-1, ""),
        without: frozenset[str] = frozenset(),
        step: Callable[[float], None] | None = None,
    ) -> None:
        self.top = top
        self.base = base
        self.upto = upto
        self.last = last
        self._without = without
        self.entries: list[Entry] = list(entries)
        self._dead: frozenset[str] = frozenset()
        self._void: frozenset[str] = frozenset()
        self._stride = _STRIDE
        self._marks: list[State] = [base]
        self.state: State = base
        self._before: State | None = None
        """The state before the last entry, if `append` has added that entry to it; else None."""
        self._place_all()
        self._judge()
        _require_bounded_work(base, self.entries)
        self._refold(0, step)

    # -- who counts -------------------------------------------------------------------------------------

    def _place_all(self) -> None:
        self._roots: dict[str, str] = {}
        self._undos: set[str] = set()
        self._named: set[str] = set()
        """Ids that entries of this log undo or close, whether they are in it or not."""
        self._open: dict[str, Entry] = {}
        self._continued: set[str] = set()
        self._superseded: set[str] = set()
        for entry in self.entries:
            self._place(entry)

    def _place(self, entry: Entry) -> None:
        """Record the root of an entry (the id of the first entry of its procedure) and which entries it names.

        Also record whether it is superseded, or leaves its procedure open. Entries must be passed in (t, id) order.
        Raise NeedsFullLog, with nothing recorded, if it closes an entry from before the snapshot.
        """
        closes = entry.get("closes")
        if closes is not None and closes not in self._roots and self.upto:
            raise NeedsFullLog
        self._roots[entry["id"]] = str(self._roots.get(closes, closes) if closes else entry["id"])
        if "undoes" in entry:
            self._undos.add(entry["id"])
            self._named.add(entry["undoes"])
        if closes is not None:
            self._named.add(closes)
            if closes in self._continued or closes in self._superseded:
                self._superseded.add(entry["id"])
                return
            self._continued.add(closes)
        if entry.get("open"):
            self._open[self._roots[entry["id"]]] = entry
        elif closes is not None:
            self._open.pop(self._roots[entry["id"]], None)

    def _judge(self) -> None:
        dead: set[str] = set()
        behind: set[str] = set()
        void: set[str] = set()
        replaced: set[str] = set()
        for entry in reversed(self.entries):
            ident = entry["id"]
            target: str = entry.get("undoes", "")
            if target and ident not in dead:
                dead.add(self._roots.get(target, target))
                if target not in self._roots:
                    behind.add(target)
            if self._roots[ident] in replaced:
                void.add(ident)
            if entry.get("whole") and ident not in self._superseded:
                replaced.add(self._roots[ident])
        if self.upto and behind != self._without:
            raise NeedsFullLog
        self._dead, self._void = frozenset(dead), frozenset(void)

    def undone(self, entry: Entry) -> bool:
        """Return True if a live undo in this log names the entry or another entry of its procedure."""
        return self._roots.get(entry["id"], entry["id"]) in self._dead

    def counts(self, entry: Entry) -> bool:
        """Return True if the entry's effects are part of the state.

        They are not if the entry is an undo, is undone, was superseded, or was replaced by the end of its procedure.
        """
        if "undoes" in entry or self.undone(entry):
            return False
        return entry["id"] not in self._void and entry["id"] not in self._superseded

    def holds(self, ident: str) -> bool:
        """Return True if this log has the entry with this id; False if the snapshot covers it or it does not exist."""
        return ident in self._roots

    def superseded(self, entry: Entry) -> bool:
        """Return True if this entry never counts, because an earlier one closes the same open entry.

        An entry that closes a superseded one is superseded too.
        """
        return entry["id"] in self._superseded

    def root(self, entry: Entry) -> str:
        """Return the id of the first entry of this entry's procedure. Raise KeyError if the log has no such entry."""
        return self._roots[entry["id"]]

    def group_of(self, ident: str) -> set[str]:
        """Return the ids of all entries in the procedure of the entry `ident`, itself included.

        Return an empty set if that entry is not in this log.
        """
        root = self._roots.get(ident)
        return {other for other, its in self._roots.items() if its == root} if root else set()

    def undoes(self, entry: Entry) -> bool:
        """Return True if this entry is an undo or redo that is not itself undone."""
        return "undoes" in entry and entry["id"] not in self._dead

    # -- the fold ---------------------------------------------------------------------------------------

    def _refold(self, since: int, step: Callable[[float], None] | None = None) -> None:
        mark = min(since // self._stride, len(self._marks) - 1)
        del self._marks[mark + 1 :]
        self._before = None
        state: State = unshare(self._marks[mark])
        for n in range(mark * self._stride, len(self.entries)):
            if self._marked_at(n):
                self._mark(share(state))
                state = unshare(state)
                if step:
                    step(n / len(self.entries))
            state = self._add_up(state, self.entries[n])
        self.state = share(state)

    def _marked_at(self, n: int) -> bool:
        """Return True if the state before the entry with index `n` should be stored as a mark and is not stored yet."""
        return n == len(self._marks) * self._stride

    def _mark(self, state: State) -> None:
        self._marks.append(state)
        if len(self._marks) > _MARKS:
            del self._marks[1::2]
            self._stride *= 2

    def _add_up(self, state: State, entry: Entry) -> State:
        return fold(self.top, state, entry.get("effects", ())) if self.counts(entry) else state

    def append(self, entry: Entry) -> None:
        """Add an entry after all others and update `state`.

        Raise NeedsFullLog, with nothing changed, if the entry sorts before another one, or if it undoes or closes an
        entry that the snapshot covers.
        """
        if key(entry) <= (key(self.entries[-1]) if self.entries else self.last):
            raise NeedsFullLog
        self._place(entry)
        self.entries.append(entry)
        if "undoes" not in entry and (not entry.get("whole") or self.superseded(entry)):
            if self._marked_at(len(self.entries) - 1):
                self._mark(self.state)
            self._before, self.state = self.state, self._add_up(self.state, entry)
            return
        self._before = None
        root = self._roots.get(entry.get("undoes", ""))
        if root and root not in self._undos:  # the usual undo changes only the procedure that it names
            self._dead |= {root}
            self._refold(self._first({root}))
            return
        before = self._dead, self._void
        try:
            self._judge()
        except NeedsFullLog:
            self.entries.pop()
            del self._roots[entry["id"]]
            self._undos.discard(entry["id"])
            raise
        changed = (before[0] ^ self._dead) | {self._roots[ident] for ident in before[1] ^ self._void}
        self._refold(self._first(changed))

    def merge(self, entries: Iterable[Entry]) -> list[Entry]:
        """Add entries from elsewhere, in any order and at any place, update `state`, and return those that were new.

        Entries whose id this log has are ignored. Raise NeedsFullLog, with nothing changed, if a new entry sorts before
        the end of the snapshot, or undoes or closes an entry that the snapshot covers, or if the snapshot has to count
        other entries now.
        """
        new = {entry["id"]: entry for entry in entries if entry["id"] not in self._roots}
        if not new:
            return []
        late = sorted(new.values(), key=key)
        if key(late[0]) <= self.last:
            raise NeedsFullLog
        if len(late) == 1 and (not self.entries or key(late[0]) > key(self.entries[-1])):
            self.append(late[0])
        elif self._named.isdisjoint(new) and not any(_ABOUT_OTHERS & entry.keys() for entry in late):
            self._insert(late)
        else:
            self._join(late)
        return late

    def _insert(self, late: list[Entry]) -> None:
        """Add the entries in `late`, sorted, each at its place, and update `state`.

        They must undo and close no others, and no others may undo or close them.
        """
        places = [bisect_left(self.entries, key(entry), key=key) for entry in late]
        for entry in late:
            self._place(entry)
        if len(late) == 1:
            self.entries.insert(places[0], late[0])
        else:
            self.entries = sorted([*self.entries, *late], key=key)
        self._refold(places[0])

    def _join(self, late: list[Entry]) -> None:
        """Add the entries in `late`, sorted, each at its place; decide anew which entries count; update `state`.

        Raise NeedsFullLog, with nothing changed, if one of them undoes or closes an entry from before the snapshot, or
        if the snapshot has to count other entries now.
        """
        before, old = dict(self.__dict__), self.entries
        first = bisect_left(old, key(late[0]), key=key)
        counted = [self.counts(entry) for entry in old[:first]]
        try:
            self.entries = sorted([*old, *late], key=key)
            self._place_all()
            self._judge()
        except NeedsFullLog:
            self.__dict__.update(before)
            raise
        changed = (n for n, did in enumerate(counted) if self.counts(old[n]) != did)
        self._refold(next(changed, first))

    def _first(self, roots: Set[str]) -> int:
        """Return the index of the first entry that belongs to one of the procedures with these roots.

        A root itself may be missing, deleted by hand. If the log has no entry of these procedures, return the last
        index.
        """
        here = (n for n, entry in enumerate(self.entries) if self._roots[entry["id"]] in roots)
        return next(here, len(self.entries) - 1)

    def state_at(self, count: int) -> State:
        """Return the state after the first `count` entries of this log, leaving out those that are undone now."""
        if self._before is not None and count == len(self.entries) - 1:
            return self._before  # a move ends right after its dice: adding up half the evening would be slow
        mark = min(count // self._stride, len(self._marks) - 1)
        state: State = unshare(self._marks[mark])
        for entry in self.entries[mark * self._stride : count]:
            state = self._add_up(state, entry)
        return share(state)

    def state_without(self, root: str) -> State:
        """Return the present state as if the procedure whose first entry has the id `root` had never begun."""
        first = next((n for n, entry in enumerate(self.entries) if self._roots[entry["id"]] == root), len(self.entries))
        others = [entry for entry in self.entries[first:] if self._roots[entry["id"]] != root]
        state = self.state_at(first)
        if not others:
            return state
        state = unshare(state)
        for entry in others:
            state = self._add_up(state, entry)
        return share(state)

    # -- undo, redo, open runs --------------------------------------------------------------------------

    def to_undo(self, by: str = "") -> Entry | None:
        """Return the newest entry that can be undone, or None if there is none.

        Undos, undone entries and superseded entries cannot be undone, and entries about seats are passed over: the undo
        key must not put a player out. If `by` is the id of a seat, only entries of this seat are looked at.
        """
        done = (e for e in reversed(self.entries) if "undoes" not in e and _is_by(e, by) and not is_about_seats(e))
        return next((entry for entry in done if not self.undone(entry) and not self.superseded(entry)), None)

    def to_redo(self, by: str = "") -> Entry | None:
        """Return the undo that the redo key takes back: the newest one that is not undone.

        Return None if there is none, or if anything but undos and redos was done after it. If `by` is the id of a seat,
        only entries of this seat are looked at.
        """
        for entry in reversed(self.entries):
            if not _is_by(entry, by) or is_about_seats(entry):
                continue
            if "undoes" not in entry:
                return None
            if entry.get("did") != "redo" and entry["id"] not in self._dead:
                return entry
        return None

    def other_undo(self, undo: str) -> str | None:
        """Return the id of another undo that undoes the same procedure as the entry `undo` does; None if none is left.

        Undos that are undone do not count.
        """
        undos = {entry["id"]: entry["undoes"] for entry in self.entries if "undoes" in entry}
        root = self._roots.get(undos.get(undo, ""))
        left = (ident for ident, target in undos.items() if ident != undo and self._roots.get(target) == root)
        return next((ident for ident in left if root and ident not in self._dead), None)

    def out_of_turn(self, by: str = "") -> Entry | None:
        """Return the last entry if it undoes an entry from the middle of the journal, while a newer one still counts.

        Otherwise return None. Such an undo is made on the journal screen, not by the undo key. If `by` is the id of a
        seat, only entries of this seat are looked at.
        """
        own = (e for e in reversed(self.entries) if _is_by(e, by) and not is_about_seats(e))
        last, newest = next(own, None), self.to_undo(by)
        if last is None or newest is None or last.get("did") != "undo" or "undoes" not in last:
            return None
        taken = self.group_of(last["undoes"])
        place = {entry["id"]: n for n, entry in enumerate(self.entries)}
        return last if place[newest["id"]] > max((place[ident] for ident in taken), default=-1) else None

    def open_runs(self) -> Iterator[Entry]:
        """Return an iterator over the newest open entry of each procedure that has not ended and is not undone."""
        return (entry for entry in self._open.values() if not self.undone(entry))

    def open_run(self, ident: str) -> Entry | None:
        """Return the open entry with this id; None if its procedure has ended, is undone or has a newer open entry."""
        return next((entry for entry in self.open_runs() if entry["id"] == ident), None)

    def held(self, root: str) -> list[Effect]:
        """Return the effects recorded so far by the procedure whose first entry has the id `root`.

        Entries that are superseded, or that a later entry of the procedure replaces, are left out.
        """
        gone = self._void | self._superseded
        mine = [entry for entry in self.entries if self._roots[entry["id"]] == root and entry["id"] not in gone]
        return [effect for entry in mine for effect in entry.get("effects", ())]

    # -- the snapshot -----------------------------------------------------------------------------------

    def cut(self) -> int:
        """Return how many entries, counted from the first, the next snapshot may cover.

        The last KEEP undoable entries and all open procedures stay, and no procedure is split. Return 0 if an entry
        that stays closes one that was deleted by hand: with a snapshot, each opening would have to read the whole file
        anyway.
        """
        under_way = {self._roots[entry["id"]] for entry in self.open_runs()}
        place: dict[str, int] = {}
        for n, entry in enumerate(self.entries):
            place.setdefault(self._roots[entry["id"]], n)
        standing = [n for n, entry in enumerate(self.entries) if "undoes" not in entry and not self.undone(entry)]
        cut = standing[-KEEP] if len(standing) >= KEEP else 0
        cut = min([cut, *(place[root] for root in under_way)])
        for n in range(len(self.entries) - 1, -1, -1):
            if n >= cut:
                # A procedure is never cut in two.
                cut = min(cut, place[self._roots[self.entries[n]["id"]]])
        closed = (entry["closes"] for entry in self.entries[cut:] if "closes" in entry)
        return cut if all(ident in self._roots for ident in closed) else 0

    def undone_across(self, cut: int) -> frozenset[str]:
        """Return the ids of the entries before index `cut`, or before this log, that live undos after `cut` undo."""
        after = {entry["id"] for entry in self.entries[cut:]}
        return frozenset(
            entry["undoes"]
            for entry in self.entries[cut:]
            if "undoes" in entry and entry["id"] not in self._dead and entry["undoes"] not in after
        )

    def places(self, every: int) -> Iterator[tuple[int, State, frozenset[str]]]:
        """Yield (n, state after the first n entries, `undone_across(n)`) for places where a snapshot can begin.

        They are at least `every` entries apart, come before `cut()`, and split no procedure.
        """
        end = self.cut()
        ends = {self._roots[entry["id"]]: n for n, entry in enumerate(self.entries)}
        place = {entry["id"]: n for n, entry in enumerate(self.entries)}
        undos = [
            (n, entry["undoes"], place.get(entry["undoes"], -1))
            for n, entry in enumerate(self.entries)
            if "undoes" in entry and entry["id"] not in self._dead
        ]
        reach = max((n for root, n in ends.items() if root not in place), default=-1)
        state: State = unshare(self.base)
        last = 0
        for n, entry in enumerate(self.entries[:end]):
            if n >= last + every and reach < n:
                kept = share(state)
                state, last = unshare(kept), n
                yield n, kept, frozenset(target for by, target, at in undos if at < n <= by)
            state = self._add_up(state, entry)
            reach = max(reach, ends[self._roots[entry["id"]]])

    def advance_to(self, upto: int, last: tuple[int, str]) -> None:
        """Let the snapshot cover `upto` entries, the last of which has the (t, id) `last`, and drop them from memory.

        Do nothing if this log has other entries up to there, because late ones came in, if a later entry closes one of
        them, or if one belongs to an open procedure.
        """
        cut = bisect_right(self.entries, last, key=key)
        if 0 < cut == upto - self.upto:
            self.advance(cut)

    def advance(self, cut: int) -> None:
        """Let the snapshot cover the first `cut` entries, too, and drop them from memory.

        Do nothing if a later entry closes one of them, or if one belongs to an open procedure: a redo may have made it
        open again since the cut was chosen.
        """
        under_way = {self._roots[entry["id"]] for entry in self.open_runs()}
        if any(self._roots[entry["id"]] in under_way for entry in self.entries[:cut]):
            return
        base, without = self.state_at(cut), self.undone_across(cut)
        last = key(self.entries[cut - 1]) if cut else self.last
        before = dict(self.__dict__)
        try:
            Log.__init__(self, self.top, base, self.entries[cut:], upto=self.upto + cut, last=last, without=without)
        except NeedsFullLog:
            self.__dict__.update(before)


def is_about_seats(entry: Entry) -> bool:
    """Return True if the entry is of the kind "seat", which says who plays, and who plays which character."""
    return entry.get("did") == "seat"


def _is_by(entry: Entry, by: str) -> bool:
    """Return True if the entry was made by the seat with the id `by`, or if `by` is ""."""
    return not by or entry.get("by", "") == by
