"""Print which of our files one move passes, from the key to the changed sheet: `python -m tests.bench.walk`.

The move is Face Danger by `m 1 e Enter` in a campaign that is open. Files are listed in the order in which they are
first reached, with the number of calls into each.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from types import FrameType

from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn

import tracker

KEYS = ("m", "1", "e", "enter")
SOURCE = str(Path(tracker.__file__).parent)


def walk(folder: Path) -> dict[str, int]:
    """Return the number of calls into each of our files during the move, in the order of the first call."""
    calls: dict[str, int] = {}

    def count(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(SOURCE):
            path = name[len(SOURCE) + 1 :]
            calls[path] = calls.get(path, 0) + 1

    async def act(player: Player) -> None:
        sys.setprofile(count)
        for key in KEYS:
            await player.press(key)
            await player.settle()
        sys.setprofile(None)
        await player.until(lambda: player.screen == "TableScreen")
        assert player.entries()[-1]["did"] == "adventure/face_danger", "the move was not made"

    play(campaign(folder, *in_party(KARA), *sworn(HEIR)), act)
    return calls


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        calls = walk(Path(folder))
    for path, count in calls.items():
        print(f"{count:6} {path}")
    print(f"{len(calls)} files")


if __name__ == "__main__":
    main()
