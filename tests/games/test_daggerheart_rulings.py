"""What play at the table asked of Daggerheart: thresholds, ended countdowns, sums of damage."""

from pathlib import Path
from typing import Any

import pytest
from tests.games.daggerheart_table import GAME, STATE, campaign, play

from tracker.campaign.fold import fold
from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Roll
from tracker.games.api.schema import State
from tracker.games.daggerheart.dice import odds


def after(*effects: dict[str, Any]) -> State:
    return fold(GAME.top, STATE, effects)


class TestThresholds:
    def test_new_adversary_with_severe_below_major_is_refused(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            with pytest.raises(Refused, match=r"^Severe can't be below Major, unless it is 0 for none\.$"):
                play(table, "gm/adversary", "", name="Lynx", type="standard", tier="1", major=9, severe=8)
            play(table, "gm/adversary", "", name="Lynx", type="standard", tier="1", major=9, severe=0)
            assert table.state["adversaries"]["lynx"]["major"] == 9

    def test_bonuses_that_turn_the_thresholds_around_are_refused(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            with pytest.raises(Refused, match=r"^Severe can't be below Major: these make 7/6\.$"):
                play(table, "sheet/slots", severe_bonus=-8)
            play(table, "sheet/slots", severe_bonus=-7)
            assert table.state["party"]["wren"]["severe_bonus"] == -7


@pytest.mark.parametrize("move", ["countdown/move", "countdown/back", "countdown/listen"])
def test_countdowns_that_all_have_ended_are_refused_with_the_way_out(move: str) -> None:
    ended = after({"at": "countdowns.pack.ended", "to": True})
    with pytest.raises(Refused, match=r"^Every countdown has ended: restart one first\.$"):
        Run(GAME, GAME.moves[move], "", ended)


@pytest.mark.parametrize(
    ("rolled", "faces", "sides", "critical", "total", "said"),
    [
        ("2d6+3", [4, 5], [6, 6], False, 12, "2d6+3: 4 + 5 + 3 = 12 damage"),
        ("2d8-1", [4, 5], [8, 8], False, 8, "2d8-1: 4 + 5 - 1 = 8 damage"),
        ("1d8+1", [3], [8], True, 12, "1d8+1: 3 + 8 + 1 = 12 damage"),
        ("1d8", [3], [8], False, 3, "1d8: 3 damage"),
    ],
)
def test_damage_shows_its_sum(
    rolled: str,
    faces: list[int],
    sides: list[int],
    critical: bool,
    total: int,
    said: str,
) -> None:
    facts = {"rolled": rolled, "faces": faces, "sides": sides, "critical": critical, "damage_total": total}
    assert GAME.card("harm/roll", facts).sum == said
    attack = {"trait": "agility", "hope": 8, "fear": 5, "total": 15, "difficulty": 14, "outcome": "success with hope"}
    assert said.removesuffix(" damage").partition(": ")[2] in GAME.card("action/attack", {**attack, **facts}).why


class TestExtraDice:
    def test_odds_count_the_extra_dice(self) -> None:
        """A d12 more, counted over all throws by hand."""
        faces = range(1, 13)
        wins = sum(a != b and a + b + c >= 20 for a in faces for b in faces for c in faces)
        counts = odds(20, 0, extra_dice=(12,))
        assert (counts.success_with_hope + counts.success_with_fear, counts.total) == (wins, 12**3)

    def test_declared_roll_and_card_name_them(self) -> None:
        answers = [["difficulty", 20], ["trait", "agility"], ["extra", "d8+1"]]
        run = Run(GAME, GAME.moves["action/roll"], "wren", STATE, answers)
        assert isinstance(run.prompt, Roll)
        assert run.prompt.title == "Hope d12 + Fear d12 + 2 Agility + 1 + 1d8 against 20"
        run.answer({"hope": 5, "fear": 6, "extra": [7]})
        card = GAME.card("action/roll", run.draft.facts)
        assert card.sum == "5 + 6 + Agility 2 + 1 + 7 from a d8 = 21"
        assert [(die.face, die.sides, die.word) for die in card.dice][2:] == [(7, 8, "extra")]

    def test_too_many_are_refused(self) -> None:
        with pytest.raises(Refused, match=r"^12 extra dice are too many: the limit is 9\.$"):
            Run(GAME, GAME.moves["action/roll"], "wren", STATE, [["trait", "agility"], ["extra", "12d6"]])
