"""The lock that lets only one process write a save: `flock` on a file beside it, which ends with its holder.

On a filesystem without `flock` a *claim* takes its place: a second file, created exclusively, which names its holder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
import threading
import time

from tracker.records import NamedTuple
from tracker.saves.disk import Disk, NotRegular, open_regular
from tracker.saves.errors import SaveError

_FULL = {errno.ENOSPC, errno.EDQUOT}
_NO_FLOCK = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


def lock_of(real: str) -> str:
    """Return the path of the lock file for the save at `real`, which is a path without links."""
    folder, name = os.path.split(real)
    return os.path.join(folder, f".{name}.lock")


def claim_of(path: str) -> str:
    """Return the path of the claim that is used with the lock file at `path` on a filesystem without `flock`."""
    return f"{path}.held"


PAUSE = 0.02
"""Seconds between two attempts to take a lock that another tracker holds."""


class Locked(SaveError):
    """Raised when another tracker has the save open for writing. `holder` is its process number, or "" if unknown."""

    def __init__(self, message: str, holder: str = "") -> None:
        super().__init__(message)
        self.holder = holder


class Unlockable(SaveError):
    """Raised when a lock cannot be taken until the player does something, such as deleting a file or freeing space.

    The message tells the player what to do.
    """


_ONE_AT_A_TIME = threading.Lock()
"""Held while a lock is taken or tested: `held` takes the lock for a moment, which must not make `Lock` fail."""


class Lock:
    """The lock of a save, taken on construction and held until `release`. `path` is that of the lock file.

    Raise Locked if another tracker holds it, Unlockable if the player has to remove an obstacle first, OSError if the
    lock file cannot be opened. `note` is a sentence for the player if the lock is only a claim, else "".
    """

    def __init__(self, path: str) -> None:
        self.note = ""
        self._claim = ""
        self._fd = -1
        try:
            with _ONE_AT_A_TIME:
                self._open_and_take(path)
            _write_holder(self._fd)
        except BaseException:
            self.release()
            raise

    def _open_and_take(self, path: str) -> None:
        while True:
            self._fd = _open(path)
            try:
                _take(self._fd)
            except (BlockingIOError, PermissionError):  # the second is Windows'
                holder = _holder(self._fd)
                told = f" (process {holder})" if holder else ""
                raise Locked(f"another tracker has it open{told}", holder) from None
            except OSError as error:
                if error.errno not in _NO_FLOCK:
                    raise
                self._claim = _claim(claim_of(path))
                name = os.path.basename(self._claim)
                self.note = (
                    f"This disk can't lock files, so {name} marks the campaign as open: "
                    "never open it on two computers at once."
                )
                return
            if _is_at(self._fd, path):
                break
            os.close(self._fd)  # renaming the campaign removed this lock file before it was ours
        _refuse_claimed(claim_of(path))
        Disk().discard(claim_of(path))

    def release(self) -> None:
        """Release the lock; do nothing if it was released before. Never raises."""
        if self._claim:
            if _read_claim(self._claim) == _ours():
                Disk().discard(self._claim)
            self._claim = ""
        if self._fd >= 0:
            with contextlib.suppress(OSError):  # the lock is released all the same
                os.close(self._fd)
            self._fd = -1

    def remove(self, path: str) -> None:
        """Delete the lock file at `path` after its save was moved away. The lock must be held.

        Do nothing if that file is not the locked one, or contains anything but a process number.
        """
        if _is_at(self._fd, path) and _is_ours(self._fd):
            Disk().discard(path)


def take_lock(path: str, patience: float = 0) -> Lock:
    """Return the lock whose file is at `path`; wait up to `patience` seconds for each tracker that holds it meanwhile.

    So commands at the same time take turns, however many they are, and one that finds a campaign open in the app gives
    up soon. Raise Locked if one tracker holds it longer, or at once if this process does; Unlockable if the player has
    to remove an obstacle first; OSError if the lock file cannot be opened.
    """
    holder, until = "", time.monotonic() + patience
    while True:
        try:
            return Lock(path)
        except Locked as error:
            if error.holder != holder:
                holder, until = error.holder, time.monotonic() + patience
            if holder == str(os.getpid()) or time.monotonic() >= until:
                raise
        time.sleep(PAUSE)


def held(path: str) -> bool:
    """Return True if a tracker, including this one, holds the lock whose file is at `path`. Never changes a file."""
    with _ONE_AT_A_TIME:
        try:
            fd = _open_any(path)
        except OSError:
            return _is_claimed(claim_of(path))
        try:
            _take(fd)
        except OSError as error:
            if error.errno not in _NO_FLOCK:
                return True
        finally:
            os.close(fd)
    return _is_claimed(claim_of(path))


def _open_any(path: str) -> int:
    """Open the existing lock file at `path` and return its descriptor.

    Without permission to write, open it read-only, which is enough to lock it. Raise OSError if it is missing, is not a
    regular file, or cannot be opened.
    """
    try:
        return Disk().open_file(path, os.O_RDWR)
    except PermissionError:
        return Disk().open_file(path, os.O_RDONLY)


def _open(path: str) -> int:
    disk = Disk()
    try:
        while True:
            try:
                return _open_any(path)
            except FileNotFoundError:
                with contextlib.suppress(FileExistsError):  # another tracker was faster
                    return disk.create_file(path, flags=os.O_RDWR)
    except NotRegular as error:
        raise Unlockable(f"its lock file {error}: delete it, then open the campaign again") from None
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise Unlockable(
            f"can't make a lock file beside it ({error.strerror}): make room there, then open the campaign again"
        ) from None


def _is_at(fd: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.lstat(path))
    except FileNotFoundError:
        return False


def _is_ours(fd: int) -> bool:
    """Return True if the lock file with the descriptor `fd` has only one name, and contains at most a process number.

    Only then may it be written: a hard link to the save can be locked, too.
    """
    status = os.fstat(fd)
    return status.st_nlink == 1 and status.st_size <= 20 and (status.st_size == 0 or bool(_holder(fd)))


def _write_holder(fd: int) -> None:
    with contextlib.suppress(OSError):  # on a full disk the lock works without the process number
        if _is_ours(fd):
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
            os.write(fd, str(os.getpid()).encode())


def _holder(fd: int) -> str:
    """Return the process number in the lock file with the descriptor `fd`, as text; "" if it contains anything else."""
    os.lseek(fd, 0, os.SEEK_SET)
    found = os.read(fd, 21)
    return found.decode() if re.fullmatch(rb"[0-9]{1,20}", found) else ""


if sys.platform == "win32":
    import msvcrt

    def _take(fd: int) -> None:
        # Far behind the holder's process number, so that others can read that.
        os.lseek(fd, 1 << 20, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        os.lseek(fd, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


# -- claims ---------------------------------------------------------------------------------------------


class _Holder(NamedTuple):
    """The process that a claim names as the holder of a lock.

    `started` is the start time of the process in clock ticks since boot, or "" if unknown; `host` names its computer
    or container.
    """

    pid: int
    started: str
    host: str


def _claim(path: str) -> str:
    """Create the claim at `path`, replacing one whose holder is dead, and return the same path.

    Raise Locked if the holder of an existing claim is alive, Unlockable if that cannot be known, and OSError if the
    claim cannot be created.
    """
    try:
        _write_claim(path)
    except FileExistsError:
        _refuse_claimed(path)
        _replace_stale(path)
    return path


def _write_claim(path: str) -> None:
    fd = Disk().create_file(path)
    with contextlib.suppress(OSError):  # on a full disk the claim works without the holder's name
        os.write(fd, " ".join(map(str, _ours())).encode())
    os.close(fd)


def _replace_stale(path: str) -> None:
    """Replace the claim at `path`, whose holder is dead, by our own.

    A temporary file makes sure that only one tracker does so at a time. Raise Unlockable if that file exists already,
    Locked if another tracker was faster, and OSError if the new claim cannot be created.
    """
    taking = f"{path}.taking"
    try:
        os.close(Disk().create_file(taking))
    except FileExistsError:
        name = os.path.basename(taking)
        raise Unlockable(f"another tracker is taking it over: open it again, and if that fails delete {name}") from None
    try:
        _refuse_claimed(path)
        Disk().discard(path)
        _write_claim(path)
    except FileExistsError:
        raise Locked("another tracker has just opened it") from None
    finally:
        Disk().discard(taking)


def _refuse_claimed(path: str) -> None:
    """Raise Locked if the claim at `path` has a living holder, and Unlockable if that cannot be known."""
    if not _is_claimed(path):
        return
    holder = _read_claim(path)
    if holder and holder.host == _host():
        raise Locked(f"another tracker has it open (process {holder.pid})", str(holder.pid))
    where = f" on {holder.host.split()[0]}" if holder else ""
    name = os.path.basename(path)
    raise Unlockable(f"another tracker{where} has it open, or was killed: close it there, or delete {name}")


def _is_claimed(path: str) -> bool:
    """Return True if there is a claim at `path`, except if its holder is known to be dead."""
    if not os.path.lexists(path):
        return False
    holder = _read_claim(path)
    if not holder or holder.host != _host():
        return True
    return _is_alive(holder.pid) and _started(holder.pid) == holder.started


def _read_claim(path: str) -> _Holder | None:
    """Return the holder that the claim at `path` names, or None if it is unreadable or names none."""
    try:
        with open_regular(path, follow=False) as file:
            found = re.fullmatch(rb"([0-9]{1,20}) ([0-9]*) ([!-~ ]{1,200})", file.read(300))
    except OSError:
        return None
    return _Holder(int(found[1]), found[2].decode(), found[3].decode()) if found else None


def _ours() -> _Holder:
    return _Holder(os.getpid(), _started(os.getpid()), _host())


def _host() -> str:
    """Return a name for this computer or container, within which process numbers are unique."""
    name = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    try:
        numbers = os.readlink("/proc/self/ns/pid")
    except OSError:
        numbers = ""
    return f"{re.sub('[^!-~]', '-', name) or 'unknown'} {numbers}".strip()


def _started(pid: int) -> str:
    """Return the start time of the process with this number, in clock ticks since boot, as text.

    A process number may be used again; the start time tells the two processes apart. Return "" if there is no such
    process, or on a system without /proc.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # os.kill would end the process there
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
