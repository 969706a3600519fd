"""Leaving with unsaved changes asks first, on every screen."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, Player, QuickDisk, campaign, in_party, play, sworn
from tests.app.test_goldens import compare

from tracker.app.screens.recap import RecapScreen
from tracker.campaign.recap import Recap, RecapLine

PLACES = {"the table": (), "a dialog": ("r",), "the picker": ("m",), "the palette": ("ctrl+p",), "a line": ("j", "x")}


class FullDisk(QuickDisk):
    """A disk that cannot write while it is `full`."""

    full = False

    def write(self, fd: int, data: bytes) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data)


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


@pytest.mark.part(3)
@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
@pytest.mark.parametrize("place", PLACES)
def test_unsaved_dialog_opens_over_any_screen(vale: Path, place: str, key: str) -> None:
    disk = FullDisk()

    async def act(player: Player) -> None:
        disk.full = True
        await player.press("+")
        await player.sees("NOT SAVED")
        await player.press(*PLACES[place], key)
        assert not player.app._exit
        assert "Leaving anyway loses" in player.text
        assert "No space left on device" in player.text
        await player.press("escape")
        assert "Leaving anyway loses" not in player.text
        await player.press(key, key)
        assert player.app._exit

    play(vale, act, disk=disk)


def test_save_in_the_meantime_leaves_without_asking(vale: Path) -> None:
    disk = FullDisk()

    async def act(player: Player) -> None:
        disk.full = True
        await player.press("+")
        await player.sees("NOT SAVED")
        await player.press("q")
        assert player.screen == "UnsavedScreen"
        await player.press("ctrl+s")
        assert player.screen == "UnsavedScreen"
        disk.full = False
        await player.press("ctrl+s")
        assert player.screen == "TableScreen"
        await player.press("q")
        assert player.screen == "CampaignsScreen"

    play(vale, act, disk=disk)


def test_dialog_tells_a_late_save(vale: Path) -> None:
    disk = FullDisk()

    async def act(player: Player) -> None:
        disk.full = True
        await player.press("+")
        await player.sees("NOT SAVED")
        await player.press("q")
        assert "Can't save right now" in player.text
        disk.full = False
        player.session.retry()
        await player.sees("Saved. It's safe to leave now.")
        assert "Can't save" not in player.text
        assert "without it" not in player.text
        assert player.text.splitlines()[0].endswith(" saved")
        await player.press("q")
        assert player.screen == "CampaignsScreen"

    play(vale, act, disk=disk)


def test_unsaved_draft_is_asked_about(vale: Path) -> None:
    in_the_way = vale.parent / ".vale.toml.draft"

    async def act(player: Player) -> None:
        in_the_way.mkdir()
        await player.press("j", *"Rain", "ctrl+q")
        assert not player.app._exit
        assert "Your draft can't be kept: Is a directory." in player.text
        await player.press("ctrl+s")
        assert player.screen == "UnsavedScreen"
        await player.press("escape")
        assert "Rain" in player.text
        await player.press("ctrl+q")
        in_the_way.rmdir()
        await player.press("ctrl+s")
        assert player.screen == "TableScreen"
        await player.press("ctrl+q")
        assert player.app._exit

    play(vale, act)
    assert in_the_way.read_text() == "Rain"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_unsaved_dialog_matches_its_golden(vale: Path, size: tuple[int, int], request: pytest.FixtureRequest) -> None:
    disk = FullDisk()

    async def act(player: Player) -> None:
        disk.full = True
        await player.press("+")
        await player.sees("NOT SAVED")
        await player.press("r", "ctrl+q")
        await player.settle()
        compare(f"leaving-{size[0]}x{size[1]}", player.text, request)

    play(vale, act, size=size, disk=disk)


def test_every_button_is_whole_in_the_smallest_window(vale: Path) -> None:
    disk = FullDisk()

    async def act(player: Player) -> None:
        disk.full = True
        await player.press("+")
        await player.sees("NOT SAVED")
        await player.press("ctrl+q")
        await player.settle()
        for button in ("►Esc Stay◄", "▐^s Save again▌", "▐^e Save a copy▌", "▐q Leave anyway▌"):
            assert button in player.text, player.text

    play(vale, act, size=(60, 18), disk=disk)


def test_screen_that_opens_while_the_app_ends_is_no_fault(vale: Path) -> None:
    async def act(player: Player) -> None:
        heading = player.app.heading()
        player.app.exit()
        player.app.push_screen(RecapScreen(heading, Recap(1, None, (RecapLine("Scenes", "The ford"),))))

    play(vale, act)
