"""Taking things back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from textual.screen import Screen

from tracker.app.background import Folding
from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp
    from tracker.app.screens.overlay import Overlay
    from tracker.campaign.log import Entry
    from tracker.campaign.undo import Reversal


class Undoes(Screen[None]):
    """What undo and redo do on the table."""

    app: TrackerApp
    session: Session
    player: Player
    _far = ""
    """What becomes of the old entry for which the whole log is folded."""

    def show(self, notice: str = "") -> None:
        raise NotImplementedError

    def show_last(self) -> None:
        raise NotImplementedError

    def lead(self) -> None:
        raise NotImplementedError

    def action_undo(self) -> None:
        self._reverse(self.session.undos.last, "Nothing is left to undo.")

    def action_redo(self) -> None:
        self._reverse(self.session.undos.next_redo, "Nothing is left to redo.")

    def toggle_undone(self, entry: Entry, *, undone: bool) -> None:
        """Take back one entry, or bring it back, however old it is."""
        nothing = "" if undone else "That is undone already."
        self._reverse(lambda: self.session.undos.toggle(entry, undone=undone), nothing)

    def _reverse(self, decide: Callable[[], Reversal | None], nothing: str) -> None:
        """Make an undo or a redo at once, or in the background if it reaches before the snapshot."""
        try:
            reversal = decide()
            if reversal and reversal.far:
                self._undo_far(reversal)
            else:
                self.show(self.player.reverse(reversal) or nothing)
        except Refused as error:
            self.show(str(error))

    def _undo_far(self, reversal: Reversal) -> None:
        """Have the whole log folded while the screen goes on."""
        told = -1
        self._far = reversal.word

        def step(done: float) -> None:
            nonlocal told
            if (percent := int(done * 100)) != told:
                told = percent
                self.post_message(Folding(percent))

        def done() -> None:
            self.post_message(Folding(None))

        self.session.undos.undo_far(reversal.undoes, step, done, did=reversal.did)

    def on_folding(self, message: Folding) -> None:
        if message.percent is None:
            try:
                self.session.undos.take_fresh()
            except Refused as error:
                self.show(str(error))
            else:
                self.show(f"An old entry: {self._far}")
            self.lead()
        else:
            from tracker.app.background import bar

            self.player.notice = f"Going through the whole log  {bar(message.percent)}"
            self.show_last()
            for screen in self._before():
                screen.show_notice()

    def _before(self) -> Iterator[Overlay]:
        """The screens that stand before this table."""
        from tracker.app.screens.overlay import Overlay

        before = (screen for screen in self.app.screen_stack if isinstance(screen, Overlay))
        return (screen for screen in before if screen.is_mounted and screen.is_open)
