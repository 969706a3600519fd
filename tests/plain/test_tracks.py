"""Tracks and clocks in lines."""

from __future__ import annotations

from pathlib import Path

from tests.plain.helpers import HEIR, KARA, campaign, plain

TIDE = {"at": "clocks", "add": {"id": "tide", "name": "The tide turns", "segments": 4, "filled": 3}}


def test_clock_is_begun_filled_and_reported(tmp_path: Path) -> None:
    save = campaign(tmp_path, KARA)
    said = plain(save, "begin a clock", "The watch wakes", "6 segments", "", "fill a clock", "1", "", "tracks", "quit")
    assert "New clock: The watch wakes (6 segments). Saved." in said.lines
    assert "The watch wakes 0 to 1 of 6. Saved." in said.lines
    assert "The watch wakes: clock, 1 of 6 segments" in said.lines


def test_full_clock_says_so_and_cannot_be_filled(tmp_path: Path) -> None:
    said = plain(campaign(tmp_path, KARA, TIDE), "the tide turns +1", "fill a clock", "1", "leave", "journal", "quit")
    assert "The tide turns is full: 4 of 4. Saved." in said.lines
    assert "The tide turns: already full." in said.lines


def test_track_is_ranked_renamed_closed_and_reopened(tmp_path: Path) -> None:
    said = plain(
        campaign(tmp_path, KARA, HEIR),
        *("change a track's rank", "1", "epic", ""),
        *("rename a track", "1", "Find the grave", ""),
        *("mark progress", "1", "times 3", "", "clear progress", "1", ""),
        *("close a track", "1", "forsaken", ""),
        *("reopen", "1", ""),
        *("tracks", "quit"),
    )
    assert "Find the lost heir: now epic. Saved." in said.lines
    assert "Find the lost heir is now called Find the grave. Saved." in said.lines
    assert "“Find the grave” is forsaken. Saved." in said.lines
    assert "“Find the grave” is open again. Saved." in said.lines
    assert "Find the grave: epic vow, 0 of 10 boxes and 2 ticks" in said.lines
