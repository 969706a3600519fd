"""Bringing a backup back: as a new campaign, or in place of the present one. Nothing is ever deleted."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from datetime import datetime

from tracker.saves import backups, places, reading
from tracker.saves.backups import REPLACED, Backup
from tracker.saves.disk import Disk, open_regular
from tracker.saves.errors import SaveError
from tracker.saves.lock import Lock, Locked, Unlockable, lock_of
from tracker.text import shown_line

Step = Callable[[float], None]
_LONGEST = 60 - len(" restored 999")
"""Characters that the name of a restored campaign takes from the old one."""


def as_new(backup: Backup, folder: str, step: Step | None = None, disk: Disk | None = None) -> str:
    """Copy a backup to a new campaign in this folder and return its path.

    Raise SaveError, with nothing made, if the backup is damaged or the folder does not take it.
    """
    source = checked(backup, step)
    stem = f"{backup.name[:_LONGEST].strip()} restored"
    for n in range(1, 1000):
        target = os.path.join(folder, f"{stem}{f' {n}' if n > 1 else ''}.toml")
        try:
            with open_regular(source, follow=False) as file:
                status = os.fstat(file.fileno())
                (disk or Disk()).write_file(target, backups.chunks(file, status.st_size), 0o600)
            os.chmod(target, stat.S_IMODE(status.st_mode))
        except FileExistsError:
            continue
        except OSError as error:
            raise _failed(target, error) from None
        return target
    raise SaveError(f"There are too many campaigns called {shown_line(stem)}; rename or archive some of them.")


def in_place(backup: Backup, path: str, step: Step | None = None, disk: Disk | None = None) -> str:
    """Put a backup in the place of the campaign at this path, durably, and return where the present file is kept.

    Return "" if there was no file. Raise SaveError, with the present file untouched, if the backup is damaged,
    another tracker has the campaign open, or the folder does not take it.
    """
    source, real, disk = checked(backup, step), os.path.realpath(path), disk or Disk()
    try:
        lock = Lock(lock_of(real))
    except Locked as error:
        raise SaveError(
            f"{shown_line(os.path.basename(path))} stays as it is: {error}; close it there first."
        ) from None
    except Unlockable as error:
        raise SaveError(f"{shown_line(os.path.basename(path))} stays as it is: {error}.") from None
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
                for chunk in backups.chunks(file, os.fstat(file.fileno()).st_size):
                    disk.write_all(fd, chunk)
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
    """Give the present file a backup's name as well, or copy it where a file has one name only; return that path."""
    folder = backups.beside(real)
    backups.make_folder(folder, disk)
    stem = os.path.basename(real).removesuffix(".toml")
    when = backups.free_time((folder,), stem, datetime.now().replace(microsecond=0))
    kept = os.path.join(folder, backups.file_name(stem, when, REPLACED))
    if not disk.second_name(real, kept):
        with open_regular(real) as file:
            disk.write_file(kept, backups.chunks(file, os.fstat(file.fileno()).st_size))
    disk.settle_names(folder)
    return kept


def checked(backup: Backup, step: Step | None = None) -> str:
    """Return the path of a file of this backup that is intact throughout, or but for an unfinished write at its end.

    Raise SaveError if there is none: then `tracker recover` may still save something.
    """
    problem, torn = "", ""
    for path in backup.paths:
        try:
            with open_regular(path, follow=False) as file:
                found = reading.read(os.path.basename(path), file, tail="keep", step=step, whole=True)
        except SaveError as error:
            why = str(error).rstrip(".")
        except OSError as error:
            why = f"it cannot be read ({error.strerror or error})"
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
    """Return the backup that `when` names: a number of the list, or how its date begins (then the newest such one).

    "today" and "yesterday" are dates too. Raise SaveError if there is none.
    """
    if when.isdecimal() and 1 <= int(when) <= len(found):
        return found[int(when) - 1]
    today = (now or datetime.now()).date()
    days = {"today": today, "yesterday": today.fromordinal(today.toordinal() - 1)}
    word, _, rest = when.strip().lower().partition(" ")
    wanted = f"{days[word]} {rest}".strip() if word in days else when.strip()
    wanted = wanted.replace("T", " ").replace(".", ":")
    for backup in found:
        if wanted and f"{backup.when:%Y-%m-%d %H:%M:%S}".startswith(wanted):
            return backup
    raise SaveError(
        f"No backup is called “{shown_line(when)}”; give a number from the list, or a date such as {today}."
    )


def _failed(path: str, error: OSError) -> SaveError:
    return SaveError(f"{shown_line(os.path.basename(path))} cannot be restored: {error.strerror or error}.")


def folder_for(path: str) -> str:
    """Return the folder for a new campaign from a backup of this one: its own, or outside the archive."""
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.dirname(folder) if os.path.basename(folder) == places.ARCHIVE else folder
