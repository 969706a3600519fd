"""A character whose dice somebody has laid out already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.refused import Refused
from tracker.games.wherever.layout import ATTRIBUTE_OF, ATTRIBUTES
from tracker.games.wherever.rolls import NONE, RATED, RUNGS
from tracker.text import shown_line


def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
    """The answers with which making a character leads to this one; Refused if no character is like that.

    What is not named is a d8 for an attribute, and no die for a skill.
    """
    if not name.strip():
        raise Refused("A character needs a name.")
    for stat, number in stats.items():
        if stat not in (*ATTRIBUTES, *ATTRIBUTE_OF):
            there = ", ".join((*ATTRIBUTES, *ATTRIBUTE_OF))
            raise Refused(f"There is no “{shown_line(stat)}”; there is {there}.")
        dice = RATED if stat in ATTRIBUTES else RUNGS
        if _die(number) not in dice:
            raise Refused(f"{stat} cannot be {number}: its die is {', '.join(dice)}.")
    attributes = {one: _die(stats.get(one, 8)) for one in ATTRIBUTES}
    by_die = {f"skills_{die}": [s for s in ATTRIBUTE_OF if _die(stats.get(s, 0)) == die] for die in RATED}
    return {"how": "free", "name": name, **attributes, **by_die}


def _die(number: int) -> str:
    return f"d{number}" if number else NONE
