"""The base of lists that draw themselves and have one cursor inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from textual import events
from textual.actions import SkipAction
from textual.content import Content
from textual.geometry import Offset, Size

from tracker.app.widgets.value_widget import ValueWidget

D = TypeVar("D")
T = TypeVar("T")


class CursorList(ValueWidget[D], Generic[D, T], can_focus=True):
    """A list drawn from a value `D`, with a cursor on one of its stops `T`.

    Subclasses override `clicked`, not `on_click`: Textual would call the handlers of both classes.
    """

    cursor = 0
    """Index of the stop under the cursor."""
    top = 0
    """Index of the first line, item or column in sight."""

    def stops(self) -> Sequence[T]:
        """Return everything the cursor can stand on, in order."""
        raise NotImplementedError

    def identity(self, stop: T) -> object:
        """Return what stays equal while the rest of a stop changes; the stop itself if nothing does."""
        return stop

    def stop_at(self, offset: Offset) -> int | None:
        """Return the index of the stop drawn at this offset, or None."""
        raise NotImplementedError

    @property
    def here(self) -> T | None:
        """The stop under the cursor; None in an empty list."""
        stops = self.stops()
        return stops[self.cursor] if 0 <= self.cursor < len(stops) else None

    def update(self, data: D) -> None:
        """Show this value. Keep the cursor on its stop, or at its index if that stop is gone."""
        was = self.here
        super().update(data)
        stops = self.stops()
        same = (n for n, stop in enumerate(stops) if was is not None and self.identity(stop) == self.identity(was))
        self.cursor = next(same, max(0, min(self.cursor, len(stops) - 1)))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return container.height

    def action_move(self, rows: int, columns: int) -> None:
        step = rows + columns
        if 0 <= self.cursor + step < len(self.stops()):
            self.move_to(self.cursor + step)
        else:
            self.move_beyond(step)

    def move_to(self, index: int) -> None:
        """Put the cursor on the stop of this index."""
        if index != self.cursor:
            was, self.cursor = self.here, index
            self.refresh()
            self.moved(was)

    def move_beyond(self, step: int) -> None:  # noqa: ARG002
        """Leave an arrow at either end to the screen."""
        raise SkipAction

    def moved(self, was: T | None) -> None:
        """Tell the screen that the cursor has left this stop."""

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        index = None if offset is None else self.stop_at(offset)
        if index is not None:
            self.clicked(index)

    def clicked(self, index: int) -> None:
        """Handle a click on the stop at this index: move the cursor there. Subclasses may also press or pick it."""
        self.move_to(index)


def scrolled(top: int, under: Sequence[int], height: int, count: int) -> int:
    """Return the first of `count` lines to show, so that those `under` the cursor are in sight.

    The first and the last row are left free for the signs, where something is out of sight.
    """
    if under and under[-1] >= top + height - 1:
        top = under[-1] - height + 2
    if under and under[0] <= top:
        top = under[0] - 1
    return max(0, min(top, count - height))


def with_signs(lines: list[Content], above: int, below: int) -> Content:
    """Join lines; the first and the last one say how many are out of sight."""
    if above:
        lines[0] = Content.styled(f"  ↑ {above} more", "$faint")
    if below:
        lines[-1] = Content.styled(f"  ↓ {below} more", "$faint")
    return Content("\n").join(lines)
