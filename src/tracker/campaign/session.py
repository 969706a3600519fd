"""A campaign at the table: what drivers talk to.

An entry is folded and can be painted at once; one thread writes it, and the sign says when it is safe. Only
dice wait for the disk: `rolled` returns when the faces are durable, or when it is clear that they cannot be.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tracker import games
from tracker.campaign.fold import fold, start
from tracker.campaign.hand_edits import check_edits, edits
from tracker.campaign.history import History
from tracker.campaign.log import Entry, Log
from tracker.campaign.state import thaw
from tracker.campaign.store import duplicate, end_of, log_of, stand_in, untidy
from tracker.campaign.undo import Undo
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.games.api.schema import Effect, State
from tracker.games.api.view import DueItem
from tracker.saves.blocks import Block
from tracker.saves.disk import Disk
from tracker.saves.errors import Detached, SaveError, UnmarkedTail
from tracker.saves.head import Head
from tracker.saves.reader import Contents, Tail
from tracker.saves.save import Found, Save, Step
from tracker.saves.union import key
from tracker.saves.validate import TIME_LIMIT
from tracker.saves.writer import SaveStatus, Writer
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.campaign.run import Run
    from tracker.games.api.content import Content
    from tracker.games.api.prompts import Answer

__all__ = ["ReadOnly", "SaveError", "SaveStatus", "Session", "Step", "Tail", "UnmarkedTail", "draw", "new_campaign"]

COMPACT_AFTER = 300
SNAPSHOT_SECONDS = 3600.0
"""Least time of play between two snapshots; the end of a session makes one whenever the last was."""
LONGEST = 1_000_000
"""How many characters the text of one entry may have."""
Listener = Callable[[str], None]
"""Told what happened: "table" (the state changed), "sign" (saved or not), "notes", "stale" (see `refresh`), "untidy"
(the last of the notes tells why the file could not be rewritten or backed up)."""


def draw(length: int = 8) -> str:
    """The first part of an entry's id, drawn at random at every opening, so that copies never collide."""
    return "".join("0123456789abcdefghijklmnopqrstuvwxyz"[byte % 36] for byte in os.urandom(length))


def new_campaign(path: str, game: Game, disk: Disk | None = None) -> None:
    """A campaign with an empty table under this path."""
    Save.create(path, Head(id=draw(6), game=game.id, rules=game.rules, state=thaw(start(game.top))), disk)


class ReadOnly(Refused):
    """Raised for a change to a campaign that is open for reading only."""


class Session:
    """One opening of one campaign."""

    def __init__(self, save: Save, game: Game, log: Log) -> None:
        self.save = save
        self.game = game
        self.log = log
        self.notes: list[str] = [*save.notes, *save.warnings]
        save.on_warning = self._warn
        self.listeners: list[Listener] = []
        self._opening = draw()
        self._counter = 0
        self._time = end_of(save)
        self._again: set[str] = set()
        """Entries that were saved before and wait to be written again."""
        self._stale = False
        self.detached = ""
        """How the file under the name has ceased to be this campaign ("deleted", "emptied", "damaged", "another
        campaign is there now"), or "". Offer `save_copy` then: all is in memory, or can be found.
        """
        self._read: Content | None = None
        self.history = History(self)
        left = untidy(save)
        # Tidying up right after an opening would be in the way of the first keys.
        self._since_head = left if left >= 2 * COMPACT_AFTER else min(left, COMPACT_AFTER * 2 // 3)
        self._untidy: set[str] = set()
        """Why the file could not be rewritten, as far as it was told."""
        self._since_snapshot = left
        self._snapshot_at = time.monotonic()
        self._no_backup_told = False
        self._writer = Writer(save, lambda: self._tell("sign"), self._changed_outside, self._not_rewritten)
        self.undos = Undo(self, self._writer)

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
    ) -> Session:
        """Return the campaign at this path, for reading only if `readonly` of the session says why.

        Raise SaveError if it cannot be opened, and UnmarkedTail if `tail` is "ask" and the last entry has no end mark.
        """
        save = Save.open(path, write=write, tail=tail, disk=disk, step=step)
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
        session._take_head_edits()
        if save.head.base is None and save.count > COMPACT_AFTER:
            session._tidy()
        return session

    def close(self) -> SaveStatus:
        """Write what is left, tidy up, back up, let go. Return the sign that says whether all of it is safe."""
        self._stale = self._stale or (not self.readonly and self.save.changed)
        self.settle()
        if self.undos.folding:
            self.undos.take_fresh()
        if self._since_head > 0:
            self._tidy()
        if self._since_snapshot > 0:
            self._snapshot()
        self.settle()  # another program may have changed the file right before
        sign = self._writer.close()
        self.save.close()
        return sign

    @property
    def readonly(self) -> str:
        return self.save.readonly

    @property
    def state(self) -> State:
        return self.log.state

    @property
    def sign(self) -> SaveStatus:
        return SaveStatus("READ-ONLY", self.readonly) if self.readonly else self._writer.sign

    def _warn(self, warning: str) -> None:
        self.notes.append(warning)
        self._tell("untidy")

    def _tell(self, what: str) -> None:
        for listener in self.listeners:
            listener(what)

    # -- entries ----------------------------------------------------------------------------------------

    def new_entry(self, **given: Any) -> Entry:
        """Return a new entry that sorts after all others, without the keys whose value is empty.

        Raise Refused, and use up neither counter nor time, if it cannot be written.
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

    def put(self, entry: Entry) -> Entry:
        """Fold a new entry and queue it to be written. Raise NeedsFullLog, with nothing changed: see `Log.append`."""
        self.log.append(entry)
        self._writer.put(entry)
        self._since_head += 1
        self._since_snapshot += 1
        if self._since_head >= COMPACT_AFTER:
            self._tidy()
        if time.monotonic() >= self._snapshot_at + SNAPSHOT_SECONDS:
            self._snapshot()
        self._tell("table")
        return entry

    def replace_log(self, log: Log) -> None:
        """Go on with this log, which was folded from the whole file, and with the entries made since."""
        self._since_head = 0
        last = log.entries[-1]["t"] if log.entries else 0
        for entry in self.log.entries:
            if entry["t"] > last:
                log.append(entry)
                self._since_head += 1
        if base := self.save.head.base:
            log.advance(base.upto)
        self.log = log
        self._tell("table")

    def undo(self, ident: str | None = None) -> Entry | None:
        return self.undos.undo(ident)

    def redo(self, undo: str | None = None) -> Entry | None:
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
        """Something that happens at once. What it changed is kept with it, in words."""
        before = self.state
        after = fold(self.game.top, before, effects)
        facts = {**(facts or {}), "changed": self.game.changes(before, after, who)} if effects else facts
        return self.put(self.new_entry(who=who, did=did, facts=facts, effects=list(effects), text=text))

    def write(self, text: str, who: str = "") -> Entry:
        """A line in the journal."""
        return self.do("journal", who=who, text=text)

    def about(self, ident: str, did: str, *, text: str = "", effects: Sequence[Effect] = (), who: str = "") -> Entry:
        """An entry that changes how another one reads."""
        return self.put(self.new_entry(who=who, did=did, of=ident, effects=list(effects), text=text))

    # -- procedures -------------------------------------------------------------------------------------

    def content(self) -> Content:
        """The tables and assets of this campaign: ours, and those in a `content` folder beside the save."""
        if self._read is None:
            from tracker.content import load

            folder = os.path.join(os.path.dirname(self.save.real), "content")
            self._read = load(self.game.id, folder, self.game.rolled)
            self.notes += self._read.problems
        return self._read

    def begin(self, procedure: str, who: str, answers: Iterable[Any] = ()) -> Run:
        """Start a procedure; Refused if there is none, or if this character has one under way that it cannot join."""
        self._may_write()
        move = self.game.moves.get(procedure)
        if move is None:
            raise Refused(f"This game has no “{procedure}”.")
        if not move.solo:
            if who not in self.state["party"]:
                raise Refused("Make a character first.")
            if not move.beside:
                self._none_open(who)
        from tracker.campaign.run import Run

        run = Run(self.game, move, who, self.state, answers, self.content)
        run.settle()
        return run

    def under_way(self, who: str) -> bool:
        """Whether this character has a procedure open, and so can begin no other."""
        return any(entry.get("who") == who for entry in self.log.open_runs())

    def _none_open(self, who: str) -> None:
        if self.under_way(who):
            raise Refused("Finish or undo your open roll first.")

    def resume(self, ident: str) -> Run:
        """A procedure that was left, at the prompt where it stopped."""
        self._may_write()
        entry = self._open_entry(ident)
        move = self.game.moves.get(entry.get("did", ""))
        state, who = self._state_for(ident), entry.get("who", "")
        if move is None or (not move.solo and who not in state["party"]):
            raise Refused("That roll can't be resumed: undo it.")
        from tracker.campaign.run import Run

        run = Run(self.game, move, who, state, entry.get("answers", []), self.content)
        run.opened = ident
        run.note = entry.get("text", "")
        return run

    def _open_entry(self, ident: str) -> Entry:
        """Return the entry with this id, the newest of a procedure under way.

        Raise Refused if that procedure has ended, was undone, or went on elsewhere.
        """
        if entry := self.log.open_run(ident):
            return entry
        raise Refused("That roll is already finished or undone.")

    def _state_for(self, opened: str) -> State:
        return self.log.state_without(self._root(opened)) if opened else self.state

    def _root(self, ident: str) -> str:
        return self.log.root({"id": ident})

    def roll(self, run: Run, faces: Answer) -> None:
        """Answer a roll. Nobody should see the faces before `wait` has returned."""
        if run.opened:
            self._open_entry(run.opened)
        elif not (run.move.solo or run.move.beside):
            self._none_open(run.who)
        _fits(run.note)  # or the dice would lie, and could not be saved
        run.answer(faces)
        self._hold(run)

    def rolled(self, run: Run, faces: Answer) -> SaveStatus:
        """Answer a roll. The faces are durable when this returns, unless the sign says that they cannot be."""
        self.roll(run, faces)
        return self.settle()

    def leave(self, run: Run) -> None:
        """Step out of a procedure. If dice were rolled it stays open, and so does the making of somebody new."""
        opened = self.log.open_run(run.opened)
        if opened and not run.behind:
            held = (opened.get("answers", []), opened.get("text", ""))
            if (thaw(run.answers), run.note) != held:
                self._hold(run)
        elif run.move.id == self.game.make_character.procedure and run.answers and not run.opened:
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
        """Make the entry of a procedure that has ended.

        Refused, once, if the table has changed so that it does not fit, or that other things would happen than were
        shown; the run is brought up to it.
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
                effects=effects,
                text="\n".join(filter(None, (run.draft.text, run.note))),
            )
        )

    def renew(self, run: Run) -> None:
        """Bring a run up to the table as it is now, after something else has changed it; Refused if it has no place."""
        self._can_go_on(run)
        run.rebase(self._state_for(run.opened))

    def _can_go_on(self, run: Run) -> None:
        if not run.move.solo and run.who not in self.state["party"]:
            raise Refused("That character has left the table.")
        if run.opened:
            self._open_entry(run.opened)

    def changes(self, run: Run) -> list[str]:
        """What a run has changed, or is about to change, on the table that it was brought up to."""
        return self.game.changes(run.state, run.draft.state, run.who)

    def _after(self, run: Run, effects: list[Effect]) -> tuple[list[Effect], bool | None]:
        """What comes after the open entries; or all of it, if a changed table made them other than they were."""
        if not run.opened:
            return effects, None
        effects, held = thaw(effects), self.log.held(self._root(run.opened))
        if effects[: len(held)] == held:
            return effects[len(held) :], None
        return effects, True

    def owed(self, who: str) -> tuple[DueItem, ...]:
        """What this character owes: first a roll that was left, then the moves that are due."""
        left = tuple(
            DueItem(self.game.moves[entry["did"]].name, f"{_how_far(entry)}; finish it", run=entry["id"])
            for entry in self.log.open_runs()
            if entry.get("who", "") in {who, ""} and entry.get("did") in self.game.moves
        )
        return left + (self.game.owed(self.state, who) if who in self.state["party"] else ())

    # -- the file ---------------------------------------------------------------------------------------

    def wait(self) -> SaveStatus:
        """Wait for the disk, in whatever thread; see `settle`."""
        return self._writer.settle()

    def settle(self) -> SaveStatus:
        """Wait until everything is durable, or until it is clear that it cannot be now."""
        self._writer.settle()
        while self._stale and self.refresh():
            self._writer.settle()
        return self._writer.settle()

    def retry(self) -> None:
        """Try again what could not be written, or the reading of what another program wrote."""
        if self._stale:
            self.refresh()
        else:
            self._writer.retry()

    def _tidy(self) -> None:
        """Have the file written anew behind what is waiting."""
        if self.readonly or self.undos.folding:
            return
        self._forget_old()
        log = self.log
        state, cut = thaw(log.state), log.cut()
        base, without, upto = thaw(log.state_at(cut)), log.undone_across(cut), log.upto + cut
        self._since_head = 0

        def job() -> None:
            here = upto - (self.save.head.base.upto if self.save.head.base else 0)
            if log is self.log and here >= 0:  # else the file was read again since, and may hold more
                self.save.compact(state, here, base, without)

        self._writer.put(job)

    def _not_rewritten(self, why: str) -> None:
        """Note, once per reason, that the file could not be rewritten. Called by the writer's thread."""
        if why not in self._untidy:
            self._untidy.add(why)
            name = shown_line(self.save.name)
            self.notes.append(f"Couldn't tidy {name} ({why.rstrip('.')}); every entry is still saved.")
            self._tell("untidy")

    def _snapshot(self) -> None:
        """Have a snapshot made behind what is waiting. Only the first one that fails is told, in `notes`."""
        if self.readonly:
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
        """Drop the entries from memory for which the base of the file stands, unless a later one goes on from them."""
        base = self.save.head.base
        if base and base.upto > self.log.upto:
            self.log.advance(base.upto - self.log.upto)

    def _changed_outside(self) -> None:
        self._stale = True
        self._tell("stale")

    def follow(self) -> bool:
        """Take in what another program has written to a read-only campaign. Return True if something was.

        Return False as well while the file cannot be read, such as in the middle of a write: the next look will tell.
        """
        if not self.readonly or not self.save.changed:
            return False
        try:
            self.save.look_again()
        except (SaveError, OSError):
            return False
        self.log = log_of(self.save, self.game)
        self.undos.drop_fresh()
        self._tell("table")
        return True

    def refresh(self) -> bool:
        """Take in what another program has written to the file; what we had not saved comes after it.

        Entries that were saved and are not in that file are added again, unless a person has deleted or changed them;
        before anything is taken over, the version before is kept in the backups. Return False, with NOT SAVED and the
        reason, as long as the file cannot be read or is not this campaign.
        """
        with self._writer.alone():
            try:
                found = self.save.peek()
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
                why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                if self.notes[-1:] != [why]:  # it is tried again every few seconds
                    self.notes.append(why)
                self._writer.hold(why)
                return False
            self._stale = False
            self.detached = ""
            self._time = max(time, self._time)
            self.undos.drop_fresh()
            self._since_head = untidy(self.save) + len(waiting)
            self._since_snapshot += 1
            self.notes += [*said, *self.save.notes]
            self._writer.resume(waiting)
        if again:
            self._tidy()  # they may sort before what stands in the file
        self._take_head_edits()
        self._tell("table")
        self._tell("notes")
        return True

    def _keep_ours(self, found: Found) -> tuple[list[str], list[Block]]:
        """Keep the version before if the one found lacks something of it.

        Return what to tell, and the blocks to add again. Raise OSError if the version before cannot be kept.
        """
        read_again = "Another program changed the save; tracker read it again."
        lack = self.save.compare(found)
        if lack.nothing and not (lack.whole and lack.whole.lost):
            return [read_again], []
        again = list(lack.newer)
        if lack.whole and lack.whole.lost:
            again.append(stand_in(self.save, self.game, lack.whole))
        owed = [entry for entry in self._writer.waiting() if entry["id"] in self._again]
        copy = duplicate(self.save, self.game, thaw(self.log.state), owed, lack.whole)
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
        """Queue what has to be written to the file that was found, and return it with the time of the last entry.

        Entries that were saved before keep their time, so that they keep their place; the others come last.
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
            if entry["t"] <= time:
                entry["t"] = time + 1
                self.save.prepare(entry)  # its bytes were made with the old time
            time = entry["t"]
        waiting = [*sorted(old.values(), key=key), *new]
        self._writer.requeue(waiting)
        return waiting, time

    def _check(self, found: Contents) -> None:
        """Raise SaveError if this version of the file cannot be played on here."""
        if found.head.rules > self.game.rules:
            raise SaveError("it has since been played with newer rules")
        check_edits(self.save, self.game, found)

    def save_copy(self, target: str) -> int:
        """Write a new file with everything that was saved here or waits to be, and go on with that file.

        Return how many entries it holds. Raise SaveError, with nothing changed, if `target` exists or cannot be
        written. The history comes from where it still is: the open file, the file under the name, or backups.
        """
        if self.readonly:
            raise SaveError(f"This campaign is read-only: {self.readonly}.")
        if self.undos.folding:
            self.settle()
        name = shown_line(os.path.basename(target))
        with self._writer.alone():
            copy = duplicate(self.save, self.game, thaw(self.log.state), self._writer.waiting())
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
        """Go on with the file at this path, which holds all of this session."""
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
        self.detached, self._time = "", end_of(save)
        self.undos.drop_fresh()
        self._since_head = untidy(save)
        self._since_snapshot += 1
        self._writer.move(save)
        old.close()

    def _take_head_edits(self) -> None:
        """Record hand edits of [state] as an entry and add a note; in a read-only session, only add the note."""
        taken = edits(self.save, self.game, self.log)
        if taken and self.readonly:
            self.notes.append("[state] was edited by hand.")
        elif taken:
            self.do("edit", taken)
            many = "1 change was" if len(taken) == 1 else f"{len(taken)} changes were"
            self.notes.append(f"[state] was edited by hand: {many} added as an entry.")
            self._tidy()  # or they would be found again until the head is written anew


def _fits(text: str) -> None:
    if len(text) > LONGEST:
        raise Refused(f"One entry has at most {LONGEST:,} characters; this has {len(text):,}.")


def _how_far(entry: Entry) -> str:
    """Whether a procedure under way has come to its dice."""
    return "dice rolled" if any(isinstance(value, dict) for _, value in entry.get("answers", [])) else "started"
