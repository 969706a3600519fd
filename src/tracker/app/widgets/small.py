"""What a window shows that is too small to play in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import events, on
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

from tracker.app.widgets.lines import Lines

LEAST = Size(60, 18)
SMALL = "-small"
"""The class of a screen in a smaller window."""


class Small(Lines):
    """Stands over everything else, and fits wherever a word does."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    Small { display: none; layer: small; width: 100%; height: 100%; background: $background; }
    Screen.-small { layers: default small; overflow: hidden hidden; }
    Screen.-small Small { display: block; }
    """

    def __init__(self) -> None:
        super().__init__((Content(f"{LEAST.width} × {LEAST.height} needed"),), id="small")


class Roomy(Screen[ScreenResultType]):
    """A screen that is laid as for the least window even in a smaller one: what has the focus keeps it."""

    # What gets the focus and what loses it are painted; Textual would paint everything. Measured: half of a prompt.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    @property
    def is_open(self) -> bool:
        """True until Textual begins to take this screen's widgets away."""
        return self.is_running and self.is_attached

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Schedule a callback for after the next refresh; it is dropped if this screen is closed by then.

        Textual lets the screen on top run it, even when the screen that asked for it has lost its widgets.
        """
        return super().call_after_refresh(lambda: callback(*args, **kwargs) if self.is_open else None)

    @on(events.Resize)
    @on(events.ScreenResume)
    def _say_if_small(self) -> None:
        size = self.app.size
        self.set_class(size.width < LEAST.width or size.height < LEAST.height, SMALL)
