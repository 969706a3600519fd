"""One writer per save: a lock on a file of its own, which the system lets go when its holder dies."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

from tracker.saves.errors import SaveError


def lock_of(real: str) -> str:
    """The lock file of the save that lies at this path."""
    folder, name = os.path.split(real)
    return os.path.join(folder, f".{name}.lock")


class Locked(SaveError):
    """Another tracker holds this save."""


_ONE_AT_A_TIME = threading.Lock()
"""To look at a lock is to hold it for a moment: nobody here may take that for another tracker."""


class Lock:
    """Held from construction until `release`."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        try:
            with _ONE_AT_A_TIME:
                _take(self._fd)
        except (BlockingIOError, PermissionError):  # the second is how Windows says it
            holder = os.pread(self._fd, 20, 0).decode("ascii", "replace") if hasattr(os, "pread") else ""
            os.close(self._fd)
            by = f" (process {holder.strip()})" if holder.strip().isdigit() else ""
            raise Locked(f"another tracker has it open{by}") from None
        except OSError:
            os.close(self._fd)
            raise
        with contextlib.suppress(OSError):  # a full disk: the lock holds, only nobody can say whose it is
            os.ftruncate(self._fd, 0)
            os.write(self._fd, str(os.getpid()).encode())

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def held(path: str) -> bool:
    """Whether somebody holds this lock now. Only looks: a lock file is not made for it."""
    try:
        fd = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return False
    with _ONE_AT_A_TIME:
        try:
            _take(fd)
        except OSError:
            return True
        finally:
            os.close(fd)
    return False


if sys.platform == "win32":
    import msvcrt

    def _take(fd: int) -> None:
        # Far behind the holder's number, which stays readable.
        os.lseek(fd, 1 << 20, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        os.lseek(fd, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
