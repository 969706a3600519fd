"""The oracle in the middle of a move, and a match on the card."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn

from tracker import games
from tracker.dice import ScriptedDice


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


async def face_danger(player: Player, *challenge: int) -> None:
    player.app.dice = ScriptedDice({"action": 6, "challenge": list(challenge), "oracle": 40})
    await player.press("m", *"face danger", "enter", "e")


def test_match_is_celebrated_and_offers_the_oracle_with_one_key(vale: Path) -> None:
    async def act(player: Player) -> None:
        await face_danger(player, 4, 4)
        assert "★ MATCH ★" in player.text
        assert "▐o Ask the Oracle▌" in player.text
        await player.press("o", "3")
        assert player.screen == "Dialog"
        await player.press("enter")
        assert player.screen == "Dialog", player.text
        assert "★ MATCH ★" in player.text
        await player.press("enter")
        assert player.screen == "TableScreen"
        assert [entry["did"] for entry in player.entries() if not entry.get("open")][-2:] == [
            "fate/ask_the_oracle",
            "adventure/face_danger",
        ]
        assert player.kara["momentum"] == 3

    play(vale, act)


def test_roll_without_match_has_the_key_and_no_banner(vale: Path) -> None:
    async def act(player: Player) -> None:
        await face_danger(player, 4, 5)
        assert "MATCH" not in player.text
        assert "▐o Ask" not in player.text
        await player.press("o")
        assert player.screen == "OracleScreen"
        await player.press("escape")
        assert player.screen == "Dialog"

    play(vale, act)


def test_oracle_is_asked_while_a_roll_is_unfinished(vale: Path) -> None:
    async def act(player: Player) -> None:
        await face_danger(player, 4, 5)
        await player.press("escape")
        assert player.screen == "TableScreen"
        asks = next(action for action in player.table.view.actions() if action.opens == "oracle")
        assert asks.reason == ""
        await player.press("o", "3", "enter", "x", "enter")
        assert player.kara["momentum"] == 3

    play(vale, act)


@pytest.mark.parametrize(
    ("size", "buttons"),
    [
        ((80, 24), "▐o Ask the Oracle▌ ▐n Write▌ ▐Esc Later, dice are kept▌"),
        ((60, 18), "▐o Ask the Oracle▌ ▐n Write▌ ▐Esc Later▌ "),
    ],
)
def test_buttons_that_do_not_fit_are_shortened_and_never_cut(vale: Path, size: tuple[int, int], buttons: str) -> None:
    async def act(player: Player) -> None:
        await face_danger(player, 4, 4)
        assert buttons in player.text

    play(vale, act, size=size)


def test_label_of_escape_is_shortened_before_a_button_is_left_out(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("o", "3")
        assert "▐n Write▌ ▐r Repeat▌ ▐Esc Save▌ " in player.text

    play(vale, act, size=(62, 18))


@pytest.mark.parametrize("game", ["wherever", "daggerheart"])
def test_every_game_lets_fate_be_asked_beside_a_roll(game: str) -> None:
    ask = games.get(game).moves["fate/ask"]
    assert ask.beside or ask.solo
