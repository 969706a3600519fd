"""Saving what is whole in a damaged save, into a new file; the original is only read."""

from __future__ import annotations

import os
import re
import zlib
from dataclasses import dataclass

from tracker.saves import blocks, head, reading
from tracker.saves.blocks import Bad, Block
from tracker.saves.compact import backups
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError
from tracker.saves.head import Head
from tracker.saves.save import Save

_GAME = re.compile(rb'(?m)^game = "([a-z]{1,40})"')
_ID = re.compile(rb'(?m)^id = "([a-z0-9]{1,40})"')


@dataclass(frozen=True)
class Rescue:
    """What can be saved: the head, as far as it can be known, and every whole block in order."""

    head: Head
    blocks: list[Block]
    bad: list[Bad]
    unfinished: int
    """Bytes after the last end mark."""


def rescue(path: str) -> Rescue:
    """Read all that is whole; SaveError if not even the game can be told."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {error.strerror}.") from None
    body_end, head_end, _ = head.find_end(data) or (0, 0, False)
    try:
        top = head.read(path, data[:body_end], trusted=False)
    except SaveError as error:
        top = _guess_head(path, data[:head_end] or data, error)
    found = reading.read_body(path, top, data, head_end)
    return Rescue(found.head, found.blocks, found.bad, len(found.torn))


def _guess_head(path: str, data: bytes, error: SaveError) -> Head:
    """A damaged head still names its game as a rule; else a backup does."""
    game, ident = _GAME.search(data), _ID.search(data)
    if game:
        return Head(id=ident[1].decode() if ident else f"{zlib.crc32(data):08x}", game=game[1].decode(), rules=1)
    backup = newest_good_backup(path)
    if backup:
        with open(backup, "rb") as file:
            return reading.read_head(backup, file)[0]
    raise error


def write(found: Rescue, top: Head, target: str, disk: Disk | None = None) -> None:
    """The rescued blocks under a fresh head, as a new file."""
    chunks = [head.emit(top)]
    for number, block in enumerate(found.blocks, 1):
        body = block.body if block.body.endswith(b"\n") else block.body + b"\n"
        chunks.append(body + blocks.mark(number, body))
    (disk or Disk()).write_file(target, b"".join(chunks))


def newest_good_backup(path: str) -> str | None:
    """The newest backup that opens without a fault."""
    for backup in reversed(backups(os.path.realpath(path))):
        try:
            save = Save.open(backup, write=False, tail="keep")
        except SaveError:
            continue
        if not save.read.bad:
            return backup
    return None
