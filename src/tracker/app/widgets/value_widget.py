"""What the widgets of a sheet share: each draws one value and repaints only when that differs."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size

from tracker.app.widgets.cached import CachedWidget

T = TypeVar("T")
PRESS = Binding("enter", "press", "Press", id="press", tooltip="Do what is under the cursor.", show=False)
UP = Binding("up", "move(-1, 0)", "Up", id="cursor.up", tooltip="The cursor one up.", show=False)
DOWN = Binding("down", "move(1, 0)", "Down", id="cursor.down", tooltip="The cursor one down.", show=False)
LEFT = Binding("left", "move(0, -1)", "Left", id="cursor.left", tooltip="The cursor to the left.", show=False)
HOME = Binding("home", "jump('home')", "First", id="cursor.home", tooltip="To the first one.", show=False)
END = Binding("end", "jump('end')", "Last", id="cursor.end", tooltip="To the last one.", show=False)
PAGE_UP = Binding("pageup", "jump('pageup')", "Page up", id="cursor.pageup", tooltip="A page up.", show=False)
PAGE_DOWN = Binding("pagedown", "jump('pagedown')", "Page on", id="cursor.pagedown", tooltip="A page down.", show=False)
RIGHT = Binding("right", "move(0, 1)", "Right", id="cursor.right", tooltip="The cursor to the right.", show=False)


class ValueWidget(CachedWidget, Generic[T]):
    """A widget drawn from one immutable value, one row high unless it says otherwise."""

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = "ValueWidget { height: 1; text-wrap: nowrap; text-overflow: clip; }"

    def __init__(self, data: T, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.data = data

    @property
    def at(self) -> str | None:
        """The path that `+` and `-` change."""
        return None

    def update(self, data: T) -> None:
        """Show this value from now on."""
        if data != self.data:
            self.data = data
            self.refresh()


class Lines(ValueWidget[tuple[Content, ...]]):
    """As many rows as it has lines; where it has none it is not there at all."""

    DEFAULT_CSS = "Lines { height: auto; }"

    def on_mount(self) -> None:
        if not self.data:
            self.display = False

    def update(self, data: tuple[Content, ...]) -> None:
        # Contents are equal if their text is; here the colours count as well.
        if len(data) == len(self.data) and all(new.is_same(old) for new, old in zip(data, self.data, strict=True)):
            return
        resized = len(data) != len(self.data)
        self.data = data
        if resized:
            self.display = bool(data)
        self.refresh(layout=resized)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.data)

    def render(self) -> Content:
        return Content("\n").join(self.data)
