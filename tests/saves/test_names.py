"""Campaigns whose names look like files of another campaign, and numbers that outgrow their zeros."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.app.helpers import QuickDisk, campaign

from tracker.campaign import unsent_input
from tracker.saves import compaction, saves_folder
from tracker.saves.errors import SaveError


def belongings(folder: Path, name: str) -> dict[str, str]:
    """Make a campaign with all that can be beside it, and return what each file says."""
    save = campaign(folder, name=name)
    unsent_input.save_draft(str(save), f"a line of {name}")
    unsent_input.save_draft(str(save), f"an edit of {name}", "k3f9.17")
    unsent_input.save_draft(str(save), f"typed in {name}", "typed")
    (folder / ".backups").mkdir(exist_ok=True)
    (folder / ".backups" / f"{name}.000001.toml").write_text(f"a backup of {name}")
    (folder / ".backups" / f"{name}.kept-1.toml").write_text(f"kept of {name}")
    (folder / f"{name}.torn-1.txt").write_text(f"truncated in {name}")
    return {file: text for file, text in read(folder).items() if text.endswith(f" {name}")}


def read(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): file.read_text()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.endswith(".lock")
    }


@pytest.mark.parametrize(
    "other", ["a.toml.b", "a.000001", "a.torn-1", "a.kept-1", "a.draft", "a.toml.k3f9.17", "a.b", "aa", "A.toml.x"]
)
def test_renaming_leaves_a_campaign_with_a_similar_name_alone(tmp_path: Path, other: str) -> None:
    theirs = belongings(tmp_path, other)
    ours = belongings(tmp_path, "a")
    assert len(ours) == len(theirs) == 6
    saves_folder.rename(str(tmp_path / "a.toml"), "first", QuickDisk())
    found = read(tmp_path)
    assert {name: found.get(name) for name in theirs} == theirs
    assert sorted(text for name, text in found.items() if "first" in name and text.endswith(" a")) == sorted(
        ours.values()
    )
    saves_folder.rename(str(tmp_path / f"{other}.toml"), "second", QuickDisk())
    found = read(tmp_path)
    assert {text for name, text in found.items() if "second" in name} >= set(theirs.values())


class TestBackupNumbers:
    def test_backups_are_in_order_past_999999(self, tmp_path: Path) -> None:
        folder = tmp_path / ".backups"
        folder.mkdir()
        for number in ("999998", "999999", "1000000", "1000001", "000003"):
            (folder / f"vale.{number}.toml").touch()
        names = [os.path.basename(path) for path in compaction.backups(str(tmp_path / "vale.toml"))]
        assert names == [f"vale.{number}.toml" for number in ("000003", "999998", "999999", "1000000", "1000001")]

    def test_next_backup_is_the_newest_past_999999(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, name="vale")
        (tmp_path / ".backups").mkdir(exist_ok=True)
        for number in ("999999", "1000000"):
            (tmp_path / ".backups" / f"vale.{number}.toml").touch()
        kept = compaction._keep_backup(str(save), QuickDisk())
        assert os.path.basename(kept) == "vale.1000001.toml"
        assert compaction.backups(str(save))[-1] == kept


class TestTakenName:
    def test_link_to_the_campaign_itself_is_not_replaced(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, name="a")
        (tmp_path / "b.toml").symlink_to("a.toml")
        with pytest.raises(SaveError, match="already exists"):
            saves_folder.rename(str(save), "b", QuickDisk())
        assert save.is_file()
        assert (tmp_path / "b.toml").is_symlink()

    def test_second_name_of_the_campaign_is_not_replaced(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, name="a")
        (tmp_path / "b.toml").hardlink_to(save)
        with pytest.raises(SaveError, match="already exists"):
            saves_folder.rename(str(save), "b", QuickDisk())
        assert save.is_file()

    def test_link_in_the_place_of_the_archives_backups_is_not_followed(self, tmp_path: Path) -> None:
        belongings(tmp_path, "a")
        (tmp_path / "archive").mkdir()
        (tmp_path / "far").mkdir()
        (tmp_path / "archive" / ".backups").symlink_to(tmp_path / "far")
        before = read(tmp_path)
        with pytest.raises(SaveError, match=r"\.backups is not a folder but a link: delete it"):
            saves_folder.archive(str(tmp_path / "a.toml"), QuickDisk())
        assert read(tmp_path) == before
