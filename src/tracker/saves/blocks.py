"""A save as blocks: the bytes between two end marks, what they say, and whether they are whole.

An end mark is a comment, `#= 1241 9c0e41aa`: the number of the block above it and the CRC32 of its bytes. A
line is an end mark only if that CRC fits the bytes since the mark before it, or if the block between can be
read: a text may contain a line that looks like one.
"""

from __future__ import annotations

import contextlib
import re
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tracker.saves import toml
from tracker.saves.validate import entry_problem

Entry = dict[str, Any]

_MARK = re.compile(rb"^#= (\d{1,12}) ([0-9a-f]{8})([^\n]*)(?:\n|\Z)", re.MULTILINE)
_HEADER = re.compile(rb"^[ \t]*\[\[[ \t]*entry[ \t]*\]\]", re.MULTILINE)
_STRINGS = toml.SKIPPED.pattern.encode()  # compiled when it is needed: a clean save needs it not
_BLANK = bytes(byte if byte == 10 else 32 for byte in range(256))
# Blank lines and comments that any TOML reader takes.
_COMMENTS = re.compile(rb"(?:[ \t]*+(?:#[^\x00-\x08\x0a-\x1f\x7f]*+)?(?:\r?\n|\Z))*+")
_TOKEN = (
    rb'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+("{3,5})?'
    rb"|'''(?:[^']++|'{1,2}(?!'))*+('{3,5})?"
    rb'|"(?:[^"\\\n]++|\\[^\n])*+"?'
    rb"|'[^'\n]*+'?"
    rb"|#[^\n]*+"
)
_JOINED = 8
"""The most marks that one text of a damaged or edited block may span: each costs another look at the text."""
_HELD = 256
"""The most marks that wait for the end of an open text before the blocks between them are read one by one."""
_HEADERS = 8
"""The most headers before a mark from which its block may begin: each costs a checksum."""
_MANY = 2000
"""Entries from which on sharing words is worth its time: a usual opening reads fewer."""
_SHARED = frozenset(["who", "did"])
"""Keys whose values many entries have in common."""
_WORD = 24
_ONE_ENTRY = "only one [[entry]] belongs here"


def mark(number: int, body: bytes) -> bytes:
    return b"#= %d %08x\n" % (number, zlib.crc32(body))


class Block:
    """One entry and its bytes. `number` is what its mark says, None where it has no mark of its own."""

    __slots__ = ("_from", "_text", "_to", "edited", "end", "entry", "number", "start")
    _text: bytes
    _from: int
    _to: int

    def __init__(
        self, start: int, end: int, body: bytes, entry: Entry, number: int | None, *, edited: bool = False
    ) -> None:
        self.start = start
        self.end = end
        self.entry = entry
        self.number = number
        self.edited = edited
        self.body = body

    @classmethod
    def within(cls, data: bytes, start: int, to: int, end: int, entry: Entry, number: int | None) -> Block:
        """Return a block whose body is data[start:to], without a copy of it: a save has as many as it has entries."""
        block = cls(start, end, data, entry, number)
        block._from, block._to = start, to
        return block

    @property
    def body(self) -> bytes:
        """The bytes of the block without its mark."""
        return self._text if self._to < 0 else self._text[self._from : self._to]

    @body.setter
    def body(self, body: bytes) -> None:
        self._text, self._from, self._to = body, 0, -1


@dataclass(slots=True)
class DamagedRange:
    """Bytes that cannot be read; the line is counted within the bytes that were scanned."""

    start: int
    end: int
    line: int
    why: str


@dataclass(slots=True)
class Scan:
    """All that was found in a stretch of a save."""

    blocks: list[Block] = field(default_factory=list)
    bad: list[DamagedRange] = field(default_factory=list)
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
        self.bad.append(DamagedRange(start, end, self._lines[0] + error.line, error.why))


def scan(data: bytes, start: int = 0, step: Callable[[int], None] | None = None) -> Scan:
    """Return every block from `start` on; tell `step` now and then how far the scan is.

    Takes time in proportion to the bytes, whatever they are: every byte is checked, looked at for texts and parsed
    a bounded number of times.
    """
    found = Scan()
    at = last = start
    crc = 0
    # Marks after `at` whose CRC does not fit: lines of a text, comments, or the ends of changed blocks.
    waiting: list[re.Match[bytes]] = []
    held = 0
    for n, this in enumerate(_MARK.finditer(data, start), 1):
        crc = zlib.crc32(data[last : this.start()], crc)
        last = this.start()
        if crc == int(this[2], 16) and not this[3].strip(b" \t\r"):
            _take(data, at, this, found)
            waiting.clear()
            at, held = this.end(), 0
        else:
            waiting.append(this)
            if len(waiting) > max(1, held) and _ends_a_block(data, waiting[-2].end(), this):
                # The mark before this one was real, unless all of it is quoted in a text that is still open. Looking
                # for that only at twice as many marks each time keeps the work in proportion to the bytes.
                if len(waiting) < _HELD and _open_text(data, at, waiting[-2].start()) is not None:
                    held = 2 * len(waiting)
                else:
                    at = _settle(data, at, waiting, found)
                    waiting, held = [], 0
        if not waiting:
            crc, last = 0, at
        if step and n % 1000 == 0:
            step(this.end())
    at = _settle(data, at, waiting, found, step)
    while found.bad and found.bad[-1].end == at and data.find(b"\0", found.bad[-1].start, at) >= 0:
        # A power cut may leave zeros for what the disk had not written yet: nobody was told that it was saved.
        at = found.bad.pop().start
    found.rest, found.rest_start = data[at:], at
    found.ends_line = at == 0 or data[at - 1 : at] == b"\n"
    return found


def _ends_a_block(data: bytes, at: int, end: re.Match[bytes]) -> bool:
    """Return True if this mark has the CRC of the bytes before it, from `at` on, and they are no mere comments."""
    return _fits(data, at, end) and not _only_comments(data, at, end.start())


def _fits(data: bytes, at: int, end: re.Match[bytes]) -> bool:
    """Return True if this mark has the CRC of the bytes before it, from `at` on."""
    return zlib.crc32(data[at : end.start()]) == int(end[2], 16) and not end[3].strip(b" \t\r")


def _take(data: bytes, at: int, end: re.Match[bytes], found: Scan) -> None:
    """Add the block that ends here and whose CRC fits: written by us, or by somebody who knows how."""
    try:
        blocks = _ours(data, at, end)
    except toml.BadToml as error:
        found.fail(data, at, end.end(), error)
        return
    if len(found.blocks) > _MANY:
        for block in blocks:
            block.entry = _slim(block.entry)
    found.blocks += blocks


def _slim(entry: Entry) -> Entry:
    """Return the same entry with its keys and usual words shared with other entries: about half the memory."""
    return {
        sys.intern(key): sys.intern(value) if key in _SHARED else _slim_value(value) for key, value in entry.items()
    }


def _slim_value(value: Any) -> Any:
    match value:
        case dict():
            return {
                sys.intern(key): sys.intern(one) if type(one) is str and len(one) <= _WORD else _slim_value(one)
                for key, one in value.items()
            }
        case list():
            return [sys.intern(one) if type(one) is str and len(one) <= _WORD else _slim_value(one) for one in value]
        case _:
            return value


def _ours(data: bytes, at: int, end: re.Match[bytes]) -> list[Block]:
    """Return the entries of a block whose CRC fits, or raise BadToml."""
    to = end.start()
    if at == to:
        return []
    entry = toml.read_ours(data[at:to])
    if entry is not None and entry_problem(entry) is None:
        return [Block.within(data, at, to, end.end(), entry, int(end[1]))]
    return _read(data, at, end, edited=False)


def _settle(
    data: bytes, at: int, marks: Sequence[re.Match[bytes]], found: Scan, step: Callable[[int], None] | None = None
) -> int:
    """Add the blocks from `at` to the last of these marks, of which none fits the bytes since `at`.

    Return where the bytes begin that belong to no block yet: comments, which belong to the next one.
    """
    plain = last = at
    crc, k = 0, 0
    while k < len(marks):
        end = marks[k]
        crc = zlib.crc32(data[last : end.start()], crc)
        last = end.start()
        if crc == int(end[2], 16) and not end[3].strip(b" \t\r"):
            _take(data, at, end, found)
            at = end.end()
        elif _only_comments(data, plain, end.start()):
            plain = end.end()
            k += 1
            continue
        else:
            joined = _after_text(data, at, marks, k)
            try:
                if joined > k and _fits(data, at, marks[joined]):
                    found.blocks += _ours(data, at, marks[joined])
                else:
                    found.blocks += _read(data, at, marks[joined], edited=True)
                k = joined
                at = marks[k].end()
            except toml.BadToml as error:
                whole = _whole_at_the_end(data, at, end)
                found.fail(data, at, whole[0].start if whole else end.end(), error)
                found.blocks += whole
                at = end.end()
        k += 1
        plain = last = at
        crc = 0
        if step and k % 1000 == 0:
            step(at)
    return at


def _only_comments(data: bytes, start: int, end: int) -> bool:
    """Return True if these bytes are blank lines and comments."""
    if not _COMMENTS.fullmatch(data, start, end):
        return False
    with contextlib.suppress(UnicodeDecodeError):
        data[start:end].decode()
        return True
    return False


def _after_text(data: bytes, at: int, marks: Sequence[re.Match[bytes]], k: int) -> int:
    """Return the index of the first mark from k on that is not within a text, read from `at`; k if none is near."""
    text = at
    for j in range(k, min(k + _JOINED, len(marks))):
        inside = _open_text(data, text, marks[j].start())
        if inside is None:
            return j
        text = inside
    return k


def _open_text(data: bytes, start: int, end: int) -> int | None:
    """Return where the text of several lines begins that is still open at `end`; None if there is none."""
    if data.find(b'"""', start, end) < 0 and data.find(b"'''", start, end) < 0:
        return None
    token = deque(re.compile(_TOKEN, re.DOTALL).finditer(data, start, end), maxlen=1)[0]
    if token.end() < end or token.lastindex:
        return None
    return token.start() if token[0].startswith((b'"""', b"'''")) else None


def _whole_at_the_end(data: bytes, at: int, end: re.Match[bytes]) -> list[Block]:
    """Return the block right before `end` if it is intact and only the mark before it was damaged."""
    headers = [header.start() for header in _HEADER.finditer(data, at, end.start())]
    for header in reversed(headers[-_HEADERS:]):
        for start in (header - 1, header):
            if start >= at and _fits(data, start, end):
                with contextlib.suppress(toml.BadToml):  # then all of it is bad
                    return _ours(data, start, end)
    return []


def _read(data: bytes, at: int, end: re.Match[bytes], *, edited: bool) -> list[Block]:
    """Return the entries of a block that nobody vouches for, each with its own bytes, or raise BadToml."""
    blocks = list(read_entries(data[at : end.start()], at))
    if blocks:
        blocks[-1].number, blocks[-1].end = int(end[1]), end.end()
    for block in blocks:
        block.edited = edited
    return blocks


def read_entries(body: bytes, at: int = 0) -> Iterator[Block]:
    """Yield the entries in these bytes, without regard to marks.

    Raise BadToml for what cannot be read or is no entry, with its line in `body`.
    """
    if _only_comments(body, 0, len(body)):
        return
    starts = [m.start() for m in _HEADER.finditer(without_texts(body))]
    if not starts:
        toml.parse(body)
        raise toml.BadToml(_ONE_ENTRY, 1)
    starts[0] = 0
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        piece = body[start:end]
        try:
            entry = _one_entry(piece)
        except toml.BadToml as error:
            raise toml.BadToml(error.why, body.count(b"\n", 0, start) + error.line) from None
        yield Block(at + start, at + end, piece, entry, None, edited=True)


def _one_entry(piece: bytes) -> Entry:
    """Return the entry in these bytes, or raise BadToml with its line in them."""
    ours = toml.read_ours(b"\n" + piece.strip(b"\n") + b"\n")
    if ours is not None and entry_problem(ours) is None:
        return ours
    tables = toml.parse(piece)
    entries = tables.get("entry")
    if len(tables) != 1 or not isinstance(entries, list) or len(entries) != 1:
        raise toml.BadToml(_ONE_ENTRY, 1)
    entry: Entry = entries[0]
    if problem := entry_problem(entry):
        raise toml.BadToml(problem[1], _line_of(piece, problem[0]))
    return entry


def without_texts(data: bytes) -> bytes:
    """The same bytes with blanks for what stands in quotes: a text may have lines that look like ours."""
    return re.sub(_STRINGS, lambda m: m[0] if m[0].startswith(b"#") else m[0].translate(_BLANK), data, flags=re.DOTALL)


def _line_of(piece: bytes, key: str) -> int:
    found = re.search(rb"(?m)^[ \t]*\"?" + re.escape(key.encode()) + rb"\b", piece)
    header = _HEADER.search(piece)
    place = found or header
    return piece.count(b"\n", 0, place.start()) + 1 if place else 1
