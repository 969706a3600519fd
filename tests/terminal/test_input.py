"""Bytes that no keyboard sends: the program in a real terminal goes on, and ends with 0 when it is asked to."""

import os
import random
import signal
from pathlib import Path

import pytest
from tests.terminal.helpers import PATIENCE, at_the_table, entries_of, started, tracker, vale
from tests.terminal.pty import Pty

BROKEN = [
    b"\x1b", b"\x1b[", b"\x1b[M", b"\x1b[M \xff", b"\x1b[M \xc3\xa9", b"\x1b[<0;", b"\x1b[<0;1", b"\x1b[<99999;9999999999;99999999M",
    b"\x1b[<0;0;0M", b"\x1b[97:65;1u", b"\x1b[1114112u", b"\x1b[55296u", b"\x1b[97;1;55296u", b"\x1b[48;0;0;0;0t",
    b"\x1b[48;99999;99999;9;9t", b"\x1bO", b"\x1bP", b"\x1b]0;", b"\x1b\x1b\x1b", b"\x1b[?2026;", b"\x1b[999999;999999R",
    b"\xc3", b"\xe6\xbc", b"\xf0\x9f\x91", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xff\xfe",
]  # fmt: skip


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return vale(tmp_path)


def assert_it_goes_on(program: Pty) -> None:
    """Leave whatever is open, write a line, and quit."""
    for _ in range(4):
        program.settle(0.3)  # an ESC that begins nothing is a key of its own only after a while
        program.send("escape")
    program.settle(0.3)
    program.press("?", until="Keys")
    program.press("escape", until="q Campaigns")
    program.send("ctrl+q")
    assert program.wait_end(PATIENCE) == 0, program.text()
    assert b"Traceback" not in program.raw
    assert b"fault of its own" not in program.raw


def test_every_byte_value_alone_leaves_the_app_running(save: Path) -> None:
    with at_the_table(save.parent) as program:
        # Without those that mean a key: a control character may quit, and a letter may do anything.
        for byte in (0, *range(0x80, 0x100)):
            program.send(bytes([byte]))
        assert_it_goes_on(program)


def test_broken_sequences_leave_the_app_running(save: Path) -> None:
    with at_the_table(save.parent) as program:
        for sequence in BROKEN:
            program.send(sequence)
            program.settle(0.12)  # longer than Textual waits for the rest of a sequence
        assert_it_goes_on(program)


def test_random_bytes_leave_the_app_running(save: Path) -> None:
    chance = random.Random(3)
    with at_the_table(save.parent) as program:
        for _ in range(20):
            program.send(bytes(chance.choices([*range(0x80, 0x100), 0x1B, 0x5B, 0x4D, 0x3B], k=400)))
        assert_it_goes_on(program)


def test_latin_1_paste_keeps_its_readable_part(save: Path) -> None:
    with at_the_table(save.parent) as program:
        program.press("j", until="Enter")
        program.send(b"\x1b[200~" + "Der Fluß ist über dem Pfad.".encode("latin-1") + b"\x1b[201~")
        program.wait_for("ber dem Pfad.")
        program.press("enter", until="q Campaigns")
        program.send("ctrl+q")
        assert program.wait_end(PATIENCE) == 0
    assert entries_of(save)[-1]["text"] == "Der Flu\ufffd ist \ufffdber dem Pfad."


def test_huge_paste_of_bytes_leaves_the_app_running(save: Path) -> None:
    with at_the_table(save.parent) as program:
        program.press("j", until="Enter")
        program.send(b"\x1b[200~" + bytes(random.Random(9).choices([*range(0x20, 0x100)], k=300_000)) + b"\x1b[201~")
        program.settle(0.5)
        assert_it_goes_on(program)


@pytest.mark.parametrize("byte", [b"\xff", b"\xe9t\xe9", b"\x1b[M \xe0!"], ids=["0xff", "Latin-1", "mouse"])
def test_unreadable_bytes_leave_the_next_key_alone(save: Path, byte: bytes) -> None:
    with at_the_table(save.parent) as program:
        program.press("j", until="Enter")
        program.send(byte + b"lovely weather")
        program.wait_for("lovely weather")
        program.press("enter", until="q Campaigns")
        program.send("ctrl+q")
        assert program.wait_end(PATIENCE) == 0
    assert entries_of(save)[-1]["text"].endswith("lovely weather")


def test_unreadable_answer_about_an_unmarked_entry_opens_nothing(save: Path) -> None:
    save.write_bytes(save.read_bytes().rpartition(b"#=")[0])
    strict = {"PYTHONIOENCODING": "utf-8:strict"}  # as in most locales; not in C.UTF-8
    with started(tracker(save.parent, "vale"), env=strict) as program:
        program.wait_for("separate file")
        program.send(b"\xff\xfe\r")
        assert program.wait_end(PATIENCE) == 1
        assert b"Please answer k or s. Nothing was opened or changed." in program.raw
        assert b"Traceback" not in program.raw


def test_file_name_that_is_not_utf_8_is_listed_and_opened(save: Path) -> None:
    odd = os.fsencode(save.parent) + b"/Latin \xfcber.toml"
    os.rename(save, odd)
    with started(tracker(save.parent), env={"XDG_CONFIG_HOME": os.fsdecode(b"/nowhere/\xff")}) as program:
        program.wait_for("Latin")
        program.press("enter", until="q Campaigns")
        program.send("ctrl+q")
        assert program.wait_end(PATIENCE) == 0, program.text()


def test_program_that_was_stopped_is_drawn_again_takes_keys_and_ends(save: Path) -> None:
    with at_the_table(save.parent) as program:
        program.kill(signal.SIGSTOP)
        program.cook()
        assert "q Campaigns" not in program.text()
        program.kill(signal.SIGCONT)
        program.wait_for("q Campaigns")
        program.press("j", until="Enter")
        program.send("Awake again.")
        program.wait_for("Awake again.")
        program.press("enter", until="q Campaigns")
        program.send("ctrl+q")
        assert program.wait_end(PATIENCE) == 0
    assert entries_of(save)[-1]["text"] == "Awake again."
