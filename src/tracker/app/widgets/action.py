"""Something that can be done now: a chip, and beside it how good the chances are."""

from __future__ import annotations

from collections.abc import Hashable

from textual.content import Content
from textual.geometry import Size

from tracker.app.draw import fit, odds_bar
from tracker.app.widgets.chip import Chip
from tracker.games.sheet import Action, chance

BAR = 10
BESIDE = BAR + len(" 100%")
"""Cells that a chip leaves for its odds."""


class ActionChip(Chip):
    """In a list it fills the row with note and odds; in a strip only the chip is there, if it is `placed` at all."""

    placed = True
    column = 0
    """Cells that the chip itself takes, the same for all that stand under each other; 0 for as many as it needs."""

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
        return self._key_now, action.label, action.note, action.odds, action.reason, self.column, self.has_focus

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
        """The stat, the odds and the chance of a hit, as far as they fit; a word cut to a letter tells nothing."""
        odds, note = self.action.odds, self.action.note
        if not odds:
            return fit(Content.styled(note, "$mid" if self.has_class("owed") else "$faint"), room)
        hit = Content.styled(f"{chance(odds):>3}%", "bold")
        if room < BAR + hit.cell_length:
            return hit if hit.cell_length <= room else Content()
        bar = Content.assemble(odds_bar(odds, BAR), hit)
        fits = Content(note).cell_length < room - bar.cell_length
        return Content.assemble((f"{note} ", "$muted"), bar) if note and fits else bar
