"""Weapons, armor and adversaries of a player's own: taken whole, and what is wrong is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games.daggerheart_table import campaign, play

from tracker.content.toml_reader import read

HEAD = 'game = "daggerheart"\n'
BOW = '[[weapon]]\nid = "bow"\nname = "Bone bow"\ntrait = "agility"\ndamage = "d6+3"\nrange = "far"\n'
HIDE = '[[armor]]\nid = "hide"\nname = "Wolf hide"\nmajor = 6\nsevere = 12\nscore = 3\nevasion = 1\n'
WOLF = (
    '[[adversary]]\nid = "wolf"\nname = "Ash wolf"\ntype = "skulk"\ndifficulty = 13\nmajor = 6\nsevere = 11\n'
    'hp = 4\nstress = 3\nattack = 2\ndamage = "d8+2"\nnote = "hates fire"\n'
)
RATS = '[[adversary]]\nid = "rats"\nname = "Rats"\ntype = "minion"\ndifficulty = 10\nminion = 3\ncount = 6\n'


def test_pieces_are_read_with_defaults_for_what_is_left_out() -> None:
    content = read([("mine.toml", (HEAD + BOW + HIDE + WOLF + RATS).encode())], "daggerheart")
    assert content.problems == ()
    assert content.pieces["weapon"]["bow"]["type"] == "physical"
    assert content.pieces["adversary"]["wolf"]["tier"] == 1
    assert content.pieces["adversary"]["rats"]["count"] == 6


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (BOW.replace("d6+3", "sharp"), 6, "damage is written like"),
        (BOW.replace('"agility"', '"luck"'), 5, "trait is agility, strength"),
        (BOW.replace('trait = "agility"\n', ""), 2, "trait is missing"),
        (BOW + "weight = 3\n", 8, "unknown key “weight”"),
        (HIDE.replace("severe = 12", "severe = 5"), 6, "severe can't be below major"),
        (HIDE.replace("score = 3", "score = 13"), 7, "score should be a whole number from 0 to 12"),
        (WOLF.replace("hp = 4", "hp = 0"), 9, "hp should be a whole number from 1 to 99"),
        (RATS.replace("minion = 3\n", ""), 2, "only minions have a number in minion"),
        (WOLF + WOLF, 15, "the adversary id wolf is already used"),
        ("[[spell]]\nid = 'x'\n", 2, "use [[table]], [[weapon]], [[armor]], [[adversary]] and [[encounter]]"),
        ("[weapon]\nid = 'x'\n", 2, "write [[weapon]] with two brackets"),
    ],
)
def test_invalid_piece_is_reported_with_its_line(text: str, line: int, why: str) -> None:
    [problem] = read([("mine.toml", (HEAD + text).encode())], "daggerheart").problems
    assert problem.startswith(f"mine.toml, line {line}: ")
    assert why in problem


def test_pieces_are_offered_at_the_table(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "mine.toml").write_text(HEAD + BOW + HIDE + WOLF)
    with campaign(tmp_path) as table:
        play(table, "sheet/weapon", **{"from": "bow"})
        play(table, "sheet/armor", **{"from": "own.hide"})
        for _ in range(2):
            play(table, "gm/adversary", **{"from": "wolf"})
        wren = table.state["party"]["wren"]
        assert wren["weapons"]["bone_bow"]["damage"] == "d6+3"
        assert (wren["armor_name"], wren["armor_base"]["severe"], wren["evasion"]) == ("Wolf hide", 12, 13)
        play(table, "sheet/armor", **{"from": "own.hide"})
        assert table.state["party"]["wren"]["evasion"] == 13
        play(table, "sheet/armor", name="Rags", major=1, severe=2, score=0)
        assert table.state["party"]["wren"]["evasion"] == 12
        wolf = table.state["adversaries"]["ash_wolf_2"]
        assert (wolf["name"], wolf["hp"], wolf["hp_max"], wolf["note"]) == ("Ash wolf", 0, 4, "hates fire")
        play(table, "gm/adversary", name="Fog")
        assert table.state["adversaries"]["fog"]["difficulty"] == 11


def test_new_character_may_take_pieces(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "mine.toml").write_text(HEAD + BOW + HIDE)
    made = {"how": "choose", "name": "Ash", "class": "rogue", "two": "finesse", "ones": ["agility", "instinct"]}
    made |= {"minus": "strength", "experience_1": "", "experience_2": "", "armor": "own.hide", "weapon_from": "bow"}
    with campaign(tmp_path) as table:
        play(table, "character/make", **made)
        ash = table.state["party"]["ash"]
        assert (ash["armor_name"], ash["evasion"], ash["weapons"]["bone_bow"]["place"]) == ("Wolf hide", 13, "primary")


def test_adversary_brings_its_resistances(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    tough = 'resist = "both"\nimmune = "magic"\nreduce = 2\n'
    (tmp_path / "content" / "mine.toml").write_text(HEAD + WOLF + tough)
    with campaign(tmp_path) as table:
        play(table, "gm/adversary", **{"from": "wolf"})
        wolf = table.state["adversaries"]["ash_wolf"]
        assert (set(wolf["resist"]), set(wolf["immune"])) == ({"physical", "magic"}, {"magic"})
        assert wolf["reduce"] == {"physical": 2, "magic": 2}
