"""Campaigns on their shelf: renamed, copied, put into the archive and brought back. Nothing is ever deleted.

What belongs to a save goes where it goes: its backups, the lines that were begun, what an unfinished write left.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator

from tracker.saves import places
from tracker.saves.compact import BACKUPS, backups, kept_apart
from tracker.saves.disk import Disk, open_regular
from tracker.saves.errors import SaveError
from tracker.saves.lock import Lock, Locked, Unlockable, lock_of
from tracker.text import shown_line

_DRAFT = re.compile(r"\.(.+\.toml)\.((?:[a-z0-9_.]+\.)?draft)")


def rename(path: str, name: str, disk: Disk | None = None) -> str:
    """Give the campaign another name; its new path."""
    if problem := places.name_problem(name):
        raise SaveError(problem)
    target = os.path.join(os.path.dirname(path), f"{name}.toml")
    if target != path:
        _move(path, target, disk or Disk())
    return target


def duplicate(path: str, name: str, disk: Disk | None = None) -> str:
    """Copy the campaign to another name and return the copy's path. Raise SaveError with no copy left."""
    if problem := places.name_problem(name):
        raise SaveError(problem)
    target = os.path.join(os.path.dirname(path), f"{name}.toml")
    try:
        with open_regular(path) as file:
            data = file.read()
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o777
        (disk or Disk()).write_file(target, data, mode)
    except OSError as error:
        raise _failed(path, "copied", error, name) from None
    return target


def archive(path: str, disk: Disk | None = None) -> str:
    """Put the campaign into the archive beside the saves; its new path."""
    return _into(path, os.path.join(os.path.dirname(path), places.ARCHIVE), disk or Disk())


def bring_back(path: str, disk: Disk | None = None) -> str:
    """Take the campaign out of the archive; its new path."""
    return _into(path, os.path.dirname(os.path.dirname(path)), disk or Disk())


def archived(folder: str, head_most: int = places.HEAD_MOST) -> list[places.Listed]:
    """Return what lies in the archive of this folder; `head_most` is that of `places.campaigns`."""
    there = os.path.join(folder, places.ARCHIVE)
    return places.campaigns(there, head_most) if os.path.isdir(there) else []


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
    except Unlockable as error:
        raise SaveError(f"{_said(path)} stays where it is: {error}.") from None
    except OSError as error:
        raise _failed(path, "moved", error) from None
    moved: list[tuple[str, str]] = []
    try:
        # A link is only a name: what belongs to the save lies beside the file that it leads to.
        for old, new in [(path, target), *([] if os.path.islink(path) else _belongings(path, target))]:
            if os.path.basename(os.path.dirname(new)) == BACKUPS:
                disk.make_folder(os.path.dirname(new))
            _move_file(old, new, disk)
            moved.append((old, new))
        for folder in {os.path.dirname(path), os.path.dirname(target)}:
            disk.settle_names(folder or ".")
    except OSError as error:
        for old, new in reversed(moved):
            _move_file(new, old, disk)
        raise _failed(path, "moved", error, os.path.basename(target).removesuffix(".toml")) from None
    else:
        if path == real:
            lock.remove(lock_of(path))
    finally:
        lock.release()


def _move_file(old: str, new: str, disk: Disk) -> None:
    """Give a file another name. Raise FileExistsError for one that is taken, even by a link to the same file."""
    same = old.casefold() == new.casefold() and os.path.lexists(new) and os.path.samefile(old, new)
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
    """Yield each file that belongs to the save, and its new path.

    A draft is `.NAME.toml.draft` or `.NAME.toml.ID.draft`, and NAME may have dots: the last `.toml` ends it.
    """
    folder, name = os.path.split(path)
    there, new = os.path.split(target)
    stem, new_stem = name.removesuffix(".toml"), new.removesuffix(".toml")
    for backup in backups(path):
        number = backup.rsplit(".", 2)[1]
        yield backup, os.path.join(there, BACKUPS, f"{new_stem}.{number}.toml")
    for kept in kept_apart(path):
        number = kept.rsplit("-", 1)[1]
        yield kept, os.path.join(there, BACKUPS, f"{new_stem}.kept-{number}")
    from tracker.saves.backups import dated, file_name

    for when, kind, backup in dated(os.path.join(folder, BACKUPS), stem):
        yield backup, os.path.join(there, BACKUPS, file_name(new_stem, when, kind))
    torn = re.compile(rf"{re.escape(stem)}\.torn-([0-9]+)\.txt")
    for left in os.listdir(folder or "."):
        if (found := _DRAFT.fullmatch(left)) and found[1] == name:
            yield os.path.join(folder, left), os.path.join(there, f".{new}.{found[2]}")
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
