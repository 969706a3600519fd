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
    """The picture of a screen as it is now.

    Textual works out each of its colours, and sends it through the whole of Rich, whenever the dialog over it changes
    its layout. Measured: that is a quarter of what the next prompt costs.
    """

    def __init__(self, screen: Screen[Any], color: Color) -> None:
        self._screen = screen
        self._color = color

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:  # noqa: ARG002
        below = self._screen._compositor.render_strips()[:height]  # noqa: SLF001 (as Textual does it here)
        return [self._dimmed(strip).crop(0, width) for strip in below]

    def _dimmed(self, strip: Strip) -> Strip:
        return Strip([Segment(part.text, _dim(part.style, self._color)) for part in strip if not part.control])

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        return self._screen.size.height
