"""Reading a save: fast from its base, or whole; and saying what was noticed on the way."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Literal

from tracker.saves import blocks, head, toml
from tracker.saves.blocks import Bad, Block, Entry, Scan
from tracker.saves.errors import Damaged, Unmarked
from tracker.saves.head import Head
from tracker.text import shown_line

_CHUNK = 1 << 20
_FIRST_READ = 1 << 16
_HEADER_LINE = re.compile(rb"(?m)^[ \t]*\[\[[ \t]*entry[ \t]*\]\][^\n]*\n")

Tail = Literal["ask", "keep", "aside"]


@dataclass
class Contents:
    """What a save holds. `blocks` are those after the base, or all of them where there is no base."""

    head: Head
    head_edited: bool
    head_end: int
    blocks: list[Block]
    end: int
    """Where the next entry goes."""
    last_number: int
    """The number of the last end mark."""
    rest: bytes = b""
    """A person's comments after the last end mark: they belong to the next block."""
    unmarked: bytes = b""
    """Entries after the last end mark; they are in `blocks`, and the next end mark covers them too."""
    torn: bytes = b""
    ends_line: bool = True
    bad: list[Bad] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def damage(self) -> str:
        first = self.bad[0]
        return f"line {first.line} is damaged ({first.why}); tracker recover saves every whole entry"

    @property
    def body_start(self) -> int:
        """Where the blocks after the base begin."""
        return self.head_end + (self.head.base.size if self.head.base else 0)

    def appended(self, written: list[Block]) -> None:
        self.blocks += written
        self.end = written[-1].end
        self.last_number = written[-1].number or self.last_number
        self.rest, self.unmarked, self.ends_line = b"", b"", True


def read(
    name: str, file: BinaryIO, *, tail: Tail, step: Callable[[float], None] | None = None, whole: bool = False
) -> Contents:
    """The contents of this file; Damaged where its head cannot be read."""
    first = file.read(_FIRST_READ)
    while (end := head.find_end(first)) is None and (more := file.read(_CHUNK)):
        first += more
    body_end, head_end, trusted = end or (len(first), len(first), False)
    top = head.read(name, first[:body_end], trusted=trusted)
    if top.base and not whole and _crc(file, head_end, top.base.size) == top.base.crc:
        file.seek(head_end + top.base.size)
        scan = blocks.scan(file.read())
        offset = head_end + top.base.size
        contents = _contents(name, top, head_end, scan, offset, tail, edited=False)
        if not contents.blocks or _key(contents.blocks[0].entry) > top.base.last:
            if contents.notes or contents.bad or contents.torn:
                _give_lines(contents, _lines_before(file, offset))
            return contents
    file.seek(0)
    data = file.read()
    size = max(1, len(data))
    scan = blocks.scan(data, head_end, (lambda at: step(at / size)) if step else None)
    return _contents(name, replace(top, base=None), head_end, scan, 0, tail, edited=not trusted)


def _contents(name: str, top: Head, head_end: int, scan: Scan, offset: int, tail: Tail, *, edited: bool) -> Contents:
    notes: list[str] = []
    upto, last = (top.base.upto, top.base.last) if top.base else (0, (0, "hand.0"))
    for block in scan.blocks:
        block.start += offset
        block.end += offset
    rest_blocks, rest, torn = _after_the_last_mark(name, scan, tail, notes)
    found = scan.blocks + rest_blocks
    _give_ids(found, last)
    notes += _noticed(scan.blocks, upto)
    found, doubles = _without_doubles(found, notes)
    found.sort(key=lambda block: _key(block.entry))
    end = offset + scan.rest_start + len(scan.rest) - len(torn)
    before = scan.rest[: len(scan.rest) - len(torn)] or b"\n"
    return Contents(
        head=top,
        head_edited=edited,
        head_end=head_end,
        blocks=found,
        end=end,
        last_number=max([upto, *(block.number or 0 for block in scan.blocks)]),
        rest=rest,
        unmarked=scan.rest if rest_blocks else b"",
        torn=torn,
        ends_line=before.endswith(b"\n"),
        bad=scan.bad + doubles,
        notes=notes,
    )


def _after_the_last_mark(name: str, scan: Scan, tail: Tail, notes: list[str]) -> tuple[list[Block], bytes, bytes]:
    """Whose are the bytes after the last end mark? Entries to take, comments to keep, a torn write to set aside."""
    rest = scan.rest
    try:
        entries = list(blocks.read_entries(rest, scan.rest_start))
    except toml.BadToml as error:
        if not rest.strip():
            return [], b"", b""
        notes.append(f"The end of the save is not whole ({error.why}).")
        return [], b"", rest
    if not entries:
        return [], rest, b""
    last_line = rest.rstrip(b"\n").rsplit(b"\n", 1)[-1]
    a_person = not any("id" in block.entry for block in entries)
    if a_person:
        notes.append(f"{_many(len(entries), 'entry', 'entries')} added by hand at the end: taken.")
    elif last_line.startswith(b"#="):
        notes.append("The last entry was whole but its end mark was not: kept.")
    elif tail == "ask":
        raise Unmarked(
            f"{name} ends in an entry without its end mark: an unfinished write, or added by hand.",
            says(entries[-1].entry),
        )
    elif tail == "aside":
        return [], b"", rest
    else:
        notes.append("The last entry has no end mark: kept, as asked.")
    return entries, b"", b""


def _give_ids(found: list[Block], last: tuple[int, str]) -> None:
    """Entries written by hand without id and time come right after the one they stand behind."""
    for block in found:
        entry = block.entry
        if "id" not in entry or "t" not in entry:
            lines = b""
            for key, value in (("id", f"{last[1]}.h"), ("t", last[0])):
                if key not in entry:
                    entry[key] = value
                    lines += f"{key} = {toml.emit_value(value)}\n".encode()
            header = _HEADER_LINE.search(block.body)
            at = header.end() if header else len(block.body)
            block.body = block.body[:at] + lines + block.body[at:]
            block.edited = True
        last = _key(entry)


def _without_doubles(found: list[Block], notes: list[str]) -> tuple[list[Block], list[Bad]]:
    kept: dict[str, Block] = {}
    bad: list[Bad] = []
    for block in found:
        twin = kept.setdefault(block.entry["id"], block)
        if twin is block:
            continue
        if twin.entry == block.entry:
            notes.append(f"Entry {block.entry['id']} stands twice: taken once.")
        else:
            bad.append(Bad(block.start, block.end, 0, f"a second, different entry {block.entry['id']}"))
    return list(kept.values()), bad


def _noticed(found: list[Block], upto: int) -> list[str]:
    """Gaps in the numbers, blocks out of place and blocks changed by hand."""
    notes: list[str] = []
    expected = upto + 1
    for block in found:
        if block.number is None:
            continue
        if block.number > expected:
            gone = block.number - expected
            first = f"Block {expected}" if gone == 1 else f"Blocks {expected} to {block.number - 1}"
            notes.append(f"{first} missing: deleted by hand.")
        elif block.number < expected:
            notes.append(f"Block {block.number} stands after block {expected - 1}: moved, or merged in.")
        expected = max(expected, block.number + 1)
    edited = [block for block in found if block.edited]
    for block in edited[:5]:
        which = f"Block {block.number}" if block.number is not None else "An entry"
        notes.append(f"{which} was changed or added by hand and now says: {says(block.entry)}.")
    if len(edited) > 5:
        notes.append(f"{len(edited) - 5} more blocks were changed or added by hand.")
    return notes


def says(entry: Entry) -> str:
    """An entry in a few words, for a note or an error."""
    words = [entry.get("who", ""), entry.get("did", ""), entry.get("text", "")]
    words += [
        f"{effect['at']} {form} {effect[form]}"
        for effect in entry.get("effects", [])[:4]
        for form in ("by", "to", "add", "drop")
        if form in effect
    ]
    return shown_line(", ".join(str(word) for word in words if word), 160)


def older(file: BinaryIO, contents: Contents, before: int | None, count: int) -> tuple[list[Entry], int]:
    """See Save.older."""
    low, high = contents.head_end, contents.body_start if before is None else before
    size = _FIRST_READ
    while True:
        start = max(low, high - size)
        file.seek(start)
        data = file.read(high - start)
        at = 0 if start == low else data.find(b"\n#= ") + 1
        found = blocks.scan(data, data.find(b"\n", at) + 1 if at else 0).blocks
        if len(found) >= count or start == low:
            taken = found[-count:]
            begin = start + taken[0].start if taken else low
            return [block.entry for block in taken], 0 if begin <= low else begin
        size *= 4


def _key(entry: Entry) -> tuple[int, str]:
    return entry["t"], entry["id"]


def _crc(file: BinaryIO, start: int, size: int) -> int | None:
    file.seek(start)
    crc = 0
    while size:
        chunk = file.read(min(_CHUNK, size))
        if not chunk:
            return None
        crc = zlib.crc32(chunk, crc)
        size -= len(chunk)
    return crc


def _lines_before(file: BinaryIO, offset: int) -> int:
    file.seek(0)
    return file.read(offset).count(b"\n")


def _give_lines(contents: Contents, before: int) -> None:
    for bad in contents.bad:
        bad.line += before


def _many(n: int, one: str, several: str) -> str:
    return f"1 {one} was" if n == 1 else f"{n} {several} were"


def read_head(name: str, file: BinaryIO) -> tuple[Head, bool]:
    """Only the head, for a list of campaigns, and whether it is as we wrote it."""
    first = file.read(_FIRST_READ)
    while (end := head.find_end(first)) is None and (more := file.read(_CHUNK)):
        first += more
    if end is None:
        end = (len(first), len(first), False)
    if not first.strip():
        raise Damaged(f"{name} is empty.")
    return head.read(name, first[: end[0]], trusted=end[2]), end[2]
