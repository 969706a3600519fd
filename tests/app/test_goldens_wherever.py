"""A game of ratings, pools and damage to spread, at the same table: its screens, and a roll played by keys alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.app.helpers import Player, QuickDisk, play
from tests.app.test_goldens import compare
from textual.widget import Widget

from tracker.app.widgets.sheet import RatingsGrid
from tracker.campaign.session import new_campaign
from tracker.games.wherever import GAME

EXAMPLE = Path(__file__).parents[2] / "saves" / "example-wherever.toml"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_pushed_gambled_roll_splits_a_locked_bane_three_ways(
    size: tuple[int, int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    save = tmp_path / "Salt and Signal.toml"
    shutil.copy(EXAMPLE, save)

    async def act(player: Player) -> None:
        async def see(name: str) -> None:
            await player.settle()
            compare(f"wherever-{name}-{size[0]}x{size[1]}", player.text, request)

        before = player.table.session.state
        ilse, oren = before["party"].values()
        await see("table")
        await player.press("r")
        await see("skills")
        await player.press("s", "d", "p")
        await see("action")
        await player.press(*"6 4 1 2 5", "enter")
        assert "MIXED SUCCESS" in player.text
        await player.press("g", *"7 3 1 4 6", "enter")
        await see("banes")
        await player.press("1", "2", "2")
        assert "1 left" in player.text
        await player.press("enter")
        assert "1 left" in player.text, "not all of the damage has a place yet"
        await player.press("escape")
        assert player.screen == "TableScreen"
        await player.press("x")
        assert "1 left" in player.text, "what was put down is there again"
        await player.press("7")
        await see("spread")
        await player.press("enter")
        await player.settle()
        me, ally = player.table.session.state["party"].values()
        assert (me["health"], me["resolve"]) == (ilse["health"] - 1, ilse["resolve"] - 2)
        assert ally["resolve"] == oren["resolve"] - 1
        assert (me["stress"], me["wp"]) == (ilse["stress"] + 1, ilse["wp"])  # one paid, one back from a six
        await player.press("u")
        assert player.table.session.state["party"] == before["party"]

    play(save, act, size=size)


def test_ratings_grid_comes_with_the_first_character_and_starts_rolls(tmp_path: Path) -> None:
    save = tmp_path / "new.toml"
    new_campaign(str(save), GAME, QuickDisk())

    async def act(player: Player) -> None:
        await player.press("escape")  # it offers to make somebody at once
        assert not player.table.query(RatingsGrid)
        player.table.session.do("edit", [{"at": "party", "add": {"id": "ilse", "name": "Ilse", "dexterity": "d10"}}])
        player.table.show()
        await player.settle()
        grid = player.table.query_one(RatingsGrid)
        assert player.table.focused is grid
        await player.press("right", "down", "+")
        assert player.table.session.state["party"]["ilse"]["skills"]["mobility"] == "d6"
        assert "mobility      d6" in player.text
        await player.press("enter")
        assert "Mobility with Dexterity" in player.text
        assert "great" in player.text
        assert not list(player.table.session.log.open_runs()), "nothing falls before the odds are seen"
        await player.press("escape", "escape", "up", "up", "enter")
        assert "Roll with" in player.text
        await player.press("escape", "u", "u")
        assert isinstance(grid.parent, Widget)
        assert not grid.parent.display

    play(save, act)
