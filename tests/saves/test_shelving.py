"""Campaigns are renamed, copied, archived and brought back whole; nothing is ever lost or written over."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.helpers import KARA, QuickDisk, campaign, in_party

from tracker.campaign.session import Session
from tracker.saves import saves_folder
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError
from tracker.saves.lock import Lock, held


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """A campaign with every file that can be beside one."""
    path = campaign(tmp_path, *in_party(KARA))
    (tmp_path / ".vale.toml.draft").write_text("a line begun")
    (tmp_path / ".vale.toml.k3f9.17.draft").write_text("an edit begun")
    (tmp_path / ".backups").mkdir(exist_ok=True)
    (tmp_path / ".backups" / "vale.000007.toml").write_text("an old one")
    (tmp_path / ".backups" / "valerie.000001.toml").write_text("somebody else's")
    (tmp_path / "vale.torn-1.txt").write_text("half a write")
    return path


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_renaming_takes_along_what_belongs_to_it(vale: Path) -> None:
    save = vale.read_bytes()
    new = saves_folder.rename(str(vale), "The Drowned Mill", QuickDisk())
    assert Path(new).read_bytes() == save
    assert files(vale.parent) >= {
        "The Drowned Mill.toml",
        ".The Drowned Mill.toml.draft",
        ".The Drowned Mill.toml.k3f9.17.draft",
        ".backups/The Drowned Mill.000007.toml",
        "The Drowned Mill.torn-1.txt",
        ".backups/valerie.000001.toml",
    }
    assert not any(name.startswith(("vale.", ".vale.", ".backups/vale.")) for name in files(vale.parent))


def test_looking_at_a_lock_keeps_nobody_out(tmp_path: Path) -> None:
    path = str(tmp_path / ".vale.toml.lock")
    Lock(path).release()
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            held(path)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(300):
            Lock(path).release()
    finally:
        done.set()
        looking.join()


def test_archived_campaign_comes_back(vale: Path) -> None:
    saves_folder.rename(str(vale), "other", QuickDisk())  # whatever lock file there was is gone with it
    before = files(vale.parent)
    there = saves_folder.archive(str(vale.parent / "other.toml"), QuickDisk())
    assert Path(there) == vale.parent / "archive" / "other.toml"
    assert [one.name for one in saves_folder.archived(str(vale.parent))] == ["other"]
    assert not (vale.parent / "other.toml").exists()
    saves_folder.bring_back(there, QuickDisk())
    assert files(vale.parent) == before


def test_archive_keeps_two_of_one_name(tmp_path: Path) -> None:
    for _ in range(2):
        saves_folder.archive(str(campaign(tmp_path, *in_party(KARA))), QuickDisk())
    assert sorted(one.name for one in saves_folder.archived(str(tmp_path))) == ["vale", "vale 2"]


def test_copy_leaves_the_first_as_it_is(vale: Path) -> None:
    before = files(vale.parent)
    saves_folder.duplicate(str(vale), "again", QuickDisk())
    assert files(vale.parent) == before | {"again.toml"}
    assert (vale.parent / "again.toml").read_bytes() == vale.read_bytes()


@pytest.mark.parametrize("act", [saves_folder.rename, saves_folder.duplicate])
@pytest.mark.parametrize(
    ("name", "why"),
    [("taken", "already exists"), ("a/b", "be a file name"), ("", "needs a name"), ("list", "command")],
)
def test_impossible_name_is_refused_and_nothing_moves(vale: Path, act: object, name: str, why: str) -> None:
    campaign(vale.parent, name="taken")
    before = {name: (vale.parent / name).read_bytes() for name in files(vale.parent) if not name.endswith(".lock")}
    with pytest.raises(SaveError, match=why):
        act(str(vale), name, QuickDisk())  # type: ignore[operator]
    after = {name: (vale.parent / name).read_bytes() for name in files(vale.parent) if not name.endswith(".lock")}
    assert after == before


def test_campaign_open_in_another_tracker_stays_where_it_is(vale: Path) -> None:
    session = Session.open(str(vale))
    try:
        assert held(str(vale.parent / ".vale.toml.lock"))
        acts: list[Callable[[], object]] = [
            lambda: saves_folder.rename(str(vale), "other"),
            lambda: saves_folder.archive(str(vale)),
        ]
        for act in acts:
            with pytest.raises(SaveError, match="another tracker has it open"):
                act()
        session.write("still here", "kara")
        assert session.settle().word == "saved"
    finally:
        session.close()
    assert not held(str(vale.parent / ".vale.toml.lock"))


def test_missing_campaign_is_reported(tmp_path: Path) -> None:
    for act in (saves_folder.rename, saves_folder.duplicate):
        with pytest.raises(SaveError, match="is gone"):
            act(str(tmp_path / "gone.toml"), "other", QuickDisk())


class FullDisk(QuickDisk):
    """A disk that takes no more bytes, and no more names in a folder of backups."""

    def write(self, fd: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    def second_name(self, source: str, target: str) -> bool:
        if ".backups" in target:
            raise OSError(28, "No space left on device")
        return Disk.second_name(self, source, target)


def test_full_disk_leaves_everything_as_it_was(vale: Path) -> None:
    before = files(vale.parent)
    with pytest.raises(SaveError, match="can't be copied: No space left"):
        saves_folder.duplicate(str(vale), "other", FullDisk())
    with pytest.raises(SaveError, match="can't be moved: No space left"):
        saves_folder.rename(str(vale), "other", FullDisk())
    assert files(vale.parent) - {".vale.toml.lock"} == before - {".vale.toml.lock"}


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_unwritable_folder_is_reported(vale: Path) -> None:
    vale.parent.chmod(0o500)
    try:
        with pytest.raises(SaveError, match="Permission denied"):
            saves_folder.rename(str(vale), "other")
    finally:
        vale.parent.chmod(0o700)
