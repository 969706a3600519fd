"""Reader: the full text of a move, a table, a foe or another piece of a pack, with links to follow and to go back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.keymap import Hint
from tracker.app.screens.base import Modal, PageToRead
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import DIGITS, OptionPicker, Row
from tracker.games.api import content as games_content
from tracker.text import shown

if TYPE_CHECKING:
    from tracker.content.pack_pages import TextLine, TextPage

LINK_KEYS = DIGITS + "abcdefghijklmnopqrstuvwxyz"
"""Hotkeys of links. Links after the last one are reached with Tab and arrows."""


class ReaderScreen(Modal[None]):
    """Screen with a page of a pack.

    A link opens its page in the same screen; Esc goes back one page, or closes the screen. A piece that is in no pack
    of the campaign is shown as missing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "back", "Back", id="reader.back", tooltip="Back to the page before, or leave."),
        Binding("f2", "leave", "Close", id="reader.leave", tooltip="Close the reader.", show=False),
        Binding("up", "scroll(-1)", "Up", id="reader.up", tooltip="Scroll up.", show=False),
        Binding("down", "scroll(1)", "Down", id="reader.down", tooltip="Scroll down.", show=False),
        Binding("pageup", "page(-1)", "Page up", id="reader.pageup", tooltip="Scroll a page up.", show=False),
        Binding(
            "pagedown,space", "page(1)", "Page down", id="reader.pagedown", tooltip="Scroll a page down.", show=False
        ),
        Binding("home", "end(-1)", "Top", id="reader.home", tooltip="Go to the top.", show=False),
        Binding("end", "end(1)", "Bottom", id="reader.end", tooltip="Go to the bottom.", show=False),
    ]
    DEFAULT_CSS = """
    ReaderScreen #card { overflow-y: auto; scrollbar-size-vertical: 1; }
    ReaderScreen OptionPicker { max-height: 40; }
    """

    def __init__(self, heading: Heading, content: games_content.Content, reading: PageToRead) -> None:
        self._content = content
        self._read = [reading]
        super().__init__(heading, self._page().title, self._page().place)
        self.add_class("whole")

    def _page(self) -> TextPage:
        from tracker.content.pack_pages import TextLine, TextPage, page_of

        reading = self._read[-1]
        missing = TextLine("This text is in a pack that is missing: tracker packs lists those you have.")
        return page_of(self._content, *reading) or TextPage("Missing", reading.id, (missing,))

    def body(self) -> Iterator[Widget]:
        yield Lines((), id="text")
        yield OptionPicker((), listed=True, id="links")

    def hints(self) -> tuple[Hint, ...]:
        links = [row.key for row in self._links() if row.key]
        follow = (Hint(f"{links[0]}-{links[-1]}" if len(links) > 1 else links[0], "Follow", ""),) if links else ()
        return (self.hint("scroll(1)", "Scroll", also="scroll(-1)"), *follow, self.hint("back"))

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _links(self) -> tuple[Row, ...]:
        links = self._page().links
        keys = LINK_KEYS.ljust(len(links))
        rows = [Row(shown(link.label), PageToRead(link.kind, link.id), key.strip()) for link, key in zip(links, keys)]  # noqa: B905
        return (Row("Links"), *rows) if rows else ()

    def _show(self) -> None:
        page = self._page()
        box = self.query_one("#card", Box)
        box.call(page.title)
        box.border_subtitle = Content(page.place)
        lines = [part for line in page.lines for part in drawn(line, self.room - 1)]
        self.query_one("#text", Lines).update(tuple(lines))
        self.query_one(OptionPicker).show(self._links())
        self.query_one(Footer).update(self.hints())

    def on_key(self, event: events.Key) -> None:
        row = next((row for row in self._links() if row.key and row.key == event.character), None)
        if row:
            event.stop()
            self._follow(row.value)

    def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        self._follow(message.row.value)

    def _follow(self, reading: PageToRead) -> None:
        if reading != self._read[-1]:
            self._read.append(reading)
            self._turn()

    def _turn(self) -> None:
        self.set_focus(None)
        self.query_one("#card").scroll_home(animate=False)
        self._show()

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(row for row in self._links() if row.key)

    def action_scroll(self, rows: int) -> None:
        self.query_one("#card").scroll_relative(y=rows, animate=False)

    def action_page(self, pages: int) -> None:
        card = self.query_one("#card")
        card.scroll_relative(y=pages * max(1, card.size.height - 1), animate=False)

    def action_end(self, way: int) -> None:
        card = self.query_one("#card")
        (card.scroll_end if way > 0 else card.scroll_home)(animate=False)

    def action_back(self) -> None:
        if len(self._read) > 1:
            self._read.pop()
            self._turn()
        else:
            self.dismiss(None)

    def action_leave(self) -> None:
        self.dismiss(None)


def drawn(line: TextLine, room: int) -> Iterator[Content]:
    """Yield a paragraph in lines of at most `room` cells.

    The first begins with its `lead`, such as a bullet; the others are indented by as many cells.
    """
    style = "bold" if line.heading else ""
    lead = Content.styled(shown(line.lead), "$faint")
    width = max(10, room - lead.cell_length)
    for number, part in enumerate(Content.styled(shown(line.text), style).wrap(width) or [Content()]):
        yield Content.assemble(Content(" " * lead.cell_length) if number else lead, part)
