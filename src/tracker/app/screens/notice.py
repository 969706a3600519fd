"""Text to read: credits, or problems in the settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker import __version__, settings
from tracker.app.keymap import Hint
from tracker.app.screens.base import Modal
from tracker.app.widgets.base import Lines
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Heading
from tracker.games import GAMES
from tracker.text import shown

ABOUT = (
    f"tracker {__version__}. You tell the story; it keeps the numbers, the dice, and the journal.",
    *(game.credits for game in GAMES.values()),
)
FRAME = 4
"""Rows that header, footer and border take."""


def about_settings() -> tuple[str, ...]:
    """Return paragraphs on what the player can set, and in which file."""
    return (
        f"Your settings are lines in {settings.NAME} in {settings.folder()}. tracker reads them when it starts.",
        'theme = "vellum" sets the colors. If you choose a theme in the palette, tracker writes this line for you.',
        'dice = "typed" lets new campaigns use real dice. "rolled" is the default.',
        "recap = false opens a campaign without the recap of your last session.",
        '[keys] gives commands other keys, such as move = "M". The palette shows the name of each command.',
    )


class NoticeScreen(Modal[None]):
    """Dialog with paragraphs of text to read; Esc or Enter closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "back", "Back", id="told.back", tooltip="Go back."),
        Binding("up", "scroll(-1)", "Up", id="told.up", tooltip="Scroll up.", show=False),
        Binding("down", "scroll(1)", "Down", id="told.down", tooltip="Scroll down.", show=False),
        Binding("pageup", "page(-1)", "Page up", id="told.pageup", tooltip="Scroll a page up.", show=False),
        Binding("pagedown", "page(1)", "Page down", id="told.pagedown", tooltip="Scroll a page down.", show=False),
        Binding("home", "end(-1)", "Top", id="told.home", tooltip="Go to the top.", show=False),
        Binding("end", "end(1)", "Bottom", id="told.end", tooltip="Go to the bottom.", show=False),
    ]
    DEFAULT_CSS = "NoticeScreen #card { overflow-y: auto; scrollbar-size-vertical: 0; }"

    def __init__(self, heading: Heading, title: str, paragraphs: Sequence[str]) -> None:
        super().__init__(heading, title)
        self._paragraphs = paragraphs
        self._rows = 0

    def body(self) -> Iterator[Widget]:
        yield Lines((), id="told")

    def hints(self) -> tuple[Hint, ...]:
        more = (self.hint("scroll(1)", "More", also="scroll(-1)"),) if self._rows > self.size.height - FRAME else ()
        return (*more, self.hint("back"))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        lines: list[Content] = []
        for text in self._paragraphs:
            lines += [*Content(shown(text)).wrap(self.room), Content()]
        self.query_one("#told", Lines).update(tuple(lines[:-1]))
        self._rows = len(lines)
        self.query_one(Footer).update(self.hints())

    def action_scroll(self, rows: int) -> None:
        self.query_one("#card").scroll_relative(y=rows, animate=False)

    def action_page(self, pages: int) -> None:
        card = self.query_one("#card")
        card.scroll_relative(y=pages * max(1, card.size.height - 1), animate=False)

    def action_end(self, way: int) -> None:
        card = self.query_one("#card")
        card.scroll_relative(y=way * card.virtual_size.height, animate=False)

    def action_back(self) -> None:
        self.dismiss(None)
