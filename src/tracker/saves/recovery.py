"""Recover the intact entries of a damaged save into a new file; the damaged file is only read."""

from __future__ import annotations

import os
import re
import stat
import zlib

from tracker.records import NamedTuple
from tracker.saves import backups, blocks, head, reader
from tracker.saves.blocks import Block, DamagedRange
from tracker.saves.disk import Disk, open_regular
from tracker.saves.errors import SaveError
from tracker.saves.head import Head

_GAME = re.compile(rb'(?m)^game = "([a-z]{1,40})"')
_ID = re.compile(rb'(?m)^id = "([a-z0-9]{1,40})"')


class RecoveredSave(NamedTuple):
    """Everything that `read_intact` could read from a damaged save.

    `head` may have been reconstructed. `blocks` are the intact ones, sorted by (t, id), and `bad` the damaged ranges.
    """

    head: Head
    blocks: list[Block]
    bad: list[DamagedRange]
    unfinished: int
    """Number of bytes of an unfinished write at the end, which are left out."""
    mode: int
    """The permissions of the damaged file, for the new one."""


def read_intact(path: str) -> RecoveredSave:
    """Return everything that is intact in the save at this path.

    Raise SaveError if the file cannot be read, or if neither it nor a backup says which game it is. Raise OSError if
    the game has to be read from a backup and that cannot be read.
    """
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
    """Return a head with the game and the id found in `data`, the bytes of a damaged head; else the head of a backup.

    The backup is the newest one, of the save at `path`, that looks intact. Raise `error` if neither names a game. Raise
    OSError or DamagedSave if that backup cannot be read.
    """
    game, ident = _GAME.search(data), _ID.search(data)
    if game:
        return Head(id=ident[1].decode() if ident else f"{zlib.crc32(data):08x}", game=game[1].decode(), rules=1)
    for backup in backups.find(path):
        if not backups.look(backup).problem:
            with open_regular(backups.intact_path(backup), follow=False) as file:
                return reader.read_head(backup.name, file)[0]
    raise error


def write(found: RecoveredSave, top: Head, target: str, disk: Disk | None = None) -> None:
    """Write a save with the head `top` and the recovered blocks to `target`, a new file.

    Raise OSError, with no new file left, if `target` exists or cannot be written.
    """
    written = bytearray(head.emit(top))
    for number, block in enumerate(found.blocks, 1):
        body = block.body
        body = body if body.endswith(b"\n") else body + b"\n"
        written += body
        written += blocks.mark(number, body)
    (disk or Disk()).write_file(target, bytes(written), found.mode)
