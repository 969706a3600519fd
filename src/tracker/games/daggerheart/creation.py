"""A character whose traits somebody has laid out already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.daggerheart.rolls import ARRAY, TRAITS
from tracker.games.refused import Refused
from tracker.text import shown_line


def creation_answers(name: str, stats: Mapping[str, int]) -> dict[str, Any]:
    """The answers with which making a character leads to this one; Refused if no character is like that.

    Without any trait they lie as they are printed.
    """
    if not name.strip():
        raise Refused("A character needs a name.")
    if unknown := [trait for trait in stats if trait not in TRAITS]:
        raise Refused(f"There is no trait “{shown_line(unknown[0])}”; the traits are {', '.join(TRAITS)}.")
    given = dict(stats) or dict(zip(TRAITS, ARRAY, strict=True))
    if missing := [trait for trait in TRAITS if trait not in given]:
        raise Refused(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing in the traits.")
    if tuple(sorted(given.values(), reverse=True)) != ARRAY:
        laid = ", ".join(str(given[trait]) for trait in TRAITS)
        raise Refused(f"The traits are 2, 1, 1, 0, 0 and -1 in any order, not {laid}.")
    return {
        "name": name,
        "how": "choose",
        "class": "warrior",
        "two": next(trait for trait in TRAITS if given[trait] == 2),
        "ones": [trait for trait in TRAITS if given[trait] == 1],
        "minus": next(trait for trait in TRAITS if given[trait] == -1),
    }
