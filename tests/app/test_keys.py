"""The help screen: all keys of the screen below it."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn
from textual import events

from tracker.app.keymap import display
from tracker.app.widgets.options import OptionPicker


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


def test_key_is_shown_as_it_is_typed() -> None:
    shown = {"asterisk": "*", "low_line": "_", "f5": "F5", "ctrl+r": "^r", "escape": "Esc"}
    assert {key: display(key) for key in shown} == shown


@pytest.mark.parametrize("way", [(), ("r",), ("b",), ("p",), ("m",)])
def test_every_key_is_listed_once_with_its_whole_sentence(vale: Path, way: tuple[str, ...]) -> None:
    async def act(player: Player) -> None:
        await player.press(*way, "?")
        rows = player.app.screen.query_one(OptionPicker).data
        keys = Counter(row.key.strip() for row in rows if row.key.strip() and not str(row.value).startswith("row:"))
        assert [key for key, many in keys.items() if many > 1] == []
        for _ in rows:
            assert "…" not in player.text.partition("Keys: ")[2]
            await player.press("down")

    play(vale, act, size=(80, 24))


@pytest.mark.parametrize("way", [(), ("r",), ("j", "x"), ("b",), ("m",), ("?",)])
def test_f1_shows_the_credits_on_every_screen(vale: Path, way: tuple[str, ...]) -> None:
    async def act(player: Player) -> None:
        await player.press(*way)
        before = player.screen
        await player.press("f1")
        assert player.screen == "NoticeScreen"
        await player.press("f1")
        assert player.screen == before

    play(vale, act)


def test_belongings_list_the_actions_that_add_to_them(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("b", "?")
        rows = player.app.screen.query_one(OptionPicker).data
        assert {"n", "w"} <= {row.key.strip() for row in rows if not row.heading}

    play(vale, act)


class TestScreenWithoutWidgets:
    """A dialog that opens by itself, as in a campaign without characters: a key may come before its widgets exist."""

    def test_keys_wait_for_the_widgets(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.table.action_character()
            dialog, waits = player.app.screen, asyncio.ensure_future(player.app.wait_until_ready())
            assert not dialog.is_mounted
            await waits
            assert dialog.is_mounted

        play(vale, act)

    def test_only_quit_keys_work_without_widgets(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.table.action_character()
            assert not player.app.screen.is_mounted
            assert not player.app.accepts_key(events.Key("enter", None))
            assert player.app.accepts_key(events.Key("ctrl+q", None))

        play(vale, act)

    def test_screen_without_widgets_can_be_covered(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.table.action_character()
            assert not player.app.screen.is_mounted
            player.app.action_about()
            await player.sees("About")
            assert player.screen == "NoticeScreen"

        play(vale, act)


def test_long_text_scrolls_to_its_end_and_back(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("f1", "home")
        top = player.text
        await player.press("end")
        assert player.text != top
        bottom = player.text
        await player.press("pageup", "home")
        assert player.text == top
        await player.press("pagedown", "end")
        assert player.text == bottom

    play(vale, act, size=(80, 24))
