"""Every command with bad input: its exit code, one line on stderr, nothing on stdout, and no file made."""

import os
import shutil
from pathlib import Path

import pytest
from tests import program
from tests.make_example import example

from tracker import games
from tracker.arguments import COMMANDS
from tracker.campaign.session import new_campaign

WITH_A_NAME = {
    "play": ["--plain"],
    "host": ["--plain"],
    "serve": [],
    "show": [],
    "log": [],
    "export": [],
    "merge": ["Milling"],
    "stats": [],
    "recap": [],
    "roll": ["edge"],
    "move": ["face_danger", "--with", "edge", "--defaults"],
    "say": ["Hello."],
    "undo": [],
    "check": [],
    "recover": [],
    "backups": [],
    "restore": ["1"],
}
"""Commands that take the name of a campaign, and what else they need."""
FROM_BACKUPS = {"backups", "restore"}
"""Commands that work without the campaign's file."""
WITHOUT = {"new", "join", "list", "oracle", "packs", "completion"}
READS_DAMAGED = {"show", "log", "export", "check"}
"""Commands that print what is intact in a damaged save, and end with 1."""


def run(*words: str, typed: bytes = b"") -> tuple[int, str, str]:
    done = program.run(words, typed)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture(autouse=True)
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two campaigns whose names begin alike, which the commands look in.

    No other test has left backups of such names in the data folder.
    """
    folder = tmp_path / "saves"
    folder.mkdir()
    for name in ("Mill", "Milling"):
        shutil.copy(example("ironsworn"), folder / f"{name}.toml")
    monkeypatch.setenv("TRACKER_SAVES", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("gc.set_threshold", lambda *_: None)  # commands that play set it for their process
    return folder


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".lock"))
    return {str(path): path.read_bytes() for path in found}


def refused(done: tuple[int, str, str], code: int, why: str) -> None:
    assert done[0] == code, done
    assert done[1] == ""
    assert done[2].startswith("tracker: ")
    assert done[2].count("\n") == 1
    assert why in done[2]


def test_every_command_is_in_the_table() -> None:
    assert set(COMMANDS) == WITHOUT | {*WITH_A_NAME} & {*COMMANDS}


@pytest.mark.parametrize("command", sorted(COMMANDS))
class TestEveryCommand:
    def test_unknown_option_is_2(self, command: str, saves: Path) -> None:
        before = files(saves)
        required = {"new": ["Vale", "--game", "ironsworn"], "packs": [], "merge": ["Mill", "Milling"]}.get(
            command, ["Mill"]
        )
        if command != "completion":  # which takes any words
            refused(run(command, *required, "--no-such-option"), 2, "--no-such-option")
        assert files(saves) == before

    def test_help_is_0(self, command: str) -> None:
        code, out, err = run(command, "--help")
        assert (code, err) == (0, "")
        assert out.startswith(f"usage: tracker {command}")
        assert "exit codes:" in out


@pytest.mark.parametrize("command", sorted(WITH_A_NAME.keys() & COMMANDS.keys()))
class TestCommandsWithAName:
    def test_missing_name_is_2(self, command: str) -> None:
        if command != "play":  # which lists the campaigns then
            refused(run(command), 2, "NAME")

    def test_unknown_name_is_1(self, command: str, saves: Path) -> None:
        before = files(saves)
        why = "No backups of" if command in FROM_BACKUPS else "No campaign “Mull”"
        refused(run(command, "Mull", *WITH_A_NAME[command]), 1, why)
        assert files(saves) == before

    def test_beginning_of_two_names_is_1(self, command: str, saves: Path) -> None:
        before = files(saves)
        why = "“mil” could be “Mill” or “Milling”"
        refused(run(command, "mil", *WITH_A_NAME[command]), 1, why)
        assert files(saves) == before

    def test_missing_folder_is_1_and_is_not_made(self, command: str, tmp_path: Path) -> None:
        nowhere = tmp_path / "nowhere"
        refused(run(command, "Mill", *WITH_A_NAME[command], "--saves", str(nowhere)), 1, str(nowhere))
        assert not nowhere.exists()

    def test_folder_in_place_of_a_save_is_1(self, command: str, saves: Path) -> None:
        (saves / "Odd.toml").mkdir()
        before = files(saves)
        refused(run(command, "Odd", *WITH_A_NAME[command]), 1, "Odd")
        assert files(saves) == before

    def test_file_that_is_no_campaign_is_1(self, command: str, saves: Path) -> None:
        (saves / "Odd.toml").write_bytes(b"hello\n")
        before = files(saves)
        refused(run(command, "Odd", *WITH_A_NAME[command]), 1, "Odd")
        assert files(saves) == before

    def test_damaged_save_is_1_and_is_not_changed(self, command: str, saves: Path) -> None:
        if command in {"play", "recover", *FROM_BACKUPS}:
            pytest.skip("plays it read-only, repairs it, or does not read it")
        path = saves / "Mill.toml"
        text = path.read_bytes()
        path.write_bytes(text.replace(b'text = "The stair gives way', b"text = The stair gives way", 1))
        assert path.read_bytes() != text
        before = files(saves)
        code, out, err = run(command, "Mill", *WITH_A_NAME[command])
        assert code == 1
        assert bool(out) == (command in READS_DAMAGED | {"stats", "recap"})
        assert command == "check" or (err.startswith("tracker: ") and err.count("\n") == 1)
        assert files(saves) == before


class TestTheRest:
    @pytest.mark.parametrize(
        ("words", "code", "why"),
        [
            (["shwo", "Mill"], 2, "did you mean show?"),
            (["list", "extra"], 2, "unrecognized arguments: extra"),
            (["new"], 2, "NAME"),
            (["new", "Vale"], 2, "--game"),
            (["new", "Vale", "--game", "chess"], 2, "No game is called"),
            (["new", "--game"], 2, "--game needs a value"),
            (["show", "Mill", "--format", "{momentun}"], 1, "did you mean momentum?"),
            (["show", "Mill", "--format", "{momentum"], 1, "--format"),
            (["show", "Mill", "--format", "{}"], 1, "Put a name between the braces"),
            (["show", "Mill", "--format", "{momentum:999999999}"], 1, "three digits"),
            (["show", "Mill", "--format", "{momentum.real}"], 1, "Between braces there is a name"),
            (["show", "Mill", "--as", "Bo"], 1, "choose from: Kara, Tayla"),
            (["show", "Mill", "--jsn"], 2, "did you mean --json?"),
            (["log", "Mill", "--session", "9"], 1, "There is no session 9"),
            (["log", "Mill", "--session", "x"], 2, "isn't a session"),
            (["log", "Mill", "--kind", "foo"], 2, "isn't a kind of entry"),
            (["log", "Mill", "--character", "Bo"], 1, "choose from: Kara"),
            (["log", "Mill", "-n", "x"], 2, "-n takes a number, not “x”"),
            (["log", "Mill", "-n", "-5"], 2, "-n takes a number from 0 on"),
            (["roll", "Mill", "--seed", "x"], 2, "--seed takes a number, not “x”"),
            (["oracle", "likely", "--game", "chess"], 2, "No game is called"),
            (["roll", "Empty", "edge"], 1, "You have no character yet"),
            (["move", "Empty", "face_danger"], 1, "Make a character first"),
            (["move", "Empty", "due"], 1, "Nothing is due"),
            (["undo", "Empty"], 1, "Nothing to undo"),
            (["oracle", "Empty", "likely"], 1, "Make a character first"),
            (["packs", "add"], 2, "needs a PACK"),
            (["packs", "dance"], 2, "ACTION can't be “dance”: choose from list, add, check, show, remove"),
            (["completion", "tcsh"], 2, "choose from: bash, zsh, fish."),
            (["completion"], 2, "required: SHELL; see"),
            (["help", "rol"], 2, "did you mean roll?"),
        ],
        ids=lambda part: "_".join(part) if isinstance(part, list) else None,
    )
    def test_bad_input_is_one_line(self, words: list[str], code: int, why: str, saves: Path) -> None:
        new_campaign(str(saves / "Empty.toml"), games.get("ironsworn"))
        before = files(saves)
        refused(run(*words), code, why)
        assert files(saves) == before

    def test_help_of_a_command_may_be_asked_for_first(self) -> None:
        assert run("help", "roll") == run("roll", "--help")
        assert run("help") == run("--help")
        assert "  3    a prompt was not answered" in run("help")[1]

    def test_game_may_be_named_in_any_case(self, saves: Path) -> None:
        assert run("new", "Vale", "--game", "Ironsworn")[0] == 0
        assert run("oracle", "weather", "--game", "IRONSWORN")[0] == 0

    def test_number_of_lines_may_be_larger_than_any_campaign(self, saves: Path) -> None:
        code, out, _ = run("log", "Mill", "-n", "9" * 30)
        assert (code, out) == (0, run("log", "Mill")[1])

    def test_empty_folder_prints_nothing_on_stdout(self, tmp_path: Path) -> None:
        empty = tmp_path / "empty"
        empty.mkdir()
        for words in (["list"], ["list", "--json"], ["list", "--names"]):
            code, out, _ = run(*words, "--saves", str(empty))
            assert (code, out) == (0, "")

    def test_missing_folder_is_named(self, tmp_path: Path) -> None:
        for words in (["list"], ["list", "--names"], ["list", "--json"]):
            refused(run(*words, "--saves", str(tmp_path / "nowhere")), 1, f"There is no folder {tmp_path / 'nowhere'}")
        assert not (tmp_path / "nowhere").exists()

    def test_beginning_of_one_name_is_enough(self) -> None:
        assert run("show", "millin", "--format", "{campaign}")[1] == "Milling\n"
        assert run("show", "MILL", "--format", "{campaign}")[1] == "Mill\n"

    def test_columns_are_aligned_whatever_the_characters(self, saves: Path) -> None:
        from tracker.graphemes import cells

        for name in ("水車", "Zoë", "👨‍👩‍👧 family"):
            shutil.copy(example("daggerheart"), saves / f"{name}.toml")
        lines = run("list")[1].splitlines()
        assert len(lines) == 5
        dates = {cells(line[: line.index("20")]) for line in lines}
        assert len(dates) == 1
        assert all(line.endswith(" entries") for line in lines)

    def test_one_entry_is_no_plural(self, tmp_path: Path) -> None:
        kara = ("--character", "Kara", "--stats", "edge=3,heart=2,iron=2,shadow=1,wits=1")
        assert run("new", "Vale", "--game", "ironsworn", *kara, "--saves", str(tmp_path))[0] == 0
        assert run("list", "--saves", str(tmp_path))[1].endswith(" 1 entry\n")
        assert run("check", "Vale", "--saves", str(tmp_path))[1] == "Vale: 1 entry OK, no damage.\n"

    def test_reading_makes_no_file(self, saves: Path) -> None:
        there = {*os.listdir(saves)}
        for words in (["list"], ["show", "Mill"], ["log", "Mill"], ["check", "Mill"], ["oracle", "likely"]):
            assert run(*words)[0] == 0
        assert {*os.listdir(saves)} == there
