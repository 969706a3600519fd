"""Colours, dice and keys of a player's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn

from tracker import settings
from tracker.app.keymap import is_key
from tracker.app.widgets.options import OptionPicker
from tracker.settings import Settings


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


def config(folder: Path, text: str) -> Settings:
    path = folder / "config.toml.d"
    path.write_text(text, encoding="utf-8")
    return settings.read(str(path))


def test_own_keys_work_and_are_shown(vale: Path) -> None:
    async def act(player: Player) -> None:
        assert "k Move" in player.text
        assert "Y Undo" in player.text
        await player.press("m")
        assert player.screen == "TableScreen"
        await player.press("k")
        assert player.screen == "ListScreen"
        await player.press("escape", "plus", "Y")
        assert "Undone" in player.notice
        await player.press("?")
        assert "     k Move" in player.text
        await player.press("escape", "ctrl+p")
        rows = player.app.screen.query_one(OptionPicker).data
        assert {row.label: row.note for row in rows if row.label in {"Move", "Undo"}} == {"Move": "k", "Undo": "Y"}

    play(vale, act, settings=config(vale.parent, '[keys]\nmove = "k"\nundo = "Y"\n'))


def test_two_keys_can_be_swapped(vale: Path) -> None:
    async def act(player: Player) -> None:
        assert player.screen == "TableScreen"
        await player.press("j")
        assert player.screen == "ListScreen"

    play(vale, act, settings=config(vale.parent, '[keys]\nmove = "j"\njournal = "m"\n'))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[keys]\nmoove = "z"\n', "line 2: no command is called “moove”"),
        ('[keys]\nmove = "hello"\n', "line 2: “hello” is not a key"),
        ('[keys]\nmove = ""\n', "line 2: “” is not a key"),
        ('[keys]\nmove = "u"\n', "line 2: u is already “Undo”"),
        ('[keys]\n\nroll = "Z"\noracle = "Z"\n', "line 4: Z is already “Roll”"),
        ('[keys]\nmove = "ctrl+p"\n', "line 2: ^p is already “Palette”"),
        ('[keys]\nmove = "enter"\n', "line 2: Enter is already “Select”"),
        ('[keys]\nquit = "Q"\n', "“quit” works while typing"),
        ('theme = "mauve"\n', "line 1: no theme is called “mauve”"),
        ("theme = \n", "line 1"),
        ('dice = "loaded"\n', "dice should be “rolled” or “typed”"),
    ],
)
def test_invalid_key_is_named_at_the_start_and_ignored(vale: Path, text: str, told: str) -> None:
    async def act(player: Player) -> None:
        assert "Your settings" in player.text
        assert told in " ".join(player.text.replace("│", " ").split())
        await player.press("enter", "m")
        assert player.screen == "ListScreen"

    play(vale, act, settings=config(vale.parent, text), size=(120, 40))


def test_every_invalid_key_is_named(vale: Path) -> None:
    async def act(player: Player) -> None:
        for words in ("“mauve”", "“moove”", "“colour”", "“loaded”"):
            assert words in player.text

    text = 'theme = "mauve"\ncolour = 1\ndice = "loaded"\n[keys]\nmoove = "z"\n'
    play(vale, act, settings=config(vale.parent, text))


def test_first_character_is_asked_for_after_the_problems(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        assert player.screen == "NoticeScreen"
        await player.press("enter")
        assert player.screen == "Dialog"

    path = campaign(tmp_path)
    play(path, act, settings=config(tmp_path, "colour = 1\n"))


def test_theme_is_used_in_the_first_frame_and_a_new_one_is_saved(vale: Path) -> None:
    own = config(vale.parent, '# mine\ntheme = "vellum" # light\n')

    async def act(player: Player) -> None:
        assert player.app.theme == "vellum"
        assert player.app.has_class("-light-mode")
        await player.press("ctrl+p", *"theme ansi-dark", "enter")
        await player.until(lambda: player.app.theme == "ansi-dark")

    play(vale, act, settings=own)
    assert Path(own.path).read_text() == '# mine\ntheme = "ansi-dark" # light\n'


def test_theme_that_cannot_be_saved_is_told(vale: Path) -> None:
    async def act(player: Player) -> None:
        player.app.theme = "vellum"
        await player.rest()
        assert player.notice.startswith("Theme not saved")

    play(vale, act, settings=Settings(path=str(vale / "config.toml")))


@pytest.mark.part(2)  # dark, of the terminal, and of Textual
@pytest.mark.parametrize("theme", ["hearth", "vellum", "ansi-dark", "ansi-light", "textual-light", "nord"])
def test_every_theme_draws_the_table(vale: Path, theme: str) -> None:
    async def act(player: Player) -> None:
        assert player.app.theme == theme
        assert "Find the lost heir" in player.text
        await player.press("m", "escape", "?", "escape", "ctrl+p", "escape", "q")
        assert player.screen == "CampaignsScreen"

    play(vale, act, settings=Settings(theme=theme))


def test_typed_dice_can_be_the_default(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r")
        assert "real dice" in player.text

    play(vale, act, settings=Settings(dice="typed"))


@pytest.mark.parametrize("key", ["a", "A", "?", "f5", "ctrl+a", "shift+tab", "alt+x", "question_mark", "pageup", "é"])
def test_valid_keys_are_accepted(key: str) -> None:
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "hello", "ctrl+", "control+a", "ctrl+hello"])
def test_invalid_keys_are_refused(key: str) -> None:
    assert not is_key(key)


def test_notices_and_buttons_name_own_keys(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("f6")
        assert "f6" in player.notice.lower()
        assert "Z Roll" in player.text
        assert "M1 " in player.text
        await player.press("Z", "e")
        assert "# Write" in player.text
        await player.press("escape")
        assert "K resumes it" in player.notice
        assert "finish your roll: K" in [action.reason for action in player.table.view.actions()]
        await player.press("f8", *"Mud", "escape")
        assert player.notice == "Draft kept: F8 continues it."
        await player.press("K", "enter", "Z", "f9")
        await player.sees("F9 switches back")

    own = '[keys]\nfold = "f6"\nroll = "Z"\nmove = "M"\nowed = "K"\njournal = "f8"\n'
    own += '"dialog.note" = "number_sign"\n"dialog.dice" = "f9"\n'
    play(vale, act, size=(120, 40), settings=config(vale.parent, own))


def test_campaign_list_names_own_keys(vale: Path) -> None:
    vale.write_bytes(vale.read_bytes().replace(b"entries =", b"entries"))

    async def act(player: Player) -> None:
        await player.sees("damaged: F6 recovers it")
        await player.sees("F6 recovers every intact entry into a new campaign")

    play(vale.parent, act, settings=config(vale.parent, '[keys]\n"campaigns.recover" = "f6"\n'))


def test_empty_table_names_the_own_key(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("escape")
        assert "K makes one." in player.text
        await player.press("o")
        assert player.notice == "No character yet: K makes one."

    save = campaign(tmp_path)
    play(save, act, settings=config(tmp_path, '[keys]\ncharacter = "K"\n'))
