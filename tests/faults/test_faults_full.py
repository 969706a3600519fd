"""A disk that is full or may not be written: the old save stays whole, the change waits and says why."""

import contextlib
import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import FailingDisk

from tracker.campaign.session import Session, new_campaign
from tracker.saves.errors import SaveError
from tracker.saves.lock import lock_of
from tracker.saves.writer import SaveStatus

FULL = os.strerror(errno.ENOSPC)


def mount(*args: str) -> None:
    ran = subprocess.run(["mount", *args], capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip(f"a filesystem of our own cannot be mounted here: {ran.stderr.splitlines()[0]}")


@contextlib.contextmanager
def mounted(folder: Path, limit: str) -> Iterator[str]:
    """Yield the path of a campaign on a filesystem of its own with this limit."""
    folder.mkdir()
    mount("-t", "tmpfs", "-o", limit, "tracker-test", str(folder))
    try:
        path = str(folder / "the vale.toml")
        campaign.new(path)
        yield path
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[str]:
    """A campaign on a filesystem of 512 KB."""
    with mounted(tmp_path / "small", "size=512k") as path:
        yield path


@pytest.fixture
def few_names(tmp_path: Path) -> Iterator[str]:
    """A campaign on a filesystem that holds at most 40 files."""
    with mounted(tmp_path / "few", "nr_inodes=40") as path:
        yield path


def fill_names(save: str) -> list[str]:
    """Make empty files until the filesystem takes no more; return their paths."""
    fillers: list[str] = []
    with pytest.raises(OSError, match=FULL):
        while True:
            path = f"{save}.filler-{len(fillers)}"
            with open(path, "xb"):
                fillers.append(path)
    return fillers


def fill(save: str) -> str:
    """Take all the room that is left."""
    filler = os.path.join(os.path.dirname(save), "filler")
    with open(filler, "wb", buffering=0) as file:
        for size in (4096, 1):
            with pytest.raises(OSError, match=FULL):
                while file.write(b"x" * size):
                    pass
    return filler


class TestFullDisk:
    def test_full_disk_keeps_the_change_waiting_until_there_is_room(self, small: str) -> None:
        table = Session.open(small)
        saved = campaign.play_saved(table, 3)
        filler = fill(small)
        waiting: list[str] = []
        while table.settle().word == "saved":  # the last page of the save may have room
            saved += waiting
            waiting = [table.write("x" * 500)["id"]]
        waiting += [campaign.play(table, n)["id"] for n in range(3)]
        assert table.settle() == table.sign
        assert (table.sign.word, table.sign.why) == ("NOT SAVED", FULL)
        assert set(saved) <= set(campaign.ids(small))
        assert campaign.contents(small).bad == []
        assert [entry["id"] for entry in table.log.entries][-4:] == waiting
        os.unlink(filler)
        table.retry()
        assert table.settle().word == "saved"
        assert table.sign.word == "saved"
        assert table.close().word == "saved"
        campaign.assert_whole(small, saved + waiting)

    def test_full_disk_does_not_keep_a_campaign_from_being_opened(self, small: str) -> None:
        os.unlink(os.path.join(os.path.dirname(small), ".the vale.toml.lock"))
        with open(os.path.join(os.path.dirname(small), ".the vale.toml.lock"), "wb"):
            pass
        before = campaign.raw(small)
        filler = fill(small)
        table = Session.open(small)
        assert table.readonly == ""
        table.write("x" * 5000)
        assert (table.settle().word, table.sign.why) == ("NOT SAVED", FULL)
        assert campaign.raw(small) == before
        os.unlink(filler)
        table.retry()
        assert table.settle().word == "saved"
        table.close()

    def test_full_disk_cancels_compaction_and_play_continues(self, small: str) -> None:
        table = Session.open(small)
        saved = campaign.play_saved(table, 3)
        filler = fill(small)
        with open(filler, "r+b") as file:
            file.truncate(os.path.getsize(filler) - 4096)
        names = sorted(os.listdir(os.path.dirname(small)))
        saved += [table.write("One more.")["id"]]
        assert table.settle().word == "saved"
        table._tidy()
        assert table.settle().word == "saved"
        assert sorted(os.listdir(os.path.dirname(small))) == names
        os.unlink(filler)
        assert table.close().word == "saved"
        campaign.assert_whole(small, saved)

    def test_full_disk_opens_a_truncated_save_read_only(self, small: str) -> None:
        """There is no room to set the end aside, and it is not cut before that."""
        torn = campaign.raw(small) + b"\n[[entry]]\nid = "
        campaign.put_raw(small, torn)
        filler = fill(small)
        table = Session.open(small)
        assert FULL in table.readonly
        assert table.sign.word == "READ-ONLY"
        table.close()
        assert campaign.raw(small) == torn
        os.unlink(filler)
        campaign.assert_whole(small, [])

    def test_full_disk_without_room_for_a_lock_opens_read_only_and_says_what_to_do(self, few_names: str) -> None:
        os.unlink(lock_of(few_names))
        fillers = fill_names(few_names)
        before = campaign.raw(few_names)
        table = Session.open(few_names)
        why = f"can't make a lock file beside it ({FULL}): make room there, then open the campaign again"
        assert table.readonly == why
        assert table.sign == SaveStatus("READ-ONLY", why)
        table.close()
        assert campaign.raw(few_names) == before
        os.unlink(fillers[0])
        table = Session.open(few_names)
        assert table.readonly == ""
        table.close()

    def test_full_disk_refuses_a_new_campaign(self, small: str) -> None:
        other = os.path.join(os.path.dirname(small), "other.toml")
        filler = fill(small)
        with pytest.raises(SaveError, match=FULL):
            new_campaign(other, campaign.GAME)
        assert not os.path.exists(other)
        os.unlink(filler)
        new_campaign(other, campaign.GAME)
        campaign.assert_whole(other, [])


@pytest.fixture
def fixed(save: str) -> Iterator[str]:
    """A campaign on a filesystem that has become read-only, for root as well."""
    folder = os.path.dirname(save)
    mount("--bind", folder, folder)
    try:
        mount("-o", "remount,ro,bind", folder)
        yield save
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


class TestUnwritableSave:
    def test_read_only_filesystem_opens_read_only_and_says_so(self, fixed: str) -> None:
        before = campaign.raw(fixed)
        table = Session.open(fixed)
        assert os.strerror(errno.EROFS) in table.readonly
        assert table.sign.word == "READ-ONLY"
        assert table.state == campaign.folded(fixed)
        table.close()
        assert campaign.raw(fixed) == before

    def test_unwritable_file_opens_read_only_and_says_so(self, save: str) -> None:
        """Its folder may be written: nothing is put in the place of a file that somebody has protected."""
        before = campaign.raw(save)
        disk = FailingDisk(errno.EACCES, lambda name, number: name == "open")
        table = Session.open(save, disk=disk)
        assert os.strerror(errno.EACCES) in table.readonly
        assert table.sign.word == "READ-ONLY"
        assert table.close().word
        assert campaign.raw(save) == before

    def test_save_that_becomes_unwritable_keeps_the_change(self, save: str) -> None:
        disk = FailingDisk(errno.EROFS, lambda name, number: False)
        table = Session.open(save, disk=disk)
        before = campaign.raw(save)
        disk.when = lambda name, number: name != "close"
        ident = table.write("Waits.")["id"]
        assert (table.settle().word, table.sign.why) == ("NOT SAVED", os.strerror(errno.EROFS))
        assert campaign.raw(save).startswith(before)
        disk.heal()
        table.retry()
        assert table.settle().word == "saved"
        assert table.close().word == "saved"
        campaign.assert_whole(save, [ident])

    def test_unwritable_folder_still_takes_entries(self, save: str) -> None:
        """Compaction needs the folder; appending does not."""
        disk = FailingDisk(errno.EACCES, lambda name, number: name == "open" and number > 1)
        table = Session.open(save, disk=disk)
        saved = campaign.play_saved(table, 12)
        assert table.close().word == "saved"
        assert disk.failed
        campaign.assert_whole(save, saved)

    @pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind the superuser")
    @pytest.mark.parametrize("what", ["file", "folder"])
    def test_permissions_open_read_only_and_say_so(self, save: str, what: str) -> None:
        place = save if what == "file" else os.path.dirname(save)
        os.unlink(os.path.join(os.path.dirname(save), ".the vale.toml.lock"))
        mode = os.stat(place).st_mode
        os.chmod(place, 0o444 if what == "file" else 0o555)
        table = Session.open(save)
        assert os.strerror(errno.EACCES) in table.readonly
        table.close()
        os.chmod(place, mode)


class TestNoSave:
    def test_folder_is_refused_in_words(self, tmp_path: Path) -> None:
        folder = tmp_path / "folder.toml"
        folder.mkdir()
        for write in (True, False):
            with pytest.raises(SaveError, match=r"folder\.toml"):
                Session.open(str(folder), write=write)

    def test_pipe_is_refused_and_does_not_hang(self, tmp_path: Path) -> None:
        pipe = str(tmp_path / "pipe.toml")
        os.mkfifo(pipe)
        for write in (True, False):
            with pytest.raises(SaveError, match=r"pipe\.toml"):
                Session.open(pipe, write=write)

    def test_missing_path_is_refused_and_leaves_no_trace(self, tmp_path: Path) -> None:
        for write in (True, False):
            with pytest.raises(SaveError, match="No save"):
                Session.open(str(tmp_path / "none.toml"), write=write)
        assert os.listdir(tmp_path) == []

    def test_unreadable_file_is_refused_in_words(self, save: str) -> None:
        """A file of the system that answers every reading with an error."""
        os.unlink(save)
        os.symlink("/proc/self/mem", save)
        disk = FailingDisk(errno.EACCES, lambda name, number: name == "open")
        with pytest.raises(SaveError, match="the vale"):
            Session.open(save, disk=disk)
