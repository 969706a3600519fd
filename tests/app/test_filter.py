"""Filters: which keys they take, and which names the typed letters fit."""

from __future__ import annotations

import pytest

from tracker.app.filter import Filter, rank_items

MOVES = ("Face Danger", "Secure an Advantage", "Gather Information", "Heal", "Fulfill Your Vow", "Forsake Your Vow")


def typed(letters: str) -> Filter:
    made = Filter()
    made.add(letters)
    return made


def fitting(letters: str) -> list[str]:
    return typed(letters).fitting(MOVES, str)


class TestKeys:
    def test_backspace_erases_one_letter_and_ctrl_u_all(self) -> None:
        letters = typed("heal")
        assert letters.press("backspace")
        assert letters.typed == "hea"
        assert letters.press("ctrl+u")
        assert letters.typed == ""

    @pytest.mark.parametrize("key", ["backspace", "ctrl+u", "escape", ""])
    def test_key_without_effect_is_not_taken(self, key: str) -> None:
        assert not Filter().press(key)

    def test_full_filter_takes_a_letter_without_growing(self) -> None:
        letters = Filter(most=3)
        assert all(letters.press(letter) for letter in "heal")
        assert letters.typed == "hea"

    def test_slash_before_the_first_letter_is_dropped(self) -> None:
        letters = Filter()
        assert all(letters.press(key) for key in "/he/")
        assert letters.typed == "he/"

    def test_clear_tells_whether_letters_were_there(self) -> None:
        letters = typed("heal")
        assert letters.clear()
        assert not letters.clear()


class TestFitting:
    def test_no_letters_fit_everything_in_order(self) -> None:
        assert fitting("") == list(MOVES)

    def test_start_of_a_name_comes_before_a_later_word(self) -> None:
        assert fitting("fo") == ["Forsake Your Vow", "Gather Information"]
        assert fitting("a") == ["Secure an Advantage", "Face Danger", "Gather Information", "Heal", "Forsake Your Vow"]

    def test_first_letters_of_words_fit(self) -> None:
        assert fitting("gi") == ["Gather Information"]

    def test_letters_with_gaps_fit_only_if_no_name_fits_without(self) -> None:
        assert fitting("hea") == ["Heal"]
        assert fitting("fv") == ["Fulfill Your Vow", "Forsake Your Vow"]

    def test_ranked_keeps_names_with_gaps_apart(self) -> None:
        assert rank_items("sa", MOVES, str) == (["Secure an Advantage", "Forsake Your Vow"], [])
        assert rank_items("ha", MOVES, str) == ([], ["Heal", "Gather Information"])

    def test_letters_are_found_in_any_of_several_names(self) -> None:
        assert typed("Kara ").is_in("The Drowned Mill", "Ironsworn", "Kara")
        assert not typed("Tayla").is_in("The Drowned Mill", "Ironsworn", "Kara")


def test_line_shows_the_hint_only_while_nothing_is_typed() -> None:
    assert Filter().line("type").plain == "type"
    assert typed("heal").line("type", "   marked: a").plain == "/ heal   marked: a"
