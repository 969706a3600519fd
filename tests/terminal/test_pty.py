"""The harness drives a real program: what it says of the screen, the keys and the end is so."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.terminal.pty import Pty

MINIMAL = Path(__file__).parents[1] / "bench" / "minimal.py"


@pytest.fixture
def program() -> Iterator[Pty]:
    with Pty([sys.executable, str(MINIMAL)], rows=10, cols=40) as program:
        program.wait_for("READY")
        yield program


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


class TestScreen:
    def test_screen_shows_what_the_program_drew(self, program: Pty) -> None:
        assert program.row(0) == "READY count: 0"
        assert program.text() == "READY count: 0"
        assert b"READY" in program.raw
        assert b"Traceback" not in program.raw

    def test_key_changes_the_screen(self, program: Pty) -> None:
        program.press("a", until="count: 1")
        program.press("a")
        assert program.row(0) == "READY count: 2"

    def test_text_is_typed_key_by_key(self, program: Pty) -> None:
        program.send("aaa")
        program.wait_gone("count: 0")
        program.wait_until(lambda: program.row(0).endswith("3"))

    def test_resize_is_followed(self, program: Pty) -> None:
        program.resize(20, 60)
        assert program.screen.buffer[19][59].bg == "default"
        program.wait_until(lambda: program.screen.buffer[19][59].bg != "default")
        assert program.row(0) == "READY count: 0"

    def test_missing_text_is_reported_with_the_last_screen(self, program: Pty) -> None:
        with pytest.raises(TimeoutError, match="READY count: 0"):
            program.wait_for("count: 9", timeout=0)

    def test_half_an_escape_sequence_waits_for_its_other_half(self) -> None:
        halves = "import os; os.write(1, b'READY\\x1bPhalf'); input(); os.write(1, b'half\\x1b\\\\AGAIN'); input()"
        with Pty(python(halves)) as program:
            program.wait_for("READY")
            program.press("enter", until="AGAIN")
            assert "half" not in program.text()

    def test_memory_and_quiet_are_measured(self, program: Pty) -> None:
        assert 0 < program.wait_for("READY") <= program.settle()
        assert program.rss_mb() > 1


class TestEnd:
    def test_key_quits(self, program: Pty) -> None:
        program.send("ctrl+q")
        assert program.wait_end() == 0

    @pytest.mark.parametrize("sig", [signal.SIGKILL, signal.SIGTERM])
    def test_signal_ends_the_program(self, program: Pty, sig: signal.Signals) -> None:
        program.kill(sig)
        assert program.wait_end() == -sig

    def test_exit_status_and_last_words_are_returned(self) -> None:
        with Pty(python("print('last words'); raise SystemExit(3)")) as program:
            assert program.wait_end() == 3
            assert program.text() == "last words"

    def test_waiting_after_the_end_fails_at_once(self) -> None:
        ended = pytest.raises(TimeoutError, match=r"(?s)ended.*last words")
        with Pty(python("print('last words')")) as program, ended:
            program.wait_for("more")

    def test_program_that_does_not_end_is_reported_with_the_last_screen(self, program: Pty) -> None:
        with pytest.raises(TimeoutError, match=r"(?s)running.*READY"):
            program.wait_end(timeout=0)


class TestSurroundings:
    def test_environment_folder_and_size_are_set(self, tmp_path: Path) -> None:
        told = "import os; print(os.environ['WHO'], os.path.basename(os.getcwd()), *os.get_terminal_size())"
        with Pty(python(told), env={"WHO": "Ana"}, cwd=tmp_path, rows=12, cols=200) as program:
            program.wait_end()
            assert program.row(0) == f"Ana {tmp_path.name} 200 12"

    def test_terminal_belongs_to_the_program_alone(self) -> None:
        with Pty(python("import os; print(os.tcgetpgrp(os.open('/dev/tty', os.O_RDWR)) == os.getpid())")) as program:
            program.wait_end()
            assert program.row(0) == "True"
