"""Bases of all screens: a minimum size, and Modal, the dialog over another screen, with dice that it may roll."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import UPDATE_PERIOD, ModalScreen, Screen, ScreenResultType
from textual.widget import Widget

from tracker.app.keymap import bound, display, key_for
from tracker.app.textual_private import Dimmed, forget_lines, trim_caches
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.footer import Footer, Hint
from tracker.app.widgets.header import Header, Heading
from tracker.app.widgets.options import Row

if TYPE_CHECKING:
    from tracker.campaign.session import SaveStatus, Session
    from tracker.dice import Dice

LEAST = Size(60, 18)

SMALL = "-small"
"""CSS class of a screen in a window below LEAST."""

HASTE = 0.15
"""Seconds after a roll in which a key was typed ahead: nobody has waited for the dice yet."""
ROUNDS = 100
"""How many frames a changed file may take to be read again."""


def key(keys: str, action: str, description: str, ident: str, tooltip: str) -> Binding:
    return Binding(keys, action, description, id=ident, tooltip=tooltip)


UNDO = key("u", "undo", "Undo", "undo", "Undo the last thing, whatever it was.")
REDO = key("ctrl+r", "redo", "Redo", "redo", "Redo what you just undid.")
KEYS = key("question_mark", "keys", "Keys", "keys", "Show all keys of this screen.")
SPEAK = tuple(key(str(n), f"speak({n})", f"Play {n}", f"speak.{n}", "Play that character.") for n in range(1, 10))


class Tracker(Protocol):
    """The app, as its screens know it."""

    session: Session | None
    dice: Dice

    @property
    def animates(self) -> bool:
        """True if something may move on the screen that need not."""

    @property
    def typed_dice(self) -> bool:
        """True if the dice of the open table are typed in."""

    def change_dice(self) -> None:
        """Change from dice rolled here to dice typed in, or back. Raise Refused if that cannot be written."""

    def heading(self) -> Heading:
        """Return what the head line of the top screen says."""

    def show_keys(self, screen: Screen[Any]) -> None:
        """Show all keys of a screen."""

    def save_copy(self) -> None:
        """Ask for a name or a path, save a copy of the campaign there and go on with it."""

    async def leave_table(self) -> None:
        """Close the campaign and go back to the list, unless unsaved changes keep the player."""


class TooSmallNotice(Lines):
    """Notice that covers the screen in a window below LEAST."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    TooSmallNotice { display: none; layer: small; width: 100%; height: 100%; background: $background; }
    Screen.-small { layers: default small; overflow: hidden hidden; }
    Screen.-small TooSmallNotice { display: block; }
    """

    def __init__(self) -> None:
        super().__init__((Content(f"{LEAST.width} × {LEAST.height} needed"),), id="small")

    def render(self) -> Content:
        """Return the size that is needed, and the ways out, in lines that fit almost any window."""
        ways_out = (
            "Enlarge the window, or",
            f"quit with {key_for(self.screen, 'app.quit')} and play with",
            "tracker NAME --plain",
        )
        return Content("\n").join([*self.data, *(Content.styled(line, "$muted") for line in ways_out)])


_HINTS: dict[tuple[type, str], Hint] = {}
"""Hint of each action by the class of its screen: bindings never change, and a dialog names them at every key."""


class MinSizeScreen(Screen[ScreenResultType]):
    """Screen that keeps its layout, and so its focus, in a window below LEAST."""

    # Only the widgets that gain and lose focus are painted; Textual would paint all, half the cost of a prompt.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    @property
    def tracker(self) -> Tracker:
        """The app."""
        return cast("Tracker", self.app)

    @property
    def is_open(self) -> bool:
        """True until Textual begins to remove the widgets of this screen."""
        return self.is_running and self.is_attached

    def hint(self, action: str, description: str = "") -> Hint:
        """Return the footer's hint for a key of this screen, in the words of its binding unless others are given."""
        known = _HINTS.get((type(self), action))
        if known is None:
            binding = bound(self, action)
            assert binding, f"{type(self).__name__} has no key for {action}"
            known = _HINTS[type(self), action] = Hint(display(binding.key), binding.description, action)
        return known._replace(description=description) if description else known

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Schedule a callback for after the next refresh; drop it if this screen is closed by then.

        Textual lets the top screen run it, even after the screen that asked for it has lost its widgets.
        """
        return super().call_after_refresh(lambda: callback(*args, **kwargs) if self.is_open else None)

    def on_unmount(self) -> None:
        """Drop the painted lines of this screen, and trim the caches that it has filled."""
        forget_lines(self)
        trim_caches()

    @on(events.Resize)
    @on(events.ScreenResume)
    def _say_if_small(self) -> None:
        size = self.app.size
        self.set_class(size.width < LEAST.width or size.height < LEAST.height, SMALL)


class UnseenDice:
    """The time in which rolled dice are not on the screen: no key or click of that time may apply them."""

    def __init__(self) -> None:
        self.seen = asyncio.Event()
        self.seen.set()
        self._since = self._until = 0.0

    def begin(self) -> None:
        if self.seen.is_set():
            self._since = time.monotonic()
        self.seen.clear()

    def end(self) -> None:
        self._until = time.monotonic()
        self.seen.set()

    def hides(self, pressed: float) -> bool:
        """Return True if the dice were not on the screen when a key was pressed, or are not now."""
        return not self.seen.is_set() or self._since + HASTE <= pressed < self._until


async def until_saved(session: Session) -> SaveStatus:
    """Wait until rolled dice are on the disk, or it is clear that they cannot be now; return the save status.

    If another program has changed the file, the table reads it again meanwhile.
    """
    sign = await asyncio.to_thread(session.wait)
    for _ in range(ROUNDS):
        if sign.word != "saving":
            break
        await asyncio.sleep(UPDATE_PERIOD)
        sign = await asyncio.to_thread(session.wait)
    return sign


def unsaved_dice(sign: SaveStatus) -> str:
    """Return one sentence about dice that could not be saved, or ""."""
    if sign.word != "NOT SAVED":
        return ""
    return f"These dice are NOT SAVED: {sign.why.rstrip('.')}. You can play on."


Result = TypeVar("Result")


class Modal(ModalScreen[Result], MinSizeScreen[Result]):
    """Dialog that is composed once; later changes only update its widgets."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = Path(__file__).with_name("base.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-compact"), (116, "-cozy"), (180, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (26, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = ""
    unseen: UnseenDice | None = None
    """Guard over rolled dice that are not shown yet, on screens that roll."""

    def __init__(self, heading: Heading, title: str, aside: str = "") -> None:
        super().__init__()
        self._heading = heading
        self._caption = title
        self._aside = aside

    def compose(self) -> ComposeResult:
        yield Header(self._heading)
        box = Box(self._caption, *self.body(), id="card")
        box.border_subtitle = Content(self._aside)
        yield from self.beside()
        yield box
        yield Footer(self.hints())
        yield TooSmallNotice()

    def beside(self) -> Iterator[Widget]:
        """Yield what is shown beside the card; nothing here."""
        yield from ()

    @property
    def heading(self) -> Heading:
        return self._heading

    @heading.setter
    def heading(self, heading: Heading) -> None:
        """Set the heading, even before it is composed: a save in that moment is announced only once."""
        self._heading = heading
        for head in self.query(Header):
            head.update(heading)
        self.headed()

    def headed(self) -> None:
        """Hook for a new heading; does nothing here."""

    def render(self) -> Any:
        below = super().render()
        return Dimmed(below.screen, below.color) if isinstance(below, BackgroundScreen) else below

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if regions:  # A screen below reports changed regions this way; dialogs between the two must repaint as well.
            for screen in self.app.screen_stack[:-1]:
                if isinstance(screen, Modal):
                    screen.refresh()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def body(self) -> Iterator[Widget]:
        raise NotImplementedError

    def hints(self) -> tuple[Hint, ...]:
        raise NotImplementedError

    def keys_now(self) -> tuple[Row, ...]:
        """Return the options that have a hotkey now, besides the bindings."""
        return ()

    def follow(self) -> None:
        """Hook for a change of the table below that this dialog did not make; does nothing here."""

    @property
    def room(self) -> int:
        """Width of a row of the card, in cells."""
        return max(20, self.query_one("#card").content_size.width or 72)
