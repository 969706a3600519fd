"""Base classes of the widgets: one with a paint cache, one drawn from a value, a list with a cursor, a titled box."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Generic, Self, TypeVar

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from tracker.app.textual_private import break_cycles, forget_lines

Paint = Callable[[Region], list[Strip]]

ALBUM = 4
"""Pictures kept per widget, as some return soon: the save status goes from `saved` to `saving` and back."""
ROWS = 100
"""Rows kept before those out of sight are dropped."""
FEW = 5
"""Up to this many new rows are painted one by one."""

D = TypeVar("D")
T = TypeVar("T")
PRESS = Binding("enter", "press", "Select", id="press", tooltip="Choose the row under the cursor.", show=False)
UP = Binding("up", "move(-1, 0)", "Move", id="cursor.up", tooltip="Move up.", show=False)
DOWN = Binding("down", "move(1, 0)", "Move", id="cursor.down", tooltip="Move down.", show=False)
LEFT = Binding("left", "move(0, -1)", "Move", id="cursor.left", tooltip="Move left.", show=False)
HOME = Binding("home", "jump('home')", "To the top", id="cursor.home", tooltip="Move to the first row.", show=False)
END = Binding("end", "jump('end')", "To the end", id="cursor.end", tooltip="Move to the last row.", show=False)
PAGE_UP = Binding("pageup", "jump('pageup')", "Page up", id="cursor.pageup", tooltip="Move a page up.", show=False)
PAGE_DOWN = Binding(
    "pagedown", "jump('pagedown')", "Page down", id="cursor.pagedown", tooltip="Move a page down.", show=False
)
RIGHT = Binding("right", "move(0, 1)", "Move", id="cursor.right", tooltip="Move right.", show=False)


class PaintCache:
    """Cache of one CachedWidget: its lines as last painted, and a few earlier pictures of it.

    Textual asks many widgets for their lines with every change on the screen, and computes their styles again even
    if nothing in them has changed. Measured: that is half of the cost of a `+`.
    """

    def __init__(self) -> None:
        self._last: tuple[Region, list[Strip]] | None = None
        self._album: dict[Hashable, list[Strip]] = {}

    def lines(self, crop: Region, paint: Paint) -> list[Strip]:
        """Return the painted lines of this region.

        Calls `paint` only after `expire`, or if the region is another one.
        """
        if self._last is None or self._last[0] != crop:
            self._last = crop, paint(crop)
        return self._last[1]

    def picture(self, look: Hashable, size: Size, crop: Region, paint: Paint) -> list[Strip]:
        """Return the stored lines for this look, size and region; or call `paint`, store its result and return it.

        `look` is the value of `CachedWidget.look`. Only the last ALBUM pictures are stored.
        """
        seen = look, size, crop
        strips = self._album[seen] = self._album.get(seen) or paint(crop)
        if len(self._album) > ALBUM:
            del self._album[next(iter(self._album))]
        return strips

    def expire(self) -> None:
        """Make the next call of `lines` paint again. Pictures are kept."""
        self._last = None

    def clear(self) -> None:
        """Drop all lines and pictures, because styles have changed or the widget is gone."""
        for strips in [*self._album.values(), self._last[1] if self._last else []]:
            break_cycles(strips)
        self._last = None
        self._album.clear()


class RowCache:
    """Cache of one widget's painted rows, found by their text and styles.

    A row that only moved is not painted again. After a move in the game all but a few rows are the same as before.
    """

    def __init__(self) -> None:
        self._rows: Sequence[Content] = ()
        self._strips: Mapping[Hashable, Strip] = MappingProxyType({})

    def lines(self, rows: Sequence[Content], first: int, crop: Region, paint: Paint) -> list[Strip]:
        """Return the lines of the region `crop`, calling `paint` for rows that are not cached.

        `rows` is the text of the widget; `first` is the y of its first row, below the frame.
        """
        self._rows = rows
        keys: list[Hashable] = []
        for y in crop.line_range:
            row = rows[y - first] if first <= y < first + len(rows) else None
            keys.append(None if row is None else (row.plain, *row.spans, crop.x, crop.width))
        known = [self._strips.get(key) for key in keys]
        if known.count(None) > FEW:
            painted = paint(crop)
        else:
            painted = [
                strip or paint(Region(crop.x, y, crop.width, 1))[0]
                for y, strip in zip(crop.line_range, known, strict=True)
            ]
        now = {key: strip for key, strip in zip(keys, painted, strict=True) if key}
        self._strips = {**self._strips, **now} if len(self._strips) < ROWS else now
        return painted

    def draw(self, widget: Widget, y: int) -> Strip:
        """Paint row `y` of the text last passed to `lines`, without the frame. Rows after the last one are blank."""
        row = self._rows[y] if y < len(self._rows) else Content()
        drawn = Visual.to_strips(widget, row, widget.size.width, 1, widget.visual_style)
        return drawn[0] if drawn else Strip([])

    def clear(self) -> None:
        """Drop all painted rows, because styles have changed or the widget is gone."""
        break_cycles(self._strips.values())
        self._strips = MappingProxyType({})


class CachedWidget(Widget):
    """Base of widgets that are painted again only after a refresh.

    A subclass overrides `render`. If most of its rows stay the same from one refresh to the next, it overrides
    `text_rows` instead.
    """

    def __init__(
        self,
        *children: Widget,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        self._paint_cache = PaintCache()
        self._row_cache: RowCache | None = None
        super().__init__(*children, id=id, classes=classes)

    def look(self) -> Hashable | None:
        """Return a hashable value that identifies the picture apart from its styles, or None, the default.

        If it is not None, the last few pictures are stored, and reused when the value is the same again.
        """
        return None

    def text_rows(self) -> Sequence[Content] | None:
        """Return the text of each row, so that unchanged rows are not painted again.

        Return None, the default, to have the whole widget painted by `render`.
        """
        return None

    def render_lines(self, crop: Region) -> list[Strip]:
        return self._paint_cache.lines(crop, self._paint)

    def _paint(self, crop: Region) -> list[Strip]:
        paint = super().render_lines
        if (look := self.look()) is not None:
            return self._paint_cache.picture(look, self.size, crop, paint)
        if (rows := self.text_rows()) is not None:
            self._row_cache = self._row_cache or RowCache()
            return self._row_cache.lines(rows, self.gutter.top, crop, paint)
        return paint(crop)

    def render_line(self, y: int) -> Strip:
        return self._row_cache.draw(self, y) if self._row_cache else super().render_line(y)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        self._paint_cache.expire()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        self._drop_painted()
        super().notify_style_update()

    def on_unmount(self) -> None:
        self._drop_painted()
        forget_lines(self)

    def _drop_painted(self) -> None:
        self._paint_cache.clear()
        if self._row_cache:
            self._row_cache.clear()


class ValueWidget(CachedWidget, Generic[T]):
    """Base of widgets that are drawn from one immutable value, `data`, which `update` replaces.

    The widget is one row high unless a subclass sets another height.
    """

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = "ValueWidget { height: 1; text-wrap: nowrap; text-overflow: clip; }"

    def __init__(self, data: T, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.data = data

    @property
    def at(self) -> str | None:
        """The path in the state that `+` and `-` change, or None if they change nothing here."""
        return None

    def update(self, data: T) -> None:
        """Show this value from now on. Repaints only if it differs from the last one."""
        if data != self.data:
            self.data = data
            self.refresh()


class Lines(ValueWidget[tuple[Content, ...]]):
    """Widget that shows lines of text, one row each. It is hidden while there are no lines."""

    DEFAULT_CSS = "Lines { height: auto; }"

    def on_mount(self) -> None:
        if not self.data:
            self.display = False

    def update(self, data: tuple[Content, ...]) -> None:
        # Contents are equal if their text is; here the colours count as well.
        if len(data) == len(self.data) and all(new.is_same(old) for new, old in zip(data, self.data, strict=True)):
            return
        resized = len(data) != len(self.data)
        self.data = data
        if resized:
            self.display = bool(data)
        self.refresh(layout=resized)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.data)

    def render(self) -> Content:
        return Content("\n").join(self.data)


class CursorList(ValueWidget[D], Generic[D, T], can_focus=True):
    """Base of lists with a cursor. `D` is the type of the value that is drawn.

    The cursor is on one of the stops, the things that can be selected; `T` is their type. Subclasses override
    `clicked`, not `on_click`: Textual would call the handlers of both classes.
    """

    cursor = 0
    """Index of the stop under the cursor."""
    top = 0
    """Index of the first line, item or column in sight."""

    @abstractmethod
    def stops(self) -> Sequence[T]:
        """Return everything that the cursor can select, in order."""

    def identity(self, stop: T) -> object:
        """Return a key by which a stop is found again after `update`, such as the id of a track.

        The default is the stop itself.
        """
        return stop

    @abstractmethod
    def stop_at(self, offset: Offset) -> int | None:
        """Return the index of the stop drawn at this offset, or None."""

    @property
    def here(self) -> T | None:
        """The stop under the cursor; None in an empty list."""
        stops = self.stops()
        return stops[self.cursor] if 0 <= self.cursor < len(stops) else None

    def update(self, data: D) -> None:
        """Show this value.

        The cursor stays on the stop with the same identity; if that is gone, it stays at its index.
        """
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
        """Put the cursor on the stop with this index, which must exist. Calls `moved` if that is another stop."""
        if index != self.cursor:
            was, self.cursor = self.here, index
            self.refresh()
            self.moved(was)

    def move_beyond(self, step: int) -> None:  # noqa: ARG002
        """Handle an arrow key at the first or last stop; `step` is -1 or 1.

        The default raises SkipAction, so that the screen handles the key.
        """
        raise SkipAction

    def moved(self, was: T | None) -> None:
        """React to a move of the cursor. `was` is the stop that it has left. The default does nothing."""

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        index = None if offset is None else self.stop_at(offset)
        if index is not None:
            self.clicked(index)

    def clicked(self, index: int) -> None:
        """Handle a click on the stop with this index. The default moves the cursor there."""
        self.move_to(index)


def scroll_top(top: int, under: Sequence[int], height: int, count: int) -> int:
    """Return the index of the first of `count` lines to show in `height` rows, so that the cursor is visible.

    `top` is the first line now; `under` has the indexes of the lines under the cursor. These lines are kept off the
    first and the last row while lines beyond those are hidden, since a note replaces these rows.
    """
    if under and under[-1] >= top + height - 1:
        top = under[-1] - height + 2
    if under and under[0] <= top:
        top = under[0] - 1
    return max(0, min(top, count - height))


def with_more_notes(lines: list[Content], above: int, below: int) -> Content:
    """Return the visible lines as one text, with notes about hidden lines.

    `above` and `below` are the numbers of hidden lines. If one is not 0, a note such as "↑ 3 more" replaces the first
    or last line, and `lines` itself is changed.
    """
    if above:
        lines[0] = Content.styled(f"  ↑ {above} more", "$faint")
    if below:
        lines[-1] = Content.styled(f"  ↓ {below} more", "$faint")
    return Content("\n").join(lines)


class Box(CachedWidget):
    """A framed container with a title and a hint in the lower border.

    It has no style of its own for the focus, because Textual would then restyle all its children when the focus
    moves.
    """

    DEFAULT_CSS = """
    Box {
        layout: vertical; height: auto; padding: 0 1;
        border: round $rule; border-title-color: $muted; border-subtitle-color: $faint;
    }
    """

    def __init__(self, title: str, *children: Widget, id: str, hint: str = "") -> None:  # noqa: A002
        self._caption = title
        super().__init__(*children, id=id)
        self.call(title)
        if hint:
            self.border_subtitle = Content(hint)

    def call(self, title: str) -> None:
        """Set the title of the box. The text is never read as markup."""
        self._caption = title
        # A rule without a corner runs right up to the title.
        content = Content(title if self.styles.border_left[0] else f" {title} ")
        if self.border_title != content:
            self.border_title = content

    def notify_style_update(self) -> None:
        # Only now is it known whether there is a corner.
        super().notify_style_update()
        self.call(self._caption)


class Pane(Box):
    """A box for a part of the table: a round frame if there is room, only a rule with the title in a narrow window."""

    DEFAULT_CSS = """
    Pane:focus-within { border: round $primary; border-title-color: $primary; border-title-style: bold; }
    """
