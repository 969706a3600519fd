"""Base classes of all screens: MinSizeScreen, and Modal for dialogs; also helpers for dice that are being saved."""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Region
from textual.reactive import Reactive
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import UPDATE_PERIOD, ModalScreen, Screen, ScreenResultType
from textual.widget import Widget

from tracker.app.keymap import Hint, bound, hint_of, key_for
from tracker.app.screens.window_sizes import BY_WIDTH, LEAST
from tracker.app.textual_private import Dimmed, forget_lines, trim_caches
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Header, Heading
from tracker.app.widgets.options import Row
from tracker.records import NamedTuple

if TYPE_CHECKING:
    from tracker.campaign.session import SaveStatus, Session
    from tracker.dice import Dice

SMALL = "-small"
"""CSS class of a screen in a window below LEAST."""

HASTE = 0.15
"""Seconds after the start of a roll in which a key still counts: the player typed it ahead, before any wait."""
ROUNDS = 100
"""Maximum of frames that `until_saved` waits while the table reads a file that another program has changed."""


def key(keys: str, action: str, description: str, ident: str, tooltip: str) -> Binding:
    return Binding(keys, action, description, id=ident, tooltip=tooltip)


UNDO = key("u", "undo", "Undo", "undo", "Undo the last thing, whatever it was.")
REDO = key("ctrl+r", "redo", "Redo", "redo", "Redo what you just undid.")
KEYS = key("question_mark", "keys", "Keys", "keys", "Show all keys on this screen.")
READ = key("f2", "read", "Full text", "read", "Read the full text, from your packs.")
ADD = key("plus,equals_sign", "change(1)", "Add 1", "add", "Raise the number under the cursor.")
SUBTRACT = key("minus", "change(-1)", "Subtract 1", "take", "Lower the number under the cursor.")
DUE = key("x", "owed", "Due", "owed", "Do what is due next.")
NEW_NOTE = key("W", "new_note", "New note", "notes.new", "Make a note; the newest @name comes first.")
FIND = key("slash", "find", "Find", "find", "Find in the journal, notes, moves, and tables.")
FOLD = key("f", "fold", "Story", "fold", "Show or hide the rolls in the journal.")
PASSAGE = key("ctrl+o", "passage", "Editor", "passage", "Write at length in your text editor.")
BESIDE = tuple(
    key(way, f"beside('{way}')", way.capitalize(), f"beside.{way}", f"Move {way}.")
    for way in ("left", "right", "up", "down")
)
TAB = next(one for one in Screen.BINDINGS if isinstance(one, Binding) and one.key == "tab")
"""Textual's own binding for Tab."""
SPEAK = tuple(key(str(n), f"speak({n})", f"Play {n}", f"speak.{n}", "Play that character.") for n in range(1, 10))


class PageToRead(NamedTuple):
    """A page for the reader: the `kind` of a piece of a pack, such as "text" or "oracle", and its `id`."""

    kind: str
    id: str


class Tracker(Protocol):
    """Protocol of the app: the attributes and methods of TrackerApp that its screens use."""

    session: Session | None
    dice: Dice

    @property
    def keys_received(self) -> int:
        """Number of keys that the player has pressed so far, pastes included."""

    @property
    def can_animate(self) -> bool:
        """True if decorative animation, such as tumbling dice, is allowed."""

    @property
    def typed_dice(self) -> bool:
        """True if the player of the open campaign rolls real dice and types the faces."""

    def change_dice(self) -> None:
        """Switch the open campaign between app dice and typed dice. Raise Refused if the change cannot be saved."""

    def heading(self) -> Heading:
        """Return the data of the header for a screen opened now, with the save status."""

    def show_keys(self, screen: Screen[Any]) -> None:
        """Open the help screen that lists all keys of `screen`."""

    def show_page(self, heading: Heading, reading: PageToRead) -> None:
        """Open the reader at a page of the open campaign's packs, under the header `heading`."""

    def export(self) -> None:
        """Ask what to export of the open campaign, and export it."""

    def save_copy(self) -> None:
        """Ask for a name or a path, save a copy of the open campaign there, and continue play in the copy."""

    async def leave_table(self) -> None:
        """Close the open campaign and show the list of campaigns.

        If changes are unsaved, ask the player first; the campaign stays open if the player stays.
        """


class TooSmallNotice(Lines):
    """Widget that covers the whole screen with a notice while the window is smaller than LEAST."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    TooSmallNotice { display: none; layer: small; width: 100%; height: 100%; background: $background; }
    Screen.-small { layers: default small; overflow: hidden hidden; }
    Screen.-small TooSmallNotice { display: block; }
    """

    def __init__(self) -> None:
        super().__init__((Content(f"{LEAST.width} × {LEAST.height} needed"),), id="small")

    def render(self) -> Content:
        """Return the text of the notice: the minimum size, and how to quit or play in plain mode."""
        ways_out = (
            "Enlarge the window, or",
            f"quit with {key_for(self.screen, 'app.quit')} and play with",
            "tracker NAME --plain",
        )
        return Content("\n").join([*self.data, *(Content.styled(line, "$muted") for line in ways_out)])


_HINTS: dict[tuple[type, str, str], Hint] = {}
"""Cached hints by screen class, action, and second action or key.

Bindings never change, and a dialog needs its hints after every key."""


class MinSizeScreen(Screen[ScreenResultType]):
    """Base of all screens: it shows a notice instead of its content in a window smaller than LEAST.

    Layout and focus under the notice do not change.
    """

    # Only the widgets that gain and lose focus are painted; Textual would paint all, half the cost of a prompt.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    @property
    def tracker(self) -> Tracker:
        """The app, typed as the Tracker protocol."""
        return cast("Tracker", self.app)

    @property
    def is_open(self) -> bool:
        """True until Textual begins to remove the widgets of this screen."""
        return self.is_running and self.is_attached

    def hint(self, action: str, description: str = "", *, also: str = "", by: Binding | None = None) -> Hint:
        """Return the footer's hint for the key of `action`. `description` replaces the binding's label.

        `also` is a second action, whose key is shown beside that of the first. `by` is the binding of a widget on this
        screen that does the same as `action`; without it, the screen or the app must have a binding for each action,
        otherwise an assertion fails.
        """
        place = type(self), action, by.key if by else also
        known = _HINTS.get(place)
        if known is None:
            bindings = [by] if by else [bound(self, one) for one in (action, also) if one]
            assert all(bindings), f"{type(self).__name__} has no key for {action} or {also}"
            known = _HINTS[place] = hint_of(*filter(None, bindings), action=action)
        return known._replace(description=description) if description else known

    async def on_event(self, event: events.Event) -> None:
        """Handle an event; one about the layout is dropped while this screen has no widgets.

        Textual gives none to a screen that opens while the app ends.
        """
        if self.children or not isinstance(event, events.Mount | events.Resize | events.ScreenResume):
            await super().on_event(event)

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Call `callback` after the next refresh, unless this screen is closed by then.

        Return True if the call was scheduled, else False. Textual alone would also run the callback after this screen
        has lost its widgets.
        """
        return super().call_after_refresh(lambda: callback(*args, **kwargs) if self.is_open else None)

    def on_unmount(self) -> None:
        """Free the cached lines of this screen, and trim the caches of Textual that it has filled."""
        forget_lines(self)
        trim_caches()

    @on(events.Resize)
    def _take_present_size(self, event: events.Resize) -> None:
        """Replace the size in this event with the window's present size, which may be newer.

        Textual sends an event with the old size again after it was laid out. With two sizes on their way, as in a
        window that is dragged larger, a screen would be laid out for both in turn for ever.
        """
        event.size = event.virtual_size = self.app.size

    @on(events.Resize)
    @on(events.ScreenResume)
    def _say_if_small(self) -> None:
        size = self.app.size
        self.set_class(size.width < LEAST.width or size.height < LEAST.height, SMALL)


class UnseenDice:
    """Protects the player from keys pressed between a roll and the moment when its dice are on the screen.

    A dialog that rolls has one. Ask `hides` whether to ignore a key or click, because it would apply a result that the
    player has not seen. `seen` is an asyncio event that is set while no dice are hidden.
    """

    def __init__(self) -> None:
        self.seen = asyncio.Event()
        self.seen.set()
        self._since = self._until = 0.0

    def begin(self) -> None:
        """Note that dice were rolled and are not shown yet. A second call before `end` changes nothing."""
        if self.seen.is_set():
            self._since = time.monotonic()
        self.seen.clear()

    def end(self) -> None:
        """Note that the dice are on the screen now."""
        self._until = time.monotonic()
        self.seen.set()

    def hides(self, pressed: float) -> bool:
        """Return True if a key pressed at the monotonic time `pressed` should be ignored: dice are or were hidden then.

        A key pressed within HASTE seconds after `begin` counts as typed ahead: once the dice are shown, return False
        for it.
        """
        return not self.seen.is_set() or self._since + HASTE <= pressed < self._until


async def until_saved(session: Session) -> SaveStatus:
    """Coroutine that waits until every entry is saved or saving has failed, and returns the save status.

    If another program has changed the file, wait up to ROUNDS frames until the table has read it again. If that is too
    short, the returned status is still "saving".
    """
    sign = await asyncio.to_thread(session.wait)
    for _ in range(ROUNDS):
        if sign.word != "saving":
            break
        await asyncio.sleep(UPDATE_PERIOD)
        sign = await asyncio.to_thread(session.wait)
    return sign


def unsaved_dice(sign: SaveStatus) -> str:
    """Return a sentence that says why the dice are not saved; "" unless the save status `sign` is "NOT SAVED"."""
    if sign.word != "NOT SAVED":
        return ""
    return f"These dice are NOT SAVED: {sign.why.rstrip('.')}. You can play on."


Result = TypeVar("Result")


class Modal(ModalScreen[Result], MinSizeScreen[Result]):
    """Base of dialogs over another screen: header, a framed card, footer. Subclasses provide `body` and `hints`.

    A dialog is composed once; later changes only update its widgets.
    """

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = Path(__file__).with_name("base.tcss")
    HORIZONTAL_BREAKPOINTS = BY_WIDTH
    VERTICAL_BREAKPOINTS = [(0, "-short"), (26, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = ""
    unseen: UnseenDice | None = None
    """Guard over rolled dice that are not shown yet; None on a screen that does not roll."""

    def __init__(self, heading: Heading, title: str, aside: str = "") -> None:
        """Make a dialog with `title` in the upper border of its card, and `aside` in the lower one."""
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

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close this dialog, and those above it, with `result`. Do nothing if it is closed already.

        Textual would close the screen on top instead: a second Enter may be on its way while the dialog closes, and
        work may end while another dialog is open over this one.
        """
        if self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.pop_screen()
        return super().dismiss(result)

    def beside(self) -> Iterator[Widget]:
        """Yield widgets to show beside the card. The base class yields none."""
        yield from ()

    @property
    def heading(self) -> Heading:
        return self._heading

    @heading.setter
    def heading(self, heading: Heading) -> None:
        """Replace the heading: show it in the header, if that exists already, and call `headed`."""
        self._heading = heading
        for head in self.query(Header):
            head.update(heading)
        self.headed()

    def headed(self) -> None:
        """React to a new heading, such as another save status. The base class does nothing."""

    def render(self) -> Any:
        below = super().render()
        return Dimmed(below.screen, below.color) if isinstance(below, BackgroundScreen) else below

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if regions:  # A screen below reports changed regions this way; dialogs between the two must repaint as well.
            for screen in self.app.screen_stack[:-1]:
                if isinstance(screen, Modal):
                    screen.refresh()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @abstractmethod
    def body(self) -> Iterator[Widget]:
        """Yield the widgets of the card, top to bottom."""

    @abstractmethod
    def hints(self) -> tuple[Hint, ...]:
        """Return the hints of the footer, most important first."""

    def keys_now(self) -> tuple[Row, ...]:
        """Return a row for each option that has a hotkey now; the help screen lists them. The base class returns none.

        Keys of bindings are not included.
        """
        return ()

    def follow(self) -> None:
        """React to a change of the state that this dialog did not make. The base class does nothing."""

    @property
    def room(self) -> int:
        """Width in cells of a row of text in the card, at least 20; 72 before the first layout."""
        return max(20, self.query_one("#card").content_size.width or 72)
