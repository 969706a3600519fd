"""The panes of the table that are mounted after its first frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.content import Content
from textual.screen import Screen

from tracker.app.drawings import legend
from tracker.app.screens.base import TooSmallNotice
from tracker.app.screens.journal_input import JournalInput
from tracker.app.screens.table_view import MOVES, TableView
from tracker.app.screens.window_sizes import COZY
from tracker.app.widgets.belongings import HoldingsPane
from tracker.app.widgets.buttons import ActionChip
from tracker.app.widgets.fight import FightPane
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.now_pane import NowPane
from tracker.app.widgets.rolls import LastRoll, RollTable
from tracker.app.widgets.sheet import MemberSummary
from tracker.app.widgets.tabs import Tabs, TabState
from tracker.app.widgets.tracks import TrackList
from tracker.games.api.view import Action

FIGHT, TRACKS, JOURNAL, ROLLS = "Fight", "Tracks", "Journal", "Rolls"


class Panes:
    """Controller of most panes of the table: actions, tracks, fight, rolls, belongings and footer.

    TableScreen makes it, and mounts header, sheet and journal itself. These panes are mounted by `lay` right after
    the screen has appeared with those three, so that it appears sooner. The style sheet shows and hides them by the
    width of the window and the open tab.
    """

    def __init__(self, screen: Screen[Any], view: TableView, journal_input: JournalInput) -> None:
        self.screen = screen
        self.view = view
        self.journal_input = journal_input
        self.tab = TRACKS
        """Open tab beside the sheet in a narrow window."""

    async def lay(self) -> None:
        """Coroutine that creates and mounts the panes; call it once, before any other method."""
        view = self.view
        self._fight = fight = view.fight()
        self._name, brief = view.after()
        self.now = NowPane("Now", *self._chips(), id="now")
        self.tabs = Tabs(TabState((), ""), id="tabs")
        self.fight = FightPane(fight, id="fight")
        self.tracks = TrackList(view.tracks(), empty=view.session.game.no_tracks, id="tracks")
        self.rolls = RollTable((), id="rolls")
        self.next = MemberSummary(brief, id="next")
        self.last = LastRoll(view.last(), id="last")
        self._held = view.held()
        self._mark_empty()
        self._choose(FIGHT if fight else TRACKS)
        laid = (self.now, self.tabs, self.fight, self.tracks, self.rolls, self.next, self.last)
        await self.screen.mount(*map(HoldingsPane, self._held), *laid, after="#sheet")
        self.titles()
        self._show_rolls()
        self.screen.call_after_refresh(self._explain_odds)
        await self.screen.mount(Footer(self.journal_input.hints(), id="foot"), TooSmallNotice())

    def _chips(self) -> Iterator[ActionChip]:
        for n, action in enumerate(self.view.actions()):
            chip = ActionChip(action, id=f"do-{n}")
            chip.set_class(n > MOVES, "roll")
            chip.set_class(n == 0, "owed")
            chip.display = bool(action.label)
            yield chip

    @property
    def narrow(self) -> bool:
        """True if the window is too narrow for columns; tabs then switch between the panes beside the sheet."""
        return self.screen.app.size.width < COZY

    def titles(self) -> None:
        """Set the titles of the panes; in a narrow window they have none, since the tabs name them."""
        bare = self.narrow
        card = self.last.data.card
        last = "Last roll" if card is None or card.mark else "Last"
        named = (self.tracks, "Tracks"), (self.last, last), (self.rolls, "Earlier rolls"), (self.next, self._name)
        for pane, title in named:
            shown = Content("" if bare else title)
            if pane.border_title != shown:
                pane.border_title = shown

    # -- what has changed -------------------------------------------------------------------------------

    def show(self) -> None:
        """Update all panes; unchanged widgets are not painted."""
        moved = self._show_actions(self.view.actions())
        rows = self.tracks.rows
        self.tracks.update(self.view.tracks())
        moved |= self.tracks.rows != rows
        moved |= self._show_held()
        fight = self.view.fight()
        if fight != self._fight:
            if not (fight and self._fight):
                self._choose(FIGHT if fight else TRACKS, fighting=bool(fight))
            self._fight = fight
            self.fight.show(fight)
            moved = True
        self._name, brief = self.view.after()
        moved |= len(self.next.data) != len(brief)
        self.next.update(brief)
        self.show_last()
        self.titles()
        self._explain_odds()
        if self._mark_empty() or moved:
            self._lay_out_again()
        self._show_rolls()

    def show_last(self) -> None:
        """Update only the pane with the last roll and the message."""
        pictured = self.last.pictured
        self.last.update(self.view.last())
        if self.last.pictured != pictured:  # drawn dice take more rows
            self._lay_out_again()

    def _lay_out_again(self) -> None:
        # The screen, if asked itself, would take the arrangement that it has cached for its size.
        self.last.refresh(repaint=False, layout=True)

    def _explain_odds(self) -> None:
        """Show in the frame of the actions what the lines of an odds bar mean, if there is room."""
        odds = next((chip.action.odds for chip in self.now.chips if chip.action.odds), ())
        room = 0 if self.narrow else self.now.size.width - 2
        told = self.view.session.game.chance_told(self.view.session.state)
        looks = [Content(words) for words in (legend(odds, "  "), legend(odds, " "), *told)]
        words = next((look for look in looks if odds and look and look.cell_length <= room), Content())
        if self.now.border_subtitle != words:
            self.now.border_subtitle = words

    def _mark_empty(self) -> bool:
        """Set or remove the class that shrinks tracks and last roll to one row if they have no content.

        Return True if a class has changed, so that the layout must be computed again.
        """
        before = self.tracks.has_class("empty"), self.last.has_class("empty")
        now = not self.tracks.data, self.last.is_empty
        self.tracks.set_class(now[0], "empty")
        self.last.set_class(now[1], "empty")
        return before != now

    def _show_actions(self, actions: list[Action]) -> bool:
        moved = False
        for chip, action in zip(self.now.query(ActionChip), actions, strict=False):
            was = chip.action
            moved |= (was.label, was.note, was.reason) != (action.label, action.note, action.reason)
            chip.display = bool(action.label)
            chip.show(action)
        return moved

    def _show_held(self) -> bool:
        held = self.view.held()
        if held == self._held:
            return False
        self._held = held
        there = {pane.id: pane for pane in self.screen.query(HoldingsPane)}
        moved = False
        for pane in there.values():
            shown = any(holding.id == pane.id for holding in held)
            moved |= pane.display != shown
            pane.display = shown
        for holding in held:
            if holding.id in there:
                moved |= there[holding.id].show(holding)
            else:
                self.screen.mount(HoldingsPane(holding), before="#now")
        return moved

    # -- the tabs of a narrow window --------------------------------------------------------------------

    @property
    def _names(self) -> tuple[str, ...]:
        there = (FIGHT,) if self.screen.has_class("fighting") else ()
        return (*there, TRACKS, JOURNAL, ROLLS)

    def _choose(self, tab: str, *, fighting: bool | None = None) -> None:
        if tab == ROLLS and self.journal_input.is_open:
            tab = JOURNAL  # the line that is written in must stay visible
        self.tab = tab
        self.screen.set_class(tab == FIGHT if fighting is None else fighting, "fighting")
        for name in (FIGHT, TRACKS, JOURNAL, ROLLS):
            self.screen.set_class(name == tab, f"tab-{name.lower()}")
        self.tabs.update(TabState(self._names, tab))

    def open(self, tab: str) -> None:
        """Open the tab with this name, one of FIGHT, TRACKS, JOURNAL and ROLLS; only a narrow window shows tabs."""
        self._choose(tab, fighting=self.screen.has_class("fighting"))
        self._show_rolls()
        self._lay_out_again()

    def open_next(self) -> None:
        """Open the tab after the open one; after the last comes the first."""
        names = self._names
        self.open(names[(names.index(self.tab) + 1) % len(names)])

    def go_to_track(self, ident: str) -> None:
        """Show and focus the track with this id, a foe or one of the list; do nothing if there is none."""
        for tab, tracks in ((FIGHT, self.fight.foes), (TRACKS, self.tracks)):
            if tracks.stand_on(ident):
                self.open(tab)
                tracks.focus()
                return

    def open_tracks(self) -> None:
        """Focus the foes of a fight. If they have the focus already, or there is no fight, focus the list of tracks."""
        if self.screen.has_class("fighting") and self.screen.focused is not self.fight.foes:
            self.open(FIGHT)
            self.fight.foes.focus()
        elif self.tracks.data or not self._fight:
            self.open(TRACKS)
            self.tracks.focus()

    def _show_rolls(self) -> None:
        if self.rolls.display:
            self.rolls.update(self.view.rolls(before_last=not self.narrow))

    def resized(self) -> None:
        """Fit titles, odds and tabs to the new size of the window."""
        self.titles()
        self.screen.call_after_refresh(self._explain_odds)
        self.open(self.tab)
