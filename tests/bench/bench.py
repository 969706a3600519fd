"""How fast it is, as ratios that hold on any machine: `python -m tests.bench.bench`, in a quiet hour.

Everything is measured in a real terminal but the appends, in turn with what it is compared to, so that a busy
moment hits both. The ratio is the median over these pairs; milliseconds are only there to be looked at.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.make_save import EDGE, FAR, MOMENTUM, compact, ident, line, make_save
from tests.terminal.pty import Pty

import tracker
from tracker.saves.save import Save, emit_checked

MINIMAL = Path(__file__).with_name("minimal.py")
LONG = 100_000
SINCE = 300
"""How many entries the save of somebody who was killed holds behind its last compaction."""
PRESSES = 10
APPENDS = 25
NOISE = 1.15
"""What counts as the same."""


class Row(NamedTuple):
    """One line of the table; seconds in pairs."""

    what: str
    ours: list[float]
    reference: list[float]
    limit: float | None = None

    @property
    def ratio(self) -> float:
        return statistics.median(ours / other for ours, other in zip(self.ours, self.reference, strict=True))

    @property
    def over(self) -> bool:
        return self.limit is not None and self.ratio > self.limit

    def cells(self) -> list[str]:
        ours, reference = (f"{statistics.median(seconds) * 1000:.1f} ms" for seconds in (self.ours, self.reference))
        limit, verdict = ("", "") if self.limit is None else (f"{self.limit:.2f}", "OVER" if self.over else "ok")
        return [self.what, ours, reference, f"{self.ratio:.2f}", limit, verdict]


class Saves:
    """The saves that are measured, each opened as a fresh copy: what one run changes is not there in the next."""

    def __init__(self, folder: Path, long: int) -> None:
        self._pristine = folder / "pristine"
        self._played = folder / "played"
        self._pristine.mkdir()
        self._played.mkdir()
        self.counts = {"ten": 10, "hundred": 100, "killed": long, "long": long}
        for name, count in self.counts.items():
            if name != "long":
                make_save(self._path(name), count, after=SINCE if name == "killed" else 0)
        shutil.copyfile(self._path("killed"), self._path("long"))
        compact(self._path("long"))

    def _path(self, name: str) -> str:
        return str(self._pristine / f"{name}.toml")

    def fresh(self, name: str) -> str:
        """The path of a new copy, with nothing left for the disk to do."""
        shutil.rmtree(self._played)
        self._played.mkdir()
        path = str(self._played / f"{name}.toml")
        shutil.copyfile(self._path(name), path)
        os.sync()
        return path

    @contextmanager
    def opened(self, name: str) -> Iterator[tuple[Pty, float]]:
        """A fresh copy open in the program, and how long it took to the first useful frame."""
        self.fresh(name)
        newest = line(self.counts[name])
        with Pty([sys.executable, "-m", "tracker", "--saves", str(self._played), name]) as program:
            yield program, program.wait_until(
                lambda: number(program, "momentum") == MOMENTUM and newest in program.text()
            )


def number(program: Pty, label: str) -> int | None:
    """The number in this row of the sheet, which stands at the upper left."""
    for row in program.screen.display:
        if found := re.match(rf"\W*{label}\b\D*?([+-]?\d+)\b", row[:40]):
            return int(found[1])
    return None


def stat(program: Pty, label: str) -> int:
    """The number over this word, among the tiles at the top of the sheet."""
    rows = program.screen.display
    at, column = next((n, row.index(label)) for n, row in enumerate(rows) if label in row[:40])
    return int(re.sub(r"\D", "", rows[at - 1][column - 1 : column + len(label) + 1]))


# -- what is measured -----------------------------------------------------------------------------------


def starts_and_changes(saves: Saves, pairs: int) -> list[Row]:
    """From exec to the first useful frame, and then from a key to the number on the sheet."""
    starts: dict[str, list[float]] = {}
    changes: dict[str, list[float]] = {}
    for warm_up in [True, *[False] * pairs]:
        for name in ("minimal", *saves.counts):
            start, change = _minimal() if name == "minimal" else _ours(saves, name)
            if not warm_up:
                starts.setdefault(name, []).append(start)
                changes.setdefault(name, []).append(change)
    rows = [Row("start, against minimal.py", starts["hundred"], starts["minimal"], 1.4)]
    rows += [Row(f"start, {told}", starts[name], starts["ten"], NOISE) for name, told in _LONG_ONES]
    rows += [Row("+ and -, against minimal.py", changes["hundred"], changes["minimal"], 1.5)]
    rows += [Row(f"+ and -, {told}", changes[name], changes["ten"], NOISE) for name, told in _LONG_ONES]
    return rows


_LONG_ONES = (("long", "long save against 10"), ("killed", "killed long save against 10"))


def _minimal() -> tuple[float, float]:
    with Pty([sys.executable, str(MINIMAL)]) as program:
        start = program.wait_for("READY")
        return start, _median_press(program, lambda n: program.press("a", until=f"count: {n}"))


def _ours(saves: Saves, name: str) -> tuple[float, float]:
    with saves.opened(name) as (program, start):
        _go_to(program, "health")
        health = number(program, "health")

        def press(n: int) -> float:
            wanted = health if n % 2 == 0 else health - 1
            at = program.send("+" if n % 2 == 0 else "-")
            return program.wait_until(lambda: number(program, "health") == wanted, since=at)

        return start, _median_press(program, press)


def _go_to(program: Pty, label: str) -> None:
    """Move the cursor down to this row of the sheet."""
    program.settle()
    while not re.search(rf"\b{label}\b.*‹", program.text()):
        program.press("down")
        program.settle()


def _median_press(program: Pty, press: Callable[[int], float]) -> float:
    times = []
    for n in range(1, PRESSES + 1):
        program.settle()
        times.append(press(n))
    return statistics.median(times)


def fifty_undos(saves: Saves, pairs: int) -> list[Row]:
    """Typed at once right after the first frame, until the table tells of the fiftieth."""
    times: dict[str, list[float]] = {}
    for _ in range(pairs):
        for name in ("hundred", "long", "killed"):
            undone = re.compile(re.escape(line(saves.counts[name] - 49)) + r"\W+undone")
            with saves.opened(name) as (program, _):
                program.settle()
                at = program.send("u" * 50)
                seconds = program.wait_until(lambda: undone.search(program.text()) is not None, since=at)
            times.setdefault(name, []).append(seconds)
    return [
        Row(f"50 undos, {told.replace('10', '100')}", times[name], times["hundred"], NOISE) for name, told in _LONG_ONES
    ]


def appends(saves: Saves, pairs: int) -> list[Row]:
    """One entry made durable, against the same bytes written barely in the same folder."""
    path = saves.fresh("long")
    save = Save.open(path)
    bare = os.open(f"{path}.bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    ours: list[float] = []
    theirs: list[float] = []
    for n in range(1, pairs * APPENDS + 1):
        entry = {"id": f"append.{n}", "t": LONG + n, "who": "kara", "did": "journal", "text": line(n)}
        data = emit_checked(entry)
        began = time.perf_counter()
        save.append([entry])
        ours.append(time.perf_counter() - began)
        began = time.perf_counter()
        os.write(bare, data)
        os.fdatasync(bare)
        theirs.append(time.perf_counter() - began)
    os.close(bare)
    save.close()
    return [Row("durable append, against write + fdatasync", ours, theirs, 1.5)]


def far_undo(saves: Saves, pairs: int) -> list[Row]:
    """An undo of an early entry of a long save, and keys pressed while it goes on, against the same keys at rest."""
    at_rest: list[float] = []
    meanwhile: list[float] = []
    whole: list[float] = []
    for _ in range(pairs):
        with saves.opened("long") as (program, _):
            _go_to(program, "health")
            at_rest.append(_median_press(program, lambda _: program.press("up")))
            program.press("U", until="Undo one entry")
            program.send(ident(FAR))
            program.wait_for(ident(FAR))
            began = program.send("enter")
            program.wait_for("Going through the whole log")
            presses = []
            while "An old entry: undone" not in program.text():
                presses.append(program.press("up"))
            whole.append(time.perf_counter() - began)
            meanwhile.append(max(presses))
            assert stat(program, "edge") == EDGE
    return [Row("undo of entry 10", whole, whole), Row("a key meanwhile", meanwhile, at_rest)]


# -- the table ------------------------------------------------------------------------------------------


def table(rows: Iterable[Row]) -> str:
    cells = [["what", "ours", "reference", "ratio", "limit", ""], *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:-1], widths[1:-1]), row[-1]]).rstrip()
        for row in cells
    )


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pairs", type=int, default=11, help="how often everything is measured; nine at least")
    asked.add_argument("--quick", action="store_true", help="only to see that it runs: a shorter save, two pairs")
    given = asked.parse_args()
    # Else our modules would be compiled at every start, and those of Textual not.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-m", "compileall", "-q", *tracker.__path__], check=True)
    pairs, long = (2, LONG // 10) if given.quick else (max(9, given.pairs), LONG)
    with tempfile.TemporaryDirectory(prefix="tracker-bench-") as folder:
        saves = Saves(Path(folder), long)
        rows = [row for measure in (starts_and_changes, fifty_undos, appends, far_undo) for row in measure(saves, pairs)]
    print(table(rows))
    return 1 if any(row.over for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
