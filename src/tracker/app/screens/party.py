"""The party side by side: switch, add, rename, retire, bring back, remove."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.drawings import pips
from tracker.app.keymap import Hint, hint_of
from tracker.app.screens.base import key
from tracker.app.screens.overlay import Overlay, Table
from tracker.app.widgets.base import LEFT, PRESS, RIGHT, Lines
from tracker.app.widgets.buttons import ActionChip, Chip
from tracker.app.widgets.party_columns import PartyColumn, PartyColumns
from tracker.games.api.view import Action, Counter, Line, Meter, One, Start, each, is_shared
from tracker.text import shown_line

CHIPS = 5
NOTED = 3
"""Maximum of listed rules checks: values that the rules of the game cannot produce."""
_NONE = Action("", "", Start(""))


class PartyScreen(Overlay):
    """Full-window screen with the numbers of all party members, and actions for the member under the cursor.

    Numbers that the party shares are shown once.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,p", "back", "Back", "party.back", "Return to the table."),
        key("c", "character", "New", "character", "Make a new character."),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__(table, "The party")

    def things(self) -> Iterator[Widget]:
        yield Lines(self._shared(), id="shared")
        yield PartyColumns(self._people(), id="people")
        yield Lines((), id="lint")
        yield Widget(*(ActionChip(_NONE, id=f"chip-{n}") for n in range(CHIPS)), id="buttons")

    def hints(self) -> tuple[Hint, ...]:
        return (
            hint_of(LEFT, RIGHT),
            self.hint("press", "Play as", by=PRESS),
            self.hint("character"),
            self.hint("undo"),
            self.hint("keys"),
            self.hint("back"),
        )

    @property
    def people(self) -> PartyColumns:
        return self.query_one(PartyColumns)

    def on_mount(self) -> None:
        self.people.focus()
        self.people.go_to(self.table.player.active)
        self.show()

    # -- what is shown ----------------------------------------------------------------------------------

    def caption(self) -> str:
        return "The party"

    def refill(self) -> None:
        self.query_one("#shared", Lines).update(self._shared())
        self.people.update(self._people())
        self.query_one("#lint", Lines).update(tuple(self._lint()))
        actions = self.actions()
        for n, chip in enumerate(self.query(ActionChip)):
            action = actions[n] if n < len(actions) else _NONE
            chip.display = bool(action.label)
            chip.show(action)

    def _fields(self, who: str) -> tuple[One, ...]:
        session = self.table.session
        return tuple(field for pane in session.game.sheet(session.state, who) for field in each(pane.fields))

    def _with_numbers(self, who: str) -> tuple[Meter, ...]:
        """Return the meters of a member's belongings, such as companions, that the sheet does not show.

        `who` is the member's id. Each meter is labeled with the note or name of its belonging.
        """
        session = self.table.session
        things = (
            thing for one in session.game.belongings(session.state, who) if not one.on_sheet for thing in one.things
        )
        return tuple(
            thing.number._replace(label=thing.note or thing.name) for thing in things if isinstance(thing.number, Meter)
        )

    def _people(self) -> tuple[PartyColumn, ...]:
        session, player = self.table.session, self.table.player
        fight = session.game.fight(session.state, player.active) if player.active else None
        stands = {side.id: (Line("", "fight", side.words),) for side in fight.sides} if fight else {}
        return tuple(
            PartyColumn(
                member,
                (
                    *(field for field in self._fields(member.id) if not is_shared(field, member.id)),
                    *stands.get(member.id, ()),
                    *self._with_numbers(member.id),
                ),
                tuple(due.label for due in session.owed(member.id)),
                member.id == player.active,
                str(number) if number < 10 else "",
            )
            for number, member in enumerate(session.game.members(session.state), 1)
        )

    def _shared(self) -> tuple[Content, ...]:
        """Return one row with the numbers that all members share; () if there are none."""
        who = next(iter(self.table.player.party), "")
        fields = [field for field in self._fields(who) if is_shared(field, who)] if who else []
        parts = [
            Content.assemble((f"{field.label}  ", "$muted"), _picture(field), (f"  {field.value}", "bold"))
            for field in fields
            if isinstance(field, (Meter, Counter))
        ]
        return (Content.assemble(Content("    ").join(parts), ("    shared", "$faint")),) if parts else ()

    def _lint(self) -> Iterator[Content]:
        session = self.table.session
        found = session.game.lint(session.state)
        for line in found[: NOTED if len(found) <= NOTED else NOTED - 1]:
            yield from Content.styled(f"rules check: {shown_line(line, 200)}", "$mid").wrap(self.room)
        if len(found) > NOTED:
            yield Content.styled(f"{len(found) - NOTED + 1} more rules checks", "$mid")

    # -- what can be done -------------------------------------------------------------------------------

    def actions(self) -> tuple[Action, ...]:
        session = self.table.session
        here = self.people.here
        return session.game.member_moves(session.state, here.member.id if here else "")

    def begin(self, action: Action) -> None:
        here = self.people.here
        if here and not action.reason:
            self.table.start(action.start, here.member.id)
            self.show()
        else:
            super().begin(action)

    def action_character(self) -> None:
        self.table.action_character()
        self.show()

    def action_speak(self, number: int) -> None:
        super().action_speak(number)
        self.people.go_to(self.table.player.active)

    def action_press(self) -> None:
        self.people.action_press()

    def on_party_columns_pressed(self, message: PartyColumns.Pressed) -> None:
        self.table.speak_as(message.person.member.id)
        self.dismiss(None)

    def on_party_columns_moved(self) -> None:
        self.refill()

    def on_chip_pressed(self, message: Chip.Pressed) -> None:
        if isinstance(message.chip, ActionChip):
            self.begin(message.chip.action)

    def on_action_chip_pressed(self, message: Chip.Pressed) -> None:
        self.on_chip_pressed(message)

    def on_key(self, event: events.Key) -> None:
        self.press_hot(event)


def _picture(field: Meter | Counter) -> Content:
    return pips(field.value, field.high) if isinstance(field, Meter) else Content()
