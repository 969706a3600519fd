"""The real program in a real terminal: whatever ends it, what the screen called saved is there."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pyte
import pytest
from tests.app.helpers import campaign
from tests.terminal.helpers import (
    PATIENCE,
    at_the_table,
    entries_of,
    environment,
    is_usable,
    last_words,
    started,
    state_of,
    tracker,
    vale,
)
from tests.terminal.pty import Pty

BREAKS = Path(__file__).parent / "breaks.py"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    """A campaign with Kara, Tayla and a vow."""
    return vale(tmp_path)


def is_saved(program: Pty) -> None:
    """Wait for the sign in the corner."""
    program.wait_until(lambda: program.row(0).endswith("   saved"), PATIENCE)


def fills(program: Pty, cols: int) -> bool:
    """Return whether the top row reaches to the edge of a window of this width."""
    return len(program.row(0)) == cols - 1


def press(program: Pty, key: str, until: str) -> None:
    program.press(key, until=until, timeout=PATIENCE)


def play_a_while(program: Pty) -> None:
    """Roll, write a line, raise a number, raise another and undo that; wait until all of it is saved."""
    press(program, "r", "Roll with")
    press(program, "e", "No changes")
    press(program, "enter", "q Campaigns")
    press(program, "j", "what happens? Enter saves")
    program.send("The ford is cold.")
    press(program, "enter", "q Campaigns")
    press(program, "+", "edge 3 → 4")
    press(program, "+", "edge 4 → 5")
    press(program, "u", "Undone for Kara: edge 4 → 5")
    is_saved(program)


def what_was_played(path: Path) -> list[str]:
    return [entry["did"] for entry in entries_of(path)]


PLAYED = ["edit", "roll/action", "roll/action", "journal", "change", "change", "undo"]


class TestKilled:
    def test_restart_after_sigkill_shows_everything(self, save: Path) -> None:
        with at_the_table(save.parent) as program:
            play_a_while(program)
            rolled = next(row for row in program.text().splitlines() if "Action roll" in row)[-30:]
            program.kill(signal.SIGKILL)
            assert program.wait_end() == -signal.SIGKILL
        assert what_was_played(save) == PLAYED
        assert state_of(save)["party"]["kara"]["edge"] == 4
        with at_the_table(save.parent) as program:
            assert "The ford is cold." in program.text()
            assert "►  4   ▎  2   ▎  2" in program.text()
            assert rolled in program.text()
            press(program, "u", "Undone for Kara: edge 3 → 4")
            press(program, "ctrl+r", "Redone")

    def test_sigkill_keeps_a_line_being_written(self, save: Path) -> None:
        draft = save.parent / ".vale.toml.draft"
        with at_the_table(save.parent) as program:
            press(program, "j", "what happens? Enter saves")
            program.send("The ford is")
            program.wait_until(lambda: draft.exists() and draft.read_text() == "The ford is", PATIENCE)
            program.kill(signal.SIGKILL)
            program.wait_end()
        with at_the_table(save.parent) as program:
            press(program, "j", "The ford is")

    @pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
    def test_sigterm_keeps_everything(self, save: Path, sig: signal.Signals) -> None:
        with at_the_table(save.parent) as program:
            play_a_while(program)
            program.kill(sig)
            assert program.wait_end(PATIENCE) == 128 + sig
            assert is_usable(program)
            assert last_words(program) == ""
        assert what_was_played(save) == PLAYED

    @pytest.mark.parametrize("told", ["by a signal", "by nothing but the end of its input"])
    def test_closed_terminal_keeps_everything(self, save: Path, told: str) -> None:
        """Only the session leader gets a signal when its terminal is gone; others must not read on for ever."""
        ours, theirs = os.openpty()
        take = ["/bin/sh", "-c", 'exec "$@" <>"$0"', os.ttyname(theirs)] if told == "by a signal" else []
        program = subprocess.Popen(
            [*take, *tracker(save.parent, "vale")],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **environment(), "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"},
            start_new_session=True,
        )
        os.close(theirs)
        try:
            screen = pyte.Screen(120, 40)
            read_until(ours, screen, "q Campaigns")
            os.write(ours, b"+")
            read_until(ours, screen, "edge 3 → 4", "   saved")
            os.write(ours, b"jThe ford is")
            read_until(ours, screen, "The ford is")
            os.close(ours)
            assert program.wait(PATIENCE) == 128 + signal.SIGHUP
        finally:
            program.kill()
            program.wait()
        assert state_of(save)["party"]["kara"]["edge"] == 4
        assert (save.parent / ".vale.toml.draft").read_text() == "The ford is"

    @pytest.mark.parametrize("where", ["key", "frame", "input"])
    def test_bug_keeps_everything(self, save: Path, where: str) -> None:
        argv = [sys.executable, str(BREAKS), where, *tracker(save.parent, "vale")[3:]]
        with at_the_table(save.parent, argv=argv) as program:
            play_a_while(program)
            program.send("t")
            assert program.wait_end(PATIENCE) == 1
            assert is_usable(program)
            words = last_words(program)
            assert words.startswith("tracker: Hit a bug and stopped; saved work is safe.")
            assert "\n" not in words
            assert b"Traceback" not in program.raw
            assert b"put in by a test" not in program.raw
        assert what_was_played(save) == PLAYED
        assert "put in by a test" in (save.parent / ".last-fault.txt").read_text()


def read_until(fd: int, screen: pyte.Screen, *wanted: str) -> None:
    """Read in this thread: one that waits in `read` would keep the terminal open."""
    stream = pyte.ByteStream(screen)
    while not all(any(text in row for row in screen.display) for text in wanted):
        assert select.select([fd], [], [], PATIENCE)[0], screen.display
        stream.feed(os.read(fd, 65536))


class TestRolledDice:
    """A roll is durable before it is shown: after a kill, the game goes on with the same dice."""

    def roll_a_miss(self, program: Pty) -> None:
        press(program, "\t" * 8, "‹ +2 ›")
        program.send("+" * 8)
        program.wait_for("momentum 9 → 10", PATIENCE)
        press(program, "d", "eal dice")
        program.send("m1")
        program.wait_for("Roll with", PATIENCE)
        press(program, "e", "your dice, with spaces")
        program.send("1 5 9")
        press(program, "enter", "MISS")
        assert "b □ Burn momentum" in program.text()
        assert "STRONG HIT  momentum 10 → 2" in program.text()

    def burn(self, program: Pty) -> None:
        press(program, "b", "momentum 10 → 3")
        press(program, "enter", "q Campaigns")
        is_saved(program)

    def finished(self, path: Path) -> dict[str, object]:
        entry = entries_of(path)[-1]
        return {name: entry[name] for name in ("who", "did", "answers", "facts", "effects")}

    def test_kill_before_the_burn_is_decided_keeps_the_dice(self, save: Path, tmp_path: Path) -> None:
        with at_the_table(save.parent) as program:
            self.roll_a_miss(program)
            program.kill(signal.SIGKILL)
            program.wait_end()
        with at_the_table(save.parent, seed=2) as program:
            assert "x Face Danger" in program.text()
            assert "due: Kara" in program.text()
            press(program, "x", "b □ Burn momentum")  # the table tells of the MISS already
            assert "+ edge 3 = 4" in program.text()
            self.burn(program)
        (tmp_path / "calm").mkdir()
        calm = vale(tmp_path / "calm")
        with at_the_table(calm.parent) as program:
            self.roll_a_miss(program)
            self.burn(program)
        assert self.finished(save) == self.finished(calm)
        assert self.finished(save)["facts"]["outcome"] == "strong hit"  # type: ignore[index]
        assert state_of(save) == state_of(calm)


class TestExit:
    """Every place and both keys are in tests/app/test_table.py; here it is about the terminal they leave behind."""

    @pytest.mark.part(3)
    @pytest.mark.parametrize(
        ("keys", "seen", "way_out"),
        [
            ("", "m Move", "ctrl+q"),
            ("", "m Move", "ctrl+c"),
            ("r", "Roll with", "ctrl+c"),
            ("jThe ford is", "The ford is", "ctrl+c"),
            ("m", "Make a move", "ctrl+q"),
            ("q", "Campaigns ─", "ctrl+c"),
        ],
    )
    def test_exit_leaves_a_usable_terminal(self, save: Path, keys: str, seen: str, way_out: str) -> None:
        with at_the_table(save.parent) as program:
            program.send(keys)
            program.wait_for(seen, PATIENCE)
            program.send(way_out)
            assert program.wait_end(PATIENCE) == 0
            assert is_usable(program)
            assert last_words(program) == ""

    @pytest.mark.part(3)
    @pytest.mark.parametrize(
        ("keys", "seen"),
        [
            ("t+", "Find the lost heir: progress 0 → ¼"),
            ("t+ux?", "All keys for where you are"),
            ("jThe ford is cold.\r", "The ford is cold."),
            ("m1e", "against"),
        ],
    )
    def test_keys_typed_before_the_first_screen_are_not_lost(self, save: Path, keys: str, seen: str) -> None:
        with started(tracker(save.parent, "vale")) as program:
            program.send(keys)
            program.wait_for(seen, PATIENCE)
            is_saved(program)
            program.send("ctrl+q")
            assert program.wait_end(PATIENCE) == 0
            assert last_words(program) == ""

    def test_full_disk_at_the_end_is_reported(self, save: Path) -> None:
        """No byte more than the save has now can be written to any file."""
        limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({save.stat().st_size},) * 2); "
        rest = "from tracker.cli import main; raise SystemExit(main())"
        # -B: the limit would cut off the compiled modules that Python keeps for the next process.
        argv = [sys.executable, "-B", "-c", limit + rest, *tracker(save.parent, "vale")[3:]]
        with at_the_table(save.parent, argv=argv) as program:
            press(program, "+", "NOT SAVED")
            press(program, "ctrl+q", "Leaving anyway loses")
            program.send("ctrl+q")
            assert program.wait_end(PATIENCE) == 1
            assert is_usable(program)
            assert last_words(program) == "tracker: Some changes are NOT SAVED: File too large."
        assert state_of(save)["party"]["kara"]["edge"] == 3


class TestNoTerminal:
    @pytest.mark.parametrize("words", [(), ("vale",)])
    def test_program_without_input_or_output_says_so_and_ends(self, save: Path, words: tuple[str, ...]) -> None:
        done = subprocess.run(
            tracker(save.parent, *words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={**os.environ, **environment()},
            check=False,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "tracker: Full screen needs a terminal; use `tracker NAME --plain`.\n"

    def test_dumb_terminal_is_told_of_plain_mode(self, save: Path) -> None:
        with started(["/usr/bin/env", "TERM=dumb", *tracker(save.parent, "vale")]) as program:
            assert program.wait_end(PATIENCE) == 1
            assert program.text() == "tracker: This terminal can't show full screen; use `tracker NAME --plain`."

    def test_program_with_a_terminal_for_input_only_says_so(self, save: Path) -> None:
        argv = ["/bin/sh", "-c", '"$@" | cat; exit "$?"', "sh", *tracker(save.parent, "vale")]
        with started(argv) as program:
            program.wait_end(PATIENCE)
            assert program.text() == "tracker: Full screen needs a terminal; use `tracker NAME --plain`."


class TestUnmarkedEntry:
    """A last entry without its end mark: the question comes on the plain terminal, before the table."""

    @pytest.fixture
    def unmarked(self, save: Path) -> Path:
        data = save.read_bytes()
        save.write_bytes(data[: data.rindex(b"#= ")])
        return save

    QUESTION = "Keep it (k), or move it to a separate file (s)?"

    @pytest.mark.parametrize(("answer", "there"), [("k", True), ("s", False)])
    def test_unmarked_entry_is_kept_or_set_aside(self, unmarked: Path, answer: str, there: bool) -> None:
        with started(tracker(unmarked.parent, "vale")) as program:
            program.wait_for(self.QUESTION, PATIENCE)
            assert "It says: edit, party add" in program.text()
            program.send(f"{answer}\r")
            program.wait_for("Find the lost heir" if there else "roll one up", PATIENCE)
            program.send("ctrl+q")
            assert program.wait_end(PATIENCE) == 0
        assert ("kara" in state_of(unmarked)["party"]) is there
        assert bool(list(unmarked.parent.glob("*torn*"))) is not there

    @pytest.mark.parametrize("end", ["ctrl+d", "ctrl+c", "x\r"])
    def test_missing_answer_changes_nothing(self, unmarked: Path, end: str) -> None:
        before = unmarked.read_bytes()
        with started(tracker(unmarked.parent, "vale")) as program:
            program.wait_for(self.QUESTION, PATIENCE)
            program.send(end)
            assert program.wait_end(PATIENCE) == 1
            assert b"Traceback" not in program.raw
        assert unmarked.read_bytes() == before


class TestFirstStart:
    def test_first_start_leads_from_an_empty_folder_to_a_table(self, tmp_path: Path) -> None:
        with started(tracker(tmp_path / "saves"), rows=24, cols=80) as program:
            program.wait_for("You tell the story.", PATIENCE)
            assert program.row(0).endswith("no saves yet")
            press(program, "n", "New campaign")
            press(program, "1", "Name your campaign")
            program.send("First steps\r")
            program.wait_for("roll one up", PATIENCE)
            press(program, "d", " joins: ")
            press(program, "enter", "m Move")
            is_saved(program)
            program.kill(signal.SIGKILL)
            program.wait_end()
        (made,) = state_of(tmp_path / "saves" / "First steps.toml")["party"].values()
        assert made["name"]
        assert len(made["assets"]) == 3


class TestTwoPrograms:
    def test_second_program_is_read_only(self, save: Path) -> None:
        with at_the_table(save.parent) as first, at_the_table(save.parent) as second:
            assert second.row(0).endswith("READ-ONLY")
            assert "Read-only, following changes live" in second.text()
            press(second, "+", "read-only")
            press(first, "+", "edge 3 → 4")
            is_saved(first)
            second.send("ctrl+q")
            assert second.wait_end(PATIENCE) == 0
            assert last_words(second) == ""
            press(first, "+", "edge 4 → 5")
            is_saved(first)
        assert state_of(save)["party"]["kara"]["edge"] == 5


class TestWindow:
    def test_too_small_window_says_so_until_it_grows(self, save: Path) -> None:
        with started(tracker(save.parent, "vale"), rows=15, cols=50) as program:
            program.wait_for("60 × 18 needed", PATIENCE)
            program.resize(24, 80)
            program.wait_for("q Campaigns", PATIENCE)
            assert "60 × 18 needed" not in program.text()
            program.resize(10, 30)
            program.wait_for("60 × 18 needed", PATIENCE)
            program.resize(40, 120)
            program.wait_for("q Campaigns", PATIENCE)
            press(program, "+", "edge 3 → 4")
            is_saved(program)

    def test_window_may_change_while_a_dialog_is_open(self, save: Path) -> None:
        with at_the_table(save.parent, rows=24, cols=80) as program:
            program.send("m1")
            program.wait_for("Roll with", PATIENCE)
            for rows, cols in ((40, 120), (15, 50), (50, 200), (24, 80)):
                program.resize(rows, cols)
                if rows < 18:
                    program.wait_for("60 × 18 needed", PATIENCE)
                    continue
                program.wait_until(partial(fills, program, cols), PATIENCE)
                program.wait_for("e edge 3", PATIENCE)
            program.send("e")
            program.wait_for("against", PATIENCE)


def test_missing_campaign_is_reported_in_one_line(tmp_path: Path) -> None:
    campaign(tmp_path, name="other")
    with started(tracker(tmp_path, "vale")) as program:
        assert program.wait_end(PATIENCE) == 1
        assert program.text().startswith("tracker: No campaign “vale” in")
