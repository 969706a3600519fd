"""A list of progress tracks with one cursor."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset, Size
from textual.message import Message

from tracker.app.drawings import boxes, column, fit, fit_words, odds_bar, score, segments
from tracker.app.widgets.base import DOWN, PRESS, UP, CursorList
from tracker.games.api.view import Track, chance, whole
from tracker.games.common.clocks import counted

ROWS = 2
ROOM_FOR_SPACED = 36
"""Cells needed to draw the ten boxes with gaps, beside the longest rank and the score."""
FEW = 2
"""Up to this many finished tracks are shown; more are only counted."""
LEAST_SAID = 10
"""Fewest cells in which a note beside the name of a track is shown."""
LEAST_RANK = 8
"""Fewest cells before the progress in which the start of a rank is shown."""
_BAR = 10
_ODDS = _BAR + len(" 100% ")
"""Cells for the odds bar and the percentage."""
_LOOKS = ((ROWS + 1, 1), (ROWS + 1, 0), (ROWS, 0))
"""Rows of an open track and blank rows after it, roomiest first; the last one has no odds."""


class TrackList(CursorList[tuple[Track, ...], Track | None]):
    """List of progress tracks with a cursor. It is one stop for Tab; an arrow key at an end is left to the screen.

    If there is room, each open track has a row with its odds and a blank row after it. Finished tracks take one
    faint line each; if there are more than FEW, one line only counts them until the player presses Enter on it. The
    last column is for arrows that say that there is more above or below.
    """

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, PRESS]
    DEFAULT_CSS = "TrackList { height: auto; }"

    class Pressed(Message):
        """Message that Enter was pressed on `track`, or that it was clicked while it had the cursor."""

        def __init__(self, track: Track) -> None:
            super().__init__()
            self.track = track

    def __init__(
        self,
        data: tuple[Track, ...],
        *,
        empty: str = "",
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(data, id=id, classes=classes)
        self.empty = empty
        self.unfolded = False

    def stops(self) -> list[Track | None]:
        """Return where the cursor can stop: the open tracks, then the finished ones.

        If there are more than FEW finished tracks, None comes before them: it stands for the line with their number.
        They themselves are then in the list only while they are unfolded.
        """
        still = [track for track in self.data if not track.closed]
        over = [track for track in self.data if track.closed]
        if len(over) <= FEW:
            return [*still, *over]
        return [*still, None, *(over if self.unfolded else ())]

    def identity(self, stop: Track | None) -> tuple[str, bool] | None:
        return (stop.id, bool(stop.closed)) if stop else None

    @property
    def track(self) -> Track | None:
        """The track under the cursor; None on the line that counts finished tracks, or in an empty list."""
        return self.here

    @property
    def at(self) -> str | None:
        return self.track.at or None if self.track else None

    @property
    def rows(self) -> int:
        """Number of rows that all items need without odds and blank rows; at least 1."""
        return sum(_height(item, ROWS) for item in self.stops()) or 1

    @property
    def most_rows(self) -> int:
        """Number of rows that all items need with odds and blank rows."""
        return self._rows_with(*_LOOKS[0])

    def _rows_with(self, rows: int, gap: int) -> int:
        """Return the number of rows that all items need.

        `rows` is the number of rows for an open track with odds; `gap` is the number of blank rows after an open track.
        """
        items = self.stops()
        return sum(_height(item, rows) for item in items) + gap * sum(map(_is_open, items[:-1]))

    @property
    def needed(self) -> int:
        """Number of cells needed to show every open track in full: name, words beside it, boxes and odds."""
        return max((_needed(track) for track in self.data if not track.closed), default=0) + 1

    def allow_focus(self) -> bool:
        return bool(self.data)

    def update(self, data: tuple[Track, ...]) -> None:
        """Show these tracks from now on. The cursor goes to a new open track, if there is one.

        Otherwise it stays on its track; if that is gone or now finished, it goes to the first one.
        """
        if data == self.data:
            return
        rows, under = self.rows, self.track
        known, self.data = {track.id for track in self.data}, data
        items = self.stops()
        new = next((n for n, item in enumerate(items) if item and not item.closed and item.id not in known), None)
        same = (n for n, item in enumerate(items) if self.identity(item) == self.identity(under))
        self.cursor = next(same, 0) if new is None else new
        self._reveal()
        self.refresh(layout=self.rows != rows)

    def stand_on(self, ident: str) -> bool:
        """Put the cursor on the track with this id, unfolding finished ones if needed, and return True.

        Return False if there is no such track.
        """
        self.unfolded |= any(track.id == ident and track.closed for track in self.data)
        ids = [item.id if item else None for item in self.stops()]
        if ident not in ids:
            return False
        self.cursor = ids.index(ident)
        self._reveal()
        self.refresh(layout=True)
        return True

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self.rows

    @property
    def _look(self) -> tuple[int, int]:
        for rows, gap in _LOOKS:
            if self._rows_with(rows, gap) <= self.size.height:
                return rows, gap
        return _LOOKS[-1]

    def _seen(self, top: int) -> list[tuple[int, Track | None]]:
        """Return (row, item) of each visible item if the item with the index `top` is the first, in row 0 of the list.

        The item None is the line that counts finished tracks.
        """
        rows, gap = self._look
        seen: list[tuple[int, Track | None]] = []
        y = 0
        for item in self.stops()[top:]:
            if y + _height(item, rows) > self.size.height and seen:
                break
            seen.append((y, item))
            y += _height(item, rows) + gap * _is_open(item)
        return seen

    def _reveal(self) -> None:
        """Scroll just enough to make the cursor visible."""
        top = min(self.top, self.cursor)
        while top < self.cursor and top + len(self._seen(top)) <= self.cursor:
            top += 1
        self._show_from(top)

    def _show_from(self, top: int) -> bool:
        """Make the item with index `top` the first visible one, or an earlier one if rows at the end would stay empty.

        Return True if the list scrolled.
        """
        count = len(self.stops())
        while top > 0 and top - 1 + len(self._seen(top - 1)) >= count:
            top -= 1  # nothing is left empty at the end
        top = max(0, min(top, count - 1))
        moved = top != self.top
        if moved:
            self.top = top
            self.refresh()
        return moved

    def render(self) -> Content:
        width, height = self.size.width - 1, self.size.height
        if not self.data:
            words = Content.styled(self.empty, "$faint")
            return Content("\n").join(words.wrap(max(1, width))) if height > 1 else fit(words, width)
        lines: list[Content] = []
        seen = self._seen(self.top)
        under = self.stops()[self.cursor] if self.has_focus else 0
        for y, item in seen:
            lines += [Content()] * (y - len(lines))
            if item is None:
                lines.append(self._count(width, under_cursor=under is None))
            elif item.closed:
                lines.append(_over(item, width, under_cursor=under is item))
            else:
                lines += _drawn(item, width, under_cursor=under is item)[: _height(item, self._look[0])]
        lines += [Content()] * (height - len(lines))
        if self.top > 0:
            lines[0] = Content.assemble(column(lines[0], width), ("↑", "$muted"))
        if self.top + len(seen) < len(self.stops()):
            lines[height - 1] = Content.assemble(column(lines[height - 1], width), ("↓", "$muted"))
        return Content("\n").join(lines[:height])

    def _count(self, width: int, *, under_cursor: bool) -> Content:
        over = sum(bool(track.closed) for track in self.data)
        does = f": Enter {'hides' if self.unfolded else 'shows'} them" if under_cursor else ""
        mark = ("► ", "bold $cur-bg") if under_cursor else ("", "")
        return fit(
            Content.assemble(mark, (f"{over} finished{does}", "bold $primary" if under_cursor else "$faint")), width
        )

    def action_press(self) -> None:
        if self.track:
            self.post_message(self.Pressed(self.track))
        elif self.data:
            self.unfolded = not self.unfolded
            self._reveal()
            self.refresh(layout=True)
            self.screen.refresh(layout=True)

    def stop_at(self, offset: Offset) -> int | None:
        rows = self._look[0]
        seen = enumerate(self._seen(self.top), self.top)
        return next((n for n, (y, item) in seen if y <= offset.y < y + _height(item, rows)), None)

    def clicked(self, index: int) -> None:
        if index == self.cursor:
            self.action_press()
        else:
            self.move_to(index)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        if self._show_from(self.top + 1):
            event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        if self._show_from(self.top - 1):
            event.stop()

    def on_resize(self) -> None:
        self._reveal()

    def moved(self, was: Track | None) -> None:  # noqa: ARG002
        self._reveal()


def _is_open(item: Track | None) -> bool:
    return item is not None and not item.closed


def _height(item: Track | None, rows: int) -> int:
    """Return the number of rows that one item of the list takes.

    `rows` is the number of rows for an open track with odds. One without odds needs fewer; a finished track, and the
    line that counts these, takes one row.
    """
    if item is None or item.closed:
        return 1
    return rows if item.odds else min(rows, ROWS)


def _over(track: Track, width: int, *, under_cursor: bool) -> Content:
    """Return a finished track in one line of `width` cells: its name, and at the right how it ended."""
    mark = ("► ", "bold $cur-bg") if under_cursor else ("", "")
    said = Content.styled(track.closed, "$faint")
    room = width - said.cell_length
    title = Content.assemble(mark, (track.name, "bold $primary" if under_cursor else "$faint"))
    return Content.assemble(column(fit(title, room - 2), room), said)


def _needed(track: Track) -> int:
    said = Content(track.note or track.kind).cell_length
    title = Content(track.name).cell_length + (2 + said if said else 0)
    ends = len("  ") + Content(track.ends).cell_length + 1 + _ODDS if track.odds else 0
    return max(ROOM_FOR_SPACED, title, ends)


def _drawn(track: Track, width: int, *, under_cursor: bool) -> list[Content]:
    """Return the rows of an open track: its name and notes, its rank and progress, and the odds of ending it now."""
    if track.note:
        name, ink, said = "bold", "$key", Content.styled(track.note, "$mid")
    else:
        name, ink, said = "", "$foreground", Content.styled(track.kind, "$faint")
    title = Content.styled(track.name, "bold $primary" if under_cursor else name)
    cursor = ("► " if under_cursor else "  ", "bold $cur-bg")
    rank = Content.assemble(cursor, (track.rank, "$muted"))
    gap = " " if width >= ROOM_FOR_SPACED else ""
    if track.hidden:
        progress = Content(str(track.ticks))
    elif track.segments:
        count = counted(track.ticks, track.segments)
        drawn = (Content.assemble(segments(track.ticks, track.segments, between), " ") for between in (" ", ""))
        progress = Content.assemble(next((row for row in drawn if row.cell_length + len(count) <= width), ""), count)
    else:
        progress = Content.assemble(boxes(track.ticks, gap, ink), " ", score(track.ticks))
    room = width - progress.cell_length
    # A name is worth more than the note beside it, which goes below it if it is whole there.
    if said.cell_length > (beside := width - title.cell_length - 2):
        below = Content.assemble(rank, ", " if track.rank else "", said)
        if below.cell_length < room:
            rank, said = below, Content()
        else:
            said = fit_words(said.plain, beside).stylize("$mid") if beside >= LEAST_SAID else Content()
    if room <= LEAST_RANK:
        rank = Content.assemble(cursor)
    room_beside = width - said.cell_length - 2 * bool(said)
    return [
        Content.assemble(column(fit(title, room_beside), width - said.cell_length), said),
        Content.assemble(column(fit(rank, room - 1), room), progress),
        _odds(track, width),
    ]


def _odds(track: Track, width: int) -> Content:
    if not track.odds:
        return Content()
    percent = Content.assemble((f"{whole(chance(track.odds)):>4}%", "$muted"), " ")
    barred = Content.assemble(odds_bar(track.odds, _BAR), percent)
    ends = Content.styled(f"  {track.ends}", "$faint")
    odds = barred if ends.cell_length < width - barred.cell_length else percent
    room = width - odds.cell_length
    return Content.assemble(column(fit(ends, room - 1), room), odds)
