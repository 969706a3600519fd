"""The screen of backups by keys: what it shows, and what brings one back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.helpers import KARA, Player, QuickDisk, campaign, in_party, play
from textual.screen import Screen

from tracker.campaign.session import Session
from tracker.saves import backups
from tracker.saves.backups import REPLACED


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with the campaign `vale`, which has two backups: with Kara, and with her first line."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "saves"
    folder.mkdir()
    path = campaign(folder, *in_party(KARA))
    session = Session.open(str(path), disk=QuickDisk())
    session.write("The mill burns.", "kara")
    session.close()
    for old in (folder / ".backups").glob("vale.*.toml"):
        old.unlink()
    return folder


def names(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.toml")}


def test_list_shows_entries_and_where_each_left_off(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("B")
        assert player.screen == "BackupsScreen"
        assert "Backups: vale" in player.text
        await player.sees("The mill burns.")
        await player.until(lambda: "      2" in player.text)
        await player.press("down")
        await player.until(lambda: "The mill burns." not in player.text and "momentum" in player.text)
        await player.press("escape")
        assert player.screen == "CampaignsScreen"

    play(shelf, act)


@pytest.mark.parametrize("key", ["enter", "2"])
def test_enter_or_digit_opens_a_backup_as_a_new_campaign(shelf: Path, key: str) -> None:
    before = (shelf / "vale.toml").read_bytes()

    async def act(player: Player) -> None:
        await player.press("B", *(["down"] if key == "enter" else []), key)
        await player.until(lambda: player.screen == "TableScreen")
        assert player.session.save.name == "vale restored.toml"
        assert len(player.entries()) == 1
        assert "“vale” is unchanged" in player.notice

    play(shelf, act)
    assert names(shelf) == {"vale", "vale restored"}
    assert (shelf / "vale.toml").read_bytes() == before


def test_i_restores_in_place_after_a_question_and_keeps_the_present_one(shelf: Path) -> None:
    before = (shelf / "vale.toml").read_bytes()

    async def act(player: Player) -> None:
        await player.press("B", "down", "i")
        assert "The current version becomes a backup" in player.text
        await player.press("y")
        await player.sees("the replaced version is kept as")
        assert player.screen == "CampaignsScreen"
        await player.press("enter")
        assert player.session.save.name == "vale.toml"
        assert len(player.entries()) == 1

    play(shelf, act, size=(120, 40))
    [kept] = [one for one in backups.find(str(shelf / "vale.toml")) if one.kind == REPLACED]
    assert Path(kept.paths[0]).read_bytes() == before


@pytest.mark.parametrize("key", ["n", "escape"])
def test_declined_restore_changes_nothing(shelf: Path, key: str) -> None:
    before = (shelf / "vale.toml").read_bytes()

    async def act(player: Player) -> None:
        await player.press("B", "down", "i", key)
        assert player.screen == "CampaignsScreen"

    play(shelf, act)
    assert (shelf / "vale.toml").read_bytes() == before
    assert names(shelf) == {"vale"}


def test_campaign_open_elsewhere_is_not_replaced(shelf: Path) -> None:
    elsewhere = Session.open(str(shelf / "vale.toml"))
    try:

        async def act(player: Player) -> None:
            await player.press("B", "down", "i", "y")
            await player.sees("vale.toml wasn't changed: another tracker has it open")

        play(shelf, act, size=(120, 40))
    finally:
        elsewhere.close()


def test_damaged_backup_is_named_and_refused(shelf: Path) -> None:
    for path in backups.find(str(shelf / "vale.toml"))[0].paths:
        Path(path).write_bytes(b"format = 1\nid = ")

    async def act(player: Player) -> None:
        await player.press("B")
        await player.sees("damaged: ")
        await player.press("enter")
        await player.sees("This backup is damaged")
        assert player.screen == "CampaignsScreen"

    play(shelf, act, size=(120, 40))
    assert names(shelf) == {"vale"}


def test_damaged_campaign_names_the_key_for_its_backups(shelf: Path) -> None:
    (shelf / "vale.toml").write_bytes(b"\0" * 100)

    async def act(player: Player) -> None:
        await player.sees("B shows its backups.")
        await player.press("B", "1")
        await player.until(lambda: player.screen == "TableScreen")
        assert len(player.entries()) == 2

    play(shelf, act)


def test_campaign_without_backups_says_so(tmp_path: Path) -> None:
    campaign(tmp_path)

    async def act(player: Player) -> None:
        await player.press("B")
        assert player.screen == "CampaignsScreen"
        await player.sees("No backups of “vale” yet")

    play(tmp_path, act)


def test_restored_archived_campaign_is_listed(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("a", "v", "B", "1")
        await player.until(lambda: player.screen == "TableScreen")

    play(shelf, act)
    assert names(shelf) == {"vale restored"}


def test_failed_backup_is_told_on_the_list(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("enter", "j", *"One", "enter")
        os.rename(shelf / ".backups", shelf / "moved")
        (shelf / ".backups").write_text("in the way")
        await player.press("q")
        await player.sees("Couldn't make a backup in")

    play(shelf, act, size=(120, 40))


def test_callback_after_refresh_is_dropped_when_its_screen_has_closed(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual hands such a callback to the screen on top, which may run it after ours has lost its widgets."""
    scheduled: list[Callable[[], None]] = []
    called: list[str] = []

    async def act(player: Player) -> None:
        await player.press("B")
        screen = player.app.screen
        with monkeypatch.context() as patch:
            patch.setattr(Screen, "call_after_refresh", lambda _, callback: scheduled.append(callback))
            screen.call_after_refresh(called.append, "late")
        await player.press("escape")
        await player.until(lambda: not screen.is_running)
        scheduled[0]()

    play(shelf, act)
    assert called == []
