"""A player at the real app without a terminal: presses keys, clicks, and reads what stands on the screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual._compositor import Compositor
from textual.app import App
from textual.binding import Binding
from textual.css.stylesheet import Stylesheet
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from tracker.app import key_queue
from tracker.app.app import TrackerApp
from tracker.app.screens.campaigns import actions
from tracker.app.screens.table.screen import TableScreen
from tracker.campaign.log import Entry
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.game import Game
from tracker.games.ironsworn import GAME
from tracker.saves.disk import Disk
from tracker.settings import Settings

PATIENCE = 60.0
POLL = 0.005
ROUNDS = 2
"""What a message sets off is often one more message."""


class QuickDisk(Disk):
    """The real disk without its syncs, which take most of the time of a short test."""

    def sync(self, fd: int) -> None: ...

    def sync_folder(self, path: str) -> None: ...


KARA = {"id": "kara", "name": "Kara", "edge": 3, "heart": 2, "iron": 2, "shadow": 1, "wits": 1}
TAYLA = {"id": "tayla", "name": "Tayla", "edge": 1, "heart": 3, "iron": 1, "shadow": 2, "wits": 2}
HEIR = {"id": "heir", "name": "Find the lost heir", "kind": "vow", "rank": "dangerous"}


def in_party(*people: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"at": "party", "add": one} for one in people]


def sworn(*vows: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"at": "tracks", "add": vow} for vow in vows]


def campaign(folder: Path, *effects: dict[str, Any], name: str = "vale", game: Game = GAME) -> Path:
    """Write a campaign with this name and an entry with these effects; return its path."""
    path = folder / f"{name}.toml"
    new_campaign(str(path), game, QuickDisk())
    if effects:
        session = Session.open(str(path), disk=QuickDisk())
        session.do("edit", effects)
        session.close()
    return path


PAINT = Compositor.render_update


def unseen(self: Compositor, *_: Any, **__: Any) -> None:
    """Stand in for painting a frame that no test reads: half of an evening's time is painting."""
    self._dirty_regions.clear()


PARSE = Stylesheet.parse
PARSED: dict[Any, Any] = {}


def parsed_once(self: Stylesheet) -> None:
    """Parse the style sheets of an app once for all apps of a test run; nothing changes the rules afterwards."""
    key = frozenset(self._variables.items()), *self.source.items()
    if key not in PARSED:
        PARSE(self)
        PARSED[key] = self.rules, self.rules_map
    self._rules, self._rules_map = PARSED[key]
    self._require_parse = False


@contextmanager
def quick(*, paints: bool = False) -> Iterator[None]:
    """Run apps without what only a person at a terminal needs: frames between keys, and most painting."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "parse", parsed_once)
        patch.setattr(Compositor, "render_update", PAINT if paints else unseen)
        patch.setattr(key_queue, "FRAME", 0.0)
        patch.setattr(actions, "QUICK", PATIENCE)
        yield


class Player:
    """A player at the keyboard. Every method returns when the app has come to rest."""

    def __init__(self, app: TrackerApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot
        self._acted = 0
        acted_upon = app._keys._acted_upon

        async def counted() -> None:
            try:
                await acted_upon()
            finally:
                self._acted += 1

        app._keys._acted_upon = counted  # type: ignore[method-assign]

    @property
    def session(self) -> Session:
        assert self.app.session is not None
        return self.app.session

    @property
    def kara(self) -> Any:
        return self.session.state["party"]["kara"]

    @property
    def table(self) -> TableScreen:
        return next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, TableScreen))

    @property
    def screen(self) -> str:
        """The class name of the top screen."""
        return type(self.app.screen).__name__

    @property
    def notice(self) -> str:
        """The message of the table about the last key."""
        return self.table.player.notice

    @property
    def text(self) -> str:
        return screen_text(self.app)

    def entries(self) -> list[Entry]:
        return self.session.log.entries

    async def rest(self) -> None:
        """Wait until every message under way has arrived and the screen is painted."""
        for _ in range(ROUNDS):
            await self._heard()
            if not self.app._exit and self.app.screen_stack:
                self.app.screen._on_timer_update()
        while self._dice_are_painted_but_unseen():
            await self._heard()

    def _dice_are_painted_but_unseen(self) -> bool:
        """Return True between the frame that shows saved dice and the moment from which a key may apply them."""
        if self.app._exit or not self.app.screen_stack:
            return False
        unseen = getattr(self.app.screen, "unseen", None)
        return unseen is not None and not unseen.seen.is_set() and not getattr(self.app.screen, "_falling", True)

    async def _heard(self) -> None:
        """Wait until the app, the screen and the focused widget have handled everything that was sent to them."""
        app = self.app
        if app._exit or not app.screen_stack:
            return
        for node in filter(None, (app.focused, app.screen, app)):
            heard = asyncio.Event()
            if node.post_message(events.Callback(callback=heard.set)):  # as call_later does, which wraps it each time
                while not (heard.is_set() or app._exit or app._exception):
                    await asyncio.sleep(0)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until the condition holds, for results that come from another thread or one frame later."""
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < deadline, f"it never came:\n{self.text}"
            await asyncio.sleep(POLL)  # or this thread would keep the other from its work
            await self.rest()

    async def settle(self) -> None:
        """Wait until nothing more is painted on its own; some panes are painted one frame later."""
        await self.pilot.pause()
        await self.rest()

    async def sees(self, text: str) -> None:
        await self.until(lambda: text in self.text)

    async def press(self, *keys: str) -> None:
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
            character = key if len(key) == 1 else {"space": " ", "enter": "\r", "tab": "\t"}.get(key)
            await self._send(events.Key(name, character))

    async def type(self, text: str) -> None:
        """Paste the text, which an input line takes as it is."""
        await self._send(events.Paste(text))

    async def _send(self, event: events.Event) -> None:
        before = self._acted
        self.app.post_message(event.set_sender(self.app))
        async with asyncio.timeout(PATIENCE):
            while self._acted == before and not self.app._exit:
                await asyncio.sleep(0)
        await self.rest()

    async def click(self, widget: Widget, offset: tuple[int, int] = (1, 0)) -> None:
        assert await self.pilot.click(widget, offset=offset), f"{widget} is covered:\n{self.text}"
        await self.rest()

    async def tab_to(self, widget: Widget) -> None:
        """Go there by Tab alone, or back by Shift+Tab where that is nearer."""
        chain = self.app.screen.focus_chain
        at = chain.index(self.app.focused) if self.app.focused in chain else 0
        steps = (chain.index(widget) - at) % len(chain)
        key = "tab" if steps <= len(chain) // 2 else "shift+tab"
        for _ in range(2 * len(chain)):  # a pane may be laid meanwhile
            if self.app.focused is widget:
                return
            await self.press(key)
        raise AssertionError(f"Tab never comes to {widget}")


@asynccontextmanager
async def playing(
    path: Path,
    *,
    size: tuple[int, int] = (80, 24),
    seed: int | None = 1,
    disk: Disk | None = None,
    settings: Settings | None = None,
    paints: bool = False,
    plan: Any = None,
) -> AsyncIterator[Player]:
    """Yield the app at the table of this campaign, or at the list of campaigns if `path` is a folder.

    The screen is laid out after every key and painted when it is read. With `paints`, every frame is painted. `plan` says how to share it.
    """
    folder = path if path.is_dir() else path.parent
    session = None if path.is_dir() else Session.open(str(path), disk=disk or QuickDisk())
    app = TrackerApp(str(folder), session, seed, settings or Settings(recap=False), plan=plan)
    try:
        with quick(paints=paints):
            async with app.run_test(size=size) as pilot:
                player = Player(app, pilot)
                if session:
                    await player.until(lambda: bool(player.table.query("#small")) or player.screen == "Dialog")
                await player.rest()
                yield player
    finally:
        if app.session:
            app.session.close()


def play(path: Path, act: Callable[[Player], Awaitable[None]], **how: Any) -> None:
    """Run one evening at the table."""

    async def evening() -> None:
        async with playing(path, **how) as player:
            await act(player)

    asyncio.run(evening())


def screen_text(app: TrackerApp) -> str:
    """Return the screen as plain text. What is under a dialog shows through, as in the terminal."""
    update: Any = PAINT(app.screen._compositor, full=True, screen_stack=app._background_screens)
    rows = ("".join(segment.text for segment in _segments(row) if not segment.control) for row in update.strips)
    return "\n".join(row.rstrip() for row in rows)


def _segments(parts: Any) -> Iterator[Any]:
    for part in parts:
        if hasattr(part, "control"):
            yield part
        else:
            yield from _segments(part)


def bindings(*owners: type[App[Any] | Screen[Any]]) -> list[Binding]:
    """Return the bindings that these classes declare, none of which may be a tuple."""
    declared = [binding for owner in owners for binding in owner.BINDINGS]
    found = [binding for binding in declared if isinstance(binding, Binding)]
    assert len(found) == len(declared)
    return found
