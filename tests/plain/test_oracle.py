"""The oracle in lines."""

from __future__ import annotations

from pathlib import Path

from tests.plain.helpers import KARA, campaign, plain


def test_question_is_asked_by_its_name_and_repeated_with_the_answer(tmp_path: Path) -> None:
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


def test_price_from_the_table_is_told_in_words(tmp_path: Path) -> None:
    said = plain(campaign(tmp_path, KARA), "dice", "pay the price", "table", "35", "story", "", "journal", "quit")
    assert "your position gets worse" in said.lines
    assert "Pay the Price, your position gets worse" in said.text


def test_one_or_several_tables_are_rolled_by_name(tmp_path: Path) -> None:
    save = campaign(tmp_path, KARA, {"at": "dice_are", "to": "typed in"})
    said = plain(save, "tables", "weather", "1", "", "action + theme", "1 100", "", "oracle rumour", "1", "", "journal")
    assert any("Weather" in line and ": " in line for line in said.lines)
    assert "Combined: Action + Theme" in said.lines
    assert any(line.startswith("Ask the Oracle, Weather: ") for line in said.lines)
    assert any(line.startswith("Ask the Oracle, Action + Theme: ") for line in said.lines)
    assert any(line.startswith("Ask the Oracle, Rumor: ") for line in said.lines)


def test_help_tells_of_the_tables_and_what_is_no_table_is_said(tmp_path: Path) -> None:
    said = plain(campaign(tmp_path, KARA), "help", "weather, dance", "oracle 3")
    assert "\ntables, tables GROUP: the oracle tables" in said.text
    assert "Unknown command “weather, dance”; type help for a list." in said.lines
    assert "No oracle is called “3”; tables lists them." in said.lines


def test_answer_of_the_oracle_is_repeated_when_it_is_saved(tmp_path: Path) -> None:
    save = campaign(tmp_path, KARA, {"at": "dice_are", "to": "typed in"})
    said = plain(save, "oracle likely", "72", "", "journal")
    assert said.lines.count("Ask the Oracle") == 1
    assert "Ask the Oracle: likely, yes. Saved." in said.lines
    assert "No change." not in said.lines
    said = plain(save, "oracle rumour", "1", "")
    assert "Dice: 1" in said.lines


def test_oracle_alone_asks_what_to_ask(tmp_path: Path) -> None:
    said = plain(campaign(tmp_path, KARA), "oracle", "leave")
    assert said.lines.count("Ask the Oracle") == 1
    assert "2. yes or no: you set the odds" in said.lines
