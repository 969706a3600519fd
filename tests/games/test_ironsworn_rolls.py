"""What the dice of Ironsworn mean: scores, outcomes, matches, burning, the oracle, ranks, the words."""

from collections.abc import Iterator
from itertools import product

import pytest

from tracker.games.ironsworn.dice import (
    ODDS,
    ActionRoll,
    OracleAnswer,
    ProgressRoll,
    oracle_answer,
    told,
    told_progress,
)
from tracker.games.ironsworn.ranks import RANKS, rank_up
from tracker.games.ironsworn.state import momentum_max, momentum_reset

FACES = range(1, 11)
CHALLENGES = list(product(FACES, FACES))
BETTER = ["miss", "weak hit", "strong hit"]
BY_DICE_THAT_STAND = ["strong hit", "weak hit", "miss"]
CANCELS = {-1: 1, -2: 2, -3: 3, -4: 4, -5: 5, -6: 6}
"""The face of the action die that each negative momentum takes away."""


def every_action_roll() -> Iterator[ActionRoll]:
    """Yield every throw of the three dice, for totals and momenta from one end to the other."""
    for action, challenge, stat, momentum in product(range(1, 7), CHALLENGES, (0, 1, 3, 5, 9), range(-6, 11)):
        yield ActionRoll(action, challenge, stat, 0, momentum)


def every_progress_roll() -> Iterator[ProgressRoll]:
    for ticks, challenge in product(range(41), CHALLENGES):
        yield ProgressRoll(ticks, challenge)


class TestEveryThrow:
    """All 600 faces at every momentum, with 0 to 8 from stat and adds, against the rule told in another way."""

    @pytest.mark.parametrize("momentum", range(-6, 11))
    def test_every_throw_follows_the_rule(self, momentum: int) -> None:
        for action, challenge, points in product(range(1, 7), CHALLENGES, range(9)):
            stat = (action + sum(challenge)) % (points + 1)  # every way to part the points comes up
            roll = ActionRoll(action, challenge, stat, points - stat, momentum)

            cancelled = CANCELS.get(momentum) == action
            total = points if cancelled else points + action
            stand = [die for die in challenge if die == 10 or die >= total]
            stand_after_a_burn = [die for die in stand if die == 10 or die >= momentum]

            throw = (action, challenge, stat, points - stat)
            assert roll.cancelled == cancelled, throw
            assert (roll.raw, roll.score) == (total, min(total, 10)), throw
            assert roll.match == (len(set(challenge)) == 1), throw
            assert roll.outcome == BY_DICE_THAT_STAND[len(stand)], throw
            assert roll.burn_helps == (len(stand_after_a_burn) < len(stand)), throw
            assert roll.burned_outcome == BY_DICE_THAT_STAND[len(stand_after_a_burn)], throw


class TestScore:
    def test_score_is_action_die_plus_stat_and_adds(self) -> None:
        assert ActionRoll(4, (5, 9), stat=3, adds=1).score == 8

    def test_score_is_capped_at_10_and_the_raw_total_is_kept(self) -> None:
        roll = ActionRoll(6, (9, 8), stat=3, adds=3)
        assert (roll.raw, roll.score, roll.outcome) == (12, 10, "strong hit")

    def test_raw_score_of_16_does_not_beat_a_10(self) -> None:
        roll = ActionRoll(6, (10, 10), stat=5, adds=5)
        assert roll.raw == 16
        assert roll.beaten == (False, False)
        assert roll.outcome == "miss"

    def test_score_may_be_0(self) -> None:
        assert ActionRoll(1, (1, 1), stat=0, momentum=-1).score == 0

    def test_negative_add_lowers_the_score(self) -> None:
        assert ActionRoll(4, (5, 9), stat=3, adds=-1).score == 6


class TestNegativeMomentum:
    def test_face_of_the_same_size_is_cancelled_and_stat_and_adds_stay(self) -> None:
        roll = ActionRoll(3, (1, 3), stat=2, adds=1, momentum=-3)
        assert roll.cancelled
        assert roll.score == 3
        assert roll.outcome == "weak hit"

    def test_other_faces_count_and_momentum_is_never_subtracted(self) -> None:
        roll = ActionRoll(4, (1, 3), stat=2, momentum=-3)
        assert not roll.cancelled
        assert roll.score == 6
        assert roll.outcome == "strong hit"

    def test_cancel_happens_exactly_if_face_and_momentum_sum_to_0(self) -> None:
        for action, momentum in product(range(1, 7), range(-6, 11)):
            roll = ActionRoll(action, (1, 1), stat=0, momentum=momentum)
            assert roll.cancelled == (momentum < 0 and abs(momentum) == action)

    @pytest.mark.parametrize("momentum", [0, 3])
    def test_momentum_of_0_or_more_never_cancels(self, momentum: int) -> None:
        roll = ActionRoll(3, (2, 9), stat=2, momentum=momentum)
        assert not roll.cancelled
        assert roll.score == 5

    def test_cancel_happens_before_the_cap(self) -> None:
        roll = ActionRoll(3, (7, 9), stat=5, adds=3, momentum=-3)
        assert roll.score == 8
        assert roll.outcome == "weak hit"

    def test_cancelled_roll_still_scores_10_by_stat_and_adds(self) -> None:
        assert ActionRoll(6, (1, 1), stat=5, adds=6, momentum=-6).score == 10


class TestOutcome:
    @pytest.mark.parametrize(
        ("challenge", "beaten", "outcome"),
        [
            ((5, 3), (True, True), "strong hit"),
            ((7, 3), (False, True), "weak hit"),
            ((3, 7), (True, False), "weak hit"),
            ((7, 8), (False, False), "miss"),
        ],
    )
    def test_outcome_counts_challenge_dice_that_a_6_beats(
        self, challenge: tuple[int, int], beaten: tuple[bool, bool], outcome: str
    ) -> None:
        roll = ActionRoll(4, challenge, stat=2)
        assert roll.beaten == beaten
        assert roll.outcome == outcome

    def test_tie_goes_to_the_challenge_die(self) -> None:
        assert ActionRoll(3, (5, 2), stat=2).outcome == "weak hit"
        assert ActionRoll(2, (4, 4), stat=2).outcome == "miss"

    def test_challenge_die_of_10_is_never_beaten(self) -> None:
        for roll in every_action_roll():
            if 10 in roll.challenge:
                assert "strong hit" not in (roll.outcome, roll.burned_outcome)
        for progress in every_progress_roll():
            if 10 in progress.challenge:
                assert progress.outcome != "strong hit"

    def test_challenge_die_of_10_is_never_beaten_by_manual_numbers(self) -> None:
        assert ActionRoll(6, (10, 9), stat=9, momentum=12).burned_outcome == "weak hit"
        assert ProgressRoll(48, (10, 9)).outcome == "weak hit"


class TestMatch:
    def test_match_is_two_equal_challenge_dice(self) -> None:
        for roll in every_action_roll():
            assert roll.match == (roll.challenge[0] == roll.challenge[1])
        for progress in every_progress_roll():
            assert progress.match == (progress.challenge[0] == progress.challenge[1])

    def test_match_is_never_a_weak_hit(self) -> None:
        for roll in every_action_roll():
            if roll.match:
                assert "weak hit" not in (roll.outcome, roll.burned_outcome)
        for progress in every_progress_roll():
            if progress.match:
                assert progress.outcome != "weak hit"

    def test_match_on_a_miss_stays_a_miss(self) -> None:
        roll = ActionRoll(2, (4, 4), stat=2)
        assert roll.match
        assert roll.outcome == "miss"

    def test_burn_of_both_dice_makes_no_match(self) -> None:
        roll = ActionRoll(2, (7, 8), stat=2, momentum=9)
        assert roll.burned_outcome == "strong hit"
        assert not roll.match


class TestBurningMomentum:
    @pytest.mark.parametrize(
        ("action", "challenge", "stat", "momentum", "before", "after"),
        [
            (2, (7, 8), 2, 9, "miss", "strong hit"),
            (3, (5, 8), 1, 6, "miss", "weak hit"),
            (4, (5, 8), 2, 9, "weak hit", "strong hit"),
            (1, (1, 2), 0, 2, "miss", "weak hit"),
        ],
    )
    def test_burn_resolves_the_roll_again(
        self, action: int, challenge: tuple[int, int], stat: int, momentum: int, before: str, after: str
    ) -> None:
        roll = ActionRoll(action, challenge, stat, 0, momentum)
        assert roll.outcome == before
        assert roll.burned_outcome == after
        assert roll.burn_helps

    def test_burn_does_not_cancel_a_die_equal_to_momentum(self) -> None:
        roll = ActionRoll(2, (7, 9), stat=1, momentum=7)
        assert roll.burned_outcome == "miss"
        assert not roll.burn_helps

    def test_burn_is_not_offered_against_a_10_that_keeps_the_outcome(self) -> None:
        assert not ActionRoll(6, (10, 9), stat=3, adds=3, momentum=10).burn_helps

    def test_burn_counts_the_better_of_score_and_momentum(self) -> None:
        for roll in every_action_roll():
            better = max(roll.score, roll.momentum)
            beaten = sum(better > die for die in roll.challenge)
            assert roll.burned_outcome == BETTER[beaten]

    def test_burn_is_offered_exactly_if_it_improves_the_outcome(self) -> None:
        for roll in every_action_roll():
            improves = BETTER.index(roll.burned_outcome) > BETTER.index(roll.outcome)
            assert roll.burn_helps == improves

    def test_burn_never_makes_an_outcome_worse(self) -> None:
        for roll in every_action_roll():
            assert BETTER.index(roll.burned_outcome) >= BETTER.index(roll.outcome)

    def test_burn_is_never_offered_at_momentum_1_or_less(self) -> None:
        for roll in every_action_roll():
            if roll.momentum <= 1:
                assert not roll.burn_helps


class TestProgressRoll:
    def test_only_full_boxes_count(self) -> None:
        assert ProgressRoll(26, (5, 7)).score == 6
        assert ProgressRoll(26, (6, 6)).outcome == "miss"

    def test_four_ticks_score_one(self) -> None:
        scores = [ProgressRoll(ticks, (1, 1)).score for ticks in (0, 3, 4, 7, 8, 39, 40)]
        assert scores == [0, 0, 1, 1, 2, 9, 10]

    def test_full_track_can_be_a_weak_hit(self) -> None:
        assert ProgressRoll(40, (10, 4)).outcome == "weak hit"

    def test_tie_goes_to_the_challenge_die(self) -> None:
        assert ProgressRoll(30, (8, 7)).outcome == "miss"

    def test_progress_roll_has_no_burn(self) -> None:
        assert not hasattr(ProgressRoll(26, (5, 7)), "burn_helps")
        assert not hasattr(ProgressRoll(26, (5, 7)), "burned_outcome")


class TestOracle:
    @pytest.mark.parametrize(
        ("odds", "chance"),
        [("almost_certain", 90), ("likely", 75), ("fifty_fifty", 50), ("unlikely", 25), ("small_chance", 10)],
    )
    def test_yes_is_as_frequent_as_the_odds_say(self, odds: str, chance: int) -> None:
        answers = [oracle_answer(roll, odds).answer for roll in range(1, 101)]
        assert answers == ["no"] * (100 - chance) + ["yes"] * chance

    @pytest.mark.parametrize("odds", ODDS)
    def test_double_zero_is_100_a_yes_and_a_match(self, odds: str) -> None:
        assert oracle_answer(100, odds) == OracleAnswer("yes", match=True)

    def test_match_happens_on_ten_of_100_faces(self) -> None:
        matches = [roll for roll in range(1, 101) if oracle_answer(roll, "likely").match]
        assert matches == [11, 22, 33, 44, 55, 66, 77, 88, 99, 100]

    def test_odds_have_their_printed_labels(self) -> None:
        labels = [label for label, _ in ODDS.values()]
        assert labels == ["almost certain", "likely", "50/50", "unlikely", "small chance"]


class TestRanks:
    def test_ranks_are_numbered_1_to_5(self) -> None:
        numbers = {name: rank.number for name, rank in RANKS.items()}
        assert numbers == {"troublesome": 1, "dangerous": 2, "formidable": 3, "extreme": 4, "epic": 5}

    def test_marks_range_from_three_boxes_to_one_tick(self) -> None:
        assert [rank.ticks for rank in RANKS.values()] == [12, 8, 4, 2, 1]

    def test_fulfilled_vow_pays_experience_and_one_less_on_a_weak_hit(self) -> None:
        assert [rank.xp_strong for rank in RANKS.values()] == [1, 2, 3, 4, 5]
        assert [rank.xp_weak for rank in RANKS.values()] == [0, 1, 2, 3, 4]

    def test_rank_up_stops_at_epic(self) -> None:
        assert [rank_up(name) for name in RANKS] == ["dangerous", "formidable", "extreme", "epic", "epic"]


class TestDebilities:
    def test_each_debility_lowers_the_maximum_by_one(self) -> None:
        assert [momentum_max(debilities) for debilities in range(9)] == [10, 9, 8, 7, 6, 5, 4, 3, 2]

    def test_reset_is_1_with_one_debility_and_0_with_more(self) -> None:
        assert [momentum_reset(debilities) for debilities in range(9)] == [2, 1, 0, 0, 0, 0, 0, 0, 0]


class TestSumText:
    @pytest.mark.parametrize(
        ("roll", "words"),
        [
            (ActionRoll(4, (5, 9), 3, 1), "4 + edge 3 + 1 = 8"),
            (ActionRoll(4, (5, 9), 3), "4 + edge 3 = 7"),
            (ActionRoll(4, (5, 9), 3, -1), "4 + edge 3 - 1 = 6"),
            (ActionRoll(6, (9, 8), 3, 3), "6 + edge 3 + 3 = 12, capped at 10"),
            (ActionRoll(6, (9, 8), 3, 1), "6 + edge 3 + 1 = 10"),
            (
                ActionRoll(3, (1, 3), 2, 0, -3),
                "0 + edge 2 = 2; momentum -3 cancels the action die",
            ),
            (
                ActionRoll(3, (1, 3), 5, 6, -3),
                "0 + edge 5 + 6 = 11, capped at 10; momentum -3 cancels the action die",
            ),
        ],
    )
    def test_sum_tells_adds_cap_and_cancel(self, roll: ActionRoll, words: str) -> None:
        assert told(roll, "edge")[0] == words

    @pytest.mark.parametrize(
        ("ticks", "words"),
        [
            (0, "0 full boxes"),
            (4, "1 full box"),
            (25, "6 full boxes; 1 extra tick doesn't count"),
            (26, "6 full boxes; 2 extra ticks don't count"),
        ],
    )
    def test_sum_tells_ticks_that_do_not_count(self, ticks: int, words: str) -> None:
        assert told_progress(ProgressRoll(ticks, (1, 2)))[0] == words

    def test_cancelled_die_is_told_exactly_if_there_is_one(self) -> None:
        for roll in every_action_roll():
            assert ("cancels" in told(roll, "edge")[0]) == roll.cancelled


class TestReasonText:
    @pytest.mark.parametrize(
        ("score", "challenge", "words"),
        [
            (5, (4, 5), "5 beats the 4 and ties the 5 (a tie goes to the die)"),
            (5, (5, 4), "5 beats the 4 and ties the 5 (a tie goes to the die)"),
            (8, (5, 3), "8 beats both"),
            (6, (8, 5), "6 beats the 5, but not the 8"),
            (4, (9, 4), "4 ties the 4 and is below the 9 (a tie goes to the die)"),
            (3, (9, 4), "3 is below both"),
            (7, (6, 6), "7 beats both; a match: expect a twist or an opening"),
            (4, (4, 4), "4 ties both (a tie goes to the die); a match: the trouble is worse"),
            (3, (4, 4), "3 is below both; a match: the trouble is worse"),
            (9, (10, 10), "9 is below both; double tens: as bad as it gets"),
            (10, (10, 10), "10 ties both (a tie goes to the die); double tens: as bad as it gets"),
        ],
    )
    def test_reason_names_each_die_and_the_match(self, score: int, challenge: tuple[int, int], words: str) -> None:
        assert told(ActionRoll(1, challenge, stat=score - 1), "edge")[1] == words
        assert told_progress(ProgressRoll(4 * score, challenge))[1] == words

    def test_every_tie_is_told(self) -> None:
        for roll in every_action_roll():
            assert ("a tie goes to the die" in told(roll, "edge")[1]) == (roll.score in roll.challenge)

    def test_reason_fits_on_one_line_of_the_card(self) -> None:
        for roll in every_action_roll():
            assert all(len(part) <= 70 for part in told(roll, "shadow"))
        for progress in every_progress_roll():
            assert all(len(part) <= 70 for part in told_progress(progress))
