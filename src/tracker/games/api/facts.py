"""Typed getters over the facts of an entry: a hand edit may have put any TOML value at any key.

Each returns an empty value where something of another kind is found.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias, TypeGuard

from tracker.text import shown_line

Facts: TypeAlias = Mapping[str, Any]


def is_whole(value: object) -> TypeGuard[int]:
    """Return True for a whole number; TOML's true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def word(facts: Facts, key: str, among: Collection[str]) -> str:
    """Return the word at this key if it is one of these, else ""."""
    found = facts.get(key)
    return found if isinstance(found, str) and found in among else ""


def text(facts: Facts, key: str, most: int = 300) -> str:
    """Return what is at this key as one line that is safe to show; "" if there is nothing."""
    return shown_line(str(facts.get(key, "")), most)


def number(facts: Facts, key: str) -> int:
    """Return the whole number at this key, else 0."""
    found = facts.get(key)
    return found if is_whole(found) else 0


def numbers(facts: Facts, key: str) -> list[int]:
    """Return the list of whole numbers at this key; [] if one of them is something else."""
    found = facts.get(key)
    return found if isinstance(found, list) and all(map(is_whole, found)) else []


def items(facts: Facts, key: str) -> list[Any]:
    """Return the list at this key, else []."""
    found = facts.get(key)
    return found if isinstance(found, list) else []


def changes(facts: Facts) -> list[str]:
    """Return what an entry changed, in the words that were kept with it."""
    return [shown_line(str(phrase), 200) for phrase in items(facts, "changed")]
