"""Filesystems that can do less: no lock on files, no sync of folders. The campaign is played, and the player is told.

No such filesystem can be mounted here, so `flock` and `fsync` answer as one would: by a patched call, or by strace.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import FailingDisk
from tests.faults.test_faults_kill import PLAYS, ROOT

from tracker.campaign.session import Session, new_campaign
from tracker.saves import saves_folder
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError
from tracker.saves.lock import Lock, Locked, Unlockable, claim_of, held, lock_of

NO_FLOCK = [errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL]
NO_FOLDER_SYNC = [errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF]
WITHOUT_FLOCK = (
    "import errno, fcntl, os, runpy, sys\n"
    "def none(*_): raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))\n"
    "fcntl.flock = none\n"
)
TRIES_LOCK = WITHOUT_FLOCK + (
    "from tracker.saves.lock import Lock\n"
    "from tracker.saves.errors import SaveError\n"
    "sys.stdin.readline()\n"
    "try:\n    lock = Lock(sys.argv[1])\nexcept SaveError:\n    lock = None\n"
    "print('got it' if lock else 'refused', flush=True)\n"
    "sys.stdin.readline()\n"
)


def start(*command: str) -> subprocess.Popen[bytes]:
    search = os.pathsep.join([*filter(None, sys.path), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": search}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def fail_with(code: int) -> Callable[..., None]:
    def failing(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    return failing


@pytest.fixture
def no_flock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "flock", fail_with(errno.ENOLCK))


@pytest.fixture
def claim(save: str) -> Path:
    return Path(claim_of(lock_of(save)))


@pytest.fixture
def killed(save: str, claim: Path) -> int:
    """The number of a process that was killed while it had claimed the save."""
    with start(sys.executable, "-c", f"{WITHOUT_FLOCK}runpy.run_path({str(PLAYS)!r})", save) as program:
        assert program.stdout
        assert program.stdout.readline() == b"opened\n"
        program.kill()
    assert claim.read_text().split()[0] == str(program.pid)
    return program.pid


class TestNoFlock:
    @pytest.mark.parametrize("code", NO_FLOCK, ids=errno.errorcode.__getitem__)
    def test_campaign_is_played_and_the_player_told(
        self, save: str, claim: Path, code: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fcntl, "flock", fail_with(code))
        table = Session.open(save)
        assert table.readonly == ""
        assert [note for note in table.notes if "can't lock files" in note and claim.name in note] == table.notes
        played = campaign.play_saved(table, 12)
        assert held(lock_of(save))
        assert table.close().word == "saved"
        assert not claim.exists()
        assert not held(lock_of(save))
        campaign.assert_whole(save, played)

    def test_note_does_not_make_the_save_untidy(self, save: str, no_flock: None) -> None:
        before = campaign.raw(save)
        Session.open(save).close()
        assert campaign.raw(save) == before

    def test_other_errors_of_flock_leave_it_read_only(self, save: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fcntl, "flock", fail_with(errno.EIO))
        table = Session.open(save)
        assert os.strerror(errno.EIO) in table.readonly
        table.close()

    def test_second_opening_is_read_only_and_names_the_holder(self, save: str, claim: Path, no_flock: None) -> None:
        table = Session.open(save)
        other = Session.open(save)
        assert other.readonly == f"another tracker has it open (process {os.getpid()})"
        other.close()
        assert claim.exists()
        with pytest.raises(SaveError, match="close it there first"):
            saves_folder.rename(save, "other")
        table.close()

    def test_claim_of_a_killed_process_is_replaced(self, save: str, claim: Path, killed: int, no_flock: None) -> None:
        assert not held(lock_of(save))
        table = campaign.reopen(save)
        assert table.readonly == ""
        assert claim.read_text().split()[0] == str(os.getpid())
        table.close()
        assert [name for name in os.listdir(claim.parent) if "held" in name] == []

    def test_claim_of_an_earlier_process_with_the_same_number_is_replaced(
        self, save: str, claim: Path, no_flock: None
    ) -> None:
        with Claimed(save):
            pid, started, host = claim.read_text().split(" ", 2)
        claim.write_text(f"{pid} {int(started) - 1} {host}")
        assert not held(lock_of(save))
        Lock(lock_of(save)).release()

    def test_claim_of_another_computer_is_respected(self, save: str, claim: Path, no_flock: None) -> None:
        claim.write_text("1 1 laptop")
        table = Session.open(save)
        assert table.readonly == (
            f"another tracker on laptop has it open, or was killed: close it there, or delete {claim.name}"
        )
        table.close()
        assert held(lock_of(save))
        with pytest.raises(SaveError, match=f"or delete {claim.name}"):
            saves_folder.rename(save, "other")
        claim.unlink()
        table = Session.open(save)
        assert table.readonly == ""
        table.close()

    @pytest.mark.parametrize("content", ["", "x", "1 1", "-1 1 laptop", "\0" * 99, "1" * 5000, "1 1 a\x1b[2J"])
    def test_claim_with_anything_in_it_is_respected(self, save: str, claim: Path, content: str, no_flock: None) -> None:
        claim.write_text(content)
        with pytest.raises(Unlockable, match=f"delete {claim.name}"):
            Lock(lock_of(save))
        assert claim.read_text() == content

    def test_claim_that_is_a_link_is_not_followed(self, save: str, claim: Path, no_flock: None) -> None:
        before = campaign.raw(save)
        claim.symlink_to(save)
        with pytest.raises(Unlockable, match=f"delete {claim.name}"):
            Lock(lock_of(save))
        assert campaign.raw(save) == before
        assert claim.is_symlink()

    def test_claim_that_another_took_over_is_left_alone_on_release(
        self, save: str, claim: Path, no_flock: None
    ) -> None:
        lock = Lock(lock_of(save))
        claim.write_text("1 1 laptop")
        lock.release()
        assert claim.read_text() == "1 1 laptop"

    def test_interrupted_takeover_is_named(self, save: str, claim: Path, killed: int, no_flock: None) -> None:
        taking = Path(f"{claim}.taking")
        taking.touch()
        with pytest.raises(Unlockable, match=f"delete {taking.name}"):
            Lock(lock_of(save))
        taking.unlink()
        Lock(lock_of(save)).release()

    def test_claim_is_respected_where_flock_works(
        self, save: str, claim: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(fcntl, "flock", fail_with(errno.ENOLCK))
            lock = Lock(lock_of(save))
        assert held(lock_of(save))
        with pytest.raises(Locked):
            Lock(lock_of(save))
        claim.write_text("1 1 laptop")
        with pytest.raises(Unlockable):
            Lock(lock_of(save))
        claim.unlink()
        lock.release()

    def test_stale_claim_is_removed_where_flock_works(self, save: str, claim: Path, killed: int) -> None:
        campaign.reopen(save).close()
        assert not claim.exists()

    def test_only_one_of_several_processes_replaces_a_stale_claim(self, save: str, killed: int) -> None:
        programs = [start(sys.executable, "-c", TRIES_LOCK, lock_of(save)) for _ in range(4)]
        for program in programs:
            assert program.stdin
            program.stdin.write(b"\n")
            program.stdin.flush()
        said = [program.stdout.readline() for program in programs if program.stdout]
        for program in programs:
            program.communicate(b"\n")
        assert sorted(said) == [b"got it\n", *[b"refused\n"] * 3]

    @pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
    def test_campaign_is_played_when_the_system_call_fails(self, save: str, claim: Path) -> None:
        played = played_under_strace(save, "flock:error=ENOLCK")
        assert claim.exists(), "it was killed"
        campaign.assert_whole(save, played)


class Claimed:
    """A lock that is held in a `with`."""

    def __init__(self, save: str) -> None:
        self.lock = Lock(lock_of(save))

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        self.lock.release()


def played_under_strace(save: str, inject: str) -> list[str]:
    """Play until a few entries were said to be saved, then kill; return their ids."""
    call = inject.partition(":")[0]
    command = ["strace", "-f", "-qqq", "-o", os.devnull, "-e", f"trace={call}", "-e", f"inject={inject}"]
    with start(*command, sys.executable, str(PLAYS), save) as program:
        assert program.stdout
        if program.stdout.readline() != b"opened\n":
            pytest.skip("strace cannot trace here")
        said = [program.stdout.readline().decode().strip() for _ in range(12)]
        (child,) = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
        os.kill(int(child), signal.SIGKILL)
    return said


class TestNoFolderSync:
    @pytest.fixture(params=NO_FOLDER_SYNC, ids=errno.errorcode.__getitem__)
    def disk(self, request: pytest.FixtureRequest) -> FailingDisk:
        return FailingDisk(request.param, lambda name, number: name == "sync_folder")

    def test_campaign_is_played_and_the_player_told_once(self, save: str, disk: FailingDisk) -> None:
        table = Session.open(save, disk=disk)
        played = campaign.play_saved(table, 12)
        assert table.close().word == "saved"
        assert len(disk.failed) > 1
        told = [note for note in table.notes if "can't sync folders" in note]
        assert len(told) == 1
        assert os.strerror(disk.code) in told[0]
        campaign.assert_whole(save, played)

    def test_missing_folder_sync_is_reported_to_the_screen(self, save: str, disk: FailingDisk) -> None:
        table = Session.open(save, disk=disk)
        heard: list[str] = []
        table.listeners.append(heard.append)
        assert table.notes == []
        campaign.play_saved(table, 1)
        assert "untidy" in heard
        table.close()

    def test_campaign_is_made_and_renamed(self, tmp_path: Path, disk: FailingDisk) -> None:
        path = str(tmp_path / "new.toml")
        new_campaign(path, campaign.GAME, disk)
        saves_folder.rename(path, "other", disk)
        campaign.assert_whole(str(tmp_path / "other.toml"), [])

    @pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
    def test_campaign_is_played_when_the_system_call_fails(self, save: str) -> None:
        """Files are synced by fdatasync, folders by fsync."""
        campaign.assert_whole(save, played_under_strace(save, "fsync:error=EINVAL"))


@pytest.mark.parametrize("code", [errno.ENOTSUP, errno.EINVAL], ids=errno.errorcode.__getitem__)
def test_macos_sync_falls_back_where_a_full_sync_is_not_supported(
    tmp_path: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", fail_with(code))
    monkeypatch.setattr(os, "fsync", synced.append)
    with open(tmp_path / "x", "wb") as file:
        Disk().sync(file.fileno())
        assert synced == [file.fileno()]
