"""The dice of Wherever We Go: stepping a pool of dice, reading the faces, exact odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tracker.games.api.view import percent, whole
from tracker.records import NamedTuple

if TYPE_CHECKING:
    from tracker.games.api import prompts


Outcome: TypeAlias = Literal["failure", "mixed success", "success", "great success"]

NONE: Final = "0"
"""No die: an untrained skill, or a die that was stepped below d6."""
RATED: Final = ("d6", "d8", "d10", "d12")

RUNGS: Final = (NONE, *RATED)
"""The ladder of dice. Below d6 comes no die; there is no d4."""
DIE_KEYS: Final = {NONE: "x", "d6": "6", "d8": "8", "d10": "0", "d12": "t"}
"""Hotkeys of dice in a list. They are no digits that stand for members of a small party."""
BONUSES_MOST: Final = 3
STRESS_SIDES: Final = 6
BANE: Final = 1

WILL: Final = 6
"""Face of a stress die that gives 1 WP back."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("failure", "mixed success", "success", "great success")
"""Outcomes; the index of each is its number of edges. More than three edges are a great success, too."""

MARKS: Final[Mapping[str, str]] = {
    "failure": "□□□",
    "mixed success": "■□□",
    "success": "■■□",
    "great success": "■■■",
}

GRADES: Final = ("minor", "severe", "major")
"""Grades of harm in rising order. In this game major is worse than severe."""
WEAKENED: Final = "weakened"
PENALTIES: Final[Mapping[str, int]] = {"minor": -1, "severe": -2, "major": -3}

MARKS_FOR: Final[Mapping[str, int]] = {"0": 6, "d6": 8, "d8": 10, "d10": 12, "d12": 0}
"""Marks that raise each die to the next; 0 for d12, which is the highest."""


def sides(die: str) -> int:
    """Return the number of sides of a die such as "d8"; 0 for NONE."""
    return int(die.removeprefix("d"))


def net(mods: Iterable[int], harms: Iterable[int] = ()) -> int:
    """Return the net modifier: bonuses, at most +3 together, plus all penalties and the worst harm.

    `mods` are bonuses and penalties in any order, and `harms` are the penalties of harms (rulings W4, W5 and W26).
    """
    mods = list(mods)
    bonus = min(BONUSES_MOST, sum(mod for mod in mods if mod > 0))
    return bonus + sum(mod for mod in mods if mod < 0) + min(harms, default=0)


def stepped(attribute: str, skill: str, by: int) -> tuple[str, str]:
    """Return (attribute die, skill die) after `by` steps, such as ("d8", "d10").

    Each step up raises the lower die, and each step down (`by` is negative) lowers the higher one. If both are equal,
    the skill die changes (rulings W2 and W3). Steps beyond the smallest or largest die are lost. NONE means no die.
    """
    a, s = RUNGS.index(attribute), RUNGS.index(skill)
    top = len(RUNGS) - 1
    for _ in range(abs(by)):
        if by > 0:
            a, s = (a, min(s + 1, top)) if s <= a else (a + 1, s)
        else:
            a, s = (a, max(s - 1, 0)) if s >= a else (a - 1, s)
    return RUNGS[a], RUNGS[s]


def edges_of(face: int) -> int:
    """Return the edges of a face: 0 for 1 to 5, 1 for 6 to 9, 2 from 10 on."""
    return (face >= 6) + (face >= 10)


def outcome_of(edges: int) -> Outcome:
    return OUTCOMES[min(edges, len(OUTCOMES) - 1)]


def damage_of(banes: int) -> int:
    """Return the damage of this many banes: 2 for each, at most 6 (ruling W15)."""
    return 2 * min(banes, 3)


def harm_grade(points: int) -> str:
    """Return the grade of the harm that this much damage causes: one of GRADES, or WEAKENED below 2 damage."""
    return WEAKENED if points < 2 else GRADES[min(points // 2, 3) - 1]


def marks_in_words(marks: int, die: str) -> str:
    """Return in words how many of the marks for the next die are made, such as "3 of 8"; "" if no die is higher.

    `marks` is the number made so far, and `die` the present die, such as "d8".
    """
    return f"{marks} of {MARKS_FOR[die]}" if MARKS_FOR[die] else ""


class Pool(NamedTuple):
    """The dice of one roll, before they are rolled.

    `attribute` and `skill` are dice after stepping, such as "d8", and `talent` is the die of a talent; NONE stands
    for no die. `stress` is the number of stress dice, which are d6.
    """

    attribute: str
    skill: str
    talent: str = NONE
    stress: int = 0

    @property
    def dice(self) -> dict[str, int | tuple[int, ...]]:
        """Sides of the dice by name, in the form that a Roll prompt takes. Missing dice are left out."""
        wanted: dict[str, int | tuple[int, ...]] = {
            name: sides(die) for name, die in zip(self._fields, self[:3], strict=False) if die != NONE
        }
        if self.stress:
            wanted["stress"] = (STRESS_SIDES,) * self.stress
        return wanted

    @property
    def action(self) -> tuple[int, ...]:
        """Numbers of sides of all dice except the stress dice. Missing dice are left out."""
        return tuple(sides(die) for die in self[:3] if die != NONE)


class DiceResult(NamedTuple):
    """The faces that the dice of a pool show after a roll.

    `attribute`, `skill` and `talent` are one face each, 0 if there is no such die. `stress` has a face for each
    stress die.
    """

    attribute: int
    skill: int
    talent: int
    stress: tuple[int, ...] = ()

    @property
    def edges(self) -> int:
        return sum(map(edges_of, (*self[:3], *self.stress)))

    @property
    def banes(self) -> int:
        """Number of stress dice that show 1. Other dice have no banes."""
        return self.stress.count(BANE)

    @property
    def will(self) -> int:
        """Number of stress dice that show 6, each of which gives 1 WP."""
        return self.stress.count(WILL)

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.edges)


def read_dice(faces: Mapping[str, int | list[int]]) -> DiceResult:
    """Return the faces of a first roll, read from the answer to its Roll prompt (`faces`)."""
    return _laid(faces, tuple(_several(faces)))


def gamble(pool: Pool, before: DiceResult) -> Pool:
    """Return the pool to roll in a gamble: all dice except stress dice that show 1, and one more stress die.

    `pool` has the dice of the roll before, and `before` their faces.
    """
    return pool._replace(stress=len(before.stress) - before.banes + 1)


def gambled(before: DiceResult, faces: Mapping[str, int | list[int]]) -> DiceResult:
    """Return all faces after a gamble, read from the answer to its Roll prompt (`faces`).

    `before` has the faces before the gamble. Stress dice that showed 1 keep that face, and the additional stress
    die comes last.
    """
    new = iter(_several(faces))
    return _laid(faces, (*(BANE if face == BANE else next(new) for face in before.stress), *new))


def _laid(faces: Mapping[str, int | list[int]], stress: tuple[int, ...]) -> DiceResult:
    one = {name: face for name, face in faces.items() if isinstance(face, int)}
    return DiceResult(one.get("attribute", 0), one.get("skill", 0), one.get("talent", 0), stress)


def _several(faces: Mapping[str, int | list[int]]) -> list[int]:
    found = faces.get("stress", [])
    return found if isinstance(found, list) else [found]


_BLANKS = 4
"""Faces of a stress die that are neither 1 nor 6."""

_MOST = 3
"""Number of edges or banes above which more make no difference."""


class Chances(NamedTuple):
    """Exact odds of an action roll, as counts of the equally likely combinations of faces.

    To get a probability, divide a count by `total`, the number of all combinations.
    """

    total: int
    outcomes: tuple[int, ...]
    """Combinations with each outcome, in the order of OUTCOMES."""
    damage: tuple[int, ...]
    """Combinations with 0, 2, 4 and 6 damage from banes."""
    gambles: int
    """Combinations in which the first result is gambled."""
    sixes: int
    """Sixes on the stress dice of all combinations together, after any gamble."""


class OpposedOdds(NamedTuple):
    """Exact odds of an opposed roll, as counts of the equally likely combinations of both sides' faces.

    In `acting` combinations the acting side has more edges, in `tie` as many, and in `defending` fewer. The sum of the
    three is `total`. The defender wins a tie.
    """

    total: int
    acting: int
    tie: int
    defending: int


@cache
def chances(pool: Pool, gamble_upto: int = -1) -> Chances:
    """Return the exact odds of an action roll with this pool.

    A first result of at most `gamble_upto` edges is gambled once; -1 means that none is. With gambles, a combination
    consists of the faces of both rolls.
    """
    base, all_base = _capped(_edges(pool.action)), _product(pool.action)
    k = pool.stress
    again = all_base * 6 ** (k + 1) if gamble_upto >= 0 else 1
    outcomes = [count * again for count in _outcomes(base, k)]
    damage = [count * all_base * again for count in _damage(0, k)]
    sixes = all_base * _all_sixes(k) * again
    gambles = 0
    for banes in range(k + 1 if gamble_upto >= 0 else 0):
        rerolled = k - banes + 1
        worth = 6**banes  # a second roll with fewer dice has fewer throws, so each counts for several
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
def after_gamble(pool: Pool, before: DiceResult) -> Chances:
    """Return the exact odds of the result after one gamble.

    `pool` has the dice of the roll before the gamble, and `before` their faces.
    """
    base, all_base = _capped(_edges(pool.action)), _product(pool.action)
    rerolled = len(before.stress) - before.banes + 1
    total = all_base * 6**rerolled
    hurt = tuple(all_base * count for count in _damage(before.banes, rerolled))
    return Chances(total, _outcomes(base, rerolled), hurt, total, all_base * _all_sixes(rerolled))


def after_gamble_against(pool: Pool, before: DiceResult, theirs: int, *, acts: bool) -> tuple[int, int]:
    """Return (win, lose): the numbers of combinations with which a gamble wins or loses an opposed roll.

    `pool` has the dice of the side that gambles, and `before` their faces before the gamble. `theirs` is the number of
    the opponent's edges. `acts` is True if the side that gambles is the acting side, which loses ties.
    """
    counted = _with_sixes(_edges(pool.action), len(before.stress) - before.banes + 1)
    needed = theirs + acts
    return sum(counted[needed:]), sum(counted[:needed])


def opposed_odds(acting: Pool, defending: Pool) -> OpposedOdds:
    """Return the exact odds of an opposed roll between two pools, if nobody gambles."""
    ours, theirs = (_with_sixes(_edges(pool.action), pool.stress) for pool in (acting, defending))
    more = sum(a * d for e, a in enumerate(ours) for f, d in enumerate(theirs) if e > f)
    same = sum(a * d for a, d in zip(ours, theirs, strict=False))
    total = sum(ours) * sum(theirs)
    return OpposedOdds(total, more, same, total - more - same)


def shown_odds(counted: Chances) -> prompts.Odds:
    """Return the odds of an action roll as prompts show them: (label, percentage, tone), best outcome first."""
    failure, mixed, success, great = percent(counted.outcomes)
    return ("great", great, "good"), ("success", success, "good"), ("mixed", mixed, "mid"), ("failure", failure, "bad")


def shown_versus(counted: OpposedOdds, *, acts: bool) -> prompts.Odds:
    """Return the odds of an opposed roll as prompts show them: (label, percentage, tone) for win and lose.

    `acts` is True for the odds of the acting side, and False for those of the defender.
    """
    acting, defending = percent((counted.acting, counted.tie + counted.defending))
    win, lose = (acting, defending) if acts else (defending, acting)
    return ("win", win, "good"), ("lose", lose, "bad")


def bane(counted: Chances) -> str:
    """Return the chance of at least one bane as a whole percentage, without the sign."""
    none = counted.damage[0]
    return whole(100 * (counted.total - none) / counted.total)


def _edges(dice: Sequence[int]) -> list[int]:
    """Return a list of counts: item n is the number of combinations of faces with n edges in total.

    `dice` are the numbers of sides of the dice.
    """
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
    """Add stress dice to other dice; return a list whose item n is the number of combinations with n edges in total.

    `base` is such a list for the other dice alone, and `stress` is the number of stress dice. A six on a stress die is
    one edge; its other faces are none.
    """
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
    """Return the total number of sixes in all 6 ** `stress` combinations of faces of the stress dice.

    For one die that is 1, and for two dice 12: ten combinations have one six, and one has two.
    """
    return stress * 6 ** (stress - 1) if stress else 0


def _product(dice: Sequence[int]) -> int:
    total = 1
    for die in dice:
        total *= die
    return total
