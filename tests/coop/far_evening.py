"""An evening over iroh, for test_far: `python -m tests.coop.far_evening FOLDER` in a network that has only loopback.

It ends with an exception if something is wrong, and prints what was tried.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import socket
import struct
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.coop.players import Player, play, same, until

from tracker.coop import iroh_line, lines, wire
from tracker.coop.guest import Guest, NotLetIn, knock
from tracker.coop.host import Host
from tracker.coop.replica import Replica

_SIOCSIFFLAGS, _UP = 0x8914, 0x1 | 0x8 | 0x40


def bring_loopback_up() -> None:
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _UP))


@contextlib.asynccontextmanager
async def joined(player: Player, host: Host, ticket: str) -> AsyncIterator[Guest]:
    async def dial() -> lines.Line:
        line = await iroh_line.dial(ticket, local=True)
        player.lines.append(line)  # type: ignore[attr-defined]
        return line

    player.lines = []  # type: ignore[attr-defined]
    guest = Guest(Replica(player.session), dial, host.secret, player.key, player.name, player.events)
    running = asyncio.ensure_future(guest.run())
    try:
        yield guest
    finally:
        running.cancel()
        await asyncio.wait([running])
        guest.stop()


async def evening(ana: Player, bob: Player, cyd: Player) -> None:
    host = Host(Replica(ana.session), ana.events)
    host.sit("Ana", ana.key)
    ticket = await host.open_far(local=True)
    async with joined(bob, host, ticket) as one, joined(cyd, host, ticket) as two:
        await until(lambda: one.status == two.status == "here")
        for player in (ana, bob, cyd):
            player.session.write(f"{player.name} was here.")
            player.session.do("change", [{"at": "supply", "by": -1}])
        await until(lambda: same(ana, bob, cyd) and not one.to_share | two.to_share)
        assert ana.session.state == bob.session.state == cyd.session.state
        print("together")
        bob.session.write("a" * 900_000)
        await until(lambda: same(ana, bob, cyd))
        print("long")
        bob.lines[0]._connection.close(0, b"")  # type: ignore[attr-defined]
        await until(lambda: one.status == "away")
        bob.session.write("Alone.")
        await until(lambda: one.status == "here" and same(ana, bob, cyd) and not one.to_share)
        print("cut")
        await refused(host, ticket, bob, cyd)
    await host.close()
    iroh_line.OPEN_SECONDS = 0.5
    with pytest.raises(lines.LineClosed, match="no host is there"):
        await iroh_line.dial(ticket, local=True)
    print("gone")


async def ending(line: lines.Line) -> int:
    """Return the code with which the other end closes the line."""
    with pytest.raises(lines.LineClosed) as closed:
        async with asyncio.timeout(20):
            while True:
                await line.recv()
    return closed.value.code


async def refused(host: Host, ticket: str, bob: Player, cyd: Player) -> None:
    before = host.session.state
    line = await iroh_line.dial(ticket, local=True)
    with pytest.raises(NotLetIn, match="wrong or has expired"):
        await knock(line, "a" * 16, cyd.key, "Cyd", "", "player", lambda _: None)
    print("wrong code")
    await line.close()
    for frame in ("x", "[" * 100_000, wire.write("saved", ids=[])):
        line = await iroh_line.dial(ticket, local=True)
        await line.recv()
        await line.send(frame)
        assert await ending(line) == lines.GARBAGE
        await line.close()
    print("garbage")
    line = await iroh_line.dial(ticket, local=True)
    await line.recv()
    await line._out.write_all((100_000_000).to_bytes(4, "big"))
    assert await ending(line) == iroh_line.TOO_LONG
    print("100 MB")
    await line.close()
    await between(host, ticket, bob)
    assert host.session.state == before


async def between(host: Host, ticket: str, bob: Player) -> None:
    """Let somebody in between pass on what both sides say, with a key of their own."""

    async def pass_on(line: lines.Line) -> None:
        further = await iroh_line.dial(ticket, local=True)
        with contextlib.suppress(lines.LineClosed):
            while True:
                await line.send(await further.recv())
                await further.send(await line.recv())
        await line.close(lines.WRONG_CODE, "No.")
        await further.close()

    eve = iroh_line.FarListener(pass_on)
    wrong = host.wrong_codes.total()
    line = await iroh_line.dial(await eve.open(local=True), local=True)
    with pytest.raises(NotLetIn):
        await knock(line, host.secret, bob.key, "Bob", "", "player", lambda _: None)
    assert host.wrong_codes.total() == wrong + 1
    print("in between")
    await line.close()
    await eve.close()


def main() -> None:
    if os.environ.get("BRING_UP"):
        bring_loopback_up()
    folder = Path(sys.argv[1])
    ana, bob, cyd = (Player(folder, name) for name in ("Ana", "Bob", "Cyd"))
    ana.begin()
    bob.copy_of(ana)
    cyd.copy_of(ana)
    play(evening(ana, bob, cyd))
    files = [player.bytes_of_entries for player in (ana, bob, cyd)]
    assert files[0] == files[1] == files[2]
    for player in (ana, bob, cyd):
        player.close()
    print("the same files")


if __name__ == "__main__":
    main()
