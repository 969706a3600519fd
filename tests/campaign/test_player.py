"""The headless half of both front ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.plain.helpers import BO, KARA, Quick, campaign

from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.games import get
from tracker.games.api.errors import Refused
from tracker.games.api.view import Start


def player_of(folder: Path, *effects: dict[str, Any]) -> Player:
    return Player(Session.open(str(campaign(folder, *effects)), disk=Quick()))


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    """Kara and Bo are at the table."""
    player = player_of(tmp_path, KARA, BO)
    yield player
    player.session.close()


class TestActive:
    def test_active_character_is_first_of_party_at_first(self, player: Player) -> None:
        assert (player.active, player.name) == ("kara", "Kara")

    def test_active_character_is_who_acted_last(self, player: Player) -> None:
        player.session.write("I wade in.", "bo")
        assert Player(player.session).active == "bo"

    def test_active_character_who_was_undone_gives_way(self, player: Player) -> None:
        player.active = "bo"
        player.session.do("edit", [{"at": "party", "drop": "bo"}])
        player.find_active()
        assert player.active == "kara"

    def test_newcomer_becomes_active(self, player: Player) -> None:
        before = player.party
        player.welcome(before)
        assert player.active == "kara"
        player.session.do("edit", [{"at": "party", "add": {"id": "tayla", "name": "Tayla"}}])
        player.welcome(before)
        assert player.active == "tayla"

    def test_nobody_is_active_in_an_empty_party(self, tmp_path: Path) -> None:
        player = player_of(tmp_path)
        assert (player.active, player.name, player.bare_rolls(), player.next_due()) == ("", "", (), ("", ()))
        with pytest.raises(Refused, match="Make a character first"):
            player.start(Start("adventure/face_danger"))
        player.session.close()


class TestStart:
    def test_move_is_of_active_character(self, player: Player) -> None:
        player.active = "bo"
        assert player.start(Start("adventure/face_danger")).who == "bo"
        assert player.start(Start("adventure/face_danger"), "kara").who == "kara"

    def test_move_that_needs_no_character_is_of_nobody(self, player: Player) -> None:
        assert player.start(Start("story/scene")).who == ""

    def test_daggerheart_rest_is_of_nobody(self, tmp_path: Path) -> None:
        path = campaign(tmp_path, {"at": "party", "add": {"id": "ana", "name": "Ana"}}, game=get("daggerheart"))
        player = Player(Session.open(str(path), disk=Quick()))
        rest = next(roll for roll in player.bare_rolls() if roll.key == "z")
        assert player.start(rest.start).who == ""
        player.session.close()

    def test_open_roll_makes_busy_and_is_due(self, player: Player) -> None:
        run = player.start(Start("adventure/face_danger", (("using", "iron"),)))
        player.session.rolled(run, {"action": 1, "challenge": [9, 10]})
        assert player.busy
        who, due = player.next_due()
        assert (who, due[0].run) == ("kara", run.opened)
        assert player.start_due(who, due[0]).opened == run.opened

    def test_due_item_of_another_character_comes_after_those_of_the_active_one(self, player: Player) -> None:
        player.session.do("edit", [{"at": f"{who}.owed.pay_the_price", "by": 1} for who in ("kara", "bo")])
        assert [who for who, _ in player.due()] == ["kara", "bo"]
        player.active = "bo"
        assert [who for who, _ in player.due()] == ["bo", "kara"]
        assert player.start_due(*_first_due(player, "kara")).who == "kara"
        assert player.active == "bo"

    def test_character_that_was_left_is_made_further(self, player: Player) -> None:
        run = player.make_character()
        run.answer("choose")
        player.session.leave(run)
        assert player.make_character().opened == run.opened

    def test_repeat_last_is_none_before_any_roll(self, player: Player) -> None:
        assert player.repeat_last() is None


def _first_due(player: Player, who: str) -> tuple[str, Any]:
    return who, dict(player.due())[who][0]


class TestChange:
    def test_change_is_an_entry_of_active_character(self, player: Player) -> None:
        entry = player.change({"at": "kara.health", "by": -1})
        assert (entry["did"], entry["who"]) == ("change", "kara")

    def test_change_that_changes_nothing_is_refused_with_the_reason(self, player: Player) -> None:
        with pytest.raises(Refused, match="health stays 5; it runs from 0 to 5"):
            player.change({"at": "kara.health", "by": 1})
        assert len(player.session.log.entries) == 1

    def test_change_by_more_than_the_whole_range_is_refused(self, player: Player) -> None:
        with pytest.raises(Refused, match="health stays 5; it runs from 0 to 5"):
            player.change({"at": "kara.health", "by": -99})
        player.change({"at": "kara.health", "by": -5})
        assert player.session.state["party"]["kara"]["health"] == 0

    def test_move_due_from_a_price_comes_before_the_next_price(self, player: Player) -> None:
        for move in ("pay_the_price", "pay_the_price", "endure_harm_2"):
            player.session.do("edit", [{"at": f"kara.owed.{move}", "by": 1}])
        _, due = player.next_due()
        assert [item.label for item in due] == ["Endure Harm (2)", "Pay the Price", "Pay the Price"]

    def test_set_number_is_a_change_by_the_difference_and_triggers_what_a_loss_does(self, player: Player) -> None:
        player.session.do("edit", [{"at": "kara.momentum", "to": -2}])
        assert player.set_number("kara.momentum", -6) == {"at": "kara.momentum", "by": -4}
        player.change(player.set_number("supply", 0))
        assert all("unprepared" in who["debilities"] for who in player.session.state["party"].values())

    @pytest.mark.parametrize(
        ("value", "why"),
        [(5, "health is already 5."), (6, "health stays 5; it runs from 0 to 5."), (-1, "it runs from 0 to 5")],
    )
    def test_set_number_that_cannot_be_is_refused(self, value: int, why: str, player: Player) -> None:
        with pytest.raises(Refused, match=why):
            player.set_number("kara.health", value)

    def test_change_for_another_character_is_an_entry_of_that_one(self, player: Player) -> None:
        assert player.change({"at": "bo.health", "by": -1}, "bo")["who"] == "bo"

    def test_dice_change_is_of_nobody(self, player: Player) -> None:
        assert not player.types_dice
        entry = player.change_dice()
        assert entry
        assert "who" not in entry
        assert player.types_dice

    def test_dice_are_the_usual_ones_where_campaign_says_nothing(self, player: Player) -> None:
        assert Player(player.session, "typed").types_dice


class TestUndo:
    def test_undo_and_redo_tell_what_they_were_about(self, player: Player) -> None:
        player.change({"at": "kara.health", "by": -1})
        assert player.undo() == "Undone for Kara: health 5 → 4"
        assert player.redo() == "Redone for Kara: health 5 → 4"
        assert player.redo() == ""

    def test_undo_tells_nothing_when_nothing_is_left(self, player: Player) -> None:
        assert player.undo()
        assert player.undo() == ""
