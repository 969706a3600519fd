"""A small campaign for the tests of faults: made, played, and read again by the longest way."""

from __future__ import annotations

import glob
import io
import os
from collections.abc import Callable
from typing import Any

from tests.faults.disks import QuickDisk

from tracker import games
from tracker.campaign import log, session
from tracker.campaign.fold import start
from tracker.campaign.log import Log
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.schema import State
from tracker.saves import reader
from tracker.saves.blocks import Entry
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError, UnmarkedTail

GAME = games.get("ironsworn")


def tidy_often(put: Callable[[Any, str, Any], None]) -> None:
    """Compact after a few entries, so that the snapshot follows closely."""
    put(session, "COMPACT_AFTER", 5)
    put(log, "KEEP", 8)


def new(path: str) -> None:
    """Write a campaign with one character, Kara, and return its session."""
    new_campaign(path, GAME, QuickDisk())
    table = Session.open(path, disk=QuickDisk())
    add_kara(table)
    assert table.close().word == "saved"


def add_kara(table: Session) -> Entry:
    return table.do("character/make", [{"at": "party", "add": {"id": "kara", "name": "Kara"}}])


def play(table: Session, n: int) -> Entry:
    """Make the nth change: a gain, a loss, a journal line, and now and then an undo."""
    if n % 7 == 6:
        undone = table.undo()
        assert undone is not None
        return undone
    if n % 5 == 4:
        return table.write(f"Line {n} of “the journal”\n#= 0 00000000\n[[entry]]\nends here.", who="kara")
    by = (3, -1, 2, -4)[n % 4]
    return table.do("adventure/face_danger", [{"at": "kara.momentum", "by": by}], who="kara", text=f"Roll {n}.")


def play_saved(table: Session, count: int, first: int = 0) -> list[str]:
    """Play so many things, each saved before the next; their ids."""
    ids = []
    for n in range(first, first + count):
        ids.append(play(table, n)["id"])
        assert table.settle().word == "saved"
    return ids


def reopen(path: str, disk: Disk | None = None) -> Session:
    """Open the save as the program does; what may be an unfinished write is set aside."""
    disk = disk or QuickDisk()
    try:
        return Session.open(path, disk=disk)
    except UnmarkedTail:
        return Session.open(path, tail="aside", disk=disk)


def contents(path: str) -> reader.Contents:
    """Return everything in the file, read without its snapshot."""
    with open(path, "rb") as file:
        return reader.read(path, file, tail="keep", whole=True)


def ids(path: str) -> list[str]:
    return [block.entry["id"] for block in contents(path).blocks]


def folded(path: str) -> State:
    """Return the state folded from every entry of the file, from the first."""
    return Log(GAME.top, start(GAME.top), [block.entry for block in contents(path).blocks]).state


def raw(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def put_raw(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def torn_files(path: str) -> list[str]:
    """Return the files with what was set aside, oldest first."""
    return sorted(glob.glob(glob.escape(os.path.splitext(path)[0]) + ".torn-*.txt"))


def assert_whole(path: str, acknowledged: list[str]) -> None:
    """Assert that no acknowledged entry is lost, nothing is damaged, and the state is the fold of the entries."""
    with_base = reopen(path)
    try:
        found = set(ids(path))
        assert [ident for ident in acknowledged if ident not in found] == []
        assert with_base.readonly == ""
        assert with_base.state == folded(path)
    finally:
        with_base.close()


def found_in(data: bytes) -> set[str] | str:
    """Return the ids that a save with these bytes would show, or the reason why it would not be shown whole."""
    try:
        found = reader.read("found", io.BytesIO(data), tail="aside")
    except SaveError as error:
        return str(error)
    if found.bad:
        return found.damage
    if not found.head.base:
        return {block.entry["id"] for block in found.blocks}
    whole = reader.read("found", io.BytesIO(data), tail="aside", whole=True)
    return {block.entry["id"] for block in whole.blocks}
