"""The system calls on which the promise of a save rests, in one place.

Everything that writes goes through a `Disk`, so that a test can fail, shorten or record any single call.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys

_NO_SECOND_NAMES = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}


class Disk:
    """The real disk."""

    def open(self, path: str, flags: int) -> int:
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0), 0o644)

    def close(self, fd: int) -> None:
        os.close(fd)

    def write(self, fd: int, data: bytes) -> int:
        return os.write(fd, data)

    def truncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def sync(self, fd: int) -> None:
        """The bytes of this file are on the platter when it returns, as far as the system can promise."""
        if sys.platform == "darwin":
            import fcntl

            # Plain fsync leaves the bytes in the drive's cache there.
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        elif hasattr(os, "fdatasync"):
            os.fdatasync(fd)
        else:
            os.fsync(fd)

    def replace(self, source: str, target: str) -> None:
        os.replace(source, target)

    def link(self, source: str, target: str) -> None:
        os.link(source, target)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def sync_folder(self, path: str) -> None:
        """The names in this folder are durable when it returns."""
        if sys.platform == "win32":
            return  # a folder cannot be synced there; power cuts are not promised
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def write_all(self, fd: int, data: bytes) -> None:
        """The whole of `data`, or an OSError: a short write is carried on where it stopped."""
        view = memoryview(data)
        while view:
            written = self.write(fd, bytes(view) if len(view) < len(data) else data)
            if written <= 0:
                raise OSError("the disk took no more bytes")
            view = view[written:]

    def second_name(self, source: str, target: str) -> bool:
        """Give a file a second name that is still free; False on a filesystem that has no second names."""
        try:
            self.link(source, target)
        except OSError as error:
            if error.errno in _NO_SECOND_NAMES:
                return False
            raise
        return True

    def write_file(self, path: str, data: bytes) -> None:
        """A new file with these bytes, durable under its name when it returns; else there is no such file."""
        folder, name = os.path.split(path)
        temp = os.path.join(folder, f".{name}.{os.getpid()}.new")
        fd = self.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            try:
                self.write_all(fd, data)
                self.sync(fd)
            finally:
                self.close(fd)
            if not self.second_name(temp, path):
                if os.path.lexists(path):
                    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
                self.replace(temp, path)
            try:
                self.sync_folder(folder or ".")
            except OSError:
                self.discard(path)
                raise
        finally:
            self.discard(temp)

    def discard(self, path: str) -> None:
        """Remove a file that does no harm if it stays."""
        with contextlib.suppress(OSError):
            self.unlink(path)
