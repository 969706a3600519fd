"""Saving a copy when the campaign's own file cannot be written any more."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, Player, QuickDisk, campaign, in_party, play, sworn

from tracker.campaign.session import Session
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError

KARA_HEALTH = 5


class BrokenDisk(QuickDisk):
    """Fails to write to the campaign's own file, as long as it has a `code`; other files are fine."""

    code = 0

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, fd: int, data: bytes) -> int:
        if self.code and self.path.exists() and os.fstat(fd).st_ino == self.path.stat().st_ino:
            raise OSError(self.code, os.strerror(self.code))
        return super().write(fd, data)


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


def health(path: Path) -> int:
    session = Session.open(str(path), write=False)
    session.close()
    return int(session.state["party"]["kara"]["health"])


async def hurt(player: Player) -> None:
    """Lower a number, without the cursor being anywhere in particular."""
    player.session.do("change", [{"at": "kara.health", "by": -1}], who="kara")
    player.table.show()
    await player.rest()


def replace(vale: Path) -> None:
    other = campaign(vale.parent, name="other")
    os.replace(other, vale)


LOST: dict[str, Callable[[Path], object]] = {
    "deleted": lambda vale: vale.unlink(),
    "emptied": lambda vale: vale.write_bytes(b""),
    "replaced": replace,
}


class TestLostFile:
    @pytest.mark.parametrize("how", LOST)
    def test_copy_holds_everything_and_play_goes_on_in_it(self, vale: Path, how: str) -> None:
        async def act(player: Player) -> None:
            await hurt(player)
            await player.until(lambda: player.session.sign.word == "saved")
            LOST[how](vale)
            await hurt(player)
            await player.sees("NOT SAVED")
            await player.until(lambda: "^e saves a copy of everything elsewhere." in player.notice)
            await player.press("ctrl+e")
            assert player.screen == "NameDialog"
            assert "vale copy" in player.text
            await player.press("enter")
            await player.until(lambda: player.screen == "TableScreen")
            assert player.notice == f"Saved a copy. You now play in {vale.parent / 'vale copy.toml'}."
            await player.until(lambda: player.session.sign.word == "saved")
            assert player.text.splitlines()[0].endswith(" saved")
            await player.until(lambda: "vale copy" in player.text.splitlines()[0])
            await hurt(player)
            await player.until(lambda: player.session.sign.word == "saved")

        play(vale, act)
        assert health(vale.parent / "vale copy.toml") == KARA_HEALTH - 3


class TestBrokenDisk:
    @pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO], ids=errno.errorcode.__getitem__)
    def test_quit_dialog_saves_a_copy_at_a_path(self, vale: Path, tmp_path: Path, code: int) -> None:
        disk = BrokenDisk(vale)
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()

        async def act(player: Player) -> None:
            disk.code = code
            await hurt(player)
            await player.sees("NOT SAVED")
            await player.press("ctrl+q")
            assert player.screen == "UnsavedScreen"
            assert "Save a copy" in player.text
            await player.press("ctrl+e")
            assert player.screen == "NameDialog"
            await player.press("ctrl+u")
            await player.type(str(elsewhere))
            await player.press("enter")
            await player.until(lambda: player.screen == "TableScreen")
            await player.until(lambda: player.session.sign.word == "saved")
            await player.press("ctrl+q")
            assert player.app._exit

        play(vale, act, disk=disk)
        assert health(elsewhere / "vale.toml") == KARA_HEALTH - 1
        assert health(vale) == KARA_HEALTH

    def test_copy_that_cannot_be_written_says_why_and_asks_again(self, vale: Path) -> None:
        disk = BrokenDisk(vale)

        async def act(player: Player) -> None:
            disk.code = errno.ENOSPC
            await hurt(player)
            await player.sees("NOT SAVED")
            await player.press("ctrl+e", "ctrl+u")
            await player.type("vale")
            await player.press("enter")
            assert player.screen == "NameDialog"
            assert "vale.toml already exists; choose another name." in player.text
            await player.press("ctrl+u")
            await player.type("/no/such/folder/x")
            await player.press("enter")
            assert "Can't write x.toml: No such file or directory." in player.text
            await player.press("escape")
            assert player.screen == "TableScreen"
            assert player.session.sign.word == "NOT SAVED"

        play(vale, act, disk=disk)

    def test_read_only_campaign_says_where_to_copy_it(self, vale: Path) -> None:
        holder = Session.open(str(vale))

        async def act(player: Player) -> None:
            await player.press("ctrl+e")
            assert player.notice == "This campaign is read-only here; c on the list of campaigns copies it."

        play(vale, act)
        holder.close()


class TestCopyPath:
    def test_name_goes_beside_the_campaign_and_path_where_it_says(self, tmp_path: Path) -> None:
        vale = str(tmp_path / "vale.toml")
        assert saves_folder.copy_path("b", vale) == str(tmp_path / "b.toml")
        assert saves_folder.copy_path("b.toml", vale) == "b.toml"
        assert saves_folder.copy_path("x/b", vale) == "x/b.toml"
        assert saves_folder.copy_path(f"{tmp_path}", vale) == str(tmp_path / "vale.toml")
        assert saves_folder.copy_path("x/", vale) == "x/vale.toml"
        for unfit in ("", "a:b", "list"):
            with pytest.raises(SaveError):
                saves_folder.copy_path(unfit, vale)

    def test_proposed_name_is_free(self, tmp_path: Path) -> None:
        vale = tmp_path / "vale.toml"
        assert saves_folder.copy_name(str(vale)) == "vale copy"
        (tmp_path / "vale copy.toml").touch()
        assert saves_folder.copy_name(str(vale)) == "vale copy 2"
