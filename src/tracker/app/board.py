"""Where everything stands on the table, worked out from the size of the window."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from tracker.app.widgets.action import ActionChip
from tracker.app.widgets.pane import Pane
from tracker.app.widgets.tracks import TrackList

COZY = 116
WIDE = 180
SHEET = 18
"""Rows of the sheet with its frame."""
STRIPS = 4
"""Rows below the panes in a narrow window: a rule, what happened last, what can be done now, two rows of it."""


class TableLayout(Layout):
    """Narrow: sheet beside tracks over journal, strips below. Else: sheet and last roll, now and tracks, journal.

    Everything stands on the screen itself: Textual paints each container line by line before its children, and the
    first frame would take half as long again.
    """

    name = "table"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        board = Size(size.width, size.height - 2)
        regions = (_narrow if size.width < COZY else _roomy)(board, _tracks(children), _actions(children))
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


def _actions(children: list[Widget]) -> int:
    """The rows that the chips of this moment take: one each, and one for the bare rolls together."""
    chips = [chip for child in children if child.id == "now" for chip in child.children if chip.display]
    return sum(not chip.has_class("roll") for chip in chips) + any(chip.has_class("roll") for chip in chips)


def _narrow(size: Size, tracks: int, _: int) -> dict[str, Region]:
    width, body = size.width, size.height - STRIPS
    left = 38 if width < 100 else 42
    upper = max(3, min(1 + max(2, 2 * tracks), body - 5))
    return {
        "sheet": Region(0, 0, left, body),
        "tracks": Region(left, 0, width - left, upper),
        "journal": Region(left, upper, width - left, body - upper),
        "last": Region(0, body, width, 2),
        "now": Region(0, body + 2, width, 2),
    }


def _roomy(size: Size, _: int, actions: int) -> dict[str, Region]:
    width, height = size
    left, middle = (42, 51) if width >= WIDE else (40, 43)
    now = actions + 2
    sheet = min(height - 4, SHEET)
    return {
        "sheet": Region(0, 0, left, sheet),
        "last": Region(0, sheet, left, height - sheet),
        "now": Region(left, 0, middle, now),
        "tracks": Region(left, now, middle, height - now),
        "journal": Region(left + middle, 0, width - left - middle, height),
    }


class _NowLayout(Layout):
    """Roomy: moves under each other, the bare rolls in one row. Narrow: as many to a row as fit, in two rows."""

    name = "now"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        chips = [child for child in children if isinstance(child, ActionChip) and child.display]
        narrow = size.height <= 2
        placements: list[WidgetPlacement] = []
        indent = LABEL if narrow else 0
        x, y = indent, 0
        for chip in chips:
            small = narrow or chip.has_class("roll")
            cells = chip.chip_cells if small else size.width
            new_row = x > indent and (
                not small or x + cells > size.width or (narrow and y == 0 and chip.has_class("roll"))
            )
            if new_row:
                x, y = indent, y + 1
            cells = min(cells, size.width - x)
            placements.append(WidgetPlacement(Region(x, y, cells, 1), NULL_OFFSET, Spacing(), chip))
            x += cells + 1
            if not small:
                x, y = indent, y + 1
        return placements


LABEL = 6
_NOW = _NowLayout()


class NowPane(Pane):
    """The chips of this moment; in a narrow window with a word before each row."""

    def render(self) -> Content:
        return Content.styled("now\nroll", "$faint") if self.size.height <= 2 else Content()

    @property
    def layout(self) -> Layout:
        return _NOW
