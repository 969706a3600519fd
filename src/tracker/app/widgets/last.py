"""What just happened."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from tracker.app.draw import dice, fit, verdict
from tracker.app.widgets.drawn import Drawn
from tracker.games.sheet import Card


class Last(NamedTuple):
    """The last roll with what it changed, and a notice where something else happened since."""

    card: Card | None = None
    changed: tuple[str, ...] = ()
    notice: str = ""


class LastRoll(Drawn[Last]):
    """One line in a narrow window; dice and reasons where there is room."""

    def render(self) -> Content:
        width, height = self.size
        if height == 1:
            return fit(_strip(self.data), width)
        lines: list[Content] = []
        card = self.data.card
        if card:
            lines.append(Content.assemble(_verdict(card), f"  {card.title}" if card.outcome else card.title))
            if height >= 9:
                lines += dice(card, width)
            lines += Content(card.sum).wrap(width) if card.sum else []
            if card.why:
                lines += Content.styled(card.why, "$muted").wrap(width)
            if self.data.changed:
                lines += Content.styled(", ".join(self.data.changed), "$muted").wrap(width)
        elif not self.data.notice:
            lines.append(Content.styled("no roll yet", "$faint"))
        if self.data.notice:
            notice = Content.styled(self.data.notice, "$mid").wrap(width)
            lines = lines[: max(0, height - len(notice))] + notice
        return Content("\n").join(fit(line, width) for line in lines[:height])


def _verdict(card: Card) -> Content:
    return verdict(card.mark, card.outcome, card.tone) if card.outcome else Content()


def _strip(last: Last) -> Content:
    label = Content.styled("last  ", "$faint")
    if last.notice:
        return Content.assemble(label, (last.notice, "$mid"))
    if not last.card:
        return Content.assemble(label, ("no roll yet", "$faint"))
    words = last.card.short or last.card.sum
    changed = f"  {', '.join(last.changed)}" if last.changed else ""
    return Content.assemble(label, _verdict(last.card), f"  {last.card.title}  {words}", (changed, "$muted"))
