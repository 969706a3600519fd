"""The sheet of the active character: widgets for each kind of field, its pane, and a summary of another member."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import accumulate, chain
from typing import Any, ClassVar, TypeVar

from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import NULL_OFFSET, Offset, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

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
from tracker.app.key_queue import current_key
from tracker.app.widgets.base import DOWN, LEFT, PRESS, RIGHT, UP, CachedWidget, CursorList, Pane, ValueWidget
from tracker.games.api.phrases import signed
from tracker.games.api.view import (
    Clock,
    Counter,
    Field,
    Flag,
    Flags,
    Line,
    Meter,
    Momentum,
    Ratings,
    Row,
    Stat,
    each,
)

NARROW = 6
"""Most letters of a name if all tiles are to fit in one row."""
AIR = 3
"""Empty rows between the groups: under the stats, above the flags and below them."""
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
    its maximum. Return "" if there is neither.
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

    If it has a label, the first `indent` cells of each row are for that.
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
        """Message that the stat of `tile` was clicked, or Enter pressed on it."""

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
        """Message that `flag` was clicked. The grid does not change the flag itself."""

        def __init__(self, flag: Flag) -> None:
            super().__init__()
            self.flag = flag

    def stops(self) -> tuple[Flag, ...]:
        return self.data.flags

    def identity(self, stop: Flag) -> str:
        return stop.id

    def allow_focus(self) -> bool:
        return bool(self.data.flags)

    def point_at(self, flag: Flag | None) -> None:
        """Put the cursor on the flag with the same id as `flag`; leave it where it is if there is none."""
        stops = enumerate(self.stops())
        self.cursor = next((n for n, stop in stops if flag and stop.id == flag.id), self.cursor)

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
        """Return the width of each column in cells, with the box and a blank: as much as its longest label needs.

        If all columns together are too wide for the grid, the widest ones are made narrower.
        """
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
        """Message that a rating or a head, `stat`, was clicked, or Enter pressed on it."""

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
            told = f"{self._title}: marks {', '.join(notes[:many])}{more}"
            if len(told) <= self.size.width - _TITLE:
                self.call(told)
                return
        self.call(self._title)


# -- the pane -------------------------------------------------------------------------------------------

_KINDS: dict[type, Any] = {Stat: Tile, Momentum: MomentumRuler, Flags: FlagGrid, Line: LineRow}


class _SheetLayout(Layout):
    """Layout of fields below each other.

    If there is room, long texts are wrapped and groups get blank rows between them.
    """

    name = "sheet"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        assert isinstance(parent, SheetPane)
        spare = max(0, size.height - parent.rows)
        longer: dict[Widget, int] = {}
        for child in children:
            if isinstance(child, LineRow):
                longer[child] = min(spare, child.rows(size.width) - 1)
                spare -= longer[child]
        air = min(AIR, spare)
        tiles = parent.tile_rows
        placements: list[WidgetPlacement] = []
        y = 0
        for child in children:
            is_flags = isinstance(child, FlagGrid)
            if is_flags and air >= 2:
                y += 1
            height = tiles if child.id == "tiles" else _height(child) + longer.get(child, 0)
            placements.append(WidgetPlacement(Region(0, y, size.width, height), NULL_OFFSET, Spacing(), child))
            y += height
            if (child.id == "tiles" and air >= 1) or (is_flags and air >= AIR):
                y += 1
        return placements


_LAYOUT = _SheetLayout()


class NoCharacterNotice(CachedWidget):
    def render(self) -> Content:
        return Content.assemble(("You have no character yet.", "$muted"), f"\n{current_key(self, 'c')} makes one.")


class SheetPane(Pane):
    """Pane of the table with the fields of a character.

    Widgets are reused while the kinds of fields stay the same, else all are rebuilt. At first only the fields
    before the flags have widgets; `lay_the_rest` adds the others.
    """

    DEFAULT_CSS = """
    SheetPane { overflow-y: auto; scrollbar-size-vertical: 0; }
    .cells { layout: horizontal; height: 1; }
    #tiles.roomy { layout: grid; grid-size: 3; grid-rows: 2; height: 4; }
    #tiles.roomy Tile { width: 100%; }
    """

    @property
    def rows(self) -> int:
        """Number of rows that the fields need without blank rows between groups; 2 without fields."""
        return self.tile_rows + sum(_rows(field) for field in self.fields) or 2

    def wraps(self, width: int) -> int:
        """Return how many rows more than `rows` the fields need if long texts are wrapped in full at `width` cells."""
        return sum(line_rows(field, width) - 1 for field in self.fields if isinstance(field, Line))

    @property
    def tile_rows(self) -> int:
        """Number of rows for the tiles of the stats: 4 if a stat has a long name, else 2; 0 without stats."""
        stats = any(isinstance(field, Stat) for field in self.fields)
        return 0 if not stats else 4 if self.roomy else 2

    @property
    def roomy(self) -> bool:
        """True if a stat has a name too long for a narrow tile, so that the sheet should be wider."""
        return any(isinstance(field, Stat) and len(field.label) > NARROW for field in self.fields)

    @property
    def layout(self) -> Layout:
        return _LAYOUT

    def __init__(self, title: str, fields: tuple[Field, ...], *, id: str) -> None:  # noqa: A002
        self.fields = fields
        self._whole = False
        self._hidden = (0, 0)
        self._waits = False
        """True while a rebuild is pending and the widgets still belong to the old fields."""
        super().__init__(title, *self._widgets(self._above()), id=id, hint="+ - change, Enter rolls")

    def hide(self, rows: int, things: int) -> None:
        """Show in the title that this many rows of the sheet and things below it are hidden; nothing if both are 0."""
        if (rows, things) != self._hidden:
            self._hidden = rows, things
            self.call(self._caption)

    def call(self, title: str) -> None:
        rows, things = self._hidden
        more = f"{rows + things} more" + (f" with {current_key(self, 'b')}" if things and not rows else "")
        super().call(f"{title}   ↓ {more}" if rows or things else title)
        self._caption = title

    def _above(self) -> int:
        """Return the number of fields before the flags, or of all fields if there are no flags."""
        return next((n for n, field in enumerate(self.fields) if isinstance(field, Flags)), len(self.fields))

    def _widgets(self, upto: int | None = None) -> Iterator[Widget]:
        if not self.fields:
            yield NoCharacterNotice()
            return
        made = [_made(field) for field in self.fields[:upto]]
        if tiles := [widget for widget in made if isinstance(widget, Tile)]:
            yield CachedWidget(*tiles, id="tiles", classes="roomy" if self.roomy else "")
        yield from (widget for widget in made if not isinstance(widget, Tile))

    async def lay_the_rest(self) -> None:
        """Coroutine that mounts the widgets of the flags and all later fields. Does nothing if they are mounted."""
        if not self._whole:  # else it was built anew in the meantime
            self._whole = True
            await self.mount(*map(_made, self.fields[self._above() :]))

    def show(self, title: str, fields: tuple[Field, ...]) -> None:
        """Show these fields of a character under this title; unchanged fields are not repainted.

        If the kinds of fields differ, the widgets are rebuilt a moment later.
        """
        self.call(title)
        if self._waits or list(map(_make, fields)) != list(map(_make, self.fields)):
            self.fields = fields
            if not self._waits:
                self._waits = True
                self.call_later(self._rebuild)
            return
        self.fields = fields
        drawn: list[Any] = [widget for child in self.children for widget in child.children or (child,)]
        stats_first = sorted(fields, key=lambda field: not isinstance(field, Stat))
        for widget, field in zip(drawn, each(stats_first), strict=False):
            widget.update(field)

    async def _rebuild(self) -> None:
        """Coroutine that replaces all widgets by new ones for `fields`; the cursor stays on what it was on."""
        focused = self.screen.focused
        mine = focused is None or self in focused.ancestors or bool(self.query(NoCharacterNotice))
        if focused and self in focused.ancestors:
            self.screen.set_focus(None)  # or Textual would focus a widget of another pane when this one goes
        self._whole = True
        built: tuple[Field, ...] | None = None
        while built is None or list(map(_make, built)) != list(map(_make, self.fields)):  # it may change meanwhile
            await self.remove_children()
            built = self.fields
            await self.mount(*self._widgets())
        self._waits = False
        self.show(self._caption, self.fields)
        self.refresh(layout=True)
        now = self.screen.focused
        if mine and (now is None or (now is focused and now.id != "write")):  # else the player types by now
            same = (widget for widget in self.query(ValueWidget) if focused and _shows_same(focused, widget))
            if there := next(same, None) or first_rollable(self.screen):
                if isinstance(focused, FlagGrid) and isinstance(there, FlagGrid):
                    there.point_at(focused.here)
                there.focus()


def _shows_same(old: Widget, new: Widget) -> bool:
    """Return True if the two widgets are for the same field of a sheet: for flags, or for the same path."""
    if isinstance(old, FlagGrid) or isinstance(new, FlagGrid):
        return isinstance(old, FlagGrid) and isinstance(new, FlagGrid)
    at = old.data.at if isinstance(old, FieldRow | Tile) else ""
    return bool(at) and isinstance(new, FieldRow | Tile) and new.data.at == at


def first_rollable(screen: Screen[Any]) -> Widget | None:
    """Return the widget that gets the focus by default: the first stat or grid of ratings; None if there is none."""
    return next(iter(screen.query("RatingsGrid, Tile")), None)


def _make(field: Field) -> object:
    """Return a key for the kind of a field: fields with the same key can be shown by the same widget."""
    return tuple(map(type, field.fields)) if isinstance(field, Row) else type(field)


def _rows(field: Field) -> int:
    if isinstance(field, Stat):
        return 0
    if isinstance(field, Flags):
        return -(-len(field.flags) // field.per_row)
    return 3 if isinstance(field, Momentum) else 1


def _height(widget: Widget) -> int:
    if isinstance(widget, NoCharacterNotice):
        return 2
    return _rows(widget.data) if isinstance(widget, ValueWidget) else 1


def _made(field: Field) -> Widget:
    if isinstance(field, Row):
        return CachedWidget(*map(Cell, field.fields), classes="cells")
    widget: Widget = _KINDS.get(type(field), MeterRow)(field)
    return widget


class MemberSummary(ValueWidget[tuple[Field, ...]]):
    """Pane of the table with a member who is not active, in a few lines that cannot be changed.

    They are stats, meters, momentum and set flags.
    """

    def rows(self, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width)[: self.size.height])

    def _lines(self, width: int) -> list[Content]:
        stats = [field for field in self.data if isinstance(field, Stat)]
        lines: list[Content] = []
        if stats:
            parts = (Content.assemble((f"{stat.label} ", "$muted"), (str(stat.value), "bold")) for stat in stats)
            line = Content("  ").join(parts)
            lines += [line, Content()] if line.cell_length <= width else line.wrap(width)
        for field in self.data:
            if isinstance(field, Meter):
                lines.append(
                    field_row(
                        field.label,
                        pips_in(field.value, field.high, COLUMNS[1], marks=field.marks),
                        str(field.value),
                        field.note,
                        width=width,
                    )
                )
            elif isinstance(field, Momentum):
                lines.append(field_row(field.label, Content(), signed(field.value), field.note, width=width))
                lines += ruler(field)
            elif isinstance(field, Flags) and (on := [flag.label for flag in field.flags if flag.on]):
                lines.append(fit(Content.assemble(("■ ", "$bad"), (", ".join(on), "bold $bad")), width))
        return lines
