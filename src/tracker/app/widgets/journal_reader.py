"""The full journal as a list with a cursor, read from the file in pages as needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message

from tracker.app.widgets.base import CursorList
from tracker.app.widgets.journal_pane import wrap_entry
from tracker.campaign.history import Pages
from tracker.campaign.journal import JournalLine

GUTTER = 2
NEAR = 30
"""More items are fetched if the cursor is nearer than this to the first or last loaded one."""
PAGES = 4
"""Most pages fetched at once, so that a key never waits for the whole log."""
OLDER = Binding("up", "move(-1, 0)", "Older", id="book.up", tooltip="Previous entry.", show=False)
NEWER = Binding("down", "move(1, 0)", "Newer", id="book.down", tooltip="Next entry.", show=False)


class JournalReader(CursorList[list[JournalLine], JournalLine]):
    """Widget of the journal screen: the full journal, with a cursor on one item. Only visible items are drawn.

    `read` returns the items of the loaded pages, and `draw` the text of an item; an item with an empty text is
    skipped.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        OLDER,
        NEWER,
        Binding("pageup", "page(-1)", "Page up", id="book.pageup", tooltip="Move up a page.", show=False),
        Binding("pagedown", "page(1)", "Page down", id="book.pagedown", tooltip="Move down a page.", show=False),
        Binding("home", "first", "Oldest", id="book.home", tooltip="Go to the first entry.", show=False),
        Binding("end", "newest", "Newest", id="book.end", tooltip="Go to the newest entry.", show=False),
    ]
    DEFAULT_CSS = "JournalReader { height: 1fr; width: 1fr; }"

    class Moved(Message):
        """Message that the cursor has moved.

        `missing` is the reason why more of the file could not be read, or "".
        """

        def __init__(self, missing: str) -> None:
            super().__init__()
            self.missing = missing

    def __init__(
        self, pages: Pages, read: Callable[[Pages], list[JournalLine]], draw: Callable[[JournalLine], Content]
    ) -> None:
        super().__init__([])
        self.pages = pages
        self._items_of = read
        self._draw = draw
        self._rows: dict[str, list[Content]] = {}
        self._width = 0
        self._ids: list[str] = []
        """Ids of all items that are read, with those that show nothing."""
        self._meant = ""
        """Id of the item that the cursor left only because mechanics are hidden; "" if the player moved it since."""
        self._shift = 0
        """The row of the screen where the item under the cursor begins."""
        self.led = False
        """True once Home has moved the cursor."""

    def stops(self) -> list[JournalLine]:
        return self.data

    # -- what there is ----------------------------------------------------------------------------------

    def renew(self) -> None:
        """Read the journal again after a change. The cursor stays on its item, or on the newest if it was there.

        If its item is hidden now, the cursor goes to the one before it, and back when the item is shown again.
        """
        under = self._meant or (self.here.entry["id"] if self.here else "")
        newest = self.cursor == len(self.data) - 1
        self.pages.renew()
        self._rows = {}
        self._read()
        if newest and self.pages.is_newest and not self._meant:
            self._to_last()
        else:
            self._stand(under)
            self._meant = under if self.here and self.here.entry["id"] != under else ""
        self.refresh()

    def go(self, ident: str = "") -> None:
        """Move the cursor to the item of the entry with the id `ident`, or to the newest item for "".

        The pages around the entry are read from the file if needed. If there is no such entry or the file cannot be
        read, the cursor stays.
        """
        self._rows = {}
        if not ident:
            self.pages.to_newest()
            self._read()
            self._to_last()
        else:
            self.pages.to(ident)
            self._read()
            self._stand(ident)
            self._shift = self.size.height // 3
        self._tell()

    def _read(self) -> None:
        """Read the items again. Leave out those without visible text, which are mechanics while these are hidden."""
        items = self._items_of(self.pages)
        self._ids = [item.entry["id"] for item in items]
        self.data = [item for item in items if self._content(item)]
        self.cursor = max(0, min(self.cursor, len(self.data) - 1))

    def _content(self, item: JournalLine) -> list[Content]:
        """Return the rows of an item, wrapped to the present width."""
        width = max(10, self.size.width - GUTTER)
        if width != self._width:
            self._width, self._rows = width, {}
        ident = item.entry["id"]
        if ident not in self._rows:
            drawn = self._draw(item)
            self._rows[ident] = list(wrap_entry(drawn, width)) if drawn else []
        return self._rows[ident]

    def _to_last(self) -> None:
        """Put the cursor on the newest item, with its end in the last row."""
        self.cursor = max(0, len(self.data) - 1)
        self._shift = self._bottom()

    def _bottom(self) -> int:
        """Return the row on the screen where the item under the cursor has to begin to end in the last row."""
        return self.size.height - (len(self._content(self.data[self.cursor])) if self.data else 0)

    def _stand(self, ident: str) -> None:
        """Put the cursor on the item with the id `ident`.

        If it is hidden, put the cursor on the last visible one before it.
        """
        shown = {one.entry["id"]: n for n, one in enumerate(self.data)}
        if ident in self._ids:
            before = reversed(self._ids[: self._ids.index(ident) + 1])
            self.cursor = next((shown[one] for one in before if one in shown), 0)

    def _fetch(self) -> None:
        """Read pages until NEAR items are loaded on both sides of the cursor, or the journal ends.

        At most PAGES pages are read on each side, so there may be fewer items if most are hidden.
        """
        ident = self.here.entry["id"] if self.here else ""
        for _ in range(PAGES):
            back = self.cursor < NEAR and self.pages.back()
            forth = self.cursor >= len(self.data) - NEAR and self.pages.forth()
            if not back and not forth:
                return
            self._read()
            self._stand(ident)

    # -- drawing ----------------------------------------------------------------------------------------

    def render(self) -> Content:
        height = self.size.height
        if not self.data:
            return Content.styled("No entries yet.", "$muted")
        self._place()
        rows: list[Content] = [Content()] * height
        at, n = self._shift, self.cursor
        while at > 0 and n > 0:
            n -= 1
            at -= len(self._content(self.data[n]))
        while at < height and n < len(self.data):
            for row in self._lines(n):
                if 0 <= at < height:
                    rows[at] = row
                at += 1
            n += 1
        return Content("\n").join(rows)

    def _lines(self, n: int) -> list[Content]:
        rows = self._content(self.data[n])
        if n != self.cursor:
            return [row.pad_left(GUTTER) for row in rows]
        first = next((i for i, row in enumerate(rows) if row.plain.strip()), 0)
        signs = ["  " if i < first else "► " if i == first else "│ " for i in range(len(rows))]
        return [Content.assemble((sign, "bold $primary"), row) for sign, row in zip(signs, rows, strict=True)]

    def _place(self) -> None:
        """Scroll so that the cursor is visible and no rows are left empty while there are items to fill them."""
        height = self.size.height
        size = len(self._content(self.data[self.cursor]))
        self._shift = max(min(0, height - size), min(self._shift, max(0, height - size)))
        below = sum(len(self._content(one)) for one in self.data[self.cursor : self.cursor + height])
        if self.cursor + height >= len(self.data) and self._shift + below < height:
            self._shift = height - below
        above = sum(len(self._content(one)) for one in self.data[max(0, self.cursor - height) : self.cursor])
        if self.cursor < height and self._shift > above:
            self._shift = above

    # -- moving -----------------------------------------------------------------------------------------

    def action_move(self, rows: int, columns: int) -> None:  # noqa: ARG002
        """Move the cursor to the next (`rows` 1) or previous (-1) item.

        If the present item has rows out of sight on that side, scroll through it first.
        """
        if not self.data:
            return
        size, height = len(self._content(self.data[self.cursor])), self.size.height
        hidden = -self._shift if rows < 0 else self._shift + size - height
        if hidden > 0:
            self._shift -= rows * min(hidden, max(1, height // 2))
        elif 0 <= self.cursor + rows < len(self.data):
            self.move_to(self.cursor + rows)
        self._tell()

    def move_to(self, index: int) -> None:
        """Put the cursor on the item with this index, without scrolling."""
        self._shift = self._row_of(index)
        self.cursor = index

    def _row_of(self, index: int) -> int:
        """Return the row of the screen where the item with this index begins."""
        low, high = sorted((index, self.cursor))
        rows = sum(len(self._content(one)) for one in self.data[low:high])
        return self._shift + (rows if index > self.cursor else -rows)

    def action_page(self, by: int) -> None:
        """Move the cursor about a screenful forward (`by` 1) or back (-1)."""
        self._fetch()
        rows, height = 0, self.size.height
        while rows < height - 1 and 0 <= self.cursor + by < len(self.data):
            rows += len(self._content(self.data[self.cursor]))
            self.cursor += by
        if rows:
            self._shift = 0 if by < 0 else self._bottom()
        else:
            self.action_move(by, 0)
        self._tell()

    def action_first(self) -> None:
        self.led = True
        self.pages.to_oldest()
        self._read()
        self.cursor, self._shift = 0, 0
        self._tell()

    def action_newest(self) -> None:
        self.go()

    def _tell(self) -> None:
        self._meant = ""
        self._fetch()
        self.refresh()
        self.post_message(self.Moved(self.pages.missing))
        self.pages.missing = ""

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_move(-1, 0)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_move(1, 0)

    def stop_at(self, offset: Offset) -> int | None:
        if not self.data:
            return None
        at, n = self._shift, self.cursor
        while at > offset.y and n > 0:
            n -= 1
            at -= len(self._content(self.data[n]))
        while n < len(self.data) - 1 and at + len(self._content(self.data[n])) <= offset.y:
            at += len(self._content(self.data[n]))
            n += 1
        return n

    def clicked(self, index: int) -> None:
        self.move_to(index)
        self._tell()

    def on_resize(self) -> None:
        self.refresh()
