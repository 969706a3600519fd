"""Exact chances over many rolls: how lucky they were, how fair a die looks, how rare a streak is.

Luck is measured in points: the worst outcome of a roll has 0, the next better one 1, and so on. The distribution of the
sum over all rolls is the convolution of those of the single rolls. It is computed from the exact odds, in floating
point; sums whose chance is below TINY are dropped, so an error stays far below what is shown.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from itertools import count
from operator import mul

from tracker.records import NamedTuple

TINY = 1e-15
"""Chance below which a sum at either end of a distribution is dropped."""


class Sums(NamedTuple):
    """A probability distribution of whole numbers: `chances[n]` is the chance of the number `low + n`."""

    low: int
    chances: tuple[float, ...]

    @property
    def mean(self) -> float:
        return math.fsum((self.low + n) * chance for n, chance in enumerate(self.chances))

    def at_least(self, number: int) -> float:
        """Return the chance that the number is `number` or more."""
        return min(1.0, math.fsum(self.chances[max(0, number - self.low) :]))


def distribution(rolls: Mapping[tuple[int, ...], int]) -> Sums:
    """Return the distribution of the sum of points over many rolls.

    The keys of `rolls` are odds, each the number of ways to roll each outcome, best outcome first. The values say how
    many rolls had these odds.
    """
    order = count()
    found = [(1, next(order), _power(_single(odds), many)) for odds, many in rolls.items() if many]
    heap = [(len(sums.chances), n, sums) for _, n, sums in found]
    heapq.heapify(heap)
    while len(heap) > 1:  # shortest first: that keeps the number of multiplications small
        together = _convolved(heapq.heappop(heap)[2], heapq.heappop(heap)[2])
        heapq.heappush(heap, (len(together.chances), next(order), together))
    return heap[0][2] if heap else Sums(0, (1.0,))


def _single(odds: Sequence[int]) -> Sums:
    total = sum(odds)
    return Sums(0, tuple(ways / total for ways in reversed(odds)))


def _power(sums: Sums, many: int) -> Sums:
    result = Sums(0, (1.0,))
    while many:
        if many & 1:
            result = _convolved(result, sums)
        many >>= 1
        if many:
            sums = _convolved(sums, sums)
    return result


def _convolved(one: Sums, other: Sums) -> Sums:
    longer, shorter = sorted((one.chances, other.chances), key=len, reverse=True)
    backwards, none = shorter[::-1], (0.0,) * (len(shorter) - 1)
    padded = (*none, *longer, *none)
    wide = len(shorter)
    found = [sum(map(mul, padded[at : at + wide], backwards)) for at in range(len(longer) + wide - 1)]
    first = next(n for n, chance in enumerate(found) if chance >= TINY)
    last = next(n for n in range(len(found) - 1, -1, -1) if found[n] >= TINY)
    return Sums(one.low + other.low + first, tuple(found[first : last + 1]))


def streak_chance(chances: Sequence[float], length: int) -> float:
    """Return the chance that somewhere among these rolls `length` in a row succeed.

    `chances` has the chance of success of each roll, in order.
    """
    runs = [1.0] + [0.0] * max(0, length - 1)
    """Chance of each length of the present run, while no run has been long enough."""
    for chance in chances:
        runs = [(1 - chance) * math.fsum(runs), *(one * chance for one in runs[:-1])]
    return max(0.0, 1 - math.fsum(runs)) if length > 0 else 1.0


FEW = 5
"""Least rolls for each face of a die before `stray_chance` says anything."""


def stray_chance(faces: Sequence[int]) -> float | None:
    """Return the chance that a fair die deviates from an even distribution at least as much as this one did.

    `faces` has how often each face came up. The chance comes from the chi-square test, an approximation that is good
    from FEW rolls per face on. Return None if there are fewer rolls, or fewer than two faces.
    """
    rolled, sides = sum(faces), len(faces)
    if sides < 2 or rolled < FEW * sides:
        return None
    even = rolled / sides
    return _chi_square_tail(math.fsum((times - even) ** 2 for times in faces) / even, sides - 1)


def _chi_square_tail(value: float, degrees: int) -> float:
    """Return the chance that a chi-square variable with `degrees` degrees of freedom is at least `value`.

    It is computed as the upper regularized gamma function at (degrees / 2, value / 2), by the recurrence in its first
    argument.
    """
    x = value / 2
    if degrees % 2:
        tail, a = math.erfc(math.sqrt(x)), 0.5
    else:
        tail, a = math.exp(-x), 1.0
    while a < degrees / 2:
        if x > 0:
            tail += math.exp(a * math.log(x) - x - math.lgamma(a + 1))
        a += 1
    return min(1.0, tail)
