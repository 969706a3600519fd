"""Looking at what the base stands for without reading it all: places are counted from the end of the head.

Blocks of ours have one line per key, so that a line of bytes tells which blocks are worth reading.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from tracker.saves import blocks, toml
from tracker.saves.blocks import Entry
from tracker.saves.reading import Contents

_STEP = 1 << 16
_STRETCH = 1 << 18
"""So much is looked at in one go: whoever waits for the keyboard never waits longer than that takes."""
_OPENING = b"\n[[entry]]\n"
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
    start = bytes_of.rfind(_OPENING, 0, at + 1)
    end = bytes_of.find(b"\n#= ", at) + 1
    return toml.read_ours(bytes_of[start:end]) if 0 <= start < end else None


@contextmanager
def _mapped(file: BinaryIO) -> Iterator[mmap.mmap]:
    if not os.fstat(file.fileno()).st_size:
        raise OSError("it is empty")  # for a moment, while another program writes it
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_of:
        yield bytes_of


def matching(file: BinaryIO, contents: Contents, wanted: re.Pattern[bytes]) -> Iterator[list[Entry]]:
    """The entries in whose bytes this is found, newest first, a stretch of the file at a time."""
    low, high = contents.head_end, contents.body_start
    with _mapped(file) as bytes_of:
        while high > low:
            start = low
            if high - _STRETCH > low:
                mark = bytes_of.rfind(b"\n#= ", low, high - _STRETCH)
                start = bytes_of.find(b"\n", mark + 1) + 1 if mark >= 0 else low
            hits = (hit.start() for hit in wanted.finditer(bytes_of, start, high))
            places = {bytes_of.rfind(_OPENING, low, at + 1): at for at in hits}
            found = (_around(bytes_of, at) for _, at in sorted(places.items(), reverse=True))
            yield [entry for entry in found if entry]
            high = start
