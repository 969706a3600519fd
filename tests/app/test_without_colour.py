"""With every colour and style taken away, what matters can still be read: the goldens' plain text is all there is."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.app.helpers import Player, play
from tests.app.test_goldens import EXAMPLE
from tests.app.test_leaving import FullDisk

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    return Path(shutil.copy(EXAMPLE, tmp_path / "The Drowned Mill.toml"))


@SIZES
@pytest.mark.parametrize(
    ("faces", "told"), [("6 1 2", "■■  STRONG HIT"), ("2 4 9", "■□  WEAK HIT"), ("1 9 10", "□□  MISS")]
)
def test_outcome_of_a_roll_is_readable_without_color(faces: str, told: str, size: tuple[int, int], mill: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("1", "d", "r", "e", *("space" if face == " " else face for face in faces), "enter")
        assert player.screen == "Dialog"
        assert told in player.text
        await player.press("enter")
        assert player.screen == "TableScreen"
        await player.settle()
        mark, _, words = told.partition("  ")
        if size == (80, 24):  # there the rolls are on a tab, behind the tracks and the journal
            await player.press("l", "l")
            assert f"{mark} {words.lower()}" in player.text
            await player.press("l")
        else:  # a narrow journal leaves out the words that the mark says too
            assert f"{mark} " in player.text
        assert told in player.text

    play(mill, act, size=size)


@SIZES
def test_save_status_is_readable_without_color(size: tuple[int, int], mill: Path) -> None:
    disk = FullDisk()

    async def act(player: Player) -> None:
        await player.sees("   saved")
        disk.full = True
        await player.press("+")
        await player.sees("NOT SAVED")
        assert "   saved" not in player.text

    play(mill, act, size=size, disk=disk)


@SIZES
def test_disabled_action_is_readable_without_color(size: tuple[int, int], mill: Path) -> None:
    """A disabled action is no row to press, and its reason is beside it."""

    async def act(player: Player) -> None:
        await player.press("m", *"strike")
        (row,) = [line for line in player.text.splitlines() if re.search(r"[ ▐►]Strike ", line)]
        assert re.search(r"[▐►]", row.split("Strike")[0]) is None, row
        assert "no initiative" in row
        await player.press("escape", *"face d")
        row = next(line for line in player.text.splitlines() if "Face Danger" in line)
        assert re.search(r"[▐►]", row.split("Face Danger")[0]), row

    play(mill, act, size=size)


SELECTIONS = {
    "a number on the table": ((), ("down",)),
    "a stat on the table": ((), ("right",)),
    "who acts": (("1",), ("2",)),
    "a flag": (("down",) * 5, ("right",)),
    "a track": (("t",), ("down",)),
    "a move": (("m",), ("down",)),
    "an option": (("m", "1"), ("up",)),
    "a mark": (("c", "c", "K", "enter", "e"), ("h",)),
    "a burn": (("1", "d", "m", "1", "e", *"2 4 5", "enter"), ("b",)),
    "what is asked of an oracle": (("o",), ("down",)),
    "what somebody has": (("b",), ("down",)),
    "one of the party": (("p",), ("right",)),
    "a line of the journal": (("J",), ("up",)),
    "a command": (("ctrl+p",), ("down",)),
    "a key": (("?",), ("down",)),
    "a campaign": (("q",), ("up",)),
}


@pytest.mark.part(4)
@pytest.mark.parametrize("name", SELECTIONS)
def test_selection_is_readable_without_color(name: str, mill: Path) -> None:
    """The text of the screen changes when something else is selected."""
    shutil.copy(EXAMPLE, mill.parent / "Another.toml")
    there, move = SELECTIONS[name]

    async def act(player: Player) -> None:
        for key in there:
            await player.press("space" if key == " " else key)
        await player.settle()
        await player.until(lambda: "saving" not in player.text)
        screen, before = player.screen, player.text
        await player.press(*move)
        await player.until(lambda: player.text != before)
        assert player.screen == screen

    play(mill, act)
