"""Writing in the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual import events
from textual.screen import Screen

from tracker.app.key_queue import key_now
from tracker.app.widgets.footer import Footer, Hint
from tracker.campaign import journal
from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from textual.await_complete import AwaitComplete
    from textual.timer import Timer
    from textual.widget import AwaitMount
    from textual.widgets import Input

    from tracker.app.widgets.line_input import LineInput

WRITING = (
    Hint("Enter", "Save the line", "save_line"),
    Hint("^o", "Go on in your editor", "passage"),
    Hint("Esc", "Later, the line is kept", "keep_line"),
)


SOON = 0.5
"""Seconds after the last key of a line."""


@runtime_checkable
class Keeps(Protocol):
    """A screen whose unfinished input survives leaving it."""

    session: Session

    def keep_begun(self) -> str:
        """Store unfinished input. Return "" on success, else the reason it failed."""


class Writes(Screen[None]):
    """The line at the foot of the journal. What is begun and left is kept, over a restart too."""

    session: Session
    player: Player
    _of: journal.JournalLine | None = None
    """The item whose words are changed; None where a new line is written."""
    _keeping: Timer | None = None

    def say(self, notice: str) -> None:
        raise NotImplementedError

    def hints(self) -> tuple[Hint, ...]:
        raise NotImplementedError

    def lay_line(self, line: LineInput) -> AwaitMount | AwaitComplete:
        """Put the line where it is written."""
        return self.mount(line)

    def after_line(self) -> None:
        """Give the focus back."""
        raise NotImplementedError

    def hints_now(self) -> tuple[Hint, ...]:
        """Those of the line while it is open."""
        return WRITING if self.query("#write") else self.hints()

    def _show_hints(self) -> None:
        for foot in self.query(Footer):  # a table has none before its second frame
            foot.update(self.hints_now())

    async def action_write(self) -> None:
        """Open the line; what was typed and left is still there."""
        if not self.query("#write"):
            self._of = None
        await self.open_line()

    async def open_line(self) -> None:
        from tracker.app.widgets.line_input import LineInput

        if self.query("#write"):
            self.query_one("#write").focus()
            return
        if self.session.readonly:
            self._say_readonly()
            return
        speaks = f"{self.player.name}: what happens, Enter saves" if len(self.player.party) > 1 else ""
        asks = "how it should read, Enter saves" if self._of else speaks or "write what happens, Enter saves"
        line = LineInput(self.kept(), placeholder=asks, id="write", select_on_focus=False)
        await self.lay_line(line)
        line.focus()
        self._show_hints()

    def _say_readonly(self) -> None:
        """What was begun elsewhere is not touched, either."""
        self.say(f"This campaign is open for reading only: {self.session.readonly}.")

    def _ident(self) -> str:
        return str(self._of.entry["id"]) if self._of else ""

    def _words(self) -> str:
        """What the entry says now that is edited."""
        return (self._of.heading or self._of.text) if self._of else ""

    def kept(self) -> str:
        from tracker.app import drafts

        return drafts.load_draft(self.session.save.real, self._ident()) or self._words()

    def _keep(self, words: str) -> str:
        """Keep what was begun for later; why not, and said, where that cannot be done."""
        from tracker.app import drafts

        try:
            drafts.save_draft(self.session.save.real, "" if words == self._words() else words, self._ident())
        except OSError as error:
            why = error.strerror or str(error)
            self.say(f"The line cannot be kept ({why}): Enter saves it, or empty it first.")
            return why
        return ""

    def _save(self, text: str) -> None:
        """Refused, where it cannot be an entry."""
        if self._of:
            journal.edit(self.session, self._of, text, self.player.active)
        elif text:
            self.session.write(text, self.player.active)

    def on_input_changed(self, message: Input.Changed) -> None:
        """A moment after the last key the line is kept as it stands, so that not even a kill takes it along."""
        if message.input.id == "write":
            if self._keeping:
                self._keeping.stop()
            self._keeping = self.set_timer(SOON, self.keep_begun)

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        try:
            self._save(message.value.strip())
        except Refused as error:
            self.say(str(error))
            return
        await self._close_line("", "")

    async def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and self.query("#write"):
            event.stop()
            event.prevent_default()
            await self.action_keep_line()

    async def action_keep_line(self) -> None:
        begun = self.begun()
        kept = bool(begun) and begun != self._words()
        await self._close_line(begun, f"The line is kept: {self._again} goes on with it." if kept else "")

    async def put_line_away(self) -> bool:
        """Keep the line that is open, and close it; False where it cannot be kept."""
        if self.query("#write"):
            await self.action_keep_line()
        return not self.query("#write")

    @property
    def _again(self) -> str:
        """The key that opens the line once more."""
        return key_now(self, "e" if self._of else "j")

    async def action_save_line(self) -> None:
        from textual.widgets import Input

        await self.query_one("#write", Input).action_submit()

    def begun(self) -> str:
        """What stands in the line, if it is open."""
        return str(getattr(self.query_one("#write"), "value", "")) if self.query("#write") else ""

    def keep_begun(self) -> str:
        """Store the line that is open. Return "" on success, else the reason it failed."""
        return self._keep(self.begun()) if self.query("#write") else ""

    async def _close_line(self, begun: str, notice: str) -> None:
        """Keep the line, then remove it. If it cannot be kept, it stays open."""
        from tracker.app.textual_private import forget_widget

        if self._keep(begun):
            return
        for line in self.query("#write").results():
            await line.remove()
            forget_widget(self, line)
        self._show_hints()
        self.after_line()
        self.say(notice)

    # -- a long passage ---------------------------------------------------------------------------------

    async def action_passage(self) -> None:
        """Write in the player's own editor, with what stands in the line already in it."""
        if not self.query("#write"):
            self._of = None
        await self.edit_passage()

    async def edit_passage(self) -> None:
        from tracker.app import drafts
        from tracker.app.external_editor import run_editor

        if self.session.readonly:
            self._say_readonly()
            return
        begun = self.begun() if self.query("#write") else self.kept()
        save, ident = self.session.save.real, self._ident()
        try:
            path = drafts.write_draft(
                save, begun, ident
            )  # even an empty one: an editor would create it readable for all
        except OSError as error:
            self.say(f"No passage can be written beside the save: {error.strerror}.")
            return
        problem = run_editor(self.app, path)
        text = drafts.load_draft(save, ident)
        if not problem and text and text != begun:
            try:
                self._save(text)
            except Refused as error:
                problem = str(error)
            else:
                await self._close_line("", "")
                return
        await self._not_written(problem, text, begun)

    async def _not_written(self, problem: str, text: str, begun: str) -> None:
        """The editor has brought nothing to save; what there is stays in the line."""
        left = text or begun
        why = problem or ("The editor has changed nothing." if text else "The editor has left nothing.")
        stays = bool(text) and text != self._words()  # in the file, as the editor has left it
        if stays or not self._keep(left):
            for line in self.query("#write").results():
                line.value = left  # type: ignore[attr-defined]
            kept = bool(left) and left != self._words()
            stands = bool(self.query("#write"))
            goes_on = "Enter saves the line as it stands." if stands else f"It is kept: {self._again} goes on with it."
            self.say(f"{why} {goes_on}" if kept else why)
