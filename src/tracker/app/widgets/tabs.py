"""The row of tabs above a narrow window's right column."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message

from tracker.app.drawings import fit
from tracker.app.widgets.base import ValueWidget
from tracker.records import NamedTuple


class TabState(NamedTuple):
    """The data of a Tabs widget: the names of all tabs, and the name of the open one."""

    names: tuple[str, ...]
    open: str


class Tabs(ValueWidget[TabState]):
    """Widget with a row of tabs, such as `┤ Tracks ├─ Journal ── Rolls ─`.

    In a narrow window there is less space around the names; if they still do not fit, tabs that are not open only
    show their first letter.
    """

    class Picked(Message):
        """Message that the tab `name` was clicked. The widget does not open the tab by itself."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def _parts(self) -> list[tuple[str, Content]]:
        names = sum(map(len, self.data.names))
        whole = names + 4 * len(self.data.names) < self.size.width
        tight = names + 2 * len(self.data.names) + 2 < self.size.width
        parts = [("", Content.styled("┬", "$rule"))]
        for name in self.data.names:
            if name == self.data.open:
                part = Content.assemble(("┤ ", "$rule"), (name, "bold $primary"), (" ├", "$rule"))
            elif whole:
                part = Content.assemble(("─ ", "$rule"), (name, "$muted"), (" ─", "$rule"))
            else:
                word = name if tight else name[:1]
                part = Content.assemble(("─", "$rule"), (word, "$muted"), ("─", "$rule"))
            parts.append((name, part))
        return parts

    def render(self) -> Content:
        line = Content.assemble(*(part for _, part in self._parts()))
        return fit(Content.assemble(line, ("─" * (self.size.width - line.cell_length), "$rule")), self.size.width)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        x = 0
        for name, part in self._parts():
            if name and offset is not None and x <= offset.x < x + part.cell_length:
                self.post_message(self.Picked(name))
            x += part.cell_length
