"""Closed, full and hostile standard streams: one sentence or an exit code, and never a byte in the save."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.terminal.helpers import started

from tracker.campaign.session import Session

PROGRAM = [sys.executable, "-m", "tracker"]
COMMANDS = [
    ["list"],
    ["show", "{save}"],
    ["log", "{save}"],
    ["check", "{save}"],
    ["oracle", "likely"],
    ["move", "{save}"],
    ["completion", "bash"],
    ["recover", "{save}"],
    ["new", "Other", "--game", "ironsworn"],
    ["{save}", "--plain"],
    ["{save}"],
    [],
    ["--help"],
    ["no such campaign"],
]


def run(save: str, words: list[str], closing: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run tracker with the redirections of `closing`, as a shell does it."""
    argv = [*PROGRAM, *(word.format(save=save) for word in words)]
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closing}', "sh", *argv],
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, "TRACKER_SAVES": os.path.dirname(save)},
        check=False,
    )


class TestClosedStreams:
    @pytest.mark.parametrize(
        ("closing", "commands"),
        [
            (">&-", COMMANDS),
            ("<&-", [["{save}", "--plain"], []]),
            ("2>&-", [["{save}", "--plain"], [], ["no such campaign"]]),
            ("<&- >&- 2>&-", [["list"], ["{save}", "--plain"], []]),
            (">/dev/full", [["list"], ["show", "{save}"], ["{save}", "--plain"], ["--help"]]),
            ("2>/dev/full", [["no such campaign"]]),
        ],
    )
    def test_every_command_ends_without_traceback(self, save: str, closing: str, commands: list[list[str]]) -> None:
        table = Session.open(save)
        saved = campaign.play_saved(table, 2)
        table.close()
        for words in commands:
            ran = run(save, words, closing)
            assert ran.returncode in {0, 1}, (words, ran)
            assert ran.stderr.count("\n") <= 1, (words, ran.stderr)
            assert ran.stderr == "" or ran.stderr.startswith("tracker: "), (words, ran.stderr)
        campaign.assert_whole(save, saved)

    @pytest.mark.parametrize("words", [["oracle", "{save}", "likely"], ["move", "{save}", "new_session"]])
    def test_turn_that_is_saved_says_so_if_its_output_is_lost(self, save: str, words: list[str]) -> None:
        ran = run(save, words, ">/dev/full")
        assert (ran.returncode, ran.stderr) == (
            1,
            "tracker: Saved, but can't write the output: No space left on device.\n",
        )
        assert campaign.contents(save).blocks

    def test_lines_typed_in_plain_mode_are_saved_with_closed_output(self, save: str) -> None:
        ran = run(save, ["{save}", "--plain"], ">&- 2>&-", "say Nobody reads this.\n")
        assert (ran.returncode, ran.stderr) == (0, "")
        found = campaign.contents(save)
        assert [block.entry.get("text") for block in found.blocks][-1] == "Nobody reads this."
        assert (found.bad, found.notes) == ([], [])


class TestScreen:
    @pytest.mark.parametrize("closing", ["2>&-", "2>/dev/null"])
    def test_app_is_drawn_on_the_terminal_when_stderr_is_elsewhere(self, save: str, closing: str) -> None:
        with started(["/bin/sh", "-c", f'exec "$@" {closing}', "sh", *PROGRAM, save]) as program:
            program.wait_for("Kara")
            program.send("ctrl+q")  # not `press`, which waits for a change that the end of the program may overtake
            assert program.wait_end() == 0
        assert campaign.contents(save).bad == []


HOSTILE = "\x1b]0;owned\x07\x1b[31m%(prog)s%d\udcff"


class TestEnvironment:
    @pytest.mark.parametrize("words", [["--help"], ["list"], ["no such"], ["--bogus\x1b"], ["new", "\x1b", "--game=x"]])
    def test_environment_is_printed_without_escape_sequences(self, tmp_path: Path, words: list[str]) -> None:
        folder = f"{tmp_path}/{HOSTILE}"
        env = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": HOSTILE}
        env |= {"XDG_CONFIG_HOME": folder, "HOME": folder, "TRACKER_SAVES": folder}
        ran = subprocess.run([*PROGRAM, *words], capture_output=True, env=env, check=False)
        assert b"\x1b" not in ran.stdout + ran.stderr
        assert b"\x07" not in ran.stdout + ran.stderr
        assert b"Traceback" not in ran.stderr
        assert ran.returncode in {0, 1, 2}
        assert ran.stdout or ran.stderr
