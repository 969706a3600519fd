"""The toy game, played in the app, in plain mode and by commands: a game is one folder and one registry entry."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.app.helpers import Player, campaign, play
from tests.games import toy
from tests.plain.helpers import Heard, heard, state

from tracker import games
from tracker.dice import ScriptedDice

ASH = {"at": "party", "add": {"id": "ash", "name": "Ash"}}
PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
WITH_TOY = """
import sys
from tests.games.toy import INFO
from tracker.cli import main
from tracker.games import GAMES
GAMES[INFO.id] = INFO
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, toy.INFO.id, toy.INFO)


def tracker(folder: Path, *words: str, typed: tuple[str, ...] = ()) -> Heard:
    """Run the program with the toy game registered, and type these lines."""
    program = [sys.executable, "-c", WITH_TOY, "--saves", str(folder), *words]
    lines = "".join(f"{line}\n" for line in typed).encode()
    return heard(subprocess.run(program, input=lines, capture_output=True, check=False))


class TestApp:
    def test_new_campaign_offers_the_game(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("n")
            assert "Lantern" in player.text
            assert "one light in the dark" in player.text
            await player.press(str(len(games.GAMES)))
            await player.type("cave")
            await player.press("enter")
            await player.sees("What is the name?")
            assert player.session.game is toy.GAME

        campaign(tmp_path)
        play(tmp_path, act)

    def test_evening_changes_what_the_rules_say(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.type("Ash")
            await player.press("enter")
            await player.sees("m1 Step into the dark")
            player.app.dice = ScriptedDice({"dark": 2})
            await player.press("m", "1", "s", "enter")
            assert "DARKER" in player.text
            assert "light 3 → 2" in player.text
            await player.press("enter")
            assert player.session.state["party"]["ash"]["light"] == 2
            await player.press("u")
            assert player.session.state["party"]["ash"]["light"] == 3

        play(campaign(tmp_path, game=toy.GAME), act)

    def test_new_track_key_begins_a_shared_clock(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("n")
            await player.type("The oil runs out")
            await player.press("enter", "4", "enter")
            await player.sees("The oil runs out")
            assert player.session.state["clocks"]["the_oil_runs_out"]["segments"] == 4

        play(campaign(tmp_path, ASH, game=toy.GAME), act)

    @pytest.mark.parametrize("key", list("obm?"))
    def test_screen_opens_without_data_from_the_game(self, tmp_path: Path, key: str) -> None:
        async def act(player: Player) -> None:
            await player.press(key)
            assert player.screen != "TableScreen"
            await player.press("escape")
            assert player.screen == "TableScreen"

        play(campaign(tmp_path, ASH, game=toy.GAME), act)


class TestPlain:
    def test_evening_changes_what_the_rules_say(self, tmp_path: Path) -> None:
        made = tracker(tmp_path, "new", "cave", "--game", "lantern", "--character", "Ash")
        assert made.code == 0, made.error
        evening = ("dice", "step", "fast", "2", "", "refill", "2", "", "light +1", "undo", "quit")
        told = tracker(tmp_path, "play", "cave", "--plain", typed=evening)
        assert told.code == 0, told.error
        assert "Step into the dark: light 3 to 2. Saved." in told.lines
        assert "Refill the lantern: light 2 to 4. Saved." in told.lines
        assert told.lines[-1] == "cave is closed; everything is saved."
        assert state(tmp_path / "cave.toml")["party"]["ash"]["light"] == 4


class TestCommands:
    def test_list_names_the_game(self, tmp_path: Path) -> None:
        tracker(tmp_path, "new", "cave", "--game", "lantern", "--character", "Ash")
        assert "Lantern" in tracker(tmp_path, "list").text

    def test_check_finds_no_problem(self, tmp_path: Path) -> None:
        tracker(tmp_path, "new", "cave", "--game", "lantern", "--character", "Ash")
        assert tracker(tmp_path, "check", "cave").lines == ["cave: 1 entry OK, no damage."]


class TestPage:
    def test_code_of_the_walk_through_is_the_code_of_the_toy(self) -> None:
        source = "".join(path.read_text("utf-8") for path in sorted(Path(toy.__file__).parent.glob("*.py")))
        blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
        assert len(blocks) > 5
        assert [block for block in blocks if block not in source] == []
