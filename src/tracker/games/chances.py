"""Counted chances as they are shown."""

from __future__ import annotations

from collections.abc import Sequence


def percent(counts: Sequence[int]) -> tuple[int, ...]:
    """Whole per cents that add up to 100: each rounded down, the rest to the largest remainders."""
    total = sum(counts)
    shares = [100 * count // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda i: 100 * counts[i] % total, reverse=True)
    for i in by_remainder[: 100 - sum(shares)]:
        shares[i] += 1
    return tuple(shares)
