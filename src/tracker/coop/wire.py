"""The messages between two trackers: a JSON object in each frame, with entries as the TOML text that a save holds.

Everything here may come from a stranger. `read` returns a message of a known kind whose fields have the right types, or
raises Garbage; `entry_of` returns an entry that a save could hold, or raises Garbage.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tracker.saves import toml
from tracker.saves.blocks import Entry
from tracker.saves.entries import entry_problem
from tracker.saves.errors import SaveError
from tracker.saves.save import emit_checked

WIRE = 1
"""Version of the messages. Two trackers with different versions do not play together."""
FRAME = 2_500_000
"""Most bytes in a frame. An entry with the longest text fits into one."""
PORTION = 100_000
"""Characters of entries after which another frame begins."""
LONGEST_ENTRY = 2_400_000
"""Most characters of one entry."""
_ID = re.compile(r'^id = "([a-z0-9_.]+)"$', re.MULTILINE)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Escape that stands for half of a character; a whole one takes two of them."""
_SHORT = 200
"""Most characters of a field that is not a list or an entry."""

Message = dict[str, Any]
_FIELDS: dict[str, dict[str, type]] = {
    "hello": {"wire": int, "nonce": str, "app": str},
    "join": {
        "wire": int,
        "nonce": str,
        "proof": str,
        "name": str,
        "campaign": str,
        "role": str,
        "key": str,
        "signature": str,
    },
    "asked": {"who": str},
    "welcome": {"proof": str, "seat": str, "role": str, "campaign": dict},
    "have": {"upto": dict, "more": list},
    "entries": {"e": list, "many": bool},
    "even": {"count": int, "sum": str},
    "sums": {"of": dict},
    "instead": {"e": list},
    "saved": {"ids": list},
    "pending": {"id": str, "why": str},
    "refused": {"id": str, "why": str},
    "here": {"who": list},
    "trouble": {"why": str},
}
"""Kinds of messages, with the fields that each must have and their types."""


class Garbage(Exception):
    """Raised for a frame that no tracker sends."""


def write(kind: str, **fields: Any) -> str:
    """Return the frame, as text, of a message of this kind with these fields. Their types are not checked."""
    return json.dumps({"k": kind, **fields}, ensure_ascii=False, separators=(",", ":"))


def read(frame: str) -> Message:
    """Return the message in a frame: a dictionary with `k`, its kind, and at least the fields of that kind.

    Raise Garbage if the frame is no message, or one of these fields is missing, too long or of another type.
    """
    try:
        message = json.loads(frame)
        if _SURROGATE.search(frame):
            json.dumps(message, ensure_ascii=False).encode()
    except (ValueError, RecursionError):  # UnicodeEncodeError is a ValueError
        raise Garbage("that is not JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("k"), str) or message["k"] not in _FIELDS:
        raise Garbage("that message is unknown")
    for name, kind in _FIELDS[message["k"]].items():
        value = message.get(name)
        if type(value) is not kind or (isinstance(value, str) and len(value) > _SHORT):
            raise Garbage(f"{message['k']} has no usable {name}")
    return message


def frames(texts: Iterable[str], *, many: bool = False, kind: str = "entries") -> Iterator[str]:
    """Yield frames of this kind with these entries, given as TOML text, in this order.

    `many` is the field of that name: True for entries that were made while apart.
    """
    portion: list[str] = []
    size = 0
    for text in texts:
        if portion and size + len(text) > PORTION:
            yield write(kind, e=portion, many=many)
            portion, size = [], 0
        portion.append(text)
        size += len(text)
    if portion:
        yield write(kind, e=portion, many=many)


def text_of(entry: Entry) -> str:
    """Return the TOML text of a valid entry, as a save holds it."""
    return toml.emit_entry(entry).decode()


def id_of(text: str) -> str:
    """Return the id in the TOML text of an entry, which a save may hold with comments and in another form.

    Raise Garbage if the text is no entry.
    """
    found = _ID.search(text)
    return found[1] if found else str(entry_of(text)["id"])


def is_same(ours: str, theirs: str) -> bool:
    """Return True if two TOML texts describe the same entry. In a save, one may have comments and another form.

    Return False if one of them is no entry.
    """
    if ours == theirs:
        return True
    try:
        return entry_of(ours) == entry_of(theirs)
    except Garbage:
        return False


def entries(message: Message) -> list[Entry]:
    """Return the entries in a message. Raise Garbage if one of them could not be in a save."""
    return [entry_of(text) for text in message["e"]]


def entry_of(text: object) -> Entry:
    """Return the entry that a TOML text describes. Raise Garbage if it could not be in a save."""
    if not isinstance(text, str) or len(text) > LONGEST_ENTRY:
        raise Garbage("an entry isn't text, or is too long")
    try:
        body = text.encode()
        ours = toml.read_ours(body)
        entry = ours or _parsed(body)
        if ours is None or toml.emit_entry(ours) != body:
            emit_checked(entry)
    except (toml.BadToml, SaveError, UnicodeEncodeError) as error:
        raise Garbage(f"an entry can't be read: {error}") from None
    if "id" not in entry or "t" not in entry:
        raise Garbage("an entry has no id or no t")
    if problem := entry_problem(entry):
        raise Garbage(f"an entry is not valid: {problem[1]}")
    return entry


def _parsed(body: bytes) -> Entry:
    tables = toml.parse(body)
    found = tables.get("entry")
    if len(tables) != 1 or not isinstance(found, list) or len(found) != 1 or not isinstance(found[0], dict):
        raise Garbage("that is not one entry")
    entry: Entry = found[0]
    return entry
