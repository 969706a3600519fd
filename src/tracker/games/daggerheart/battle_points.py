"""Battle Points: the budget of a fight, and what the adversaries in it cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from tracker.games.api.schema import State
from tracker.games.daggerheart.derived_values import facing

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
"""Battle Points that an adversary of each type costs. For minions, it is the cost of a group as large as the party."""
ADJUSTMENTS: Final[Mapping[str, tuple[str, int]]] = {
    "easier": ("easier or shorter", -1),
    "two_solos": ("two or more solos", -2),
    "more_damage": ("every adversary deals more damage", -2),
    "lower_tier": ("adversaries of a lower tier", 1),
    "no_big_ones": ("no bruiser, horde, leader or solo", 1),
    "harder": ("harder or longer", 2),
}
"""Label of each adjustment of a fight's budget, and the Battle Points that it adds."""


def fielded(state: State) -> dict[str, int]:
    """Return {type: number} of undefeated adversaries. Each minion counts as one."""
    many: dict[str, int] = {}
    for one in (state["adversaries"][ident] for ident in facing(state)):
        many[one["type"]] = many.get(one["type"], 0) + (one["count"] if one["minion"] else 1)
    return many


def budget(pcs: int, adjust: Collection[str] = ()) -> int:
    """Return the Battle Points for a party of `pcs` characters. `adjust` holds keys of ADJUSTMENTS."""
    return 3 * pcs + 2 + sum(ADJUSTMENTS[one][1] for one in adjust)


def cost(pcs: int, adversaries: Mapping[str, int]) -> int:
    """Return the Battle Points that adversaries cost. `adversaries` maps a type to their number.

    `pcs` is the size of the party. A partial group of minions costs as much as a full one (ruling D20).
    """
    return sum(
        COSTS[sort] * (-(-many // max(pcs, 1)) if sort == "minion" else many) for sort, many in adversaries.items()
    )
