"""The entries in the order of the fold, which of them count, and the state that they add up to.

An undo is an entry that names another. An entry is undone if a live undo names it, decided from the newest
backwards. State is always a refold, never an inverse.

An open entry and those that go on from it are one thing, a procedure. Two copies of a campaign may both go on from the
same open entry. Once the copies are put together, the first of the two in (t, id) order counts; the other one, and all
that goes on from it, is superseded and never counts. All of them stay one thing: an undo that names any of them takes
back the whole procedure, a redo brings it back, and a superseded entry does not begin to count by either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any

from tracker.campaign.fold import fold
from tracker.games.api.schema import Effect, Record, State

Entry = dict[str, Any]
KEEP = 200
"""How many entries that can be undone stay after the base, so that undoing them costs nothing after a restart."""
_STRIDE = 64


class NeedsFullLog(Exception):
    """An entry undoes, closes or sorts before something that this log does not hold: the whole is needed."""


class Log:
    """Entries after a base. `upto` is how many entries the base stands for."""

    def __init__(
        self,
        top: Record,
        base: State,
        entries: Sequence[Entry] = (),
        *,
        upto: int = 0,
        without: frozenset[str] = frozenset(),
        step: Callable[[float], None] | None = None,
    ) -> None:
        self._top = top
        self.base = base
        self.upto = upto
        self._without = without
        self.entries: list[Entry] = list(entries)
        self._roots: dict[str, str] = {}
        self._undos: set[str] = set()
        self._open: dict[str, Entry] = {}
        self._continued: set[str] = set()
        self._superseded: set[str] = set()
        self._dead: frozenset[str] = frozenset()
        self._void: frozenset[str] = frozenset()
        self._marks: list[State] = [base]
        for entry in self.entries:
            self._place(entry)
        self._judge()
        self._refold(0, step)

    # -- who counts -------------------------------------------------------------------------------------

    def _place(self, entry: Entry) -> None:
        """Find the root of an entry, which is the first one of its procedure, and what the entry leaves open.

        Raise ReachesBack if it goes on from an entry that the base stands for.
        """
        closes = entry.get("closes")
        if closes is not None and closes not in self._roots and self.upto:
            raise NeedsFullLog
        self._roots[entry["id"]] = str(self._roots.get(closes, closes) if closes else entry["id"])
        if "undoes" in entry:
            self._undos.add(entry["id"])
        if closes is not None:
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
        return self._roots.get(entry["id"], entry["id"]) in self._dead

    def counts(self, entry: Entry) -> bool:
        """Return True if the entry's effects are part of the state."""
        if "undoes" in entry or self.undone(entry):
            return False
        return entry["id"] not in self._void and entry["id"] not in self._superseded

    def holds(self, ident: str) -> bool:
        """Return True if the entry with this id is one of these, not one of those that the base stands for."""
        return ident in self._roots

    def superseded(self, entry: Entry) -> bool:
        """Return True if an earlier entry goes on from where this one does, so that this one never counts."""
        return entry["id"] in self._superseded

    def root(self, entry: Entry) -> str:
        return self._roots[entry["id"]]

    def one_with(self, ident: str) -> set[str]:
        """The ids of the entries that are one thing with this one; none if it is not here."""
        root = self._roots.get(ident)
        return {other for other, its in self._roots.items() if its == root} if root else set()

    def undoes(self, entry: Entry) -> bool:
        """Whether this is an undo, or a redo, that counts."""
        return "undoes" in entry and entry["id"] not in self._dead

    # -- the fold ---------------------------------------------------------------------------------------

    def _refold(self, since: int, step: Callable[[float], None] | None = None) -> None:
        mark = min(since // _STRIDE, len(self._marks) - 1)
        del self._marks[mark + 1 :]
        self.state = self._marks[mark]
        for n in range(mark * _STRIDE, len(self.entries)):
            if n and n % _STRIDE == 0 and len(self._marks) == n // _STRIDE:
                self._marks.append(self.state)
                if step:
                    step(n / len(self.entries))
            self._add_up(self.entries[n])

    def _add_up(self, entry: Entry) -> None:
        if self.counts(entry):
            self.state = fold(self._top, self.state, entry.get("effects", ()))

    def append(self, entry: Entry) -> None:
        """Put an entry behind all others. Raise ReachesBack, with nothing changed, if it needs what is not here."""
        if self.entries and (entry["t"], entry["id"]) <= (self.entries[-1]["t"], self.entries[-1]["id"]):
            raise NeedsFullLog
        self._place(entry)
        self.entries.append(entry)
        if "undoes" not in entry and (not entry.get("whole") or self.superseded(entry)):
            n = len(self.entries) - 1
            if n and n % _STRIDE == 0:
                self._marks.append(self.state)
            self._add_up(entry)
            return
        root = self._roots.get(entry.get("undoes", ""))
        if root and root not in self._undos:  # the usual undo: it touches nothing but the thing it names
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

    def _first(self, roots: Set[str]) -> int:
        """Return the index of the first entry of these procedures; the root itself may have been deleted by hand.

        Without any, that of the last entry.
        """
        here = (n for n, entry in enumerate(self.entries) if self._roots[entry["id"]] in roots)
        return next(here, len(self.entries) - 1)

    def state_at(self, count: int) -> State:
        """The state after the first `count` of these entries, in the light of all of them."""
        mark = min(count // _STRIDE, len(self._marks) - 1)
        state = self._marks[mark]
        for entry in self.entries[mark * _STRIDE : count]:
            if self.counts(entry):
                state = fold(self._top, state, entry.get("effects", ()))
        return state

    def state_without(self, root: str) -> State:
        """The state as if this thing had not been done."""
        first = next((n for n, entry in enumerate(self.entries) if self._roots[entry["id"]] == root), len(self.entries))
        state = self.state_at(first)
        for entry in self.entries[first:]:
            if self.counts(entry) and self._roots[entry["id"]] != root:
                state = fold(self._top, state, entry.get("effects", ()))
        return state

    # -- undo, redo, open runs --------------------------------------------------------------------------

    def to_undo(self) -> Entry | None:
        """Return the newest entry that is neither an undo nor undone nor superseded; None if there is none."""
        done = (entry for entry in reversed(self.entries) if "undoes" not in entry)
        return next((entry for entry in done if not self.undone(entry) and not self.superseded(entry)), None)

    def to_redo(self) -> Entry | None:
        """The newest live undo of a real entry that no newer real entry has buried."""
        for entry in reversed(self.entries):
            if "undoes" not in entry:
                return None
            if entry.get("did") != "redo" and entry["id"] not in self._dead:
                return entry
        return None

    def out_of_turn(self) -> Entry | None:
        """Return the newest entry if it is an undo that passed over something newer than what it took back."""
        last, newest = self.entries[-1] if self.entries else None, self.to_undo()
        if last is None or newest is None or last.get("did") != "undo" or "undoes" not in last:
            return None
        taken = self.one_with(last["undoes"])
        place = {entry["id"]: n for n, entry in enumerate(self.entries)}
        return last if place[newest["id"]] > max((place[ident] for ident in taken), default=-1) else None

    def open_runs(self) -> Iterator[Entry]:
        """The newest open entry of each procedure that is still under way."""
        return (entry for entry in self._open.values() if not self.undone(entry))

    def open_run(self, ident: str) -> Entry | None:
        """The procedure under way whose newest entry is this one."""
        return next((entry for entry in self.open_runs() if entry["id"] == ident), None)

    def held(self, root: str) -> list[Effect]:
        """The effects of a procedure that are on the table so far."""
        gone = self._void | self._superseded
        mine = [entry for entry in self.entries if self._roots[entry["id"]] == root and entry["id"] not in gone]
        return [effect for entry in mine for effect in entry.get("effects", ())]

    # -- the base ---------------------------------------------------------------------------------------

    def cut(self) -> int:
        """Return how many of these entries the next base may stand for.

        0 while an entry after the cut goes on from one that was deleted by hand: a log with a base would look for that
        one behind the base at every opening.
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
        """What lies before this cut and is undone by something after it."""
        after = {entry["id"] for entry in self.entries[cut:]}
        return frozenset(
            entry["undoes"]
            for entry in self.entries[cut:]
            if "undoes" in entry and entry["id"] not in self._dead and entry["undoes"] not in after
        )

    def advance(self, cut: int) -> None:
        """Let the base stand for the first `cut` entries, unless one after them goes on from one of them.

        Do nothing either if one of them is open: a redo may have brought it back after the cut was chosen.
        """
        under_way = {self._roots[entry["id"]] for entry in self.open_runs()}
        if any(self._roots[entry["id"]] in under_way for entry in self.entries[:cut]):
            return
        base, without = self.state_at(cut), self.undone_across(cut)
        before = dict(self.__dict__)
        try:
            Log.__init__(self, self._top, base, self.entries[cut:], upto=self.upto + cut, without=without)
        except NeedsFullLog:
            self.__dict__.update(before)
