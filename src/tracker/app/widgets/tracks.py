"""Progress tracks under each other, with one cursor among them."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tracker.app.draw import boxes, column, fit, score, segments
from tracker.app.widgets.drawn import DOWN, PRESS, UP, Drawn
from tracker.games.clocks import counted
from tracker.games.sheet import Track

ROWS = 2
ROOM_FOR_SPACED = 36
"""Two cells before the rank, the longest rank and a blank, ten boxes apart, a blank and the score."""


class TrackList(Drawn[tuple[Track, ...]], can_focus=True):
    """One place for Tab. Up and down move inside it; at an end they are left to the screen.

    An empty row stands between the tracks where all of them fit that way. The last column is kept for the
    arrows that say there is more above or below.
    """

    BINDINGS: ClassVar[list[BindingType]] = [UP, DOWN, PRESS]
    DEFAULT_CSS = "TrackList { height: auto; }"

    class Pressed(Message):
        """Enter, or a click on the track that was already under the cursor."""

        def __init__(self, tracks: TrackList, track: Track) -> None:
            super().__init__()
            self.tracks = tracks
            self.track = track

        @property
        def control(self) -> TrackList:
            return self.tracks

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
        self.cursor = 0
        self.top = 0

    @property
    def track(self) -> Track | None:
        """The one under the cursor."""
        return self.data[self.cursor] if self.data else None

    def allow_focus(self) -> bool:
        return bool(self.data)

    def update(self, data: tuple[Track, ...]) -> None:
        """Show these tracks from now on; the cursor stays on its track as long as that is there."""
        if data == self.data:
            return
        resized = len(data) != len(self.data)
        under = self.track.id if self.track else None
        self.data = data
        ids = [track.id for track in data]
        self.cursor = ids.index(under) if under in ids else max(0, min(self.cursor, len(data) - 1))
        self._reveal()
        self.refresh(layout=resized)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return ROWS * len(self.data) or 1

    @property
    def _step(self) -> int:
        airy = ROWS + 1
        return airy if airy * len(self.data) - 1 <= self.size.height else ROWS

    @property
    def _shown(self) -> int:
        """How many tracks can be seen at once."""
        return max(1, (self.size.height + self._step - ROWS) // self._step)

    def _reveal(self) -> None:
        """Scroll as far as needed to see the cursor."""
        self._show_from(max(min(self.top, self.cursor), self.cursor - self._shown + 1))

    def _show_from(self, top: int) -> bool:
        """Scroll so that this track is the first one seen; say whether anything moved."""
        top = max(0, min(top, len(self.data) - self._shown))
        moved = top != self.top
        if moved:
            self.top = top
            self.refresh()
        return moved

    def render(self) -> Content:
        width, height = self.size.width - 1, self.size.height
        if not self.data:
            return fit(Content.styled(self.empty, "$faint"), width)
        lines: list[Content] = []
        for track in self.data[self.top : self.top + self._shown]:
            lines += _drawn(track, width, under_cursor=self.has_focus and track is self.track)
            lines += [Content()] * (self._step - ROWS)
        lines += [Content()] * (height - len(lines))
        if self.top > 0:
            lines[0] = Content.assemble(column(lines[0], width), ("↑", "$muted"))
        if self.top + self._shown < len(self.data):
            lines[height - 1] = Content.assemble(column(lines[height - 1], width), ("↓", "$muted"))
        return Content("\n").join(lines)

    def action_move(self, rows: int, columns: int) -> None:  # noqa: ARG002
        if not 0 <= self.cursor + rows < len(self.data):
            raise SkipAction
        self._go(self.cursor + rows)

    def action_press(self) -> None:
        if self.track:
            self.post_message(self.Pressed(self, self.track))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        if offset is None:
            return
        row, inside = divmod(offset.y, self._step)
        index = self.top + row
        if inside >= ROWS or index >= len(self.data):
            return
        if index == self.cursor:
            self.action_press()
        else:
            self._go(index)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        if self._show_from(self.top + 1):
            event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        if self._show_from(self.top - 1):
            event.stop()

    def on_resize(self) -> None:
        self._reveal()

    def _go(self, index: int) -> None:
        self.cursor = index
        self._reveal()
        self.refresh()


def _drawn(track: Track, width: int, *, under_cursor: bool) -> list[Content]:
    if track.closed:
        name, ink, said = "$faint", "$faint", Content.styled(track.closed, "$faint")
    elif track.note:
        name, ink, said = "bold", "$key", Content.styled(track.note, "$mid")
    else:
        name, ink, said = "", "$foreground", Content.styled(track.kind, "$faint")
    title = Content.styled(track.name, "bold $primary" if under_cursor else name)
    said = fit(said, max(width // 2, width - title.cell_length - 2))
    rank = Content.assemble(("► " if under_cursor else "  ", "bold $cur-bg"), (track.rank, "$muted"))
    gap = " " if width >= ROOM_FOR_SPACED else ""
    if track.segments:
        progress = Content.assemble(segments(track.ticks, track.segments), " ", counted(track.ticks, track.segments))
    else:
        progress = Content.assemble(boxes(track.ticks, gap, ink), " ", score(track.ticks))
    return [
        Content.assemble(column(fit(title, width - said.cell_length - 2), width - said.cell_length), said),
        Content.assemble(column(rank, width - progress.cell_length), progress),
    ]
