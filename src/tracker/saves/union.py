"""Uniting two versions of one campaign: history from wherever it still is, and what one file lacks of the other."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple

from tracker.saves import compact, reader, toml
from tracker.saves.blocks import Block, Entry
from tracker.saves.errors import SaveError
from tracker.saves.head import Head, Snapshot
from tracker.saves.reader import Contents

Sources = Callable[[], Iterator[BinaryIO]]
"""Files that may hold the history, the best first; each is closed when the next one is asked for."""


class Whole(NamedTuple):
    """Contents together with what their snapshot stands for."""

    contents: Contents
    region: bytes
    """The bytes that `contents.head.base` stands for; empty if there is no snapshot."""
    lost: int = 0
    """How many entries behind the snapshot are in no file any more."""

    @property
    def blocks(self) -> list[Block]:
        """Every block, in the order of the fold."""
        if not self.region:
            return self.contents.blocks
        behind = reader.read_body("the save", self.contents.head, self.region, 0)
        return behind.blocks + self.contents.blocks

    def emit(self, state: Mapping[str, Any]) -> bytes:
        """Return the bytes of a save with all of this, and with `state` in its head."""
        base = self.contents.head.base
        without = base.without if base else frozenset[str]()
        plan = compact.plan(self.contents, state, 0, base.state if base else {}, without)
        return plan.top + self.region + plan.fresh


def complete(read: Contents, sources: Sources) -> Whole:
    """Return `read` with the history behind its snapshot, from the first source that has it byte for byte.

    If none has, the history is put together by entry id from all of them, and the result has no snapshot.
    """
    base = read.head.base
    if base is None:
        return Whole(read, b"")
    for file in sources():
        if (region := covered(file, base)) is not None:
            return Whole(read, region)
    after = {block.entry["id"] for block in read.blocks}
    found: dict[str, Block] = {}
    for file in sources():
        for block in _blocks_of(file, read.head):
            if key(block.entry) <= base.last and block.entry["id"] not in after:
                found.setdefault(block.entry["id"], block)
    behind = sorted(found.values(), key=lambda block: key(block.entry))
    whole = replace(read, head=read.head._replace(base=None), blocks=behind + read.blocks)
    return Whole(whole, b"", max(0, base.upto - len(behind)))


class Lack(NamedTuple):
    """What a version of the file does not have of ours."""

    newer: list[Block]
    """To be added again: the version is older than these entries, or never knew them."""
    deleted: list[Block]
    """Taken out by hand: the version has a gap in its numbers where they were."""
    changed: list[Block]
    """The version has another entry under the same id."""
    foreign: bool
    """Whether the version has entries that are not ours."""
    whole: Whole | None
    """All of ours, if all of it had to be read for the comparison."""

    @property
    def nothing(self) -> bool:
        return not (self.newer or self.deleted or self.changed)


def compare(ours: Contents, theirs: Contents, file: BinaryIO, sources: Sources) -> Lack:
    """Return what `theirs`, read from `file`, lacks of `ours`.

    Behind our snapshot the bytes are compared; only if they are not the same, both versions are read whole.
    """
    base, other, whole, mine = ours.head.base, theirs, None, ours.blocks
    same = base is not None and theirs.head.base is not None and base[:4] == theirs.head.base[:4]
    if not same and theirs.head.base is not None:
        file.seek(0)
        other = reader.read("a version", file, tail="keep", whole=True)
    newest = base.last if base else (-1, "")
    if base is not None and not same and covered(file, base) is None:
        whole = complete(ours, sources)
        mine, newest = whole.blocks, (-1, "")
    there = {block.entry["id"]: block.entry for block in other.blocks}
    newest = max([newest, *(key(block.entry) for block in mine if block.entry["id"] in there)])
    numbers = {block.number for block in other.blocks if block.number is not None}
    last = max(numbers, default=0)
    newer: list[Block] = []
    deleted: list[Block] = []
    for block in mine:
        if block.entry["id"] not in there:
            gap = block.number is None or (block.number not in numbers and block.number < last)
            (deleted if gap and key(block.entry) < newest else newer).append(block)
    changed = [block for block in mine if not toml.same(there.get(block.entry["id"], block.entry), block.entry)]
    known = {block.entry["id"] for block in mine}
    foreign = any(ident not in known and (not base or key(entry) > base.last) for ident, entry in there.items())
    return Lack(newer, deleted, changed, foreign, whole)


def covered(file: BinaryIO, base: Snapshot) -> bytes | None:
    """Return the bytes that `base` stands for, or None if this file does not have them right after its head."""
    try:
        file.seek(reader.find_body(file)[0])
        region = file.read(base.size)
    except OSError:
        return None
    return region if len(region) == base.size and zlib.crc32(region) == base.crc else None


def _blocks_of(file: BinaryIO, campaign: Head) -> list[Block]:
    """Return the intact blocks of a file; none if it is of another campaign or cannot be read."""
    try:
        file.seek(0)
        found = reader.read("a version", file, tail="keep", whole=True)
    except (OSError, SaveError):
        return []
    return found.blocks if same_campaign(found.head, campaign) else []


def same_campaign(one: Head, other: Head) -> bool:
    return (one.id, one.game) == (other.id, other.game)


def key(entry: Entry) -> tuple[int, str]:
    """Return the place of an entry in the order of the fold."""
    return entry["t"], entry["id"]
