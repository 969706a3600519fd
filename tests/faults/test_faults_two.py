"""One save under several names, and several programs at one save."""

import errno
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import QuickDisk
from tests.faults.test_faults_kill import start

from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.saves.errors import SaveError
from tracker.saves.lock import held, lock_of


class TestSymlinkedSave:
    @pytest.fixture
    def link(self, save: str, tmp_path: Path) -> str:
        """A relative link in another folder."""
        (tmp_path / "links").mkdir()
        link = str(tmp_path / "links" / "my vale.toml")
        os.symlink(os.path.join("..", os.path.basename(save)), link)
        return link

    @pytest.mark.parametrize("absolute", [True, False], ids=["absolute", "relative"])
    def test_link_stays_a_link_through_appending_and_compaction(self, save: str, link: str, absolute: bool) -> None:
        if absolute:
            os.unlink(link)
            os.symlink(save, link)
        target = os.readlink(link)
        table = Session.open(link)
        played = campaign.play_saved(table, 12)
        assert table.close().word == "saved"
        assert os.readlink(link) == target
        assert not os.path.islink(save)
        assert os.listdir(os.path.dirname(link)) == [os.path.basename(link)], "nothing is left beside the link"
        campaign.assert_whole(save, played)

    def test_lock_holds_under_both_names(self, save: str, link: str) -> None:
        table = Session.open(link)
        other = Session.open(save)
        assert str(os.getpid()) in other.readonly
        other.close()
        table.close()

    def test_link_to_a_link_ends_at_the_file(self, save: str, link: str) -> None:
        second = link.replace("my vale", "second")
        os.symlink(os.path.basename(link), second)
        table = Session.open(second)
        played = campaign.play_saved(table, 6)
        table.close()
        assert os.path.islink(second)
        assert os.path.islink(link)
        campaign.assert_whole(save, played)

    def test_dangling_link_is_refused(self, tmp_path: Path) -> None:
        link = str(tmp_path / "link.toml")
        os.symlink("nowhere.toml", link)
        with pytest.raises(SaveError, match="No save at"):
            Session.open(link)


@pytest.fixture
def holder(save: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another program that has the save open and plays."""
    program = start(save)
    assert program.stdout
    assert program.stdout.readline() == b"opened\n"
    with program:
        yield program
        program.kill()


class TestSecondProgram:
    def test_second_program_is_read_only_and_names_the_holder(self, save: str, holder: subprocess.Popen[bytes]) -> None:
        assert holder.stdout
        first = holder.stdout.readline().decode().strip()
        table = Session.open(save)
        assert f"process {holder.pid}" in table.readonly
        assert table.sign.word == "READ-ONLY"
        assert first in {entry["id"] for entry in table.log.entries}
        with pytest.raises(Refused, match="read-only"):
            table.write("Not mine to write.")
        assert table.close().word
        assert holder.poll() is None

    def test_second_program_gets_the_lock_when_the_holder_was_killed(
        self, save: str, holder: subprocess.Popen[bytes]
    ) -> None:
        holder.kill()
        holder.wait()
        table = campaign.reopen(save)
        assert table.readonly == ""
        campaign.play_saved(table, 1)
        table.close()

    def test_second_program_waits_while_the_holder_is_stopped(self, save: str, holder: subprocess.Popen[bytes]) -> None:
        holder.send_signal(signal.SIGSTOP)
        os.waitpid(holder.pid, os.WUNTRACED)
        table = Session.open(save)
        assert f"process {holder.pid}" in table.readonly
        table.close()
        holder.send_signal(signal.SIGCONT)
        assert holder.stdout
        assert holder.stdout.readline()

    def test_second_program_sees_a_readable_save_at_every_moment(
        self, save: str, holder: subprocess.Popen[bytes]
    ) -> None:
        """That includes the middle of a write or of a compaction."""
        assert holder.stdout
        said: list[str] = []
        for _ in range(40):
            said.append(holder.stdout.readline().decode().strip())
            look = Session.open(save, write=False)
            try:
                assert look.readonly == "you opened it that way"
                if said[-1] not in {entry["id"] for entry in look.log.entries}:
                    assert said[-1] in campaign.ids(save)
            finally:
                look.close()

    def test_second_program_leaves_the_lock_to_the_holder_when_it_closes(self, save: str) -> None:
        table = Session.open(save)
        Session.open(save).close()
        third = Session.open(save)
        assert third.readonly
        third.close()
        table.close()
        again = Session.open(save)
        assert again.readonly == ""
        again.close()


def test_session_closes_when_its_lock_file_cannot_be_closed(save: str) -> None:
    """Some filesystems report an error then; the lock is gone all the same."""
    table = Session.open(save, disk=QuickDisk())
    assert table.save._lock
    os.close(table.save._lock._fd)  # the next close of it fails with EBADF
    assert table.close().word == "saved"
    campaign.reopen(save).close()


def test_lock_file_that_only_another_user_may_write_locks_all_the_same(
    save: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Session.open(save).close()
    lock, system = lock_of(save), os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if path == lock and flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return system(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    assert not held(lock)
    table = Session.open(save)
    assert not table.readonly
    assert held(lock)
    assert "another tracker has it open" in Session.open(save).readonly
    table.close()
    assert not held(lock)
