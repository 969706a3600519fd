"""A long passage, written in the player's own editor."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from textual.app import App, SuspendNotSupported

from tracker.text import shown_line


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
        return f"There is no editor “{shown_line(asked, 40)}”: set EDITOR to one that is installed."
    name = shown_line(os.path.basename(words[0]), 40)
    try:
        with _interrupts_ignored(), app.suspend(), _terminal_as_it_was():
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
def _interrupts_ignored() -> Iterator[None]:
    """Ctrl+C in the editor is the editor's; a handler, unlike SIG_IGN, is not handed down to it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
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
