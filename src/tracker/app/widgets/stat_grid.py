"""Stats as columns of one grid, each under its head, with one cursor among them."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tracker.app.drawings import CURSOR, column, fit
from tracker.app.widgets.base import DOWN, LEFT, PRESS, RIGHT, UP, Pane, ValueWidget
from tracker.games.api.view import Ratings, Stat

GAP = 3
"""Cells between the columns, at most."""
_EDGES = 2
_TITLE = 6
"""Cells of the frame that no title takes."""


class RatingsGrid(ValueWidget[tuple[Ratings, ...]], can_focus=True):
    """One place for Tab. The arrows move inside it; at an edge they are left to the screen. Enter starts the roll."""

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, LEFT, RIGHT, PRESS]
    DEFAULT_CSS = "RatingsGrid { height: auto; }"

    class Pressed(Message):
        """A click or Enter on one of them."""

        def __init__(self, stat: Stat) -> None:
            super().__init__()
            self.stat = stat

    cursor = (1, 0)
    """Row and column; row 0 are the heads."""

    @property
    def stat(self) -> Stat | None:
        """The one under the cursor."""
        row, place = self.cursor
        cells = self._cells()
        return cells[place][row] if place < len(cells) and row < len(cells[place]) else None

    @property
    def at(self) -> str | None:
        return self.stat.at if self.stat else None

    @property
    def rows(self) -> int:
        """How many it takes."""
        return max(map(len, self._cells()), default=0)

    def allow_focus(self) -> bool:
        return bool(self.data)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self.rows

    def _cells(self) -> list[tuple[Stat, ...]]:
        return [(ratings.head, *ratings.stats) for ratings in self.data]

    def _widths(self) -> tuple[int, int, int, int]:
        """Cells for name, value and note of each, and from one column to the next."""
        stats = [stat for cells in self._cells() for stat in cells]
        name, value, note = (
            max((Content(str(part)).cell_length for part in parts), default=0)
            for parts in zip(*((stat.label, stat.value, stat.note) for stat in stats), strict=True)
        )
        each = (self.size.width + 1) // len(self.data)
        if name + value + note + _EDGES + 4 > each:  # a note is worth less than half a name
            note = 0
        else:
            note += 2
        name = min(name, each - value - note - _EDGES - 2)
        return name, value, note, min(each, name + value + note + _EDGES + 1 + GAP)

    @property
    def unshown(self) -> tuple[str, ...]:
        """What has begun to be counted and has no room beside its number."""
        if not self.data or self._widths()[2]:
            return ()
        return tuple(f"{stat.label} {stat.note}" for cells in self._cells() for stat in cells if stat.begun)

    def render(self) -> Content:
        name, value, note, step = self._widths()
        here = self.stat if self.has_focus else None

        def drawn(stat: Stat, *, is_head: bool) -> Content:
            label = column(fit(stat.label, name), name + 1)
            hot = label.plain.lower().find(stat.hot.lower()) if stat.hot else -1
            focus = stat is here
            ink = "bold" if is_head or any(map(str.isdigit, str(stat.value))) else "$faint"
            if hot >= 0:
                label = label.stylize("underline" if focus else "bold underline $key", hot, hot + 1)
            words = Content.assemble(
                label, (str(stat.value).rjust(value), ink), (stat.note.rjust(note)[-note:] if note else "", "$muted")
            )
            if focus:
                return Content.assemble(("►", "$cur-bg"), (words.plain, CURSOR), ("◄", "$cur-bg"))
            if is_head:
                return Content.assemble(" ", words.stylize("bold"), " ")
            return Content.assemble(("▐", "$chip"), words.stylize("on $chip-bg"), ("▌", "$chip"))

        columns = self._cells()
        lines = [
            Content.assemble(
                *(column(drawn(cells[row], is_head=row == 0), step) for cells in columns[:-1] if row < len(cells)),
                drawn(columns[-1][row], is_head=row == 0) if row < len(columns[-1]) else "",
            )
            for row in range(self.rows)
        ]
        return Content("\n").join(fit(line, self.size.width) for line in lines)

    def action_move(self, rows: int, columns: int) -> None:
        row, place = self.cursor[0] + rows, self.cursor[1] + columns
        cells = self._cells()
        if not (0 <= place < len(cells) and 0 <= row < self.rows):
            raise SkipAction
        self._go(min(row, len(cells[place]) - 1), place)

    def action_press(self) -> None:
        if self.stat:
            self.post_message(self.Pressed(self.stat))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        if offset is None or not self.data:
            return
        place = offset.x // self._widths()[3]
        cells = self._cells()
        if place < len(cells) and offset.y < len(cells[place]):
            self._go(offset.y, place)
            self.action_press()

    def _go(self, row: int, place: int) -> None:
        self.cursor = row, place
        self.refresh()


class RatingsPane(Pane):
    """The grid in its frame, over the whole width of the table."""

    def __init__(self, title: str, ratings: tuple[Ratings, ...], *, id: str) -> None:  # noqa: A002
        self.grid = RatingsGrid(ratings)
        self._title = title
        super().__init__(title, self.grid, id=id, hint="Enter rolls")

    @property
    def rows(self) -> int:
        return self.grid.rows

    def show(self, title: str, ratings: tuple[Ratings, ...]) -> None:
        """Show these; where there are none it is not there at all."""
        self._title = title
        self.display = bool(ratings)
        self.grid.update(ratings)
        self._retitle()

    def on_resize(self) -> None:
        self._retitle()

    def _retitle(self) -> None:
        """What has no room in the grid stands in its title: as many as fit, none of them cut."""
        notes = self.grid.unshown
        for many in range(len(notes), 0, -1):
            more = f", {len(notes) - many} more" if many < len(notes) else ""
            told = f"{self._title}: {', '.join(notes[:many])}{more}"
            if len(told) <= self.size.width - _TITLE:
                self.call(told)
                return
        self.call(self._title)
