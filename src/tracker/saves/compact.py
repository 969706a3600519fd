"""Compaction: the same blocks under a fresh head, put in place of the old file in one step."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tracker.saves import blocks, head
from tracker.saves.blocks import Block
from tracker.saves.disk import Disk
from tracker.saves.head import Base
from tracker.saves.reading import Contents

BACKUPS = ".backups"
KEPT = 5


class Plan(NamedTuple):
    """What the new file will hold: a head, `copied` bytes of the old file from `copy_from`, then `fresh`."""

    top: bytes
    copy_from: int
    copied: int
    fresh: bytes
    contents: Contents


def plan(
    old: Contents, state: Mapping[str, Any], cut: int, base_state: Mapping[str, Any], without: frozenset[str]
) -> Plan:
    """See Save.compact."""
    before = old.head.base
    upto = before.upto if before else 0
    size, crc = (before.size, before.crc) if before else (0, 0)
    last = before.last if before else (0, "")
    fresh: list[Block] = []
    chunks: list[bytes] = []
    at = size
    base_size, base_crc = size, crc
    for n, block in enumerate(old.blocks, 1):
        body = block.body if block.body.endswith(b"\n") else block.body + b"\n"
        chunk = body + blocks.mark(upto + n, body)
        fresh.append(Block(at, at + len(chunk), body, block.entry, upto + n))
        chunks.append(chunk)
        at += len(chunk)
        if n <= cut:
            base_size, base_crc = at, zlib.crc32(chunk, base_crc)
            last = (block.entry["t"], block.entry["id"])
    base = Base(upto + cut, last, base_size, base_crc, without, base_state) if upto + cut else None
    new = old.head._replace(state=state, entries=upto + len(fresh), base=base)
    top = head.emit(new)
    head.read("the new save", top, trusted=True)  # what cannot be read again is never written
    data = b"".join(chunks)
    for block in fresh:
        block.start += len(top)
        block.end += len(top)
    rest = old.rest if not old.rest or old.rest.endswith(b"\n") else old.rest + b"\n"
    data += rest
    contents = Contents(
        head=new,
        head_edited=False,
        head_end=len(top),
        blocks=fresh[cut:],
        end=len(top) + size + len(data),
        last_number=upto + len(fresh),
        rest=rest,
    )
    return Plan(top, old.head_end, size, data, contents)


def write(real: str, new: Plan, disk: Disk, still_ours: Callable[[], None]) -> int:
    """Put the new file in the place of the old one and return its descriptor; on an error the old one stays.

    `still_ours` is asked last, and raises if another program has written the old file meanwhile.
    """
    folder, name = os.path.split(real)
    temp = os.path.join(folder, f".{name}.new")
    backup = ""
    fd = disk.open(temp, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    try:
        shutil.copymode(real, temp)
        disk.write_all(fd, new.top)
        with open(real, "rb") as old:
            old.seek(new.copy_from)
            left = new.copied
            while left:
                chunk = old.read(min(1 << 20, left))
                if not chunk:
                    raise OSError("the save is shorter than it was")
                disk.write_all(fd, chunk)
                left -= len(chunk)
        disk.write_all(fd, new.fresh)
        disk.sync(fd)
        backup = _keep_backup(real, disk)
        still_ours()
        disk.replace(temp, real)
    except BaseException:
        with contextlib.suppress(OSError):  # the first error is the one to tell
            disk.close(fd)
        disk.discard(temp)
        if backup:
            disk.discard(backup)
        raise
    for path in backups(real)[:-KEPT]:
        disk.discard(path)
    return fd


def _keep_backup(real: str, disk: Disk) -> str:
    """The file about to be replaced gets a backup's name too, which is no copy; "" where there are no second names."""
    folder, name = os.path.split(real)
    os.makedirs(os.path.join(folder, BACKUPS), exist_ok=True)
    kept = backups(real)
    newest = int(kept[-1].rsplit(".", 2)[1]) if kept else 0
    target = os.path.join(folder, BACKUPS, f"{name.removesuffix('.toml')}.{newest + 1:06d}.toml")
    return target if disk.second_name(real, target) else ""


def backups(real: str) -> list[str]:
    """The kept older files of this save, oldest first."""
    folder, name = os.path.split(real)
    mine = re.compile(re.escape(name.removesuffix(".toml")) + r"\.\d{6,}\.toml")
    try:
        names = os.listdir(os.path.join(folder, BACKUPS))
    except FileNotFoundError:
        return []
    return [os.path.join(folder, BACKUPS, n) for n in sorted(filter(mine.fullmatch, names))]


def sweep(real: str, disk: Disk) -> None:
    """Remove what a program that was killed left half written. Only the holder of the lock may."""
    folder, name = os.path.split(real)
    stem = re.escape(name.removesuffix(".toml"))
    half = re.compile(rf"\.(?:{re.escape(name)}|{stem}\.torn-\d+\.txt)(?:\.\d+)?\.new")
    for left in filter(half.fullmatch, os.listdir(folder)):
        disk.discard(os.path.join(folder, left))
