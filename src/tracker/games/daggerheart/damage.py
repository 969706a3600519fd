"""Damage: reading and totalling damage dice, resistance, severity."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from tracker.games.api.errors import Refused
from tracker.text import shown_line

SEVERITIES: Final = ("none", "minor", "major", "severe", "massive")
"""Severities by the number of HP that each marks."""
TYPES: Final = ("physical", "magic", "both")
_TERM = re.compile(r"([+-]?)(\d{0,2})(d?)(\d{0,3})")
_DICE_MOST: Final = 40


class Dice(NamedTuple):
    """Damage dice by their sides, and a flat bonus."""

    dice: tuple[int, ...]
    flat: int

    def __str__(self) -> str:
        sizes = sorted(set(self.dice), key=self.dice.index)
        words = "+".join(f"{self.dice.count(size)}d{size}" for size in sizes)
        return (f"{words}{self.flat:+d}" if self.flat else words) if words else str(self.flat)

    def total(self, faces: Collection[int], *, critical: bool) -> int:
        """Return the damage of these faces. A critical adds the maximum of all dice, not the flat part again."""
        return sum(faces) + self.flat + (sum(self.dice) if critical else 0)


def dice(text: str, proficiency: int = 1) -> Dice:
    """Parse damage such as `2d8+1`; dice without a number, as in `d8+1`, are rolled Proficiency times.

    Raise Refused if the text is no damage.
    """
    plain = text.replace(" ", "").replace("−", "-").lower()
    sizes: list[int] = []
    flat, at = 0, 0
    while at < len(plain):
        term = _TERM.match(plain, at)
        if not term or term.end() == at or (at and not term[1]):
            raise _unread(text)
        at = term.end()
        sign, many, is_dice, size = term.groups()
        if is_dice:
            if sign == "-" or not size or not 2 <= int(size) <= 100:
                raise _unread(text)
            sizes += [int(size)] * (int(many) if many else max(proficiency, 0))
        else:
            if not many + size:
                raise _unread(text)
            flat += int(f"{sign}{many}{size}")
    if not plain or len(sizes) > _DICE_MOST:
        raise _unread(text)
    return Dice(tuple(sizes), flat)


def _unread(text: str) -> Refused:
    return Refused(f"“{shown_line(text, 30)}” is not written like d8+2 or 2d6+3.")


def is_dice(text: str) -> bool:
    try:
        dice(text)
    except Refused:
        return False
    return True


def arriving(
    amount: int, sort: str, resist: Collection[str], immune: Collection[str], reduce: Mapping[str, int]
) -> int:
    """Return the damage left after immunity, resistance (half, rounded up) and flat reduction.

    Damage of both types is reduced only by what applies to both.
    """
    sorts = ("physical", "magic") if sort == "both" else (sort,)
    if all(one in immune for one in sorts):
        return 0
    if all(one in resist for one in sorts):
        amount = (amount + 1) // 2
    return max(0, amount - min(reduce[one] for one in sorts))


def severity(damage: int, thresholds: tuple[int, int], *, massive: bool) -> int:
    """Return the HP that a damage marks; damage equal to a threshold is in the higher band.

    A threshold of 0 does not exist; without both, any damage marks 1. With `massive`, twice Severe marks 4.
    """
    major, severe = thresholds
    if damage <= 0:
        return 0
    if massive and severe and damage >= 2 * severe:
        return 4
    return 3 if severe and damage >= severe else 2 if major and damage >= major else 1


def minions_beaten(damage: int, each: int, there: int) -> int:
    """Return how many minions a hit defeats: one, and one more for every full `each` of damage."""
    if damage <= 0:
        return 0
    return min(there, 1 + (damage // each if each else 0))
