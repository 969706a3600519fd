"""RecapScreen: what happened in the last session, in ten lines. Enter or Esc goes on to the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.keymap import Hint
from tracker.app.screens.base import Modal, key
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.header import Heading
from tracker.campaign.recap import BEGAN, ENDED, Recap, title
from tracker.games.api.phrases import date, time_of_day
from tracker.games.api.view import Action

_HEADING = 11
"""Cells of the column of headings."""
_STORY = (BEGAN, ENDED)


class RecapScreen(Modal[bool]):
    """A dialog with the recap. It ends with True if the player wants to begin a new session, else False."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter,escape", "back", "Play on", "recap.back", "Go to the table; any other key of it works too."),
        key("s", "session", "New session", "recap.session", "Start a new scene or session."),
        Binding("up", "scroll(-1)", "Up", id="recap.up", tooltip="Scroll up.", show=False),
        Binding("down", "scroll(1)", "Down", id="recap.down", tooltip="Scroll down.", show=False),
    ]

    DEFAULT_CSS = "RecapScreen #card { overflow-y: auto; scrollbar-size-vertical: 0; }"

    def __init__(self, heading: Heading, found: Recap, breaks: tuple[Action, ...] = ()) -> None:
        """`breaks` are the actions that begin a scene or a session, for the key `s`; without them, `s` does nothing."""
        at = found.when.astimezone() if found.when else None
        when = f"{date(at)}, {time_of_day(at)}" if at else ""
        super().__init__(heading, title(found), when)
        self._found = found
        self._breaks = breaks

    def body(self) -> Iterator[Widget]:
        yield Lines((), id="recap")

    def hints(self) -> tuple[Hint, ...]:
        back = self.hint("back")
        return (back, self.hint("session")) if self._breaks else (back,)

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self.query_one("#recap", Lines).update(tuple(drawn(self._found, self.room)))
        self.query_one("#card", Box).scroll_home(animate=False)

    def on_key(self, event: events.Key) -> None:
        """Close on a key without a meaning here and pass it to the table, so that the recap never blocks the player."""
        if event.key in self.active_bindings:
            return
        event.stop()
        self.dismiss(False)
        self.app.post_message(events.Key(event.key, event.character))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._breaks) if action == "session" else super().check_action(action, parameters)

    def action_scroll(self, rows: int) -> None:
        self.query_one("#card").scroll_relative(y=rows, animate=False)

    def action_back(self) -> None:
        self.dismiss(False)

    def action_session(self) -> None:
        self.dismiss(True)


def drawn(found: Recap, width: int) -> Iterator[Content]:
    """Yield the recap in rows of at most `width` cells, with its headings in a column at the left.

    Without lines, yield a sentence that says that nothing has happened.
    """
    if not found.lines:
        yield Content.styled("Nothing has happened yet.", "$muted")
        return
    for n, one in enumerate(found.lines):
        is_story = one.heading in _STORY
        if n and not is_story and found.lines[n - 1].heading in _STORY:
            yield Content()
        style = "$foreground" if is_story else "$muted"
        for row, part in enumerate(Content.styled(one.words, style).wrap(max(20, width - _HEADING))):
            lead = "" if row else one.heading
            yield Content.assemble((lead.ljust(_HEADING), "$key"), part)
