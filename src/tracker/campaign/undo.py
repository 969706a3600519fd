"""Undo and redo of any entry, also of one from before the snapshot."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Literal, Protocol

from tracker.campaign.history import History, HistorySource
from tracker.campaign.log import Entry, Log, NeedsFullLog
from tracker.campaign.state import thaw
from tracker.campaign.store import log_of
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.records import NamedTuple
from tracker.saves.errors import Changed, SaveError
from tracker.saves.save import Step
from tracker.saves.writer import SaveStatus, Writer


class SessionToUndo(HistorySource, Protocol):
    """The part of a Session that Undo uses; Session describes the methods."""

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
    """An undo or redo that the player could make now; `Undo.make` makes it.

    `undoes` is the id of the entry to undo; for a redo, it is the id of the undo. `far` is True if it changes an entry
    from before the snapshot: the whole file has to be read, which is slow.
    """

    did: Literal["undo", "redo"]
    undoes: str
    far: bool

    @property
    def word(self) -> str:
        return "Undone" if self.did == "undo" else "Redone"


class Undo:
    """The undo and redo of one session. Ask for a Reversal (`last`, `next_redo`, `toggle`), then pass it to `make`.

    For one that is `far`, a screen should call `undo_far` instead, which does not block.
    """

    def __init__(self, session: SessionToUndo, writer: Writer) -> None:
        self._session = session
        self._writer = writer
        self.folding = False
        """True from a call of `undo_far` until `adopt_rebuilt_log`."""
        self._fresh: Log | None = None

    # -- decisions --------------------------------------------------------------------------------------

    def last(self) -> Reversal | None:
        """Return the undo of the newest entry, for the undo key; None if nothing is left to undo.

        If the last thing done was an undo of an older entry, return the redo of that instead. Raise Refused if the file
        has to be read and cannot be.
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
        """Return the redo of what was undone last, for the redo key; None if something else was done since."""
        newest = self._session.log.to_redo()
        return Reversal("redo", newest["id"], far=False) if newest else None

    def toggle(self, entry: Entry, *, undone: bool) -> Reversal | None:
        """Return the undo of this entry, however old; if `undone` is True, return its redo.

        Return None if it is undone but the undo is not found. Raise OSError if the file has to be read and cannot be.
        """
        far = not self._session.log.holds(entry["id"])
        if not undone:
            return Reversal("undo", entry["id"], far)
        undo = self._session.history.undo_of(entry)
        return Reversal("redo", undo, far) if undo else None

    # -- entries ----------------------------------------------------------------------------------------

    def make(self, reversal: Reversal) -> Entry | None:
        """Make this undo or redo and return its entry; None if nothing changes. Slow if it is `far`.

        Raise Refused if the file has to be read and cannot be, or if an undo names an entry that is itself an undo.
        """
        if reversal.did == "redo":
            return self.redo(reversal.undoes)
        return self.undo(reversal.undoes)

    def undo(self, ident: str | None = None) -> Entry | None:
        """Undo the newest entry, or the one with this id, with its whole procedure, and return the new entry.

        Return None if there is nothing to undo or it is undone already. Raise Refused if `ident` is itself an undo, or
        if the file has to be read and cannot be.
        """
        log = self._session.log
        if ident is None:
            newest = self._newest()
            ident = newest.undoes if newest else None
        elif any(entry["id"] == ident and "undoes" in entry for entry in log.entries):
            raise Refused("That entry is an undo: redo it instead.")
        return self._name("undo", ident) if ident and not self._session.log.undone({"id": ident}) else None

    def redo(self, undo: str | None = None) -> Entry | None:
        """Take back the last undo, or the undo with this id, and return the new entry.

        Without an id, return None if nothing was undone, or if something else was done since. Raise Refused if the file
        has to be read and cannot be.
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
        """Read the whole file and give the session a log made from all entries, so that old ones can be undone. Slow.

        Also compact the file if no entry waits to be written. `step` is called with the progress, from 0 to 1. Raise
        Refused if the file has changed and cannot be read again.
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
        """Start to undo an entry from before the snapshot and return at once; the state does not change yet.

        In the writer's thread, `step` is called with the progress, from 0 to 1, and `done` is called at the end, also
        after a failure. Then call `adopt_rebuilt_log`. `did` is "redo" if `ident` is an undo. Raise Refused if another
        one is under way.
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

    def adopt_rebuilt_log(self) -> None:
        """Apply the result of `undo_far` to the session's state. If reading failed there, read the file now, blocking.

        Do nothing if no `undo_far` is under way. Raise Refused if the file cannot be read.
        """
        if self._fresh:
            self._adopt(self._fresh)
        elif self.folding:
            self.fold_whole()

    def drop_fresh(self) -> None:
        """Forget the log that `undo_far` has made; call this when the session gets another log."""
        self.folding, self._fresh = False, None

    def _whole(self, step: Step | None) -> Log:
        """Return a log of all entries in the file and in the queue. Also compact the file if the queue is empty."""
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
