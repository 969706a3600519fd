"""Packs in the app: chosen in the palette, credited in About, missed without harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.helpers import KARA, Player, campaign, in_party, play
from tests.app.test_goldens import compare
from tests.content.small_packs import data, fen

from tracker.content import packs
from tracker.content.datasworn import read


@pytest.fixture
def vale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign on a computer on which the fen is installed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    packs.add(read(data(fen())), data(fen()))
    return campaign(tmp_path, *in_party(KARA))


def typed(text: str) -> list[str]:
    """Return the keys that type this text into a filter."""
    return ["space" if char == " " else char for char in text]


async def choose(player: Player) -> None:
    """Choose the only pack, from the palette."""
    await player.press("ctrl+p", *typed("packs of"), "enter")
    await player.sees("Which pack?")
    await player.press("enter")
    await player.settle()


def test_pack_chosen_in_the_palette_brings_its_tables_and_is_undone(vale: Path) -> None:
    async def act(player: Player) -> None:
        await choose(player)
        assert [*player.session.state["packs"]] == ["fen"]
        await player.press("ctrl+p", *"o", "m", "e", "n")
        await player.sees("Omen")
        await player.press("escape", "escape", "u")
        assert [*player.session.state["packs"]] == []

    play(vale, act)


def test_about_credits_the_packs_of_the_campaign(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("f1")
        assert "Ada Reed" not in player.text
        await player.press("f1")
        await choose(player)
        await player.press("f1")
        assert any("The Fen by Ada Reed, Bo Marsh" in line for line in player.session.credits())
        await player.sees("Ada Reed")

    play(vale, act)


def test_missing_pack_is_told_after_the_table_is_shown(vale: Path) -> None:
    async def use(player: Player) -> None:
        await choose(player)

    async def miss(player: Player) -> None:
        told = "“The Fen” isn't installed; o shows how to get it."
        await player.until(lambda: told in player.notice)

    play(vale, use)
    packs.remove("fen")
    play(vale, miss)


def test_new_campaign_uses_the_packs_that_are_marked(vale: Path, request: pytest.FixtureRequest) -> None:
    async def act(player: Player) -> None:
        await player.press("n", "1", *"Weald", "enter", "1")
        compare("new-packs-80x24", player.text, request)
        await player.press("b")
        assert [*player.session.state["packs"]] == ["fen"]
        await player.press("escape", "u")
        assert not player.session.state["packs"]

    folder = vale.parent / "saves"
    folder.mkdir()
    play(folder, act)


@pytest.mark.parametrize(("keys", "used"), [(("1", "1", "b"), False), (("enter",), False), (("1", "escape"), None)])
def test_new_campaign_can_begin_without_packs_or_not_at_all(
    vale: Path, keys: tuple[str, ...], used: bool | None
) -> None:
    async def act(player: Player) -> None:
        await player.press("n", "1", *"Weald", "enter", *keys)
        if used is None:
            assert player.screen == "CampaignsScreen"
            assert not (vale.parent / "Weald.toml").exists()
        else:
            assert bool(player.session.state["packs"]) is used

    play(vale.parent, act)


def test_choice_of_the_game_tells_how_to_get_official_content(vale: Path) -> None:
    command = "npm:@datasworn/ironsworn-classic"

    async def act(player: Player) -> None:
        await player.press("n")
        assert command not in player.text, "there is a pack"
        await player.press("escape")
        packs.remove("fen")
        await player.press("n")
        assert command in player.text
        await player.press("down")
        assert command not in player.text, "another game"

    play(vale.parent, act)


def test_list_of_tables_tells_how_to_get_official_content(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("o", "end")
        await player.sees("npm:@datasworn/ironsworn-classic`")
        assert "Ctrl+P finds" in player.text

    play(vale, act)
