"""The real program in a real terminal: how it is started, and what it leaves behind."""

from __future__ import annotations

import re
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from tests.app.helpers import HEIR, KARA, TAYLA, campaign, in_party, sworn
from tests.terminal import pty
from tests.terminal.pty import Pty

import tracker as package
from tracker.campaign.log import Entry
from tracker.campaign.session import Session

PATIENCE = pty.PATIENCE
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def environment() -> dict[str, str]:
    """Return the environment in which a process finds the package where it is not installed."""
    try:
        metadata.distribution("tracker")
    except metadata.PackageNotFoundError:
        return {"PYTHONPATH": str(Path(package.__file__).parents[1])}
    return {}


def tracker(folder: Path, *words: str, seed: int = 1) -> list[str]:
    return [sys.executable, "-m", "tracker", "--saves", str(folder), "--seed", str(seed), *words]


def started(argv: list[str], *, env: Mapping[str, str] | None = None, rows: int = 40, cols: int = 120) -> Pty:
    return Pty(argv, env={**environment(), **(env or {})}, colours=False, rows=rows, cols=cols)


def vale(folder: Path) -> Path:
    """Write a campaign with Kara, Tayla and a vow; return its path."""
    return campaign(folder, *in_party(KARA, TAYLA), *sworn(HEIR))


@contextmanager
def at_the_table(
    folder: Path, *, argv: list[str] | None = None, seed: int = 1, rows: int = 40, cols: int = 120
) -> Iterator[Pty]:
    """Yield the program with the campaign `vale` open and painted."""
    with started(argv or tracker(folder, "vale", seed=seed), rows=rows, cols=cols) as program:
        program.wait_for("q Campaigns", PATIENCE)
        yield program


def state_of(path: Path) -> Any:
    """Return the state that a player finds who opens the save now."""
    session = Session.open(str(path), write=False)
    session.close()
    return session.state


def entries_of(path: Path) -> list[Entry]:
    session = Session.open(str(path), write=False)
    session.close()
    return session.log.entries


def last_words(program: Pty) -> str:
    """Return the text on the player's own screen after the program has left it."""
    _, left, after = program.raw.rpartition(b"\x1b[?1049l")
    return _ESCAPES.sub(b"", after if left else program.raw).decode().replace("\r\n", "\n").strip()


def is_usable(program: Pty) -> bool:
    """Return True if keys are echoed, lines can be edited, the cursor is back, and the mouse is not reported.

    The alternate screen must have been cleared each time it was left, because tmux shows the rest of a frame that was
    larger than the window is now.
    """
    local = termios.tcgetattr(program._fd)[3]
    raw = program.raw
    switched_off = all(
        raw.rfind(off) > raw.rfind(on)
        for on, off in (
            (b"\x1b[?1049h", b"\x1b[?1049l"),
            (b"\x1b[?25l", b"\x1b[?25h"),
            (b"\x1b[?1000h", b"\x1b[?1000l"),
            (b"\x1b[?1003h", b"\x1b[?1003l"),
            (b"\x1b[?2004h", b"\x1b[?2004l"),
        )
    )
    cleared = all(b"\x1b[2J" in frame[-200:] for frame in raw.split(b"\x1b[?1049l")[:-1])
    return cleared and bool(local & termios.ECHO and local & termios.ICANON and local & termios.ISIG) and switched_off
