"""What is under a dialog shows through, dimmed and up to date."""

from __future__ import annotations

from pathlib import Path

from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn
from textual.renderables.background_screen import BackgroundScreen
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, visualize

from tracker.app.screens.keys import KeysScreen
from tracker.app.textual_private import Dimmed


def test_dimmed_screen_equals_the_one_of_textual(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m")
        modal, (width, height) = player.app.screen, player.app.size
        color = modal.styles.background
        options = RenderOptions(modal._get_style, modal.styles)  # type: ignore[arg-type]  # as Textual calls it
        theirs = visualize(modal, BackgroundScreen(player.table, color))
        pictures = [
            [Strip(strip).simplify() for strip in visual.render_strips(width, height, Style.null(), options)]
            for visual in (theirs, Dimmed(player.table, color))
        ]
        assert pictures[0] == pictures[1]

    play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act, size=(120, 40))


def test_second_enter_on_its_way_closes_no_other_dialog(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r")
        below = player.app.screen
        await player.press("?")
        keys = player.app.screen
        assert isinstance(keys, KeysScreen)
        keys.on_option_picker_picked()
        keys.on_option_picker_picked()
        await player.rest()
        assert player.app.screen is below

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_dialog_that_ends_below_another_closes_both(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r")
        below = player.app.screen
        await player.press("?")
        assert player.app.screen is not below
        below.dismiss(None)
        await player.rest()
        assert player.app.screen is player.table

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_change_below_a_dialog_is_shown_at_once(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r")
        assert "The ford is cold." not in player.text
        player.session.write("The ford is cold.", "kara")
        player.table.show()
        await player.sees("The ford is cold.")
        await player.press("down", "up")
        assert "The ford is cold." in player.text
        await player.press("?")
        assert "The ford is cold." in player.text
        player.session.undo()
        player.session.write("It is deep, too.", "kara")
        player.table.show()
        await player.sees("It is deep, too.")

    play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act, size=(200, 50))
