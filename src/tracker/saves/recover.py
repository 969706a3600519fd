"""Saving what is whole in a damaged save, into a new file; the original is only read."""

from __future__ import annotations

import os
import re
import stat
import zlib
from dataclasses import dataclass

from tracker.saves import backups, blocks, head, reader
from tracker.saves.blocks import Block, DamagedRange
from tracker.saves.disk import Disk, open_regular
from tracker.saves.errors import SaveError
from tracker.saves.head import Head

_GAME = re.compile(rb'(?m)^game = "([a-z]{1,40})"')
_ID = re.compile(rb'(?m)^id = "([a-z0-9]{1,40})"')


@dataclass(frozen=True)
class RecoveredSave:
    """What can be saved: the head, as far as it can be known, and every whole block in order."""

    head: Head
    blocks: list[Block]
    bad: list[DamagedRange]
    unfinished: int
    """Bytes after the last end mark."""
    mode: int
    """The permissions of the file, which the new one gets too."""


def rescue(path: str) -> RecoveredSave:
    """Read all that is intact. Raise SaveError if not even the game can be told."""
    try:
        with open_regular(path) as file:
            data = file.read()
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o777
    except OSError as error:
        raise SaveError(f"Can't read {path}: {error.strerror}.") from None
    body_end, head_end, _ = head.find_end(data) or (0, 0, False)
    try:
        top = head.read(path, data[:body_end], trusted=False)
    except SaveError as error:
        top = _guess_head(path, data[:head_end] or data, error)
    found = reader.read_body(path, top, data, head_end)
    return RecoveredSave(found.head, found.blocks, found.bad, len(found.torn), mode)


def _guess_head(path: str, data: bytes, error: SaveError) -> Head:
    """A damaged head still names its game as a rule; else a backup does."""
    game, ident = _GAME.search(data), _ID.search(data)
    if game:
        return Head(id=ident[1].decode() if ident else f"{zlib.crc32(data):08x}", game=game[1].decode(), rules=1)
    for backup in backups.find(path):
        if not backups.look(backup).problem:
            with open_regular(backups.intact_path(backup), follow=False) as file:
                return reader.read_head(backup.name, file)[0]
    raise error


def write(found: RecoveredSave, top: Head, target: str, disk: Disk | None = None) -> None:
    """Write the rescued blocks under a fresh head into a new file. Raise OSError with no such file left."""
    written = bytearray(head.emit(top))
    for number, block in enumerate(found.blocks, 1):
        body = block.body
        body = body if body.endswith(b"\n") else body + b"\n"
        written += body
        written += blocks.mark(number, body)
    (disk or Disk()).write_file(target, bytes(written), found.mode)
