"""Typed getters over the facts of an entry. A hand edit may have put any TOML value at any key.

A getter returns an empty value if it finds another type.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias, TypeGuard

from tracker.text import shown_line

Facts: TypeAlias = Mapping[str, Any]


def is_whole(value: object) -> TypeGuard[int]:
    """Return True for an int that is no bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def word(facts: Facts, key: str, among: Collection[str]) -> str:
    """Return the string at this key if it is in `among`, else ""."""
    found = facts.get(key)
    return found if isinstance(found, str) and found in among else ""


def text(facts: Facts, key: str, most: int = 300) -> str:
    """Return the value at this key as one line that is safe to show, or "" if the key is missing."""
    return shown_line(str(facts.get(key, "")), most)


def number(facts: Facts, key: str) -> int:
    """Return the int at this key, else 0."""
    found = facts.get(key)
    return found if is_whole(found) else 0


def numbers(facts: Facts, key: str) -> list[int]:
    """Return the list of ints at this key; [] if one of them is something else."""
    found = facts.get(key)
    return found if isinstance(found, list) and all(map(is_whole, found)) else []


def items(facts: Facts, key: str) -> list[Any]:
    """Return the list at this key, else []."""
    found = facts.get(key)
    return found if isinstance(found, list) else []


def changes(facts: Facts) -> list[str]:
    """Return the changes of an entry, in the words that were stored with it."""
    return [shown_line(str(phrase), 200) for phrase in items(facts, "changed")]
