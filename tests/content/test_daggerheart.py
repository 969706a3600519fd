"""What comes with Daggerheart is complete, fair to roll on, and says nothing twice."""

from collections import Counter

from tracker.content import shipped
from tracker.games.daggerheart.dice import FACES
from tracker.games.daggerheart.suggestions import TABLES, oracles

CONTENT = shipped("daggerheart")


def test_shipped_content_is_readable() -> None:
    assert CONTENT.problems == ()


def test_every_duality_outcome_has_a_table() -> None:
    for ident in TABLES.values():
        assert CONTENT.oracles[ident].sides == FACES


def test_no_row_is_repeated() -> None:
    for oracle in CONTENT.oracles.values():
        assert len(set(oracle.rows)) == len(oracle.rows), oracle.id
    sentences = Counter(
        row for oracle in CONTENT.oracles.values() if oracle.group == "The GM's voice" for row in oracle.rows
    )
    assert max(sentences.values()) == 1


def test_tables_that_go_together_are_there() -> None:
    assert {ident for pair in oracles().together for ident in pair} <= set(CONTENT.oracles)
