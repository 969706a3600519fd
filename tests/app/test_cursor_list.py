"""CursorList by a minimal subclass: words, one in each row."""

from __future__ import annotations

from typing import ClassVar

import pytest
from tests.app.test_widgets import use
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.pilot import Pilot

from tracker.app.widgets.base import DOWN, UP, CursorList, scroll_top, with_more_notes

WORDS = ("ash", "birch", "cedar")


class Words(CursorList[tuple[str, ...], str]):
    """A list of words; two words count as the same stop if they begin with the same letter."""

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN]

    def __init__(self, data: tuple[str, ...] = WORDS) -> None:
        super().__init__(data)
        self.left: list[str | None] = []

    def stops(self) -> tuple[str, ...]:
        return self.data

    def identity(self, stop: str) -> str:
        return stop[0]

    def stop_at(self, offset: Offset) -> int | None:
        return offset.y if offset.y < len(self.data) else None

    def moved(self, was: str | None) -> None:
        self.left.append(was)

    def render(self) -> Content:
        return Content("\n".join(self.data))


class TestCursor:
    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            (("alder", "aspen", "beech", "cedar"), "beech"),
            (("cedar", "birch"), "birch"),
            (("ash", "cedar", "dogwood"), "cedar"),
            (("ash",), "ash"),
            ((), None),
        ],
    )
    def test_update_keeps_cursor_on_its_stop_or_near(self, data: tuple[str, ...], expected: str | None) -> None:
        words = Words()
        words.cursor = 1
        words.update(data)
        assert words.here == expected

    def test_cursor_is_on_the_first_stop_when_the_list_fills(self) -> None:
        words = Words(())
        assert words.here is None
        words.update(WORDS)
        assert words.here == "ash"

    def test_move_to_tells_the_stop_left_once(self) -> None:
        words = Words()
        words.move_to(2)
        words.move_to(2)
        assert (words.here, words.left) == ("cedar", ["ash"])

    def test_arrows_move_and_are_left_to_screen_at_ends(self) -> None:
        words = Words()

        async def play(pilot: Pilot[None]) -> None:
            words.focus()
            await pilot.press("up", "down", "down", "down")

        app = use(words, play=play)
        assert (words.here, app.said) == ("cedar", ["up", "down"])

    def test_click_moves_cursor_only_on_a_stop(self) -> None:
        words = Words()
        words.styles.height = 5

        async def play(pilot: Pilot[None]) -> None:
            await pilot.click(Words, offset=(1, 1))
            await pilot.click(Words, offset=(1, 4))

        use(words, play=play)
        assert (words.here, words.left) == ("birch", ["ash"])


@pytest.mark.parametrize(
    ("top", "under", "expected"),
    [(0, [2], 0), (0, [4], 1), (0, [5, 6], 3), (0, [9], 5), (5, [5], 4), (5, [0], 0), (9, [], 5), (3, [], 3)],
)
def test_scrolled_keeps_cursor_off_the_rows_of_signs(top: int, under: list[int], expected: int) -> None:
    assert scroll_top(top, under, 5, 10) == expected


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [(0, 0, "a\nb\nc"), (2, 0, "  ↑ 2 more\nb\nc"), (0, 3, "a\nb\n  ↓ 3 more"), (2, 3, "  ↑ 2 more\nb\n  ↓ 3 more")],
)
def test_with_signs_counts_what_is_out_of_sight(above: int, below: int, expected: str) -> None:
    assert with_more_notes([Content("a"), Content("b"), Content("c")], above, below).plain == expected
