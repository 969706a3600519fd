"""The exact odds of a pool, counted by convolution, never sampled.

Whole numbers throughout: a chance is a count out of `total`. A fraction for each step would take ten times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from tracker.games.chances import percent
from tracker.games.wherever.rolls import Lying, Pool, edges_of

if TYPE_CHECKING:
    from tracker.games import prompts

_BLANKS = 4
"""Faces of a stress die that are neither 1 nor 6."""
_MOST = 3
"""From three on, neither edges nor banes make a difference."""


class Chances(NamedTuple):
    """Of `total`: each outcome, each amount of damage (0, 2, 4, 6), how often a gamble is made, all final sixes."""

    total: int
    outcomes: tuple[int, ...]
    damage: tuple[int, ...]
    gambles: int
    sixes: int


class Versus(NamedTuple):
    """Of `total`: the acting side has more edges, as many, fewer. A tie is the defender's."""

    total: int
    acting: int
    tie: int
    defending: int


@cache
def chances(pool: Pool, gamble_upto: int = -1) -> Chances:
    """Of one roll of this pool, gambled once where the first result has at most so many edges."""
    base, all_base = _capped(_edges(pool.action)), _product(pool.action)
    k = pool.stress
    again = all_base * 6 ** (k + 1) if gamble_upto >= 0 else 1
    outcomes = [count * again for count in _outcomes(base, k)]
    damage = [count * all_base * again for count in _damage(0, k)]
    sixes = all_base * _all_sixes(k) * again
    gambles = 0
    for banes in range(k + 1 if gamble_upto >= 0 else 0):
        rerolled = k - banes + 1
        worth = 6**banes  # of so many fewer dice in the second roll each count is worth more
        second, hurt = _outcomes(base, rerolled), _damage(banes, rerolled)
        gambled = 0
        for edges in range(gamble_upto + 1):
            for six in range(min(edges, k - banes) + 1):
                stress = comb(k, banes) * comb(k - banes, six) * _BLANKS ** (k - banes - six)
                first = stress * base[edges - six] if edges - six < len(base) else 0
                gambled += first
                outcomes[edges] -= first * again
                sixes -= six * first * again
        gambles += gambled * again
        damage[min(banes, _MOST)] -= gambled * again
        for n in range(4):
            outcomes[n] += gambled * worth * second[n]
            damage[n] += gambled * worth * all_base * hurt[n]
        sixes += gambled * worth * all_base * _all_sixes(rerolled)
    return Chances(all_base * 6**k * again, tuple(outcomes), tuple(damage), gambles, sixes)


@cache
def after_gamble(pool: Pool, before: Lying) -> Chances:
    """Of what a gamble on these dice would leave."""
    base, all_base = _capped(_edges(pool.action)), _product(pool.action)
    rerolled = len(before.stress) - before.banes + 1
    total = all_base * 6**rerolled
    hurt = tuple(all_base * count for count in _damage(before.banes, rerolled))
    return Chances(total, _outcomes(base, rerolled), hurt, total, all_base * _all_sixes(rerolled))


def after_gamble_against(pool: Pool, before: Lying, theirs: int, *, acts: bool) -> tuple[int, int]:
    """Of what a gamble on these dice would leave: in how many it wins against so many edges, and loses."""
    counted = _with_sixes(_edges(pool.action), len(before.stress) - before.banes + 1)
    needed = theirs + acts
    return sum(counted[needed:]), sum(counted[:needed])


def versus(acting: Pool, defending: Pool) -> Versus:
    """An opposed roll, without push or gamble."""
    ours, theirs = (_with_sixes(_edges(pool.action), pool.stress) for pool in (acting, defending))
    more = sum(a * d for e, a in enumerate(ours) for f, d in enumerate(theirs) if e > f)
    same = sum(a * d for a, d in zip(ours, theirs, strict=False))
    total = sum(ours) * sum(theirs)
    return Versus(total, more, same, total - more - same)


def shown_odds(counted: Chances) -> prompts.Odds:
    """As a prompt shows them, best first."""
    failure, mixed, success, great = percent(counted.outcomes)
    return ("great", great, "good"), ("success", success, "good"), ("mixed", mixed, "mid"), ("failure", failure, "bad")


def shown_versus(counted: Versus, *, acts: bool) -> prompts.Odds:
    """As a prompt shows them to one side."""
    acting, defending = percent((counted.acting, counted.tie + counted.defending))
    win, lose = (acting, defending) if acts else (defending, acting)
    return ("win", win, "good"), ("lose", lose, "bad")


def bane(counted: Chances) -> int:
    """The per cent in which there is something to assign."""
    none = counted.damage[0]
    return percent((counted.total - none, none))[0]


def _edges(dice: Sequence[int]) -> list[int]:
    """In how many throws of these dice there are 0, 1, 2 … edges."""
    found = [1]
    for die in dice:
        worth = [0, 0, 0]
        for face in range(1, die + 1):
            worth[edges_of(face)] += 1
        after = [0] * (len(found) + 2)
        for edges, count in enumerate(found):
            for more, ways in enumerate(worth):
                after[edges + more] += count * ways
        found = after
    return found


def _capped(edges: Sequence[int]) -> list[int]:
    return [*edges[:_MOST], sum(edges[_MOST:])]


def _with_sixes(base: Sequence[int], stress: int) -> list[int]:
    """The same with so many stress dice beside them, of which a six is an edge."""
    found = [0] * (len(base) + stress)
    for six in range(stress + 1):
        ways = comb(stress, six) * 5 ** (stress - six)
        for edges, count in enumerate(base):
            found[edges + six] += count * ways
    return found


def _outcomes(base: Sequence[int], stress: int) -> tuple[int, ...]:
    found = [0] * 4
    for edges, count in enumerate(_with_sixes(base, stress)):
        found[min(edges, _MOST)] += count
    return tuple(found)


def _damage(locked: int, stress: int) -> tuple[int, ...]:
    found = [0] * 4
    for banes in range(stress + 1):
        found[min(locked + banes, _MOST)] += comb(stress, banes) * 5 ** (stress - banes)
    return tuple(found)


def _all_sixes(stress: int) -> int:
    """How many sixes there are in all throws of so many dice together."""
    return stress * 6 ** (stress - 1) if stress else 0


def _product(dice: Sequence[int]) -> int:
    total = 1
    for die in dice:
        total *= die
    return total
