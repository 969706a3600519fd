"""Finding by a few letters of a name."""

from __future__ import annotations

import re

Rank = tuple[int, int]
GAPS: Rank = (4, 0)
"""From here on the letters are there, but other letters stand between them."""


def rank(typed: str, name: str) -> Rank | None:
    """How well these letters fit a name, best first; None if they are not in it in this order.

    Best is how it begins, then how a word of it begins, then the first letters of its words, then anywhere in one
    piece, then with gaps.
    """
    letters, whole = typed.lower().strip(), name.lower()
    if whole.startswith(letters):
        return 0, 0
    begins = [found.start() for found in re.finditer(r"\b\w", whole)]
    if at := next((at for at in begins if whole.startswith(letters, at)), None):
        return 1, at
    if "".join(whole[at] for at in begins).startswith(letters.replace(" ", "")):
        return 2, 0
    if (at := whole.find(letters)) >= 0:
        return 3, at
    at = first = -1
    for letter in letters.replace(" ", ""):
        at = whole.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
    return 4, at - first
