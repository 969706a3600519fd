"""Undo and redo, for the newest entry as for one of long ago."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol

from tracker.campaign.history import History, Source
from tracker.campaign.log import Entry, Log, NeedsFullLog
from tracker.campaign.state import thaw
from tracker.campaign.store import log_of
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.saves.errors import Changed, SaveError
from tracker.saves.save import Step
from tracker.saves.writer import SaveStatus, Writer


class Table(Source, Protocol):
    """What undo and redo need of a session."""

    game: Game
    history: History

    @property
    def sign(self) -> SaveStatus: ...
    def new_entry(self, **given: Any) -> Entry: ...
    def put(self, entry: Entry) -> Entry: ...
    def replace_log(self, log: Log) -> None: ...
    def settle(self) -> SaveStatus: ...
    def refresh(self) -> bool: ...


class Reversal(NamedTuple):
    """An undo or a redo that can be made: the entry to make, and the id that it names.

    `far`: what comes or goes lies before the snapshot, so the whole log has to be folded.
    """

    did: Literal["undo", "redo"]
    undoes: str
    far: bool

    @property
    def word(self) -> str:
        return "Undone" if self.did == "undo" else "Redone"


class Undo:
    """The undos and redos of one session. Folds the whole log for one that reaches before the snapshot."""

    def __init__(self, session: Table, writer: Writer) -> None:
        self._session = session
        self._writer = writer
        self.folding = False
        """True from `undo_far` to `take_fresh`."""
        self._fresh: Log | None = None

    # -- decisions --------------------------------------------------------------------------------------

    def last(self) -> Reversal | None:
        """Return what the undo key means: take back the last thing, or bring it back if that was an undo out of turn.

        None if nothing is left to undo. Raise Refused if the file has to be read for that, and cannot be.
        """
        log = self._session.log
        if last := log.out_of_turn():
            return Reversal("redo", last["id"], far=not log.holds(last["undoes"]))
        return self._newest()

    def _newest(self) -> Reversal | None:
        if newest := self._session.log.to_undo():
            return Reversal("undo", newest["id"], far=False)
        if not self._session.log.upto:
            return None
        if ident := self._session.history.newest_to_undo():
            return Reversal("undo", ident, far=True)
        self.fold_whole()
        newest = self._session.log.to_undo()
        return Reversal("undo", newest["id"], far=False) if newest else None

    def next_redo(self) -> Reversal | None:
        """Return what the redo key means: bring back what was undone last, unless something was done since."""
        newest = self._session.log.to_redo()
        return Reversal("redo", newest["id"], far=False) if newest else None

    def toggle(self, entry: Entry, *, undone: bool) -> Reversal | None:
        """Return the undo of this entry, or the redo of an undone one, however old; None if no undo of it counts."""
        far = not self._session.log.holds(entry["id"])
        if not undone:
            return Reversal("undo", entry["id"], far)
        undo = self._session.history.undo_of(entry)
        return Reversal("redo", undo, far) if undo else None

    # -- entries ----------------------------------------------------------------------------------------

    def make(self, reversal: Reversal) -> Entry | None:
        """Make this undo or redo at once, which is slow for a far one; None if nothing changes by it."""
        if reversal.did == "redo":
            return self.redo(reversal.undoes)
        return self.undo(reversal.undoes)

    def undo(self, ident: str | None = None) -> Entry | None:
        """Take back the newest thing, or the one with this id; None if there is nothing to take back."""
        log = self._session.log
        if ident is None:
            newest = self._newest()
            ident = newest.undoes if newest else None
        elif any(entry["id"] == ident and "undoes" in entry for entry in log.entries):
            raise Refused("That entry is an undo: redo it instead.")
        return self._name("undo", ident) if ident and not self._session.log.undone({"id": ident}) else None

    def redo(self, undo: str | None = None) -> Entry | None:
        """Bring back what was undone last, or what the undo with this id took back, if that undo still counts.

        None if nothing was undone, or if something was done since.
        """
        if undo is None:
            newest = self.next_redo()
            undo = newest.undoes if newest else None
        return self._name("redo", undo) if undo else None

    def _name(self, did: str, ident: str) -> Entry:
        entry = self._session.new_entry(did=did, undoes=ident)
        try:
            return self._session.put(entry)
        except NeedsFullLog:
            self._writer.put(entry)
            self.fold_whole()
            return entry

    # -- the whole log ----------------------------------------------------------------------------------

    def fold_whole(self, step: Step | None = None) -> None:
        """Replace the session's log with one folded from the first entry, for an undo that reaches far back. Slow.

        Also compact the save file if nothing waits to be written. `step` is told the progress. Raise Refused if the
        file has changed and cannot be read again.
        """
        session = self._session
        session.settle()
        with self._writer.alone():
            try:
                log = self._whole(step)
            except Changed:
                if not session.refresh():
                    raise Refused(f"Can't read the full history now: {session.sign.why}.") from None
                log = self._whole(step)
            self._adopt(log)

    def undo_far(self, ident: str, step: Step, done: Callable[[], object], *, did: str = "undo") -> None:
        """Undo in the writer's thread, for a screen that goes on; `done` is called there. Raise Refused for a second.

        The screen then calls `take_fresh`.
        """
        if self.folding:
            raise Refused("Reading the full history: one moment.")
        entry = self._session.new_entry(did=did, undoes=ident)
        self.folding = True

        def job() -> None:
            try:
                self._fresh = self._whole(step)
            finally:
                done()

        self._writer.put(entry, job)

    def take_fresh(self) -> None:
        """Take over what `undo_far` has folded."""
        if self._fresh:
            self._adopt(self._fresh)
        elif self.folding:
            self.fold_whole()

    def drop_fresh(self) -> None:
        """Forget what `undo_far` has folded: the session has read the file anew."""
        self.folding, self._fresh = False, None

    def _whole(self, step: Step | None) -> Log:
        """Return the log of the whole file and of what waits to be written to it."""
        save = self._session.save
        save.read_whole(step)
        waiting = self._writer.waiting()
        log = log_of(save, self._session.game, step, waiting)
        if not waiting:
            cut = log.cut()
            with contextlib.suppress(OSError, SaveError):  # the file stays as it is; tidying can wait
                save.compact(thaw(log.state), cut, thaw(log.state_at(cut)), log.undone_across(cut))
        return log

    def _adopt(self, log: Log) -> None:
        self._session.replace_log(log)
        self.drop_fresh()
