"""Taking things back, and bringing them back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from tracker.campaign.log import Entry, Log, NeedsFullLog
from tracker.campaign.state import thaw
from tracker.campaign.store import log_of
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.saves.errors import Changed, SaveError
from tracker.saves.save import Save, Step
from tracker.saves.writer import SaveStatus, Writer


class Undoes:
    """The part of a session that undoes and redoes, and folds the whole log where that reaches far back."""

    save: Save
    game: Game
    log: Log
    settle: Callable[[], SaveStatus]
    refresh: Callable[[], bool]
    _writer: Writer
    _since_head: int
    _folding: bool
    _fresh: Log | None
    _entry: Callable[..., Entry]
    _put: Callable[[Entry], Entry]
    _tell: Callable[[str], None]

    @property
    def sign(self) -> SaveStatus:
        raise NotImplementedError

    def undo(self, ident: str | None = None) -> Entry | None:
        """Take back the newest thing, or the one with this id; None if there is nothing to take back."""
        if ident is None:
            newest = self.log.to_undo()
            if newest is None:
                if not self.log.upto:
                    return None
                self.fold_whole()
                newest = self.log.to_undo()
            ident = newest["id"] if newest else None
        elif any(entry["id"] == ident and "undoes" in entry for entry in self.log.entries):
            raise Refused("That was an undo: redo it instead.")
        return self._name("undo", ident) if ident and not self.log.undone({"id": ident}) else None

    def redo(self, undo: str | None = None) -> Entry | None:
        """Bring back what was undone last; None if nothing was, or if something was done since. With the id of an
        undo that still counts: what that one took back.
        """
        if undo is None:
            newest = self.log.to_redo()
            undo = newest["id"] if newest else None
        return self._name("redo", undo) if undo else None

    def undo_of(self, entry: Entry) -> str | None:
        """The id of the undo by which this entry is undone, however long ago that was."""
        log = self.log
        names = {entry["id"], entry.get("closes")} | log.one_with(entry["id"])
        undos = [(str(later["id"]), later["undoes"]) for later in reversed(log.entries) if log.undoes(later)]
        if found := next((ident for ident, named in undos if named in names), None):
            return found
        dead = {named for _, named in undos}
        for later in self.save.marked() if log.upto else ():
            if "undoes" in later and later["id"] not in dead:
                if later["undoes"] in names:
                    return str(later["id"])
                dead.add(later["undoes"])
        return None

    def _name(self, did: str, ident: str) -> Entry:
        entry = self._entry(did=did, undoes=ident)
        try:
            return self._put(entry)
        except NeedsFullLog:
            self._writer.put(entry)
            self.fold_whole()
            return entry

    def fold_whole(self, step: Step | None = None) -> None:
        """Fold the log from its very first entry, for an undo that reaches far back; slow, and then tidied up."""
        self.settle()
        with self._writer.alone():
            try:
                log = self._whole(step)
            except Changed:
                if not self.refresh():
                    raise Refused(f"The whole log cannot be read now: {self.sign.why}.") from None
                log = self._whole(step)
            self._rebuild(log)

    def undo_far(self, ident: str, step: Step, done: Callable[[], object], *, did: str = "undo") -> None:
        """The same in the writer's thread, for a screen that goes on; `done` is called there. One at a time."""
        if self._folding:
            raise Refused("The whole log is being gone through: one moment.")
        entry = self._entry(did=did, undoes=ident)
        self._folding = True

        def job() -> None:
            try:
                self._fresh = self._whole(step)
            finally:
                done()

        self._writer.put(entry, job)

    def take_fresh(self) -> None:
        """Take over what `undo_far` has folded."""
        if self._fresh:
            self._rebuild(self._fresh)
        elif self._folding:
            self.fold_whole()

    def _whole(self, step: Step | None) -> Log:
        """The log of the whole file and of what waits to be written to it."""
        self.save.read_whole(step)
        waiting = self._writer.waiting()
        log = log_of(self.save, self.game, step, waiting)
        if not waiting:
            cut = log.cut()
            with contextlib.suppress(OSError, SaveError):  # the file stays as it is; tidying can wait
                self.save.compact(thaw(log.state), cut, thaw(log.state_at(cut)), log.undone_across(cut))
        return log

    def _rebuild(self, log: Log) -> None:
        """Put this log in place, with what was entered while it was made."""
        self._since_head = 0
        last = log.entries[-1]["t"] if log.entries else 0
        for entry in self.log.entries:
            if entry["t"] > last:
                log.append(entry)
                self._since_head += 1
        if base := self.save.head.base:
            log.advance(base.upto)
        self.log = log
        self._folding, self._fresh = False, None
        self._tell("table")
