"""The input line below the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from tracker.app.key_queue import key_now
from tracker.app.widgets.footer import Footer, Hint
from tracker.campaign import journal
from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from textual import events
    from textual.screen import Screen
    from textual.timer import Timer
    from textual.widget import AwaitMount
    from textual.widgets import TextArea

    from tracker.app.screens.base import Tracker
    from tracker.app.widgets.passage_input import PassageInput
    from tracker.campaign.player import Player

SOON = 0.5
"""Seconds between the last key and saving the draft."""


RECENT = 20
"""Newest entries among which a draft is looked for."""


class LineScreen(Protocol):
    """A screen with a journal, as far as its input line has to know it."""

    def hints(self) -> tuple[Hint, ...]:
        """Return the hints while no line is open."""

    def hint(self, action: str, description: str = "") -> Hint:
        """Return the hint for a key of the screen."""

    def say(self, notice: str) -> None: ...

    def lay_line(self, line: PassageInput) -> AwaitMount:
        """Mount the line where the layout has a place for it."""

    def after_line(self) -> None:
        """Take the focus back when the line is closed."""


class JournalInput:
    """Line for writing or editing an entry. Unsubmitted text is saved, and survives a restart.

    The widget, `#write`, exists only while the line is open.
    """

    def __init__(self, screen: Screen[Any], host: LineScreen, player: Player) -> None:
        """`host` is the screen again, with what it has beyond Textual's."""
        self._screen = screen
        self._host = host
        self._player = player
        self._session = player.session
        self._item: journal.JournalLine | None = None
        """Entry that is edited; None for a new one."""
        self._timer: Timer | None = None
        self._closing = False

    @property
    def is_open(self) -> bool:
        return not self._closing and bool(self._screen.query("#write"))

    def hints(self) -> tuple[Hint, ...]:
        """Return the hints of the open line, else those of its screen."""
        if not self.is_open:
            return self._host.hints()
        return (
            Hint("Enter", "Save", "save_line"),
            self._host.hint("passage", "Open in editor"),
            Hint("Esc", "Later, draft is kept", "keep_line"),
        )

    def _show_hints(self) -> None:
        for foot in self._screen.query(Footer):  # a table has no footer before its second frame
            foot.update(self.hints())

    async def write(self) -> None:
        """Open the line for a new entry, with the draft that was left."""
        if not self.is_open:
            self._item = None
        await self._open()

    async def edit(self, item: journal.JournalLine) -> None:
        """Edit an entry: short text in the line, several paragraphs in the player's editor."""
        if self.is_open:
            await self._open()
            return
        self._item = item
        if "\n" in self._kept():
            await self._edit_passage()
        else:
            await self._open()

    async def _open(self) -> None:
        from tracker.app.widgets.passage_input import PassageInput

        if self.is_open:
            self._screen.query_one("#write").focus()
            return
        if self._session.readonly:
            self.say_readonly()
            return
        player = self._player
        speaks = f"{player.name}: what happens? Enter saves" if len(player.party) > 1 else ""
        asks = "the new wording, Enter saves" if self._item else speaks or "what happens? Enter saves"
        line = PassageInput(self._kept(), placeholder=asks, id="write")
        await self._host.lay_line(line)
        line.focus()
        self._show_hints()

    def say_readonly(self) -> None:
        """Show that the campaign is read-only, on a screen that takes what is typed: it must run no command.

        A draft from elsewhere is not touched, either.
        """
        from tracker.app.screens.notice import NoticeScreen

        refusal = f"This campaign is read-only: {self._session.readonly}."
        self._host.say(refusal)
        heading = cast("Tracker", self._screen.app).heading()
        told = [refusal, "Nothing that you type here is kept. Esc goes back."]
        self._screen.app.push_screen(NoticeScreen(heading, "Read-only", told))

    def _ident(self) -> str:
        return str(self._item.entry["id"]) if self._item else ""

    def _words(self) -> str:
        """Return the current text of the entry that is edited, or ""."""
        return (self._item.heading or self._item.text) if self._item else ""

    def _kept(self) -> str:
        from tracker.campaign import drafts

        draft = drafts.load_draft(self._session.save.real, self._ident())
        return "" if self._is_finished(draft) else draft or self._words()

    def _is_finished(self, draft: str) -> bool:
        """Return True if this draft was saved as an entry: a crash right after that may have left its file behind."""
        if not draft or self._item:
            return False
        newest = reversed(self._session.log.entries[-RECENT:])
        return any(str(entry.get("text", "")).strip() == draft for entry in newest)

    def _keep(self, words: str) -> str:
        """Save a draft. Return "" on success, else the reason it failed, which is shown as well."""
        from tracker.campaign import drafts

        try:
            drafts.save_draft(self._session.save.real, "" if words == self._words() else words, self._ident())
        except OSError as error:
            why = error.strerror or str(error)
            self._host.say(f"This draft can't be kept ({why}): save it with Enter, or clear it.")
            return why
        return ""

    def _save(self, text: str) -> None:
        """Make the entry. Raise Refused if the text is not allowed."""
        if self._item:
            journal.edit(self._session, self._item, text, self._player.active)
        elif text:
            self._session.write(text, self._player.active)

    def changed(self, message: TextArea.Changed) -> None:
        """Save the draft soon after the last key, so that even a kill loses little."""
        if message.text_area.id == "write":
            cast("PassageInput", message.text_area).grow()
            if self._timer:
                self._timer.stop()
            self._timer = self._screen.set_timer(SOON, self.keep)

    async def submitted(self, message: PassageInput.Submitted) -> None:
        message.stop()
        try:
            self._save(message.value.strip())
        except Refused as error:
            self._host.say(str(error))
            return
        await self._close("", "")

    async def escape(self, event: events.Key) -> None:
        """Close the line if it is open, and take the key."""
        if self.is_open:
            event.stop()
            event.prevent_default()
            await self.leave()

    async def leave(self) -> None:
        """Close the line and save its draft; it stays open if that fails."""
        begun = self._text()
        kept = bool(begun) and begun != self._words()
        await self._close(begun, f"Draft kept: {self._again} continues it." if kept else "")

    async def put_away(self) -> bool:
        """Close the line if it is open and save its draft. Return False if that fails."""
        if self.is_open:
            await self.leave()
        return not self.is_open

    @property
    def _again(self) -> str:
        """The key that opens the line again."""
        return key_now(self._screen, "e" if self._item else "j")

    async def submit(self) -> None:
        cast("PassageInput", self._screen.query_one("#write")).action_submit()

    def _text(self) -> str:
        """Return the text of the line, or "" if it is closed."""
        return str(getattr(self._screen.query_one("#write"), "value", "")) if self.is_open else ""

    def keep(self) -> str:
        """Save the draft of an open line. Return "" on success, else the reason it failed."""
        return self._keep(self._text()) if self.is_open else ""

    async def _close(self, begun: str, notice: str) -> None:
        """Save the draft, then remove the line. If saving fails, the line stays open."""
        from tracker.app.textual_private import forget_widget

        if self._timer:
            self._timer.stop()
        if self._keep(begun):
            return
        self._closing = True  # or a draft of the finished text would be kept while the line is being removed
        try:
            for line in self._screen.query("#write").results():
                await line.remove()
                forget_widget(self._screen, line)
        finally:
            self._closing = False
        self._show_hints()
        self._host.after_line()
        self._host.say(notice)

    # -- a long passage ---------------------------------------------------------------------------------

    async def write_passage(self) -> None:
        """Write in the player's own editor, starting with the text of the line."""
        if not self.is_open:
            self._item = None
        await self._edit_passage()

    async def _edit_passage(self) -> None:
        from tracker.app.external_editor import run_editor
        from tracker.campaign import drafts

        if self._session.readonly:
            self.say_readonly()
            return
        begun = self._text() if self.is_open else self._kept()
        save, ident = self._session.save.real, self._ident()
        try:
            # Create even an empty file: an editor would create it readable for all.
            path = drafts.write_draft(save, begun, ident)
        except OSError as error:
            self._host.say(f"Can't make a file for your editor: {error.strerror}.")
            return
        problem = run_editor(self._screen.app, path)
        text = drafts.load_draft(save, ident)
        if not problem and text and text != begun:
            try:
                self._save(text)
            except Refused as error:
                problem = str(error)
            else:
                await self._close("", "")
                return
        await self._not_written(problem, text, begun)

    async def _not_written(self, problem: str, text: str, begun: str) -> None:
        """Show why the editor's text was not saved as an entry, and put the text into the line."""
        left = text or begun
        why = problem or ("No changes from the editor." if text else "The editor returned no text.")
        stays = bool(text) and text != self._words()  # the file has the text as the editor left it
        if stays or not self._keep(left):
            for line in self._screen.query("#write").results():
                line.value = left  # type: ignore[attr-defined]
            kept = bool(left) and left != self._words()
            closed = f"Draft kept: {self._again} continues it."
            goes_on = "Enter saves your draft." if self.is_open else closed
            self._host.say(f"{why} {goes_on}" if kept else why)
