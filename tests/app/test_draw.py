"""How values look, as plain text, and which colours they name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color
from textual.content import Content
from textual.theme import BUILTIN_THEMES, Theme

from tracker.app.drawings import (
    boxes,
    centred,
    column,
    dice,
    field_row,
    fit,
    longest_allowed,
    odds_bar,
    pips,
    pips_in,
    ruler,
    score,
    segments,
    verdict,
)
from tracker.app.screens.dialog.body import RollLines, note_lines
from tracker.app.theme import HEARTH, VELLUM, roles
from tracker.games.api.phrases import signed
from tracker.games.api.view import Card, Die, Momentum

ALLOWED = re.compile(r"[\n -~\u00a0-\u00ff\u2500-\u259f●○■□▲►◄…–→‹›↑↓]*")
NAMED = {
    "$muted", "$faint", "$rule", "$chip", "$chip-bg", "$bar", "$key", "$good", "$mid", "$bad", "$hope", "$fear",
    "$cur-bg", "$cur-fg", "$foreground", "$background", "$primary",
}  # fmt: skip

HOSTILE = ["Ana [/oops]", "龍と虎の物語", "👩‍👩‍👧 family", "Zoë̈ the café", "[b]bold[/b]", "ｗｉｄｅ", "🗡️ blade", "x"]


def momentum(value: int, most: int = 10, reset: int = 2) -> Momentum:
    return Momentum("kara.momentum", "momentum", value, -6, 10, most, reset)


def drawn_ruler(value: int, most: int = 10, reset: int = 2) -> list[str]:
    return [line.plain for line in ruler(momentum(value, most, reset))]


def card(*faces: Die, between: tuple[str, ...] = ()) -> Card:
    return Card("Face Danger", dice=faces, between=between)


def everything() -> list[Content]:
    """Return one drawing of each kind for every value that it can have."""
    drawn = [pips(value, high) for high in (5, 12, 13, 40) for value in range(high + 1)]
    drawn += [segments(value, 6) for value in range(7)]
    for ticks in range(41):
        drawn += [boxes(ticks), boxes(ticks, ""), score(ticks)]
    for most in range(2, 11):
        for reset in (0, 1, 2):
            drawn += [line for value in range(-6, most + 1) for line in ruler(momentum(value, most, reset))]
    for sides in (4, 6, 8, 10, 12, 20, 100):
        for face in range(1, sides + 1):
            drawn += dice(card(Die(face, sides, "holds", counts=face % 2 == 0), between=("against",)), 80)
    for count in range(1, 8):
        drawn.append(odds_bar(tuple((f"outcome {n}", 100 // count, "mid") for n in range(count)), 20))
    drawn += [verdict("■□", "weak hit", tone) for tone in ("good", "mid", "bad", "")]
    drawn += [field_row("health", pips(4, 5), "4", "shared", width=40, focus=focus) for focus in (True, False)]
    return drawn


class TestGlyphs:
    def test_only_glyphs_that_every_terminal_font_has(self) -> None:
        for content in everything():
            assert ALLOWED.fullmatch(content.plain), content.plain

    def test_only_colour_roles_are_named(self) -> None:
        for content in everything():
            for span in content.spans:
                assert {word for word in str(span.style).split() if word.startswith("$")} <= NAMED
                assert "#" not in str(span.style)


class TestCutText:
    @pytest.mark.parametrize(
        ("text", "width", "shown"),
        [
            ("Kara", 4, "Kara"),
            ("Kara", 3, "Ka…"),
            ("Kara", 1, "…"),
            ("Kara", 0, ""),
            ("Kara", -2, ""),
            ("the drowned mill", 5, "the…"),
            ("龍と虎", 6, "龍と虎"),
            ("龍と虎", 5, "龍と…"),
            ("龍と虎", 4, "龍…"),
            ("龍と虎", 1, "…"),
            ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
            ("[/oops] Ana", 6, "[/oop…"),
        ],
    )
    def test_text_is_cut_at_a_width_in_cells(self, text: str, width: int, shown: str) -> None:
        assert fit(text, width).plain == shown

    @given(st.lists(st.sampled_from("ab [/]龍虎ｗ👩é")).map("".join), st.integers(0, 12))
    def test_cut_text_is_never_too_wide_and_columns_are_exact(self, text: str, width: int) -> None:
        assert Content(fit(text, width).plain).cell_length <= width
        assert Content(column(text, width).plain).cell_length == width
        assert Content(centred(text, width).plain).cell_length == width

    @pytest.mark.parametrize("name", HOSTILE)
    def test_names_are_shown_as_typed(self, name: str) -> None:
        assert fit(name, 60).plain == name

    def test_dots_have_the_style_of_their_text(self) -> None:
        assert fit(Content.styled("the drowned mill", "$muted"), 8).spans[0].end == 8

    def test_longest_texts_are_cut_first(self) -> None:
        assert longest_allowed([3, 9, 20], 32) == 20
        assert longest_allowed([3, 9, 20], 22) == 10
        assert longest_allowed([3, 9, 20], 15) == 6
        assert longest_allowed([3, 9, 20], -1) == 0
        assert longest_allowed([], 5) == 0


class TestMeters:
    def test_full_circles_are_points_left(self) -> None:
        assert pips(4, 5).plain == "● ● ● ● ○"
        assert pips(0, 3).plain == "○ ○ ○"
        assert pips(3, 3).plain == "● ● ●"

    def test_full_squares_are_points_marked(self) -> None:
        assert segments(2, 4).plain == "■ ■ □ □"

    def test_more_than_twelve_pips_become_a_bar(self) -> None:
        assert pips(12, 12).plain == " ".join("●" * 12)
        assert pips(13, 18).plain == "━" * 9 + "─" * 3

    def test_pips_move_together_if_they_do_not_fit(self) -> None:
        assert pips_in(2, 6, 12).plain == "● ● ○ ○ ○ ○"
        assert pips_in(2, 7, 12).plain == "●●○○○○○"
        assert pips_in(12, 12, 12).cell_length == 12
        assert pips_in(13, 18, 12).cell_length == 12

    def test_long_bar_is_not_empty_or_full_too_soon(self) -> None:
        assert pips(0, 100).plain == "─" * 12
        assert pips(1, 100).plain == "━" + "─" * 11
        assert pips(99, 100).plain == "━" * 11 + "─"
        assert pips(100, 100).plain == "━" * 12

    def test_value_out_of_range_is_drawn(self) -> None:
        assert pips(7, 5).plain == "● ● ● ● ●"
        assert pips(-1, 5).plain == "○ ○ ○ ○ ○"


class TestRuler:
    def test_ruler_shows_plus_six_of_nine(self) -> None:
        assert drawn_ruler(6, most=9, reset=1) == [
            "├───────────┾━━━━━━━━━━━●─────┤ ·",
            "-6          0 ▲ reset     max +9",
        ]

    def test_ruler_shows_minus_one(self) -> None:
        assert drawn_ruler(-1) == ["├─────────●━┽───────────────────┤", "-6          0   ▲ reset   max +10"]

    def test_ruler_shows_zero(self) -> None:
        assert drawn_ruler(0)[0] == "├───────────●───────────────────┤"

    def test_ruler_shows_the_maximum(self) -> None:
        assert drawn_ruler(10)[0] == "├───────────┾━━━━━━━━━━━━━━━━━━━●"
        assert drawn_ruler(8, most=8, reset=0) == [
            "├───────────┾━━━━━━━━━━━━━━━● · ·",
            "-6          ▲ reset 0   max +8",
        ]

    def test_ruler_shows_the_minimum(self) -> None:
        assert drawn_ruler(-6)[0] == "●━━━━━━━━━━━┽───────────────────┤"

    def test_words_on_the_ruler_never_overlap(self) -> None:
        assert drawn_ruler(1, most=2, reset=0) == ["├───────────┾━●─┤ · · · · · · · ·", "-6          ▲ reset 0 max +2"]

    @pytest.mark.parametrize("reset", [0, 1, 2])
    @pytest.mark.parametrize("most", range(2, 11))
    def test_ruler_is_33_cells_wide_at_any_value(self, most: int, reset: int) -> None:
        for value in range(-6, most + 1):
            line, words = drawn_ruler(value, most, reset)
            assert len(line) == 33
            assert len(words) <= 33
            assert line.count("●") == 1
            assert f"max +{most}" in words
            assert "▲ reset" in words

    def test_negative_momentum_has_its_own_color(self) -> None:
        assert "$bad" in {span.style for span in ruler(momentum(-2))[0].spans}
        assert "$bad" not in {span.style for span in ruler(momentum(2))[0].spans}


class TestProgress:
    def test_every_tick_is_a_stroke(self) -> None:
        drawn = [boxes(ticks, "").plain for ticks in range(41)]
        assert drawn[:6] == ["□□□□□□□□□□", "/□□□□□□□□□", "×□□□□□□□□□", "*□□□□□□□□□", "■□□□□□□□□□", "■/□□□□□□□□"]
        assert drawn[39:] == ["■■■■■■■■■*", "■■■■■■■■■■"]
        assert len(set(drawn)) == 41
        assert {len(line) for line in drawn} == {10}

    def test_boxes_are_separated(self) -> None:
        assert boxes(6).plain == "■ × □ □ □ □ □ □ □ □"
        assert {boxes(ticks).cell_length for ticks in range(41)} == {19}

    def test_score_counts_full_boxes_and_quarters(self) -> None:
        assert [score(ticks).plain for ticks in (0, 1, 6, 7, 39, 40)] == [" 0 ", " 0¼", " 1½", " 1¾", " 9¾", "10 "]


class TestOdds:
    def test_odds_are_drawn_best_first(self) -> None:
        odds = (("strong hit", 23, "good"), ("weak hit", 44, "mid"), ("miss", 33, "bad"))
        assert odds_bar(odds, 10).plain == "━━─────···"

    def test_odds_bar_draws_four_outcomes(self) -> None:
        odds = (("great", 28, "good"), ("success", 31, "good"), ("mixed", 29, "mid"), ("failure", 12, "bad"))
        assert odds_bar(odds, 20).plain == "══════━━━━━━──────··"

    def test_odds_bar_draws_yes_or_no(self) -> None:
        assert odds_bar((("yes", 90, "good"), ("no", 10, "bad")), 10).plain == "━━━━━━━━━·"

    @given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 40))
    def test_odds_bar_has_the_requested_width(self, one: int, other: int, width: int) -> None:
        low, high = sorted((one, other))
        odds = (("a", low, "good"), ("b", high - low, "mid"), ("c", 100 - high, "bad"))
        assert odds_bar(odds, width).cell_length == width


class TestDice:
    ACTION = Die(2, 6, "action", group="action")
    FOUR = Die(4, 10, "beaten", group="challenge")
    FIVE = Die(5, 10, "holds", counts=True, group="challenge")

    def test_action_roll_is_drawn(self) -> None:
        roll = card(self.ACTION, self.FOUR, self.FIVE, between=("+ edge 3 = 5", "against"))
        assert [row.plain.rstrip() for row in dice(roll, 80)] == [
            "╭───────╮                         ╭─────╮  ╔═════╗",
            "│ ●     │                         │     │  ║     ║",
            "│       │  + edge 3 = 5  against  │  4  │  ║  5  ║",
            "│     ● │                         │ d10 │  ║ d10 ║",
            "╰───────╯                         ╰─────╯  ╚═════╝",
            " action                           beaten    holds",
        ]

    def test_narrow_roll_drops_sum_then_words_then_dice(self) -> None:
        roll = card(self.ACTION, self.FOUR, self.FIVE, between=("+ edge 3 = 5", "against"))
        assert dice(roll, 49)[2].plain == "│       │  against  │  4  │  ║  5  ║"
        assert dice(roll, 35)[2].plain == "│       │  │  4  │  ║  5  ║"
        assert dice(roll, 26) == []

    def test_words_are_between_their_groups(self) -> None:
        three = card(*(Die(1, 8, group=name) for name in "abc"), between=("and", "or", "else"))
        assert dice(three, 80)[2].plain == "│  1  │  and  │  1  │  or  else  │  1  │"
        alone = card(Die(7, 8), between=("+ 2 = 9",))
        assert dice(alone, 80)[2].plain == "│  7  │  + 2 = 9"

    def test_d6_is_drawn_with_pips(self) -> None:
        for face in range(1, 7):
            rows = dice(card(Die(face, 6)), 80)
            assert "".join(row.plain for row in rows).count("●") == face

    def test_long_word_fits_below_a_small_die(self) -> None:
        rows = dice(card(Die(3, 10, "no effect"), Die(4, 10, "cancelled")), 80)
        assert rows[5].plain == "no effect  cancelled"
        assert {row.cell_length for row in rows} == {20}

    def test_card_without_dice_draws_nothing(self) -> None:
        assert dice(card(between=("against",)), 80) == []


class TestWords:
    def test_verdict_has_mark_and_outcome(self) -> None:
        assert verdict("■□", "weak hit", "mid").plain == " ■□  WEAK HIT "
        assert verdict("", "yes", "").plain == " YES "
        assert "reverse" in str(verdict("■□", "weak hit", "mid").spans[0].style)

    def test_numbers_are_signed(self) -> None:
        assert [signed(number) for number in (6, 0, -1)] == ["+6", "0", "-1"]


class TestFieldRow:
    def row(self, number: str = "4", note: str = "", width: int = 36, focus: bool = False) -> str:
        return field_row("health", pips(4, 5), number, note, width=width, focus=focus).plain.rstrip()

    def test_number_is_in_its_column(self) -> None:
        assert self.row() == "health    ● ● ● ● ○       4"
        assert self.row("13").endswith("13")
        assert len(self.row("13")) == len(self.row("4")) == len(self.row("100"))

    def test_cursor_shifts_nothing(self) -> None:
        assert self.row(note="shared") == "health    ● ● ● ● ○       4   shared"
        assert self.row(note="shared", focus=True) == "health    ● ● ● ● ○     ‹ 4 › shared"
        assert self.row("13", focus=True) == "health    ● ● ● ● ○    ‹ 13 ›"

    def test_row_drops_words_but_never_the_number(self) -> None:
        assert self.row(note="of 5", width=33) == "health    ● ● ● ● ○       4"
        assert self.row(width=28) == "health        4"
        assert self.row(width=10) == "h…     4"
        assert self.row("100", width=10).endswith("100")


THEMES = [*BUILTIN_THEMES.values(), HEARTH, VELLUM]


def variables(theme: Theme) -> dict[str, str]:
    return theme.to_color_system().generate() | theme.variables


def luminance(colour: str | None) -> float:
    """Return the relative luminance of a color, as WCAG 2 defines it."""
    parts = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in Color.parse(colour).normalized
    )
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


class TestColors:
    @pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
    def test_every_theme_has_a_color_for_every_role(self, theme: Theme) -> None:
        found = roles(variables(theme), theme.ansi)
        assert {f"${name}" for name in found} == NAMED - {"$foreground", "$background", "$primary"}
        for colour in found.values():
            Color.parse(colour)

    @pytest.mark.parametrize("name", ["ansi-dark", "ansi-light"])
    def test_ansi_themes_mix_no_colors(self, name: str) -> None:
        theme = BUILTIN_THEMES[name]
        assert all(colour.startswith("ansi_") for colour in roles(variables(theme), ansi=True).values())

    @pytest.mark.parametrize("theme", [HEARTH, VELLUM], ids=lambda theme: theme.name)
    def test_own_themes_have_enough_contrast(self, theme: Theme) -> None:
        found = roles(variables(theme), ansi=False)
        paper = luminance(theme.background)

        def contrast(colour: str | None) -> float:
            dark, light = sorted((luminance(colour), paper))
            return (light + 0.05) / (dark + 0.05)

        assert contrast(theme.foreground) >= 11.9
        for role in ("muted", "key", "good", "mid", "bad", "hope", "fear", "cur-bg"):
            assert contrast(found[role]) >= 4.5, role
        assert contrast(found["faint"]) >= 3


def test_undrawable_dice_are_told_unless_the_sum_has_them() -> None:
    ones = tuple(Die(1, 6) for _ in range(3))
    told = RollLines.of(Card("", outcome="FAILURE", sum="no edge, 1 bane", dice=ones), 60, draws=False)
    assert told.dice[0].plain.split() == ["1", "1", "1"]
    whole = RollLines.of(Card("", outcome="WEAK HIT", sum="6 + edge 3 = 9", dice=(Die(6, 6),)), 60, draws=False)
    assert not whole.dice


def test_sum_is_told_once() -> None:
    dice = (Die(6, 6), Die(4, 10, group="challenge"), Die(5, 10, group="challenge"))
    card = Card("", "■■", "STRONG HIT", "good", "6 + edge 3 = 9", ("9 beats both",), dice, ("+ edge 3 = 9", "against"))
    drawn = RollLines.of(card, 60, draws=True)
    assert [row.plain.strip() for row in drawn.result] == ["■■  STRONG HIT   9 beats both"]
    assert not drawn.reason
    narrow = RollLines.of(card, 30, draws=True)
    assert "6 + edge 3 = 9" in " ".join(row.plain for row in narrow.result)


def test_text_of_several_paragraphs_shows_the_last_while_it_grows() -> None:
    (line,) = note_lines("Beasts: Rare.\n\nHorrors: Many.", 60)
    assert line.plain == "Journal  … Horrors: Many."
