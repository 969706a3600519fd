"""A long passage, written in the player's own editor."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

from textual.app import App, SuspendNotSupported

from tracker.text import shown_line


class CatchesInterrupt(Protocol):
    """The app, as far as an editor has to know it."""

    def catch_interrupt(self) -> None:
        """Handle SIGINT again, after an editor has had it."""


def run_editor(app: App[Any], path: str) -> str:
    """Have the player edit this file while the app stands back; why that failed, in one sentence, or "".

    Nothing else happens on the screen meanwhile, but what waits to be saved is saved.
    """
    asked = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        words = shlex.split(asked)
    except ValueError:
        words = []
    if not words or shutil.which(words[0]) is None:
        return f"No editor “{shown_line(asked, 40)}” found: set EDITOR to one that is installed."
    name = shown_line(os.path.basename(words[0]), 40)
    try:
        with _interrupts_ignored(cast("CatchesInterrupt", app)), app.suspend(), _terminal_as_it_was():
            code = _run([*words, path])
    except SuspendNotSupported:
        return "No editor can be opened in this terminal."
    if code is None:
        return f"{name} could not be started."
    if code < 0:
        return f"{name} was ended by a signal."
    return f"{name} ended with an error ({code})." if code else ""


def _run(words: list[str]) -> int | None:
    try:
        return subprocess.run(words, check=False).returncode
    except OSError:
        return None  # raised inside `suspend` it would leave the app standing back for ever


@contextmanager
def _interrupts_ignored(app: CatchesInterrupt) -> Iterator[None]:
    """Leave Ctrl+C in the editor to the editor; a handler, unlike SIG_IGN, is not handed down to it.

    The loop hears of a signal only after the editor, so its own handler comes back a little later than that.
    """
    loop = asyncio.get_running_loop()
    caught = sys.platform != "win32" and loop.remove_signal_handler(signal.SIGINT)
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        if caught:
            loop.call_later(0.1, app.catch_interrupt)
        else:
            signal.signal(signal.SIGINT, before)


@contextmanager
def _terminal_as_it_was() -> Iterator[None]:
    """An editor that was killed may leave the terminal deaf."""
    if sys.platform == "win32":
        yield
        return
    import termios

    fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
    modes = termios.tcgetattr(fd)
    yield
    termios.tcsetattr(fd, termios.TCSADRAIN, modes)
