"""The save of one campaign as an open file: read it, append to it, compact it, without ever leaving it unreadable."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, BinaryIO

from tracker.records import NamedTuple
from tracker.saves import blocks, compaction, head, reader, toml
from tracker.saves.blocks import Block, Entry
from tracker.saves.compaction import signature
from tracker.saves.disk import Disk, NotRegular, open_regular, reading
from tracker.saves.entries import entry_problem
from tracker.saves.errors import Changed, DamagedSave, Detached, SaveError
from tracker.saves.head import Head, Snapshot
from tracker.saves.lock import Lock, Locked, Unlockable, lock_of, take_lock
from tracker.saves.reader import Tail
from tracker.text import shown_line

if TYPE_CHECKING:
    from datetime import datetime

    from tracker.saves.merge import Lack, Whole

Step = Callable[[float], None]
"""Progress callback for a slow read: called with the fraction done, 0 to 1. It may raise to cancel the read."""


class Found(NamedTuple):
    """The file that is at a save's path now, as `Save.peek` opened and read it after another program changed it.

    `fd` is its open descriptor and `contents` has what was read. `seen` is its `compaction.signature`, values that
    change when the file is written or replaced.
    """

    fd: int
    contents: reader.Contents
    seen: tuple[int, ...]


class Save:
    """An open save file. `head`, `blocks` and `notes` hold what was read from it.

    Only the process that holds the save's lock may write. `readonly` is the reason why this one may not (no lock,
    damage, missing permission), or "" if it may.
    """

    def __init__(self, path: str, disk: Disk | None = None) -> None:
        self.path = path
        self.real = os.path.realpath(path)
        self.name = os.path.basename(path)
        self.disk = disk or Disk()
        self.readonly = ""
        self.read: reader.Contents
        self.warnings: list[str] = []
        """Sentences for the player besides `notes`: limits of the filesystem, and other versions moved to backups."""
        self.on_warning: Callable[[str], None] = lambda _: None
        """Called with each warning that is added after `open`, in the thread that writes."""
        self._lock: Lock | None = None
        self._swapping = threading.Lock()
        """Held while compaction replaces the file, so that readers never pair a new file with old `Contents`."""
        self._fd = -1
        self._good = 0
        self._seen: tuple[int, ...] = ()
        self._torn = False
        self._kept = False
        """True if the file was read with tail="keep", so that entries after the last end mark were not left out."""
        self._ready: dict[str, bytes] = {}
        self._merged: list[str] = []
        self._replaced: dict[str, tuple[int, ...]] = {}
        """Backups that this object's compactions made: path to the file's signature when it was replaced."""
        self.keeps_marks = False
        """True if each compaction adds its snapshot to the marks; entries come from elsewhere, and may come late."""
        self._name_unsure = True
        """True until the folder is synced: an editor, or a killed tracker, may have named the file without a sync."""

    # -- opening ----------------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: str, new: Head, disk: Disk | None = None) -> None:
        """Create a save at this path with the head `new` and no entries. Nothing stays open.

        Raise SaveError if the path is taken, by anything, or cannot be written.
        """
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
        patience: float = 0,
    ) -> Save:
        """Open and lock the save at this path and return it; `readonly` is set if it is damaged or cannot be written.

        `write=False` opens it read-only, without the lock. `patience` is how many seconds to wait for another tracker
        that has it open. `tail` says what to do with a last entry that has no end mark: "ask" raises UnmarkedTail,
        "keep" takes it, "aside" moves it to a new file such as NAME.torn-1.txt beside the save. In a read-only save,
        "ask" and "aside" leave it out and move nothing. `step` is called with the progress, 0 to 1, if the whole file
        is read. Raise SaveError if there is no readable file, and DamagedSave if its head cannot be read.
        """
        save = cls(path, disk)
        try:
            save._take(patience, write=write)
            save.read = save._load(tail, step)
            save._kept = tail == "keep"
            if save.read.bad:
                save._only_look(save.read.damage)
            save._prepare_to_write()
        except OSError as error:
            save.close()
            raise SaveError(f"Can't read {path}: {_reason(error)}.") from None
        except BaseException:
            save.close()
            raise
        return save

    def _take(self, patience: float, *, write: bool) -> None:
        if not os.path.exists(self.real):
            raise SaveError(f"No save at {self.path}.")
        if not os.path.isfile(self.real):
            raise SaveError(f"{self.path} is not a file.")
        if not write:
            self._only_look("you opened it that way")
            return
        try:
            self._lock = take_lock(lock_of(self.real), patience)
            self._fd = self.disk.open_file(self.real, os.O_RDWR | os.O_APPEND, follow=True)
            compaction.sweep(self.real, self.disk, self._keep_found)
            self.warnings += filter(None, (self._lock.note, compaction.backups_problem(self.real)))
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
        """Read the open file, or the one at `real` if none is open, and return its contents.

        `tail` says what to do with a last entry without an end mark: "ask" raises UnmarkedTail, "keep" takes it,
        "aside" leaves it out; in a read-only save, "ask" means "aside". `step` is called with the progress, 0 to 1, if
        the whole file is read. `whole` reads every block and ignores the snapshot. If `upto` is not negative, only that
        many bytes are read; otherwise the file's signature is stored, too. Raise OSError if the file cannot be read,
        and DamagedSave if its head cannot.
        """
        if self.readonly and tail == "ask":
            tail = "aside"  # readers can skip the tail: the lock holder may be mid-write
        with reading(os.dup(self._fd)) if self._fd >= 0 else open_regular(self.real) as file:
            file.seek(0)
            if upto < 0:
                self._seen = signature(os.fstat(file.fileno()))
            part = file if upto < 0 else io.BytesIO(file.read(upto))
            return reader.read(self.path, part, tail=tail, step=step, whole=whole)

    def _prepare_to_write(self) -> None:
        """Prepare for writing: move a truncated tail to a file of its own, and sync the entries that were read.

        If the system refuses that, make the save read-only. If it is read-only already, do nothing. Raise Changed if
        another program has changed the file before its tail could be cut off.
        """
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
        """Move a truncated tail to a new file `NAME.torn-1.txt` beside the save, then cut it off here, and add a note.

        Raise OSError, with the tail still in the save, if the new file cannot be written; Changed if another program
        has changed the save.
        """
        aside = self._free_aside("torn")
        self.disk.write_file(aside, torn, stat.S_IMODE(os.fstat(self._fd).st_mode) & 0o777)
        self._same()
        self.disk.truncate(self._fd, self.read.end)
        self._seen = signature(os.fstat(self._fd))
        self.notes.append(f"An unfinished write at the end was moved to {os.path.basename(aside)}.")

    def set_refused_aside(self, entries: bytes) -> str:
        """Write `entries`, the bytes of entries that the host of a shared campaign has refused, to a new file.

        It is beside the save. Return its name, such as NAME.refused-1.txt. Raise OSError if it cannot be written.
        """
        aside = self._free_aside("refused")
        self.disk.write_file(aside, entries, stat.S_IMODE(os.fstat(self._fd).st_mode) & 0o777)
        return os.path.basename(aside)

    def _free_aside(self, kind: str) -> str:
        """Return the first unused path of the form `NAME.KIND-1.txt` beside the save. KIND is `kind`, such as "torn".

        Raise OSError if there are 999 already.
        """
        folder, name = os.path.split(self.real)
        asides = (os.path.join(folder, f"{name.removesuffix('.toml')}.{kind}-{n}.txt") for n in range(1, 1000))
        aside = next((path for path in asides if not os.path.lexists(path)), None)
        if aside is None:
            raise OSError(f"999 files like {name.removesuffix('.toml')}.{kind}-1.txt are there already; move them away")
        return aside

    @property
    def head(self) -> Head:
        return self.read.head

    @property
    def notes(self) -> list[str]:
        """Sentences for the player about the file: hand edits, missing blocks, an unfinished write."""
        return self.read.notes

    @property
    def blocks(self) -> list[Block]:
        """The blocks after the snapshot, or all of them without a snapshot, sorted by (t, id)."""
        return self.read.blocks

    @property
    def count(self) -> int:
        """The number of blocks in the file, including those that the snapshot covers."""
        return (self.head.base.upto if self.head.base else 0) + len(self.read.blocks)

    def read_whole(self, step: Step | None = None) -> None:
        """Read every block into `blocks` and drop the snapshot; slow for a long campaign.

        Do nothing if all blocks are in memory and the file has not changed. `step` is called with the fraction done, 0
        to 1. Raise Changed if the file is open for writing and another program has changed it; SaveError or OSError if
        it cannot be read.
        """
        found = self._all(step)
        self._kept, self.read = self._kept or found is not self.read, found

    def _all(self, step: Step | None) -> reader.Contents:
        """Return the contents of the file with every block and without the snapshot; `read` stays the same object.

        That object is returned if it has all blocks and the file has not changed; otherwise the file is read. `step` is
        called with the progress, 0 to 1. Raise Changed if the file is open for writing and another program has changed
        it; SaveError or OSError if it cannot be read.
        """
        if not self.readonly:
            self._same()
        is_here = self.head.base is None and (self._kept or not self.read.torn) and not self._torn
        if is_here and signature(os.stat(self.real)) == self._seen:
            return self.read
        return self._load("keep", step, whole=True, upto=self._good if self._torn else -1)

    def look_again(self) -> None:
        """Read the file of a read-only save again. A last entry without an end mark is left out.

        Raise SaveError or OSError, with `read` unchanged, if the file cannot be read or is another campaign.
        """
        before = self._seen
        try:
            found = self._load("aside")
            if not found.head.same_campaign(self.head):
                raise SaveError(f"Another campaign is under the name {self.name} now.")
        except BaseException:
            self._seen = before
            raise
        self.read = found

    def peek(self, tail: Tail = "ask") -> Found:
        """Read the file that is at the save's path now. This object keeps its own file and contents.

        Pass the result to `adopt` to continue with that file, or to `drop` to close it. `tail` says what to do with a
        last entry without an end mark: "ask" raises UnmarkedTail, "keep" takes it, "aside" leaves it out; what our own
        failed write has left is always left out. Raise Detached if the file is gone, is empty or no file, has a damaged
        head or is another campaign; SaveError if entries are damaged; OSError if it cannot be opened or read.
        """
        if self._torn:
            tail = "aside"
        try:
            fd = self.disk.open_file(self.real, os.O_RDWR | os.O_APPEND, follow=True)
        except FileNotFoundError:
            raise Detached(f"{self.name} is gone: another program deleted or moved it", "deleted") from None
        except NotRegular as error:
            raise Detached(str(error), "no longer a file") from None
        try:
            with reading(os.dup(fd)) as file:
                file.seek(0)
                status = os.fstat(fd)
                if not status.st_size:
                    raise Detached(f"another program emptied {self.name}", "emptied")
                found = reader.read(self.name, file, tail=tail)
            if not found.head.same_campaign(self.head):
                why = "another campaign is under this name now; move it away"
                raise Detached(why, "another campaign is there now")
            if found.bad:
                raise SaveError(f"{self.name} was changed, and {found.damage}")
            if found.torn and tail != "aside":
                raise SaveError(f"{self.name} was changed, and its end is damaged")
        except DamagedSave as error:
            self.disk.close(fd)
            raise Detached(str(error), "damaged") from None
        except BaseException:
            self.disk.close(fd)
            raise
        return Found(fd, found, signature(status))

    def adopt(self, found: Found) -> None:
        """Continue with the file that `peek` returned, and close the old one.

        A truncated tail that was left out is moved to a file of its own. Raise OSError if that fails or the file cannot
        be synced, and Changed if another program changes it meanwhile.
        """
        old, self._fd, self._seen = self._fd, found.fd, found.seen
        self.read = found.contents
        self._name_unsure = True
        self.disk.close(old)
        self._settle_end()

    def drop(self, found: Found) -> None:
        """Close the file that `peek` returned without using it."""
        self.disk.close(found.fd)

    def compare(self, found: Found) -> Lack:
        """Return the difference between our entries and those in the file `found`, which `peek` returned.

        Our entries are those that this object has read or made durable. Slow if the older parts of the two files
        differ. Raise DamagedSave or OSError if a file cannot be read.
        """
        from tracker.saves.merge import compare

        with reading(os.dup(found.fd)) as file:
            return compare(self.read, found.contents, file, self._sources)

    def keep_apart(self, data: bytes, *, merged: bool) -> str:
        """Write `data`, a version of this save, to a new backup and return its path, relative to the save's folder.

        Compaction never deletes such a backup. Pass `merged=True` if all its entries go back into the save; of such
        backups, only the last `compaction.KEPT_MERGED` of this session are kept. Raise OSError if the backup cannot be
        written.
        """
        path = compaction.free_name(self.real)
        self.disk.write_file(path, data, stat.S_IMODE(os.fstat(self._fd).st_mode))
        if merged:
            self._merged.append(path)
            while len(self._merged) > compaction.KEPT_MERGED:
                self.disk.discard(self._merged.pop(0))
        return os.path.relpath(path, os.path.dirname(self.real))

    def whole(self) -> Whole:
        """Return every entry that this object has read or made durable, including those before the snapshot.

        These come from the first file that still has them: the open file (which survives deletion and replacement), the
        file at the save's path, or a backup. The result's `lost` says how many are in none of these files.
        """
        from tracker.saves.merge import complete

        return complete(self.read, self._sources)

    def _sources(self) -> Iterator[BinaryIO]:
        if self._fd >= 0:
            with reading(os.dup(self._fd)) as file:
                yield file
        kept = [*compaction.kept_apart(self.real), *compaction.backups(self.real)]
        for path in (self.real, *reversed(kept)):
            with contextlib.suppress(OSError), open_regular(path, follow=False) as file:
                yield file

    def line_of(self, read: reader.Contents, *path: str) -> int:
        """Return the line number, from 1, of a key in the head of the file, or of the nearest table around it.

        `path` is the key with the names of the tables around it, outermost first. `read` has the contents of the file
        that is at the save's path. Raise OSError if the file cannot be read.
        """
        with open_regular(self.real) as file:
            return toml.line_of(file.read(read.head_end).decode("utf-8", "replace"), path)

    def line_at(self, offset: int) -> int:
        """Return the line number, from 1, of the byte at `offset` in the file. Raise OSError if it cannot be read."""
        with open_regular(self.real) as file:
            return reader.lines_before(file, offset) + 1

    def older(self, before: int | None, count: int) -> tuple[list[Entry], int]:
        """Return (entries, offset): up to `count` entries that end at or before the offset `before`, oldest first.

        The returned offset is where they begin; 0 means that there are no older ones. Offsets count bytes from the end
        of the head. Pass None for `before` to begin at the last entry that the snapshot covers. Raise OSError if the
        file cannot be read.
        """
        with self._looked_at() as (file, contents):
            return reader.older(file, contents, before, count)

    @contextlib.contextmanager
    def _looked_at(self) -> Iterator[tuple[BinaryIO, reader.Contents]]:
        """Context manager that yields (open file, Contents that describe exactly this file).

        A compaction in another thread replaces both; holding `_swapping` makes sure that they belong together. Raise
        OSError if the file cannot be opened.
        """
        with self._swapping:
            file, contents = open_regular(self.real), self.read
        with file:
            yield file, contents

    def newer(self, after: int, count: int | None) -> tuple[list[Entry], int | None]:
        """Return (entries, offset): up to `count` entries from the offset `after` on, oldest first.

        Only entries that the snapshot covers are returned. The returned offset is where they end, or None if the last
        of those is among them. Offsets count bytes from the end of the head. If `count` is None, return as many entries
        as one long read finds. Raise OSError if the file cannot be read.
        """
        from tracker.saves import search

        with self._looked_at() as (file, contents):
            return search.newer(file, contents, after, count)

    def place_of(self, ident: str) -> int | None:
        """Return the offset where the entry with the id `ident` ends, in bytes from the end of the head.

        Return None if the snapshot covers no such entry. Raise OSError if the file cannot be read.
        """
        from tracker.saves import search

        with self._looked_at() as (file, contents):
            return search.place_of(file, contents, ident)

    def marked(self) -> list[Entry]:
        """Return the undos, edits and strikes that the snapshot covers, newest first.

        Each refers to an earlier entry: an edit changes its text, a strike crosses it out. Raise OSError if the file
        cannot be read.
        """
        from tracker.saves import search

        with self._looked_at() as (file, contents):
            return search.marked(file, contents)

    def closings(self) -> dict[str, str]:
        """Return {id of a closing entry: id of the entry that it closes}, in file order.

        Only closing entries that the snapshot covers are searched. Raise OSError if the file cannot be read.
        """
        from tracker.saves import search

        with self._looked_at() as (file, contents):
            return search.closings(file, contents)

    def matching(self, wanted: re.Pattern[bytes]) -> Iterator[list[Entry]]:
        """Yield a list of entries for each part of the file, newest first: the entries whose bytes match `wanted`.

        Only entries that the snapshot covers are searched. Each list has its newest entry first, and may be empty.
        Raise OSError if the file cannot be read.
        """
        from tracker.saves import search

        with self._looked_at() as (file, contents):
            yield from search.matching(file, contents, wanted)

    def sums(self) -> Iterator[tuple[str, int]]:
        """Yield (id, CRC32 of the bytes) for each entry in the file, in no particular order.

        Copies of a campaign that have the same pairs have the same entries. Raise OSError if the file cannot be read.
        """
        from tracker.saves import search

        with self._looked_at() as (file, contents):
            after = list(contents.blocks)
            yield from search.sums(file, contents)
        for block in after:
            yield block.entry["id"], zlib.crc32(_whole_lines(block.body))

    def holding(self, ids: Set[str]) -> Iterator[tuple[str, str]]:
        """Yield (id, TOML text as the file has it) for each entry in the file whose id is in `ids`.

        Those that the snapshot covers come first. Raise OSError if the file cannot be read.
        """
        from tracker.saves import search

        with self._looked_at() as (file, contents):
            after = [block for block in contents.blocks if block.entry["id"] in ids]
            behind = ids - {block.entry["id"] for block in after}
            for ident, body in search.texts(file, contents, behind):
                yield ident, body.decode()
        for block in after:
            yield block.entry["id"], _whole_lines(block.body).decode()

    # -- writing ----------------------------------------------------------------------------------------

    def prepare(self, entry: Entry, body: bytes = b"") -> None:
        """Store the bytes that `append` will write for this entry: `body` if given, else made from the entry.

        Raise SaveError if the entry has a value that a save cannot hold.
        """
        if body and not body.endswith(b"\n"):
            body += b"\n"
        self._ready[entry["id"]] = body or emit_checked(entry)

    def append(self, entries: Sequence[Entry]) -> None:
        """Add these entries, at least one, to the end of the file, in this order, and return when they are durable.

        Several entries share one end mark, so that after a power cut either all of them are intact or none is.
        Raise SaveError if the save is read-only or cannot hold an entry, OSError if the write fails, and Changed if
        another program has changed the file. After an error none of the entries counts as written; pass them again.
        """
        if self.readonly:
            raise SaveError(f"{self.name} is read-only: {self.readonly}.")
        self._drop_failed_write()
        if self.read.unmarked:
            self._mark_the_end()
        lead = b"" if self.read.ends_line else b"\n"
        comment = covered = self.read.rest + lead if self.read.rest else b""
        written: list[Block] = []
        data, at = lead, self._good + len(lead)
        for entry in entries:
            body = self._ready.get(entry["id"]) or emit_checked(entry)
            written.append(Block(at, at + len(body), comment + body, entry, None))
            data, covered, at = data + body, covered + body, at + len(body)
            comment = b""
        last = written[-1]
        last.number = self.read.last_number + 1
        end = blocks.mark(last.number, covered)
        data, last.end = data + end, at + len(end)
        self._write(data)
        self.read.appended(written)
        for entry in entries:
            self._ready.pop(entry["id"], None)

    def _mark_the_end(self) -> None:
        """Write an end mark for the entries at the end of the file that have none, and return when it is durable.

        Without it, what a power cut leaves of the next entry would make these unreadable, too. Raise OSError if the
        write fails, and Changed if another program has changed the file.
        """
        lead = b"" if self.read.ends_line else b"\n"
        number = self.read.last_number + 1
        self._write(lead + blocks.mark(number, self.read.unmarked + lead))
        self.read.marked(number, self._good)

    def _write(self, data: bytes) -> None:
        """Write these bytes to the end of the file and return when they are durable.

        Raise OSError if the write fails; what it left in the file is cut off before the next write. Raise Changed if
        another program has changed the file.
        """
        at = self._good + len(data)
        try:
            self.disk.write_all(self._fd, data)
            self.disk.sync(self._fd)
        except OSError:
            self._torn = True
            self._seen = signature(os.fstat(self._fd))  # else our partial write would look like another program's
            with contextlib.suppress(OSError):  # tried again before the next write
                self._drop_failed_write()
            raise
        self._good = at
        self._seen = signature(os.fstat(self._fd))
        if os.fstat(self._fd).st_size != at:
            raise Changed(f"{self.name} was changed by another program.")
        self._same()  # the path may lead to another file by now, and ours would be lost

    def _drop_failed_write(self) -> None:
        """Cut off the bytes that a failed write of ours left at the end of the file.

        Also sync the folder if the file's name may not be durable yet. Raise Changed, with nothing done, if another
        program has changed the file, and OSError on failure.
        """
        self._same()
        if self._torn:
            self.disk.truncate(self._fd, self._good)
            # Before the sync: if that fails, the new size would look like another program's change.
            self._seen = signature(os.fstat(self._fd))
            self.disk.sync(self._fd)
            self._torn = False
        if self._name_unsure:
            self._settle_name()

    def _settle_name(self) -> None:
        """Sync the save's folder, so that the file's name is durable; add a warning if the filesystem cannot.

        Raise OSError if it fails for another reason.
        """
        self.disk.settle_names(os.path.dirname(self.real))
        self._name_unsure = False
        warning = (
            f"This disk can't sync folders ({self.disk.unsynced}): "
            "a power cut may lose the newest entries, so keep copies elsewhere."
        )
        if self.disk.unsynced:
            self._warn(warning)

    def _warn(self, warning: str) -> None:
        """Add this sentence to `warnings` and call `on_warning` with it, unless it is there already."""
        if warning not in self.warnings:
            self.warnings.append(warning)
            self.on_warning(warning)

    @property
    def changed(self) -> bool:
        """True if another program has written, replaced or removed the file since we last read or wrote it.

        Also True if the file cannot be looked at.
        """
        try:
            self._same()
        except (Changed, OSError):
            return True
        return False

    def _same(self, path: str = "") -> None:
        """Raise Changed unless the file at `path`, by default the save's, is as we last read or wrote it.

        Raise OSError if it cannot be looked at.
        """
        try:
            now = signature(os.stat(path or self.real))
        except FileNotFoundError:
            raise Changed(f"{self.name} was moved or deleted by another program.") from None
        if now != self._seen:
            raise Changed(f"{self.name} was changed by another program.")

    def reaching_back(self, to: tuple[int, str], step: Step | None = None) -> Iterator[reader.Contents]:
        """Yield the contents of the file as read from a snapshot before the (t, id) `to`, then from earlier ones.

        The last one has all blocks and no snapshot. `read` does not change; pass the result to `compact`. The snapshots
        come from the marks beside the save. `step` is called with the fraction done, 0 to 1, when the whole file is
        read. Raise Changed if another program has changed the file, and OSError or SaveError if it cannot be read.
        """
        from tracker.saves import marks

        self._same()
        known = self.head.base.upto if self.head.base else 0
        near = [mark for mark in marks.read(self.real) if mark.last < to and mark.upto < known]
        if near:
            with reading(os.dup(self._fd)) as file:
                file.seek(self.read.head_end)
                near = marks.fitting(near, file)
        back = 1
        while near and back <= len(near):
            found = self._load_from(near[-back])
            if not (found.bad or found.reaches_back):
                yield found
            back *= 2
        yield self._all(step)

    def _load_from(self, mark: Snapshot) -> reader.Contents:
        """Return the contents of the file, read from this mark on as its snapshot. The mark must fit the file.

        Raise OSError if the file cannot be read.
        """
        with reading(os.dup(self._fd)) as file:
            return reader.read_after(self.path, self.head, file, self.read.head_end, self._good, mark)

    def compact(
        self,
        state: Mapping[str, Any],
        cut: int,
        base_state: Mapping[str, Any],
        without: frozenset[str],
        *,
        of: reader.Contents | None = None,
        places: Sequence[compaction.Place] = (),
    ) -> None:
        """Replace the file by one with a fresh head and the same blocks, sorted; keep the old file as a backup.

        `state` is the current state. The new snapshot covers the first `cut` of `blocks` and everything before them.
        Its state is `base_state`, which must not include the effects of the entries whose ids are in `without`: later
        entries undo them. `of` are contents from `reaching_back`, whose blocks count then; blocks that were taken out
        of them are no longer in the new file. `places` are more places in these blocks to begin from, which are kept as
        marks. Do nothing if read-only. Raise Changed, SaveError or OSError on failure; the file is then still complete.
        """
        if self.readonly:
            return
        self._drop_failed_write()
        before = of or self.read
        copied = before.head.base
        plan = compaction.plan(before, state, cut, base_state, without, places)
        fd, temp = compaction.write(self.real, plan, self.disk)
        seen = signature(os.fstat(fd))  # before others can find and change it
        with self._swapping:
            backup = compaction.put(self.real, fd, temp, self.disk, self._same, self._keep_found)
            old, self._fd = self._fd, fd
            self.read = plan.contents
        if backup:
            self._replaced[backup] = self._seen
        self._good, self._seen = plan.contents.end, seen
        self._name_unsure = True
        self.disk.close(old)
        self._look_for_late_writes()
        for path in compaction.backups(self.real)[: -compaction.KEPT]:
            self._replaced.pop(path, None)
            self.disk.discard(path)
        self._settle_name()
        if self.keeps_marks:
            base = plan.contents.head.base
            self._mark(copied.upto if copied else 0, [*plan.marks, *([base] if base else ())])

    def _mark(self, unchanged: int, new: Sequence[Snapshot]) -> None:
        """Add the snapshots `new` to the marks beside the save; do nothing if the file of marks cannot be written.

        Of the old marks, only those among the first `unchanged` entries are kept: these entries did not move.
        """
        from tracker.saves import marks

        with contextlib.suppress(OSError):  # without a mark, more of the file is read
            marks.write(self.real, unchanged, new, self.disk)

    def _look_for_late_writes(self) -> None:
        """Rename each backup that another program has written to since compaction, so that it is never deleted.

        No other file has the bytes that were written to it. Add a warning for each; a backup that cannot be renamed is
        tried again the next time.
        """
        for backup, seen in list(self._replaced.items()):
            with contextlib.suppress(OSError):  # deleted, or tried again the next time
                if signature(os.stat(backup, follow_symlinks=False)) != seen:
                    self._keep_found(backup)
                    del self._replaced[backup]

    def _keep_found(self, path: str) -> None:
        """Move the file at `path`, which another program wrote, to a backup that compaction never deletes, and warn.

        Raise OSError if it cannot be moved.
        """
        target = compaction.free_name(self.real)
        self.disk.replace(path, target)
        kept = shown_line(os.path.relpath(target, os.path.dirname(self.real)), 200)
        self._warn(f"Another program wrote a different version; it is kept as {kept}.")

    def snapshot(self) -> list[str]:
        """Copy the durable part of the file to dated backups, beside the save and in the data folder.

        Old ones are deleted. Return one sentence for the player for each folder that failed, [] if none did. Do nothing
        if read-only. Raise Changed if another program has changed the file, and OSError if it cannot be looked at.
        """
        if self.readonly:
            return []
        from tracker.saves import backups

        self._same()
        return backups.snapshot(self.real, self.head.id, self._good, self.disk)

    def backed_up_since(self, since: datetime, now: datetime) -> bool:
        """Return True if the folder beside the save has a dated backup from after `since` and not after `now`.

        Both are local times without a zone. A backup from after `now` was made with a wrong clock and does not count.
        """
        from tracker.saves import backups

        stem = os.path.basename(self.real).removesuffix(".toml")
        return any(
            since < when <= now and kind == backups.SNAPSHOT
            for when, kind, _ in backups.dated(backups.beside(self.real), stem)
        )

    def close(self) -> None:
        """Close the file and release the lock. Entries passed to `prepare` but not to `append` are lost."""
        self._look_for_late_writes()
        if self._fd >= 0:
            with contextlib.suppress(OSError):  # every byte that counts was synced long before
                self.disk.close(self._fd)
            self._fd = -1
        if self._lock:
            self._lock.release()
            self._lock = None


def _whole_lines(body: bytes) -> bytes:
    """Return the bytes of a block with the line end that a block written by hand may lack."""
    return body if body.endswith(b"\n") else body + b"\n"


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def emit_checked(entry: Entry) -> bytes:
    """Return the entry as TOML bytes. Raise SaveError if they would not read back as the same, valid entry."""
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
