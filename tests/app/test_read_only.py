"""A second window on an open campaign: it can be read and not changed."""

from __future__ import annotations

from pathlib import Path

from tests.app.helpers import KARA, Player, QuickDisk, campaign, in_party, play

from tracker.campaign.session import Session


def test_read_only_window_follows_the_other_one_and_says_so(tmp_path: Path) -> None:
    save = campaign(tmp_path, *in_party(KARA))
    other = Session.open(str(save), disk=QuickDisk())

    async def act(player: Player) -> None:
        assert "read-only" in player.notice.lower()
        assert "live" in player.notice
        other.do("change", [{"at": "kara.health", "by": -2}], who="kara")
        other.write("Rain on the mill.", "kara")
        other.wait()
        player.table.follow()
        await player.sees("Rain on the mill.")
        assert player.kara["health"] == 3

    try:
        play(save, act, size=(120, 40))
    finally:
        other.close()


def test_read_only_window_runs_no_typed_text_as_commands(tmp_path: Path) -> None:
    save = campaign(tmp_path, *in_party(KARA))
    other = Session.open(str(save), disk=QuickDisk())

    async def act(player: Player) -> None:
        await player.press("j", *"quo vadis?")
        assert player.screen == "NoticeScreen"
        await player.press("escape")
        assert player.screen == "TableScreen"
        for key in "mrosnxu+-cd":
            await player.press(key)
            assert player.screen == "TableScreen", key
            assert "read-only" in player.notice.lower()
        await player.press("J")
        assert player.screen == "JournalScreen"
        await player.press("j", *"quo vadis?", "escape")
        assert player.screen == "JournalScreen"

    try:
        play(save, act)
    finally:
        other.close()
