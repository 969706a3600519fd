"""Lines to the player, and lines from them."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

from tracker.text import shown_line

LONGEST = 4000
HUNG_UP = 129
"""The exit code when the terminal is gone."""


class InputClosed(Exception):
    """Nothing more comes from the player; `code` is the exit code that says why."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code


class Console:
    """What is said is one line each, with nothing in it that a terminal would act on.

    A signal ends the talk while it is a matter of talking, and never in the middle of a change to the table.
    """

    def __init__(self) -> None:
        self._talking = False
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
        """While this lasts a signal is heard at once; one that came before is heard now."""
        self._talking = True
        try:
            if self._code:
                raise InputClosed(self._code)
            yield
        finally:
            self._talking = False

    def say(self, line: str) -> None:
        with self._by_mouth():
            say(line)

    def ask(self) -> str:
        """The next line; Ended where there is none."""
        while True:
            with self._by_mouth(), _while_there():
                data = sys.stdin.buffer.readline() if sys.stdin else b""
            if not data:
                raise InputClosed
            try:
                return data.decode(sys.stdin.encoding).rstrip("\r\n")
            except UnicodeDecodeError:
                self.say("That line is not text in the encoding of this terminal; type it again.")


def say(line: str) -> None:
    """One line, at once; where a sign cannot be shown another stands in its place."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with _while_there():
        print(shown_line(line, LONGEST).encode(encoding, "replace").decode(encoding), flush=True)


@contextlib.contextmanager
def _while_there() -> Iterator[None]:
    """A terminal that is gone is an end, not an error."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        # What is left for it must not be flushed into nothing when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise InputClosed(HUNG_UP) from None
