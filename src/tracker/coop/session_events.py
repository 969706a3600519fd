"""Events of a session, which come in several threads, forwarded to the event loop of a host, a guest or a member."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from tracker.campaign.session import SaveError
from tracker.coop.replica import Replica
from tracker.games.api.errors import Refused
from tracker.saves.blocks import Entry
from tracker.text import shown_line


class SessionEvents:
    """A listener to a session that calls functions in the event loop in which it was made, until `stop`.

    `entered` is called with each new entry, `written` with the ids of entries that have become durable. If another
    program has changed the file, the replica reads it again, and `read_again` is called, both with the guard held.
    `sign`, if given, is called when the save status has changed. `says` is called with a sentence for the player if one
    of these fails.
    """

    def __init__(
        self,
        replica: Replica,
        says: Callable[[str], object],
        *,
        entered: Callable[[Entry], object],
        written: Callable[[Sequence[str]], object],
        read_again: Callable[[], object],
        sign: Callable[[], object] | None = None,
    ) -> None:
        self._replica, self._says = replica, says
        self._entered, self._written, self._read_again, self._sign = entered, written, read_again, sign
        self._loop = asyncio.get_running_loop()
        session = replica.session
        session.on_entry.append(self._hear_entry)
        session.on_written.append(self._hear_written)
        session.listeners.append(self._hear_event)

    def stop(self) -> None:
        session = self._replica.session
        session.on_entry.remove(self._hear_entry)
        session.on_written.remove(self._hear_written)
        session.listeners.remove(self._hear_event)

    def _hear_entry(self, entry: Entry) -> None:
        self._in_loop(lambda: self._entered(entry))

    def _hear_written(self, ids: Sequence[str]) -> None:
        self._in_loop(lambda: self._written(ids))

    def _hear_event(self, what: str) -> None:
        if what == "sign" and self._sign:
            self._in_loop(self._sign)
        elif what == "late":
            self._in_loop(self._adopt_late)
        elif what == "notes":
            self._in_loop(self._begin_again)

    def _in_loop(self, then: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended; what is missing goes out at the next reunion
            self._loop.call_soon_threadsafe(self._try, then)

    def _try(self, then: Callable[[], object]) -> None:
        try:
            then()
        except (SaveError, Refused, OSError) as error:
            self._says(shown_line(str(error), 120))

    def _adopt_late(self) -> None:
        with self._replica.guard:
            self._replica.session.adopt_late()

    def _begin_again(self) -> None:
        with self._replica.guard:
            self._replica.read_again()
            self._read_again()
