"""The input line below the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from tracker.app.key_queue import current_key
from tracker.app.keymap import Hint, hint_of
from tracker.app.widgets.footer import Footer
from tracker.campaign import journal
from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from textual import events
    from textual.screen import Screen
    from textual.timer import Timer
    from textual.widget import AwaitMount

    from tracker.app.screens.base import Tracker
    from tracker.app.widgets.passage_input import PassageInput
    from tracker.campaign.player import Player

SOON = 0.5
"""Seconds between the last key and saving the draft."""


RECENT = 20
"""Number of newest entries that are compared with a draft, to find one that was saved already."""


class LineScreen(Protocol):
    """Protocol of a screen with a journal: the methods that JournalInput calls."""

    def hints(self) -> tuple[Hint, ...]:
        """Return the footer's hints while no line is open."""

    def hint(self, action: str, description: str = "") -> Hint:
        """Return the footer's hint for the key of `action`. `description` replaces the label of the binding."""

    def say(self, notice: str) -> None: ...

    def mount_line(self, line: PassageInput) -> AwaitMount:
        """Mount the line in its place on the screen; await the result to wait until it is mounted."""

    def after_line(self) -> None:
        """Take the focus back when the line is closed."""


class JournalInput:
    """Controller of the line in which journal entries are written and edited.

    Unsubmitted text is saved as a draft and is there again after a restart. The widget, `#write`, exists only while
    the line is open.
    """

    def __init__(self, screen: Screen[Any], host: LineScreen, player: Player) -> None:
        """`host` is the same object as `screen`, typed as LineScreen."""
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
        """Return the footer's hints: those of the open line, else those of its screen."""
        if not self.is_open:
            return self._host.hints()
        from tracker.app.widgets.passage_input import LEAVE, SUBMIT

        editor = self._host.hint("passage", "Open in editor")
        return (hint_of(SUBMIT, action="focused.submit"), editor, hint_of(LEAVE, action="focused.leave"))

    def _show_hints(self) -> None:
        for foot in self._screen.query(Footer):  # a table has no footer before its second frame
            foot.update(self.hints())

    async def write(self) -> None:
        """Open the line for a new entry, with the draft from last time. If it is open already, focus it.

        In a read-only campaign show a notice instead.
        """
        if not self.is_open:
            self._item = None
        await self._open()

    async def edit(self, item: journal.JournalLine) -> None:
        """Open the line with the text of an entry, or with the draft of its new text.

        If the line is open already, only focus it. In a read-only campaign show a notice instead.
        """
        if not self.is_open:
            self._item = item
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
        line = PassageInput(self._kept(), self, placeholder=asks, id="write")
        await self._host.mount_line(line)
        line.focus()
        self._show_hints()

    def say_readonly(self) -> None:
        """Open a notice that the campaign is read-only. Drafts are not changed.

        The notice takes the text that the player may go on typing, so that it does not run commands.
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
        """Return the saved text or heading of the entry that is edited; "" for a new entry."""
        return (self._item.heading or self._item.text) if self._item else ""

    def _kept(self) -> str:
        from tracker.campaign import unsent_input

        draft = unsent_input.load_draft(self._session.save.real, self._ident())
        return "" if self._is_finished(draft) else draft or self._words()

    def _is_finished(self, draft: str) -> bool:
        """Return True if a draft was saved already: one of the last RECENT entries has the same text.

        Such a draft is left over from a crash right after saving. Return False while an entry is edited, and for "".
        """
        if not draft or self._item:
            return False
        newest = reversed(self._session.log.entries[-RECENT:])
        return any(str(entry.get("text", "")).strip() == draft for entry in newest)

    def _keep(self, words: str) -> str:
        """Save `words` as the draft, or delete the draft if they are "" or the saved text of the entry that is edited.

        Return "" on success, else the reason for the failure, which is shown as well.
        """
        from tracker.campaign import unsent_input

        try:
            unsent_input.save_draft(self._session.save.real, "" if words == self._words() else words, self._ident())
        except OSError as error:
            why = error.strerror or str(error)
            self._host.say(f"This draft can't be kept ({why}): save it with Enter, or clear it.")
            return why
        return ""

    def _save(self, text: str) -> None:
        """Save the text as a new entry, or as the new text of the entry that is edited; ignore an empty new entry.

        Raise Refused if the text is not allowed or the entry cannot be saved.
        """
        if self._item:
            journal.edit(self._session, self._item, text, self._player.voice)
        elif text:
            self._session.write(text, self._player.voice)

    def _mentioned(self, text: str) -> str:
        """Return a message about the world notes that a saved text mentions, and about names without a note.

        Return "" if the text mentions nothing.
        """
        from tracker.campaign.mentions import notice

        return notice(self._session, text, lambda _: current_key(self._screen, "W"))

    def changed(self) -> None:
        """Save the draft SOON seconds after the last change of the line."""
        if self._timer:
            self._timer.stop()
        self._timer = self._screen.set_timer(SOON, self.keep)

    async def submit(self) -> None:
        """Make the entry and close the line; if the text is refused, show the reason and leave the line open.

        Do nothing if the line is closed already.
        """
        if not self.is_open:
            return
        text = self._text()
        try:
            self._save(text.strip())
        except Refused as error:
            self._host.say(str(error))
            return
        await self._close("", self._mentioned(text))

    async def escape(self, event: events.Key) -> None:
        """Consume the key event and close the line, with its text kept as a draft; do nothing if the line is closed.

        If the draft cannot be saved, the line stays open.
        """
        if self.is_open:
            event.stop()
            event.prevent_default()
            await self.leave()

    async def leave(self) -> None:
        """Save the draft and close the line. If saving fails, the line stays open and the reason is shown.

        Do nothing if the line is closed already.
        """
        if not self.is_open:
            return
        begun = self._text()
        kept = bool(begun) and begun != self._words()
        await self._close(begun, f"Draft kept: {self._again} continues it." if kept else "")

    async def put_away(self) -> bool:
        """Save the draft and close the line, if it is open; return True.

        Return False if saving failed, so that the line stays open.
        """
        if self.is_open:
            await self.leave()
        return not self.is_open

    @property
    def _again(self) -> str:
        """The key that opens the line again."""
        return current_key(self._screen, "e" if self._item else "j")

    def _text(self) -> str:
        """Return the text of the line, or "" if it is closed."""
        return str(getattr(self._screen.query_one("#write"), "value", "")) if self.is_open else ""

    def keep(self) -> str:
        """Save the draft of an open line.

        Return "" on success or if the line is closed, else the reason for the failure. The reason is shown as well.
        """
        return self._keep(self._text()) if self.is_open else ""

    async def _close(self, begun: str, notice: str) -> None:
        """Remove the line and show `notice`. Save `begun` as the draft first, or delete the draft if it is "".

        If saving fails, the line stays open and the reason is shown.
        """
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
        """Open the text of the line, or the draft of a new entry, in the player's editor, and save the result.

        It becomes a new entry, or the new text of the entry that is being edited in the open line. If the editor fails
        or changes nothing, or the text is refused, show that and keep the text as a draft. In a read-only campaign show
        a notice instead. The app waits for the editor.
        """
        if not self.is_open:
            self._item = None
        await self._edit_passage()

    async def _edit_passage(self) -> None:
        from tracker.app.external_editor import run_editor
        from tracker.campaign import unsent_input

        if self._session.readonly:
            self.say_readonly()
            return
        begun = self._text() if self.is_open else self._kept()
        save, ident = self._session.save.real, self._ident()
        try:
            # Create even an empty file: an editor would create it readable for all.
            path = unsent_input.write_draft(save, begun, ident)
        except OSError as error:
            self._host.say(f"Can't make a file for your editor: {error.strerror}.")
            return
        problem = run_editor(self._screen.app, path)
        text = unsent_input.load_draft(save, ident)
        if not problem and text and text != begun:
            try:
                self._save(text)
            except Refused as error:
                problem = str(error)
            else:
                await self._close("", self._mentioned(text))
                return
        await self._not_written(problem, text, begun)

    async def _not_written(self, problem: str, text: str, begun: str) -> None:
        """Show why the editor's text was not saved as an entry, and keep it as a draft and in the line if that is open.

        `problem` is the reason, or "" if the editor returned nothing new. `text` is what the editor has left in the
        draft's file. `begun` is the text that the editor was given; it is kept if `text` is "".
        """
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
