"""A button one row high: a tile in colour, a bracket without."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tracker.app.draw import CURSOR, column, fit
from tracker.app.keyboard import key_now
from tracker.app.widgets.drawn import PRESS
from tracker.app.widgets.kept import Kept


class Chip(Kept, can_focus=True):
    """Its key first, then its label. `on` makes it a choice, taken or not; `reason` says why it is greyed."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [PRESS]
    DEFAULT_CSS = """
    Chip { width: auto; height: 1; text-wrap: nowrap; text-overflow: clip; }
    Chip:hover { text-style: bold; }
    """

    class Pressed(Message):
        """A click or Enter on a chip that is not greyed."""

        def __init__(self, chip: Chip) -> None:
            super().__init__()
            self.chip = chip

        @property
        def control(self) -> Chip:
            return self.chip

    def __init__(
        self,
        key: str,
        label: str,
        *,
        on: bool | None = None,
        reason: str = "",
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.key = key
        self.label = label
        self.on = on
        self.reason = reason

    def allow_focus(self) -> bool:
        return not self.reason

    def update(self, *, label: str | None = None, on: bool | None = None, reason: str | None = None) -> None:
        """Change what is given and keep the rest."""
        before = (self.label, self.on, self.reason)
        wide = self._words().cell_length
        self.label = self.label if label is None else label
        self.on = self.on if on is None else on
        self.reason = self.reason if reason is None else reason
        if (self.label, self.on, self.reason) == before:
            return
        if self.reason and self.has_focus:
            self.blur()
        self.refresh(layout=self._words().cell_length != wide)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return min(self._words().cell_length + 2, container.width)

    @property
    def _key_now(self) -> str:
        """Its key, or the player's own in place of it."""
        return key_now(self, self.key) if self.is_attached else self.key

    def _words(self) -> Content:
        key = f"{self._key_now} " if self.key else ""
        mark = "" if self.on is None else "■ " if self.on else "□ "
        if self.reason:
            return Content.assemble((f"{key}{mark}{self.label}  ", "$faint"), (self.reason, "italic $faint"))
        return Content.assemble((key, "bold $key"), (mark + self.label, "bold" if self.on else ""))

    def render(self) -> Content:
        return self.drawn(self.size.width)

    def drawn(self, width: int) -> Content:
        """The chip in this many cells."""
        words = fit(self._words(), width - 2)
        if self.reason:
            return words.pad_left(1)
        words = column(words, width - 2)
        if self.has_focus:
            return Content.assemble(("►", "$cur-bg"), (words.plain, CURSOR), ("◄", "$cur-bg"))
        return Content.assemble(("▐", "$chip"), words.stylize("on $chip-bg"), ("▌", "$chip"))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        if not self.reason:
            self.post_message(self.Pressed(self))
