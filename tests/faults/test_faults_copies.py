"""Copies of a campaign that are played apart and put together in any order come to the same state."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
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


def test_copies_half_written_entry_in_file_handed_over_converge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path, 0, monkeypatch.setattr, people=2)
    giver, taker = world.people
    assert giver.table
    for _ in range(2):  # the second changes nothing anymore, so a third has as many bytes
        giver.table.do("change", [{"at": "supply", "to": 3}])
    giver.settle()
    like = giver.blocks()[-1]
    # What is left of the third reads as an entry, but lacks its effects.
    giver.disk.share = (like.body.index(b"effects") + 0.5) / (like.end - like.start)
    giver.fill_disk()
    giver.table.do("change", [{"at": "supply", "to": 3}])
    giver.table.wait()
    assert campaign.raw(giver.path).endswith(b"facts = { changed = [] }\n")
    taker.receive(giver.blocks())
    world.meet()
