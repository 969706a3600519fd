"""Readings of official assets hold gifts that the game can play, and nothing else."""

import re
import tomllib
from importlib.resources import files

import pytest

from tracker.games.api.gifts import SCOPES, gift
from tracker.games.ironsworn.moves import HELPED, NAMED

TEXT = files("tracker.content").joinpath("readings/classic.toml").read_text(encoding="utf-8")
READINGS = tomllib.loads(TEXT)["ability"]
GIVES = sorted({short for reading in READINGS.values() for short in reading["gives"]})


def test_readings_are_keyed_by_hash_and_say_what_acts_or_stays_text() -> None:
    for key, reading in READINGS.items():
        assert re.fullmatch("[0-9a-f]{16}", key)
        assert reading.keys() <= {"gives", "text"}
        assert reading.get("text", True) is True
        assert reading["gives"] or "text" in reading
        assert len(reading["gives"]) <= 12


def test_comments_name_each_of_the_234_abilities_once_and_quote_nothing() -> None:
    _, *comments = re.findall(r"(?:^#.*\n)+", TEXT, re.MULTILINE)
    named = [name for comment in comments for name in re.split(r", |\n", comment.replace("# ", "").strip())]
    assert len(comments) == len(READINGS)
    assert len(named) == len(set(named)) == 234
    assert all(re.fullmatch("[a-z_]{3,20} [123]", name) for name in named)


@pytest.mark.parametrize("short", GIVES)
def test_gives_are_gifts_for_moves_that_exist(short: str) -> None:
    read = gift(short)
    assert set(read.moves) <= {*SCOPES, *HELPED}
    for give in read.gives:
        if give.kind == "due":
            assert re.sub(r"_\d$", "", give.what) in NAMED
        elif give.kind == "next":
            assert give.what in {"any", *HELPED}
