"""Battle Points: the budget of a fight and the cost of its adversaries."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

COSTS: Final[Mapping[str, int]] = {
    "bruiser": 4,
    "horde": 2,
    "leader": 3,
    "minion": 1,
    "ranged": 2,
    "skulk": 2,
    "social": 1,
    "solo": 5,
    "standard": 2,
    "support": 1,
}
"""Cost of each type of adversary. Minions are bought in groups as large as the party."""
TYPES: Final = ("standard", *(sort for sort in COSTS if sort != "standard"))
ADJUSTMENTS: Final[Mapping[str, tuple[str, int]]] = {
    "easier": ("easier or shorter", -1),
    "two_solos": ("two or more solos", -2),
    "more_damage": ("every adversary deals more damage", -2),
    "lower_tier": ("somebody of a lower tier", 1),
    "no_big_ones": ("no bruiser, horde, leader or solo", 1),
    "harder": ("harder or longer", 2),
}
FEAR_BANDS: Final = (
    ("incidental", 0, 1),
    ("minor", 1, 3),
    ("standard", 2, 4),
    ("major", 4, 8),
    ("climactic", 6, 12),
)
"""Fear to spend in a scene of each weight: lowest and highest."""


def budget(pcs: int, adjust: Collection[str] = ()) -> int:
    return 3 * pcs + 2 + sum(ADJUSTMENTS[one][1] for one in adjust)


def cost(pcs: int, adversaries: Mapping[str, int]) -> int:
    """Return the cost of these adversaries. A partial group of minions costs as much as a full one (ruling D20)."""
    return sum(
        COSTS[sort] * (-(-many // max(pcs, 1)) if sort == "minion" else many) for sort, many in adversaries.items()
    )
