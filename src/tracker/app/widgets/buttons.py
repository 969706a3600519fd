"""Buttons one row high, called chips, and layouts that put several of them in rows."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.message import Message
from textual.widget import Widget

from tracker.app.drawings import CURSOR, column, fit, odds_bar
from tracker.app.key_queue import current_key
from tracker.app.widgets.base import PRESS, CachedWidget
from tracker.games.api.view import Action, Start, chance, whole

_NONE = Action("", "", Start(""))


class Chip(CachedWidget, can_focus=True):
    """A button one row high that shows its key and its label.

    If `on` is True or False, the chip is a checkbox, checked or not; None makes it a plain button. A `reason` greys
    it out and is shown beside it.
    """

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [PRESS]
    DEFAULT_CSS = """
    Chip { width: auto; height: 1; text-wrap: nowrap; text-overflow: clip; }
    Chip:hover { text-style: bold; }
    """

    class Pressed(Message):
        """Message that `chip` was clicked, or Enter pressed on it. Never sent by a greyed-out chip."""

        def __init__(self, chip: Chip) -> None:
            super().__init__()
            self.chip = chip

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
        """Change the given values and keep those that are None. A chip that gets a reason loses the focus."""
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
        return min(self.chip_cells, container.width)

    @property
    def chip_cells(self) -> int:
        """Number of cells that the whole chip needs."""
        return self._words().cell_length + 2

    @property
    def _key_now(self) -> str:
        """The key to show: the player's own if one is set, else the default."""
        return current_key(self, self.key) if self.is_attached else self.key

    def _words(self) -> Content:
        key = f"{self._key_now} " if self.key else ""
        mark = "" if self.on is None else "■ " if self.on else "□ "
        if self.reason:
            return Content.assemble((f"{key}{mark}{self.label}  ", "$faint"), (self.reason, "italic $faint"))
        return Content.assemble((key, "bold $key"), (mark + self.label, "bold" if self.on else ""))

    def render(self) -> Content:
        return self.drawn(self.size.width)

    def drawn(self, width: int) -> Content:
        """Return the chip as text of `width` cells, highlighted if it has the focus; of fewer if it is greyed out."""
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


BAR = 10

BESIDE = BAR + len(" 100%")
"""Cells for the odds beside a chip: the bar and the percentage."""


class ActionChip(Chip):
    """A chip that starts an action of the game. If there is room, the note and the odds follow the label.

    `placed` is False while the layout has no room for the chip; the chip cannot take the focus then.
    """

    placed = True
    column = 0
    """Cells for the chip without note and odds, equal for chips in a column; 0 for as many as the label needs."""
    says_due = False
    """True if the note of a due item must say that it is due, because nothing before the chip does."""

    def __init__(self, action: Action, *, id: str) -> None:  # noqa: A002
        super().__init__(action.key, action.label, reason=action.reason, id=id)
        self.action = action
        self.tooltip = Content(action.note) if action.note else None

    def show(self, action: Action) -> None:
        if action == self.action:
            return
        self.action = action
        self.key = action.key
        self.update(label=action.label, reason=action.reason)
        self.refresh()

    def look(self) -> Hashable:
        action = self.action
        place = self.column, self.says_due, self.has_focus
        return self._key_now, action.label, action.note, action.odds, action.reason, place

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return self.chip_cells

    def allow_focus(self) -> bool:
        return self.placed and super().allow_focus()

    @property
    def note_cells(self) -> int:
        """Number of cells for the note in front of the odds, with the blank after it; 0 without a note or odds."""
        return Content(self.action.note).cell_length + 1 if self.action.odds and self.action.note else 0

    @property
    def bare_cells(self) -> int:
        """Number of cells that the chip needs for its key and label, without the reason."""
        return Content(f"{self._key_now} {self.label}").cell_length + 2

    def render(self) -> Content:
        width = self.size.width
        if self.reason and width <= self.bare_cells:
            return fit(Content.styled(f" {self._key_now} {self.label}", "$faint"), width)
        if width <= self.chip_cells or self.reason:
            return super().render()
        chip = self.drawn(min(max(self.column, self.chip_cells), width))
        return Content.assemble(chip, " ", self._beside(width - chip.cell_length - 1))

    def _beside(self, room: int) -> Content:
        """Return the note, odds bar and chance of a hit in at most `room` cells. Parts that do not fit are left out.

        Without odds, return only the note, cut to `room` cells.
        """
        odds, note = self.action.odds, self.action.note
        if not odds:
            said = ": ".join(filter(None, ("due", note))) if self.says_due else note
            return fit(Content.styled(said, "$mid" if self.has_class("owed") else "$faint"), room)
        hit = Content.styled(f"{whole(chance(odds)):>3}%", "bold")
        if room < BAR + hit.cell_length:
            return hit if hit.cell_length <= room else Content()
        bar = Content.assemble(odds_bar(odds, BAR), hit)
        fits = Content(note).cell_length < room - bar.cell_length
        return Content.assemble((f"{note} ", "$muted"), bar) if note and fits else bar


Cells = list[tuple[ActionChip, int]]
"""The chips of one row, each with its width in cells."""


def pack_rows(cells: Cells, width: int) -> list[Cells]:
    """Distribute chips over rows of at most `width` cells, in order, with one blank between two chips.

    `cells` has (chip, cells that it needs) pairs, and so has each row that is returned. A chip wider than a row is cut.
    """
    rows: list[Cells] = []
    left = 0
    for chip, wanted in cells:
        if wanted > left:
            rows.append([])
            left = width
        rows[-1].append((chip, min(wanted, width)))
        left -= wanted + 1
    return rows


def in_rows(rows: list[Cells], indent: int = 0) -> list[WidgetPlacement]:
    """Return the placements of the chips, one screen row for each list in `rows`.

    Every row is indented by `indent` cells.
    """
    placements: list[WidgetPlacement] = []
    for y, row in enumerate(rows):
        x = indent
        for chip, cells in row:
            placements.append(WidgetPlacement(Region(x, y, cells, 1), NULL_OFFSET, Spacing(), chip))
            x += cells + 1
    return placements


class _FlowLayout(Layout):
    name = "flow"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        assert isinstance(parent, ChipFlow)
        return in_rows(parent.laid(size.width))


_LAYOUT = _FlowLayout()


class ChipFlow(Widget):
    """A group of chips for up to `most` actions, in as many rows as the width needs.

    The chips are drawn without their reasons.
    """

    DEFAULT_CSS = "ChipFlow { height: auto; }"

    def __init__(self, actions: tuple[Action, ...], most: int, *, id: str) -> None:  # noqa: A002
        self.actions = actions
        self.chips = [ActionChip(actions[n] if n < len(actions) else _NONE, id=f"{id}-{n}") for n in range(most)]
        super().__init__(*self.chips, id=id)
        for chip in self.chips:
            chip.display = bool(chip.action.label)

    @property
    def layout(self) -> Layout:
        return _LAYOUT

    def laid(self, width: int) -> list[Cells]:
        return pack_rows([(chip, chip.bare_cells) for chip in self.chips if chip.display], width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.laid(width))

    def show(self, actions: tuple[Action, ...]) -> None:
        """Show chips for these actions instead. Actions beyond `most` are left out."""
        if actions == self.actions:
            return
        self.actions = actions
        for n, chip in enumerate(self.chips):
            action = actions[n] if n < len(actions) else _NONE
            chip.display = bool(action.label)
            chip.show(action)
        self.refresh(layout=True)
