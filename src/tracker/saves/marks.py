"""Marks: older snapshots, kept beside a save, so that a late entry can be folded from one of them, not from the start.

The file `.NAME.marks` has one line for each, a CRC32 and JSON, oldest first. Nothing needs that file: it may be deleted
at any time, and a line that is damaged or does not fit the save is passed over.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import zlib
from collections.abc import Iterable
from typing import Any, BinaryIO

from tracker.saves.disk import Disk, open_regular
from tracker.saves.head import Snapshot

EVERY = 1000
"""Least number of entries between two marks."""
MOST = 1 << 25
"""Most bytes of the file: to fit, `write` leaves out every other mark. A larger file is not ours, and not read."""


def path_of(real: str) -> str:
    """Return the path of the marks of the save at `real`, its path without links."""
    folder, name = os.path.split(real)
    return os.path.join(folder, f".{name.removesuffix('.toml')}.marks")


def read(real: str) -> list[Snapshot]:
    """Return the marks of the save at `real`, oldest first; [] if there are none or they cannot be read."""
    found: list[Snapshot] = []
    with contextlib.suppress(OSError), open_regular(path_of(real), follow=False) as file:
        if os.fstat(file.fileno()).st_size <= MOST:
            found += filter(None, map(_parse, file.read(MOST).splitlines()))
    return sorted(found, key=lambda mark: mark.upto)


def _parse(line: bytes) -> Snapshot | None:
    """Return the mark in a line of the file, or None if the line is damaged."""
    try:
        if int(line[:8], 16) != zlib.crc32(line[9:]):
            return None
        match json.loads(line[9:]):
            case {
                "upto": int(upto),
                "last": [int(t), str(ident)],
                "size": int(size),
                "crc": int(crc),
                "without": list(without),
                "state": dict(state),
            } if upto > 0 and size > 0:
                return Snapshot(upto, (t, ident), size, crc, frozenset(map(str, without)), state)
    except (ValueError, RecursionError):
        pass
    return None


def fitting(found: Iterable[Snapshot], body: BinaryIO) -> list[Snapshot]:
    """Return those of the marks in `found`, oldest first, whose entries are still the first ones of a save.

    `body` is the open file of the save, at the end of its head. It is read once, up to the end of the last mark. Raise
    OSError if it cannot be read.
    """
    fit: list[Snapshot] = []
    crc, at = 0, 0
    for mark in found:
        while at < mark.size and (chunk := body.read(min(1 << 20, mark.size - at))):
            crc, at = zlib.crc32(chunk, crc), at + len(chunk)
        if at == mark.size and crc == mark.crc:
            fit.append(mark)
    return fit


def write(real: str, unchanged: int, new: Iterable[Snapshot], disk: Disk) -> None:
    """Write the marks of the save at `real` anew: those of its first `unchanged` entries, then those in `new`.

    A mark less than EVERY entries after the one before it is left out. Raise OSError if the file cannot be written.
    """
    kept: list[Snapshot] = []
    for mark in [*(mark for mark in read(real) if mark.upto <= unchanged), *new]:
        if mark.upto >= (kept[-1].upto if kept else 0) + EVERY:
            kept.append(mark)
    lines: list[bytes] = []
    for mark in kept:
        fields: dict[str, Any] = mark._asdict() | {"without": sorted(mark.without)}
        with contextlib.suppress(TypeError):  # a hand-made value that JSON does not have
            line = json.dumps(fields, separators=(",", ":")).encode()
            lines.append(b"%08x %s\n" % (zlib.crc32(line), line))
    while sum(map(len, lines)) > MOST:
        del lines[::2]
    disk.replace_file(path_of(real), b"".join(lines), stat.S_IMODE(os.stat(real).st_mode))
