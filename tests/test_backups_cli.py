"""`tracker backups` and `tracker restore`, as a worried player uses them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.app.helpers import KARA, QuickDisk, campaign, in_party
from tests.test_cli import refused, tracker

from tracker.campaign.session import Session
from tracker.cli import main
from tracker.saves import backups


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with the campaign `vale`, which has two backups, of one and of two entries."""
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


@pytest.fixture
def run(saves: Path, capsys: pytest.CaptureFixture[str]) -> object:
    """Function that runs a command in this process and returns its exit code and output."""

    def run(*words: str) -> tuple[int, str]:
        code = main([*words, "--saves", str(saves)])
        return code, "".join(capsys.readouterr())

    return run


def entries(path: Path) -> int:
    session = Session.open(str(path), write=False)
    session.close()
    return session.save.count


class TestBackups:
    def test_lists_them_newest_first_and_the_same_one_once(self, saves: Path, run: object) -> None:
        code, said = run("backups", "vale")  # type: ignore[operator]
        first, second, last = said.splitlines()
        assert code == 0
        assert first.startswith("  1  ")
        assert "2 entries  intact, snapshot, beside the save and in the data folder" in first
        assert second.startswith("  2  ")
        assert "1 entry  intact" in second
        assert last == "To restore one as a new campaign: tracker restore vale 1"

    def test_damaged_backups_are_marked(self, saves: Path, run: object) -> None:
        for path in backups.find(str(saves / "vale.toml"))[0].paths:
            Path(path).write_bytes(b"")
        assert "damaged: its head is damaged" in run("backups", "vale")[1].splitlines()[0]  # type: ignore[operator]

    def test_backups_json_is_for_scripts(self, saves: Path, run: object) -> None:
        told = [json.loads(line) for line in run("backups", "vale", "--json")[1].splitlines()]  # type: ignore[operator]
        assert [(one["number"], one["entries"], one["problem"]) for one in told] == [(1, 2, ""), (2, 1, "")]
        assert all(Path(path).is_file() for one in told for path in one["paths"])

    def test_missing_backups_are_reported_with_the_places(self, tmp_path: Path) -> None:
        said = refused(tracker(tmp_path, "backups", "Nowhere"))
        assert "No backups of “Nowhere” in" in said
        assert list(tmp_path.iterdir()) == []

    def test_beginning_of_a_name_is_enough_even_if_the_file_is_gone(self, saves: Path, run: object) -> None:
        assert run("backups", "VA") == run("backups", "vale")  # type: ignore[operator]
        (saves / "vale.toml").unlink()
        code, said = run("restore", "va", "1")  # type: ignore[operator]
        assert (code, said.splitlines()[1]) == (0, "To play: tracker 'vale restored'")
        shutil.rmtree(saves / ".backups")
        (saves / "vale restored.toml").unlink()
        assert run("backups", "va")[0] == 0, "the data folder has them too"  # type: ignore[operator]

    def test_beginning_of_two_names_is_refused(self, saves: Path, run: object) -> None:
        shutil.copy(saves / "vale.toml", saves / "valley.toml")
        code, said = run("backups", "v")  # type: ignore[operator]
        assert (code, said) == (1, "tracker: “v” could be “vale” or “valley”: type its whole name.\n")

    def test_looking_creates_nothing(self, saves: Path, run: object) -> None:
        before = sorted(saves.parent.rglob("*"))
        run("backups", "vale")  # type: ignore[operator]
        run("restore", "vale")  # type: ignore[operator]
        assert sorted(saves.parent.rglob("*")) == before


class TestRestore:
    def test_restore_without_a_time_lists_backups_and_says_how(self, saves: Path, run: object) -> None:
        code, said = run("restore", "vale")  # type: ignore[operator]
        assert code == 0
        assert "tracker restore vale 1\n" in said
        assert "tracker restore vale 1 --in-place\n" in said
        assert [path.name for path in saves.glob("*.toml")] == ["vale.toml"]

    @pytest.mark.parametrize("when", [("2",), ("today",)])
    def test_restored_campaign_is_named_with_the_command_to_open_it(
        self, when: tuple[str, ...], saves: Path, run: object
    ) -> None:
        code, said = run("restore", "vale", *when)  # type: ignore[operator]
        assert code == 0
        assert said.endswith("To play: tracker 'vale restored'\n")
        assert entries(saves / "vale restored.toml") == (1 if when == ("2",) else 2)
        assert entries(saves / "vale.toml") == 2

    def test_restore_in_place_keeps_the_present_file(self, saves: Path, run: object) -> None:
        present = (saves / "vale.toml").read_bytes()
        code, said = run("restore", "vale", "2", "--in-place")  # type: ignore[operator]
        assert code == 0
        assert entries(saves / "vale.toml") == 1
        kept = said.splitlines()[-1].removeprefix("The replaced version is kept as ").removesuffix(".")
        assert Path(kept).read_bytes() == present

    def test_deleted_campaign_is_restored_with_its_folder(self, saves: Path, run: object) -> None:
        shutil.rmtree(saves)
        assert "in the data folder" in run("backups", "VALE")[1]  # type: ignore[operator]
        assert run("restore", "vale", "1", "--in-place") == (  # type: ignore[operator]
            0,
            f"Restored vale as of {backups.find(str(saves / 'vale.toml'))[0].when:%Y-%m-%d %H:%M}.\n",
        )
        assert entries(saves / "vale.toml") == 2

    def test_unknown_choice_is_refused(self, saves: Path, run: object) -> None:
        code, said = run("restore", "vale", "1999-01-01")  # type: ignore[operator]
        assert code == 1
        assert said.startswith("tracker: There is no backup of 1999-01-01; give a number from the list")

    def test_path_outside_the_folder_is_opened_by_its_path(self, saves: Path, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        done = tracker(tmp_path / "other", "restore", str(saves / "vale.toml"), "1")
        assert done.stdout.endswith(f"To play: tracker '{saves / 'vale restored.toml'}'\n")


def test_damaged_save_names_restore_as_a_way_out(saves: Path) -> None:
    save = saves / "vale.toml"
    save.write_bytes(save.read_bytes().replace(b"entries =", b"entries"))
    assert "`tracker restore vale` restores a backup" in refused(tracker(saves, "show", "vale"))
    assert "There are backups too: tracker backups vale" in tracker(saves, "recover", "vale").stdout


def test_failed_backup_is_reported_in_plain_mode(saves: Path) -> None:
    os.rename(saves / ".backups", saves / "moved")
    (saves / ".backups").write_text("in the way")
    done = subprocess.run(
        [sys.executable, "-m", "tracker", "vale", "--plain", "--saves", str(saves)],
        input="say One more line.\nquit\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.count("Couldn't make a backup in") == 1
    assert done.stdout.endswith("vale is closed; everything is saved.\n")


def test_failed_backup_is_reported_by_a_command_that_changes(saves: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.rename(saves / ".backups", saves / "moved")
    (saves / ".backups").write_text("in the way")
    assert main(["say", "vale", "One more line.", "--saves", str(saves)]) == 0
    assert capsys.readouterr().err.count("Couldn't make a backup in") == 1


def test_unfinished_end_is_reported_by_a_command_that_changes(saves: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (saves / "vale.toml").open("ab") as file:
        file.write(b'\n[[entry]]\nid = "half')
    assert main(["say", "vale", "One more line.", "--saves", str(saves)]) == 0
    assert "vale.torn-1.txt" in capsys.readouterr().err
    assert main(["say", "vale", "Another line.", "--saves", str(saves)]) == 0
    assert capsys.readouterr().err == ""
