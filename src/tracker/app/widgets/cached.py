"""Caches for painted lines, so that an unchanged widget is not painted again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Self

from textual.content import Content
from textual.geometry import Region, Size
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
