"""Seats: who shares a campaign. A campaign of one player has none, and its save does not mention them."""

from pathlib import Path

import pytest
from tests.campaign.playing import campaign, opened_state

from tracker import games
from tracker.campaign.fold import complete, fold, start, written
from tracker.games.api.game import Game
from tracker.games.common import seats

EVERY = [games.get(ident) for ident in ("ironsworn", "wherever", "daggerheart")]


@pytest.mark.parametrize("game", EVERY, ids=lambda game: game.id)
class TestSeats:
    def test_save_without_seats_does_not_mention_them(self, game: Game) -> None:
        state = start(game.top)
        assert state["seats"] == {}
        assert "seats" not in written(game.top, state)
        assert complete(game.top, written(game.top, state)) == state

    def test_changes_are_told_in_words(self, game: Game) -> None:
        state = start(game.top)
        sits = fold(game.top, state, seats.add("bob", "Bob", plays=["kara"]))
        assert game.changes(state, sits, "") == ["Bob joins as player"]
        assert seats.seats_of(sits, "kara") == ("bob",)
        other = fold(game.top, sits, seats.change(sits, "bob", name="Rob", role=seats.GM, key="abc", plays=["bo"]))
        assert game.changes(sits, other, "") == [
            "Bob is now called Rob",
            "Rob is GM now",
            "Rob no longer plays kara",
            "Rob plays bo",
        ]
        assert seats.change(other, "bob", name="Rob", plays=["bo"]) == []
        gone = fold(game.top, other, seats.remove("bob"))
        assert game.changes(other, gone, "") == ["Rob leaves the table"]
        assert "seats" not in written(game.top, gone)


def test_seats_are_in_the_save_while_there_are_any(tmp_path: Path) -> None:
    path = tmp_path / "tale.toml"
    with campaign(tmp_path) as table:
        table.do("change", seats.add("bob", "Bob"))
    assert b"[state.seats.bob]" in path.read_bytes()
    assert opened_state(path)["seats"]["bob"]["role"] == "player"


def test_save_of_one_player_does_not_mention_seats(tmp_path: Path) -> None:
    with campaign(tmp_path):
        pass
    assert b"seats" not in (tmp_path / "tale.toml").read_bytes()
