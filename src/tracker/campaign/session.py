"""An open campaign, for frontends.

A new entry changes the state at once; a thread writes it to the file afterwards, and the save status `sign` says
whether it is durable. Only dice wait for the disk: `rolled` returns when the faces are durable or cannot be saved now.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tracker import games
from tracker.campaign.fold import fold, start, written
from tracker.campaign.hand_edits import check_edits, find_edits
from tracker.campaign.history import History
from tracker.campaign.log import Entry, Log, NeedsFullLog
from tracker.campaign.save_log import compactable_entries, duplicate, end_of, log_in, log_of, stand_in
from tracker.campaign.state import thaw
from tracker.campaign.undo import Undo
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.games.api.phrases import without_done
from tracker.games.api.schema import Effect, State
from tracker.games.api.view import DueItem
from tracker.games.common import seats
from tracker.saves.blocks import Block
from tracker.saves.disk import Disk
from tracker.saves.entries import TIME_LIMIT, key
from tracker.saves.errors import Detached, SaveError, UnmarkedTail
from tracker.saves.head import Head
from tracker.saves.reader import Contents, Tail
from tracker.saves.save import Found, Save, Step, emit_checked
from tracker.saves.writer import SaveStatus, Writer
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.campaign.full_log_reader import FullLogReader
    from tracker.campaign.run import Run
    from tracker.games.api.content import Content, PackInfo
    from tracker.games.api.prompts import Answer
    from tracker.saves.id_set import IdSet

__all__ = [
    "ReadOnly",
    "SaveError",
    "SaveStatus",
    "Session",
    "Step",
    "Tail",
    "UnmarkedTail",
    "new_campaign",
    "random_id",
]

COMPACT_AFTER = 300
"""Number of entries after which the save file is compacted."""
BRIEF_LEAVES = 40
"""Most entries newer than the head that a brief session leaves: a list reads them to know the present party."""
BACKUP_SECONDS = 3600.0
"""Least seconds between two dated backups during play; closing a changed campaign always makes one."""
LONGEST = 1_000_000
"""Most characters in the text of one entry."""
Listener = Callable[[str], None]
"""Function called with the kind of event, in any thread. "table": the state changed. "sign": the save status changed.
"notes": there are new notes. "stale": another program changed the file; call `refresh`. "untidy": the file could not be
compacted or backed up, or there is another warning; the last of the notes is the sentence to show. "late": entries that
sort before the snapshot were folded; call `adopt_late`."""


def random_id(length: int = 8) -> str:
    """Return `length` random lowercase letters and digits, for the ids of campaigns and sessions."""
    return "".join("0123456789abcdefghijklmnopqrstuvwxyz"[byte % 36] for byte in os.urandom(length))


def new_campaign(path: str, game: Game, disk: Disk | None = None) -> None:
    """Create a campaign of this game, without characters, at this path.

    Raise SaveError if the path exists or cannot be written.
    """
    state = written(game.top, start(game.top))
    Save.create(path, Head(id=random_id(6), game=game.id, rules=game.rules, state=state), disk)


def _installed() -> tuple[PackInfo, ...]:
    """Return the packs on this computer. A campaign that uses none need not import what reads them."""
    from tracker.content.packs import installed

    return installed()


class ReadOnly(Refused):
    """Raised for a change to a campaign that is open for reading only."""


class Session:
    """An open campaign: its state, its log, and every way to change them. Frontends get it from `Session.open`.

    `notes` are sentences for the player about the file. `listeners` are functions called with events. Methods that make
    entries raise ReadOnly if the campaign is read-only.
    """

    def __init__(self, save: Save, game: Game, log: Log) -> None:
        self.save = save
        self.game = game
        self.log = log
        self.notes: list[str] = [*save.notes, *save.warnings]
        save.on_warning = self._warn
        self.listeners: list[Listener] = []
        self.watches = False
        """True for a spectator of a shared campaign: entries come in from others, and none are made here."""
        self._by = ""
        self.on_entry: list[Callable[[Entry], None]] = []
        """Functions called with each entry that is made here, before it is queued to be written."""
        self.on_written: list[Callable[[Sequence[str]], None]] = []
        """Functions called with the ids of entries that have become durable, in the writer's thread."""
        self._opening = random_id()
        self._counter = 0
        self._time = end_of(save)
        self._again: set[str] = set()
        """IdSet of entries that were saved once, are missing in a changed file, and wait to be written again."""
        self._known: IdSet | None = None
        """The ids of all entries, once an entry has come that may be one from before the snapshot."""
        self._stale = False
        self.detached = ""
        """Why the file at the save's path is no longer this campaign, such as "deleted" or "emptied"; else "".

        Then `save_copy` can still save everything to another file.
        """
        self.unmarked: UnmarkedTail | None = None
        """The question about a last entry without an end mark in a file that another program has changed, or None.

        Nothing is written until `answer_tail` answers it, or the other program completes the entry.
        """
        self._read: Content | None = None
        self._read_for: tuple[State, int] = ({}, 0)
        """The packs of the campaign, and the state of the store, when `_read` was made."""
        self._reading = threading.Lock()
        self._own: Content | None = None
        """The content without packs."""
        self.history = History(self)
        left = compactable_entries(save)
        # Compaction right after opening would delay the first keys.
        self._since_head = left if left >= 2 * COMPACT_AFTER else min(left, COMPACT_AFTER * 2 // 3)
        self._untidy: set[str] = set()
        """Reasons for a failed compaction that are in `notes` already."""
        self._since_snapshot = left
        self._snapshot_at = time.monotonic()
        self._no_backup_told = False
        self._writer = Writer(
            save, lambda: self._tell("sign"), self._changed_outside, self._not_rewritten, self._written
        )
        self._full_log_reader: FullLogReader | None = None
        self.undos = Undo(self)

    # -- opening and closing ----------------------------------------------------------------------------

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
    ) -> Session:
        """Open the campaign at this path and return its session, with `readonly` set if it cannot be written.

        `write=False` opens it read-only. `tail` says what to do with a last entry that has no end mark: "ask" raises
        UnmarkedTail, "keep" takes it, "aside" moves it to a new file such as NAME.torn-1.txt beside the save. A
        read-only session leaves it out with "ask" and "aside", and moves nothing. `step` is called with the progress,
        from 0 to 1, if the whole file must be read. `patience` is how many seconds to wait for another tracker that
        has it open. Hand edits of the file's state become an entry. Raise SaveError, or rarely OSError, if the campaign
        cannot be opened, and Refused if such an entry cannot be saved.
        """
        save = Save.open(path, write=write, tail=tail, disk=disk, step=step, patience=patience)
        try:
            game = games.get(save.head.game)
            if save.head.rules > game.rules:
                raise SaveError(f"{save.name} was played with newer rules; update tracker to open it.")
            check_edits(save, game, save.read)
            session = cls(save, game, log_of(save, game, step))
        except Refused as error:
            save.close()
            raise SaveError(f"{save.name}: {error}") from None
        except BaseException:
            save.close()
            raise
        if session.state["seats"] and not session.readonly:
            from tracker.campaign.own_seat import own_seat

            with contextlib.suppress(OSError):  # no data folder: nobody shares a campaign here
                session.by = own_seat(session.state)
        session._take_head_edits()
        if save.head.base is None and save.count > COMPACT_AFTER:
            session._tidy()
        return session

    def close(self, *, brief: bool = False) -> SaveStatus:
        """Write the queued entries, compact and back up the file if needed, close it and release its lock. Blocks.

        With `brief`, for a session of one command, the file is compacted only if more than BRIEF_LEAVES entries are
        newer than its head or there are notes about it, and backed up only if no dated backup is younger than
        BACKUP_SECONDS; neither is done if the session has made no entry. Return the save status; if its word is "NOT
        SAVED", some entries may be in no file. Raise Refused, SaveError or OSError, with the file still open, if late
        entries cannot be read.
        """
        self.wait()  # in the middle of a write of ours, the file would look changed by another program
        self._stale = self._stale or (not self.save.readonly and self.save.changed)
        self.settle()
        self.adopt_late()
        idle = brief and not self._counter
        if (self._since_head > (BRIEF_LEAVES if brief else 0) or (brief and self.save.notes)) and not idle:
            self._tidy()
        now = datetime.now()
        recent = brief and self.save.backed_up_since(now - timedelta(seconds=BACKUP_SECONDS), now)
        if self._since_snapshot > 0 and not (idle or recent):
            self._snapshot()
        self.settle()  # another program may have changed the file right before
        sign = self._writer.close()
        self.save.close()
        return sign

    @property
    def readonly(self) -> str:
        """Why the campaign is read-only, as a clause for the player, or "" if it can be changed."""
        return self.save.readonly or ("you are watching" if self.watches else "")

    @property
    def state(self) -> State:
        return self.log.state

    @property
    def sign(self) -> SaveStatus:
        """The save status at this moment."""
        return SaveStatus("READ-ONLY", self.save.readonly) if self.save.readonly else self._writer.sign

    def _warn(self, warning: str) -> None:
        self.notes.append(warning)
        self._tell("untidy")

    def _tell(self, what: str) -> None:
        for listener in self.listeners:
            listener(what)

    # -- entries ----------------------------------------------------------------------------------------

    @property
    def by(self) -> str:
        """The id of the player's seat, which new entries name as their author; "" if the player has none."""
        return self._by

    @by.setter
    def by(self, seat: str) -> None:
        if seat != self._by and self._counter:
            self._opening, self._counter = random_id(), 0  # all entries of an opening have the same author
        self._by = seat

    def new_entry(self, **given: Any) -> Entry:
        """Return a new entry with a fresh id and time and the `given` keys, leaving out empty values; pass it to `put`.

        Raise ReadOnly if the campaign is read-only, and Refused if another player plays the character `who`, the text
        is too long, or a value cannot be saved.
        """
        self._may_write()
        _fits(given.get("text", ""))
        if self._time + 1 >= TIME_LIMIT:
            raise Refused(f"An entry of this save has t = {self._time}, so no entry can follow it; lower that number.")
        entry: Entry = {
            "id": f"{self._opening}.{self._counter + 1}",
            "t": self._time + 1,
            "at": datetime.now(UTC).replace(microsecond=0),
        }
        self._may_act(given.get("who", ""))
        given = {"by": self.by, **given}
        entry |= {key: thaw(value) for key, value in given.items() if value not in ("", None, [], {}, ())}
        try:
            self.save.prepare(entry)
        except (SaveError, ValueError):
            raise Refused("Some characters here can't be saved; nothing was changed.") from None
        self._counter += 1
        self._time += 1
        return entry

    def _may_write(self) -> None:
        if self.readonly:
            raise ReadOnly(f"This campaign is read-only: {self.readonly}.")

    def _may_act(self, who: str) -> None:
        """Raise Refused if another player at the table plays the character with the id `who`."""
        if self.by and (other := seats.whose(self.state, who, self.by)):
            name = shown_line(self.state["party"].get(who, {}).get("name", who), 30)
            raise Refused(f"{seats.name_of(self.state, other)} plays {name}; ask at the table, or play your own.")

    def _may_take(self) -> None:
        if self.save.readonly:
            raise ReadOnly(f"This campaign is read-only: {self.save.readonly}.")

    def put(self, entry: Entry) -> Entry:
        """Apply an entry from `new_entry` to the state, queue it to be written, and return it.

        Listeners hear "table". Raise NeedsFullLog, with nothing changed, if it undoes or closes an entry from before
        the snapshot.
        """
        self.log.append(entry)
        self.queue(entry)
        self._grown(1)
        return entry

    def queue(self, entry: Entry) -> None:
        """Queue an entry from `new_entry` to be written, without applying it to the state.

        The functions in `on_entry` are called with it first.
        """
        if self._known:
            self._known.add(entry["id"])
        for listener in self.on_entry:  # before the writer's thread can call `on_written` for it
            listener(entry)
        self._writer.put(entry)

    def _grown(self, count: int) -> None:
        self._since_head += count
        self._since_snapshot += count
        if self._since_head >= COMPACT_AFTER:
            self._tidy()
        if time.monotonic() >= self._snapshot_at + BACKUP_SECONDS:
            self._snapshot()
        self._tell("table")

    def replace_log(self, log: Log) -> None:
        """Use this log, which begins further back, instead of the present one, whose entries are added to it.

        Raise NeedsFullLog, with nothing changed, if it does not begin far enough back.
        """
        self._since_head = len(log.merge(self.log.entries))
        if base := self.save.head.base:
            log.advance_to(base.upto, base.last)
        self.log = log
        self._tell("table")

    # -- entries from elsewhere -------------------------------------------------------------------------

    def take(self, entries: Sequence[Entry]) -> list[Entry]:
        """Add entries that were made elsewhere, in any order, and return those that were new, sorted.

        Each has its place by (t, id). The state changes at once if all of them come after the snapshot. Otherwise they
        are folded in the writer's thread; the listeners hear "late", and `adopt_late` then changes the state. Many are
        written together, and `on_written` tells when they are durable. Entries with a known id are ignored. Raise
        Refused, with nothing changed, if one of them has a wrong form, ReadOnly if the campaign is read-only, and
        OSError if the file has to be read for their ids and cannot be.
        """
        self._may_take()
        found = {entry["id"]: entry for entry in sorted(entries, key=key) if not self.has(entry)}
        new = list(found.values())
        for entry in new:
            try:
                self.save.prepare(entry)
            except (SaveError, ValueError) as error:
                raise Refused(str(error)) from None
        if not new:
            return []
        self.save.keeps_marks = True
        self._time = max(self._time, new[-1]["t"])
        try:
            self.log.merge(new)
        except NeedsFullLog:
            self._writer.put_together(new)
            self.full_log_reader.begin(lambda: self._tell("late"), to=key(new[0]))
        else:
            self._writer.put_together(new)
            self._grown(len(new))
        if self._known:
            for entry in new:
                self._known.add(entry["id"])
        return new

    def has(self, entry: Entry) -> bool:
        """Return True if the campaign has an entry with the id of this one; `t` in it helps to find out quickly.

        Raise OSError if the file has to be read and cannot be.
        """
        ident = entry["id"]
        if self.log.holds(ident):
            return True
        if self._known is None and not self.folding and key(entry) > self.log.last:
            return False
        if self._known is None:
            from tracker.saves.id_set import IdSet

            self._known = IdSet(self.ids())
        return ident in self._known

    def ids(self) -> Iterator[str]:
        """Yield the id of each entry, also of those from before the snapshot and of those that wait to be written.

        An id may come twice. Raise OSError if the file cannot be read.
        """
        for entry in self._writer.waiting():
            yield entry["id"]
        for ident, _ in self.save.sums():
            yield ident

    def unsaved(self) -> list[Entry]:
        """Return the entries that are not durable yet, in the order in which they will be written."""
        return self._writer.waiting()

    def adopt_late(self) -> None:
        """Take over entries that were folded in the writer's thread; do nothing if there are none.

        Blocks if they are not folded yet. Raise Refused, SaveError or OSError if the file cannot be read.
        """
        if self.folding:
            self.full_log_reader.adopt()

    @property
    def full_log_reader(self) -> FullLogReader:
        """The FullLogReader of this session, which folds the log anew from further back. It is made on first use."""
        if self._full_log_reader is None:
            from tracker.campaign.full_log_reader import FullLogReader

            self._full_log_reader = FullLogReader(self, self._writer)
        return self._full_log_reader

    @property
    def folding(self) -> bool:
        """True from the moment when the log begins to be folded anew until `adopt_late` takes over the result."""
        return self._full_log_reader is not None and self._full_log_reader.under_way

    def _end_folding(self) -> None:
        if self._full_log_reader:
            self._full_log_reader.drop()

    def _written(self, ids: Sequence[str]) -> None:
        for listener in self.on_written:
            listener(ids)

    def without(self, ids: Set[str]) -> list[Entry]:
        """Take these entries, and those that undo, close or edit them, out of the campaign; return what was taken out.

        They are written to a new file such as NAME.refused-1.txt first. Blocks until the file is written anew. Raise
        Refused, with nothing changed, if that is not possible, and ReadOnly if the campaign is read-only.
        """
        from tracker.campaign.full_log_reader import compact

        self._may_take()
        self.settle()
        self.adopt_late()
        with self._writer.alone():
            waiting = self._writer.waiting()
            try:
                read, kept, gone = self._apart(ids, waiting)
                if not gone:
                    return []
                texts = [block.body for block in read.blocks if block.entry["id"] in gone]
                texts += [emit_checked(entry) for entry in waiting if entry["id"] in gone]
                name = self.save.set_refused_aside(b"".join(texts))
                left = [entry for entry in waiting if entry["id"] not in gone]
                compact(self.save, log_in(kept, self.game), of=kept)
                log = log_of(self.save, self.game, waiting=left)
            except (SaveError, OSError) as error:
                why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                raise Refused(f"Couldn't take entries out of {shown_line(self.save.name)}: {why}") from None
            self._writer.requeue(left)
            self.log, self._known = log, None
            self._opening, self._counter = random_id(), 0  # the counters of an opening have no gap
        many = "1 entry was" if len(gone) == 1 else f"{len(gone)} entries were"
        self.notes.append(f"{many} refused by the host and moved to {shown_line(name)}.")
        self._tell("table")
        self._tell("notes")
        return list(gone.values())

    def _apart(self, ids: Set[str], waiting: Sequence[Entry]) -> tuple[Contents, Contents, dict[str, Entry]]:
        """Return (contents of the file, the same without the entries that `without` takes out, these entries by id).

        `ids` and the queued entries in `waiting` tell which ones these are. The contents begin at the snapshot unless
        one of these entries, or one that it undoes, comes before it. Raise SaveError or OSError if the file cannot be
        read.
        """
        near = {block.entry["id"] for block in self.save.blocks} | {entry["id"] for entry in waiting}
        older = any(ident not in near and ident in ids for ident in self.ids())
        for read in itertools.chain(() if older else (self.save.read,), self.save.reaching_back((0, ""))):
            gone = _naming(ids, [*(block.entry for block in read.blocks), *waiting])
            kept = read.with_blocks([block for block in read.blocks if block.entry["id"] not in gone])
            with contextlib.suppress(NeedsFullLog):
                log_in(kept, self.game)
                return read, kept, gone
        raise AssertionError("a log of all entries needs no others")

    def undo(self, ident: str | None = None) -> Entry | None:
        """Undo the newest entry, or the one with the id `ident`, and return the new entry; None if nothing changes.

        Raise Refused if that entry is itself an undo, or if the undo cannot be saved; Refused, SaveError or OSError if
        the file has to be read and cannot be.
        """
        return self.undos.undo(ident)

    def redo(self, undo: str | None = None) -> Entry | None:
        """Take back the last undo, or the undo with the id `undo`, and return the new entry.

        Without an id, return None if nothing was undone, or if something else was done since. Raise Refused if the redo
        cannot be saved; Refused, SaveError or OSError if the file has to be read and cannot be.
        """
        return self.undos.redo(undo)

    def do(
        self,
        did: str,
        effects: Sequence[Effect] = (),
        *,
        who: str = "",
        text: str = "",
        facts: dict[str, Any] | None = None,
    ) -> Entry:
        """Make an entry of the kind `did` with these effects, outside any procedure, and return it.

        `who` is the id of a character, or ""; `text` is for the journal. Phrases for what the effects changed are added
        to `facts`. Raise Refused if the entry cannot be saved.
        """
        before = self.state
        after = fold(self.game.top, before, effects)
        facts = {**(facts or {}), "changed": self.game.changes(before, after, who)} if effects else facts
        return self.put(self.new_entry(who=who, did=did, facts=facts, effects=list(effects), text=text))

    def write(self, text: str, who: str = "") -> Entry:
        """Add a line to the journal and return its entry. `who` is the id of the character who writes, or "".

        Raise Refused if the text is too long or cannot be saved.
        """
        return self.do("journal", who=who, text=text)

    def about(self, ident: str, did: str, *, text: str = "", effects: Sequence[Effect] = (), who: str = "") -> Entry:
        """Make an entry that edits, strikes or restores the entry with the id `ident`, and return it.

        `did` is EDIT, STRIKE or RESTORE of `tracker.campaign.history`; `text` is the new text for an edit. `effects`
        change the state, too. `who` is the id of the character who makes it, or "". Raise Refused if the entry cannot
        be saved.
        """
        return self.put(self.new_entry(who=who, did=did, of=ident, effects=list(effects), text=text))

    # -- procedures -------------------------------------------------------------------------------------

    def content(self) -> Content:
        """Return the tables, assets and equipment of the game, of the campaign's packs and of the player's own files.

        The player's files are in the folder `content` beside the save and are read once. Packs are read again when the
        campaign uses others or another one was installed. Problems are added to `notes`, each once. Safe in any thread.
        """
        with self._reading:
            if self._own is None:
                from tracker.content import load

                folder = os.path.join(os.path.dirname(self.save.real), "content")
                self._own = load(self.game.id, folder, self.game.helped)._replace(installed=_installed)
                self.notes += self._own.problems
            if not self.state["packs"]:
                return self._own
            from tracker.content.packs import merged, stamp

            wanted = self.state["packs"], stamp()
            if self._read is None or self._read_for != wanted:
                self._read, self._read_for = merged(self._own, wanted[0], self.game.moves, self.game.helped), wanted
                self.notes += (one for one in self._read.problems if one not in self.notes)
            return self._read

    def credits(self) -> list[str]:
        """Return a line for each work that the campaign's packs come from, with authors and license."""
        from tracker.content.packs import attributions

        return attributions(self.content())

    def missing_packs(self) -> list[tuple[str, str]]:
        """Return (title, command) for each pack of the campaign that is not installed; the command installs it.

        Return [] if all are.
        """
        used = self.state["packs"]
        if not used:
            return []
        from tracker.content.packs import how_to_get

        there = {pack.id for pack in _installed()}
        return [
            (shown_line(pack["title"] or ident), how_to_get(ident))
            for ident, pack in used.items()
            if ident not in there
        ]

    def begin(self, procedure: str, who: str, answers: Iterable[Any] = ()) -> Run:
        """Start the procedure with the id `procedure` for the character with the id `who`; return its run.

        Nothing is saved yet. `answers` are [key, value] pairs that are given in advance; `Run.back` does not return to
        them. Raise Refused if there is no such procedure or character, if another player plays the character, or if the
        character has to finish another procedure first; ReadOnly if the campaign is read-only.
        """
        self._may_write()
        move = self.game.moves.get(procedure)
        if move is None:
            raise Refused(f"This game has no “{procedure}”.")
        if not move.solo:
            if who not in self.state["party"]:
                raise Refused("Make a character first.")
            self._may_act(who)
            if not move.beside:
                self._none_open(who)
        from tracker.campaign.run import Run

        apart = _end_of_ids(self._opening) if self.by else ""
        run = Run(self.game, move, who, self.state, answers, self.content, apart=apart)
        run.settle()
        return run

    def under_way(self, who: str) -> bool:
        """Return True if the character with the id `who` has an open entry, so that most procedures cannot begin."""
        return any(entry.get("who") == who for entry in self.log.open_runs())

    def _none_open(self, who: str) -> None:
        if self.under_way(who):
            raise Refused("Finish or undo your open roll first.")

    def resume(self, ident: str) -> Run:
        """Return the run of an unfinished procedure, at the prompt where it stopped.

        `ident` is the id of its newest open entry. Raise Refused if it has ended or was undone, if its move or
        character no longer exists, or if its dice no longer fit.
        """
        self._may_write()
        entry = self._open_entry(ident)
        move = self.game.moves.get(entry.get("did", ""))
        state, who = self._state_for(ident), entry.get("who", "")
        if move is None or (not move.solo and who not in state["party"]):
            raise Refused("That roll can't be resumed: undo it.")
        from tracker.campaign.run import Run

        # The ids that were made before the last roll are made again, whoever goes on.
        root = self._root(ident)
        first = next((one for one in self.log.entries if one["id"] == root), entry)
        apart = _end_of_ids(root) if first.get("by") else ""
        run = Run(self.game, move, who, state, entry.get("answers", []), self.content, apart=apart)
        run.opened = ident
        run.note = entry.get("text", "")
        return run

    def _open_entry(self, ident: str) -> Entry:
        """Return the open entry with this id.

        Raise Refused if its procedure has ended or was undone, or if a newer open entry continues it.
        """
        if entry := self.log.open_run(ident):
            return entry
        raise Refused("That roll is already finished or undone.")

    def _state_for(self, opened: str) -> State:
        return self.log.state_without(self._root(opened)) if opened else self.state

    def _root(self, ident: str) -> str:
        return self.log.root({"id": ident})

    def roll(self, run: Run, faces: Answer) -> None:
        """Answer the present prompt, a Roll, with these faces, and queue an open entry with them.

        Show the faces only after `wait` has returned. Raise Refused if the faces do not fit, if the character has
        another unfinished procedure, or if this one has ended or was undone.
        """
        if run.opened:
            self._open_entry(run.opened)
        elif not (run.move.solo or run.move.beside):
            self._none_open(run.who)
        _fits(run.note)  # else the dice would be rolled and could not be saved
        run.answer(faces)
        self._hold(run)

    def rolled(self, run: Run, faces: Answer) -> SaveStatus:
        """Answer a roll as `roll` does, block until the faces are durable or cannot be saved now; return the status.

        Raise Refused if the faces do not fit, if the character has another unfinished procedure, or if this one has
        ended or was undone.
        """
        self.roll(run, faces)
        return self.settle()

    def leave(self, run: Run) -> None:
        """Leave a run before its end. Make an open entry with its answers, so that `resume` works, if it needs one.

        It does if dice were rolled and answers or the note changed since, if it makes a character, or if its move is
        declared as `kept`. Any other run is forgotten. Raise Refused if the entry cannot be saved.
        """
        opened = self.log.open_run(run.opened)
        if opened and not run.has_pending_answers:
            held = (opened.get("answers", []), opened.get("text", ""))
            if (thaw(run.answers), run.note) != held:
                self._hold(run)
        elif (run.move.kept or run.move.id == self.game.make_character.procedure) and run.answers and not run.opened:
            self._hold(run)

    def _hold(self, run: Run) -> None:
        effects, whole = self._after(run, run.held)
        entry = self.new_entry(
            who=run.who,
            did=run.move.id,
            closes=run.opened,
            open=True,
            whole=whole,
            answers=run.answers,
            effects=effects,
            text=run.note,
        )
        run.opened = self.put(entry)["id"]

    def finish(self, run: Run) -> Entry:
        """Make the entry of a run that has ended (its `prompt` is None) and return it.

        If the state has changed since, the run is replayed first. Raise Refused if a prompt has to be answered again or
        the result has changed; call again after the player has seen it. Also raise Refused if the character has left,
        or if the open entry is closed or undone.
        """
        assert run.prompt is None
        self._can_go_on(run)
        if (now := self._state_for(run.opened)) is not run.state and now != run.state:
            shown = self.changes(run)
            run.rebase(now)
            if run.prompt is not None:
                raise Refused("Something changed: please answer this again.")
            if self.changes(run) != shown:
                raise Refused("Something changed: here is the new result.")
        effects, whole = self._after(run, run.draft.effects)
        return self.put(
            self.new_entry(
                who=run.who,
                did=run.move.id,
                closes=run.opened,
                whole=whole,
                answers=run.answers,
                facts={**run.draft.facts, "changed": self.changes(run)},
                effects=[*effects, *self._seated(run.draft.effects)],
                text="\n".join(filter(None, (run.draft.text, run.note))),
            )
        )

    def _seated(self, effects: Iterable[Effect]) -> list[Effect]:
        """Return the effects that give a GM the characters whom these effects add.

        They belong to the same entry, so that both are undone at once. Other players get theirs from the host. Return
        [] if they add none, or if this player is not a GM with a seat.
        """
        if self.state["seats"].get(self.by, {}).get("role") != seats.GM:
            return []
        made = [one["add"]["id"] for one in effects if one["at"] == "party" and "add" in one]
        plays = self.state["seats"][self.by]["plays"]
        return seats.change(self.state, self.by, plays=[*plays, *(who for who in made if who not in plays)])

    def renew(self, run: Run) -> None:
        """Replay a run on the present state. Call this when something else has changed the state.

        Raise Refused if the character has left, the open entry is closed or undone, or rolled dice are no longer valid.
        """
        self._can_go_on(run)
        run.rebase(self._state_for(run.opened))

    def _can_go_on(self, run: Run) -> None:
        if not run.move.solo and run.who not in self.state["party"]:
            raise Refused("That character has left the table.")
        if run.opened:
            self._open_entry(run.opened)

    def changes(self, run: Run) -> list[str]:
        """Return phrases for what a run has changed so far, compared with the state that it was last replayed on.

        The change that takes the move off the due items is left out.
        """
        return without_done(self.game.changes(run.state, run.draft.state, run.who), run.move.name)

    def _after(self, run: Run, effects: list[Effect]) -> tuple[list[Effect], bool | None]:
        """Return (effects, whole) for the run's next entry.

        Usually these are the effects that the run's open entries do not have yet, and None. If a changed state made the
        earlier effects different, they are all effects, and True: the new entry then replaces the open ones.
        """
        if not run.opened:
            return effects, None
        effects, held = thaw(effects), self.log.held(self._root(run.opened))
        if effects[: len(held)] == held:
            return effects[len(held) :], None
        return effects, True

    def owed(self, who: str) -> tuple[DueItem, ...]:
        """Return the due items of the character with the id `who`: unfinished procedures, then due moves.

        Unfinished procedures without a character are included for everyone.
        """
        left = tuple(
            DueItem(self.game.moves[entry["did"]].name, _to_finish(entry), run=entry["id"])
            for entry in self.log.open_runs()
            if entry.get("who", "") in {who, ""} and entry.get("did") in self.game.moves
        )
        return left + (self.game.owed(self.state, who) if who in self.state["party"] else ())

    # -- the file ---------------------------------------------------------------------------------------

    def wait(self) -> SaveStatus:
        """Block until every entry is durable or cannot be saved now; return the save status. Callable in any thread.

        Unlike `settle`, it does not read a file that another program has changed.
        """
        return self._writer.settle()

    def settle(self) -> SaveStatus:
        """Block until every entry is durable or cannot be saved now; return the save status.

        Also read the file again, with `refresh`, if another program has changed it.
        """
        self._writer.settle()
        while self._stale and self.refresh():
            self._writer.settle()
        return self._writer.settle()

    def retry(self) -> None:
        """Read the file again if another program has changed it; otherwise let the writer try again at once."""
        if self._stale:
            self.refresh()
        else:
            self._writer.retry()

    def _tidy(self) -> None:
        """Queue a compaction of the file after the entries in the queue.

        Do nothing if read-only, or while the log is folded anew.
        """
        if self.save.readonly or self.folding:
            return
        self._forget_old()
        log = self.log
        state, cut = written(self.game.top, log.state), log.cut()
        base = written(self.game.top, log.state_at(cut))
        without, upto = log.undone_across(cut), log.upto + cut
        self._since_head = 0

        def job() -> None:
            if self.save.read.reaches_back:
                self.full_log_reader.settle_file()  # a late entry was written since the last compaction
                return
            here = upto - (self.save.head.base.upto if self.save.head.base else 0)
            if log is self.log and here >= 0:  # else the file was read again since, and may have more entries
                self.save.compact(state, here, base, without)

        self._writer.put(job)

    def _not_rewritten(self, why: str) -> None:
        """Add a note that the file could not be compacted, once for each reason `why`, and tell the listeners "untidy".

        Called in the writer's thread.
        """
        if why not in self._untidy:
            self._untidy.add(why)
            name = shown_line(self.save.name)
            self.notes.append(f"Couldn't tidy {name} ({why.rstrip('.')}); every entry is still saved.")
            self._tell("untidy")

    def _snapshot(self) -> None:
        """Queue a dated backup after the entries in the queue; do nothing if read-only.

        If backups fail, only the first failure is added to the notes.
        """
        if self.save.readonly:
            return
        self._since_snapshot, self._snapshot_at = 0, time.monotonic()

        def job() -> None:
            problems = self.save.snapshot()
            if problems and not self._no_backup_told:
                self._no_backup_told = True
                self.notes.append(problems[0])
                self._tell("untidy")

        self._writer.put(job)

    def _forget_old(self) -> None:
        """Drop the entries that the file's snapshot covers from memory.

        Keep them if a later entry closes one of them, or if one belongs to an open procedure.
        """
        base = self.save.head.base
        if base and base.upto > self.log.upto:
            self.log.advance_to(base.upto, base.last)

    def _changed_outside(self) -> None:
        self._stale = True
        self._tell("stale")

    def follow(self) -> bool:
        """In a read-only campaign, read the file again if another program has changed it. Return True if it was read.

        Return False, with the state unchanged, if the campaign is not read-only, the file is unchanged, or it cannot be
        read now, for example in the middle of a write; call again later.
        """
        if not self.save.readonly or not self.save.changed:
            return False
        try:
            self.save.look_again()
            self.log = log_of(self.save, self.game)
        except (SaveError, OSError):
            return False
        self._end_folding()
        self._tell("table")
        return True

    def refresh(self, tail: Tail = "ask") -> bool:
        """Read the file again after another program has changed it, and return True. Unsaved entries come last.

        Entries that were saved but are missing in the file are added again, unless somebody deleted them by hand. If
        any are missing or changed, our version is kept as a backup first.

        Return False, with the state unchanged and the save status NOT SAVED with the reason, if the file cannot be read
        or belongs to another campaign. Do the same if its last entry has no end mark and `tail` is "ask": another
        program may still be writing it.
        """
        with self._writer.alone():
            try:
                found = self.save.peek(tail)
                try:
                    self._check(found.contents)
                    said, again = self._keep_ours(found)
                except BaseException:
                    self.save.drop(found)
                    raise
                waiting, time = self._queue_behind(found.contents, again)
                self.save.adopt(found)
                self.log = log_of(self.save, self.game, waiting=waiting)
            except (SaveError, OSError) as error:
                self._stale = True
                self.detached = error.how if isinstance(error, Detached) else ""
                self.unmarked = error if isinstance(error, UnmarkedTail) else None
                why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).rstrip(".")
                if self.notes[-1:] != [why]:  # it is tried again every few seconds
                    self.notes.append(why)
                self._writer.hold(why)
                return False
            self._stale = False
            self.detached, self.unmarked = "", None
            self._time = max(time, self._time)
            self._known = None
            self._end_folding()
            self._since_head = compactable_entries(self.save) + len(waiting)
            self._since_snapshot += 1
            self.notes += [*said, *self.save.notes]
            self._writer.resume(waiting)
        if again:
            self._tidy()  # they may sort before entries in the file
        self._take_head_edits()
        self._tell("table")
        self._tell("notes")
        return True

    def answer_tail(self, question: UnmarkedTail, tail: Tail) -> None:
        """Keep the last entry that lacks an end mark, or set it aside, as `tail` says.

        `question` is the value of `unmarked` that the player was asked about. If the file's tail has changed since
        then, only read the file again: the entry may be complete now, or `unmarked` is a new question.
        """
        if self._stale:
            self.refresh()
        if self.unmarked and self.unmarked.tail == question.tail:
            self.refresh(tail)

    def _keep_ours(self, found: Found) -> tuple[list[str], list[Block]]:
        """Keep our version of the file as a backup if the changed file `found` lacks or replaces some of our entries.

        Return (sentences for the player, blocks to write again). The list of blocks is empty if the file lacks none of
        our entries, or only those that were deleted by hand. Raise OSError if a file cannot be read or the backup
        cannot be written, and SaveError if an entry cannot be saved.
        """
        read_again = "Another program changed the save; tracker read it again."
        lack = self.save.compare(found)
        if lack.nothing and not (lack.whole and lack.whole.lost):
            return [read_again], []
        again = list(lack.newer)
        if lack.whole and lack.whole.lost:
            again.append(stand_in(self.save, self.game, lack.whole))
        owed = [entry for entry in self._writer.waiting() if entry["id"] in self._again]
        copy = duplicate(self.save, self.game, written(self.game.top, self.log.state), owed, lack.whole)
        path = self.save.keep_apart(copy.data, merged=not (lack.deleted or lack.changed or copy.lost))
        kept = f"The earlier version is kept as {shown_line(path, 200)}."
        name, said = shown_line(self.save.name.removesuffix(".toml")), []
        if lack.newer:
            entries, were = ("entry", "was") if len(lack.newer) == 1 else ("entries", "were")
            said.append(
                f"Another program put a different version of {name} in place:"
                f" {len(lack.newer)} missing {entries} {were} added again. {kept}"
                if lack.foreign
                else f"Another program put back an older version of {name}:"
                f" {len(lack.newer)} newer {entries} {were} added again. {kept}"
            )
        if count := len(lack.deleted) + len(lack.changed):
            entries, were = ("entry", "was") if count == 1 else ("entries", "were")
            said += [] if said else [read_again]
            said.append(
                f"{count} {entries} saved here {were} changed or deleted there; tracker keeps it that way. {kept}"
            )
        if copy.lost:
            said.append(f"{copy.lost} older entries are in no file anymore; their effects were kept.")
        return said, again

    def _queue_behind(self, found: Contents, again: list[Block]) -> tuple[list[Entry], int]:
        """Replace the writer's queue by the entries that the file, read as `found`, still needs.

        These are the blocks `again`, which are missing in it, and the entries in the queue. Return (these entries, time
        `t` of the last one). Entries that were saved before, or that others may have already, keep their time and so
        their place; those never saved get a time after all others. Raise SaveError if an entry cannot be saved.
        """
        known = {block.entry["id"] for block in found.blocks}
        for block in again:
            self.save.prepare(block.entry, block.body)
        self._again = {ident for ident in self._again if ident not in known} | {block.entry["id"] for block in again}
        queue = {entry["id"]: entry for entry in self._writer.waiting() if entry["id"] not in known}
        old = {block.entry["id"]: block.entry for block in again}
        old |= {ident: entry for ident, entry in queue.items() if ident in self._again}
        new = [entry for ident, entry in queue.items() if ident not in self._again]
        ends = [block.entry["t"] for block in found.blocks[-1:]] or [found.head.base.last[0] if found.head.base else 0]
        time = max([*ends, *(entry["t"] for entry in old.values())])
        for entry in new:
            if entry["t"] <= time and self._is_only_here(entry):
                entry["t"] = time + 1
                self.save.prepare(entry)  # its bytes were made with the old time
            time = max(time, entry["t"])
        waiting = [*sorted(old.values(), key=key), *new]
        self._writer.requeue(waiting)
        return waiting, time

    def _is_only_here(self, entry: Entry) -> bool:
        """Return True if no one else can have this entry, which was not saved yet: it was made here, without a seat."""
        return not self.by and entry["id"].startswith(f"{self._opening}.")

    def _check(self, found: Contents) -> None:
        """Raise SaveError if the contents `found`, read again from the file, cannot be taken over.

        That is so if they need a newer version of the rules, or have hand edits that the game does not allow.
        """
        if found.head.rules > self.game.rules:
            raise SaveError("it has since been played with newer rules")
        check_edits(self.save, self.game, found)

    def save_copy(self, target: str) -> int:
        """Write the whole campaign, with unsaved entries, to a new file at `target`, and continue with that file.

        Works even if the campaign's own file is gone: its history is then collected from the open descriptor and the
        backups. Return the number of entries written. Raise SaveError if the path `target` exists or cannot be written,
        or if the campaign is read-only.
        """
        if self.readonly:
            raise SaveError(f"This campaign is read-only: {self.readonly}.")
        if self.folding:
            self.settle()
        name = shown_line(os.path.basename(target))
        with self._writer.alone():
            copy = duplicate(self.save, self.game, written(self.game.top, self.log.state), self._writer.waiting())
            try:
                self.save.disk.write_file(target, copy.data)
            except FileExistsError:
                raise SaveError(f"{name} already exists; choose another name.") from None
            except OSError as error:
                raise SaveError(f"Can't write {name}: {error.strerror or error}.") from None
            back = os.path.realpath(target) == self.save.real
            if not back:
                self._move(target)
        if back:
            self.refresh()  # the campaign is under its own name again, and we hold its lock
        if copy.lost:
            self.notes.append(f"{copy.lost} older entries are in no file anymore; the copy keeps their effects.")
        self._tell("table")
        self._tell("notes")
        return copy.entries

    def _move(self, target: str) -> None:
        """Continue with the file at the path `target`, which already has all entries. Raise SaveError if that fails."""
        save = Save.open(target, disk=self.save.disk)
        try:
            if save.readonly:
                raise SaveError(f"The copy {save.name} is complete, but can't be played: {save.readonly}.")
            log = log_of(save, self.game)
        except BaseException:
            save.close()
            raise
        old, self.save, self.log = self.save, save, log
        save.on_warning = self._warn
        self._stale = False
        self.detached, self.unmarked, self._time = "", None, end_of(save)
        self._known = None
        self._end_folding()
        self._since_head = compactable_entries(save)
        self._since_snapshot += 1
        self._writer.move(save)
        old.close()

    def _take_head_edits(self) -> None:
        """Record hand edits of [state] as an entry and add a note; in a read-only session, only add the note.

        Raise Refused if the entry cannot be saved.
        """
        taken = find_edits(self.save, self.game, self.log)
        if taken and self.readonly:
            self.notes.append("[state] was edited by hand.")
        elif taken:
            self.do("edit", taken)
            many = "1 change was" if len(taken) == 1 else f"{len(taken)} changes were"
            self.notes.append(f"[state] was edited by hand: {many} added as an entry.")
            self._tidy()  # else they would be found again until the head is rewritten


def _fits(text: str) -> None:
    if len(text) > LONGEST:
        raise Refused(f"One entry has at most {LONGEST:,} characters; this has {len(text):,}.")


def _naming(ids: Set[str], entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return, by id, the entries with these ids and all entries that depend on one of them.

    An entry depends on the one that it undoes, closes or edits, and on all that this one depends on.
    """
    gone: dict[str, Entry] = {}
    for entry in sorted(entries, key=key):
        named = {entry["id"], *(entry.get(name) for name in ("undoes", "closes", "of"))}
        if named & ids or not named.isdisjoint(gone):
            gone[entry["id"]] = entry
    return gone


def _end_of_ids(opening: str) -> str:
    """Return the ending for the ids of things made with this opening: its first three characters.

    `opening` is the random first part of entry ids, or an id that begins with it. At a table with seats, the ending
    keeps two players from making things with the same id.
    """
    return opening.partition(".")[0][:3]


def _to_finish(entry: Entry) -> str:
    """Return what is left to do with an open entry, "finish the roll" or "finish it", for use in a sentence."""
    rolled = any(isinstance(value, dict) for _, value in entry.get("answers", []))
    return "finish the roll" if rolled else "finish it"
