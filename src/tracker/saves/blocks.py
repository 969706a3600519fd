"""A save as blocks: the bytes between two end marks, what they say, and whether they are whole.

An end mark is a comment, `#= 1241 9c0e41aa`: the number of the block above it and the CRC32 of its bytes. A
line is an end mark only if that CRC fits the bytes since the mark before it, or if the block between can be
read: a text may contain a line that looks like one.
"""

from __future__ import annotations

import contextlib
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tracker.saves import toml
from tracker.saves.check import entry_problem

Entry = dict[str, Any]

_MARK = re.compile(rb"^#= (\d{1,12}) ([0-9a-f]{8})([^\n]*)(?:\n|\Z)", re.MULTILINE)
_HEADER = re.compile(rb"^[ \t]*\[\[[ \t]*entry[ \t]*\]\]", re.MULTILINE)
_STRINGS = toml.SKIPPED.pattern.encode()  # compiled when it is needed: a clean save needs it not
_BLANK = bytes(byte if byte == 10 else 32 for byte in range(256))
_LOOK_AHEAD = 200
_ONE_ENTRY = "here one [[entry]] should stand and nothing else"


def mark(number: int, body: bytes) -> bytes:
    return b"#= %d %08x\n" % (number, zlib.crc32(body))


@dataclass(slots=True)
class Block:
    """One entry and its bytes. `number` is what its mark says, None where it has no mark of its own."""

    start: int
    end: int
    body: bytes
    entry: Entry
    number: int | None
    edited: bool = False


@dataclass(slots=True)
class Bad:
    """Bytes that cannot be read; the line is counted within the bytes that were scanned."""

    start: int
    end: int
    line: int
    why: str


@dataclass(slots=True)
class Scan:
    """All that was found in a stretch of a save."""

    blocks: list[Block] = field(default_factory=list)
    bad: list[Bad] = field(default_factory=list)
    rest: bytes = b""
    """What follows the last end mark."""
    rest_start: int = 0
    ends_line: bool = True
    """Whether the last end mark has its line end."""
    _lines: tuple[int, int] = (0, 0)

    def fail(self, data: bytes, start: int, end: int, error: toml.BadToml) -> None:
        """Bytes from here to there cannot be read. To be called in their order: the lines are counted once."""
        before, counted = self._lines
        self._lines = before + data.count(b"\n", counted, start), start
        self.bad.append(Bad(start, end, self._lines[0] + error.line, error.why))


def scan(data: bytes, start: int = 0, step: Callable[[int], None] | None = None) -> Scan:
    """Every block from `start` on; `step` is told now and then how far it is."""
    found = Scan()
    at = start
    marks = list(_MARK.finditer(data, start))
    i = 0
    while i < len(marks):
        this = marks[i]
        body = data[at : this.start()]
        if zlib.crc32(body) == int(this[2], 16) and not this[3].strip(b" \t\r"):
            _take(data, at, this, found)
            at = this.end()
            i += 1
        else:
            i, at = _unfit(data, at, marks, i, found)
        if step and i % 1000 == 0:
            step(at)
    while found.bad and found.bad[-1].end == at and b"\0" in data[found.bad[-1].start : at]:
        # A power cut may leave zeros for what the disk had not written yet: nobody was told that it was saved.
        at = found.bad.pop().start
    found.rest, found.rest_start = data[at:], at
    found.ends_line = at == 0 or data[at - 1 : at] == b"\n"
    return found


def _take(data: bytes, at: int, end: re.Match[bytes], found: Scan) -> None:
    """A block whose CRC fits: written by us, or by somebody who knows how."""
    try:
        found.blocks += _ours(data[at : end.start()], at, end)
    except toml.BadToml as error:
        found.fail(data, at, end.end(), error)


def _ours(body: bytes, at: int, end: re.Match[bytes]) -> list[Block]:
    entry = toml.read_ours(body)
    if entry is not None and entry_problem(entry) is None:
        return [Block(at, end.end(), body, entry, int(end[1]))]
    return list(_read(body, at, end, edited=False))


def _unfit(data: bytes, at: int, marks: list[re.Match[bytes]], i: int, found: Scan) -> tuple[int, int]:
    """Read past a mark whose CRC does not fit; the next mark's index and the byte after this one."""
    crc, last = 0, at
    for j in range(i, min(i + _LOOK_AHEAD, len(marks))):
        crc = zlib.crc32(data[last : marks[j].start()], crc)
        last = marks[j].start()
        if j > i and crc == int(marks[j][2], 16):
            _take(data, at, marks[j], found)  # the marks before were lines of a text
            return j + 1, marks[j].end()
    problem: toml.BadToml | None = None
    for j in range(i, min(i + 8, len(marks))):
        if j > i and zlib.crc32(data[marks[j - 1].end() : marks[j].start()]) == int(marks[j][2], 16):
            break  # the mark before this one was a real one: what stands before it is damaged
        try:
            blocks = list(_read(data[at : marks[j].start()], at, marks[j], edited=True))
        except toml.BadToml as error:
            problem = problem or error
        else:
            if blocks:
                found.blocks += blocks
                return j + 1, marks[j].end()
    if problem is None:
        return i + 1, at  # comments only: they belong to the next block
    end = marks[i]
    whole = _whole_at_the_end(data, at, end)
    found.fail(data, at, whole[0].start if whole else end.end(), problem)
    found.blocks += whole
    return i + 1, end.end()


def _whole_at_the_end(data: bytes, at: int, end: re.Match[bytes]) -> list[Block]:
    """The block right before `end`, where it is whole and only the mark before it was damaged."""
    for header in reversed(list(_HEADER.finditer(data, at, end.start()))):
        for start in (header.start() - 1, header.start()):
            body = data[start : end.start()]
            if start >= at and zlib.crc32(body) == int(end[2], 16):
                with contextlib.suppress(toml.BadToml):  # then all of it is bad
                    return _ours(body, start, end)
    return []


def _read(body: bytes, at: int, end: re.Match[bytes], *, edited: bool) -> Iterator[Block]:
    """The entries of a block that tomllib has to read, each with its own bytes, or BadToml."""
    blocks = list(read_entries(body, at))
    if blocks:
        blocks[-1].number, blocks[-1].end = int(end[1]), end.end()
    for block in blocks:
        block.edited = edited
    return iter(blocks)


def read_entries(body: bytes, at: int = 0) -> Iterator[Block]:
    """The entries in these bytes, without regard to marks; BadToml says what cannot be read or does not fit."""
    starts = [m.start() for m in _HEADER.finditer(without_texts(body))]
    if not starts:
        if toml.parse(body):
            raise toml.BadToml(_ONE_ENTRY, 1)
        return  # comments only
    starts[0] = 0
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        piece = body[start:end]
        before = body.count(b"\n", 0, start)
        try:
            tables = toml.parse(piece)
            entries = tables.get("entry")
            if len(tables) != 1 or not isinstance(entries, list) or len(entries) != 1:
                raise toml.BadToml(_ONE_ENTRY, 1)
            if problem := entry_problem(entries[0]):
                raise toml.BadToml(problem[1], _line_of(piece, problem[0]))
        except toml.BadToml as error:
            raise toml.BadToml(error.why, before + error.line) from None
        yield Block(at + start, at + end, piece, entries[0], None, edited=True)


def without_texts(data: bytes) -> bytes:
    """The same bytes with blanks for what stands in quotes: a text may have lines that look like ours."""
    return re.sub(_STRINGS, lambda m: m[0] if m[0].startswith(b"#") else m[0].translate(_BLANK), data, flags=re.DOTALL)


def _line_of(piece: bytes, key: str) -> int:
    found = re.search(rb"(?m)^[ \t]*\"?" + re.escape(key.encode()) + rb"\b", piece)
    header = _HEADER.search(piece)
    place = found or header
    return piece.count(b"\n", 0, place.start()) + 1 if place else 1
