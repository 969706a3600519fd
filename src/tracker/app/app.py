"""The app: it wires screens, session and dice together, and knows no rule."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen

from tracker.app.keyboard import OneKeyAtATime
from tracker.app.messages import SessionSays
from tracker.app.screens.table import TableScreen
from tracker.app.theme import HEARTH, VELLUM, roles
from tracker.app.widgets.head import Heading
from tracker.dice import Dice, RandomDice
from tracker.games.sheet import Start, Track
from tracker.saves.errors import SaveError, Unmarked
from tracker.table.session import Session
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.table.log import Entry
    from tracker.table.run import Run


class TrackerApp(OneKeyAtATime[int]):
    """Campaigns, the table, and the dialogs over it."""

    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", id="quit", tooltip="Quit; everything is saved.", priority=True),
        Binding(
            "ctrl+c", "quit", "Quit", id="quit.too", tooltip="Quit; everything is saved.", show=False, priority=True
        ),
        Binding("f1", "about", "About", id="about", tooltip="Whose games these are.", show=False),
        Binding("ctrl+p", "command_palette", "Palette", id="palette", tooltip="Everything there is, by name."),
    ]
    TITLE = "tracker"

    def __init__(self, folder: str, session: Session | None = None, seed: int | None = None) -> None:
        first = "screens/table.tcss" if session else "screens/campaigns.tcss"
        super().__init__(["tracker.tcss", first])
        self.register_theme(HEARTH)
        self.register_theme(VELLUM)
        # Set without its watcher: that would have every style sheet parsed a second time before the first frame.
        self.set_reactive(App.theme, HEARTH.name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.folder = folder
        self.session = session
        self.dice: Dice = RandomDice(seed)
        self.typed_dice = False
        self.fault = ""
        self._warned = False

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return variables | roles(variables, bool(self.current_theme.ansi))

    def get_default_screen(self) -> Screen[Any]:
        """The first screen is the one that is wanted: nothing is mounted only to be covered."""
        return self._table(self.session) if self.session else self._campaigns("")

    def _table(self, session: Session) -> TableScreen:
        screen = TableScreen(session)
        session.listeners.append(lambda what: self._heard(screen, what))
        return screen

    def _campaigns(self, notice: str) -> Screen[Any]:
        from tracker.app.screens.campaigns import CampaignsScreen

        return CampaignsScreen(self.folder, notice)

    def _heard(self, screen: TableScreen, what: str) -> None:
        """Called in whichever thread; what the table shows is brought up to date by whoever changed it."""
        if what in {"sign", "stale"} and screen.is_attached:
            screen.post_message(SessionSays(what))

    def on_mount(self) -> None:
        if sys.platform != "win32":
            import asyncio

            loop = asyncio.get_running_loop()
            for caught in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(caught, partial(self._told_to_end, 128 + caught))
            if not self.is_headless:
                threading.Thread(target=self._end_with_the_terminal, daemon=True).start()
        self.call_after_refresh(self._after_first_paint)

    def _after_first_paint(self) -> None:
        if self.session and isinstance(self.screen, TableScreen) and not self.screen.view.party:
            self.screen.action_character()

    # -- campaigns --------------------------------------------------------------------------------------

    async def open_campaign(self, path: str, tail: Any = "ask") -> None:
        """Open a campaign in the place of the list; what stands against it is said there."""
        if self.session is not None:
            return  # a second click on the same row
        try:
            self.session = Session.open(path, tail=tail)
        except Unmarked as question:
            self._ask_tail(path, question)
            return
        except (SaveError, OSError) as error:
            self._say(str(error))
            return
        await self.push_screen(self._table(self.session))
        self.call_after_refresh(self._after_first_paint)

    def _ask_tail(self, path: str, question: Unmarked) -> None:
        from tracker.app.screens.picker import Choices, Picker
        from tracker.app.widgets.options import Row

        rows = (
            Row("Keep it", "keep", "k", "it becomes part of the campaign"),
            Row("Set it aside", "aside", "s", "it is moved to a file of its own"),
        )
        about = [Content(shown_line(str(question), 300)), Content.styled(f"It says: {question.entry}", "$muted")]

        def answered(tail: str | None) -> None:
            if tail:
                self.call_later(self.open_campaign, path, tail)

        self.push_screen(
            Picker(self.heading(), "One question first", Choices(rows, lambda _: about, filters=False)), answered
        )

    def _say(self, notice: str) -> None:
        from tracker.app.screens.campaigns import CampaignsScreen

        if isinstance(self.screen, CampaignsScreen):
            self.screen.say(shown_line(notice, 300))

    async def action_quit(self) -> None:
        if self._may_leave():
            self._keep_line()
            await super().action_quit()

    def _may_leave(self) -> bool:
        """Whether nothing is lost by it, or the player has been told so once."""
        unsaved = self.session is not None and self.session.sign.word == "NOT SAVED"
        if unsaved and (table := self._open_table()) and not self._warned:
            self._warned = True
            table.show("Not everything is saved: once more leaves without it, ^s tries again.")
            return False
        self._warned = False
        return True

    def _open_table(self) -> TableScreen | None:
        """The table that is played on; one that was left may still lie below the list."""
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, TableScreen)), None)

    def _told_to_end(self, code: int) -> None:
        """The terminal is closed, or somebody wants us gone."""
        self._keep_line()
        self.exit(None, code)

    def _keep_line(self) -> None:
        """A journal line that is open is kept for the next time."""
        from tracker.app import draft

        table = self._open_table()
        if table and self.session and (begun := table.begun()):
            with contextlib.suppress(OSError):  # the disk is full, and the player is leaving
                draft.keep(self.session.save.real, begun)

    async def leave_table(self) -> None:
        """Back to the list; the campaign is closed and let go."""
        if not self._may_leave():
            return
        self._keep_line()
        from tracker.app.screens.campaigns import CampaignsScreen

        notice = self._close_session()
        if isinstance(self.screen_stack[0], CampaignsScreen) or len(self.screen_stack) > 1:
            self.pop_screen()
            self._say(notice)
        else:
            await self.push_screen(self._campaigns(notice))

    def _close_session(self) -> str:
        if self.session is None:
            return ""
        sign = self.session.close()
        self.session = None
        return f"Not everything could be saved: {sign.why}." if sign.word == "NOT SAVED" else ""

    async def open_example(self, example: Path) -> None:
        from tracker.saves import places

        try:
            path = places.copy_example(example, self.folder)
        except SaveError as error:
            self._say(str(error))
            return
        await self.open_campaign(path)

    def pick_example(self) -> None:
        from tracker.app.screens.picker import Choices, Picker
        from tracker.app.widgets.options import Row
        from tracker.saves import places

        rows = tuple(
            Row(example.stem.removeprefix("example-").capitalize(), example, str(n))
            for n, example in enumerate(places.examples(), 1)
        )

        def picked(example: Path | None) -> None:
            if example:
                self.call_later(self.open_example, example)

        about = [Content.styled("Examples are copies; nothing you do in them can break.", "$muted")]
        self.push_screen(Picker(self.heading(), "Examples", Choices(rows, lambda _: about, filters=False)), picked)

    def new_campaign(self) -> None:
        """A game, a name, and the table is laid."""
        from tracker.app.screens.picker import Choices, Picker
        from tracker.app.widgets.options import Row
        from tracker.games import NAMES

        if len(NAMES) == 1:
            self._name_campaign(*NAMES)
            return
        rows = tuple(Row(name, ident, str(n)) for n, (ident, name) in enumerate(NAMES.items(), 1))
        choices = Choices(rows, lambda _: [], filters=False)
        self.push_screen(
            Picker(self.heading(), "New campaign", choices), lambda g: self._name_campaign(g) if g else None
        )

    def _name_campaign(self, ident: str) -> None:
        from tracker.app.screens.line import TypeLine
        from tracker.games import NAMES, game
        from tracker.saves import places
        from tracker.table.session import new_campaign

        def problem(name: str) -> str | None:
            taken = os.path.exists(os.path.join(self.folder, f"{name}.toml"))
            return places.name_problem(name) or (f"“{shown_line(name)}” exists already." if taken else None)

        def named(name: str | None) -> None:
            if name is None:
                return
            path = os.path.join(self.folder, f"{name}.toml")
            try:
                new_campaign(path, game(ident))
            except (SaveError, OSError) as error:
                self._say(str(error))
                return
            self.call_later(self.open_campaign, path)

        ask = "What is the campaign called? It is a file of this name in your saves."
        self.push_screen(TypeLine(self.heading(), f"New campaign: {NAMES[ident]}", ask, problem), named)

    # -- dialogs over the table -------------------------------------------------------------------------

    def heading(self) -> Heading:
        from tracker.app.widgets.head import Head

        return self.screen.query_one(Head).data

    def ask(self, table: TableScreen, run: Run) -> None:
        """Drive this run in a dialog, then show what came of it."""
        from tracker.app.screens.dialog import Dialog

        where = "dice typed in" if self.typed_dice else "dice rolled here"
        name = table.session.state["party"].get(run.who, {}).get("name", "")
        aside = f"{shown_line(name)} · {where}" if name else where

        known = len(table.session.notes)
        before = table.view.party

        def done(entry: Entry | None) -> None:
            table.view.who = next((who for who in table.view.party if who not in before), table.view.who)
            noticed = table.session.notes[known:]
            table.show(noticed[0] if noticed else "" if entry else self._left(table, run))

        self.push_screen(Dialog(table.session, run, table.view.heading(), aside), done)

    def _left(self, table: TableScreen, run: Run) -> str:
        return f"{run.move.name} waits under owed: x goes on with it." if run.rolled else table.view.notice

    def pick_move(self, table: TableScreen) -> None:
        """The picker of moves: those that fit this moment first."""
        from tracker.app.screens.picker import Picker
        from tracker.app.screens.picking import moves

        self.push_screen(
            Picker(table.view.heading(), "Make a move", moves(table.session, table.view.who)),
            lambda start: table.start(start) if start else None,
        )

    def pick_for_track(self, table: TableScreen, track: Track) -> None:
        """What can be done with a track."""
        from tracker.app.screens.picker import Picker
        from tracker.app.screens.picking import for_track

        self.push_screen(
            Picker(table.view.heading(), track.name, for_track(table.session, track)),
            lambda start: table.start(start) if start else None,
        )

    def action_about(self) -> None:
        from tracker.app.screens.about import About

        if not isinstance(self.screen, About):
            self.push_screen(About(self.heading()))

    def show_keys(self, screen: Screen[Any]) -> None:
        from tracker.app.screens.keys import Keys

        self.push_screen(Keys(self.heading(), screen))

    @staticmethod
    def described(session: Session, entry: Entry) -> str:
        """What an undo or a redo was about."""
        named: Entry = entry
        while "undoes" in named:
            named = next((e for e in reversed(session.log.entries) if e["id"] == named["undoes"]), {})
        did = named.get("did", "")
        if did in session.game.moves:
            return session.game.moves[did].name
        changed = named.get("facts", {}).get("changed") or [named.get("text", "") or did or "an older entry"]
        return shown_line(", ".join(map(str, changed)), 60)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every key that has a name is in the palette too."""
        from tracker.app.screens.keys import bindings_of

        for owner, binding in bindings_of(screen):
            run: Callable[[], Any] = partial(owner.run_action, binding.action)
            yield SystemCommand(binding.description, binding.tooltip, run)
        if isinstance(screen, TableScreen):
            for move in screen.session.game.moves.values():
                yield SystemCommand(move.name, move.trigger, partial(screen.start, Start(move.id)))
        yield SystemCommand("Theme", "Change the colours.", self.action_change_theme)

    # -- the end ----------------------------------------------------------------------------------------

    def _end_with_the_terminal(self) -> None:
        """Textual would read the end of a terminal that is gone over and over, or wait for ever to write to it."""
        terminal = select.poll()
        terminal.register(sys.__stdin__.fileno(), 0)  # type: ignore[union-attr]
        if any(event & select.POLLHUP for _, event in terminal.poll()):
            if self.session:
                self.session.wait()
            os._exit(128 + signal.SIGHUP)

    def _fatal_error(self) -> None:
        """A fault of ours: no traceback on the player's screen, but a file that tells everything."""
        path = os.path.join(self.folder, ".last-fault.txt")
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(traceback.format_exc())
            told = f"The details are in {path}."
        except OSError as error:
            told = f"The details could not be written: {error.strerror}."
        self.fault = f"tracker has hit a fault of its own and stopped; what was saved is safe. {told}"
        self._close_messages_no_wait()
