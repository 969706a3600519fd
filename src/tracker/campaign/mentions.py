"""World notes in the journal: the lines that mention a note, and the notes that a line mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tracker.campaign.journal import JournalLine, search
from tracker.campaign.log import Entry
from tracker.campaign.session import Session
from tracker.campaign.typed_commands import find
from tracker.games.api.view import Start
from tracker.games.common import notes
from tracker.games.common.notes import MAKE, MOVES, TEXT_MOST, Mention
from tracker.text import NAME_MOST, shown_line


def lines_about(session: Session, ident: str) -> Iterator[list[JournalLine]]:
    """Yield lists of the journal items that mention the note with this id, newest first.

    Entries that make or change world notes are left out. A list may be empty though others follow. Raise OSError if the
    file cannot be read for older entries.
    """
    state = session.state
    wanted = [" ".join(name.lower().replace("_", " ").split()) for name in notes.names(state, ident)]
    if not wanted:
        return
    for found in search(session, wanted, _said, lambda words: notes.is_about(state, ident, words)):
        yield [one for one in found if one.entry.get("did") not in MOVES]


def _said(one: JournalLine) -> str:
    """Return the words of a journal line without the name of the acting character, which is not a mention."""
    return " ".join(" ".join(one.parts()).split())


def latest(session: Session) -> list[Mention]:
    """Return the mentions in the newest text in memory that is not undone; [] if it has none, or there is no text."""
    log = session.log
    told = (entry for entry in reversed(log.entries) if entry.get("text") and not log.undone(entry))
    newest = next(told, None)
    return notes.mentions(session.state, str(newest["text"])) if newest else []


def notice(session: Session, text: str, way: Callable[[str], str]) -> str:
    """Return a message about the mentions in a new text: the notes that it links to, and names without a note.

    `way` is called with the first name without a note, and returns the key or command that makes the note. The message
    is safe to show; "" if the text mentions nothing.
    """
    found = notes.mentions(session.state, text)
    known = dict.fromkeys(one.note for one in found if one.note)
    linked = ", ".join(shown_line(session.state["notes"][ident]["name"]) for ident in known)
    missing = [shown_line(one.name) for one in found if not one.note]
    said = [f"Linked: {linked}."] if linked else []
    if missing:
        said.append(f"No note on {' or '.join(missing)} yet: {way(missing[0])} makes one.")
    return " ".join(said)


def note_called(session: Session, typed: str) -> str:
    """Return the id of the note that a player means by the text `typed`; "" if there is none.

    It is a name, the beginning of one, or a number, counted from 1, in the list of notes (`notes.listed`). Raise
    Refused if several could be meant.
    """
    if ident := notes.named(session.state, typed):
        return ident
    there = notes.listed(session.state)
    found = find(typed, [[*map(shown_line, notes.names(session.state, ident))] for ident in there])
    return "" if found is None else there[found]


def new_note(session: Session) -> Start:
    """Return a Start that makes a new note.

    If the journal's newest text has names without a note, the first of them becomes the name of the note.
    """
    name = next((one.name for one in latest(session) if not one.note), "")
    return Start(MAKE, (("name", name),)) if name else Start(MAKE)


def note_of_answer(session: Session, entry: Entry | None = None) -> Start | None:
    """Return a Start that makes a new note with an oracle answer as its text; None if there is no answer.

    An answer from a table of names becomes the name of the note, unless another note has it. `entry` is the entry with
    the answer, by default the newest answer in memory.
    """
    log, asked = session.log, session.game.oracles().procedures
    answers = (one for one in reversed(log.entries) if one.get("did") in asked and "facts" in one and log.counts(one))
    entry = entry or next(answers, None)
    if entry is None:
        return None
    card = session.game.card(entry["did"], entry.get("facts", {}))
    words, outcome = card.short or card.sum, card.told
    if outcome.casefold() not in words.casefold():
        words = f"{words}: {outcome}" if words else outcome
    text = ("text", words[:TEXT_MOST])
    name = _name_rolled(entry)
    return Start(MAKE, (("name", name), text) if name and not notes.named(session.state, name) else (text,))


def _name_rolled(entry: Entry) -> str:
    """Return the oracle's answer if it comes from a table of names; "" for any other answer."""
    facts = entry.get("facts", {})
    tables, told = facts.get("tables"), facts.get("told")
    of_names = isinstance(tables, list) and len(tables) == 1 and "name" in str(tables[0]).casefold()
    return told if of_names and isinstance(told, str) and 0 < len(told) <= NAME_MOST else ""
