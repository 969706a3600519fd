"""Search the entries that the snapshot covers, in the file, without parsing them all.

Blocks that this program wrote have one line per key, so a search for bytes tells which blocks to parse. Offsets count
from the end of the head. In all functions, `file` is the open save and `contents` what was read from it. All of them
raise OSError if the file cannot be read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Set
from typing import BinaryIO

from tracker.saves import blocks, toml
from tracker.saves.blocks import Entry
from tracker.saves.reader import Contents

_STEP = 1 << 16
_STRETCH = 1 << 18
"""Bytes searched in one go; the keyboard waits for no more than that."""
_OPENING = b"\n[[entry]]\n"
_MARK = b"\n#= "
_ABOUT_ANOTHER = re.compile(rb'\n(?:undoes|of) = "')
_ID = re.compile(re.escape(_OPENING) + rb'id = "([^"\n]*)"')
_CLOSES = re.compile(rb'\ncloses = "([^"\n]*)"')
_BLOCK = re.compile(rb'\n\[\[entry\]\]\nid = "([^"\n]*)"\n(?:(?!\[\[|#= )[^\n]*+\n)*+#= \d++ ([0-9a-f]{8})(?=\n)')
"""A block as this program writes it, from the line end before it up to its end mark: its id and its CRC32."""


def newer(file: BinaryIO, contents: Contents, after: int, count: int | None) -> tuple[list[Entry], int | None]:
    """Return (entries, offset): up to `count` entries from the offset `after` on, oldest first.

    Only entries that the snapshot covers are returned. The returned offset is where they end, or None if the last of
    those is among them. Offsets count bytes from the end of the head. If `count` is None, return as many entries as one
    long read finds, which is the fastest way to read all. Raise OSError if the file cannot be read.
    """
    low = contents.head_end + after
    size = _STRETCH if count is None else _STEP
    while True:
        file.seek(low)
        data = file.read(min(size, contents.body_start - low))
        found = blocks.scan(data).blocks
        if count is None and low + size < contents.body_start:
            found = found[:-1]  # the read may have cut it
        if len(found) >= (count or 1) or low + size >= contents.body_start:
            taken = found[:count]
            end = low + taken[-1].end if taken else contents.body_start
            return [block.entry for block in taken], end - contents.head_end if end < contents.body_start else None
        size *= 4


def place_of(file: BinaryIO, contents: Contents, ident: str) -> int | None:
    """Return the offset where the entry with the id `ident` ends, in bytes from the end of the head.

    Return None if the snapshot covers no such entry. Raise OSError if the file cannot be read.
    """
    line = f'\nid = "{ident}"\n'.encode()
    for start, data in _stretches(file, contents):
        at = data.find(line)
        mark = data.find(_MARK, at + 1) if at >= 0 else -1
        if mark >= 0:
            return start + data.find(b"\n", mark + 1) + 1 - contents.head_end
    return None


def marked(file: BinaryIO, contents: Contents) -> list[Entry]:
    """Return the undos, edits and strikes that the snapshot covers, newest first.

    They are the entries with a key `undoes` or `of`, which names an earlier entry. Raise OSError if the file cannot be
    read.
    """
    found = [entry for _, data in _stretches(file, contents) for entry in _entries_with(data, _ABOUT_ANOTHER)]
    return found[::-1]


def closings(file: BinaryIO, contents: Contents) -> dict[str, str]:
    """Return {id of a closing entry: id of the entry that it closes} for the part that the snapshot covers.

    They are in file order. Closing entries whose own id is not where this program writes it are skipped. Raise OSError
    if the file cannot be read.
    """
    found: dict[str, str] = {}
    for _, data in _stretches(file, contents):
        for line in _CLOSES.finditer(data):
            own = _ID.match(data, max(0, data.rfind(_OPENING, 0, line.start() + 1)))
            if own:  # else it was written by hand, in another form
                found[own[1].decode("utf-8", "replace")] = line[1].decode("utf-8", "replace")
    return found


def matching(file: BinaryIO, contents: Contents, wanted: re.Pattern[bytes]) -> Iterator[list[Entry]]:
    """Yield a list for each part of the file, newest first: the entries in it whose bytes match `wanted`.

    Only entries that the snapshot covers are searched. Each list has its newest entry first, and may be empty. Raise
    OSError if the file cannot be read.
    """
    for data in _stretches_back(file, contents):
        yield list(_entries_with(data, wanted))[::-1]


def sums(file: BinaryIO, contents: Contents) -> Iterator[tuple[str, int]]:
    """Yield (id, CRC32 of the bytes of the block) for each entry that the snapshot covers, in file order.

    Raise OSError if the file cannot be read.
    """
    for data in _blocks_in_order(file, contents):
        at, found = 0, []
        for block in _BLOCK.finditer(data):
            if block.start() - at > 1:
                break
            found.append((block[1].decode("utf-8", "replace"), int(block[2], 16)))
            at = block.end()
        if len(data) - at > 1:  # somebody has written in this part
            found = [(block.entry["id"], zlib.crc32(block.body)) for block in blocks.scan(data[1:]).blocks]
        yield from found


def texts(file: BinaryIO, contents: Contents, ids: Set[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (id, bytes of the block without its end mark) for each entry that the snapshot covers whose id is in `ids`.

    They come in file order. Raise OSError if the file cannot be read.
    """
    wanted = re.compile(rb'\nid = "(?:' + b"|".join(re.escape(ident.encode()) for ident in sorted(ids)) + rb')"\n')
    for data in _blocks_in_order(file, contents) if ids else ():
        if wanted.search(data):
            for block in blocks.scan(data[1:]).blocks:
                if block.entry["id"] in ids:
                    yield block.entry["id"], block.body


def _blocks_in_order(file: BinaryIO, contents: Contents) -> Iterator[bytes]:
    """Return an iterator over the bytes that the snapshot covers, in consecutive parts.

    No block is split; each part begins with the line end before its first block. Reading a part raises OSError if the
    file has become shorter.
    """
    return (data for _, data in _stretches(file, contents))


def _entries_with(data: bytes, wanted: re.Pattern[bytes]) -> Iterator[Entry]:
    """Yield each entry in `data` whose bytes match `wanted`, once.

    Blocks that this program did not write are skipped.
    """
    at = 0
    while hit := wanted.search(data, at):
        start = data.rfind(_OPENING, at, hit.start() + len(_OPENING))
        end = data.find(_MARK, start + 1) + 1 if start >= 0 else 0
        at = hit.start() + 1
        if end > hit.start():
            at = end
            if entry := toml.read_ours(data[start:end]):
                yield entry


def _stretches(file: BinaryIO, contents: Contents) -> Iterator[tuple[int, bytes]]:
    """Yield (offset in the file, bytes) of consecutive parts of the bytes that the snapshot covers.

    No block is split; each part begins with the line end before its first block. The file is read, not mapped: if
    another program cuts a mapped file, the next access kills the process. Raise OSError if the file has become shorter.
    """
    at, high = contents.head_end - 1, contents.body_start
    size = _STRETCH
    while at < high - 1:
        data = _read_at(file, at, min(at + size, high))
        end = len(data)
        if at + end < high:
            end = data.find(b"\n", mark + 1) if (mark := data.rfind(_MARK)) >= 0 else -1
            if end < 0 and mark > 0:  # the last mark is cut: the one before it is not
                end = data.find(b"\n", mark + 1) if (mark := data.rfind(_MARK, 0, mark)) >= 0 else -1
            if end < 0:
                size *= 2  # a long block
                continue
            end += 1
        yield at, data[:end]
        at, size = at + end - 1, _STRETCH


def _stretches_back(file: BinaryIO, contents: Contents) -> Iterator[bytes]:
    """Yield the bytes that the snapshot covers in parts, last part first.

    No block is split; each part begins with the line end before its first block. Raise OSError if the file has become
    shorter.
    """
    low, high = contents.head_end - 1, contents.body_start
    size = _STRETCH
    while high > low + 1:
        at = max(low, high - size)
        data = _read_at(file, at, high)
        start = 0
        if at > low:
            start = data.find(b"\n", mark + 1) if (mark := data.find(_MARK)) >= 0 else -1
            if start < 0 or start >= len(data) - 1:
                size *= 2  # a long block
                continue
        yield data[start:]
        high, size = at + start + 1, _STRETCH


def _read_at(file: BinaryIO, start: int, end: int) -> bytes:
    """Return the bytes from `start` to `end`. Raise OSError if the file is shorter."""
    file.seek(start)
    data = file.read(end - start)
    if len(data) < end - start:
        raise OSError("it is shorter than it was")  # for a moment, while another program writes it
    return data
