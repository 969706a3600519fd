"""Rolls on tables of every shape: other dice, gaps, columns, rows that ask for further rolls."""

from __future__ import annotations

from typing import Any

import pytest
from tests.hostile import HOSTILE

from tracker.campaign.fold import fold, start
from tracker.campaign.run import Run
from tracker.games.api.content import Content, FurtherRoll, Oracle, row_text
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Pick, Roll
from tracker.games.common.oracle_rolls import DEEPEST, MOST_REPEATS, MOST_ROLLS
from tracker.games.ironsworn import GAME
from tracker.games.ironsworn.moves import MOVES, ORACLE
from tracker.text import shown_line

KARA = {"at": "party", "add": {"id": "kara", "name": "Kara"}}
PLACES = Oracle("places", "Places", "Ours", ("a ford", "a mill", "a fen", "a hill"))
TWICE = Oracle(
    "twice",
    "Omens",
    "Ours",
    ("a crow", "a fire", "look twice"),
    rolls=((), (), (FurtherRoll("twice", 2, same_table=True, distinct=True),)),
)


def asking(*tables: Oracle, others: tuple[Oracle, ...] = ()) -> Run:
    """Return a question to the oracle that rolls on `tables`; `others` are in the campaign too."""
    content = Content({one.id: one for one in (*tables, *others)}, {})
    answers = [["choose", ["spark"]], ["tables", [one.id for one in tables]]]
    return Run(GAME, MOVES[ORACLE], "kara", fold(GAME.top, start(GAME.top), [KARA]), answers, lambda: content)


def rolled(run: Run, *faces: int) -> dict[str, Any]:
    """Answer each roll with the next faces, and return the facts."""
    left = list(faces)
    while isinstance(run.prompt, Roll):
        run.answer({name: left.pop(0) for name in run.prompt.dice})
    assert not left
    return run.draft.facts


def told(run: Run, *faces: int) -> str:
    facts = rolled(run, *faces)
    assert run.prompt is None
    return str(facts["told"])


class TestEveryFace:
    @pytest.mark.parametrize(
        ("oracle", "rows"),
        [
            (PLACES, ["a ford", "a mill", "a fen", "a hill"]),
            (Oracle("t", "T", "G", ("low", "high"), upto=(4, 6)), ["low"] * 4 + ["high"] * 2),
            (Oracle("t", "T", "G", ("low", "high"), upto=(150, 200), die=200), ["low"] * 150 + ["high"] * 50),
            (Oracle("t", "T", "G", ("b", "a"), upto=(20, 10), since=(11, 1), die=20), ["a"] * 10 + ["b"] * 10),
        ],
    )
    def test_every_face_gives_its_row_of_the_table(self, oracle: Oracle, rows: list[str]) -> None:
        assert [told(asking(oracle), face) for face in range(1, oracle.sides + 1)] == rows

    @pytest.mark.parametrize(("die", "face"), [(20, 21), (200, 201), (6, 0)])
    def test_face_beyond_the_die_is_refused(self, die: int, face: int) -> None:
        run = asking(Oracle("t", "T", "G", ("all",), upto=(die,), die=die))
        with pytest.raises(Refused, match=f"goes from 1 to {die}"):
            run.answer({"t": face})


class TestGap:
    GAPS = Oracle("gaps", "Peoples", "Ours", ("few", "many", "your own"), upto=(2, 6, 0), since=(1, 5, 0), die=6)

    @pytest.mark.parametrize("face", [3, 4])
    def test_face_without_row_lets_the_player_choose(self, face: int) -> None:
        run = asking(self.GAPS)
        rolled(run, face)
        assert isinstance(run.prompt, Pick)
        assert run.prompt.title == f"Peoples has no row for {face}. Choose one"
        assert [option.label for option in run.prompt.options] == ["roll again", "few", "many", "your own"]
        run.answer("2")
        assert told(run) == "your own (chosen)"
        assert run.draft.facts["faces"] == [face]

    def test_face_without_row_can_be_rolled_again(self) -> None:
        run = asking(self.GAPS)
        rolled(run, 3)
        run.answer("again.")
        assert told(run, 6) == "many"
        assert run.draft.facts["faces"] == [3, 6]

    def test_rolling_again_has_an_end(self) -> None:
        run = asking(self.GAPS)
        for _ in range(MOST_REPEATS):
            rolled(run, 3)
            run.answer("again.")
        rolled(run, 3)
        assert isinstance(run.prompt, Pick)
        assert "roll again" not in [option.label for option in run.prompt.options]

    def test_table_without_die_is_chosen_from(self) -> None:
        run = asking(Oracle("t", "Moods", "G", ("sad", "glad"), upto=(0, 0), since=(0, 0)))
        assert isinstance(run.prompt, Pick)
        assert run.prompt.title == "Moods has no die. Choose a row"
        run.answer("1")
        assert (run.draft.facts["told"], run.draft.facts["faces"]) == ("glad (chosen)", [])
        assert GAME.card(ORACLE, run.draft.facts).sum == "Moods: glad (chosen)"


class TestColumns:
    WIDE = Oracle(
        "t", "Beasts", "G", ("Elk", "Wyrm"), columns=("Name", "Rank", "About"), more=(("mild", ""), ("wild", "big"))
    )

    def test_all_are_told_with_their_captions(self) -> None:
        assert [told(asking(self.WIDE), face) for face in (1, 2)] == [
            "Elk (Rank: mild)",
            "Wyrm (Rank: wild; About: big)",
        ]

    def test_without_captions_are_told_as_they_are(self) -> None:
        assert row_text(self.WIDE._replace(columns=()), 1) == "Wyrm (wild; big)"

    def test_columns_after_an_empty_first_text_stand_alone(self) -> None:
        assert row_text(Oracle("t", "T", "G", ("",), columns=("", "X"), more=(("y",),)), 0) == "X: y"


class TestFurtherRolls:
    def test_roll_twice_rolls_two_more_on_the_same_table(self) -> None:
        run = asking(TWICE)
        assert told(run, 3, 1, 2) == "look twice; a crow; a fire"
        assert run.draft.facts["faces"] == [3, 1, 2]
        assert run.draft.facts["named"] == ["Omens"] * 3

    def test_repeated_row_is_rolled_again_if_rows_must_differ(self) -> None:
        run = asking(TWICE)
        assert told(run, 3, 1, 1, 3, 2) == "look twice; a crow; a fire"
        assert run.draft.facts["faces"] == [3, 1, 1, 3, 2]

    def test_repeated_row_counts_in_the_end(self) -> None:
        run = asking(TWICE)
        assert told(run, 3, 1, *[1] * (MOST_REPEATS + 1)) == "look twice; a crow; a crow"

    def test_repeated_row_stands_if_rows_may_be_the_same(self) -> None:
        same = TWICE._replace(rolls=((), (), (FurtherRoll("twice", 2, same_table=True),)))
        assert told(asking(same), 3, 1, 1) == "look twice; a crow; a crow"

    def test_other_table_is_named(self) -> None:
        leads = Oracle("leads", "Trail", "G", ("it leads to a place", "gone"), rolls=((FurtherRoll("places"),), ()))
        run = asking(leads, others=(PLACES,))
        assert told(run, 1, 4) == "it leads to a place; Places: a hill"
        card = GAME.card(ORACLE, run.draft.facts)
        assert [(die.face, die.sides, die.word) for die in card.dice] == [(1, 2, "Trail"), (4, 4, "Places")]
        assert card.short == "Trail: it leads to a place; Places: a hill"

    def test_missing_table_is_named_as_such(self) -> None:
        lost = Oracle("t", "Trail", "G", ("on",), rolls=((FurtherRoll("delve/oracles/site_name"),),))
        assert told(asking(lost), 1) == "on; Site name: that table is in a pack that is missing"

    def test_circle_comes_to_an_end(self) -> None:
        one = Oracle("one", "One", "G", ("on",), rolls=((FurtherRoll("two"),),))
        two = Oracle("two", "Two", "G", ("back",), rolls=((FurtherRoll("one"),),))
        words = told(asking(one, others=(two,)), *[1] * (DEEPEST + 1))
        assert words == "on; Two: back; One: on; Two: back; One: on; Two: not rolled, it goes on and on"

    def test_growing_circle_comes_to_an_end(self) -> None:
        many = Oracle("t", "T", "G", ("more",), rolls=((FurtherRoll("t", 5, same_table=True),),))
        run = asking(many)
        while isinstance(run.prompt, Roll):
            run.answer(dict.fromkeys(run.prompt.dice, 1))
        assert len(run.draft.facts["faces"]) <= MOST_ROLLS
        assert str(run.draft.facts["told"]).endswith("not rolled, it goes on and on")

    def test_offered_roll_is_made_if_the_player_wants_it(self) -> None:
        offers = (FurtherRoll("places", auto=False), FurtherRoll("twice", auto=False))
        leads = Oracle("leads", "Trail", "G", ("a name",), rolls=(offers,))
        run = asking(leads, others=(PLACES, TWICE))
        assert told(run, 1) == "a name"
        assert [prompt.title for prompt in run.quiet()] == ["Roll Places too", "Roll Omens too"]
        run.revise(run.quiet()[1].key, True)
        assert told(run, 2) == "a name; Omens: a fire"
        assert [prompt.title for prompt in run.quiet()] == ["Roll Places too"]
        run.revise(run.quiet()[0].key, True)
        assert told(run, 4) == "a name; Omens: a fire; Places: a hill"

    def test_several_tables_keep_their_own_further_rolls(self) -> None:
        run = asking(PLACES, TWICE)
        assert told(run, 2, 3, 1, 2) == "a mill · look twice; a crow; a fire"


@pytest.mark.parametrize(("kind", "text"), HOSTILE, ids=[kind for kind, _ in HOSTILE])
def test_hostile_row_is_told_without_control_characters(kind: str, text: str) -> None:
    oracle = Oracle("t", text, text, (text,), columns=("", text), more=((text,),), rolls=((FurtherRoll(text),),))
    run = asking(oracle)
    rolled(run, 1)
    card = GAME.card(ORACLE, run.draft.facts)
    for words in (card.sum, card.short, *(die.word for die in card.dice)):
        assert shown_line(words, 10_000) == words, kind


def test_table_of_parts_joins_them_before_further_rolls() -> None:
    name = Oracle("name", "Name", "G", parts=("first", "last"), join="-")
    first = Oracle("first", "First", "G", ("Ul", "Ka"))
    last = Oracle("last", "Last", "G", ("ra", "of a place"), rolls=((), (FurtherRoll("places"),)))
    run = asking(name, others=(first, last, PLACES))
    assert told(run, 2, 2, 3) == "Ka-of a place; Places: a fen"
