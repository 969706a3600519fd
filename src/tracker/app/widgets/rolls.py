"""The last rolls, as a table."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from tracker.app.draw import column, fit, tone_style
from tracker.app.widgets.drawn import Drawn
from tracker.games.sheet import Card

_MARK, _OUTCOME, _SCORE, _DIE = 3, 7, 5, 3


class Rolled(NamedTuple):
    """A roll, and the name of what it was made for."""

    name: str
    card: Card


class RollTable(Drawn[tuple[Rolled, ...]]):
    """Newest first: mark, outcome, move, score and the dice that it was held against."""

    def render(self) -> Content:
        width, height = self.size
        if not self.data:
            return Content.styled("No roll yet.", "$faint")
        shown = self.data[: height - 1]
        dice = max((_cells(rolled.card) for rolled in shown), default=0)
        name = width - _MARK - _OUTCOME - _SCORE - dice
        head = Content.assemble(" " * (_MARK + _OUTCOME), column("move", name), "score", "dice".rjust(dice))
        lines = [fit(head.stylize("$faint"), width)]
        lines += [_row(rolled, name, dice) for rolled in shown]
        return Content("\n").join(lines)


def _against(card: Card) -> list[int]:
    """The faces of the last group of dice."""
    return [die.face for die in card.dice if die.group == card.dice[-1].group]


def _cells(card: Card) -> int:
    """What its dice take: three for each, and a blank before one that has three digits."""
    return sum(max(_DIE, 1 + len(str(face))) for face in _against(card))


def _row(rolled: Rolled, width: int, dice: int) -> Content:
    card = rolled.card
    outcome = card.told.partition(" ")[0]
    score = "" if card.score is None else str(card.score)
    faces = "".join(f" {face:>{_DIE - 1}}" for face in _against(card))
    # The mark of several tables is longer, and has no outcome after it.
    said = fit(f"{card.mark:<{_MARK}}{outcome}", _MARK + _OUTCOME - 1)
    return Content.assemble(
        column(said.stylize(tone_style(card.tone)), _MARK + _OUTCOME),
        column(rolled.name, width),
        (score.rjust(_SCORE), "bold"),
        (faces.rjust(dice), "$muted"),
    )
