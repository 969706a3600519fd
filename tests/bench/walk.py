"""Print which of our files one move passes, from the key to the changed sheet: `python -m tests.bench.walk`.

The move is Face Danger by `m 1 e Enter` in a campaign that is open. It is made, undone and made again: the first time
also runs modules that nothing has needed before, the second time is the walk itself. Files are listed in the order in
which they are first reached, with the number of calls into each, the first time and again. Empty files, which only mark a package,
are left out.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from types import FrameType

from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn

import tracker

KEYS = ("m", "1", "e", "enter")
SOURCE = str(Path(tracker.__file__).parent)


@cache
def empty(path: str) -> bool:
    return not os.path.getsize(path)


def walk(folder: Path, *, paints: bool) -> tuple[Counter[str], Counter[str]]:
    """Return the number of calls into each of our files during the move: the first time, and again.

    `paints` counts what draws the frames as well.
    """
    first: Counter[str] = Counter()
    again: Counter[str] = Counter()

    async def make_move(player: Player, calls: Counter[str]) -> None:
        def count(frame: FrameType, event: str, _: object) -> None:
            name = frame.f_code.co_filename
            if event == "call" and name.startswith(SOURCE) and not empty(name):
                calls[name[len(SOURCE) + 1 :]] += 1

        sys.setprofile(count)
        for key in KEYS:
            await player.press(key)
            await player.settle()
        sys.setprofile(None)
        await player.until(lambda: player.screen == "TableScreen")
        assert player.entries()[-1]["did"] == "adventure/face_danger", "the move was not made"

    async def act(player: Player) -> None:
        await make_move(player, first)
        await player.press("u")
        await make_move(player, again)

    play(campaign(folder, *in_party(KARA), *sworn(HEIR)), act, paints=paints)
    return first, again


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, again = walk(Path(folder), paints=False)
    with tempfile.TemporaryDirectory() as folder:
        _, painted = walk(Path(folder), paints=True)
    for path in first | again:
        print(f"{first[path]:6} {again[path]:6} {path}")
    print(f"{len(first)} files the first time, {len(again)} again")
    more = sorted(painted.keys() - again.keys())
    print(f"{len(more)} more to draw the frames: {', '.join(more)}")


if __name__ == "__main__":
    main()
