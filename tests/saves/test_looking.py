"""Searches in the bytes before the snapshot: what they find, however the bytes are divided."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.bench.readers import HEAD, marked

from tracker.saves import search, toml
from tracker.saves.blocks import Entry
from tracker.saves.head import Head, Snapshot
from tracker.saves.reader import Contents

ENTRIES: list[Entry] = [
    {"id": f"k.{n}", "t": n, "did": "journal", "text": f"Line {n}{' and so on' * (40 * (n % 10 == 3))}."}
    | ({"undoes": f"k.{n - 1}"} if n % 7 == 0 else {})
    | ({"of": f"k.{n - 2}"} if n % 11 == 0 else {})
    | ({"closes": f"k.{n - 1 - n % 2}"} if n % 5 < 2 else {})
    for n in range(1, 60)
]
DATA = marked(HEAD, *map(toml.emit_entry, ENTRIES))
HEAD_END = len(marked(HEAD))


def contents(data: bytes) -> Contents:
    """Return the contents of a save whose base stands for all its entries."""
    base = Snapshot(len(ENTRIES), (0, ""), len(data) - HEAD_END, 0, frozenset(), {})
    head = Head("k", "ironsworn", 1, base=base)
    return Contents(head, [], head_edited=False, head_end=HEAD_END, end=len(data), last_number=len(ENTRIES))


@pytest.fixture(params=[64, 300, 1000, 1 << 18])
def _stretch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_STRETCH", request.param)


@pytest.mark.usefixtures("_stretch")
class TestAnyStretch:
    def test_matching_finds_each_entry_once_newest_first(self) -> None:
        for wanted in ("Line", "and so on", "Line 1", "nothing"):
            look = search.matching(io.BytesIO(DATA), contents(DATA), re.compile(wanted.encode()))
            found = [entry for entries in look for entry in entries]
            assert found == [entry for entry in reversed(ENTRIES) if wanted in entry["text"]]

    def test_matching_skips_the_marks(self) -> None:
        crc = DATA.rsplit(b"#= ", 2)[1].split()[1]
        look = search.matching(io.BytesIO(DATA), contents(DATA), re.compile(crc + b"|Line 59"))
        assert [entry for entries in look for entry in entries] == ENTRIES[-1:]

    def test_marked_finds_undos_and_edits_newest_first(self) -> None:
        found = search.marked(io.BytesIO(DATA), contents(DATA))
        assert found == [entry for entry in reversed(ENTRIES) if "undoes" in entry or "of" in entry]

    def test_closings_has_what_each_entry_closes_in_the_order_of_the_file(self) -> None:
        found = search.closings(io.BytesIO(DATA), contents(DATA))
        assert list(found.items()) == [(entry["id"], entry["closes"]) for entry in ENTRIES if "closes" in entry]
        assert found

    def test_place_of_is_where_an_entry_ends(self) -> None:
        for n in (1, 2, 13, 59):
            place = search.place_of(io.BytesIO(DATA), contents(DATA), f"k.{n}")
            assert place is not None
            assert DATA[HEAD_END:][:place].rpartition(b"\n#= ")[2].startswith(b"%d " % n)
        assert search.place_of(io.BytesIO(DATA), contents(DATA), "k.60") is None


LOOKS: dict[str, Callable[[Any, Contents], Any]] = {
    "matching": lambda file, of: list(search.matching(file, of, re.compile(b"Line"))),
    "marked": search.marked,
    "closings": search.closings,
    "place of": lambda file, of: search.place_of(file, of, "k.60"),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_file_that_has_become_shorter_is_an_error(look: Callable[[Any, Contents], Any]) -> None:
    with pytest.raises(OSError, match="shorter"):
        look(io.BytesIO(DATA[:-1]), contents(DATA))


def test_file_cut_by_another_program_during_a_search_is_an_error(tmp_path: Path) -> None:
    data = marked(HEAD, *(toml.emit_entry({**ENTRIES[0], "id": f"k.{n}", "text": "x" * 2000}) for n in range(600)))
    path = tmp_path / "x.toml"
    path.write_bytes(data)
    with path.open("rb") as file:
        matches = search.matching(file, contents(data), re.compile(b"xx"))
        assert next(matches)
        os.truncate(path, 5000)
        with pytest.raises(OSError, match="shorter"):
            list(matches)


def test_block_is_read_once_however_often_it_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    read_ours = toml.read_ours

    def counted(data: bytes) -> dict[str, Any] | None:
        reads.append(len(data))
        return read_ours(data)

    monkeypatch.setattr(toml, "read_ours", counted)
    data = marked(HEAD, toml.emit_entry({**ENTRIES[0], "text": "x" * 500_000}))
    assert [len(found) for found in search.matching(io.BytesIO(data), contents(data), re.compile(b"x"))] == [1]
    assert len(reads) == 1
