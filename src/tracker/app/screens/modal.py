"""The frame of every dialog: the head line stays lit, the foot names the dialog's own keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self, TypeVar

from textual.app import ComposeResult
from textual.color import Color
from textual.content import Content
from textual.geometry import Region, Size
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from tracker.app.widgets.dimmed import Dimmed
from tracker.app.widgets.foot import Foot, Hint
from tracker.app.widgets.head import Head, Heading
from tracker.app.widgets.options import Row
from tracker.app.widgets.pane import Pane
from tracker.app.widgets.small import Roomy, Small

Result = TypeVar("Result")


class Modal(ModalScreen[Result], Roomy[Result]):
    """Composed once, with its first content; what follows only changes what the widgets show."""

    CSS_PATH = "modal.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-compact"), (116, "-cozy"), (180, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (26, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = ""

    _below: tuple[tuple[Screen[Any], Color, Size], Dimmed] | None = None

    def __init__(self, heading: Heading, title: str, aside: str = "") -> None:
        super().__init__()
        self._heading = heading
        self._caption = title
        self._aside = aside

    def compose(self) -> ComposeResult:
        yield Head(self._heading)
        pane = Pane(self._caption, *self.body(), id="card")
        pane.border_subtitle = Content(self._aside)
        yield pane
        yield Foot(self.hints())
        yield Small()

    def render(self) -> Any:
        """What lies below is kept until it changes."""
        below = super().render()
        if not isinstance(below, BackgroundScreen):
            return below
        seen = below.screen, below.color, self.app.size
        if self._below is None or self._below[0] != seen:
            self._below = seen, Dimmed(below.screen, below.color)
        return self._below[1]

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if regions:  # so a screen below says where it has changed
            for screen in self.app.screen_stack:
                if isinstance(screen, Modal):
                    screen.forget_below()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def forget_below(self) -> None:
        self._below = None

    def body(self) -> Iterator[Widget]:
        raise NotImplementedError

    def hints(self) -> tuple[Hint, ...]:
        raise NotImplementedError

    def keys_now(self) -> tuple[Row, ...]:
        """What has a key at this moment besides the bindings."""
        return ()

    @property
    def room(self) -> int:
        """The cells in a row of the card."""
        return max(20, self.query_one("#card").content_size.width or 72)
