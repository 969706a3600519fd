"""Fights of Daggerheart: what conditions do to a roll, two who strike as one, and an adversary against several."""

from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.games.daggerheart_table import GAME, STATE, campaign, play

from tracker.campaign.fold import fold
from tracker.campaign.run import Run
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Number, Pick, Roll
from tracker.games.api.schema import State
from tracker.games.daggerheart.derived_values import thresholds
from tracker.games.daggerheart.dice import attack_odds_on, odds, shown_odds

AXE = {"id": "axe", "name": "Axe", "trait": "strength", "range": "melee", "damage": "d10", "type": "magic"}
TRAITS_OF_BOTH = {"wren.trait": "agility", "boro.trait": "strength"}


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


class TestConditionsInARoll:
    @pytest.mark.parametrize(
        "made_so",
        [has("adversaries.wolf", "vulnerable"), {"at": "adversaries.wolf.stress", "by": 3}],
        ids=["by hand", "by Stress"],
    )
    def test_vulnerable_target_gives_advantage_with_reason_and_odds(self, made_so: dict[str, Any]) -> None:
        run = attack(after(made_so), "wolf")
        assert run.value("advantage") == 1
        assert "it is Vulnerable" in told(run, "advantage")
        assert isinstance(run.prompt, Roll)
        assert "d6" in run.prompt.dice
        assert run.prompt.odds == shown_odds(odds(14, 2, 1))

    def test_hidden_target_gives_disadvantage(self) -> None:
        run = attack(after(has("adversaries.wolf", "hidden")), "wolf")
        assert (run.value("advantage"), run.value("disadvantage")) == (0, 1)
        assert "it is Hidden" in told(run, "disadvantage")

    def test_vulnerable_and_hidden_cancel_each_other(self) -> None:
        run = attack(after(has("adversaries.wolf", "hidden"), has("adversaries.wolf", "vulnerable")), "wolf")
        assert isinstance(run.prompt, Roll)
        assert "d6" not in run.prompt.dice

    def test_restrained_target_changes_no_roll(self) -> None:
        run = attack(after(has("adversaries.wolf", "restrained")), "wolf")
        assert (run.value("advantage"), run.value("disadvantage")) == (0, 0)

    def test_proposed_advantage_can_be_revised_to_none(self) -> None:
        run = attack(after(has("adversaries.wolf", "vulnerable")), "wolf")
        run.revise("advantage", 0)
        assert isinstance(run.prompt, Roll)
        assert "d6" not in run.prompt.dice

    def test_adversary_has_advantage_against_vulnerable_character(self) -> None:
        state = after(has("boro", "vulnerable"))
        run = Run(GAME, GAME.moves["gm/attack"], "", state, [["adversary", "wolf"], ["targets", ["boro"]]])
        assert "Boro is Vulnerable" in told(run, "advantage")
        assert isinstance(run.prompt, Roll)
        assert run.prompt.dice["d20"] == (20, 20)

    def test_conditions_are_named_in_target_options_and_suggestions(self) -> None:
        state = after(has("adversaries.wolf", "vulnerable"))
        run = Run(GAME, GAME.moves["action/attack"], "wren", state)
        assert isinstance(run.prompt, Choose)
        assert run.prompt.options[0].note == "Difficulty 14, vulnerable"
        bow = GAME.now(state, "wren")[0]
        assert bow.odds == shown_odds(odds(14, 2, 1))
        assert "advantage" in bow.note

    def test_roll_title_names_the_target(self) -> None:
        run = attack(STATE, "wolf")
        assert run.prompt is not None
        assert run.prompt.title.endswith("against Dire wolf, 14: 65% success")

    def test_difficulty_of_the_target_is_not_that_of_the_next_roll(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            said = table.state["difficulty"]
            play(table, "action/attack", targets=["wolf"], dice={"hope": 1, "fear": 2})
            assert table.state["adversaries"]["wolf"]["difficulty"] != said
            assert table.state["difficulty"] == said
            play(table, "action/attack", targets=[], difficulty=19, dice={"hope": 1, "fear": 2})
            assert table.state["difficulty"] == 19

    def test_card_tells_the_reason_for_advantage(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [has("adversaries.wolf", "vulnerable")])
            dice = {"hope": 1, "fear": 2, "d6": 3}
            facts = play(table, "action/attack", targets=["wolf"], dice=dice)["facts"]
            assert "advantage: Dire wolf is Vulnerable" in GAME.card("action/attack", facts).why


class TestTagTeam:
    ROLLS: ClassVar[dict[str, dict[str, int]]] = {
        "wren.dice": {"hope": 3, "fear": 9},
        "boro.dice": {"hope": 8, "fear": 2},
    }

    def test_both_damage_rolls_are_one_hit_against_the_thresholds(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "boro.weapons", "add": {**AXE, "type": "physical"}}])
            damage = {"wren.damage": {"damage": [3]}, "boro.damage": {"damage": [7]}}
            facts = play(
                table, "action/tag_team", partner="boro", targets=["wolf"], choose="wren", **self.ROLLS, **damage
            )["facts"]
            assert facts["damage_total"] == 3 + 3 + 7
            assert facts["felt"] == ["Dire wolf: severe, HP 3/5 marked"]
            assert "damage 1d8+3 = 6 and 1d10 = 7: 13 in all" in GAME.card("action/tag_team", facts).why

    def test_two_damage_types_ask_for_one(self, tmp_path: Path) -> None:
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

    def test_equal_dice_are_critical_for_both(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "boro.weapons", "add": {**AXE, "type": "physical"}}])
            rolls = {"wren.dice": {"hope": 2, "fear": 2}, "boro.dice": {"hope": 8, "fear": 2}}
            damage = {"wren.damage": {"damage": [3]}, "boro.damage": {"damage": [7]}}
            facts = play(table, "action/tag_team", partner="boro", targets=["wolf"], choose="wren", **rolls, **damage)
            assert facts["facts"]["damage_total"] == 3 + 3 + 8 + 7 + 10

    def test_outcomes_are_told_for_two(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            move, before = GAME.moves["action/tag_team"], table.state["fear"]
            facts = play(
                table, "action/tag_team", partner="boro", targets=[], choose="wren", **TRAITS_OF_BOTH, **self.ROLLS
            )
            mark = GAME.card(move.id, facts["facts"]).mark
            assert table.state["fear"] == before + 2
            assert move.meaning(mark) == "it fails badly; Fear +2, the GM moves"
            assert GAME.moves["action/roll"].meaning(mark) == "it fails badly; Fear +1, the GM moves"

    def test_each_roll_is_shown_as_it_comes(self) -> None:
        answers = [["partner", "boro"], ["targets", []], ["difficulty", 12], ["wren.trait", "agility"]]
        run = Run(
            GAME, GAME.moves["action/tag_team"], "wren", STATE, [*answers, ["wren.dice", self.ROLLS["wren.dice"]]]
        )
        first = GAME.card("action/tag_team", run.draft.facts)
        assert (first.title, first.outcome) == ("Tag Team: Wren, Agility", "SUCCESS WITH FEAR · 14")
        run.answer("strength")
        run.answer({"hope": 8, "fear": 2})
        second = GAME.card("action/tag_team", run.draft.facts)
        assert (second.title, second.outcome) == ("Tag Team: Boro, Strength", "SUCCESS WITH HOPE · 12")
        assert "Wren 14 with Fear" in second.why
        assert isinstance(run.prompt, Pick)
        assert [option.note for option in run.prompt.options] == ["14, success with Fear", "12, success with Hope"]

    def test_too_little_hope_is_refused_and_changes_nothing(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("change", [{"at": "wren.hope", "to": 2}])
            before = table.state
            with pytest.raises(Refused, match=r"^Costs 3 Hope; you have 2\.$"):
                table.begin("action/tag_team", "wren")
            assert table.state == before


def test_group_roll_lists_the_odds_of_each_roll() -> None:
    run = Run(GAME, GAME.moves["action/group"], "wren", STATE, [["participants", ["boro"]]])
    assert isinstance(run.prompt, Pick)
    assert [name for name, _, _ in run.prompt.options[0].odds] == ["critical", "success", "failure"]
    run.answer("strength")
    run.answer({"hope": 12, "fear": 11})  # a success: the leader has +1
    assert isinstance(run.prompt, Pick)
    listed = {option.key: option.odds for option in run.prompt.options}
    run.answer("agility")
    assert isinstance(run.prompt, Roll)
    assert listed["agility"] == run.prompt.odds
    assert "+ 1 from the group against" in run.prompt.title


def test_group_roll_shows_each_roll_as_it_comes() -> None:
    answers = [["difficulty", 12], ["participants", ["boro", "nib"]], ["boro.trait", "strength"]]
    run = Run(GAME, GAME.moves["action/group"], "wren", STATE, [*answers, ["boro.dice", {"hope": 9, "fear": 3}]])
    card = GAME.card("action/group", run.draft.facts)
    assert (card.title, card.outcome) == ("Group roll: Boro, Strength", "SUCCESS · 14")
    assert [die.face for die in card.dice] == [9, 3]
    run.answer("agility")
    run.answer({"hope": 1, "fear": 2})
    assert "Boro 14, success" in GAME.card("action/group", run.draft.facts).why


class TestAdversaryAgainstTwo:
    def test_odds_are_given_for_each_target_by_name(self) -> None:
        told = attack_odds_on([("Wren", 12), ("Boro", 10)], 1)
        assert [(label, part) for label, part, _ in told] == [
            ("critical", 5),
            ("hits both", 45),
            ("hits only Boro", 10),
            ("miss", 40),
        ]

    def test_title_names_each_evasion(self) -> None:
        answers = [["adversary", "wolf"], ["targets", ["wren", "boro"]]]
        run = Run(GAME, GAME.moves["gm/attack"], "", STATE, answers)
        assert run.prompt is not None
        assert "Wren, Evasion 12 and Boro, Evasion 10" in run.prompt.title


class TestSecondSpotlight:
    ACTED: ClassVar[dict[str, Any]] = {"at": "adversaries.wolf.spotlit", "by": 1}

    def test_cost_is_offered_and_paid_only_if_chosen(self) -> None:
        run = Run(GAME, GAME.moves["gm/attack"], "", after(self.ACTED), [["adversary", "wolf"], ["targets", ["boro"]]])
        assert title(run, "pay") == "pay 1 Fear: it has acted"
        run.revise("pay", True)
        assert run.draft.state["fear"] == 2

    def test_cost_is_named_on_the_gm_side(self) -> None:
        side = GAME.gm_side(after(self.ACTED))
        assert side is not None
        notes = [action.note for foe in side.foes for action in foe.actions if action.label == "Attack"]
        assert "has acted: 1 Fear to spotlight it again" in notes[0]
        assert "one more spotlight" not in GAME.gm_side(STATE).foes[0].actions[0].note  # type: ignore[union-attr]


def test_damage_says_what_it_marks_and_leaves(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        wren = table.state["party"]["wren"]
        left, slots = wren["hp_max"] - wren["hp"], wren["armor_max"] - wren["armor"]
        run = table.begin("harm/take", "wren", [["amount", thresholds(wren)[0]]])
        assert isinstance(run.prompt, Pick)
        taken, armored = (option.note for option in run.prompt.options[:2])
        assert taken == f"mark 2 HP ({left - 2} left)"
        assert armored == f"mark 1 HP ({left - 1} left), {slots - 1} Armor Slots left"


class TestCriticalState:
    """Damage rolled on its own is critical as long as the critical hit has not been used, and no longer."""

    def test_critical_ends_once_somebody_was_hit(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [{"at": "adversaries.wolf.damage", "to": ""}])
            play(table, "gm/attack", adversary="wolf", targets=["wren"], dice={"d20": [20]})
            assert table.state["critical"]
            play(table, "harm/take", amount=9, armor="take")
            rolled = play(table, "harm/roll", roll="d8+1", damage={"damage": [3]})
            assert rolled["facts"]["damage_total"] == 4

    def test_critical_is_proposed_for_a_damage_roll_without_attack(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", trait="agility", dice={"hope": 5, "fear": 5})
            spell = play(table, "harm/roll", roll="1d6", damage={"damage": [2]})
            assert spell["facts"]["damage_total"] == 8
            play(table, "action/roll", trait="agility", dice={"hope": 5, "fear": 6})
            assert play(table, "harm/roll", roll="1d6", damage={"damage": [2]})["facts"]["damage_total"] == 2

    def test_critical_counts_for_both_of_a_tag_team(self, tmp_path: Path) -> None:
        dice = {"wren.dice": {"hope": 5, "fear": 5}, "boro.dice": {"hope": 2, "fear": 9}}
        with campaign(tmp_path) as table:
            play(table, "action/tag_team", partner="boro", targets=[], choose="wren", **TRAITS_OF_BOTH, **dice)
            for _ in range(2):
                one = play(table, "harm/roll", roll="1d6", damage={"damage": [2]})
                assert one["facts"]["damage_total"] == 8


class TestReroll:
    def test_attack_reroll_is_offered_after_its_damage(self) -> None:
        hit = attack(STATE, "wolf")
        hit.answer({"hope": 4, "fear": 9})
        hit.answer({"damage": [5]})
        assert hit.prompt is None
        assert hit.draft.state["fear"] == STATE["fear"] + 1
        hit.revise("reroll", ["hope"])
        hit.answer({"hope": 10})
        after_it = hit.draft.state
        assert (after_it["fear"], after_it["party"]["wren"]["hope"]) == (STATE["fear"], 5)
        assert after_it["adversaries"]["wolf"]["hp"] == 2  # 8 damage: the damage dice stay as they lie

    def test_reroll_to_a_miss_deals_no_damage(self) -> None:
        hit = attack(STATE, "wolf")
        hit.answer({"hope": 4, "fear": 9})
        hit.answer({"damage": [5]})
        hit.revise("reroll", ["fear"])
        hit.answer({"fear": 1})
        assert hit.draft.state["adversaries"]["wolf"]["hp"] == 0
        assert hit.draft.facts["outcome"] == "failure with hope"
        assert "felt" not in hit.draft.facts

    def test_reroll_to_a_hit_deals_damage(self) -> None:
        missed = attack(STATE, "wolf")
        missed.answer({"hope": 4, "fear": 1})
        missed.revise("reroll", ["fear"])
        missed.answer({"fear": 9})
        missed.answer({"damage": [5]})
        assert missed.draft.state["adversaries"]["wolf"]["hp"] == 2

    def test_damage_dice_can_be_rerolled_alone(self) -> None:
        hit = attack(after({"at": "wren.proficiency", "to": 2}), "wolf")
        hit.answer({"hope": 9, "fear": 4})
        hit.answer({"damage": [5, 1]})
        hit.revise("damage_reroll", ["damage_2"])
        hit.answer({"damage": [8]})
        assert (hit.draft.facts["faces"], hit.draft.facts["damage_total"]) == ([5, 8], 16)

    def test_extra_dice_join_the_damage_and_its_critical(self) -> None:
        hit = attack(STATE, "wolf")
        hit.answer({"hope": 9, "fear": 9})
        hit.answer({"damage": [5]})
        hit.revise("damage_extra", ["d6"])
        hit.answer({"damage": [2]})
        facts = hit.draft.facts
        assert (facts["rolled"], facts["faces"], facts["sides"]) == ("1d8+1d6+3", [5, 2], [8, 6])
        assert facts["damage_total"] == 5 + 2 + 3 + 8 + 6

    def test_extra_dice_join_a_damage_roll_without_a_target(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            run = table.begin("harm/roll", "wren", [["roll", "7"]])
            run.revise("damage_extra", ["d4"])
            run.answer({"damage": [3]})
            assert table.finish(run)["facts"]["damage_total"] == 10

    def test_adversary_reroll_takes_its_hit_back(self) -> None:
        bites = Run(GAME, GAME.moves["gm/attack"], "", STATE, [["adversary", "wolf"], ["targets", ["wren"]]])
        bites.answer({"d20": [15]})
        bites.answer({"damage": [3]})
        assert bites.draft.state["party"]["wren"]["owed"] == {"damage_7_physical": 1}
        bites.revise("reroll", True)
        bites.answer({"d20": [2]})
        assert not bites.draft.state["party"]["wren"]["owed"]


class TestAttacker:
    def test_attack_removes_hidden(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [has("wren", "hidden"), has("adversaries.wolf", "hidden")])
            play(table, "action/attack", targets=["rats"], dice={"hope": 1, "fear": 2})
            assert not table.state["party"]["wren"]["conditions"]
            assert table.state["adversaries"]["wolf"]["conditions"]
            play(table, "gm/attack", adversary="wolf", targets=["boro"], dice={"d20": [1]})
            assert not table.state["adversaries"]["wolf"]["conditions"]

    def test_attack_works_without_a_weapon(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            blow = play(
                table, "action/attack", "boro", targets=["wolf"], dice={"hope": 9, "fear": 4}, damage={"damage": [3]}
            )
            assert blow["facts"]["weapon"] == "Bare hands"
            assert (blow["facts"]["trait"], blow["facts"]["rolled"]) == ("strength", "1d4")
            assert table.state["adversaries"]["wolf"]["hp"] == 1

    def test_bare_hands_are_hidden_by_default_beside_one_weapon(self) -> None:
        with_what = next(prompt for prompt in attack(STATE, "wolf").quiet() if prompt.key == "weapon")
        assert with_what.aside


class TestTagTeamHelp:
    def test_characters_outside_the_team_can_help(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            dice = {"wren.dice": {"hope": 5, "fear": 4, "help_nib": 6}, "boro.dice": {"hope": 2, "fear": 9}}
            team = play(
                table,
                "action/tag_team",
                partner="boro",
                targets=[],
                choose="wren",
                **TRAITS_OF_BOTH,
                **{"wren.help": ["nib"]},
                **dice,
            )
            assert team["facts"]["total"] == 5 + 4 + 2 + 6
            assert table.state["party"]["nib"]["hope"] == 1

    def test_team_members_cannot_help_each_other(self) -> None:
        team = Run(GAME, GAME.moves["action/tag_team"], "wren", STATE, [["partner", "boro"], ["targets", []]])
        team.answer("agility")
        helps = next(prompt for prompt in team.quiet() if prompt.key == "wren.help")
        assert isinstance(helps, Choose)
        assert [option.key for option in helps.options] == ["nib"]


class TestSecretDifficulty:
    def test_second_secret_roll_is_refused_before_the_verdict(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", "boro", trait="agility", difficulty=0, dice={"hope": 9, "fear": 4})
            with pytest.raises(Refused, match="verdict"):
                play(table, "action/roll", trait="agility", difficulty=0)

    def test_unfinished_secret_roll_stays_secret(self, tmp_path: Path) -> None:
        """Somebody else's secret roll came between: nobody's word becomes a number that was never named."""
        with campaign(tmp_path) as table:
            left = table.begin("action/roll", "wren", [["trait", "agility"], ["difficulty", 0]])
            table.rolled(left, {"hope": 9, "fear": 4})
            table.leave(left)
            play(table, "action/roll", "boro", trait="agility", difficulty=0, dice={"hope": 9, "fear": 4})
            with pytest.raises(Refused, match="verdict"):
                table.resume(left.opened)
            play(table, "action/verdict", success=True)
            assert table.resume(left.opened).value("difficulty") == 0

    def test_roll_with_fear_has_passed_the_spotlight_before_the_verdict(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", trait="agility", difficulty=0, dice={"hope": 4, "fear": 9})
            assert table.state["spotlight"] == "gm"
            play(table, "gm/spotlight", to="players")
            play(table, "action/verdict", success=False)
            assert table.state["spotlight"] == "players"


class TestSpotlightTokens:
    WITH: ClassVar = [
        {"at": "settings.tokens", "to": 2},
        {"at": "wren.tokens", "to": 1},
        {"at": "boro.tokens", "to": 1},
        {"at": "nib.tokens", "to": 0},
    ]

    def test_character_without_token_waits_while_others_have_some(self) -> None:
        assert "no spotlight token" in GAME.why_not(after(*self.WITH), "nib", "action/roll")
        assert not GAME.why_not(after(*self.WITH), "nib", "action/reaction")
        assert not GAME.why_not(after(*self.WITH), "wren", "action/roll")

    def test_tokens_refill_when_their_last_holder_is_gone(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            table.do("edit", [*self.WITH, {"at": "boro.tokens", "to": 0}, {"at": "wren.status", "to": "dead"}])
            play(table, "action/roll", "nib", trait="agility", dice={"hope": 4, "fear": 9})
            party = table.state["party"]
            assert (party["nib"]["tokens"], party["boro"]["tokens"]) == (1, 2)


def test_overflowing_stress_defeats_one_minion() -> None:
    worn = after({"at": "adversaries.rats.stress", "by": 3}, {"at": "adversaries.rats.stress", "by": 2})
    assert (worn["adversaries"]["rats"]["count"], worn["adversaries"]["rats"]["defeated"]) == (4, False)


class TestAdversary:
    def test_resistance_can_be_set_by_the_gm(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/renumber", adversary="wolf", resist=["physical"], reduce_magic=2)
            play(table, "gm/harm", target="wolf", amount=13)
            assert table.state["adversaries"]["wolf"]["hp"] == 2  # 7 of 13 arrive: Major
            side = GAME.gm_side(table.state)
            assert side is not None
            assert "resists physical, magic damage -2" in side.foes[0].words

    @pytest.mark.parametrize(("face", "outcome"), [(20, "success"), (13, "success"), (12, "failure")])
    def test_reaction_is_a_bare_d20(self, tmp_path: Path, face: int, outcome: str) -> None:
        with campaign(tmp_path) as table:
            answers = {"adversary": "wolf", "difficulty": 30 if face == 20 else 15, "experiences": ["ambush"]}
            rolled = play(table, "gm/roll", **answers, dice={"d20": [face]})
            assert rolled["facts"]["outcome"] == outcome
            assert GAME.card("gm/roll", rolled["facts"]).outcome == outcome.upper()
            assert (table.state["fear"], table.state["spotlight"]) == (STATE["fear"] - 1, "players")

    def test_minions_return_in_the_number_asked_for(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/harm", target="rats", amount=99)
            assert table.state["adversaries"]["rats"]["defeated"]
            play(table, "gm/clear", target="rats", count=2)
            rats = table.state["adversaries"]["rats"]
            assert (rats["count"], rats["defeated"]) == (2, False)
