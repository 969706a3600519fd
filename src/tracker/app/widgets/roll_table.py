"""The last rolls, as a table."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from textual.content import Content

from tracker.app.drawings import column, fit, tone_style
from tracker.app.widgets.value_widget import ValueWidget
from tracker.games.api.view import Card

_MARK, _OUTCOME, _SCORE, _DIE = 3, 7, 5, 3
_NAME = 4
"""Cells below which a name tells nothing."""
_WHO = 8
"""Cells for a name before what was rolled."""
_AGAINST = "·"
"""Between the dice of two sides."""


class Rolled(NamedTuple):
    """A roll, and the name of what it was made for."""

    name: str
    card: Card
    who: str = ""
    """Who rolled, where there is more than one to name."""


class RollTable(ValueWidget[tuple[Rolled, ...]]):
    """Newest first: mark, outcome, move, score and the dice that it was held against."""

    def render(self) -> Content:
        return Content("\n").join(self.lines(*self.size)) if self.data else Content.styled("No roll yet.", "$faint")

    def lines(self, width: int, height: int) -> list[Content]:
        shown = self.data[: height - 1]
        dice = max((len(_faces(rolled.card)) for rolled in shown), default=0)
        score = _SCORE if any(rolled.card.score is not None for rolled in shown) else 0
        if width - _MARK - _OUTCOME - score - dice < _NAME:  # half of them would mislead
            dice = 0
        name = width - _MARK - _OUTCOME - score - dice
        head = Content.assemble(
            " " * (_MARK + _OUTCOME),
            column("move", name),
            "score" if score else "",
            "dice".rjust(dice) if dice else "",
        )
        lines = [fit(head.stylize("$faint"), width)]
        return lines + [_row(rolled, name, score, dice) for rolled in shown]


def _faces(card: Card) -> str:
    """The dice, three cells for each; only those that the score was held against, where there is one."""
    groups = ["".join(f" {die.face:>{_DIE - 1}}" for die in dice) for _, dice in groupby(card.dice, lambda d: d.group)]
    return groups[-1] if card.score is not None and groups else f" {_AGAINST}".join(groups)


def _row(rolled: Rolled, width: int, scored: int, dice: int) -> Content:
    card = rolled.card
    outcome = card.told.partition(" ")[0]
    score = "" if card.score is None else str(card.score)
    # The mark of several tables is longer, and has no outcome after it.
    said = fit(f"{card.mark:<{_MARK}}{outcome}", _MARK + _OUTCOME - 1)
    who = f"{fit(rolled.who, _WHO).plain}: " if rolled.who else ""
    title = f"{who}{card.title}"
    return Content.assemble(
        column(said.stylize(tone_style(card.tone)), _MARK + _OUTCOME),
        column(title if card.title and Content(title).cell_length <= width else f"{who}{rolled.name}", width),
        (score.rjust(scored), "bold"),
        (_faces(card).rjust(dice) if dice else "", "$muted"),
    )
