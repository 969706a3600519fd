"""Chances over many rolls, against brute force and a simulation."""

import math
import random
from itertools import product

import pytest

from tracker.campaign.luck import Sums, distribution, stray_chance, streak_chance

SURE = (3, 1, 2)
"""Odds of a roll with three outcomes, best first: 3, 1 and 2 of 6 ways."""


def test_distribution_of_a_few_rolls_equals_all_combinations() -> None:
    rolls = [SURE, SURE, (1, 1), (1, 1), (1, 1), (10, 30, 40, 20)]
    found = distribution({SURE: 2, (1, 1): 3, (10, 30, 40, 20): 1})
    sums: dict[int, float] = {}
    points = [[(len(odds) - 1 - n, ways / sum(odds)) for n, ways in enumerate(odds)] for odds in rolls]
    for way in product(*points):
        total = sum(point for point, _ in way)
        sums[total] = sums.get(total, 0) + math.prod(chance for _, chance in way)
    assert {found.low + n: chance for n, chance in enumerate(found.chances)} == pytest.approx(sums)
    assert found.at_least(7) == pytest.approx(sum(chance for total, chance in sums.items() if total >= 7))


def test_distribution_of_hundreds_of_rolls_agrees_with_a_simulation() -> None:
    rolls: dict[tuple[int, ...], int] = {
        (150, 250, 200): 120,
        (4, 32, 64): 60,
        (54, 42, 4): 33,
        (12, 55, 55, 11, 11): 40,
    }
    found = distribution(rolls)
    luck = random.Random(5)
    each = [odds for odds, many in rolls.items() for _ in range(many)]
    sums = [
        sum(luck.choices(range(len(odds) - 1, -1, -1), odds)[0] for odds in each)  # one evening of all these rolls
        for _ in range(2000)
    ]
    assert math.fsum(found.chances) == pytest.approx(1)
    assert found.mean == pytest.approx(sum(sums) / len(sums), abs=1)
    for seen in range(int(found.mean) - 20, int(found.mean) + 21, 10):
        simulated = sum(one >= seen for one in sums) / len(sums)
        assert found.at_least(seen) == pytest.approx(simulated, abs=0.04)


def test_distribution_of_very_many_rolls_keeps_its_mean_and_total() -> None:
    rolls: dict[tuple[int, ...], int] = {(100 + n, 300 - n, 200): 90 for n in range(80)}
    found = distribution(rolls)
    mean = sum(many * (2 * a + b) / (a + b + c) for (a, b, c), many in rolls.items())
    assert found.mean == pytest.approx(mean)
    assert math.fsum(found.chances) == pytest.approx(1)


def test_distribution_of_no_roll_is_certain() -> None:
    assert distribution({}) == Sums(0, (1.0,))
    assert distribution({}).at_least(0) == 1
    assert distribution({(0, 6): 9}).at_least(1) == 0


@pytest.mark.parametrize("length", range(6))
def test_streak_chance_equals_all_sequences(length: int) -> None:
    chances = [0.3, 0.9, 0.5, 0.7, 0.2]
    expected = 0.0
    for way in product((True, False), repeat=len(chances)):
        run = best = 0
        for hit in way:
            run = run + 1 if hit else 0
            best = max(best, run)
        weight = math.prod(chance if hit else 1 - chance for hit, chance in zip(way, chances, strict=True))
        expected += weight if best >= length else 0
    assert streak_chance(chances, length) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("faces", "chance"),
    [([10] * 6, 1.0), ([16, 5, 9, 7, 6, 17], 0.018), ([30, 20], 0.157), ([12, 8, 10, 10, 9, 11, 10, 10, 14, 6], 0.898)],
)
def test_stray_chance_is_that_of_the_chi_square_test(faces: list[int], chance: float) -> None:
    assert stray_chance(faces) == pytest.approx(chance, abs=0.002)


def test_stray_chance_of_few_rolls_is_unknown() -> None:
    assert stray_chance([1, 2, 0, 0, 5, 1]) is None
    assert stray_chance([]) is None
