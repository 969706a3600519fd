"""The GM's list of adversaries, each with its numbers, and one cursor over all numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message

from tracker.app.drawings import CURSOR, LONGEST_PIPS, column, fit, pips, segments
from tracker.app.widgets.base import DOWN, PRESS, UP, CursorList
from tracker.games.api.view import Foe, Meter

_INDENT = 2
_GAP = 3


class FoeList(CursorList[tuple[Foe, ...], tuple[Foe, Meter]]):
    """List of the adversaries on the GM's screen, with a cursor on one of their numbers.

    Up and down move from number to number; at an end the screen gets the key. Descriptions are shown in full if all of
    them fit, else their first lines if these fit, else not at all.
    """

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, PRESS]
    DEFAULT_CSS = "FoeList { height: 1fr; }"

    class Pressed(Message):
        """Message that Enter was pressed on a number of the adversary `foe`."""

        def __init__(self, foe: Foe) -> None:
            super().__init__()
            self.foe = foe

    class Moved(Message):
        """Message that the cursor has moved to another foe."""

    def __init__(self, data: tuple[Foe, ...], *, empty: str, id: str) -> None:  # noqa: A002
        super().__init__(data, id=id)
        self.empty = empty

    def stops(self) -> list[tuple[Foe, Meter]]:
        return [(foe, meter) for foe in self.data for meter in foe.meters]

    def identity(self, stop: tuple[Foe, Meter]) -> str:
        return stop[1].at

    @property
    def foe(self) -> Foe | None:
        """The foe under the cursor, or None if the list is empty."""
        return self.here[0] if self.here else None

    @property
    def at(self) -> str | None:
        return self.here[1].at if self.here else None

    def allow_focus(self) -> bool:
        return bool(self.data)

    def moved(self, was: tuple[Foe, Meter] | None) -> None:
        if was is None or self.foe is not was[0]:
            self.post_message(self.Moved())

    def action_press(self) -> None:
        if self.foe:
            self.post_message(self.Pressed(self.foe))

    # -- drawing ----------------------------------------------------------------------------------------

    def _blocks(self) -> list[list[Content]]:
        """Return a list of lines for each foe, with as much of the descriptions as the height allows."""
        width, height = self.size
        for words, air in ((99, 1), (99, 0), (1, 0), (0, 0)):
            blocks = [list(self._lines(foe, width, words)) for foe in self.data]
            if sum(map(len, blocks)) + air * (len(blocks) - 1) <= height:
                return [[*block, *[Content()] * air] for block in blocks]
        return blocks

    def _seen(self) -> list[tuple[int, list[Content]]]:
        """Scroll so that the cursor is visible, and return (index, lines) of each foe from the first visible one on."""
        blocks = self._blocks()
        under = next((n for n, foe in enumerate(self.data) if foe is self.foe), 0)
        self.top = min(self.top, under)
        room = self.size.height - (sum(map(len, blocks)) > self.size.height)  # a row says how many are not seen
        while self.top < under and sum(map(len, blocks[self.top : under + 1])) > room:
            self.top += 1
        return list(enumerate(blocks))[self.top :]

    def render(self) -> Content:
        if not self.data:
            return fit(Content.styled(self.empty, "$faint"), self.size.width)
        height = self.size.height
        seen = self._seen()
        lines = [line for _, block in seen for line in block]
        if self.top or len(lines) > height + 1:
            below = 0
            while sum(len(block) for _, block in seen) > height - 1 and len(seen) > 1:
                seen.pop()
                below += 1
            lines = [line for _, block in seen for line in block][: height - 1]
            lines += [Content()] * (height - 1 - len(lines))
            more = ((self.top, "↑"), (below, "↓"))
            told = "   ".join(f"{way} {many} more" for many, way in more if many)
            lines.append(Content.styled(f"  {told}", "$faint"))
        return Content("\n").join(lines[:height])

    def _lines(self, foe: Foe, width: int, words: int) -> Iterator[Content]:
        under = foe is self.foe
        mark = Content.styled("► " if under else "  ", "$cur-bg" if self.has_focus else "$muted")
        note = Content.styled(foe.out or foe.note, "italic $faint" if foe.out else "$muted")
        room = width - _INDENT - note.cell_length - 1
        acted = "acted" if foe.acts else ""
        sorts = (", ".join(filter(None, sort)) for sort in ((foe.kind, acted), (acted,)))
        long, short = (Content.styled(f"  {sort}" if sort else "", "$muted") for sort in sorts)
        # A name is worth more than what sort it is.
        kind = long if Content(foe.name).cell_length + long.cell_length <= room else short
        name = fit(foe.name, max(8, room - kind.cell_length)).stylize("$faint" if foe.out else "bold")
        yield Content.assemble(mark, column(Content.assemble(name, kind), room), " ", note)
        if foe.out and not under:
            return
        yield Content.assemble("  ", self._numbers(foe, width - _INDENT))
        if words:
            both = "  ".join(foe.words[:2])
            first = [both] if Content(both).cell_length <= width - _INDENT else foe.words[:2]
            told, rest = (
                [line for word in some for line in Content.styled(word, "$muted").wrap(width - _INDENT)]
                for some in (first, foe.words[2:])
            )
            yield from (Content.assemble("  ", line) for line in [*told, *rest][: words if words > 1 else len(told)])

    def _numbers(self, foe: Foe, width: int) -> Content:
        """Return the numbers of a foe in one row of at most `width` cells.

        If they do not fit, the word "marked" is left out, then the pictures; after that the row is cut.
        """
        marked = Content.styled(" marked" if any(meter.marks for meter in foe.meters) else "", "$faint")
        for pictured, gap, word in ((True, _GAP, marked), (True, _GAP, Content()), (False, 1, Content())):
            meters = [self._meter(one, pictured=pictured) for one in foe.meters]
            line = Content.assemble(Content(" " * gap).join(meters), word)
            if line.cell_length <= width:
                return line
        return fit(line, width)

    def _meter(self, meter: Meter, *, pictured: bool) -> Content:
        draw = segments if meter.marks else pips
        picture = draw(meter.value, meter.high, "") if pictured and meter.high <= LONGEST_PIPS else Content()
        number = f"{meter.value}/{meter.high}" if meter.told else str(meter.value)
        label = Content.styled(f"{meter.label} ", "$muted")
        if self.has_focus and meter.at == self.at:
            ends = "bold $primary"
            value = Content.assemble(("‹", ends), (number, CURSOR), ("›", ends))
            label = label.stylize("bold $primary")
        else:
            value = Content.assemble(" ", (number, "bold"), " ")
        return Content.assemble(label, picture, value)

    def stop_at(self, offset: Offset) -> int | None:
        """Return the index of the first number of the foe drawn at this offset, or None."""
        y = 0
        for n, block in self._seen():
            y += len(block)
            if offset.y < y:
                return next(i for i, (foe, _) in enumerate(self.stops()) if foe is self.data[n])
        return None
