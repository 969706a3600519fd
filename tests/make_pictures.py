"""The pictures in docs/pictures, taken at the example campaigns. `python -m tests.make_pictures` makes them again."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.app.helpers import playing

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"


class Shot(NamedTuple):
    """One picture: a copy of a game's example, what is pressed there, and the size of the window."""

    game: str
    campaign: str
    keys: tuple[str, ...]
    size: tuple[int, int]


# The key 1 plays the first character, and takes the notice about a new session off the screen.
SHOTS = {
    "ironsworn": Shot("ironsworn", "The Drowned Mill", ("1",), (120, 30)),
    "ironsworn-roll": Shot("ironsworn", "The Drowned Mill", ("1", "d", "m", "1", "e", *"2 4 5", "enter"), (90, 28)),
    "ironsworn-statistics": Shot("ironsworn", "The Drowned Mill", ("1", "S"), (100, 26)),
    "ironsworn-over-time": Shot("ironsworn", "The Drowned Mill", ("1", "S", "3"), (100, 26)),
    "ironsworn-recap": Shot("ironsworn", "The Drowned Mill", ("1", "R"), (100, 24)),
    "wherever-we-go": Shot("wherever", "The Stolen Ledger", ("1",), (120, 40)),
    "wherever-we-go-roll": Shot(
        "wherever", "The Stolen Ledger", ("1", "d", "m", "1", "p", *"5 3 6 4 1", "enter"), (100, 24)
    ),
    "daggerheart": Shot("daggerheart", "The Wolf Road", ("1",), (120, 40)),
    "daggerheart-roll": Shot("daggerheart", "The Wolf Road", ("1", "m", "1", "1"), (90, 24)),
    "daggerheart-gm": Shot("daggerheart", "The Wolf Road", ("1", "g"), (120, 30)),
}
_FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


async def _take(shot: Shot, folder: Path) -> str:
    save = folder / f"{shot.campaign}.toml"
    shutil.copy(ROOT / "saves" / f"example-{shot.game}.toml", save)
    async with playing(save, size=shot.size, paints=True) as player:
        await player.press(*("space" if key == " " else key for key in shot.keys))
        await player.settle()
        if "R" in shot.keys:
            await player.until(lambda: player.screen == "RecapScreen")
        await player.until(lambda: not {"saving", "Counting"} & set(player.text.split()))
        drawn = player.app.export_screenshot(title=f"tracker: {shot.campaign}")
    # A picture must not fetch fonts from a server.
    return _FONT.sub("", drawn)


def make_pictures(folder: Path) -> None:
    """Write every picture into this folder."""
    folder.mkdir(exist_ok=True)
    for name, shot in SHOTS.items():
        with tempfile.TemporaryDirectory() as saves:
            (folder / f"{name}.svg").write_text(asyncio.run(_take(shot, Path(saves))), encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data:
        os.environ["XDG_DATA_HOME"] = data  # no backups at home
        make_pictures(PICTURES)
    print(f"{len(SHOTS)} pictures are in {PICTURES.relative_to(ROOT)}.", file=sys.stderr)
