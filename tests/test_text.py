"""Text from outside, as it is shown."""

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile import HOSTILE

from tracker.text import name_problem, shown, shown_line

ZWJ, ZWNJ = "\u200d", "\u200c"
TRICKY = (
    "a1 [\\\n\r\t\x00\x1b\x7f\x85\x9b\u00ad\u0301\u0316\u034f\u20e3\u05d3\u05b8\u0628\u064e\u0915\u094d\u09b0\u09cd"
    "\u180b\u1820\u17b4\u200b\u200c\u200d\u200e\u202e\u2028\u2066\ufe00\ufe0e\ufe0f\U000e0100\U000e0041\udc80\ue000"
    "\u0378\u3164\u2764\u267e\u8449\U0001f469\U0001f3fd\U0001f525\U0001f1eb\U0001f1f7‹›…↵◌␛"
)
anything = st.text(st.characters()) | st.text(st.sampled_from(TRICKY), max_size=80)
prose = st.text(st.sampled_from([chr(code) for code in range(32, 127)] + ["\n"]))


def acts_or_hides(char: str) -> bool:
    return char not in (ZWJ, ZWNJ) and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class TestHostileText:
    @pytest.mark.parametrize(
        ("typed", "seen"),
        [
            ("\x1b[31mred", "␛[31mred"),
            ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
            ("a\x00b", "a␀b"),
            ("Ana\x08\x08", "Ana␈␈"),
            ("\x1f\x7f", "␟␡"),
            ("\x0b\x0c", "␋␌"),
            ("\x9b31m", "‹U+009B›31m"),
            ("a\x85b", "a‹U+0085›b"),
        ],
    )
    def test_control_characters_become_signs(self, typed: str, seen: str) -> None:
        assert shown(typed) == seen
        assert shown_line(typed) == seen

    @pytest.mark.parametrize("char", "\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u2028\u2029\ufeff\u200b\u2060\u00ad")
    def test_direction_separators_and_zero_width_become_signs(self, char: str) -> None:
        assert shown(f"a{char}b") == f"a‹U+{ord(char):04X}›b"

    @pytest.mark.parametrize("char", ["\U000e0041", "\U000e007f", "\ue000", "\u0378", "\U0001f0ff", "\udc80"])
    def test_tags_private_use_unassigned_and_surrogates_become_signs(self, char: str) -> None:
        assert shown(char) == f"‹U+{ord(char):04X}›"

    @pytest.mark.parametrize("char", "\u3164\u115f\u1160\uffa0\u034f\u17b4\u17b5")
    def test_letters_and_marks_that_draw_nothing_become_signs(self, char: str) -> None:
        assert shown(f"a{char}") == f"a‹U+{ord(char):04X}›"

    @given(anything)
    def test_any_text_is_safe_to_show(self, text: str) -> None:
        assert not [char for char in shown(text) if acts_or_hides(char) and char != "\n"]
        assert not [char for char in shown_line(text) if acts_or_hides(char)]
        shown(text).encode()

    @pytest.mark.parametrize(("label", "text"), HOSTILE, ids=[label for label, _ in HOSTILE])
    def test_every_hostile_name_is_safe_to_show(self, label: str, text: str) -> None:
        assert not [char for char in shown_line(text) if acts_or_hides(char)]
        assert len(shown_line(text)) <= 60


class TestOrdinaryText:
    @given(prose)
    def test_plain_text_stays(self, text: str) -> None:
        assert shown(text) == text

    @pytest.mark.parametrize(
        "text", ["Ana [/oops]", "[bold red]x", "\\[x]", "%s {0} $(x) `x`", '"""', "#= 12 deadbeef"]
    )
    def test_markup_is_not_escaped(self, text: str) -> None:
        assert shown(text) == text
        assert shown_line(text) == text

    @pytest.mark.parametrize(
        "text",
        [
            "דָּוִד בֶּן־גּוּרְיוֹן",
            "שָּׁ\u05bd\u0591",
            "مُحَمَّد بن سلمان",
            "漢字とカナ 한글 ＡＢＣ",
            "Ame\u0301lie Nguye\u0302\u0303n",
            "ไม้ยมก ត្រី မြွှေ",
            "Œuvre «\u00a0Straße\u202f»",
            "🎲 🇫🇷 👍🏽",
        ],
    )
    def test_names_of_many_scripts_stay(self, text: str) -> None:
        assert shown(text) == text

    @given(anything)
    def test_shown_text_stays_when_it_is_shown_again(self, text: str) -> None:
        assert shown(shown(text)) == shown(text)
        assert shown_line(shown_line(text)) == shown_line(text)


class TestJoinersAndVariationSelectors:
    @pytest.mark.parametrize(
        "text",
        [
            "👩\u200d👩\u200d👧\u200d👦",
            "👩🏽\u200d🚒",
            "❤\ufe0f\u200d🔥",
            "🏳\ufe0f\u200d🌈",
            "🙂\u200d↔\ufe0f",
            "علی\u200cرضا",
            "क्\u200dष",
            "क्\u200cष",
            "র\u200d্যা",
            "ශ්\u200dරී",
        ],
    )
    def test_joiner_stays_between_what_it_joins(self, text: str) -> None:
        assert shown(text) == text

    @pytest.mark.parametrize("joiner", [ZWJ, ZWNJ])
    @pytest.mark.parametrize("around", ["a{}b", "{}क", "क{}", "👩{}b", "1{}2", "क{} ष", "١{}٢", "{}", "a{}\u0301"])
    def test_joiner_that_joins_nothing_is_shown(self, around: str, joiner: str) -> None:
        sign = f"‹U+{ord(joiner):04X}›"
        assert shown(around.format(joiner)) == around.format(sign)

    def test_pictures_are_not_held_apart(self) -> None:
        assert shown("👩\u200c👩") == "👩‹U+200C›👩"

    def test_endless_chain_of_joiners_is_broken_up(self) -> None:
        assert shown("👩" + "\u200d👩" * 5) == "👩" + "\u200d👩" * 3 + "‹U+200D›👩\u200d👩"
        assert shown("क" + "\u200dक" * 5) == "क" + "\u200dक" * 3 + "‹U+200D›क\u200dक"

    @pytest.mark.parametrize("text", ["❤\ufe0f", "✈\ufe0e", "1\ufe0f\u20e3", "葛\U000e0100", "ᠠ\u180b", "\u6f22\ufe00"])
    def test_selector_stays_after_what_it_can_modify(self, text: str) -> None:
        assert shown(text) == text

    @pytest.mark.parametrize("base", ["", "a", "क", "❤\ufe0f", "葛", " "])
    def test_selector_elsewhere_is_shown(self, base: str) -> None:
        assert shown(base + "\ufe0f") == base + "‹U+FE0F›"

    def test_selectors_of_ideographs_and_mongolian_stay_only_there(self) -> None:
        assert shown("a\U000e0100ب\u180b❤\ufe00葛\ufe05") == "a‹U+E0100›ب‹U+180B›❤‹U+FE00›葛‹U+FE05›"


class TestMarks:
    def test_five_stay_and_the_rest_of_the_pile_is_one_sign(self) -> None:
        assert shown("Z" + "\u0301" * 5 + "a") == "Z" + "\u0301" * 5 + "a"
        assert shown("Z" + "\u0301" * 500 + "a") == "Z" + "\u0301" * 5 + "‹…›a"

    def test_mark_without_a_letter_gets_a_base(self) -> None:
        assert shown("\u0301a\n\u0302b") == "◌\u0301a\n◌\u0302b"
        assert shown("\u0301" * 7) == "◌" + "\u0301" * 5 + "‹…›"


class TestLines:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_every_line_end_is_a_new_line(self, end: str) -> None:
        assert shown(f"Ana{end}Bob") == "Ana\nBob"
        assert shown_line(f"Ana{end}Bob") == "Ana↵Bob"

    def test_tab_is_four_spaces(self) -> None:
        assert shown("a\tb") == "a    b"
        assert shown_line("a\tb") == "a    b"

    def test_sixty_characters_fit_and_more_are_cut(self) -> None:
        assert shown_line("x" * 60) == "x" * 60
        assert shown_line("x" * 61) == "x" * 59 + "…"
        assert shown_line("漢字かな", 3) == "漢字…"
        assert shown_line("abc", 1) == "…"

    @pytest.mark.parametrize("whole", ["👩\u200d👧", "e\u0301", "🇫🇷", "क्\u200dष", "❤\ufe0f", "\x85", "\u202e"])
    def test_joined_characters_are_not_cut_apart(self, whole: str) -> None:
        seen = shown(whole)
        assert shown_line(whole + "abc", len(seen)) == "…"
        assert shown_line(whole + "abc", len(seen) + 1) == seen + "…"
        assert shown_line("ab" + whole, len(seen) + 1) == "ab…"
        assert shown_line("ab" + whole, len(seen) + 2) == "ab" + seen

    @given(anything, st.integers(1, 70))
    def test_no_line_is_longer_than_asked(self, text: str, most: int) -> None:
        assert len(shown_line(text, most)) <= most

    @given(anything)
    def test_line_with_room_enough_shows_all(self, text: str) -> None:
        one_line = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "↵")
        assert shown_line(text, 100_000) == shown(one_line)


class TestNames:
    @pytest.mark.parametrize("name", ["Ana", "Ana [/oops]", "x" * 60, "דוד", "👩\u200d👧", "-", "A\u200b", " Ana "])
    def test_valid_name_is_accepted(self, name: str) -> None:
        assert name_problem(name) is None

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "A name can't be empty."),
            ("Ana\nBob", "Keep the name to one line."),
            ("Ana\r", "Keep the name to one line."),
            ("Ana\u2028Bob", "Keep the name to one line."),
            ("x" * 61, "61 characters is too long for a name; the limit is 60."),
            ("   ", "A name needs a visible character."),
            ("\u3164\u200b\u2800\u00a0", "A name needs a visible character."),
            ("\x1b\ue000\udc80", "A name needs a visible character."),
            ("\u0301", "A name needs a visible character."),
        ],
    )
    def test_invalid_name_is_refused(self, text: str, problem: str) -> None:
        assert name_problem(text) == problem

    @given(anything)
    def test_message_about_a_bad_name_is_safe_to_show(self, text: str) -> None:
        problem = name_problem(text) or ""
        assert shown_line(problem) == problem


def test_text_needs_no_screen() -> None:
    loaded = "import sys, tracker.text; print(*{name.partition('.')[0] for name in sys.modules})"
    names = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    assert "re" in names
    assert not {"textual", "rich", "asyncio"} & set(names)
