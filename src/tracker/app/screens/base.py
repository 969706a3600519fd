"""What a window shows that is too small to play in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widget import Widget

from tracker.app.textual_private import trim_caches
from tracker.app.widgets.box import Box
from tracker.app.widgets.dimmed import Dimmed
from tracker.app.widgets.footer import Footer, Hint
from tracker.app.widgets.header import Header, Heading
from tracker.app.widgets.options import Row
from tracker.app.widgets.value_widget import Lines

if TYPE_CHECKING:
    from tracker.app.unseen_dice import UnseenDice


LEAST = Size(60, 18)

SMALL = "-small"
"""The class of a screen in a smaller window."""


class TooSmallNotice(Lines):
    """Stands over everything else, and fits wherever a word does."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    TooSmallNotice { display: none; layer: small; width: 100%; height: 100%; background: $background; }
    Screen.-small { layers: default small; overflow: hidden hidden; }
    Screen.-small TooSmallNotice { display: block; }
    """

    def __init__(self) -> None:
        super().__init__((Content(f"{LEAST.width} × {LEAST.height} needed"),), id="small")


class MinSizeScreen(Screen[ScreenResultType]):
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


Result = TypeVar("Result")


class Modal(ModalScreen[Result], MinSizeScreen[Result]):
    """Composed once, with its first content; what follows only changes what the widgets show."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = Path(__file__).with_name("base.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-compact"), (116, "-cozy"), (180, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (26, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = ""
    unseen: UnseenDice | None = None
    """Set where dice are rolled."""

    def __init__(self, heading: Heading, title: str, aside: str = "") -> None:
        super().__init__()
        self._heading = heading
        self._caption = title
        self._aside = aside

    def compose(self) -> ComposeResult:
        yield Header(self._heading)
        box = Box(self._caption, *self.body(), id="card")
        box.border_subtitle = Content(self._aside)
        yield box
        yield Footer(self.hints())
        yield TooSmallNotice()

    def on_unmount(self) -> None:
        """Trim the caches that this dialog has filled."""
        trim_caches()

    @property
    def heading(self) -> Heading:
        return self._heading

    @heading.setter
    def heading(self, heading: Heading) -> None:
        """Also before the head line is composed: what is saved in that moment is told once."""
        self._heading = heading
        for head in self.query(Header):
            head.update(heading)
        self.headed()

    def headed(self) -> None:
        """The head line says something else: a dialog that tells it too follows."""

    def render(self) -> Any:
        below = super().render()
        return Dimmed(below.screen, below.color) if isinstance(below, BackgroundScreen) else below

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if regions:  # so a screen below says where it has changed; the dialogs in between show it too
            for screen in self.app.screen_stack[:-1]:
                if isinstance(screen, Modal):
                    screen.refresh()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def body(self) -> Iterator[Widget]:
        raise NotImplementedError

    def hints(self) -> tuple[Hint, ...]:
        raise NotImplementedError

    def keys_now(self) -> tuple[Row, ...]:
        """What has a key at this moment besides the bindings."""
        return ()

    def follow(self) -> None:
        """Something else than this dialog has changed the table below it."""

    @property
    def room(self) -> int:
        """The cells in a row of the card."""
        return max(20, self.query_one("#card").content_size.width or 72)
