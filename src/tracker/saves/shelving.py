"""Campaigns on their shelf: renamed, copied, put into the archive and brought back. Nothing is ever deleted.

What belongs to a save goes where it goes: its backups, the lines that were begun, what an unfinished write left.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator

from tracker.saves import places
from tracker.saves.compact import BACKUPS, backups
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError
from tracker.saves.lock import Lock, Locked, lock_of
from tracker.text import shown_line

ARCHIVE = "archive"


def rename(path: str, name: str, disk: Disk | None = None) -> str:
    """Give the campaign another name; its new path."""
    if problem := places.name_problem(name):
        raise SaveError(problem)
    target = os.path.join(os.path.dirname(path), f"{name}.toml")
    if target != path:
        _move(path, target, disk or Disk())
    return target


def duplicate(path: str, name: str, disk: Disk | None = None) -> str:
    """A copy under another name; the path of it."""
    if problem := places.name_problem(name):
        raise SaveError(problem)
    target = os.path.join(os.path.dirname(path), f"{name}.toml")
    try:
        with open(path, "rb") as file:
            data = file.read()
        (disk or Disk()).write_file(target, data)
    except OSError as error:
        raise _failed(path, "copied", error, name) from None
    return target


def archive(path: str, disk: Disk | None = None) -> str:
    """Put the campaign into the archive beside the saves; its new path."""
    return _into(path, os.path.join(os.path.dirname(path), ARCHIVE), disk or Disk())


def bring_back(path: str, disk: Disk | None = None) -> str:
    """Take the campaign out of the archive; its new path."""
    return _into(path, os.path.dirname(os.path.dirname(path)), disk or Disk())


def archived(folder: str) -> list[places.Listed]:
    """What lies in the archive of this folder."""
    there = os.path.join(folder, ARCHIVE)
    return places.campaigns(there) if os.path.isdir(there) else []


def _into(path: str, folder: str, disk: Disk) -> str:
    stem = os.path.basename(path).removesuffix(".toml")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise _failed(path, "moved", error) from None
    for n in range(1, 1000):
        target = os.path.join(folder, f"{stem}{f' {n}' if n > 1 else ''}.toml")
        if not os.path.lexists(target):
            _move(path, target, disk)
            return target
    raise SaveError(f"There are too many campaigns called {_said(path)}; give it another name first.")


def _move(path: str, target: str, disk: Disk) -> None:
    """The save under its new path, with all that belongs to it; SaveError, with nothing moved, if that cannot be."""
    real = os.path.realpath(path)
    try:
        lock = Lock(lock_of(real))
    except Locked as error:
        raise SaveError(f"{_said(path)} stays where it is: {error}; close it there first.") from None
    except OSError as error:
        raise _failed(path, "moved", error) from None
    moved: list[tuple[str, str]] = []
    try:
        # A link is only a name: what belongs to the save lies beside the file that it leads to.
        for old, new in [(path, target), *([] if os.path.islink(path) else _belongings(path, target))]:
            os.makedirs(os.path.dirname(new) or ".", exist_ok=True)
            _move_file(old, new, disk)
            moved.append((old, new))
        for folder in {os.path.dirname(path), os.path.dirname(target)}:
            disk.sync_folder(folder or ".")
    except OSError as error:
        for old, new in reversed(moved):
            _move_file(new, old, disk)
        raise _failed(path, "moved", error, os.path.basename(target).removesuffix(".toml")) from None
    else:
        if path == real:
            disk.discard(lock_of(path))
    finally:
        lock.release()


def _move_file(old: str, new: str, disk: Disk) -> None:
    """A new name for a file, never one that is taken."""
    same = os.path.lexists(new) and os.path.samefile(old, new)  # only letters' case differs, on some disks
    if os.path.islink(old) or same or not disk.second_name(old, new):
        if os.path.lexists(new) and not same:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new)
        disk.replace(old, new)
        return
    try:
        disk.unlink(old)
    except OSError:
        disk.discard(new)
        raise


def _belongings(path: str, target: str) -> Iterator[tuple[str, str]]:
    """What lies beside a save and is its own, and where it goes."""
    folder, name = os.path.split(path)
    there, new = os.path.split(target)
    stem, new_stem = name.removesuffix(".toml"), new.removesuffix(".toml")
    for backup in backups(path):
        number = backup.rsplit(".", 2)[1]
        yield backup, os.path.join(there, BACKUPS, f"{new_stem}.{number}.toml")
    torn = re.compile(rf"{re.escape(stem)}\.torn-(\d+)\.txt")
    draft = re.compile(rf"\.{re.escape(name)}\.((?:[a-z0-9_.]+\.)?draft)")
    for left in os.listdir(folder or "."):
        if found := draft.fullmatch(left):
            yield os.path.join(folder, left), os.path.join(there, f".{new}.{found[1]}")
        elif found := torn.fullmatch(left):
            yield os.path.join(folder, left), os.path.join(there, f"{new_stem}.torn-{found[1]}.txt")


def _said(path: str) -> str:
    return f"“{shown_line(os.path.basename(path).removesuffix('.toml'))}”"


def _failed(path: str, done: str, error: OSError, name: str = "") -> SaveError:
    if isinstance(error, FileExistsError) and name:
        return SaveError(f"“{shown_line(name)}” exists already; choose another name.")
    if isinstance(error, FileNotFoundError):
        return SaveError(f"{_said(path)} is not there any more.")
    return SaveError(f"{_said(path)} cannot be {done}: {error.strerror or error}.")
