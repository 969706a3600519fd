"""Mistakes that a newcomer met in Wherever We Go; each was once told wrongly or not at all."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.games.wherever_table import GAME, campaign, give, go, one, play

from tracker import games
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Pick
from tracker.games.wherever.dice import DiceResult, Pool, after_gamble_against, edges_of
from tracker.games.wherever.state import SKILLS
from tracker.plain import text_lines


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with campaign(tmp_path) as session:
        yield session


def quiet(run: Any, key: str) -> Any:
    """Return the prompt with this key, whether it was asked or answered by default."""
    return next(prompt for prompt in (*run.seen, run.prompt) if prompt and prompt.key == key)


class TestEasedMajorHarm:
    """Major hampers an attribute, severe a skill: what was the one has to become the other."""

    def hurt(self, table: Session) -> Any:
        play(table, "sheet/harm", sort="physical", grade="major", on="strength", name="Crushed hand")
        return lambda: one(table)["harms"]["physical"]["crushed_hand"]

    def test_montage_asks_for_a_skill_of_the_attribute(self, table: Session) -> None:
        harm = self.hurt(table)
        run = table.begin("montage/montage", "ilse")
        run.answer("recover_body")
        run.answer(2)
        assert isinstance(run.prompt, Pick)
        assert tuple(option.key for option in run.prompt.options) == SKILLS["strength"]
        assert run.prompt.default == "force"
        run.answer("melee")
        table.finish(run)
        assert (harm()["grade"], harm()["on"]) == ("severe", "melee")
        assert not GAME.lint(table.state)

    def test_skill_is_asked_once_and_only_for_major_harm(self, table: Session) -> None:
        harm = self.hurt(table)
        play(table, "montage/montage", choose="recover_body", edges=4, **{"hampers.crushed_hand": "menace"})
        assert (harm()["grade"], harm()["on"]) == ("minor", "menace")
        give(table, "ilse.harms.physical.crushed_hand.grade", "severe")
        run = go(table, table.begin("montage/montage", "ilse"), choose="recover_body", edges=2)
        assert [key for key, _ in run.answers] == ["choose", "edges", "target"]

    def test_misplaced_harm_is_reported_and_can_be_corrected(self, table: Session) -> None:
        harm = self.hurt(table)
        table.do("change", [{"at": "ilse.recovery.physical", "by": 2}])
        assert (harm()["grade"], harm()["on"]) == ("severe", "strength")
        assert GAME.lint(table.state)
        assert "sheet/name_harm" in [action.start.procedure for action in GAME.now(table.state, "ilse")]
        play(table, "sheet/name_harm", harm="physical.crushed_hand", on="endurance")
        assert harm()["on"] == "endurance"
        assert not GAME.lint(table.state)

    def test_manual_healing_asks_for_the_skill(self, table: Session) -> None:
        harm = self.hurt(table)
        play(
            table,
            "sheet/heal_harm",
            harm="physical.crushed_hand",
            how="less",
            **{"hampers.crushed_hand": "endurance"},
        )
        assert (harm()["grade"], harm()["on"]) == ("severe", "endurance")
        assert not GAME.lint(table.state)


class TestOpposedGamble:
    """Tiers mean nothing there: it is won or lost."""

    @pytest.mark.parametrize("acts", [True, False])
    @pytest.mark.parametrize("theirs", [0, 1, 2, 4])
    @pytest.mark.parametrize(
        ("pool", "lies"),
        [
            (Pool("d10", "d8"), DiceResult(2, 3, 0)),
            (Pool("d6", "0", "d8", 2), DiceResult(4, 0, 2, (1, 6))),
            (Pool("0", "0"), DiceResult(0, 0, 0)),
        ],
    )
    def test_chance_agrees_with_every_throw(self, pool: Pool, lies: DiceResult, theirs: int, acts: bool) -> None:
        again = [*pool.action, *[6] * (len(lies.stress) - lies.banes + 1)]
        throws = [sum(map(edges_of, faces)) for faces in product(*(range(1, sides + 1) for sides in again))]
        wins = sum(edges > theirs if acts else edges >= theirs for edges in throws)
        assert after_gamble_against(pool, lies, theirs, acts=acts) == (wins, len(throws) - wins)

    def against(self, table: Session, move: str, **answers: Any) -> str:
        give(table, "ilse.skills.stealth", "d10")
        theirs = {"other_attribute": "d10", "other_skill": "d10"}
        run = go(table, table.begin(move, "ilse"), skill="stealth", **theirs, **answers)
        return str(quiet(run, "gamble").note)

    def test_lost_contest_shows_the_chance_to_win(self, table: Session) -> None:
        dice = {"attribute": 1, "skill": 2, "other_attribute": 6, "other_skill": 7}
        assert self.against(table, "action/attack", dice=dice) == "stress 2 → 3; win it 13%, bane 17%"

    def test_won_contest_shows_the_chance_to_lose(self, table: Session) -> None:
        dice = {"attribute": 10, "skill": 2, "other_attribute": 6, "other_skill": 1}
        told = self.against(table, "action/opposed", dice=dice)
        assert told == "stress 2 → 3; lose it 58%, bane 17%"
        table.undo()
        told = self.against(table, "action/opposed", side="defending", dice=dice)
        assert told == "stress 2 → 3; lose it 21%, bane 17%"


class TestMontageRoll:
    def asked(self, table: Session, choose: str) -> Any:
        run = table.begin("montage/montage", "ilse")
        assert isinstance(run.prompt, Pick)
        note = next(option.note for option in run.prompt.options if option.key == choose)
        run.answer(choose)
        assert run.prompt is not None
        return note, run.prompt.title, run.prompt.default

    def test_required_roll_is_named_and_another_is_not_proposed(self, table: Session) -> None:
        give(table, "ilse.health", 10)
        play(table, "action/roll", skill="force", dice={"attribute": 8, "skill": 1})
        assert self.asked(table, "recover_body") == (
            "a segment per edge, after a Medicine roll",
            "Edges on the Medicine roll (make it first)",
            None,
        )
        assert self.asked(table, "clear_stress") == (
            "edges + 1, after any fitting roll",
            "Edges on the fitting roll (your last roll, Force, had 1)",
            1,
        )

    def test_fitting_roll_is_proposed(self, table: Session) -> None:
        give(table, "ilse.health", 10)
        play(table, "action/roll", skill="medicine", dice={"attribute": 6, "skill": 6})
        _, title, edges = self.asked(table, "recover_body")
        assert (title, edges) == ("Edges on the Medicine roll (your last roll, Medicine, had 2)", 2)

    def test_gear_of_other_members_can_be_repaired(self, table: Session) -> None:
        play(table, "gear/take", "oren", name="Coat", reliability=4)
        give(table, "oren.gear.coat.reliability", 1)
        give(table, "ilse.gear.lantern.reliability", 3)
        entry = play(table, "montage/montage", choose="repair", edges=2, item="oren.coat")
        assert one(table, "oren")["gear"]["coat"]["reliability"] == 3
        assert entry["facts"]["changed"] == ["Oren: Coat 1 → 3"]


class TestDrive:
    """It costs 1 WP, and bonuses beyond +3 do not count."""

    def drives(self, table: Session, **answers: Any) -> Any:
        play(table, "sheet/drive", name="Find the drowned bell", intensity=2)
        run = table.begin("action/roll", "ilse")
        run.answer("stealth")
        for key, value in answers.items():
            run.revise(key, value)
        return run

    @pytest.mark.parametrize(
        ("bonus", "note", "reason"),
        [
            (1, "+2 for 1 WP", ""),
            (2, "+2 for 1 WP, only +1 counts", ""),
            (3, "+2 for 1 WP, only 0 counts", "already at the +3 cap"),
        ],
    )
    def test_drive_shows_the_part_that_counts_before_payment(
        self, table: Session, bonus: int, note: str, reason: str
    ) -> None:
        option = quiet(self.drives(table, bonus=bonus), "drives").options[0]
        assert (option.label, option.note, option.reason) == ("drive: Find the drowned bell", note, reason)

    def test_drive_is_not_paid_if_bonuses_reach_three(self, table: Session) -> None:
        run = self.drives(table, drives=["find_the_drowned_bell"], bonus=3)
        assert run.value("drives") == []

    def test_lost_bonus_is_shown_before_the_roll(self, table: Session) -> None:
        run = self.drives(table, drives=["find_the_drowned_bell"], bonus=2)
        assert run.prompt.title == "Roll d12 dexterity + d12 stealth, net +3, 1 over the +3 cap"


class TestHit:
    THEIRS: ClassVar[dict[str, Any]] = {"skill": "force", "other_attribute": "d12", "other_skill": "d12"}
    LOST: ClassVar[dict[str, int]] = {"attribute": 1, "skill": 1, "other_attribute": 12, "other_skill": 6}

    def test_landed_hit_tells_its_damage(self, table: Session) -> None:
        won = {"attribute": 8, "skill": 6, "other_attribute": 1, "other_skill": 1}
        facts = play(table, "action/attack", **self.THEIRS, dice=won)["facts"]
        card = GAME.card("action/attack", facts)
        assert card.why == "won by 2: deals base damage +1"
        assert card.short == "force, 2 edges against none, base damage +1"
        assert not GAME.owed(table.state, "ilse")

    def test_received_hit_is_due_with_its_edges(self, table: Session) -> None:
        entry = play(table, "action/attack", side="defending", **self.THEIRS, dice=self.LOST)
        assert GAME.card("action/attack", entry["facts"]).why == "lost by 3: deals base damage +2"
        assert entry["facts"]["changed"] == ["due: Take the hit: base damage +2"]
        (due,) = GAME.owed(table.state, "ilse")
        assert due.start
        entry = play(
            table, due.start.procedure, **dict(due.start.answers), base=3, armor=1, **{"hampers.health": "melee"}
        )
        assert entry["facts"]["changed"] == [
            "health 18 → 14",
            "severe physical harm: -2 melee",
            "done: Take the hit: base damage +2",
        ]

    def test_damage_stopped_by_armor_leaves_no_harm(self, table: Session) -> None:
        play(table, "action/attack", side="defending", **self.THEIRS, dice=self.LOST)
        play(table, "harm/hit", base=1, armor=9)
        assert one(table)["health"] == 18
        assert not one(table)["owed"]

    def test_opposed_roll_that_is_no_attack_deals_nothing(self, table: Session) -> None:
        entry = play(table, "action/opposed", side="defending", **self.THEIRS, dice=self.LOST)
        assert not entry["facts"]["changed"]


class TestBaneChanges:
    PUSHED: ClassVar[dict[str, Any]] = {"skill": "force", "push": True}

    def test_everybody_is_named_if_several_are_hurt(self, table: Session) -> None:
        entry = play(
            table,
            "action/roll",
            **self.PUSHED,
            dice={"attribute": 6, "skill": 1, "stress": [1, 1]},
            assign={"health": 2, "oren.resolve": 1, "other": 1},
        )
        assert entry["facts"]["changed"] == [
            "Ilse: WP 3 → 2",
            "Ilse: health 18 → 16",
            "Ilse: minor physical harm: -1 force",
            "Oren: resolve 11 → 10",
        ]
        card = GAME.card("action/roll", entry["facts"])
        assert card.short == "force, 1 edge, 2 banes, 1 damage to something else"
        assert card.why.endswith("“Describe a harm” moves it to another skill")
        offered = [action.label for action in GAME.now(table.state, "ilse")]
        assert "Describe a harm" in offered
        play(table, "sheet/name_harm", harm="physical.minor_force", name="Sprain")
        assert "Describe a harm" not in [action.label for action in GAME.now(table.state, "ilse")]

    def test_single_character_is_not_named(self, table: Session) -> None:
        dice = {"attribute": 6, "skill": 1, "stress": [2, 3]}
        assert play(table, "action/roll", **self.PUSHED, dice=dice)["facts"]["changed"] == ["WP 3 → 2"]


class TestFullWillpower:
    def test_sixes_tell_that_they_give_nothing(self, table: Session) -> None:
        give(table, "ilse.wp", 6)
        dice = {"attribute": 1, "skill": 1, "stress": [6, 6]}
        facts = play(table, "action/roll", skill="force", push=True, dice=dice)["facts"]
        assert GAME.card("action/roll", facts).why == "pushed; 2 sixes on stress: +1 WP"
        give(table, "ilse.wp", 6)
        dice = {"attribute": 1, "skill": 1}
        gamble = {"gamble": True, "gamble_dice": {"attribute": 1, "skill": 1, "stress": [6]}}
        facts = play(table, "action/roll", skill="force", dice=dice, **gamble)["facts"]
        assert GAME.card("action/roll", facts).why == "gambled; 1 six on stress: WP is full"

    def test_benefit_tells_that_it_gives_nothing(self, table: Session) -> None:
        give(table, "ilse.wp", 6)
        give(table, "ilse.stress", 0)
        run = table.begin("after/benefit", "ilse")
        notes = {option.key: option.note for option in quiet(run, "choose").options}
        assert notes["gain_willpower"] == "no change: WP is full"
        assert notes["clear_stress"] == "no change: stress is 0"


class TestCharacterCreation:
    ANSWERS: ClassVar[dict[str, Any]] = {
        "how": "balanced",
        "name": "Mara",
        "high": "wits",
        "low": "strength",
        "good": ["craft", "learning"],
        "some": ["force", "melee", "stealth", "insight"],
        "talent": "Ghost-step",
        "drive": "Find the bell",
        "good_trait": "Patient",
        "bad_trait": "Known",
    }

    def test_preview_tells_all_answers(self, table: Session) -> None:
        (told,) = play(table, "character/make", "", **self.ANSWERS)["facts"]["changed"]
        assert told.endswith("talent: Ghost-step d6; drive: Find the bell 1; trait: Patient +1, trait: Known -1")

    def test_talent_and_drive_strength_can_be_changed(self, table: Session) -> None:
        play(table, "character/make", "", **self.ANSWERS, talent_die="d10", intensity=3)
        mara = one(table, "mara")
        assert mara["talents"]["ghost_step"]["die"] == "d10"
        assert mara["drives"]["find_the_bell"]["intensity"] == 3


def test_question_has_one_question_mark(table: Session) -> None:
    run = table.begin("sheet/drive", "ilse")
    run.answer("The bell")
    with pytest.raises(Refused, match=r"^Type a number from 1 to 3\.$"):
        run.answer(7)


def test_moves_of_a_group_are_listed_together() -> None:
    groups = [move.group for move in GAME.moves.values()]
    assert len([group for n, group in enumerate(groups) if n == 0 or groups[n - 1] != group]) == len(set(groups))


def test_even_odds_are_the_third_question_in_all_games() -> None:
    for name in ("ironsworn", "daggerheart", "wherever"):
        assert ("yes", 50, "good") in games.get(name).oracles().questions[2].odds


def test_opposed_skills_show_no_tiers(table: Session) -> None:
    run = table.begin("action/opposed", "ilse")
    assert isinstance(run.prompt, Pick)
    assert not any(option.odds for option in run.prompt.options)


def test_plain_sheet_has_dice_harms_and_reliability(table: Session) -> None:
    play(table, "sheet/harm", sort="mental", grade="minor", on="insight", name="Dread")
    play(table, "sheet/talent", name="Ghost-step", die="d8")
    play(table, "gear/take_supply", name="Oil", die="d10")
    told = list(text_lines.sheet(table, "ilse"))
    assert {"minor: -1 insight, Dread", "mental recovery 0 of 2", "Supplies: Oil, die d10"} <= set(told)
    assert "Gear: Storm lantern, at hand, reliability 2 of 3" in told
    assert "Talents: Ghost-step, d8, marks 0 of 10" in told
