"""A picture that is kept until something about it changes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Self

from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

ALBUM = 4
ROWS = 100
"""So many rows are kept before those that are out of sight are given up."""
FEW = 5
"""Up to so many rows are painted one by one."""


class CachedWidget(Widget):
    """Painted from the last time, as long as nothing asked for a fresh picture.

    With every change on the screen Textual asks each widget that shares the clip for its lines, and works out its
    styles again even where the lines are cached. Measured: that is half of what a `+` costs.
    """

    _picture: tuple[Region, list[Strip]] | None = None
    _album: dict[Hashable, list[Strip]] | None = None

    def look(self) -> Hashable | None:
        """All that the picture depends on besides its styles; None if nobody can say.

        Where it is known, the last few pictures are kept: `saving` stands for a moment between `saved` and `saved`.
        """
        return None

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._picture is None or self._picture[0] != crop:
            self._picture = crop, self._painted(crop)
        return self._picture[1]

    def _painted(self, crop: Region) -> list[Strip]:
        look = self.look()
        if look is None:
            return super().render_lines(crop)
        album = self._album = self._album or {}
        seen = look, self.size, crop
        strips = album[seen] = album.get(seen) or super().render_lines(crop)
        if len(album) > ALBUM:
            del album[next(iter(album))]
        return strips

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        self._picture = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        self._picture = self._album = None
        super().notify_style_update()


class CachedRows(CachedWidget):
    """Rows of text, each painted from the last time with the frame around it, wherever it stood.

    After a move all but a few of them are those of before.
    """

    _seen: Sequence[Content] = ()
    _strips: Mapping[Hashable, Strip] = MappingProxyType({})

    def laid(self) -> Sequence[Content]:
        """What is to be seen, one for each row."""
        raise NotImplementedError

    def _painted(self, crop: Region) -> list[Strip]:
        self._seen = self.laid()
        first = self.gutter.top
        keys: list[Hashable] = []
        for y in crop.line_range:
            row = self._seen[y - first] if first <= y < first + len(self._seen) else None
            keys.append(None if row is None else (row.plain, *row.spans, crop.x, crop.width))
        known = [self._strips.get(key) for key in keys]
        if known.count(None) > FEW:
            painted = super()._painted(crop)
        else:
            painted = [
                strip or super(CachedRows, self)._painted(Region(crop.x, y, crop.width, 1))[0]
                for y, strip in zip(crop.line_range, known, strict=True)
            ]
        now = {key: strip for key, strip in zip(keys, painted, strict=True) if key}
        self._strips = {**self._strips, **now} if len(self._strips) < ROWS else now
        return painted

    def render_line(self, y: int) -> Strip:
        row = self._seen[y] if y < len(self._seen) else Content()
        drawn = Visual.to_strips(self, row, self.size.width, 1, self.visual_style)
        return drawn[0] if drawn else Strip([])

    def notify_style_update(self) -> None:
        self._strips = {}
        super().notify_style_update()
