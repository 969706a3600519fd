"""Edits that somebody made by hand in the [state] table of a save: check them and turn them into effects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tracker.campaign.fold import apply, fits, start
from tracker.campaign.log import Log
from tracker.campaign.state import freeze
from tracker.games.api.game import Game
from tracker.games.api.schema import (
    Choice,
    Collection,
    Counters,
    Effect,
    Integer,
    Kind,
    Ladder,
    Path,
    Record,
    state_difference,
)
from tracker.saves.errors import DamagedSave
from tracker.saves.reader import Contents
from tracker.saves.save import Save
from tracker.text import shown_line

_NAME = r"[a-z0-9_]{1,80}"


def wrong_edit(save: Save, game: Game, read: Contents) -> tuple[int, str] | None:
    """Return (line, sentence for the player) if a hand edit has put an invalid value into [state]; None if not.

    `read` has the contents of the file of `save`. The line counts from 1. Raise OSError if the file has to be read for
    it and cannot be.
    """
    found = first_misfit(game.top, read.head.state) if read.head_edited else None
    if found is None:
        return None
    path, wanted = found
    where = shown_line(".".join(path), 160)
    return save.line_of(read, "state", *path), f"{where} should be {wanted}."


def check_edits(save: Save, game: Game, read: Contents) -> None:
    """Raise DamagedSave, with the line number, if a hand edit has put an invalid value into [state].

    `read` has the contents of the file of `save`. Raise OSError if the line cannot be looked up in the file.
    """
    if found := wrong_edit(save, game, read):
        raise DamagedSave(f"{save.path}, line {found[0]}: {found[1]}")


def find_edits(save: Save, game: Game, log: Log) -> list[Effect]:
    """Return effects that record the hand edits in [state] that no entry has recorded yet; [] if there are none.

    `log` must be the log of `save`. Effects that would not change its state now are left out.
    """
    if not save.read.head_edited:
        return []
    counted = [block.entry for block in save.blocks if 0 < (block.number or 0) <= save.head.entries]
    known = {entry["id"] for entry in counted}
    since = [entry for entry in log.entries if entry.get("did") == "edit" and entry["id"] not in known]
    before = [effect for entry in since for effect in entry.get("effects", [])]
    then, state = Log(game.top, start(game.top), counted).state, log.state
    taken: list[Effect] = []
    for edit in state_difference(game.top, then, freeze(save.head.state)):
        if edit not in before and (after := apply(game.top, state, edit)) is not state:
            taken.append(edit)
            state = after
    return taken


def first_misfit(kind: Kind | None, value: Any, path: Path = ()) -> tuple[Path, str] | None:
    """Find the first value in `value` that the schema `kind` does not allow. Return (path, expectation) or None.

    The expectation is text that completes "should be", for the player. `path` is where `value` is in the state.
    """
    match kind:
        case Record() | Collection() | Counters():
            if not isinstance(value, Mapping):
                return path, "a table"
            for key, inner in value.items():
                if not re.fullmatch(_NAME, key) or (key == "id" and path):
                    return (*path, key), "renamed: use a-z, 0-9 and _, but not id"
                if found := first_misfit(_inside(kind, key), inner, (*path, key)):
                    return found
            return None
        case _ if fits(kind, value) and not _nan(value):
            return None
        case Integer():
            return path, f"a whole number from {kind.low} to {kind.high}"
        case Choice() | Ladder():
            return path, "one of " + ", ".join(f'"{word}"' for word in kind.values)
        case None:
            return path, "a value other than nan"
        case _:
            return path, "a text"


def _inside(kind: Record | Collection | Counters, key: str) -> Kind | None:
    match kind:
        case Record():
            return kind.fields.get(key)
        case Collection():
            return kind.of
        case Counters():
            return Integer(0, kind.most)


def _nan(value: Any) -> bool:
    """Return True if the value is or contains nan, which would look like a new edit at every reading."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, float) and value != value) or any(map(_nan, inside))  # noqa: PLR0124
