"""The odds shown before a roll are exact: they agree with the printed fractions and with icepool."""

import re
from fractions import Fraction
from itertools import product
from math import isclose

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.games.wherever.dice import (
    NONE,
    RATED,
    RUNGS,
    DiceResult,
    Pool,
    after_gamble,
    bane,
    chances,
    edges_of,
    gamble,
    gambled,
    opposed_odds,
    read_dice,
    shown_odds,
    shown_versus,
)

PLAIN = """
| (no dice) | 1 | 0 | 0 | 0 |
| d6 | 5/6 | 1/6 | 0 | 0 |
| d8 | 5/8 | 3/8 | 0 | 0 |
| d10 | 1/2 | 2/5 | 1/10 | 0 |
| d12 | 5/12 | 1/3 | 1/4 | 0 |
| d6+d6 | 25/36 | 5/18 | 1/36 | 0 |
| d8+d6 | 25/48 | 5/12 | 1/16 | 0 |
| d8+d8 | 25/64 | 15/32 | 9/64 | 0 |
| d10+d6 | 5/12 | 5/12 | 3/20 | 1/60 |
| d10+d8 | 5/16 | 7/16 | 17/80 | 3/80 |
| d10+d10 | 1/4 | 2/5 | 13/50 | 9/100 |
| d12+d6 | 25/72 | 25/72 | 19/72 | 1/24 |
| d12+d8 | 25/96 | 35/96 | 9/32 | 3/32 |
| d12+d10 | 5/24 | 1/3 | 3/10 | 19/120 |
| d12+d12 | 25/144 | 5/18 | 23/72 | 11/48 |
| d8+d6 + talent d6 | 125/288 | 125/288 | 35/288 | 1/96 |
| d8+d6 + talent d8 | 125/384 | 175/384 | 25/128 | 3/128 |
| d10+d8 + talent d8 | 25/128 | 25/64 | 19/64 | 15/128 |
| d10+d10 + talent d10 | 1/8 | 3/10 | 63/200 | 13/50 |
| d12+d12 + talent d12 | 125/1728 | 25/144 | 155/576 | 419/864 |
"""
PUSHED = """
| d8+0, pushed at stress 1 | 25/48 | 5/12 | 1/16 | 0 |
| d6+d6, pushed at stress 1 | 125/216 | 25/72 | 5/72 | 1/216 |
| d6+d6, pushed at stress 2 | 625/1296 | 125/324 | 25/216 | 7/432 |
| d8+d6, pushed at stress 1 | 125/288 | 125/288 | 35/288 | 1/96 |
| d8+d6, pushed at stress 2 | 625/1728 | 125/288 | 25/144 | 53/1728 |
| d8+d6, pushed at stress 3 | 3125/10368 | 4375/10368 | 125/576 | 103/1728 |
| d10+d8, pushed at stress 2 | 125/576 | 25/64 | 5/18 | 11/96 |
| d12+d12, pushed at stress 2 | 625/5184 | 625/2592 | 175/576 | 289/864 |
| d8+d6 + talent d8, pushed at stress 2 | 3125/13824 | 625/1536 | 625/2304 | 331/3456 |
| d10+d10 + talent d10, pushed at stress 4 | 625/10368 | 125/648 | 325/1152 | 803/1728 |
"""
ON_FAILURE = """
| no dice | 5/6 | 1/6 | 0 | 0 |
| d8+0 | 125/384 | 61/96 | 5/128 | 0 |
| d6+d6 | 3125/7776 | 1345/2592 | 197/2592 | 25/7776 |
| d8+d6 | 3125/13824 | 8885/13824 | 1739/13824 | 25/4608 |
| d10+d8 | 125/1536 | 109/192 | 93/320 | 463/7680 |
| d12+d12 | 3125/124416 | 4465/13824 | 287/768 | 8653/31104 |
| d8+d6, pushed at stress 2 | 528125/4478976 | 2634625/4478976 | 122275/497664 | 71917/1492992 |
| d8+d6 + talent d8, pushed at stress 2 | 13203125/286654464 | 35456875/71663616 | 16031875/47775744 | 11810863/95551488 |
"""
ON_MIXED = """
| d6+d6 | 4375/7776 | 875/2592 | 247/2592 | 35/7776 |
| d8+d6 | 625/1536 | 625/1536 | 271/1536 | 5/512 |
| d10+d8 | 25/128 | 5/16 | 2/5 | 59/640 |
| d12+d12 | 8125/124416 | 1625/13824 | 1061/2304 | 11093/31104 |
| d8+d6, pushed at stress 2 | 576875/2239488 | 1518125/4478976 | 55325/165888 | 17407/248832 |
"""
STRESS = """
| 1 | 5/6 | 1/6 | 0 | 0 | 1/6 |
| 2 | 25/36 | 5/18 | 1/36 | 0 | 1/3 |
| 3 | 125/216 | 25/72 | 5/72 | 1/216 | 1/2 |
| 4 | 625/1296 | 125/324 | 25/216 | 7/432 | 2/3 |
| 5 | 3125/7776 | 3125/7776 | 625/3888 | 23/648 | 5/6 |
| 6 | 15625/46656 | 3125/7776 | 3125/15552 | 1453/23328 | 1 |
"""
HURT = """
| no dice | 1 | 5/6 | 1/6 | 0 | 0 | 1/6 |
| d8+0 | 5/8 | 43/48 | 5/48 | 0 | 0 | 5/48 |
| d6+d6 | 25/36 | 191/216 | 25/216 | 0 | 0 | 25/216 |
| d8+d6 | 25/48 | 263/288 | 25/288 | 0 | 0 | 25/288 |
| d10+d8 | 5/16 | 91/96 | 5/96 | 0 | 0 | 5/96 |
| d12+d12 | 25/144 | 839/864 | 25/864 | 0 | 0 | 25/864 |
| d8+d6, pushed at stress 2 | 625/1728 | 13925/23328 | 1255/3888 | 763/10368 | 625/93312 | 5081/10368 |
| d8+d6 + talent d8, pushed at stress 2 | 3125/13824 | 118225/186624 | 9515/31104 | 4679/82944 | 3125/746496 | 35773/82944 |
"""
OPPOSED = """
| d8+d6 | d8+d6 | 635/2304 | 517/1152 | 635/2304 |
| d10+d8 | d8+d6 | 223/480 | 43/120 | 17/96 |
| d8+d6 | d10+d8 | 17/96 | 43/120 | 223/480 |
| d12+d12 | d6+d6 | 211/288 | 119/576 | 35/576 |
| d8 | d8+d8 | 75/512 | 215/512 | 111/256 |
"""


def rows(text: str) -> list[list[str]]:
    return [re.split(r"\s*\|\s*", line.strip("| ")) for line in text.split("\n") if line]


def pool_of(words: str) -> Pool:
    """Return the pool that the words describe, such as `d8+d6 + talent d8, pushed at stress 2`."""
    stress = re.search(r"stress (\d+)", words)
    talent = re.search(r"talent (d\d+)", words)
    base = re.sub(r"no dice|[()]", "", words.split(",", maxsplit=1)[0].split(" + ", maxsplit=1)[0]).split("+")
    attribute, skill = (*filter(None, base), NONE, NONE)[:2]
    return Pool(attribute, skill, talent[1] if talent else NONE, int(stress[1]) if stress else 0)


def shares(counts: tuple[int, ...], total: int) -> list[Fraction]:
    return [Fraction(count, total) for count in counts]


def fractions(cells: list[str]) -> list[Fraction]:
    return [Fraction(cell) for cell in cells]


class TestPrintedFractions:
    @pytest.mark.parametrize(
        ("row", "upto"),
        [
            (row, upto)
            for text, upto in ((PLAIN, -1), (PUSHED, -1), (ON_FAILURE, 0), (ON_MIXED, 1))
            for row in rows(text)
        ],
    )
    def test_outcomes_match_the_print(self, row: list[str], upto: int) -> None:
        counted = chances(pool_of(row[0]), upto)
        assert shares(counted.outcomes, counted.total) == fractions(row[1:5])

    @pytest.mark.parametrize("row", rows(STRESS))
    def test_damage_and_willpower_match_the_print(self, row: list[str]) -> None:
        counted = chances(Pool("d8", "d6", stress=int(row[0])))
        assert shares(counted.damage, counted.total) == fractions(row[1:5])
        assert Fraction(counted.sixes, counted.total) == Fraction(row[5])

    @pytest.mark.parametrize("row", rows(HURT))
    def test_damage_with_a_gamble_on_failure_matches_the_print(self, row: list[str]) -> None:
        counted = chances(pool_of(row[0]), 0)
        told = [counted.gambles, *counted.damage, counted.sixes]
        assert shares(tuple(told), counted.total) == fractions(row[1:])

    @pytest.mark.parametrize("row", rows(OPPOSED))
    def test_opposed_rolls_match_the_print(self, row: list[str]) -> None:
        contest = opposed_odds(pool_of(row[0]), pool_of(row[1]))
        assert shares(contest[1:], contest.total) == fractions(row[2:5])


# -- icepool, which counts dice by itself ---------------------------------------------------------------

EDGES = {sides: icepool.d(sides).map(edges_of) * 100 for sides in (6, 8, 10, 12)}
STRESS_DIE = icepool.d(6).map(lambda face: {6: 100, 1: 1}.get(face, 0))
"""Edges are hundreds, banes are ones."""
BASES = [(a, s, t) for a in RATED for s in RUNGS for t in RUNGS]
GRID = [
    (Pool(*base, stress), upto)
    for n, base in enumerate(BASES)
    for stress, upto in ((n % 5, -1), (n % 4, 0), (n % 3, 1))
]


def rolled(pool: Pool, locked: int = 0) -> icepool.Die:
    """Return the edges and banes of one roll."""
    dice = [EDGES[sides] for sides in pool.action] + [STRESS_DIE] * pool.stress
    return sum(dice, icepool.Die([locked]))


def by_icepool(pool: Pool, upto: int) -> icepool.Die:
    """Return the chances of edges and banes after the gamble, computed with icepool from the rule."""

    def again(lies: int) -> object:
        edges, banes = divmod(lies, 100)
        return lies if edges > upto else rolled(pool._replace(stress=pool.stress - banes + 1), banes)

    return rolled(pool).map(again)


def test_grid_is_large_enough() -> None:
    assert len(set(GRID)) >= 200


@pytest.mark.parametrize("part", range(8))
def test_odds_agree_with_icepool(part: int) -> None:
    for pool, upto in GRID[part::8]:
        die = by_icepool(pool, upto)
        counted = chances(pool, upto)
        edges, hurt = (die.map(lambda lies, at=at: min(divmod(lies, 100)[at], 3)) for at in (0, 1))
        for n in range(4):
            assert Fraction(counted.outcomes[n], counted.total) == edges.probability(n), (pool, upto)
            assert Fraction(counted.damage[n], counted.total) == hurt.probability(n), (pool, upto)


def test_opposed_rolls_agree_with_icepool() -> None:
    for n, (one, other) in enumerate(zip(BASES[::3], BASES[::-3], strict=False)):
        ours, theirs = Pool(*one, n % 3), Pool(*other)
        contest = opposed_odds(ours, theirs)
        a, b = (rolled(pool).map(lambda lies: lies // 100) for pool in (ours, theirs))
        assert Fraction(contest.acting, contest.total) == (a > b).probability(True)
        assert Fraction(contest.tie, contest.total) == (a == b).probability(True)


class TestOddsAfterGamble:
    @pytest.mark.parametrize("stress", [(), (1,), (6, 1), (1, 1, 3)])
    def test_odds_agree_with_every_throw(self, stress: tuple[int, ...]) -> None:
        pool = Pool("d8", "d6", NONE, len(stress))
        before = DiceResult(3, 6, 0, stress)
        wanted = gamble(pool, before).dice
        outcomes, damage = [0] * 4, [0] * 4
        names = [name for name, sides in wanted.items() for _ in (sides if isinstance(sides, tuple) else (sides,))]
        sides = [s for each in wanted.values() for s in (each if isinstance(each, tuple) else (each,))]
        for faces in product(*(range(1, s + 1) for s in sides)):
            thrown = {name: face for name, face in zip(names, faces, strict=True) if name != "stress"}
            lies = gambled(
                before, {**thrown, "stress": [f for n, f in zip(names, faces, strict=True) if n == "stress"]}
            )
            outcomes[min(lies.edges, 3)] += 1
            damage[min(lies.banes, 3)] += 1
        counted = after_gamble(pool, before)
        assert counted.outcomes == tuple(outcomes)
        assert counted.damage == tuple(damage)
        assert counted.total == sum(outcomes)


POOLS = st.builds(Pool, st.sampled_from(RUNGS), st.sampled_from(RUNGS), st.sampled_from(RUNGS), st.integers(0, 12))


class TestProperties:
    @given(POOLS, st.integers(-1, 1))
    def test_outcomes_and_damage_cover_all_throws(self, pool: Pool, upto: int) -> None:
        counted = chances(pool, upto)
        assert sum(counted.outcomes) == sum(counted.damage) == counted.total
        assert min(*counted.outcomes, *counted.damage, counted.gambles, counted.sixes) >= 0

    @given(POOLS)
    def test_stress_die_never_makes_failure_likelier(self, pool: Pool) -> None:
        one, more = chances(pool), chances(pool._replace(stress=pool.stress + 1))
        assert Fraction(more.outcomes[0], more.total) <= Fraction(one.outcomes[0], one.total)

    @given(POOLS)
    def test_percentages_add_up_best_first(self, pool: Pool) -> None:
        shown = shown_odds(chances(pool))
        assert [name for name, _, _ in shown] == ["great", "success", "mixed", "failure"]
        assert isclose(sum(n for _, n, _ in shown), 100)

    @given(POOLS)
    def test_pool_without_stress_dice_has_no_banes(self, pool: Pool) -> None:
        assert (bane(chances(pool)) == "0") == (pool.stress == 0)

    @given(POOLS, POOLS)
    def test_tie_goes_to_the_defender(self, ours: Pool, theirs: Pool) -> None:
        contest = opposed_odds(ours, theirs)
        acting, defending = shown_versus(contest, acts=True), shown_versus(contest, acts=False)
        assert isclose(acting[0][1] + acting[1][1], 100)
        assert acting[0][1] == defending[1][1]

    @given(st.lists(st.integers(1, 6), max_size=4))
    def test_gamble_cannot_undo_banes(self, stress: list[int]) -> None:
        before = read_dice({"attribute": 3, "stress": stress})
        counted = after_gamble(Pool("d8", NONE, NONE, len(stress)), before)
        assert not any(counted.damage[: min(before.banes, 3)])
