"""The real program in a real terminal under keys, bytes, pastes, clicks and sizes by chance.

It stays alive or ends with 0, says nothing like a traceback, and loses no entry that was once in a file, though every
second run ends by SIGKILL. A failure tells the seed and the last keys.
"""

import os
import queue
import random
import shutil
import signal
import sys
import time
from collections import deque
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.tally import Tally
from tests.terminal.helpers import environment
from tests.terminal.pty import Pty

from tracker import cli
from tracker.campaign.session import Session
from tracker.saves.errors import SaveError, UnmarkedTail

EXAMPLES = sorted((Path(__file__).parents[2] / "saves").glob("example-*.toml"))
USUAL = 80
"""Keys on each campaign in the usual run."""
PER_FAULT = 200
"""Keys in all for each of the kills of `--faults N`: 500 of them are 100,000."""
ROUND = 1500
"""Keys after which the program is ended and started again."""
BATCH = 60
QUIET = 0.1
"""Seconds without output after which a batch counts as read."""
PATIENCE = 120.0
CPU_MOST = 60.0
"""Seconds of the processor in which the program ends when it is asked to, with all keys before that still to act."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-/?.,:;<>()[]{}!@#$%^&*_=~`'\"\\| äé漢👩"
OFTEN = "mmmoorvjtxbcgupse1234567890+-+-? "
ENTER, ESCAPE = b"\r", b"\x1b[27u"
"""ESC by a key of its own: the byte alone would begin a sequence with the next key."""
NAMED = [
    ENTER, ESCAPE, ESCAPE, b"\t", b"\x1b[Z", b"\x7f", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D",
    b"\x1b[H", b"\x1b[F", b"\x1b[5~", b"\x1b[6~", b"\x1b[3~", b"\x1bOP", b"\x1bOQ", b"\x10", b"\x0f", b"\x06", b"\x0e",
    b"\x01", b"\x05", b"\x0b", b"\x15", b"\x17", b"\x19", b"\x00", b"\x1bx",
]  # fmt: skip
WAYS_OUT = [b"\x11", b"\x03"]
BROKEN = [
    b"\x1b[",
    b"\x1b[M",
    b"\x1b[<0;",
    b"\x1b[97:65;1u",
    b"\x1b[1114112u",
    b"\x1b[48;999;999;9;9t",
    b"\x1bP",
    b"\x1b]0;x",
]
SIZES = [(40, 120), (24, 80), (50, 200), (100, 300), (30, 100), (24, 90)]
TOO_SMALL = [(10, 30), (1, 1), (3, 300), (100, 5), (24, 79)]


def typed(chance: random.Random) -> bytes:
    """Return one random key, or what a terminal sends for something else."""
    kind = chance.random()
    if kind < 0.35:
        return chance.choice(OFTEN).encode()
    if kind < 0.55:
        return chance.choice(LETTERS).encode()
    if kind < 0.75:
        return chance.choice(NAMED)
    if kind < 0.85:
        return chance.choice([ENTER, ENTER, ESCAPE])
    if kind < 0.89:
        return bytes(chance.choices(range(0x80, 0x100), k=chance.choice([1, 2, 5])))
    if kind < 0.93:
        button, x, y = chance.choice([0, 0, 0, 2, 35, 64, 65]), chance.randint(1, 130), chance.randint(1, 45)
        return b"\x1b[<%d;%d;%d%c" % (button, x, y, chance.choice(b"Mm"))
    if kind < 0.945:
        return b"\x1b[M" + bytes([chance.randint(32, 100), chance.randint(33, 255), chance.randint(33, 255)])
    if kind < 0.96:
        return chance.choice([b"\x1b[I", b"\x1b[O"])
    if kind < 0.975:
        pasted = chance.choice(["A line.\nAnother.", "x" * 3000, "漢" * 40, "über"]).encode(
            chance.choice(["utf-8", "utf-16"])
        )
        return b"\x1b[200~" + pasted.replace(b"\x1b", b"") + b"\x1b[201~"
    if kind < 0.98:
        return chance.choice(BROKEN)  # it may swallow the next keys, up to 32 of them
    return chance.choice(OFTEN).encode() if kind < 0.9993 else chance.choice(WAYS_OUT)


def read_until_quiet(program: Pty) -> None:
    """Take what the program writes without a look at it, until it writes no more for a moment."""
    try:
        while program._chunks.get(timeout=QUIET)[1]:
            pass
    except queue.Empty:
        return


def cpu_seconds(program: Pty) -> float:
    """Return the processor time that the program has used; 0 if it has ended. A busy machine does not add to it."""
    try:
        used = Path(f"/proc/{program._process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    except FileNotFoundError:
        return 0.0
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def files(folder: Path) -> list[Path]:
    """Return every campaign in the folder and in the archive, without backups and files being written."""
    found = (path for path in folder.rglob("*.toml") if path.is_file())
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]


def ids(folder: Path) -> set[str]:
    """Return the ids of all entries in files now. A file may be replaced or renamed during the search."""
    found: set[str] = set()
    for path in files(folder):
        try:
            found.update(campaign.ids(str(path)))
        except (FileNotFoundError, SaveError):
            continue
    return found


def run_for(folder: Path, chance: random.Random, keys: int, *, kill: bool) -> tuple[int, set[str]]:
    """Start the program and type; return how many keys it got before it ended, and the ids that were in a file."""
    home = {name: str(folder / ".home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    env = {**environment(), **home, "EDITOR": "true", "VISUAL": "true"}
    newest = max(files(folder), key=lambda path: path.stat().st_mtime)
    argv = [sys.executable, "-m", "tracker", "--saves", str(folder), "--seed", str(chance.randrange(99)), str(newest)]
    last: deque[bytes] = deque(maxlen=80)
    saved: set[str] = set()
    done = 0
    with Pty(argv, env=env, colours=False) as program:
        program.wait_until(lambda: len(program.raw) > 2000, PATIENCE)
        while done < keys and program._process.poll() is None:
            for _ in range(min(BATCH, keys - done)):
                size = chance.random()
                if size < 0.015:
                    program._set_size(*chance.choice(TOO_SMALL if size < 0.003 else SIZES))
                last.append(typed(chance))
                try:
                    program.send(last[-1])
                except OSError:
                    break  # it was asked to quit
                done += 1
            read_until_quiet(program)
        program._set_size(40, 120)
        saved = ids(folder)  # on disk is more than shown as saved, and none of it may get lost
        if program._process.poll() is None and kill:
            program.kill(signal.SIGKILL)
        busy, deadline = cpu_seconds(program), time.monotonic() + 10 * PATIENCE
        while program._process.poll() is None and time.monotonic() < deadline:
            if cpu_seconds(program) > busy + CPU_MOST:
                break
            if not kill:
                program.send(b"\x1b[201~\x11")  # a dialog that asks about leaving takes the second one
            read_until_quiet(program)
        code = program._process.poll()
        # Ctrl+C after a way out reaches the program as a signal while it closes the save.
        told = f"the last keys were {list(last)}"
        fault = folder / ".last-fault.txt"
        assert not fault.exists(), f"{fault.read_text()}\n{told}"
        ends = {0, *([-signal.SIGKILL] if kill else []), *([130] if b"\x03" in last else [])}
        assert code in ends, f"it ended with {code}; {told}"
        assert b"Traceback" not in program.raw, told
    return done, saved


def assert_nothing_is_lost(folder: Path, saved: set[str]) -> None:
    """Assert that every campaign opens undamaged for playing, and that every saved id is in one of them."""
    for path in files(folder):
        try:
            Session.open(str(path)).close()
        except UnmarkedTail:
            Session.open(str(path), tail="aside").close()
        assert cli.main(["--saves", str(folder), "check", str(path)]) == 0, path
    assert saved - ids(folder) == set()


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_random_keys_neither_end_the_program_nor_lose_an_entry(
    example: Path, tmp_path: Path, request: pytest.FixtureRequest, tally: Tally
) -> None:
    tally("keys", 0)
    faults = request.config.getoption("--faults")
    left = -(-PER_FAULT * faults // len(EXAMPLES)) if faults else USUAL
    shutil.copy(example, tmp_path / "vale.toml")
    saved = ids(tmp_path)
    seed = 0
    while left > 0:
        chance = random.Random(f"{example.stem} {seed}")
        done, there = run_for(tmp_path, chance, min(left, ROUND if faults else USUAL // 2), kill=bool(seed % 2))
        saved |= there
        assert_nothing_is_lost(tmp_path, saved)
        tally("keys", done)
        left -= max(done, 1)
        seed += 1
