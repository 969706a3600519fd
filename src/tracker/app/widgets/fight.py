"""The pane of a fight: the foes, who leads, and which moves that forbids."""

from __future__ import annotations

from textual.content import Content

from tracker.app.drawings import column, fit
from tracker.app.widgets.base import Pane, ValueWidget
from tracker.app.widgets.tracks import TrackList
from tracker.games.api.view import Fight

_NAME = 13
"""Most cells for a name; the head line and the sheet show it in full."""


class FightPane(Pane):
    """Pane with the current fight: the foes as tracks, then who leads, and the moves that this forbids."""

    def __init__(self, fight: Fight | None, *, id: str) -> None:  # noqa: A002
        self.foes = TrackList(fight.foes if fight else (), id="foes")
        self.sides = _Sides(fight)
        super().__init__("Fight", self.foes, self.sides, id=id)

    def rows(self, width: int, *, whole: bool = True) -> int:
        """Return the number of rows needed at this width, without the frame.

        If `whole` is False, count only one row for each side and none for forbidden moves.
        """
        fight = self.sides.data
        lines = self.sides.lines(width)
        return self.foes.rows + (len(lines) if whole or not fight else len(fight.sides))

    def show(self, fight: Fight | None) -> None:
        """Show this fight, or nothing for None."""
        self.foes.update(fight.foes if fight else ())
        self.sides.update(fight)


class _Sides(ValueWidget[Fight | None]):
    DEFAULT_CSS = "_Sides { height: 1fr; }"

    def render(self) -> Content:
        return Content("\n").join(self.lines(self.size.width)[: self.size.height])

    def lines(self, width: int) -> list[Content]:
        if not self.data:
            return []
        lines: list[Content] = []
        longest = max((Content(side.name).cell_length for side in self.data.sides), default=0)
        name = min(longest + 2, _NAME, width // 2)
        for side in self.data.sides:
            lines += _labelled(Content.styled(side.name, "bold"), Content(side.words), name, width)
        why_not: dict[str, list[str]] = {}
        for action in self.data.moves:
            if action.reason:
                why_not.setdefault(action.reason, []).append(action.label)
        for reason, moves in why_not.items():
            told = Content.assemble(
                (f"Can't {', '.join(moves)}", "$faint"), (": ", "$faint"), (reason, "italic $faint")
            )
            lines += told.wrap(width)
        return lines


def _labelled(label: Content, words: Content, indent: int, width: int) -> list[Content]:
    """Return the words wrapped to `width` cells, with the label in front of the first row.

    The label takes `indent` cells; the other rows are indented by as many.
    """
    rows = words.wrap(width - indent)
    first = column(fit(label, indent - 1), indent)
    return [Content.assemble(first if n == 0 else " " * indent, row) for n, row in enumerate(rows)]
