"""The line of the journal: it wraps, grows and takes several paragraphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import KARA, Player, campaign, in_party, play
from textual.geometry import Region

LONG = "We follow the Run by night, and Brak goes ahead and comes back, and goes ahead again."


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_long_text_wraps_and_the_line_grows(vale: Path, size: tuple[int, int]) -> None:
    async def act(player: Player) -> None:
        await player.press("j")
        line: Any = player.table.query_one("#write")
        assert line.size.height == 1
        await player.type(LONG)
        await player.settle()
        assert line.size.height > 1
        for word in ("follow", "Brak", "again."):
            assert word in player.text
        await player.press("enter")
        assert player.entries()[-1]["text"] == LONG

    play(vale, act, size=size)


def test_line_takes_several_paragraphs_and_edits_between_them(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("j", *"Rain", "ctrl+j", *"Mud", "up", "home", *"Cold ", "enter")
        assert player.entries()[-1]["text"] == "Cold Rain\nMud"

    play(vale, act)


def test_control_characters_are_shown_as_signs(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("j")
        await player.type("a\x1b[31mred")
        assert "\x1b" not in player.text
        assert "red" in player.text

    play(vale, act)


def test_line_that_is_painted_after_its_removal_is_blank(vale: Path) -> None:
    """Textual keeps a removed widget on the screen's map until the next layout, and a timer may paint in between."""

    async def act(player: Player) -> None:
        await player.press("j", *"Rain")
        line: Any = player.table.query_one("#write")
        await player.press("enter")
        strips = line.render_lines(Region(0, 0, 10, 2))
        assert [strip.text for strip in strips] == [" " * 10] * 2

    play(vale, act)
