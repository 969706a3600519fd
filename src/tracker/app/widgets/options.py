"""A list of options, chosen by hotkey, by the cursor or by a click."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, ClassVar, Literal

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset, Size
from textual.message import Message

from tracker.app.drawings import CURSOR, column, fit, fit_words, odds_bar, tone_style
from tracker.app.widgets.base import (
    DOWN,
    END,
    HOME,
    PAGE_DOWN,
    PAGE_UP,
    PRESS,
    UP,
    CursorList,
    scroll_top,
    with_more_notes,
)
from tracker.games.api.view import Odds, whole
from tracker.records import NamedTuple

DIGITS = "123456789"
"""Hotkeys for rows without one of their own."""
LEAST_ROWS = 3
"""Fewest rows in which a row may be used to show how many more there are."""
LEAST_LABEL = 12
"""Fewest cells of a label, whatever is beside it."""


class Row(NamedTuple):
    """One row of an OptionPicker: the label that players read, and the value that stands for it.

    A row whose value is None is a heading; its `odds` are short names of the outcomes in the rows below it. A `reason`
    disables a row. If `on` is not None, the row is a checkbox, checked if `on` is True. If `one_of` is True, the row is
    a radio button: the one under the cursor is chosen.
    """

    label: str
    value: Any = None
    key: str = ""
    note: str = ""
    reason: str = ""
    on: bool | None = None
    odds: Odds = ()
    one_of: bool = False

    @property
    def heading(self) -> bool:
        return self.value is None


class OptionPicker(CursorList[tuple[Row, ...], Row]):
    """List of rows with a cursor, from which the player picks one. It scrolls, and is one stop for Tab.

    Rows are drawn as chips with the note beside them; with `listed`, as plain text with the note at the right edge.
    """

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, HOME, END, PAGE_UP, PAGE_DOWN, PRESS]
    DEFAULT_CSS = "OptionPicker { height: auto; max-height: 100%; }"

    class Picked(Message):
        """Message that Enter was pressed on a row, or the row was clicked (`clicked` is True)."""

        def __init__(self, row: Row, *, clicked: bool = False) -> None:
            super().__init__()
            self.row = row
            self.clicked = clicked

    class Moved(Message):
        """Message that the cursor has moved to another row, `row`."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    class Left(Message):
        """Message that an arrow key went beyond the first (`step` -1) or last (1) row."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, data: tuple[Row, ...] = (), *, listed: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(data, id=id)
        self.listed = listed
        self.veiled = False
        """True while nothing is drawn, although the widget keeps its size."""
        self._missing_note: Callable[[Row], str] | None = None
        self.cursor = self._next(-1, 1)

    def stops(self) -> tuple[Row, ...]:
        return self.data

    @property
    def row(self) -> Row | None:
        """The row under the cursor, or None if no row can be selected."""
        return self.here

    def allow_focus(self) -> bool:
        return self._next(-1, 1) >= 0

    def watch_has_focus(self, _has_focus: bool) -> None:  # noqa: FBT001
        """Do nothing. Textual would recompute all styles for the focus, which only the cursor shows here."""

    def show(self, data: tuple[Row, ...], at: Any = None) -> None:
        """Show these rows. The cursor goes to the row with the value `at`; for None it stays on the value under it.

        If no enabled row has that value, the cursor goes to the first enabled row.
        """
        if data == self.data and at is None:
            return
        under = self.row.value if self.row and at is None else at
        before, self.data = self.data, data
        at_once = (n for n, row in enumerate(data) if row.value is not None and row.value == under and not row.reason)
        self.cursor = next(at_once, self._next(-1, 1))
        if len(before) != len(data) or at is not None:
            self.top = 0
        self.refresh(layout=len(before) != len(data))

    def complete(self, missing_note: Callable[[Row], str]) -> None:
        """Set `missing_note`, a function that returns the note of a row that has none.

        It is only called for the visible rows of a listed picker.
        """
        self._missing_note = missing_note
        self.refresh()

    def veil(self, *, veiled: bool) -> None:
        if veiled != self.veiled:
            self.veiled = veiled
            self.refresh()

    def _next(self, start: int, step: int) -> int:
        at = start + step
        while 0 <= at < len(self.data):
            if not self.data[at].heading and not self.data[at].reason:
                return at
            at += step
        return -1

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.data)

    def render(self) -> Content:
        width, height = self.size
        if self.veiled:
            return Content()
        self.top = self._scrolled(height)
        seen = list(enumerate(self.data))[self.top : self.top + height]
        if self.listed:
            lines = [
                _listed(self._noted(row), width, current=n == self.cursor, focus=self.has_focus) for n, row in seen
            ]
        else:
            form = _form(self.data, width)
            lines = [_drawn(row, form, width, current=n == self.cursor, focus=self.has_focus) for n, row in seen]
        return with_more_notes(lines, *self._out_of_sight(height))

    def _noted(self, row: Row) -> Row:
        if self._missing_note is None or row.heading or row.note or row.reason:
            return row
        return row._replace(note=self._missing_note(row))

    def _scrolled(self, height: int) -> int:
        """Return the index of the first row to show in `height` rows, so that the cursor is visible.

        The first and last row may be covered by a note such as "↑ 3 more"; the cursor is kept off these.
        """
        last = self._next(len(self.data), -1)
        top = scroll_top(self.top, [self.cursor], height, len(self.data))
        # What stands over the first option is read with it, and what stands under the last one.
        if self.cursor == self._next(-1, 1) and self.cursor < height - 1:
            top = 0
        if self.cursor == last and len(self.data) - last < height:
            top = len(self.data)
        return max(0, min(top, len(self.data) - height))

    def _out_of_sight(self, height: int) -> tuple[int, int]:
        """Return (number of options hidden above, number hidden below), without headings.

        An option that is covered by the note with this number counts, too. Both are 0 if `height` is below LEAST_ROWS.
        """
        if height < LEAST_ROWS:
            return 0, 0
        bottom = self.top + height
        above = self.data[: self.top + 1] if self.top else ()
        below = self.data[bottom - 1 :] if bottom < len(self.data) else ()
        return sum(not row.heading for row in above), sum(not row.heading for row in below)

    def action_move(self, rows: int, columns: int) -> None:  # noqa: ARG002
        at = self._next(self.cursor, rows)
        if at < 0:
            self.post_message(self.Left(rows))
        else:
            self.move_to(at)

    def action_jump(self, where: str) -> None:
        """Move the cursor to the first or last row (`home`, `end`) or by a page (`pageup`, `pagedown`)."""
        page = max(1, self.size.height - 1)
        at = {"home": -1, "end": len(self.data), "pageup": self.cursor - page, "pagedown": self.cursor + page}[where]
        step = 1 if where in {"home", "pageup"} else -1
        if where in {"pageup", "pagedown"}:  # what is seen goes on by a page, too
            self.top = max(0, self.top - step * page)
            self.refresh()
        if (to := self._next(max(-1, min(len(self.data), at)), step)) >= 0:
            self.move_to(to)

    def moved(self, was: Row | None) -> None:  # noqa: ARG002
        self.post_message(self.Moved(self.data[self.cursor]))

    def action_press(self) -> None:
        if self.row:
            self.post_message(self.Picked(self.row))

    def stop_at(self, offset: Offset) -> int | None:
        index = self.top + offset.y
        return index if index < len(self.data) else None

    def clicked(self, index: int) -> None:
        y, row = index - self.top, self.data[index]
        above, below = self._out_of_sight(height := self.size.height)
        if (above and y == 0) or (below and y == height - 1):
            self.action_jump("pagedown" if y else "pageup")
        elif not row.heading and not row.reason:
            self.cursor = index
            self.refresh()
            self.post_message(self.Picked(row, clicked=True))


class _Form(NamedTuple):
    """The layout of all rows of a picker, made by `_form`.

    `label` and `bar` are the widths of a label and of the odds bar in cells. `names` says where the names of the
    outcomes are: above the numbers of all rows, beside each number, or nowhere. If they are above, `heading` is the row
    that has them, and `named` are the odds whose names it shows.
    """

    label: int
    bar: int
    names: Literal["above", "beside", ""]
    heading: Row | None = None
    named: Odds = ()


def _form(rows: Iterable[Row], width: int) -> _Form:
    """Return the widest layout in which the numbers of all rows fit into `width` cells.

    If there is too little room, the odds bar is shortened and then left out, then notes are cut, then the names of
    outcomes are left out.
    """
    rows = tuple(rows)
    there = [row for row in rows if not row.heading]
    label = max((_chip_cells(row) for row in there), default=0)
    odds = [row.odds for row in there if row.odds]
    # Beside odds stand numbers; what stands in other rows is cut between words.
    note = max((Content(row.note).cell_length for row in there if row.odds or not odds), default=0)
    heading = _head(rows)
    if heading:
        named = heading.odds or odds[0]
        for bar in (20, 10, 0):
            beside = _odds_cells(named, bar, "above") + (note + 1 if note else 0)
            if label + beside <= width and Content(heading.label).cell_length < label + bar:
                return _Form(label, bar, "above", heading, named)
    beside = 0
    for bar in (20, 10, 0) if odds else (0,):
        beside = max((_odds_cells(one, bar, "beside") for one in odds), default=0)
        if label + beside + (note + 1 if note else 0) <= width:
            return _Form(label, bar, "beside")
    # Rather half a note, which is told in full below, than numbers without names.
    if odds and label + beside <= width:
        return _Form(label, 0, "beside")
    form = _Form(label, 0, "")
    if not odds and all(_cuts_only_its_own(row, label, width) for row in there):
        return form
    beside = max((_odds_cells(one, 0, "") for one in odds), default=0)
    beside = min(beside + (note + 1 if note else 0), max(beside, width // 2))
    return form._replace(label=min(label, max(LEAST_LABEL, width - beside)))


def _cuts_only_its_own(row: Row, label: int, width: int) -> bool:
    """Return True if this row loses no words when all labels get `label` cells.

    Also return True if it would lose words anyway, because its own label is too long.
    """
    words = Content(row.reason or row.note).cell_length + 1
    return label + words <= width or (_chip_cells(row) + words > width and label + LEAST_LABEL < width)


def _chip_cells(row: Row) -> int:
    marked = row.one_of or row.on is not None
    return Content(row.label).cell_length + max(1, len(row.key)) + 3 + 2 * marked


def _label_cells(row: Row, form: _Form, width: int) -> int:
    """Return the width of a row's label in cells.

    It is `form.label`, or more if the row has no odds and its label needs it.
    """
    if row.odds:
        return form.label
    words = min(Content(row.reason or row.note).cell_length, LEAST_LABEL)
    return max(form.label, min(_chip_cells(row), width - (words + 1 if words else 0)))


def note_cuts_label(row: Row, width: int) -> bool:
    """Return True if the label of a row without odds fits in `width` cells only without the row's note."""
    words = min(Content(row.note).cell_length, LEAST_LABEL)
    return bool(words) and width - words - 1 < _chip_cells(row) <= width


def _head(rows: tuple[Row, ...]) -> Row | None:
    """Return the heading right above the rows with odds, for the names of the outcomes.

    Return None if there is no such heading, or if the odds of the rows have different outcomes.
    """
    with_odds = [row for row in rows if row.odds and not row.heading]
    outcomes = {tuple(name for name, _, _ in row.odds) for row in with_odds}
    if len(outcomes) != 1:
        return None
    return next((above for above, row in pairwise(rows) if above.heading and row in with_odds), None)


def _odds_cells(odds: Odds, bar: int, names: str) -> int:
    return (bar + 1 if bar else 0) + sum(_outcome_cells(name, names) for name, _, _ in odds)


def _outcome_cells(name: str, names: str) -> int:
    """Return the number of cells for the percentage of the outcome `name`, with the gap before it.

    `names` is that of the layout, `_Form.names`.
    """
    return {"above": max(len(name), len("100%")) + 2, "beside": len(name) + 5}.get(names, 4)


def cut(row: Row, rows: tuple[Row, ...], width: int) -> bool:
    """Return True if the label, note or reason of `row` does not fit in a picker of `width` cells.

    The row should then be shown in full elsewhere. `rows` are all rows of the picker, since they share columns.
    """
    form = _form(rows, width)
    beside = _odds_cells(row.odds, form.bar, form.names) if row.odds else 0
    words = row.reason or row.note
    label = _label_cells(row, form, width)
    taken = min(label, width) + beside + (Content(words).cell_length + 1 if words else 0)
    return _chip_cells(row) > label or taken > width


def option_line(row: Row, room: int, width: int, *, current: bool, focus: bool) -> Content:
    """Return a row drawn as a chip for a place outside of a picker: `room` cells for its label, `width` cells in all.

    `current` is True if the cursor is on the row, `focus` if the widget has the focus.
    """
    marked = row.one_of or row.on is not None
    form = _form([row], width)._replace(label=room + max(1, len(row.key)) + 3 + 2 * marked)
    return _drawn(row, form, width, current=current, focus=focus)


def _drawn(row: Row, form: _Form, width: int, *, current: bool, focus: bool) -> Content:
    if row.heading:
        start = Content.styled(row.label, "$muted")
        if row != form.heading:
            return fit(start, width)
        names = (name.rjust(_outcome_cells(name, form.names)) for name, _, _ in form.named)
        return Content.assemble(
            column(start, form.label + (form.bar + 1 if form.bar else 0)), ("".join(names), "$faint")
        )
    key = f"{row.key:>1} " if row.key else "  "
    taken = current if row.one_of else row.on
    mark = "" if taken is None else "■ " if taken else "□ "
    label = column(row.label, _label_cells(row, form, width) - len(key) - len(mark) - 2)
    if row.reason:
        grey = Content.styled(f" {key}{mark}{label.plain}  ", "$faint")
        return Content.assemble(grey, fit_words(row.reason, width - grey.cell_length).stylize("italic $faint"))
    if current and focus:
        chip = Content.assemble(("►", "$cur-bg"), (f"{key}{mark}{label.plain}", CURSOR), ("◄", "$cur-bg"))
    else:
        words = Content.assemble((key, "bold $key"), (f"{mark}{label.plain}", "bold" if taken else ""))
        chip = Content.assemble(("▐", "$chip"), words.stylize("on $chip-bg"), ("▌", "$chip"))
    line = Content.assemble(chip, *_odds(row.odds, form))
    if not row.note:
        return line
    return Content.assemble(line, " ", fit_words(row.note, width - line.cell_length - 1).stylize("$muted"))


def _odds(odds: Odds, form: _Form) -> list[Content | tuple[str, str]]:
    parts: list[Content | tuple[str, str]] = []
    if not odds:
        return parts
    if form.bar:
        parts += [Content(" "), odds_bar(odds, form.bar)]
    for (name, n, tone), (head, _, _) in zip(odds, form.named or odds, strict=True):
        number = f" {name} {whole(n):>2}%" if form.names == "beside" else f"{whole(n)}%" if form.names else whole(n)
        parts.append((number.rjust(_outcome_cells(head, form.names)), tone_style(tone)))
    return parts


def _listed(row: Row, width: int, *, current: bool, focus: bool) -> Content:
    """Return a row as plain text of `width` cells: the label at the left and the note at the right edge.

    `current` is True if the cursor is on the row, `focus` if the picker has the focus.
    """
    if row.heading:
        return fit(Content.styled(row.label, "$muted"), width)
    key = f"{row.key or '':>1} "
    beside = fit_words(row.reason or row.note, width - min(Content(row.label).cell_length, width // 2) - len(key) - 3)
    label = column(row.label, width - len(key) - beside.cell_length - 3)
    if row.reason:
        return Content.assemble((f" {key}{label.plain} ", "$faint"), beside.stylize("italic $faint"), " ")
    if current:
        style = CURSOR if focus else "bold"
        return Content.assemble(("►", "$cur-bg"), (f"{key}{label.plain} {beside.plain}", style), ("◄", "$cur-bg"))
    return Content.assemble(" ", (key, "bold $key"), label, " ", beside.stylize("$muted"), " ")
