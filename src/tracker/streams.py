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
    """Redirect the descriptor of a broken stream to the null device, so that Python's flush at exit cannot fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, fd)
    os.close(null)


@contextlib.contextmanager
def stderr_on_terminal() -> Iterator[None]:
    """Context manager that redirects stderr to where stdout goes, the terminal, because Textual draws on stderr."""
    kept = os.dup(2)
    os.dup2(1, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


_ASCII = str.maketrans({"→": "->", "–": "-", "—": "-", "−": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'"})


def encodable(text: str, stream: TextIO) -> str:
    """Return `text` with every character replaced that the stream's encoding lacks: -> for an arrow, ? for others."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
    return text


def in_browser() -> bool:
    """Return True if this process draws its app for a browser, as those that `tracker serve` starts do.

    Whoever sits there may play, and has no business with other files of this machine.
    """
    return os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")
