"""A picture that is kept until something about it changes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Self

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

ALBUM = 4


class Kept(Widget):
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
