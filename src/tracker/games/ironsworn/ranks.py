"""The five ranks of challenge: how hard a vow, journey or foe is, and what one mark of progress adds to its track."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tracker.records import NamedTuple


class Rank(NamedTuple):
    """The numbers of one rank of challenge; RANKS holds all five by name.

    `number` is the harm or stress of the rank, and `ticks` the progress that one mark adds to a track. `xp_strong`
    and `xp_weak` are the experience for a vow fulfilled with a strong or a weak hit.
    """

    number: int
    ticks: int
    xp_strong: int
    xp_weak: int


RANKS: Final[Mapping[str, Rank]] = {
    "troublesome": Rank(1, ticks=12, xp_strong=1, xp_weak=0),
    "dangerous": Rank(2, ticks=8, xp_strong=2, xp_weak=1),
    "formidable": Rank(3, ticks=4, xp_strong=3, xp_weak=2),
    "extreme": Rank(4, ticks=2, xp_strong=4, xp_weak=3),
    "epic": Rank(5, ticks=1, xp_strong=5, xp_weak=4),
}
MARK_WORDS: Final[Mapping[str, str]] = {
    "troublesome": "3 boxes",
    "dangerous": "2 boxes",
    "formidable": "1 box",
    "extreme": "2 ticks",
    "epic": "1 tick",
}
"""One mark of progress by rank, in words."""


def rank_up(rank: str) -> str:
    """Return the next higher rank; epic stays epic."""
    names = tuple(RANKS)
    return names[min(names.index(rank) + 1, len(names) - 1)]
