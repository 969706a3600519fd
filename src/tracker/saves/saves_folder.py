"""The saves folder: find it, list its campaigns, and name, copy, rename and archive them."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from tracker import COMMANDS
from tracker.records import NamedTuple
from tracker.saves import reader
from tracker.saves.compaction import ARCHIVE, BACKUPS, backups, kept_apart
from tracker.saves.disk import Disk, data_folder, open_regular
from tracker.saves.errors import LongHead, SaveError
from tracker.saves.lock import Lock, Locked, Unlockable, lock_of
from tracker.text import shown_line

_EXAMPLE = "example-"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
_UNFIT = r'[/\\\x00-\x1f\x7f:*?"<>|]'

HEAD_MOST = 1 << 22
"""Most bytes that a list reads of a head; the head of a campaign with 10,000 tracks is shorter."""
_TAIL = 1 << 14
_LAST_MARK = rb"(?m)^#= (\d{1,12}) [0-9a-f]{8}"


def source_tree() -> str:
    """Return the project's folder if the package runs from its source tree, else ""."""
    source = os.path.dirname(_PACKAGE)
    root = os.path.dirname(source)
    ours = os.path.basename(source) == "src" and os.path.isfile(os.path.join(root, "pyproject.toml"))
    return root if ours else ""


def saves_folder(asked: str | None) -> str:
    """Return the path of the saves folder; create nothing (see `make_saves_folder`).

    It is the first of these: `asked` (the option --saves), the variable TRACKER_SAVES, saves/ in the source tree,
    saves/ in the platform's data folder. Raise OSError if the last one is needed and there is no data folder.
    """
    folder = chosen_folder(asked)
    if not folder:
        tree = source_tree()
        folder = os.path.join(tree, "saves") if tree else os.path.join(data_folder(), "saves")
    return folder


def chosen_folder(asked: str | None) -> str:
    """Return the saves folder that the player chose, with --saves (`asked`) or the variable TRACKER_SAVES, or ""."""
    return asked or os.environ.get("TRACKER_SAVES", "")


def make_saves_folder(folder: str) -> str:
    """Create the saves folder, with its parents, unless it exists, and return its path. Raise SaveError on failure."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise unusable(folder, error) from None
    return folder


def unusable(folder: str, error: OSError) -> SaveError:
    """Return a SaveError, for the caller to raise, that tells the player why the saves folder cannot be used."""
    return SaveError(f"Can't use the saves folder {shown_line(folder, 200)}: {error.strerror}.")


def path_of(name: str, folder: str) -> str:
    """Return the path of the campaign with this name in `folder`.

    A name that ends in .toml or contains a slash is a path already, and is returned unchanged.
    """
    if name.endswith(".toml") or "/" in name or os.sep in name:
        return name
    return os.path.join(folder, f"{name}.toml")


def copy_name(path: str) -> str:
    """Return a name for a copy of the campaign at `path` that is unused in its folder, such as "Kara copy 2".

    If 999 of them are in use, return the first one, such as "Kara copy".
    """
    folder, name = os.path.split(path)
    name = f"{name.removesuffix('.toml')} copy"
    more = (f"{name} {n}" for n in range(2, 1000))
    return next((one for one in (name, *more) if not os.path.lexists(os.path.join(folder, f"{one}.toml"))), name)


def copy_path(said: str, path: str) -> str:
    """Return the path for a copy of the campaign at `path`, given the text `said` that the player typed.

    If it is a name, the copy is in the campaign's folder. If it is a path (it has a slash or ends in .toml), it is used
    unchanged, with .toml added if missing; if it is a folder, the copy is in it, under the campaign's name. Raise
    SaveError if a name is not valid for a campaign.
    """
    target = os.path.expanduser(path_of(said, ""))
    if target == f"{said}.toml":
        if problem := name_problem(said):
            raise SaveError(problem)
        return os.path.join(os.path.dirname(path), target)
    if target.endswith(os.sep) or os.path.isdir(target):
        return os.path.join(target, os.path.basename(path))
    return target if target.endswith(".toml") else f"{target}.toml"


def match_case(path: str) -> str:
    """Return the path of the only file in the same folder whose name equals that of `path` if case is ignored.

    Return `path` itself if it exists, or if no file or more than one matches. Raise OSError if the folder cannot be
    read.
    """
    folder, wanted = os.path.split(path)
    if os.path.exists(path) or not os.path.isdir(folder or "."):
        return path
    alike = [name for name in os.listdir(folder or ".") if name.casefold() == wanted.casefold()]
    return os.path.join(folder, alike[0]) if len(alike) == 1 else path


def name_problem(name: str) -> str | None:
    """Return the reason why a new campaign cannot have this name, as a sentence for the player, or None if it can.

    Names of existing campaigns are not checked.
    """
    said = f"“{shown_line(name)}”"
    if not name.strip():
        return "A campaign needs a name."
    if len(name) > 60:
        return f"{len(name)} characters is too long for a name; the limit is 60."
    if name.lower() in COMMANDS:
        return f"{said} is a command of tracker; choose another name."
    if re.search(_UNFIT, name) or name.startswith((".", "-")) or name != name.strip() or name.endswith("."):
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
"""Time of last play for a campaign whose file has no usable time; sorts it last in a list."""


class CampaignInfo(NamedTuple):
    """A campaign as a list of campaigns shows it, from a quick look at its file.

    `problem` is the reason why it cannot be opened, or "". `played` is the time of the file's last change. `stale`
    is True if the head, from which `characters` come, is older than the last entry, or was too long to read.
    `unread` is how many of the file's `size` bytes have to be read to open it.
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
    """Return every campaign in the folder except the examples, the one played last first.

    Of each file only the head, at most about `head_most` bytes, and the last 16 KB are read. A file that cannot be
    opened is listed with its `problem`. Raise OSError if the folder cannot be read.
    """
    paths = (os.path.join(folder, f"{name}.toml") for name in names(folder))
    return sorted((look_at(path, head_most) for path in paths), key=lambda one: one.played, reverse=True)


def names(folder: str) -> list[str]:
    """Return the names of the campaigns in the folder except the examples, sorted.

    Raise OSError if it cannot be read.
    """
    there = sorted(os.listdir(folder))
    saves = (name for name in there if name.endswith(".toml") and not name.startswith((".", _EXAMPLE)))
    return [name.removesuffix(".toml") for name in saves if os.path.isfile(os.path.join(folder, name))]


def look_at(path: str, head_most: int = HEAD_MOST) -> CampaignInfo:
    """Return the campaign at this path as a list shows it. At most about `head_most` bytes of its head are read.

    Never raises SaveError or OSError: the result's `problem` says what is wrong with the file.
    """
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


def id_of(path: str) -> str:
    """Return the id of the campaign in the file at this path; "" if it cannot be read."""
    try:
        with open_regular(path) as file:
            return reader.read_head(os.path.basename(path), file)[0].id
    except (SaveError, OSError):
        return ""


def _moment(seconds: float) -> datetime:
    """Return a file's timestamp as local time; UNKNOWN if it is outside the years 1 to 9999."""
    try:
        return datetime.fromtimestamp(seconds)
    except (ValueError, OverflowError, OSError):
        return UNKNOWN


def _last_number(file: BinaryIO, size: int, entries: int) -> int:
    """Return the number in the last end mark within the last 16 KB of the file, or `entries` if that is higher.

    `size` is the number of bytes in the file. Return `entries` if there is no end mark. Raise OSError if the file
    cannot be read.
    """
    file.seek(max(0, size - _TAIL))
    marks = re.findall(_LAST_MARK, file.read(_TAIL))
    return max(entries, int(marks[-1])) if marks else entries


def examples() -> list[str]:
    """Return the paths of the example campaigns that come with the program, one per game, sorted."""
    tree = source_tree()
    folder = os.path.join(tree, "saves") if tree else os.path.join(_PACKAGE, "examples")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in names if is_example(name) and name.endswith(".toml")]


def example_name(path: str) -> str:
    """Return the name of the example campaign at this path, which is the id of its game."""
    return os.path.basename(path).removeprefix(_EXAMPLE).removesuffix(".toml")


def is_example(path: str) -> bool:
    return os.path.basename(path).startswith(_EXAMPLE)


def copy_example(example: str, folder: str) -> str:
    """Copy the example at the path `example` to a new file in `folder`, under an unused name, and return its path.

    The copy gets a new campaign id: with the same one, two copies would share their backups. Raise SaveError if the
    example cannot be read or the copy cannot be written, or if there are 999 copies already.
    """
    stem = example_name(example).replace("-", " ").capitalize()
    for n in range(1, 1000):
        target = os.path.join(folder, f"{stem} example{f' {n}' if n > 1 else ''}.toml")
        try:
            with open_regular(example) as file:
                Disk().write_file(target, _with_new_id(file.read()))
        except FileExistsError:
            continue
        except OSError as error:
            raise SaveError(f"Can't copy the example to {shown_line(target, 200)}: {error.strerror}.") from None
        return target
    raise SaveError("Too many copies of that example; move some away.")


def _with_new_id(data: bytes) -> bytes:
    """Return the bytes of a save with a new random id in its head.

    If the head was edited by hand, return `data` unchanged. Raise DamagedSave if the head is damaged.
    """
    from tracker.saves import head

    end = head.find_end(data)
    if end is None or not end[2]:
        return data
    top = head.read("the example", data[: end[0]], trusted=True)
    return head.emit(top._replace(id=os.urandom(3).hex())) + data[end[1] :]


_DRAFT = r"\.(.+\.toml)\.((?:[a-z0-9_.]+\.)?draft)"


def rename(path: str, name: str, disk: Disk | None = None) -> str:
    """Give the campaign at `path`, with its backups and drafts, the new name `name` and return its new path.

    Raise SaveError, with nothing moved, if the name is not valid or taken, a tracker has the campaign open, or a file
    cannot be moved.
    """
    if problem := name_problem(name):
        raise SaveError(problem)
    target = os.path.join(os.path.dirname(path), f"{name}.toml")
    if target != path:
        _move(path, target, disk or Disk())
    return target


def duplicate(path: str, name: str, disk: Disk | None = None) -> str:
    """Copy the campaign's file at `path`, without backups, to the name `name` in its folder; return the copy's path.

    Raise SaveError, with no copy left, if the name is not valid or taken, or a file cannot be read or written.
    """
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
    """Move the campaign at `path`, with its backups and drafts, to the archive folder beside it; return its new path.

    The folder is created if needed. A number is added to the name if it is taken there. Raise SaveError, with nothing
    moved, if a tracker has the campaign open or a file cannot be moved.
    """
    return _into(path, os.path.join(os.path.dirname(path), ARCHIVE), disk or Disk())


def bring_back(path: str, disk: Disk | None = None) -> str:
    """Move the archived campaign at `path`, with its backups and drafts, back to the saves folder.

    Return its new path. A number is added to the name if it is taken there. Raise SaveError, with nothing moved, if a
    tracker has the campaign open or a file cannot be moved.
    """
    return _into(path, os.path.dirname(os.path.dirname(path)), disk or Disk())


def archived(folder: str, head_most: int = HEAD_MOST) -> list[CampaignInfo]:
    """Return the campaigns in the archive of this saves folder, the one played last first; [] if there is no archive.

    At most about `head_most` bytes of each head are read. A file that cannot be opened is listed with its `problem`.
    Raise OSError if the archive cannot be read.
    """
    there = os.path.join(folder, ARCHIVE)
    return campaigns(there, head_most) if os.path.isdir(there) else []


def folder_for(path: str) -> str:
    """Return the saves folder of the campaign at this path: its folder, or the parent of that if it is archived."""
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
    """Move the save at `path`, with its backups, drafts, marks and files of set-aside entries, to the path `target`.

    Of a link, only the link moves. Raise SaveError, with nothing moved, if `target` exists, a tracker has the save
    open, or a file cannot be moved.
    """
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
        # Of a link only the link moves: backups and drafts are beside the file that it leads to.
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
    """Rename the file at `old` to the path `new`, which may be the same name in other case.

    Raise FileExistsError if `new` exists, and OSError if the file cannot be renamed, each with nothing done.
    """
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
    """Yield (old path, new path) of each file that belongs to a save which moves from `path` to `target`.

    These are backups, drafts, marks, and entries that were set aside. A draft is `.NAME.toml.draft` or
    `.NAME.toml.ID.draft`. NAME may contain dots, so the last `.toml` ends it. Raise OSError if a folder cannot be read.
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
    aside = re.compile(rf"{re.escape(stem)}(\.(?:torn|refused)-[0-9]+\.txt)")
    marks, new_marks = f".{stem}.marks", os.path.join(there, f".{new_stem}.marks")
    for left in os.listdir(folder or "."):
        if (found := re.fullmatch(_DRAFT, left)) and found[1] == name:
            yield os.path.join(folder, left), os.path.join(there, f".{new}.{found[2]}")
        elif found := aside.fullmatch(left):
            yield os.path.join(folder, left), os.path.join(there, f"{new_stem}{found[1]}")
        elif left == marks and not os.path.lexists(new_marks):
            yield os.path.join(folder, left), new_marks


def _said(path: str) -> str:
    return f"“{shown_line(os.path.basename(path).removesuffix('.toml'))}”"


def _failed(path: str, done: str, error: OSError, name: str = "") -> SaveError:
    if isinstance(error, FileExistsError) and name:
        return SaveError(f"“{shown_line(name)}” already exists; choose another name.")
    if isinstance(error, FileNotFoundError):
        return SaveError(f"{_said(path)} is gone.")
    return SaveError(f"{_said(path)} can't be {done}: {error.strerror or error}.")
