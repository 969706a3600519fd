"""The text that plain mode prints: help as an answer to nothing, and the words that the full-screen keys stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain.helpers import KARA, campaign, opened, plain, state

from tracker.plain.console import wrapped


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, KARA, {"at": "dice_are", "to": "typed in"})


@pytest.mark.parametrize("word", ["help", "HELP", "?"])
def test_help_at_a_text_prompt_explains_and_is_no_answer(vale: Path, word: str) -> None:
    said = plain(vale, "make a note", word, "Torva", "a smith", "person", "")
    assert "Make a note: You want to remember a person, a place, or a thing." in said.lines
    assert [note["name"] for note in state(vale)["notes"].values()] == ["Torva"]


def test_quoted_help_is_an_answer(vale: Path) -> None:
    plain(vale, "make a note", '"help"', "", "thing", "")
    assert [note["name"] for note in state(vale)["notes"].values()] == ["help"]


def test_question_mark_lists_the_words(vale: Path) -> None:
    assert plain(vale, "?").lines.count("quit: save and quit") == 1


def test_scene_takes_its_title_on_the_line_or_asks(vale: Path) -> None:
    said = plain(vale, "scene The quay", "", "scene", "The ford", "")
    assert [entry["facts"]["heading"] for entry in opened(vale).log.entries if "heading" in entry.get("facts", {})] == [
        "The quay",
        "The ford",
    ]
    assert "New scene: The quay. Saved." in said.lines


def test_session_begins_a_session(vale: Path) -> None:
    plain(vale, "session", "")
    assert state(vale)["session"] == 2


def test_find_prints_the_journal_lines_with_the_words(vale: Path) -> None:
    said = plain(vale, "say Aren is at the ford.", "say The quay is empty.", "find aren", "find beacon", "find")
    assert said.after("Written. Saved.")[1:4] == [
        "Aren is at the ford.",
        "What now? Type a number, a move, or help.",
        "No line of the journal has “beacon”.",
    ]
    assert "Find what? Type find and a word." in said.lines


def test_roll_names_a_stat(vale: Path) -> None:
    said = plain(vale, "roll edge", "3 5 9", "")
    assert "Action roll" in said.lines
    assert "Dice: 3 action, challenge 5 beaten, challenge 9 holds" in said.lines


def test_back_and_leave_outside_a_move_start_none(vale: Path) -> None:
    said = plain(vale, "back", "leave")
    assert "Back works inside a move; undo undoes the last thing." in said.lines
    assert "Leave works inside a move; undo undoes the last thing." in said.lines


def test_clear_without_a_word_offers_what_is_marked(vale: Path) -> None:
    said = plain(vale, "clear", "mark wounded", "mark shaken", "clear")
    assert "Nothing is marked." in said.lines
    assert "Clear what? Choose from: wounded, shaken." in said.lines


def test_help_offers_every_word_of_its_table(vale: Path) -> None:
    said = plain(vale, "help").text
    for word in ("find WORDS: ", "oracle, oracle TABLE: ", "roll, roll NAME: ", "scene, scene TITLE: ", "session: "):
        assert f"\n{word}" in said


def test_journal_says_a_new_thing_once(vale: Path) -> None:
    said = plain(
        vale,
        *("make a note", "Torva", "", "person", ""),
        *("start a track", "vow", "Save her", "dangerous", ""),
        *("start a clock", "Tide rises", "4 segments", ""),
        *("scene The quay", "", "journal"),
    )
    assert said.lines[-6:-2] == [
        "New note: Torva (person)",
        "New vow: Save her (dangerous)",
        "New clock: Tide rises (4 segments)",
        "The quay",
    ]
    assert "New note: Torva (person). Saved." in said.lines


def test_due_move_is_announced_and_told_without_a_second_colon(vale: Path) -> None:
    said = plain(vale, "face danger", "wits", "1 9 10", "", "due", "1", "The horse bolts", "", "")
    assert "Change: Pay the Price is due" in said.lines
    assert "Face Danger: Pay the Price is due. Saved." in said.lines
    assert "done: Pay the Price" not in said.text


class TestWrapped:
    def test_long_line_is_broken_between_words(self) -> None:
        assert wrapped("Close Knife has initiative", 12) == ["Close Knife", "has", "initiative"]

    def test_wide_characters_count_two_cells(self) -> None:
        assert wrapped("山山 川川", 8) == ["山山", "川川"]

    def test_word_that_is_too_long_is_kept(self) -> None:
        assert wrapped("a initiative b", 4) == ["a", "initiative", "b"]

    def test_empty_line_is_one_row(self) -> None:
        assert wrapped("", 10) == [""]
