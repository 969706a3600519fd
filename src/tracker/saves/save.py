"""One campaign, one file: opened, appended to, and never left unreadable."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from tracker.saves import blocks, compact, head, reader, toml, union
from tracker.saves.blocks import Block, Entry
from tracker.saves.compact import signature
from tracker.saves.disk import Disk, NotRegular, open_regular
from tracker.saves.errors import Changed, DamagedSave, Detached, SaveError
from tracker.saves.head import Head
from tracker.saves.lock import Lock, Locked, Unlockable, lock_of
from tracker.saves.reader import Tail
from tracker.saves.union import Lack, Whole
from tracker.saves.validate import entry_problem
from tracker.text import shown_line

Step = Callable[[float], None]
"""Told how much of a long reading is done, 0 to 1."""


class Found(NamedTuple):
    """The file under the name of a save, opened and read."""

    fd: int
    contents: reader.Contents
    seen: tuple[int, ...]


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
        self.read: reader.Contents
        self.warnings: list[str] = []
        """What the player must know besides `notes`: about the filesystem, and versions that were kept apart."""
        self.on_warning: Callable[[str], None] = lambda _: None
        """Told of each warning that comes after the opening, in the thread that writes."""
        self._lock: Lock | None = None
        self._swapping = threading.Lock()
        """Held while a new file is put in the place of the old one."""
        self._fd = -1
        self._good = 0
        self._seen: tuple[int, ...] = ()
        self._torn = False
        self._kept = False
        """Whether what was read has all that is whole after the last mark."""
        self._ready: dict[str, bytes] = {}
        self._merged: list[str] = []
        self._replaced: dict[str, tuple[int, ...]] = {}
        """Backups made here, each as it was when it ceased to be the save."""
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
            raise SaveError(f"{name} already exists; choose another name.") from None
        except OSError as error:
            raise SaveError(f"Can't make {name}: {_reason(error)}.") from None

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
            save._kept = tail == "keep"
            if save.read.bad:
                save._only_look(save.read.damage)
            save._set_right()
        except OSError as error:
            save.close()
            raise SaveError(f"Can't read {path}: {_reason(error)}.") from None
        except BaseException:
            save.close()
            raise
        return save

    def _take(self, *, write: bool) -> None:
        if not os.path.exists(self.real):
            raise SaveError(f"No save at {self.path}.")
        if not os.path.isfile(self.real):
            raise SaveError(f"{self.path} is not a file.")
        if not write:
            self._only_look("you opened it that way")
            return
        try:
            self._lock = Lock(lock_of(self.real))
            self._fd = self.disk.open_file(self.real, os.O_RDWR | os.O_APPEND, follow=True)
            compact.sweep(self.real, self.disk, self._keep_found)
            self.warnings += filter(None, (self._lock.note, compact.backups_problem(self.real)))
        except (Locked, Unlockable) as error:
            self._only_look(str(error))
        except OSError as error:
            self._only_look(f"it can't be written: {_reason(error)}")

    def _only_look(self, why: str) -> None:
        if self._lock:
            self._lock.release()
            self._lock = None
        self.readonly = why

    def _load(self, tail: Tail, step: Step | None = None, *, whole: bool = False, upto: int = -1) -> reader.Contents:
        """What the file holds: the very one that we write, though another may take its name meanwhile."""
        if self.readonly and tail == "ask":
            tail = "aside"  # for a reader nothing hangs on it, and the holder may be in the middle of a write
        with open(os.dup(self._fd), "rb") if self._fd >= 0 else open_regular(self.real) as file:
            file.seek(0)
            if upto < 0:
                self._seen = signature(os.fstat(file.fileno()))
            part = file if upto < 0 else io.BytesIO(file.read(upto))
            return reader.read(self.path, part, tail=tail, step=step, whole=whole)

    def _set_right(self) -> None:
        """Before the first write: what is torn is set aside, and what is shown as saved is made durable."""
        if self.readonly:
            return
        try:
            self._settle_end()
        except OSError as error:
            self._only_look(f"it can't be written: {_reason(error)}")

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
            raise OSError("999 unfinished writes are already beside it; move them away")
        self.disk.write_file(aside, torn, stat.S_IMODE(os.fstat(self._fd).st_mode) & 0o777)
        self._same()
        self.disk.truncate(self._fd, self.read.end)
        self._seen = signature(os.fstat(self._fd))
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
        """Read every block, without the base; slow for a long campaign. Raise Changed if the file is not as it was.

        Nothing is done where all of an unchanged file is here already: two copies would take twice the memory.
        """
        if not self.readonly:
            self._same()
        is_here = self.head.base is None and (self._kept or not self.read.torn) and not self._torn
        if is_here and signature(os.stat(self.real)) == self._seen:
            return
        self.read = self._load("keep", step, whole=True, upto=self._good if self._torn else -1)
        self._kept = True

    def peek(self) -> Found:
        """Read what is under the name now, without taking it over; the caller gives it to `adopt` or `drop`.

        Raise Detached if that is no longer this campaign, and SaveError if it is not intact.
        """
        try:
            fd = self.disk.open_file(self.real, os.O_RDWR | os.O_APPEND, follow=True)
        except FileNotFoundError:
            raise Detached(f"{self.name} is gone: another program deleted or moved it", "deleted") from None
        except NotRegular as error:
            raise Detached(str(error), "no longer a file") from None
        try:
            with open(os.dup(fd), "rb") as file:
                file.seek(0)
                status = os.fstat(fd)
                if not status.st_size:
                    raise Detached(f"another program emptied {self.name}", "emptied")
                found = reader.read(self.name, file, tail="aside" if self._torn else "keep")
            if not union.same_campaign(found.head, self.head):
                why = "another campaign is under this name now; move it away"
                raise Detached(why, "another campaign is there now")
            if found.bad:
                raise SaveError(f"{self.name} was changed, and {found.damage}")
            if found.torn and not self._torn:
                raise SaveError(f"{self.name} was changed, and its end is damaged")
        except DamagedSave as error:
            self.disk.close(fd)
            raise Detached(str(error), "damaged") from None
        except BaseException:
            self.disk.close(fd)
            raise
        return Found(fd, found, signature(status))

    def adopt(self, found: Found) -> None:
        """Go on with the file that `peek` has read."""
        old, self._fd, self._seen = self._fd, found.fd, found.seen
        self.read = found.contents
        self._name_unsure = True
        self.disk.close(old)
        self._settle_end()

    def drop(self, found: Found) -> None:
        """Leave the file that `peek` has read alone."""
        self.disk.close(found.fd)

    def compare(self, found: Found) -> Lack:
        """Return what the file that `peek` has read lacks of what was read or made durable here."""
        with open(os.dup(found.fd), "rb") as file:
            return union.compare(self.read, found.contents, file, self._sources)

    def keep_apart(self, data: bytes, *, merged: bool) -> str:
        """Write a version of this save into its backups and return the path, relative to the save's folder.

        The version does not take part in the rotation of compaction. Of those that are `merged`, so that the save will
        have all of them again, only the last few of this session stay. Raise OSError if it cannot be written.
        """
        path = compact.free_name(self.real)
        self.disk.write_file(path, data, stat.S_IMODE(os.fstat(self._fd).st_mode))
        if merged:
            self._merged.append(path)
            while len(self._merged) > compact.KEPT_MERGED:
                self.disk.discard(self._merged.pop(0))
        return os.path.relpath(path, os.path.dirname(self.real))

    def whole(self) -> Whole:
        """Return everything that was read or made durable here, with the history behind the snapshot.

        That history comes from the open descriptor, which outlives a deletion or a replacement; from the file under
        the name; or from backups, if the file was rewritten in place.
        """
        return union.complete(self.read, self._sources)

    def _sources(self) -> Iterator[BinaryIO]:
        if self._fd >= 0:
            with open(os.dup(self._fd), "rb") as file:
                yield file
        kept = [*compact.kept_apart(self.real), *compact.backups(self.real)]
        for path in (self.real, *reversed(kept)):
            with contextlib.suppress(OSError), open_regular(path, follow=False) as file:
                yield file

    def line_of(self, read: reader.Contents, *path: str) -> int:
        """Return the line of the head where this key stands."""
        with open_regular(self.real) as file:
            return toml.line_of(file.read(read.head_end).decode("utf-8", "replace"), path)

    def older(self, before: int | None, count: int) -> tuple[list[Entry], int]:
        """Up to `count` entries that end where `before` says (at first: where the base ends), newest last.

        The second value is the next `before`; 0 when there are no older ones.
        """
        with self._looked_at() as (file, contents):
            return reader.older(file, contents, before, count)

    @contextlib.contextmanager
    def _looked_at(self) -> Iterator[tuple[BinaryIO, reader.Contents]]:
        """The file with what is known of it; a compaction in another thread never comes between the two."""
        with self._swapping:
            file, contents = open_regular(self.real), self.read
        with file:
            yield file, contents

    def newer(self, after: int, count: int) -> tuple[list[Entry], int | None]:
        """The other way round: up to `count` entries from this place on; None where the base ends."""
        from tracker.saves import seek

        with self._looked_at() as (file, contents):
            return seek.newer(file, contents, after, count)

    def place_of(self, ident: str) -> int | None:
        """Where the entry with this id ends, as `older` and `newer` count; None if the base stands for no such one."""
        from tracker.saves import seek

        with self._looked_at() as (file, contents):
            return seek.place_of(file, contents, ident)

    def marked(self) -> list[Entry]:
        """What the base stands for and is about another entry, newest first: undos, edits, strikes."""
        from tracker.saves import seek

        with self._looked_at() as (file, contents):
            return seek.marked(file, contents)

    def superseded(self) -> frozenset[str]:
        """Return the ids of the entries that the base stands for and that never count (see `tracker.campaign.log`)."""
        from tracker.saves import seek

        with self._looked_at() as (file, contents):
            return seek.superseded(file, contents)

    def matching(self, wanted: re.Pattern[bytes]) -> Iterator[list[Entry]]:
        """What the base stands for and has this in its bytes, newest first, a stretch of the file at a time."""
        from tracker.saves import seek

        with self._looked_at() as (file, contents):
            yield from seek.matching(file, contents, wanted)

    # -- writing ----------------------------------------------------------------------------------------

    def prepare(self, entry: Entry, body: bytes = b"") -> None:
        """Have this entry's bytes ready: `body`, where it has been written before.

        Raise SaveError if it cannot be written at all.
        """
        if body and not body.endswith(b"\n"):
            body += b"\n"
        self._ready[entry["id"]] = body or emit_checked(entry)

    def append(self, entries: Sequence[Entry]) -> None:
        """Make these entries durable, in this order."""
        if self.readonly:
            raise SaveError(f"{self.name} is read-only: {self.readonly}.")
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
            self._seen = signature(os.fstat(self._fd))  # or what we left would pass for somebody else's change
            with contextlib.suppress(OSError):  # tried again before the next write
                self._mend()
            raise
        self._good = at
        self._seen = signature(os.fstat(self._fd))
        if os.fstat(self._fd).st_size != at:
            raise Changed(f"{self.name} was changed by another program.")
        self._same()  # else we wrote to a file that nobody will find
        self.read.appended(written)
        for entry in entries:
            self._ready.pop(entry["id"], None)

    def _mend(self) -> None:
        """Raise Changed if another program has written; take back what a failed write has left, or raise OSError."""
        self._same()
        if self._torn:
            self.disk.truncate(self._fd, self._good)
            # At once: if the sync fails, the new size would pass for another program's change.
            self._seen = signature(os.fstat(self._fd))
            self.disk.sync(self._fd)
            self._torn = False
        if self._name_unsure:
            self._settle_name()

    def _settle_name(self) -> None:
        """Make the name of the file durable, and warn once where the filesystem cannot."""
        self.disk.settle_names(os.path.dirname(self.real))
        self._name_unsure = False
        warning = (
            f"This disk can't sync folders ({self.disk.unsynced}): "
            "a power cut may lose the newest entries, so keep copies elsewhere."
        )
        if self.disk.unsynced:
            self._warn(warning)

    def _warn(self, warning: str) -> None:
        """Tell the player something that reading the save did not bring up, once."""
        if warning not in self.warnings:
            self.warnings.append(warning)
            self.on_warning(warning)

    @property
    def changed(self) -> bool:
        """Whether another program has written, replaced or removed the file since it was last looked at."""
        try:
            self._same()
        except (Changed, OSError):
            return True
        return False

    def _same(self, path: str = "") -> None:
        """Raise Changed unless the file under the name, or at this path, is the one that was last looked at."""
        try:
            now = signature(os.stat(path or self.real))
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
        fd, temp = compact.write(self.real, plan, self.disk)
        seen = signature(os.fstat(fd))  # before others can find and change it
        with self._swapping:
            backup = compact.put(self.real, fd, temp, self.disk, self._same, self._keep_found)
            old, self._fd = self._fd, fd
            self.read = plan.contents
        if backup:
            self._replaced[backup] = self._seen
        self._good, self._seen = plan.contents.end, seen
        self._name_unsure = True
        self.disk.close(old)
        self._look_for_late_writes()
        for path in compact.backups(self.real)[: -compact.KEPT]:
            self._replaced.pop(path, None)
            self.disk.discard(path)
        self._settle_name()

    def _look_for_late_writes(self) -> None:
        """Keep a replaced file apart if another program has written to it since; its entries are in no other file."""
        for backup, seen in list(self._replaced.items()):
            with contextlib.suppress(OSError):  # deleted, or tried again the next time
                if signature(os.stat(backup, follow_symlinks=False)) != seen:
                    self._keep_found(backup)
                    del self._replaced[backup]

    def _keep_found(self, path: str) -> None:
        """Move a version that another program has made to those that are kept apart, and have it told."""
        target = compact.free_name(self.real)
        self.disk.replace(path, target)
        kept = shown_line(os.path.relpath(target, os.path.dirname(self.real)), 200)
        self._warn(f"Another program wrote a different version; it is kept as {kept}.")

    def snapshot(self) -> list[str]:
        """Back up what is durable; return a sentence for each folder that could not take it.

        Raise Changed if another program has written the file: what it holds now was not read yet.
        """
        if self.readonly:
            return []
        from tracker.saves import backups

        self._same()
        return backups.snapshot(self.real, self.head.id, self._good, self.disk)

    def close(self) -> None:
        """Let go of file and lock. What was not durable before is not made so here."""
        self._look_for_late_writes()
        if self._fd >= 0:
            with contextlib.suppress(OSError):  # every byte that counts was synced long before
                self.disk.close(self._fd)
            self._fd = -1
        if self._lock:
            self._lock.release()
            self._lock = None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def emit_checked(entry: Entry) -> bytes:
    """The entry's bytes, read back once: what cannot be read again is never written."""
    try:
        body = toml.emit_entry(entry)
        if toml.read_ours(body) != entry and toml.parse(body)["entry"] != [entry]:
            why = "it would read back differently"
        elif problem := entry_problem(entry):
            why = problem[1]
        else:
            return body
    except (ValueError, TypeError, RecursionError) as error:
        why = str(error)
    raise SaveError(f"Can't save this change ({why}).")
