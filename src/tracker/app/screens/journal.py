"""The full journal: read, edit, cross out, and undo single entries of any age."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import AwaitMount, Widget

from tracker.app.keymap import Hint, hint_of
from tracker.app.screens.base import FIND, FOLD, NEW_NOTE, PASSAGE, key
from tracker.app.screens.journal_input import JournalInput
from tracker.app.screens.list_screen import about_a_friends
from tracker.app.screens.overlay import Overlay, Table
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.journal_pane import format_entry
from tracker.app.widgets.journal_reader import NEWER, OLDER, JournalReader
from tracker.campaign import journal
from tracker.campaign.history import Pages
from tracker.campaign.journal import JournalLine, page_lines
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import date, time_of_day
from tracker.games.api.view import Action
from tracker.games.common.notes import mentions
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.app.screens.find import SearchResult
    from tracker.app.widgets.passage_input import PassageInput


class JournalScreen(Overlay):
    """Full-window screen with the whole journal and a cursor, on which entries are read, edited and struck.

    It opens at the entry with the id `at`, or at its end for "". Every edit is saved as a new entry, which `u`
    undoes.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,J", "back", "Back", "journal.back", "Back to the table."),
        key("e", "edit", "Edit", "journal.edit", "Edit the text of this entry."),
        key("k,delete", "strike", "Cross out", "journal.strike", "Cross out this entry, or restore it."),
        key("U", "undo_this", "Undo this", "undo.this", "Undo this entry, however old, or redo it."),
        FOLD,
        key("j", "write", "Write", "journal", "Write a line in the journal."),
        key("w", "notes", "World notes", "notes", "The note that this entry mentions, or all notes."),
        NEW_NOTE,
        FIND,
        PASSAGE,
    ]

    def __init__(self, table: Table, at: str = "") -> None:
        super().__init__(table, "Journal")
        self.session = table.session
        self.view = table.view
        self.player = table.player
        self.journal_input = JournalInput(self, self, self.player)
        self._at = at

    def things(self) -> Iterator[Widget]:
        yield JournalReader(Pages(self.session.history), partial(page_lines, self.session), self._drawn)

    def _drawn(self, item: JournalLine) -> Content:
        return format_entry(item, folded=self.view.folded)

    def hints(self) -> tuple[Hint, ...]:
        return (
            hint_of(OLDER, NEWER, description="Move"),
            self.hint("edit"),
            self._strike_hint(),
            self.hint("undo_this"),
            self.hint("fold"),
            self.hint("find"),
            self.hint("write"),
            self.hint("back"),
            self.hint("keys"),
        )

    def _strike_hint(self) -> Hint:
        hint = self.hint("strike")
        struck = self.is_mounted and self.reader.here and self.reader.here.struck
        return hint._replace(description="Restore") if struck else hint

    @property
    def reader(self) -> JournalReader:
        return self.query_one(JournalReader)

    def caption(self) -> str:
        return "Journal, story only" if self.view.folded else "Journal"

    def actions(self) -> tuple[Action, ...]:
        return ()

    def refill(self) -> None:
        self.reader.renew()
        self._describe()

    def on_mount(self) -> None:
        self.reader.focus()
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        if not self.reader.led:  # otherwise a key was faster than the first frame
            self.reader.go(self._at)
        self.show()

    def on_journal_reader_moved(self, message: JournalReader.Moved) -> None:
        self._describe()
        if message.missing:
            self.say(f"Can't read older entries right now: {shown_line(message.missing, 80)}.")

    def _describe(self) -> None:
        """Show the date of the entry under the cursor in the border, and in the footer what its keys do now."""
        if not self.journal_input.is_open:
            self.query_one(Footer).update(self.hints())
        at = self.reader.here.entry.get("at") if self.reader.here else None
        told_at = f"{date(at)}, {time_of_day(at)}" if isinstance(at, datetime) else ""
        self.query_one("#card").border_subtitle = Content(told_at)

    # -- what can be done -------------------------------------------------------------------------------

    def mount_line(self, line: PassageInput) -> AwaitMount:
        """Mount the input line below the journal; await the result to wait until it is mounted."""
        return self.query_one("#card").mount(line, before="#notice")

    def after_line(self) -> None:
        """Give the focus back to the journal."""
        self.reader.focus()

    def keep_begun(self) -> str:
        """Store the text of an open input line as a draft. Return "" on success, else the reason for the failure."""
        return self.journal_input.keep()

    async def action_edit(self) -> None:
        if not (item := self.reader.here):
            return
        if self._is_mine(item, "Edit", self._edit):
            await self.journal_input.edit(item)

    def _edit(self, item: JournalLine) -> None:
        self.app.call_later(self.journal_input.edit, item)

    def _is_mine(self, item: JournalLine, verb: str, then: Callable[[JournalLine], None]) -> bool:
        """Return True if this player may change an item without a question, or the campaign is read-only.

        If another player wrote it, open a dialog that asks, return False, and call `then` with the item after a yes.
        `verb` says what the player does, such as "Edit".
        """
        name = self.player.other_author(item.entry)
        if not name or self.session.readonly:
            return True

        def answered(word: str | None) -> None:
            if word == "yes":
                then(item)

        words = shown_line(" ".join((item.heading or item.text or ", ".join(item.parts())).split()), 160)
        told = f"{name} wrote this: {words.rstrip('.')}."
        self.app.push_screen(about_a_friends(self.view.heading(), verb, "wrote", told), answered)
        return False

    async def action_write(self) -> None:
        await self.journal_input.write()

    async def action_passage(self) -> None:
        await self.journal_input.write_passage()

    async def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            await self.journal_input.escape(event)

    def action_strike(self) -> None:
        if not (item := self.reader.here):
            return
        if self._is_mine(item, "Restore" if item.struck else "Cross out", self._strike):
            self._strike(item)

    def _strike(self, item: JournalLine) -> None:
        try:
            journal.strike(self.session, item, self.player.voice)
        except Refused as error:
            self.say(str(error))
        else:
            counts = any(entry.get("effects") for entry in item.changes)
            crossed = "Crossed out; its effects still count." if counts else "Crossed out."
            self.say("Restored." if item.struck else crossed)

    def action_undo_this(self) -> None:
        if not (item := self.reader.here):
            return
        self.table.toggle_undone(item.entry, undone=item.undone)
        self.show()

    def action_notes(self) -> None:
        item = self.reader.here
        found = mentions(self.session.state, item.text) if item else []
        if ident := next((one.note for one in found if one.note), ""):
            self.table.open_note(ident)
        else:
            self.table.action_notes()

    def action_new_note(self) -> None:
        self.table.action_new_note()

    def action_find(self) -> None:
        self.table.find(self._go_to)

    async def _go_to(self, found: SearchResult) -> None:
        if found.kind == "entry":
            self.reader.go(found.id)
        else:
            self.dismiss(None)
            self.app.call_later(self.table.go_to, found)

    def action_fold(self) -> None:
        self.table.action_fold()
        self.show()
