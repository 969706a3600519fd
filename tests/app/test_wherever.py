"""Pools, helpers and damage to spread at a table of three, by keys alone."""

from __future__ import annotations

from pathlib import Path

from tests.app.helpers import Player, campaign, play
from tests.games.wherever_table import GAME, PARTY

from tracker.app.widgets.options import OptionPicker
from tracker.campaign.session import Session
from tracker.dice import ScriptedDice
from tracker.games.api.view import Start

PUSHED = ("r", "s", "p", "d", *"6 4 1 2", "enter")
"""Stealth, pushed, with the dice typed in: a bane lies."""


def tale(folder: Path) -> Path:
    """Write a campaign with Ilse, who has two stress, Oren and Sefa; return its path."""
    return campaign(folder, *PARTY, game=GAME)


def test_one_undo_takes_back_a_roll_with_help_and_shared_damage(tmp_path: Path) -> None:
    save = tale(tmp_path)

    async def act(player: Player) -> None:
        before = player.session.state["party"]
        await player.press("r", "s", "d")
        assert "Roll d10 dexterity + d8 stealth" in player.text
        await player.press("a", "b", "p")
        assert "■ Oren helps" in player.text
        assert "■ Sefa helps" in player.text
        assert "Roll d10 dexterity + d12 stealth + 2 stress dice, net +2" in player.text
        await player.press(*"6 4 1 2", "enter", "g", *"7 3 1 6", "enter")
        assert "helped by Oren, Sefa" in player.text
        assert "2 banes: assign 4 damage, 4 left" in player.text
        await player.press("1", "3")
        await player.press(*["down"] * 2, "+", "+")
        assert "Oren: resolve" in player.text
        assert "0 left" in player.text
        await player.press("enter")
        assert player.screen == "TableScreen", player.text
        after = player.session.state["party"]
        assert (after["ilse"]["health"], after["ilse"]["gear"]["lantern"]["reliability"]) == (17, 1)
        assert after["oren"]["resolve"] == before["oren"]["resolve"] - 2
        assert after["oren"]["harms"]["mental"]
        assert after["sefa"] == before["sefa"]
        await player.press("u")
        assert player.session.state["party"] == before

    play(save, act)
    session = Session.open(str(save), write=False)
    session.close()
    assert session.state["party"]["oren"]["resolve"] == 11


def test_assigned_shares_are_there_when_the_roll_resumes(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press(*PUSHED)
        assert "1 bane: assign 2 damage, 2 left" in player.text
        await player.press("2", "escape")
        assert player.screen == "TableScreen"
        await player.press("x")
        assert "1 bane: assign 2 damage, 1 left" in player.text
        await player.press("escape", "u", *PUSHED)
        assert "2 left" in player.text, "another roll begins with none"

    play(tale(tmp_path), act)


def test_assigned_shares_are_there_for_a_roll_from_the_sheet(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.table.start(Start("action/roll", (("skill", "stealth"),)))
        await player.until(lambda: player.screen == "Dialog")
        await player.press("p", "d", *"6 4 1 2", "enter")
        assert "1 bane: assign 2 damage, 2 left" in player.text
        await player.press("2", "escape", "x")
        assert "1 bane: assign 2 damage, 1 left" in player.text

    play(tale(tmp_path), act)


def test_common_roll_takes_four_keys(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.app.dice = ScriptedDice({"attribute": 7, "skill": 6})
        await player.press("r", "s", "enter", "enter")
        assert player.screen == "TableScreen"
        entry = player.entries()[-1]
        assert (entry["did"], entry["facts"]["outcome"], entry.get("open")) == ("action/roll", "success", None)

    play(tale(tmp_path), act)


def test_enter_label_says_roll_and_enter_rolls(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.app.dice = ScriptedDice({"attribute": 7, "skill": 2})
        await player.press("r", "s")
        assert "►Enter Roll◄" in player.text
        await player.press("up")
        assert "Enter Next" in player.text
        await player.press("shift+tab", "tab", "tab")
        assert "►Enter Roll◄" in player.text
        await player.press("enter")
        assert "MIXED SUCCESS" in player.text

    play(tale(tmp_path), act)


def test_plus_is_a_bonus_minus_a_penalty_and_limits_are_told(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r", "s")
        assert "+ Bonuses   - Penalties" in player.text
        await player.press("+")
        assert "+ - Bonuses" in player.text
        assert "bonuses 1" in player.text
        assert "net +1" in player.text
        await player.press("-", "-")
        assert "bonuses 0" in player.text
        assert "penalties -1" in player.text
        assert "net -1" in player.text
        await player.press("+", "-")
        await player.press("shift+tab")
        assert player.app.screen.query_one(OptionPicker).has_focus
        await player.press("+", "+")
        assert "penalties 0" in player.text
        assert "Penalties: -20 to 0." in player.text

    play(tale(tmp_path), act)


def test_hindering_trait_can_be_used(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("b", "i", *"Loud", "enter", "4")
        assert "hinders -1" in player.text
        await player.press("enter")
        (trait,) = player.session.state["party"]["ilse"]["traits"].values()
        assert (trait["name"], trait["points"]) == ("Loud", -1)

    play(tale(tmp_path), act)


def test_harm_dealt_by_the_gm_asks_what_it_hampers(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m", *"conseq", "enter", "h", "r", "enter")
        assert "Minor harm: penalty on what?" in player.text
        assert "►i insight" in player.text
        await player.press("enter")
        (harm,) = player.session.state["party"]["ilse"]["harms"]["mental"].values()
        assert harm["on"] == "insight"

    play(tale(tmp_path), act)


def test_dialog_keys_are_unique(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for move in ("action/roll", "action/group", "action/opposed", "action/attack", "montage/train", "sheet/rate"):
            player.table.start(Start(move))
            await player.rest()
            for more in ((), ("*",), ("enter",)):
                await player.press(*more)
                rows = [row for row in player.app.screen.query_one(OptionPicker).data if row.key]
                assert len({row.key for row in rows}) == len(rows), player.text
            while player.screen == "Dialog":
                await player.press("escape")
            while list(player.session.log.open_runs()):
                await player.press("u")

    play(tale(tmp_path), act)


def test_undrawable_dice_are_told(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.session.do("change", [{"at": "ilse.stress", "to": 12}], who="ilse")
        await player.press("r", "s", "p", "d", *"7 3 6 2 2 2 2 2 2 2 2 2 2 5", "enter")
        assert "╔" not in player.text
        assert "7 edge   3   6 edge, WP   2 stress" in player.text
        assert "5 stress" in player.text

    play(tale(tmp_path), act)


def test_empty_pool_says_so(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r", "l", *"--")
        assert "FAILURE   no edge" in player.text
        assert "no dice left to roll · net -2: d6 + 0 becomes 0 + 0" in player.text
        player.app.dice = ScriptedDice({"stress": [6]})
        await player.press("g")
        assert "MIXED SUCCESS   1 edge" in player.text

    play(tale(tmp_path), act)


def test_supply_and_trait_change_by_hand_with_enter_labels(tmp_path: Path) -> None:
    oil = {"at": "ilse.supplies", "add": {"id": "oil", "name": "Lamp oil", "die": "d8"}}
    trait = {"at": "ilse.traits", "add": {"id": "light", "name": "Light-footed", "points": 1}}

    async def act(player: Player) -> None:
        await player.press("b")
        assert "Enter Stow or drop it" in player.text
        await player.press("down")
        assert "Enter Take an item" in player.text
        await player.press("down", "-")
        assert "Lamp oil d8 → d6" in player.text
        assert "Enter Use it" in player.text
        await player.press(*["down"] * 3, "+")
        assert "Light-footed 1 → 2" in player.text
        assert player.session.state["party"]["ilse"]["supplies"]["oil"]["die"] == "d6"

    play(campaign(tmp_path, *PARTY, oil, trait, game=GAME), act)


def test_past_attack_shows_both_sides_dice_and_the_skill(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.app.dice = ScriptedDice({"attribute": 10, "skill": 8, "other_attribute": 7, "other_skill": 6})
        answers = (("skill", "stealth"), ("other_name", ""), ("other_attribute", "d8"), ("other_skill", "d8"))
        player.table.start(Start("action/attack", answers))
        await player.press("enter", "enter", "l", "l")
        await player.sees("Ilse: Attack    10  8 ·  7  6")
        await player.sees("Ilse: Attack  stealth, 3 edges against 2")

    play(tale(tmp_path), act)


def test_long_harm_is_wrapped_on_the_sheet(tmp_path: Path) -> None:
    harm = {"id": "page", "name": "Her name on the page", "grade": "minor", "on": "insight"}
    save = campaign(tmp_path, *PARTY, {"at": "ilse.harms.mental", "add": harm}, game=GAME)

    async def act(player: Player) -> None:
        assert "minor     -1 insight, Her name on   " in player.text
        assert "│           the page   " in player.text

    play(save, act, size=(120, 40))
