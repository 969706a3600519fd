"""Where everything stands on the table, worked out from the size of the window."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from tracker.app.widgets.action import ActionChip
from tracker.app.widgets.pane import Pane
from tracker.app.widgets.sheet import SheetPane
from tracker.app.widgets.tracks import TrackList

COZY = 116
WIDE = 180
SHEET = 18
"""Rows of the sheet with its frame, of somebody with nothing but numbers."""
TALL = 22
"""Rows from which a narrow window has a third one for what can be done now."""


class TableLayout(Layout):
    """Narrow: sheet beside tracks over journal, strips below. Else: sheet and last roll, now and tracks, journal.

    Everything stands on the screen itself: Textual paints each container line by line before its children, and the
    first frame would take half as long again.
    """

    name = "table"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        board = Size(size.width, size.height - 2)
        chips = [chip for child in children if isinstance(child, NowPane) for chip in child.chips]
        if size.width < COZY:
            regions = _narrow(board, _tracks(children), len(_strip(chips, size.width - LABEL)))
        else:
            regions = _roomy(board, _actions(chips), SHEET + _more_fields(children))
        regions = {name: region.translate((0, 1)) for name, region in regions.items()}
        regions |= {
            "head": Region(0, 0, size.width, 1),
            "foot": Region(0, size.height - 1, size.width, 1),
            "write": _foot_of(regions["journal"], narrow=size.width < COZY),
            "small": size.region,
        }
        return [
            WidgetPlacement(regions[child.id], NULL_OFFSET, Spacing(), child)
            for child in children
            if child.id in regions and child.display
        ]


def _foot_of(journal: Region, *, narrow: bool) -> Region:
    """The last row inside the journal, where a line is written."""
    inset = 0 if narrow else 1
    return Region(journal.x + 1, journal.bottom - 1 - inset, journal.width - 1 - inset, 1)


def _tracks(children: list[Widget]) -> int:
    return sum(len(child.data) for child in children if isinstance(child, TrackList))


def _actions(chips: list[ActionChip]) -> int:
    """The rows that the chips of this moment take: one each, and one for the bare rolls together."""
    return sum(not chip.has_class("roll") for chip in chips) + any(chip.has_class("roll") for chip in chips)


def _narrow(size: Size, tracks: int, actions: int) -> dict[str, Region]:
    now = max(2, min(actions, 3 if size.height >= TALL else 2))
    width, body = size.width, size.height - 2 - now
    left = 38 if width < 100 else 42
    upper = max(3, min(1 + max(2, 2 * tracks), body - 5))
    return {
        "sheet": Region(0, 0, left, body),
        "tracks": Region(left, 0, width - left, upper),
        "journal": Region(left, upper, width - left, body - upper),
        "last": Region(0, body, width, 2),
        "now": Region(0, body + 2, width, now),
    }


def _more_fields(children: list[Widget]) -> int:
    return sum(child.more for child in children if isinstance(child, SheetPane))


def _roomy(size: Size, actions: int, rows: int) -> dict[str, Region]:
    width, height = size
    left, middle = (42, 51) if width >= WIDE else (40, 43)
    now = actions + 2
    sheet = min(height - 4, rows)
    return {
        "sheet": Region(0, 0, left, sheet),
        "last": Region(0, sheet, left, height - sheet),
        "now": Region(left, 0, middle, now),
        "tracks": Region(left, now, middle, height - now),
        "journal": Region(left + middle, 0, width - left - middle, height),
    }


Cells = list[tuple[ActionChip, int]]
"""Chips of one row, each with its cells."""


def _strip(chips: list[ActionChip], width: int) -> list[Cells]:
    """As many to a row as fit, the bare rolls in a row of their own; reasons only where they cost no row."""
    rows: list[Cells] = []
    for group in ([c for c in chips if not c.has_class("roll")], [c for c in chips if c.has_class("roll")]):
        told = _packed([(chip, chip.chip_cells) for chip in group], width)
        rows += told if len(told) <= 1 else _packed([(chip, chip.bare_cells) for chip in group], width)
    return rows


def _packed(cells: Cells, width: int) -> list[Cells]:
    rows: list[Cells] = []
    left = 0
    for chip, wanted in cells:
        if wanted > left:
            rows.append([])
            left = width
        rows[-1].append((chip, min(wanted, width)))
        left -= wanted + 1
    return rows


class _NowLayout(Layout):
    """Roomy: moves under each other, the bare rolls in one row. Narrow: as many to a row as fit."""

    name = "now"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        chips = [child for child in children if isinstance(child, ActionChip) and child.display]
        narrow = parent.app.size.width < COZY
        indent = LABEL if narrow else 0
        if narrow:
            rows = _strip(chips, size.width - indent)
            rows = rows[: size.height - 1] + rows[size.height - 1 :][-1:]  # the bare rolls are always there
        else:
            rolls = [chip for chip in chips if chip.has_class("roll")]
            rows = [[(chip, size.width)] for chip in chips if chip not in rolls] + _strip(rolls, size.width)
        for chip in chips:
            chip.placed = any(chip is there for row in rows for there, _ in row)
        placements: list[WidgetPlacement] = []
        for y, row in enumerate(rows):
            x = indent
            for chip, cells in row:
                placements.append(WidgetPlacement(Region(x, y, cells, 1), NULL_OFFSET, Spacing(), chip))
                x += cells + 1
        return placements


LABEL = 6
"""Cells before the chips of a narrow window, for a word."""
_NOW = _NowLayout()


class NowPane(Pane):
    """The chips of this moment; in a narrow window with a word before the first and the last row."""

    @property
    def chips(self) -> list[ActionChip]:
        """Those that are shown."""
        return [chip for chip in self.children if isinstance(chip, ActionChip) and chip.display]

    def render(self) -> Content:
        if self.app.size.width >= COZY:
            return Content()
        return Content.styled("now" + "\n" * (self.size.height - 1) + "roll", "$faint")

    @property
    def layout(self) -> Layout:
        return _NOW
