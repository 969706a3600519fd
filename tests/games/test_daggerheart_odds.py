"""The odds shown before a roll are exact: they agree with the printed counts and with icepool."""

import re
from fractions import Fraction
from itertools import product
from math import isclose

import icepool
import pytest

from tracker.games.daggerheart.dice import (
    OUTCOMES,
    Attack,
    Duality,
    attack_odds,
    extra,
    odds,
    over_a_range,
    reaction_odds,
    secret_odds,
    shown_attack,
    shown_odds,
)

PRINTED = """
| 5 | 0 | 12 | 64 | 64 | 2 | 2 | 140 |
| 10 | -1 | 12 | 46 | 46 | 20 | 20 | 104 |
| 10 | 0 | 12 | 50 | 50 | 16 | 16 | 112 |
| 10 | +2 | 12 | 57 | 57 | 9 | 9 | 126 |
| 13 | 0 | 12 | 36 | 36 | 30 | 30 | 84 |
| 15 | 0 | 12 | 25 | 25 | 41 | 41 | 62 |
| 15 | +2 | 12 | 36 | 36 | 30 | 30 | 84 |
| 20 | 0 | 12 | 6 | 6 | 60 | 60 | 24 |
| 20 | +2 | 12 | 12 | 12 | 54 | 54 | 36 |
| 25 | 0 | 12 | 0 | 0 | 66 | 66 | 12 |
"""
DIFFICULTIES, MODIFIERS = range(5, 31), range(-3, 9)


@pytest.mark.parametrize("row", PRINTED.strip().splitlines())
def test_odds_match_the_printed_counts_of_144(row: str) -> None:
    difficulty, modifier, *counts, success = map(int, re.findall(r"[+-]?\d+", row))
    assert list(odds(difficulty, modifier)) == counts
    assert odds(difficulty, modifier).success == success
    assert odds(difficulty, modifier).total == 144


@pytest.mark.parametrize(("own", "counts"), [(1, (72, 257, 257, 139, 139)), (-1, (72, 67, 67, 329, 329))])
def test_odds_match_the_printed_counts_of_864(own: int, counts: tuple[int, ...]) -> None:
    assert odds(15, 0, own) == counts


def by_icepool(own: int) -> dict[tuple[str, int], Fraction]:
    """Return the chance of each kind of throw, computed with icepool from the rule."""
    beside = icepool.d6 if own else icepool.Die([0])

    def told(hope: int, fear: int, d6: int) -> tuple[str, int]:
        kind = "critical" if hope == fear else "hope" if hope > fear else "fear"
        return kind, hope + fear + own * d6

    die = icepool.map(told, icepool.d12, icepool.d12, beside)
    return {outcome: Fraction(many, die.denominator()) for outcome, many in die.items()}


@pytest.mark.parametrize("own", [-1, 0, 1])
def test_odds_agree_with_icepool(own: int) -> None:
    thrown = by_icepool(own)
    for difficulty, modifier in product(DIFFICULTIES, MODIFIERS):
        chance: dict[str, Fraction] = {outcome: Fraction(0) for outcome in OUTCOMES}
        for (kind, total), many in thrown.items():
            if kind == "critical":
                chance["critical success"] += many
            else:
                chance[f"{'success' if total + modifier >= difficulty else 'failure'} with {kind}"] += many
        counted = odds(difficulty, modifier, own)
        assert [Fraction(n, counted.total) for n in counted] == list(chance.values()), (difficulty, modifier)


@pytest.mark.parametrize("edition", ["2.0", "1.0"])
@pytest.mark.parametrize("own", [-1, 0, 1])
@pytest.mark.parametrize("helpers", [1, 2])
def test_helpers_count_by_edition(edition: str, own: int, helpers: int) -> None:
    counts = [0] * 5
    mine = range(1, 7) if own else (0,)
    for hope, fear, d6, *help_ in product(range(1, 13), range(1, 13), mine, *(range(1, 7),) * helpers):
        roll = Duality(hope, fear, 1 + extra(own, d6, help_, edition))
        counts[OUTCOMES.index(roll.outcome(17))] += 1
    assert list(odds(17, 1, own, helpers, edition)) == counts


def test_odds_with_another_advantage_die_are_exact() -> None:
    assert odds(15, 0, 1, die=8).total == 144 * 8
    assert odds(15, 0, 1, die=8).success * 864 > odds(15, 0, 1).success * 144 * 8


@pytest.mark.parametrize("own", [-1, 0, 1])
def test_adversary_attack_odds_are_exact(own: int) -> None:
    faces = product(range(1, 21), repeat=2) if own else ((n,) for n in range(1, 21))
    lies = [Attack(face, own, 3) for face in faces]
    critical = sum(one.critical for one in lies)
    hit = sum(one.hits(15) and not one.critical for one in lies)
    assert attack_odds(15, 3, own) == (critical, hit, len(lies) - critical - hit)


def test_shown_odds_add_up_to_100() -> None:
    for difficulty, modifier, own in product(DIFFICULTIES, MODIFIERS, (-1, 0, 1)):
        counted = odds(difficulty, modifier, own)
        for shown in (
            shown_odds(counted),
            reaction_odds(counted),
            secret_odds(),
            shown_attack(attack_odds(difficulty, modifier, own)),
        ):
            assert isclose(sum(percent for _, percent, _ in shown), 100)


def test_secret_difficulty_shows_chances_over_the_ladder() -> None:
    assert over_a_range(lambda difficulty: odds(difficulty, 0)) == "5: 97%, 10: 78%, 15: 43%, 20: 17%, 25: 8%, 30: 8%"


def test_success_is_always_possible() -> None:
    assert odds(60, -9).success * 12 == odds(60, -9).total
