"""Typed getters over the facts of an entry: the values that a procedure stored for display.

A hand edit may have put any TOML value at any key, so a getter returns an empty value instead of a wrong type.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias, TypeGuard

from tracker.text import shown_line

Facts: TypeAlias = Mapping[str, Any]


def is_whole(value: object) -> TypeGuard[int]:
    """Return True for an int; False for a bool, which Python counts as an int."""
    return isinstance(value, int) and not isinstance(value, bool)


def word(facts: Facts, key: str, among: Collection[str]) -> str:
    """Return the string at this key if it is one of `among`, else ""."""
    found = facts.get(key)
    return found if isinstance(found, str) and found in among else ""


def text(facts: Facts, key: str, most: int = 300) -> str:
    """Return the value at this key, whatever its type, as one line of at most `most` characters that is safe to show.

    Return "" if the key is missing.
    """
    return shown_line(str(facts.get(key, "")), most)


def number(facts: Facts, key: str) -> int:
    """Return the int at this key; 0 if it is missing or of another type."""
    found = facts.get(key)
    return found if is_whole(found) else 0


def numbers(facts: Facts, key: str) -> list[int]:
    """Return the list of ints at this key; [] if the key is missing or the value is not a list of ints."""
    found = facts.get(key)
    return found if isinstance(found, list) and all(map(is_whole, found)) else []


def items(facts: Facts, key: str) -> list[Any]:
    """Return the list at this key; [] if it is missing or of another type."""
    found = facts.get(key)
    return found if isinstance(found, list) else []


def changes(facts: Facts) -> list[str]:
    """Return what an entry changed, one phrase each, as stored with the entry; [] if nothing is stored."""
    return [shown_line(str(phrase), 2000) for phrase in items(facts, "changed")]


def with_question(facts: Facts, words: str) -> str:
    """Return the fact `question`, the player's own words, followed by `words`, as in "Is Aren alive? likely".

    A colon separates the two if the question has no mark at its end. If one of them is empty, return only the other.
    """
    question = text(facts, "question", 200)
    if not question or not words:
        return question or words
    return f"{question}{'' if question.endswith(('?', '.', '!')) else ':'} {words}"
