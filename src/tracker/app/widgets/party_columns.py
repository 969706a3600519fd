"""The party in columns: the numbers, marks and due items of each member."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message

from tracker.app.drawings import CURSOR, LONGEST_PIPS, column, fit, pips, repeat_sign, segments
from tracker.app.key_queue import current_key
from tracker.app.widgets.base import LEFT, PRESS, RIGHT, CursorList
from tracker.games.api.phrases import signed
from tracker.games.api.view import Clock, Counter, Flags, Line, Member, Meter, Momentum, One, Stat
from tracker.records import NamedTuple

LEAST, MOST = 17, 34
"""Cells of a column. Seventeen hold every number of a sheet with its name, and four of them a narrow window."""
GAP = "│ "
LABEL = 10
PICTURE = 15
"""Cells behind a label, for the widest picture and two digits."""
WORDS = 2
"""Most rows of a text."""


class PartyColumn(NamedTuple):
    """The data of one column on the party screen: a party member with the fields that are not shared.

    `owed` has the texts of the due items. `acts` is True for the active character. `key` is the digit that makes this
    member active.
    """

    member: Member
    fields: tuple[One, ...]
    owed: tuple[str, ...] = ()
    acts: bool = False
    key: str = ""


class PartyColumns(CursorList[tuple[PartyColumn, ...], PartyColumn]):
    """List of the party's members as columns, with a cursor on one. Columns scroll if not all fit."""

    BINDINGS: ClassVar[list[BindingType]] = [LEFT, RIGHT, PRESS]
    DEFAULT_CSS = "PartyColumns { height: 1fr; }"

    class Pressed(Message):
        """Message that Enter was pressed on the member with the data `person`."""

        def __init__(self, person: PartyColumn) -> None:
            super().__init__()
            self.person = person

    class Moved(Message):
        """Message that the cursor has moved to another member."""

    def stops(self) -> tuple[PartyColumn, ...]:
        return self.data

    def identity(self, stop: PartyColumn) -> str:
        return stop.member.id

    def go_to(self, who: str) -> None:
        """Put the cursor on the member with this id; do nothing if there is none."""
        self.move_to(next((n for n, person in enumerate(self.data) if person.member.id == who), self.cursor))

    def _columns(self) -> tuple[range, int]:
        """Scroll so that the cursor is visible.

        Return (indexes of the visible columns, width of each column in cells).
        """
        room = self.size.width + len(GAP)
        seen = max(1, min(len(self.data), room // (LEAST + len(GAP))))
        self.top = max(self.cursor - seen + 1, min(self.top, self.cursor, len(self.data) - seen))
        return range(self.top, self.top + seen), min(MOST, room // seen - len(GAP))

    def render(self) -> Content:
        if not self.data:
            return Content.styled(f"No characters yet: {current_key(self, 'c')} makes one.", "$muted")
        shown, cells = self._columns()
        room = cells - (cells > LEAST)  # off the rule, where that costs nothing
        drawn = [list(_person(self.data[n], room, focus=n == self.cursor and self.has_focus)) for n in shown]
        gap = Content.styled(GAP, "$rule")
        lines = [gap.join([column(line, cells) for line in row]) for row in zip_longest(*drawn, fillvalue=Content())][
            : self.size.height - 1
        ]
        before, after = shown.start, len(self.data) - shown.stop
        if before or after:
            more = (f"‹ {before} more" if before else "", f"{after} more ›" if after else "")
            lines.append(Content.styled("   ".join(filter(None, more)), "$faint"))
        return Content("\n").join(lines)

    def move_beyond(self, step: int) -> None:
        """Do nothing: the cursor stays at the first or last member."""

    def moved(self, was: PartyColumn | None) -> None:  # noqa: ARG002
        self.post_message(self.Moved())

    def action_press(self) -> None:
        if self.here:
            self.post_message(self.Pressed(self.here))

    def stop_at(self, offset: Offset) -> int | None:
        if not self.data:
            return None
        shown, cells = self._columns()
        place = offset.x // (cells + len(GAP))
        return shown[place] if place < len(shown) else None


def _person(person: PartyColumn, width: int, *, focus: bool) -> Iterator[Content]:
    member = person.member
    key = f"{person.key} " if person.key else ""
    status = f"  {member.status}" if member.status else "  active" if person.acts else ""
    name = fit(member.name, width - len(key) - len(status) - 2)
    if focus:
        yield Content.assemble(("►", "$cur-bg"), (f"{key}{name.plain}", CURSOR), ("◄", "$cur-bg"), (status, "$muted"))
    else:
        hue = "$muted" if member.status else "bold"
        yield Content.assemble(" ", (key, "bold $key"), name.stylize(hue), " ", (status, "$muted"))
    if member.kind:
        yield Content.assemble("  ", fit(Content.styled(member.kind, "$muted"), width - 2))
    stats = [field for field in person.fields if isinstance(field, Stat)]
    if stats:
        yield from _stats(stats, width)
    marked = {flag.label for field in person.fields if isinstance(field, Flags) for flag in field.flags if flag.on}
    told = next((n for n, field in enumerate(person.fields, 1) if isinstance(field, Flags)), len(person.fields))
    for field in person.fields[:told]:
        yield from _field(field, width, marked)
    for owed in person.owed:  # before what has no number, which goes first where it is short
        yield from _words("due", owed, width, "$mid")
    for field in person.fields[told:]:
        yield from _field(field, width, marked)


def _stats(stats: list[Stat], width: int) -> Iterator[Content]:
    """Yield the stats, named in full if they fit in two lines, else by their hotkeys in one."""
    named = [Content.assemble((stat.label, "$muted"), f" {stat.value}") for stat in stats]
    half = -(-len(named) // 2)
    for lines in ([named], [named[:half], named[half:]]):
        drawn = [Content("  ").join(line) for line in lines]
        if all(line.cell_length <= width for line in drawn):
            yield from drawn
            return
    yield Content(" ").join([Content.assemble((stat.hot, "$muted"), (str(stat.value), "bold")) for stat in stats])


def _field(field: One, width: int, marked: Collection[str]) -> Iterator[Content]:
    """Yield the lines of a field. A note that only repeats a flag in `marked`, the labels of set flags, is left out."""
    match field:
        case Meter():
            picture = segments if field.marks and field.high <= LONGEST_PIPS else pips
            label = f"{field.label} marked" if field.marks and "marked" not in field.label else field.label
            yield _row(label, picture(field.value, field.high, ""), str(field.value), width)
            if field.note and field.note not in marked and not field.told:
                yield Content.styled(f"  {field.note}", "$bad")
        case Clock():
            yield _row(field.label, segments(field.value, field.segments, ""), str(field.value), width)
        case Momentum():
            yield _row(field.label, Content(), signed(field.value), width)
            yield Content.styled(f" max {signed(field.most)} reset {signed(field.reset)}", "$faint")
        case Counter():
            yield _row(field.label, repeat_sign(field.value, field.sign), str(field.value), width)
        case Flags():
            for flag in field.flags:
                if flag.on:
                    yield Content.assemble(("■ ", "$bad"), (flag.label, "bold $bad"))
            if not marked:
                yield Content.styled("□ none marked", "$faint")
        case Line() if field.value:
            yield from _words(field.label, field.value, width, "")
        case _:
            pass


def _row(label: str, picture: Content, number: str, width: int) -> Content:
    """Return a row of label, picture and number in `width` cells.

    A picture that does not fit is left out; the number is never cut.
    """
    room = min(width, LABEL + PICTURE) - len(number)
    drawing = picture if picture.cell_length < room - LABEL else Content()
    # A long name takes what its picture leaves free.
    cells = max(LABEL, min(Content(label).cell_length + 1, room - drawing.cell_length - 1))
    line = Content.assemble((column(fit(label, cells - 1), cells).plain, "$muted"), drawing)
    return Content.assemble(column(line, room), (number, "bold"))


def _words(label: str, words: str, width: int, style: str) -> Iterator[Content]:
    lines = Content.assemble((f"{label} ", "$muted"), (words, style)).wrap(width)
    yield from lines[: WORDS - 1]
    if len(lines) >= WORDS:
        last = lines[WORDS - 1]
        yield fit(last, width) if len(lines) == WORDS else Content.assemble(fit(last, width - 1), ("…", "$muted"))
