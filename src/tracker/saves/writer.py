"""The one thread that writes: in order, and as often as it takes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from tracker.saves.blocks import Entry
from tracker.saves.errors import Changed, SaveError
from tracker.saves.save import Save

RETRY_SECONDS = 3.0


@dataclass(frozen=True)
class Sign:
    """What the corner of the screen says: `saved`, `saving`, or `NOT SAVED` with the reason."""

    word: str
    why: str = ""


SAVED = Sign("saved")
SAVING = Sign("saving")


def not_saved(why: str) -> Sign:
    return Sign("NOT SAVED", why)


class Writer:
    """Takes entries and tidying jobs, and does them one after the other in its own thread.

    What cannot be written waits, with all after it, and is tried again by itself and at `retry`. `on_sign` and
    `on_changed` are called in that thread.
    """

    def __init__(self, save: Save, on_sign: Callable[[Sign], None], on_changed: Callable[[], None]) -> None:
        self._save = save
        self._on_sign = on_sign
        self._on_changed = on_changed
        self._queue: deque[Entry | Callable[[], None]] = deque()
        self._wake = threading.Condition()
        self._busy = False
        self._stop = False
        self._failed = ""
        self._held = False
        self.sign = SAVED
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(self, *work: Entry | Callable[[], None]) -> None:
        """Entries to append, or jobs that tidy the file up."""
        with self._wake:
            self._queue += work
            self._failed = ""
            self._wake.notify_all()
        if any(isinstance(one, dict) for one in work):
            self._say(SAVING)

    def retry(self) -> None:
        with self._wake:
            self._failed = ""
            self._wake.notify_all()

    def settle(self) -> Sign:
        """Wait until all that was put is durable, or until it is clear that it cannot be now."""
        with self._wake:
            self._wake.wait_for(lambda: not self._busy and (not self._queue or self._failed or self._held))
            return not_saved(self._failed) if self._failed else self.sign

    def waiting(self) -> list[Entry]:
        """The entries that are not durable yet."""
        with self._wake:
            return [one for one in self._queue if isinstance(one, dict)]

    def resume(self, waiting: list[Entry]) -> None:
        """Go on after the file was read again; `waiting` is put after what it holds now."""
        with self._wake:
            jobs = [one for one in self._queue if not isinstance(one, dict)]
            self._queue = deque([*waiting, *jobs])
            self._held = False
            self._failed = ""
            self._wake.notify_all()

    def close(self) -> Sign:
        """Do what is left, once, and end the thread."""
        self.retry()
        last = self.settle()
        with self._wake:
            self._stop = True
            self._wake.notify_all()
        self._thread.join()
        return last

    def _run(self) -> None:
        while True:
            with self._wake:
                ready = self._wake.wait_for(
                    lambda: self._stop or (self._queue and not self._failed and not self._held),
                    RETRY_SECONDS if self._failed else None,
                )
                if self._stop:
                    return
                if not ready:
                    self._failed = ""
                    continue
                self._busy = True
                entries: list[Entry] = []
                for one in self._queue:
                    if not isinstance(one, dict):
                        break
                    entries.append(one)
                job = self._queue[0]
            self._do(entries, job)

    def _do(self, entries: list[Entry], job: Entry | Callable[[], None]) -> None:
        failed, changed = "", False
        try:
            if entries:
                self._save.append(entries)
            elif callable(job):
                job()
        except Changed:
            changed = True
        except SaveError as error:
            failed = str(error)
        except OSError as error:
            failed = error.strerror or str(error)
        with self._wake:
            if changed:
                self._held = True
            elif not failed or not entries:
                # A tidying job that failed is not tried again: nothing is lost by it, and the next one is soon.
                for _ in range(max(1, len(entries))):
                    self._queue.popleft()
            self._failed = failed if entries else ""
            left = any(isinstance(one, dict) for one in self._queue)
        self._say(not_saved(failed) if failed and entries else SAVING if left else SAVED)
        if changed:
            self._on_changed()  # before anybody who waits in `settle` looks
        with self._wake:
            self._busy = False
            self._wake.notify_all()

    def _say(self, sign: Sign) -> None:
        if sign != self.sign:
            self.sign = sign
            self._on_sign(sign)
