"""What play at the table asked of Wherever We Go: opponents with a name, helpers from outside, dice that are gone."""

from pathlib import Path

import pytest
from tests.games.wherever_table import GAME, campaign, go, play

from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Roll

LOW = {"attribute": 2, "skill": 2, "other_attribute": 2, "other_skill": 2}


class TestOpponent:
    def test_typed_name_is_on_the_card(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            dice = {"other_attribute": "d8", "other_skill": "d6", "dice": LOW}
            entry = play(table, "action/opposed", skill="stealth", other_name="The watchman", **dice)
            assert GAME.card(entry["did"], entry["facts"]).title == "Opposed: Stealth against The watchman"

    def test_character_of_the_party_rolls_the_dice_of_the_sheet(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            harm = {"id": "cut", "grade": "minor", "on": "insight"}
            table.do("edit", [{"at": "oren.skills.insight", "to": "d8"}, {"at": "oren.harms.mental", "add": harm}])
            run = go(
                table, table.begin("action/opposed", "ilse"), skill="stealth", opponent="oren", their_skill="insight"
            )
            assert isinstance(run.prompt, Roll)
            assert run.prompt.dice == {"attribute": 10, "skill": 8, "other_attribute": 6, "other_skill": 6}
            entry = table.finish(go(table, run, dice=LOW))
            assert entry["facts"]["against"] == "Oren"

    @pytest.mark.parametrize("move", ["action/attack", "action/opposed"])
    def test_attack_on_a_character_of_the_party_makes_the_hit_due(self, move: str, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            dice = {"attribute": 10, "skill": 2, "other_attribute": 2}
            attack = {"attack": True} if move == "action/opposed" else {}
            play(table, move, skill="stealth", opponent="oren", their_skill="insight", dice=dice, **attack)
            assert table.state["party"]["oren"]["owed"] == {"hit_1": 1}
            assert not table.state["party"]["ilse"]["owed"]


def test_helper_outside_the_party_can_be_marked(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        dice = {"attribute": 2, "skill": 2}
        entry = play(table, "action/roll", skill="stealth", help=["oren", "outsider."], dice=dice)
        assert (entry["facts"]["net"], entry["facts"]["helped_by"]) == (2, ["Oren", "someone else"])


def test_better_situation_can_be_for_another(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        entry = play(table, "after/benefit", choose="better_situation", whose="oren")
        assert [table.state["party"][one]["situation"] for one in ("ilse", "oren")] == [0, 1]
        assert entry["facts"]["changed"] == ["Oren: +1 on the next roll"]
        assert "next roll" in str(GAME.sheet(table.state, "oren"))


def test_die_that_is_gone_is_shown_as_zero(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        run = go(table, table.begin("action/roll", "ilse"), skill="medicine", penalty=-1)
        assert isinstance(run.prompt, Roll)
        assert run.prompt.title == "Roll d6 wits + 0 medicine, net -1"
        table.do("edit", [{"at": "ilse.skills.stealth", "to": "0"}, {"at": "ilse.dexterity", "to": "d12"}])
        assert "d12 + 0" in [action.note for action in GAME.now(table.state, "ilse")]


def test_several_harms_say_that_only_the_worst_counts(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        cut = {"id": "cut", "grade": "minor", "on": "stealth"}
        table.do("edit", [{"at": "ilse.harms.physical", "add": cut}])
        for more, note in (
            ((), "-1"),
            (({"id": "burn", "grade": "severe", "on": "force"},), "-1, only the worst counts"),
        ):
            table.do("edit", [{"at": "ilse.harms.physical", "add": one} for one in more])
            run = go(table, table.begin("action/roll", "ilse"), skill="stealth")
            harms = next(prompt for prompt in run.quiet() if prompt.key == "harms")
            assert isinstance(harms, Choose)
            assert harms.options[0].note == note


def test_more_benefits_than_extra_edges_are_refused(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        dice = {"attribute": 10, "skill": 2, "other_attribute": 2}
        answers = {"skill": "stealth", "opponent": "oren", "their_skill": "insight", "dice": dice}
        with pytest.raises(Refused):
            play(table, "action/opposed", benefits=["opening", "more_effect"], **answers)
