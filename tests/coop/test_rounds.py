"""Rounds of random play together over real sockets: two to five players whose lines are cut, who leave, come back and
take over as host. After each round all copies are equal, and nothing that was called saved is lost.

`test_chaos` does the same with processes that are killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.helpers import QuickDisk
from tests.coop.acts import act
from tests.coop.nats_server import NEEDED, NatsServer
from tests.coop.players import Player, play

from tracker.campaign.session import Session
from tracker.coop import guest as guest_module
from tracker.coop import lines
from tracker.coop.events import Events
from tracker.coop.guest import Guest
from tracker.coop.host import Host
from tracker.coop.lines import Line, LineClosed
from tracker.coop.nats_feed import Feed
from tracker.coop.nats_member import Member
from tracker.coop.replica import Replica

ROUNDS, OVER_NATS = 200, 24
"""Rounds in the usual run; --rounds takes another number."""
ROUNDS_EACH = 25
"""Rounds of one campaign."""
NAMES = ("Ana", "Bob", "Cyd", "Dov", "Eve")
PATIENCE = 30.0


class Seated(Player):
    """A player who stays through many rounds."""

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder, name)
        self.saved: set[str] = set()
        self.running: asyncio.Future[None] | None = None
        self.line: Line | None = None
        self.is_apart = False
        """True while nothing reaches this player."""

    def open(self) -> Session:
        self.session = Session.open(self.path, disk=QuickDisk())
        self.session.on_written.append(self.saved.update)
        return self.session

    @property
    def is_settled(self) -> bool:
        end = self.end
        if isinstance(end, Host):
            return not end._origin
        assert end
        if isinstance(end, Member) and end._fresh:
            return False  # judged, but not taken yet
        return end.status == "here" and not end.to_share and not end.waiting


class Table:
    """Some players with a campaign, one of whom hosts."""

    def __init__(self, folder: Path, dice: random.Random, number: int) -> None:
        self.dice = dice
        self.players = [Seated(folder, name) for name in NAMES[:number]]
        self.players[0].begin()
        for player in self.players[1:]:
            player.copy_of(self.players[0])
        self.host: Host | None = None
        self.port = 0
        self.said: list[str] = []

    def events(self) -> Events:
        return Events(changed=self._trust, says=self.said.append)

    def _trust(self) -> None:
        for guest in self.host.guests if self.host else ():
            if guest.waiting and not guest.trusted:
                self.host.trust(guest)  # type: ignore[union-attr]

    async def sit_down(self) -> None:
        await self.take_over(self.players[0])
        for player in self.players[1:]:
            self.join(player)

    async def take_over(self, player: Seated) -> None:
        host = self.host = player.end = Host(Replica(player.session), self.events(), "a" * 16)
        host.sit(player.name, player.key)
        self.port = await host.open()

    def join(self, player: Seated) -> None:
        async def dial() -> Line:
            if player.is_apart or not self.host:
                raise LineClosed(0, "no host is there")
            player.line = await lines.dial("127.0.0.1", self.port)
            return player.line

        guest = Guest(Replica(player.session), dial, "a" * 16, player.key, player.name, self.events())
        player.end, player.running = guest, asyncio.ensure_future(guest.run())

    async def leave(self, player: Seated) -> None:
        if player.running:
            player.running.cancel()
            await asyncio.wait([player.running])
            player.running = None
        if isinstance(player.end, Host):
            self.host = None
            await player.end.close()
        elif player.end:
            player.end.stop()
        player.end = None

    def cut(self, player: Seated) -> None:
        if isinstance(player.line, lines.SocketLine):
            player.line._socket.transport.abort()

    async def one_thing(self) -> str:
        what = self.dice.choices(["play", "cut", "part", "leave", "reopen", "another host"], [72, 8, 6, 6, 4, 4])[0]
        player = self.dice.choice(self.players)
        match what:
            case "play":
                act(player.session, self.dice)
            case "cut":
                self.cut(player)
            case "part":
                player.is_apart = True
                self.cut(player)
            case "leave" | "reopen":
                await self.leave(player)
                if what == "reopen":
                    player.close()
                    player.open()
                await self.come_back(player)
            case "another host":
                await self.change_host(player)
        await asyncio.sleep(0)
        return what

    async def come_back(self, player: Seated) -> None:
        if self.host is None:
            await self.take_over(player)
        else:
            self.join(player)

    async def change_host(self, player: Seated) -> None:
        old = next(one for one in self.players if isinstance(one.end, Host))
        await self.leave(old)
        if player is not old:
            await self.leave(player)
            await self.take_over(player)
            self.join(old)
        else:
            await self.take_over(old)

    async def round(self) -> None:
        for _ in range(self.dice.randint(4, 12)):
            await self.one_thing()
        for player in self.players:
            player.is_apart = False
        await self.even()

    async def even(self) -> None:
        await asyncio.sleep(0)
        end = asyncio.get_running_loop().time() + PATIENCE
        while not self.is_even:
            assert asyncio.get_running_loop().time() < end, "\n".join([*map(_told, self.players), *self.said[-9:]])
            await asyncio.sleep(0.002)
        states = [player.session.state for player in self.players]
        assert all(state == states[0] for state in states)
        saved = set().union(*(player.saved for player in self.players))
        for player in self.players:
            assert player.end
            assert not [ident for ident in saved if ident not in player.end.replica.ids]

    @property
    def is_even(self) -> bool:
        if not all(player.is_settled and not player.session.folding for player in self.players):
            return False
        return len({player.end.replica.total() for player in self.players if player.end}) == 1

    async def part(self) -> None:
        for player in self.players:
            await self.leave(player)

    def check_files(self) -> None:
        files = [player.bytes_of_entries for player in self.players]
        ids = [entry["id"] for entry in files[0]]
        for player, found in zip(self.players, files, strict=True):
            other = [entry for entry in found if entry not in files[0]], [one for one in files[0] if one not in found]
            assert found == files[0], (player.name, other, self.said[-9:])
        assert len(ids) == len({*ids}), "an entry is there twice"
        assert set().union(*(player.saved for player in self.players)) <= {*ids}, "a saved entry is lost"
        for player in self.players:
            player.close()


def _told(player: Seated) -> str:
    """Return how a player stands, for the message of a failure."""
    end = player.end
    assert end
    told = [player.name, type(end).__name__, len(end.replica.ids), end.replica.total(), player.session.folding]
    told += [end._origin] if isinstance(end, Host) else [end.status, end.to_share, end.waiting, end.why, player.running]
    return " ".join(map(str, [*told, player.session.sign, end.replica.ids.message()]))


class FeedTable(Table):
    """Players at a feed of a NATS server, which is killed now and then."""

    server: NatsServer

    def _trust(self) -> None:
        for player in self.players:
            if isinstance(player.end, Member) and player.end.is_gm:
                for author in player.end.guests:
                    player.end.accept(author)

    async def take_over(self, player: Seated) -> None:
        self.join(player)

    def join(self, player: Seated) -> None:
        feed = Feed(self.server.server, player.session.save.head.id, player.key)
        opens = player is self.players[0]
        member = Member(Replica(player.session), feed, player.name, self.events(), opens=opens)
        player.end, player.running = member, asyncio.ensure_future(member.run())

    def cut(self, player: Seated) -> None:
        if isinstance(player.end, Member):
            client = player.end._feed._nats
            if client and client._transport:
                client._transport.close()  # type: ignore[no-untyped-call]

    async def come_back(self, player: Seated) -> None:
        self.join(player)

    async def change_host(self, player: Seated) -> None:
        if self.dice.random() < 0.5:
            self.server.kill()
            act(player.session, self.dice)
            self.server.start()


async def rounds(table: Table, number: int) -> None:
    await table.sit_down()
    await table.even()
    for _ in range(number):
        await table.round()
    await table.part()


def evenings(folder: Path, number: int, make: Callable[[Path, random.Random, int], Table]) -> None:
    for first in range(0, number, ROUNDS_EACH):
        trial = folder / str(first)
        trial.mkdir()
        table = make(trial, random.Random(first + 1), 2 + first // ROUNDS_EACH % 4)
        play(rounds(table, min(ROUNDS_EACH, number - first)))
        table.check_files()


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let guests come back at once."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(lines, "OPEN_SECONDS", 0.5)
    monkeypatch.setattr(guest_module, "FIRST_WAIT", 0.005)
    monkeypatch.setattr(guest_module, "LONGEST_WAIT", 0.05)


def test_rounds_with_a_host_converge_and_lose_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    evenings(tmp_path, request.config.getoption("rounds") or ROUNDS, Table)


@NEEDED
def test_rounds_over_nats_converge_and_lose_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    folder = tmp_path / "nats"
    folder.mkdir()
    server = NatsServer(folder)

    def make(folder: Path, dice: random.Random, number: int) -> Table:
        table = FeedTable(folder, dice, number)
        table.server = server
        return table

    with contextlib.closing(server):
        evenings(tmp_path, request.config.getoption("rounds") or OVER_NATS, make)
