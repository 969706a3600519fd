"""What a typed line means, for every front end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.plain.helpers import BO, HEIR, KARA, Quick, campaign

from tracker import games
from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.campaign.typed_commands import Begin, Change, Command, Meaning, Play, Word, complete, interpret
from tracker.games.api.errors import Refused

WORDS = {
    "undo": Word("undo the last thing"),
    "due": Word("do what is due"),
    "say": Word("write a line", "TEXT"),
    "journal": Word("the last lines", "30", True),
}
DACE = {"at": "party", "add": {"id": "dace", "name": "Dace"}}
ANA = {"at": "party", "add": {"id": "ana", "name": "Ana"}}


def player_of(folder: Path, *effects: dict[str, Any], game: str = "ironsworn") -> Player:
    return Player(Session.open(str(campaign(folder, *effects, game=games.get(game))), disk=Quick()))


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    """Kara and Bo, and a vow."""
    player = player_of(tmp_path, KARA, BO, HEIR)
    yield player
    player.session.close()


@pytest.fixture
def wanderer(tmp_path: Path) -> Iterator[Player]:
    player = player_of(tmp_path, DACE, ANA, game="wherever")
    yield player
    player.session.close()


def meaning(player: Player, line: str) -> Meaning:
    return interpret(player, line, WORDS)


def started(player: Player, line: str) -> str:
    found = meaning(player, line)
    assert isinstance(found, Begin)
    return found.action.start.procedure.rpartition("/")[2]


@pytest.mark.parametrize(("game", "who"), [("ironsworn", KARA), ("wherever", DACE), ("daggerheart", ANA)])
def test_examples_of_the_game_are_changes(tmp_path: Path, game: str, who: dict[str, Any]) -> None:
    player = player_of(tmp_path, who, game=game)
    for line in player.session.game.typed_examples.split(", "):
        assert isinstance(meaning(player, line), Change), line
    player.session.close()


class TestInterpret:
    @pytest.mark.parametrize(
        ("line", "effect"),
        [
            ("health -1", {"at": "kara.health", "by": -1}),
            ("  HEALTH   -1 ", {"at": "kara.health", "by": -1}),
            ("health 3", {"at": "kara.health", "by": -2}),
            ("set momentum -2", {"at": "kara.momentum", "by": -4}),
            ("momentum = -2", {"at": "kara.momentum", "by": -4}),
            ("momentum=-2", {"at": "kara.momentum", "by": -4}),
            ("set momentum = -2", {"at": "kara.momentum", "by": -4}),
            ("supply 0", {"at": "supply", "by": -5}),
            ("lost heir +4", {"at": "tracks.heir.ticks", "by": 4}),
            ("mark wounded", {"at": "kara.debilities", "add": {"id": "wounded"}}),
            ("Bo: health -1", {"at": "bo.health", "by": -1}),
            ("bo: mark wounded", {"at": "bo.debilities", "add": {"id": "wounded"}}),
        ],
    )
    def test_interpret_change_returns_its_effect(self, line: str, effect: dict[str, Any], player: Player) -> None:
        assert meaning(player, line) == Change(effect, "bo" if line.lower().startswith("bo:") else "kara")

    @pytest.mark.parametrize(
        ("line", "procedure"),
        [
            ("face danger", "face_danger"),
            ("danger", "face_danger"),
            ("mark progress", "mark"),
            ("oracle action", "ask_the_oracle"),
            ("action and theme", "ask_the_oracle"),
        ],
    )
    def test_interpret_name_returns_what_it_starts(self, line: str, procedure: str, player: Player) -> None:
        assert started(player, line) == procedure

    def test_interpret_stat_returns_a_roll_with_it(self, player: Player) -> None:
        found = meaning(player, "edge")
        assert isinstance(found, Begin)
        assert "edge" in dict(found.action.start.answers).values()

    def test_interpret_skill_returns_a_roll_with_it(self, wanderer: Player) -> None:
        found = meaning(wanderer, "stealth")
        assert isinstance(found, Begin)
        assert found.action.start.answers == (("skill", "stealth"),)

    def test_interpret_die_returns_the_steps_to_it(self, wanderer: Player) -> None:
        found = meaning(wanderer, "strength d10")
        assert isinstance(found, Change)
        wanderer.change(found.effect)
        assert wanderer.session.state["party"]["dace"]["strength"] == "d10"

    def test_interpret_printed_name_of_another_character_returns_that_ones_number(self, wanderer: Player) -> None:
        found = meaning(wanderer, "Ana: resolve -2")
        assert found == Change({"at": "ana.resolve", "by": -2}, "ana")

    @pytest.mark.parametrize(
        ("line", "found"),
        [
            ("undo", Command("undo", "")),
            ("UNDO", Command("undo", "")),
            ("owed", Command("due", "")),
            ("say I  wade in.", Command("say", "I  wade in.")),
            ("journal", Command("journal", "")),
            ("as bo", Play("bo")),
            ("Bo", Play("bo")),
        ],
    )
    def test_interpret_word_returns_it(self, line: str, found: Meaning, player: Player) -> None:
        assert meaning(player, line) == found

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("undo it", "Type undo alone."),
            ("helth -1", "No number is called “helth”; did you mean health?"),
            ("gold -1", "No number is called “gold”; the sheet names them."),
            ("health", "Change health by how much? Type, for example, health -1."),
            ("health 9", "health stays 5; it runs from 0 to 5."),
            ("health 5", "health is already 5."),
            ("hea -1", "“hea” could be health or heart: type more of it."),
            ("mark", "Mark what? Choose from: wounded,"),
            ("mark luck", "“luck” isn't on the sheet; choose from: wounded,"),
            ("clear wounded", "wounded is not marked."),
            ("as Tayla", "No character is called “Tayla”; choose from: Kara, Bo."),
            ("face dangre", "Unknown command “face dangre”; did you mean Face Danger?"),
            ("xyzzy", "Unknown command “xyzzy”; type help for a list."),
            ("99999", "Unknown command “99999”; type help for a list."),
        ],
    )
    def test_interpret_nothing_is_refused_with_the_way_out(self, line: str, why: str, player: Player) -> None:
        with pytest.raises(Refused) as refused:
            meaning(player, line)
        assert str(refused.value).startswith(why)
        assert len(player.session.log.entries) == 1

    def test_interpret_without_characters_makes_one(self, tmp_path: Path) -> None:
        player = player_of(tmp_path)
        assert started(player, "1") == "make"
        player.session.close()


class TestComplete:
    def lines(self, player: Player, prefix: str) -> list[str]:
        return [one.line for one in complete(player, prefix, WORDS)]

    def test_complete_prefix_returns_words_numbers_moves_and_tables(self, player: Player) -> None:
        assert self.lines(player, "und")[0] == "undo"
        assert "say " in self.lines(player, "sa")
        assert "health " in self.lines(player, "hea")
        assert "Face Danger" in self.lines(player, "face d")
        assert "mark wounded" in self.lines(player, "mark w")
        assert "as Bo" in self.lines(player, "as ")
        assert "Action" in self.lines(player, "acti")

    def test_complete_later_word_comes_after_the_lines_that_begin_with_it(self, player: Player) -> None:
        lines = self.lines(player, "dan")
        assert "Face Danger" in lines
        assert lines == sorted(lines, key=lambda line: not line.lower().startswith("dan"))

    def test_complete_marked_box_is_offered_to_clear(self, player: Player) -> None:
        player.change({"at": "kara.debilities", "add": {"id": "wounded"}})
        assert "clear wounded" in self.lines(player, "clear")
        assert "mark wounded" not in self.lines(player, "mark")

    def test_complete_after_a_name_is_of_that_character(self, player: Player) -> None:
        assert "Bo: health " in self.lines(player, "Bo: hea")

    def test_complete_lines_all_mean_something(self, player: Player) -> None:
        for line in self.lines(player, ""):
            if not line.endswith(" "):
                meaning(player, line)

    def test_complete_nothing_returns_nothing(self, player: Player) -> None:
        assert self.lines(player, "xyzzy") == []
