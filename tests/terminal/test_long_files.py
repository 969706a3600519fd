"""The real program in a real terminal, with files in its folder that no list should read to their end."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.app.helpers import campaign
from tests.bench.readers import HEAD, MB, marked
from tests.terminal.helpers import PATIENCE, last_words, started, tracker

HANGS = Path(__file__).parent / "hangs.py"


@pytest.mark.parametrize(
    ("start", "told"),
    [(b"", "x.toml, line 1: Invalid statement"), (marked(HEAD), "1023 MB to read first")],
    ids=["zeros", "campaign"],
)
def test_huge_file_under_the_cursor_never_keeps_the_program_from_ending(
    tmp_path: Path, start: bytes, told: str
) -> None:
    campaign(tmp_path)
    os.utime(tmp_path / "vale.toml", (0, 0))
    with (tmp_path / "x.toml").open("wb") as file:
        file.write(start)
        file.truncate(1024 * MB)
    with started(tracker(tmp_path)) as program:
        program.wait_for(told, PATIENCE)
        assert program.rss_mb() < 200
        program.send("\x11")
        assert program.wait_end(PATIENCE) == 0
        assert last_words(program) == ""


def test_endless_look_at_a_campaign_never_keeps_the_program_from_ending(tmp_path: Path) -> None:
    campaign(tmp_path)
    with started([sys.executable, str(HANGS), *tracker(tmp_path)[3:]]) as program:
        program.wait_for("vale", PATIENCE)
        program.send("\x11")
        assert program.wait_end(PATIENCE) == 0
        assert last_words(program) == ""
