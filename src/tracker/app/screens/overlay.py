"""Base of full-window screens over the table (belongings, party, journal, GM), and what they ask of the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import ClassVar, Protocol

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.screens.base import KEYS, REDO, SPEAK, UNDO, Modal
from tracker.app.screens.find import SearchResult
from tracker.app.screens.table_view import TableView
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.options import Row
from tracker.campaign.log import Entry
from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.games.api.schema import Effect
from tracker.games.api.view import Action, Start, Track


class Table(Protocol):
    """The table, as the screens over it know it."""

    session: Session
    player: Player
    view: TableView

    def show(self, notice: str = "") -> None:
        """Update every pane, and show a message."""

    def start(self, start: Start, who: str = "") -> None:
        """Start a procedure in the dialog, for the active character or for `who`."""

    def change(self, effect: Effect) -> None:
        """Change a value by hand, or show why it stays as it is."""

    def speak_as(self, who: str) -> None:
        """Make this character the active one."""

    def toggle_undone(self, entry: Entry, *, undone: bool) -> None:
        """Undo one entry of any age, or redo it."""

    def pick_for_track(self, track: Track) -> None:
        """Pick an action on a track, and start it."""

    def find(self, then: Callable[[SearchResult], Awaitable[None]]) -> None:
        """Ask what to look for, and pass what was picked to `then`."""

    async def go_to(self, found: SearchResult) -> None:
        """Start, ask or show a search result."""

    def action_undo(self) -> None: ...

    def action_redo(self) -> None: ...

    def action_speak(self, number: int) -> None: ...

    def action_owed(self) -> None: ...

    def action_character(self) -> None: ...

    def action_fold(self) -> None: ...

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None: ...


class Overlay(Modal[None]):
    """Full-window screen over the table. Changes go through the table; its messages show in the last row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        UNDO,
        REDO,
        KEYS,
        *SPEAK,
    ]

    def __init__(self, table: Table, title: str) -> None:
        super().__init__(table.view.heading(), title)
        self.table = table
        self._noticed = table.player.notice
        self.add_class("whole")

    def body(self) -> Iterator[Widget]:
        yield from self.things()
        yield Lines((), id="notice")

    def things(self) -> Iterator[Widget]:
        """Yield the widgets of the screen."""
        raise NotImplementedError

    def caption(self) -> str:
        raise NotImplementedError

    def actions(self) -> tuple[Action, ...]:
        """Return the actions that have a hotkey here."""
        raise NotImplementedError

    def refill(self) -> None:
        """Update the widgets from the state."""
        raise NotImplementedError

    def show(self) -> None:
        """Update the screen, and show the table's message if it is newer than this screen."""
        self.query_one("#card", Box).call(self.caption())
        self.refill()
        self.heading = self.table.view.heading()
        self.show_notice()

    def show_notice(self) -> None:
        notice = self.table.player.notice
        said = Content.styled(notice, "$mid").wrap(self.room) if notice and notice != self._noticed else []
        self.query_one("#notice", Lines).update(tuple(said))

    def follow(self) -> None:
        if self.is_mounted and self.is_open:
            self.show()

    def say(self, notice: str) -> None:
        self.table.show(notice)
        self.show()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.show()

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.show)

    # -- through the table ------------------------------------------------------------------------------

    def change(self, effect: Effect) -> None:
        self.table.change(effect)
        self.show()

    def begin(self, action: Action) -> None:
        if action.reason:
            self.say(f"{action.label}: {action.reason}.")
            return
        self.table.start(action.start)
        self.show()

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(Row(one.label, one, one.key, one.note, one.reason) for one in self.actions() if one.key)

    def press_hot(self, event: events.Key) -> None:
        """Start the action whose hotkey was pressed, if there is one."""
        for action in self.actions():
            if action.key and action.key == event.character:
                event.stop()
                event.prevent_default()
                self.begin(action)
                return

    def action_undo(self) -> None:
        self.table.action_undo()
        self.show()

    def action_redo(self) -> None:
        self.table.action_redo()
        self.show()

    def action_speak(self, number: int) -> None:
        self.table.action_speak(number)
        self.show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable the digits of existing members only."""
        if action == "speak":
            return self.table.check_action(action, parameters)
        return super().check_action(action, parameters)

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    def action_back(self) -> None:
        self.dismiss(None)
