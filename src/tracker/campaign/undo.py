"""Undo and redo of any entry, also of one from before the snapshot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

from tracker.campaign.history import History, HistorySource
from tracker.campaign.log import Entry, NeedsFullLog
from tracker.games.api.errors import Refused
from tracker.records import NamedTuple
from tracker.saves.save import Step

if TYPE_CHECKING:
    from tracker.campaign.full_log_reader import FullLogReader


class SessionToUndo(HistorySource, Protocol):
    """Protocol of the part of a Session that Undo uses. Session describes these methods."""

    history: History
    by: str

    @property
    def full_log_reader(self) -> FullLogReader: ...
    @property
    def folding(self) -> bool: ...
    def new_entry(self, **given: Any) -> Entry: ...
    def put(self, entry: Entry) -> Entry: ...
    def queue(self, entry: Entry) -> None: ...


class Reversal(NamedTuple):
    """An undo or redo that the player could make now; `Undo.make` makes it.

    `undoes` is the id of the entry to undo; for a redo, it is the id of the undo. `far` is True if it changes an entry
    from before the snapshot: the whole file has to be read, which is slow. `whose` is the id of the seat whose entry it
    changes if that is somebody else's, for a redo the seat that made the undo; "" for the player's own and for entries
    from before there were seats: frontends ask before they change what somebody else did.
    """

    did: Literal["undo", "redo"]
    undoes: str
    far: bool
    whose: str = ""

    @property
    def word(self) -> str:
        return "Undone" if self.did == "undo" else "Redone"


class Undo:
    """The undo and redo of one session. Ask for a Reversal (`last`, `next_redo`, `toggle`), then pass it to `make`.

    For one that is `far`, a screen should call `undo_far` instead, which does not block.
    """

    def __init__(self, session: SessionToUndo) -> None:
        self._session = session

    # -- decisions --------------------------------------------------------------------------------------

    def last(self) -> Reversal | None:
        """Return the undo of the newest entry, for the undo key; None if nothing is left to undo.

        At a table with seats this is the newest entry of one's own; if none of these is in memory, the newest of all.
        If the last thing done was an undo of an older entry, return the redo of that instead. Raise Refused, SaveError
        or OSError if the file has to be read and cannot be.
        """
        log = self._session.log
        if last := log.out_of_turn(self._session.by):
            return Reversal("redo", last["id"], not log.holds(last["undoes"]), self._whose(last))
        return self._newest()

    def _newest(self) -> Reversal | None:
        log, by = self._session.log, self._session.by
        if newest := log.to_undo(by) or log.to_undo():
            return Reversal("undo", newest["id"], False, self._whose(newest))
        if not log.upto:
            return None
        if ident := self._session.history.newest_to_undo():
            return Reversal("undo", ident, far=True)
        self._session.full_log_reader.whole()
        newest = self._session.log.to_undo()
        return Reversal("undo", newest["id"], False, self._whose(newest)) if newest else None

    def next_redo(self) -> Reversal | None:
        """Return the redo of what was undone last, for the redo key; None if something else was done since.

        At a table with seats this is the last undo of one's own; if there is none, the last of all.
        """
        log = self._session.log
        newest = log.to_redo(self._session.by) or log.to_redo()
        return Reversal("redo", newest["id"], False, self._whose(newest)) if newest else None

    def _whose(self, entry: Entry) -> str:
        """Return the id of the seat that made the entry, or "" if it is the player's own or from before seats."""
        by = str(entry.get("by", ""))
        return "" if by == self._session.by else by

    def toggle(self, entry: Entry, *, undone: bool) -> Reversal | None:
        """Return the undo of this entry, however old; if `undone` is True, return its redo.

        Return None if it is undone but the undo is not found. Raise OSError if the file has to be read and cannot be.
        """
        far = not self._session.log.holds(entry["id"])
        if not undone:
            return Reversal("undo", entry["id"], far, self._whose(entry))
        undo = self._session.history.undo_of(entry)
        if undo is None:
            return None
        made = next((one for one in self._session.log.entries if one["id"] == undo), entry)
        return Reversal("redo", undo, far, self._whose(made))

    # -- entries ----------------------------------------------------------------------------------------

    def make(self, reversal: Reversal) -> Entry | None:
        """Make this undo or redo and return its entry; None if nothing changes. Slow if it is `far`.

        Raise Refused if an undo names an entry that is itself an undo, or if the new entry cannot be saved; Refused,
        SaveError or OSError if the file has to be read and cannot be.
        """
        if reversal.did == "redo":
            return self.redo(reversal.undoes)
        return self.undo(reversal.undoes)

    def undo(self, ident: str | None = None) -> Entry | None:
        """Undo the newest entry, or the one with this id, with its whole procedure, and return the new entry.

        Return None if there is nothing to undo or it is undone already. Raise Refused if `ident` is itself an undo, or
        if the new entry cannot be saved; Refused, SaveError or OSError if the file has to be read and cannot be.
        """
        log = self._session.log
        if ident is None:
            newest = self._newest()
            ident = newest.undoes if newest else None
        elif any(entry["id"] == ident and "undoes" in entry for entry in log.entries):
            raise Refused("That entry is an undo: redo it instead.")
        return self._name("undo", ident) if ident and not self._session.log.undone({"id": ident}) else None

    def redo(self, undo: str | None = None) -> Entry | None:
        """Take back the last undo, or the undo with this id, and return the new entry.

        If two people have undone the same thing, both undos are taken back. Without an id, return None if nothing was
        undone, or if something else was done since. Raise Refused if the new entry cannot be saved; Refused, SaveError
        or OSError if the file has to be read and cannot be.
        """
        if undo is None:
            newest = self.next_redo()
            undo = newest.undoes if newest else None
        made = self._name("redo", undo) if undo else None
        while undo and (undo := self._session.log.other_undo(undo)):
            made = self._name("redo", undo)
        return made

    def _name(self, did: str, ident: str) -> Entry:
        entry = self._session.new_entry(did=did, undoes=ident)
        try:
            return self._session.put(entry)
        except NeedsFullLog:
            self._session.queue(entry)
            self._session.full_log_reader.whole()
            return entry

    # -- entries from before the snapshot ---------------------------------------------------------------

    def undo_far(self, ident: str, step: Step, done: Callable[[], object], *, did: str = "undo") -> None:
        """Start to undo an entry from before the snapshot and return at once; the state does not change yet.

        In the writer's thread, `step` is called with the progress, from 0 to 1, and `done` is called at the end, also
        after a failure. Then call `FullLogReader.adopt`. `ident` is the id of the entry; to redo one, pass the id of
        its undo and "redo" for `did`. Raise Refused if another one is under way, or if the campaign is read-only.
        """
        if self._session.folding:
            raise Refused("Reading the full history: one moment.")
        self._session.queue(self._session.new_entry(did=did, undoes=ident))
        self._session.full_log_reader.begin(done, step)
