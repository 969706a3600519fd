"""Text formats that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime


def arrow(old: object, new: object) -> str:
    """Return a change as text, such as "6 → 5"."""
    return f"{old} → {new}"


def counted(number: int, word: str) -> str:
    """Return a number with its noun, such as "1 point", "2 points" or "3 entries"."""
    if number == 1:
        return f"1 {word}"
    return f"{number} {word[:-1]}ies" if word.endswith("ry") else f"{number} {word}s"


def signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def percent(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the shares of the counts as whole percentages that add up to 100. At least one count must not be 0."""
    total = sum(counts)
    shares = [100 * count // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda i: 100 * counts[i] % total, reverse=True)
    for i in by_remainder[: 100 - sum(shares)]:
        shares[i] += 1
    return tuple(shares)


def date(at: datetime) -> str:
    """Return a date such as "November 18, 2026"."""
    return f"{at:%B} {at.day}, {at.year}"


def short_date(at: datetime) -> str:
    """Return a date such as "Nov 18, 2026"."""
    return f"{at:%b} {at.day}, {at.year}"


def time_of_day(at: datetime) -> str:
    """Return a time such as "8:03 p.m."."""
    return f"{at.hour % 12 or 12}:{at:%M} {'a.m.' if at.hour < 12 else 'p.m.'}"
