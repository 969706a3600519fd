"""Beginning things: what every button and every key of the table asks for is a procedure in the dialog."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from tracker.app.key_queue import key_now
from tracker.app.screens.table.view import TableView
from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.view import Start

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp
    from tracker.app.screens.dialog.forms import PendingInput
    from tracker.app.screens.dialog.screen import Again
    from tracker.app.screens.table.screen import TableScreen
    from tracker.app.widgets.buttons import ActionChip, Chip
    from tracker.app.widgets.fields import Tile
    from tracker.app.widgets.stat_grid import RatingsGrid
    from tracker.app.widgets.tracks import TrackList
    from tracker.campaign.run import Run


class Acts(Screen[None]):
    """Moves, rolls, oracles, what is owed, and what is done with a track."""

    app: TrackerApp
    session: Session
    view: TableView
    player: Player

    def show(self, notice: str = "") -> None:
        raise NotImplementedError

    def action_gm_side(self) -> None:
        raise NotImplementedError

    @property
    def _table(self) -> TableScreen:
        return cast("TableScreen", self)

    def start(self, start: Start, who: str = "", *, odds_first: bool = False) -> None:
        """What every button and every key does: begin a procedure in the dialog, for whoever speaks or for `who`."""
        self._ask(lambda: self.player.start(start, who), odds_first=odds_first)

    def _ask(self, run: Callable[[], Run], again: Again | None = None, *, odds_first: bool = False) -> None:
        try:
            begun = run()
        except Refused as error:
            self.show(str(error))
        else:
            self.app.ask(self._table, begun, again, odds_first=odds_first)

    def on_chip_pressed(self, message: Chip.Pressed) -> None:
        action = cast("ActionChip", message.chip).action
        match action.opens:
            case "owed":
                self.action_owed()
            case "oracle":
                self.action_oracle()
            case "gm":
                self.action_gm_side()
            case "":
                self.start(action.start)

    def on_tile_pressed(self, message: Tile.Pressed) -> None:
        self.start(message.tile.data.roll, odds_first=True)  # a stray Enter rolls nothing

    def on_ratings_grid_pressed(self, message: RatingsGrid.Pressed) -> None:
        self.start(message.stat.roll, odds_first=True)

    def action_roll(self, key: str) -> None:
        """The bare roll that has this key."""
        action = next((roll for roll in self.player.bare_rolls() if roll.key == key), None)
        if action is None or action.reason:
            self.show(f"{action.label}: {action.reason}." if action else self._nobody())
        else:
            self._ask(lambda: self.player.start(action.start), self._rolled_last if key == "r" else None)

    def own_word(self, action: str) -> str:
        """What the game calls this, where the key is one that each game has something of its own on; else ""."""
        return next((one.label for one in self.player.bare_rolls() if action == f"roll('{one.key}')"), "")

    def _rolled_last(self) -> tuple[Run, PendingInput] | None:
        """What this character rolled last, up to where the odds are seen."""
        from tracker.app.screens.dialog.forms import up_to_odds

        run = self.player.repeat_last()
        return up_to_odds(run) if run else None

    def _nobody(self) -> str:
        return f"Nobody acts: {key_now(self, 'c')} makes a character."

    def action_oracle(self) -> None:
        if self.player.active:
            self.app.ask_oracle(self._table)
        else:
            self.show(self._nobody())

    def action_character(self) -> None:
        """Somebody new; or the one whose making was left."""
        self._ask(self.player.make_character)

    def action_owed(self) -> None:
        """What the one who speaks owes; or else what somebody else does, who speaks for that long."""
        who, due = self.player.next_due()
        if due:
            self._ask(lambda: self.player.start_due(who, due[0]))
        else:
            self.show("Nothing is owed.")

    def action_moves(self) -> None:
        if self.player.active:
            self.app.pick_move(self._table)
        else:
            self.action_character()

    def action_new_track(self) -> None:
        if self.player.active:
            self.start(self.session.game.new_track)
        else:
            self.action_character()

    def on_track_list_pressed(self, message: TrackList.Pressed) -> None:
        fight = self.view.fight()
        there = (*self.session.game.tracks(self.session.state), *(fight.foes if fight else ()))
        if any(track.id == message.track.id for track in there):
            self.app.pick_for_track(self._table, message.track)
