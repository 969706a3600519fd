"""Completion: the words that can be typed, and real shells that complete them at a Tab."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.make_example import example
from tests.terminal.pty import Pty

from tracker.arguments import COMMANDS, parser_of
from tracker.commands.completion import SCRIPTS, candidates

NAMES = ("Mill", "The Long Way", "Kara's tale")


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with three campaigns; the names of two of them have to be quoted in a shell."""
    for name in NAMES:
        (tmp_path / f"{name}.toml").write_bytes(example("ironsworn").read_bytes())
    monkeypatch.setenv("TRACKER_SAVES", str(tmp_path))
    return tmp_path


def completed(*line: str) -> list[str]:
    return [word for word, _ in candidates([*line])]


@pytest.mark.usefixtures("saves")
class TestCandidates:
    def test_first_word_is_a_command_or_a_campaign(self) -> None:
        assert completed("") == [*COMMANDS, *sorted(NAMES)]
        assert completed("m") == ["merge", "move", "Mill"]
        assert completed("--v") == ["--version"]

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_long_option_of_a_command_is_offered(self, command: str) -> None:
        shown = parser_of(command).format_help()
        offered = completed(command, "--")
        assert {"--saves", "--help"} <= {*offered}
        assert all(option in shown for option in offered)

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            (("show", "the l"), ["The Long Way"]),
            (("show", "Mill", "--format", ""), []),
            (("show", "Mill", "--as", "t"), ["Tayla"]),
            (("--saves", "/nowhere", "show", ""), []),
            (("move", "The Long Way", "face_d"), ["face_danger", "face_death", "face_desolation"]),
            (("move", "Mill", "du"), ["due"]),
            (("move", "nowhere", ""), []),
            (("move", "Mill", "face_danger", "--with", ""), ["edge", "heart", "iron", "shadow", "wits"]),
            (
                ("move", "Mill", "face_danger", "--with", "edge", "--dice", "4,2,9", "--choose", "s"),
                ["stress", "supply"],
            ),
            (("move", "Mill", "face_danger", "--with", "edge", "--choose", ""), []),
            (("move", "Mill", "face_danger", "--with", "luck", "--choose", ""), []),
            (("roll", "mi", "e"), ["edge"]),
            (("oracle", "Mill", "wea"), ["Weather"]),
            (("oracle", "weat"), ["Weather"]),
            (("log", "Mill", "--kind", "o"), ["oracle"]),
            (("log", "Mill", "--session", ""), ["last", "1", "2"]),
            (("log", "Mill", "--json", "--js"), []),
            (("log", "Mill", "--kind", "story", "--ki"), ["--kind"]),
            (("new", "Vale", "--game", "w"), ["wherever"]),
            (("new", ""), []),
            (("show", "Mill", ""), []),
            (("packs", "r"), ["remove"]),
            (("completion", "f"), ["fish"]),
        ],
    )
    def test_words_of_an_argument_are_offered(self, line: tuple[str, ...], expected: list[str]) -> None:
        assert completed(*line) == expected


def tracker_on_path(folder: Path) -> dict[str, str]:
    """Return the environment of a shell that finds this program as `tracker`."""
    program = folder / "bin" / "tracker"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracker "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(folder), "PS1": "ready> "}


def needs(shell: str) -> str:
    if found := shutil.which(shell):
        return found
    pytest.skip(f"{shell} is not installed")


class TestShells:
    def test_bash_completes_names_with_spaces_and_moves(self, saves: Path) -> None:
        env = {**tracker_on_path(saves), "INPUTRC": "/dev/null"}
        with Pty([needs("bash"), "--norc", "--noprofile", "-i"], env=env) as shell:
            shell.wait_for("ready>")
            shell.send('eval "$(tracker completion bash)"; echo lo""aded\r')
            shell.wait_for("loaded")
            shell.send("tracker show The\t")
            shell.wait_for("tracker show The\\ Long\\ Way")
            shell.send('\x15tracker show "The\t')
            shell.wait_for('tracker show "The Long Way"')
            shell.send("\x15tracker show Ka\t")
            shell.wait_for("tracker show Kara\\'s\\ tale")
            shell.send("\x15tracker move The\\ Long\\ Way face_dan\t")
            shell.wait_for("Way face_danger")

    def test_zsh_completes_names_with_spaces_and_moves(self, saves: Path) -> None:
        env = {**tracker_on_path(saves), "PROMPT": "ready> "}
        with Pty([needs("zsh"), "-f", "-i"], env=env) as shell:
            shell.wait_for("ready>")
            shell.send('autoload -Uz compinit; compinit -D; eval "$(tracker completion zsh)"; echo lo""aded\r')
            shell.wait_for("loaded")
            shell.send("tracker show The\t")
            shell.wait_for("tracker show The\\ Long\\ Way")
            shell.send("\x15tracker show Ka\t")
            shell.wait_for("tracker show Kara\\'s\\ tale")
            shell.send("\x15tracker move The\\ Long\\ Way face_dan\t")
            shell.wait_for("Way face_danger")

    def test_fish_completes_names_with_spaces_and_moves(self, saves: Path) -> None:
        asked = ("show The", "move The\\ Long\\ Way face_dan", "show --for", "ora")
        lines = "; ".join(f'complete -C "tracker {line}"' for line in asked)
        done = subprocess.run(
            [needs("fish"), "--no-config", "-c", f"tracker completion fish | source; {lines}"],
            capture_output=True,
            text=True,
            check=True,
            env=tracker_on_path(saves),
        )
        assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == [
            "The Long Way",
            "face_danger",
            "--format",
            "oracle",
        ]

    @pytest.mark.parametrize("shell", SCRIPTS)
    def test_shell_finds_no_mistake_in_its_script(self, shell: str) -> None:
        done = subprocess.run([needs(shell), "-n"], input=SCRIPTS[shell], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
