"""Marks side by side, with one cursor among them."""

from __future__ import annotations

from itertools import accumulate
from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tracker.app.drawings import CURSOR, column, fit, longest_allowed
from tracker.app.widgets.value_widget import DOWN, LEFT, RIGHT, UP, ValueWidget
from tracker.games.api.view import Flag, Flags


class FlagGrid(ValueWidget[Flags], can_focus=True):
    """One place for Tab. The arrows move inside it; at an edge they are left to the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, LEFT, RIGHT]
    DEFAULT_CSS = "FlagGrid { height: auto; }"

    class Toggled(Message):
        """A click on a flag, which asks to change it."""

        def __init__(self, grid: FlagGrid, flag: Flag) -> None:
            super().__init__()
            self.grid = grid
            self.flag = flag

        @property
        def control(self) -> FlagGrid:
            return self.grid

    cursor: int = 0

    @property
    def flag(self) -> Flag | None:
        """The one under the cursor."""
        return self.data.flags[self.cursor] if self.data.flags else None

    def allow_focus(self) -> bool:
        return bool(self.data.flags)

    def update(self, data: Flags) -> None:
        rows = len(self._rows())
        super().update(data)
        self.cursor = max(0, min(self.cursor, len(data.flags) - 1))
        if len(self._rows()) != rows:
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self._rows())

    def _rows(self) -> list[tuple[Flag, ...]]:
        flags, per_row = self.data.flags, self.data.per_row
        return [flags[start : start + per_row] for start in range(0, len(flags), per_row)]

    def _widths(self) -> list[int]:
        """Each column is as wide as its longest flag and a blank; if that is too much, the widest yield."""
        flags, per_row = self.data.flags, self.data.per_row
        longest = [
            max((Content(flag.label).cell_length for flag in flags[start::per_row]), default=0)
            for start in range(per_row)
        ]
        around = len("□ ") + len(" ")
        limit = longest_allowed(longest, self.size.width + 1 - around * per_row)
        return [min(length, limit) + around for length in longest]

    def render(self) -> Content:
        widths = self._widths()
        current = self.flag if self.has_focus else None
        return Content("\n").join(
            Content.assemble(
                *(
                    column(_drawn(flag, width - 1, under_cursor=flag is current), width)
                    for flag, width in zip(row, widths, strict=False)
                )
            )
            for row in self._rows()
        )

    def action_move(self, rows: int, columns: int) -> None:
        row, place = divmod(self.cursor, self.data.per_row)
        grid = self._rows()
        if not (0 <= row + rows < len(grid) and 0 <= place + columns < len(grid[row])):
            raise SkipAction
        row += rows
        self._go(row * self.data.per_row + min(place + columns, len(grid[row]) - 1))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        rows = self._rows()
        if offset is None or offset.y >= len(rows):
            return
        for place, right in enumerate(accumulate(self._widths())):
            if offset.x < right and place < len(rows[offset.y]):
                self._go(offset.y * self.data.per_row + place)
                self.post_message(self.Toggled(self, rows[offset.y][place]))
                return

    def _go(self, index: int) -> None:
        self.cursor = index
        self.refresh()


def _drawn(flag: Flag, width: int, *, under_cursor: bool) -> Content:
    mark, label = ("■", "bold $bad") if flag.on else ("□", "$muted")
    name = fit(flag.label, width - 2)
    return Content.assemble(
        (mark, "$bad" if flag.on else "$faint"),
        ("►" if under_cursor else " ", "$cur-bg"),
        name.stylize(CURSOR if under_cursor else label),
    )
