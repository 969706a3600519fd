"""What lies under a dialog, in weaker colours."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.color import Color
from textual.css.styles import RulesMap
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual


@lru_cache(maxsize=1024)
def _dim(style: RichStyle | None, color: Color) -> RichStyle | None:
    (segment,) = BackgroundScreen.process_segments([Segment("", style)], color)
    return segment.style


class Dimmed(Visual):
    """The picture of a screen as it is when this is first painted.

    Textual draws what lies under a dialog anew, and works out each of its colours, whenever the focus in the dialog
    moves. Measured: that is a third of what the next prompt costs.
    """

    def __init__(self, screen: Screen[Any], color: Color) -> None:
        self._screen = screen
        self._color = color
        self._strips: list[Strip] | None = None

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:  # noqa: ARG002
        if self._strips is None:
            self._strips = [
                Strip([Segment(part.text, _dim(part.style, self._color)) for part in strip if not part.control])
                for strip in self._screen._compositor.render_strips()  # noqa: SLF001 (as Textual does it here)
            ]
        return [strip.crop(0, width) for strip in self._strips[:height]]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        return self._screen.size.height
