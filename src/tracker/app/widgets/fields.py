"""Fields of a sheet, each with its widget: a row, a tile, a grid of flags."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import accumulate
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
    counted,
    field_row,
    fit,
    longest_allowed,
    pips_in,
    ruler,
    segments,
)
from tracker.app.widgets.base import DOWN, LEFT, PRESS, RIGHT, UP, CursorList, ValueWidget
from tracker.games.api.format import signed
from tracker.games.api.view import Clock, Counter, Flag, Flags, Line, Meter, Momentum, Stat

F = TypeVar("F", bound=Meter | Counter | Clock | Line | Momentum)


class FieldRow(ValueWidget[F], can_focus=True):
    """`columns` are the cells for label and picture, the same for all rows of a pane.

    A field without a path is only shown and takes no focus. One that has just changed says by how much, until
    something else happens.
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
        """Return the row as drawn now, with the cursor on the number if this widget has the focus."""
        return field_row(
            self.data.label,
            picture,
            number,
            note,
            width=self.size.width,
            columns=self.columns,
            focus=self.has_focus,
            delta=self.delta,
        )


def _changed(old: F, new: F) -> int:
    """By how much; not where it is somebody else's number now."""
    if old.at != new.at or isinstance(old.value, str) or isinstance(new.value, str):
        return 0
    return new.value - old.value


class MeterRow(FieldRow[Meter | Counter | Clock]):
    """A number with its picture, if it has one."""

    def render(self) -> Content:
        match self.data:
            case Meter(value=value, high=high, note=note, marks=marks):
                picture = pips_in(value, high, self.columns[1], marks=marks)
                return self.row(picture, str(value), _of_most(self.data, note, self.size.width - sum(self.columns)))
            case Clock(value=value, segments=high):
                return self.row(segments(value, high), str(value), f"of {high}")
            case Counter(value=value, note=note, sign=sign):
                return self.row(counted(value, sign, self.columns[1]), str(value), note)


def _of_most(meter: Meter, note: str, room: int) -> str:
    """The note, and what it is out of where that is told, or cannot be counted; the note alone if both do not fit."""
    if not meter.told:
        return note or (f"of {meter.high}" if meter.high > LONGEST_PIPS else "")  # a bar cannot be counted
    both = f"of {meter.high} {note}".rstrip()
    return both if len(both) < room - len("    2  ") or not note else note


class LineRow(FieldRow[Line]):
    """A text. `+` and `-` cannot change it, so `at` is None; its path is `data.at`."""

    @property
    def at(self) -> str | None:
        return None

    def render(self) -> Content:
        focus = self.has_focus
        if not self.data.label:  # it speaks for itself, in all of the row
            return fit(self.data.value, self.size.width)
        width = self.columns[0]
        label = column(fit(self.data.label, width - 1), width - 1)
        value = fit(self.data.value, self.size.width - width - 1)
        return Content.assemble(
            label.stylize("bold $primary" if focus else "$muted"),
            ("►" if focus else " ", "$cur-bg"),
            value.stylize(CURSOR) if focus else value,
            ("◄" if focus else "", "$cur-bg"),
        )


class Cell(FieldRow[Counter | Line]):
    """A small field among others in one row. A text is only shown."""

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
    """Three rows: the number in the column of the meters, the ruler, and the words under it."""

    DEFAULT_CSS = "MomentumRuler { height: 3; }"

    def render(self) -> Content:
        number = self.row(Content(), signed(self.data.value), self.data.note)
        return Content("\n").join([number, *ruler(self.data)])


class Tile(ValueWidget[Stat], can_focus=True):
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
    """One place for Tab. The arrows move inside it; at an edge they are left to the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, LEFT, RIGHT]
    DEFAULT_CSS = "FlagGrid { height: auto; }"

    class Toggled(Message):
        """A click on a flag, which asks to change it."""

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
