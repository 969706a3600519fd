"""How values look: pips, boxes, rulers, odds, dice. Pure functions from a value to `Content`.

Styles name the colour roles of `theme.roles` only. Text is never read as markup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from textual.content import Content

from tracker.games.api.phrases import signed

if TYPE_CHECKING:
    from tracker.games.api.prompts import Odds
    from tracker.games.api.view import Card, Die, Momentum, Tone

CURSOR = "bold reverse $cur-bg on $cur-fg"
"""Style of the cursor. Reverse video keeps it visible on terminals without color."""

COLUMNS = (10, 12)
"""Default cells for the label and for the picture of a field row."""

LONGEST_PIPS = 12
LONGEST_BAR = 12

_NUMBER = 5
_TICKS = "□/×*■"
_QUARTERS = (" ", "¼", "½", "¾")
_WEIGHTS = {1: "━", 2: "━·", 3: "━─·", 4: "═━─·", 5: "═━─╌·"}
_SPOTS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


def fit(text: Content | str, width: int) -> Content:
    """Return the text in at most `width` cells; a longer text is cut and ends in `…`. Empty if `width` is 0 or less."""
    content = text if isinstance(text, Content) else Content(text)
    if content.cell_length <= width:
        return content
    if width <= 0:
        return Content()
    # A wide character that is cut in half leaves a blank, which would stand before the dots.
    return content.truncate(width - 1).rstrip().extend_right(1, "…")


def column(text: Content | str, width: int) -> Content:
    """Return the text in exactly `width` cells, cut with `…` or padded on the right."""
    content = fit(text, width)
    return content.pad_right(max(0, width) - content.cell_length)


def centred(text: Content | str, width: int) -> Content:
    """Return the text centered in exactly `width` cells; a longer text is cut with `…`."""
    content = fit(text, width)
    spare = max(0, width) - content.cell_length
    return content.pad(spare // 2, spare - spare // 2)


def longest_allowed(lengths: Collection[int], room: int) -> int:
    """Return the largest limit such that texts of these lengths, each cut to the limit, fit in `room` cells together.

    If nothing has to be cut, return the longest length; 0 if there are no lengths.
    """
    limit = max(lengths, default=0)
    while limit and sum(min(length, limit) for length in lengths) > room:
        limit -= 1
    return limit


def tone_style(tone: Tone | str) -> str:
    """Return the style variable for a tone, such as `$good`; `$foreground` for an empty tone."""
    return f"${tone or 'foreground'}"


def pips(value: int, high: int, between: str = " ") -> Content:
    """Return `high` circles of which `value` are filled, with `between` as the gap.

    If `high` exceeds LONGEST_PIPS, return a bar of LONGEST_BAR cells, filled in proportion.
    """
    if high <= LONGEST_PIPS:
        return _row_of("●", "○", value, high, between)
    length = min(high, LONGEST_BAR)
    full = _clamp(round(value * length / high), 0, length)
    if 0 < value < high:
        full = _clamp(full, 1, length - 1)
    return Content.assemble(("━" * full, "$foreground"), ("─" * (length - full), "$faint"))


def pips_in(value: int, high: int, width: int, *, marks: bool = False) -> Content:
    """Return `high` circles of which `value` are filled; a bar of LONGEST_BAR cells if `high` exceeds LONGEST_PIPS.

    There are gaps only if they fit in `width` cells. `marks` draws squares instead of circles, but the same bar. The
    result can still be wider than `width`.
    """
    gap = " " if 2 * high - 1 <= width else ""
    return segments(value, high, gap) if marks and high <= LONGEST_PIPS else pips(value, high, gap)


def repeat_sign(value: int | str, sign: str, width: int = 0) -> Content:
    """Return `sign` repeated `value` times, at most LONGEST_PIPS times, with gaps if they fit in `width` cells.

    Return an empty Content if `value` is a text, such as "d8".
    """
    if isinstance(value, str):
        return Content()
    return Content((" " if 2 * value - 1 <= width else "").join(sign * min(value, LONGEST_PIPS)))


def packed(phrases: Iterable[str], width: int) -> list[Content]:
    """Return muted lines of at most `width` cells with these phrases, as many to a line as fit in full.

    " · " is between two phrases. A phrase wider than a line is wrapped. Return [] if there are no phrases.
    """
    lines: list[str] = []
    for phrase in phrases:
        both = f"{lines[-1]} · {phrase}" if lines else phrase
        if lines and Content(both).cell_length <= width:
            lines[-1] = both
        else:
            lines.append(phrase)
    return [row for line in lines for row in Content.styled(line, "$muted").wrap(width)]


def fit_words(text: str, width: int) -> Content:
    """Return the text in at most `width` cells, cut between words only, so that no number is cut in half.

    A cut text ends in `…`, and is only that if no word fits; it is empty if `width` is 0.
    """
    content = Content(text)
    if content.cell_length <= width:
        return content
    head = content.truncate(max(0, width - 1)).plain
    if not text[len(head) : len(head) + 1].isspace():
        head = head.rpartition(" ")[0]
    head = head.rstrip(" ,;:")
    return Content(f"{head}…") if head else Content("…" if width else "")


def segments(value: int, high: int, between: str = " ") -> Content:
    """Return `high` squares of which `value` are filled, with `between` as the gap.

    A `value` below 0 or above `high` counts as that limit.
    """
    return _row_of("■", "□", value, high, between)


def _row_of(full: str, free: str, value: int, high: int, between: str) -> Content:
    count = _clamp(value, 0, high)
    gap = between if 0 < count < high else ""
    return Content.assemble(
        (between.join(full * count), "$foreground"), gap, (between.join(free * (high - count)), "$faint")
    )


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


def ruler(momentum: Momentum) -> tuple[Content, Content]:
    """Return two rows: the momentum track with two cells per step, and its labels (lowest, 0, reset, max) below."""
    low, high, most, reset = momentum.low, momentum.high, momentum.most, momentum.reset

    def place(step: int) -> int:
        return 2 * (_clamp(step, low, high) - low)

    width = place(high) + 1
    zero, here, end = place(0), place(momentum.value), place(most)
    hue = "$bad" if momentum.value < 0 else "$key"
    cells = [("─", "$rule")] * (end + 1) + [(" ·"[x % 2 == 0], "$faint") for x in range(end + 1, width)]
    for x in range(min(zero, here), max(zero, here) + 1):
        cells[x] = ("━", hue)
    cells[0] = ("├", "$muted")
    cells[end] = ("┤", "$muted")
    cells[zero] = ("┾" if here > zero else "┽", "$foreground")
    cells[here] = ("●", f"bold {hue}")

    limit = f"max {signed(most)}"
    marks = [(zero, "0"), (place(reset), "▲ reset")] if reset else [(zero, "▲ reset 0")]
    words = str(low)
    for x, word in [*sorted(marks), (min(end + 2, width) - len(limit), limit)]:
        words = words.ljust(max(x, len(words) + 1)) + word
    return Content.assemble(*cells).simplify(), Content.styled(words, "$faint")


def boxes(ticks: int, gap: str = " ", style: str = "$foreground") -> Content:
    """Return ten progress boxes, filled with `ticks` (0 to 40) as on the paper sheet: four ticks fill a box.

    `gap` is the text between two boxes, and `style` the style of the marked ones.
    """
    full, part = divmod(_clamp(ticks, 0, 40), 4)
    marked = _TICKS[4] * full + (_TICKS[part] if part else "")
    free = _TICKS[0] * (10 - len(marked))
    between = gap if marked and free else ""
    return Content.assemble((gap.join(marked), style), between, (gap.join(free), "$faint"))


def score(ticks: int) -> Content:
    """Return progress as text: full boxes and quarters of the next one, such as ` 3½`. Always three cells wide.

    `ticks` is from 0 to 40; four ticks fill a box.
    """
    full, part = divmod(ticks, 4)
    return Content.assemble((f"{full:>2}", "bold"), (_QUARTERS[part], "$muted"))


def odds_bar(odds: Odds, width: int) -> Content:
    """Return a bar of `width` cells, divided among the outcomes by their chances. Worse outcomes have thinner lines.

    The parts come in the order of `odds`.
    """
    exact = [percent * width / 100 for _, percent, _ in odds]
    cells = [int(share) for share in exact]
    by_rest = sorted(range(len(odds)), key=lambda i: cells[i] - exact[i])
    for i in by_rest[: max(0, width - sum(cells))]:
        cells[i] += 1
    weights = _WEIGHTS.get(len(odds), _WEIGHTS[5].ljust(len(odds), "·"))
    return Content.assemble(
        *((glyph * count, tone_style(tone)) for glyph, count, (_, _, tone) in zip(weights, cells, odds, strict=True))
    )


def legend(odds: Odds, gap: str) -> str:
    """Return what the line styles of an odds bar mean, such as "━ strong ─ weak · miss"; `gap` separates the parts.

    Return "" for more than five outcomes.
    """
    weights = _WEIGHTS.get(len(odds), "")
    return gap.join(f"{glyph} {name}" for glyph, (name, _, _) in zip(weights, odds, strict=False))


def dice(card: Card, width: int) -> list[Content]:
    """Return six rows: the dice of a roll side by side, five rows high, and a word under each die.

    The words of `card.between` are drawn between the groups of dice, one in each gap and the remaining ones all in
    the last gap. If `width` is too small, those that are parts of the sum are left out, then all of them. If the
    dice alone do not fit, return [].
    """
    for words in (card.between, tuple(filter(_joins, card.between)), ()):
        rows = _side_by_side(card.dice, words)
        if rows and rows[0].cell_length <= width:
            return rows
    return []


def _side_by_side(dice: tuple[Die, ...], words: tuple[str, ...]) -> list[Content]:
    groups = [list(group) for _, group in groupby(dice, key=lambda die: die.group)]
    following: list[list[str]] = [[] for _ in groups]
    last_gap = max(0, len(groups) - 2)
    for index, word in enumerate(words if groups else ()):
        following[min(index, last_gap)].append(word)
    blocks: list[list[Content]] = []
    for group, joined_by in zip(groups, following, strict=True):
        blocks += [_die(die) for die in group]
        blocks += [_between(word) for word in joined_by]
    return [Content("  ").join(rows) for rows in zip(*blocks, strict=True)]


def _die(die: Die) -> list[Content]:
    spots = _SPOTS.get(die.face) if die.sides == 6 else None
    inside = 7 if spots else 5
    face = spots or ("", str(die.face), f"d{die.sides}")
    left, line, right, side, foot_left, foot_right = "╔═╗║╚╝" if die.counts else "╭─╮│╰╯"
    frame, ink = ("bold", "bold") if die.counts else ("$muted", "")
    rows = [
        Content.styled(left + line * inside + right, frame),
        *(Content.assemble((side, frame), (row.center(inside), ink), (side, frame)) for row in face),
        Content.styled(foot_left + line * inside + foot_right, frame),
        Content.styled(die.word, "$muted"),
    ]
    width = max(row.cell_length for row in rows)
    return [centred(row, width) for row in rows]


def _joins(word: str) -> bool:
    """Return True if a word between dice is plain text, such as `against`; False if it is part of the sum."""
    return word.isalpha()


def _between(word: str) -> list[Content]:
    content = Content.styled(word, "$faint" if _joins(word) else "")
    blank = Content.blank(content.cell_length)
    return [blank, blank, content, blank, blank, blank]


def verdict(mark: str, outcome: str, tone: Tone) -> Content:
    """Return the outcome of a roll in bold reverse capitals, after its mark, in the color of the tone.

    `mark` or `outcome` may be "". There is a blank at both ends.
    """
    words = "  ".join(part for part in (mark, outcome.upper()) if part)
    return Content.styled(f" {words} ", f"bold reverse {tone_style(tone)}")


def field_row(
    label: str,
    picture: Content,
    number: str,
    note: str,
    *,
    width: int,
    columns: tuple[int, int] = COLUMNS,
    focus: bool = False,
    delta: int = 0,
    marks: bool = False,
) -> Content:
    """Return one row of the sheet: label, picture, number, last change, and note.

    `delta` is the last change of the number, drawn as an arrow; nothing for 0. `marks` is True for a number that counts
    marks: its change is in words, because an arrow up would look like a gain. `columns` are the cells for label and
    picture; `focus` draws the cursor on the number. If `width` is too small, the note is left out, then the change; in
    narrow panes the picture is left out too. The number is never cut.
    """
    label_width, picture_width = columns
    if label_width + picture_width + _NUMBER + 2 > width:
        picture, picture_width = Content(), 0
        label_width = min(label_width, width - _NUMBER - 2)
    # A long name takes what its picture leaves free.
    picture_width = max(picture_width, picture.cell_length)
    longer = min(Content(label).cell_length + 1 - label_width, picture_width - picture.cell_length)
    if longer > 0:
        label_width, picture_width = label_width + longer, picture_width - longer
    name = column(fit(label, label_width - 1), label_width).stylize("bold $primary" if focus else "$muted")
    drawing = column(picture, picture_width)
    if focus:
        opening = "‹".rjust(_NUMBER - 1 - len(number))
        value = Content.assemble((opening, "bold $primary"), (f" {number} ", CURSOR), ("›", "bold $primary"))
    else:
        value = Content.assemble((number.rjust(_NUMBER), "bold"), "  ")
    line = Content.assemble(name, drawing, value)
    remark = Content.styled(note, "$muted")
    up, down = (f"{delta} marked", f"{-delta} cleared") if marks else (f"↑{delta}", f"↓{-delta}")
    moved = Content.styled(up if delta > 0 else down, "bold $key") if delta else Content()
    # A note may end in a number, and half a number is worse than none.
    for said in (Content(" ").join(part for part in (moved, remark) if part), moved):
        if 0 < said.cell_length < width - line.cell_length:
            return Content.assemble(line, " ", said)
    return line
