"""The commands `tracker stats` and `tracker recap`."""

import json
import shutil
from pathlib import Path

import pytest
from tests.random_play import random_campaign

from tracker.cli import main
from tracker.games import GAMES

EXAMPLES = Path(__file__).parents[1] / "saves"


@pytest.fixture
def mill(tmp_path: Path) -> str:
    return str(shutil.copy(EXAMPLES / "example-ironsworn.toml", tmp_path / "mill.toml"))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_stats_are_sentences(mill: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "stats", mill)
    assert (code, err) == (0, "")
    assert out.startswith("Sessions 1 to 2: 19 moves and 11 journal lines.\n")
    assert "10 action rolls: strong hit 4 (expected 2.5)" in out
    assert "rolls like these go this well or better 9% of the time" in out


def test_stats_take_a_session_and_a_character(mill: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "stats", mill, "--session", "last", "--character", "kar")
    assert code == 0
    assert out.startswith("Session 2, Kara: 2 moves and 1 journal line.\n")
    for words, wanted in ((("--session", "7"), 1), (("--session", "x"), 2), (("--character", "Nobody"), 1)):
        code, out, err = run(capsys, "stats", mill, *words)
        assert (code, out) == (wanted, "")
        assert err.startswith("tracker: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize("game", GAMES)
def test_stats_in_json_are_the_same_numbers(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tale.toml"
    random_campaign(path, game, 7, 40).close()
    _, out, _ = run(capsys, "stats", str(path), "--json")
    told = json.loads(out)
    _, sentences, _ = run(capsys, "stats", str(path))
    for rolls in told["rolls"]:
        assert sum(one["times"] for one in rolls["outcomes"]) == rolls["times"]
        chance = rolls["luck"]["chance_of_at_least"]
        assert 0 < chance <= 1 if rolls["times"] >= 5 else chance is None
        for one in rolls["outcomes"]:
            assert f"{one['name']} {one['fell']} (expected {one['expected']:,.1f})" in sentences
    assert sum(move["times"] for move in told["moves"]) == told["moves_made"]
    for die in told["dice"]:
        assert f"{die['name']}: {sum(die['faces'])} roll" in sentences.replace(f" ({die['source']})", "")


def test_recap_is_ten_lines_or_json(mill: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "recap", mill)
    assert code == 0
    assert out.startswith("Last time, in session 2\nIt began: Three of them at the ford.")
    _, in_json, _ = run(capsys, "recap", mill, "--json")
    told = json.loads(in_json)
    assert [f"{one['heading']}: {one['words']}" for one in told["lines"]] == out.splitlines()[1:]
    assert told["session"] == 2


def test_damaged_save_is_counted_as_far_as_it_can_be_read(mill: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(mill).read_bytes()
    at = data.index(b"stat_used")
    Path(mill).write_bytes(data[:at] + b"\x00\x00" + data[at + 2 :])
    for command in ("stats", "recap"):
        code, out, err = run(capsys, command, mill)
        assert code == 1
        assert "damaged" in err
        assert out


def test_new_campaign_has_nothing_to_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.toml"
    random_campaign(path, "ironsworn", 1, 0).close()
    assert main(["--saves", str(tmp_path), "new", "fresh", "--game", "ironsworn"]) == 0
    capsys.readouterr()
    code, out, _ = run(capsys, "stats", str(tmp_path / "fresh.toml"))
    assert (code, out) == (0, "Nothing to count yet: make a move, and it shows up here.\n")
    code, out, _ = run(capsys, "recap", str(tmp_path / "fresh.toml"))
    assert (code, out) == (0, "Nothing has happened yet.\n")
