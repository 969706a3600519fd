"""A shared campaign in plain mode: an event loop in a thread, and what others did before the next prompt."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from tracker.campaign.session import Session
from tracker.coop.company import Company
from tracker.coop.plans import Hosting, Plan
from tracker.games.api.phrases import time_of_day
from tracker.games.common.seats import ROLES, SPECTATOR
from tracker.plain.console import Console, InputClosed, say

Result = TypeVar("Result")
ARRIVAL_SECONDS = 3.0
"""Longest time that the first prompt is put off until the host has answered."""


class PlainCompany:
    """Controller of a shared campaign in plain mode; a context manager that is connected to others while it is entered.

    The session is used in two threads, which take turns: the event loop uses it only while plain mode waits for a line
    of input.
    """

    def __init__(self, session: Session, talk: Console, plan: Plan) -> None:
        self._session = session
        self._talk = talk
        self._plan = plan
        self._heard: list[str] = []
        self._asked = ""
        self._awaits_line = False
        self._turn = threading.RLock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="company", daemon=True)

    def __enter__(self) -> PlainCompany:
        """Begin to host or join, as planned, and return this object. Block up to ARRIVAL_SECONDS for a host's answer.

        Raise Refused, with a sentence for the player, if hosting or joining fails.
        """
        self._thread.start()
        self._turn.acquire()
        self._talk.while_waiting = self._awaiting
        try:
            self.company = self._call(self._make())
            self._call(self._begin())
        except BaseException:
            self._end()
            raise
        if isinstance(self._plan, Hosting):
            self._heard.append(self.code())
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._call(self.company.part())
        finally:
            self._end()

    def _end(self) -> None:
        self._turn.release()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _make(self) -> Company:
        return Company(self._session, self, self._plan.name, self._turn)

    async def _begin(self) -> None:
        """Coroutine that begins to host or join, and waits up to ARRIVAL_SECONDS until the host has answered.

        Raise Refused if hosting or joining fails.
        """
        await self.company.begin(self._plan)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ARRIVAL_SECONDS):
                while self.company.standing.away:
                    await asyncio.sleep(0.01)

    def _call(self, work: Coroutine[Any, Any, Result]) -> Result:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        with self._waiting():
            return future.result()

    @contextmanager
    def _awaiting(self) -> Iterator[None]:
        """Context manager for the time in which a line of input is awaited: others may then change the campaign.

        Sentences for the player are then printed at once.
        """
        self._awaits_line = True
        try:
            with self._waiting():
                yield
        finally:
            self._awaits_line = False

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Context manager in which this thread leaves the session to the event loop, for changes that others make."""
        self._turn.release()
        try:
            yield
        finally:
            self._turn.acquire()

    # -- words ------------------------------------------------------------------------------------------

    def heard(self) -> list[str]:
        """Return the sentences for the player that have come since the last call; [] if there are none."""
        heard, self._heard = self._heard, []
        return heard

    def code(self) -> str:
        """Return a sentence with the code that others join with, or one about the connection if we don't host."""
        if code := self.company.invitation:
            return " ".join(filter(None, (self.company.remark, f"Friends join with: tracker join {code}")))
        return self.company.connection()

    def people(self) -> Iterator[str]:
        """Yield a line about the connection, and one for each person who has a seat or watches."""
        yield self.company.connection()
        for one in self.company.people():
            plays = "" if one.role == SPECTATOR else f", plays {', '.join(one.characters) or 'no character yet'}"
            here = one.asks or (f"here since {time_of_day(one.since).rstrip('.')}" if one.since else "away")
            hosts = ", hosts" if one.is_host else ""
            yield f"{one.name}{' (you)' if one.is_me else ''}: {ROLES.get(one.role, one.role)}{hosts}{plays}, {here}."

    def agree(self) -> str:
        """Say yes to the oldest question for the host; return a sentence about the result, or "" if there is none."""
        return self._in_loop(self.company.agree)

    def decline(self) -> str:
        """Say no to the oldest question for the host; return a sentence about the result, or "" if there is none."""
        return self._in_loop(self.company.decline)

    def host_here(self) -> str:
        """Host the campaign on this machine, and return a sentence with the code. Raise Refused if that fails.

        If this machine hosts already, only return the sentence.
        """
        if not self.company.is_host:
            self._call(self.company.host())
        return self.code()

    def _in_loop(self, act: Callable[[], str]) -> str:
        async def work() -> str:
            return act()

        return self._call(work())

    # -- what happens -----------------------------------------------------------------------------------

    def company_changed(self) -> None:
        question = self.company.question()
        if question and question != self._asked:
            self._tell_now(f"{question} Type yes or no.")
        self._asked = question

    def _tell_now(self, sentence: str) -> None:
        """Print a sentence at once if a line of input is awaited, else keep it for `heard`.

        A friend who asks to join should not wait until the player presses Enter.
        """
        if self._awaits_line:
            with contextlib.suppress(InputClosed):  # the prompt finds out, too
                say(sentence)
        else:
            self._heard.append(sentence)

    def company_says(self, sentence: str) -> None:
        self._heard.append(sentence)

    def company_entered(self, news: str, *, reunion: bool) -> None:  # noqa: ARG002
        if news:
            self._heard.append(news)
