"""A tracker without a screen, for test_chaos: it hosts or joins, and does what its standard input says.

`python -m tests.coop.plays_together PATH NAME PORT SECRET host|join`. It prints `saved ID` for each entry that it has
called saved, `even COUNT SUM SHARE` on request, and ends at the end of its input.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
from collections.abc import Sequence

from tracker.campaign.session import Session
from tracker.coop import lines
from tracker.coop.events import Events
from tracker.coop.guest import Guest
from tracker.coop.host import Host
from tracker.coop.key_files import OwnKey
from tracker.coop.replica import Replica
from tracker.games.api.errors import Refused


class Playing:
    """The session, and the host or the guest."""

    def __init__(self, path: str, name: str, port: int, secret: str, role: str) -> None:
        self.session = Session.open(path, tail="aside")
        self.session.on_written.append(self._tell_saved)
        self.dice = random.Random()
        self.port, self.secret, self.name = port, secret, name
        self.host: Host | None = None
        self.guest: Guest | None = None
        self.replica = Replica(self.session)
        self.role = role

    def _tell_saved(self, ids: Sequence[str]) -> None:
        print(*(f"saved {ident}" for ident in ids), sep="\n", flush=True)

    async def begin(self) -> None:
        if self.role == "host":
            self.host = Host(self.replica, Events(changed=self._trust), self.secret)
            self.host.sit(self.name, OwnKey())
            while True:  # the host before may be dying still
                with contextlib.suppress(OSError):
                    await self.host.open("127.0.0.1", self.port)
                    return
                await asyncio.sleep(0.02)
        self.guest = Guest(self.replica, self._dial, self.secret, OwnKey(), self.name, Events())
        self._running = asyncio.ensure_future(self.guest.run())

    async def _dial(self) -> lines.Line:
        return await lines.dial("127.0.0.1", self.port)

    def _trust(self) -> None:
        for guest in self.host.guests if self.host else ():
            if guest.waiting and not guest.trusted:
                self.host.trust(guest)  # type: ignore[union-attr]

    def obey(self, word: str) -> None:
        with contextlib.suppress(Refused):
            match word:
                case "play":
                    self._play()
                case "cut":
                    self._cut()
                case "even":
                    share = len(self.guest.to_share) + (self.guest.status != "here") if self.guest else 0
                    print(f"even {len(self.replica.ids)} {self.replica.total()} {share}", flush=True)

    def _play(self) -> None:
        session, roll = self.session, self.dice.random()
        opened = list(session.log.open_runs())
        if roll < 0.15:
            session.undo()
        elif roll < 0.25:
            session.redo()
        elif roll < 0.4:
            session.put(session.new_entry(who="kara", did="face_danger", open=True))
        elif roll < 0.6 and opened:
            gain = [{"at": "kara.momentum", "by": self.dice.choice([-1, 1, 2])}]
            closes = self.dice.choice(opened)["id"]
            session.put(session.new_entry(who="kara", did="face_danger", closes=closes, effects=gain))
        elif roll < 0.65 and session.log.entries:
            session.undo(self.dice.choice(session.log.entries)["id"])
        else:
            at = self.dice.choice(["kara.health", "kara.spirit", "supply"])
            session.do("change", [{"at": at, "by": self.dice.choice([-1, 1])}])

    def _cut(self) -> None:
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
