"""Copies of a campaign that are played apart and put together in any order come to the same state."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults.copies import World
from tests.faults.tally import Tally

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_copies_played_apart_converge(
    part: int, tmp_path: Path, many: Callable[[int], int], tally: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    tally("copies", 0)
    for trial in range(many(PARTS) // PARTS):
        seed = trial * PARTS + part
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            World(folder, seed, monkeypatch.setattr).live(120)
        except BaseException as fault:
            fault.add_note(f"seed {seed}")
            raise
        tally("copies", 3)
