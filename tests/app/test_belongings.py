"""The belongings screen by keys: things are read, taken, bought, written by hand, named, marked and lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import KARA, TAYLA, Player, campaign, in_party, play

from tracker.app.widgets.belongings import HoldingList, ThingRow

HOUND: dict[str, Any] = {
    "id": "hound",
    "name": "Ash Hound",
    "kind": "companion",
    "note": "Brak",
    "health": 3,
    "max": 4,
    "one": {"text": "It follows a scent.", "on": True, "gives": "+1 gather_information"},
    "two": {"text": "It keeps watch.", "on": False, "gives": ""},
    "three": {"text": "It fights at your side.", "on": False, "gives": ""},
}
FERRIN = {"id": "ferrin", "name": "Old Ferrin", "note": "pulled us out of the river"}


def has(at: str, record: dict[str, Any]) -> dict[str, Any]:
    return {"at": at, "add": record}


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """Kara with a hound, a bond and three points of experience; Tayla has nothing."""
    return campaign(
        tmp_path,
        *in_party(KARA, TAYLA),
        has("kara.assets", HOUND),
        has("kara.bonds", FERRIN),
        {"at": "kara.bond_ticks", "by": 1},
        {"at": "kara.xp", "by": 3},
    )


class TestReading:
    def test_everything_is_on_one_screen(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b")
            assert player.screen == "BelongingsScreen"
            for words in (
                "Belongings: Kara",
                "Ash Hound  companion  Brak",
                "■ It follows a scent.",
                "□ It keeps watch.",
                "□ It fights at your side.",
                "● ● ● ○",
                "Old Ferrin  pulled us out of the river",
                "3 to spend",
                "no deadly weapon",
            ):
                assert words in player.text
            await player.press("b")
            assert player.screen == "TableScreen"

        play(vale, act, size=(120, 40))

    def test_small_window_unfolds_the_thing_under_the_cursor(self, tmp_path: Path) -> None:
        second = {**HOUND, "id": "crane", "name": "Marsh Crane", "one": {"text": "It knows the ground.", "on": True}}
        many = [has("kara.bonds", {"id": f"b{n}", "name": f"Friend {n}"}) for n in range(12)]
        vale = campaign(tmp_path, *in_party(KARA), has("kara.assets", HOUND), has("kara.assets", second), *many)

        async def act(player: Player) -> None:
            await player.press("b")
            assert "It follows a scent." in player.text
            assert "It knows the ground." not in player.text
            assert "↓" in player.text
            await player.press(*["down"] * 4)
            assert "It knows the ground." in player.text
            assert "It follows a scent." not in player.text
            await player.press(*["down"] * 40)
            assert "no deadly weapon" in player.text
            assert "↑" in player.text
            assert "↓" not in player.text.replace("↑↓", "")

        play(vale, act)

    def test_enter_on_a_thing_of_the_sheet_opens_them_there(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.tab_to(player.table.query(ThingRow).last())
            await player.press("enter")
            await player.sees("► Old Ferrin")

        play(vale, act, size=(120, 40))

    def test_digit_shows_another_members_belongings(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "2")
            assert "Belongings: Tayla" in player.text
            assert "No assets yet" in player.text
            await player.press("escape")
            assert player.table.player.active == "tayla"

        play(vale, act)


class TestManualChanges:
    def test_plus_and_minus_change_a_companions_health(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "-")
            assert player.kara["assets"]["hound"]["health"] == 2
            assert "Brak health 3 → 2" in player.text
            await player.press("+", "+", "+")
            assert player.kara["assets"]["hound"]["health"] == 4
            assert "health stays 4; it runs from 0 to 4." in player.text

        play(vale, act)

    def test_space_marks_an_ability_and_undo_clears_it(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "down", "down", "space")
            assert player.kara["assets"]["hound"]["two"]["on"] is True
            assert "■ It keeps watch." in player.text
            await player.press("u")
            assert player.kara["assets"]["hound"]["two"]["on"] is False
            assert "□ It keeps watch." in player.text
            await player.press("ctrl+r")
            assert player.kara["assets"]["hound"]["two"]["on"] is True

        play(vale, act)

    def test_space_marks_the_only_box_of_a_thing_from_its_row(self, tmp_path: Path) -> None:
        ship = {"id": "ship", "name": "Ship", "kind": "vehicle", "flags": {"battered": {"name": "Battered"}}}

        async def act(player: Player) -> None:
            await player.press("b", "down")
            await player.press("space")
            assert player.kara["assets"]["ship"]["flags"]["battered"]["on"] is True
            await player.press("u")
            assert player.kara["assets"]["ship"]["flags"]["battered"]["on"] is False

        play(campaign(tmp_path, *in_party(KARA), has("kara.assets", ship)), act)

    def test_space_without_a_mark_says_so(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            before = len(player.entries())
            await player.press("b", "space")
            assert "Move to a box first, with the arrows" in player.text
            await player.press("down", "+")
            assert "Move to a number first, with the arrows" in player.text
            await player.press("down")
            assert "Move to a number first" not in player.text
            assert len(player.entries()) == before

        play(vale, act)

    def test_experience_can_be_changed_by_hand(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b")
            shown = player.app.screen.query_one(HoldingList)
            while not (shown.here.thing and shown.here.thing.id == "xp"):
                await player.press("down")
            await player.press("+")
            assert player.kara["xp"] == 4
            assert "4 to spend" in player.text

        play(vale, act)


class TestTaking:
    def test_asset_shows_its_text_before_it_is_taken(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "n")
            assert player.screen == "Dialog"
            assert "already yours" in player.text
            assert "It knows where the ground holds." in player.text
            assert "It dances at dusk." in player.text
            await player.press("2", *"Stilt", "enter", "2", "enter")
            assert player.screen == "BelongingsScreen"
            crane = player.kara["assets"]["marsh_crane"]
            assert (crane["note"], crane["two"]["on"], player.kara["spent"]) == ("Stilt", True, 0)
            assert "Marsh Crane  companion  Stilt" in player.text

        play(vale, act)

    def test_own_asset_is_typed_in_without_a_file(self, vale: Path) -> None:
        long = "When you stand where the reeds end and the water begins, add +1 to Face Danger, and say what you hear."

        async def act(player: Player) -> None:
            await player.press("b", "w", *"Reed Listener", "enter", "p")
            await player.type(long)
            await player.press("enter", *"Second.", "enter", "enter", "enter")
            mine = player.kara["assets"]["reed_listener"]
            assert (mine["kind"], mine["one"]["text"], mine["one"]["on"]) == ("path", long, True)
            assert (mine["two"]["text"], mine["three"]["text"]) == ("Second.", "")
            assert "Reed Listener  path" in player.text

        play(vale, act)

    def test_experience_buys_an_asset(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "a", "9", "enter")
            assert player.kara["spent"] == 3
            assert len(player.kara["assets"]) == 2
            assert "costs 3; you have 0" in player.text
            await player.press("a")
            assert player.screen == "BelongingsScreen"
            assert "New asset: costs 3; you have 0." in player.text

        play(vale, act)

    def test_experience_buys_an_ability_of_the_asset_under_the_cursor(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "enter", "g", "2", "enter")
            hound = player.kara["assets"]["hound"]
            assert [hound[n]["on"] for n in ("one", "two", "three")] == [True, False, True]
            assert player.kara["spent"] == 2

        play(vale, act)

    def test_weapon_can_be_taken(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", *["down"] * 20, "enter", "d", "enter")
            assert player.kara["weapon"] == "deadly"
            assert "a deadly weapon  2 harm" in player.text

        play(vale, act)


class TestNamesAndBonds:
    def test_companion_can_be_renamed(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "enter", "e", *"Ember", "enter", "enter")
            assert player.kara["assets"]["hound"]["note"] == "Ember"
            assert "Ash Hound  companion  Ember" in player.text
            assert player.notice == ""
            assert player.entries()[-1]["facts"]["changed"] == ["Ash Hound is now called Ember"]

        play(vale, act)

    def test_lost_asset_returns_with_undo(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "enter", "l", "enter")
            assert not player.kara["assets"]
            await player.press("u")
            assert player.kara["assets"]["hound"]["note"] == "Brak"
            assert "Ash Hound" in player.text

        play(vale, act)

    def test_bond_is_marked_named_and_let_go(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b", "k", *"Aren", "enter", *"my sister", "enter", "enter")
            assert player.kara["bonds"]["aren"] == {"name": "Aren", "note": "my sister", "noted": ""}
            assert player.kara["bond_ticks"] == 2
            assert "Aren  my sister" in player.text
            shown = player.app.screen.query_one(HoldingList)
            while not (shown.here.thing and shown.here.thing.id == "ferrin"):
                await player.press("down")
            await player.press("enter", "e", *"Ferrin", "enter", "enter", "enter")
            ferrin = {"name": "Ferrin", "note": "pulled us out of the river", "noted": ""}
            assert player.kara["bonds"]["ferrin"] == ferrin
            await player.press("enter", "l", "enter")
            assert list(player.kara["bonds"]) == ["aren"]
            assert player.kara["bond_ticks"] == 1

        play(vale, act)

    def test_strained_bond_can_be_tested_from_here(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b")
            shown = player.app.screen.query_one(HoldingList)
            while not (shown.here.thing and shown.here.thing.id == "ferrin"):
                await player.press("down")
            await player.press("enter", "t")
            assert "Test Your Bond" in player.text
            await player.press("escape")
            assert player.screen == "BelongingsScreen"

        play(vale, act)


class TestMouse:
    def test_click_moves_the_cursor_and_second_click_opens(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("b")
            shown = player.app.screen.query_one(HoldingList)

            async def click(words: str) -> None:
                row = next(y for y, row in enumerate(player.text.splitlines()) if words in row)
                await player.click(shown, (6, row - shown.region.y))

            await click("Old Ferrin")
            assert shown.here.thing
            assert shown.here.thing.id == "ferrin"
            await click("Old Ferrin")
            assert player.screen == "ListScreen"
            await player.press("escape")
            await click("Mark a bond")
            assert player.screen == "Dialog"

        play(vale, act)
