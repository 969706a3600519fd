"""Links beside a save, as a shared folder may have them: nothing is ever written, truncated or moved through one."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import QuickDisk

from tracker import settings
from tracker.campaign import unsent_input
from tracker.campaign.session import Session
from tracker.saves import backups, compaction, saves_folder
from tracker.saves.errors import SaveError
from tracker.saves.lock import Lock, held, lock_of

WORDS = "The player's own words, which are worth more than any lock."


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Path]:
    """A file elsewhere that a link leads to; it must be as it was in the end."""
    path = tmp_path / "elsewhere" / "victim.txt"
    path.parent.mkdir()
    path.write_text(WORDS)
    yield path
    assert path.read_text() == WORDS
    assert os.listdir(path.parent) == [path.name]


@pytest.fixture
def lock(save: str) -> Path:
    path = Path(lock_of(save))
    path.unlink()
    return path


def play_and_compact(save: str) -> Session:
    table = Session.open(save, disk=QuickDisk())
    assert table.readonly == ""
    campaign.play_saved(table, 12)
    assert table.close().word == "saved"
    return table


class TestLockFile:
    def test_link_is_not_followed_and_the_way_out_is_said(self, save: str, lock: Path, victim: Path) -> None:
        lock.symlink_to(victim)
        table = Session.open(save)
        assert table.readonly == (
            f"its lock file {lock.name} is not a regular file but a link: delete it, then open the campaign again"
        )
        assert table.close()
        assert not held(str(lock))
        lock.unlink()
        play_and_compact(save)

    def test_link_to_the_save_leaves_the_save_intact(self, save: str, lock: Path) -> None:
        before = campaign.raw(save)
        lock.symlink_to(save)
        table = Session.open(save)
        assert "delete it" in table.readonly
        table.close()
        assert campaign.raw(save) == before

    def test_broken_link_creates_nothing(self, save: str, lock: Path, tmp_path: Path) -> None:
        lock.symlink_to(tmp_path / "made through a link")
        table = Session.open(save)
        assert "delete it" in table.readonly
        table.close()
        assert not (tmp_path / "made through a link").exists()

    def test_hard_link_to_the_save_locks_but_is_not_written(self, save: str, lock: Path) -> None:
        lock.hardlink_to(save)
        table = Session.open(save, disk=QuickDisk())
        assert table.readonly == ""
        assert Session.open(save).readonly == "another tracker has it open"
        played = campaign.play_saved(table, 12)
        assert table.close().word == "saved"
        campaign.assert_whole(save, played)

    def test_hard_link_to_another_file_is_not_written(self, save: str, lock: Path, victim: Path) -> None:
        lock.hardlink_to(victim)
        play_and_compact(save)

    @pytest.mark.parametrize("content", [WORDS, "12 apples", "1" * 21, "\n", "-5"])
    def test_file_with_other_content_is_not_written(self, save: str, lock: Path, content: str) -> None:
        lock.write_text(content)
        play_and_compact(save)
        saves_folder.rename(save, "other", QuickDisk())
        assert lock.read_text() == content

    def test_own_file_names_the_holder(self, save: str, lock: Path) -> None:
        lock.write_text("99999999999")
        table = Session.open(save)
        assert lock.read_text() == str(os.getpid())
        table.close()

    def test_renaming_says_the_way_out_and_moves_nothing(self, save: str, lock: Path, victim: Path) -> None:
        lock.symlink_to(victim)
        with pytest.raises(SaveError, match=r"wasn't moved: its lock file .* delete it, then open"):
            saves_folder.rename(save, "other")
        assert os.path.exists(save)

    def test_lock_file_removed_while_it_is_taken_is_taken_anew(
        self, lock: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Renaming a campaign removes its lock file: a lock on a file without a name would keep no one out."""
        flock = fcntl.flock

        def removed(fd: int, operation: int) -> None:
            monkeypatch.undo()
            lock.unlink()
            flock(fd, operation)

        monkeypatch.setattr(fcntl, "flock", removed)
        taken = Lock(str(lock))
        assert held(str(lock))
        taken.release()


class TestTemporaryFile:
    @pytest.mark.parametrize("name", [".{}.new", ".{}.{pid}.new"])
    def test_link_is_removed_and_not_written_through(self, save: str, victim: Path, name: str) -> None:
        temp = Path(save).with_name(name.format("the vale.toml", pid=os.getpid()))
        temp.symlink_to(victim)
        play_and_compact(save)
        assert not temp.is_symlink()

    def test_link_made_after_the_opening_is_passed_over(self, save: str, victim: Path) -> None:
        temp = Path(save).with_name(f".the vale.toml.{os.getpid()}.new")
        table = Session.open(save, disk=QuickDisk())
        temp.symlink_to(victim)
        campaign.play_saved(table, 12)
        assert compaction.backups(save), "it was compacted"
        assert table.close().word == "saved"
        assert temp.is_symlink()

    def test_folder_in_its_place_is_passed_over(self, save: str) -> None:
        Path(save).with_name(f".the vale.toml.{os.getpid()}.new").mkdir()
        play_and_compact(save)
        assert compaction.backups(save)


class TestBackup:
    @pytest.fixture(autouse=True)
    def no_backups_yet(self, save: str) -> None:
        shutil.rmtree(Path(save).with_name(".backups"))

    def test_folder_that_is_a_link_is_not_used(self, save: str, tmp_path: Path) -> None:
        (tmp_path / "far").mkdir()
        (tmp_path / "far" / "the vale.000001.toml").write_bytes(campaign.raw(save))
        (tmp_path / ".backups").symlink_to("far")
        table = play_and_compact(save)
        told = ".backups is not a folder but a link: tracker keeps no backups there until you delete it."
        assert table.notes[0] == told
        assert all(".backups is not a folder but a link" in note for note in table.notes)
        assert os.listdir(tmp_path / "far") == ["the vale.000001.toml"]
        assert compaction.backups(save) == []
        assert not any("far" in path or ".backups" in path for one in backups.find(save) for path in one.paths)

    def test_folder_that_is_a_file_is_left_alone(self, save: str, tmp_path: Path) -> None:
        (tmp_path / ".backups").write_text(WORDS)
        assert "no backups" in play_and_compact(save).notes[0]
        assert (tmp_path / ".backups").read_text() == WORDS
        assert compaction.backups(save) == []

    def test_backup_that_is_a_link_is_neither_read_nor_removed(self, save: str, tmp_path: Path, victim: Path) -> None:
        link = tmp_path / ".backups" / "the vale.000009.toml"
        link.parent.mkdir()
        link.symlink_to(victim)
        play_and_compact(save)
        assert link.is_symlink()
        assert str(link) not in compaction.backups(save)
        numbers = [path.rsplit(".", 2)[1] for path in compaction.backups(save)]
        assert numbers[0] == "000010"


class TestDraft:
    def test_link_is_not_read(self, save: str, victim: Path) -> None:
        Path(unsent_input.draft_path(save)).symlink_to(victim)
        assert unsent_input.load_draft(save) == ""

    def test_link_is_replaced_and_not_written_through(self, save: str, victim: Path) -> None:
        path = Path(unsent_input.draft_path(save))
        path.symlink_to(victim)
        unsent_input.save_draft(save, "Rain.")
        assert not path.is_symlink()
        assert unsent_input.load_draft(save) == "Rain."

    def test_link_under_its_temporary_name_is_passed_over(self, save: str, victim: Path) -> None:
        path = Path(unsent_input.draft_path(save))
        temp = path.with_name(f".{path.name}.{os.getpid()}.new")
        temp.symlink_to(victim)
        unsent_input.save_draft(save, "Rain.")
        assert unsent_input.load_draft(save) == "Rain."
        assert temp.is_symlink()

    def test_emptying_removes_the_link_only(self, save: str, victim: Path) -> None:
        Path(unsent_input.draft_path(save)).symlink_to(victim)
        unsent_input.save_draft(save, "")
        assert not Path(unsent_input.draft_path(save)).is_symlink()

    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664])
    @pytest.mark.parametrize("mask", [0o022, 0o077])
    def test_draft_has_the_mode_of_its_save(self, save: str, mode: int, mask: int) -> None:
        os.chmod(save, mode)
        before = os.umask(mask)
        try:
            unsent_input.save_draft(save, "Rain.")
            unsent_input.write_draft(save, "", "k3f9.1")
        finally:
            os.umask(before)
        for path in (unsent_input.draft_path(save), unsent_input.draft_path(save, "k3f9.1")):
            assert stat.S_IMODE(os.stat(path).st_mode) == mode

    def test_temporary_file_left_by_a_kill_is_removed(self, save: str, tmp_path: Path) -> None:
        left = [tmp_path / f"..the vale.toml.{of}draft.123.new" for of in ("", "k3f9.1.", "typed.")]
        other = tmp_path / "..the vale.toml.b.toml.draft.123.new"
        for path in (*left, other):
            path.write_text("Half a li")
        table = Session.open(save)
        assert table.notes == []
        table.close()
        assert [path for path in (*left, other) if path.exists()] == [other]


class TestTornTail:
    TORN = b'\n[[entry]]\nid = "k3f9.9"\nt ='

    def test_link_under_its_name_is_passed_over(self, save: str, tmp_path: Path, victim: Path) -> None:
        link = tmp_path / "the vale.torn-1.txt"
        link.symlink_to(victim)
        campaign.put_raw(save, campaign.raw(save) + self.TORN)
        Session.open(save).close()
        assert link.is_symlink()
        assert (tmp_path / "the vale.torn-2.txt").read_bytes().strip() == self.TORN.strip()

    def test_file_has_the_mode_of_the_save(self, save: str, tmp_path: Path) -> None:
        os.chmod(save, 0o600)
        campaign.put_raw(save, campaign.raw(save) + self.TORN)
        Session.open(save).close()
        assert stat.S_IMODE(os.stat(tmp_path / "the vale.torn-1.txt").st_mode) == 0o600


class TestCopies:
    def test_duplicate_of_a_private_save_is_private(self, save: str) -> None:
        os.chmod(save, 0o600)
        assert stat.S_IMODE(os.stat(saves_folder.duplicate(save, "other", QuickDisk())).st_mode) == 0o600

    def test_duplicate_never_goes_through_a_link(self, save: str, tmp_path: Path) -> None:
        (tmp_path / "other.toml").symlink_to(tmp_path / "made through a link")
        with pytest.raises(SaveError, match="already exists"):
            saves_folder.duplicate(save, "other", QuickDisk())
        assert not (tmp_path / "made through a link").exists()


class TestSettings:
    def test_link_into_dotfiles_is_followed_and_stays(self, tmp_path: Path) -> None:
        (tmp_path / "dotfiles").write_text('dice = "typed"\n')
        (tmp_path / "config.toml").symlink_to("dotfiles")
        settings.save_theme(str(tmp_path / "config.toml"), "nord")
        assert (tmp_path / "dotfiles").read_text() == 'theme = "nord"\ndice = "typed"\n'
        assert (tmp_path / "config.toml").is_symlink()

    @pytest.mark.parametrize("name", ["config.toml.{}.new", ".config.toml.{}.new"])
    def test_temporary_file_is_never_a_link(self, tmp_path: Path, victim: Path, name: str) -> None:
        (tmp_path / name.format(os.getpid())).symlink_to(victim)
        settings.save_theme(str(tmp_path / "config.toml"), "nord")
        assert (tmp_path / "config.toml").read_text() == 'theme = "nord"\n'

    def test_file_keeps_its_mode(self, tmp_path: Path) -> None:
        (tmp_path / "config.toml").touch(0o600)
        settings.save_theme(str(tmp_path / "config.toml"), "nord")
        assert stat.S_IMODE((tmp_path / "config.toml").stat().st_mode) == 0o600
