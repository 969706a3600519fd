"""Ends of plain mode: however it ends, the save is whole and rolled dice stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, ClassVar

import pytest
from tests.plain.helpers import (
    GAME,
    HEIR,
    KARA,
    campaign,
    command,
    dice_are_typed_in,
    heard,
    opened,
    plain,
    played,
    script,
    state,
)

from tracker.campaign.fold import fold, start
from tracker.campaign.session import Session

SAVED = "vale is closed; everything is saved."
TABLE = (KARA, HEIR, {"at": "kara.health", "to": 3}, {"at": "kara.momentum", "to": 9})
"""Kara, hurt and with momentum to burn, and a vow."""


def faces(action: int, *challenge: int) -> dict[str, Any]:
    return {"action": action, "challenge": list(challenge)}


AT = fold(GAME.top, start(GAME.top), TABLE)
MOVES = {
    name: script(run)
    for name, run in {
        "a weak hit": played(AT, "adventure/face_danger", using="edge", dice=faces(3, 5, 9), choose=["momentum"]),
        "a burn": played(AT, "adventure/face_danger", using="edge", dice=faces(1, 5, 8), burn=True),
        "a vow": played(
            *(AT, "quest/swear_an_iron_vow"), track="To go", rank="epic", dice=faces(1, 9, 9), choose=["press_on"]
        ),
        "two rolls": played(
            *(AT, "suffer/endure_harm"), amount=4, dice=faces(1, 10, 9), choose=["table"], fate={"oracle": 40}
        ),
        "a character": played(
            *(AT, "character/make", ""), name="Bo", how="choose", three="edge", twos=["heart", "iron"]
        ),
        "no dice": played(AT, "quest/reach_a_milestone", track="heir"),
    }.items()
}
STOPS = [(move, fed) for move, whole in MOVES.items() for fed in range(len(whole.lines) + 1)]


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *TABLE)


class TestEndOfInput:
    done: ClassVar[dict[str, object]] = {}
    """Where each move leads when nothing ends before it does."""

    @pytest.mark.part(3)
    @pytest.mark.parametrize(("move", "fed"), STOPS)
    def test_end_at_any_line_of_a_move_keeps_the_dice(
        self, move: str, fed: int, vale: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dice_are_typed_in(vale.parent / "settings", monkeypatch)
        lines, rolled = MOVES[move]
        before = vale.read_bytes()
        if move not in self.done:
            plain(vale, *lines)
            self.done[move] = state(vale)
            vale.write_bytes(before)
        done = self.done[move]

        told = plain(vale, *lines[:fed])
        assert (told.code, told.error) == (0, "")
        lie = 0 < rolled <= fed < len(lines)
        begun = move == "a character" and 1 < fed < len(lines)  # somebody half made waits too
        assert any(due.run for due in opened(vale).owed("kara")) is (lie or begun)
        if lie or begun:
            assert told.lines[-1].startswith("vale is closed; everything is saved. ")
            assert told.lines[-1].endswith(" is unfinished.")
            plain(vale, "owed", *lines[fed:])
        else:
            assert told.lines[-1] == SAVED
            if fed < len(lines):
                assert vale.read_bytes() == before
                plain(vale, *lines)
        assert state(vale) == done
        assert not list(opened(vale).log.open_runs())

    def test_end_before_the_first_line_is_no_error(self, vale: Path) -> None:
        before = vale.read_bytes()
        assert plain(vale).lines[-1] == SAVED
        assert vale.read_bytes() == before

    def test_end_within_a_line_takes_the_line(self, vale: Path) -> None:
        told = plain(vale, "supply -1", end="")
        assert told.lines[-3:] == ["supply 5 to 4. Saved.", "What now? Type a number, a move, or help.", SAVED]

    def test_missing_input_is_no_error(self, vale: Path) -> None:
        program = command(vale.parent, "play", "vale", "--plain")
        shell = ["/bin/sh", "-c", '"$@" <&-', "sh", *program]
        told = heard(subprocess.run(shell, capture_output=True, check=False))
        assert (told.code, told.lines[-1]) == (0, SAVED)


def started(save: Path, *, limit: int | None = None) -> subprocess.Popen[bytes]:
    """Start the program with pipes; with `limit`, no file can grow beyond that many bytes."""
    program = command(save.parent, "play", "vale", "--plain")
    if limit is not None:
        held = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
        # -B: the limit would cut off the compiled modules that Python keeps for the next process.
        program = [sys.executable, "-c", f"{held}; os.execv(sys.argv[1], sys.argv[1:])", program[0], "-B", *program[1:]]
    pipe = subprocess.PIPE
    return subprocess.Popen(program, stdin=pipe, stdout=pipe, stderr=pipe)


def listen(stream: IO[bytes] | None, until: bytes) -> list[bytes]:
    """Return every line up to one that begins like this."""
    assert stream is not None
    lines = [stream.readline()]
    while not lines[-1].startswith(until):
        assert lines[-1], b"".join(lines)
        lines.append(stream.readline())
    return lines


def type_in(program: subprocess.Popen[bytes], *lines: str) -> None:
    assert program.stdin is not None
    program.stdin.write("".join(f"{line}\n" for line in lines).encode())
    program.stdin.flush()


def until_it_waits(program: subprocess.Popen[bytes]) -> None:
    """Wait until the program sleeps, because it waits for the next line."""
    status = Path(f"/proc/{program.pid}/stat")
    while status.read_text().rpartition(")")[2].split()[0] != "S":
        pass


class TestSignal:
    @pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
    def test_signal_ends_the_program_with_everything_saved(self, sent: signal.Signals, code: int, vale: Path) -> None:
        with started(vale) as program:
            listen(program.stdout, b"What now?")
            type_in(program, "health -1", "dice", "face danger", "e", "3 5 9")
            listen(program.stdout, b"4. supply -1")
            listen(program.stdout, b"Type a number")
            until_it_waits(program)
            program.send_signal(sent)
            assert program.wait() == code
            out, error = program.communicate()
        assert error == b""
        last = b"" if sent == signal.SIGHUP else b"vale is closed; everything is saved. Face Danger is unfinished.\n"
        assert out == last
        assert state(vale)["party"]["kara"]["health"] == 2
        assert opened(vale).owed("kara")[0].run

    def test_closed_stdout_exits_silently(self, vale: Path) -> None:
        with started(vale) as program:
            listen(program.stdout, b"What now?")
            assert program.stdout
            program.stdout.close()
            type_in(program, "health -1")
            assert program.wait() == 141
            assert program.stderr
            assert program.stderr.read() == b""
        assert state(vale)["party"]["kara"]["health"] == 2

    def test_closed_terminal_ends_the_program(self, vale: Path) -> None:
        ours, theirs = os.openpty()
        with subprocess.Popen(
            command(vale.parent, "play", "vale", "--plain"),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        ) as program:
            os.close(theirs)
            said = b""
            while b"What now?" not in said:
                said += os.read(ours, 65536)
            os.write(ours, b"health -1\n")
            while b"Saved." not in said or not said.rstrip().endswith(b"help."):
                said += os.read(ours, 65536)
            os.close(ours)
            assert program.wait() == 129
        assert b"\x1b" not in said
        assert state(vale)["party"]["kara"]["health"] == 2


class TestFullDisk:
    def test_full_disk_is_reported_after_each_change_and_at_the_end(self, vale: Path) -> None:
        with started(vale, limit=vale.stat().st_size) as program:
            type_in(program, "health -1", "dice", "roll", "e", "3 5 9", "", "save", "quit", "quit")
            out, error = program.communicate()
        why = "NOT SAVED: File too large."
        lines = out.decode().splitlines()
        assert f"health 3 to 2. {why}" in lines
        assert f"These dice are {why}" in lines
        assert f"Action roll: no change. {why}" in lines
        assert why in lines
        assert f"{why} quit again leaves anyway; save tries again; copy NAME saves it elsewhere." in lines
        assert (
            lines[-1]
            == "vale is closed; not everything is saved: File too large. Next time, copy NAME before you quit."
        )
        assert (program.returncode, error) == (1, b"")
        assert state(vale)["party"]["kara"]["health"] == 3


class TestCopy:
    def test_saves_everything_elsewhere_after_the_file_is_deleted(self, vale: Path) -> None:
        with started(vale) as program:
            listen(program.stdout, b"What now?")
            vale.unlink()
            type_in(program, "health -1", "quit", "copy", "copy vale", "copy rescued", "health -1", "quit")
            out, error = program.communicate()
        lines = out.decode().splitlines()
        why = "NOT SAVED: vale.toml is gone: another program deleted or moved it."
        assert f"health 3 to 2. {why} copy NAME saves everything elsewhere." in lines
        assert f"{why} quit again leaves anyway; save tries again; copy NAME saves it elsewhere." in lines
        assert "Copy where? Type copy and a name, or a path." in lines
        rescued = vale.with_name("rescued.toml")
        assert f"Saved a copy. You play on in {vale}." in lines
        assert f"Saved a copy. You play on in {rescued}." in lines
        assert "health 2 to 1. Saved." in lines
        assert lines[-1] == "rescued is closed; everything is saved."
        assert (program.returncode, error) == (0, b"")
        assert state(rescued)["party"]["kara"]["health"] == 1


class TestSave:
    @pytest.mark.parametrize(("answer", "there"), [("k", True), ("s", False)])
    def test_entry_without_its_end_is_asked_about(self, vale: Path, answer: str, there: bool) -> None:
        with started(vale) as program:
            listen(program.stdout, b"What now?")
            with vale.open("ab") as file:
                file.write(b'\n[[entry]]\nid = "other.1"\nt = 900\ntext = "Half a"\n')
            type_in(program, "health -1", "save", answer, "quit")
            out, error = program.communicate()
        lines = out.decode().splitlines()
        why = "vale.toml ends in an entry without its end mark: an unfinished write, or added by hand."
        assert f"health 3 to 2. NOT SAVED: {why} save asks whether to keep it." in lines
        assert "Keep it or set it aside?" in lines
        assert "Saved." in lines
        assert (program.returncode, error) == (0, b"")
        assert state(vale)["party"]["kara"]["health"] == 2
        assert ("other.1" in vale.read_text(encoding="utf-8")) is there
        assert bool(list(vale.parent.glob("vale.torn-*.txt"))) is not there


class TestOpening:
    def test_second_program_opens_read_only(self, vale: Path) -> None:
        with started(vale) as first:
            listen(first.stdout, b"What now?")
            told = plain(vale, "health -1", "roll", "sheet")
            first.communicate()
        assert told.lines[1].startswith("Read-only: another tracker has it open (process ")
        assert sum(line.startswith("This campaign is read-only") for line in told.lines) == 2
        assert told.lines[-1] == "vale is closed; it was read-only."
        assert told.code == 1
        assert state(vale)["party"]["kara"]["health"] == 3

    def test_second_program_that_only_reads_ends_well(self, vale: Path) -> None:
        first = Session.open(str(vale))
        try:
            told = plain(vale, "sheet", "no such word")
        finally:
            first.close()
        assert told.lines[-1] == "vale is closed; it was read-only."
        assert told.code == 0

    def test_second_program_is_not_told_that_it_saved(self, vale: Path) -> None:
        first = Session.open(str(vale))
        try:
            told = plain(vale, "say Never written.", "save")
        finally:
            first.close()
        assert "Saved." not in told.lines
        assert any(line.startswith("READ-ONLY: another tracker has it open") for line in told.lines)

    def test_changes_of_another_program_are_read_and_reported(self, vale: Path) -> None:
        with started(vale) as program:
            listen(program.stdout, b"What now?")
            vale.write_text(vale.read_text().replace('name = "Kara"', 'name = "Kira"'))
            type_in(program, "health -1")
            told = listen(program.stdout, b"What now?")
            program.communicate()
        assert b"Another program changed the save; tracker read it again.\n" in told
        assert state(vale)["party"]["kara"]["health"] == 2
        assert state(vale)["party"]["kara"]["name"] == "Kira"

    @pytest.mark.parametrize(("answer", "there"), [("k", True), ("2", False), ("set it aside", False), ("keep", True)])
    def test_last_entry_without_its_end_mark_is_asked_about(self, answer: str, there: bool, vale: Path) -> None:
        data = vale.read_bytes()
        vale.write_bytes(data[: data.rindex(b"#= ")])
        told = plain(vale, "perhaps", answer)
        assert "“perhaps” isn't an option; choose keep it or set it aside." in told.lines
        assert ("You play Kara." in told.lines) is there
        assert ("kara" in state(vale)["party"]) is there
        assert bool(list(vale.parent.glob("*torn*"))) is not there

    def test_missing_answer_changes_nothing(self, vale: Path) -> None:
        data = vale.read_bytes()
        vale.write_bytes(torn := data[: data.rindex(b"#= ")])
        told = plain(vale)
        assert told.code == 0
        assert told.lines[-1] == "Nothing was opened or changed."
        assert vale.read_bytes() == torn

    def test_missing_or_damaged_save_is_reported_in_one_line(self, tmp_path: Path) -> None:
        (tmp_path / "odd.toml").write_text("hello")
        for name, why in (("nowhere", "No campaign"), ("odd", "odd.toml")):
            told = plain(tmp_path / f"{name}.toml")
            assert (told.code, told.lines) == (1, [])
            assert told.error.startswith("tracker: ")
            assert why in told.error
            assert told.error.count("\n") == 1

    def test_plain_mode_needs_a_name(self, tmp_path: Path) -> None:
        told = heard(subprocess.run(command(tmp_path, "play", "--plain"), capture_output=True, check=False))
        assert told.error == "tracker: Which campaign? Use `tracker NAME --plain`; `tracker list` lists them.\n"
        assert told.code == 1
