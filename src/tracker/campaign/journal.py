"""The journal: entries as every frontend shows them.

A later entry can change how an earlier one reads by naming it in `of`. The earlier entry itself never changes, and an
edit or strike that is undone has no effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from datetime import UTC, datetime, timedelta

from tracker.campaign.history import EDIT, RESTORE, STRIKE, Later, Pages
from tracker.campaign.log import Entry
from tracker.campaign.session import Session
from tracker.games.api import facts
from tracker.games.api.errors import Refused
from tracker.games.api.game import Game
from tracker.games.api.phrases import arrow
from tracker.games.api.schema import Effect, State
from tracker.games.api.view import Card
from tracker.games.common import scenes, seats
from tracker.games.common.scenes import SCENE
from tracker.records import NamedTuple
from tracker.saves.toml import emit_string
from tracker.text import name_problem, shown_line

JOINED = 20
"""Most changes by hand that are joined into one item; limits how far the file is read for one item."""
EMPHASIS = re.compile(r"(?<![*\w])\*(?=\S)([^*]+)(?<=\S)\*(?![*\w])")
"""Pattern for words between asterisks in a text, which frontends show with emphasis."""


class JournalLine(NamedTuple):
    """One item of the journal, in the form that every frontend shows. `lines` and `as_written` make it.

    `entry` is the entry of the item; `changes` has all entries that are joined into the item, newest first. `text` is
    the player's text. `who` is the character's name, at a shared table perhaps the author's; "" in a party of one.
    `name` is the name of the move, or words such as "journal/edit" or "undo <id>" for an entry about another one, or
    "". Only a move has a `card`. `heading` is the title of a new scene or session, or "". `undone`, `struck` (crossed
    out) and `superseded` are flags.
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
    named: bool = True
    """False if the changes, if there are any, say what was done without the name of the move."""
    hand: str = ""
    """The name of another player than the author, who has undone or struck the entry as `status` says; else ""."""
    editor: str = ""
    """The name of another player than the author, whose words the entry has; else ""."""
    restorer: str = ""
    """The name of the player who has redone the entry after another one had undone it; else ""."""

    @property
    def status(self) -> str:
        """The status of the item: "undone", "does not count" (superseded), "crossed out", or "" for none of these.

        If several are true, it is the first one.
        """
        return (
            "undone" if self.undone else "does not count" if self.superseded else "crossed out" if self.struck else ""
        )

    @property
    def remark(self) -> str:
        """The status, with who caused it if that was another player than the author: "undone by Bob".

        Also "edited by Bob", which stays beside a status, and "redone by Bob" after another player's undo. What the
        author has edited has no remark.
        """
        if self.status == "does not count":
            return self.status
        if self.hand and self.hand == self.editor:
            return f"edited and {self.status} by {self.hand}"
        status = f"{self.status} by {self.hand}" if self.hand else self.status
        edited = f"edited by {self.editor}" if self.editor else ""
        redone = f"redone by {self.restorer}" if self.restorer and not self.undone else ""
        return ", ".join(filter(None, (edited, redone, status)))

    @property
    def phrases(self) -> list[str]:
        """Phrases for the changes to the state, oldest first, such as "health 3 → 2".

        The first one begins with a capital if the line is that of a move but `title` is "".
        """
        told = self._told()
        return told if self._is_named(told) or not self.card else [told[0][:1].upper() + told[0][1:], *told[1:]]

    @property
    def title(self) -> str:
        """The name of the move; "" if the phrases for its changes say what was done without it."""
        return self.name if self._is_named(self._told()) else ""

    @property
    def result(self) -> str:
        """The outcome of the move in a few words, such as its roll; "" if the phrases for the changes say it."""
        return self._result(self._told())

    def _told(self) -> list[str]:
        return join_changes([phrase for entry in reversed(self.changes) for phrase in changed(entry)])

    def _result(self, told: list[str]) -> str:
        if not self.card:
            return ""
        said = self.card.short or (self.card.sum if self.card.mark or not told else "")
        return said if self.card.mark or not any(said in phrase for phrase in told) else ""

    def _is_named(self, told: list[str]) -> bool:
        if not told or (self.card and (self.card.mark or self._result(told))):
            return True
        return self.named and not told[0].casefold().startswith(f"{self.name.casefold()}: ")

    def parts(self) -> list[str]:
        """Return the nonempty parts of the line, in this order: heading, or move and result; changes; text."""
        rolled: list[str] = [self.heading or self.title]
        if self.card and not self.heading:
            rolled += [self.card.told, "unfinished" if self.entry.get("open") else self.result]
        return [*filter(None, (*rolled, *self.phrases, self.text))]

    def sentence(self) -> str:
        """Return the line as one text: the name in `who`, then the heading if there is one, else all parts.

        Without any parts, the kind of the entry (`did`) takes their place. Pass the text to `shown_line` to show it.
        """
        told = self.heading or ", ".join(self.parts()) or str(self.entry.get("did", ""))
        return " ".join((f"{self.who}: {told}" if self.who else told).split())


def as_written(game: Game, state: State, entry: Entry) -> JournalLine:
    """Return the journal line of an entry as if nothing later had undone, edited or struck it.

    `heading` is "", and `undone`, `struck` and `superseded` are False; `line` sets them.
    """
    did = entry.get("did", "")
    who, text = _speaker(state, entry), str(entry.get("text", ""))
    if did in game.moves:
        card = game.card(did, entry.get("facts", {}))
        move = game.moves[did]
        return JournalLine(entry, text, changes=(entry,), who=who, name=move.name, card=card, named=move.named)
    about = f"{did} {entry['undoes']}" if "undoes" in entry else did if did in {EDIT, STRIKE, RESTORE} else ""
    return JournalLine(entry, text, changes=(entry,), who=who, name=about)


def lines(session: Session, entries: Iterable[tuple[Entry, bool]], later: Later | None = None) -> Iterator[JournalLine]:
    """Yield the journal items of these (entry, undone) pairs, which must come newest first.

    Left out are undos, edits and strikes, changes of the dice source, and open entries whose procedure has ended or is
    undone. If the pairs do not begin with the newest entry of the campaign, pass the edits and strikes of newer ones as
    `later`.
    """
    later = later or Later()
    open_now = {entry["id"] for entry in session.log.open_runs()}
    for entry, undone in entries:
        later.hear(entry, undone=undone)
        if is_item(entry, undone=undone, open_now=open_now):
            yield line(session, entry, later, undone=undone)


def is_item(entry: Entry, *, undone: bool, open_now: Set[str]) -> bool:
    """Return True if the journal shows this entry as an item.

    It does not show undos, edits and strikes, changes of the dice source, and open entries that are undone or not in
    `open_now`. `open_now` has the ids of the open entries whose procedures have not ended.
    """
    if "undoes" in entry or (entry.get("open") and (undone or entry["id"] not in open_now)):
        return False
    if entry.get("did") in {EDIT, STRIKE, RESTORE} and (undone or isinstance(entry.get("of"), str)):
        return False
    return not _about_dice(entry)


def page_lines(session: Session, pages: Pages) -> list[JournalLine]:
    """Return the journal items of the entries in `pages`, oldest first. Undone items are included."""
    return list(lines(session, reversed(pages.entries), pages.later))[::-1]


def _about_dice(entry: Entry) -> bool:
    """Return True if an entry changes only the dice source, which is no part of the story."""
    effects = entry.get("effects")
    return entry.get("did") == "change" and bool(effects) and all(one.get("at") == "dice_are" for one in effects or ())


def line(session: Session, entry: Entry, later: Later, *, undone: bool) -> JournalLine:
    """Return the journal line of an entry as it reads now, with the edits and strikes in `later` applied.

    `undone` is True if the entry is undone. It is stored in the line.
    """
    written, ident = as_written(session.game, session.state, entry), entry["id"]
    text = later.texts.get(ident, written.text)
    heading = written.card.heading if written.card else ""
    if heading:
        heading, text = text or heading, ""
    struck = later.struck.get(ident, False)
    return written._replace(
        text=text,
        heading=heading,
        undone=undone,
        struck=struck,
        superseded=session.history.superseded(entry),
        hand=_hand(session, entry, later, "undo" if undone else STRIKE) if undone or struck else "",
        editor=_hand(session, entry, later, EDIT),
        restorer=_hand(session, entry, later, "redo"),
    )


def _hand(session: Session, entry: Entry, later: Later, did: str) -> str:
    """Return the name of another player than the author who has undone, struck or edited an entry; "" if there is none.

    `did` says which of these is wanted: "undo", STRIKE or EDIT. For "redo" it is the player who has redone what another
    one had undone, also if that is the author.
    """
    if len(session.state["seats"]) < 2:
        return ""
    named = (
        entry["id"],
        entry.get("closes", ""),
        *(session.log.group_of(entry["id"]) if did in {"undo", "redo"} else ()),
    )
    by = next((later.hands[did, one] for one in named if (did, one) in later.hands), "")
    return seats.name_of(session.state, by) if by and (did == "redo" or by != entry.get("by", "")) else ""


def story(session: Session) -> Iterator[JournalLine]:
    """Yield all journal items that are not undone, newest first, reading older ones from the file on demand.

    Consecutive changes by hand of one character are joined into one item, at most JOINED. Stop, without an error, if
    the file cannot be read.
    """
    joined: JournalLine | None = None
    for one in lines(session, session.history):
        if one.undone:
            continue
        if joined and len(joined.changes) < JOINED and same_hand(joined, one):
            joined = joined._replace(changes=(*joined.changes, *one.changes))
            continue
        if joined:
            yield joined
        joined = one
    if joined:
        yield joined


def same_hand(newer: JournalLine, older: JournalLine) -> bool:
    """Return True if two lines can be joined into one item: changes by hand of the same character, without text.

    Both must also be undone or not, and crossed out or not.
    """
    a, b = newer.entry, older.entry
    by_hand = a.get("did") == b.get("did") == "change" and a.get("who") == b.get("who")
    return by_hand and (newer.undone, newer.struck) == (older.undone, older.struck) and not newer.text + older.text


# -- changing how it reads ------------------------------------------------------------------------------
def edit(session: Session, one: JournalLine, text: str, who: str = "") -> Entry | None:
    """Replace the text or heading of an item and return the entry that does so, or None if `text` is the same.

    `who` is the id of the character to store in that entry. Raise Refused if the item would be empty, if the heading
    is not a valid name, or if the entry cannot be saved.
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
        raise Refused("That would leave it empty: cross it out instead.")
    return session.about(one.entry["id"], EDIT, text=text, effects=effects, who=who)


def _is_played(session: Session, one: JournalLine) -> bool:
    """Return True if this item is the heading of the present scene, not of an older one with the same title."""
    log = session.log
    begun = (entry for entry in reversed(log.entries) if entry.get("did") == SCENE.id and not log.undone(entry))
    newest = next(begun, one.entry)
    return newest["id"] == one.entry["id"] and session.state.get("scene") == one.heading


def strike(session: Session, one: JournalLine, who: str = "") -> Entry:
    """Cross out an item, or restore it if it is crossed out, and return the entry that does so.

    The item's effects still count; only an undo removes them. `who` is the id of the character to store in that entry.
    Raise Refused if the entry cannot be saved.
    """
    return session.about(one.entry["id"], RESTORE if one.struck else STRIKE, who=who)


_STEP = re.compile(r"(?P<what>.+?) (?P<old>\S+) → (?:\S+ → )?(?P<to>\S+)(?P<of>(?: of \d+)?)")
A_REST = timedelta(hours=6)
"""Pause after which `is_session_due` says that a new session of play should be offered."""
_DONE = {STRIKE: "crossing out a line", RESTORE: "restoring a line", "redo": "an older entry", "undo": "an older entry"}


def name_of(session: Session, entry: Entry) -> str:
    """Return the name of the entry's character, safe to show; "" if it has none or if the party has only one member."""
    return _name(session.state, entry)


def _name(state: State, entry: Entry) -> str:
    party = state["party"]
    return shown_line(party[entry["who"]]["name"]) if len(party) > 1 and entry.get("who") in party else ""


def _speaker(state: State, entry: Entry) -> str:
    """Return the name to show before the journal line of an entry: the character's, or "" for none or a party of one.

    At a shared table, prose and entries without such a name have their author's name, and what a player did for a
    character who is not the player's has both names, such as "Kara (Ana)".
    """
    name, by = _name(state, entry), entry.get("by", "")
    if len(state["seats"]) < 2 or by not in state["seats"] or entry.get("did") == "seat":
        return name
    author = seats.name_of(state, by)
    if entry.get("did") == "journal" or not name:
        return author
    return name if seats.holder(state, entry["who"]) == by else f"{name} ({author})"


def changed(entry: Entry) -> list[str]:
    """Return the phrases for what an entry changed, as they are stored in it; [] if there are none."""
    return facts.changes(entry.get("facts", {}))


def join_changes(phrases: list[str]) -> list[str]:
    """Return the phrases, with two changes of a value joined into one if the second begins where the first ended.

    "health 1 → 2" and "health 2 → 3" become "health 1 → 3". Changes that cancel out become "health 2 → 1 → 2".
    """
    told: list[str] = []
    for phrase in phrases:
        for n in reversed(range(len(told))):
            before, after = (_STEP.fullmatch(one) for one in (told[n], phrase))
            if before and after and all(before[part] == after[part] for part in ("what", "of")):
                if before["to"] == after["old"]:
                    back = f"{after['old']} → " if before["old"] == after["to"] else ""
                    told[n] = f"{before['what']} {arrow(before['old'], back + after['to'])}{after['of']}"
                else:
                    told.append(phrase)
                break
        else:
            told.append(phrase)
    return told


def reversed_entry(session: Session, entry: Entry) -> Entry:
    """Return the entry that an undo or redo acts on in the end; `entry` itself if it is neither.

    A redo undoes an undo, so the chain is followed to its end. If that entry is from before the snapshot, return the
    oldest undo or redo of the chain that is in memory.
    """
    for older in reversed(session.log.entries):
        if older["id"] == entry.get("undoes"):
            entry = older
    return entry


def undone(session: Session, entry: Entry) -> str:
    """Return what an undo or redo acted on, safe to show in a line: a move's name, its changes, or its text.

    If there is none of these in memory, return words such as "an older entry".
    """
    named = reversed_entry(session, entry)
    did = named.get("did", "")
    if did in session.game.moves:
        return session.game.moves[did].name
    words = ", ".join(changed(named)) or named.get("text") or _DONE.get(did, did) or "an older entry"
    return shown_line(words, 60)


def rewritten(session: Session, entry: Entry) -> str:
    """Return what an edit or strike did to another entry, such as "crossed out: Rain."; "" for any other entry."""
    verb = {EDIT: "edited", STRIKE: "crossed out", RESTORE: "restored"}.get(entry.get("did", ""))
    if not verb or "of" not in entry:
        return ""
    older = next((one for one in session.log.entries if one["id"] == entry["of"]), None)
    words = str(entry.get("text", "")) or (undone(session, older) if older else "an older entry")
    return f"{verb}: {shown_line(words, 60)}"


def is_session_due(session: Session) -> bool:
    """Return True if the last entry is more than A_REST (6 hours) old, so that a new session should be offered.

    Also return True if it is that far in the future, because a clock was set back. Return False if the campaign is
    read-only or new, or if the last entry began a session.
    """
    if session.readonly or not session.log.entries:
        return False
    last = session.log.entries[-1]
    at = last.get("at")
    if not isinstance(at, datetime) or last.get("did") == scenes.SESSION.id:
        return False
    return abs(datetime.now(UTC) - (at if at.tzinfo else at.replace(tzinfo=UTC))) > A_REST


_GAP = rb"(?: |_|\\[nrt])+"
"""Pattern for the bytes that may separate two words of a text in the file; in the name of a note _ is a space."""


def says(one: JournalLine) -> str:
    """Return all the text of a journal line, with single spaces between words; `find` searches this."""
    return " ".join(" ".join((one.who, *one.parts())).split())


def find(session: Session, typed: str) -> Iterator[list[JournalLine]]:
    """Search the journal for a typed text, ignoring case. Yield lists of matching items, newest first.

    A list may be empty though others follow. Raise OSError if the file cannot be read for older entries.
    """
    wanted = " ".join(typed.casefold().split())
    return search(session, (wanted,), says, lambda words: wanted in words.casefold())


def search(
    session: Session,
    wanted: Sequence[str],
    said: Callable[[JournalLine], str],
    fits: Callable[[str], bool],
) -> Iterator[list[JournalLine]]:
    """Search the journal and yield lists of matching items, newest first.

    `said` returns the text of an item, and `fits` returns True for a text that matches. Every matching text must
    contain one of `wanted`, which are in lowercase: entries without them are skipped unread. A list may be empty though
    others follow. Raise OSError if the file cannot be read for older entries.
    """
    history = session.history
    yield [one for one in lines(session, history.newest()) if fits(said(one))]
    if not session.log.upto:
        return
    later = history.later(history.marked())
    for read in history.matching(_promising(session, wanted, fits, later), later):
        found = [line(session, entry, later, undone=undone) for entry, undone in read if _is_told(entry)]
        yield [one for one in found if fits(said(one))]


def _is_told(entry: dict[str, object]) -> bool:
    return not {"undoes", "of", "open"} & entry.keys()


def _promising(session: Session, wanted: Sequence[str], fits: Callable[[str], bool], later: Later) -> re.Pattern[bytes]:
    """Return a pattern for the bytes of entries that may match a search. It matches too many, never too few.

    It matches the texts in `wanted`, the ids of moves whose names contain one, and the ids of entries that were edited,
    according to `later`, to a text for which `fits` returns True.
    """
    ways = [
        _GAP.join(b"".join(map(_either_case, emit_string(word)[1:-1])) for word in text.split(" ")) for text in wanted
    ]
    moves = (move for move in session.game.moves.values() if any(text in move.name.casefold() for text in wanted))
    ways += [re.escape(f'\ndid = "{move.id}"'.encode()) for move in moves]
    edited = (of for of, text in later.texts.items() if fits(" ".join(text.split())))
    ways += [re.escape(f'\nid = "{of}"'.encode()) for of in edited]
    return re.compile(b"|".join(ways))


def _either_case(char: str) -> bytes:
    forms = dict.fromkeys(form.encode("utf-8", "replace") for form in (char, char.upper(), char.lower()))
    return b"(?:" + b"|".join(map(re.escape, forms)) + b")"
