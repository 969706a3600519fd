"""Split the bytes of a save into blocks, each an entry with its end mark, and find the damaged parts.

An end mark is a comment, `#= 1241 9c0e41aa`: the number of the block above it and the CRC32 of its bytes. A
line is an end mark only if that CRC fits the bytes since the mark before it, or if the block between can be
read: a text may contain a line that looks like one.
"""

from __future__ import annotations

import contextlib
import functools
import re
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from tracker.saves import toml
from tracker.saves.entries import entry_problem

Entry = dict[str, Any]

_MARK = re.compile(rb"^#= (\d{1,12}) ([0-9a-f]{8})([^\n]*)(?:\n|\Z)", re.MULTILINE)
_HEADER = rb"(?m)^[ \t]*\[\[[ \t]*entry[ \t]*\]\]"
_STRINGS = toml.SKIPPED.encode()
# Blank lines and comments that are valid TOML.
_COMMENTS = rb"(?:[ \t]*+(?:#[^\x00-\x08\x0a-\x1f\x7f]*+)?(?:\r?\n|\Z))*+"
_TOKEN = (
    rb'(?s)"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+("{3,5})?'
    rb"|'''(?:[^']++|'{1,2}(?!'))*+('{3,5})?"
    rb'|"(?:[^"\\\n]++|\\[^\n])*+"?'
    rb"|'[^'\n]*+'?"
    rb"|#[^\n]*+"
)
_JOINED = 8
"""Most marks that a quoted text in a damaged or edited block may contain: each costs another search in the text."""
_HELD = 256
"""Most marks to collect while a quoted text is still open; then the blocks between them are read one by one."""
_HEADERS = 8
"""Most `[[entry]]` headers before a mark that are tried as the start of its block: each costs a checksum."""
_MANY = 2000
"""Number of entries beyond which `_slim` is worth its time; opening a save usually reads fewer."""
_SHARED = frozenset(["who", "did"])
"""Keys of an entry whose values repeat often, so that `_slim` always shares them."""
_WORD = 24
UNMARKED_MOST = 100_000
"""Most entries under one end mark, or after the last one; a person writes far fewer."""
_ONE_ENTRY = "only one [[entry]] belongs here"


_pattern = functools.cache(re.compile)
"""Compiles a pattern once, when it is first needed: an undamaged save needs none of them."""


def mark(number: int, body: bytes) -> bytes:
    """Return the end mark, as a line, for the block with this number and the bytes `body`."""
    return b"#= %d %08x\n" % (number, zlib.crc32(body))


class Block:
    """One entry as it is in the bytes of a save: the parsed entry and its place in the file.

    The entry and its end mark take the offsets `start` to `end`. `number` is the number in its end mark, or None if it
    has no end mark of its own. `edited` is True if the entry was changed by hand.
    """

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
        """Return a block whose body is data[start:to]. The block keeps a reference to `data` and copies nothing.

        `end` is the offset after the block's end mark.
        """
        block = cls(start, end, data, entry, number)
        block._from, block._to = start, to
        return block

    @property
    def body(self) -> bytes:
        """The bytes of the block without its end mark."""
        return self._text if self._to < 0 else self._text[self._from : self._to]

    @body.setter
    def body(self, body: bytes) -> None:
        self._text, self._from, self._to = body, 0, -1


class DamagedRange:
    """A part of a save that cannot be read: the bytes from `start` to `end`, and the reason `why`.

    `why` is a clause for the player. `line` counts from 1 in the bytes that were scanned; `reader.read` turns it into
    the line of the file.
    """

    __slots__ = ("end", "line", "start", "why")

    def __init__(self, start: int, end: int, line: int, why: str) -> None:
        self.start, self.end, self.line, self.why = start, end, line, why


class Scan:
    """The result of `scan`: `blocks` in file order, damaged ranges in `bad`, and the bytes after the last end mark."""

    def __init__(self, size: int) -> None:
        self.blocks: list[Block] = []
        self.bad: list[DamagedRange] = []
        self.rest = b""
        """The bytes after the last end mark, from `rest_start` on."""
        self.rest_start = 0
        self.ends_line = True
        """False if the last end mark lacks its line end."""
        self.allowance = toml.Allowance(size)
        """What may still be spent on entries that are not in the form of `toml.emit_entry`."""
        self._lines = 0, 0

    def fail(self, data: bytes, start: int, end: int, error: toml.BadToml) -> None:
        """Add data[start:end] to `bad`. The reason, and the line counted from `start`, are those of `error`.

        Calls must come in ascending order of `start`: each continues to count lines where the last one stopped.
        """
        before, counted = self._lines
        self._lines = before + data.count(b"\n", counted, start), start
        self.bad.append(DamagedRange(start, end, self._lines[0] + error.line, error.why))


def scan(data: bytes, start: int = 0, step: Callable[[int], None] | None = None) -> Scan:
    """Find the blocks in `data` from the offset `start` on. Never raises: damaged bytes are in the result's `bad`.

    `step` is called every 1000 marks with the offset reached. Takes linear time for any input: each byte is checked,
    searched for quoted texts and parsed a bounded number of times.
    """
    found = Scan(len(data))
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
        # A power cut may leave zeros in place of bytes not yet written; those were never reported as saved.
        at = found.bad.pop().start
    found.rest, found.rest_start = data[at:], at
    found.ends_line = at == 0 or data[at - 1 : at] == b"\n"
    return found


def _ends_a_block(data: bytes, at: int, end: re.Match[bytes]) -> bool:
    """Return True if `end` is the valid end mark of data[at:end.start()], and these bytes are not only comments."""
    return _fits(data, at, end) and not _only_comments(data, at, end.start())


def _fits(data: bytes, at: int, end: re.Match[bytes]) -> bool:
    """Return True if the CRC in the end mark `end` is that of the bytes from the offset `at` to the mark."""
    return zlib.crc32(data[at : end.start()]) == int(end[2], 16) and not end[3].strip(b" \t\r")


def _take(data: bytes, at: int, end: re.Match[bytes], found: Scan) -> None:
    """Add the blocks, usually one, in the bytes from `at` to the end mark `end`, whose CRC is right, to `found.blocks`.

    If the bytes cannot be parsed, add them to `found.bad` instead.
    """
    try:
        blocks = _ours(data, at, end, found.allowance)
    except toml.BadToml as error:
        found.fail(data, at, end.end(), error)
        return
    if len(found.blocks) > _MANY:
        for block in blocks:
            block.entry = _slim(block.entry)
    found.blocks += blocks


def _slim(entry: Entry) -> Entry:
    """Return an equal entry whose keys and short strings are interned, which halves the memory that it takes."""
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


def _ours(data: bytes, at: int, end: re.Match[bytes], allowance: toml.Allowance) -> list[Block]:
    """Return the blocks, usually one, in the bytes from `at` to the end mark `end`, whose CRC is right.

    Return [] if there is no entry. Raise BadToml if the bytes cannot be parsed.
    """
    to = end.start()
    if at == to:
        return []
    entry = toml.read_ours(data[at:to])
    if entry is not None and entry_problem(entry) is None:
        return [Block.within(data, at, to, end.end(), entry, int(end[1]))]
    return _read(data, at, end, allowance, edited=False)


def _settle(
    data: bytes, at: int, marks: Sequence[re.Match[bytes]], found: Scan, step: Callable[[int], None] | None = None
) -> int:
    """Find the blocks from `at` to the last of `marks`; add them to `found`, and damaged bytes to `found.bad`.

    No mark in `marks` has the CRC of all bytes from `at` to it, so some may be comments, or lines of a quoted text.
    Return the offset after the last block. Any bytes between it and the last mark are comments, and belong to the next
    block. `step` is called every 1000 marks with the offset reached.
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
            joined = _after_text(data, at, marks, k) if found.allowance.left else k
            try:
                if not (found.allowance.left or data.startswith(toml.OURS, at)):
                    found.allowance.spend(0)  # raises, as it would deep below, but sooner
                if joined > k and _fits(data, at, marks[joined]):
                    found.blocks += _ours(data, at, marks[joined], found.allowance)
                else:
                    found.blocks += _read(data, at, marks[joined], found.allowance, edited=True)
                k = joined
                at = marks[k].end()
            except toml.BadToml as error:
                whole = _whole_at_the_end(data, at, end, found.allowance)
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
    """Return True if data[start:end] is nothing but blank lines and comments, in UTF-8."""
    if data.startswith(b"\n[[", start, end):
        return False
    if start < end and not _pattern(_COMMENTS).fullmatch(data, start, end):
        return False
    with contextlib.suppress(UnicodeDecodeError):
        data[start:end].decode()
        return True
    return False


def _after_text(data: bytes, at: int, marks: Sequence[re.Match[bytes]], k: int) -> int:
    """Return the index of the first mark, from index `k` on, that is not inside a quoted text opened after `at`.

    Only _JOINED marks are tried; if all of them are inside a text, return `k`.
    """
    text = at
    for j in range(k, min(k + _JOINED, len(marks))):
        inside = _open_text(data, text, marks[j].start())
        if inside is None:
            return j
        text = inside
    return k


def _open_text(data: bytes, start: int, end: int) -> int | None:
    """Return the offset of a string in triple quotes that opens in data[start:end] and is still open at `end`.

    Return None if there is none. `start` must not be inside a string.
    """
    if data.find(b'"""', start, end) < 0 and data.find(b"'''", start, end) < 0:
        return None
    token = deque(_pattern(_TOKEN).finditer(data, start, end), maxlen=1)[0]
    if token.end() < end or token.lastindex:
        return None
    return token.start() if token[0].startswith((b'"""', b"'''")) else None


def _whole_at_the_end(data: bytes, at: int, end: re.Match[bytes], allowance: toml.Allowance) -> list[Block]:
    """Return a list with the intact block right before the end mark `end`; [] if there is no such block.

    Only the bytes between `at` and that block are damaged then.
    """
    headers = [header.start() for header in _pattern(_HEADER).finditer(data, at, end.start())]
    for header in reversed(headers[-_HEADERS:]):
        for start in (header - 1, header):
            if start > at and _fits(data, start, end):
                with contextlib.suppress(toml.BadToml):  # then all of it is bad
                    return _ours(data, start, end, allowance)
    return []


def _read(data: bytes, at: int, end: re.Match[bytes], allowance: toml.Allowance, *, edited: bool) -> list[Block]:
    """Parse the bytes from `at` to the end mark `end` as TOML; return a block for each entry, [] if there is none.

    The last block gets the number in the end mark. `edited` is stored in every block; True means changed by hand. Raise
    BadToml if the bytes are not valid TOML, or contain anything but valid entries.
    """
    blocks = list(read_entries(data[at : end.start()], at, allowance, perhaps_ours=edited))
    if blocks:
        blocks[-1].number, blocks[-1].end = int(end[1]), end.end()
    for block in blocks:
        block.edited = edited
    return blocks


def read_entries(
    body: bytes, at: int = 0, allowance: toml.Allowance | None = None, *, perhaps_ours: bool = True
) -> Iterator[Block]:
    """Yield a block, without a number, for each entry in `body`. End marks are skipped like other comments.

    `at` is the offset of `body` in the file. Raise BadToml, with a line number that counts from the start of `body`,
    for anything that is not a valid entry, for more than UNMARKED_MOST entries, and at the end of `allowance`, by
    default one for as many bytes as `body` has. Pass `perhaps_ours=False` if the bytes are known not to be a valid
    entry in the form of `toml.emit_entry`.
    """
    ours = toml.read_ours(body) if perhaps_ours and body.count(b"[[entry]]") == 1 else None
    if ours is not None and entry_problem(ours) is None:
        yield Block(at, at + len(body), body, ours, None, edited=True)
        return
    if _only_comments(body, 0, len(body)):
        return
    allowance = allowance or toml.Allowance(len(body))
    allowance.spend(0)
    starts = [header.start() for header in islice(outside_texts(_HEADER, body), UNMARKED_MOST + 1)]
    if not starts:
        toml.parse(body, allowance)
        raise toml.BadToml(_ONE_ENTRY, 1)
    if len(starts) > UNMARKED_MOST:
        raise toml.BadToml(
            f"more than {UNMARKED_MOST:,} entries without end marks", body.count(b"\n", 0, starts[-1]) + 1
        )
    starts[0] = 0
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        piece = body[start:end]
        try:
            entry = _one_entry(piece, allowance)
        except toml.BadToml as error:
            allowance.fail()
            raise toml.BadToml(error.why, body.count(b"\n", 0, start) + error.line) from None
        yield Block(at + start, at + end, piece, entry, None, edited=True)


def _one_entry(piece: bytes, allowance: toml.Allowance) -> Entry:
    """Parse these bytes as exactly one entry and return it.

    Raise BadToml, with a line number that counts from their start, if they are anything else, or if parsing them takes
    more than is left in `allowance`.
    """
    plain = b"\n" + toml.without_comments(piece).strip(b"\n") + b"\n"
    ours = toml.read_ours(plain) if plain != piece else None
    if ours is not None and entry_problem(ours) is None:
        return ours
    tables = toml.parse(piece, allowance)
    entries = tables.get("entry")
    if len(tables) != 1 or not isinstance(entries, list) or len(entries) != 1:
        raise toml.BadToml(_ONE_ENTRY, 1)
    entry: Entry = entries[0]
    if problem := entry_problem(entry):
        raise toml.BadToml(problem[1], _line_of(piece, problem[0]))
    return entry


def outside_texts(line: bytes, data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the matches of the pattern `line`, each at the start of a line, that are not inside of a quoted text.

    A quoted text may contain lines that look like lines of TOML.
    """
    texts = _long_texts(data)
    start = end = 0
    for found in re.finditer(line, data):
        while end <= found.start():
            start, end = next(texts, (len(data), len(data) + 1))
        if found.start() <= start:
            yield found


def _long_texts(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each string in triple quotes, the kind that may have several lines."""
    if b'"""' not in data and b"'''" not in data:
        return
    for token in re.finditer(_STRINGS, data):
        start, end = token.span()
        if data[start : start + 3] in {b'"""', b"'''"}:
            yield start, end


def _line_of(piece: bytes, key: str) -> int:
    found = re.search(rb"(?m)^[ \t]*\"?" + re.escape(key.encode()) + rb"\b", piece)
    header = re.search(_HEADER, piece)
    place = found or header
    return piece.count(b"\n", 0, place.start()) + 1 if place else 1
