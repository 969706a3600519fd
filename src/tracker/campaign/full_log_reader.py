"""A reader of more of the file than its newest entries, for a log that an entry behind the snapshot needs.

`campaign/log.py` folds the log; here it is only made from more of the file, in the writer's thread or at once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Protocol

from tracker.campaign.fold import written
from tracker.campaign.history import HistorySource
from tracker.campaign.log import Log, NeedsFullLog
from tracker.campaign.save_log import log_in, log_of
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.saves.compaction import Place
from tracker.saves.entries import key
from tracker.saves.errors import Changed, SaveError
from tracker.saves.reader import Contents
from tracker.saves.save import Save, Step
from tracker.saves.writer import SaveStatus, Writer


class SessionWithFullLog(HistorySource, Protocol):
    """Protocol of the part of a Session that FullLogReader uses. Session describes these methods."""

    game: Game

    @property
    def sign(self) -> SaveStatus: ...
    def replace_log(self, log: Log) -> None: ...
    def settle(self) -> SaveStatus: ...
    def refresh(self) -> bool: ...


class FullLogReader:
    """Reads more of a save than the entries after its snapshot, makes a log of them, and gives it to the session.

    `begin` does the slow part in the writer's thread; `adopt` takes over the result in the session's thread. `whole`
    does both at once.
    """

    def __init__(self, session: SessionWithFullLog, writer: Writer) -> None:
        self._session = session
        self._writer = writer
        self.under_way = False
        """True from a call of `begin` until the result was adopted."""
        self._left = 0
        """Number of jobs in the queue."""
        self._fresh: Log | None = None
        self._asked = 0
        """Number of calls of `drop`: jobs from before the last one do not count."""

    def begin(self, done: Callable[[], object], step: Step | None = None, *, to: tuple[int, str] | None = None) -> None:
        """Queue a job for the writer's thread that reads the file again, and return at once.

        In the writer's thread, `step` is called with the progress, from 0 to 1, and `done` at the end, also after a
        failure. Then the caller has to call `adopt` in the session's thread. The job reads the whole file, or with `to`
        only from a mark before the entry whose (t, id) that is; the entry must sort before the end of the snapshot.
        """
        self.under_way = True
        self._left += 1
        asked = self._asked

        def job() -> None:
            try:
                log = self._whole(step) if to is None else self._from_mark(to, step)
                if asked == self._asked:
                    self._fresh = log
            finally:
                if asked == self._asked:
                    self._left -= 1
                done()

        self._writer.put(job)

    def adopt(self) -> None:
        """Give the result of `begin` to the session. If there is none, because reading failed, read the file now.

        That blocks. Do nothing if nothing was begun. Raise Refused, SaveError or OSError if the file cannot be read.
        """
        log, self._fresh = self._fresh, None
        if log:
            try:
                self._session.replace_log(log)
            except NeedsFullLog:
                self.whole()
            self.under_way = self._left > 0
        elif self.under_way:
            self.whole()

    def whole(self, step: Step | None = None) -> None:
        """Read the whole file and give the session a log made from all entries. Slow.

        Also compact the file if no entry waits to be written. `step` is called with the progress, from 0 to 1. Raise
        Refused if the file has changed and cannot be read again, and SaveError or OSError if it cannot be read at all.
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
            session.replace_log(log)
            self.drop()

    def drop(self) -> None:
        """Discard the results of all jobs begun so far; call this when the session gets another log."""
        self.under_way, self._fresh, self._left = False, None, 0
        self._asked += 1

    def settle_file(self) -> None:
        """Compact the file, which has entries that sort before the end of its snapshot, so that it opens as usual.

        Only for jobs in the writer's thread. The session's log does not change. Raise Changed, SaveError or OSError if
        the file cannot be read or compacted.
        """
        self._from_mark(key(self._session.save.blocks[0].entry), None)

    def _whole(self, step: Step | None) -> Log:
        """Return a log of all entries in the file and in the queue. Also compact the file if the queue is empty.

        Raise Changed, SaveError or OSError if the file cannot be read.
        """
        save = self._session.save
        save.read_whole(step)
        waiting = self._writer.waiting()
        log = log_of(save, self._session.game, step, waiting)
        if not waiting:
            with contextlib.suppress(OSError, SaveError):  # the file stays as it is; tidying can wait
                compact(save, log)
        return log

    def _from_mark(self, to: tuple[int, str], step: Step | None) -> Log:
        """Return a log of the entries in the file that begins before the (t, id) `to`, and compact the file.

        Raise Changed, SaveError or OSError if the file cannot be read or compacted.
        """
        save = self._session.save
        for found in save.reaching_back(to, step):
            with contextlib.suppress(NeedsFullLog):
                log = log_in(found, self._session.game, step=step)
                compact(save, log, of=found)
                return log
        raise AssertionError("a log of all entries needs no others")


def compact(save: Save, log: Log, of: Contents | None = None) -> None:
    """Compact a save, and write its marks if it keeps any. The entries of `log` must be the blocks of the save.

    With `of`, which are contents from `Save.reaching_back`, they must be the blocks of these. Raise Changed, SaveError
    or OSError on failure; the file is then still complete.
    """
    from tracker.saves import marks

    cut = log.cut()
    clean = log.places(marks.EVERY) if save.keeps_marks and cut >= marks.EVERY else ()
    places = [Place(n, written(log.top, state), without) for n, state, without in clean]
    state, base = written(log.top, log.state), written(log.top, log.state_at(cut))
    save.compact(state, cut, base, log.undone_across(cut), of=of, places=places)
