"""Writing in the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.screen import Screen

from tracker.app.view import View
from tracker.app.widgets.foot import Foot, Hint
from tracker.app.widgets.tile import Tile
from tracker.games.refused import Refused
from tracker.table.session import Session

if TYPE_CHECKING:
    from textual.widgets import Input

WRITING = (Hint("Enter", "Save the line", "save_line"), Hint("Esc", "Later, the line is kept", "keep_line"))


class Writes(Screen[None]):
    """The line at the foot of the journal. What is begun and left is kept, over a restart too."""

    session: Session
    view: View

    def show(self, notice: str = "") -> None:
        raise NotImplementedError

    def hints(self) -> tuple[Hint, ...]:
        raise NotImplementedError

    async def action_write(self) -> None:
        """Open the line; what was typed and left is still there."""
        from tracker.app import draft
        from tracker.app.widgets.typing import LineInput

        if self.query("#write"):
            self.query_one("#write").focus()
            return
        begun = draft.kept(self.session.save.real)
        line = LineInput(begun, placeholder="write what happens, Enter saves", id="write", select_on_focus=False)
        await self.mount(line)
        line.focus()
        for foot in self.query(Foot):  # a key may come before the second frame
            foot.update(WRITING)

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        text = message.value.strip()
        try:
            if text:
                self.session.write(text, self.view.who)
        except Refused as error:
            self.show(str(error))
            return
        await self._close_line("", "")

    async def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and self.query("#write"):
            event.stop()
            await self.action_keep_line()

    async def action_keep_line(self) -> None:
        begun = self.begun()
        await self._close_line(begun, "The line is kept: j goes on with it." if begun else "")

    async def action_save_line(self) -> None:
        from textual.widgets import Input

        await self.query_one("#write", Input).action_submit()

    def begun(self) -> str:
        """What stands in the line, if it is open."""
        return str(getattr(self.query_one("#write"), "value", "")) if self.query("#write") else ""

    async def _close_line(self, begun: str, notice: str) -> None:
        """First it is kept, then it goes; where it cannot be kept it stays open."""
        from tracker.app import draft

        try:
            draft.keep(self.session.save.real, begun)
        except OSError as error:
            self.show(f"The line cannot be kept ({error.strerror}): Enter saves it, or empty it first.")
            return
        await self.query("#write").remove()
        for foot in self.query(Foot):
            foot.update(self.hints())
        if self.query(Tile):
            self.query(Tile).first().focus()
        self.show(notice)
