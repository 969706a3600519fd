"""The pane of what can be done now: due items, the moves that fit this moment, and rolls without a move."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.layout import ArrangeResult, Layout
from textual.widget import Widget

from tracker.app.widgets.base import Pane
from tracker.app.widgets.buttons import BESIDE, ActionChip, Cells, in_rows, pack_rows

LABEL = 6
"""Cells for the word before the chips of a strip."""


def _strip(chips: list[ActionChip], width: int, most: int) -> list[Cells]:
    """Return the chips in at most `most` rows, then a row for the due item, for a narrow window.

    Reasons are shown if one row is enough. If there are too many chips, moves are left out, the last one first. If
    `most` is 1, rolls are left out, too, before the moves.
    """
    owed = [[(chip, width) for chip in chips if chip.has_class("owed")]]
    chips = [chip for chip in chips if not chip.has_class("owed")]
    told = pack_rows([(chip, chip.chip_cells) for chip in chips], width)
    rows = told if len(told) <= 1 else pack_rows([(chip, chip.bare_cells) for chip in chips], width)
    spare = chips if most == 1 else [chip for chip in chips if not chip.has_class("roll")]
    while len(rows) > most and spare:
        chips = [chip for chip in chips if chip is not spare[-1]]
        spare = spare[:-1]
        rows = pack_rows([(chip, chip.bare_cells) for chip in chips], width)
    return rows + [row for row in owed if row]


class _NowLayout(Layout):
    """Layout of a NowPane: each move in its own row and rolls packed into rows, or everything packed in a strip."""

    name = "now"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        assert isinstance(parent, NowPane)
        chips = parent.chips
        rows = parent.laid(size.width, size.height)
        for chip in chips:
            chip.placed = any(chip is there for row in rows for there, _ in row)
        return in_rows(rows, LABEL if parent.is_strip else 0)


_LAYOUT = _NowLayout()


class NowPane(Pane):
    """Pane with the chips for what the player can do now.

    In a narrow window it is a strip without a frame, labeled `now` and `due`.
    """

    @property
    def is_strip(self) -> bool:
        return not self.styles.border_top[0]

    @property
    def chips(self) -> list[ActionChip]:
        """The chips that are displayed."""
        return [chip for chip in self.children if isinstance(chip, ActionChip) and chip.display]

    def laid(self, width: int, most: int) -> list[Cells]:
        """Return the rows to draw in `width` cells: lists of (chip, cells). Set `column` and `says_due` of each chip.

        A strip has at most `most` rows, with the one for a due item; chips that do not fit are left out.
        """
        chips = self.chips
        owed = any(chip.has_class("owed") for chip in chips)
        for chip in chips:
            chip.says_due = chip.has_class("owed") and not self.is_strip
        if self.is_strip:
            for chip in chips:
                chip.column = 0
            return _strip(chips, width - LABEL, most - owed)
        rolls = [chip for chip in chips if chip.has_class("roll")]
        wanted = [chip.chip_cells for chip in chips if not (chip.reason or chip.classes & {"roll", "owed"})]
        column = max((cells for cells in wanted if cells <= width - BESIDE), default=0)
        for chip in chips:
            chip.column = 0 if chip.has_class("owed") else column
        return [[(chip, width)] for chip in chips if chip not in rolls] + pack_rows(
            [(chip, chip.chip_cells) for chip in rolls], width
        )

    @property
    def needed(self) -> int:
        """Number of cells that the widest available move needs with its note and odds; 0 without moves."""
        moves = (chip for chip in self.chips if not (chip.reason or chip.classes & {"roll", "owed"}))
        return max((chip.chip_cells + 1 + BESIDE + chip.note_cells for chip in moves), default=0)

    def rows(self, width: int, most: int) -> int:
        """Return the number of rows that the chips take, at least 1.

        A strip takes at most `most`, and one for a due item.
        """
        owed = any(chip.has_class("owed") for chip in self.chips)
        return len(self.laid(width, most + owed)) or 1

    def render(self) -> Content:
        if not self.is_strip:
            return Content()
        owed = any(chip.has_class("owed") for chip in self.chips)
        gap = "\n" * (self.size.height - 1)
        return Content.assemble(("now", "$faint"), gap, ("due", "$mid") if owed and gap else "")

    @property
    def layout(self) -> Layout:
        return _LAYOUT
