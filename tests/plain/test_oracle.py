"""The oracle in lines."""

from __future__ import annotations

from pathlib import Path

from tests.plain.helpers import KARA, campaign, plain


def test_the_question_is_asked_by_its_word_and_told_with_the_answer(tmp_path: Path) -> None:
    said = plain(
        campaign(tmp_path, KARA),
        *("dice", "ask the oracle", "question Is the bridge guarded?", "yes or no", "likely", "64", ""),
        *("journal", "quit"),
    )
    assert "Is the bridge guarded? likely" in said.lines
    assert "Ask the Oracle, yes, Is the bridge guarded? likely" in said.text


def test_several_tables_are_rolled_at_once(tmp_path: Path) -> None:
    said = plain(
        campaign(tmp_path, KARA),
        *("dice", "ask the oracle", "words", "action, theme", "1 100", "", "journal", "quit"),
    )
    assert "Dice: 1 Action, 100 Theme" in said.lines
    assert any(line.startswith("Ask the Oracle, Action + Theme: ") for line in said.lines)


def test_the_price_from_the_table_is_told_in_words(tmp_path: Path) -> None:
    said = plain(campaign(tmp_path, KARA), "dice", "pay the price", "table", "35", "", "journal", "quit")
    assert "your position gets worse" in said.lines
    assert "Pay the Price, your position gets worse" in said.text
