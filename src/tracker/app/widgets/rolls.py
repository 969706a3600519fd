"""The last roll, and a table of those before it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from textual.content import Content

from tracker.app.drawings import column, dice, fit, fit_words, packed, tone_style, verdict
from tracker.app.widgets.base import ValueWidget
from tracker.games.api.phrases import by_weight, counted
from tracker.games.api.view import Card
from tracker.records import NamedTuple

PICTURE = 9
"""Fewest rows in which dice are drawn."""
LEAST_ROWS = 3
"""A long title gets rows of its own if there are more rows than this."""
LEAST = 12
"""Fewest cells in which the start of a change is still worth showing."""
_MARK, _OUTCOME, _SCORE, _DIE = 3, 7, 5, 3
_NAME = 4
"""Fewest cells for the name of a move."""
_WHO = 8
"""Most cells for the name of the character who rolled."""
_AGAINST = "·"
"""Separator between two groups of dice."""


class LastResult(NamedTuple):
    """The data of the pane with the last roll: the last action, and a message. `TableView.last` makes it.

    `name` is the name of the move, `card` its roll, or None if there was no move, and `changed` has phrases for what it
    changed. `notice` is the message to show, or "".
    """

    name: str = ""
    card: Card | None = None
    changed: tuple[str, ...] = ()
    notice: str = ""
    who: str = ""
    """Name of the character who acted; "" if there is only one."""

    @property
    def by(self) -> str:
        return f"{self.who}: " if self.who else ""


class LastRoll(ValueWidget[LastResult]):
    """Pane of the table with the last action and the message.

    It is one line if the pane is one row high, else it has dice, sum and reason as far as they fit.
    """

    @property
    def pictured(self) -> bool:
        """True if the last action has dice to draw."""
        return bool(self.data.card and self.data.card.dice)

    @property
    def is_empty(self) -> bool:
        return self.data.card is None and not self.data.notice

    def text_rows(self) -> list[Content]:
        width, height = self.size
        if height == 1:
            return [_strip(self.data, width)]
        notice = Content.styled(self.data.notice, "$mid").wrap(width) if self.data.notice else []
        lines = _told(self.data, width, height - len(notice))
        if not lines and not notice:
            lines = [Content.styled("No roll yet.", "$faint")]
        return [fit(line, width) for line in [*lines, *notice][:height]]


def _told(last: LastResult, width: int, height: int) -> list[Content]:
    """Return the last action in at most `height` rows; [] if there is none.

    If not all of it fits, parts are left out: the reason; else the dice; else both; else the sum, too.
    """
    card = last.card
    if not card or height < 1:
        return []
    first = Content.assemble(_verdict(card), "  " if card.outcome else "", f"{last.by}{card.title}")
    lines = [first]
    if first.cell_length > width and height > LEAST_ROWS:
        lines = [_verdict(card), *Content(f"{last.by}{card.title}").wrap(width)] if card.outcome else first.wrap(width)
    changed = Content.styled(", ".join(last.changed), "bold").wrap(width) if last.changed else []
    why = packed(card.reasons, width)
    total = Content(card.sum).wrap(width) if card.sum else []
    picture = dice(card, width) if height >= PICTURE else []
    for parts in ([picture, total, why, changed], [picture, total, changed], [total, why, changed], [total, changed]):
        more = [line for part in parts for line in part]
        if len(lines) + len(more) <= height:
            return lines + more
    return [*lines, *changed][:height]


def _verdict(card: Card) -> Content:
    return verdict(card.mark, card.outcome, card.tone) if card.outcome else Content()


def _strip(last: LastResult, width: int) -> Content:
    """Return the last action in one line: outcome, name, roll and changes. A notice replaces all of that.

    If the line is too long, the roll is left out first, then the least important changes.
    """
    label = Content.styled("last  ", "$faint")
    room = width - label.cell_length
    if last.notice:
        return Content.assemble(label, fit(Content.styled(last.notice, "$mid"), room))
    if not last.card:
        return Content.assemble(label, ("No roll yet.", "$faint"))
    first = Content.assemble(_verdict(last.card), "  " if last.card.outcome else "", (f"{last.by}{last.name}", "bold"))
    # Where there was no roll, what it came to is what it changed.
    roll = Content(last.card.short or (last.card.sum if last.card.mark or not last.changed else ""))
    for said in ([roll], []):
        line = _joined([first, *said], "  ")
        if last.changed:
            line = _joined([line, Content.styled(", ".join(last.changed), "$muted")], "  ")
        if line.cell_length <= room:
            return Content.assemble(label, line)
        if roll and not last.card.outcome:  # what it says is what it came to
            return Content.assemble(label, fit(_joined([first, roll], "  "), room))
    weighed = by_weight(last.changed)
    for count in range(len(weighed) - 1, 0, -1):
        hidden = len(weighed) - count
        for rest in (f", and {counted(hidden, 'more change')}", f", and {hidden} more", ", …"):
            line = _joined([first, Content.styled(", ".join(weighed[:count]) + rest, "$muted")], "  ")
            if line.cell_length <= room:
                return Content.assemble(label, line)
    if weighed and (left := room - first.cell_length - 2) >= LEAST:
        return Content.assemble(label, first, "  ", fit_words(weighed[0], left).stylize("$muted"))
    return Content.assemble(label, fit(first, room))


def _joined(parts: Iterable[Content], gap: str) -> Content:
    return Content(gap).join(part for part in parts if part)


class Rolled(NamedTuple):
    """One row of a RollTable: `name` is that of the move, `card` its roll, and `who` the name of the character.

    `who` is "" if the party has only one member.
    """

    name: str
    card: Card
    who: str = ""
    """Name of the character who rolled; "" if there is only one."""


class RollTable(ValueWidget[tuple[Rolled, ...]]):
    """Pane of the table with earlier rolls, newest first.

    The columns are mark, outcome, move, score, and the dice that the score had to beat.
    """

    def render(self) -> Content:
        return Content("\n").join(self.lines(*self.size)) if self.data else Content.styled("No roll yet.", "$faint")

    def lines(self, width: int, height: int) -> list[Content]:
        shown = self.data[: height - 1]
        dice = max((len(_faces(rolled.card)) for rolled in shown), default=0)
        score = _SCORE if any(rolled.card.score is not None for rolled in shown) else 0
        name = width - _MARK - _OUTCOME - score - dice
        outcome = _OUTCOME
        if any(Content(f"{_by(rolled)}{rolled.name}").cell_length >= name for rolled in shown):
            outcome = 0  # the mark says it, too
            name += _OUTCOME
        if name < _NAME:  # half of the dice would mislead
            name, dice = name + dice, 0
        head = Content.assemble(
            " " * (_MARK + outcome),
            column("move", name),
            "score" if score else "",
            "dice".rjust(dice) if dice else "",
        )
        lines = [fit(head.stylize("$faint"), width)]
        return lines + [_row(rolled, outcome, name, score, dice) for rolled in shown]


def _by(rolled: Rolled) -> str:
    return f"{fit(rolled.who, _WHO).plain}: " if rolled.who else ""


def _faces(card: Card) -> str:
    """Return the faces of the dice as text, three cells each.

    If the card has a score, return only the last group of dice, which are those that the score had to beat.
    """
    groups = ["".join(f" {die.face:>{_DIE - 1}}" for die in dice) for _, dice in groupby(card.dice, lambda d: d.group)]
    return groups[-1] if card.score is not None and groups else f" {_AGAINST}".join(groups)


def _row(rolled: Rolled, outcome: int, width: int, scored: int, dice: int) -> Content:
    """Return a roll as a row of the table. The four numbers are the widths in cells: outcome, name, score and dice.

    A mark that is a number is always followed by the words of the outcome.
    """
    card = rolled.card
    score = "" if card.score is None else str(card.score)
    words = card.told.partition(" ")[0]
    said = f"{card.mark:<{_MARK}}{words}" if outcome or card.mark.isdecimal() else card.mark
    # The mark of several tables is longer, and has no outcome after it.
    start = fit(said.rstrip(), max(_MARK + outcome - 1, Content(said).cell_length if card.mark.isdecimal() else 0))
    room = width + outcome - max(outcome, start.cell_length + 1 - _MARK)
    title = f"{_by(rolled)}{card.title}"
    return Content.assemble(
        column(start.stylize(tone_style(card.tone)), _MARK + outcome + width - room),
        column(title if card.title and Content(title).cell_length < room else f"{_by(rolled)}{rolled.name}", room),
        (score.rjust(scored), "bold"),
        (_faces(card).rjust(dice) if dice else "", "$muted"),
    )
