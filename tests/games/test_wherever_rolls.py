"""Stepping a pool, and the meaning of its faces."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.games.wherever.dice import (
    NONE,
    RATED,
    RUNGS,
    DiceResult,
    Pool,
    damage_of,
    edges_of,
    gamble,
    gambled,
    harm_grade,
    net,
    outcome_of,
    read_dice,
    sides,
    stepped,
)

STEPS = """
| d6+0 | 0+0 | 0+0 | 0+0 | 0+0 | d6+0 | d6+d6 | d6+d8 | d8+d8 |
| d6+d6 | 0+0 | 0+0 | 0+0 | d6+0 | d6+d6 | d6+d8 | d8+d8 | d8+d10 |
| d6+d8 | 0+0 | 0+0 | d6+0 | d6+d6 | d6+d8 | d8+d8 | d8+d10 | d10+d10 |
| d6+d10 | 0+0 | d6+0 | d6+d6 | d6+d8 | d6+d10 | d8+d10 | d10+d10 | d10+d12 |
| d6+d12 | d6+0 | d6+d6 | d6+d8 | d6+d10 | d6+d12 | d8+d12 | d10+d12 | d12+d12 |
| d8+0 | 0+0 | 0+0 | 0+0 | d6+0 | d8+0 | d8+d6 | d8+d8 | d8+d10 |
| d8+d6 | 0+0 | 0+0 | d6+0 | d6+d6 | d8+d6 | d8+d8 | d8+d10 | d10+d10 |
| d8+d8 | 0+0 | d6+0 | d6+d6 | d8+d6 | d8+d8 | d8+d10 | d10+d10 | d10+d12 |
| d8+d10 | d6+0 | d6+d6 | d8+d6 | d8+d8 | d8+d10 | d10+d10 | d10+d12 | d12+d12 |
| d8+d12 | d6+d6 | d8+d6 | d8+d8 | d8+d10 | d8+d12 | d10+d12 | d12+d12 | d12+d12 |
| d10+0 | 0+0 | 0+0 | d6+0 | d8+0 | d10+0 | d10+d6 | d10+d8 | d10+d10 |
| d10+d6 | 0+0 | d6+0 | d6+d6 | d8+d6 | d10+d6 | d10+d8 | d10+d10 | d10+d12 |
| d10+d8 | d6+0 | d6+d6 | d8+d6 | d8+d8 | d10+d8 | d10+d10 | d10+d12 | d12+d12 |
| d10+d10 | d6+d6 | d8+d6 | d8+d8 | d10+d8 | d10+d10 | d10+d12 | d12+d12 | d12+d12 |
| d10+d12 | d8+d6 | d8+d8 | d10+d8 | d10+d10 | d10+d12 | d12+d12 | d12+d12 | d12+d12 |
| d12+0 | 0+0 | d6+0 | d8+0 | d10+0 | d12+0 | d12+d6 | d12+d8 | d12+d10 |
| d12+d6 | d6+0 | d6+d6 | d8+d6 | d10+d6 | d12+d6 | d12+d8 | d12+d10 | d12+d12 |
| d12+d8 | d6+d6 | d8+d6 | d8+d8 | d10+d8 | d12+d8 | d12+d10 | d12+d12 | d12+d12 |
| d12+d10 | d8+d6 | d8+d8 | d10+d8 | d10+d10 | d12+d10 | d12+d12 | d12+d12 | d12+d12 |
| d12+d12 | d8+d8 | d10+d8 | d10+d10 | d12+d10 | d12+d12 | d12+d12 | d12+d12 | d12+d12 |
"""
NETS = range(-4, 4)
CELLS = [
    (*row[0].split("+"), by, tuple(cell.split("+")))
    for row in (re.split(r"\s*\|\s*", line.strip("| ")) for line in STEPS.split("\n") if line)
    for by, cell in zip(NETS, row[1:], strict=True)
]
ATTRIBUTE, SKILL = st.sampled_from(RATED), st.sampled_from(RUNGS)


class TestStepping:
    @pytest.mark.parametrize(("attribute", "skill", "by", "after"), CELLS)
    def test_every_pair_of_ratings_steps_as_printed(
        self, attribute: str, skill: str, by: int, after: tuple[str, str]
    ) -> None:
        assert stepped(attribute, skill, by) == after

    def test_printed_table_has_every_pair(self) -> None:
        assert {(a, s, n) for a, s, n, _ in CELLS} == {(a, s, n) for a in RATED for s in RUNGS for n in NETS}

    @given(ATTRIBUTE, SKILL, st.integers(-40, 40))
    def test_stepping_never_leaves_the_ladder(self, attribute: str, skill: str, by: int) -> None:
        assert set(stepped(attribute, skill, by)) <= set(RUNGS)

    @given(ATTRIBUTE, SKILL, st.integers(-10, 10))
    def test_another_step_never_moves_a_die_the_wrong_way(self, attribute: str, skill: str, by: int) -> None:
        lower, higher = sorted(map(sides, stepped(attribute, skill, by)))
        lower_more, higher_more = sorted(map(sides, stepped(attribute, skill, by + 1)))
        assert lower_more >= lower
        assert higher_more >= higher

    @given(ATTRIBUTE, SKILL, st.integers(0, 10))
    def test_bonus_lowers_no_die_and_penalty_raises_none(self, attribute: str, skill: str, by: int) -> None:
        up, down = stepped(attribute, skill, by), stepped(attribute, skill, -by)
        assert all(sides(new) >= sides(old) for new, old in zip(up, (attribute, skill), strict=True))
        assert all(sides(new) <= sides(old) for new, old in zip(down, (attribute, skill), strict=True))

    @given(st.sampled_from(RATED), st.sampled_from(RATED), st.integers(-10, 10))
    def test_swapped_dice_step_alike(self, one: str, other: str, by: int) -> None:
        assert sorted(stepped(one, other, by)) == sorted(stepped(other, one, by))

    @given(ATTRIBUTE, SKILL, st.integers(-10, 10))
    def test_each_step_moves_one_die_by_one_rung_or_is_lost(self, attribute: str, skill: str, by: int) -> None:
        rungs = [sum(RUNGS.index(die) for die in stepped(attribute, skill, n)) for n in (by, by + 1)]
        assert rungs[1] - rungs[0] == 1 or rungs in ([8, 8], [0, 0])


class TestModifiers:
    def test_bonuses_stop_at_three_before_penalties_come_off(self) -> None:
        assert net([1, 1, 1, 1, 1, -1]) == 2

    def test_penalties_have_no_limit(self) -> None:
        assert net([-3, -3, -3]) == -9

    def test_only_the_worst_harm_counts_beside_other_penalties(self) -> None:
        assert net([-1], [-1, -3, -2]) == -4

    def test_no_modifiers_are_net_0(self) -> None:
        assert net([]) == 0

    @given(st.lists(st.integers(-3, 3), max_size=8), st.lists(st.integers(-3, -1), max_size=4))
    def test_net_is_never_above_three(self, mods: list[int], harms: list[int]) -> None:
        assert net(mods, harms) <= 3


class TestDice:
    @pytest.mark.parametrize(("face", "edges"), [(1, 0), (5, 0), (6, 1), (9, 1), (10, 2), (12, 2)])
    def test_edges_follow_from_the_face(self, face: int, edges: int) -> None:
        assert edges_of(face) == edges

    @pytest.mark.parametrize(
        ("edges", "outcome"),
        [(0, "failure"), (1, "mixed success"), (2, "success"), (3, "great success"), (7, "great success")],
    )
    def test_outcome_follows_from_the_edges(self, edges: int, outcome: str) -> None:
        assert outcome_of(edges) == outcome

    @pytest.mark.parametrize(("banes", "damage"), [(0, 0), (1, 2), (2, 4), (3, 6), (4, 6), (12, 6)])
    def test_damage_follows_from_the_banes(self, banes: int, damage: int) -> None:
        assert damage_of(banes) == damage

    @pytest.mark.parametrize(
        ("points", "grade"),
        [(1, "weakened"), (2, "minor"), (3, "minor"), (4, "severe"), (5, "severe"), (6, "major"), (40, "major")],
    )
    def test_each_share_has_its_own_grade(self, points: int, grade: str) -> None:
        assert harm_grade(points) == grade

    def test_action_die_of_1_is_no_bane(self) -> None:
        assert DiceResult(1, 1, 1, (2, 6)).banes == 0

    def test_missing_dice_are_not_rolled(self) -> None:
        assert Pool("d8", NONE).dice == {"attribute": 8}
        assert Pool("d6", "d12", "d10", 2).dice == {"attribute": 6, "skill": 12, "talent": 10, "stress": (6, 6)}
        assert Pool(NONE, NONE).dice == {}


class TestGamble:
    def test_ones_keep_their_places_and_the_new_die_is_last(self) -> None:
        before = read_dice({"attribute": 4, "stress": [3, 1, 6, 1]})
        after = gambled(before, {"attribute": 10, "stress": [5, 2, 6]})
        assert after == DiceResult(10, 0, 0, (5, 1, 2, 1, 6))

    def test_gamble_without_stress_dice_adds_exactly_one(self) -> None:
        assert gamble(Pool("d8", "d6"), DiceResult(2, 3, 0)).dice == {"attribute": 8, "skill": 6, "stress": (6,)}

    @given(st.lists(st.integers(1, 6), max_size=12), st.data())
    def test_banes_stay_and_one_die_is_added(self, stress: list[int], data: st.DataObject) -> None:
        before = DiceResult(1, 1, 0, tuple(stress))
        wanted = gamble(Pool("d8", "d6", NONE, len(stress)), before)
        faces = data.draw(st.lists(st.integers(1, 6), min_size=wanted.stress, max_size=wanted.stress))
        after = gambled(before, {"attribute": 2, "skill": 2, "stress": faces})
        assert len(after.stress) == len(stress) + 1
        assert after.banes >= before.banes
        assert [face for face in after.stress if face != 1] == [face for face in faces if face != 1]
