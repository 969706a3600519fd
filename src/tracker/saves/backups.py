"""Backups of a campaign: make them, thin them out, find them, check them and restore them.

docs/backups.md describes the scheme for players. `campaign.session` decides when to make a dated backup.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import BinaryIO

from tracker.records import NamedTuple
from tracker.saves import blocks, compaction, head, reader, toml
from tracker.saves.compaction import ARCHIVE, BACKUPS
from tracker.saves.disk import Disk, data_folder, open_regular
from tracker.saves.errors import SaveError
from tracker.saves.lock import Lock, Locked, Unlockable, lock_of
from tracker.text import shown_line

SNAPSHOT = "snapshot"

REPLACED = "replaced"
"""Kind of backup: the file that a restore in place has replaced. Never deleted by the program."""

COMPACTED = "older version"
"""Kind of backup: a file that a compaction has replaced. `Save.compact` keeps the last `compaction.KEPT`."""

APART = "kept apart"
"""Kind of backup: one of two versions, kept when another program wrote a file that differs from ours."""

NEWEST, HOURS, DAYS, MONTHS = 10, 24, 31, 12
"""Numbers of snapshots to keep: the newest, and one for each of the last hours, days and months; see `superfluous`."""

ROOM = 256 << 20
"""Most bytes of snapshots of one campaign in one folder; the NEWEST are kept whatever their size."""
_STAMP = "%Y-%m-%d %H.%M.%S"
_WHEN = r"(\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d)"
_GROUP = re.compile(r"(.+) ([0-9a-f]{8})", re.DOTALL)
_IDENT = re.compile(rb'(?m)^[ \t]*id[ \t]*=[ \t]*"([A-Za-z0-9_-]{1,40})"')
_MARK = re.compile(rb"(?m)^#= (\d{1,12}) ([0-9a-f]{8})[ \t\r]*(?:\n|\Z)")

_SYNCED = 4 << 20
"""Most bytes of a snapshot that is synced in the data folder too; syncing a larger one would make quitting slow."""
_WINDOW = 1 << 16
_CHUNK = 1 << 20


class Backup(NamedTuple):
    """One backup of a campaign, as `find` returns it.

    `kind` is SNAPSHOT, REPLACED, COMPACTED or APART; `name` is the campaign's name at that time. `paths` are one or
    two files with the same content; the one beside the save comes first.
    """

    when: datetime
    """Local time, without a zone, as in the file's name."""
    kind: str
    name: str
    paths: tuple[str, ...]


class Condition(NamedTuple):
    """The condition of a backup, as a quick look finds it: its number of entries, and a problem.

    `problem` is a clause for the player, or "" if the backup looks intact.
    """

    entries: int
    problem: str = ""


# -- where they lie -----------------------------------------------------------------------------------------------
def beside(real: str) -> str:
    """Return the path of the backup folder beside the save at `real`; create nothing."""
    return os.path.join(os.path.dirname(real), BACKUPS)


def backups_folder() -> str:
    """Return the path of the folder with the backups of all campaigns, in the platform's data folder; create nothing.

    Raise OSError if there is no data folder.
    """
    return os.path.join(data_folder(), "backups")


def group_folder(real: str, ident: str) -> str:
    """Return the path of this campaign's own folder in `backups_folder`; create nothing.

    `real` is the save's path without links, `ident` the campaign's id. The folder's name includes a hash of the path,
    because copies of a campaign have the same id. Raise OSError if there is no data folder.
    """
    return os.path.join(_campaign_folder(ident), f"{_stem(real)} {_path_key(real)}")


def _campaign_folder(ident: str) -> str:
    return os.path.join(backups_folder(), head.folder_name(ident))


def _path_key(real: str) -> str:
    return f"{zlib.crc32(os.fsencode(real)):08x}"


def _stem(real: str) -> str:
    return os.path.basename(real).removesuffix(".toml")


def file_name(stem: str, when: datetime, kind: str = SNAPSHOT) -> str:
    """Return the file name of a backup of this kind, SNAPSHOT or REPLACED, made at the local time `when`.

    `stem` is the save's name without .toml.
    """
    return f"{stem}{f' {REPLACED}' if kind == REPLACED else ''} {when.strftime(_STAMP)}.toml"


def dated(folder: str, stem: str) -> Iterator[tuple[datetime, str, str]]:
    """Yield (time, kind, path) of each dated backup in `folder`, in no particular order.

    `stem` is the name of the save without .toml; backups of other saves are skipped. `kind` is SNAPSHOT or REPLACED.
    Yield nothing if the folder cannot be read.
    """
    mine = re.compile(rf"{re.escape(stem)}( {REPLACED})? {_WHEN}\.toml")
    for name in _names(folder):
        if found := mine.fullmatch(name):
            with contextlib.suppress(ValueError):  # 2026-13-45 is no date, and no name of ours
                when = datetime.fromisoformat(found[2].replace(".", ":"))  # strptime imports 2 ms of locales
                yield when, REPLACED if found[1] else SNAPSHOT, os.path.join(folder, name)


def _names(folder: str) -> list[str]:
    """Return the file names in a folder, or [] if it cannot be read; `snapshot` reports such a folder.

    Folders are among them.
    """
    try:
        return os.listdir(folder)
    except OSError:
        return []


# -- making and thinning out --------------------------------------------------------------------------------------
def snapshot(real: str, ident: str, size: int, disk: Disk, now: datetime | None = None) -> list[str]:
    """Copy the first `size` bytes of the save to dated files, in the folder beside it and in the data folder.

    `real` is the save's path without links, `ident` the campaign's id. `superfluous` decides which older snapshots are
    deleted in each folder. Return one sentence for the player for each folder that failed, [] if none did; never raises
    OSError. Only the holder of the save's lock may call this. `now` replaces the present local time, for tests.
    """
    stem, problems = _stem(real), list[str]()
    folders = [beside(real)]
    try:
        folders.append(group_folder(real, ident))
    except OSError as error:
        problems.append(f"Couldn't make a backup in the data folder: {error.strerror}.")
    when = free_time(folders, stem, (now or datetime.now()).replace(microsecond=0))
    for folder in folders:
        try:
            make_folder(folder, disk)
            _sweep(folder, stem, disk)
            sync = folder == folders[0] or size <= _SYNCED
            _copy(real, size, os.path.join(folder, file_name(stem, when)), disk, sync=sync)
            _thin_out(folder, stem, when, disk)
        except OSError as error:
            problems.append(f"Couldn't make a backup in {folder}: {error.strerror or error}.")
    return problems


def free_time(folders: Iterable[str], stem: str, when: datetime) -> datetime:
    """Return `when`, or the first full second after it for which none of `folders` has a dated backup of this save.

    `stem` is the name of the save without .toml.
    """
    taken = {at for folder in folders for at, _, _ in dated(folder, stem)}
    while when in taken:
        when += timedelta(seconds=1)
    return when


def make_folder(folder: str, disk: Disk) -> None:
    """Create a backup folder if it does not exist. In the data folder, create its parents too.

    Raise OSError if that fails, or if one of these paths is a link or not a folder.
    """
    ours = [folder]
    if os.path.basename(folder) != BACKUPS:
        ours = [backups_folder(), os.path.dirname(folder), folder]
        os.makedirs(os.path.dirname(backups_folder()), 0o700, exist_ok=True)
    for path in ours:
        disk.make_folder(path)


def _sweep(folder: str, stem: str, disk: Disk) -> None:
    """Delete unfinished backups of a save that a killed program left in `folder`. Never raises OSError.

    `stem` is the name of the save without .toml.
    """
    half = re.compile(rf"\.{re.escape(stem)}( {REPLACED})? {_WHEN}\.toml\.\d+\.new")
    for name in filter(half.fullmatch, _names(folder)):
        disk.discard(os.path.join(folder, name))


def _copy(real: str, size: int, target: str, disk: Disk, *, sync: bool) -> None:
    """Copy the first `size` bytes of the file at `real`, and its permissions, to the new file `target`.

    With `sync`, return only when the copy is durable. Raise OSError if that fails or `target` exists.
    """
    with open_regular(real) as file:
        disk.write_file(target, chunks(file, size), 0o600, sync=sync)
        os.chmod(target, stat.S_IMODE(os.fstat(file.fileno()).st_mode))


def chunks(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the first `size` bytes of a file. Raise OSError if it has fewer."""
    left = size
    while left:
        chunk = file.read(min(_CHUNK, left))
        if not chunk:
            raise OSError(errno.EIO, "the file is shorter than it was")
        yield chunk
        left -= len(chunk)


def _thin_out(folder: str, stem: str, now: datetime, disk: Disk) -> None:
    found = {when: path for when, kind, path in dated(folder, stem) if kind == SNAPSHOT}
    for when in superfluous({when: os.lstat(path).st_size for when, path in found.items()}, now):
        disk.discard(found[when])


def superfluous(sizes: Mapping[datetime, int], now: datetime) -> set[datetime]:
    """Return the times of the snapshots in one folder that should be deleted.

    `sizes` maps the time of each snapshot to its size in bytes. The NEWEST snapshots are kept, and so are the last one
    of each of the most recent HOURS hours, DAYS days and MONTHS months that have any, and the last one of each year.
    Beyond the NEWEST, these are kept only until all kept ones take ROOM bytes, counted from the newest. Snapshots from
    after `now`, made with a wrong clock, are kept too. No snapshot is deleted for its age alone, so a clock that is far
    ahead deletes nothing.
    """
    past = sorted((when for when in sizes if when <= now), reverse=True)
    keep = set(past[:NEWEST])
    for most, stamp in ((HOURS, "%Y-%m-%d %H"), (DAYS, "%Y-%m-%d"), (MONTHS, "%Y-%m"), (len(past), "%Y")):
        last: dict[str, datetime] = {}
        for when in past:
            last.setdefault(when.strftime(stamp), when)
        keep |= set(list(last.values())[:most])
    taken = 0
    for n, when in enumerate(past):
        taken += sizes[when] if when in keep else 0
        if taken > ROOM and n >= NEWEST:
            keep.discard(when)
    return set(past) - keep


# -- finding ------------------------------------------------------------------------------------------------------
def find(path: str) -> list[Backup]:
    """Return the backups of the campaign at this path, newest first; [] if there are none.

    The campaign's file may be missing or damaged. In the data folder, backups are found by the campaign's id, even if
    it had another name then. If no file beside the save tells the id, they are found by path or name. Never raises
    OSError.
    """
    real = os.path.realpath(path)
    stem = _stem(real)
    found: dict[str, Backup] = {}
    for when, kind, file in dated(beside(real), stem):
        found[os.path.basename(file)] = Backup(when, kind, stem, (file,))
    for kind, listed in ((COMPACTED, compaction.backups), (APART, compaction.kept_apart)):
        with contextlib.suppress(OSError):  # as in `_names`
            for file in listed(real):
                found[os.path.basename(file)] = Backup(_modified(file), kind, stem, (file,))
    ident = ident_of(real) or next(filter(None, (ident_of(one.paths[0]) for one in found.values())), "")
    try:
        groups = _groups(real, ident)
    except OSError:
        groups = []  # there is no data folder
    for folder in groups:
        name, own = os.path.basename(folder)[:-9], folder.endswith(_path_key(real))
        for when, kind, file in dated(folder, name):
            key = os.path.basename(file) if own else file
            twin = found.get(key)
            found[key] = twin._replace(paths=(*twin.paths, file)) if twin else Backup(when, kind, name, (file,))
    return sorted(found.values(), key=lambda one: (one.when, one.kind != COMPACTED, one.paths), reverse=True)


def names(folder: str) -> list[str]:
    """Return the names of the campaigns of this saves folder that have snapshots, sorted; their files may be gone.

    Snapshots beside the saves and those in the data folder count. Never raises OSError.
    """
    real = os.path.realpath(folder)
    dates = re.compile(rf"(.+?)( {REPLACED})? {_WHEN}\.toml", re.DOTALL)
    found = {match[1] for match in map(dates.fullmatch, _names(os.path.join(real, BACKUPS))) if match}
    with contextlib.suppress(OSError):  # there is no data folder
        for campaign in _folders(backups_folder(), re.compile(".+")):
            for group in map(os.path.basename, _folders(campaign)):
                if group[-8:] == _path_key(os.path.join(real, f"{group[:-9]}.toml")):
                    found.add(group[:-9])
    return sorted(found)


def _groups(real: str, ident: str) -> list[str]:
    """Return the folders in the data folder that hold snapshots of this campaign.

    `real` is the save's path without links. With an id in `ident`, return all folders of that id, except those of a
    copy of the campaign that still exists in the same folder, its archive, or its parent folder. If `ident` is "",
    return the folders made for this path; if there are none, those for any campaign of this name. Raise OSError if
    there is no data folder.
    """
    if ident:
        there = {folder[-8:]: folder for folder in _folders(_campaign_folder(ident))}
        for other in _neighbors(real):
            if other != real and _path_key(other) in there and ident_of(other) == ident:
                del there[_path_key(other)]
        return [*there.values()]
    everywhere = [group for campaign in _folders(backups_folder(), re.compile(".+")) for group in _folders(campaign)]
    if same_path := [folder for folder in everywhere if folder.endswith(_path_key(real))]:
        return same_path
    return [folder for folder in everywhere if os.path.basename(folder)[:-9].casefold() == _stem(real).casefold()]


def _folders(parent: str, named: re.Pattern[str] = _GROUP) -> list[str]:
    paths = (os.path.join(parent, name) for name in sorted(_names(parent)) if named.fullmatch(name))
    return [path for path in paths if os.path.isdir(path) and not os.path.islink(path)]


def _neighbors(real: str) -> Iterator[str]:
    """Yield the paths of the .toml files in the folder of the save at `real`, in its archive, and in the parent folder.

    Folders that cannot be read are skipped.
    """
    here = os.path.dirname(real)
    for folder in (here, os.path.join(here, ARCHIVE), os.path.dirname(here)):
        yield from (os.path.join(folder, name) for name in _names(folder) if name.endswith(".toml"))


def ident_of(path: str) -> str:
    """Return the campaign's id from the first bytes of this file, damaged or not; "" if none is found there."""
    try:
        with open_regular(path) as file:
            first = file.read(_WINDOW)
    except OSError:
        return ""
    found = _IDENT.search(first)  # an entry's id has a dot in it
    return found[1].decode() if found else ""


def _modified(path: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(os.lstat(path).st_mtime))
    except (OSError, OverflowError, ValueError):
        return datetime.min


# -- looking ------------------------------------------------------------------------------------------------------
def look(backup: Backup) -> Condition:
    """Return the condition of a backup's best file, from a quick look at its head and its end.

    Damage in between is not found; `checked` reads everything. Never raises OSError or SaveError.
    """
    seen = [_look(path) for path in backup.paths]
    return next((one for one in seen if not one.problem), seen[0])


def intact_path(backup: Backup) -> str:
    """Return the path of the first of the backup's files that looks intact, or of the first if none does.

    Never raises OSError or SaveError.
    """
    return next((path for path in backup.paths if not _look(path).problem), backup.paths[0])


def _look(path: str) -> Condition:
    try:
        with open_regular(path, follow=False) as file:
            first = file.read(_WINDOW)
            if (end := head.find_end(first)) is None:
                first += file.read(_CHUNK)
                end = head.find_end(first)
            if end is None:
                return Condition(0, "its head is damaged")
            if not end[2]:  # edited by hand
                head.read(os.path.basename(path), first[: end[0]], trusted=False)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _WINDOW))
            return _look_at_end(file.read())
    except SaveError as error:
        return Condition(0, str(error))
    except OSError as error:
        return Condition(0, error.strerror or str(error))


def _look_at_end(data: bytes) -> Condition:
    marks = list(_MARK.finditer(data))
    if not marks:
        return Condition(0, "its end is damaged")
    last = marks[-1]
    entries = int(last[1])
    # With only one mark in these bytes its block may begin before them, so the CRC cannot be checked.
    body = data[marks[-2].end() : last.start()] if len(marks) > 1 else b""
    if body and zlib.crc32(body) != int(last[2], 16) and not _is_entry(body):
        return Condition(entries, "its last entry is damaged")
    if b"\0" in data[last.end() :]:
        return Condition(entries, "its end is damaged")
    return Condition(entries)


def _is_entry(body: bytes) -> bool:
    """Return True if `body`, the bytes of a block, parses as one or more entries.

    A block with a wrong CRC that parses was edited by hand; it is not damaged.
    """
    try:
        return bool(list(blocks.read_entries(body, 0)))
    except toml.BadToml:
        return False


def ago(when: datetime, now: datetime | None = None) -> str:
    """Return how long before `now`, by default the present, `when` was: "3 hours ago", "just now", "in the future"."""
    seconds = ((now or datetime.now()) - when).total_seconds()
    if seconds < -60:
        return "in the future"  # a clock was wrong, then or now
    for size, word in ((365 * 86400, "year"), (30 * 86400, "month"), (86400, "day"), (3600, "hour"), (60, "minute")):
        if (count := int(seconds // size)) > 0:
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "just now"


Step = Callable[[float], None]
"""Progress callback for a slow read: called with the fraction done, 0 to 1."""

_LONGEST = 60 - len(" restored 999")
"""Most characters of the old name in the name of a restored campaign, which may have 60."""


def as_new(backup: Backup, folder: str, step: Step | None = None, disk: Disk | None = None) -> str:
    """Copy a backup to a new campaign in this folder, such as "NAME restored" or "NAME restored 2"; return its path.

    `step` is called with the fraction of the backup that was checked, 0 to 1. Raise SaveError if the backup is damaged
    or the copy fails.
    """
    source = checked(backup, step)
    stem = f"{backup.name[:_LONGEST].strip()} restored"
    for n in range(1, 1000):
        target = os.path.join(folder, f"{stem}{f' {n}' if n > 1 else ''}.toml")
        try:
            with open_regular(source, follow=False) as file:
                status = os.fstat(file.fileno())
                (disk or Disk()).write_file(target, chunks(file, status.st_size), 0o600)
            os.chmod(target, stat.S_IMODE(status.st_mode))
        except FileExistsError:
            continue
        except OSError as error:
            raise _failed(target, error) from None
        return target
    raise SaveError(f"Too many campaigns are called {shown_line(stem)}; rename or archive some.")


def in_place(backup: Backup, path: str, step: Step | None = None, disk: Disk | None = None) -> str:
    """Replace the campaign at this path by a backup; return where the replaced file is kept, "" if there was no file.

    `step` is called with the fraction of the backup that was checked, 0 to 1. Raise SaveError if the backup is damaged,
    another tracker has the campaign open, or a file cannot be written.
    """
    source, real, disk = checked(backup, step), os.path.realpath(path), disk or Disk()
    try:
        lock = Lock(lock_of(real))
    except Locked as error:
        raise SaveError(
            f"{shown_line(os.path.basename(path))} wasn't changed: {error}; close it there first."
        ) from None
    except Unlockable as error:
        raise SaveError(f"{shown_line(os.path.basename(path))} wasn't changed: {error}.") from None
    except OSError as error:
        raise _failed(path, error) from None
    try:
        return _put(source, real, disk)
    except OSError as error:
        raise _failed(path, error) from None
    finally:
        lock.release()


def _put(source: str, real: str, disk: Disk) -> str:
    kept = ""
    fd, temp = disk.create_temp(real, 0o600)
    try:
        try:
            with open_regular(source, follow=False) as file:
                for chunk in chunks(file, os.fstat(file.fileno()).st_size):
                    disk.write_all(fd, chunk)
            import shutil

            shutil.copymode(real if os.path.exists(real) else source, temp)
            disk.sync(fd)
        finally:
            disk.close(fd)
        if os.path.lexists(real):
            kept = _keep(real, disk)
            disk.replace(temp, real)
        else:
            disk.name_file(temp, real)
        disk.settle_names(os.path.dirname(real))
    finally:
        disk.discard(temp)
    return kept


def _keep(real: str, disk: Disk) -> str:
    """Make a backup of kind REPLACED of the file at `real`, which is about to be replaced; return the backup's path.

    The backup is a hard link, or a copy on a filesystem without hard links. Raise OSError on failure.
    """
    folder = beside(real)
    make_folder(folder, disk)
    stem = os.path.basename(real).removesuffix(".toml")
    when = free_time((folder,), stem, datetime.now().replace(microsecond=0))
    kept = os.path.join(folder, file_name(stem, when, REPLACED))
    if not disk.second_name(real, kept):
        with open_regular(real) as file:
            disk.write_file(kept, chunks(file, os.fstat(file.fileno()).st_size))
    disk.settle_names(folder)
    return kept


def checked(backup: Backup, step: Step | None = None) -> str:
    """Read the files of this backup completely and return the path of the first intact one.

    If none is intact, return one whose only fault is an unfinished write at its end. `step` is called with the fraction
    done, 0 to 1. Raise SaveError if all files are damaged.
    """
    problem, torn = "", ""
    for path in backup.paths:
        try:
            with open_regular(path, follow=False) as file:
                found = reader.read(os.path.basename(path), file, tail="keep", step=step, whole=True)
        except SaveError as error:
            why = str(error).rstrip(".")
        except OSError as error:
            why = f"it can't be read ({error.strerror or error})"
        else:
            if not found.bad and not found.torn:
                return path
            if not found.bad:
                torn = torn or path
                continue
            why = f"line {found.bad[0].line} is damaged ({found.bad[0].why})"
        problem = problem or f"This backup is damaged: {why}. Choose another, or try `tracker recover {path}`."
    if torn:  # opening it sets the unfinished write aside, as in any save
        return torn
    raise SaveError(problem)


def chosen(found: list[Backup], when: str, now: datetime | None = None) -> Backup:
    """Return the backup in `found` that the text `when`, typed by the player, selects.

    The text is a number that counts from 1, or the beginning of a date and time; "today" and "yesterday" stand for
    dates. If several backups match, return the first of them. Raise SaveError if none matches. `now` replaces the
    present local time, for tests.
    """
    if when.isdecimal() and len(when) < 9 and 1 <= int(when) <= len(found):
        return found[int(when) - 1]
    today = (now or datetime.now()).date()
    days = {"today": today, "yesterday": today.fromordinal(today.toordinal() - 1)}
    word, _, rest = when.strip().lower().partition(" ")
    wanted = f"{days[word]} {rest}".strip() if word in days else when.strip()
    wanted = wanted.replace("T", " ").replace(".", ":")
    for backup in found:
        if wanted and f"{backup.when:%Y-%m-%d %H:%M:%S}".startswith(wanted):
            return backup
    is_date = word in days or re.match(r"[0-9]{4}-[0-9]{2}", wanted)
    missing = f"There is no backup of {shown_line(when)}" if is_date else f"No backup is called “{shown_line(when)}”"
    raise SaveError(f"{missing}; give a number from the list, or a date such as {today}.")


def _failed(path: str, error: OSError) -> SaveError:
    return SaveError(f"{shown_line(os.path.basename(path))} can't be restored: {error.strerror or error}.")
