"""One campaign, one file: opened, appended to, and never left unreadable."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from tracker.saves import blocks, compact, head, reading, toml
from tracker.saves.blocks import Block, Entry
from tracker.saves.check import entry_problem
from tracker.saves.disk import Disk
from tracker.saves.errors import Changed, SaveError
from tracker.saves.head import Head
from tracker.saves.lock import Lock, Locked, lock_of
from tracker.saves.reading import Tail

Step = Callable[[float], None]
"""Told how much of a long reading is done, 0 to 1."""


class Save:
    """A save that is open. What was read is in `head`, `base`, `blocks` and `notes`.

    `append` returns when the entries are durable and raises when they are not; then nothing of them counts,
    and the next call goes on where this one stopped. Only the holder of the lock writes; for everybody else,
    and where the file is damaged or may not be written, `readonly` says why.
    """

    def __init__(self, path: str, disk: Disk | None = None) -> None:
        self.path = path
        self.real = os.path.realpath(path)
        self.name = os.path.basename(path)
        self.disk = disk or Disk()
        self.readonly = ""
        self.read: reading.Contents
        self._lock: Lock | None = None
        self._swapping = threading.Lock()
        """Held while a new file is put in the place of the old one."""
        self._fd = -1
        self._good = 0
        self._seen: tuple[int, ...] = ()
        self._torn = False
        self._ready: dict[str, bytes] = {}
        self._name_unsure = True
        """Whoever put the file under its name may not have synced the folder: an editor, or we before a kill."""

    # -- opening ----------------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: str, new: Head, disk: Disk | None = None) -> None:
        """A new campaign under this path; an existing file is never touched."""
        name = os.path.basename(path)
        try:
            (disk or Disk()).write_file(path, head.emit(new))
        except FileExistsError:
            raise SaveError(f"{name} exists already; choose another name.") from None
        except OSError as error:
            raise SaveError(f"{name} cannot be made: {_reason(error)}.") from None

    @classmethod
    def open(
        cls,
        path: str,
        *,
        write: bool = True,
        tail: Tail = "ask",
        disk: Disk | None = None,
        step: Step | None = None,
    ) -> Save:
        """The save at this path. `tail` says what becomes of a last entry without its end mark."""
        save = cls(path, disk)
        try:
            save._take(write=write)
            save.read = save._load(tail, step)
            if save.read.bad:
                save._only_look(save.read.damage)
            save._set_right()
        except OSError as error:
            save.close()
            raise SaveError(f"{path} cannot be read: {_reason(error)}.") from None
        except BaseException:
            save.close()
            raise
        return save

    def _take(self, *, write: bool) -> None:
        if not os.path.exists(self.real):
            raise SaveError(f"There is no save {self.path}.")
        if not os.path.isfile(self.real):
            raise SaveError(f"{self.path} is not a file.")
        if not write:
            self._only_look("opened for reading only")
            return
        try:
            self._lock = Lock(lock_of(self.real))
            self._fd = self.disk.open(self.real, os.O_RDWR | os.O_APPEND)
            compact.sweep(self.real, self.disk)
        except Locked as error:
            self._only_look(str(error))
        except OSError as error:
            self._only_look(f"it cannot be written: {_reason(error)}")

    def _only_look(self, why: str) -> None:
        if self._lock:
            self._lock.release()
            self._lock = None
        self.readonly = why

    def _load(self, tail: Tail, step: Step | None = None, *, whole: bool = False, upto: int = -1) -> reading.Contents:
        """What the file holds: the very one that we write, though another may take its name meanwhile."""
        if self.readonly and tail == "ask":
            tail = "aside"  # for a reader nothing hangs on it, and the holder may be in the middle of a write
        with open(os.dup(self._fd) if self._fd >= 0 else self.real, "rb") as file:
            file.seek(0)
            if upto < 0:
                self._seen = _signature(os.fstat(file.fileno()))
            part = file if upto < 0 else io.BytesIO(file.read(upto))
            return reading.read(self.path, part, tail=tail, step=step, whole=whole)

    def _set_right(self) -> None:
        """Before the first write: what is torn is set aside, and what is shown as saved is made durable."""
        if self.readonly:
            return
        try:
            self._settle_end()
        except OSError as error:
            self._only_look(f"it cannot be written: {_reason(error)}")

    def _settle_end(self) -> None:
        if self.read.torn:
            self._set_aside(self.read.torn)
        self.disk.sync(self._fd)
        self._good = self.read.end
        self._torn = False

    def _set_aside(self, torn: bytes) -> None:
        """Move what follows the last whole entry into a file of its own; first it is safe there, then cut here."""
        folder, name = os.path.split(self.real)
        asides = (os.path.join(folder, f"{name.removesuffix('.toml')}.torn-{n}.txt") for n in range(1, 1000))
        aside = next((path for path in asides if not os.path.lexists(path)), None)
        if aside is None:
            raise OSError("there are 999 unfinished writes beside it already; move them away")
        self.disk.write_file(aside, torn)
        self._same()
        self.disk.truncate(self._fd, self.read.end)
        self._seen = _signature(os.fstat(self._fd))
        self.notes.append(f"An unfinished write at the end was moved to {os.path.basename(aside)}.")

    @property
    def head(self) -> Head:
        return self.read.head

    @property
    def notes(self) -> list[str]:
        """What was noticed while reading, one sentence each."""
        return self.read.notes

    @property
    def blocks(self) -> list[Block]:
        """The blocks after the base, in the order of the fold."""
        return self.read.blocks

    @property
    def count(self) -> int:
        """How many blocks the file holds."""
        return (self.head.base.upto if self.head.base else 0) + len(self.read.blocks)

    def read_whole(self, step: Step | None = None) -> None:
        """Read every block again, without the base; slow for a long campaign. Changed, if it is not as it was."""
        if not self.readonly:
            self._same()
        self.read = self._load("keep", step, whole=True, upto=self._good if self._torn else -1)

    def reload(self) -> None:
        """Read what another program has written; SaveError, with nothing taken over, if that is not whole."""
        try:
            fd = self.disk.open(self.real, os.O_RDWR | os.O_APPEND)
        except FileNotFoundError:
            raise SaveError(f"{self.name} is gone; what is on the screen is not saved") from None
        old, seen, self._fd = self._fd, self._seen, fd
        try:
            found = self._load("aside" if self._torn else "keep")
            if found.bad:
                raise SaveError(f"{self.name} was changed, and {found.damage}")
            if found.torn and not self._torn:
                raise SaveError(f"{self.name} was changed, and its end is not whole")
        except BaseException:
            self._fd, self._seen = old, seen
            self.disk.close(fd)
            raise
        self.disk.close(old)
        self.read = found
        self._name_unsure = True
        self._settle_end()

    def line_of(self, *path: str) -> int:
        """The line of the head where this key stands."""
        with open(self.real, "rb") as file:
            return toml.line_of(file.read(self.read.head_end).decode("utf-8", "replace"), path)

    def older(self, before: int | None, count: int) -> tuple[list[Entry], int]:
        """Up to `count` entries that end where `before` says (at first: where the base ends), newest last.

        The second value is the next `before`; 0 when there are no older ones.
        """
        with self._looked_at() as (file, contents):
            return reading.older(file, contents, before, count)

    @contextlib.contextmanager
    def _looked_at(self) -> Iterator[tuple[BinaryIO, reading.Contents]]:
        """The file with what is known of it; a compaction in another thread never comes between the two."""
        with self._swapping:
            file, contents = open(self.real, "rb"), self.read  # noqa: SIM115 closed below
        with file:
            yield file, contents

    def newer(self, after: int, count: int) -> tuple[list[Entry], int | None]:
        """The other way round: up to `count` entries from this place on; None where the base ends."""
        from tracker.saves import looking

        with self._looked_at() as (file, contents):
            return looking.newer(file, contents, after, count)

    def place_of(self, ident: str) -> int | None:
        """Where the entry with this id ends, as `older` and `newer` count; None if the base stands for no such one."""
        from tracker.saves import looking

        with self._looked_at() as (file, contents):
            return looking.place_of(file, contents, ident)

    def marked(self) -> list[Entry]:
        """What the base stands for and is about another entry, newest first: undos, edits, strikes."""
        from tracker.saves import looking

        with self._looked_at() as (file, contents):
            return looking.marked(file, contents)

    def matching(self, wanted: re.Pattern[bytes]) -> Iterator[list[Entry]]:
        """What the base stands for and has this in its bytes, newest first, a stretch of the file at a time."""
        from tracker.saves import looking

        with self._looked_at() as (file, contents):
            yield from looking.matching(file, contents, wanted)

    # -- writing ----------------------------------------------------------------------------------------

    def prepare(self, entry: Entry) -> None:
        """Have this entry's bytes ready; SaveError if it cannot be written at all."""
        self._ready[entry["id"]] = emit_checked(entry)

    def append(self, entries: Sequence[Entry]) -> None:
        """Make these entries durable, in this order."""
        if self.readonly:
            raise SaveError(f"{self.name} is open for reading only: {self.readonly}.")
        self._mend()
        lead = b"" if self.read.ends_line else b"\n"
        covered = self.read.unmarked or self.read.rest
        covered += lead if covered else b""
        comment = covered if self.read.rest else b""
        written: list[Block] = []
        data, at = lead, self._good + len(lead)
        for number, entry in enumerate(entries, self.read.last_number + 1):
            body = self._ready.get(entry["id"]) or emit_checked(entry)
            chunk = body + blocks.mark(number, covered + body)
            written.append(Block(at, at + len(chunk), comment + body, entry, number))
            data += chunk
            at += len(chunk)
            covered = comment = b""
        try:
            self.disk.write_all(self._fd, data)
            self.disk.sync(self._fd)
        except OSError:
            self._torn = True
            self._seen = _signature(os.fstat(self._fd))  # or what we left would pass for somebody else's change
            with contextlib.suppress(OSError):  # tried again before the next write
                self._mend()
            raise
        self._good = at
        self._seen = _signature(os.fstat(self._fd))
        if os.fstat(self._fd).st_size != at:
            raise Changed(f"{self.name} was changed by another program.")
        self._same()  # else we wrote to a file that nobody will find
        self.read.appended(written)
        for entry in entries:
            self._ready.pop(entry["id"], None)

    def _mend(self) -> None:
        """See that nobody else has written, and take back what a failed write may have left."""
        self._same()
        if self._torn:
            self.disk.truncate(self._fd, self._good)
            self.disk.sync(self._fd)
            self._seen = _signature(os.fstat(self._fd))
            self._torn = False
        if self._name_unsure:
            self.disk.sync_folder(os.path.dirname(self.real))
            self._name_unsure = False

    def _same(self) -> None:
        try:
            now = _signature(os.stat(self.real))
        except FileNotFoundError:
            raise Changed(f"{self.name} was moved or deleted by another program.") from None
        if now != self._seen:
            raise Changed(f"{self.name} was changed by another program.")

    def compact(
        self, state: Mapping[str, Any], cut: int, base_state: Mapping[str, Any], without: frozenset[str]
    ) -> None:
        """Write the file anew: a fresh head, then all blocks as they are, in the order of the fold.

        `state` is the fold of everything, `base_state` that of everything up to the first `cut` of `blocks`.
        """
        if self.readonly:
            return
        self._mend()
        plan = compact.plan(self.read, state, cut, base_state, without)
        with contextlib.ExitStack() as swap:

            def last() -> None:
                self._same()
                swap.enter_context(self._swapping)

            fd = compact.write(self.real, plan, self.disk, last)
            old, self._fd = self._fd, fd
            self.read = plan.contents
        self._good = plan.contents.end
        self._seen = _signature(os.fstat(fd))
        self._name_unsure = True
        self.disk.close(old)
        self.disk.sync_folder(os.path.dirname(self.real))
        self._name_unsure = False

    def close(self) -> None:
        """Let go of file and lock. What was not durable before is not made so here."""
        if self._fd >= 0:
            with contextlib.suppress(OSError):  # every byte that counts was synced long before
                self.disk.close(self._fd)
            self._fd = -1
        if self._lock:
            self._lock.release()
            self._lock = None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _signature(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, stat.S_IFMT(status.st_mode)


def emit_checked(entry: Entry) -> bytes:
    """The entry's bytes, read back once: what cannot be read again is never written."""
    try:
        body = toml.emit_entry(entry)
        if toml.read_ours(body) != entry and toml.parse(body)["entry"] != [entry]:
            why = "it would not be the same again"
        elif problem := entry_problem(entry):
            why = problem[1]
        else:
            return body
    except (ValueError, TypeError, RecursionError) as error:
        why = str(error)
    raise SaveError(f"This change cannot be written ({why}).")
