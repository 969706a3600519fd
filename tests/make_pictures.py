"""The pictures of the README, taken at the example campaign: `python -m tests.make_pictures` makes them anew."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from tests.app.helpers import playing

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "saves" / "example-ironsworn.toml"
PICTURES = ROOT / "tests" / "pictures"
NAME = "The Drowned Mill"

SHOTS = {
    "table": ((120, 40), ("1",)),
    "roll": ((90, 28), ("1", "d", "m", "1", "e", *"2 4 5", "enter")),
}
"""What is pressed for each, and in how large a window."""
_FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


async def _shot(name: str, folder: Path) -> str:
    size, keys = SHOTS[name]
    save = folder / f"{NAME}.toml"
    shutil.copy(EXAMPLE, save)
    async with playing(save, size=size, paints=True) as player:
        await player.press(*("space" if key == " " else key for key in keys))
        await player.settle()
        await player.until(lambda: "saving" not in player.text)
        drawn = player.app.export_screenshot(title=f"tracker: {NAME}")
    # A picture must not send whoever looks at it to somebody else's server for its letters.
    return _FONT.sub("", drawn)


def pictures(folder: Path) -> None:
    """Write all of them into this folder."""
    folder.mkdir(exist_ok=True)
    for name in SHOTS:
        with tempfile.TemporaryDirectory() as saves:
            (folder / f"{name}.svg").write_text(asyncio.run(_shot(name, Path(saves))), encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data:
        os.environ["XDG_DATA_HOME"] = data  # no backups at home
        pictures(PICTURES)
    print(f"{len(SHOTS)} pictures are in {PICTURES.relative_to(ROOT)}.", file=sys.stderr)
