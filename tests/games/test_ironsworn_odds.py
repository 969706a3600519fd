"""The odds shown before a roll are exact: they agree with icepool, a library that counts dice by itself."""

from fractions import Fraction
from itertools import product
from math import isclose
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.campaign.playing import GAME
from tests.scenarios import ironsworn

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.games.api.prompts import Pick, Roll
from tracker.games.api.view import chance, percent, whole
from tracker.games.ironsworn.dice import Odds, action_odds, progress_odds, shown_odds, with_burn
from tracker.games.ironsworn.state import STATS as SHEET_STATS

D6, D10 = icepool.d(6), icepool.d(10)
STATS, ADDS, MOMENTA = range(6), range(4), range(-6, 11)


def score_die(stat: int, adds: int, momentum: int) -> Any:
    return D6.map(lambda face: min((0 if -face == momentum else face) + stat + adds, 10))


def counted(score: Any, momentum: int = 0) -> Odds:
    """Return the odds computed with icepool from the rule, with action dice that momentum cancels."""

    def dice_beaten(points: int, first: int, second: int) -> int:
        return sum(points > die or die < momentum for die in (first, second))

    beaten = icepool.map(dice_beaten, score, D10, D10)
    match = icepool.map(lambda first, second: first == second, D10, D10)
    return Odds(
        strong=beaten.quantity(2),
        weak=beaten.quantity(1),
        miss=beaten.quantity(0),
        match=match.quantity(True) * score.denominator(),
    )


def outcomes(odds: Odds) -> tuple[int, int, int]:
    return odds.strong, odds.weak, odds.miss


class TestActionOdds:
    @pytest.mark.parametrize("momentum", MOMENTA)
    def test_odds_agree_with_icepool_for_every_stat_and_add(self, momentum: int) -> None:
        for stat, adds in product(STATS, ADDS):
            assert action_odds(stat, adds, momentum) == counted(score_die(stat, adds, momentum))

    def test_odds_cover_600_throws_of_which_60_match(self) -> None:
        for stat, adds, momentum in product(STATS, ADDS, MOMENTA):
            odds = action_odds(stat, adds, momentum)
            assert sum(outcomes(odds)) == 600
            assert odds.match == 60

    def test_odds_stop_growing_once_every_face_reaches_the_cap(self) -> None:
        assert action_odds(9, 0, 0) == action_odds(9, 7, 0) == Odds(strong=486, weak=108, miss=6, match=60)

    def test_score_of_1_or_less_always_misses(self) -> None:
        assert action_odds(0, -5, 0) == Odds(strong=0, weak=0, miss=600, match=60)

    def test_only_negative_momentum_changes_the_odds(self) -> None:
        plain = action_odds(2, 0, 0)
        assert action_odds(2, 0, -6).strong < plain.strong
        assert action_odds(2, 0, 6) == plain


class TestOddsWithBurn:
    @pytest.mark.parametrize("momentum", MOMENTA)
    def test_odds_agree_with_icepool_for_every_stat_and_add(self, momentum: int) -> None:
        for stat, adds in product(STATS, ADDS):
            assert with_burn(stat, adds, momentum) == counted(score_die(stat, adds, momentum), momentum)

    @pytest.mark.parametrize("momentum", range(-6, 2))
    def test_odds_stay_if_momentum_cancels_no_die(self, momentum: int) -> None:
        assert with_burn(2, 0, momentum) == action_odds(2, 0, momentum)

    def test_burning_momentum_cannot_beat_a_10(self) -> None:
        assert with_burn(5, 3, 10).strong == with_burn(5, 3, 12).strong == 6 * 81


class TestProgressOdds:
    @pytest.mark.parametrize("ticks", range(41))
    def test_odds_agree_with_icepool(self, ticks: int) -> None:
        assert progress_odds(ticks) == counted(icepool.Die([ticks // 4]))

    def test_odds_do_not_rise_before_a_box_is_full(self) -> None:
        assert progress_odds(24) == progress_odds(27)
        assert progress_odds(28).strong > progress_odds(27).strong

    def test_full_track_is_not_certain(self) -> None:
        assert progress_odds(40) == Odds(strong=81, weak=18, miss=1, match=10)


class TestPercentages:
    @given(st.lists(st.integers(0, 600), min_size=1, max_size=6).filter(any))
    def test_each_percentage_is_the_nearest_to_the_exact_chance(self, counts: list[int]) -> None:
        for share, count in zip(percent(counts), counts, strict=True):
            exact = Fraction(100 * count, sum(counts))
            assert abs(int(whole(share).strip("<>")) - exact) <= Fraction(1, 2) or whole(share) in {"<1", ">99"}
            assert (whole(share) == "0") == (count == 0)
            assert (whole(share) == "100") == (count == sum(counts))

    def test_success_is_not_the_sum_of_rounded_outcomes(self) -> None:
        odds = tuple(zip("abcde", percent((12, 54, 54, 12, 12)), ("good", "good", "good", "bad", "bad"), strict=True))
        assert [whole(share) for _, share, _ in odds] == ["8", "38", "38", "8", "8"]
        assert whole(chance(odds)) == "83"

    def test_sums_of_floats_do_not_change_the_rounding(self) -> None:
        for one in range(1, 30):
            three = percent((one, 30 - one, 18))
            odds = tuple(zip("abc", three, ("good", "mid", "bad"), strict=True))
            # Exactly 62.5 and 37.5: a tie goes to the even number, so that both sides make 100.
            assert (whole(chance(odds)), whole(three[-1])) == ("62", "38")

    def test_rare_outcomes_are_neither_0_nor_100(self) -> None:
        assert [whole(share) for share in percent((1, 199))] == ["<1", ">99"]
        assert [whole(share) for share in percent((0, 864))] == ["0", "100"]


class TestShownOdds:
    def test_odds_are_listed_best_first_with_their_tone(self) -> None:
        strong, weak, miss = shown_odds(progress_odds(40))
        assert strong == ("strong", 81, "good")
        assert weak == ("weak", 18, "mid")
        assert miss == ("miss", 1, "bad")

    def test_odds_add_up_to_100_for_every_roll(self) -> None:
        for stat, adds, momentum in product(STATS, ADDS, MOMENTA):
            for odds in (action_odds(stat, adds, momentum), with_burn(stat, adds, momentum)):
                assert isclose(sum(share for _, share, _ in shown_odds(odds)), 100)


class TestOddsInPrompts:
    """The odds in the prompts of a move equal those that icepool computes, with everything that will be added."""

    STATS_SHOWN = ("edge", "heart", "iron")

    def asked(
        self, move: str, *, momentum: int = 0, adds: int = 0, waiting: int = 0, ticks: int = 0, **answers: str
    ) -> Any:
        kara = {
            "id": "kara",
            "edge": 1,
            "heart": 2,
            "iron": 3,
            "momentum": momentum,
            "waiting": {"any": waiting} if waiting else {},
        }
        oath = {"id": "oath", "name": "The oath", "kind": "vow", "rank": "epic", "ticks": ticks}
        state = fold(GAME.top, start(GAME.top), [{"at": "party", "add": kara}, {"at": "tracks", "add": oath}])
        return Run(GAME, GAME.moves[move], "kara", state, {"adds": adds, **answers}).prompt

    @pytest.mark.parametrize("move", ["roll/action", "adventure/face_danger"])
    @pytest.mark.parametrize("momentum", [-6, -3, 0, 2, 10])
    @pytest.mark.parametrize("adds", [0, 1, 2])
    def test_odds_are_exact_beside_each_stat_and_at_the_roll(self, move: str, momentum: int, adds: int) -> None:
        pick = self.asked(move, momentum=momentum, adds=adds)
        assert isinstance(pick, Pick)
        shown = {option.key: option.odds for option in pick.options}
        for value, stat in enumerate(self.STATS_SHOWN, 1):
            exact = shown_odds(counted(score_die(value, adds, momentum)))
            assert shown[stat] == exact
            roll = self.asked(move, momentum=momentum, adds=adds, using=stat)
            assert isinstance(roll, Roll)
            assert roll.odds == exact

    def test_pending_bonus_is_counted_in(self) -> None:
        pick = self.asked("adventure/face_danger", adds=1, waiting=1)
        assert next(o.odds for o in pick.options if o.key == "iron") == shown_odds(counted(score_die(3, 2, 0)))

    @pytest.mark.parametrize("ticks", range(41))
    def test_progress_odds_are_exact_and_ignore_momentum(self, ticks: int) -> None:
        exact = shown_odds(counted(icepool.Die([ticks // 4])))
        for momentum in (-6, 10):
            pick = self.asked("roll/progress", momentum=momentum, ticks=ticks)
            assert pick.options[0].odds == exact
            assert self.asked("roll/progress", momentum=momentum, ticks=ticks, track="oath").odds == exact


@pytest.mark.parametrize("momentum", [-3, 2])
@pytest.mark.parametrize("initiative", ["none", "you", "foe"])
def test_odds_on_a_button_equal_those_at_the_roll(momentum: int, initiative: str) -> None:
    words = {**dict(zip(SHEET_STATS, (2, 1, 1, 2, 3), strict=True)), "health": 2, "spirit": 2, "supply": 2}
    tracks = {kind: {"kind": kind, "rank": "epic", "ticks": 33} for kind in ("vow", "journey", "fight")}
    given_ = ironsworn.given({**words, "momentum": momentum, "initiative": initiative, "tracks": tracks})
    state = fold(GAME.top, start(GAME.top), [*given_, {"at": "you.latest", "to": "strong hit"}])
    buttons = [action for action in GAME.now(state, "you") if action.odds and not action.reason]
    assert len(buttons) > 3
    for button in buttons:
        run = Run(GAME, GAME.moves[button.start.procedure], "you", state, button.start.answers)
        while not isinstance(run.prompt, Roll):
            assert run.prompt
            if run.prompt.key == "using":
                run.answer(button.note)
            elif isinstance(run.prompt, Pick):
                run.answer(
                    next((o.key for o in run.prompt.options if o.label == button.note), run.prompt.options[0].key)
                )
            else:
                run.answer("Somewhere")
        assert run.prompt.odds == button.odds, button.label
