"""The things that a character has: a list of all of them, and the panes beside the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import NULL_OFFSET, Offset, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.message import Message
from textual.widget import Widget

from tracker.app.drawings import CURSOR, column, field_row, fit, pips, pips_in
from tracker.app.key_queue import current_key
from tracker.app.widgets.base import (
    DOWN,
    PRESS,
    UP,
    CachedWidget,
    CursorList,
    Pane,
    ValueWidget,
    scroll_top,
    with_more_notes,
)
from tracker.app.widgets.options import Row, option_line
from tracker.app.widgets.sheet import first_rollable
from tracker.games.api.view import Action, Belonging, Holding, Mark, Meter
from tracker.records import NamedTuple

INDENT = 4
NUMBERS = 76
"""Rightmost cell of the numbers; farther right, the eye loses the row."""
_COLUMNS = (13, 9)
"""Cells for label and picture, chosen so that numbers line up with those of the sheet."""
_NAME = 17


class CursorStop(NamedTuple):
    """A place where the cursor of a HoldingList can be: a thing, one of its marks (abilities), or an action.

    On a mark, `thing` is set too. All three are None if the list is empty.
    """

    thing: Belonging | None = None
    mark: Mark | None = None
    action: Action | None = None


class HoldingList(CursorList[tuple[Holding, ...], CursorStop]):
    """List of the things that a character has, such as assets, with their marks (abilities) and actions.

    All texts are shown in full if there is room. Otherwise only the thing under the cursor has its full text, and each
    other one takes a line.
    """

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, PRESS]
    DEFAULT_CSS = "HoldingList { height: 1fr; }"

    class Pressed(Message):
        """Message that Enter was pressed on the stop `stop_at`, or that it was clicked.

        A click is only reported on an action, and on a thing or mark that had the cursor already.
        """

        def __init__(self, stop: CursorStop) -> None:
            super().__init__()
            self.stop_at = stop

    class Moved(Message):
        """Message that the cursor has moved to another stop."""

    @property
    def here(self) -> CursorStop:
        return super().here or CursorStop()

    @property
    def at(self) -> str | None:
        thing, mark, _ = self.here
        return thing.number.at if thing and thing.number and not mark else None

    def stops(self) -> list[CursorStop]:
        found: list[CursorStop] = []
        for holding in self.data:
            for thing in holding.things:
                found += [CursorStop(thing), *(CursorStop(thing, mark) for mark in thing.marks)]
            found += [CursorStop(action=action) for action in holding.actions if not action.reason]
        return found

    def identity(self, stop: CursorStop) -> tuple[str, str, str]:
        thing, mark, action = stop
        return thing.id if thing else "", mark.at if mark else "", f"{action.key} {action.label}" if action else ""

    def stand_on(self, thing: str) -> None:
        """Put the cursor on the thing with this id; do nothing if it is not in the list."""
        ids = [stop.thing.id if stop.thing else None for stop in self.stops()]
        if thing in ids:
            self.move_to(ids.index(thing))

    # -- drawing ----------------------------------------------------------------------------------------

    def render(self) -> Content:
        height = self.size.height
        lines = self._lines()
        under = [y for y, (_, stop) in enumerate(lines) if stop == self.cursor]
        self.top = scroll_top(self.top, under, height, len(lines))
        seen = [line for line, _ in lines[self.top : self.top + height]]
        below = len(lines) - self.top - height
        return with_more_notes(seen, self.top + 1 if self.top else 0, below + 1 if below > 0 else 0)

    def _lines(self) -> list[tuple[Content, int | None]]:
        """Return (text, index of its stop) for every line; the index is None for a heading."""
        whole = list(self._drawn(unfolded=True))
        return whole if len(whole) <= self.size.height else list(self._drawn(unfolded=False))

    def _drawn(self, *, unfolded: bool) -> Iterator[tuple[Content, int | None]]:
        width, stop = self.size.width, 0
        stops = self.stops()
        current = self.here.thing
        for number, holding in enumerate(self.data):
            if number and unfolded:
                yield Content(), None
            yield fit(Content.assemble((holding.title, "bold $primary"), (f"   {holding.note}", "$muted")), width), None
            if not holding.things and holding.empty:
                yield fit(Content.styled(f"  {holding.empty}", "$muted"), width), None
            for thing in holding.things:
                opened = unfolded or thing is current
                for line in _thing(thing, width, opened=opened, focus=self._is_here(stop)):
                    yield line, stop
                stop += 1
                for mark in thing.marks:
                    if opened:
                        for line in _mark(mark, width, focus=self._is_here(stop)):
                            yield line, stop
                    stop += 1
            labels = max((Content(action.label).cell_length for action in holding.actions), default=0)
            for action in holding.actions:
                free = not action.reason
                row = Row(action.label, action, action.key, action.note, action.reason)
                line = option_line(
                    row,
                    labels,
                    width - 1,
                    current=free and stops[stop].action == action and stop == self.cursor,
                    focus=self.has_focus,
                )
                yield line.pad_left(1), stop if free else None
                stop += free

    def _is_here(self, stop: int) -> bool:
        return stop == self.cursor and self.has_focus

    # -- moving -----------------------------------------------------------------------------------------

    def move_beyond(self, step: int) -> None:
        """Do nothing: the cursor stays at the first or last stop."""

    def moved(self, was: CursorStop | None) -> None:  # noqa: ARG002
        self.post_message(self.Moved())

    def action_press(self) -> None:
        self.post_message(self.Pressed(self.here))

    def stop_at(self, offset: Offset) -> int | None:
        lines = self._lines()
        y = self.top + offset.y
        return lines[y][1] if y < len(lines) else None

    def clicked(self, index: int) -> None:
        again = index == self.cursor
        self.move_to(index)
        if again or self.here.action:
            self.action_press()


def _thing(thing: Belonging, width: int, *, opened: bool, focus: bool) -> Iterator[Content]:
    """Yield the lines of a thing in at most `width` cells: name, kind and note, with the number at the right edge.

    If `opened` is True, a long note gets lines of its own; otherwise the marks are shown as boxes beside the
    number.
    """
    edge = min(width, NUMBERS)
    right = _right(thing, opened=opened, focus=focus)
    room = edge - right.cell_length
    left = Content.assemble(
        ("► ", "bold $cur-bg") if focus else "  ",
        (thing.name, "bold $primary" if focus else "bold"),
        (f"  {thing.kind}" if thing.kind else "", "$muted"),
    )
    noted = Content.assemble(left, f"  {thing.note}" if thing.note else "")
    below = opened and noted.cell_length > room - 2
    yield Content.assemble(column(fit(left if below else noted, room - 2), room), right)
    if below:
        for line in Content.styled(thing.note, "$muted").wrap(width - INDENT):
            yield line.pad_left(INDENT)


def _right(thing: Belonging, *, opened: bool, focus: bool) -> Content:
    parts: list[Content | tuple[str, str]] = []
    if thing.marks and not opened:
        parts.append(("".join("■" if mark.on else "□" for mark in thing.marks), "$muted"))
    if number := thing.number:
        if isinstance(number, Meter):
            parts.append((f"  {number.note}  " if number.note else "  ", "$bad"))
            parts.append(pips(number.value, number.high))
        parts.append((f" ‹ {number.value} ›", CURSOR) if focus else (f"   {number.value}  ", "bold"))
    return Content.assemble(*parts)


def _mark(mark: Mark, width: int, *, focus: bool) -> Iterator[Content]:
    sign = ("■ ", "$key") if mark.on else ("□ ", "$faint")
    style = "bold $primary" if focus else "" if mark.on else "$muted"
    for n, line in enumerate(Content.styled(mark.text or "–", style).wrap(width - INDENT - 2)):
        if n:
            yield line.pad_left(INDENT + 2)
        else:
            before = ("► ".rjust(INDENT), "bold $cur-bg") if focus else " " * INDENT
            yield Content.assemble(before, sign, line)


class ThingRow(ValueWidget[Belonging], can_focus=True):
    """Widget for one thing on the sheet: its name or number, and a row for each of its marks (abilities).

    Texts of marks are wrapped as far as there are rows; those of checked marks come first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [PRESS]

    class Pressed(Message):
        """Message that the thing with the id `thing` was clicked, or Enter pressed on it, to see it in full."""

        def __init__(self, thing: str) -> None:
            super().__init__()
            self.thing = thing

    @property
    def at(self) -> str | None:
        return self.data.number.at if self.data.number else None

    def rows(self, width: int) -> tuple[int, int, int]:
        """Return three numbers of rows at this width: one row for each mark; checked marks in full; all marks in full.

        Each includes the row of the name.
        """
        lines = 1 + len(self.data.marks)
        more = [(part.on, len(_wrapped(part, width)) - 1) for part in self.data.marks]
        return lines, lines + sum(n for on, n in more if on), lines + sum(n for _, n in more)

    def render(self) -> Content:
        width, height = self.size
        lines = [self._first(width)]
        parts = self.data.marks if height > 1 else []
        spare = height - 1 - len(parts)
        whole: set[int] = set()
        for index in sorted(range(len(parts)), key=lambda index: not parts[index].on):
            more = len(_wrapped(parts[index], width)) - 1
            if more <= spare:
                whole.add(index)
                spare -= more
        for index, part in enumerate(parts):
            lines += _wrapped(part, width) if index in whole else [fit(_part(part), width)]
        return Content("\n").join(lines[:height])

    def _first(self, width: int) -> Content:
        this, number = self.data, self.data.number
        if number:
            picture = pips_in(number.value, number.high, _COLUMNS[1]) if isinstance(number, Meter) else Content()
            name = this.note or this.name
            remark = number.note or this.kind
            return field_row(
                name, picture, str(number.value), remark, width=width, columns=_COLUMNS, focus=self.has_focus
            )
        marked = f"{sum(mark.on for mark in this.marks)} of {len(this.marks)}" if this.marks else this.note or this.kind
        note = Content.styled(marked, "$muted")
        room = width
        if note:
            room = max(_NAME, Content(this.name).cell_length + 3)
            room = min(room, max(width - note.cell_length, width // 2))
        label = fit(this.name, room - 1 - 2 * self.has_focus)
        if self.has_focus:
            label = Content.assemble(("►", "$cur-bg"), label.stylize(CURSOR), ("◄", "$cur-bg"))
        return Content.assemble(column(label, room), fit(note, width - room))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        self.post_message(self.Pressed(self.data.id))


def _part(part: Mark) -> Content:
    mark = ("■ ", "") if part.on else ("□ ", "$faint")
    return Content.assemble("  ", mark, (part.text, "" if part.on else "$muted"))


def _wrapped(part: Mark, width: int) -> list[Content]:
    """Return the text of a mark wrapped to `width` cells, its box in the first row and the other rows indented."""
    inset = 4
    drawn = _part(part)
    rows = drawn[inset:].wrap(width - inset)
    return [Content.assemble(drawn[:inset] if n == 0 else " " * inset, row) for n, row in enumerate(rows)]


class _Stacked(Layout):
    """Layout of things below each other, each with as many rows as fit.

    Each thing gets a row for its name. Rows left over go first to one row for each mark, then to the full texts of
    checked marks, then to those of all marks; things at the top get them first.
    """

    name = "stacked"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        width = size.width
        taken = [child.rows(width) if isinstance(child, ThingRow) else (1, 1, 1) for child in children]
        heights = [1] * len(children)
        for look in zip(*taken, strict=True):
            # Who comes first gets more first.
            for n, rows in enumerate(look):
                if sum(heights) - heights[n] + rows <= size.height:
                    heights[n] = rows
        placements: list[WidgetPlacement] = []
        y = 0
        for child, height in zip(children, heights, strict=True):
            placements.append(WidgetPlacement(Region(0, y, width, height), NULL_OFFSET, Spacing(), child))
            y += height
        return placements


_STACKED = _Stacked()


class HoldingsPane(Pane):
    """A pane of the sheet for one kind of thing, such as assets. It scrolls with the focus if it has too few rows."""

    DEFAULT_CSS = """
    HoldingsPane { overflow-y: auto; scrollbar-size-vertical: 0; }
    """

    def __init__(self, holding: Holding) -> None:
        self.data = holding
        super().__init__(holding.title, *_widgets(holding), id=holding.id, hint=holding.note)
        self.add_class("holdings")
        self.set_class(not holding.things, "empty")

    @property
    def layout(self) -> Layout:
        return _STACKED

    def rows(self, width: int) -> tuple[int, int, int]:
        """Return three numbers of rows at this width: with all texts in full; a row for each mark; names alone.

        Each is at least 1.
        """
        taken = [row.rows(width) for row in self.query_children(ThingRow)]
        return sum(rows[2] for rows in taken) or 1, sum(rows[0] for rows in taken) or 1, len(taken) or 1

    def show(self, holding: Holding) -> bool:
        """Show these things instead. Return True if the number of rows may have changed.

        If the number of things differs, their widgets are replaced a moment later.
        """
        if holding == self.data:
            return False
        before, self.data = self.data, holding
        self.border_subtitle = Content(holding.note)
        self.set_class(not holding.things, "empty")
        rows = list(self.query_children(ThingRow))
        if len(holding.things) != len(rows) or not rows:
            self.call_later(self._rebuild)
            return True
        for row, thing in zip(rows, holding.things, strict=True):
            row.update(thing)
        return [thing.marks for thing in holding.things] != [thing.marks for thing in before.things]

    async def _rebuild(self) -> None:
        """Replace all rows by those of `data`. The focus stays on the row of the same thing.

        If that thing is gone, the focus goes to the first stat.
        """
        with self.app.batch_update():
            old = list(self.children)
            await self.mount(*_widgets(self.data))
            under = self.screen.focused
            if isinstance(under, ThingRow) and under in old:
                new = (row for row in self.query_children(ThingRow) if row not in old)
                same = next((row for row in new if row.data.id == under.data.id), None)
                self.screen.set_focus(same or first_rollable(self.screen))
            await self.remove_children(old)
        self.refresh(layout=True)


class EmptyNotice(CachedWidget):
    """Widget that replaces the things of an empty pane: the pane's title and the key that adds a thing."""

    DEFAULT_CSS = "EmptyNotice { height: 1; }"

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def render(self) -> Content:
        how = f"None yet: {current_key(self, 'b')} adds one."
        return Content.assemble((f"{self._title}  ", "$muted"), (how, "$faint"))


def _widgets(holding: Holding) -> Iterator[Widget]:
    if not holding.things:
        yield EmptyNotice(holding.title)
    yield from map(ThingRow, holding.things)
