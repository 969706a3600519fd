"""Disks that fail, shorten, die and remember."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tracker.saves.disk import Disk

CALLS = ("open", "close", "write", "truncate", "sync", "replace", "exchange", "link", "unlink", "sync_folder")


class QuickDisk(Disk):
    """Does everything but wait for the platter; `before` hears of every call and may raise.

    With `exchanges` False it is a system that cannot exchange two files.
    """

    exchanges = True

    def before(self, call: str, *args: Any) -> None: ...

    def open(self, path: str, flags: int, mode: int = 0o644) -> int:
        self.before("open", path, flags)
        return super().open(path, flags, mode)

    def close(self, fd: int) -> None:
        self.before("close", fd)
        super().close(fd)

    def write(self, fd: int, data: bytes) -> int:
        self.before("write", fd, data)
        return super().write(fd, data)

    def truncate(self, fd: int, size: int) -> None:
        self.before("truncate", fd, size)
        super().truncate(fd, size)

    def sync(self, fd: int) -> None:
        self.before("sync", fd)

    def replace(self, source: str, target: str) -> None:
        self.before("replace", source, target)
        super().replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        if not self.exchanges:
            return False
        self.before("exchange", one, other)
        return super().exchange(one, other)

    def link(self, source: str, target: str) -> None:
        self.before("link", source, target)
        super().link(source, target)

    def unlink(self, path: str) -> None:
        self.before("unlink", path)
        super().unlink(path)

    def sync_folder(self, path: str) -> None:
        self.before("sync_folder", path)


class CountingDisk(QuickDisk):
    """Counts its calls by name."""

    def __init__(self) -> None:
        self.calls = dict.fromkeys(CALLS, 0)

    def before(self, call: str, *args: Any) -> None:
        self.calls[call] += 1


class FailingDisk(CountingDisk):
    """Fails where `when` says so of a call's name and number; a write that fails has left a share of its bytes."""

    def __init__(self, code: int, when: Callable[[str, int], bool], share: float = 0.5) -> None:
        super().__init__()
        self.code = code
        self.when = when
        self.share = share
        self.failed: list[str] = []

    def before(self, call: str, *args: Any) -> None:
        super().before(call, *args)
        if self.when(call, self.calls[call]):
            self.failed.append(call)
            if call == "write":
                fd, data = args
                os.write(fd, data[: int(len(data) * self.share)])
            elif call == "close":
                os.close(*args)  # as Linux does: whatever it says, the file is closed
            raise OSError(self.code, os.strerror(self.code))

    def heal(self) -> None:
        self.when = lambda call, number: False


class ShortDisk(QuickDisk):
    """A disk that writes at most this many bytes in one call."""

    def __init__(self, most: int) -> None:
        self.most = most

    def write(self, fd: int, data: bytes) -> int:
        return super().write(fd, data[: self.most])


class DyingDisk(QuickDisk):
    """Kills its own process at the nth call: before it, behind it, or in the middle of a write."""

    def __init__(self, at: int, share: float) -> None:
        self.left = at
        self.share = share

    def before(self, call: str, *args: Any) -> None:
        self.left -= 1
        if self.left == 0:
            if call == "write":
                fd, data = args
                os.write(fd, data[: int(len(data) * self.share)])
            elif self.share > 0.5:
                getattr(Disk, call)(self, *args)
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Call:
    """One call that was made; or `said`, what is durable from then on; or `edited`, a change by another program."""

    name: str
    args: tuple[Any, ...]


class RecordingDisk(QuickDisk):
    """A disk that records each call after it is done, with its data; files are named by their path at opening."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._files: dict[int, int] = {}
        self.leave_out: Callable[[Call], bool] = lambda call: False

    def note(self, name: str, *args: Any) -> None:
        call = Call(name, args)
        if not self.leave_out(call):
            self.calls.append(call)

    def said(self, *idents: str) -> None:
        """Note that these entries are durable, because the screen says so."""
        self.note("said", *idents)

    def edited(self) -> None:
        """Note that another program wrote the save: its contents are promised only when the screen says saved again."""
        self.note("edited")

    def open(self, path: str, flags: int, mode: int = 0o644) -> int:
        fd = super().open(path, flags, mode)
        self._files[fd] = os.fstat(fd).st_ino
        self.note("open", path, self._files[fd], bool(flags & (os.O_TRUNC | os.O_EXCL)))
        return fd

    def write(self, fd: int, data: bytes) -> int:
        written = super().write(fd, data)
        self.note("write", self._files[fd], data[:written])
        return written

    def truncate(self, fd: int, size: int) -> None:
        super().truncate(fd, size)
        self.note("truncate", self._files[fd], size)

    def sync(self, fd: int) -> None:
        super().sync(fd)
        self.note("sync", self._files[fd])

    def replace(self, source: str, target: str) -> None:
        super().replace(source, target)
        self.note("replace", source, target)

    def exchange(self, one: str, other: str) -> bool:
        done = super().exchange(one, other)
        if done:
            self.note("exchange", one, other)
        return done

    def link(self, source: str, target: str) -> None:
        super().link(source, target)
        self.note("link", source, target)

    def unlink(self, path: str) -> None:
        super().unlink(path)
        self.note("unlink", path)

    def sync_folder(self, path: str) -> None:
        super().sync_folder(path)
        self.note("sync_folder", path)
