"""The manual page that comes with the program is the one that the parser makes."""

import shutil
import subprocess

import pytest
from tests.make_manual import PAGE, page

from tracker.arguments import COMMANDS


def test_manual_page_is_made_from_the_parser() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.make_manual"


@pytest.mark.parametrize("command", COMMANDS)
def test_manual_page_has_every_command(command: str) -> None:
    assert rf"\fBtracker {command}\fR" in page()


def test_formatter_finds_no_mistake_in_the_manual_page() -> None:
    if not (shutil.which("man") and shutil.which("groff")):
        pytest.skip("man and groff are not installed")
    done = subprocess.run(
        ["man", "--warnings", "--local-file", str(PAGE)],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C.UTF-8", "MANWIDTH": "80", "PATH": "/usr/bin:/bin", "MANPAGER": "cat"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "tracker roll" in done.stdout
