"""Readings of official assets hold gifts that the game can play, and nothing else."""

import re
import tomllib
from importlib.resources import files

import pytest

from tracker.games.api.asset_abilities import SCOPES, gift
from tracker.games.ironsworn.moves import HELPED, NAMED

TEXT = files("tracker.content").joinpath("official_abilities/classic.toml").read_text(encoding="utf-8")
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
def test_readings_name_only_moves_that_exist(short: str) -> None:
    read = gift(short)
    assert set(read.moves) <= {*SCOPES, *HELPED}
    for give in read.gives:
        if give.kind == "due":
            assert re.sub(r"_\d$", "", give.what) in NAMED
        elif give.kind == "next":
            assert give.what in {"any", *HELPED}


@pytest.mark.parametrize(
    ("key", "moves"),
    [
        ("b0e22b0095a1fa25", [{"battle", "enter_the_fray"}]),
        ("824ff9a3ad3231e8", [{"battle", "enter_the_fray"}, {"enter_the_fray"}]),
    ],
    ids=["banner_sworn 3", "veteran 1"],
)
def test_burn_in_a_fight_counts_in_moves_that_begin_one(key: str, moves: list[set[str]]) -> None:
    begun = [read for read in map(gift, READINGS[key]["gives"]) if ("fight", False) in read.needs]
    assert [set(read.moves) for read in begun] == moves


def test_stronger_pelt_is_a_tick_of_its_own_and_is_lost_on_a_1() -> None:
    read = [gift(short) for short in READINGS["f73d2cf175ce9104"]["gives"]]
    assert {one.part for one in read} == {"beast"}
    for ally in (False, True):
        adds, ends = (one for one in read if (("ally", True) in one.needs) is ally)
        assert adds.gives[0].points == 2
        assert ("one", True) in ends.needs


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("66b2cacd38f19ea6", {"sure", "deep"}),
        ("3a74b2d804032364", {"add", "gain"}),
        ("b74ee04aa1c3c707", {"hinder", "heavy"}),
        ("edd64f1a3e1953ad", {"recalled", "hours"}),
        ("47dab8383615b64c", {"add", "more"}),
        ("44543082a841868c", {"add", "gain"}),
        ("7c9bc11a00d5362c", {"lie", "truth"}),
    ],
    ids=["cutthroat 1", "duelist 3", "slinger 2", "lorekeeper 1", "herbalist 1", "owl 2", "trickster 3"],
)
def test_choice_of_one_before_the_roll_allows_one_tick(key: str, parts: set[str]) -> None:
    assert {one.part for one in map(gift, READINGS[key]["gives"]) if ("alone", True) in one.needs} == parts


@pytest.mark.parametrize(
    "key",
    ["7c59e2126e6317e8", "f73d2cf175ce9104", "3d87f1b6169f42a1", "03146a84d295f39b", "0b3b8e5c88ab0f1d"],
    ids=["bind 1", "bind 2", "keen 1", "keen 2", "talisman 1"],
)
def test_what_helps_the_one_who_carries_it_helps_an_ally_too(key: str) -> None:
    lines = READINGS[key]["gives"]
    helps = [line for line in lines if " if its " in line and " own " not in line]
    own = [line for line in helps if "if ally" not in line]
    assert own
    assert [f"{line} if ally" for line in own] == [line for line in helps if "if ally" in line]


def test_bonded_helps_in_progress_moves_as_in_all_others() -> None:
    progress = "end_the_fight/reach_your_destination/fulfill_your_vow/write_your_epilogue"
    lines = READINGS["6cf1b67505c333db"]["gives"]
    usual = [line for line in lines if " any " in line]
    assert len(usual) == 5
    assert [line.replace(" any ", f" {progress} ") for line in usual] == [line for line in lines if progress in line]


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
def test_gift_after_a_reroll_is_of_a_tick_that_gives_one(reading: dict[str, list[str]]) -> None:
    read = [gift(short) for short in reading["gives"]]
    for one in read:
        if ("rerolled", True) in one.needs:
            alike = [other for other in read if other.part == one.part and set(one.moves) <= set(other.moves)]
            assert any(give.kind == "reroll" for other in alike for give in other.gives)


@pytest.mark.parametrize(
    ("weak", "strong"),
    [("bb96d49f68952935", "dbe69258ff22f942"), ("7c59e2126e6317e8", "f73d2cf175ce9104")],
    ids=["masked", "bind"],
)
def test_stronger_form_of_a_bonus_is_not_added_to_the_weaker_one(weak: str, strong: str) -> None:
    for key in (weak, strong):
        adds = [one for one in map(gift, READINGS[key]["gives"]) if any(give.kind == "add" for give in one.gives)]
        assert adds
        assert all(("alone", True) in one.needs for one in adds)


def test_creature_of_a_ritual_lives_only_after_the_ritual() -> None:
    assert "its health 0 marked" in READINGS["be691c556aaad449"]["gives"]
