"""World notes: a list that is searched while typing, and one note with the journal lines that mention it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.worker import get_current_worker

from tracker.app.filter import HINT, rank_items
from tracker.app.keymap import Hint
from tracker.app.screens.base import key
from tracker.app.screens.find import when
from tracker.app.screens.list_screen import Choices, ListScreen, by_digits
from tracker.app.screens.name_dialog import NameDialog
from tracker.app.screens.overlay import Overlay, Table
from tracker.app.widgets.base import PRESS
from tracker.app.widgets.buttons import ActionChip, Chip
from tracker.app.widgets.footer import MOVE, Footer
from tracker.app.widgets.options import DIGITS, OptionPicker, Row
from tracker.campaign import mentions
from tracker.campaign.journal import JournalLine
from tracker.campaign.secret_notes import SecretNote, keep, remove, reveal, secret_notes
from tracker.games.api.errors import Refused
from tracker.games.api.schema import State
from tracker.games.api.view import Action, Start
from tracker.games.common import notes
from tracker.games.common.notes import TEXT_MOST
from tracker.text import name_problem, shown_line

GROUPS = {"person": "People", "place": "Places", "thing": "Things"}
MANY = 100
"""Most journal lines shown with a note."""
NEW = "new."
"""Value of the row that makes a note. No note has this id, because ids have no dot."""


class NotesScreen(ListScreen):
    """Dialog with all world notes by kind, and the secret ones of this player.

    Letters search names and paragraphs; Enter opens a note, or makes one with the typed name. Ends with None.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._known = set(table.session.state["notes"])
        super().__init__(table.view.heading(), "World notes", Choices((), self._about_note))

    @property
    def _notes(self) -> State:
        found: State = self.table.session.state["notes"]
        return found

    def hints(self) -> tuple[Hint, ...]:
        return (MOVE, self.hint("pick", "Open", by=PRESS), self.list.back_hint())

    def _typed_line(self) -> Content:
        return self.list.filter.line(f"{HINT}, 1-9 to open" if self._notes else HINT)

    def _matching(self) -> tuple[Row, ...]:
        typed = " ".join(self.list.filter.typed.split())
        if typed:
            known = notes.named(self.table.session.state, typed)
            return by_digits([*self._found(), *([] if known else [self._new(typed)])])
        digits = iter(DIGITS)
        rows: list[Row] = []
        for kind, title in GROUPS.items():
            of_kind = [ident for ident in self._listed() if self._notes[ident]["kind"] == kind]
            rows += [Row(title)] if of_kind else []
            rows += (self._row(ident, next(digits, "")) for ident in of_kind)
        made = (*rows, Row(""), self._new()) if rows else (self._new(),)
        return (*made, *self._secret())

    def _secret(self) -> Iterator[Row]:
        """Yield a heading, a row for each secret note, and one to make another; the value is a SecretNote.

        Yield nothing if the campaign is read-only or the player has no seat, as at a table that is not shared.
        """
        session = self.table.session
        if not session.by or session.readonly:
            return
        yield Row("Secret, only on this machine")
        yield from (Row(shown_line(note.name), note) for note in secret_notes(session))
        yield Row("+ Make a secret note", SecretNote("", ""))

    def _found(self) -> list[Row]:
        """Return the rows of the world notes that match the filter: by name, best match first, then by other texts.

        If there are none, return the notes whose name has the letters with other characters between them.
        """
        letters = self.list.filter
        close, loose = rank_items(letters.typed, self._listed(), lambda ident: str(self._notes[ident]["name"]))
        within = [ident for ident in self._listed() if ident not in close and letters.is_in(*self._besides(ident))]
        return [self._row(ident) for ident in [*close, *within] or loose]

    def _listed(self) -> list[str]:
        return notes.listed(self.table.session.state)

    def _besides(self, ident: str) -> Iterator[str]:
        """Yield the texts of the note with the id `ident`, other than its name, that the filter searches.

        They are its paragraph and its former names.
        """
        yield self._notes[ident]["text"]
        yield from (old["name"] for old in self._notes[ident]["former"].values())

    def _row(self, ident: str, digit: str = "") -> Row:
        note = self._notes[ident]
        return Row(shown_line(note["name"]), ident, digit, note["kind"] if self.list.filter.typed else "")

    def _new(self, name: str = "") -> Row:
        reason = "read-only" if self.table.session.readonly else ""
        return Row(f"+ Make a note: {shown_line(name)}" if name else "+ Make a note", NEW, reason=reason)

    def _about_note(self, ident: Any) -> list[Content]:
        if isinstance(ident, SecretNote):
            told = "Friends get it when you reveal it." if ident.name else "Write down what your friends don't know."
            return [Content(shown_line(ident.text, TEXT_MOST)), Content(), Content.styled(told, "$muted")]
        note = self._notes.get(ident)
        if note is None:
            how = "Or write @ and a name in the journal, such as @Tayla; the key W then makes the note."
            return [Content("Remember a person, a place, or a thing."), Content(), Content.styled(how, "$muted")]
        head = Content.assemble((shown_line(note["name"]), "bold"), (f"   {note['kind']}", "$faint"))
        return [head, Content(shown_line(note["text"], TEXT_MOST))]

    def picked(self, row: Row) -> None:
        """Open the note over this list, start a new one, or ask what to do with a secret one; the list stays open."""
        if isinstance(row.value, SecretNote):
            self._pick_secret(row.value)
            return
        if row.value != NEW:
            self.app.push_screen(NoteScreen(self.table, row.value))
            return
        name = " ".join(self.list.filter.typed.split())
        self.table.start(Start(notes.MAKE, (("name", name),) if name else ()))

    def _pick_secret(self, note: SecretNote) -> None:
        """Ask whether to reveal, change or delete a secret note, and do so.

        For a new one, whose name is "", ask for its name and text, and store it.
        """
        if not note.name:
            self._ask_name(note)
            return
        rows = (
            Row("Reveal", "reveal", "r", "it becomes a world note that everyone has"),
            Row("Change", "change", "c"),
            Row("Delete", "delete", "d", "only this machine has it"),
        )

        def picked(word: str | None) -> None:
            if word == "reveal":
                self.table.start(reveal(note))
            elif word == "change":
                self._ask_name(note)
            elif word == "delete":
                self._keep(lambda: remove(self.table.session, note))

        about = [Content(shown_line(note.text, TEXT_MOST))]
        choices = Choices(rows, lambda _: about, filters=False)
        self.app.push_screen(ListScreen(self.heading, shown_line(note.name), choices), picked)

    def _ask_name(self, note: SecretNote) -> None:
        def named(name: str | None) -> None:
            if name:
                self._ask_text(note, name)

        ask = "What is it called? Only you see it."
        self.app.push_screen(NameDialog(self.heading, "Secret note", ask, name_problem, {}, note.name), named)

    def _ask_text(self, note: SecretNote, name: str) -> None:
        def problem(text: str) -> str | None:
            return f"The limit is {TEXT_MOST} characters." if len(text) > TEXT_MOST else None

        def typed(text: str | None) -> None:
            if text is not None:
                self._keep(lambda: keep(self.table.session, SecretNote(name, text), note if note.name else None))

        ask = "What do you know about it? (optional)"
        self.app.push_screen(NameDialog(self.heading, shown_line(name, 40), ask, problem, {}, note.text), typed)

    def _keep(self, change: Callable[[], None]) -> None:
        """Call `change`, which changes the secret notes, and show them.

        If it raises Refused, close this screen and show the reason on the table.
        """
        try:
            change()
        except Refused as error:
            self.table.refuse(str(error))
            self.dismiss(None)
            return
        self.list.show()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.follow()

    def follow(self) -> None:
        """Update the list after the notes have changed. The cursor goes to a new note, if there is one."""
        if not (self.is_mounted and self.is_open):
            return
        new = [ident for ident in self._notes if ident not in self._known]
        self._known = set(self._notes)
        if new:
            self.list.filter.clear()
        self.heading = self.table.view.heading()
        self.list.show(new[-1] if new else None)


class NoteScreen(Overlay):
    """One note: its kind, its paragraph, and the journal lines that mention it, newest first.

    The journal is searched in a thread, so that no key waits for it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,w", "back", "Back", "note.back", "Go back."),
    ]

    def __init__(self, table: Table, ident: str) -> None:
        super().__init__(table, "")
        self.ident = ident
        self._found: list[JournalLine] = []
        self._looking = False
        self._searched: object = None
        """What the journal was last searched for: the log, its length, and the names of the note."""

    @property
    def note(self) -> State | None:
        found: State | None = self.table.session.state["notes"].get(self.ident)
        return found

    def things(self) -> Iterator[Widget]:
        yield OptionPicker((), listed=True, id="options")
        chips = (ActionChip(action, id=f"chip-{n}") for n, action in enumerate(self._all_actions()))
        yield Widget(*chips, id="buttons")

    def hints(self) -> tuple[Hint, ...]:
        row = self._picker.row if self.is_mounted else None
        enter = "Go there" if row and isinstance(row.value, str) else "Edit"
        return (MOVE, self.hint("press", enter, by=PRESS), self.hint("undo"), self.hint("back"), self.hint("keys"))

    @property
    def _picker(self) -> OptionPicker:
        return self.query_one(OptionPicker)

    def on_mount(self) -> None:
        self._picker.focus()
        self.show()

    # -- what is shown ----------------------------------------------------------------------------------

    def caption(self) -> str:
        return f"{shown_line(self.note['name'])}, {self.note['kind']}" if self.note else "World note"

    def refill(self) -> None:
        self._search()
        self._show_rows()
        for chip in self.query(ActionChip):
            chip.display = self.note is not None

    def _show_rows(self) -> None:
        self._picker.show(tuple(self._rows()))
        self.query_one(Footer).update(self.hints())

    def _rows(self) -> Iterator[Row]:
        note = self.note
        if note is None:
            yield Row("This note is gone: undo or redo brings it back.")
            return
        if note["former"]:
            former = ", ".join(shown_line(old["name"]) for old in note["former"].values())
            yield Row(f"formerly {former}")
        words = shown_line(note["text"], TEXT_MOST) or "No text yet."
        # A paragraph line can be under the cursor, so that a long paragraph scrolls.
        for n, line in enumerate(Content(words).wrap(max(20, self.room - 5))):
            yield Row(line.plain, n)
        yield Row("")
        if self._looking:
            yield Row("Searching the journal …")
        else:
            yield Row("In the journal" if self._found else "The journal doesn't mention it yet.")
        for one in self._found:
            yield Row(shown_line(one.sentence(), max(20, self.room - 26)), one.entry["id"], note=when(one))

    # -- searching the journal --------------------------------------------------------------------------

    def _search(self) -> None:
        """Search the journal in a thread, unless nothing has changed since the last search."""
        session = self.table.session
        wanted = session.log, len(session.log.entries), session.log.upto, tuple(notes.names(session.state, self.ident))
        if wanted == self._searched:
            return
        self._searched, self._looking = wanted, True
        self.run_worker(self._look, group="mentions", thread=True, exclusive=True)

    def _look(self) -> None:
        """Search the journal for mentions of the note and post the result to the screen. Runs in a thread.

        If older entries cannot be read, the result is what was found before.
        """
        worker, found = get_current_worker(), list[JournalLine]()
        try:
            for some in mentions.lines_about(self.table.session, self.ident):
                if worker.is_cancelled:
                    return
                found += some
                if len(found) >= MANY:
                    break
        except OSError:
            pass  # the file is gone for now, which the save status shows; entries in memory were searched
        if not worker.is_cancelled:
            self.call_later(self._take, found[:MANY])

    def _take(self, found: list[JournalLine]) -> None:
        self._found, self._looking = found, False
        if self.is_mounted and self.is_open:
            self._show_rows()

    # -- what can be done -------------------------------------------------------------------------------

    def actions(self) -> tuple[Action, ...]:
        return self._all_actions() if self.note else ()

    def _all_actions(self) -> tuple[Action, ...]:
        this = (("note", self.ident),)
        return (
            Action("e", "Edit", Start(notes.EDIT, this), "its text"),
            Action("n", "Rename", Start("notes/rename", this), "mentions still find it"),
            Action("k", "Kind", Start("notes/kind", this), "person, place, or thing"),
            Action("d", "Delete", Start("notes/delete", this), "undo brings it back"),
        )

    def on_key(self, event: events.Key) -> None:
        self.press_hot(event)

    def action_press(self) -> None:
        self._picker.action_press()

    async def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        if isinstance(message.row.value, str):
            await self.table.show_journal(message.row.value)
        else:
            self.begin(self._all_actions()[0])

    def on_option_picker_moved(self) -> None:
        self.query_one(Footer).update(self.hints())

    def on_chip_pressed(self, message: Chip.Pressed) -> None:
        if isinstance(message.chip, ActionChip):
            self.begin(message.chip.action)

    def on_action_chip_pressed(self, message: Chip.Pressed) -> None:
        self.on_chip_pressed(message)
