"""Looking at what the base stands for without reading it all: places are counted from the end of the head.

Blocks of ours have one line per key, so that a line of bytes tells which blocks are worth reading.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from tracker.saves import blocks, toml
from tracker.saves.blocks import Entry
from tracker.saves.reading import Contents

_STEP = 1 << 16
_ABOUT_ANOTHER = (b'\nundoes = "', b'\nof = "')


def newer(file: BinaryIO, contents: Contents, after: int, count: int) -> tuple[list[Entry], int | None]:
    """Up to `count` entries that begin at this place, and where they end; None where the base ends."""
    low = contents.head_end + after
    size = _STEP
    while True:
        file.seek(low)
        data = file.read(min(size, contents.body_start - low))
        found = blocks.scan(data).blocks
        if len(found) >= count or low + size >= contents.body_start:
            taken = found[:count]
            end = low + taken[-1].end if taken else contents.body_start
            return [block.entry for block in taken], end - contents.head_end if end < contents.body_start else None
        size *= 4


def place_of(file: BinaryIO, contents: Contents, ident: str) -> int | None:
    """Where the entry with this id ends."""
    with _mapped(file) as bytes_of:
        at = bytes_of.find(f'\nid = "{ident}"\n'.encode(), contents.head_end, contents.body_start)
        mark = bytes_of.find(b"\n#= ", at + 1) if at >= 0 else -1
        return bytes_of.find(b"\n", mark + 1) + 1 - contents.head_end if mark >= 0 else None


def marked(file: BinaryIO, contents: Contents) -> list[Entry]:
    """The entries that are about another one, newest first."""
    with _mapped(file) as bytes_of:
        places = [at for line in _ABOUT_ANOTHER for at in _all(bytes_of, line, contents)]
        return [entry for at in sorted(places, reverse=True) if (entry := _around(bytes_of, at))]


def _all(bytes_of: mmap.mmap, line: bytes, contents: Contents) -> Iterator[int]:
    at = bytes_of.find(line, contents.head_end, contents.body_start)
    while at >= 0:
        yield at
        at = bytes_of.find(line, at + 1, contents.body_start)


def _around(bytes_of: mmap.mmap, at: int) -> Entry | None:
    """The entry in whose block this place is; None where somebody has written it otherwise than we do."""
    start = bytes_of.rfind(b"\n[[entry]]\n", 0, at + 1)
    end = bytes_of.find(b"\n#= ", at) + 1
    return toml.read_ours(bytes_of[start:end]) if 0 <= start < end else None


@contextmanager
def _mapped(file: BinaryIO) -> Iterator[mmap.mmap]:
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_of:
        yield bytes_of
