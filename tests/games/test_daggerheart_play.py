"""Procedures of Daggerheart at a real table, from both sides of it."""

from pathlib import Path
from typing import Any

import pytest
from tests.games.daggerheart_table import GAME, STATE, TABLE, campaign, play
from tests.games.wherever_table import go

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Number, Pick, Roll
from tracker.games.api.view import GmSide, Start, Stat
from tracker.games.common.scenes import SESSION
from tracker.games.daggerheart.character import CLASSES
from tracker.games.daggerheart.derived_values import conditions
from tracker.games.daggerheart.harm import severity


def by(at: str, points: int) -> dict[str, object]:
    return {"at": at, "by": points}


def gm_side(table: Session) -> GmSide:
    side = GAME.gm_side(table.state)
    assert side
    return side


class TestActionRoll:
    def test_common_roll_takes_four_keys(self) -> None:
        """m, a number, Enter rolls, Enter applies: nothing else is asked."""
        for action in GAME.now(STATE, "wren")[:4]:
            run = Run(GAME, GAME.moves[action.start.procedure], "wren", STATE, action.start.answers)
            assert isinstance(run.prompt, Roll), action
            run.answer({"hope": 3, "fear": 5} | {name: 1 for name in run.prompt.dice if name not in {"hope", "fear"}})
            assert run.prompt is None

    def test_starts_of_actions_are_hashable(self) -> None:
        """The picker looks up the odds by it."""
        assert {action.start for action in GAME.now(STATE, "wren")}
        assert {
            action.start
            for foe in STATE["adversaries"]
            for action in GAME.track_moves(STATE, "wren", f"adversaries.{foe}")
        }

    def test_trait_on_the_sheet_rolls_at_once(self) -> None:
        stat = GAME.sheet(STATE, "wren")[0].fields[0]
        assert isinstance(stat, Stat)
        assert stat.roll
        run = Run(GAME, GAME.moves[stat.roll.procedure], "wren", STATE, stat.roll.answers)
        assert isinstance(run.prompt, Roll)

    def test_last_difficulty_is_proposed(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", trait="agility", difficulty=17, dice={"hope": 3, "fear": 5})
            assert table.begin("action/roll", "boro").value("difficulty") == 17

    def test_stakes_of_each_outcome_are_shown_before_the_roll(self) -> None:
        run = Run(GAME, GAME.moves["action/roll"], "wren", STATE, [["trait", "agility"]])
        assert isinstance(run.prompt, Roll)
        assert len(run.prompt.odds) == len(run.prompt.stakes) == 5
        assert run.prompt.stakes[1] == ("Hope 4 → 5", "The pack closes in 6 → 5")
        assert "Fear 3 → 4" in run.prompt.stakes[2]
        assert "spotlight to the GM" in run.prompt.stakes[3]

    @pytest.mark.parametrize(
        "move", ["action/roll", "action/reaction", "action/group", "action/tag_team", "action/attack"]
    )
    def test_plus_and_minus_change_the_difficulty(self, move: str) -> None:
        """The first number with a letter is the one that they change."""
        answers = {"partner": "boro", "targets": [], "participants": ["boro"], "trait": "agility"}
        answers |= {"wren.trait": "agility", "boro.trait": "agility"}
        run = Run(GAME, GAME.moves[move], "wren", STATE, answers.items())
        numbers = [prompt for prompt in run.quiet() if isinstance(prompt, Number) and prompt.hot]
        assert numbers[0].key == "difficulty"

    def test_secret_difficulty_shows_chances_over_the_ladder(self) -> None:
        run = Run(GAME, GAME.moves["action/roll"], "wren", STATE, [["difficulty", 0], ["trait", "agility"]])
        assert isinstance(run.prompt, Roll)
        assert "10: 88%" in run.prompt.title
        assert [label for label, _, _ in run.prompt.odds] == ["critical", "with Hope", "with Fear"]

    def test_result_is_announced_as_players_say_it(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            facts = play(table, "action/roll", trait="agility", difficulty=14, dice={"hope": 9, "fear": 4})["facts"]
            card = GAME.card("action/roll", facts)
            assert (card.outcome, card.mark, card.tone) == ("SUCCESS WITH HOPE · 15", "■H", "good")
            assert card.sum == "9 + 4 + Agility 2 = 15"


class TestAttack:
    def test_hit_marks_hp_of_the_target(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            facts = play(table, "action/attack", targets=["wolf"], dice={"hope": 8, "fear": 6}, damage={"damage": [5]})[
                "facts"
            ]
            assert facts["felt"] == ["Dire wolf: major, HP 2/5 marked"]
            assert table.state["adversaries"]["wolf"]["hp"] == 2

    def test_equal_dice_add_the_maximum_of_the_damage_dice(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            facts = play(table, "action/attack", targets=["wolf"], dice={"hope": 1, "fear": 1}, damage={"damage": [5]})[
                "facts"
            ]
            assert facts["damage_total"] == 5 + 3 + 8
            assert table.state["adversaries"]["wolf"]["hp"] == 3

    def test_two_targets_are_compared_with_their_own_difficulty(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/attack", targets=["wolf", "rats"], dice={"hope": 6, "fear": 4}, damage={"damage": [4]})
            assert table.state["adversaries"]["wolf"]["hp"] == 0
            assert table.state["adversaries"]["rats"]["count"] == 2

    def test_changed_difficulty_applies_to_all_targets(self, tmp_path: Path) -> None:
        """The wolf is at 14 and the rats at 10: four less for both."""
        with campaign(tmp_path) as table:
            foes = table.state["adversaries"]
            eased = min(foes[one]["difficulty"] for one in ("wolf", "rats")) - 4
            facts = play(
                table,
                "action/attack",
                targets=["wolf", "rats"],
                difficulty=eased,
                dice={"hope": 6, "fear": 4},
                damage={"damage": [4]},
            )["facts"]
            hit = [one["name"] for one in foes.values() if facts["total"] >= one["difficulty"] - 4]
            assert len(facts["felt"]) == len(hit)

    @pytest.mark.parametrize("changed", [{"type": "magic"}, {"amount": 5}])
    def test_due_damage_is_settled_even_if_changed(self, tmp_path: Path, changed: dict[str, object]) -> None:
        with campaign(tmp_path) as table:
            dice = {"dice": {"d20": [10]}, "damage": {"damage": [3]}}
            play(table, "gm/attack", adversary="wolf", targets=["boro"], **dice)
            play(table, "harm/take", "boro", **changed)
            assert not table.owed("boro")

    def test_adversary_hit_makes_damage_due(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(
                table,
                "gm/attack",
                adversary="wolf",
                targets=["wren", "boro"],
                dice={"d20": [10]},
                damage={"damage": [3]},
            )
            assert [due.label for due in table.owed("boro")] == ["Take 7 physical damage"]
            assert not table.owed("wren")
            due = table.owed("boro")[0].start
            assert due == Start("harm/take", (("amount", 7), ("type", "physical")))
            table.finish(table.begin(due.procedure, "boro", due.answers))
            assert table.state["party"]["boro"]["hp"] == 3
            assert not table.owed("boro")

    def test_due_damage_that_the_players_settled_is_struck_off(self) -> None:
        state = fold(GAME.top, STATE, [by("boro.owed.damage_7_physical", 2)])
        run = Run(GAME, GAME.moves["owed/strike_off"], "boro", state)
        assert isinstance(run.prompt, Pick)
        assert [(option.label, option.note) for option in run.prompt.options] == [("Take 7 physical damage", "2 due")]
        run.answer("damage_7_physical")
        assert run.draft.state["party"]["boro"]["owed"] == {"damage_7_physical": 1}
        with pytest.raises(Refused, match=r"Nothing is due\."):
            Run(GAME, GAME.moves["owed/strike_off"], "boro", STATE)

    def test_horde_with_half_its_hp_deals_reduced_damage(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            horde = {
                "id": "swarm",
                "name": "Swarm",
                "type": "horde",
                "density": 3,
                "damage": "2d6",
                "reduced": "1d4",
                "hp": 3,
                "hp_max": 6,
            }
            table.do("edit", [{"at": "adversaries", "add": horde}])
            facts = play(
                table, "gm/attack", adversary="swarm", targets=["nib"], dice={"d20": [19]}, damage={"damage": [2]}
            )["facts"]
            assert facts["rolled"] == "1d4"


class TestManualSettings:
    def test_hope_and_fear_stay_if_moved_by_hand(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/settings", hope_and_fear="by hand")
            facts = play(table, "action/roll", trait="agility", difficulty=14, dice={"hope": 9, "fear": 4})["facts"]
            play(table, "action/roll", trait="agility", difficulty=14, dice={"hope": 4, "fear": 9})
            assert (table.state["party"]["wren"]["hope"], table.state["fear"]) == (4, 3)
            assert facts["outcome"] == "success with hope"
            assert "by hand" in GAME.card("action/roll", facts).why

    def test_countdowns_by_hand_advance_only_if_named(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/settings", countdowns="by hand")
            play(table, "action/roll", trait="agility", difficulty=14, dice={"hope": 9, "fear": 4})
            assert table.state["countdowns"]["pack"]["value"] == 6
            play(table, "action/roll", trait="agility", difficulty=14, countdowns=["pack"], dice={"hope": 9, "fear": 4})
            assert table.state["countdowns"]["pack"]["value"] == 5

    def test_single_countdown_can_be_left_out_of_a_roll(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", trait="agility", difficulty=14, countdowns=[], dice={"hope": 9, "fear": 4})
            assert table.state["countdowns"]["pack"]["value"] == 6

    def test_settings_belong_to_the_campaign(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/settings", edition="1.0", massive_damage="yes", overflow="each", tokens=3)
            kept = table.state["settings"]
            assert (kept["edition"], kept["massive_damage"], kept["overflow"], kept["tokens"]) == (
                "1.0",
                True,
                "each",
                3,
            )
            assert {me["tokens"] for me in table.state["party"].values()} == {3}
            play(table, "action/roll", trait="agility", difficulty=14, dice={"hope": 9, "fear": 4})
            assert table.state["party"]["wren"]["tokens"] == 2


class TestSecretRoll:
    def test_verdict_is_a_due_item(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", trait="agility", difficulty=0, dice={"hope": 9, "fear": 4})
            assert [due.label for due in table.owed("wren")] == ["The GM's verdict"]
            assert GAME.now(table.state, "wren")[0].label == "The GM's verdict"
            play(table, "action/verdict", success=True)
            assert not table.owed("wren")


ANSWERS: dict[str, Any] = {
    "how": "choose",
    "name": "Ash",
    "class": "guardian",
    "two": "strength",
    "ones": ["agility", "presence"],
    "minus": "finesse",
    "armor": "full_plate",
}


class TestCharacterCreation:
    def test_class_and_armor_give_the_starting_numbers(self) -> None:
        run = made(ANSWERS)
        ash = run.draft.state["party"]["ash"]
        assert (ash["evasion"], ash["hp_max"], ash["hope"], ash["proficiency"]) == (7, 7, 2, 1)
        assert (ash["armor_max"], ash["agility"], ash["strength"]) == (4, 0, 2)
        assert run.draft.state["fear"] == 1

    def test_only_legal_arrays_are_accepted(self) -> None:
        run = made({key: ANSWERS[key] for key in ("how", "name", "class", "two")})
        with pytest.raises(Refused):
            run.answer(["strength", "agility"])
        with pytest.raises(Refused):
            run.answer(["agility"])

    def test_own_class_asks_for_its_numbers(self) -> None:
        run = made({**ANSWERS, "class": "own.", "class_name": "Tinker", "evasion": 11, "hp": 5, "armor": "none"})
        ash = run.draft.state["party"]["ash"]
        assert (ash["class"], ash["evasion"], ash["hp_max"]) == ("Tinker", 11, 5)

    def test_random_character_is_legal_for_every_face(self) -> None:
        for face in (1, 77, 180):
            run = made({"how": "random", "dice": {"name": 3, "class": face % 9 + 1, "array": face}})
            (who,) = run.draft.state["party"].values()
            assert sorted(who[t] for t in ("agility", "strength", "finesse", "instinct", "presence", "knowledge")) == [
                -1,
                0,
                0,
                1,
                1,
                2,
            ]
            assert who["class"] in {one.name for one in CLASSES.values()}

    def test_later_character_brings_no_fear(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, SESSION.id)
            play(table, "character/make", **ANSWERS)
            assert table.state["fear"] == 3

    def test_creation_answers_accept_only_legal_traits(self) -> None:
        laid = {"agility": 0, "strength": 2, "finesse": -1, "instinct": 1, "presence": 1, "knowledge": 0}
        ash = made(GAME.creation_answers("Ash", laid)).draft.state["party"]["ash"]
        assert {trait: ash[trait] for trait in laid} == laid
        for wrong in ({**laid, "agility": 3}, {"luck": 2}, {"agility": 2}):
            with pytest.raises(Refused):
                GAME.creation_answers("Ash", wrong)


def made(answers: dict[str, object]) -> Run:
    run = Run(GAME, GAME.moves["character/make"], "", start(GAME.top))
    while run.prompt is not None:
        if run.prompt.key not in answers and run.prompt.default is None:
            return run
        run.answer(answers.get(run.prompt.key, run.prompt.default))
    return run


class TestGmSide:
    def test_gm_side_shows_fear_spotlight_adversaries_and_countdowns(self) -> None:
        side = GAME.gm_side(STATE)
        assert side is not None
        assert (side.pool.value, side.pool.high, side.turn) == (3, 12, "Spotlight: the players")
        wolf, rats = side.foes
        assert (wolf.name, wolf.kind, wolf.note) == ("Dire wolf", "bruiser", "Difficulty 14")
        assert [meter.label for meter in wolf.meters] == ["HP", "Stress"]
        assert [meter.value for meter in rats.meters] == [5]
        assert [track.name for track in side.tracks] == ["The pack closes in"]
        assert "standard 2–4" in side.pool_note

    def test_every_action_starts_an_existing_move(self) -> None:
        side = GAME.gm_side(STATE)
        assert side is not None
        foes = [action for foe in side.foes for action in foe.actions]
        for action in (
            *side.pool_actions,
            *side.turn_actions,
            *side.foes_actions,
            *side.tracks_actions,
            *side.actions,
            *foes,
        ):
            Run(GAME, GAME.moves[action.start.procedure], "", STATE, action.start.answers)

    def test_fear_is_counted_by_scene(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/spend_fear", on="interrupt")
            assert gm_side(table).pool.note == "1 spent this scene (usual for an incidental or minor scene)"
            assert gm_side(table).turn == "Spotlight: the GM"
            play(table, "story/scene", title="The ridge")
            assert gm_side(table).pool.note == "0 spent this scene (usual for an incidental scene)"

    def test_new_adversary_has_the_usual_numbers_of_its_tier(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "gm/adversary", name="Wren", type="solo", tier="3", damage="3d8+3")
            foe = table.state["adversaries"]["wren_2"]
            assert (foe["difficulty"], foe["major"], foe["severe"], foe["attack"]) == (17, 20, 32, 3)
            with pytest.raises(Refused, match="isn't dice"):
                play(table, "gm/adversary", name="Fog", damage="cold")

    def test_players_see_the_fight(self) -> None:
        fight = GAME.fight(STATE, "wren")
        assert fight is not None
        assert [foe.name for foe in fight.foes] == ["Dire wolf", "Rats"]
        assert fight.moves[0].label == "Attack"
        assert GAME.fight(fold(GAME.top, start(GAME.top), TABLE[:1]), "wren") is None

    def test_adversary_numbers_can_be_changed(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            run = go(table, table.begin("gm/renumber", ""), adversary="wolf", difficulty=16, damage="")
            assert table.changes(run) == ["Dire wolf: difficulty 14 → 16", "Dire wolf: damage none"]
            table.finish(run)
            wolf = table.state["adversaries"]["wolf"]
            assert (wolf["difficulty"], wolf["damage"], wolf["severe"]) == (16, "", 13)

    @pytest.mark.parametrize(
        ("numbers", "why"),
        [({"hp_max": 2}, "3 HP are marked"), ({"stress_max": 0}, "1 Stress"), ({"severe": 5}, "Severe can't")],
    )
    def test_contradictory_adversary_numbers_are_refused(
        self, numbers: dict[str, int], why: str, tmp_path: Path
    ) -> None:
        with campaign(tmp_path) as table:
            table.do("change", [by("adversaries.wolf.hp", 3), by("adversaries.wolf.stress", 1)])
            before = table.state
            with pytest.raises(Refused, match=why):
                play(table, "gm/renumber", adversary="wolf", damage="1d6+4", **numbers)
            assert table.state == before


class TestSoloPlay:
    def test_fate_question_changes_no_state(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            before = table.state
            facts = play(table, "fate/ask", choose=["yes_no"], odds="likely", dice={"fate": 5}, question="Is it shut?")[
                "facts"
            ]
            assert facts["answer"] == "yes"
            assert GAME.card("fate/ask", facts).sum == "Is it shut? likely: yes"
            assert table.state == before

    @pytest.mark.parametrize(
        ("faces", "name"),
        [
            ((9, 1), "After a failure with Hope"),
            ((1, 9), "After a failure with Fear"),
            ((6, 6), "After a critical success"),
        ],
    )
    def test_gm_move_depends_on_the_last_roll(self, faces: tuple[int, int], name: str, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "action/roll", trait="presence", difficulty=20, dice={"hope": faces[0], "fear": faces[1]})
            facts = play(table, "fate/gm_move", dice={"fate": 4})["facts"]
            assert facts["tables"] == [name]
            assert facts["told"]

    def test_every_question_and_table_can_be_asked(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            oracles = GAME.oracles()
            for question in oracles.questions:
                table.begin(question.start.procedure, "", question.start.answers)
            known = table.content().oracles
            assert all(one in known for pair in oracles.together for one in pair)


class TestTypedCondition:
    @pytest.mark.parametrize("called", ["Заморожен", "冻住", "Bled dry", "On fire!"])
    def test_name_is_kept_in_any_letters(self, called: str, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            run = go(table, table.begin("sheet/condition", "wren"), way="add", add="other.", other=called)
            assert called in table.changes(run)
            table.finish(run)
            assert conditions(table.state["party"]["wren"]) == [called]
            (ident,) = table.state["party"]["wren"]["conditions"]
            play(table, "sheet/condition", way="remove", remove=ident)
            assert conditions(table.state["party"]["wren"]) == []

    def test_condition_holds_once_and_beside_others(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            for called in ("冻住", "燃烧", "Hidden"):
                play(table, "sheet/condition", way="add", add="other.", other=called)
            assert conditions(table.state["party"]["wren"]) == ["hidden", "冻住", "燃烧"]
            for again in ("冻住", "HIDDEN"):
                with pytest.raises(Refused, match="already has"):
                    play(table, "sheet/condition", way="add", add="other.", other=again)


class TestBelongings:
    def test_hotkeys_are_unique(self) -> None:
        for holding in GAME.belongings(STATE, "wren"):
            for thing in holding.things:
                keys = [action.key for action in (*holding.actions, *thing.actions)]
                assert len(keys) == len(set(keys)), keys

    def test_everything_can_be_taken_and_let_go(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "sheet/weapon", weapon="Knife", weapon_trait="finesse", weapon_damage="d6")
            play(table, "sheet/card", name="Snowblind", note="unseen for a while")
            play(table, "sheet/experience", name="Sailor")
            play(table, "sheet/feature", name="Rally", refresh="session")
            play(table, "sheet/item", name="Rope")
            wren = table.state["party"]["wren"]
            assert wren["weapons"]["knife"]["place"] == "secondary"
            for thing in ("weapons.knife", "cards.snowblind", "experiences.sailor", "features.rally", "items.rope"):
                play(table, "sheet/let_go", thing=thing)
            assert table.state["party"]["wren"] == STATE["party"]["wren"]

    def test_sixth_card_goes_to_the_vault_and_is_recalled_for_stress(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            for n in range(6):
                play(table, "sheet/card", name=f"Card {n}", recall=2)
            assert table.state["party"]["wren"]["cards"]["card_5"]["vault"]
            with pytest.raises(Refused, match="holds 5 cards"):
                play(table, "sheet/swap", card="card_5")
            play(table, "sheet/swap", card="card_0")
            play(table, "sheet/swap", card="card_5")
            assert table.state["party"]["wren"]["stress"] == 2

    def test_session_features_refresh_in_a_new_session(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as table:
            play(table, "sheet/feature", name="Rally", refresh="session")
            table.do("change", [{"at": "wren.features.rally.used", "to": True}])
            play(table, SESSION.id)
            assert not table.state["party"]["wren"]["features"]["rally"]["used"]


def test_countdown_can_be_changed_by_hand(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:

        def keys() -> list[str]:
            return [action.key for action in GAME.track_moves(table.state, "wren", "pack")]

        assert keys() == ["-", "+", "l", "n", "c"]
        play(table, "countdown/listen", name="pack")
        play(table, "action/roll", trait="agility", difficulty=14, dice={"hope": 9, "fear": 4})
        assert table.state["countdowns"]["pack"]["value"] == 6
        fired = play(table, "countdown/move", name="pack", advance=6)["facts"]["fired"]
        assert fired == ["pack"]
        assert keys() == ["a", "n", "c"]
        play(table, "countdown/again", name="pack")
        assert (table.state["countdowns"]["pack"]["value"], table.state["countdowns"]["pack"]["ended"]) == (6, False)
        play(table, "countdown/move", name="pack")
        play(table, "countdown/back", name="pack")
        play(table, "countdown/rename", name="pack", new_name="The end")
        play(table, "countdown/close", name="pack")
        assert not table.state["countdowns"]


def test_two_open_runs_do_not_block_each_other(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        run = go(table, table.begin("action/attack", "wren"), targets=["wolf"], dice={"hope": 8, "fear": 7})
        table.leave(run)
        play(table, "action/roll", "boro", trait="agility", difficulty=14, dice={"hope": 9, "fear": 4})
        assert [due.label for due in table.owed("wren")] == ["Attack"]
        again = go(table, resumed(table), damage={"damage": [4]})
        table.finish(again)
        assert table.state["adversaries"]["wolf"]["hp"] == 2


def resumed(table: Session) -> Run:
    return table.resume(table.owed("wren")[0].run)


@pytest.mark.parametrize(
    ("damage", "thresholds", "marked"),
    [(8, (4, 0), 2), (3, (4, 0), 1), (3, (0, 12), 1), (12, (0, 12), 3), (40, (0, 0), 1), (0, (4, 9), 0)],
)
def test_threshold_of_0_is_never_reached(damage: int, thresholds: tuple[int, int], marked: int) -> None:
    assert severity(damage, thresholds, massive=True) == marked


def test_only_one_verdict_is_due_at_a_time(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        play(table, "action/roll", trait="agility", difficulty=0, dice={"hope": 3, "fear": 5})
        with pytest.raises(Refused):
            play(table, "action/roll", trait="agility", difficulty=0, dice={"hope": 3, "fear": 5})


def test_procedure_left_by_the_gm_makes_no_entry(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        before = len(table.log.entries)
        table.leave(table.begin("gm/attack", "", [["adversary", "wolf"]]))
        assert len(table.log.entries) == before
