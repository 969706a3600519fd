"""The Textual app, which connects screens, session and dice. It contains no rules of any game."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import traceback
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from tracker.app.key_queue import KeyQueue
from tracker.app.screens.base import SMALL
from tracker.app.screens.campaigns.actions import Campaigns
from tracker.app.screens.table.screen import TableScreen
from tracker.app.textual_private import Styles
from tracker.app.theme import HEARTH, VELLUM, roles
from tracker.app.widgets.header import Heading
from tracker.campaign.session import Session
from tracker.dice import Dice, RandomDice
from tracker.settings import Settings, sorted_by_line
from tracker.text import shown_line

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

    from textual.driver import Driver

    from tracker.app.screens.base import Modal, PageToRead, UnseenDice
    from tracker.app.screens.campaigns.screen import CampaignsScreen
    from tracker.coop.plans import Plan

PATIENCE = 5.0
"""Seconds that the exit waits for a stuck event loop."""


@runtime_checkable
class DraftHolder(Protocol):
    """Protocol of a screen that can store unsubmitted input, so that it is there when the player comes back."""

    session: Session

    def keep_begun(self) -> str:
        """Store unsubmitted input. Return "" on success, else the reason for the failure."""


class TrackerApp(App[int]):
    """The Textual app: the campaign list, the table of the open campaign, and the dialogs over them."""

    ENABLE_COMMAND_PALETTE = False  # our own palette never reads the text of a save as markup
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", id="quit", tooltip="Quit; everything is saved.", priority=True),
        Binding(
            "ctrl+c", "quit", "Quit", id="quit.too", tooltip="Quit; everything is saved.", show=False, priority=True
        ),
        Binding("f1", "about", "About", id="about", tooltip="Show credits and licenses.", show=False, priority=True),
        Binding("ctrl+p", "palette", "Palette", id="palette", tooltip="Find any command by name.", priority=True),
    ]
    TITLE = "tracker"

    def __init__(
        self,
        folder: str,
        session: Session | None = None,
        seed: int | None = None,
        settings: Settings | None = None,
        late: tuple[str, Any] | None = None,
        plan: Plan | None = None,
    ) -> None:
        """Make the app for the campaigns in `folder`.

        It begins with the table of `session`, or with the list if it is None. `seed` makes the dice repeatable. `late`
        is for a campaign that takes long to open: the app opens it after the first frame. It is a pair of the
        campaign's path and the `tail` argument for `Session.open`. `plan` says how to share the first campaign with
        others. `settings` are the player's, read from their file if not given.
        """
        first = "screens/table/table.tcss" if session else "screens/campaigns/campaigns.tcss"
        super().__init__(css_path=["tracker.tcss", first])
        self._keys = KeyQueue(self, self.wait_until_ready, self.accepts_key, super().on_event)
        self.register_theme(HEARTH)
        self.register_theme(VELLUM)
        self.settings = settings or Settings()
        self.campaigns = Campaigns(self, self)
        self.own_keys = dict(self.settings.keys)
        """Keys set by the player, by the id of the binding."""
        if self.own_keys:
            self.set_keymap(self.own_keys)
        # Set without its watcher: that would have every style sheet parsed a second time before the first frame.
        wanted = self.settings.theme if self.settings.theme in self.available_themes else HEARTH.name
        self.set_reactive(App.theme, wanted)
        if wanted != HEARTH.name:
            self._set_mode()
        self.stylesheet = Styles(variables=self.get_css_variables())
        self.folder = folder
        self.session = session
        self._late = late
        self.plan = plan
        """How to share the campaign that opens next, or None to play alone."""
        self.dice: Dice = RandomDice(seed)
        self.fault = ""

    def get_default_screen(self) -> Screen[Any]:
        return self.campaigns.first_screen()

    def get_driver_class(self) -> type[Driver]:
        """Return our TerminalDriver where Textual would use its LinuxDriver, else the driver that Textual chose.

        Textual's LinuxDriver can end the app on a malformed byte from the terminal.
        """
        chosen = super().get_driver_class()
        if sys.platform == "win32":
            return chosen
        from textual.drivers.linux_driver import LinuxDriver

        if chosen is not LinuxDriver:  # asked for by TEXTUAL_DRIVER
            return chosen
        from tracker.app.terminal_input import TerminalDriver

        return TerminalDriver

    def _set_mode(self) -> None:
        """Set the dark or light mode and the color filter, as Textual's watcher of the theme would."""
        dark = self.current_theme.dark
        self.update_classes({"-dark-mode": dark, "-light-mode": not dark}, update=False)
        self._refresh_truecolor_filter(self.ansi_theme)

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return variables | roles(variables, bool(self.current_theme.ansi))

    async def on_event(self, event: events.Event) -> None:
        if not self._keys.put(event):
            await super().on_event(event)

    def on_mount(self) -> None:
        self.run_worker(self._keys.pass_on())
        if sys.platform != "win32":
            import asyncio

            loop = asyncio.get_running_loop()
            for caught in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(caught, partial(self._told_to_end, 128 + caught))
            self.catch_interrupt()
            if not self.is_headless:
                threading.Thread(target=self._end_with_the_terminal, args=(loop,), daemon=True).start()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Show the problems in the settings, if any; then call `after_first_paint`."""
        if problems := self._check_settings():
            from tracker.app.screens.notice import NoticeScreen

            self.push_screen(
                NoticeScreen(self.heading(), "Your settings", problems), lambda _: self.after_first_paint()
            )
        else:
            self.after_first_paint()

    async def wait_until_ready(self) -> None:
        """Coroutine that returns when the top screen is ready for a key.

        A table is ready when it has all its panes; a dialog when it has its widgets and shows the dice just
        rolled.
        """
        if isinstance(self.screen, TableScreen):
            await self.screen.laid.wait()
        elif not self.screen.is_mounted:
            from tracker.app.textual_private import wait_mounted

            await wait_mounted(self.screen)
        elif unseen := self._unseen():
            await unseen.seen.wait()

    def _unseen(self) -> UnseenDice | None:
        return cast("Modal[Any]", self.screen).unseen if self.screen.is_modal else None

    def accepts_key(self, event: events.Event) -> bool:
        """Return True if a key should be handled, False if the player cannot see yet what it would do.

        Ignored are all keys while the window is too small or the screen has no widgets yet, and a key that was pressed
        before rolled dice were on the screen. The keys that quit are always handled, and so is Esc in too small a
        window.
        """
        if not self.screen.is_mounted:
            return self._leads_out(event)
        if self.screen.has_class(SMALL):
            return self._leads_out(event, "escape")
        if (unseen := self._unseen()) and unseen.hides(event.time):
            return self._leads_out(event)
        return True

    def _leads_out(self, event: events.Event, *others: str) -> bool:
        from tracker.app.keymap import declared, key_of

        ways_out = [key_of(self, binding) for binding in declared(type(self)) if binding.action == "quit"]
        return isinstance(event, events.Key) and event.key in ",".join([*others, *ways_out]).split(",")

    def after_first_paint(self) -> None:
        if self._late:
            late, self._late = self._late, None
            self.call_later(self.campaigns.open, *late)
        if self.session and isinstance(self.screen, TableScreen):
            if self.plan:
                self._share(self.screen)
            elif not self.screen.player.party:
                self.screen.action_character()
            elif self.settings.recap:
                self.screen.tell_last_time()

    def _share(self, table: TableScreen) -> None:
        """Share the campaign of this table as `plan` says, and set `plan` to None. Show the reason if that fails.

        Do nothing if `plan` is None.
        """
        plan, self.plan = self.plan, None
        if plan and (company := table.with_company(plan.name)):
            company.begin(plan)

    # -- leaving ----------------------------------------------------------------------------------------

    async def action_quit(self) -> None:
        if self.may_leave("quit") and not self._asks_host("quit"):
            await self.part()
            await super().action_quit()

    async def part(self) -> None:
        """Coroutine that ends the connection to the other players, if the open campaign is shared. It stays open."""
        if (table := self.top_table()) and table.company:
            await table.company.part()

    def may_leave(self, then: str) -> bool:
        """Store unsubmitted input. Return True if the player can leave now: everything is saved or no campaign is open.

        Otherwise open a dialog that asks the player, and return False. If the player chooses to leave there, the app
        quits if `then` is "quit", and goes to the campaign list for any other value. Return True if that dialog is open
        already.
        """
        from tracker.app.screens.unsaved import UnsavedScreen

        unkept = self.keep_begun()
        if isinstance(self.screen, UnsavedScreen) or self.session is None:
            return True
        if not unkept and self.session.sign.word != "NOT SAVED":
            return True
        asking = UnsavedScreen(self.heading(), self.session, self.keep_begun, self.save_copy, unkept)
        self.push_screen(asking, lambda leave: self._leave(then) if leave else None)
        return False

    def _leave(self, then: str) -> None:
        """Quit if `then` is "quit", else go to the campaign list.

        Unsaved changes are lost: the player has agreed to that.
        """
        self.keep_begun()
        self.call_later(super().action_quit if then == "quit" else self.campaigns.go_to_list)

    async def leave_table(self) -> None:
        """Close the campaign and go to the list of campaigns. If something is not saved, or guests are here, only ask.

        The dialog that asks leaves the campaign if the player agrees.
        """
        if self.may_leave("leave") and not self._asks_host("leave"):
            await self.campaigns.go_to_list()

    def _asks_host(self, then: str) -> bool:
        """If guests are here, ask the host whether to leave them, and return True. Otherwise return False.

        Also return False if that question is open already: the player has asked twice. `then` is "quit" or "leave".
        """
        table = self.top_table()
        company = table.company.company if table and table.company else None
        if company is None or not company.is_host or not company.standing.others:
            return False
        from tracker.app.screens.people import LeaveGuestsScreen  # needs the packages of the coop extra

        if isinstance(self.screen, LeaveGuestsScreen):
            return False

        async def answered(leaves: bool | None) -> None:  # noqa: FBT001
            if leaves and then == "quit":
                await self.part()
                await super(TrackerApp, self).action_quit()
            elif leaves:
                await self.campaigns.go_to_list()

        self.push_screen(LeaveGuestsScreen(self.heading(), company.standing.others), answered)
        return True

    def export(self) -> None:
        """Open the dialog that exports the open campaign, and return at once. A session must be open."""
        assert self.session is not None
        self.campaigns.export(self.session.save.path, self.session)

    def save_copy(self, then: Callable[[], object] | None = None) -> None:
        """Open a dialog that asks for a name or a path, saves a copy of the campaign there, and continues play in it.

        `then` is called after the copy was saved, and not if the player cancels. If saving fails, the dialog
        shows the reason and stays open. A session must be open.
        """
        from tracker.app.screens.name_dialog import NameDialog
        from tracker.campaign import library
        from tracker.campaign.session import SaveError

        assert self.session is not None
        session, path = self.session, self.session.save.path

        def problem(said: str) -> str | None:
            try:
                library.save_copy(session, said)
            except SaveError as error:
                return shown_line(str(error), 300)
            return None

        def copied(said: str | None) -> None:
            if said is None:
                return
            self.say(f"Saved a copy. You now play in {session.save.path}.")
            if then:
                then()

        ask = "Type a name, or a path such as /mnt/usb. You continue in the copy."
        begun = self.campaigns.begun_names
        name = library.copy_name(path)
        self.push_screen(NameDialog(self.heading(), "Save a copy", ask, problem, begun, name, does="Save"), copied)

    def new_list(self) -> CampaignsScreen:
        from tracker.app.screens.campaigns.screen import CampaignsScreen

        return CampaignsScreen(self.folder, self.campaigns)

    def top_list(self) -> CampaignsScreen | None:
        from tracker.app.screens.campaigns.screen import CampaignsScreen

        return self.screen if isinstance(self.screen, CampaignsScreen) else None

    def top_table(self) -> TableScreen | None:
        """Return the table that is highest on the screen stack, or None if there is none.

        If no session is open, the result may be a table that was closed and still lies below the campaign list.
        """
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, TableScreen)), None)

    def catch_interrupt(self) -> None:
        """Make SIGINT store unsubmitted input and end the app, as SIGTERM does.

        Call it again after an external editor has run: the handler is removed while the editor has the
        terminal.
        """
        import asyncio

        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, partial(self._told_to_end, 128 + signal.SIGINT))

    def _told_to_end(self, code: int) -> None:
        """Handle a signal that ends the program: store unsubmitted input and exit with `code`."""
        self.keep_begun()
        self.exit(None, code)

    def keep_begun(self) -> str:
        """Store unsubmitted input of all open screens. Return "" on success, else the first reason for a failure."""
        # The table comes last: it keeps what was typed in the dialogs over it.
        begun = [screen for screen in reversed(self.screen_stack) if isinstance(screen, DraftHolder)]
        unkept = [screen.keep_begun() for screen in begun if screen.session is self.session]
        return next(filter(None, unkept), "")

    # -- dialogs over the table -------------------------------------------------------------------------

    def heading(self) -> Heading:
        """Return the data of the header for the top screen. Works even before a dialog has its widgets."""
        if self.screen.is_modal:
            return cast("Modal[Any]", self.screen).heading
        from tracker.app.widgets.header import Header

        return self.screen.query_one(Header).data

    @property
    def typed_dice(self) -> bool:
        """True if a table is open and its player types in the results of real dice."""
        table = self.top_table()
        return table is not None and table.player.types_dice

    def change_dice(self) -> None:
        """Switch between dice rolled by the app and dice typed in. Does nothing if no table is open.

        Raise Refused if the change cannot be saved.
        """
        if table := self.top_table():
            table.player.change_dice()

    @property
    def keys_received(self) -> int:
        """Number of keys that the player has pressed so far, pastes included."""
        return self._keys.received

    @property
    def can_animate(self) -> bool:
        """True if decorative animation is wanted and possible.

        Textual's setting has to allow it, the terminal has to be a real one, and the theme must not be an ANSI theme.
        """
        return self.animation_level != "none" and not self.is_headless and not self.current_theme.ansi

    def action_about(self) -> None:
        """Open the dialog with credits and licenses, or close the notice that is open."""
        from tracker.app.screens.notice import ABOUT, NoticeScreen

        if isinstance(self.screen, NoticeScreen):
            self.screen.dismiss(None)
        else:
            table = self.top_table()
            credits_ = table.session.credits() if table and table.is_open else []
            self.push_screen(NoticeScreen(self.heading(), "About", (ABOUT[0], *credits_, *ABOUT[1:])))

    def action_settings(self) -> None:
        """Open the dialog that says what the player can set, and in which file."""
        from tracker.app.screens.notice import NoticeScreen, about_settings

        self.push_screen(NoticeScreen(self.heading(), "Settings", about_settings()))

    def show_page(self, heading: Heading, reading: PageToRead) -> None:
        """Open the reader at a page of the open campaign's packs, under the header `heading`.

        A session must be open.
        """
        from tracker.app.screens.pack_page import ReaderScreen

        assert self.session is not None
        self.push_screen(ReaderScreen(heading, self.session.content(), reading))

    def show_keys(self, screen: Screen[Any]) -> None:
        from tracker.app.screens.keys import KeysScreen

        self.push_screen(KeysScreen(self.heading(), screen))

    def action_palette(self) -> None:
        """Open the palette, which finds any command by name, or close it if it is open."""
        from tracker.app.screens.palette import PaletteScreen

        if isinstance(self.screen, PaletteScreen):
            self.screen.dismiss(None)
        else:
            self.push_screen(PaletteScreen(self.heading(), self.screen), self._run)

    def _run(self, command: Callable[[], Any] | None) -> None:
        if command:
            self.call_later(command)

    # -- settings ---------------------------------------------------------------------------------------

    def _check_settings(self) -> list[str]:
        """Return one sentence for each problem in the player's settings, sorted by line; [] if there are none.

        Valid key bindings from the settings take effect at once.
        """
        problems = list(self.settings.problems)
        if self.settings.theme and self.settings.theme not in self.available_themes:
            said = shown_line(self.settings.theme, 40)
            problems.append(self.settings.problem("theme", f"no theme is called “{said}”; the palette lists them."))
        if self.settings.keys:
            from tracker.app import screens, widgets
            from tracker.app.keymap import valid_keys

            self.own_keys, wrong = valid_keys(self.settings, type(self), screens, widgets)
            self.set_keymap(self.own_keys)
            problems += wrong
        return sorted_by_line(problems)

    def watch_theme(self, theme: str) -> None:
        """Save a newly chosen theme in the settings file. If that fails, show the reason.

        Do nothing if there is no settings file.
        """
        if not self.settings.path or theme == self.settings.theme:
            return
        from tracker.settings import NotSavedError, save_theme

        self.settings = self.settings._replace(theme=theme)
        try:
            save_theme(self.settings.path, theme)
        except NotSavedError as error:
            self.say(str(error))

    def say(self, notice: str) -> None:
        """Show one sentence to the player, on the open table or else on the campaign list."""
        if self.session and (table := self.top_table()):
            table.show(notice)
        else:
            self.campaigns.say(notice)

    # -- the end ----------------------------------------------------------------------------------------

    def _end_with_the_terminal(self, loop: AbstractEventLoop) -> None:
        """Wait until the terminal disappears; then store input, wait for the save, and end the process.

        Call in a thread. `loop` is the app's event loop; wait at most PATIENCE seconds for it. Textual alone would loop
        without end on the closed input, or block on a write.
        """
        terminal = select.poll()
        terminal.register(sys.__stdin__.fileno(), 0)  # type: ignore[union-attr]
        if any(event & select.POLLHUP for _, event in terminal.poll()):
            kept = threading.Event()
            with contextlib.suppress(RuntimeError):  # the loop has ended, and has kept it before
                loop.call_soon_threadsafe(self._keep_at_last, kept)
                kept.wait(PATIENCE)
            if self.session:
                self.session.wait()
            os._exit(128 + signal.SIGHUP)

    def _keep_at_last(self, kept: threading.Event) -> None:
        try:
            self.keep_begun()
        finally:
            kept.set()

    def panic(self, *renderables: object) -> None:  # noqa: ARG002
        """End the app after a bug. The traceback is written to a file, not to the terminal.

        The arguments are ignored.
        """
        self._fatal_error()

    def _fatal_error(self) -> None:
        """End the app after a bug: write the traceback to a file, and store a sentence about it in `fault`.

        If the file cannot be written, the sentence says why.
        """
        from tracker.campaign.library import report_fault

        raised = self._exception or sys.exception()
        try:
            details = "".join(traceback.format_exception(raised)) if raised else "no exception\n"
            told = f"Details are in {report_fault(self.folder, details)}."
        except OSError as error:
            told = f"Details could not be written: {error.strerror}."
        self.fault = f"Hit a bug and stopped; saved work is safe. {told}"
        self._close_messages_no_wait()
