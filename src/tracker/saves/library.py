"""Where campaigns lie, what they may be called, and what is there."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from tracker import COMMANDS
from tracker.saves import reader
from tracker.saves.compact import ARCHIVE, BACKUPS, backups, kept_apart
from tracker.saves.disk import Disk, data_folder, open_regular
from tracker.saves.errors import LongHead, SaveError
from tracker.saves.lock import Lock, Locked, Unlockable, lock_of
from tracker.text import shown_line

_EXAMPLE = "example-"
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
_UNFIT = re.compile(r'[/\\\x00-\x1f\x7f:*?"<>|]')

HEAD_MOST = 1 << 22
"""Bytes in which a list looks for the end of a head: a table with 10,000 tracks has less."""
_TAIL = 1 << 14
_LAST_MARK = re.compile(rb"(?m)^#= (\d{1,12}) [0-9a-f]{8}")


def source_tree() -> Path | None:
    """The project's folder, when the package runs from one."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "pyproject.toml").is_file() and (root / "src" / "tracker").is_dir() else None


def saves_folder(asked: str | None) -> str:
    """Return `--saves`, else TRACKER_SAVES, else the source tree's saves/, else the platform's data folder.

    Nothing is created: commands that write call `make_saves_folder`.
    """
    folder = asked or os.environ.get("TRACKER_SAVES")
    if not folder:
        tree = source_tree()
        folder = str(tree / "saves") if tree else os.path.join(data_folder(), "saves")
    return folder


def make_saves_folder(folder: str) -> str:
    """Create the saves folder unless it is there, and return it. Raise SaveError if that fails."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise unusable(folder, error) from None
    return folder


def unusable(folder: str, error: OSError) -> SaveError:
    """Return an error that says why the saves folder cannot be used."""
    return SaveError(f"Can't use the saves folder {shown_line(folder, 200)}: {error.strerror}.")


def path_of(name: str, folder: str) -> str:
    """A name in the saves folder; one that ends in .toml or holds a slash is a path of its own."""
    if name.endswith(".toml") or "/" in name or os.sep in name:
        return name
    return os.path.join(folder, f"{name}.toml")


def copy_name(path: str) -> str:
    """Return an unused name for a copy of this campaign in the same folder, without the folder and ".toml"."""
    folder, name = os.path.split(path)
    name = f"{name.removesuffix('.toml')} copy"
    more = (f"{name} {n}" for n in range(2, 1000))
    return next((one for one in (name, *more) if not os.path.lexists(os.path.join(folder, f"{one}.toml"))), name)


def copy_path(said: str, path: str) -> str:
    """Return where a copy of the campaign at `path` goes: beside it under a name, or to a path (see `path_of`).

    In a folder the copy gets the campaign's own name. Raise SaveError if no campaign can be called that.
    """
    target = os.path.expanduser(path_of(said, ""))
    if target == f"{said}.toml":
        if problem := name_problem(said):
            raise SaveError(problem)
        return os.path.join(os.path.dirname(path), target)
    if target.endswith(os.sep) or os.path.isdir(target):
        return os.path.join(target, os.path.basename(path))
    return target if target.endswith(".toml") else f"{target}.toml"


def however_written(path: str) -> str:
    """The one file beside this path whose name differs from it in capitals only; else the path itself."""
    folder, wanted = os.path.split(path)
    if os.path.exists(path) or not os.path.isdir(folder or "."):
        return path
    alike = [name for name in os.listdir(folder or ".") if name.casefold() == wanted.casefold()]
    return os.path.join(folder, alike[0]) if len(alike) == 1 else path


def name_problem(name: str) -> str | None:
    """Why a new campaign cannot be called this, in one sentence; None if it can."""
    said = f"“{shown_line(name)}”"
    if not name.strip():
        return "A campaign needs a name."
    if len(name) > 60:
        return f"{len(name)} characters is too long for a name; the limit is 60."
    if name.lower() in COMMANDS:
        return f"{said} is a command of tracker; choose another name."
    if _UNFIT.search(name) or name.startswith((".", "-")) or name != name.strip() or name.endswith("."):
        return f"{said} can't be a file name; use letters, numbers, spaces, - and _."
    if name.endswith(".toml"):
        return f"Leave .toml off {said}; tracker adds it."
    if name.lower().startswith(_EXAMPLE) or name.lower().split(".")[0] in _DEVICES:
        return f"{said} is reserved; choose another name."
    try:
        if len(os.fsencode(name)) > 200:
            return "That name is too long for a file."
    except UnicodeEncodeError:
        return f"{said} can't be a file name."
    return None


UNKNOWN = datetime(1970, 1, 1)
"""When a campaign was played whose file does not tell: it comes last in a list."""


@dataclass(frozen=True)
class CampaignInfo:
    """A campaign as a list shows it; `problem` says why it cannot be opened as usual.

    It is `stale` if entries came after its head was written, so that the head does not know them, or if its head is
    too long for a quick look. `unread` is how many of its `size` bytes have to be read to open it.
    """

    name: str
    path: str
    game: str
    characters: tuple[str, ...]
    played: datetime
    entries: int
    problem: str = ""
    stale: bool = False
    size: int = 0
    unread: int = 0


def campaigns(folder: str, head_most: int = HEAD_MOST) -> list[CampaignInfo]:
    """Return every campaign in the folder, the one played last first.

    Of each file only the head is read, `head_most` bytes at the most, and the last 16 KB. Raise OSError if the folder
    cannot be read.
    """
    names = [name for name in os.listdir(folder) if name.endswith(".toml") and not name.startswith((".", _EXAMPLE))]
    paths = filter(os.path.isfile, (os.path.join(folder, name) for name in names))
    return sorted((look_at(path, head_most) for path in paths), key=lambda one: one.played, reverse=True)


def look_at(path: str, head_most: int = HEAD_MOST) -> CampaignInfo:
    """Return one campaign as a list shows it. Never raises: what is wrong with the file is its `problem`."""
    name = os.path.basename(path).removesuffix(".toml")
    try:
        played = _moment(os.stat(path).st_mtime)
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            top, needless = reader.look_at_head(os.path.basename(path), file, head_most)
            entries = _last_number(file, size, top.entries)
    except LongHead as error:
        stale = head_most < HEAD_MOST
        return CampaignInfo(name, path, "", (), played, 0, "" if stale else f"{name}.toml: {error}.", stale, size, size)
    except SaveError as error:
        return CampaignInfo(name, path, "", (), played, 0, str(error))
    except OSError as error:
        return CampaignInfo(name, path, "", (), UNKNOWN, 0, f"it can't be read: {error.strerror}")
    party = top.state.get("party")
    who = [one for one in party.values() if isinstance(one, dict)] if isinstance(party, dict) else []
    names = tuple(str(one.get("name", "")) for one in who if one.get("status") != "gone")
    unread = size - needless if needless <= size else size
    return CampaignInfo(name, path, top.game, names, played, entries, "", entries != top.entries, size, unread)


def _moment(seconds: float) -> datetime:
    """Return this time of a file; UNKNOWN for one outside the years 1 to 9999, which a file can have."""
    try:
        return datetime.fromtimestamp(seconds)
    except (ValueError, OverflowError, OSError):
        return UNKNOWN


def _last_number(file: BinaryIO, size: int, entries: int) -> int:
    """Return the number of the last end mark in the last 16 KB; `entries` if there is none, or a smaller one."""
    file.seek(max(0, size - _TAIL))
    marks = _LAST_MARK.findall(file.read(_TAIL))
    return max(entries, int(marks[-1])) if marks else entries


def examples() -> Iterator[Path]:
    """The example campaigns that come with the program, one per game."""
    packed = Path(__file__).resolve().parents[1] / "examples"
    tree = source_tree()
    folder = tree / "saves" if tree else packed
    return iter(sorted(folder.glob(f"{_EXAMPLE}*.toml")))


def is_example(path: str) -> bool:
    return os.path.basename(path).startswith(_EXAMPLE)


def copy_example(example: Path, folder: str) -> str:
    """Copy an example under a name that is free, as a campaign with an id of its own, and return its path.

    Two evenings in one example are two campaigns: their backups and their entries never mix. Raise SaveError if the
    folder does not take it.
    """
    stem = example.stem.removeprefix(_EXAMPLE).replace("-", " ").capitalize()
    for n in range(1, 1000):
        target = os.path.join(folder, f"{stem} example{f' {n}' if n > 1 else ''}.toml")
        try:
            with open_regular(str(example)) as file:
                Disk().write_file(target, _with_new_id(file.read()))
        except FileExistsError:
            continue
        except OSError as error:
            raise SaveError(f"Can't copy the example to {shown_line(target, 200)}: {error.strerror}.") from None
        return target
    raise SaveError("Too many copies of that example; move some away.")


def _with_new_id(data: bytes) -> bytes:
    """Return a save's bytes with another id in its head; unchanged if the head is not as we wrote it."""
    from tracker.saves import head

    end = head.find_end(data)
    if end is None or not end[2]:
        return data
    top = head.read("the example", data[: end[0]], trusted=True)
    return head.emit(top._replace(id=os.urandom(3).hex())) + data[end[1] :]


_DRAFT = re.compile(r"\.(.+\.toml)\.((?:[a-z0-9_.]+\.)?draft)")


def rename(path: str, name: str, disk: Disk | None = None) -> str:
    """Give the campaign another name; its new path."""
    if problem := name_problem(name):
        raise SaveError(problem)
    target = os.path.join(os.path.dirname(path), f"{name}.toml")
    if target != path:
        _move(path, target, disk or Disk())
    return target


def duplicate(path: str, name: str, disk: Disk | None = None) -> str:
    """Copy the campaign to another name and return the copy's path. Raise SaveError with no copy left."""
    if problem := name_problem(name):
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
    return _into(path, os.path.join(os.path.dirname(path), ARCHIVE), disk or Disk())


def bring_back(path: str, disk: Disk | None = None) -> str:
    """Take the campaign out of the archive; its new path."""
    return _into(path, os.path.dirname(os.path.dirname(path)), disk or Disk())


def archived(folder: str, head_most: int = HEAD_MOST) -> list[CampaignInfo]:
    """Return what lies in the archive of this folder; `head_most` is that of `places.campaigns`."""
    there = os.path.join(folder, ARCHIVE)
    return campaigns(there, head_most) if os.path.isdir(there) else []


def folder_for(path: str) -> str:
    """Return the folder for a new campaign from a backup of this one: its own, or outside the archive."""
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.dirname(folder) if os.path.basename(folder) == ARCHIVE else folder


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
    raise SaveError(f"Too many campaigns are called {_said(path)}; rename it first.")


def _move(path: str, target: str, disk: Disk) -> None:
    """The save under its new path, with all that belongs to it; SaveError, with nothing moved, if that cannot be."""
    real = os.path.realpath(path)
    try:
        lock = Lock(lock_of(real))
    except Locked as error:
        raise SaveError(f"{_said(path)} wasn't moved: {error}; close it there first.") from None
    except Unlockable as error:
        raise SaveError(f"{_said(path)} wasn't moved: {error}.") from None
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
        return SaveError(f"“{shown_line(name)}” already exists; choose another name.")
    if isinstance(error, FileNotFoundError):
        return SaveError(f"{_said(path)} is gone.")
    return SaveError(f"{_said(path)} can't be {done}: {error.strerror or error}.")
