"""Overlay, the base of full-window screens over the table (belongings, party, journal, GM), and the Table protocol."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from typing import ClassVar, Protocol

from textual import events, on
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
    """Protocol of the attributes and methods of TableScreen that the screens over it use."""

    session: Session
    player: Player
    view: TableView

    def show(self, notice: str = "") -> None:
        """Update every pane from the state and show the message `notice`; "" removes the message shown before."""

    def refuse(self, why: str) -> None:
        """Show why a key does nothing. The next key removes this message, unlike others."""

    def clear_refusal(self) -> None:
        """Remove the message of `refuse`; do nothing if a later message has replaced it."""

    def start(self, start: Start, who: str = "") -> None:
        """Open the dialog of a procedure, for the active character or for the one with the id `who`.

        If the procedure is refused or the campaign is read-only, show the reason instead.
        """

    def change(self, effect: Effect) -> None:
        """Make a change by hand and show it; if it is refused, show the reason."""

    def change_number(self, focused: Widget | None, by: int) -> None:
        """Change the number that the focused widget shows by `by`. If the widget shows none, show a refusal."""

    def speak_as(self, who: str) -> None:
        """Make the character with the id `who` the active one, and update the table."""

    def toggle_undone(self, entry: Entry, *, undone: bool) -> None:
        """Undo this entry, however old. If `undone` is True, it is undone now: redo it instead.

        If that is refused, show the reason.
        """

    def open_note(self, ident: str) -> None:
        """Open the world note with this id over the top screen."""

    def action_notes(self) -> None: ...

    def action_new_note(self) -> None: ...

    async def show_journal(self, at: str = "") -> None:
        """Open the full journal at the entry with the id `at`, or at its end for ""."""

    def pick_for_track(self, track: Track) -> None:
        """Open the list of actions on a track; the picked one is started."""

    def find(self, then: Callable[[SearchResult], Awaitable[None]]) -> None:
        """Open the search and await `then` with the picked result; `then` is not called if none is picked."""

    async def go_to(self, found: SearchResult) -> None:
        """Start a found move, roll on a table, or show a track, a note or a journal entry."""

    def action_undo(self) -> None: ...

    def action_redo(self) -> None: ...

    def action_speak(self, number: int) -> None: ...

    def action_owed(self) -> None: ...

    def action_character(self) -> None: ...

    def action_fold(self) -> None: ...

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None: ...


class Overlay(Modal[None]):
    """Base of full-window screens over the table, such as the journal and the party.

    Changes go through the table; its messages show in the last row. Subclasses provide `things` and `refill` (the
    widgets and their update), `caption` (the title) and `actions`.
    """

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

    @abstractmethod
    def things(self) -> Iterator[Widget]:
        """Yield the widgets above the row for messages."""

    @abstractmethod
    def caption(self) -> str:
        """Return the title in the border."""

    @abstractmethod
    def actions(self) -> tuple[Action, ...]:
        """Return the actions that can be started on this screen now, by hotkey."""

    @abstractmethod
    def refill(self) -> None:
        """Update the widgets of `things` from the state."""

    def show(self) -> None:
        """Update the whole screen, with the table's message unless that is older than this screen."""
        self.query_one("#card", Box).call(self.caption())
        self.refill()
        self.heading = self.table.view.heading()
        self.show_notice()

    def show_notice(self) -> None:
        """Update only the last row, which shows the table's message.

        The row is empty if there is no message, or if the message is older than this screen.
        """
        notice = self.table.player.notice
        said = Content.styled(notice, "$mid").wrap(self.room) if notice and notice != self._noticed else []
        self.query_one("#notice", Lines).update(tuple(said))

    def follow(self) -> None:
        if self.is_mounted and self.is_open:
            self.show()

    def say(self, notice: str) -> None:
        """Show a message on this screen and on the table."""
        self.table.show(notice)
        self.show()

    def refuse(self, why: str) -> None:
        """Show on this screen and on the table why a key does nothing; the next key removes the message."""
        self.table.refuse(why)
        self.show()

    @on(events.Key)
    def _clear_refusal(self) -> None:
        self.table.clear_refusal()
        self.show_notice()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.show()

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.show)

    # -- through the table ------------------------------------------------------------------------------

    def change(self, effect: Effect) -> None:
        """Make a change by hand and update this screen; a refusal is shown as a message."""
        self.table.change(effect)
        self.show()

    def begin(self, action: Action) -> None:
        """Start an action in the dialog, open its note, or show its `reason` if it is disabled."""
        if action.reason:
            self.refuse(f"{action.label}: {action.reason}.")
            return
        if action.opens == "note":
            self.table.open_note(dict(action.start.answers)["note"])
            return
        self.table.start(action.start)
        self.show()

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(Row(one.label, one, one.key, one.note, one.reason) for one in self.actions() if one.key)

    def press_hot(self, event: events.Key) -> None:
        """Start the action whose hotkey was pressed and consume the key; do nothing if no action has that hotkey."""
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
        """Return True if the action is enabled. A digit is only enabled if the party has a member with that number."""
        if action == "speak":
            return self.table.check_action(action, parameters)
        return super().check_action(action, parameters)

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    def action_back(self) -> None:
        self.dismiss(None)
