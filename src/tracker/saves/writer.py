"""The thread that writes entries to a save, in order, and tries again until that succeeds."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice, takewhile

from tracker.records import NamedTuple
from tracker.saves.blocks import Entry
from tracker.saves.errors import Changed, SaveError
from tracker.saves.save import Save

RETRY_SECONDS = 3.0
"""Seconds between two attempts to write."""
AT_ONCE = 1000
"""Most entries from elsewhere that are written together, so that the next own entry does not wait for long."""
Work = Entry | Callable[[], None]
"""What the queue holds: an entry to append, or a job to run."""


class SaveStatus(NamedTuple):
    """The save status, as the corner of the screen shows it: whether everything is saved.

    `word` is "saved", "saving", "NOT SAVED" or "READ-ONLY"; `why` is the reason for the last two, else "". A Writer
    never says "READ-ONLY", a Session does.
    """

    word: str
    why: str = ""


SAVED = SaveStatus("saved")
SAVING = SaveStatus("saving")


def not_saved(why: str) -> SaveStatus:
    return SaveStatus("NOT SAVED", why)


class Writer:
    """The thread that writes a save: a queue of entries to append and jobs to run (compaction, backups), in order.

    An entry that cannot be written stays first in the queue and is tried again every few seconds and at `retry`; a
    job that fails is dropped. Callbacks may run in the writer's thread: `on_sign` when the save status `sign`
    changes, `on_changed` when another program has changed the file, `on_untidy` with the reason when a job fails,
    `on_written` with the ids of entries that are durable now.
    """

    def __init__(
        self,
        save: Save,
        on_sign: Callable[[], None],
        on_changed: Callable[[], None],
        on_untidy: Callable[[str], None],
        on_written: Callable[[list[str]], None] = lambda _: None,
    ) -> None:
        self._save = save
        self._on_sign = on_sign
        self._on_changed = on_changed
        self._on_untidy = on_untidy
        self._on_written = on_written
        self._queue: deque[Work] = deque()
        self._elsewhere: set[str] = set()
        """Ids of queued entries that came from elsewhere, which may be written together."""
        self._wake = threading.Condition()
        self._busy = False
        self._stop = False
        self._why = ""
        self._pausing = False
        self._held = False
        self._told = SAVED
        self._thread: threading.Thread | None = None

    @property
    def sign(self) -> SaveStatus:
        """The save status at this moment; "saved" only if no entry is in the queue."""
        with self._wake:
            if self._why:
                return not_saved(self._why)
            return SAVING if any(isinstance(one, dict) for one in self._queue) else SAVED

    def put(self, *work: Work) -> None:
        """Queue entries to append and jobs to run, in this order, and return at once.

        The writer's thread writes them, and is started if it is not running.
        """
        with self._wake:
            self._queue += work
            self._go_on()
        self._tell()

    def put_together(self, entries: list[Entry]) -> None:
        """Queue entries from elsewhere, and return at once. Up to AT_ONCE of them are written and synced together."""
        with self._wake:
            self._elsewhere.update(entry["id"] for entry in entries)
        self.put(*entries)

    def retry(self) -> None:
        """Let the writer's thread try to write the queue now instead of after RETRY_SECONDS; return at once."""
        with self._wake:
            self._go_on()
        self._tell()

    def settle(self) -> SaveStatus:
        """Block until the queue is empty, a write has failed, or writing is on hold; return the save status."""
        with self._wake:
            self._wake.wait_for(lambda: not self._busy and (not self._queue or self._pausing or self._held))
            return self.sign

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Context manager that suspends writing. Entering blocks until the work under way is done.

        Calls of this object in other threads block until it is left.
        """
        with self._wake:
            self._wake.wait_for(lambda: not self._busy)
            yield

    def waiting(self) -> list[Entry]:
        """Return the queued entries, which are not durable yet, in the order in which they will be written."""
        with self._wake:
            return [one for one in self._queue if isinstance(one, dict)]

    def hold(self, why: str) -> None:
        """Stop writing until `resume`, with the save status NOT SAVED and this reason."""
        with self._wake:
            self._held, self._why = True, why
            self._wake.notify_all()
        self._tell()

    def requeue(self, waiting: list[Entry]) -> None:
        """Replace the queued entries by `waiting`. Queued jobs stay, and run after these entries."""
        with self._wake:
            jobs = [one for one in self._queue if not isinstance(one, dict)]
            self._queue = deque([*waiting, *jobs])

    def resume(self, waiting: list[Entry]) -> None:
        """Start writing again after `hold`. `waiting` replaces the queued entries."""
        with self._wake:
            self.requeue(waiting)
            self._held, self._why = False, ""
            self._go_on()
        self._tell()

    def move(self, save: Save) -> None:
        """Continue with another save, and write again if writing was on hold.

        Queued entries are dropped, because `save` must contain them already. Queued jobs stay.
        """
        with self._wake:
            self._save = save
        self.resume([])

    def close(self) -> SaveStatus:
        """Try once more to write the queue, end the thread and return the save status. Blocks until that is done."""
        self.retry()
        last = self.settle()
        with self._wake:
            self._stop = True
            self._wake.notify_all()
        if self._thread:
            self._thread.join()
        return last

    def _go_on(self) -> None:
        self._pausing = bool(self._queue) and not self._start()
        self._wake.notify_all()

    def _start(self) -> bool:
        """Start the writer thread if it is not running. Return True if it runs then.

        If the system cannot start one, set `_why` to the reason and return False.
        """
        if self._thread is None:  # a reader needs no thread
            thread = threading.Thread(target=self._run, name="writer", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                self._why = "the system is out of threads"
                return False
            self._thread, self._why = thread, ""
        return True

    def _run(self) -> None:
        while True:
            with self._wake:
                ready = self._wake.wait_for(
                    lambda: self._stop or (self._queue and not self._pausing and not self._held),
                    RETRY_SECONDS if self._pausing or self._held else None,
                )
                if self._stop:
                    return
                held = self._held
                if not ready:
                    self._pausing = False
                else:
                    self._busy = True
                    work = self._next()
            if ready:
                self._do(work)
            elif held:
                self._on_changed()  # the other program may have finished by now

    def _next(self) -> list[Entry] | Callable[[], None]:
        """Return the job that is first in the queue, or the entries that are first and are written together."""
        first = self._queue[0]
        if not isinstance(first, dict):
            return first
        together = takewhile(self._is_from_elsewhere, self._queue)
        return [one for one in islice(together, AT_ONCE) if isinstance(one, dict)] or [first]

    def _is_from_elsewhere(self, work: Work) -> bool:
        return isinstance(work, dict) and work["id"] in self._elsewhere

    def _do(self, work: list[Entry] | Callable[[], None]) -> None:
        """Try once to append the entries or run the job that are first in the queue. Never raises.

        Remove them from the queue, unless entries could not be written or the file was changed outside.
        """
        why, changed = "", False
        try:
            if isinstance(work, list):
                self._save.append(work)
            else:
                work()
        except Changed:
            changed = True
        except SaveError as error:
            why = str(error)
        except OSError as error:
            why = error.strerror or str(error)
        except Exception as fault:  # noqa: BLE001 a bug must not end the thread that saves
            why = f"internal error, {type(fault).__name__}: {fault}"
        with self._wake:
            if changed:
                self._held = True
            elif isinstance(work, list):
                self._why, self._pausing = why, bool(why)
            if not changed and not self._pausing:
                # A failed job is not tried again: nothing is lost, and the next one comes soon.
                for _ in work if isinstance(work, list) else (work,):
                    self._queue.popleft()
        if changed:
            self._on_changed()  # before `settle` returns in another thread
        elif isinstance(work, list) and not why:
            self._written([entry["id"] for entry in work])
        elif why and not isinstance(work, list):
            self._on_untidy(why)
        self._tell()
        with self._wake:
            self._busy = False
            self._wake.notify_all()

    def _written(self, ids: list[str]) -> None:
        with self._wake:
            self._elsewhere.difference_update(ids)
        try:
            self._on_written(ids)
        except Exception as fault:  # noqa: BLE001 a bug in a listener must not end the thread that saves
            self._on_untidy(f"internal error, {type(fault).__name__}: {fault}")

    def _tell(self) -> None:
        with self._wake:
            now = self.sign
            before, self._told = self._told, now
        if now != before:
            self._on_sign()
