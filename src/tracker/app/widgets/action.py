"""Something that can be done now: a chip, and beside it how good the chances are."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size

from tracker.app.draw import fit, odds_bar
from tracker.app.widgets.chip import Chip
from tracker.games.sheet import Action

CHIP_CELLS = 22


class ActionChip(Chip):
    """In a list it fills the row with note and odds; in a strip only the chip is there, if it is `placed` at all."""

    placed = True

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

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return self.chip_cells

    def allow_focus(self) -> bool:
        return self.placed and super().allow_focus()

    @property
    def chip_cells(self) -> int:
        return self._words().cell_length + 2

    @property
    def bare_cells(self) -> int:
        """Without the reason."""
        return Content(f"{self.key} {self.label}").cell_length + 2

    def render(self) -> Content:
        width = self.size.width
        if self.reason and width <= self.bare_cells:
            return fit(Content.styled(f" {self.key} {self.label}", "$faint"), width)
        if width <= self.chip_cells or self.reason:
            return super().render()
        chip = self.drawn(min(CHIP_CELLS, width))
        odds = self.action.odds
        room = width - chip.cell_length - 1
        if odds:
            hit = f"{100 - odds[-1][1]:>3}%"
            # A word cut to a letter tells nothing.
            note = self.action.note if len(self.action.note) <= room - 15 else ""
            beside = Content.assemble((f"{note} " if note else "", "$muted"), odds_bar(odds, 10), (hit, "bold"))
        else:
            beside = Content.styled(self.action.note, "$faint")
        return Content.assemble(chip, " ", fit(beside, room))
