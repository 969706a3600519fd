"""Checks of a whole log, for `tracker check`, and recovery of damaged saves."""

from __future__ import annotations

import os
from typing import Any

from tracker import games
from tracker.campaign.fold import apply_at, fits, locate, start, written
from tracker.campaign.log import Log
from tracker.campaign.state import unshare
from tracker.games.api.errors import Refused
from tracker.games.api.schema import Collection, Effect, Integer, Kind, Ladder, Path, Record, State
from tracker.saves import recovery
from tracker.saves.errors import SaveError
from tracker.saves.recovery import RecoveredSave
from tracker.saves.save import Step

__all__ = ["RecoveredSave", "idle", "idle_effects", "recovered", "superseded_entries"]


def idle_effects(log: Log, top: Record) -> list[tuple[str, str]]:
    """Return (entry id, path of the effect) for each idle effect of the entries in `log` that count, oldest first.

    An effect is idle if it would change nothing because it cannot act on the state at that moment. `top` is the game's
    schema.
    """
    state: State = unshare(log.base)
    found = []
    for entry in log.entries:
        if not log.counts(entry):
            continue
        for effect in entry.get("effects", ()):
            place = locate(top, state, effect["at"])
            if place is None or _idle_at(place, effect):
                found.append((entry["id"], effect["at"]))
            if place:
                state = apply_at(place, top, state, effect)
    return found


def superseded_entries(log: Log) -> list[tuple[str, str]]:
    """Return (id, other) for each superseded entry. `other` is the id of the earlier entry that closes the same one.

    `other` is "" if the entry is superseded because it closes a superseded one.
    """
    first: dict[str, str] = {}
    for entry in log.entries:
        if "closes" in entry:
            first.setdefault(entry["closes"], entry["id"])
    ends = ((entry["id"], first[entry["closes"]]) for entry in log.entries if log.superseded(entry))
    return [(ident, "" if other == ident else other) for ident, other in ends]


def idle(top: Record, state: State, effect: Effect) -> bool:
    """Return True if the effect would change nothing because it cannot act on this state.

    That is so if the path does not exist, the schema allows no such change or value there, a record to add exists
    already, or a record to drop does not exist.
    """
    place = locate(top, state, effect["at"])
    return place is None or _idle_at(place, effect)


def _idle_at(place: tuple[Path, Kind | None, Any], effect: Effect) -> bool:
    _, kind, value = place
    if "by" in effect:
        return not isinstance(kind, (Integer, Ladder))
    if "to" in effect:
        word = isinstance(kind, Integer) and effect["to"] in kind.words if isinstance(effect["to"], str) else False
        return not word and not fits(kind, effect["to"])
    if not isinstance(kind, Collection):
        return True
    return (effect["add"]["id"] in value) if "add" in effect else effect["drop"] not in value


def recovered(path: str, step: Step | None = None) -> tuple[str, RecoveredSave]:
    """Copy every intact entry of the save at `path` to a new campaign beside it.

    Return (path of the copy, what was found). The damaged save is only read. `step` is called with the progress, from 0
    to 1. Raise SaveError if the save cannot be read, its game is unknown, or the copy cannot be written, and OSError if
    the game has to be read from a backup and that cannot be read.
    """
    found = recovery.read_intact(path)
    try:
        game = games.get(found.head.game)
    except Refused as error:
        raise SaveError(str(error)) from None
    whole = Log(game.top, start(game.top), [block.entry for block in found.blocks], step=step)
    top = found.head._replace(state=written(game.top, whole.state), entries=len(found.blocks))
    stem = path.removesuffix(".toml")
    names = (f"{stem}-recovered{f'-{n}' if n > 1 else ''}.toml" for n in range(1, 10**6))
    target = next(name for name in names if not os.path.lexists(name))
    try:
        recovery.write(found, top, target)
    except OSError as error:
        raise SaveError(f"Can't make {target}: {error.strerror or error}.") from None
    return target, found
