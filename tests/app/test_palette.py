"""Everything there is can be reached from the palette, by typing its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, bindings, campaign, in_party, play, sworn

from tracker.app.app import TrackerApp
from tracker.app.screens.campaigns.screen import CampaignsScreen
from tracker.app.screens.keys import key_label
from tracker.app.screens.palette import PaletteScreen
from tracker.app.screens.table.screen import TableScreen
from tracker.app.widgets.options import OptionPicker, Row
from tracker.games.ironsworn import GAME

BY_KEY_ALONE = {"keys", "palette", "quit.too", "harm", "rest", "gm"}


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR))


def offered(player: Player) -> dict[str, Row]:
    assert isinstance(player.app.screen, PaletteScreen)
    return {row.label: row for row in player.app.screen.choices.rows if not row.heading}


def test_palette_lists_every_key_move_track_theme_and_character(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p")
        rows = offered(player)
        for binding in bindings(TableScreen, TrackerApp):
            assert binding.id
            by_key_alone = binding.id.split(".")[0] in {"beside", "speak"} or binding.id in BY_KEY_ALONE
            if not by_key_alone and player.table.check_action(binding.action, ()) is not False:
                assert key_label(player.table, binding) in rows, binding.id
        for move in GAME.moves.values():
            assert move.name in rows
        for oracle in player.session.content().oracles.values():
            assert f"Oracle: {oracle.name}" in rows
        for question in GAME.oracles().questions:
            assert f"Ask: {question.label}" in rows
        for name in ("Kara", "Tayla", HEIR["name"], *(f"Theme {theme}" for theme in player.app.available_themes)):
            assert name in rows

    play(vale, act)


def test_palette_lists_every_key_of_the_campaign_list(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p")
        rows = offered(player)
        listing = player.app.screen_stack[0]
        for binding in bindings(CampaignsScreen):
            if listing.check_action(binding.action, ()) and binding.action != "keys":
                assert binding.description in rows, binding.id

    play(vale.parent, act)


def test_disabled_command_says_why(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p")
        rows = offered(player)
        assert rows["Strike"].reason
        assert not rows["Face Danger"].reason

    play(vale, act)


def test_moves_without_a_character_say_so(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("escape", "ctrl+p")
        rows = offered(player)
        assert rows["Face Danger"].reason == "make a character first"
        await player.press(*"character", "enter")
        assert player.screen == "Dialog"

    play(campaign(tmp_path), act)


@pytest.mark.parametrize(
    ("typed", "then"),
    [
        ("Face Danger", "Dialog"),
        (HEIR["name"], "ListScreen"),
        ("Redo", "TableScreen"),
        ("Ask: likely", "Dialog"),
        ("Oracle: Mystic backlash", "Dialog"),
        ("About", "NoticeScreen"),
        ("Campaigns", "CampaignsScreen"),
        ("Belongings", "BelongingsScreen"),
    ],
)
def test_enter_runs_the_command(vale: Path, typed: str, then: str) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p", *("space" if key == " " else key for key in typed))
        row = player.app.screen.query_one(OptionPicker).row
        assert row is not None
        assert row.label.startswith(typed)
        await player.press("enter")
        await player.until(lambda: player.screen == then)

    play(vale, act)


def test_one_key_clears_the_filter(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p", *"theme", "ctrl+u", *"redo")
        assert "/ redo" in player.text

    play(vale, act)


def test_settings_say_what_can_be_set_and_in_which_file(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p", *"settings", "enter")
        await player.sees("Your settings are lines in config.toml")
        await player.sees('theme = "vellum"')
        await player.press("escape")

    play(vale, act)


def test_theme_command_rolls_on_no_table(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p", *"theme", "down", "enter")
        assert player.screen == "TableScreen"
        assert player.app.theme == "vellum"

    play(vale, act)


def test_palette_opens_over_a_dialog_and_the_same_key_closes_it(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m", "1", "ctrl+p")
        assert player.screen == "PaletteScreen"
        await player.press("ctrl+p")
        assert player.screen == "Dialog"

    play(vale, act)


def test_hostile_names_are_shown_as_they_are(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("ctrl+p", *"oops")
        assert "[/oops] [b]x" in player.text

    play(campaign(tmp_path, *in_party(KARA), *sworn({**HEIR, "name": "[/oops] [b]x"})), act)
