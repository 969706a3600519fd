"""The system calls that make a save durable, in one place.

Everything that writes goes through a `Disk`, so that a test can fail, shorten or record any single call. Files are
opened by `open_file`, `create_file` and `open_regular` only: docs/files.md says which file is opened how.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, BinaryIO, TypeVar

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

T = TypeVar("T")

_NO_SECOND_NAMES = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF}
_NO_FULL_SYNC = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTTY, errno.ENOSYS}
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_PRIVATE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def kind_of(status: os.stat_result) -> str:
    """Return a phrase for the kind of the file with this status, such as "a link"."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "something else")


_NO_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}
_AT_CWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2


@functools.cache
def _exchange_call() -> Callable[[bytes, bytes], int] | None:
    """Return a function that swaps the files at two paths and returns 0 or an errno; None if the system has none."""
    import ctypes  # here, because startup does not need it

    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            call, before, between, flag = library.renamex_np, (), (), _RENAME_SWAP
        elif sys.platform == "linux":
            call, before, between, flag = library.renameat2, (_AT_CWD,), (_AT_CWD,), _RENAME_EXCHANGE
        else:
            return None
    except (AttributeError, OSError, TypeError):  # an older C library; on Windows there is no library without a name
        return None

    def swap(one: bytes, other: bytes) -> int:
        return ctypes.get_errno() if call(*before, one, *between, other, ctypes.c_uint(flag)) else 0

    return swap


class NotRegular(OSError):
    """Raised for a path that names something other than a regular file, such as a folder or a pipe.

    `str()` is a plain sentence with the file's name; `strerror` is the same sentence with "it" in place of the name.
    """

    def __init__(self, path: str, status: os.stat_result) -> None:
        self.kind = kind_of(status)
        super().__init__(errno.EINVAL, f"it is not a regular file but {self.kind}", path)

    def __str__(self) -> str:
        return f"{os.path.basename(self.filename)} is not a regular file but {self.kind}"


class NotAFolder(OSError):
    """Raised for a path that should be a folder but names something else.

    `str()` and `strerror` are a sentence that tells the player what to do about it.
    """

    def __init__(self, path: str, status: os.stat_result) -> None:
        name = os.path.basename(path)
        super().__init__(errno.ENOTDIR, f"{name} is not a folder but {kind_of(status)}: delete it", path)

    def __str__(self) -> str:
        return str(self.strerror)


def open_regular(path: str, *, follow: bool = True) -> BinaryIO:
    """Open the regular file at `path` for reading, and return it.

    Raise NotRegular, without blocking, for a folder, pipe, device or socket, and for a link unless `follow` is set.
    Raise OSError if the file is missing or cannot be read.
    """
    return reading(_open_checked(Disk(), path, os.O_RDONLY, follow=follow))


def reading(fd: int) -> BinaryIO:
    """Return a file that reads from the descriptor `fd`, which is closed with the file.

    Its methods raise BlockingIOError, where Python would return None, if the system has no bytes yet, as for some files
    in /proc.
    """
    return io.BufferedReader(_Ready(fd))


class _Ready(io.FileIO):
    """File without a buffer whose methods raise BlockingIOError instead of returning None."""

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        many: int | None = super().readinto(buffer)
        return _some(many)

    def readall(self) -> bytes:
        return _some(super().readall())


def _some(read: T | None) -> T:
    if read is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return read


def _open_checked(disk: Disk, path: str, flags: int, *, follow: bool) -> int:
    # Checked before too: opening a device can already do something, and opening a socket has no error of its own.
    _require_regular(path, os.stat(path, follow_symlinks=follow))
    try:
        fd = disk.open(path, flags | _NO_WAITING | (0 if follow else _NO_LINKS))
    except OSError:
        with contextlib.suppress(FileNotFoundError):  # the first error is the one to raise
            _require_regular(path, os.stat(path, follow_symlinks=follow))
        raise
    try:
        _require_regular(path, os.fstat(fd))
    except NotRegular:
        os.close(fd)
        raise
    return fd


def _require_regular(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotRegular(path, status)


def _refuse_existing(path: str) -> None:
    """Raise FileExistsError if the path exists, even as a broken link."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


class Disk:
    """All file operations that saves use, on the real disk. Tests replace it with one that fails.

    Every method raises OSError on failure unless it says otherwise. `unsynced` is the reason why `settle_names`
    could not sync a folder, or "".
    """

    unsynced = ""

    def open(self, path: str, flags: int, mode: int = 0o644) -> int:
        return os.open(path, flags | _PRIVATE, mode)

    def close(self, fd: int) -> None:
        os.close(fd)

    def write(self, fd: int, data: bytes) -> int:
        return os.write(fd, data)

    def truncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def sync(self, fd: int) -> None:
        """Block until the bytes of the file with the descriptor `fd` are durable, as far as the system promises that.

        Raise OSError on failure.
        """
        if sys.platform == "darwin":
            import fcntl

            # Plain fsync leaves the bytes in the drive's cache there, but FAT and network filesystems have no other.
            try:
                fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
            except OSError as error:
                if error.errno not in _NO_FULL_SYNC:
                    raise
                os.fsync(fd)
        elif hasattr(os, "fdatasync"):
            os.fdatasync(fd)
        else:
            os.fsync(fd)

    def replace(self, source: str, target: str) -> None:
        os.replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        """Swap the files at two paths in one step and return True; return False, with nothing done, if unsupported.

        Linux supports it on most filesystems, and macOS on APFS; Windows and some network filesystems do not. Raise
        OSError on any other failure.
        """
        swap = _exchange_call()
        if swap is None:
            return False
        code = swap(os.fsencode(one), os.fsencode(other))
        if code and code not in _NO_EXCHANGE:
            raise OSError(code, os.strerror(code), one, None, other)
        return not code

    def link(self, source: str, target: str) -> None:
        os.link(source, target, follow_symlinks=os.link not in os.supports_follow_symlinks)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def sync_folder(self, path: str) -> None:
        """Block until the names of the files in the folder at `path` are durable. Do nothing on Windows.

        Raise OSError if the folder cannot be opened or synced.
        """
        if sys.platform == "win32":
            return  # Windows cannot sync a folder; no power-cut promise there
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def settle_names(self, folder: str) -> None:
        """Block until the names of the files in the folder at this path are durable.

        If the filesystem cannot sync folders, only set `unsynced` to the reason. Raise OSError on any other failure.
        """
        try:
            self.sync_folder(folder)
        except OSError as error:
            if error.errno not in _NO_FOLDER_SYNC:
                raise
            self.unsynced = error.strerror or str(error)

    def make_folder(self, path: str) -> None:
        """Create the folder at `path`, but not its parents, unless it exists.

        Raise NotAFolder if the path is anything else, even a link to a folder, and OSError if it cannot be created.
        """
        try:
            os.mkdir(path)
        except FileExistsError:
            if not stat.S_ISDIR((status := os.lstat(path)).st_mode):
                raise NotAFolder(path, status) from None

    def write_folder(self, path: str, files: Iterable[tuple[str, Iterable[bytes]]]) -> None:
        """Create a folder with files in it; it appears at `path` only when it is complete.

        `files` holds (path within the folder, pieces of its bytes) for each file, at most one subfolder deep. Nothing
        is synced. Raise FileExistsError if `path` exists, and OSError on failure; nothing new is left then.
        """
        _refuse_existing(path)
        parent, name = os.path.split(path)
        temp = os.path.join(parent, f".{name}.{int.from_bytes(os.urandom(8), 'big')}.new")
        os.mkdir(temp)
        try:
            for inside, chunks in files:
                if below := os.path.dirname(inside):
                    self.make_folder(os.path.join(temp, below))
                fd = self.create_file(os.path.join(temp, inside))
                try:
                    for chunk in chunks:
                        self.write_all(fd, chunk)
                finally:
                    self.close(fd)
            _refuse_existing(path)  # an empty folder would be replaced
            os.rename(temp, path)
        except BaseException:
            import shutil

            shutil.rmtree(temp, ignore_errors=True)
            raise

    def open_file(self, path: str, flags: int, *, follow: bool = False) -> int:
        """Open an existing regular file with these flags of `os.open`, without blocking, and return its descriptor.

        Raise NotRegular for a folder, pipe, device or socket, and for a link unless `follow` is set. Raise OSError if
        the file is missing or cannot be opened.
        """
        return _open_checked(self, path, flags, follow=follow)

    def create_file(self, path: str, mode: int = 0o644, flags: int = os.O_WRONLY) -> int:
        """Create a file at this path and return its descriptor.

        `mode` has the permissions, before the umask, and `flags` those of `os.open` that say how the file is opened.
        Raise FileExistsError if anything is at the path, even a broken link, and OSError on any other failure.
        """
        return self.open(path, flags | os.O_CREAT | os.O_EXCL | _NO_LINKS, mode)

    def create_temp(self, path: str, mode: int = 0o644, flags: int = os.O_WRONLY) -> tuple[int, str]:
        """Create a temporary file with an unused name beside `path`; return (descriptor, path of the new file).

        `mode` has the permissions, before the umask, and `flags` those of `os.open` that say how the file is opened.
        `compaction.sweep` deletes such files that a killed program left. Raise OSError if it cannot be created.
        """
        folder, name = os.path.split(path)
        number = os.getpid()
        while True:
            temp = os.path.join(folder, f".{name}.{number}.new")
            try:
                return self.create_file(temp, mode, flags), temp
            except FileExistsError:
                number = int.from_bytes(os.urandom(8), "big")

    def write_all(self, fd: int, data: bytes) -> None:
        """Write all of `data` to the descriptor `fd`, continuing after short writes.

        Raise OSError on failure, perhaps with part of it written.
        """
        view = memoryview(data)
        while view:
            written = self.write(fd, bytes(view) if len(view) < len(data) else data)
            if written <= 0:
                raise OSError("the disk took no more bytes")
            view = view[written:]

    def second_name(self, source: str, target: str) -> bool:
        """Make the path `target` a hard link to the file at `source` and return True.

        Return False, with nothing done, on a filesystem without hard links. Raise FileExistsError if `target` exists,
        and OSError on any other failure.
        """
        try:
            self.link(source, target)
        except OSError as error:
            if error.errno in _NO_SECOND_NAMES:
                return False
            raise
        return True

    def name_file(self, temp: str, path: str) -> None:
        """Give the file at the path `temp` the path `path`.

        Where this uses a hard link, `temp` still exists afterwards, as a second name for the file; the caller deletes
        it. Raise FileExistsError if `path` exists, and OSError on any other failure.
        """
        if not self.second_name(temp, path):
            _refuse_existing(path)
            self.replace(temp, path)

    def write_file(self, path: str, data: bytes | Iterable[bytes], mode: int = 0o644, *, sync: bool = True) -> None:
        """Create a file with these bytes; it appears at `path` only when complete, and is durable unless `sync=False`.

        `data` has the bytes, whole or in pieces, and `mode` the permissions, before the umask. Raise FileExistsError if
        `path` exists, and OSError, with no new file left, on failure.
        """
        folder, _ = os.path.split(path)
        fd, temp = self.create_temp(path, mode)
        try:
            try:
                for chunk in [data] if isinstance(data, bytes) else data:
                    self.write_all(fd, chunk)
                if sync:
                    self.sync(fd)
            finally:
                self.close(fd)
            self.name_file(temp, path)
            try:
                if sync:
                    self.settle_names(folder or ".")
            except OSError:
                self.discard(path)
                raise
        finally:
            self.discard(temp)

    def replace_file(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write these bytes to `path`, replacing any file there in one step. A link there is replaced, not followed.

        `mode` is the file's permissions, by default 0o644 minus the umask. The file is not synced. Raise OSError on
        failure; the old file is then still in place.
        """
        fd, temp = self.create_temp(path, 0o644 if mode is None else mode & 0o600)
        try:
            try:
                self.write_all(fd, data)
                if mode is not None and hasattr(os, "fchmod"):
                    with contextlib.suppress(PermissionError):  # a filesystem without permissions
                        os.fchmod(fd, mode)
            finally:
                self.close(fd)
            self.replace(temp, path)
        except OSError:
            self.discard(temp)
            raise

    def discard(self, path: str) -> None:
        """Delete the file at this path if possible. Never raises OSError.

        Use it only for files that do no harm if they stay.
        """
        with contextlib.suppress(OSError):
            self.unlink(path)


def data_folder() -> str:
    """Return the path of the platform's data folder for this program; nothing is created.

    Raise OSError if the user has no home folder.
    """
    from platformdirs import user_data_dir

    try:
        return user_data_dir("tracker", appauthor=False)
    except RuntimeError:  # no HOME, and nobody in the list of users
        raise OSError(errno.ENOENT, "you have no home folder; set HOME or XDG_DATA_HOME") from None
