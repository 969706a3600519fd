"""Small words that every game uses the same way."""

from __future__ import annotations


def arrow(old: object, new: object) -> str:
    """A change, as it is written everywhere: 6 → 5."""
    return f"{old} → {new}"


def counted(number: int, word: str) -> str:
    """1 point, 2 points."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def signed(number: int) -> str:
    return f"{number:+d}" if number else "0"
