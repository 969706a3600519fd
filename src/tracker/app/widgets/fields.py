"""Widgets for the fields of a sheet: a row, a tile, a grid of flags, a grid of ratings."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import accumulate, chain
from typing import ClassVar, TypeVar

from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset, Size
from textual.message import Message

from tracker.app.drawings import (
    COLUMNS,
    CURSOR,
    LONGEST_PIPS,
    centred,
    column,
    field_row,
    fit,
    longest_allowed,
    pips_in,
    repeat_sign,
    ruler,
    segments,
)
from tracker.app.widgets.base import DOWN, LEFT, PRESS, RIGHT, UP, CursorList, Pane, ValueWidget
from tracker.games.api.phrases import signed
from tracker.games.api.view import Clock, Counter, Flag, Flags, Line, Meter, Momentum, Ratings, Stat

GAP = 3
"""Largest number of cells between two columns of ratings."""
_EDGES = 2
_TITLE = 6
"""Cells of the frame that a title cannot use."""
F = TypeVar("F", bound=Meter | Counter | Clock | Line | Momentum)


class FieldRow(ValueWidget[F], can_focus=True):
    """Base of the widgets that show one field of a sheet in a row.

    `columns` are the cells for label and picture, the same for all rows of a pane. A field without a path cannot be
    changed and takes no focus. After a change, `delta` is the difference of the values; it is shown until the next
    update.
    """

    delta = 0

    def __init__(
        self,
        data: F,
        *,
        columns: tuple[int, int] = COLUMNS,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(data, id=id, classes=classes)
        self.columns = columns

    @property
    def at(self) -> str | None:
        return self.data.at or None

    def allow_focus(self) -> bool:
        return bool(self.data.at)

    def look(self) -> Hashable:
        return self.data, self.has_focus, self.delta

    def update(self, data: F) -> None:
        was, self.delta = self.delta, _changed(self.data, data)
        if self.delta != was and data == self.data:
            self.refresh()
        super().update(data)

    def row(self, picture: Content, number: str, note: str) -> Content:
        """Return the row with this picture, number and note. With the focus, the cursor is drawn on the number."""
        return field_row(
            self.data.label,
            picture,
            number,
            note,
            width=self.size.width,
            columns=self.columns,
            focus=self.has_focus,
            delta=self.delta,
            marks=isinstance(self.data, Meter) and self.data.marks,
        )


def _changed(old: F, new: F) -> int:
    """Return the new value minus the old one; 0 if the fields have different paths or a value is text."""
    if old.at != new.at or isinstance(old.value, str) or isinstance(new.value, str):
        return 0
    return new.value - old.value


class MeterRow(FieldRow[Meter | Counter | Clock]):
    """Widget for a meter, clock or counter of a sheet: the number with pips, segments or signs."""

    def render(self) -> Content:
        match self.data:
            case Meter(value=value, high=high, note=note, marks=marks):
                picture = pips_in(value, high, self.columns[1], marks=marks)
                return self.row(picture, str(value), _of_most(self.data, note, self.size.width - sum(self.columns)))
            case Clock(value=value, segments=high):
                return self.row(segments(value, high), str(value), f"of {high}")
            case Counter(value=value, note=note, sign=sign):
                return self.row(repeat_sign(value, sign, self.columns[1]), str(value), note)


def _of_most(meter: Meter, note: str, room: int) -> str:
    """Return the text after a meter's number: "of" and the maximum, if the meter shows it, then the note.

    If both do not fit in `room` cells, return only the note. If there is no note, a meter drawn as a bar always shows
    its maximum.
    """
    if not meter.told:
        return note or (f"of {meter.high}" if meter.high > LONGEST_PIPS else "")  # a bar cannot be counted
    both = f"of {meter.high} {note}".rstrip()
    return both if len(both) < room - len("    2  ") or not note else note


class LineRow(FieldRow[Line]):
    """Widget for a text of a sheet, with the cursor on the text.

    `+` and `-` cannot change a text, so `at` is None; the path of the text is `data.at`.
    """

    @property
    def at(self) -> str | None:
        return None

    @property
    def _indent(self) -> int:
        """Number of cells to the left of the text: the column of the label, or 0 for a text without a label."""
        return self.columns[0] if self.data.label else 0

    def rows(self, width: int) -> int:
        """Return the number of rows that the whole text needs in a pane of `width` cells."""
        return line_rows(self.data, width, self._indent)

    def render(self) -> Content:
        focus, indent = self.has_focus, self._indent
        room = max(1, self.size.width - indent - bool(indent))
        lines = Content(self.data.value).wrap(room) or [Content()]
        if len(lines) > self.size.height:  # what has no rows of its own is cut in the last
            kept = max(0, self.size.height - 1)
            lines = [*lines[:kept], fit(Content(" ").join(lines[kept:]), room)]
        if not indent:
            return Content("\n").join(lines)
        label = column(fit(self.data.label, indent - 1), indent - 1)
        return Content.assemble(
            label.stylize("bold $primary" if focus else "$muted"),
            ("►" if focus else " ", "$cur-bg"),
            lines[0].stylize(CURSOR) if focus else lines[0],
            ("◄" if focus else "", "$cur-bg"),
            *(Content.assemble("\n", line.pad_left(indent)) for line in lines[1:]),
        )


def line_rows(line: Line, width: int, indent: int = COLUMNS[0]) -> int:
    """Return the number of rows that a line of the sheet needs for its whole text, in `width` cells.

    The first `indent` cells of each row are for its label.
    """
    room = max(1, width - indent - 1 if line.label else width)
    return max(1, len(Content(line.value).wrap(room)))


class Cell(FieldRow[Counter | Line]):
    """Widget for a small field of a sheet that shares a row with others.

    `+` and `-` change a counter, but not a text.
    """

    DEFAULT_CSS = "Cell { width: auto; }"

    @property
    def at(self) -> str | None:
        return self.data.at or None if isinstance(self.data, Counter) else None

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return Content(f"{self.data.label} {self.data.value}").cell_length + len("   ")

    def update(self, data: Counter | Line) -> None:
        wider = len(str(data.value)) != len(str(self.data.value))
        super().update(data)
        if wider:
            self.refresh(layout=True)

    def render(self) -> Content:
        label = f"{self.data.label} "
        value = str(self.data.value)
        if self.has_focus:
            ends = "bold $primary"
            return Content.assemble((label, ends), ("‹", ends), (value, CURSOR), ("›", ends))
        return Content.assemble((label, "$muted"), fit(value, self.size.width - len(label)).stylize("bold"))


class MomentumRuler(FieldRow[Momentum]):
    """Widget for momentum, three rows high: label and number, the track, and the labels of the track."""

    DEFAULT_CSS = "MomentumRuler { height: 3; }"

    def render(self) -> Content:
        number = self.row(Content(), signed(self.data.value), self.data.note)
        return Content("\n").join([number, *ruler(self.data)])


class Tile(ValueWidget[Stat], can_focus=True):
    """Widget for a stat of a sheet, with its value above its name. Enter or a click starts its roll.

    The hotkey is underlined in the name.
    """

    BINDINGS: ClassVar[list[BindingType]] = [PRESS]
    DEFAULT_CSS = """
    Tile { width: 7; height: 2; }
    Tile:hover { text-style: bold; }
    """

    class Pressed(Message):
        """Message that a stat was clicked, or Enter pressed on it."""

        def __init__(self, tile: Tile) -> None:
            super().__init__()
            self.tile = tile

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


class FlagGrid(CursorList[Flags, Flag]):
    """Widget for the flags of a sheet, such as debilities, in rows and columns. The whole grid is one stop for Tab.

    Arrows move inside it; an arrow beyond an edge is left to the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, LEFT, RIGHT]
    DEFAULT_CSS = "FlagGrid { height: auto; }"

    class Toggled(Message):
        """Message that a flag was clicked. The grid does not change the flag itself."""

        def __init__(self, flag: Flag) -> None:
            super().__init__()
            self.flag = flag

    def stops(self) -> tuple[Flag, ...]:
        return self.data.flags

    def identity(self, stop: Flag) -> str:
        return stop.id

    def allow_focus(self) -> bool:
        return bool(self.data.flags)

    def update(self, data: Flags) -> None:
        rows = len(self._rows())
        super().update(data)
        if len(self._rows()) != rows:
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self._rows())

    def _rows(self) -> list[tuple[Flag, ...]]:
        flags, per_row = self.data.flags, self.data.per_row
        return [flags[start : start + per_row] for start in range(0, len(flags), per_row)]

    def _widths(self) -> list[int]:
        """Return the width of each column in cells: its longest label, or less for the widest columns if too wide."""
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
        current = self.here if self.has_focus else None
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
        self.move_to(row * self.data.per_row + min(place + columns, len(grid[row]) - 1))

    def stop_at(self, offset: Offset) -> int | None:
        rows = self._rows()
        place = next((n for n, right in enumerate(accumulate(self._widths())) if offset.x < right), None)
        if offset.y >= len(rows) or place is None or place >= len(rows[offset.y]):
            return None
        return offset.y * self.data.per_row + place

    def clicked(self, index: int) -> None:
        self.move_to(index)
        self.post_message(self.Toggled(self.data.flags[index]))


def _drawn(flag: Flag, width: int, *, under_cursor: bool) -> Content:
    mark, label = ("■", "bold $bad") if flag.on else ("□", "$muted")
    name = fit(flag.label, width - 2)
    return Content.assemble(
        (mark, "$bad" if flag.on else "$faint"),
        ("►" if under_cursor else " ", "$cur-bg"),
        name.stylize(CURSOR if under_cursor else label),
    )


class RatingsGrid(CursorList[tuple[Ratings, ...], Stat]):
    """Widget for ratings in columns, each under a head that is a stat too. The whole grid is one stop for Tab.

    Arrows move inside it; an arrow beyond an edge is left to the screen. Enter or a click starts a roll.
    """

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, LEFT, RIGHT, PRESS]
    DEFAULT_CSS = "RatingsGrid { height: auto; }"

    class Pressed(Message):
        """Message that a rating or a head was clicked, or Enter pressed on it."""

        def __init__(self, stat: Stat) -> None:
            super().__init__()
            self.stat = stat

    cursor = 1
    """The index of the first rating at first; stops go down the columns, each from its head."""

    def stops(self) -> tuple[Stat, ...]:
        return tuple(chain.from_iterable(self._cells()))

    def identity(self, stop: Stat) -> str:
        return stop.at or stop.label

    @property
    def at(self) -> str | None:
        return self.here.at if self.here else None

    @property
    def rows(self) -> int:
        """Number of rows that the grid needs, heads included; 0 without ratings."""
        return max(map(len, self._cells()), default=0)

    def allow_focus(self) -> bool:
        return bool(self.data)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self.rows

    def _cells(self) -> list[tuple[Stat, ...]]:
        return [(ratings.head, *ratings.stats) for ratings in self.data]

    def _widths(self) -> tuple[int, int, int, int]:
        """Return (name, value, note, step) in cells; `step` is from the start of one column of ratings to the next.

        `note` is 0 if there is no room for notes.
        """
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
    def hidden_notes(self) -> tuple[str, ...]:
        """Notes for which the grid has no room, so that the pane's title shows them; () if the grid has room.

        They are texts "label note" for the stats whose `begun` is True.
        """
        if not self.data or self._widths()[2]:
            return ()
        return tuple(f"{stat.label} {stat.note}" for cells in self._cells() for stat in cells if stat.begun)

    def render(self) -> Content:
        name, value, note, step = self._widths()
        here = self.here if self.has_focus else None

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

    def _index(self, row: int, place: int) -> int:
        """Return the index of the stop in this row of the column `place`; row 0 has the heads."""
        return sum(map(len, self._cells()[:place])) + row

    def _place(self) -> tuple[int, int]:
        """Return the (row, column) of the cursor."""
        row = self.cursor
        for place, cells in enumerate(self._cells()):
            if row < len(cells):
                return row, place
            row -= len(cells)
        return 0, 0

    def action_move(self, rows: int, columns: int) -> None:
        row, place = self._place()
        row, place = row + rows, place + columns
        cells = self._cells()
        if not (0 <= place < len(cells) and 0 <= row < self.rows):
            raise SkipAction
        self.move_to(self._index(min(row, len(cells[place]) - 1), place))

    def action_press(self) -> None:
        if self.here:
            self.post_message(self.Pressed(self.here))

    def stop_at(self, offset: Offset) -> int | None:
        cells = self._cells()
        place = offset.x // self._widths()[3] if cells else 0
        return self._index(offset.y, place) if place < len(cells) and offset.y < len(cells[place]) else None

    def clicked(self, index: int) -> None:
        self.move_to(index)
        self.action_press()


class RatingsPane(Pane):
    """Pane with a RatingsGrid, over the whole width of the table."""

    def __init__(self, title: str, ratings: tuple[Ratings, ...], *, id: str) -> None:  # noqa: A002
        self.grid = RatingsGrid(ratings)
        self._title = title
        super().__init__(title, self.grid, id=id, hint="Enter rolls")

    @property
    def rows(self) -> int:
        return self.grid.rows

    def show(self, title: str, ratings: tuple[Ratings, ...]) -> None:
        """Show these ratings under this title. The pane is hidden if there are none."""
        self._title = title
        self.display = bool(ratings)
        self.grid.update(ratings)
        self._retitle()

    def on_resize(self) -> None:
        self._retitle()

    def _retitle(self) -> None:
        """Add the notes for which the grid has no room to the title.

        As many are added as fit in full, then the number of the others.
        """
        notes = self.grid.hidden_notes
        for many in range(len(notes), 0, -1):
            more = f", {len(notes) - many} more" if many < len(notes) else ""
            told = f"{self._title}: {', '.join(notes[:many])}{more}"
            if len(told) <= self.size.width - _TITLE:
                self.call(told)
                return
        self.call(self._title)
