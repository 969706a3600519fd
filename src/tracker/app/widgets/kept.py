"""A picture that is kept until something about it changes."""

from __future__ import annotations

from typing import Self

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Kept(Widget):
    """Painted from the last time, as long as nothing asked for a fresh picture.

    With every change on the screen Textual asks each widget that shares the clip for its lines, and works out its
    styles again even where the lines are cached. Measured: that is half of what a `+` costs.
    """

    _picture: tuple[Region, list[Strip]] | None = None

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._picture is None or self._picture[0] != crop:
            self._picture = crop, super().render_lines(crop)
        return self._picture[1]

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        self._picture = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        self._picture = None
        super().notify_style_update()
