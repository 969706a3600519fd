"""Entries behind the snapshot are judged by what later ones say, whichever entry of a procedure an undo names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.campaign.playing import GAME

from tracker.campaign import history as module
from tracker.campaign.fold import start
from tracker.campaign.history import History, HistorySource
from tracker.campaign.log import Entry, Log


class Shelf:
    """A file whose entries are all before the snapshot; counts how many were read."""

    def __init__(self, *entries: dict[str, Any]) -> None:
        self.entries: list[Entry] = [{"t": n, **entry} for n, entry in enumerate(entries)]
        self.read = 0

    def older(self, before: int | None, count: int) -> tuple[list[Entry], int]:
        end = len(self.entries) if before is None else before
        first = max(0, end - count)
        self.read += end - first
        return self.entries[first:end], first


def history_of(shelf: Shelf) -> History:
    log = Log(GAME.top, start(GAME.top), upto=len(shelf.entries))
    return History(cast(HistorySource, SimpleNamespace(log=log, save=shelf)))


OPENED, HELD, CLOSED = (
    {"id": "a.1", "open": True},
    {"id": "a.2", "open": True, "closes": "a.1"},
    {"id": "a.3", "closes": "a.2"},
)


@pytest.mark.parametrize("named", ["a.1", "a.2", "a.3"])
def test_history_undo_of_any_entry_of_a_procedure_marks_all_of_them(named: str) -> None:
    told = history_of(Shelf({"id": "a.0"}, OPENED, HELD, CLOSED, {"id": "a.4", "undoes": named}))
    assert {entry["id"]: undone for entry, undone in told} == {
        "a.4": False,
        "a.3": True,
        "a.2": True,
        "a.1": True,
        "a.0": False,
    }


def test_history_undo_that_lies_within_a_procedure_marks_the_newer_entries_too() -> None:
    """Two copies were put together: one undid the roll that the other has finished."""
    told = history_of(Shelf(OPENED, {"id": "b.1", "undoes": "a.1"}, HELD, CLOSED))
    assert [undone for _, undone in told] == [True, True, False, True]


def test_history_redo_of_an_undo_marks_nothing() -> None:
    told = history_of(Shelf(OPENED, HELD, CLOSED, {"id": "a.4", "undoes": "a.1"}, {"id": "a.5", "undoes": "a.4"}))
    assert [entry["id"] for entry, undone in told if undone] == ["a.4"]


def test_history_start_that_is_missing_does_not_make_it_read_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 4)
    monkeypatch.setattr(module, "CHUNK", 2)
    shelf = Shelf(*({"id": f"a.{n}"} for n in range(100)), {"id": "b.1", "closes": "gone"})
    newest = next(iter(history_of(shelf)))
    assert newest == (shelf.entries[-1], False)
    assert shelf.read == 4
