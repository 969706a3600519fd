"""Two programs in plain mode that play one campaign: what is printed, and what their words do."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests import program

from tracker.campaign.session import Session, new_campaign
from tracker.games.common import seats
from tracker.games.ironsworn import GAME

PATIENCE = 60.0
PROMPT = "What now?"
KARA = {"id": "kara", "name": "Kara", "edge": 3, "heart": 2, "iron": 2, "shadow": 1, "wits": 1}


class Talk:
    """A program in plain mode, its printed lines, and a way to type."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._program = program
        self._lines: queue.Queue[str] = queue.Queue()
        self.heard: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._program.stdout or ():
            self._lines.put(line.rstrip("\n"))

    def hear(self, text: str) -> str:
        """Wait for a printed line with this text, and return it."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            self.heard.append(line)
            if text in line:
                return line

    def hear_later(self, text: str) -> str:
        """Press Enter, which prints what others did, until a printed line has this text; return the line."""
        while True:
            self.type("")
            while PROMPT not in (line := self.hear("")):
                if text in line:
                    return line

    def type(self, line: str) -> None:
        assert self._program.stdin
        self._program.stdin.write(f"{line}\n")
        self._program.stdin.flush()

    def end(self) -> int:
        self.type("quit")
        return self._program.wait(PATIENCE)


@contextmanager
def talking(home: Path, *words: str) -> Iterator[Talk]:
    (home / "saves").mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "XDG_DATA_HOME": str(home / "data"), "TRACKER_SAVES": str(home / "saves")}
    command = [sys.executable, "-m", "tracker", *words, "--plain"]
    with subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        try:
            yield Talk(program)
        finally:
            program.kill()


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    (tmp_path / "ana" / "saves").mkdir(parents=True)
    path = tmp_path / "ana" / "saves" / "vale.toml"
    new_campaign(str(path), GAME)
    session = Session.open(str(path))
    session.do("edit", [{"at": "party", "add": KARA}])
    session.close()
    return path


def test_two_play_in_lines_and_each_hears_what_the_other_does(tmp_path: Path, vale: Path) -> None:
    with talking(tmp_path / "ana", "host", "vale", "--as", "Ana") as ana:
        code = re.findall(r"127\S+", ana.hear("Friends join with: tracker join"))[0]
        ana.hear(PROMPT)
        with talking(tmp_path / "bob", "join", code, "--as", "Bob") as bob:
            ana.hear("Type yes or no.")
            ana.type("yes")
            ana.hear("Bob comes in.")
            bob.hear("You have no character yet.")
            bob.hear("The party: Kara")
            bob.hear(PROMPT)
            bob.type("people")
            assert ".m.." not in bob.hear("Ana: GM, hosts, plays Kara, here since")
            bob.type("say The bridge is out.")
            bob.hear("Written. Saved.")
            bob.hear(PROMPT)
            bob.type("undo")
            bob.hear("Undone: The bridge is out.")
            ana.hear_later("Bob: The bridge is out.")
            ana.hear_later("Bob undid: The bridge is out.")
            bob.type("as kara")
            bob.type("face danger")
            bob.hear("Ana plays Kara; ask at the table, or play your own.")
            assert ana.end() == 0
            bob.hear("What now?")
            bob.type("")
            bob.hear("The host has left; you play on alone.")
            bob.type("host")
            bob.hear("Friends join with: tracker join 127.0.0.1")
            assert bob.end() == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("join", "nonsense"), "That isn't a code to join with"),
        (("join", "127.0.0.1:9/abcd-efgh-jkmn-pqrs"), "Can't reach 127.0.0.1:9: no host is there."),
        (("host", "vale", "--bind", "192.0.2.7"), "This machine doesn't have the address 192.0.2.7"),
        (("host", "vale", "--port", "99999"), "There is no port 99999"),
        (("host", "vale", "--lan", "--bind", "127.0.0.1"), "Give one of --lan, --bind"),
        (("host", "vale", "--as", "x" * 41), "Your name has 41 characters; the limit is 40."),
    ],
)
def test_what_cannot_be_is_one_sentence(tmp_path: Path, vale: Path, words: tuple[str, ...], why: str) -> None:
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "TRACKER_SAVES": str(vale.parent)}
    command = [sys.executable, "-m", "tracker", *words, "--plain"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, input="")
    assert done.returncode in {1, 2}
    assert done.stdout == ""
    assert done.stderr.startswith(f"tracker: {why}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_without_the_packages_the_command_says_how_to_install_them(tmp_path: Path, vale: Path) -> None:
    hide = "import sys; sys.modules['websockets'] = None; from tracker.cli import main; sys.exit(main(sys.argv[1:]))"
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "TRACKER_SAVES": str(vale.parent)}
    command = [sys.executable, "-c", hide, "host", "vale", "--plain"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, input="")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"tracker: Playing together needs more packages: {sys.executable} -m pip install websockets\n"


def test_undo_in_the_shell_leaves_what_a_friend_did(
    vale: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    session = Session.open(str(vale))
    session.by = "bob"
    session.do("seat", seats.add("bob", "Bob"))
    session.write("Bob was here.")
    session.close()
    done = program.run(["--saves", str(vale.parent), "undo", "vale"])
    assert done.returncode == 1
    assert done.stderr.decode() == "tracker: Bob did this: Bob was here. Undo it at the table, which asks first.\n"
