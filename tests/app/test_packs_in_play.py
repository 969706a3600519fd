"""A pack at the table: its tables, texts, foes and truths by keys, and what is left without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import KARA, TAYLA, Player, campaign, in_party, play
from tests.app.test_goldens import compare
from tests.content.small_packs import data, fen
from tests.hostile import HOSTILE

from tracker.app.screens.pack_page import ReaderScreen
from tracker.content import packs
from tracker.content.datasworn import read
from tracker.dice import ScriptedDice
from tracker.games.ironsworn.moves import MOVES


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def installed(pack: dict[str, Any]) -> dict[str, Any]:
    """Install a pack, and return the effect with which a campaign takes it."""
    written = data(pack)
    made = packs.add(read(written, MOVES), written)[0]
    return {"at": "packs", "add": {"id": made.id, "version": made.version, "sha": made.sha, "title": made.title}}


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA, TAYLA), installed(fen(ident="classic")))


async def packs_are_read(player: Player) -> None:
    await player.until(lambda: bool(player.session.content().texts))


def rolls(player: Player, **faces: int) -> None:
    player.app.dice = ScriptedDice({**faces})


Golden = Callable[[str, str], None]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a whole screen with its golden."""
    return lambda name, text: compare(name, text, request)


OMEN, DEPTH = "classic/bog/omen", "classic/bog/depth"


class TestOracle:
    def test_tables_are_grouped_under_the_source_and_rolled(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("o", *"omen")
            assert "Omen" in player.text
            assert "The Fen" in player.text
            player.app.dice = ScriptedDice({OMEN: 50, DEPTH: 3})
            await player.press("enter")
            assert "Omen: See Depth; Depth: Knee" in player.text
            await player.press("enter")
            facts = player.entries()[-1]["facts"]
            assert (facts["faces"], facts["sides"], facts["named"]) == ([50, 3], [100, 20], ["Omen", "Depth"])
            await player.sees("Omen: See Depth; Depth: Knee")

        play(save, act, size=(120, 40))

    def test_groups_open_one_in_the_other(self, save: Path, golden: Golden) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("o", "end")
            assert "+ The Fen" in player.text
            await player.press("enter", "end", "enter")
            golden("oracle-packs-80x24", player.text)

        play(save, act)

    def test_found_table_says_the_innermost_group_first(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("o", *"last")
            assert "Fen Names · Bog" in player.text

        play(save, act, size=(120, 40))

    def test_offered_roll_is_made_by_its_key(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            player.app.dice = ScriptedDice({DEPTH: 7, OMEN: 1})
            await player.press("o", *"depth", "enter")
            assert "Roll Omen too" in player.text
            await player.press("1")
            assert "Depth: Chest; Omen: A light (Where: far off)" in player.text
            await player.press("enter")
            assert player.screen == "TableScreen"

        play(save, act)

    def test_real_dice_of_other_sides_are_checked(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("d", "o", *"depth", "enter")
            assert "d20" in player.text
            await player.press(*"21", "enter")
            assert "goes from 1 to 20, not 21" in player.text
            await player.press("ctrl+u", *"6", "enter")
            assert "Depth: Knee" in player.text

        play(save, act)

    def test_table_is_read_and_its_links_are_followed(self, save: Path, golden: Golden) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("o", *"omen", "f2")
            assert player.screen == "ReaderScreen"
            golden("reader-table-80x24", player.text)
            await player.press("1")
            assert "You choose" in player.text
            await player.press("escape")
            assert "What the bog shows." in player.text
            await player.press("escape")
            assert player.screen == "OracleScreen"

        play(save, act)


class TestTexts:
    def test_picker_opens_the_whole_text(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("m", *"face d", "f2")
            assert player.screen == "ReaderScreen"
            assert "Risk." in player.text
            await player.press("escape")
            assert player.screen == "ListScreen"

        play(save, act)

    def test_page_that_closes_while_it_is_laid_out_anew_closes(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("m", *"face d", "f2")
            reader = player.app.screen
            assert isinstance(reader, ReaderScreen)
            reader.on_resize()
            reader.action_back()
            await player.settle()
            assert player.screen == "ListScreen"

        play(save, act)

    def test_move_that_cannot_be_played_is_listed_to_read(self, save: Path, golden: Golden) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("m", *"wade")
            golden("moves-to-read-80x24", player.text)
            await player.press("enter")
            assert player.screen == "ReaderScreen"
            golden("reader-move-80x24", player.text)

        play(save, act)

    def test_roll_opens_the_text_of_its_move(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            rolls(player, action=5, challenge=[1, 2])  # type: ignore[arg-type]
            await player.press("m", *"face d", "enter", "e")
            assert "F2 Full text" in player.text
            await player.press("f2")
            assert "Risk." in player.text
            await player.press("escape")
            assert player.screen == "Dialog"

        play(save, act)

    def test_find_opens_texts_of_packs(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            await player.press("/")
            await player.type("Bog Eel")
            await player.sees("Bog Eel (foe, formidable)")
            await player.press("enter")
            assert player.screen == "ReaderScreen"
            assert "It waits under the reeds." in player.text

        play(save, act)


class TestFoe:
    def test_fight_begins_with_a_foe_and_its_text_is_at_hand(self, save: Path, golden: Golden) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            rolls(player, action=5, challenge=[1, 2])  # type: ignore[arg-type]
            await player.press("m", *"enter the", "enter", "2", "h", "enter")
            assert player.screen == "TableScreen", player.text
            (fight,) = player.session.state["tracks"].values()
            assert (fight["name"], fight["rank"]) == ("Bog Eel", "formidable")
            await player.press("t", "enter")
            golden("foe-of-a-pack-80x24", player.text)
            await player.press("f2")
            assert "It waits under the reeds." in player.text

        play(save, act)


class TestTruths:
    def test_truths_are_walked_through_and_land_in_the_journal(self, save: Path, golden: Golden) -> None:
        async def act(player: Player) -> None:
            await packs_are_read(player)
            rolls(player, truth=10)
            await player.press(":")
            await player.type("world truths")
            await player.press("enter")
            golden("truths-80x24", player.text)
            await player.press("r")
            assert "Water: Rising The water rises." in player.text
            await player.press("enter")
            assert player.screen == "TableScreen", player.text
            assert player.entries()[-1]["text"] == "Water: Rising The water rises."
            assert list(player.session.state["truths"]) == ["classic_water"]
            await player.press("u")
            assert not player.session.state["truths"]

        play(save, act)


class TestMissing:
    def test_missing_pack_is_greyed_with_the_command_that_brings_it(self, save: Path, golden: Golden) -> None:
        packs.remove("classic")

        async def act(player: Player) -> None:
            await player.press("o", "end")
            golden("oracle-missing-pack-80x24", player.text)
            await player.press("escape", "m", "end")
            assert "tracker packs add" in player.text

        play(save, act)


@pytest.mark.parametrize(("kind", "text"), HOSTILE[::6], ids=[kind for kind, _ in HOSTILE[::6]])
def test_hostile_rows_are_rolled_and_read(tmp_path: Path, kind: str, text: str) -> None:
    pack = fen(ident="classic")
    for row in pack["oracles"]["bog"]["contents"]["omen"]["rows"]:
        row["text"] = row["text2"] = f"{text} x"
    save = campaign(tmp_path, *in_party(KARA), installed(pack))

    async def act(player: Player) -> None:
        await packs_are_read(player)
        player.app.dice = ScriptedDice({OMEN: 1})
        await player.press("o", *"omen", "f2")
        assert "\x1b" not in player.text, kind
        await player.press("escape", "enter", "enter")
        assert player.screen == "TableScreen"
        assert "\x1b" not in player.text, kind

    play(save, act)
