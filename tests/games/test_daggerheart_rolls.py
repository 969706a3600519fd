"""The dice of Daggerheart, once the faces are known."""

import pytest

from tracker.games.api.errors import Refused
from tracker.games.daggerheart.character import ARRAYS
from tracker.games.daggerheart.dice import (
    OUTCOMES,
    Attack,
    Duality,
    announced,
    dice,
    extra,
    is_dice,
    is_success,
    is_with_hope,
    net,
    steps,
    tier,
)
from tracker.games.daggerheart.harm import arriving, minions_beaten, severity


@pytest.mark.parametrize(
    ("hope", "fear", "plus", "outcome", "said"),
    [
        (8, 5, 2, "success with hope", "15 with Hope"),
        (5, 8, 1, "success with fear", "14 with Fear"),
        (9, 3, 0, "failure with hope", "12 with Hope"),
        (3, 7, -1, "failure with fear", "9 with Fear"),
        (2, 2, 0, "critical success", "Critical Success"),
    ],
)
def test_five_outcomes_against_14_are_named_and_announced(
    hope: int, fear: int, plus: int, outcome: str, said: str
) -> None:
    roll = Duality(hope, fear, plus)
    assert roll.outcome(14) == outcome
    assert announced(roll.total, outcome) == said


def test_modifier_never_changes_the_higher_die() -> None:
    for plus in range(-20, 21):
        assert not Duality(4, 9, plus).with_hope
        assert Duality(9, 4, plus).with_hope
        assert Duality(4, 4, plus).critical


@pytest.mark.parametrize(("up", "down", "left"), [(0, 0, 0), (1, 0, 1), (3, 1, 1), (1, 1, 0), (2, 3, -1), (0, 9, -1)])
def test_advantages_cancel_one_for_one(up: int, down: int, left: int) -> None:
    assert net(up, down) == left


@pytest.mark.parametrize(
    ("own", "die", "helpers", "edition", "sum_"),
    [
        (1, 2, [5, 3], "2.0", 5),
        (1, 2, [5, 3], "1.0", 7),
        (1, 6, [5], "2.0", 6),
        (-1, 5, [3], "2.0", -2),
        (-1, 5, [3], "1.0", -2),
        (0, 0, [3, 4], "2.0", 4),
        (1, 4, [], "1.0", 4),
        (0, 0, [], "2.0", 0),
    ],
)
def test_extra_dice_add_up_by_edition(own: int, die: int, helpers: list[int], edition: str, sum_: int) -> None:
    assert extra(own, die, helpers, edition) == sum_


def test_kept_d20_decides_about_a_critical() -> None:
    assert not Attack((20, 6), -1, 3).critical
    assert Attack((20, 6), 1, 3).critical
    assert Attack((20,), 0, -9).hits(99)
    assert not Attack((1,), 0, 3).hits(5)


@pytest.mark.parametrize(
    ("text", "proficiency", "read"),
    [
        ("d8+3", 1, "1d8+3"),
        ("d8+3", 3, "3d8+3"),
        ("2d6", 3, "2d6"),
        ("2d6-1", 1, "2d6-1"),
        ("d8 + 1d6 + 2", 2, "2d8+1d6+2"),
        ("5", 1, "5"),
        ("D10+1", 2, "2d10+1"),
        ("d8+2", 0, "2"),
    ],
)
def test_damage_dice_are_parsed(text: str, proficiency: int, read: str) -> None:
    assert str(dice(text, proficiency)) == read


@pytest.mark.parametrize("text", ["", "eight", "d", "d1", "d200", "2x6", "d8+", "-d8", "99d6", "d8d8", "+", "3d6+d"])
def test_invalid_damage_is_refused_in_a_sentence(text: str) -> None:
    assert not is_dice(text)
    with pytest.raises(Refused, match="isn't dice"):
        dice(text)


def test_critical_adds_the_maximum_of_the_dice_and_flat_damage_once() -> None:
    assert dice("2d8+1").total([3, 6], critical=True) == 26
    assert dice("2d8+1").total([3, 6], critical=False) == 10


@pytest.mark.parametrize(("damage", "hp"), [(-1, 0), (0, 0), (1, 1), (6, 1), (7, 2), (13, 2), (14, 3), (28, 3)])
def test_damage_equal_to_a_threshold_reaches_it(damage: int, hp: int) -> None:
    assert severity(damage, (7, 14), massive=False) == hp


def test_severity_covers_massive_and_no_damage() -> None:
    assert severity(28, (7, 14), massive=True) == 4
    assert severity(27, (7, 14), massive=True) == 3
    assert severity(99, (0, 0), massive=True) == 1


def test_damage_of_both_types_needs_both_resistances() -> None:
    none = {"physical": 0, "magic": 0}
    assert arriving(15, "both", ["magic"], [], none) == 15
    assert arriving(15, "both", ["magic", "physical"], [], none) == 8
    assert arriving(15, "both", [], ["magic"], none) == 15
    assert arriving(15, "magic", [], ["magic"], none) == 0
    assert arriving(15, "physical", ["physical"], [], {"physical": 3, "magic": 0}) == 5
    assert arriving(2, "physical", [], [], {"physical": 3, "magic": 0}) == 0


@pytest.mark.parametrize(("damage", "beaten"), [(0, 0), (2, 1), (3, 2), (7, 3), (99, 5)])
def test_minions_fall_by_damage(damage: int, beaten: int) -> None:
    assert minions_beaten(damage, 3, 5) == beaten


def test_countdowns_advance_by_outcome() -> None:
    assert [steps("progress", o) for o in OUTCOMES] == [3, 2, 1, 0, 0]
    assert [steps("consequence", o) for o in OUTCOMES] == [0, 0, 1, 2, 3]
    assert {steps("standard", o) for o in OUTCOMES} == {1}
    assert {steps("long_term", o) for o in OUTCOMES} == {0}


def test_critical_counts_as_success_with_hope() -> None:
    assert [is_success(o) for o in OUTCOMES] == [True, True, True, False, False]
    assert [is_with_hope(o) for o in OUTCOMES] == [True, True, False, True, False]


def test_tier_follows_from_level() -> None:
    assert [tier(level) for level in range(1, 11)] == [1, 2, 2, 2, 3, 3, 3, 4, 4, 4]


def test_every_legal_array_is_listed_once() -> None:
    assert len(ARRAYS) == len(set(ARRAYS)) == 180
    assert all(sorted(one) == [-1, 0, 0, 1, 1, 2] for one in ARRAYS)
