"""The harness drives a real program: what it says about the screen, the keys and the end is so."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.pty import Pty, Timeout

MINIMAL = str(Path(__file__).parents[1] / "bench" / "minimal.py")


@pytest.fixture
def program() -> Iterator[Pty]:
    with Pty([sys.executable, MINIMAL], rows=10, cols=40) as program:
        program.wait_for("READY")
        yield program


def python(code: str, **options: object) -> Pty:
    return Pty([sys.executable, "-c", code], **options)


class TestTheScreen:
    def test_it_shows_what_the_program_drew(self, program):
        assert program.row(0) == "READY count: 0"
        assert program.text() == "READY count: 0"
        assert b"READY" in program.raw
        assert b"Traceback" not in program.raw

    def test_a_key_changes_it(self, program):
        program.press("a", until="count: 1")
        program.press("a")
        assert program.row(0) == "READY count: 2"
        program.send("aaa")
        program.wait_gone("count: 2")
        program.wait_until(lambda: program.row(0).endswith("5"))

    def test_a_resize_is_followed(self, program):
        def painted_to_the_corner() -> bool:
            return program.screen.buffer[19][59].bg not in {"default", outside}

        outside = program.screen.buffer[19][59].bg
        program.resize(20, 60)
        program.wait_until(painted_to_the_corner)
        assert (program.screen.lines, program.screen.columns) == (20, 60)
        assert program.row(0) == "READY count: 0"

    def test_what_never_comes_is_told_with_the_last_screen(self, program):
        with pytest.raises(Timeout, match="READY count: 0"):
            program.wait_for("count: 9", timeout=0)


class TestTheEnd:
    def test_a_key_that_quits(self, program):
        program.send("ctrl+q")
        assert program.wait_end() == 0

    @pytest.mark.parametrize("sig", [signal.SIGKILL, signal.SIGTERM])
    def test_a_signal_that_ends_it(self, program, sig):
        program.kill(sig)
        assert program.wait_end() == -sig

    def test_an_exit_status_and_the_last_words(self):
        with python("print('last words'); raise SystemExit(3)") as program:
            assert program.wait_end() == 3
            assert program.text() == "last words"

    def test_waiting_for_more_is_told_at_once(self):
        with python("print('last words')") as program, pytest.raises(Timeout, match="(?s)ended.*last words"):
            program.wait_for("more")

    def test_a_program_that_stays_is_told_with_the_last_screen(self, program):
        with pytest.raises(Timeout, match="(?s)running.*READY"):
            program.wait_end(timeout=0)


class TestTheSurroundings:
    def test_environment_folder_and_size(self, tmp_path):
        code = "import os; print(os.environ['WHO'], os.getcwd(), *os.get_terminal_size())"
        with python(code, env={"WHO": "Ana"}, cwd=tmp_path, rows=12, cols=200) as program:
            program.wait_end()
            assert program.row(0) == f"Ana {tmp_path} 200 12"

    def test_the_terminal_is_the_programs_own(self):
        with python("import os; print(os.getsid(0) == os.getpid(), os.path.samefile('/dev/tty', '/dev/tty') and open('/dev/tty').isatty())") as program:
            program.wait_end()
            assert program.row(0) == "True True"
