"""Taking things back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from textual.screen import Screen

from tracker.app.background import Folding
from tracker.app.screens.table.view import TableView
from tracker.campaign.history import newest_to_undo
from tracker.campaign.journal import undone
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp
    from tracker.app.screens.overlay import Overlay
    from tracker.campaign.log import Entry


class Undoes(Screen[None]):
    """What undo and redo do on the table."""

    app: TrackerApp
    session: Session
    view: TableView
    _far = ""
    """What becomes of the old entry for which the whole log is folded."""

    def show(self, notice: str = "") -> None:
        raise NotImplementedError

    def show_last(self) -> None:
        raise NotImplementedError

    def lead(self) -> None:
        raise NotImplementedError

    def action_undo(self) -> None:
        """The last thing; that may have been an undo of something older."""
        if last := self.session.log.out_of_turn():
            self._bring_back(last["id"], last["undoes"])
        elif self.session.log.to_undo() is None and (ident := newest_to_undo(self.session)):
            self._undo_far(ident)
        else:
            self._undone(self.session.undo, "Nothing is left to undo.", "undone")

    def undo_entry(self, ident: str) -> None:
        """Take back one thing, however long ago it was."""
        if any(entry["id"] == ident for entry in self.session.log.entries):
            self._undone(lambda: self.session.undo(ident), "That is undone already.", "undone")
        else:
            self._undo_far(ident)

    def redo_entry(self, entry: Entry) -> None:
        """Bring back one thing, however long ago it was undone."""
        if undo := self.session.undo_of(entry):
            self._bring_back(undo, entry["id"])

    def _bring_back(self, undo: str, ident: str) -> None:
        if any(entry["id"] == ident for entry in self.session.log.entries):
            self._undone(lambda: self.session.redo(undo), "", "back again")
        else:
            self._undo_far(undo, "redo")

    def _undo_far(self, ident: str, did: str = "undo") -> None:
        """What lies behind the base needs the whole log; that is folded while the screen goes on."""
        told = -1
        self._far = "undone" if did == "undo" else "back again"

        def step(done: float) -> None:
            nonlocal told
            if (percent := int(done * 100)) != told:
                told = percent
                self.post_message(Folding(percent))

        try:
            self.session.undo_far(ident, step, lambda: self.post_message(Folding(None)), did=did)
        except Refused as error:
            self.show(str(error))

    def on_folding(self, message: Folding) -> None:
        if message.percent is None:
            try:
                self.session.take_fresh()
            except Refused as error:
                self.show(str(error))
            else:
                self.show(f"An old entry: {self._far}")
            self.lead()
        else:
            from tracker.app.background import bar

            self.view.notice = f"Going through the whole log  {bar(message.percent)}"
            self.show_last()
            for screen in self._before():
                screen.show_notice()

    def _before(self) -> Iterator[Overlay]:
        """The screens that stand before this table."""
        from tracker.app.screens.overlay import Overlay

        before = (screen for screen in self.app.screen_stack if isinstance(screen, Overlay))
        return (screen for screen in before if screen.is_mounted and screen.is_open)

    def action_redo(self) -> None:
        self._undone(self.session.redo, "Nothing is left to redo.", "back again")

    def _undone(self, act: Callable[[], Entry | None], nothing: str, word: str) -> None:
        try:
            entry = act()
        except Refused as error:
            self.show(str(error))
            return
        self.show(nothing if entry is None else f"{undone(self.session, entry)}: {word}")
