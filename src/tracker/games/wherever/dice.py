"""The dice of Wherever We Go: how a pool is stepped, and what it means once the faces are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from tracker.games.common.format import percent

if TYPE_CHECKING:
    from tracker.games.api import prompts


Outcome: TypeAlias = Literal["failure", "mixed success", "success", "great success"]

NONE: Final = "0"
"""No die: an untrained skill, or one that was stepped away."""
RATED: Final = ("d6", "d8", "d10", "d12")

RUNGS: Final = (NONE, *RATED)
"""The ladder. 0 stands where other games have a d4."""
BONUSES_MOST: Final = 3
STRESS_SIDES: Final = 6
BANE: Final = 1

WILL: Final = 6
"""The face of a stress die that gives 1 WP back."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("failure", "mixed success", "success", "great success")
"""By edges; three or more are great."""

MARKS: Final[Mapping[str, str]] = {
    "failure": "□□□",
    "mixed success": "■□□",
    "success": "■■□",
    "great success": "■■■",
}

GRADES: Final = ("minor", "severe", "major")
"""How bad a harm is; in this game major is worse than severe."""
WEAKENED: Final = "weakened"
PENALTIES: Final[Mapping[str, int]] = {"minor": -1, "severe": -2, "major": -3}

MARKS_FOR: Final[Mapping[str, int]] = {"0": 6, "d6": 8, "d8": 10, "d10": 12, "d12": 0}
"""Marks that lead from a rating to the next one; above d12 there is none."""


def sides(die: str) -> int:
    """The sides of a die as it is written; 0 for none."""
    return int(die.removeprefix("d"))


def net(mods: Iterable[int], harms: Iterable[int] = ()) -> int:
    """All together: bonuses stop at +3 before penalties come off, and of harms only the worst counts."""
    mods = list(mods)
    bonus = min(BONUSES_MOST, sum(mod for mod in mods if mod > 0))
    return bonus + sum(mod for mod in mods if mod < 0) + min(harms, default=0)


def stepped(attribute: str, skill: str, by: int) -> tuple[str, str]:
    """The two base dice after so many steps; before each, look again which is lower or higher."""
    a, s = RUNGS.index(attribute), RUNGS.index(skill)
    top = len(RUNGS) - 1
    for _ in range(abs(by)):
        if by > 0:
            a, s = (a, min(s + 1, top)) if s <= a else (a + 1, s)
        else:
            a, s = (a, max(s - 1, 0)) if s >= a else (a - 1, s)
    return RUNGS[a], RUNGS[s]


def edges_of(face: int) -> int:
    """What a face is worth: nothing below 6, two from 10 on."""
    return (face >= 6) + (face >= 10)


def outcome_of(edges: int) -> Outcome:
    return OUTCOMES[min(edges, len(OUTCOMES) - 1)]


def damage_of(banes: int) -> int:
    """Two for each of the first three."""
    return 2 * min(banes, 3)


def graded(points: int) -> str:
    """How bad so much damage in one place is."""
    return WEAKENED if points < 2 else GRADES[min(points // 2, 3) - 1]


class Pool(NamedTuple):
    """Dice before they are rolled: two base dice as stepped, a talent's, and so many stress dice."""

    attribute: str
    skill: str
    talent: str = NONE
    stress: int = 0

    @property
    def dice(self) -> dict[str, int | tuple[int, ...]]:
        """Those that there are, by name."""
        wanted: dict[str, int | tuple[int, ...]] = {
            name: sides(die) for name, die in zip(self._fields, self[:3], strict=False) if die != NONE
        }
        if self.stress:
            wanted["stress"] = (STRESS_SIDES,) * self.stress
        return wanted

    @property
    def action(self) -> tuple[int, ...]:
        """The sides of all but the stress dice."""
        return tuple(sides(die) for die in self[:3] if die != NONE)


class Lying(NamedTuple):
    """Dice as they lie; where there is no die, the face is 0."""

    attribute: int
    skill: int
    talent: int
    stress: tuple[int, ...] = ()

    @property
    def edges(self) -> int:
        return sum(map(edges_of, (*self[:3], *self.stress)))

    @property
    def banes(self) -> int:
        """Only on stress dice; a 1 on any other means nothing."""
        return self.stress.count(BANE)

    @property
    def will(self) -> int:
        return self.stress.count(WILL)

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.edges)


def lying(faces: Mapping[str, int | list[int]]) -> Lying:
    """The first roll."""
    return _laid(faces, tuple(_several(faces)))


def gamble(pool: Pool, before: Lying) -> Pool:
    """What is rolled again: everything but the stress dice that show 1, and one more stress die."""
    return pool._replace(stress=len(before.stress) - before.banes + 1)


def gambled(before: Lying, faces: Mapping[str, int | list[int]]) -> Lying:
    """The new faces; locked ones stay in their place, the new die is the last."""
    new = iter(_several(faces))
    return _laid(faces, (*(BANE if face == BANE else next(new) for face in before.stress), *new))


def _laid(faces: Mapping[str, int | list[int]], stress: tuple[int, ...]) -> Lying:
    one = {name: face for name, face in faces.items() if isinstance(face, int)}
    return Lying(one.get("attribute", 0), one.get("skill", 0), one.get("talent", 0), stress)


def _several(faces: Mapping[str, int | list[int]]) -> list[int]:
    found = faces.get("stress", [])
    return found if isinstance(found, list) else [found]


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
