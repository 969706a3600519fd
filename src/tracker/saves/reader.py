"""Read a save, from its snapshot on or whole, and note what a player should know about the file."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from itertools import pairwise
from typing import BinaryIO, Literal

from tracker.saves import blocks, head, toml
from tracker.saves.blocks import Block, DamagedRange, Entry, Scan
from tracker.saves.entries import key
from tracker.saves.errors import LongHead, UnmarkedTail
from tracker.saves.head import Head, Snapshot
from tracker.text import shown_line

_CHUNK = 1 << 20
FIRST_READ = 1 << 16
"""Bytes read first; nearly every head is shorter."""
_HEADER_LINE = rb"(?m)^[ \t]*\[\[[ \t]*entry[ \t]*\]\][^\n]*\n"

_NOTED = 5
"""Most notes of one kind; further ones are only counted."""
_FAR = 10**11
"""Block numbers this high are taken for typing errors: the next block does not count on from them."""

Tail = Literal["ask", "keep", "aside"]
"""What to do with a last entry of ours without an end mark: raise UnmarkedTail, take it, or leave it out."""


class Contents:
    """Everything that `read` has found in a save file: head, entries, damage and notes.

    `blocks` are those after the snapshot, or all of them if `head.base` is None. `head_edited` is True if the head was
    changed by hand. `bad` holds the damaged ranges, and `notes` has sentences for the player. The places of blocks,
    `head_end` and `end` are byte offsets in the file.
    """

    def __init__(
        self,
        head: Head,
        blocks: list[Block],
        *,
        head_edited: bool,
        head_end: int,
        end: int,
        last_number: int,
        rest: bytes = b"",
        unmarked: bytes = b"",
        torn: bytes = b"",
        ends_line: bool = True,
        bad: list[DamagedRange] | None = None,
        notes: list[str] | None = None,
    ) -> None:
        self.head = head
        self.blocks = blocks
        self.head_edited = head_edited
        self.head_end = head_end
        self.end = end
        """Where the next entry is written."""
        self.last_number = last_number
        """The highest number of an end mark; the next block gets one more."""
        self.rest = rest
        """Comments written by hand after the last end mark; they become part of the next block."""
        self.unmarked = unmarked
        """The bytes of entries after the last end mark, which `blocks` has; before the next entry they get a mark."""
        self.torn = torn
        """A truncated or left-out tail, from `end` on."""
        self.ends_line = ends_line
        """False if the last line before `end` lacks its line end."""
        self.bad = [] if bad is None else bad
        self.notes = [] if notes is None else notes

    def with_blocks(self, blocks: list[Block], head: Head | None = None) -> Contents:
        """Return a copy of these contents that has the blocks in `blocks`, and the head `head` if one is given."""
        copy = Contents.__new__(Contents)
        copy.__dict__.update(self.__dict__)
        copy.blocks, copy.head = blocks, head or self.head
        return copy

    @property
    def damage(self) -> str:
        """The first damaged range in `bad` as a clause for the player. `bad` must not be empty."""
        first = self.bad[0]
        return f"line {first.line} is damaged ({first.why}); tracker recover saves every intact entry"

    @property
    def reaches_back(self) -> bool:
        """True if an entry after the snapshot sorts before the last one that the snapshot covers."""
        base = self.head.base
        return base is not None and bool(self.blocks) and key(self.blocks[0].entry) <= base.last

    @property
    def body_start(self) -> int:
        """The offset where the blocks after the snapshot begin."""
        return self.head_end + (self.head.base.size if self.head.base else 0)

    def marked(self, number: int, end: int) -> None:
        """Record that the last entries have got an end mark with this number, which ends at the offset `end`."""
        self.end, self.last_number = end, number
        self.unmarked, self.ends_line = b"", True

    def appended(self, written: list[Block]) -> None:
        """Add blocks, at least one, that were just written to the end of the file, and update `end`.

        `blocks` stays sorted.
        """
        keys = [key(block.entry) for block in (*self.blocks[-1:], *written)]
        self.blocks += written
        if any(after < before for before, after in pairwise(keys)):
            self.blocks.sort(key=lambda block: key(block.entry))
        self.end = written[-1].end
        self.last_number = written[-1].number or self.last_number
        self.rest, self.ends_line = b"", True


def read(
    name: str, file: BinaryIO, *, tail: Tail, step: Callable[[float], None] | None = None, whole: bool = False
) -> Contents:
    """Return the contents of a save. `file` must be at its start; `name` is for messages.

    Only the entries after the snapshot are read, unless `whole` is set or the snapshot does not match the file; then
    `step` is called with the fraction done, 0 to 1. `tail` says what to do with a last entry that has no end mark:
    "ask" raises UnmarkedTail, "keep" takes it, "aside" puts its bytes into `torn`. Raise DamagedSave if the head cannot
    be parsed, and OSError if the file cannot be read; other damage is in the result's `bad`.
    """
    body, head_end, trusted = _head_bytes(file)
    top = head.read(name, body, trusted=trusted)
    if top.base and not whole and _covers(file, head_end, top.base):
        offset = head_end + top.base.size
        file.seek(offset)
        data = file.read()
        contents = _contents(name, top, head_end, data, blocks.scan(data), offset, tail, edited=False)
        if not contents.blocks or key(contents.blocks[0].entry) > top.base.last:
            if contents.bad:
                _give_lines(contents, lines_before(file, offset))
            return contents
    if step:
        step(0)
    file.seek(0)
    data = file.read()
    size = max(1, len(data))
    scan = blocks.scan(data, head_end, (lambda at: step(at / size)) if step else None)
    return _contents(name, top._replace(base=None), head_end, data, scan, 0, tail, edited=not trusted)


def read_body(name: str, top: Head, data: bytes, head_end: int) -> Contents:
    """Return the contents of a save from its bytes `data`, whose head ends at `head_end`; use `top` as the head.

    The snapshot in the head is ignored, and a last entry without an end mark is kept. Damaged ranges are in the
    result's `bad`. `name` is the file's name for messages.
    """
    scan = blocks.scan(data, head_end)
    return _contents(name, top._replace(base=None), head_end, data, scan, 0, "keep", edited=False)


def read_after(name: str, top: Head, file: BinaryIO, head_end: int, end: int, base: Snapshot) -> Contents:
    """Return the contents of a save up to the offset `end`, with `base` as the snapshot instead of that in the head.

    `base` must cover the first blocks of the file. `top` is the head, which ends at the offset `head_end`; `name` is
    the file's name for messages. A last entry without an end mark is kept. Raise OSError if the file cannot be read.
    """
    offset = head_end + base.size
    file.seek(offset)
    data = file.read(end - offset)
    return _contents(name, top._replace(base=base), head_end, data, blocks.scan(data), offset, "keep", edited=False)


def find_body(file: BinaryIO) -> tuple[int, bool]:
    """Return (offset where the head ends, True if its end mark is valid).

    An invalid or missing end mark means that the head was edited by hand. If no end of the head is found, return
    the number of bytes read and False. Raise OSError if the file cannot be read.
    """
    file.seek(0)
    return _head_bytes(file)[1:]


def _head_bytes(file: BinaryIO, most: int | None = None) -> tuple[bytes, int, bool]:
    """Return (head's bytes without its end mark, offset after the mark, True if the mark is valid).

    `file` must be at its start. If no end of the head is found, return all bytes read, their number, and False. Raise
    LongHead if `most` is given and the head does not end within about that many bytes, and OSError if the file cannot
    be read.
    """
    first = file.read(FIRST_READ)
    # No TOML has a zero byte: what follows one need not be read to know that this head is damaged.
    while (end := head.find_end(first)) is None and b"\0" not in first:
        if most is not None and len(first) >= most:
            raise LongHead(f"no end of its head in the first {most >> 10} KB: damaged, or not a campaign")
        if not (more := file.read(3 * len(first))):
            break
        first += more
    body_end, head_end, trusted = end or (len(first), len(first), False)
    return first[:body_end], head_end, trusted


def _contents(
    name: str, top: Head, head_end: int, data: bytes, scan: Scan, offset: int, tail: Tail, *, edited: bool
) -> Contents:
    notes = ["The top of the file was edited by hand."] if edited else []
    upto, last = (top.base.upto, top.base.last) if top.base else (0, (0, "hand.0"))
    rest_blocks, rest, torn = _after_the_last_mark(name, scan, tail, notes)
    found = scan.blocks + rest_blocks
    for block in found:
        block.start += offset
        block.end += offset
    _give_ids(found, last)
    notes += _noticed(scan.blocks, upto)
    found, doubles = _without_doubles(found, data, offset, notes)
    found.sort(key=lambda block: key(block.entry))
    end = offset + scan.rest_start + len(scan.rest) - len(torn)
    kept = scan.rest[: len(scan.rest) - len(torn)]
    return Contents(
        head=top,
        head_edited=edited,
        head_end=head_end,
        blocks=found,
        end=end,
        last_number=max([upto, *(n for block in scan.blocks if (n := block.number or 0) < _FAR)]),
        rest=rest,
        unmarked=scan.rest if rest_blocks else b"",
        torn=torn,
        ends_line=kept.endswith(b"\n") if kept else scan.ends_line,
        bad=scan.bad + doubles,
        notes=notes,
    )


def _after_the_last_mark(name: str, scan: Scan, tail: Tail, notes: list[str]) -> tuple[list[Block], bytes, bytes]:
    """Judge the bytes after the last end mark: return (entries to take, comments to keep, tail to leave out).

    At most one of the three is not empty. If there are entries or damage, a sentence about that is added to `notes`.
    `tail` says what to do with entries that this program wrote: "ask" raises UnmarkedTail, "keep" takes them, "aside"
    leaves them out. Entries written by hand are taken.
    """
    rest = scan.rest
    try:
        entries = list(blocks.read_entries(rest, scan.rest_start, scan.allowance))
    except toml.BadToml as error:
        if not rest.strip():
            return [], b"", b""
        notes.append(f"The end of the save is damaged ({error.why}).")
        return [], b"", rest
    if not entries:
        return [], rest, b""
    last_line = rest.rstrip(b"\n").rsplit(b"\n", 1)[-1]
    a_person = not any("id" in block.entry for block in entries)
    if a_person:
        notes.append(f"{_many(len(entries), 'entry', 'entries')} added by hand at the end: kept.")
    elif last_line.startswith(b"#="):
        notes.append("The last entry is intact, but its end mark is damaged: kept.")
    elif tail == "ask":
        raise UnmarkedTail(
            f"{name} ends in an entry without its end mark: an unfinished write, or added by hand.",
            says(entries[-1].entry),
            rest,
        )
    elif tail == "aside":
        notes.append("The last entry has no end mark: left out.")
        return [], b"", rest
    else:
        notes.append("The last entry has no end mark; it was kept.")
    return entries, b"", b""


def _give_ids(found: list[Block], last: tuple[int, str]) -> None:
    """Give an id and a time to each entry in the blocks `found` that lacks one, so that it sorts after the one before.

    `last` is (t, id) of the entry before the first one. The new lines are added to the bodies of these blocks, and
    `edited` is set.
    """
    taken = {block.entry.get("id") for block in found}
    given_after: dict[str, int] = {}
    time, anchor = last
    for block in found:
        entry = block.entry
        given: Entry = {}
        if "id" not in entry:
            number = given_after.get(anchor, 0) + 1
            while (ident := f"{anchor}.{in_order(number)}") in taken:
                number += 1
            given_after[anchor] = number
            given["id"] = ident
        else:
            anchor = entry["id"]
        if "t" not in entry:
            given["t"] = time
        if given:
            entry |= given
            body = block.body
            header = re.search(_HEADER_LINE, body)
            at = header.end() if header else len(body)
            lines = "".join(f"{name} = {toml.emit_value(value)}\n" for name, value in given.items())
            block.body = body[:at] + lines.encode() + body[at:]
            block.edited = True
        time = entry["t"]


def in_order(number: int) -> str:
    """Return a word for a number below 10**18, such as h0012 or i00010000. The words sort as text like the numbers."""
    return f"h{number:04d}" if number < 10**4 else f"i{number:08d}" if number < 10**8 else f"j{number:018d}"


def _without_doubles(
    found: list[Block], data: bytes, offset: int, notes: list[str]
) -> tuple[list[Block], list[DamagedRange]]:
    kept: dict[str, Block] = {}
    twice: list[str] = []
    bad: list[DamagedRange] = []
    line, counted = 1, 0
    for block in found:
        ident = block.entry["id"]
        twin = kept.setdefault(ident, block)
        if twin is block:
            continue
        if toml.same(twin.entry, block.entry):
            twice.append(f"Entry {ident} appears twice; used once.")
        else:
            header = data.index(b"[[", block.start - offset)
            line, counted = line + data.count(b"\n", counted, header), header
            bad.append(DamagedRange(block.start, block.end, line, f"a second, different entry {ident}"))
    notes += _few(twice, len(twice), "entries appear twice")
    return list(kept.values()), bad


def _noticed(found: list[Block], upto: int) -> list[str]:
    """Return a note for each missing block number, block out of place, and block changed by hand; [] if there are none.

    `upto` is the number of the last block before `found`, or 0.
    """
    moved: list[str] = []
    expected = upto + 1
    for block in found:
        if block.number is None:
            continue
        if block.number > expected:
            gone = block.number - expected
            first = f"Block {expected}" if gone == 1 else f"Blocks {expected} to {block.number - 1}"
            moved.append(f"{first} missing: deleted by hand.")
        elif block.number < expected:
            moved.append(f"Block {block.number} comes after block {expected - 1}: moved or merged in.")
        expected = max(expected, block.number + 1)
    edited = [block for block in found if block.edited]
    changed = [
        f"{f'Block {block.number}' if block.number is not None else 'An entry'} was changed or added by hand"
        f" and now says “{said}”{'' if said.endswith('.') else '.'}"
        for block in edited[:_NOTED]
        for said in (says(block.entry),)
    ]
    return [
        *_few(moved, len(moved), "blocks are missing or out of place"),
        *_few(changed, len(edited), "blocks were changed or added by hand"),
    ]


def _few(notes: list[str], count: int, what: str) -> list[str]:
    """Return the first notes, at most _NOTED. If `count` is higher, add a note such as "3 more", followed by `what`."""
    return notes[:_NOTED] + ([f"{count - _NOTED} more {what}."] if count > _NOTED else [])


def says(entry: Entry) -> str:
    """Return an entry as one line for a note or an error: who, did, text and up to four effects."""
    words = [entry.get("who", ""), entry.get("did", ""), entry.get("text", "")]
    words += [
        f"{effect['at']} {form} {effect[form]}"
        for effect in entry.get("effects", [])[:4]
        for form in ("by", "to", "add", "drop")
        if form in effect
    ]
    return shown_line(", ".join(str(word) for word in words if word), 160)


def older(file: BinaryIO, contents: Contents, before: int | None, count: int) -> tuple[list[Entry], int]:
    """Return (entries, offset): up to `count` entries that end at or before the offset `before`, oldest first.

    `contents` is what was read from `file`. The returned offset is where the entries begin; 0 means that there are no
    older ones. Offsets count from the end of the head, so they stay valid when a compaction changes the head's length.
    Pass None for `before` to begin at the last entry that the snapshot covers. Raise OSError if the file cannot be
    read.
    """
    low = contents.head_end
    high = contents.body_start if before is None else low + before
    size = FIRST_READ
    while True:
        start = max(low, high - size)
        file.seek(start)
        data = file.read(high - start)
        at = 0 if start == low else data.find(b"\n#= ") + 1
        found = blocks.scan(data, data.find(b"\n", at) + 1 if at else 0).blocks
        if len(found) >= count or start == low:
            taken = found[-count:]
            begin = start + taken[0].start if taken else low
            return [block.entry for block in taken], max(0, begin - low)
        size *= 4


def _covers(file: BinaryIO, start: int, base: Snapshot) -> bool:
    """Return True if the blocks that the snapshot `base` covers begin at the offset `start`, unchanged.

    Raise OSError if the file cannot be read.
    """
    file.seek(start)
    crc, left = 0, base.size
    while left:
        chunk = file.read(min(_CHUNK, left))
        if not chunk:
            return False
        crc = zlib.crc32(chunk, crc)
        left -= len(chunk)
    last_mark = b"\n#= %d " % base.upto
    file.seek(start + base.size - len(last_mark) - len("01234567\n"))
    return crc == base.crc and file.read(len(last_mark)) == last_mark


def lines_before(file: BinaryIO, offset: int) -> int:
    """Return the number of line ends before the byte at `offset` in the file. Raise OSError if it cannot be read."""
    file.seek(0)
    lines = 0
    while offset > 0 and (chunk := file.read(min(_CHUNK, offset))):
        lines += chunk.count(b"\n")
        offset -= len(chunk)
    return lines


def _give_lines(contents: Contents, before: int) -> None:
    for bad in contents.bad:
        bad.line += before


def _many(n: int, one: str, several: str) -> str:
    return f"1 {one} was" if n == 1 else f"{n} {several} were"


def read_head(name: str, file: BinaryIO) -> tuple[Head, bool]:
    """Return (head, True if its end mark is valid). Raise DamagedSave if the head cannot be parsed.

    `file` must be at its start; `name` is for the message. Raise OSError if the file cannot be read.
    """
    body, _, trusted = _head_bytes(file)
    return head.read(name, body, trusted=trusted), trusted


def look_at_head(name: str, file: BinaryIO, most: int) -> tuple[Head, int]:
    """Return (head, bytes that the head and the entries covered by its snapshot take in the file).

    `file` must be at its start; `name` is for messages. At most about `most` bytes are read. Raise LongHead if the head
    does not end there, DamagedSave if it cannot be parsed, and OSError if the file cannot be read.
    """
    body, head_end, trusted = _head_bytes(file, most)
    top = head.read(name, body, trusted=trusted)
    return top, head_end + (top.base.size if top.base else 0)
