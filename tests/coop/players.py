"""Players of one campaign, each with a copy and a key of their own, in one process over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

from tracker import games
from tracker.campaign.session import Session, new_campaign
from tracker.coop import lines
from tracker.coop.events import Events, Knock
from tracker.coop.guest import Guest
from tracker.coop.host import Host
from tracker.coop.key_files import OwnKey
from tracker.coop.nats_member import Member
from tracker.coop.replica import Replica
from tracker.saves.blocks import Entry
from tracker.saves.save import Save

KARA = {
    "id": "kara",
    "name": "Kara",
    "edge": 2,
    "heart": 3,
    "iron": 1,
    "shadow": 1,
    "wits": 2,
    "health": 5,
    "spirit": 5,
    "momentum": 2,
}


class Player:
    """Somebody with a copy of the campaign. Give this object's methods as events of a host or a guest."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.folder = folder / name
        self.folder.mkdir(exist_ok=True)
        self.path = str(self.folder / "vale.toml")
        before = os.environ["XDG_DATA_HOME"]
        os.environ["XDG_DATA_HOME"] = str(self.folder / "data")
        try:
            self.key = OwnKey()
        finally:
            os.environ["XDG_DATA_HOME"] = before
        self.heard: list[Entry] = []
        self.said: list[str] = []
        self.knocks: list[Knock] = []
        self.answer = True
        self.end: Host | Guest | Member | None = None

    @property
    def events(self) -> Events:
        async def asks(knock: Knock) -> bool:
            self.knocks.append(knock)
            return self.answer

        return Events(self.heard.extend, lambda: None, self.said.append, asks)

    def begin(self) -> None:
        """Make the campaign, with one character."""
        new_campaign(self.path, games.get("ironsworn"))
        self.open()
        self.session.do("new", [{"at": "party", "add": KARA}])

    def open(self) -> Session:
        self.session = Session.open(self.path)
        return self.session

    def close(self) -> None:
        self.session.close()

    def copy_of(self, other: Player) -> None:
        """Make an empty copy of another player's campaign, as joining does the first time."""
        Save.create(self.path, other.session.save.head._replace(base=None))
        self.open()

    @property
    def bytes_of_entries(self) -> list[Entry]:
        """Every entry in the file, sorted."""
        self.session.settle()
        with contextlib.closing(Save.open(self.path, write=False)) as save:
            save.read_whole()
            return [block.entry for block in save.blocks]


def same(*players: Player) -> bool:
    """Return True if all copies have the same entries in memory."""
    return len({tuple(entry["id"] for entry in one.session.log.entries) for one in players}) == 1


async def until(holds: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def hosted(player: Player) -> AsyncIterator[Host]:
    """Host the open campaign of a player."""
    host = Host(Replica(player.session), player.events)
    host.sit(player.name, player.key)
    host.port = await host.open()  # type: ignore[attr-defined]
    player.end = host
    try:
        yield host
    finally:
        await host.close()


@contextlib.asynccontextmanager
async def joined(player: Player, host: Host, role: str = "player", *, secret: str = "") -> AsyncIterator[Guest]:
    """Join with the open copy of a player."""

    async def dial() -> lines.Line:
        return await lines.dial("127.0.0.1", host.port)  # type: ignore[attr-defined]

    guest = Guest(Replica(player.session), dial, secret or host.secret, player.key, player.name, player.events, role)
    player.end = guest
    running = asyncio.ensure_future(guest.run())
    try:
        yield guest
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        guest.stop()


def play(evening: Coroutine[Any, Any, None]) -> None:
    asyncio.run(evening)
