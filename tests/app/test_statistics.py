"""The screens of statistics and of the recap."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import threading
from pathlib import Path

import pytest
from tests.app.helpers import Player, play
from tests.app.test_goldens import EXAMPLE, compare
from tests.hostile import HOSTILE

from tracker.app import plots
from tracker.app.screens.statistics import PAGES, StatisticsScreen, drawn
from tracker.campaign.session import Session, Step
from tracker.campaign.statistics import Gathered, gather, statistics
from tracker.games.api.errors import Refused
from tracker.settings import Settings


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    return Path(shutil.copy(EXAMPLE, tmp_path / "The Drowned Mill.toml"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_pages_of_statistics(size: tuple[int, int], mill: Path, request: pytest.FixtureRequest) -> None:
    async def act(player: Player) -> None:
        await player.press("S")
        await player.until(lambda: "expected" in player.text)
        for n in range(1, len(PAGES) + 1):
            compare(f"statistics-{n}-{size[0]}x{size[1]}", player.text, request)
            await player.press("right")
        assert "► 1 Luck" in player.text

    play(mill, act, size=size, paints=True)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_recap_on_request(size: tuple[int, int], mill: Path, request: pytest.FixtureRequest) -> None:
    async def act(player: Player) -> None:
        await player.press("R")
        await player.until(lambda: player.screen == "RecapScreen")
        await player.settle()
        compare(f"recap-{size[0]}x{size[1]}", player.text, request)
        await player.press("s")
        assert player.screen == "ListScreen"

    play(mill, act, size=size, paints=True)


def test_recap_after_some_hours_gives_way_to_any_key(mill: Path) -> None:
    async def act(player: Player) -> None:
        await player.until(lambda: player.screen == "RecapScreen")
        await player.press("enter")
        assert player.screen == "TableScreen"
        await player.press("R")
        await player.until(lambda: player.screen == "RecapScreen")
        await player.press("m")
        assert player.screen == "ListScreen"

    play(mill, act, settings=Settings())


def test_statistics_count_one_session_and_one_character(mill: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("S")
        await player.until(lambda: "10 action rolls" in player.text)
        await player.press("s", "s")
        assert "2 action rolls" in player.text
        assert "session 2 · everyone" in player.text
        await player.press("c", "c")
        assert "session 2 · Tayla" in player.text
        assert "action roll" not in player.text
        await player.press("s", "c")
        assert "all sessions · everyone" in player.text

    play(mill, act)


def test_keys_work_while_statistics_are_counted(mill: Path) -> None:
    finish, cancelled = threading.Event(), threading.Event()

    def work(step: Step) -> Gathered:
        step(0.5)
        finish.wait()
        try:
            step(0.75)
        except BaseException:
            cancelled.set()
            raise
        return gather(Session.open(str(mill), write=False))

    async def act(player: Player) -> None:
        screen = StatisticsScreen(player.app.heading(), "Statistics", work)
        player.app.push_screen(screen)
        await player.sees("50%")
        await player.press("s", "c", "3", "escape")
        assert player.screen == "TableScreen"
        finish.set()
        await asyncio.to_thread(cancelled.wait)

    play(mill, act)


def test_statistics_from_the_list_of_campaigns(mill: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("q", "S")
        await player.until(lambda: "10 action rolls" in player.text)
        await player.press("escape")
        assert player.screen == "CampaignsScreen"
        mill.unlink()
        await player.press("S")
        await player.until(lambda: "Counting" not in player.text and player.screen == "StatisticsScreen")
        assert "No save at" in player.text

    play(mill, act)


@pytest.mark.parametrize("width", [52, 74, 114])
def test_pages_keep_to_their_width(width: int, tmp_path: Path) -> None:
    for game in ("ironsworn", "wherever", "daggerheart"):
        path = shutil.copy(EXAMPLE.with_name(f"example-{game}.toml"), tmp_path)
        session = Session.open(str(path))
        whose = next(iter(session.state["party"]))
        for _, text in HOSTILE:
            with contextlib.suppress(Refused):
                session.do("edit", [{"at": f"{whose}.name", "to": text}])
        found = statistics(gather(session))
        session.close()
        for page in range(len(PAGES)):
            rows = list(drawn(found, page, width))
            assert rows
            assert max(row.cell_length for row in rows) <= width


class TestPlots:
    def test_bars_put_the_sign_where_the_odds_promise(self) -> None:
        rows = plots.bars([plots.Bar("hit", "good", 4, 8.0), plots.Bar("miss", "bad", 8, 4.0)], 60)
        hit, miss = (row.plain for row in rows)
        assert hit.rindex(plots.FULL) < hit.index(plots.PROMISED)
        assert miss.index(plots.PROMISED) < miss.rindex(plots.FULL)
        assert hit.endswith("4   expected 8.0")

    def test_line_ends_where_the_number_is(self) -> None:
        rows = plots.line([(1, 0), (5, 3), (9, 1)], 0, 3, plots.Span(1, 10), 30, 4)
        assert [row.plain[-1] for row in rows] == [" ", " ", "─", " "]
        assert rows[0].plain.strip().startswith("3 ┤")

    def test_resampled_keeps_the_extremes_of_a_column(self) -> None:
        points = [(1, 0), (2, 9), (3, -4), (4, 1)]
        assert plots.resampled(points, 1, 8, 2) == [plots.Range(-4, 9, 1), plots.Range(1, 1, 1)]
        assert plots.resampled([(5, 2)], 1, 8, 4) == [None, None, plots.Range(2, 2, 2), plots.Range(2, 2, 2)]

    def test_curve_marks_what_was_seen(self) -> None:
        rows = plots.curve(0, [0.25, 0.5, 0.25], 2, 30)
        assert rows[-1].plain.strip() == "▲ 2"
        assert rows[0].plain.strip() == "████"

    def test_faces_of_a_large_die_are_in_tens(self) -> None:
        rows = plots.faces([1] * 100, 80)
        assert "91-100" in rows[-2].plain
        assert rows[-1].plain.split() == ["10"] * 10

    def test_shares_fill_their_width(self) -> None:
        assert plots.shares([(1, "good"), (1, "mid"), (1, "bad")], 10).plain in {
            "━━━━───···",
            "━━━────···",
            "━━━───····",
        }
        assert plots.shares([(0, "good")], 10).plain == ""
