"""An evening with a pack in a real terminal: killed, without the pack from then on, and the same campaign after all."""

from __future__ import annotations

import copy
import signal
import sys
from pathlib import Path

import pytest
from tests.content.small_packs import data, fen
from tests.terminal.helpers import PATIENCE, entries_of, started, state_of, tracker
from tests.terminal.pty import Pty

MORE = {"heron": "Heron Dancer", "reeve": "Dike Reeve"}


def pack() -> bytes:
    """Return the small pack with two more assets."""
    made = fen()
    otter = made["assets"]["companion"]["contents"]["otter"]
    paths = {key: copy.deepcopy(otter) for key in MORE}
    for key, name in MORE.items():
        del paths[key]["options"], paths[key]["controls"]
        paths[key] |= {"_id": f"asset:fen/path/{key}", "name": name, "category": "Path"}
        paths[key]["abilities"] = [{"text": f"{name} acts.", "enabled": True}]
    made["assets"]["path"] = {"name": "Paths", "contents": paths}
    return data(made)


def typed(program: Pty, *steps: tuple[str, str]) -> None:
    """Type the keys of each step, and wait until the screen shows its text."""
    for keys, shown in steps:
        program.press(keys, until=shown)


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TRACKER_SAVES", str(tmp_path / "saves"))
    (tmp_path / "fen.json").write_bytes(pack())
    return tmp_path / "saves"


def told(*words: str) -> str:
    """Run a command in a terminal and return what it shows."""
    with started([sys.executable, "-m", "tracker", *words]) as program:
        assert program.wait_end(PATIENCE) == 0
        return program.text()


def test_killed_evening_with_a_pack_is_the_same_without_the_pack(saves: Path) -> None:
    assert "Added fen: The Fen" in told("packs", "add", str(saves.parent / "fen.json"))
    assert "Created vale" in told("new", "vale", "--game", "ironsworn", "--packs", "fen")
    with started(tracker(saves, "vale"), rows=24, cols=80) as program:
        program.wait_for("New character", PATIENCE)
        typed(
            program,
            ("c", "What is your character's name?"),
            ("Kara\r", "gets the 3"),
            ("\r", "Which two get a 2"),
            ("hw\r", "Choose up to 3 assets"),
            ("otter", "/ otter"),
            ("1", "marked: Otter"),
            ("heron", "/ heron"),
            ("1", "Otter, Heron Dancer"),
            ("reeve", "/ reeve"),
            ("1", "3 of 3 chosen"),
            ("\r", "What's the Otter's name?"),
            ("Lontra\r", "linked stat"),
            ("\r", "a deadly weapon"),
            ("\r", "Background bond"),
            ("\r", "Background vow"),
            ("\r", "Changes"),
            ("\r", "No vow yet"),
            ("d", "Real dice"),
            ("m", "Type to filter"),
            ("swear\r", "What do you swear to do?"),
            ("Drain the fen\r", "How hard will it be?"),
            ("\r", "your dice, with spaces"),
            ("6 1 2\r", "momentum 2 → 4"),
            ("\r", "momentum                 +4"),
            ("m", "Type to filter"),
            ("enter the\r", "Who are you fighting?"),
            ("2", "Roll with:"),
            ("h", "your dice, with spaces"),
            ("6 1 2\r", "momentum 4 → 6"),
            ("\r", "momentum                 +6"),
            ("o", "Type to filter"),
            ("depth", "/ depth"),
            ("\r", "your dice: Depth"),
            ("3\r", "Depth: Knee"),
            ("\r", "q Campaigns"),
        )
        program.wait_for("saved", PATIENCE)
        program.kill(signal.SIGKILL)
        assert program.wait_end() == -signal.SIGKILL
    save = saves / "vale.toml"
    before, entries = state_of(save), entries_of(save)
    assert [one["name"] for one in before["party"]["kara"]["assets"].values()] == ["Otter", *MORE.values()]
    assert [(one["name"], one["kind"]) for one in before["tracks"].values()] == [
        ("Drain the fen", "vow"),
        ("Bog Eel", "fight"),
    ]
    assert "Knee" in str(entries[-1]["facts"])
    assert "Removed fen" in told("packs", "remove", "fen")
    with started(tracker(saves, "vale"), rows=24, cols=80) as program:
        program.wait_for("“The Fen” isn't installed", PATIENCE)
        program.send("ctrl+q")
        assert program.wait_end() == 0
    assert state_of(save) == before
    assert entries_of(save) == entries
