"""Fights of Daggerheart: what conditions do to a roll, two who strike as one, and an adversary against several."""

from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.games.daggerheart_table import GAME, STATE, campaign, play

from tracker.games.daggerheart.odds import attack_odds_on, odds, shown_odds
from tracker.games.prompts import Choose, Number, Refused, Roll
from tracker.games.schema import State
from tracker.table.fold import fold
from tracker.table.run import Run

AXE = {"id": "axe", "name": "Axe", "trait": "strength", "range": "melee", "damage": "d10", "type": "magic"}


def after(*effects: dict[str, Any]) -> State:
    return fold(GAME.top, STATE, effects)


def has(at: str, condition: str) -> dict[str, Any]:
    return {"at": f"{at}.conditions", "add": {"id": condition}}


def attack(state: State, *targets: str) -> Run:
    return Run(GAME, GAME.moves["action/attack"], "wren", state, [["targets", list(targets)]])


def title(run: Run, key: str) -> str:
    return next(prompt.title for prompt in run.quiet() if prompt.key == key)


def told(run: Run, key: str) -> str:
    return next(prompt.told(1) for prompt in run.quiet() if prompt.key == key and isinstance(prompt, Number))


class TestARollAgainstSomebody:
    @pytest.mark.parametrize(
        "made_so",
        [has("adversaries.wolf", "vulnerable"), {"at": "adversaries.wolf.stress", "by": 3}],
        ids=["by hand", "by Stress"],
    )
    def test_who_is_vulnerable_has_advantage_with_the_reason_and_the_odds(self, made_so: dict[str, Any]) -> None:
        run = attack(after(made_so), "wolf")
        assert run.value("advantage") == 1
        assert "it is Vulnerable" in told(run, "advantage")
        assert isinstance(run.prompt, Roll)
        assert "d6" in run.prompt.dice
        assert run.prompt.odds == shown_odds(odds(14, 2, 1))

    def test_who_is_hidden_has_disadvantage(self) -> None:
        run = attack(after(has("adversaries.wolf", "hidden")), "wolf")
        assert (run.value("advantage"), run.value("disadvantage")) == (0, 1)
        assert "it is Hidden" in told(run, "disadvantage")

    def test_who_is_both_has_neither(self) -> None:
        run = attack(after(has("adversaries.wolf", "hidden"), has("adversaries.wolf", "vulnerable")), "wolf")
        assert isinstance(run.prompt, Roll)
        assert "d6" not in run.prompt.dice

    def test_who_is_restrained_is_a_roll_like_another(self) -> None:
        run = attack(after(has("adversaries.wolf", "restrained")), "wolf")
        assert (run.value("advantage"), run.value("disadvantage")) == (0, 0)

    def test_can_be_said_to_have_none(self) -> None:
        run = attack(after(has("adversaries.wolf", "vulnerable")), "wolf")
        run.revise("advantage", 0)
        assert isinstance(run.prompt, Roll)
        assert "d6" not in run.prompt.dice

    def test_by_an_adversary_has_it_too(self) -> None:
        state = after(has("boro", "vulnerable"))
        run = Run(GAME, GAME.moves["gm/attack"], "", state, [["adversary", "wolf"], ["targets", ["boro"]]])
        assert "Boro is Vulnerable" in told(run, "advantage")
        assert isinstance(run.prompt, Roll)
        assert run.prompt.dice["d20"] == (20, 20)

    def test_names_what_holds_where_targets_are_chosen_and_in_what_can_be_done_now(self) -> None:
        state = after(has("adversaries.wolf", "vulnerable"))
        run = Run(GAME, GAME.moves["action/attack"], "wren", state)
        assert isinstance(run.prompt, Choose)
        assert run.prompt.options[0].note == "Difficulty 14, vulnerable"
        bow = GAME.now(state, "wren")[0]
        assert bow.odds == shown_odds(odds(14, 2, 1))
        assert "advantage" in bow.note

    def test_names_its_target(self) -> None:
        run = attack(STATE, "wolf")
        assert run.prompt is not None
        assert run.prompt.title.endswith("against Dire wolf, 14")

    def test_is_told_with_the_reason(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [has("adversaries.wolf", "vulnerable")])
            dice = {"hope": 1, "fear": 2, "d6": 3}
            facts = play(table, "action/attack", targets=["wolf"], dice=dice)["facts"]
            assert "advantage: Dire wolf is Vulnerable" in GAME.card("action/attack", facts).why


class TestATagTeam:
    ROLLS: ClassVar[dict[str, dict[str, int]]] = {
        "wren.dice": {"hope": 3, "fear": 9},
        "boro.dice": {"hope": 8, "fear": 2},
    }

    def test_rolls_both_damages_and_holds_their_sum_against_the_thresholds_once(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "boro.weapons", "add": {**AXE, "type": "physical"}}])
            damage = {"wren.damage": {"damage": [3]}, "boro.damage": {"damage": [7]}}
            facts = play(
                table, "action/tag_team", partner="boro", targets=["wolf"], choose="wren", **self.ROLLS, **damage
            )["facts"]
            assert facts["damage_total"] == 3 + 3 + 7
            assert facts["felt"] == ["Dire wolf: severe, HP 3/5"]
            assert "1d8+3 6 and 1d10 7: 13" in GAME.card("action/tag_team", facts).why

    def test_of_two_types_asks_for_one(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do(
                "edit",
                [{"at": "boro.weapons", "add": AXE}, {"at": "adversaries.wolf.resist", "add": {"id": "magic"}}],
            )
            damage = {"wren.damage": {"damage": [3]}, "boro.damage": {"damage": [7]}}
            play(
                table,
                "action/tag_team",
                partner="boro",
                targets=["wolf"],
                choose="wren",
                type="magic",
                **self.ROLLS,
                **damage,
            )
            assert table.state["adversaries"]["wolf"]["hp"] == 2

    def test_of_equal_dice_is_critical_for_both(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "boro.weapons", "add": {**AXE, "type": "physical"}}])
            rolls = {"wren.dice": {"hope": 2, "fear": 2}, "boro.dice": {"hope": 8, "fear": 2}}
            damage = {"wren.damage": {"damage": [3]}, "boro.damage": {"damage": [7]}}
            facts = play(table, "action/tag_team", partner="boro", targets=["wolf"], choose="wren", **rolls, **damage)
            assert facts["facts"]["damage_total"] == 3 + 3 + 8 + 7 + 10

    def test_shows_each_roll_as_it_comes(self) -> None:
        answers = [["partner", "boro"], ["targets", []], ["difficulty", 12], ["wren.trait", "agility"]]
        run = Run(
            GAME, GAME.moves["action/tag_team"], "wren", STATE, [*answers, ["wren.dice", self.ROLLS["wren.dice"]]]
        )
        first = GAME.card("action/tag_team", run.draft.facts)
        assert (first.title, first.outcome) == ("Tag Team: Wren, Agility", "14 with Fear")
        run.answer("strength")
        run.answer({"hope": 8, "fear": 2})
        second = GAME.card("action/tag_team", run.draft.facts)
        assert (second.title, second.outcome) == ("Tag Team: Boro, Strength", "12 with Hope")
        assert "Wren 14 with Fear" in second.why

    def test_without_its_hope_is_refused_in_one_sentence_and_changes_nothing(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("change", [{"at": "wren.hope", "to": 2}])
            before = table.state
            with pytest.raises(Refused, match=r"^It costs 3 Hope, and 2 is held\.$"):
                table.begin("action/tag_team", "wren")
            assert table.state == before


def test_a_group_roll_shows_each_roll_as_it_comes() -> None:
    answers = [["difficulty", 12], ["participants", ["boro", "nib"]], ["boro.trait", "strength"]]
    run = Run(GAME, GAME.moves["action/group"], "wren", STATE, [*answers, ["boro.dice", {"hope": 9, "fear": 3}]])
    card = GAME.card("action/group", run.draft.facts)
    assert (card.title, card.outcome) == ("Group roll: Boro, Strength", "14, success")
    assert [die.face for die in card.dice] == [9, 3]
    run.answer("agility")
    run.answer({"hope": 1, "fear": 2})
    assert "Boro 14, success" in GAME.card("action/group", run.draft.facts).why


class TestAnAdversaryAgainstTwo:
    def test_has_the_odds_for_each_by_name(self) -> None:
        told = attack_odds_on([("Wren", 12), ("Boro", 10)], 1)
        assert [(label, part) for label, part, _ in told] == [
            ("critical", 5),
            ("hits both", 45),
            ("hits only Boro", 10),
            ("miss", 40),
        ]

    def test_names_whose_evasion_it_is(self) -> None:
        answers = [["adversary", "wolf"], ["targets", ["wren", "boro"]]]
        run = Run(GAME, GAME.moves["gm/attack"], "", STATE, answers)
        assert run.prompt is not None
        assert "Wren, Evasion 12 and Boro, Evasion 10" in run.prompt.title


class TestASecondSpotlightInOneTurn:
    ACTED: ClassVar[dict[str, Any]] = {"at": "adversaries.wolf.spotlit", "by": 1}

    def test_says_what_it_costs_and_is_paid_if_the_gm_says_so(self) -> None:
        run = Run(GAME, GAME.moves["gm/attack"], "", after(self.ACTED), [["adversary", "wolf"], ["targets", ["boro"]]])
        assert title(run, "pay") == "it has acted; one more spotlight: pay 1 Fear"
        run.revise("pay", True)
        assert run.draft.state["fear"] == 2

    def test_is_named_on_the_gms_side(self) -> None:
        side = GAME.gm_side(after(self.ACTED))
        assert side is not None
        notes = [action.note for foe in side.foes for action in foe.actions if action.label == "Attack"]
        assert "it has acted; one more spotlight costs 1 Fear" in notes[0]
        assert "one more spotlight" not in GAME.gm_side(STATE).foes[0].actions[0].note  # type: ignore[union-attr]
