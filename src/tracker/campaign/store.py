"""Build the log of a save."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tracker.campaign.fold import complete, start
from tracker.campaign.hand_edits import misfit
from tracker.campaign.log import Entry, Log, NeedsFullLog
from tracker.games.api.game import Game
from tracker.saves.save import Save, Step
from tracker.saves.union import key


def log_of(save: Save, game: Game, step: Step | None = None, waiting: Sequence[Entry] = ()) -> Log:
    """Return the log of all entries read and of those `waiting` to be written, in fold order.

    Read the whole file, which is slow, if an entry sorts before the snapshot or reaches behind it.
    """
    if base := save.head.base:
        entries = _in_order(save, waiting)
        behind = bool(entries) and key(entries[0]) <= base.last
        if not behind and misfit(game.top, base.state) is None:
            with contextlib.suppress(NeedsFullLog):
                return Log(game.top, complete(game.top, base.state), entries, upto=base.upto, without=base.without)
        save.read_whole(step)
    return Log(game.top, start(game.top), _in_order(save, waiting), step=step)


def _in_order(save: Save, waiting: Sequence[Entry]) -> list[Entry]:
    entries = [block.entry for block in save.blocks]
    return sorted([*entries, *waiting], key=key) if waiting else entries


def end_of(save: Save) -> int:
    """Return the Lamport time of the last entry; 0 if there is none."""
    if save.blocks:
        return int(save.blocks[-1].entry["t"])
    return save.head.base.last[0] if save.head.base else 0


def untidy(save: Save) -> int:
    """Return how much compaction would tidy: entries that the head does not cover, plus notes from reading."""
    return max(0, save.count - save.head.entries) + len(save.notes)
