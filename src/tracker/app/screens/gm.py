"""The GM's side: pool, spotlight, adversaries, countdowns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.drawings import verdict
from tracker.app.focus import nearest_widget
from tracker.app.keymap import Hint, hint_of
from tracker.app.screens.base import ADD, BESIDE, DUE, SUBTRACT, key
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.screens.overlay import Overlay, Table
from tracker.app.widgets.base import PRESS, Lines
from tracker.app.widgets.buttons import ActionChip, Chip, ChipFlow
from tracker.app.widgets.foes import FoeList
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.options import Row
from tracker.app.widgets.sheet import MeterRow
from tracker.app.widgets.tracks import TrackList
from tracker.games.api.view import Action, Foe, GmSide

CHIPS = 14
COLUMNS = {"left": (4, 1), "right": (3, 2)}
"""Each column's share of the width, in sevenths, and the cells of its border and padding, as in gm.tcss."""
TALL = 30
"""Window height from which everything is shown in full."""
ON_A_CHIP = 3
"""Number of actions on a foe that have a button in a low window; Enter lists all of them."""


class GmScreen(Overlay):
    """Full-window screen for the GM: pool, turn, adversaries and countdowns. Only games with a GM's side have it.

    `+` and `-` change the number under the cursor; everything else is a procedure with a hotkey.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        key("g,escape", "back", "Players", "gm.back", "Return to the players' side."),
        ADD,
        SUBTRACT,
        DUE,
        *BESIDE,
    ]
    CSS_PATH = ["base.tcss", "gm.tcss"]  # noqa: RUF012

    def __init__(self, table: Table) -> None:
        super().__init__(table, "The GM's side")
        self.side = self._side()

    def _side(self) -> GmSide:
        session = self.table.session
        side = session.game.gm_side(session.state)
        assert side is not None
        return side

    def things(self) -> Iterator[Widget]:
        side = self.side
        yield Widget(
            Widget(
                MeterRow(side.pool._replace(note=""), columns=(len(side.pool.label) + 1, 23), id="pool"),
                Lines((), id="pool-note"),
                ChipFlow(side.pool_actions, CHIPS, id="pool-do"),
                Lines((), id="foes-title", classes="group"),
                FoeList(side.foes, empty="No adversaries.", id="foes"),
                ChipFlow((), CHIPS, id="foes-do"),
                id="left",
            ),
            Widget(
                Lines((), id="turn"),
                ChipFlow(side.turn_actions, CHIPS, id="turn-do"),
                Lines((), id="tracks-title", classes="group"),
                TrackList(side.tracks, empty="No countdowns.", id="coming"),
                ChipFlow(side.tracks_actions, CHIPS, id="tracks-do"),
                ChipFlow(side.actions, CHIPS, id="other-do"),
                Lines((), id="latest", classes="group"),
                Lines((), id="party", classes="group"),
                id="right",
            ),
            id="two",
        )

    def hints(self) -> tuple[Hint, ...]:
        """Return the footer's hints. They are few, because the buttons show their own hotkeys."""
        owes = any(self.table.session.owed(who) for who in self.table.player.party)
        return (
            *(Hint(one.key, one.label, "") for one in self.side.pool_actions[:1]),
            *((hint_of(PRESS, description="Options"),) if self._of_foe() else ()),
            *((self.hint("owed"),) if owes else ()),
            self.hint("change(1)", "Change", also="change(-1)"),
            self.hint("back"),
            self.hint("keys"),
            self.hint("undo"),
        )

    @property
    def foes(self) -> FoeList:
        return self.query_one(FoeList)

    def _of_foe(self) -> tuple[Action, ...]:
        here = self.foes.foe if self.is_mounted else next(iter(self.side.foes), None)
        return here.actions if here else ()

    def caption(self) -> str:
        return "The GM's side"

    def on_mount(self) -> None:
        (self.foes if self.side.foes else self.query_one("#pool")).focus()
        self.show()

    # -- what is shown ----------------------------------------------------------------------------------

    def refill(self) -> None:
        side = self.side = self._side()
        tall = self.size.height >= TALL
        self.query_one(MeterRow).update(side.pool._replace(note=""))
        self._lines("pool-note", side.pool_note if tall else side.pool.note, "left")
        self._lines("foes-title", "   ".join(filter(None, (side.foes_title, side.foes_note))), "left")
        self._lines("turn", side.turn, "right", "bold")
        self._lines("tracks-title", side.tracks_title, "right")
        self.foes.update(side.foes)
        self.query_one(TrackList).update(side.tracks)
        self.query_one("#party", Lines).update(tuple(self._party()))
        self.query_one("#latest", Lines).update(tuple(self._latest()))
        for name, actions in (
            ("pool", side.pool_actions),
            ("turn", side.turn_actions),
            ("tracks", side.tracks_actions),
            ("other", side.actions),
        ):
            self.query_one(f"#{name}-do", ChipFlow).show(actions)
        self._refill_foe()

    def _refill_foe(self) -> None:
        """Update the footer, and the buttons of the actions on the foe under the cursor and on foes as a whole."""
        mine = self._of_foe() if self.size.height >= TALL else self._of_foe()[:ON_A_CHIP]
        self.query_one("#foes-do", ChipFlow).show((*mine, *self.side.foes_actions))
        self.query_one(Footer).update(self.hints())

    def _width(self, column: str) -> int:
        """Return the width of the text in a column, also before the first layout, when it has no size yet."""
        share, rim = COLUMNS[column]
        return max(20, self.query_one(f"#{column}").content_size.width or self.app.size.width * share // 7 - rim)

    def _lines(self, name: str, words: str, column: str, style: str = "$muted") -> None:
        width = self._width(column)
        self.query_one(f"#{name}", Lines).update(tuple(Content.styled(words, style).wrap(width)) if words else ())

    def _party(self) -> Iterator[Content]:
        width = self._width("right")
        yield Content.styled("The party", "$muted")
        for side in self.side.party:
            rows = Content.assemble((f"{side.name}  ", "bold"), side.words).wrap(width)
            yield from (row if n == 0 else Content.assemble("  ", row) for n, row in enumerate(rows))

    def _latest(self) -> Iterator[Content]:
        """Yield the last roll or oracle result in up to three rows; nothing if there is none."""
        rolls = self.table.view.rolls(before_last=False)
        if not rolls:
            return
        width = self._width("right")
        card = rolls[0].card
        words = card.title if card.outcome else card.sum or card.title
        said = Content.assemble(verdict(card.mark, card.outcome, card.tone), f" {words}")
        yield from said.wrap(width)[:3]

    # -- what can be done -------------------------------------------------------------------------------

    def actions(self) -> tuple[Action, ...]:
        side = self.side
        of_all = (side.pool_actions, side.turn_actions, side.foes_actions, side.tracks_actions, side.actions)
        return (*self._of_foe(), *(action for actions in of_all for action in actions))

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(Row(one.label, one, one.key, one.note, one.reason) for one in self.actions())

    def on_key(self, event: events.Key) -> None:
        self.press_hot(event)

    def on_chip_pressed(self, message: Chip.Pressed) -> None:
        if isinstance(message.chip, ActionChip):
            self.begin(message.chip.action)

    def on_foe_list_moved(self) -> None:
        self._refill_foe()

    def on_foe_list_pressed(self, message: FoeList.Pressed) -> None:
        self._pick(message.foe)

    def _pick(self, foe: Foe) -> None:
        rows = tuple(Row(one.label, one, one.key, one.note, one.reason) for one in foe.actions)
        told = [Content.styled(word, "$muted") for word in foe.words]
        self.app.push_screen(
            ListScreen(self.table.view.heading(), foe.name, Choices(rows, lambda _: told, filters=False)),
            lambda action: self.begin(action) if action else None,
        )

    def on_track_list_pressed(self, message: TrackList.Pressed) -> None:
        self.table.pick_for_track(message.track)

    def action_change(self, by: int) -> None:
        self.table.change_number(self.focused, by)
        self.show()

    def action_beside(self, way: str) -> None:
        if there := nearest_widget(self, way):
            there.focus()

    def action_owed(self) -> None:
        self.table.action_owed()
        self.show()
