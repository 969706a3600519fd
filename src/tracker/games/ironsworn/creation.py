"""A character whose stats somebody has laid out already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.ironsworn.layout import STATS
from tracker.games.refused import Refused
from tracker.text import shown_line

_LEGAL = [3, 2, 2, 1, 1]


def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
    """The answers with which making a character leads to this one; Refused if no character is like that."""
    if not name.strip():
        raise Refused("A character needs a name.")
    if unknown := [stat for stat in stats if stat not in STATS]:
        raise Refused(f"There is no stat “{shown_line(unknown[0])}”; the stats are {', '.join(STATS)}.")
    if missing := [stat for stat in STATS if stat not in stats]:
        raise Refused(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing in the stats.")
    if sorted(stats.values(), reverse=True) != _LEGAL:
        given = ", ".join(str(stats[stat]) for stat in STATS)
        raise Refused(f"The stats are 3, 2, 2, 1 and 1 in any order, not {given}.")
    return {
        "name": name,
        "how": "choose",
        "three": next(stat for stat in STATS if stats[stat] == 3),
        "twos": [stat for stat in STATS if stats[stat] == 2],
    }
