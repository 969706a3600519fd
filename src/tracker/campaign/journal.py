"""The journal: entries as every frontend shows them.

A later entry can change how an earlier one reads by naming it in `of`. The earlier entry itself never changes, and an
edit or strike that is undone has no effect.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from tracker.campaign.history import history
from tracker.campaign.log import Entry, Log
from tracker.campaign.session import Session
from tracker.games.api import facts
from tracker.games.api.errors import Refused
from tracker.games.api.format import arrow
from tracker.games.api.game import Game
from tracker.games.api.schema import Effect, State
from tracker.games.api.view import Card
from tracker.games.common import scenes
from tracker.games.common.scenes import SCENE
from tracker.saves.toml import emit_string
from tracker.text import name_problem, shown_line

EDIT, STRIKE, RESTORE = "journal/edit", "journal/strike", "journal/restore"

JOINED = 20
"""Most changes by hand that are joined into one item; bounds how far the file is read for it."""


class Words:
    """Edits and strikes by later entries. Feed entries to `hear` newest first."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.struck: dict[str, bool] = {}

    def hear(self, entry: Entry) -> bool:
        """Record an edit, strike or restore unless a newer one is known. Return True if the entry is one of these."""
        of, did = entry.get("of"), entry.get("did")
        if not isinstance(of, str) or did not in {EDIT, STRIKE, RESTORE}:
            return False
        if did == EDIT:
            self.texts.setdefault(of, entry.get("text", ""))
        else:
            self.struck.setdefault(of, did == STRIKE)
        return True


class JournalLine(NamedTuple):
    """A journal entry in the form that every front end shows.

    `who` is the character's name, or "" if the party has only one member. `name` is that of the move, or a word such as
    "edit" or "undo <id>" for an entry about another one; only a move has a `card`. `changes` are the entries joined
    into this line, newest first. `tracker.campaign.log` explains `superseded`.
    """

    entry: Entry
    text: str
    heading: str = ""
    undone: bool = False
    struck: bool = False
    changes: tuple[Entry, ...] = ()
    superseded: bool = False
    who: str = ""
    name: str = ""
    card: Card | None = None

    @property
    def status(self) -> str:
        """The word for a line that is undone, does not count or is struck, the first that fits; else ""."""
        return "undone" if self.undone else "does not count" if self.superseded else "struck" if self.struck else ""

    @property
    def phrases(self) -> list[str]:
        """Changes to the state in words, oldest first."""
        return in_one([phrase for entry in reversed(self.changes) for phrase in changed(entry)])

    def parts(self) -> list[str]:
        """Return the heading, or the move and its result; then what changed and the text. Leave out what is empty."""
        rolled: list[str] = [self.heading or self.name]
        if self.card and not self.heading:
            result = "not finished" if self.entry.get("open") else self.card.short or self.card.sum
            rolled += [self.card.told, result]
        return [*filter(None, (*rolled, *self.phrases, self.text))]

    def sentence(self) -> str:
        """Return all parts as one line, of a heading the heading alone. May hold characters unfit to be shown."""
        told = self.heading or ", ".join(self.parts()) or str(self.entry.get("did", ""))
        return " ".join((f"{self.who}: {told}" if self.who else told).split())


def as_written(game: Game, state: State, entry: Entry) -> JournalLine:
    """Return the line of an entry by itself: no heading, and no undo, edit or strike by later entries applied."""
    did = entry.get("did", "")
    who, text = _name(state, entry), str(entry.get("text", ""))
    if did in game.moves:
        card = game.card(did, entry.get("facts", {}))
        return JournalLine(entry, text, changes=(entry,), who=who, name=game.moves[did].name, card=card)
    about = f"{did} {entry['undoes']}" if "undoes" in entry else did if did in {EDIT, STRIKE, RESTORE} else ""
    return JournalLine(entry, text, changes=(entry,), who=who, name=about)


def lines(session: Session, entries: Iterable[tuple[Entry, bool]], words: Words | None = None) -> Iterator[JournalLine]:
    """Yield the journal items of these (entry, undone) pairs, newest first.

    Undos, edits, closed open entries and changes of the dice source are left out.
    """
    words = words or Words()
    open_now = {entry["id"] for entry in session.log.open_runs()}
    for entry, undone in entries:
        if "undoes" in entry or (entry.get("open") and (undone or entry["id"] not in open_now)):
            continue
        if entry.get("did") in {EDIT, STRIKE, RESTORE} and (undone or words.hear(entry)):
            continue
        if _about_dice(entry):
            continue
        yield line(session, entry, words, undone=undone)


def _about_dice(entry: Entry) -> bool:
    """Return True if an entry changes only the dice source, which is no part of the story."""
    effects = entry.get("effects")
    return entry.get("did") == "change" and bool(effects) and all(one.get("at") == "dice_are" for one in effects or ())


def line(session: Session, entry: Entry, words: Words, *, undone: bool) -> JournalLine:
    """Return the line of an entry as it reads now, with edits and strikes applied."""
    written, ident = as_written(session.game, session.state, entry), entry["id"]
    text = words.texts.get(ident, written.text)
    heading = written.card.heading if written.card else ""
    if heading:
        heading, text = text or heading, ""
    return written._replace(
        text=text,
        heading=heading,
        undone=undone,
        struck=words.struck.get(ident, False),
        superseded=session.superseded(entry),
    )


def story(session: Session) -> Iterator[JournalLine]:
    """Yield all journal items, newest first, with consecutive changes by hand joined into one."""
    joined: JournalLine | None = None
    for one in lines(session, history(session)):
        if joined and len(joined.changes) < JOINED and _same_hand(joined, one):
            joined = joined._replace(changes=(*joined.changes, *one.changes))
            continue
        if joined:
            yield joined
        joined = one
    if joined:
        yield joined


def _same_hand(newer: JournalLine, older: JournalLine) -> bool:
    a, b = newer.entry, older.entry
    by_hand = a.get("did") == b.get("did") == "change" and a.get("who") == b.get("who")
    return by_hand and (newer.undone, newer.struck) == (older.undone, older.struck) and not newer.text + older.text


# -- changing how it reads ------------------------------------------------------------------------------
def edit(session: Session, one: JournalLine, text: str, who: str = "") -> Entry | None:
    """Change how an item reads and return the new entry, or None if nothing changes.

    Raise Refused if nothing would be left to read, or a scene's title is no valid name.
    """
    text = text.strip()
    if text == (one.heading or one.text):
        return None
    effects: list[Effect] = []
    if one.heading:
        if problem := name_problem(text):
            raise Refused(problem)
        effects = [{"at": "scene", "to": text}] if _is_played(session, one) else []
    elif not text and not one.entry.get("effects") and one.entry.get("did") not in session.game.moves:
        raise Refused("Nothing would be left of it: strike it out instead.")
    return session.about(one.entry["id"], EDIT, text=text, effects=effects, who=who)


def _is_played(session: Session, one: JournalLine) -> bool:
    """Return True if this item began the present scene; an older one may have the same title."""
    log = session.log
    begun = (entry for entry in reversed(log.entries) if entry.get("did") == SCENE.id and not log.undone(entry))
    newest = next(begun, one.entry)
    return newest["id"] == one.entry["id"] and session.state.get("scene") == one.heading


def strike(session: Session, one: JournalLine, who: str = "") -> Entry:
    """Strike an item out, or restore it. Its effects still count; only an undo removes them."""
    return session.about(one.entry["id"], RESTORE if one.struck else STRIKE, who=who)


_STEP = re.compile(r"(?P<what>.+) (?P<old>\S+) → (?P<to>\S+)(?P<of>(?: of \d+)?)")
A_REST = timedelta(hours=6)
_DONE = {STRIKE: "a line struck out", RESTORE: "a line put back", "redo": "an older entry", "undo": "an older entry"}


def name_of(session: Session, entry: Entry) -> str:
    """Return the name of the character an entry belongs to; "" if the party has only one to name."""
    return _name(session.state, entry)


def _name(state: State, entry: Entry) -> str:
    party = state["party"]
    return shown_line(party[entry["who"]]["name"]) if len(party) > 1 and entry.get("who") in party else ""


def changed(entry: Entry) -> list[str]:
    """Return the phrases stored with an entry for what it changed."""
    return facts.changes(entry.get("facts", {}))


def in_one(phrases: list[str]) -> list[str]:
    """Join consecutive steps of the same value: 1 → 2 and 2 → 3 become 1 → 3. Keep steps that return to the start."""
    told: list[str] = []
    for phrase in phrases:
        before, after = (_STEP.fullmatch(one) for one in (told[-1] if told else "", phrase))
        follows = before and after and all(before[part] == after[part] for part in ("what", "of"))
        if before and after and follows and before["to"] == after["old"] and before["old"] != after["to"]:
            told[-1] = f"{before['what']} {arrow(before['old'], after['to'])}{after['of']}"
        else:
            told.append(phrase)
    return told


def undone(session: Session, entry: Entry) -> str:
    """Return what an undo or redo was about, in a few words."""
    named = entry
    for older in reversed(session.log.entries):
        if older["id"] == named.get("undoes"):
            named = older
    did = named.get("did", "")
    if did in session.game.moves:
        return session.game.moves[did].name
    words = ", ".join(changed(named)) or named.get("text") or _DONE.get(did, did) or "an older entry"
    return shown_line(words, 60)


def rested(session: Session) -> bool:
    """Return True if the last entry is hours away, so that a new session should be offered.

    Only the distance counts, so a clock that was set back gives True as well.
    """
    if session.readonly or not session.log.entries:
        return False
    last = session.log.entries[-1]
    at = last.get("at")
    if not isinstance(at, datetime) or last.get("did") == scenes.SESSION.id:
        return False
    return abs(datetime.now(UTC) - (at if at.tzinfo else at.replace(tzinfo=UTC))) > A_REST


PAGE = 200


class Pages:
    """A window on the journal, oldest item first, that can be moved and grown at both ends.

    Entries after the snapshot are in memory, older ones are read when the window reaches them. Edits and undos of those
    are found by scanning the bytes of the file. If it cannot be read, the window stays as it is and `missing` says why.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._far: list[Entry] = []
        self._low: int | None = None
        self._high: int | None = None
        """Offsets in the file where `_far` begins and ends; None is the end of what the snapshot covers."""
        self._marked: list[Entry] | None = None
        self._told = (session.log, session.log.upto, 0)
        """The log last shown, its `upto` at that time, and the number of `_far` entries then."""
        self.items: list[JournalLine] = []
        self.missing = ""
        self.renew()

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        before = self._far, self._low, self._high
        try:
            yield
        except OSError as error:
            self._far, self._low, self._high = before
            self.missing = error.strerror or str(error)

    # -- where ------------------------------------------------------------------------------------------

    def to_newest(self) -> None:
        self._far, self._low, self._high = [], None, None
        self.renew()

    def to_oldest(self) -> None:
        with self._reading():
            if self._session.log.upto:
                self._far, self._low, self._high = [], 0, 0
                self._forth()
            self._tell()

    def to(self, ident: str) -> bool:
        """Move to the pages around the entry with this id; return False if it was not found."""
        if any(entry["id"] == ident for entry in self._session.log.entries):
            self.to_newest()
            return True
        with self._reading():
            place = self._session.save.place_of(ident)
            if place is not None:
                self._far, self._low, self._high = [], place, place
                self._back()
                self._forth()
                self._tell()
                return True
        return False

    @property
    def is_newest(self) -> bool:
        """True if the window reaches to the newest entry."""
        return self._high is None

    # -- growing ----------------------------------------------------------------------------------------

    def back(self) -> bool:
        """Add the page before; return False if there is none."""
        with self._reading():
            if self._session.log.upto and self._low != 0:
                found = self._back()
                self._tell()
                return found
        return False

    def _back(self) -> bool:
        entries, self._low = self._session.save.older(self._low, PAGE)
        self._far = entries + self._far
        return bool(entries)

    def forth(self) -> bool:
        """Add the page after; return False if the window is at the newest entry."""
        with self._reading():
            if self._high is not None:
                self._forth()
                self._tell()
                return True
        return False

    def _forth(self) -> None:
        assert self._high is not None
        entries, self._high = self._session.save.newer(self._high, PAGE)
        self._far = self._far + entries

    def renew(self) -> None:
        """Rebuild the items, with edits, strikes and undos made since."""
        with self._reading():
            self._tell()

    def _tell(self) -> None:
        log = self._session.log
        self._follow(log)
        near = log.entries if self._high is None else []
        if self._far and (self._marked is None or self._told[:2] != (log, log.upto)):
            self._marked = self._session.save.marked()
        dead, words = said_later(log, self._marked or [])
        here = {entry["id"] for entry in log.entries}
        far = [(entry, far_undone(entry, dead)) for entry in self._far if entry["id"] not in here]
        both = [*far, *((entry, log.undone(entry)) for entry in near)]
        self.items = list(lines(self._session, reversed(both), words))[::-1]
        self._told = log, log.upto, len(far)

    def _follow(self, log: Log) -> None:
        """Read entries that the log has dropped from memory since last time, so that there is no gap."""
        _, upto, far = self._told
        base = self._session.save.head.base
        if self._high is None and log.upto > upto and base:
            self._far, self._low = self._session.save.older(None, base.upto - upto + far)


def said_later(log: Log, marked: list[Entry]) -> tuple[set[str], Words]:
    """Return the ids undone, and the edits, by this log and by the older entries `marked`, newest first."""
    dead = {entry["undoes"] for entry in log.entries if "undoes" in entry and not log.undone(entry)}
    words = Words()
    for entry in reversed(log.entries):
        if not log.undone(entry):
            words.hear(entry)
    for entry in marked:
        if not far_undone(entry, dead):
            if "undoes" in entry:
                dead.add(entry["undoes"])
            words.hear(entry)
    return dead, words


def far_undone(entry: Entry, dead: set[str]) -> bool:
    """Return True if an entry behind the snapshot is undone."""
    return entry["id"] in dead or entry.get("closes") in dead


_GAP = rb"(?: |\\[nrt])+"
"""Bytes that may separate two words of a text in the file."""


def says(one: JournalLine) -> str:
    """Return all that a line says, as find compares and shows it: words with one space between them."""
    return " ".join(" ".join((one.who, *one.parts())).split())


def find(session: Session, typed: str) -> Iterator[list[JournalLine]]:
    """Yield batches of items that contain the typed words, newest first.

    A batch may be empty: the search goes on.
    """
    wanted = " ".join(typed.casefold().split())
    log = session.log
    near = lines(session, [(entry, log.undone(entry)) for entry in reversed(log.entries)])
    yield [one for one in near if wanted in says(one).casefold()]
    if not log.upto:
        return
    dead, words = said_later(log, session.save.marked())
    here = {entry["id"] for entry in log.entries}
    for entries in session.save.matching(_promising(session, wanted, words)):
        read = [(entry, far_undone(entry, dead)) for entry in entries if entry["id"] not in here]
        found = [line(session, entry, words, undone=undone) for entry, undone in read if _is_told(entry)]
        yield [one for one in found if wanted in says(one).casefold()]


def _is_told(entry: dict[str, object]) -> bool:
    return not {"undoes", "of", "open"} & entry.keys()


def _promising(session: Session, wanted: str, words: Words) -> re.Pattern[bytes]:
    """Return a pattern for the bytes of entries that may match: the words, a move's id, or an edited entry's id."""
    ways = [_GAP.join(b"".join(map(_either_case, emit_string(word)[1:-1])) for word in wanted.split(" "))]
    moves = (move.id for move in session.game.moves.values() if wanted in move.name.casefold())
    ways += [re.escape(f'\ndid = "{ident}"'.encode()) for ident in moves]
    edited = (of for of, text in words.texts.items() if wanted in " ".join(text.casefold().split()))
    ways += [re.escape(f'\nid = "{of}"'.encode()) for of in edited]
    return re.compile(b"|".join(ways))


def _either_case(char: str) -> bytes:
    forms = dict.fromkeys(form.encode("utf-8", "replace") for form in (char, char.upper(), char.lower()))
    return b"(?:" + b"|".join(map(re.escape, forms)) + b")"
