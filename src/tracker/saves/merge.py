"""Compare two versions of one campaign, and collect its full history from all files that still have parts of it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from tracker.records import NamedTuple
from tracker.saves import compaction, reader, toml
from tracker.saves.blocks import Block
from tracker.saves.entries import key
from tracker.saves.errors import SaveError
from tracker.saves.head import Head, Snapshot
from tracker.saves.reader import Contents

Sources = Callable[[], Iterator[BinaryIO]]
"""Function that yields open files which may hold the history, best first; each is closed before the next."""


class Whole(NamedTuple):
    """The complete history of a save: its contents, and the entries before its snapshot. Made by `complete`."""

    contents: Contents
    region: bytes
    """The bytes of the blocks that the snapshot covers; empty if there is no snapshot."""
    lost: int = 0
    """The number of entries before the snapshot that no file has any more."""

    @property
    def blocks(self) -> list[Block]:
        """Every block, sorted by (t, id). Parses `region` at each access."""
        if not self.region:
            return self.contents.blocks
        behind = reader.read_body("the save", self.contents.head, self.region, 0)
        return behind.blocks + self.contents.blocks

    def emit(self, state: Mapping[str, Any]) -> bytes:
        """Return the bytes of a complete save file: a head with this state and the same snapshot, and all blocks.

        Raise DamagedSave if the head is invalid.
        """
        base = self.contents.head.base
        without = base.without if base else frozenset[str]()
        plan = compaction.plan(self.contents, state, 0, base.state if base else {}, without)
        return plan.top + self.region + plan.fresh


def complete(read: Contents, sources: Sources) -> Whole:
    """Return the contents `read` of a save together with the entries before their snapshot.

    These are taken from the first of the `sources` that has exactly the bytes that the snapshot covers. If none has,
    they are collected by id from all sources; the result then has no snapshot, and `lost` is the number of entries not
    found. Sources that cannot be read are skipped.
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
    whole = read.with_blocks(behind + read.blocks, read.head._replace(base=None))
    return Whole(whole, b"", max(0, base.upto - len(behind)))


class Lack(NamedTuple):
    """The difference between our entries and those of another version of the file; made by `compare`."""

    newer: list[Block]
    """Entries that the version is missing because it is older, or never had them; they should be added to it."""
    deleted: list[Block]
    """Entries that were deleted by hand: the version's block numbers have a gap in their place."""
    changed: list[Block]
    """Our entries that have the same id as a different entry in the version."""
    foreign: bool
    """True if the version has entries that we do not have."""
    whole: Whole | None
    """Our complete history if the comparison had to read it, else None."""

    @property
    def nothing(self) -> bool:
        """True if the version has all our entries, unchanged."""
        return not (self.newer or self.deleted or self.changed)


def compare(ours: Contents, theirs: Contents, file: BinaryIO, sources: Sources) -> Lack:
    """Return which entries of `ours` are missing or different in `theirs`, which was read from `file`.

    The part before our snapshot is compared as bytes. Only if those differ, both versions are read completely, which is
    slow; our older entries then come from `sources`. Raise DamagedSave or OSError if a version cannot be read.
    """
    base, other, whole, mine = ours.head.base, theirs, None, ours.blocks
    same = base is not None and theirs.head.base is not None and base[:4] == theirs.head.base[:4]
    if not same and theirs.head.base is not None:
        file.seek(0)
        other = reader.read("a version", file, tail="aside" if theirs.torn else "keep", whole=True)
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
    """Return the bytes of the blocks that the snapshot `base` covers; None if the file does not have them."""
    try:
        file.seek(reader.find_body(file)[0])
        region = file.read(base.size)
    except OSError:
        return None
    return region if len(region) == base.size and zlib.crc32(region) == base.crc else None


def _blocks_of(file: BinaryIO, campaign: Head) -> list[Block]:
    """Return the intact blocks of a file; [] if it cannot be read or belongs to another campaign.

    `campaign` is the head of our campaign.
    """
    try:
        file.seek(0)
        found = reader.read("a version", file, tail="keep", whole=True)
    except (OSError, SaveError):
        return []
    return found.blocks if found.head.same_campaign(campaign) else []
