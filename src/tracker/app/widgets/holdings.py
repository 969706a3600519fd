"""What somebody has, sort by sort, with one cursor over things, their marks and what brings more of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message

from tracker.app.drawings import CURSOR, column, fit, pips
from tracker.app.widgets.cursor_list import CursorList, scrolled, with_signs
from tracker.app.widgets.options import Row, option_line
from tracker.app.widgets.value_widget import DOWN, PRESS, UP
from tracker.games.api.view import Action, Belonging, Holding, Mark, Meter

INDENT = 4
NUMBERS = 76
"""Where the column of numbers ends at the latest: an eye has to find its row again."""


class Stop(NamedTuple):
    """Where the cursor can stand: on a thing, on one of its marks, or on an action of a sort."""

    thing: Belonging | None = None
    mark: Mark | None = None
    action: Action | None = None


class HoldingList(CursorList[tuple[Holding, ...], Stop]):
    """Every text in full where all of it fits; else that of the thing under the cursor, and the others as one line."""

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, PRESS]
    DEFAULT_CSS = "HoldingList { height: 1fr; }"

    class Pressed(Message):
        """Enter or a click on what can be done, or on a thing."""

        def __init__(self, stop: Stop) -> None:
            super().__init__()
            self.stop_at = stop

    class Moved(Message):
        """The cursor is somewhere else."""

    @property
    def here(self) -> Stop:
        return super().here or Stop()

    @property
    def at(self) -> str | None:
        thing, mark, _ = self.here
        return thing.number.at if thing and thing.number and not mark else None

    def stops(self) -> list[Stop]:
        found: list[Stop] = []
        for holding in self.data:
            for thing in holding.things:
                found += [Stop(thing), *(Stop(thing, mark) for mark in thing.marks)]
            found += [Stop(action=action) for action in holding.actions if not action.reason]
        return found

    def identity(self, stop: Stop) -> tuple[str, str, str]:
        thing, mark, action = stop
        return thing.id if thing else "", mark.at if mark else "", f"{action.key} {action.label}" if action else ""

    # -- drawing ----------------------------------------------------------------------------------------

    def render(self) -> Content:
        height = self.size.height
        lines = self._lines()
        under = [y for y, (_, stop) in enumerate(lines) if stop == self.cursor]
        self.top = scrolled(self.top, under, height, len(lines))
        seen = [line for line, _ in lines[self.top : self.top + height]]
        below = len(lines) - self.top - height
        return with_signs(seen, self.top + 1 if self.top else 0, below + 1 if below > 0 else 0)

    def _lines(self) -> list[tuple[Content, int | None]]:
        """Every line, with the stop that it belongs to."""
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
        """Stay at either end."""

    def moved(self, was: Stop | None) -> None:  # noqa: ARG002
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
    """Its name, what it is and is called; at the right its number, and the marks where they are not told.

    A long note has lines of its own, where there is room for them.
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
