"""Pipes, devices, sockets and folders where a file should be: refused at once, in a sentence, never a hang."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import QuickDisk
from tests.hostile import make_socket

from tracker import settings
from tracker.campaign import unsent_input
from tracker.campaign.maintenance import recovered
from tracker.campaign.session import Session
from tracker.content import load
from tracker.saves import compaction, saves_folder
from tracker.saves.backups import find
from tracker.saves.disk import reading
from tracker.saves.errors import SaveError
from tracker.saves.lock import held, lock_of

KINDS: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a socket": make_socket,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "full": lambda path: path.symlink_to("/dev/full"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
}


@pytest.fixture(params=KINDS)
def put(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Path], Path]:
    """Put something that is no regular file under a path. The path of a socket must be short."""
    monkeypatch.chdir(tmp_path)

    def put(path: Path) -> Path:
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        KINDS[request.param](path.relative_to(tmp_path))
        return path

    return put


def play(save: str) -> Session:
    table = Session.open(save, disk=QuickDisk())
    assert table.readonly == ""
    campaign.play_saved(table, 12)
    assert table.close().word == "saved"
    return table


class TestSave:
    @pytest.mark.parametrize("write", [True, False])
    def test_special_file_is_refused(self, save: str, write: bool, put: Callable[[Path], Path]) -> None:
        put(Path(save))
        with pytest.raises(SaveError, match="is not a file"):
            Session.open(save, write=write)

    def test_special_file_is_not_recovered_copied_or_listed(
        self, save: str, put: Callable[[Path], Path], tmp_path: Path
    ) -> None:
        put(Path(save))
        with pytest.raises(SaveError, match=": it is not a regular file but"):
            recovered(save)
        with pytest.raises(SaveError, match="can't be copied: it is not a regular file but"):
            saves_folder.duplicate(save, "other")
        assert saves_folder.campaigns(str(tmp_path)) == []

    def test_example_is_not_copied(self, tmp_path: Path, put: Callable[[Path], Path]) -> None:
        with pytest.raises(SaveError, match="it is not a regular file but"):
            saves_folder.copy_example(str(put(tmp_path / "example-x.toml")), str(tmp_path))

    def test_swapped_while_open_is_told(self, save: str, put: Callable[[Path], Path]) -> None:
        table = Session.open(save, disk=QuickDisk())
        put(Path(save))
        table.write("Nowhere to go.")
        assert table.settle().word == "NOT SAVED"
        assert "not a regular file" in table.sign.why
        table.close()


def test_commands_end_at_once_with_a_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    (tmp_path / "example-y.toml").symlink_to("/dev/zero")
    code = (
        "import sys; from tracker.cli import main\n"
        "for command in ['show', 'log', 'check', 'recover']:\n"
        "    for name in ['pipe', 'zero', 'example-y']:\n"
        "        print(main([command, name, '--saves', sys.argv[1]]))\n"
        "print(main(['list', '--saves', sys.argv[1]]))\n"
        "print(main(['play', 'example-y', '--plain', '--saves', sys.argv[1]]))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    assert ran.stdout.split() == [*["1"] * 12, "0", "1"]
    said = ran.stderr.splitlines()
    assert len(said) == 14
    assert said.pop(12).startswith(f"tracker: No campaigns in {tmp_path} yet")
    assert all(line.startswith("tracker: ") and "is not a" in line for line in said), said


class TestBeside:
    def test_lock_file_makes_the_campaign_read_only(self, save: str, put: Callable[[Path], Path]) -> None:
        lock = put(Path(lock_of(save)))
        table = Session.open(save)
        assert table.readonly.startswith(f"its lock file {lock.name} is not a regular file but")
        assert table.readonly.endswith("delete it, then open the campaign again")
        table.close()
        assert not held(str(lock))

    def test_temporary_file_is_passed_over(self, save: str, put: Callable[[Path], Path]) -> None:
        put(Path(save).with_name(f".the vale.toml.{os.getpid()}.new"))
        play(save)
        assert compaction.backups(save)

    def test_folder_of_backups_is_told(self, save: str, put: Callable[[Path], Path], tmp_path: Path) -> None:
        there = put(tmp_path / ".backups")
        if not there.is_dir():
            assert ".backups is not a folder but" in play(save).notes[0]

    def test_backup_is_passed_over(self, save: str, put: Callable[[Path], Path], tmp_path: Path) -> None:
        put(tmp_path / ".backups" / "the vale.000009.toml")
        assert str(tmp_path / ".backups" / "the vale.000001.toml") in (path for one in find(save) for path in one.paths)
        assert not any(path.endswith(".000009.toml") for one in find(save) for path in one.paths)
        play(save)

    def test_truncated_tail_gets_another_name(self, save: str, put: Callable[[Path], Path], tmp_path: Path) -> None:
        put(tmp_path / "the vale.torn-1.txt")
        campaign.put_raw(save, campaign.raw(save) + b"[[entry]]\nid =")
        Session.open(save).close()
        assert (tmp_path / "the vale.torn-2.txt").read_bytes() == b"[[entry]]\nid ="

    def test_draft_is_not_read(self, save: str, put: Callable[[Path], Path]) -> None:
        there = put(Path(unsent_input.draft_path(save)))
        assert unsent_input.load_draft(save) == ""
        if not there.is_dir() or there.is_symlink():
            unsent_input.save_draft(save, "Rain.")
            assert unsent_input.load_draft(save) == "Rain."


class TestElsewhere:
    def test_settings_are_left_out_with_a_sentence(self, put: Callable[[Path], Path], tmp_path: Path) -> None:
        path = put(tmp_path / "config.toml")
        read = settings.read(str(path))
        assert len(read.problems) == 1
        assert ": it is not a regular file but" in read.problems[0]
        with pytest.raises(settings.NotSavedError, match="not a regular file"):
            settings.save_theme(str(path), "nord")

    def test_content_is_left_out_with_a_sentence(self, put: Callable[[Path], Path], tmp_path: Path) -> None:
        put(tmp_path / "mine.toml")
        problems = load("ironsworn", str(tmp_path), ()).problems
        assert len(problems) == 1
        assert problems[0].startswith("Can't read mine.toml: it is not a regular file but")

    def test_folder_of_content_is_told(self, put: Callable[[Path], Path], tmp_path: Path) -> None:
        there = put(tmp_path / "content")
        problems = load("ironsworn", str(there), ()).problems
        assert len(problems) == (0 if there.is_dir() else 1)


def test_file_that_would_be_waited_for_is_an_error() -> None:
    """Some files in /proc are regular by their kind, and endless."""
    ends = os.pipe()
    for fd in ends:
        os.set_blocking(fd, False)
    with reading(ends[0]) as file, open(ends[1], "wb"):
        reads: tuple[Callable[[], bytes], ...] = (file.read, lambda: file.read(5), file.readline)
        for read in reads:
            with pytest.raises(OSError, match="temporarily unavailable"):
                read()
