"""What the dialog of a move can do beyond a stat and a choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn

from tracker.dice import ScriptedDice

HUNTER = {
    "name": "Hunter",
    "kind": "path",
    "one": {"text": "On a trail that you know, add one.", "on": True, "gives": "+1 gather_information"},
    "two": {"text": "Look again.", "on": True, "gives": "reroll gather_information"},
}


def table(folder: Path, *effects: dict[str, Any], **kara: Any) -> Path:
    return campaign(folder, *in_party({**KARA, **kara}), *sworn(HEIR), *effects)


def throw(player: Player, **faces: Any) -> None:
    player.app.dice = ScriptedDice(faces)


async def make(player: Player, name: str) -> None:
    """By its name, from the picker."""
    await player.press("m", *name, "enter")


class TestAnAsset:
    def test_is_ticked_and_counts(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, action=3, challenge=[4, 9])
            await make(player, "gather")
            assert "Hunter +1" in player.text
            await player.press("1")
            assert "■ Hunter +1" in player.text
            assert "On a trail that you know" in player.text
            await player.press("enter")
            assert "3 + wits 1 + 1 = 5" in player.text

        play(table(tmp_path, assets={"hunter": HUNTER}), act)

    def test_gives_dice_again_before_anything_is_decided(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, action=1, challenge=[4, 9])
            await make(player, "gather")
            await player.press("enter")
            assert "MISS" in player.text
            throw(player, action=6)
            assert "1 □ reroll the action die" in player.text
            await player.press("1")
            assert "WEAK HIT" in player.text
            assert player.entries()[-1].get("open")

        play(table(tmp_path, assets={"hunter": HUNTER}), act)


def test_points_are_spread_and_enter_takes_them_only_when_they_add_up(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("x", "enter")
        assert "Spread 2" in player.text
        await player.press("+", "enter")
        assert "2 points are to be spread, not 1" in player.text
        await player.press("down", "+")
        assert "health 5 → 4" in player.text
        await player.press("enter")
        assert (player.kara["health"], player.kara["spirit"], player.kara["setback"]) == (4, 4, 0)

    play(table(tmp_path, {"at": "kara.setback", "by": 2}), act)


def test_what_may_be_left_out_has_a_row_for_nothing(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=6, challenge=[1, 2])
        await make(player, "compel")
        await player.press("h")
        assert "nothing of this" in player.text
        await player.press("0", "enter")
        assert player.screen == "TableScreen"
        assert (player.kara["momentum"], player.kara["owed"]) == (3, {})

    play(table(tmp_path), act)


def test_a_quiet_number_that_is_not_allowed_is_refused_in_words(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "enter the fray")
        await player.press(*"Wolf", "enter", "f")
        assert "how many foes" in player.text
        while "how many foes" not in str(player.app.focused.row.label):  # type: ignore[union-attr]
            await player.press("up")
        await player.press("+")
        assert "Only troublesome and dangerous foes come in packs" in player.text

    play(table(tmp_path), act)


def test_a_character_by_dice_takes_one_key(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("c", "d", "enter")
        (made,) = [one for ident, one in player.session.state["party"].items() if ident != "kara"]
        assert sorted(made[stat] for stat in ("edge", "heart", "iron", "shadow", "wits")) == [1, 1, 2, 2, 3]
        assert len(made["assets"]) == 3

    play(table(tmp_path), act)


def test_whose_games_these_are_is_a_key_away(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("f1")
        await player.sees("Shawn Tomkin")
        await player.press("escape")
        assert player.screen == "TableScreen"

    play(table(tmp_path), act)


def test_what_can_be_revised_behind_the_last_question_is_offered_before_it_is_applied(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "forsake")
        await player.press("1")
        assert "Sworn to a bond" in player.text
        await player.press("k", "enter")
        assert player.screen == "TableScreen"
        assert player.kara["owed"].keys() == {"endure_stress_2", "test_your_bond"}

    bonds = {"ana": {"name": "Ana"}}
    play(table(tmp_path, bonds=bonds), act)


def test_an_asterisk_offers_what_is_hardly_ever_wanted(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=1, challenge=[4, 9])
        await make(player, "gather")
        await player.press("*")
        assert "There is nothing more to offer." in player.text
        await player.press("enter")
        assert "reroll the action die" not in player.text
        throw(player, action=6)
        await player.press("*")
        row = next(line for line in player.text.splitlines() if "reroll the action die" in line)
        await player.press(row.split("□")[0].strip(" │▐►"))
        assert "WEAK HIT" in player.text

    play(table(tmp_path), act)
