"""The real program, full-screen and in plain lines, killed at any moment: what it showed as saved is there."""

import contextlib
import os
import random
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyte
from tests.faults import campaign
from tests.faults.tally import Tally
from tests.terminal.helpers import PATIENCE, environment, started, tracker, vale
from tests.terminal.pty import _UNKNOWN_OR_COLOUR, Pty

ROWS, COLS = 40, 120
LINES = 20
FRAME = b"\x1b[?2026l"
"""How the program ends what a terminal paints as one."""
SAVED = b"Written. Saved.\n"
LINE = re.compile(r"Line \d+\.")


def frames(raw: bytes) -> Iterator[list[str]]:
    """Yield the rows of the screen after each whole frame."""
    screen = pyte.Screen(COLS, ROWS)
    stream = pyte.ByteStream(screen)
    *whole, _ = raw.split(FRAME)
    for data in whole:
        stream.feed(_UNKNOWN_OR_COLOUR.sub(b"", data))
        yield screen.display


def shown_as_saved(raw: bytes) -> set[str]:
    """Return the lines that stood in the journal in a frame that said saved, while no line was being typed."""
    found: set[str] = set()
    for rows in frames(raw):
        found |= saved_in(rows)
    return found


def saved_in(rows: list[str]) -> set[str]:
    text = "\n".join(rows)
    is_saved = rows[0].rstrip().endswith("   saved") and "q Campaigns" in text
    return set(LINE.findall(text)) if is_saved else set()


def has_frames(program: Pty, count: int) -> bool:
    return program.raw.count(FRAME) >= count


def written(save: Path) -> list[str]:
    """Return the lines that the save holds."""
    campaign.assert_whole(str(save), [])
    return [block.entry.get("text", "") for block in campaign.contents(str(save)).blocks]


def test_full_screen_program_killed_while_keys_stream_in_loses_no_line_it_showed_as_saved(
    tmp_path: Path, many: Callable[[int], int], tally: Tally
) -> None:
    tally("kills", 0)
    save, chance = vale(tmp_path), random.Random(1)
    shown: set[str] = set()
    for n in range(max(1, many(0) // 5)):
        first = n * LINES
        with started(tracker(tmp_path, "vale"), rows=ROWS, cols=COLS) as program:
            program.wait_for("q Campaigns", PATIENCE)
            if n == 0:
                program.send("jLine 1000.\r")
                program.wait_until(lambda: "Line 1000." in saved_in(program.rows()), PATIENCE)
            stop = program.raw.count(FRAME) + chance.randint(0, 60)
            program.send("".join(f"jLine {first + line}.\r" for line in range(LINES)))
            with contextlib.suppress(TimeoutError):  # then all of it is painted
                program.wait_until(partial(has_frames, program, stop), 2.0)
            program.kill(signal.SIGKILL)
            assert program.wait_end(PATIENCE) == -signal.SIGKILL
            shown |= shown_as_saved(program.raw)
        tally("kills", 1)
        assert shown - set(written(save)) == set()
    assert "Line 1000." in shown


def test_plain_program_killed_while_lines_stream_in_loses_no_line_it_said_is_saved(
    tmp_path: Path, many: Callable[[int], int], tally: Tally
) -> None:
    tally("kills", 0)
    save, chance = vale(tmp_path), random.Random(2)
    said: list[str] = []
    for n in range(max(1, many(0) // 5)):
        with subprocess.Popen(
            tracker(tmp_path, "vale", "--plain"),
            env={**os.environ, **environment()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as program:
            assert program.stdin
            assert program.stdout
            lines = [f"Line {n * LINES + line}." for line in range(LINES)]
            program.stdin.write("".join(f"say {line}\n" for line in lines).encode())
            program.stdin.flush()
            heard, stop = 0, chance.randint(1, LINES - 1)
            while heard < stop:
                heard += program.stdout.readline() == SAVED
            program.kill()
            heard += program.stdout.read().count(SAVED)
            said += lines[:heard]
        tally("kills", 1)
        assert set(said) - set(written(save)) == set()
    assert said
