"""Compaction: replace a save, in one step, by a file with a fresh head and the same blocks. Also names its backups."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO

from tracker.records import NamedTuple
from tracker.saves import blocks, head, reader
from tracker.saves.blocks import Block
from tracker.saves.disk import Disk, NotAFolder, NotRegular, kind_of, open_regular
from tracker.saves.errors import Changed, SaveError
from tracker.saves.head import Snapshot
from tracker.saves.reader import Contents

BACKUPS = ".backups"
ARCHIVE = "archive"
"""Name of the folder beside the saves for archived campaigns."""
KEPT = 5
"""Number of files replaced by compaction that are kept as backups."""
KEPT_MERGED = 3
"""Number of versions that one session keeps as backups though all their entries were added to the save again."""

_BACKUP = r"\.([0-9]{6,})\.toml"
_DRAFT_TEMP = r"\.\.(.+\.toml)\.(?:[a-z0-9_.]+\.)?draft\.[0-9]+\.new"
_KEPT_APART = r"\.kept-([0-9]{1,9})\.toml"


class Plan(NamedTuple):
    """The file that a compaction is going to write, made by `plan` for `write`.

    It consists of the bytes `top` (a head), `copied` bytes of the old file from the offset `copy_from` on, and the
    bytes `fresh`. `contents` describes the new file as if it had been read. `marks` has a snapshot for each place that
    was asked for.
    """

    top: bytes
    copy_from: int
    copied: int
    fresh: bytes
    contents: Contents
    marks: list[Snapshot]


class Place(NamedTuple):
    """A place in a list of blocks where a snapshot can begin: after the first `cut` of them, with this state.

    The state must not include the effects of the entries whose ids are in `without`, which later entries undo.
    """

    cut: int
    state: Mapping[str, Any]
    without: frozenset[str]


def plan(
    old: Contents,
    state: Mapping[str, Any],
    cut: int,
    base_state: Mapping[str, Any],
    without: frozenset[str],
    places: Iterable[Place] = (),
) -> Plan:
    """Return the file that compaction should write for the contents `old`; nothing is written.

    `state` is the current state. The new snapshot covers the first `cut` of `old.blocks` and everything before them.
    Its state is `base_state`, which must not include the effects of the entries whose ids are in `without`. `places`
    are more places for which the snapshots are wanted. Raise DamagedSave if the new head is invalid.
    """
    before = old.head.base
    upto = before.upto if before else 0
    size, crc = (before.size, before.crc) if before else (0, 0)
    snapshot = before and before._replace(without=without, state=base_state)
    wanted = {place.cut: place for place in places}
    marks: list[Snapshot] = []
    fresh: list[Block] = []
    written = bytearray()
    at = size
    for n, block in enumerate(old.blocks, 1):
        body = block.body
        body = body if body.endswith(b"\n") else body + b"\n"
        chunk = body + blocks.mark(upto + n, body)
        written += chunk
        if n > cut:  # the others are not read again: no copy of their bytes stays in memory
            fresh.append(Block(at, at + len(chunk), body, block.entry, upto + n))
        at += len(chunk)
        if n <= cut:
            crc = zlib.crc32(chunk, crc)
            last = (block.entry["t"], block.entry["id"])
            if n == cut:
                snapshot = Snapshot(upto + n, last, at, crc, without, base_state)
            if place := wanted.get(n):
                marks.append(Snapshot(upto + n, last, at, crc, place.without, place.state))
    new = old.head._replace(state=state, entries=upto + len(old.blocks), base=snapshot)
    top = head.emit(new)
    head.read("the new save", top, trusted=True)  # what cannot be read again is never written
    for block in fresh:
        block.start += len(top)
        block.end += len(top)
    rest = old.rest if not old.rest or old.rest.endswith(b"\n") else old.rest + b"\n"
    written += rest
    contents = Contents(
        head=new,
        head_edited=False,
        head_end=len(top),
        blocks=fresh,
        end=len(top) + size + len(written),
        last_number=upto + len(old.blocks),
        rest=rest,
    )
    return Plan(top, old.head_end, size, bytes(written), contents, marks)


def write(real: str, new: Plan, disk: Disk) -> tuple[int, str]:
    """Write the planned file under a temporary name beside the save and sync it; return (open descriptor, path).

    `real` is the save's path without links. The file gets the save's owner and permissions. Raise OSError on failure;
    the temporary file is removed then.
    """
    fd, temp = disk.create_temp(real, 0o600, os.O_RDWR | os.O_APPEND)
    try:
        _give_owner(real, fd)
        import shutil

        shutil.copymode(real, temp)
        disk.write_all(fd, new.top)
        with open_regular(real) as old:
            old.seek(new.copy_from)
            left = new.copied
            while left:
                chunk = old.read(min(1 << 20, left))
                if not chunk:
                    raise OSError("the save is shorter than it was")
                disk.write_all(fd, chunk)
                left -= len(chunk)
        disk.write_all(fd, new.fresh)
        disk.sync(fd)
    except BaseException:
        with contextlib.suppress(OSError):  # the first error is the one to tell
            disk.close(fd)
        disk.discard(temp)
        raise
    return fd, temp


def _give_owner(real: str, fd: int) -> None:
    """Give the new file with the descriptor `fd` the owner and group of the save at `real`, as far as allowed.

    Otherwise a save that root has played would belong to root. Raise OSError if there is no save at `real`.
    """
    if hasattr(os, "fchown"):
        status = os.stat(real)
        for owner in (-1, status.st_uid):
            with contextlib.suppress(OSError):  # who may write a save may still not give a file away
                os.fchown(fd, owner, status.st_gid)


def put(
    real: str, fd: int, temp: str, disk: Disk, still_ours: Callable[[str], None], keep: Callable[[str], None]
) -> str:
    """Replace the save at `real` by the file from `write`; return the path of the old file's backup, or "" if none.

    `fd` and `temp` are the results of `write`. `still_ours` is called with a path, and must raise Changed unless the
    file there is the one that we last read or wrote.

    The two files are exchanged in one step. If another program turns out to have changed the old file, they are
    exchanged back, so that no change is lost. If the system cannot exchange files (see Disk.exchange), the old file is
    checked right before it is replaced, and a change in between is lost.

    Raise Changed or OSError on failure; the save is then in place, and the new file is closed and removed. If another
    program has created a third file during the exchange, call `keep` with the path of that file before raising.
    """
    mine, backup, swapped = signature(os.fstat(fd)), "", False
    try:
        backup = _keep_backup(real, disk)
        still_ours(real)
        try:
            swapped = disk.exchange(temp, real)
        except FileNotFoundError:
            still_ours(real)  # it was deleted in this very moment
            raise
        if swapped:
            try:
                still_ours(temp)
            except Changed:
                disk.exchange(temp, real)
                raise
        else:
            disk.replace(temp, real)
    except BaseException:
        with contextlib.suppress(OSError):  # the first error is the one to tell
            disk.close(fd)
        if not swapped or _is_there(temp, mine):
            disk.discard(temp)
        else:
            with contextlib.suppress(OSError):  # then it stays, and `sweep` finds it
                keep(temp)
        if backup:
            disk.discard(backup)
        raise
    if swapped:
        if not backup:
            with contextlib.suppress(OSError):  # without a backup, as where there are no second names
                disk.replace(temp, name := _backup_name(real, disk))
                return name
        disk.discard(temp)
    return backup


def _is_there(path: str, expected: tuple[int, ...]) -> bool:
    """Return True if the file at this path has the `signature` in `expected`; False if not, or if there is no file."""
    try:
        return signature(os.stat(path, follow_symlinks=False)) == expected
    except OSError:
        return False


def signature(status: os.stat_result) -> tuple[int, ...]:
    """Return values that identify a version of the file with this status; they change if it is replaced or written."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, stat.S_IFMT(status.st_mode)


def _keep_backup(real: str, disk: Disk) -> str:
    """Make a backup of the file at `real`, as a hard link to it; return the backup's path.

    `real` is the save's path without links. Return "", with nothing done, if the filesystem has no hard links, or if a
    file or link with the backup folder's name is in the way. Raise OSError if the folder cannot be created.
    """
    try:
        target = _backup_name(real, disk)
    except NotAFolder:
        return ""  # `backups_problem` is told at the opening
    return target if disk.second_name(real, target) else ""


def _backup_name(real: str, disk: Disk) -> str:
    """Return the path for the next numbered backup of the save at `real`; create the backup folder.

    Raise OSError if that fails.
    """
    folder, name = os.path.split(real)
    disk.make_folder(os.path.join(folder, BACKUPS))
    newest = max((number for number, _ in _numbered(real, _BACKUP)), default=0)
    return os.path.join(folder, BACKUPS, f"{name.removesuffix('.toml')}.{newest + 1:06d}.toml")


def backups(real: str) -> list[str]:
    """Return the paths of the backups that compaction made of the save at `real`, oldest first.

    Links and special files are left out. Return [] if there is no backup folder. Raise OSError if it cannot be read.
    """
    return [entry.path for _, entry in _numbered(real, _BACKUP) if entry.is_file(follow_symlinks=False)]


def backups_problem(real: str) -> str:
    """Return a sentence for the player if no backup folder can be made beside the save at `real`, else "".

    That is so if something else has its name. Raise OSError if that cannot be looked at.
    """
    path = os.path.join(os.path.dirname(real), BACKUPS)
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return ""
    if stat.S_ISDIR(status.st_mode):
        return ""
    return f"{BACKUPS} is not a folder but {kind_of(status)}: tracker keeps no backups there until you delete it."


def _numbered(real: str, ending: str) -> list[tuple[int, os.DirEntry[str]]]:
    """Return (number, file) of each backup of the save at `real` whose name ends as `ending` says, sorted by number.

    `ending` is a regular expression whose group is the number. Return [] if there is no backup folder. Raise OSError if
    the folder cannot be read.
    """
    folder, name = os.path.split(real)
    folder = os.path.join(folder, BACKUPS)
    mine = re.compile(re.escape(name.removesuffix(".toml")) + ending)
    if os.path.islink(folder) or not os.path.isdir(folder):
        return []
    with os.scandir(folder) as entries:
        found = [(int(match[1]), entry) for entry in entries if (match := mine.fullmatch(entry.name))]
    return sorted(found, key=lambda one: (one[0], one[1].name))


def kept_apart(real: str) -> list[str]:
    """Return the paths of the versions of the save at `real` that `Save.keep_apart` has stored, oldest first.

    Compaction never deletes them. Return [] if there is no backup folder. Raise OSError if it cannot be read.
    """
    return [entry.path for _, entry in _numbered(real, _KEPT_APART) if entry.is_file(follow_symlinks=False)]


def free_name(real: str) -> str:
    """Return an unused path for a version of the save at `real` that compaction must never delete.

    Create the backup folder. Raise OSError if that fails.
    """
    folder, name = os.path.split(real)
    Disk().make_folder(os.path.join(folder, BACKUPS))
    number = max((number for number, _ in _numbered(real, _KEPT_APART)), default=0) + 1
    return os.path.join(folder, BACKUPS, f"{name.removesuffix('.toml')}.kept-{number}.toml")


def sweep(real: str, disk: Disk, keep: Callable[[str], None]) -> None:
    """Delete the temporary files of the save at `real` that a killed program left. Only for the holder of its lock.

    A temporary file with entries that the save lacks is not deleted: `keep` is called with its path. It may hold
    changes by another program, if ours was killed in `put` right after the exchange. Raise OSError if the folder cannot
    be read.
    """
    folder, name = os.path.split(real)
    stem = re.escape(name.removesuffix(".toml"))
    for left in _temporary(folder):
        path = os.path.join(folder, left)
        draft = re.fullmatch(_DRAFT_TEMP, left)
        torn = re.fullmatch(rf"\.{stem}\.(?:torn|refused)-\d+\.txt(?:\.\d+)?\.new", left)
        marks = re.fullmatch(rf"\.\.{stem}\.marks\.\d+\.new", left)
        version = re.fullmatch(rf"\.{re.escape(name)}(?:\.\d+)?\.new", left)
        half = torn or marks or (draft and draft[1] == name)
        if half or (version and _has_nothing_new(path, real)):
            disk.discard(path)
        elif version:
            with contextlib.suppress(OSError):  # no folder for it, see `backups_problem`: then it stays
                keep(path)
    folder = os.path.join(folder, BACKUPS)
    if os.path.isdir(folder) and not os.path.islink(folder):
        for left in _temporary(folder):
            if re.fullmatch(rf"\.{stem}\.(?:kept-\d+|\d{{6,}})\.toml\.\d+\.new", left):
                disk.discard(os.path.join(folder, left))


def _temporary(folder: str) -> list[str]:
    """Return the names in a folder that end as those of temporary files do. Raise OSError if it cannot be read."""
    return [name for name in os.listdir(folder) if name.endswith(".new")]


def _has_nothing_new(path: str, real: str) -> bool:
    """Return True if the temporary file at `path` has no entry that the save at `real` lacks.

    An unfinished file that ends within its head counts as having none. Return False if either file cannot be read.
    """
    try:
        with open_regular(path, follow=False) as left, open_regular(real) as save:
            if not left.read(1 << 16).strip(b"\0"):
                return True  # a power cut came before the first byte
            end, trusted = reader.find_body(left)
            if not trusted:
                data = _stretch(left, 0, end)
                return data.startswith(b"format = ") and b"\n#= 0 " not in data and b"[[entry]]" not in data
            if _begins_with(save, reader.find_body(save)[0], left, end):
                return True
            left.seek(0)
            save.seek(0)
            found = reader.read("a version", left, tail="keep", whole=True)
            known = {block.entry["id"]: block.entry for block in _whole(save)}
            lost = [found.torn, *(_stretch(left, bad.start, bad.end) for bad in found.bad)]
    except NotRegular:
        return True
    except (OSError, SaveError):
        return False
    # Zeros are left by a power cut during a write, which was never reported as saved.
    return all(known.get(block.entry["id"]) == block.entry for block in found.blocks) and all(
        b"\0" in data or not data for data in lost
    )


def _whole(file: BinaryIO) -> list[Block]:
    return reader.read("the save", file, tail="keep", whole=True).blocks


def _stretch(file: BinaryIO, start: int, end: int) -> bytes:
    file.seek(start)
    return file.read(end - start)


def _begins_with(file: BinaryIO, at: int, other: BinaryIO, start: int) -> bool:
    """Return True if the bytes of `file` from `at` on begin with all the bytes of `other` from `start` on."""
    file.seek(at)
    other.seek(start)
    while chunk := other.read(1 << 20):
        if file.read(len(chunk)) != chunk:
            return False
    return True
