"""What packs cost: `python -m tests.bench.packs DIR`, where DIR has the JSON files of five packs.

Starts of the same campaign with and without packs are measured in turn. The limit of a start counts processor time, with
which other work on the machine interferes least.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.bench import MINIMAL, Row, compile_modules, number, table
from tests.bench.make_save import MOMENTUM, line, make_save
from tests.terminal.pty import Pty

from tracker.campaign.session import Session
from tracker.content import packs
from tracker.content.datasworn import NotAPack, Pack, read

ENTRIES = 100
LATER = 40
"""Lines written after the packs were chosen, more than the journal shows."""
FRAMES = 4
"""Starts of each kind in a round of which only the processor time is taken: it varies by 5 %."""
READY = 0.2
"""Seconds after the first frame in which packs should be read."""

REST = 0.5
"""Seconds in which a program at rest uses no tick of the processor, however busy the machine is."""


UNTIL_READY = """
import os, runpy, sys, time

told, awaited, *sys.argv[1:] = sys.argv[1:]
from tracker.app.deferred_ssl import put_off
put_off()
from textual.drivers.linux_driver import LinuxDriver
from tracker.campaign.session import Session

seen = []

def until_it_shows(driver, data, write=LinuxDriver.write):
    write(driver, data)
    if awaited in data and not seen:
        seen.extend((time.perf_counter(), time.process_time()))

def until_read(session, content=Session.content):
    content(session)
    wall, processor = time.perf_counter(), time.process_time()
    with open(told, "w") as file:
        file.write(f"{seen[1]} {wall - seen[0]} {processor - seen[1]}")
    os._exit(0)

LinuxDriver.write = until_it_shows
Session.content = until_read
runpy.run_module("tracker", run_name="__main__", alter_sys=True)
"""
"""A program that runs tracker until the tables of the campaign are read after its first frame, and writes how long
that took."""


class Ready(NamedTuple):
    """The time of one start until the tables of the campaign were read."""

    frame: float
    """Seconds of processor time until the frame that shows the newest line."""
    wait: float
    """Seconds from that frame until the tables were read."""
    processor: float
    """Seconds of processor time from that frame until then."""


class Start(NamedTuple):
    """The measurements of one start."""

    frame: float
    """Seconds from exec to the first useful frame."""
    memory: float
    """Megabytes when everything has come to rest."""


def install(folder: Path) -> list[str]:
    """Install the newest edition of each pack below the folder, and return the ids."""
    found: dict[str, tuple[Pack, bytes]] = {}
    for path in sorted(folder.rglob("*.json")):
        data = path.read_bytes()
        try:
            pack = read(data)
        except NotAPack:
            continue
        if pack.id not in found or packs.generation(pack.version) > packs.generation(found[pack.id][0].version):
            found[pack.id] = pack, data
    for pack, data in found.values():
        packs.add(pack, data)
    return [*found]


@contextmanager
def opened(saves: Path, data: Path) -> Iterator[tuple[Pty, float]]:
    """Start the program with the campaign `tale`, and yield it with the seconds to its first useful frame."""
    env = {"XDG_DATA_HOME": str(data)}
    with Pty([sys.executable, "-m", "tracker", "--saves", str(saves), "tale"], env=env, colours=False) as program:
        newest = line(ENTRIES + LATER)
        yield program, program.wait_until(lambda: number(program, "momentum") == MOMENTUM and newest in program.text())


def started(saves: Path, data: Path) -> Start:
    """Start the program and let it come to rest."""
    with opened(saves, data) as (program, frame):
        program.settle()
        _rest(program)
        return Start(frame, program.rss_mb())


def until_ready(saves: Path, data: Path) -> Ready:
    """Start the program and let it read the tables of its campaign."""
    told = saves.parent / "until-ready"
    words = [sys.executable, "-c", UNTIL_READY, str(told), line(ENTRIES + LATER), "--saves", str(saves), "tale"]
    with Pty(words, env={"XDG_DATA_HOME": str(data)}, colours=False) as program:
        program.wait_end()
    return Ready(*map(float, told.read_text().split()))


def _whole(program: Pty) -> float:
    """Return the seconds that all threads of the program have run, those that ended too, in ticks of the system."""
    with open(f"/proc/{program.pid}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _rest(program: Pty) -> None:
    """Wait until no thread of the program runs any more."""
    before = -1.0
    while (now := _whole(program)) > before:
        before = now
        time.sleep(REST)


def minimal() -> float:
    """Return the memory of the smallest Textual app."""
    with Pty([sys.executable, str(MINIMAL)], colours=False) as program:
        program.wait_for("READY")
        program.settle()
        return program.rss_mb()


def _add_entries(save: Path, ids: list[str], *, use: bool) -> None:
    """Let the campaign use these packs, or else get as many entries of another kind; then write LATER lines."""
    session = Session.open(str(save))
    for ident in ids:
        if use:
            session.finish(session.begin("packs/use", "", [["pack", ident]]))
        else:
            session.do("journal", text=ident)
    for n in range(LATER):
        session.do("journal", text=line(ENTRIES + 1 + n))
    session.close()


class Runs:
    """The measurements of a campaign with packs, or of one without."""

    def __init__(self) -> None:
        self.starts: list[Start] = []
        self.ready: list[Ready] = []


def rows_of(what: str, ours: Runs, bare: Runs, smallest: list[float]) -> Iterator[Row]:
    """Yield the rows of the table; `what` names the packs, and `smallest` has the megabytes of the smallest app."""

    def column(runs: Runs, name: str) -> list[float]:
        return [getattr(run, name) for run in (runs.starts if name in Start._fields else runs.ready)]

    def frames(runs: Runs) -> list[float]:
        return [run.frame for run in runs.ready]

    yield Row(f"start with {what} : without", column(ours, "frame"), column(bare, "frame"))
    yield Row(f"its processor time, with {what} : without", frames(ours), frames(bare), 1.03)
    best = [min(run.wait for run in ours.ready)]
    yield Row(f"{what} read after the first frame, at best : 200 ms", best, [READY], 1)
    processor = [run.processor for run in ours.ready]
    yield Row("its processor time : 200 ms", processor, [READY] * len(processor), 1)
    yield Row("the same without packs : 200 ms", [run.processor for run in bare.ready], [READY] * len(bare.ready))
    yield Row("memory at the table without packs : minimal.py", column(bare, "memory"), smallest, 1.3, "MB")
    yield Row(f"memory with {what} : without", column(ours, "memory"), column(bare, "memory"), None, "MB")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--pairs", type=int, default=15)
    given = asked.parse_args()
    compile_modules()
    with tempfile.TemporaryDirectory(prefix="tracker-packs-") as temporary:
        root = Path(temporary)
        os.environ["XDG_DATA_HOME"] = str(root / "with")
        ids = install(given.folder)
        saves = {name: root / f"saves-{name}" for name in ("with", "without")}
        for name, folder in saves.items():
            folder.mkdir()
            make_save(str(folder / "tale.toml"), ENTRIES)
            _add_entries(folder / "tale.toml", ids, use=name == "with")
        runs = {name: Runs() for name in saves}
        smallest = []
        for n in range(given.pairs + 1):
            measured = runs if n else {name: Runs() for name in saves}  # the first round only warms up
            for name, folder in saves.items():
                measured[name].starts.append(started(folder, root / name))
            for _ in range(FRAMES):
                for name, folder in saves.items():
                    measured[name].ready.append(until_ready(folder, root / name))
            smallest.append(minimal())
    rows = [*rows_of(f"{len(ids)} packs", runs["with"], runs["without"], smallest[1:])]
    print(table(rows))
    return 1 if any(row.over for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
