"""What Daggerheart says to players: words that need no guessing."""

from pathlib import Path
from typing import Any

import pytest
from tests.games.daggerheart_table import GAME, STATE, campaign, play

from tracker.campaign.fold import fold
from tracker.campaign.run import Run
from tracker.dice import dice_labels
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Pick, Roll
from tracker.games.api.schema import State
from tracker.games.api.view import Row

TRAITS_OF_BOTH = {"wren.trait": "agility", "boro.trait": "strength"}


def after(*effects: dict[str, Any]) -> State:
    return fold(GAME.top, STATE, effects)


def run(move: str, state: State, *answers: list[Any]) -> Run:
    return Run(GAME, GAME.moves[move], "" if GAME.moves[move].solo else "wren", state, answers)


class TestGmSide:
    def test_feature_shows_its_cost(self) -> None:
        feature = {"id": "maul", "name": "Maul", "note": "throws somebody down", "cost": "1 Fear"}
        side = GAME.gm_side(after({"at": "adversaries.wolf.features", "add": feature}))
        assert side is not None
        assert "Maul (1 Fear): throws somebody down" in side.foes[0].words

    def test_interrupt_says_that_the_gm_has_the_spotlight(self) -> None:
        """Nothing is refused because of the spotlight."""
        asked = run("gm/spend_fear", after({"at": "spotlight", "to": "gm"})).prompt
        assert isinstance(asked, Pick)
        assert "but the GM has it already" in asked.options[0].note
        free = run("gm/spend_fear", STATE).prompt
        assert isinstance(free, Pick)
        assert not any(option.reason or "already" in option.note for option in (*free.options, *asked.options[1:]))

    def test_spent_fear_and_hope_name_their_use(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            fear = play(table, "gm/spend_fear", on="fear_feature")
            assert GAME.card("gm/spend_fear", fear["facts"]).short == "use a Fear Feature"
            hope = play(table, "hope/spend_hope", amount=3, why="Hold Them Off")
            assert GAME.card("hope/spend_hope", hope["facts"]).short == "Hold Them Off"

    def test_slots_say_if_they_are_marked_or_left(self) -> None:
        fight = GAME.fight(STATE, "wren")
        assert fight is not None
        assert [foe.rank for foe in fight.foes] == ["HP marked", "left"]

    def test_condition_is_named_beside_the_difficulty_in_a_narrow_window(self) -> None:
        fight = GAME.fight(after({"at": "adversaries.wolf.stress", "by": 3}), "wren")
        assert fight is not None
        assert [foe.note for foe in fight.foes] == ["Diff. 14, vulnerable", "Difficulty 11"]

    def test_settings_fit_one_screen(self) -> None:
        asked = run("gm/settings", STATE)
        assert asked.prompt is None
        asked.revise("edition", "1.0")
        assert asked.draft.state["settings"]["edition"] == "1.0"
        assert asked.draft.state["settings"]["overflow"] == STATE["settings"]["overflow"]


class TestRest:
    def test_downtime_moves_name_their_target_and_their_die(self) -> None:
        state = after({"at": "party", "add": {"id": "one", "name": "Тихон"}}, {"at": "boro.down", "to": "unconscious"})
        tended: list[list[Any]] = [
            ["anyway", True],
            ["kind", "short"],
            ["wren.1", "tend_to_wounds"],
            ["wren.2", "nothing"],
            ["nib.1", "nothing"],
        ]
        rest = run("rest/rest", state, *tended, ["one.1", "clear_stress"], ["one.2", "nothing"])
        assert "Wren's downtime move 1 helps" in [prompt.title for prompt in rest.quiet()]
        assert isinstance(rest.prompt, Roll)
        assert dice_labels(rest.prompt.dice, rest.prompt.called) == ["fear d4", "Wren 1 d4", "Тихон 1 d4"]


def test_die_named_by_its_sides_is_named_once() -> None:
    assert dice_labels({"d20": (20,)}) == ["d20"]
    assert dice_labels({"hope": 12, "d6": 6}) == ["hope d12", "d6"]


class TestTakingDamage:
    def test_armor_options_keep_their_hotkeys(self) -> None:
        """Direct damage ignores armor, but no option on the screen changes its place."""
        hit = run("harm/take", STATE, ["amount", 8])
        assert isinstance(hit.prompt, Pick)
        before = {option.key: option.hot for option in hit.prompt.options}
        hit.revise("direct", True)
        armor = next(prompt for prompt in hit.quiet() if prompt.key == "armor")
        assert isinstance(armor, Pick)
        assert {option.key: option.hot for option in armor.options} == before == {"take": "t", "slot_1": "a"}

    def test_damage_of_0_is_told_in_words(self) -> None:
        hit = run("harm/take", STATE, ["amount", 0])
        armor = next(prompt for prompt in hit.quiet() if prompt.key == "armor")
        assert isinstance(armor, Pick)
        assert (armor.title, armor.options[0].label) == ("Wren, no damage", "take it: no HP")
        assert "no HP marked" in GAME.card("harm/take", hit.draft.facts).sum


class TestDeathMove:
    DOWN = ({"at": "wren.hp", "by": 6},)

    def test_death_is_not_told_as_up_again(self) -> None:
        state = after(*self.DOWN)
        blaze = run("harm/death_move", state, ["choose", "blaze_of_glory"])
        assert GAME.changes(state, blaze.draft.state, "wren") == ["Wren is dead"]

    def test_result_is_told_once(self) -> None:
        risk = run("harm/death_move", after(*self.DOWN), ["choose", "risk_it_all"], ["dice", {"hope": 6, "fear": 3}])
        card = GAME.card("harm/death_move", risk.draft.facts)
        assert (card.outcome, card.sum) == ("UP AGAIN", "Hope 6 against Fear 3")
        assert "up again" not in card.short


def test_fired_countdowns_are_told_by_name(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        facts = play(table, "countdown/move", name="pack", advance=6)["facts"]
        assert GAME.card("countdown/move", facts).sum == "The pack closes in triggers"


def test_sum_adds_up_with_the_kept_die_and_is_told_once() -> None:
    """Of several d6 only the best is added, so the faces alone are not the sum."""
    facts = {"hope": 10, "fear": 9, "d6": 2, "own": 1, "own_die": 6, "help_dice": [3], "beside": 3, "trait": "agility"}
    facts |= {"trait_value": -2, "total": 20, "outcome": "success with hope", "difficulty": 15}
    card = GAME.card("action/roll", facts)
    assert card.sum == "10 + 9 + Agility -2 + 3 from the d6 = 20"
    assert not card.between


def test_disadvantage_and_help_are_two_terms_of_the_sum() -> None:
    facts = {"hope": 9, "fear": 2, "d6": 3, "own": -1, "own_die": 6, "help_dice": [1], "beside": -2, "trait": "finesse"}
    facts |= {"trait_value": 2, "total": 11, "outcome": "failure with hope", "difficulty": 15}
    assert GAME.card("action/roll", facts).sum == "9 + 2 + Finesse 2 - 3 disadvantage + 1 help = 11"
    even = facts | {"help_dice": [3], "beside": 0, "total": 13}
    assert GAME.card("action/roll", even).sum == "9 + 2 + Finesse 2 - 3 disadvantage + 3 help = 13"


def test_verdict_has_hope_and_fear_in_capitals() -> None:
    card = GAME.card("action/verdict", {"outcome": "failure with hope", "by": "the GM"})
    assert card.told == "failure with Hope"


def test_rolls_in_statistics_have_hope_and_fear_in_capitals() -> None:
    names = [name for kind in GAME.roll_kinds for name, _ in kind.outcomes if " with " in name]
    assert names
    assert all(name.endswith((" with Hope", " with Fear")) for name in names)


def test_member_title_has_class_and_level() -> None:
    assert GAME.members(STATE)[0].title == "Wren, Ranger, level 1"


def test_targets_are_listed_with_their_conditions() -> None:
    state = after({"at": "boro.conditions", "add": {"id": "restrained"}})
    asked = run("gm/attack", state, ["adversary", "wolf"]).prompt
    assert isinstance(asked, Choose)
    assert asked.options[1].note == "Evasion 10, restrained"


def test_experiences_share_a_row_and_are_cut_only_if_they_must() -> None:
    def row(*names: str) -> list[str]:
        known = [{"at": "wren.experiences", "drop": one} for one in STATE["party"]["wren"]["experiences"]]
        new = [{"at": "wren.experiences", "add": {"id": f"e{n}", "name": name}} for n, name in enumerate(names)]
        rows = [
            each for pane in GAME.sheet(after(*known, *new), "wren") for each in pane.fields if isinstance(each, Row)
        ]
        return next([one.label for one in each.fields] for each in rows if str(each.fields[0].value).startswith("+"))

    assert row("Tracker of beasts", "Never lost") == ["Tracker of beasts", "Never lost"]
    assert row("Wolf-road guide of the north", "Sailor") == ["Wolf-road guide of the…", "Sailor"]


def test_wrong_result_names_the_helper_and_no_id() -> None:
    asked = run("action/roll", STATE, ["trait", "agility"], ["help", ["boro"]]).prompt
    assert isinstance(asked, Roll)
    with pytest.raises(Refused, match=r"^The help of Boro goes from 1 to 6, not 7\.$"):
        asked.check({"hope": 1, "fear": 2, "help_boro": 7})
    with pytest.raises(Refused, match=r"^Missing a result for the help of Boro\.$"):
        asked.check({"hope": 1, "fear": 2})


def test_paid_and_regained_hope_is_told_without_a_change(tmp_path: Path) -> None:
    dice = {"hope": 9, "fear": 4}
    with campaign(tmp_path) as table:
        roll = play(table, "action/roll", trait="agility", experiences=["guide"], dice=dice)
        assert "1 Hope spent, 1 gained" in GAME.card("action/roll", roll["facts"]).why
        reaction = play(table, "action/reaction", trait="agility", experiences=["guide"], dice=dice)
        assert "1 Hope spent;" in GAME.card("action/reaction", reaction["facts"]).why + ";"


@pytest.mark.parametrize(
    ("effects", "told"),
    [
        ([], "% = odds of success, traits vs 15"),
        ([{"at": "difficulty", "to": 12}], "% = odds of success, traits vs 12"),
        ([{"at": "difficulty", "to": 0}], "% = odds of rolling with Hope"),
        (
            [{"at": "settings.foes", "to": "hidden"}],
            "% = odds of success, traits vs 15; of an attack, rolling with Hope",
        ),
        (
            [{"at": "adversaries", "drop": one} for one in STATE["adversaries"]],
            "% = odds of success, vs 15",
        ),
    ],
)
def test_percentage_beside_a_move_names_its_difficulty(effects: list[dict[str, Any]], told: str) -> None:
    assert GAME.chance_told(after(*effects))[0] == told


class TestPreview:
    def test_preview_names_tokens_damage_and_waste(self) -> None:
        state = after(
            {"at": "settings.tokens", "to": 2},
            {"at": "wren.tokens", "to": 2},
            {"at": "wren.hope", "to": 6},
            {"at": "fear", "to": 12},
        )
        stakes = _stakes(run("action/attack", state, ["targets", ["wolf"]]))
        assert all("tokens 2 → 1" in outcome for outcome in stakes)
        assert [outcome[0] for outcome in stakes[:3]] == ["1d8+11 damage", "1d8+3 damage", "1d8+3 damage"]
        assert [outcome[-1] for outcome in stakes[2:4]] == ["spotlight to the GM"] * 2
        assert "1 Hope wasted" in stakes[1]
        assert "1 Fear wasted" in stakes[4]

    def test_preview_says_who_becomes_vulnerable_or_recovers(self) -> None:
        worn = after({"at": "wren.stress", "by": 6})
        assert "Vulnerable from full Stress" in GAME.changes(STATE, worn, "wren")
        assert "Wren: no longer Vulnerable from full Stress" in GAME.changes(worn, STATE, "boro")

    def test_preview_tells_a_firing_countdown_first(self) -> None:
        state = after({"at": "countdowns.pack.value", "to": 1})
        [*_, worst] = _stakes(run("action/roll", state, ["trait", "agility"]))
        assert worst[0] == "The pack closes in triggers"

    def test_verdict_names_the_total(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", trait="agility", difficulty=0, dice={"hope": 9, "fear": 4})
            asked = run("action/verdict", table.state).prompt
            assert asked is not None
            assert asked.title == "Wren rolled 15 with Hope. Is that a success?"
            assert GAME.owed(table.state, "wren")[0].note == "15 with Hope"

    def test_attack_names_attacker_target_and_thresholds(self) -> None:
        attack = run("gm/attack", STATE, ["adversary", "wolf"]).prompt
        assert attack is not None
        assert attack.title == "Who does Dire wolf attack?"
        hit = run("harm/take", STATE).prompt
        assert hit is not None
        assert hit.title == "Damage to Wren (thresholds 7/14)"


def _stakes(asked: Run) -> tuple[tuple[str, ...], ...]:
    assert isinstance(asked.prompt, Roll)
    return asked.prompt.stakes


def test_death_is_not_the_first_option() -> None:
    asked = run("harm/death_move", after({"at": "wren.hp", "by": 6})).prompt
    assert isinstance(asked, Pick)
    assert [option.key for option in asked.options] == ["avoid_death", "risk_it_all", "blaze_of_glory"]


def test_better_tag_team_roll_is_the_default() -> None:
    rolls = {"wren.dice": {"hope": 2, "fear": 9}, "boro.dice": {"hope": 5, "fear": 5}}
    asked = run("action/tag_team", STATE, ["partner", "boro"], ["targets", []], *map(list, TRAITS_OF_BOTH.items()))
    for faces in rolls.values():
        asked.answer(faces)
    assert asked.prompt is not None
    assert asked.prompt.default == "boro"


def test_rest_tells_who_does_what_with_which_die(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        moves = {"wren.1": "tend_to_wounds", "wren.1.target": "boro", "wren.2": "prepare"}
        rest = play(table, "rest/rest", anyway=True, kind="short", **moves, dice={"fear": 2, "wren_1": 3})
        assert rest["facts"]["told"] == "Wren: tend to wounds for Boro 3 + 1, prepare"


class TestRenumber:
    def test_numbers_of_its_type_are_asked_too(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/renumber", adversary="rats", count=9, damage_each=3)
            rats = table.state["adversaries"]["rats"]
            assert (rats["count"], rats["damage_each"], rats["minion"]) == (9, 3, 3)

    def test_minion_deals_its_own_damage_in_a_group(self) -> None:
        new = run("gm/adversary", STATE, ["name", "Imps"], ["type", "minion"], ["tier", "1"], ["damage", "3"])
        for _ in range(2):
            assert new.prompt is not None
            new.answer(new.prompt.default)
        assert new.prompt is not None
        assert (new.prompt.key, new.prompt.default) == ("damage_each", 3)
