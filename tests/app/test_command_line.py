"""The command line over the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR))


async def command(player: Player, line: str) -> None:
    await player.press(":")
    assert player.screen == "CommandScreen"
    await player.type(line)
    await player.press("enter")


def test_number_changes_by_its_name(vale: Path) -> None:
    async def act(player: Player) -> None:
        await command(player, "health -1")
        assert player.kara["health"] == 4
        assert player.notice == "health 5 → 4"
        await command(player, "Tayla: health -2")
        assert player.session.state["party"]["tayla"]["health"] == 3

    play(vale, act)


def test_flag_word_and_move_do_what_they_say(vale: Path) -> None:
    async def act(player: Player) -> None:
        await command(player, "mark wounded")
        assert "wounded" in player.kara["debilities"]
        await command(player, "undo")
        assert "wounded" not in player.kara["debilities"]
        await command(player, "as Tayla")
        assert player.table.player.active == "tayla"
        await command(player, "say Rain.")
        assert player.entries()[-1]["text"] == "Rain."
        await command(player, "face danger")
        assert player.screen == "Dialog"

    play(vale, act)


def test_unknown_command_keeps_the_line_and_says_why_until_it_changes(vale: Path) -> None:
    async def act(player: Player) -> None:
        await command(player, "helth -1")
        assert player.screen == "CommandScreen"
        assert "did you mean" in player.text
        await player.press("backspace")
        assert "did you mean" not in player.text
        await player.press("escape")
        assert player.screen == "TableScreen"

    play(vale, act)


def test_answer_of_the_oracle_is_saved_by_escape_too(vale: Path) -> None:
    async def act(player: Player) -> None:
        await command(player, "oracle likely")
        while "YES" not in player.text and "NO " not in player.text:
            await player.press("enter")
        assert "▐Esc Save▌" in player.text
        await player.press("escape")
        assert not list(player.session.log.open_runs())
        assert player.entries()[-1]["facts"]["answer"] in {"yes", "no"}

    play(vale, act)


def test_tab_completes(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press(":", *"mark wou", "tab", "enter")
        assert "wounded" in player.kara["debilities"]

    play(vale, act)


def test_table_shows_what_a_typed_move_has_changed(vale: Path) -> None:
    async def act(player: Player) -> None:
        await command(player, "endure harm")
        while player.screen == "Dialog":
            await player.press("enter")
        assert player.kara["health"] < 5
        assert "No roll yet." not in player.text
        assert "health    ● ● ● ● ●" not in player.text

    play(vale, act)
