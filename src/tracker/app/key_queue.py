"""An app that handles keys in order, even if they are typed faster than screens open."""

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
"""Seconds to wait for a screen; a stuck one must not block the keyboard."""
FRAME = UPDATE_PERIOD
PASSES = 3
"""Rounds of waiting: for the key, for the screen that it opened, and for the widget that got the focus there."""


class SequentialKeyApp(App[Result]):
    """Base of the app that handles keys one at a time.

    A screen that one key opens has the focus before the next key is sent. Textual alone sends each key to the
    widget that has the focus when the key is read. If the player types `m1` fast, both keys would go to the table.
    """

    def __init__(self, css_path: list[str]) -> None:
        super().__init__(css_path=list(css_path))
        self._typed: asyncio.Queue[events.Event] = asyncio.Queue()
        self.own_keys: dict[str, str] = {}
        """Keys set by the player, by the id of the binding."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, (events.Key, events.Paste)) and not event.is_forwarded:
            self._typed.put_nowait(event)
        else:
            await super().on_event(event)

    def on_mount(self) -> None:
        self.run_worker(self._pass_on())

    async def laid(self) -> None:
        """Coroutine that returns when the screen is ready for a key. The default does at once; subclasses override it.

        It is awaited before each key, for at most PATIENCE seconds.
        """

    def takes(self, event: events.Event) -> bool:  # noqa: ARG002
        """Return True to pass this key or paste on, False to drop it. The default is True; subclasses override it."""
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
        """Wait until the focused widget and its ancestors have handled the last key.

        If the key opened a screen, wait for the widget that got the focus there, too.
        """
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
    """Return the key to show for the command whose default key is `usual`, on the screen of the widget `on`.

    That is the player's own key if one is set, else `usual`. In a key like `m1` only the letter is replaced.
    """
    app = on.app
    if not (isinstance(app, SequentialKeyApp) and app.own_keys):
        return usual
    from tracker.app.keymap import instead_of

    return instead_of(usual, on.screen)
