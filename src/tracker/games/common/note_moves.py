"""Procedures on world notes: make, edit, rename, change the kind, delete, and link a record to one.

They are apart from `notes`, which the first frame needs, because they import the prompts, which it does not need.
"""

from __future__ import annotations

from collections.abc import Generator

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Option, Pick, Prompt, Text
from tracker.games.common.notes import KINDS, TEXT_MOST, named
from tracker.text import shown_line

NEW, NONE = "new.", "none."
"""Keys of the options for a new note and for no note. No note has these ids, because ids have no dot."""
_HOT = {"person": "p", "place": "l", "thing": "t"}


def make(table: Draft) -> Procedure:
    """Ask for a name, a paragraph and a kind, and add the note. Raise Refused if another note has this name."""
    name = yield Text(key="name", title="Who, where, or what is it?", hint="Tayla of the Two Rivers")
    yield from made(table, name)


def made(table: Draft, name: str) -> Generator[Prompt, Answer, str]:
    """Ask for the paragraph and the kind of a note named `name`, add the note and return its id.

    Raise Refused if another note has this name.
    """
    _check_free(table, name)
    text = yield _ask_text(name, "")
    kind = yield Pick(key="kind", title=f"What is {shown_line(name)}?", options=_kinds(), default="person")
    ident = table.new_id(name, table.state["notes"])
    table.add("notes", {"id": ident, "name": name, "kind": kind} | ({"text": text} if text else {}))
    return ident


def edit(table: Draft) -> Procedure:
    """Ask for a note and its new paragraph. Raise Refused if there is no note, or if the paragraph is the same."""
    ident = yield _which(table)
    note = table.state["notes"][ident]
    now = note["text"]
    text = yield _ask_text(note["name"], now)
    if text == now:
        raise Refused("Nothing has changed: type something else first.")
    table.to(f"notes.{ident}.text", text)


def rename(table: Draft) -> Procedure:
    """Ask for a note and its new name; mentions by the old name still find the note.

    Raise Refused if there is no note, if the name is the same, or if another note has it.
    """
    ident = yield _which(table)
    note = table.state["notes"][ident]
    now = note["name"]
    name = yield Text(key="name", title="New name?", hint=shown_line(now), default=now)
    if name == now:
        raise Refused(f"{shown_line(now)} is already the name; type another.")
    _check_free(table, name, ident)
    old = {key for key, one in note["former"].items() if one["name"].casefold() == name.casefold()}
    for key in old:
        table.drop(f"notes.{ident}.former", key)
    table.add(f"notes.{ident}.former", {"id": table.new_id(now, note["former"]), "name": now})
    table.to(f"notes.{ident}.name", name)


def kind(table: Draft) -> Procedure:
    """Ask for a note and its new kind. Raise Refused if there is no note."""
    ident = yield _which(table)
    note = table.state["notes"][ident]
    title = f"What is {shown_line(note['name'])}?"
    new = yield Pick(key="kind", title=title, options=_kinds(note["kind"]))
    table.to(f"notes.{ident}.kind", new)


def delete(table: Draft) -> Procedure:
    """Ask for a note and remove it. Raise Refused if there is no note."""
    ident = yield _which(table)
    table.drop("notes", ident)


def link(table: Draft, at: str, name: str) -> Procedure:
    """Ask which note a record is about, and store the note's id in the field at the path `at`.

    The player can also choose no note, or, if no note has or had the name `name`, make one with it. Raise Refused if
    another note got that name in the meantime.
    """
    options = [_option(table, ident) for ident in table.state["notes"]]
    if not named(table.state, name):
        options.append(Option(NEW, "a new note", shown_line(name), hot="n"))
    options.append(Option(NONE, "no note", hot="0"))
    ident = yield Pick(key="note", title="Which note is it about?", options=tuple(options))
    if ident == NEW:
        ident = yield from made(table, name)
    table.to(at, "" if ident == NONE else ident)


def _ask_text(name: str, default: str) -> Text:
    title = f"What do you know about {shown_line(name)}? (optional)"
    return Text(key="text", title=title, most=TEXT_MOST, empty=True, default=default)


def _kinds(now: str = "") -> tuple[Option, ...]:
    return tuple(Option(one, one, reason="no change" if one == now else "", hot=_HOT[one]) for one in KINDS)


def _check_free(table: Draft, name: str, ident: str = "") -> None:
    """Raise Refused if a note other than `ident` has this name now. Former names of notes are free to take."""
    taken = named(table.state, name)
    if taken not in {"", ident} and table.state["notes"][taken]["name"].casefold() == name.casefold():
        raise Refused(f"There is already a note called {shown_line(table.state['notes'][taken]['name'])}.")


def _option(table: Draft, ident: str) -> Option:
    note = table.state["notes"][ident]
    return Option(ident, shown_line(note["name"]), note["kind"], about=shown_line(note["text"], TEXT_MOST))


def _which(table: Draft) -> Pick:
    """Return the prompt for a note. Raise Refused if there is none."""
    notes = table.state["notes"]
    if not notes:
        raise Refused("No notes yet: make one first.")
    return Pick(key="note", title="Which note?", options=tuple(_option(table, ident) for ident in notes))
