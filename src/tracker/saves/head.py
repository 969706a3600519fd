"""The head of a save: identity, the state for people to read and edit, and the snapshot to start from."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tracker.records import NamedTuple
from tracker.saves import blocks, toml
from tracker.saves.errors import DamagedSave
from tracker.text import shown_line

FORMAT = 1
_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_FIRST_ENTRY = rb"(?m)^[ \t]*\[\[[ \t]*entry[ \t]*\]\]"
_END = re.compile(rb"(?m)^#= 0 ([0-9a-f]{8})([^\n]*)(?:\n|\Z)")
_OURS = {"format", "rules", "id", "game", "entries", "state", "base"}


class Snapshot(NamedTuple):
    """The part of a head that lets a save be opened without reading its first entries: the state after them.

    It covers the first `upto` blocks, which are `size` bytes with the CRC32 `crc`. `last` is (t, id) of the last of
    them. `without` holds the ids of covered entries that a later entry undoes; their effects are not in `state`.
    """

    upto: int
    last: tuple[int, str]
    size: int
    crc: int
    without: frozenset[str]
    state: Mapping[str, Any]


class Head(NamedTuple):
    """The parsed head of a save: campaign id, game, version of the rules, and the state.

    `state` is the state after the first `entries` blocks of the file. `base` is the snapshot, or None. `extra`
    holds unknown top-level keys, which are written back unchanged.
    """

    id: str
    game: str
    rules: int
    state: Mapping[str, Any] = MappingProxyType({})
    entries: int = 0
    base: Snapshot | None = None
    extra: Mapping[str, Any] = MappingProxyType({})

    def same_campaign(self, other: Head) -> bool:
        """Return True if this is the head of the same campaign as `other`, perhaps of another version of it."""
        return (self.id, self.game) == (other.id, other.game)


def folder_name(ident: str) -> str:
    """Return a name for files and folders of the campaign with this id: the id itself if it is a plain word.

    Any other id comes from a file or a friend, and could be a path to another folder. Return a hash of it instead.
    """
    return ident if _PLAIN_ID.fullmatch(ident) else f"{zlib.crc32(ident.encode('utf-8', 'surrogatepass')):08x}"


def emit(head: Head) -> bytes:
    """Return the head as the TOML bytes that a save begins with, followed by its end mark."""
    import tomli_w

    tables: dict[str, Any] = {
        "format": FORMAT,
        "rules": head.rules,
        "id": head.id,
        "game": head.game,
        "entries": head.entries,
        **head.extra,
        "state": head.state,
    }
    if head.base:
        base = head.base
        tables["base"] = {
            "upto": base.upto,
            "last": list(base.last),
            "size": base.size,
            "crc": f"{base.crc:08x}",
            "without": sorted(base.without),
            "state": base.state,
        }
    body = tomli_w.dumps(tables).encode()
    return body + blocks.mark(0, body)


def find_end(data: bytes) -> tuple[int, int, bool] | None:
    """Return (end of the head's body, end of its end mark, True if the mark is valid); `data` begins with the head.

    The mark is valid if its CRC is that of the body. Without an end mark, both offsets are where the first entry
    begins. Return None if there is neither a mark nor an entry; the caller must then read more bytes.
    """
    crc, counted = 0, 0
    for end in _END.finditer(data):
        crc, counted = zlib.crc32(data[counted : end.start()], crc), end.start()
        if crc == int(end[1], 16):
            return end.start(), end.end(), not end[2].strip(b" \t\r")
    first = next(blocks.outside_texts(_FIRST_ENTRY, data), None)
    end_mark = next(blocks.outside_texts(_END.pattern, data), None)
    if end_mark and (not first or end_mark.start() < first.start()):
        return end_mark.start(), end_mark.end(), False
    if first:
        return first.start(), first.start(), False
    return None


def read(name: str, body: bytes, *, trusted: bool) -> Head:
    """Return the head in the bytes `body`, which are without its end mark.

    `trusted` must be True only if the end mark was valid; otherwise the snapshot is ignored. Raise DamagedSave, with
    `name` and the line, if the bytes are no valid head or one of a newer version.
    """
    if body.startswith(b"\xef\xbb\xbf"):
        raise DamagedSave(f"{name}, line 1: it begins with a byte order mark; save it as plain UTF-8.")
    try:
        tables = toml.read_our_head(body.replace(b"\r\n", b"\n")) or toml.parse(body)
    except toml.BadToml as error:
        raise DamagedSave(f"{name}, line {error.line}: {error.why}.") from None

    def fail(key: str, why: str) -> DamagedSave:
        return DamagedSave(f"{name}, line {toml.line_of(body.decode(), [key])}: {why}.")

    if "format" not in tables:
        raise DamagedSave(f"{name} is not a campaign: it has no format number.")
    if (made := tables["format"]) != FORMAT or type(made) is not int:
        newer = isinstance(made, int) and made > FORMAT
        said = shown_line(repr(made))
        raise fail(
            "format", f"format is {said}, " + ("made by a newer tracker" if newer else "unknown to this tracker")
        )
    for key in ("id", "game"):
        if not isinstance(tables.get(key), str):
            raise fail(key, f"{key} should be text in quotes")
    for key in ("rules", "entries"):
        value = tables.get(key, 1 if key == "rules" else 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise fail(key, f"{key} should be a whole number, 0 or more")
    if not isinstance(state := tables.get("state", {}), dict):
        raise fail("state", "state should be a table")
    return Head(
        id=tables["id"],
        game=tables["game"],
        rules=tables.get("rules", 1),
        state=state,
        entries=tables.get("entries", 0),
        base=_base(tables.get("base")) if trusted else None,
        extra={key: value for key, value in tables.items() if key not in _OURS},
    )


def _base(table: object) -> Snapshot | None:
    """Return the snapshot in the parsed table `base` of a head, or None if that is missing or invalid.

    Without a snapshot, the whole file has to be read.
    """
    match table:
        case {
            "upto": int(upto),
            "last": [int(t), str(ident)],
            "size": int(size),
            "crc": str(crc),
            "without": list(without),
            "state": dict(state),
        } if type(upto) is int and upto > 0 and size > 0 and re.fullmatch("[0-9a-f]{8}", crc):
            return Snapshot(upto, (t, ident), size, int(crc, 16), frozenset(map(str, without)), state)
        case _:
            return None
