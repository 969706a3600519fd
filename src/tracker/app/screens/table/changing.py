"""Changes by hand: a number, a mark."""

from __future__ import annotations

from textual.screen import Screen

from tracker.app.widgets.flag_grid import FlagGrid
from tracker.app.widgets.value_widget import ValueWidget
from tracker.campaign.player import Player
from tracker.games.api.errors import Refused
from tracker.games.api.schema import Effect
from tracker.games.api.view import Flag
from tracker.text import shown_line


class Changes(Screen[None]):
    """What `+`, `-` and Space do on the table: at once, and `u` takes it back."""

    player: Player

    def show(self, notice: str = "") -> None:
        raise NotImplementedError

    def change(self, effect: Effect) -> None:
        """A change by hand; why it is none is said."""
        try:
            entry = self.player.change(effect)
        except Refused as error:
            self.show(str(error))
            return
        self.show(", ".join(shown_line(phrase, 200) for phrase in entry["facts"]["changed"]))

    def action_change(self, by: int) -> None:
        widget = self.focused
        if isinstance(widget, ValueWidget) and widget.at:
            self.change({"at": widget.at, "by": by})
        else:
            self.show("Put the cursor on a number first: arrows or Tab move it.")

    def action_mark(self) -> None:
        widget = self.focused
        if isinstance(widget, FlagGrid) and widget.flag:
            self._flip(widget.flag)

    def on_flag_grid_toggled(self, message: FlagGrid.Toggled) -> None:
        self._flip(message.flag)

    def _flip(self, flag: Flag) -> None:
        try:
            effect = flag.flipped()
        except Refused as error:
            self.show(str(error))
        else:
            self.change(effect)
