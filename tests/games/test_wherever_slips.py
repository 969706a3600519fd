"""What a newcomer stumbled over: each of these was told wrongly once, or not at all."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.games.wherever_table import GAME, campaign, go, play

from tracker.games.prompts import Pick
from tracker.games.wherever.layout import SKILLS
from tracker.games.wherever.odds import after_gamble_against
from tracker.games.wherever.rolls import Lying, Pool, edges_of
from tracker.table.session import Session


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with campaign(tmp_path) as session:
        yield session


def one(table: Session, who: str = "ilse") -> Any:
    return table.state["party"][who]


def give(table: Session, at: str, value: Any) -> None:
    table.do("edit", [{"at": at, "to": value}])


def quiet(run: Any, key: str) -> Any:
    """The prompt of this key, whether it was asked or taken quietly."""
    return next(prompt for prompt in (*run.seen, run.prompt) if prompt and prompt.key == key)


class TestAMajorHarmThatEases:
    """Major hampers an attribute, severe a skill: what was the one has to become the other."""

    def hurt(self, table: Session) -> Any:
        play(table, "sheet/harm", sort="physical", grade="major", on="strength", name="Crushed hand")
        return lambda: one(table)["harms"]["physical"]["crushed_hand"]

    def test_the_montage_asks_which_skill_of_that_attribute(self, table: Session) -> None:
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

    def test_two_grades_at_once_ask_once_and_from_severe_to_minor_nothing_is_asked(self, table: Session) -> None:
        harm = self.hurt(table)
        play(table, "montage/montage", choose="recover_body", edges=4, **{"hampers.crushed_hand": "menace"})
        assert (harm()["grade"], harm()["on"]) == ("minor", "menace")
        give(table, "ilse.harms.physical.crushed_hand.grade", "severe")
        run = go(table, table.begin("montage/montage", "ilse"), choose="recover_body", edges=2)
        assert [key for key, _ in run.answers] == ["choose", "edges", "target"]

    def test_by_hand_it_hampers_the_first_skill_and_can_be_said_otherwise(self, table: Session) -> None:
        harm = self.hurt(table)
        table.do("change", [{"at": "ilse.recovery.physical", "by": 2}])
        assert (harm()["grade"], harm()["on"]) == ("severe", "force")
        assert not GAME.lint(table.state)
        play(table, "sheet/name_harm", harm="physical.crushed_hand", on="endurance")
        assert harm()["on"] == "endurance"

    def test_healed_by_a_word_it_is_asked_too(self, table: Session) -> None:
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


class TestAGambleAgainstSomebody:
    """Tiers mean nothing there: it is won or lost."""

    @pytest.mark.parametrize("acts", [True, False])
    @pytest.mark.parametrize("theirs", [0, 1, 2, 4])
    @pytest.mark.parametrize(
        ("pool", "lies"),
        [
            (Pool("d10", "d8"), Lying(2, 3, 0)),
            (Pool("d6", "0", "d8", 2), Lying(4, 0, 2, (1, 6))),
            (Pool("0", "0"), Lying(0, 0, 0)),
        ],
    )
    def test_the_chance_is_that_of_every_throw_there_is(self, pool: Pool, lies: Lying, theirs: int, acts: bool) -> None:
        again = [*pool.action, *[6] * (len(lies.stress) - lies.banes + 1)]
        throws = [sum(map(edges_of, faces)) for faces in product(*(range(1, sides + 1) for sides in again))]
        wins = sum(edges > theirs if acts else edges >= theirs for edges in throws)
        assert after_gamble_against(pool, lies, theirs, acts=acts) == (wins, len(throws) - wins)

    def against(self, table: Session, move: str, **answers: Any) -> str:
        give(table, "ilse.skills.stealth", "d10")
        theirs = {"other_attribute": "d10", "other_skill": "d10"}
        run = go(table, table.begin(move, "ilse"), skill="stealth", **theirs, **answers)
        return str(quiet(run, "gamble").note)

    def test_what_is_lost_has_its_chance_to_be_won(self, table: Session) -> None:
        dice = {"attribute": 1, "skill": 2, "other_attribute": 6, "other_skill": 7}
        assert self.against(table, "action/attack", dice=dice) == "stress 2 → 3; win it 13%, a bane in 17%"

    def test_what_is_won_has_its_chance_to_be_lost(self, table: Session) -> None:
        dice = {"attribute": 10, "skill": 2, "other_attribute": 6, "other_skill": 1}
        told = self.against(table, "action/opposed", dice=dice)
        assert told == "stress 2 → 3; lose it 58%, a bane in 17%"
        table.undo()
        told = self.against(table, "action/opposed", side="defending", dice=dice)
        assert told == "stress 2 → 3; lose it 21%, a bane in 17%"


class TestTheRollBeforeAMontage:
    def asked(self, table: Session, choose: str) -> Any:
        run = table.begin("montage/montage", "ilse")
        assert isinstance(run.prompt, Pick)
        note = next(option.note for option in run.prompt.options if option.key == choose)
        run.answer(choose)
        assert run.prompt is not None
        return note, run.prompt.title, run.prompt.default

    def test_which_roll_comes_first_is_said_and_no_other_fills_in_its_edges(self, table: Session) -> None:
        give(table, "ilse.health", 10)
        play(table, "action/roll", skill="force", dice={"attribute": 8, "skill": 1})
        assert self.asked(table, "recover_body") == (
            "a segment per edge, after a Medicine roll",
            "How many edges had the Medicine roll? Make it first",
            None,
        )
        assert self.asked(table, "clear_stress") == (
            "edges + 1, after any fitting roll",
            "How many edges had the fitting roll? The last one, Force, had 1",
            1,
        )

    def test_the_fitting_one_does(self, table: Session) -> None:
        give(table, "ilse.health", 10)
        play(table, "action/roll", skill="medicine", dice={"attribute": 6, "skill": 6})
        _, title, edges = self.asked(table, "recover_body")
        assert (title, edges) == ("How many edges had the Medicine roll? The last one, Medicine, had 2", 2)

    def test_gear_of_the_others_is_mended_too(self, table: Session) -> None:
        play(table, "gear/take", "oren", name="Coat", reliability=4)
        give(table, "oren.gear.coat.reliability", 1)
        give(table, "ilse.gear.lantern.reliability", 3)
        entry = play(table, "montage/montage", choose="repair", edges=2, item="oren.coat")
        assert one(table, "oren")["gear"]["coat"]["reliability"] == 3
        assert entry["facts"]["changed"] == ["Oren: Coat 1 → 3"]
