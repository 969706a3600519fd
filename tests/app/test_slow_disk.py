"""Dice on a slow or full disk: nothing is applied before it is seen, and play goes on."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, PATIENCE, POLL, Player, QuickDisk, campaign, in_party, play, sworn
from textual import events

from tracker.app import key_queue
from tracker.app.screens.dialog.screen import Dialog
from tracker.app.widgets.buttons import Chip
from tracker.campaign import session
from tracker.campaign.session import Session
from tracker.dice import ScriptedDice


class SlowDisk(QuickDisk):
    """A disk whose syncs wait until `go` is set; `there` is set while one waits."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.go.set()
        self.there = threading.Event()

    def stop(self) -> None:
        self.go.clear()
        self.there.clear()

    def sync(self, fd: int) -> None:
        if not self.go.is_set():
            self.there.set()
            self.go.wait()


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


async def dice_under_way(disk: SlowDisk) -> None:
    """Wait until the dice are being written and wait for the disk."""
    assert await asyncio.to_thread(disk.there.wait, 30)


def send(player: Player, *keys: str) -> None:
    """Press keys without waiting for what they do."""
    for key in keys:
        character = "\r" if key == "enter" else key
        player.app.post_message(events.Key(key, character).set_sender(player.app))


async def sent(player: Player, *keys: str) -> None:
    """Press keys, and wait until each has been given to the screen or dropped."""
    wanted = player._acted + len(keys)
    send(player, *keys)
    async with asyncio.timeout(PATIENCE):
        while player._acted < wanted:
            await asyncio.sleep(POLL)


class TestEnterWhileDiceAreBeingSaved:
    """Further presses of Enter while the dice are not yet saved."""

    @pytest.mark.parametrize("keys", [("m", "1", "e"), ("o", "2")], ids=["move", "oracle"])
    def test_enter_is_dropped(self, vale: Path, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        disk = SlowDisk()

        async def act(player: Player) -> None:
            monkeypatch.setattr(key_queue, "PATIENCE", 0.01)
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2], "oracle": 60})
            await player.press(*keys[:-1])
            before = len(player.entries())
            disk.stop()
            await sent(player, keys[-1])
            await dice_under_way(disk)
            await sent(player, *["enter"] * 6)
            disk.go.set()
            await player.until(lambda: "saved" in player.text.splitlines()[0])
            await player.settle()
            assert isinstance(player.app.screen, Dialog)
            assert len(player.entries()) == before + 1
            assert player.entries()[-1]["open"]
            await player.press("enter")
            assert player.screen == "TableScreen"
            assert "open" not in player.entries()[-1]

        play(vale, act, disk=disk)

    def test_click_is_dropped(self, vale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        disk = SlowDisk()

        async def act(player: Player) -> None:
            monkeypatch.setattr(key_queue, "PATIENCE", 0.01)
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1")
            disk.stop()
            await sent(player, "e")
            await dice_under_way(disk)
            chip = next(iter(player.app.screen.query(Chip)))
            chip.post_message(Chip.Pressed(chip))
            disk.go.set()
            await player.until(lambda: "saved" in player.text.splitlines()[0])
            await player.settle()
            assert player.screen == "Dialog"

        play(vale, act, disk=disk)

    def test_enter_typed_before_the_roll_is_taken_after_the_dice(self, vale: Path) -> None:
        disk = SlowDisk()

        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1")
            disk.stop()
            send(player, "e", "enter")
            await dice_under_way(disk)
            assert player.screen == "Dialog"
            disk.go.set()
            await player.until(lambda: player.screen == "TableScreen")
            assert player.kara["momentum"] == 3

        play(vale, act, disk=disk)


class FullDisk(QuickDisk):
    """A disk that cannot write while it is `full`."""

    full = False

    def write(self, fd: int, data: bytes) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data)


class TestFullDisk:
    @pytest.mark.parametrize("keys", [("m", "1", "e"), ("o", "2")], ids=["move", "oracle"])
    def test_dice_are_shown_and_marked_as_not_saved(self, vale: Path, keys: tuple[str, ...]) -> None:
        disk = FullDisk()

        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2], "oracle": 60})
            disk.full = True
            await player.press(*keys)
            await player.sees("These dice are NOT SAVED: No space left on device. You can play on.")
            assert "NOT SAVED" in player.text.splitlines()[0]
            await player.press("enter")
            await player.until(lambda: player.screen == "TableScreen")
            entry = player.entries()[-1]
            assert "open" not in entry
            disk.full = False
            await player.press("ctrl+s")
            await player.until(lambda: player.session.sign.word == "saved")

        play(vale, act, disk=disk)
        assert Session.open(str(vale), write=False).log.entries[-1]["facts"]

    def test_failed_rewrite_is_told(self, vale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(session, "COMPACT_AFTER", 2)
        disk = NoRoomForAnother()

        async def act(player: Player) -> None:
            disk.full = True
            await player.press("+", "+")
            await player.until(lambda: bool(player.session.notes))
            await player.until(lambda: player.notice == player.session.notes[-1])
            assert "Couldn't tidy" in player.notice
            assert player.session.sign.word == "saved"

        play(vale, act, disk=disk)


class NoRoomForAnother(QuickDisk):
    """A disk without room for a second file while it is `full`."""

    full = False

    def open(self, path: str, flags: int, mode: int = 0o644) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().open(path, flags, mode)
