"""The player's own editor, opened over the suspended app to edit a long text."""

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
    """Protocol of an app with its own SIGINT handler, which is removed while an external editor runs."""

    def catch_interrupt(self) -> None:
        """Install the app's SIGINT handler again after an editor has run."""


def run_editor(app: App[Any], path: str) -> str:
    """Suspend the app and open the file in $VISUAL, $EDITOR or vi.

    Return "" if the editor ended without an error, else a sentence for the player that says why not. Blocks the event
    loop until the editor ends. Pending changes are still saved in the meantime.
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
    """Context manager in which the app ignores SIGINT while the editor runs. The editor itself still receives it.

    SIG_IGN is not used, because the editor would inherit it. The event loop sees a signal of that time only after the
    editor has ended, so the app's own handler is installed again 0.1 s later.
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
    """Context manager that restores the terminal modes if its body ends without an exception; no-op on Windows.

    An editor that was killed may have changed the modes.
    """
    if sys.platform == "win32":
        yield
        return
    import termios

    fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
    modes = termios.tcgetattr(fd)
    yield
    termios.tcsetattr(fd, termios.TCSADRAIN, modes)
