"""A stat that is rolled with: value over name."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from tracker.app.draw import CURSOR, centred
from tracker.app.widgets.drawn import PRESS, Drawn
from tracker.games.sheet import Stat


class Tile(Drawn[Stat], can_focus=True):
    """Pressing it starts the stat's roll; the letter that does the same is underlined."""

    BINDINGS: ClassVar[list[BindingType]] = [PRESS]
    DEFAULT_CSS = """
    Tile { width: 7; height: 2; }
    Tile:hover { text-style: bold; }
    """

    class Pressed(Message):
        """A click or Enter on a stat."""

        def __init__(self, tile: Tile) -> None:
            super().__init__()
            self.tile = tile

        @property
        def control(self) -> Tile:
            return self.tile

    @property
    def at(self) -> str | None:
        return self.data.at or None

    def render(self) -> Content:
        width = self.size.width - 1
        plate, edge = (CURSOR, "$cur-bg") if self.has_focus else ("on $chip-bg", "$faint")
        value = centred(str(self.data.value), width).stylize("bold").stylize(plate)
        name = centred(self.data.label, width).stylize(plate)
        hot = name.plain.lower().find(self.data.hot.lower())
        if self.data.hot and hot >= 0:
            name = name.stylize("underline" if self.has_focus else "bold underline $key", hot, hot + 1)
        return Content.assemble(("►" if self.has_focus else "▎", edge), value, "\n", ("▎", edge), name)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        self.post_message(self.Pressed(self))
