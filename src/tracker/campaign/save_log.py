"""Make the log of a save, and a complete copy of a save with everything that a session has in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tracker.campaign.fold import complete, start
from tracker.campaign.hand_edits import first_misfit
from tracker.campaign.log import Entry, Log, NeedsFullLog
from tracker.campaign.state import thaw
from tracker.games.api.game import Game
from tracker.games.api.schema import state_difference
from tracker.records import NamedTuple
from tracker.saves.blocks import Block
from tracker.saves.entries import key
from tracker.saves.reader import Contents
from tracker.saves.save import Save, Step, emit_checked

if TYPE_CHECKING:
    from tracker.saves.merge import Whole


def log_of(save: Save, game: Game, step: Step | None = None, waiting: Sequence[Entry] = ()) -> Log:
    """Return the log of the entries that `save` has read and of those `waiting` to be written.

    If an entry sorts before the snapshot, or undoes or closes one from before it, read the whole file, which is slow;
    `step` is then called with the progress, from 0 to 1. Raise Changed, SaveError or OSError if that fails, and
    SaveError if the state would take hours to compute.
    """
    if save.head.base:
        with contextlib.suppress(NeedsFullLog):
            return log_in(save.read, game, waiting)
        save.read_whole(step)
    return log_in(save.read, game, waiting, step)


def log_in(read: Contents, game: Game, waiting: Sequence[Entry] = (), step: Step | None = None) -> Log:
    """Return the log of the entries in `read` and of those `waiting` to be written.

    `step` is called with the progress, from 0 to 1. Raise NeedsFullLog if an entry sorts before the snapshot, or undoes
    or closes one from before it, or if the snapshot's state does not fit the game. Raise SaveError if the state would
    take hours to compute.
    """
    entries = [block.entry for block in read.blocks]
    if waiting:
        entries = sorted([*entries, *waiting], key=key)
    base = read.head.base
    if base is None:
        return Log(game.top, start(game.top), entries, step=step)
    if (entries and key(entries[0]) <= base.last) or first_misfit(game.top, base.state) is not None:
        raise NeedsFullLog
    state = complete(game.top, base.state)
    return Log(game.top, state, entries, upto=base.upto, last=base.last, without=base.without, step=step)


def end_of(save: Save) -> int:
    """Return the time `t` (a counter, not a clock) of the last entry in the save; 0 if there is none."""
    if save.blocks:
        return int(save.blocks[-1].entry["t"])
    return save.head.base.last[0] if save.head.base else 0


def compactable_entries(save: Save) -> int:
    """Return a number that says how much a compaction is worth: entries written since the last one, plus notes."""
    return max(0, save.count - save.head.entries) + len(save.notes)


class Duplicate(NamedTuple):
    """The content of a new save file, made by `duplicate`.

    `data` is the whole file, `entries` the number of its entries, and `lost` the number of entries that no file has any
    more.
    """

    data: bytes
    entries: int
    lost: int


def duplicate(
    save: Save, game: Game, state: Mapping[str, Any], more: Sequence[Entry] = (), whole: Whole | None = None
) -> Duplicate:
    """Return a complete copy of a save, as bytes: every entry that `save` has read or written, and those in `more`.

    `state` is the state after all of them. Entries that no file has any more are replaced by a single entry with their
    combined effects. `whole` is the result of `save.whole()`, if the caller has it already. Raise SaveError if an entry
    cannot be saved, and OSError if the history cannot be read.
    """
    whole = whole or save.whole()
    read = whole.contents
    if whole.lost:
        read = read.with_blocks(sorted([*read.blocks, stand_in(save, game, whole)], key=_place))
    added = [Block(0, 0, emit_checked(entry), entry, None) for entry in more]
    read = read.with_blocks(sorted([*read.blocks, *added], key=_place))
    count = len(read.blocks) + (read.head.base.upto if read.head.base else 0)
    return Duplicate(whole._replace(contents=read).emit(state), count, whole.lost)


def _place(block: Block) -> tuple[int, str]:
    return key(block.entry)


def stand_in(save: Save, game: Game, whole: Whole) -> Block:
    """Return a block with one entry that replaces the lost entries of `whole`.

    Its effects lead to the snapshot's state. Raise SaveError if it cannot be saved.
    """
    base = save.head.base
    assert base is not None
    entries = [block.entry for block in whole.contents.blocks]
    known = [entry for entry in entries if key(entry) <= base.last]
    found = Log(game.top, start(game.top), entries).state_at(len(known))
    taken = {entry["id"] for entry in entries}
    entry: Entry = {
        "id": next(ident for n in range(1, len(taken) + 2) if (ident := f"{base.last[1]}.lost{n}") not in taken),
        "t": base.last[0],
        "at": datetime.now(UTC).replace(microsecond=0),
        "did": "edit",
        "effects": thaw(state_difference(game.top, found, complete(game.top, base.state))),
        "text": f"{whole.lost} older entries were in no file anymore; these are their effects.",
    }
    return Block(0, 0, emit_checked(entry), entry, None)
