"""Commands that read create, change and remove nothing, wherever they are pointed."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

import pytest
from tests.faults import campaign

from tracker.cli import main

NAMED = [["show"], ["show", "--json"], ["log"], ["log", "--json"], ["check"]]


def tree(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return everything in this folder, with the facts that a change would show in."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (status.st_mode, status.st_ino, status.st_mtime_ns, status.st_nlink, content)
    return found


def run(*words: str) -> int:
    try:
        return main([*words])
    except SystemExit as error:
        return int(error.code or 0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, in which the platform's folders would be."""
    path = tmp_path / "home"
    path.mkdir()
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(path))
    return path


@pytest.mark.parametrize("command", [*NAMED, ["list"]], ids=" ".join)
def test_reading_command_leaves_the_folder_as_it_was(save: str, tmp_path: Path, home: Path, command: list[str]) -> None:
    for left in (".the vale.toml.lock", ".backups"):
        with contextlib.suppress(NotADirectoryError):
            shutil.rmtree(tmp_path / left)
        (tmp_path / left).unlink(missing_ok=True)
    (tmp_path / "torn.toml").write_bytes(campaign.raw(save) + b"[[entry]]\nid =")
    (tmp_path / ".the vale.toml.1.new").write_text("left by a killed program")
    before = tree(tmp_path)
    for name in ("the vale", "torn"):
        run(*command, *([] if command == ["list"] else [name]), "--saves", str(tmp_path))
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", [*NAMED, ["recover"], ["list"]], ids=" ".join)
def test_reading_command_creates_no_saves_folder(
    tmp_path: Path, home: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "none" / "saves"
    code = run(*command, *([] if command == ["list"] else ["vale"]), "--saves", str(folder))
    assert list(tmp_path.rglob("*")) == [home]
    said = capsys.readouterr()
    assert (code, said.out) == (1, "")
    assert f"There is no folder {folder}" in said.err


def test_list_names_a_saves_folder_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "saves").write_text("mine")
    assert run("list", "--saves", str(tmp_path / "saves")) == 1
    assert f"Can't use the saves folder {tmp_path}/saves: Not a directory." in capsys.readouterr().err


def test_new_creates_the_saves_folder(tmp_path: Path, home: Path) -> None:
    assert run("new", "vale", "--game", "ironsworn", "--saves", str(tmp_path / "none" / "saves")) == 0
    assert os.listdir(tmp_path / "none" / "saves") == ["vale.toml"]
