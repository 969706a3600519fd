"""A tracker without a screen, for test_chaos: it hosts or joins, and does what its standard input says.

`python -m tests.coop.plays_together PATH NAME PORT SECRET host|join|opens|member`; the last two play over the NATS
server at this port. It prints `saved ID` for each entry that it has
called saved, `even COUNT SUM SHARE` on request, and ends at the end of its input.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sys
from collections.abc import Sequence

from tests.coop.acts import act

from tracker.campaign.session import Session
from tracker.coop import lines
from tracker.coop.events import Events
from tracker.coop.guest import Guest
from tracker.coop.host import Host
from tracker.coop.key_files import OwnKey
from tracker.coop.nats_feed import Feed, Server
from tracker.coop.nats_member import Member
from tracker.coop.replica import Replica


def tell(lines: str) -> None:
    """Print lines at once: two threads do."""
    os.write(1, lines.encode())


class Playing:
    """The session, and the host or the guest."""

    def __init__(self, path: str, name: str, port: int, secret: str, role: str) -> None:
        self.session = Session.open(path, tail="aside")
        self.session.on_written.append(self._tell_saved)
        self.dice = random.Random()
        self.port, self.secret, self.name = port, secret, name
        self.host: Host | None = None
        self.guest: Guest | Member | None = None
        self.replica = Replica(self.session)
        self.role = role

    def _tell_saved(self, ids: Sequence[str]) -> None:
        tell("".join(f"saved {ident}\n" for ident in ids))

    async def begin(self) -> None:
        if self.role == "host":
            self.host = Host(self.replica, Events(changed=self._trust), self.secret)
            self.host.sit(self.name, OwnKey())
            while True:  # the host before may be dying still
                with contextlib.suppress(OSError):
                    await self.host.open("127.0.0.1", self.port)
                    return
                await asyncio.sleep(0.02)
        if self.role in {"opens", "member"}:
            feed = Feed(Server(f"nats://127.0.0.1:{self.port}"), self.session.save.head.id, OwnKey())
            events = Events(changed=self._agree)
            self.guest = Member(self.replica, feed, self.name, events, opens=self.role == "opens")
            self._running = asyncio.ensure_future(self.guest.run())
            return
        self.guest = Guest(self.replica, self._dial, self.secret, OwnKey(), self.name, Events())
        self._running = asyncio.ensure_future(self.guest.run())

    async def _dial(self) -> lines.Line:
        return await lines.dial("127.0.0.1", self.port)

    def _agree(self) -> None:
        if isinstance(self.guest, Member) and self.guest.is_gm:
            for author in self.guest.guests:
                self.guest.accept(author)

    def _trust(self) -> None:
        for guest in self.host.guests if self.host else ():
            if guest.waiting and not guest.trusted:
                self.host.trust(guest)  # type: ignore[union-attr]

    def obey(self, word: str) -> None:
        match word:
            case "play":
                act(self.session, self.dice)
            case "cut":
                self._cut()
            case "even":
                end = self.guest
                share = len(end.to_share) + len(end.waiting) + (end.status != "here") if end else 0
                tell(f"even {len(self.replica.ids)} {self.replica.total()} {share}\n")

    def _cut(self) -> None:
        if isinstance(self.guest, Member):
            if client := self.guest._feed._nats:
                client._transport._io_writer.transport.abort()  # type: ignore[union-attr]
            return
        guests = [guest.line for guest in self.host.guests] if self.host else [self.guest and self.guest._line]
        for line in guests:
            if isinstance(line, lines.SocketLine):
                line._socket.transport.abort()

    def close(self) -> None:
        self.session.on_written.clear()
        self.session.close()


async def _obey_input(playing: Playing) -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await playing.begin()
    while word := (await reader.readline()).decode().strip():
        playing.obey(word)
    playing.session.on_entry.clear()


def main() -> None:
    path, name, port, secret, role = sys.argv[1:]
    playing = Playing(path, name, int(port), secret, role)
    asyncio.run(_obey_input(playing))
    playing.close()


if __name__ == "__main__":
    main()
