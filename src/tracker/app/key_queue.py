"""The queue of typed keys, which are handled in order even if they are typed faster than screens open."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.app import App
from textual.screen import UPDATE_PERIOD
from textual.widget import Widget

PATIENCE = 1.0
"""Seconds to wait for a screen; a stuck one must not block the keyboard."""
FRAME = UPDATE_PERIOD
PASSES = 3
"""Rounds of waiting: for the key, for the screen that it opened, and for the widget that got the focus there."""


class KeyQueue:
    """The keys and pastes that an app has received and not handled yet. It passes them on one at a time.

    A screen that one key opens has the focus before the next key is sent. Textual alone sends each key to the
    widget that has the focus when the key is read. If the player types `m1` fast, both keys would go to the table.
    """

    def __init__(
        self,
        app: App[Any],
        ready: Callable[[], Awaitable[None]],
        accepts: Callable[[events.Event], bool],
        handle: Callable[[events.Event], Awaitable[None]],
    ) -> None:
        """`handle` is awaited for each key for which `accepts` returns True.

        `ready` is awaited before each key, for at most PATIENCE seconds.
        """
        self._app = app
        self._ready, self._accepts, self._handle = ready, accepts, handle
        self._typed: asyncio.Queue[events.Event] = asyncio.Queue()
        self.received = 0
        """Number of keys and pastes received so far."""

    def put(self, event: events.Event) -> bool:
        """Add a typed key or a paste to the queue and return True.

        Return False, with nothing done, for any other event.
        """
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            return False
        self._typed.put_nowait(event)
        self.received += 1
        return True

    async def pass_on(self) -> None:
        """Coroutine that passes on every key, in order, and never returns."""
        key = await self._typed.get()
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self._ready()
            if self._accepts(key):
                await self._handle(key)
            # Alone it has a frame to itself; measured, to follow it at once would keep its picture back by a quarter.
            following = asyncio.ensure_future(self._typed.get())
            await asyncio.wait([following], timeout=FRAME)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self._acted_upon()
            key = await following

    async def _acted_upon(self) -> None:
        """Wait until the focused widget and its ancestors have handled the last key.

        If the key opened a screen, wait for the widget that got the focus there, too.
        """
        for _ in range(PASSES):
            focus = self._app.focused or self._app.screen
            way = focus.ancestors_with_self
            for place in way:
                passed = asyncio.Event()
                if place.post_message(events.Callback(callback=passed.set)):  # call_later would inspect each anew
                    await passed.wait()
            if focus is (self._app.focused or self._app.screen) and not any(place.message_queue_size for place in way):
                return  # most keys open nothing


def current_key(on: Widget, usual: str) -> str:
    """Return the key of a command on the screen of the widget `on`, as players see it, such as `^q`.

    `usual` is the command's default key. If the player has set another key, return that. In a key like `m1` only the
    letter is replaced.
    """
    if not getattr(on.app, "own_keys", None):
        return usual
    from tracker.app.keymap import current_key_for

    return current_key_for(usual, on.screen)
