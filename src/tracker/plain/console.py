"""Line input and output, and signals, for plain mode."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from tracker.graphemes import cells
from tracker.streams import encodable
from tracker.text import shown_line

LONGEST = 4000
"""Maximum number of characters in a printed line."""
HUNG_UP = 129
"""Exit code after the terminal is gone: 128 + SIGHUP."""


class InputClosed(Exception):
    """Raised when no more input can come: at its end, after a signal, on quit. `code` is the exit code to end with."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code


class Console:
    """Standard input and output of plain mode, read and written line by line; a context manager.

    SIGINT, SIGTERM and SIGHUP raise InputClosed, but only inside `say` and `ask`, so that no signal interrupts a
    change to the campaign.
    """

    def __init__(self) -> None:
        self._talking = False
        self.while_waiting: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext
        """Function that returns a context manager for the time in which a line of input is awaited."""
        self._code = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Console:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._caught)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _caught(self, number: int, _: object) -> None:
        self._code = 128 + number
        if self._talking:
            raise InputClosed(self._code)

    @contextlib.contextmanager
    def _by_mouth(self) -> Iterator[None]:
        """Context manager in which a signal raises InputClosed. Entering raises it, too, if a signal came before."""
        self._talking = True
        try:
            if self._code:
                raise InputClosed(self._code)
            yield
        finally:
            self._talking = False

    def say(self, line: str) -> None:
        """Print a text as one line, without control characters, and flush it.

        Raise InputClosed after a signal or if the terminal is gone.
        """
        with self._by_mouth():
            say(line)

    def ask(self) -> str:
        """Return the next line of input without its line end.

        Raise InputClosed at the end of input, after a signal, or if the terminal is gone.
        """
        while True:
            with self.while_waiting(), self._by_mouth(), _while_there():
                data = sys.stdin.buffer.readline() if sys.stdin else b""
            if not data:
                raise InputClosed
            try:
                return data.decode(sys.stdin.encoding).rstrip("\r\n")
            except UnicodeDecodeError:
                self.say("That line is not text in the encoding of this terminal; type it again.")


def say(line: str) -> None:
    """Print a text as one line, without control characters, and flush it. Raise InputClosed if the terminal is gone.

    Characters that the encoding of the terminal lacks are replaced. On a terminal, a line that is too long for it is
    broken between words.
    """
    with _while_there():
        text = encodable(shown_line(line, LONGEST), sys.stdout)
        if sys.stdout.isatty():
            text = "\n".join(wrapped(text, shutil.get_terminal_size().columns))
        print(text, flush=True)


def wrapped(line: str, width: int) -> list[str]:
    """Return the line broken between words into rows of at most `width` cells. There is always at least one row.

    A word that is longer than a row is not broken.
    """
    rows, used = [""], 0
    for word in line.split(" "):
        taken = cells(word)
        if rows[-1] and used + 1 + taken > width:
            rows.append(word)
            used = taken
        else:
            used += taken + bool(rows[-1])
            rows[-1] = f"{rows[-1]} {word}" if rows[-1] else word
    return rows


@contextlib.contextmanager
def _while_there() -> Iterator[None]:
    """Context manager that turns EIO, which means that the terminal is gone, into InputClosed."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        # Python flushes stdout at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise InputClosed(HUNG_UP) from None
