"""Plots of statistics, drawn in rows of text: bars, faces of dice, a bell curve, lines over time.

They are made of box-drawing and block characters, which every terminal draws one cell wide, and read without color: a
sign or a word says what a color says. Each function returns `Content` in the color roles of `theme.roles`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual.content import Content

from tracker.app.drawings import column, tone_style
from tracker.games.api.view import Tone

EIGHTHS = " ▁▂▃▄▅▆▇█"
PROMISED = "┃"
"""Sign of what the odds promised."""
FULL = "█"
TAIL = 1e-4
"""Highest chance of a tail that a bell curve leaves out."""
SHARES = "━─·"
"""Signs of good, middling and bad in a bar of shares."""
_FAIR = " fair"
FACES_MOST = 20
"""Most columns in a plot of a die; a die with more sides is drawn in tens."""


class Bar(NamedTuple):
    """One row of a bar plot: an outcome, the number of `times` it came up, and the number `promised` by the odds."""

    label: str
    tone: Tone
    times: int
    promised: float


def bars(rows: Sequence[Bar], width: int) -> list[Content]:
    """Return one row of `width` cells for each bar: its label, the bar, and the numbers.

    A sign on the bar shows the number promised by the odds.
    """
    label = max((len(row.label) for row in rows), default=0) + 2
    numbers = [f"{row.times:>5}   expected {row.promised:,.1f}" for row in rows]
    room = max(8, width - label - max(map(len, numbers), default=0) - 1)
    most = max((max(row.times, row.promised) for row in rows), default=0) or 1
    drawn = []
    for row, number in zip(rows, numbers, strict=True):
        full = round((room - 1) * row.times / most)
        at = round((room - 1) * row.promised / most)
        cells = [(FULL if x < full else " ", tone_style(row.tone)) for x in range(room)]
        cells[at] = (PROMISED, "bold $foreground")
        drawn.append(Content.assemble(column(row.label, label), *cells, " ", number).simplify())
    return drawn


def curve(low: int, chances: Sequence[float], seen: int, width: int, height: int = 4) -> list[Content]:
    """Draw chances as a bell curve at most `width` cells wide, with a mark and the number `seen` below.

    `chances` has the chances of `low`, `low + 1` and so on; several share a cell if there are too many. Tails of nearly
    no chance are cut off, but `seen` is always in the picture. The curve has `height` rows; a line, and then one row
    with the mark, come below.
    """
    first, last = _middle(chances)
    first, last = min(first, max(0, seen - low)), max(last, min(len(chances) - 1, seen - low))
    count = last - first + 1
    step = -(-count // width)  # several numbers share a cell
    cells = [sum(chances[at : min(at + step, last + 1)]) for at in range(first, last + 1, step)]
    wide = max(1, width // max(1, len(cells)))
    wide = min(wide, 4)
    here = min(len(cells) - 1, max(0, (seen - low - first) // step))
    rows = []
    most = max(cells, default=0.0) or 1.0
    for row in range(height - 1, -1, -1):
        parts = []
        for n, chance in enumerate(cells):
            level = round(8 * height * chance / most) - 8 * row
            parts.append((EIGHTHS[max(0, min(8, level))] * wide, "bold $key" if n == here else "$muted"))
        rows.append(Content.assemble(*parts).simplify())
    axis = "─" * (len(cells) * wide)
    center = here * wide + (wide - 1) // 2
    label = f"▲ {seen}"
    text = " " * center + label if center + len(label) <= width else f"{seen} ▲".rjust(center + 1)
    return [*rows, Content.styled(axis, "$rule"), Content.styled(text, "bold $key")]


def _middle(chances: Sequence[float]) -> tuple[int, int]:
    """Return (first index, last index) of the middle part of `chances`, without the tails.

    Each of the two tails has a chance of at most TAIL. Return the indexes of the whole if the sum is not above TAIL.
    """
    places = []
    for order in (range(len(chances)), range(len(chances) - 1, -1, -1)):
        passed = 0.0
        for at in order:
            passed += chances[at]
            if passed > TAIL:
                places.append(at)
                break
    return (places[0], places[1]) if len(places) == 2 else (0, len(chances) - 1)


def faces(times: Sequence[int], width: int, height: int = 3) -> list[Content]:
    """Draw how often each face of a die came up, as columns of `height` rows with the face and the number below.

    `times` has the number for each face from 1 on, and must not be empty. The faces of a die with more than FACES_MOST
    are grouped. A dotted line, labeled "fair", shows the height that a fair die would have. The numbers are left out if
    one is wider than its column.
    """
    labels = [str(face) for face in range(1, len(times) + 1)]
    if len(times) > FACES_MOST:
        step = -(-len(times) // 10)
        labels = [f"{at + 1}-{min(at + step, len(times))}" for at in range(0, len(times), step)]
        times = [sum(times[at : at + step]) for at in range(0, len(times), step)]
    width -= len(_FAIR)
    fair = sum(times) / max(1, len(times))
    most = max(*times, fair * 1.5, 1)
    longest = max(*map(len, labels), len(str(max(times))))
    wide = max(longest, min(4, width // len(times) - 1))
    if (wide + 1) * len(times) > width:
        wide = max(1, width // len(times) - 1)
    level_of_fair = round(8 * height * fair / most)
    rows = []
    for row in range(height - 1, -1, -1):
        is_fair = 8 * row < level_of_fair <= 8 * (row + 1)
        parts: list[tuple[str, str]] = []
        for many in times:
            level = max(0, min(8, round(8 * height * many / most) - 8 * row))
            parts.append((EIGHTHS[level] * wide, "$foreground"))
            parts.append(("╌" if is_fair else " ", "$key"))
        rows.append(Content.assemble(*parts, (_FAIR if is_fair else "", "$key")).simplify())
    rows.append(Content.styled(" ".join(label.center(wide)[:wide] for label in labels), "$muted"))
    if all(len(str(many)) <= wide for many in times):
        rows.append(Content.styled(" ".join(str(many).center(wide) for many in times), "$faint"))
    return rows


Steps = Sequence[tuple[int, int]]
"""A number over time: (place, value) at the first place and at each change, in order. A place is an entry's number."""


class Range(NamedTuple):
    """The lowest, highest and last value of a number within one column of a plot over time."""

    low: int
    high: int
    last: int


def resampled(points: Steps, first: int, last: int, width: int) -> list[Range | None]:
    """Divide a line over time into `width` columns, from entry number `first` to `last`; return the Range of each.

    A column before the first point is None.
    """
    found: list[Range | None] = []
    value: int | None = None
    at = 0
    for cell in range(width):
        end = first + (last - first + 1) * (cell + 1) / width
        low = high = value
        while at < len(points) and points[at][0] < end:
            value = points[at][1]
            low = value if low is None else min(low, value)
            high = value if high is None else max(high, value)
            at += 1
        found.append(None if value is None or low is None or high is None else Range(low, high, value))
    return found


class Span(NamedTuple):
    """The horizontal axis of a plot over time, from the entry with the number `first` to that with the number `last`.

    `sessions` has (number of the session, number of its first entry) for each session.
    """

    first: int
    last: int
    sessions: tuple[tuple[int, int], ...] = ()

    def begins(self, width: int) -> dict[int, int]:
        """Return {column: session number} for the sessions that begin inside a plot of `width` columns.

        A session that begins in the first column is left out.
        """
        length = self.last - self.first + 1
        found: dict[int, int] = {}
        for number, at in self.sessions:
            cell = (at - self.first) * width // max(1, length)
            if 0 < cell < width:
                found.setdefault(cell, number)
        return found


def line(points: Steps, low: int, high: int, span: Span, width: int, height: int) -> list[Content]:
    """Draw a line over time in `height` rows, with numbers at the left and dotted lines where sessions begin.

    `low` and `high` are the values at the bottom and the top, and `span` is the horizontal axis. `width` includes the
    numbers. If a session begins inside the plot, one more row names the sessions.
    """
    gutter = max(len(str(low)), len(str(high)), len("0")) + 2
    room = max(4, width - gutter)
    columns = resampled(points, span.first, span.last, room)

    def row_of(value: int) -> int:
        return round((value - low) * (height - 1) / max(1, high - low))

    begins = span.begins(room)
    grid = [[(" ", "")] * room for _ in range(height)]
    zero = row_of(0) if low < 0 < high else None
    for row in range(height):
        for cell in range(room):
            if cell in begins:
                grid[row][cell] = ("┊", "$rule")
            elif row == zero:
                grid[row][cell] = ("╌", "$rule")
    before: int | None = None
    for cell, seen in enumerate(columns):
        if seen is None:
            continue
        rows = [row_of(value) for value in seen]
        here = rows[2]
        if before is None or (before == here and rows[0] == rows[1]):
            sign = {here: "─"}
        else:
            bottom, top = min(rows[0], before), max(rows[1], before)
            sign = dict.fromkeys(range(bottom, top + 1), "│")
            if bottom < top and {bottom, top} == {before, here}:
                sign[before] = "╯" if here > before else "╮"
                sign[here] = "╭" if here > before else "╰"
            elif bottom == top:
                sign = {here: "─"}
        for row, drawn in sign.items():
            grid[row][cell] = (drawn, "bold $key")
        before = here
    labels = {row_of(value): str(value) for value in (low, high, *([0] if zero is not None else []))}
    found = []
    for row in range(height - 1, -1, -1):
        edge = "┤" if row in labels else "│"
        name = f"{labels.get(row, ''):>{gutter - 2}} "
        found.append(Content.assemble((name, "$muted"), (edge, "$rule"), *grid[row]).simplify())
    return [*found, Content.styled(" " * gutter + _marks(begins, room), "$faint")] if begins else found


def _marks(begins: dict[int, int], width: int) -> str:
    """Return a row of at most `width` cells with the names of sessions below the columns where they begin.

    `begins` has the number of the session by column. Names without room are left out. "session 1" comes first if
    session 2 is the first to begin in the plot and leaves room for that.
    """
    text = "session 1" if begins and min(begins.values()) == 2 and min(begins) > 10 else ""
    for cell, number in sorted(begins.items()):
        name = f"session {number}" if cell + 10 < width else str(number)
        if cell > len(text) and cell + len(name) <= width:
            text = text.ljust(cell) + name
    return text


def spark(points: Steps, low: int, high: int, span: Span, width: int) -> Content:
    """Draw a number over time in one row of `width` cells: higher blocks for higher values, blanks before its first.

    `low` and `high` are the values of the lowest and the highest block; `span` is the horizontal axis.
    """
    parts = []
    for seen in resampled(points, span.first, span.last, width):
        level = 0 if seen is None else 1 + round(7 * (seen.last - low) / max(1, high - low))
        parts.append(EIGHTHS[max(0, min(8, level))])
    return Content.styled("".join(parts), "$foreground")


def shares(parts: Sequence[tuple[int, Tone]], width: int) -> Content:
    """Return a bar of `width` cells divided among `parts`, which are pairs (number, tone), in their order.

    The line is heaviest for good and thinnest for bad parts. Return an empty Content if all numbers are 0.
    """
    total = sum(many for many, _ in parts)
    if not total or width <= 0:
        return Content()
    exact = [many * width / total for many, _ in parts]
    cells = [int(share) for share in exact]
    for n in sorted(range(len(parts)), key=lambda n: cells[n] - exact[n])[: width - sum(cells)]:
        cells[n] += 1
    signs = {"good": SHARES[0], "mid": SHARES[1], "": SHARES[1], "bad": SHARES[2]}
    return Content.assemble(
        *((signs[tone] * many, tone_style(tone)) for many, (_, tone) in zip(cells, parts, strict=True))
    )


def beside(left: Iterable[Content], right: Iterable[Content], width: int, gap: int = 4) -> list[Content]:
    """Return rows with the block `left`, padded to `width` cells, then `gap` cells, then the block `right`.

    A block is its rows. In a row where the right block has nothing, the left one is neither padded nor cut.
    """
    lefts, rights = list(left), list(right)
    count = max(len(lefts), len(rights))
    lefts += [Content()] * (count - len(lefts))
    rights += [Content()] * (count - len(rights))
    return [Content.assemble(column(a, width), " " * gap, b) if b else a for a, b in zip(lefts, rights, strict=True)]
