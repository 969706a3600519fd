"""Buttons one after the other, in as many rows as they need."""

from __future__ import annotations

from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from tracker.app.widgets.buttons import ActionChip
from tracker.app.widgets.now_pane import Cells, packed
from tracker.games.api.view import Action, Start

_NONE = Action("", "", Start(""))


class _FlowLayout(Layout):
    name = "flow"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002, FBT001, FBT002
        assert isinstance(parent, ChipFlow)
        placements: list[WidgetPlacement] = []
        for y, row in enumerate(parent.laid(size.width)):
            x = 0
            for chip, cells in row:
                placements.append(WidgetPlacement(Region(x, y, cells, 1), NULL_OFFSET, Spacing(), chip))
                x += cells + 1
        return placements


_LAYOUT = _FlowLayout()


class ChipFlow(Widget):
    """At most `most` of them. One that is greyed tells its reason when its key is pressed."""

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
        return packed([(chip, chip.bare_cells) for chip in self.chips if chip.display], width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.laid(width))

    def show(self, actions: tuple[Action, ...]) -> None:
        """Replace the chips by those of these actions; any beyond `most` are left out."""
        if actions == self.actions:
            return
        self.actions = actions
        for n, chip in enumerate(self.chips):
            action = actions[n] if n < len(actions) else _NONE
            chip.display = bool(action.label)
            chip.show(action)
        self.refresh(layout=True)
