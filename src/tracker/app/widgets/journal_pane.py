"""The journal pane, and entries of the journal as styled text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content, Span
from textual.message import Message

from tracker.app.drawings import fit, tone_style
from tracker.app.key_queue import current_key
from tracker.app.widgets.base import PRESS, CachedWidget
from tracker.campaign.journal import EMPHASIS, JournalLine, lines, story
from tracker.campaign.session import Session
from tracker.text import shown, shown_line

NOTHING = Content()
INDENT = "  "
"""Indent of mechanics, which sets them off from the story."""
AT_ONCE = 400
"""Most entries read before painting; with mechanics hidden, most entries have no text."""
IN_FULL = 2
"""Newest entries that are never cut: they say what has just happened."""


class JournalView(CachedWidget, can_focus=True):
    """Pane of the table with the journal, newest entry at the bottom.

    Only as many entries are read as the visible rows need. `source` is a function that returns a new iterator over the
    texts of the entries, newest first.
    """

    ALLOW_SELECT = False
    auto_links = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll(1)", "Older", id="journal.up", tooltip="Scroll up a line.", show=False),
        Binding("down", "scroll(-1)", "Newer", id="journal.down", tooltip="Scroll down a line.", show=False),
        Binding("pageup", "scroll(10)", "Older", id="journal.pageup", tooltip="Scroll up 10 lines.", show=False),
        Binding("pagedown", "scroll(-10)", "Newer", id="journal.pagedown", tooltip="Scroll down 10 lines.", show=False),
        PRESS,
        Binding("end", "newest", "Newest", id="journal.end", tooltip="Go to the newest line.", show=False),
    ]

    class Pressed(Message):
        """Message that Enter was pressed, to open the full journal."""

    def __init__(self, source: Callable[[], Iterator[Content]], *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._source = source
        self._scene = ""
        self._wrapped_to = 0
        self._taken: int
        """Number of entries in `_rows`."""
        self._covered = 0
        """Number of rows at the bottom that the input line covers."""
        self._above: int
        """How many lines the view stands above the newest one."""
        self.renew()

    def notify_style_update(self) -> None:
        # Where the focus is, is said here: no cursor stands among the lines. A rule without a corner on its right
        # runs up to the title.
        super().notify_style_update()
        self._call()

    def name_scene(self, scene: str) -> None:
        """Add the scene to the pane's title, for a header that has no room for it; "" removes it."""
        if scene != self._scene:
            self._scene = scene
            self._call()

    def _call(self) -> None:
        name = f"Journal, {self._scene}" if self._scene else "Journal"
        title = Content(f"{'► ' if self.has_focus else ''}{name}{'' if self.styles.border_right[0] else ' '}")
        if self.border_title != title:
            self.border_title = title

    def renew(self) -> None:
        """Read the journal again from the source and scroll to the newest row."""
        self._above = 0
        self._items = self._source()
        self._ended = False
        self._rows: list[Content] = []
        self._taken = 0
        self._tried_whole = (0, 0)
        """Height and width for which the rows of all entries in full were tried."""
        self.refresh()

    def _need(self, count: int) -> None:
        """Read entries, newest first, until `count` rows are wrapped or the journal ends.

        At most AT_ONCE entries are read in one call, so there may be fewer rows if most entries are hidden.
        """
        width = self.size.width
        if width < 1:
            return
        if width != self._wrapped_to:
            if self._rows:
                self._items = self._source()
                self._ended = False
            self._rows, self._wrapped_to, self._taken = [], width, 0
        for _ in range(AT_ONCE):
            if len(self._rows) >= count:
                return
            if (item := next(self._items, None)) is None:
                self._ended = True
                return
            self._rows += reversed(wrap_entry(item, width, brief=self._taken >= IN_FULL)) if item else ()
            self._taken += bool(item)

    def _in_full(self, height: int) -> list[Content]:
        """Return the rows of the newest entries, at most AT_ONCE, last row first.

        Entries after the first IN_FULL are cut if `height` rows have no room for all their rows.
        """
        items = list(filter(None, islice(self._source(), AT_ONCE)))
        short = [wrap_entry(item, self.size.width, brief=n >= IN_FULL) for n, item in enumerate(items)]
        free = height - sum(map(len, short))
        rows: list[Content] = []
        for item, part in zip(items, short, strict=True):
            whole = wrap_entry(item, self.size.width)
            if len(whole) - len(part) <= free:
                free -= len(whole) - len(part)
                part = whole
            rows += reversed(part)
        return rows

    def cover(self, rows: int) -> None:
        """Keep this many rows at the bottom free, which the input line covers; 0 if there is none."""
        if rows != self._covered:
            self._covered = rows
            self.refresh()

    def text_rows(self) -> list[Content]:
        height = max(0, self.size.height - self._covered)
        self._need(height + self._above + 1)
        if self._ended and len(self._rows) < height and self._tried_whole != (height, self._wrapped_to):
            # Only once: rows that change without a refresh would be painted over older ones.
            self._tried_whole = height, self._wrapped_to
            self._rows = self._in_full(height) or self._rows
        self._above = max(0, min(self._above, len(self._rows) - height))
        seen = self._rows[self._above : self._above + height]
        if not seen and self._ended:
            seen = Content.styled(f"No story yet: {current_key(self, 'j')} writes one.", "$faint").wrap(self.size.width)
            seen = seen[:height][::-1]
        lines = [NOTHING] * (height - len(seen)) + seen[::-1]
        if self._above and lines:
            lines[-1] = Content.styled(f"↓ newer lines: {self._above}", "$faint")
        return lines + [NOTHING] * self._covered

    def action_press(self) -> None:
        self.post_message(self.Pressed())

    def action_scroll(self, lines: int) -> None:
        self._above = max(0, self._above + lines)
        self.refresh()

    def action_newest(self) -> None:
        self._above = 0
        self.refresh()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_scroll(3)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_scroll(-3)


def wrap_entry(item: Content, width: int, *, brief: bool = False) -> tuple[Content, ...]:
    """Return the text of one journal item in lines of at most `width` cells.

    A paragraph keeps its indent in all its lines. If `brief` is True, a line of mechanics takes only one row. If the
    name of the move does not fit, the words of the outcome are left out, since the mark before them says the same; what
    still does not fit is cut.
    """
    return _wrapped(item.plain, tuple(item.spans), width, brief)


@lru_cache(maxsize=256)  # after every move all but one are those of before
def _wrapped(text: str, spans: tuple[Span, ...], width: int, brief: bool) -> tuple[Content, ...]:  # noqa: FBT001
    item = Content(text, spans=list(spans))
    rows: list[Content] = []
    for line in item.split("\n", allow_blank=True):
        if brief and line.plain.startswith(INDENT):
            rows.append(fit(_without_outcome(line, width), width))
            continue
        indent = len(line.plain) - len(line.plain.lstrip(" ")) if line.plain.strip() else 0
        indent = min(indent, width // 2)
        rows += [row.pad_left(indent) for row in line[indent:].wrap(width - indent)]
    return tuple(rows)


def _without_outcome(line: Content, width: int) -> Content:
    """Return a line of mechanics, without the words of its outcome if the move's name would be cut at `width` cells."""
    outcome = next((after for mark, after in pairwise(line.spans) if mark.style == after.style), None)
    name = next((span for span in line.spans if outcome and span.start >= outcome.end), None)
    if outcome is None or name is None or line[: name.end].cell_length <= width:
        return line
    return Content.assemble(line[: outcome.start], line[outcome.end + 1 :])


def journal(session: Session, *, folded: bool = False) -> Iterator[Content]:
    """Return an iterator over the texts of the journal's entries, newest first. Undone entries are left out.

    `folded` hides mechanics: an entry without prose and heading then has an empty text. Older entries are read from the
    file on demand; if that fails, the iterator ends.
    """
    happened = (one for one in lines(session, session.history) if not one.undone) if folded else story(session)
    return (format_entry(one, folded=folded) for one in happened)


def format_entry(one: JournalLine, *, folded: bool = False) -> Content:
    """Return the text of one entry: a blank row if it has prose, the line of mechanics or the heading, the prose.

    With `folded`, it has only prose and headings, and is empty if there are none. An entry with a status is struck
    through, and cut to its first line unless it is crossed out and not folded. A remark, such as "undone", comes last.
    """
    rows = [*([] if folded and not one.heading else format_mechanics(one)), *_prose(one)]
    if one.text:
        rows = [Content(), *rows]
    told = Content("\n").join(rows)
    if not rows or not one.remark:
        return told
    if not one.status:
        return Content.assemble(told, (f"  {one.remark}", "$faint"))
    if folded or one.status != "crossed out":
        rows = [Content(next((row.plain.strip() for row in rows if row.plain.strip()), ""))]
    struck = [Content.styled(row.plain, "strike $faint") for row in rows]
    return Content.assemble(Content("\n").join(struck), (f"  {one.remark}", "$faint"))


def _prose(one: JournalLine) -> list[Content]:
    """Return the paragraphs of an entry's prose; in a party the first begins with the speaker's name.

    Return [] if the entry has no text.
    """
    if not one.text:
        return []
    paragraphs = [_emphasized(line) for line in shown(one.text).split("\n")]
    if one.who:
        paragraphs[0] = Content.assemble((f"{one.who}: ", "$muted"), paragraphs[0])
    return paragraphs


def _emphasized(line: str) -> Content:
    """Return a line of prose with the words between asterisks in bold italics, without the asterisks."""
    start = len(line) - len(line.lstrip(" "))
    parts = EMPHASIS.split("\u00a0" * start + line[start:])  # spaces at the start are those of mechanics
    return Content.assemble(*((part, "bold italic" if n % 2 else "") for n, part in enumerate(parts)))


def format_mechanics(one: JournalLine) -> list[Content]:
    """Return one line for what the entry did by the rules, or a blank line and the heading of a new scene or session.

    Return [] if the entry has neither.
    """
    if one.heading:
        return [Content(), Content.styled(shown_line(one.heading), "bold $key")]
    who = f"{one.who}: " if one.who else ""
    phrases, card, name = one.phrases, one.card, f"{who}{one.title}"
    if card is None:
        return [Content.styled(f"{INDENT}{who}{', '.join(phrases)}", "$faint")] if phrases else []
    if one.entry.get("open"):
        start = Content.styled(f"… {name}, unfinished", "$mid")
    elif card.mark:
        tone = tone_style(card.tone)
        # A number as a mark, as from an oracle, needs its words: both are one span, of which nothing is left out.
        numbers = any(map(str.isdigit, card.mark))
        parts = (f"{card.mark} {card.told}",) if numbers or not card.told else (card.mark, f" {card.told}")
        start = Content.assemble(*((part, tone) for part in parts), (f"  {name}", "$muted"))
    elif one.title:
        start = Content.styled(name, "$muted")
    else:
        return [Content.styled(f"{INDENT}{who}{', '.join(phrases)}", "$faint")]
    detail = ", ".join(filter(None, [one.result, *phrases]))
    return [Content.assemble(INDENT, start, (f"  {detail}" if detail else "", "$faint"))]
