"""World notes: the people, places and things of the story, each with a name, a kind and a paragraph.

`scenes` puts `LAYOUT` and `MOVES` into every game. A journal line mentions a note as `@name`; `mentions` finds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from tracker.games.api.game import Move, lazy_procedure
from tracker.games.api.schema import Choice, Collection, Kind, Line, Record, State
from tracker.games.api.view import Action, Start
from tracker.records import NamedTuple
from tracker.text import NAME_MOST, shown_line

if TYPE_CHECKING:
    from tracker.games.api.phrases import Phrases

KINDS = ("person", "place", "thing")
TEXT_MOST = 2000
"""Most characters of the paragraph."""

LAYOUT: dict[str, Kind] = {
    "notes": Collection(
        Record(
            {
                "name": Line(NAME_MOST),
                "kind": Choice(KINDS),
                "text": Line(TEXT_MOST),
                "former": Collection(Record({"name": Line(NAME_MOST)})),
            }
        )
    )
}
"""The field that the top of a game's schema needs for notes. `former` has earlier names, which mentions still find."""
PHRASES: Phrases = {
    "+notes": lambda change: f"new note: {change.name} ({change.new['kind']})",
    "-notes": "note deleted: {name}",
    "notes.*.name": "{old} is now called {new}",
    "notes.*.kind": "{name} is now a {new}",
    "notes.*.text": "{name}: text changed",
    "+notes.*.former": "",
    "-notes.*.former": "",
}
"""Phrases for the changes of notes."""

MAKE, EDIT = "notes/make", "notes/edit"
MOVES = {
    f"notes/{name}": Move(
        f"notes/{name}", label, lazy_procedure("tracker.games.common.note_moves", name), "notes", trigger, solo=True
    )
    for name, label, trigger in (
        ("make", "Make a note", "You want to remember a person, a place, or a thing."),
        ("edit", "Edit a note", "You know more about it now."),
        ("rename", "Rename a note", "It goes by another name."),
        ("kind", "Change a note's kind", "It is not what it seemed."),
        ("delete", "Delete a note", "It no longer matters."),
    )
}
"""Moves on notes, the same in every game."""


# -- names ----------------------------------------------------------------------------------------------


def named(state: State, name: str) -> str:
    """Return the id of the note with this name, or else of the one that had it formerly; "" if there is none.

    Case makes no difference.
    """
    return _index(state).ids.get(_folded(name), "")


def names(state: State, ident: str) -> list[str]:
    """Return the current name of the note with this id, then its former names that no other note has taken."""
    return [name for name, owner in _known(state["notes"]) if owner == ident == named(state, name)]


def listed(state: State) -> list[str]:
    """Return the ids of all notes, sorted by kind, then by name."""
    notes = state["notes"]
    return sorted(notes, key=lambda ident: (KINDS.index(notes[ident]["kind"]), _folded(notes[ident]["name"])))


def _known(notes: State) -> Iterator[tuple[str, str]]:
    """Yield (name, id) for the names of all notes, then for all former names."""
    yield from ((note["name"], ident) for ident, note in notes.items())
    yield from ((old["name"], ident) for ident, note in notes.items() for old in note["former"].values())


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


# -- mentions -------------------------------------------------------------------------------------------


class Mention(NamedTuple):
    """An `@name` in a text that may stand for a note. `note` is the id of the note, or "" if there is no such note."""

    name: str
    note: str


class _Index(NamedTuple):
    """Index of the names of all notes, for finding them in a text.

    `ids` maps each name, as `_folded` returns it, to the id of its note. `after_at` is a pattern for names after an @,
    and `plain` one for names without it.
    """

    ids: dict[str, str]
    after_at: re.Pattern[str]
    plain: re.Pattern[str]


_AT = r"(?<![\w@])@"
_WORD = r"\w+(?:['’-]\w+)*"
_POSSESSIVE = r"['’][sS]$"


class _Notes:
    """The notes of a state as a cache key. Two keys are equal only if they hold the same object.

    Note records never change in place. Comparing the names of a thousand notes for each line of the journal would be
    slow.
    """

    def __init__(self, notes: State) -> None:
        self.notes = notes

    def __hash__(self) -> int:
        return id(self.notes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Notes) and self.notes is other.notes


def _index(state: State) -> _Index:
    return _index_of(_Notes(state["notes"]))


@lru_cache(8)
def _index_of(key: _Notes) -> _Index:
    known = [*_known(key.notes)]
    ids: dict[str, str] = {}
    for name, ident in known:
        ids.setdefault(_folded(name), ident)
    ids.pop("", None)
    # The longest name first: it wins where several fit.
    by_length = sorted({name for name, _ in known if _folded(name)}, key=len, reverse=True)
    either = "|".join(r"[\s_]+".join(map(re.escape, name.replace("_", " ").split())) for name in by_length)
    one = f"({either or '(?!)'})(?!\\w)"
    return _Index(ids, re.compile(one, re.IGNORECASE), re.compile(rf"(?<![\w@]){one}"))


def mentions(state: State, text: str) -> list[Mention]:
    """Return the mentions of notes in a text. A mention is `@` and a name in any case; _ may stand for a space.

    The longest name of a note that matches counts. If none matches, the name is the word after the @, and if that is
    capitalized, the capitalized words that follow it. A mention that comes again is returned once.
    """
    index = _index(state)
    found: list[Mention] = []
    for at in re.finditer(_AT, text):
        fits = index.after_at.match(text, at.end())
        ident = index.ids.get(_folded(fits[1]), "") if fits else ""
        if fits and ident:
            found.append(Mention(" ".join(fits[1].split()), ident))
        elif name := _unknown(text, at.end()):
            found.append(Mention(name, ""))
    return list(dict.fromkeys(found))


def linked_pieces(state: State, text: str) -> Iterator[tuple[str, str]]:
    """Split a text at its mentions of notes; yield (piece, id of the note) for each piece.

    The id is "" for the text between mentions, and for mentions of no note, which stay in that text. A mention is given
    as the text has it, without the @. A piece may be empty.
    """
    index = _index(state)
    told = 0
    for at in re.finditer(_AT, text):
        fits = index.after_at.match(text, at.end())
        ident = index.ids.get(_folded(fits[1]), "") if fits else ""
        if fits and ident:
            yield text[told : at.start()], ""
            yield " ".join(fits[1].replace("_", " ").split()), ident
            told = fits.end()
    yield text[told:], ""


def _unknown(text: str, start: int) -> str:
    """Return the unknown name in `text` that begins at the offset `start`, cut to NAME_MOST characters.

    That is one word, and if it is capitalized, the capitalized words after it; a possessive ending is left out and ends
    the name. Return "" if there is no letter or digit at `start`.
    """
    words: list[str] = []
    while (word := re.compile(_WORD).match(text, start)) and (
        not words or (words[0][0].isupper() and word[0][0].isupper())
    ):
        words.append(re.sub(_POSSESSIVE, "", word[0]))
        start = word.end() + 1
        if words[-1] != word[0] or text[word.end() : start] != " ":
            break
    return " ".join(" ".join(words).replace("_", " ").split())[:NAME_MOST].strip()


def is_about(state: State, ident: str, text: str) -> bool:
    """Return True if a text mentions the note with the id `ident`.

    It does so by a name of the note with an @ before it, in any case, or without an @ in the same case.
    """
    index = _index(state)
    if any(index.ids.get(_folded(name[1])) == ident for name in index.plain.finditer(text)):
        return True
    return any(one.note == ident for one in mentions(state, text))


# -- links ----------------------------------------------------------------------------------------------


def linked(state: State, record: State) -> str:
    """Return the id of the note that a bond or track is about; "" if there is none.

    That is the note whose id is in the record's field `noted`, or else the one with the record's name.
    """
    return record["noted"] if record["noted"] in state["notes"] else named(state, record["name"])


def pointer(state: State, name: str) -> dict[str, str]:
    """Return the field that links a new record to the note with this name.

    That is {"noted": id}, or {} if there is no such note.
    """
    ident = named(state, name)
    return {"noted": ident} if ident else {}


def told(state: State, ident: str) -> str:
    """Return a note in a few words, such as "@Tayla, person"; "" if there is none with this id."""
    note = state["notes"].get(ident)
    return f"@{shown_line(note['name'])}, {note['kind']}" if note else ""


def open_or_link(state: State, record: State, link: Start) -> Action:
    """Return the action for the note of a bond or track: it opens the note, or if there is none, starts `link`."""
    if ident := linked(state, record):
        return open_or_make(state, record["name"], ident)
    return Action("@", "Link a note", link, "of a person, place, or thing")


def open_or_make(state: State, name: str, ident: str = "", text: str = "") -> Action:
    """Return the action that opens the note with the id `ident`, or if that is "", the note with this name.

    If there is none, the action makes a note with this name, and with the paragraph `text` if it is not "".
    """
    ident = ident or named(state, name)
    if ident:
        return Action("@", "Note", Start(EDIT, (("note", ident),)), told(state, ident), opens="note")
    known = (("name", name), *([("text", text[:TEXT_MOST])] if text else []))
    return Action("@", "Make a note", Start(MAKE, known), "a person, place, or thing")
