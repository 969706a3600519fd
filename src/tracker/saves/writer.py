"""The one thread that writes: in order, and as often as it takes."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tracker.saves.blocks import Entry
from tracker.saves.errors import Changed, SaveError
from tracker.saves.save import Save

RETRY_SECONDS = 3.0


class SaveStatus(NamedTuple):
    """What the corner of the screen says: `saved`, `saving`, or `NOT SAVED` with the reason."""

    word: str
    why: str = ""


SAVED = SaveStatus("saved")
SAVING = SaveStatus("saving")


def not_saved(why: str) -> SaveStatus:
    return SaveStatus("NOT SAVED", why)


class Writer:
    """Takes entries and tidying jobs, and does them one after the other in its own thread.

    What cannot be written waits, with all after it, and is tried again by itself and at `retry`. `on_sign`,
    `on_changed` and `on_untidy` may be called in that thread; the first only says that `sign` may be another now, the
    last gets the reason why a tidying job failed.
    """

    def __init__(
        self,
        save: Save,
        on_sign: Callable[[], None],
        on_changed: Callable[[], None],
        on_untidy: Callable[[str], None],
    ) -> None:
        self._save = save
        self._on_sign = on_sign
        self._on_changed = on_changed
        self._on_untidy = on_untidy
        self._queue: deque[Entry | Callable[[], None]] = deque()
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
        """Worked out from what waits at this very moment: it never says saved too early."""
        with self._wake:
            if self._why:
                return not_saved(self._why)
            return SAVING if any(isinstance(one, dict) for one in self._queue) else SAVED

    def put(self, *work: Entry | Callable[[], None]) -> None:
        """Entries to append, or jobs that tidy the file up."""
        with self._wake:
            self._queue += work
            self._go_on()
        self._tell()

    def retry(self) -> None:
        with self._wake:
            self._go_on()
        self._tell()

    def settle(self) -> SaveStatus:
        """Wait until all that was put is durable, or until it is clear that it cannot be now."""
        with self._wake:
            self._wake.wait_for(lambda: not self._busy and (not self._queue or self._pausing or self._held))
            return self.sign

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """As long as this lasts, nothing is written."""
        with self._wake:
            self._wake.wait_for(lambda: not self._busy)
            yield

    def waiting(self) -> list[Entry]:
        """The entries that are not durable yet."""
        with self._wake:
            return [one for one in self._queue if isinstance(one, dict)]

    def hold(self, why: str) -> None:
        """Write nothing until `resume`, and say why."""
        with self._wake:
            self._held, self._why = True, why
            self._wake.notify_all()
        self._tell()

    def requeue(self, waiting: list[Entry]) -> None:
        """Let these be the entries that wait, before all jobs."""
        with self._wake:
            jobs = [one for one in self._queue if not isinstance(one, dict)]
            self._queue = deque([*waiting, *jobs])

    def resume(self, waiting: list[Entry]) -> None:
        """Go on after the file was read again; `waiting` is put after what it holds now."""
        with self._wake:
            self.requeue(waiting)
            self._held, self._why = False, ""
            self._go_on()
        self._tell()

    def move(self, save: Save) -> None:
        """Go on with another save, which holds all that was waiting already."""
        with self._wake:
            self._save = save
        self.resume([])

    def close(self) -> SaveStatus:
        """Do what is left, once, and end the thread."""
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
        """Start the writer thread if it is not running. If the system cannot start one, set `_why` and return False."""
        if self._thread is None:  # whoever only looks needs no thread
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
                    work = self._queue[0]
            if ready:
                self._do(work)
            elif held:
                self._on_changed()  # whoever changed the file may have finished by now

    def _do(self, work: Entry | Callable[[], None]) -> None:
        """Append an entry or do a job, once; if an entry cannot be written, it stays in the queue."""
        why, changed = "", False
        try:
            if isinstance(work, dict):
                # One at a time, each with its sync: of several in one write the last could reach the disk alone.
                self._save.append([work])
            else:
                work()
        except Changed:
            changed = True
        except SaveError as error:
            why = str(error)
        except OSError as error:
            why = error.strerror or str(error)
        except Exception as fault:  # noqa: BLE001 a fault of ours must not end the thread on which saving hangs
            why = f"internal error, {type(fault).__name__}: {fault}"
        with self._wake:
            if changed:
                self._held = True
            elif isinstance(work, dict):
                self._why, self._pausing = why, bool(why)
            if not changed and not self._pausing:
                # A tidying job that failed is not tried again: nothing is lost by it, and the next one is soon.
                self._queue.popleft()
        if changed:
            self._on_changed()  # before anybody who waits in `settle` looks
        elif why and not isinstance(work, dict):
            self._on_untidy(why)
        self._tell()
        with self._wake:
            self._busy = False
            self._wake.notify_all()

    def _tell(self) -> None:
        with self._wake:
            now = self.sign
            before, self._told = self._told, now
        if now != before:
            self._on_sign()
