"""Memory does not grow over an evening: closed screens are freed, and Textual's caches are trimmed."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn
from textual.css.scalar import Scalar
from textual.geometry import Region, Size
from textual.message_pump import MessagePump
from textual.strip import Strip

from tracker.app import textual_private
from tracker.app.textual_private import MOST, trim_caches
from tracker.campaign.log import Log
from tracker.campaign.run import Run
from tracker.campaign.session import Session

OPENED: tuple[tuple[str, ...], ...] = (
    ("m", "escape"),
    ("m", "f", "a", "c", "enter", "escape", "escape", "escape"),
    ("r", "e", "escape", "escape", "u"),
    ("o", "escape"),
    ("j", "escape"),
    ("J", "up", "escape"),
    ("p", "escape"),
    ("b", "escape"),
    ("question_mark", "escape"),
    ("f1", "escape"),
    ("ctrl+p", "escape"),
    ("slash", "escape"),
    ("s", "escape"),
    ("t", "enter", "escape"),
)
"""Keys that open a screen from the table and close it again."""


def living() -> Counter[str]:
    """Count what only closing a screen or a campaign lets go: everything with messages, and what plays a campaign."""
    gc.collect()
    kinds = (MessagePump, Session, Run, Log)
    return Counter(type(one).__qualname__ for one in gc.get_objects() if isinstance(one, kinds))


def vale(folder: Path) -> Path:
    return campaign(folder, *in_party(KARA, TAYLA), *sworn(HEIR))


ROUNDS = 2


def grown(before: Counter[str], rounds: list[Counter[str]]) -> list[str]:
    """Return the kinds of which every round leaves one more; a single one may be the last that Textual has closed."""
    return [kind for kind, count in (rounds[-1] - before).items() if count >= len(rounds)]


class TestClosedScreens:
    def test_screens_opened_again_leave_nothing_behind(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            async def open_all() -> Counter[str]:
                for keys in OPENED:
                    await player.press(*keys)
                    assert player.screen == "TableScreen", (keys, player.text)
                await player.settle()
                return living()

            await open_all()
            before = await open_all()
            assert grown(before, [await open_all() for _ in range(ROUNDS)]) == []

        play(vale(tmp_path), act)

    def test_campaigns_opened_again_leave_nothing_behind(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            async def leave_and_open() -> Counter[str]:
                await player.press("q")
                assert player.screen == "CampaignsScreen"
                await player.press("enter")
                await player.until(lambda: player.screen == "TableScreen" and player.table.laid.is_set())
                await player.settle()
                return living()

            await leave_and_open()
            before = await leave_and_open()
            for _ in range(2):
                after = await leave_and_open()
            assert after - before == Counter()

        play(vale(tmp_path), act)


FILLED: dict[str, Callable[[int], Any]] = {
    "Strip.render_ansi": lambda n: Strip.render_ansi(Style.from_meta({"offset": (n, 0)}), ColorSystem.TRUECOLOR),
    "Segment._split_cells": lambda n: Segment(f"日 {n}").split_cells(3),
    "Scalar.resolve": lambda n: Scalar.parse("50%").resolve(Size(n, n), Size(n, n)),
    "Region.__contains__": lambda n: (n, n) in Region(0, 0, 9, 9),  # type: ignore[comparison-overlap]  # a point
    "Region.grow": lambda n: Region(n, n, 1, 1).grow((1, 1, 1, 1)),
    "Region.intersection": lambda n: Region(n, n, 1, 1).intersection(Region(0, 0, 9, 9)),
    "Region.shrink": lambda n: Region(n, n, 1, 1).shrink((1, 1, 1, 1)),
    "Region.union": lambda n: Region(n, n, 1, 1).union(Region(0, 0, 9, 9)),
}
"""A call that is memoized, for each function that may keep many results."""


class TestTrimCaches:
    @pytest.mark.parametrize("function", textual_private.LARGE, ids=lambda function: function.__qualname__)
    def test_large_cache_is_emptied(self, function: Any) -> None:
        for n in range(MOST + 10):
            FILLED[function.__qualname__](n)
        assert function.cache_info().currsize > MOST
        trim_caches()
        assert function.cache_info().currsize == 0

    def test_small_cache_is_kept(self) -> None:
        Region.grow.cache_clear()
        FILLED["Region.grow"](1)
        trim_caches()
        assert Region.grow.cache_info().currsize == 1

    def test_closing_a_dialog_trims(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            for n in range(MOST + 10):
                FILLED["Region.grow"](n)
            await player.press("m", "escape")
            assert Region.grow.cache_info().currsize < MOST

        play(vale(tmp_path), act)


def painted() -> int:
    """Count the painted lines in memory."""
    return sum(isinstance(one, Strip) for one in gc.get_objects())


class TestPaintedLines:
    @pytest.mark.parametrize("key", ["f1", "J"])
    def test_closed_screen_drops_its_lines_before_it_is_collected(self, tmp_path: Path, key: str) -> None:
        async def act(player: Player) -> None:
            async def open_and_close() -> int:
                await player.press(key, "escape")
                await player.settle()
                return painted()

            await open_and_close()
            gc.collect()
            gc.disable()
            try:
                before = await open_and_close()
                after = [await open_and_close() for _ in range(ROUNDS)][-1]
            finally:
                gc.enable()
            # A closed screen kept more than 450 lines; some 100 were replaced while it was open, and are young garbage.
            assert after - before < 200 * ROUNDS

        play(vale(tmp_path), act, paints=True, size=(120, 40))

    def test_campaigns_opened_again_leave_no_lines_behind(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            async def leave_and_open() -> int:
                await player.press("q", "enter")
                await player.until(lambda: player.screen == "TableScreen" and player.table.laid.is_set())
                await player.settle()
                gc.collect()
                return painted()

            await leave_and_open()
            before = await leave_and_open()
            after = [await leave_and_open() for _ in range(ROUNDS)][-1]
            assert after - before < 40 * ROUNDS  # less than one line for each row of the window

        play(vale(tmp_path), act, paints=True, size=(120, 40))
