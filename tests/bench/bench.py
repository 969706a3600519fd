"""How fast it is, as ratios that hold on any machine: `python -m tests.bench.bench`, in a quiet hour.

Whatever is compared is measured in turn, so that a busy moment hits both. A ratio is the median over these pairs;
the milliseconds are medians too, and only there to be looked at.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from tests.bench.make_save import EDGE, MOMENTUM, compact, ident, line, make_save
from tests.make_example import example
from tests.terminal.pty import Pty

import tracker
from tracker.campaign.session import COMPACT_AFTER
from tracker.games.daggerheart import dice as duality
from tracker.games.ironsworn.dice import action_odds, with_burn
from tracker.games.wherever.dice import Pool, chances
from tracker.saves.save import Save, emit_checked

MINIMAL = Path(__file__).with_name("minimal.py")
PRESSES = 10
APPENDS = 25
SAME = 1.15
"""As much more as noise may be."""
QUIET = 0.06
STAT = "Roll with"
"""What a prompt for a stat says."""
CARD = "STRONG HIT   Face Danger"


class Row(NamedTuple):
    """One row of the table: times in seconds or sizes in megabytes, and those they are compared with."""

    what: str
    ours: list[float]
    reference: list[float]
    limit: float | None = None
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        return statistics.median(ours / other for ours, other in zip(self.ours, self.reference, strict=True))

    @property
    def over(self) -> bool:
        return self.limit is not None and self.ratio > self.limit

    def cells(self) -> list[str]:
        much = 1000 if self.unit == "ms" else 1
        ours, reference = (f"{statistics.median(of) * much:.2f} {self.unit}" for of in (self.ours, self.reference))
        limit, verdict = (f"{self.limit:.2f}", "OVER" if self.over else "ok") if self.limit else ("", "")
        return [self.what, ours, reference, f"{self.ratio:.2f}", limit, verdict]


# -- the saves ------------------------------------------------------------------------------------------


class Saves:
    """The saves to measure: of 10 entries, of 100, and two long ones, just compacted and killed long after that."""

    def __init__(self, folder: Path, long: int) -> None:
        self.counts = {"ten": 10, "hundred": 100, "long": long, "killed": long}
        self.played = folder / "played"
        self._kept = folder / "kept"
        self._kept.mkdir()
        self.played.mkdir()
        (folder / "tracker").mkdir()
        (folder / "tracker" / "config.toml").write_text("recap = false\n")  # the saves were played long ago
        self._homes = {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
        make_save(self._path("ten"), 10)
        make_save(self._path("hundred"), 100)
        make_save(self._path("killed"), long, after=COMPACT_AFTER)
        shutil.copyfile(self._path("killed"), self._path("long"))
        compact(self._path("long"))

    def _path(self, name: str) -> str:
        return str(self._kept / f"{name}.toml")

    def fresh(self, name: str) -> str:
        """Return the path of a new copy to play with, with everything about it already written to the disk."""
        shutil.rmtree(self.played)
        self.played.mkdir()
        path = shutil.copyfile(self._path(name), str(self.played / f"{name}.toml"))
        os.sync()
        return path

    @contextmanager
    def opened(self, name: str) -> Iterator[tuple[Pty, float]]:
        """Yield the program with a new copy, and the seconds from exec to the first useful frame."""
        self.fresh(name)
        newest = line(self.counts[name])
        words = [sys.executable, "-m", "tracker", "--saves", str(self.played), name]
        with Pty(words, env=self._homes) as program:
            start = program.wait_until(lambda: number(program, "momentum") == MOMENTUM and newest in program.text())
            yield program, start


def number(program: Pty, label: str) -> int:
    """Return the number in this row of the sheet, at the upper left; a very low number if the row is not there."""
    for row in program.rows():
        if found := re.match(rf"\W*{label}\b\D*?([+-]?\d+)\b", row[:40]):
            return int(found[1])
    return -sys.maxsize


def stat(program: Pty, label: str) -> int:
    """Return the number above this word in the first rows of the sheet."""
    rows = program.rows()
    at = next(n for n, row in enumerate(rows) if label in row)
    column = rows[at].index(label)
    return int(re.sub(r"\D", "", rows[at - 1][column - 1 : column + len(label) + 1]))


def go_to_health(program: Pty) -> None:
    program.settle()
    while not re.search(r"health.*‹", program.text()):
        program.press("down")
        program.settle(QUIET)


def change_health(program: Pty, key: str) -> float:
    """Return the seconds from `+` or `-` to the new number on the sheet."""
    wanted = number(program, "health") + (1 if key == "+" else -1)
    at = program.send(key)
    return program.wait_until(lambda: number(program, "health") == wanted, since=at)


def median_of(program: Pty, press: Callable[[int], float]) -> float:
    """Return the median of several presses, each made after the screen has come to rest."""
    times = []
    for n in range(1, PRESSES + 1):
        program.settle(QUIET)
        times.append(press(n))
    return statistics.median(times)


# -- what is measured -----------------------------------------------------------------------------------

LONG_ONES = (("long", "100,000 just compacted"), ("killed", "100,000 and killed"))


class Seen(NamedTuple):
    """What one run of a program showed: times in seconds, and sizes in megabytes."""

    start: float
    """From exec to the first useful frame."""
    memory: float
    """Resident then, when everything has come to rest, in megabytes."""
    change: float
    """From `-` or `+` to the number on the sheet; in the smallest app, from its key to the number."""
    prompt: float
    """From the answer to a prompt to the next one, in a dialog."""
    move: float
    """From the last key of a move until its number, its roll and its line in the journal stand on the table."""
    played: float
    """Resident after all this, in megabytes."""


def starts_and_keys(saves: Saves, pairs: int) -> list[Row]:
    """Start the programs in turn, play a little in each, and return the rows of the table."""
    seen: dict[str, list[Seen]] = {name: [] for name in ("minimal", *saves.counts)}
    for n in range(pairs + 1):
        for name, runs in seen.items():
            run = minimal() if name == "minimal" else ours(saves, name)
            if n:  # the first round only warms up
                runs.append(run)

    def row(what: str, field: str, pair: tuple[str, str], limit: float | None, against: str = "") -> Row:
        ours, theirs = (
            [getattr(run, how) for run in seen[name]] for name, how in zip(pair, (field, against or field), strict=True)
        )
        return Row(what, ours, theirs, limit, "MB" if field in {"memory", "played"} else "ms")

    small = ("hundred", "minimal")
    return [
        row("start, 10 entries : minimal.py", "start", ("ten", "minimal"), 1.4),
        row("start, 100 entries : minimal.py", "start", small, 1.4),
        row("+, 100 entries : minimal.py", "change", small, 1.5),
        row("next prompt, 100 entries : minimal.py", "prompt", small, 4, "change"),
        row("a whole move, 100 entries : minimal.py", "move", small, 7, "change"),
        row("memory at the table, 100 entries : minimal.py", "memory", small, 1.3),
        row("memory after some play, 100 entries : minimal.py", "played", small, 1.7),
        *(
            row(f"{word}, {told} : 10 entries", field, (name, "ten"), SAME)
            for word, field in (
                ("start", "start"),
                ("+", "change"),
                ("next prompt", "prompt"),
                ("a whole move", "move"),
                ("memory at the table", "memory"),
            )
            for name, told in LONG_ONES
        ),
    ]


def minimal() -> Seen:
    with Pty([sys.executable, str(MINIMAL)]) as program:
        start = program.wait_for("READY")
        program.settle()
        memory = program.rss_mb()
        key = median_of(program, lambda n: program.press("a", until=f"count: {n}"))
        return Seen(start, memory, key, key, key, program.rss_mb())


def ours(saves: Saves, name: str) -> Seen:
    with saves.opened(name) as (program, start):
        program.settle()
        memory = program.rss_mb()
        go_to_health(program)
        change = median_of(program, lambda n: change_health(program, "+-"[n % 2]))
        program.press("d", until="Real dice")
        prompt = prompts(program)
        move = median_of(program, lambda n: whole_move(program, n))
        return Seen(start, memory, change, prompt, move, program.rss_mb())


def prompts(program: Pty) -> float:
    """Return the seconds from the answer about the stat of Face Danger to its dice.

    The way back is not timed: after Esc a terminal program waits for what may be the rest of another key.
    """
    face_danger(program)

    def press(_: int) -> float:
        at = program.send("e")
        seconds = program.wait_until(lambda: STAT not in program.text(), since=at)
        program.settle(QUIET)
        program.press("escape", until=STAT)
        program.settle(QUIET)
        return seconds

    seconds = median_of(program, press)
    program.press("escape", until="q Campaigns")
    return seconds


def face_danger(program: Pty) -> None:
    program.press("m", until="Make a move")
    program.send("face d")
    program.settle(QUIET)
    program.press("enter", until=STAT)


def whole_move(program: Pty, n: int) -> float:
    """Return the seconds from the last key of a move to its result on the table; then undo the move.

    The move is a strong hit whose dice differ from those of the one before.
    """
    momentum, one, other = number(program, "momentum"), 1 + n // 5, 2 + n % 5
    face_danger(program)
    program.send("e")
    program.wait_gone(STAT)
    program.send(f"6 {one} {other}")
    program.press("enter", until="STRONG HIT")
    program.settle(QUIET)
    at = program.send("enter")

    def told() -> bool:
        text = program.text()
        drawn = f"│  {one}  │  │  {other}  │" in text
        return number(program, "momentum") == momentum + 1 and CARD in text and drawn

    seconds = program.wait_until(told, since=at)
    program.press("u", until="Undone")
    program.wait_until(lambda: number(program, "momentum") == momentum)
    return seconds


def fifty_undos(saves: Saves, pairs: int) -> list[Row]:
    """Return rows for 50 undos typed at once right after opening, timed until the table shows the fiftieth."""
    times: dict[str, list[float]] = {}
    for _ in range(pairs):
        for name in ("hundred", "long", "killed"):
            with saves.opened(name) as (program, _):
                seconds = _fifty_undos(program, line(saves.counts[name] - 49))
            times.setdefault(name, []).append(seconds)
    return [Row(f"50 undos, {told} : 100 entries", times[name], times["hundred"], SAME) for name, told in LONG_ONES]


def _fifty_undos(program: Pty, last: str) -> float:
    program.settle()
    undone = re.compile(r"Undone[^:\n]*:\W+" + re.escape(last))
    at = program.send("u" * 50)
    return program.wait_until(lambda: undone.search(program.text()) is not None, since=at)


def appends(saves: Saves, pairs: int) -> list[Row]:
    """Return the row for one durable entry, compared with the same bytes written plainly to a file beside it."""
    path = saves.fresh("long")
    save = Save.open(path)
    bare = os.open(f"{path}.bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    ours: list[float] = []
    reference: list[float] = []
    for n in range(1, pairs * APPENDS + 1):
        number = saves.counts["long"] + n
        entry = {"id": ident(number), "t": number, "who": "kara", "did": "journal", "text": line(number)}
        data = emit_checked(entry)
        save.prepare(entry)
        began = time.perf_counter()
        save.append([entry])
        ours.append(time.perf_counter() - began)
        began = time.perf_counter()
        os.write(bare, data)
        os.fdatasync(bare)
        reference.append(time.perf_counter() - began)
    os.close(bare)
    save.close()
    return [Row("durable append : write + fdatasync", ours, reference, 1.5)]


def far_undo(saves: Saves, pairs: int) -> list[Row]:
    """Return rows for the undo of an early entry, which shows a bar, and for the keys pressed meanwhile."""
    whole: list[float] = []
    slowest: list[float] = []
    usual: list[float] = []
    at_rest: list[float] = []
    for _ in range(max(1, pairs // 3)):
        with saves.opened("long") as (program, _):
            go_to_health(program)
            at_rest.append(median_of(program, lambda n: change_health(program, "+-"[n % 2])))
            program.press("J", until="U Undo this")
            program.press("home", until="►   Make a character")  # a line about a move is indented
            while not any("►" in row and "edge" in row for row in program.text().splitlines()):
                program.press("down")
                program.settle(QUIET)  # else the cursor is past it before it is seen
            began = program.send("U")
            program.wait_for("Reading the full history")
            program.press("escape", until="q Campaigns")
            presses: list[float] = []
            while stat(program, "edge") != EDGE:
                presses.append(change_health(program, "+-"[len(presses) % 2]))
            whole.append(time.perf_counter() - began)
            slowest.append(max(presses))
            usual.append(statistics.median(presses))
    return [
        Row("undo of entry 10 in 100,000 : +", whole, at_rest),
        Row("+ meanwhile, the median : + at rest", usual, at_rest),
        Row("+ meanwhile, the slowest : + at rest", slowest, at_rest),
    ]


def commands(saves: Saves, pairs: int) -> list[Row]:
    """Return rows for shell commands on an evening of play, against the smallest run of Python, in processor time.

    The campaign has a backup of the last hour, so that writing commands make none.
    """
    program = [str(Path(sys.executable).with_name("tracker"))]
    if not os.path.exists(program[0]):
        program = [sys.executable, "-m", "tracker"]
    told = {
        "list": ["list"],
        "show": ["show", "mill"],
        "show --format": ["show", "mill", "--format", "{momentum} {health}"],
        "log": ["log", "mill"],
        "roll": ["roll", "mill", "edge"],
        "say": ["say", "mill", "The bridge is out."],
        "oracle": ["oracle", "likely"],
    }
    limits = {"list": 5.0, "show": 5.0, "roll": 5.0}
    times: dict[str, list[float]] = {name: [] for name in ("pass", *told)}
    for _ in range(pairs):
        times["pass"].append(_processor([sys.executable, "-c", "pass"]))
        for name, words in told.items():
            saves.fresh("hundred")
            shutil.copyfile(example("ironsworn"), saves.played / "mill.toml")
            (saves.played / ".backups").mkdir()
            (saves.played / ".backups" / f"mill {datetime.now():%Y-%m-%d %H.%M.%S}.toml").touch()
            times[name].append(_processor([*program, *words, "--saves", str(saves.played)]))
    return [Row(f"tracker {name} : python -c pass", times[name], times["pass"], limits.get(name)) for name in told]


def _processor(command: list[str]) -> float:
    """Return the seconds of processor time that a program takes, its own and the system's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def odds(_saves: Saves, pairs: int) -> list[Row]:
    """Return rows for the exact odds of the five stats together, with and without a burn, against a millisecond."""
    times: list[float] = []
    for _ in range(pairs * APPENDS):
        action_odds.cache_clear()
        with_burn.cache_clear()
        began = time.perf_counter()
        for stat in (3, 2, 2, 1, 1):
            action_odds(stat, 1, -3)
            with_burn(stat, 1, 7)
        times.append(time.perf_counter() - began)
    return [
        Row("odds of five stats : 1 ms", times, [0.001] * len(times), 1.0),
        *(
            Row(f"odds of a pool with {stress} stress dice{told} : 1 ms", *_pool_odds(pairs, stress, upto), 1.0)
            for stress, upto, told in (
                (0, -1, ""),
                (12, -1, ""),
                (12, 0, ", gambled on a failure"),
                (12, 1, ", gambled on a mixed success"),
            )
        ),
        Row("odds of a Duality roll with five helpers : 1 ms", *_duality_odds(pairs), 1.0),
    ]


def _pool_odds(pairs: int, stress: int, upto: int) -> tuple[list[float], list[float]]:
    """Return the seconds that the exact odds of the largest pool with this many stress dice take."""
    times: list[float] = []
    for _ in range(pairs * APPENDS):
        chances.cache_clear()
        began = time.perf_counter()
        chances(Pool("d12", "d12", "d12", stress), upto)
        times.append(time.perf_counter() - began)
    return times, [0.001] * len(times)


def _duality_odds(pairs: int) -> tuple[list[float], list[float]]:
    """Return the seconds that the exact odds of the five outcomes take, with nothing computed before."""
    times: list[float] = []
    for _ in range(pairs * APPENDS):
        duality.odds.cache_clear()
        duality._higher_from.cache_clear()
        duality._beside.cache_clear()
        began = time.perf_counter()
        duality.odds(17, 2, 1, 5, "1.0", 8)
        times.append(time.perf_counter() - began)
    return times, [0.001] * len(times)


# -- the table ------------------------------------------------------------------------------------------


def table(rows: Iterable[Row]) -> str:
    cells = [["what : reference", "ours", "reference", "ratio", "limit", ""], *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ([row[0].ljust(widths[0]), *map(str.rjust, row[1:-1], widths[1:-1]), row[-1]] for row in cells)
    return "\n".join("  ".join(line).rstrip() for line in lines)


def compile_modules() -> None:
    """Compile our modules; otherwise each start would compile them, but not those of Textual."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-m", "compileall", "-q", *tracker.__path__], check=True)


MEASURES = (starts_and_keys, commands, fifty_undos, appends, far_undo, odds)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pairs", type=int, default=11, help="how often everything is measured; nine at least")
    asked.add_argument(
        "--quick", action="store_true", help="only to see that it runs: two pairs, a tenth of the entries"
    )
    asked.add_argument("--only", choices=[measure.__name__ for measure in MEASURES], help="measure only this")
    given = asked.parse_args()
    compile_modules()
    pairs, long = (2, 10_000) if given.quick else (max(9, given.pairs), 100_000)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="tracker-bench-") as folder:
        os.environ["XDG_DATA_HOME"] = os.path.join(folder, "data")  # no backups at home
        saves = Saves(Path(folder), long)
        for measure in MEASURES:
            if given.only not in {None, measure.__name__}:
                continue
            rows += (found := measure(saves, pairs))
            print(table(found), flush=True)  # what is measured is not lost with what comes after it
    return 1 if any(row.over for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
