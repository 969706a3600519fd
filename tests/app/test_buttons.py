"""Every button that starts a roll does the same by a click, by Tab and Enter, and by its key."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn
from textual.widget import Widget

from tracker.app.screens.dialog.screen import Dialog
from tracker.app.screens.oracle import OracleScreen
from tracker.app.widgets.buttons import ActionChip
from tracker.app.widgets.sheet import Tile
from tracker.dice import RandomDice
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Start
from tracker.games.ironsworn import Ironsworn

OWED = {"at": "kara.owed.pay_the_price", "by": 1}
ALMOST = {**HEIR, "ticks": 32}


class Button(NamedTuple):
    """A button: the keys that do the same as a click, and the answers to its prompts."""

    label: str
    keys: tuple[str, ...]
    did: str
    then: tuple[str, ...] = ()

    def find(self, player: Player) -> Widget:
        for tile in player.table.query(Tile):
            if tile.data.label == self.label:
                return tile
        return next(chip for chip in player.table.query(ActionChip) if chip.action.label == self.label)


STATS = [Button(stat, ("r", stat[0]), "roll/action") for stat in ("edge", "heart", "iron", "shadow", "wits")]
OTHERS = [
    Button("Roll", ("r",), "roll/action", ("e",)),
    Button("Progress roll", ("v",), "roll/progress"),
    Button("Oracle", ("o",), "fate/ask_the_oracle", ("2",)),
    Button("Fulfill Your Vow", ("m", "1"), "quest/fulfill_your_vow"),
    Button("Face Danger", ("m", "2"), "adventure/face_danger", ("e",)),
    Button("Reach a Milestone", ("m", "3"), "quest/reach_a_milestone"),
    Button("Secure an Advantage", ("m", "4"), "adventure/secure_an_advantage", ("e",)),
    Button("Pay the Price", ("x",), "fate/pay_the_price", ("3", "enter")),
]
BUTTONS = [
    # One tile is like another: the usual run presses the first.
    *(pytest.param(button, id=button.label, marks=pytest.mark.part(len(STATS))) for button in STATS),
    *(pytest.param(button, id=button.label) for button in OTHERS),
]


async def by_click(player: Player, button: Button) -> None:
    await player.click(button.find(player), offset=(2, 0))


async def by_tab_and_enter(player: Player, button: Button) -> None:
    await player.tab_to(button.find(player))
    await player.press("enter")


async def by_key(player: Player, button: Button) -> None:
    await player.press(*button.keys)


async def entries_made(player: Player, button: Button, press: Any) -> list[dict[str, Any]]:
    """Return what using the button makes with the same dice, without ids and times; then undo it."""
    player.app.dice = RandomDice(7)
    before, state = len(player.entries()), player.session.state
    player.app.screen.set_focus(None)
    await press(player, button)
    assert isinstance(player.app.screen, (Dialog, OracleScreen))
    await player.press(*button.then)
    for _ in range(6):
        if isinstance(player.app.screen, (Dialog, OracleScreen)):
            await player.press("enter")
    assert player.screen == "TableScreen", player.text
    made = [
        {name: value for name, value in entry.items() if name not in {"id", "t", "at", "closes"}}
        for entry in player.entries()[before:]
    ]
    await player.press("u")
    await player.settle()  # the buttons are laid anew
    assert player.session.state == state
    return made


@pytest.mark.parametrize("button", BUTTONS)
def test_button_makes_the_same_entry_however_it_is_pressed(tmp_path: Path, button: Button) -> None:
    async def act(player: Player) -> None:
        made = [await entries_made(player, button, press) for press in (by_key, by_click, by_tab_and_enter)]
        assert made[0]
        assert [entry["did"] for entry in made[0] if not entry.get("open")] == [button.did]
        assert made[0] == made[1] == made[2]

    play(campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(ALMOST), OWED), act)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 50)])
def test_all_buttons_are_visible(tmp_path: Path, size: tuple[int, int]) -> None:
    """A new roll button must be added to the list above."""

    async def act(player: Player) -> None:
        tiles = {tile.data.label for tile in player.table.query(Tile)}
        chips = {chip.action.label for chip in player.table.query(ActionChip) if chip.display}
        assert tiles | chips == {button.label for button in (*STATS, *OTHERS)}
        for button in (*STATS, *OTHERS):
            widget = button.find(player)
            assert player.app.get_widget_at(widget.region.x + 1, widget.region.y)[0] is widget, player.text

    play(campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(ALMOST), OWED), act, size=size)


class OtherLetters(Ironsworn):
    """A game whose roll buttons have letters that other games use for something else."""

    @staticmethod
    def rolls(state: State, who: str) -> tuple[Action, ...]:
        return tuple(Action(key, f"Roll {key}", Start("roll/action")) for key in "xog")


@pytest.mark.parametrize("key", list("xog"))
def test_plain_roll_starts_by_any_hotkey_of_its_game(tmp_path: Path, key: str) -> None:
    async def act(player: Player) -> None:
        player.session.game = OtherLetters()
        player.table.show()
        await player.sees(f"{key} Roll {key}")
        await by_click(player, Button(f"Roll {key}", (), ""))
        assert player.screen == "Dialog"
        assert "Action roll" in player.text

    play(campaign(tmp_path, *in_party(KARA), OWED), act)
