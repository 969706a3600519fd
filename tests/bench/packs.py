"""What packs cost: `python -m tests.bench.packs DIR`, where DIR has the JSON files of five packs.

Starts of the same campaign with and without packs are measured in turn. The limits of a start count processor time, with
which other work on the machine interferes least.
"""

from __future__ import annotations

import argparse
import os
import statistics
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
READY = 0.12
"""Seconds of processor time after the first frame in which packs should be ready."""
ORACLE = 0.2
"""Seconds after the first frame in which the oracle should list the tables of packs."""

REST = 0.5
"""Seconds in which a program at rest uses no tick of the processor, however busy the machine is."""


UNTIL_THE_FRAME = """
import os, runpy, sys, time

told, awaited, *sys.argv[1:] = sys.argv[1:]
from tracker.app.tls import put_off
put_off()
from textual.drivers.linux_driver import LinuxDriver

def until_it_shows(driver, data, write=LinuxDriver.write):
    write(driver, data)
    if awaited in data:
        with open(told, "w") as file:
            file.write(str(time.process_time()))
        os._exit(0)

LinuxDriver.write = until_it_shows
runpy.run_module("tracker", run_name="__main__", alter_sys=True)
"""
"""A program that runs tracker until it shows a text, and writes the seconds of processor time that this took."""


class Start(NamedTuple):
    """What one start showed."""

    frame: float
    """Seconds from exec to the first useful frame."""
    whole: float
    """Seconds that the program ran until everything had come to rest."""
    memory: float
    """Megabytes then."""


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
        newest = line(ENTRIES)
        yield program, program.wait_until(lambda: number(program, "momentum") == MOMENTUM and newest in program.text())


def started(saves: Path, data: Path) -> Start:
    """Start the program and let it come to rest."""
    with opened(saves, data) as (program, frame):
        program.settle()
        return Start(frame, _at_rest(program), program.rss_mb())


def until_frame(saves: Path, data: Path) -> float:
    """Start the program and return the seconds of processor time until its first useful frame."""
    told = saves.parent / "until-frame"
    words = [sys.executable, "-c", UNTIL_THE_FRAME, str(told), line(ENTRIES), "--saves", str(saves), "tale"]
    with Pty(words, env={"XDG_DATA_HOME": str(data)}, colours=False) as program:
        program.wait_end()
    return float(told.read_text())


def oracle(saves: Path, data: Path, wanted: str) -> float:
    """Open the oracle right after the first frame; return the seconds from that frame until it lists `wanted`."""
    with opened(saves, data) as (program, frame):
        program.send("o")
        return program.wait_for(wanted) - frame


def _whole(program: Pty) -> float:
    """Return the seconds that all threads of the program have run, those that ended too, in ticks of the system."""
    with open(f"/proc/{program.pid}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _at_rest(program: Pty) -> float:
    """Wait until no thread of the program runs any more, and return the seconds that they have run."""
    before = -1.0
    while (now := _whole(program)) > before:
        before = now
        time.sleep(REST)
    return now


def minimal() -> float:
    """Return the memory of the smallest Textual app."""
    with Pty([sys.executable, str(MINIMAL)], colours=False) as program:
        program.wait_for("READY")
        program.settle()
        return program.rss_mb()


def _add_entries(save: Path, ids: list[str], *, use: bool) -> None:
    """Let the campaign use these packs, or else get as many entries of another kind."""
    session = Session.open(str(save))
    for ident in ids:
        if use:
            session.finish(session.begin("packs/use", "", [["pack", ident]]))
        else:
            session.do("journal", text=ident)
    session.close()


def _rows(
    what: str, ours: list[Start], without: list[Start], frames: dict[str, list[float]], smallest: list[float]
) -> Iterator[Row]:
    def row(told: str, field: str, limit: float | None = None, unit: str = "ms") -> Row:
        with_them, bare = ([getattr(run, field) for run in runs] for runs in (ours, without))
        return Row(f"{told} : without", with_them, bare, limit, unit)

    yield row(f"start with {what}", "frame")
    yield Row(f"its processor time, with {what} : without", frames["with"], frames["without"], 1.03)
    added = statistics.median(run.whole for run in ours) - statistics.median(run.whole for run in without)
    yield Row(f"processor time that {what} add : 120 ms", [added], [READY], 1)
    yield Row("memory at the table without packs : minimal.py", [run.memory for run in without], smallest, 1.3, "MB")
    yield row(f"memory with {what}", "memory", unit="MB")


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
        runs: dict[str, list[Start]] = {"with": [], "without": []}
        lists: dict[str, list[float]] = {"with": [], "without": []}
        frames: dict[str, list[float]] = {"with": [], "without": []}
        smallest = []
        for n in range(given.pairs + 1):
            for name, wanted in (("with", "From packs"), ("without", "Yes or no")):
                run = started(saves[name], root / name)
                listed = oracle(saves[name], root / name, wanted)
                frame = until_frame(saves[name], root / name)
                if n:  # the first round only warms up
                    frames[name].append(frame)
                    runs[name].append(run)
                    lists[name].append(listed)
            smallest.append(minimal())
    rows = [*_rows(f"{len(ids)} packs", runs["with"], runs["without"], frames, smallest[1:])]
    ready = min(lists["with"]) - min(lists["without"])
    rows.append(Row("oracle opened at once, what they add : 200 ms", [ready], [ORACLE], 1))
    print(table(rows))
    return 1 if any(row.over for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
