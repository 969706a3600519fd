"""Standard streams that can always be used, whatever the caller closed."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO


def open_closed() -> None:
    """Open the null device in place of every standard stream that the caller has closed.

    Otherwise the next file to be opened, which may be a save, would get the stream's descriptor and receive its output.
    """
    for fd, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free descriptor, which is this one
        stream = open(fd, mode, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 stays open
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def give_up(fd: int) -> None:
    """Redirect `fd`, the descriptor of a broken stream, to the null device.

    Otherwise Python's flush at exit would fail.
    """
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, fd)
    os.close(null)


@contextlib.contextmanager
def stderr_on_terminal() -> Iterator[None]:
    """Context manager that redirects stderr to where stdout goes, because Textual draws on stderr.

    Only use it if stdout is the terminal.
    """
    kept = os.dup(2)
    os.dup2(1, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


_ASCII = str.maketrans({"→": "->", "–": "-", "—": "-", "−": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'"})


def encodable(text: str, stream: TextIO) -> str:
    """Return `text` in a form that the stream's encoding can hold: unchanged if it can hold all of it.

    Otherwise arrows, dashes and curly quotes become ASCII, such as ->, and other characters that it lacks become ?.
    """
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
    return text


def in_browser() -> bool:
    """Return True if this process draws its app for a browser, as the processes that `tracker serve` starts do.

    The person at the browser may play, but must not reach other files of this machine.
    """
    return os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")
