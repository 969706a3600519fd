"""Opening a campaign whose whole log must be read: a progress bar, a way to cancel, then the table."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import PATIENCE, Player, QuickDisk, play, quick
from tests.app.test_goldens import compare
from tests.bench.make_save import line, make_save

from tracker.app import main
from tracker.app.app import TrackerApp
from tracker.app.screens.campaigns import actions
from tracker.campaign.session import Session
from tracker.settings import Settings

MANY = 200


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Folder with one campaign whose head no longer says where its snapshot ends."""
    saves = tmp_path / "saves"
    saves.mkdir()
    vale = saves / "vale.toml"
    make_save(str(vale), MANY)
    head, begin, rest = vale.read_text("utf-8").partition("[[entry]]")
    vale.write_text(head.partition("[base]")[0] + begin + rest, "utf-8")
    played = datetime(2020, 3, 4, 20, 14).timestamp()
    os.utime(vale, (played, played))
    return saves


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Event without which the reading of the log stops halfway."""
    gate = threading.Event()

    def held(step: Any) -> Any:
        def halfway(_: float) -> None:
            step(0.5)
            assert gate.wait(PATIENCE)
            step(0.5)

        return halfway if step else None

    opened = Session.open

    def slowly(path: str, step: Any = None, **how: Any) -> Session:
        is_preview = how.get("write") is False
        return opened(path, step=step if is_preview else held(step), disk=QuickDisk(), **how)

    monkeypatch.setattr(Session, "open", slowly)
    yield gate
    gate.set()


async def begin(player: Player) -> None:
    actions.QUICK = 0.0
    await player.press("enter")
    await player.sees("Opening vale")
    await player.sees("━━━━━━━━━━────────── 50%")


def test_progress_bar_is_shown_before_the_table(shelf: Path, gate: threading.Event) -> None:
    async def act(player: Player) -> None:
        await begin(player)
        gate.set()
        await player.until(lambda: player.screen == "TableScreen")
        assert player.entries()[-1]["text"] == line(MANY)
        await player.press("q")
        assert player.screen == "CampaignsScreen"

    play(shelf, act)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_progress_bar_matches_its_golden(
    shelf: Path,
    gate: threading.Event,
    size: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(shelf.parent)

    async def act(player: Player) -> None:
        await player.sees("momentum")
        await begin(player)
        compare(f"opening-{size[0]}x{size[1]}", player.text, request)
        gate.set()
        await player.until(lambda: player.screen == "TableScreen")

    play(Path("saves"), act, size=size, paints=True)


def test_screen_over_the_bar_closes_with_it(shelf: Path, gate: threading.Event) -> None:
    async def act(player: Player) -> None:
        await begin(player)
        await player.press("ctrl+p")
        assert player.screen == "PaletteScreen"
        gate.set()
        await player.until(lambda: player.screen == "TableScreen")
        await player.press("q")
        await player.until(lambda: player.screen == "CampaignsScreen")

    play(shelf, act)


def test_escape_cancels_opening_and_releases_the_save(shelf: Path, gate: threading.Event) -> None:
    async def act(player: Player) -> None:
        await begin(player)
        await player.press("escape")
        await player.until(lambda: player.screen == "CampaignsScreen")
        gate.set()
        await player.until(lambda: player.app.campaigns._work is None)
        assert player.screen == "CampaignsScreen"
        assert player.app.session is None
        actions.QUICK = PATIENCE
        await player.press("enter")
        assert not player.session.readonly

    play(shelf, act)


def test_quit_does_not_wait_for_the_end(shelf: Path, gate: threading.Event) -> None:
    works = []

    async def act(player: Player) -> None:
        await begin(player)
        works.append(player.app.campaigns._work)
        await player.press("ctrl+q")

    play(shelf, act)  # ends though the gate is still closed
    gate.set()
    assert works[0]
    works[0].leave(PATIENCE)
    session = Session.open(str(shelf / "vale.toml"))
    assert not session.readonly
    session.close()


def test_short_campaign_from_the_command_line_is_in_the_first_frame(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "SOON", PATIENCE)  # 0.3 seconds may pass before 200 entries on a busy machine
    session = main._opened_soon(str(shelf / "vale.toml"), "ask")
    assert session
    session.close()


def test_long_campaign_from_the_command_line_opens_over_the_list(
    shelf: Path, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "SOON", -1.0)
    gate.set()
    assert main._opened_soon(str(shelf / "vale.toml"), "ask") is None
    gate.clear()

    async def evening() -> None:
        app = TrackerApp(str(shelf), None, 1, Settings(recap=False), (str(shelf / "vale.toml"), "ask"))
        with quick():
            actions.QUICK = 0.0  # before the app starts: it may open the campaign before a player is there
            async with app.run_test() as pilot:
                player = Player(app, pilot)
                await player.sees("Opening vale")
                gate.set()
                await player.until(lambda: player.screen == "TableScreen")
        player.session.close()

    asyncio.run(evening())
