"""Options under each other: picked by their key, by the cursor, or by a click."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tracker.app.draw import CURSOR, column, fit, odds_bar
from tracker.app.widgets.drawn import DOWN, PRESS, UP, Drawn
from tracker.games.prompts import Odds


class Row(NamedTuple):
    """One line. A row without a value is a heading; `on` makes it a choice; `reason` greys it.

    Of rows with `one_of` exactly one is taken: the one under the cursor.
    """

    label: str
    value: Any = None
    key: str = ""
    note: str = ""
    reason: str = ""
    on: bool | None = None
    odds: Odds = ()
    one_of: bool = False

    @property
    def heading(self) -> bool:
        return self.value is None


class OptionPicker(Drawn[tuple[Row, ...]], can_focus=True):
    """One place for Tab, with a cursor inside; it scrolls when there are more rows than fit."""

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, PRESS]
    DEFAULT_CSS = "OptionPicker { height: auto; max-height: 100%; }"

    class Picked(Message):
        """Enter on a row, or a click on it."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    def __init__(self, data: tuple[Row, ...] = (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(data, id=id)
        self.cursor = self._next(-1, 1)
        self.top = 0

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self.data[self.cursor] if 0 <= self.cursor < len(self.data) else None

    def allow_focus(self) -> bool:
        return self._next(-1, 1) >= 0

    def show(self, data: tuple[Row, ...], at: Any = None) -> None:
        """Show these rows, with the cursor on the one of this value, else where it was or on the first."""
        if data == self.data and at is None:
            return
        under = self.row.value if self.row and at is None else at
        self.data = data
        values = [row.value for row in data]
        self.cursor = values.index(under) if under is not None and under in values else self._next(-1, 1)
        self.top = 0
        self.refresh(layout=True)

    def _next(self, start: int, step: int) -> int:
        at = start + step
        while 0 <= at < len(self.data):
            if not self.data[at].heading and not self.data[at].reason:
                return at
            at += step
        return -1

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.data)

    def render(self) -> Content:
        width, height = self.size
        if self.cursor >= self.top + height:
            self.top = self.cursor - height + 1
        if 0 <= self.cursor < self.top:
            self.top = self.cursor
        self.top = max(0, min(self.top, len(self.data) - height))
        labels = max((Content(r.label).cell_length for r in self.data if not r.heading), default=0)
        notes = max((len(row.note) or min(10, len(row.reason)) for row in self.data if not row.heading), default=0)
        beside = 38 if any(row.odds for row in self.data) else min(24, notes + 6)
        room = min(labels, max(12, width - beside))
        seen = self.data[self.top : self.top + height]
        lines = [
            option_line(row, room, width, current=n == self.cursor, focus=self.has_focus)
            for n, row in enumerate(seen, self.top)
        ]
        return Content("\n").join(lines)

    def action_move(self, rows: int, columns: int) -> None:  # noqa: ARG002
        at = self._next(self.cursor, rows)
        if at >= 0:
            self.cursor = at
            self.refresh()
            self.post_message(self.Moved(self.data[at]))

    def action_press(self) -> None:
        if self.row:
            self.post_message(self.Picked(self.row))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        if offset is None or self.top + offset.y >= len(self.data):
            return
        row = self.data[self.top + offset.y]
        if not row.heading and not row.reason:
            self.cursor = self.top + offset.y
            self.refresh()
            self.post_message(self.Picked(row))


def option_line(row: Row, room: int, width: int, *, current: bool, focus: bool) -> Content:
    if row.heading:
        return fit(Content.styled(row.label, "$muted"), width)
    key = f"{row.key:>1} " if row.key else "  "
    taken = current if row.one_of else row.on
    mark = "" if taken is None else "■ " if taken else "□ "
    label = column(row.label, room)
    if row.reason:
        return fit(Content.assemble((f" {key}{mark}{label.plain}  ", "$faint"), (row.reason, "italic $faint")), width)
    if current and focus:
        chip = Content.assemble(("►", "$cur-bg"), (f"{key}{mark}{label.plain}", CURSOR), ("◄", "$cur-bg"))
    else:
        words = Content.assemble((key, "bold $key"), (f"{mark}{label.plain}", "bold" if row.on else ""))
        chip = Content.assemble(("▐", "$chip"), words.stylize("on $chip-bg"), ("▌", "$chip"))
    beside = Content.assemble(*_odds(row.odds, width - chip.cell_length), (f" {row.note}", "$muted"))
    return fit(Content.assemble(chip, beside), width)


def _odds(odds: Odds, room: int) -> list[Content | tuple[str, str]]:
    """Names and per cents; a bar before them where there is room for it, and in their place where there is not."""
    if not odds or room < 26:
        return []
    named = room >= 30
    parts: list[Content | tuple[str, str]] = [Content(" ")]
    if room >= 51 or not named:
        parts.append(odds_bar(odds, 20 if named else 10))
    for name, n, tone in odds:
        parts.append((f" {name} {n:>2}%" if named else f"{n:>4}", f"${tone}"))
    return parts
