"""A line for the journal that grows to several rows."""

from __future__ import annotations

from typing import ClassVar, Protocol

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import TextArea

from tracker.app.widgets.line_input import SIGNS

MOST_ROWS = 8
BREAKS = frozenset({"ctrl+j", "shift+enter", "alt+enter"})
"""Keys that begin a new paragraph."""


class PassageOwner(Protocol):
    """Protocol of the owner of a PassageInput, which calls these methods for what the player does in it."""

    def changed(self) -> None:
        """React to a change of the text."""

    async def submit(self) -> None:
        """Save the text as an entry and close the input."""

    async def leave(self) -> None:
        """Keep the text as a draft and close the input."""


SUBMIT = Binding("enter", "submit", "Save", id="passage.save", tooltip="Save the line in the journal.", show=False)
LEAVE = Binding(
    "escape", "leave", "Later, draft is kept", id="passage.later", tooltip="Go on later; a draft is kept.", show=False
)


class PassageInput(TextArea):
    """Input widget for text that wraps: it grows up to MOST_ROWS, then scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [SUBMIT, LEAVE]
    DEFAULT_CSS = """
    PassageInput, PassageInput:focus {
        border: none; padding: 0 1; height: 1; scrollbar-size: 0 0;
        background: $chip-bg; background-tint: $foreground 0%;
    }
    """

    def __init__(self, text: str, owner: PassageOwner, *, placeholder: str, id: str) -> None:  # noqa: A002
        self._owner = owner
        super().__init__(text, placeholder=placeholder, id=id, highlight_cursor_line=False)
        self.move_cursor(self.document.end)

    @property
    def value(self) -> str:
        return self.text

    @value.setter
    def value(self, text: str) -> None:
        self.text = text
        self.move_cursor(self.document.end)

    @property
    def rows(self) -> int:
        """Number of rows that the wrapped text needs, from 1 to MOST_ROWS."""
        return max(1, min(self.wrapped_document.height, MOST_ROWS))

    def get_line(self, line_index: int) -> Text:
        """Return a line of the text, with a visible sign in place of each control character."""
        line = super().get_line(line_index)
        return line if line.plain.isprintable() else Text(line.plain.translate(SIGNS), end="", no_wrap=True)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return blank lines once the widget is removed: Textual may paint it after it has taken its styles away."""
        return super().render_lines(crop) if self.is_attached else [Strip.blank(crop.width)] * crop.height

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.prevent_default()  # TextArea would begin a new line; the binding submits
        elif event.key in BREAKS:
            event.stop()
            event.prevent_default()
            self.replace("\n", *self.selection)

    async def _on_paste(self, event: events.Paste) -> None:
        """Insert the pasted text with its paragraphs; tabs and repeated spaces become one space."""
        event.stop()
        event.prevent_default()
        words = "\n".join(" ".join(line.split()) for line in event.text.splitlines()).strip()
        self.replace(words, *self.selection)

    # The screen calls the writer: it removes this widget, which can't be awaited from the widget's own message.

    def action_submit(self) -> None:
        self.screen.call_later(self._owner.submit)

    def action_leave(self) -> None:
        self.screen.call_later(self._owner.leave)

    def on_text_area_changed(self) -> None:
        self.grow()
        self._owner.changed()

    def on_mount(self) -> None:
        self.grow()

    def on_resize(self) -> None:
        self.grow()

    def grow(self) -> None:
        """Set the height of the widget to the rows that its text needs."""
        if self.styles.height is None or self.styles.height.value != self.rows:
            self.styles.height = self.rows
