"""Belongings of the active character, with the actions that add to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.keymap import Hint
from tracker.app.screens.base import ADD, SUBTRACT, key
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.screens.overlay import Overlay, Table
from tracker.app.widgets.base import PRESS
from tracker.app.widgets.belongings import CursorStop, HoldingList
from tracker.app.widgets.footer import MOVE, Footer
from tracker.app.widgets.options import Row
from tracker.games.api.view import Action, Belonging, Holding


class BelongingsScreen(Overlay):
    """Full-window screen with all belongings of the active character: their numbers, boxes and actions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,b", "back", "Back", "belongings.back", "Return to the table."),
        ADD,
        SUBTRACT,
        key("space", "mark", "Mark", "mark", "Mark or clear the box under the cursor."),
    ]

    def __init__(self, table: Table, thing: str = "") -> None:
        """Make the screen; its cursor begins on the thing with the id `thing`, or else on the first."""
        super().__init__(table, "")
        self._thing = thing

    def things(self) -> Iterator[Widget]:
        yield HoldingList(self._holdings(), id="holdings")

    def hints(self) -> tuple[Hint, ...]:
        return (
            MOVE,
            self.hint("press", self._enter(), by=PRESS),
            self.hint("mark"),
            self.hint("change(1)", "Change", also="change(-1)"),
            self.hint("undo"),
            self.hint("back"),
            self.hint("keys"),
        )

    def _enter(self) -> str:
        """Return the footer's label for the Enter key: what Enter does to the thing under the cursor."""
        thing, _, action = self.list.here if self.is_mounted else CursorStop()
        if action:
            return action.label
        return thing.actions[0].label if thing and len(thing.actions) == 1 else "Options"

    @property
    def list(self) -> HoldingList:
        return self.query_one(HoldingList)

    def _holdings(self) -> tuple[Holding, ...]:
        session, who = self.table.session, self.table.player.active
        return session.game.belongings(session.state, who) if who else ()

    def caption(self) -> str:
        return f"Belongings: {self.table.view.title()}"

    def refill(self) -> None:
        self.list.update(self._holdings())
        self.query_one(Footer).update(self.hints())

    def on_holding_list_moved(self) -> None:
        self.query_one(Footer).update(self.hints())

    def on_mount(self) -> None:
        self.list.stand_on(self._thing)
        self.list.focus()
        self.show()

    # -- what can be done -------------------------------------------------------------------------------

    def actions(self) -> tuple[Action, ...]:
        return tuple(action for holding in self._holdings() for action in holding.actions)

    def action_press(self) -> None:
        self.list.action_press()

    def on_holding_list_pressed(self, message: HoldingList.Pressed) -> None:
        thing, mark, action = message.stop_at
        if action:
            self.begin(action)
        elif thing and len(thing.actions) == 1:
            self.begin(thing.actions[0])
        elif thing and thing.actions:
            self._pick(thing)
        elif thing and thing.number and not mark:
            self.refuse("Use + and - to change it.")

    def _pick(self, thing: Belonging) -> None:
        rows = tuple(Row(one.label, one, one.key, one.note, one.reason) for one in thing.actions)
        told = [Content.styled(", ".join(filter(None, (thing.kind, thing.note))), "$muted")]
        self.app.push_screen(
            ListScreen(self.table.view.heading(), thing.name, Choices(rows, lambda _: told, filters=False)),
            lambda action: self.begin(action) if action else None,
        )

    def action_mark(self) -> None:
        thing, mark, _ = self.list.here
        if thing and not mark and len(thing.marks) == 1:  # its row shows the box too
            [mark] = thing.marks
        if mark and mark.at:
            self.change({"at": mark.at, "to": not mark.on})
        else:
            self.refuse("Move to a box first, with the arrows.")

    def action_change(self, by: int) -> None:
        if at := self.list.at:
            self.change({"at": at, "by": by})
        else:
            self.refuse("Move to a number first, with the arrows.")

    def on_key(self, event: events.Key) -> None:
        self.press_hot(event)
