"""How fast playing together is: `python -m tests.bench.coop`, in a quiet hour.

Two real apps in terminals, and up to five copies in one process, all over sockets on this machine. The limits are those
that co-op was built for; `bench` explains the table.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path

from tests.bench.bench import QUIET, Row, compile_modules, number, table
from tests.bench.make_save import make_save
from tests.coop.players import KARA, hosted, joined, until
from tests.coop.players import Player as Copy
from tests.terminal.pty import Pty
from tests.terminal.test_shared_evenings import Player

from tracker import games
from tracker.campaign.session import Session, new_campaign
from tracker.coop import lines
from tracker.coop.guest import Guest
from tracker.coop.host import Host

NAMES = ("Ana", "Bob", "Cyd", "Dov", "Eve")
LATENCY_LIMIT, LATE_LIMIT, CONVERGE_SECONDS = 3.0, 10.0, 5.0
PER_ENTRY, PER_OPENING = 300, 40
"""Most bytes that a reconnection sends for each missing entry and for each opening."""


# -- keys -----------------------------------------------------------------------------------------------


def keys(folder: Path, presses: int) -> Iterator[Row]:
    """Press keys in one of two apps: how long until the other has painted it, and the one itself."""
    with ExitStack() as stack:
        ana, bob = Player(folder, "ana", stack), Player(folder, "bob", stack)
        new_campaign(str(ana.path), games.get("ironsworn"))
        session = Session.open(str(ana.path))
        session.do("new", [{"at": "party", "add": KARA}])
        session.close()
        bob.join(ana.host())
        ana.sees("knocks")
        ana.press("y")
        for player in (ana, bob):
            player.until(lambda text: "⇄" in text and "health" in text)
        _make_character(bob)
        for player in (ana, bob):
            _go_to(player.program, "supply")
        for one, other, what in ((ana, bob, "host → guest"), (bob, ana, "guest → host")):
            own, seen = [], []
            for n in range(presses):
                for player in (ana, bob):
                    player.program.settle()
                wanted = number(one.program, "supply") + (1 if n % 2 else -1)
                at = one.program.send("+" if n % 2 else "-")
                own.append(_painted(one, wanted, at))
                seen.append(_painted(other, wanted, at))
            medians = ([statistics.median(seen)], [statistics.median(own)])
            yield Row(f"key → paint, {what} : own paint", *medians, LATENCY_LIMIT)


def _make_character(player: Player) -> None:
    """Roll up a character in a player's app, and keep it."""
    player.press("c")
    player.sees("roll one up")
    player.program.settle()
    player.press("d")
    player.sees("Reroll")
    player.program.settle()
    player.press("enter")
    player.until(lambda _: number(player.program, "supply") >= 0)


def _go_to(program: Pty, label: str) -> None:
    program.settle()
    while not re.search(rf"{label}.*‹", program.text()):
        program.press("down")
        program.settle(QUIET)


def _painted(player: Player, wanted: int, since: float) -> float:
    return player.program.wait_until(lambda: number(player.program, "supply") == wanted, since=since)


# -- copies ---------------------------------------------------------------------------------------------


def copies(folder: Path, number_of: int) -> list[Copy]:
    """Return players with copies of one campaign; the first one's has a character."""
    found = [Copy(folder, name) for name in NAMES[:number_of]]
    found[0].begin()
    for copy in found[1:]:
        copy.copy_of(found[0])
    return found


def even(host: Host, *guests: Guest) -> bool:
    """Return True if all have the same entries, and know it."""
    here = all(guest.status == "here" and not guest.to_share for guest in guests)
    return here and all(guest.replica.total() == host.replica.total() for guest in guests)


def reconnection(folder: Path, entries: int, missing: int) -> Iterator[Row]:
    """Count what a reconnection sends in both directions."""
    ana, bob = copies(folder, 2)

    async def evening() -> Row:
        for n in range(entries):
            ana.session.write(f"Line {n} of the tale, at the ford.")
        async with hosted(ana) as host, joined(bob, host) as guest:
            await until(lambda: even(host, guest), 120)
        for n in range(missing):
            ana.session.do("change", [{"at": "supply", "by": -1 if n % 2 else 1}])
        sent: list[str] = []
        async with hosted(ana) as host, joined(bob, host) as guest:
            dial = guest._dial

            async def counted() -> lines.Line:
                line = await dial()
                send, recv = line.send, line.recv

                async def count_sent(frame: str) -> None:
                    sent.append(frame)
                    await send(frame)

                async def count_heard() -> str:
                    sent.append(frame := await recv())
                    return frame

                line.send, line.recv = count_sent, count_heard  # type: ignore[method-assign]
                return line

            guest._dial = counted
            began = time.perf_counter()
            await until(lambda: even(host, guest), 120)
            seconds = time.perf_counter() - began
            openings = len(host.replica.ids.upto)
        size = sum(len(frame.encode()) for frame in sent) / 1000
        allowed = (PER_ENTRY * missing + PER_OPENING * openings) / 1000
        print(f"even again after {seconds * 1000:.0f} ms")
        return Row(f"reconnection, {missing} of {entries} missing : allowed", [size], [allowed], 1.0, "KB")

    yield asyncio.run(evening())
    for copy in (ana, bob):
        copy.close()


def convergence(folder: Path, machines: int, entries: int) -> Iterator[Row]:
    """Let several machines make entries apart, and meet."""
    players = copies(folder, machines)

    async def evening() -> Row:
        async with hosted(players[0]) as host:
            for player in players[1:]:
                async with joined(player, host) as guest:
                    await until(partial(even, host, guest))
        for player in players:
            for n in range(entries):
                player.session.write(f"Line {n} of {player.name}.")
            player.session.wait()
        async with hosted(players[0]) as host:
            began, processor = time.perf_counter(), time.process_time()
            async with AsyncExitStack() as stack:
                guests = [await stack.enter_async_context(joined(player, host)) for player in players[1:]]
                await until(lambda: even(host, *guests), 120)
                seconds, processor = time.perf_counter() - began, time.process_time() - processor
        print(f"{machines} machines: {seconds:.2f} s, {processor:.2f} s of one processor for all of them")
        what = f"{machines} machines with {entries} entries each meet : allowed"
        return Row(what, [seconds], [CONVERGE_SECONDS], 1.0)

    yield asyncio.run(evening())
    for player in players:
        player.close()


def late(folder: Path, entries: int, times: int) -> Iterator[Row]:
    """Take an entry that sorts before many that are there, and compare with an append."""
    path = folder / "long.toml"
    make_save(str(path), entries)
    session = Session.open(str(path))
    for n in range(250):
        session.write(f"New {n}.")
    session.wait()
    latest, own = [], []
    for n in range(times):
        began = time.perf_counter()
        session.write("One more.")
        session.wait()
        own.append(time.perf_counter() - began)
        place = session.log.entries[-150]
        entry = {"id": f"elsewher.{n + 1}", "t": place["t"], "did": "journal", "text": "Late."}
        began = time.perf_counter()
        session.take([entry])
        session.wait()
        latest.append(time.perf_counter() - began)
        assert not session.folding
    session.close()
    yield Row(f"entry that comes 150 late at {entries} : append", latest, own, LATE_LIMIT)


def first_join(folder: Path, entries: int) -> Iterator[Row]:
    """Join a long campaign for the first time, and look how long the event loop of each side is held."""
    ana = Copy(folder, "Ana")
    make_save(ana.path, entries)
    ana.open()
    bob = Copy(folder, "Bob")
    bob.copy_of(ana)
    held: list[float] = []

    async def look() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.005)
            held.append(time.perf_counter() - began - 0.005)

    async def evening() -> float:
        async with hosted(ana) as host:
            looking = asyncio.ensure_future(look())
            began = time.perf_counter()
            async with joined(bob, host) as guest:
                await until(lambda: even(host, guest), 600)
                seconds = time.perf_counter() - began
            looking.cancel()
        return seconds

    seconds = asyncio.run(evening())
    print(f"first join of {entries} entries: {seconds:.1f} s, loop held for {max(held):.1f} s at most")
    yield Row(f"first join of {entries} entries : longest hold of the loop", [seconds], [max(held)])
    for copy in (ana, bob):
        copy.close()


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--quick", action="store_true", help="only to see that it runs")
    asked.add_argument("--only", choices=STEPS, help="measure only this")
    given = asked.parse_args()
    compile_modules()
    with tempfile.TemporaryDirectory(prefix="tracker-bench-") as name:
        os.environ["XDG_DATA_HOME"] = os.path.join(name, "data")
        rows = []
        for row in measure(Path(name), quick=given.quick, only=given.only):
            rows.append(row)
            print(table([row]), flush=True)  # what is measured is not lost with what comes after it
    return 1 if any(row.over for row in rows) else 0


def measure(folder: Path, *, quick: bool, only: str | None = None) -> Iterator[Row]:
    """Yield the rows of the table."""
    for name, (step, short, usual) in STEPS.items():
        if only in {None, name}:
            place = folder / name
            place.mkdir()
            yield from step(place, *(short if quick else usual))
            shutil.rmtree(place)


STEPS: dict[str, tuple[Callable[..., Iterator[Row]], tuple[int, ...], tuple[int, ...]]] = {
    "keys": (keys, (4,), (60,)),
    "reconnection": (reconnection, (200, 20), (5000, 50)),
    "convergence": (convergence, (3, 50), (5, 1000)),
    "late": (late, (2000, 5), (100_000, 40)),
    "first_join": (first_join, (500,), (100_000,)),
}
"""What is measured, by name: with which numbers in a quick run, and usually."""


if __name__ == "__main__":
    raise SystemExit(main())
