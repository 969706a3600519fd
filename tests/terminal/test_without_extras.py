"""The program as it is installed without extras: the packages for playing together are missing."""

import sys
from pathlib import Path

import pytest
from tests.terminal.helpers import PATIENCE, environment, vale
from tests.terminal.pty import Pty

WITHOUT = """
import sys
for name in ("cryptography", "websockets", "textual_serve", "aiohttp", "nats", "iroh"):
    sys.modules[name] = None  # makes an import of it fail
from tracker.cli import main
sys.exit(main())
"""


@pytest.fixture
def program(tmp_path: Path) -> Pty:
    """The table of a campaign."""
    path = vale(tmp_path)
    command = [sys.executable, "-c", WITHOUT, "--saves", str(tmp_path), path.stem]
    return Pty(command, env=environment(), colours=False, rows=24, cols=80)


def assert_it_ends_well(program: Pty) -> None:
    program.send("ctrl+q")
    assert program.wait_end(PATIENCE) == 0, program.text()
    assert b"Hit a bug" not in program.raw


def test_quit_from_the_table(program: Pty) -> None:
    with program:
        program.wait_for("q Campaigns")
        assert_it_ends_well(program)


def test_keys_of_playing_together_say_what_is_missing(program: Pty) -> None:
    with program:
        program.wait_for("q Campaigns")
        program.press("h", until="needs more packages")
        program.press("P", until="needs more packages")
        program.press("q", until="^q Quit")
        program.press("h", until="needs more packages")
        program.press("j", until="needs more packages")
        program.press("m", until="Merge")
        program.send("escape")
        assert_it_ends_well(program)
