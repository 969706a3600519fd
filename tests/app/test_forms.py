"""Forms of the dialog, one per kind of prompt: rows, keys, value and the word on Enter, without an app."""

from __future__ import annotations

from typing import Any

import pytest

from tracker.app.keymap import Hint
from tracker.app.screens.dialog.forms import NOTHING, form_of, key_ranges
from tracker.campaign.unsent_input import PendingInput
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Confirm, Number, Option, Pick, Prompt, Roll, Spread, Text

OPTIONS = (Option("a", "Axe", hot="x"), Option("b", "Bow"), Option("c", "Club", reason="broken"), Option("d", "Dirk"))
MANY = tuple(Option(f"o{n}", f"{word} {n}") for n, word in enumerate(["iron", "wood"] * 15))


def form(prompt: Prompt | None, pending: PendingInput | None = None, **more: Any) -> Any:
    return form_of(prompt, pending or PendingInput(), **more)


def keys(one: Any) -> list[str]:
    return [row.key for row in one.rows()]


class TestNoPrompt:
    def test_form_shows_and_takes_nothing(self) -> None:
        end = form(None)
        assert (end.rows(), end.value(), end.takes, end.question(), end.hints()) == ((), None, None, "", ())
        assert not end.press("1")


class TestPick:
    PROMPT = Pick(key="what", title="Weapon", options=OPTIONS, default="b")

    def test_options_have_their_own_key_or_a_digit(self) -> None:
        assert keys(form(self.PROMPT)) == ["x", "1", "2", "3"]

    def test_options_get_no_reserved_key(self) -> None:
        pick = form(self.PROMPT)
        pick.reserved = frozenset("12")
        assert keys(pick) == ["x", "3", "4", "5"]

    def test_cursor_starts_on_likely_then_on_default_then_on_the_last_one(self) -> None:
        assert form(self.PROMPT).first() == "b"
        assert form(Pick(key="what", title="Weapon", options=OPTIONS, default="b", likely="d")).first() == "d"
        pending = PendingInput()
        form(self.PROMPT, pending).press("x")
        assert form(self.PROMPT, pending).first() == "a"

    def test_key_puts_the_cursor_on_its_option(self) -> None:
        pick = form(self.PROMPT)
        assert pick.value() is None
        assert pick.press("1")
        assert pick.value() == "b"
        assert pick.quick

    def test_key_of_an_option_with_a_reason_says_it(self) -> None:
        pick = form(self.PROMPT)
        assert pick.press("2")
        assert (pick.value(), pick.message) == (None, "Club: broken.")

    def test_unknown_key_is_not_used(self) -> None:
        assert not form(self.PROMPT).press("9")
        assert not form(self.PROMPT).press("")

    def test_enter_says_roll_where_dice_fall_with_the_answer(self) -> None:
        assert form(self.PROMPT).enter() == "Next"
        assert form(self.PROMPT).enter(rolls=True) == "Roll"

    def test_hints_name_the_keys_that_can_be_pressed(self) -> None:
        assert form(self.PROMPT).hints() == (Hint("1 3 x", "Choose", "accept"),)


class TestLongList:
    PROMPT = Pick(key="what", title="Thing", options=MANY)

    def test_letters_filter_and_backspace_takes_one_back(self) -> None:
        pick = form(self.PROMPT)
        assert pick.long
        assert all(pick.seek(letter) for letter in "wood")
        assert {row.label.split()[0] for row in pick.rows()} == {"wood"}
        assert all(pick.seek("backspace") for _ in "wood")
        assert len(pick.rows()) == len(MANY)
        assert not pick.seek("backspace")

    def test_options_have_digits_and_no_letters(self) -> None:
        assert [key for key in keys(form(self.PROMPT)) if key] == list("123456789")

    def test_digit_is_not_for_the_filter(self) -> None:
        assert not form(self.PROMPT).seek("1")

    def test_short_list_has_no_filter(self) -> None:
        assert not form(TestPick.PROMPT).seek("w")

    def test_list_with_letters_of_its_own_has_no_filter(self) -> None:
        assert not form(Pick(key="what", title="Thing", options=(*MANY, *OPTIONS))).long

    def test_filter_goes_on_when_the_prompt_is_replayed(self) -> None:
        before, after = form(self.PROMPT), form(self.PROMPT)
        before.seek("w")
        after.resume(before)
        assert after.filter.typed == "w"


class TestChooseOne:
    PROMPT = Choose(key="what", title="Weapon", options=OPTIONS, least=0, likely="d")

    def test_value_is_a_list_of_one(self) -> None:
        choose = form(self.PROMPT)
        assert choose.first() == "d"
        assert choose.press("1")
        assert choose.value() == ["b"]
        assert not choose.quick

    def test_zero_chooses_nothing(self) -> None:
        pending = PendingInput()
        choose = form(self.PROMPT, pending)
        assert choose.press("0")
        assert choose.value() == []
        assert form(self.PROMPT, pending).first() == NOTHING

    def test_form_does_not_offer_none_where_one_is_needed(self) -> None:
        assert "0" not in keys(form(Choose(key="what", title="Weapon", options=OPTIONS)))


class TestChooseSeveral:
    PROMPT = Choose(key="what", title="Weapons", options=OPTIONS, least=2, most=2)

    def test_key_marks_and_clears(self) -> None:
        choose = form(self.PROMPT)
        choose.press("x")
        assert choose.marked() == ["a"]
        assert choose.question() == "Weapons (Space): 1 of 2 chosen"
        choose.press("x")
        assert choose.marked() == []

    def test_space_marks_the_option_under_the_cursor(self) -> None:
        choose = form(self.PROMPT)
        choose.at = "b"
        assert choose.press("space")
        assert choose.marked() == ["b"]
        assert choose.marked_labels() == "Bow"

    def test_space_without_an_option_says_so(self) -> None:
        choose = form(self.PROMPT)
        assert choose.press("space")
        assert choose.message == "Mark at least one first, with Space."

    def test_enter_on_an_unmarked_option_marks_nothing_and_says_what_is_missing(self) -> None:
        choose = form(self.PROMPT)
        choose.at = "a"
        assert not choose.press("enter")
        with pytest.raises(Refused, match="Mark two first: Space marks Axe"):
            choose.value()
        choose.press("space")
        assert not choose.press("enter")
        with pytest.raises(Refused, match="Mark one more first, with Space or an option's key"):
            choose.value()
        assert choose.marked() == ["a"]

    def test_enter_on_an_unmarked_option_answers_with_the_marked_ones(self) -> None:
        choose = form(Choose(key="what", title="Weapons", options=OPTIONS, least=1, most=3))
        choose.press("x")
        choose.at = "d"
        assert (choose.enter(), choose.value()) == ("Next", ["a"])

    def test_mark_beyond_the_limit_is_refused(self) -> None:
        choose = form(self.PROMPT)
        for key in "x13":
            choose.press(key)
        assert choose.marked() == ["a", "b"]
        assert choose.message == "You can choose 2 at most; clear one first."

    def test_zero_clears_all_marks(self) -> None:
        choose = form(Choose(key="what", title="Weapons", options=OPTIONS, least=0, most=2))
        choose.press("x")
        choose.press("0")
        assert (choose.enter(), choose.value()) == ("Next", [])

    def test_marked_option_that_has_become_impossible_is_dropped(self) -> None:
        pending = PendingInput()
        pending.keep("what", ["a", "c"])
        assert form(self.PROMPT, pending).marked() == ["a"]

    def test_hints_say_mark(self) -> None:
        assert form(self.PROMPT).hints() == (Hint("1 3 x", "Mark", "accept"),)


class TestSpread:
    PROMPT = Spread(key="harm", title="Harm", points=3, targets=((Option("a", "Ash"), 2), (Option("b", "Bo"), 9)))

    def test_key_puts_one_more_point_there(self) -> None:
        spread = form(self.PROMPT)
        spread.press("1")
        spread.press("2")
        assert spread.value() == {"a": 1, "b": 1}
        assert spread.question() == "Harm, 1 left:"
        assert [row.note for row in spread.rows()] == ["1 of 2", "1 of 9"]

    def test_signs_change_the_target_under_the_cursor(self) -> None:
        spread = form(self.PROMPT)
        assert not spread.press("+")
        spread.at = "b"
        assert all(spread.press(key) for key in "++-")
        assert spread.value() == {"b": 1}

    def test_target_takes_no_more_than_its_limit(self) -> None:
        spread = form(self.PROMPT)
        for key in "111":
            spread.press(key)
        assert (spread.value(), spread.message) == ({"a": 2}, "Ash takes at most 2.")

    def test_no_more_points_are_spread_than_there_are(self) -> None:
        spread = form(self.PROMPT)
        for key in "2222":
            spread.press(key)
        assert (spread.value(), spread.message) == ({"b": 3}, "All 3 are assigned: free one first, with -.")


class TestNumber:
    PROMPT = Number(key="n", title="Number", low=1, high=5, default=4)

    def test_line_starts_with_the_default_and_typing_replaces_it(self) -> None:
        number = form(self.PROMPT)
        assert (number.first_line(), number.replaces(), number.placeholder) == ("4", True, "1 to 5")

    @pytest.mark.parametrize(("line", "value"), [(" 3 ", 3), ("", None), ("three", "three"), ("9" * 9, "9" * 9)])
    def test_value_is_the_number_in_the_line(self, line: str, value: Any) -> None:
        number = form(self.PROMPT)
        number.line = line
        assert number.value() == value

    @pytest.mark.parametrize(
        ("line", "key", "after"), [("4", "+", "5"), ("5", "+", "5"), ("1", "-", "1"), ("", "+", "1")]
    )
    def test_signs_change_the_line_within_its_limits(self, line: str, key: str, after: str) -> None:
        number = form(self.PROMPT)
        number.line = line
        assert number.press(key)
        assert number.line == after


class TestText:
    def test_line_begins_with_the_default_and_an_emptied_one_is_no_answer(self) -> None:
        text = form(Text(key="t", title="Name", default="Ash"))
        assert (text.value(), text.first_line(), text.placeholder, text.replaces()) == (None, "Ash", "", True)

    def test_enter_leaves_out_what_may_be_empty(self) -> None:
        text = form(Text(key="t", title="Name", empty=True, hint="Bo"))
        assert (text.enter(), text.value(), text.placeholder) == ("Skip", "", "e.g. Bo")
        text.line = " Cy "
        assert (text.enter(), text.value()) == ("Next", "Cy")

    def test_typed_text_outlives_the_session(self) -> None:
        prompt, pending = Text(key="t", title="Name", default="Ash"), PendingInput()
        form(prompt, pending).keep("Bo")
        assert pending.words == {"t": "Bo"}
        later = form(prompt, PendingInput(pending.words))
        assert (later.first_line(), later.replaces()) == ("Bo", True)

    def test_default_is_not_kept_as_typed(self) -> None:
        pending = PendingInput()
        form(Text(key="t", title="Name", default="Ash"), pending).keep("Ash")
        assert pending.words == {}


class TestRoll:
    PROMPT = Roll(key="roll", title="Roll", dice={"action": 6, "challenge": (10, 10)})

    def test_rolled_dice_need_no_line(self) -> None:
        roll = form(self.PROMPT)
        assert (roll.takes, roll.enter(), roll.value(), roll.question()) == (None, "Roll", None, "Roll")

    def test_typed_faces_are_the_value(self) -> None:
        roll = form(self.PROMPT, typed_dice=True)
        roll.line = "4 7 9"
        assert (roll.enter(), roll.value()) == ("Use these", {"action": 4, "challenge": [7, 9]})

    @pytest.mark.parametrize("line", ["", "4 7", "7 1 1", "4 7 9 1"])
    def test_other_faces_are_refused(self, line: str) -> None:
        roll = form(self.PROMPT, typed_dice=True)
        roll.line = line
        with pytest.raises(Refused):
            roll.value()

    def test_dice_of_the_app_are_not_typed(self) -> None:
        assert form(Roll(key="roll", title="Roll", dice={"d29": 29}, ours=True), typed_dice=True).takes is None

    def test_faces_typed_for_fewer_dice_are_there_again(self) -> None:
        pending = PendingInput()
        form(Roll(key="roll", title="Roll", dice={"action": 6}), pending, typed_dice=True).keep("4")
        assert form(self.PROMPT, pending, typed_dice=True).first_line() == "4"
        assert form(Roll(key="roll", title="Roll", dice={"action": 8}), pending).first_line() == ""


class TestConfirm:
    PROMPT = Confirm(key="sure", title="Sure", default=False, note="costs 1")

    def test_keys_say_yes_and_no(self) -> None:
        confirm = form(self.PROMPT)
        assert (keys(confirm), confirm.first(), confirm.quick) == (["y", "n"], False, True)
        assert confirm.press("y")
        assert confirm.value() is True
        assert confirm.press("n")
        assert confirm.value() is False

    def test_no_gets_another_key_where_n_says_yes(self) -> None:
        assert keys(form(Confirm(key="sure", title="Sure", hot="n"))) == ["n", "1"]


@pytest.mark.parametrize(
    ("pressed", "words"),
    [("1234", "1-4"), ("12", "1 2"), ("1245b", "1 2 4 5 b"), ("abcefgh", "a b c e f g…"), ("", "")],
)
def test_key_ranges_are_short(pressed: str, words: str) -> None:
    assert key_ranges(list(pressed)) == words
