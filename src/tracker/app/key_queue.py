"""Keys typed faster than screens open."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TypeVar

from textual import events
from textual.app import App
from textual.screen import UPDATE_PERIOD
from textual.widget import Widget

Result = TypeVar("Result")
PATIENCE = 1.0
"""Seconds after which the next key goes on all the same: nothing may lock the keyboard."""
FRAME = UPDATE_PERIOD
PASSES = 3
"""The key itself, then the screen that it opened, then what got the focus there."""


class SequentialKeyApp(App[Result]):
    """What a key opens has the focus before the next key comes.

    Textual gives each key to whatever has the focus when it is read, and acts on it later: of `m1`, typed in one
    go, the table would get both.
    """

    def __init__(self, css_path: list[str]) -> None:
        super().__init__(css_path=list(css_path))
        self._typed: asyncio.Queue[events.Event] = asyncio.Queue()
        self.own_keys: dict[str, str] = {}
        """The player's own, by the id of the binding."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, (events.Key, events.Paste)) and not event.is_forwarded:
            self._typed.put_nowait(event)
        else:
            await super().on_event(event)

    def on_mount(self) -> None:
        self.run_worker(self._pass_on())

    async def laid(self) -> None:
        """Until the screen has all that a key can act upon."""

    def takes(self, event: events.Event) -> bool:  # noqa: ARG002
        """Whether this key has something to act upon."""
        return True

    async def _pass_on(self) -> None:
        key = await self._typed.get()
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self.laid()
            if self.takes(key):
                await super().on_event(key)
            # Alone it has a frame to itself; measured, to follow it at once would keep its picture back by a quarter.
            following = asyncio.ensure_future(self._typed.get())
            await asyncio.wait([following], timeout=FRAME)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self._acted_upon()
            key = await following

    async def _acted_upon(self) -> None:
        """Follow the key's way, from the focus up to the app, behind whatever it set off."""
        for _ in range(PASSES):
            focus = self.focused or self.screen
            way = focus.ancestors_with_self
            for place in way:
                passed = asyncio.Event()
                if place.call_later(passed.set):
                    await passed.wait()
            if focus is (self.focused or self.screen) and not any(place.message_queue_size for place in way):
                return  # most keys open nothing


def key_now(on: Widget, usual: str) -> str:
    """The key in force there for what usually has this one, as it is shown; `m1` is m and a digit."""
    app = on.app
    if not (isinstance(app, SequentialKeyApp) and app.own_keys):
        return usual
    from tracker.app.keymap import instead_of

    return instead_of(usual, on.screen)
