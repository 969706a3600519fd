"""Actions on campaigns: open, create, rename, archive, recover, restore, leave."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from textual.app import App
from textual.content import Content
from textual.screen import Screen

from tracker.app.key_queue import current_key
from tracker.app.screens.table.screen import TableScreen
from tracker.campaign.other_windows import take_left
from tracker.campaign.own_seat import code_here
from tracker.campaign.player import Player
from tracker.campaign.session import SaveError, Session, UnmarkedTail
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import counted
from tracker.text import shown_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractContextManager

    from tracker.app.screens.background_work import BackgroundTask, ProgressScreen
    from tracker.app.widgets.header import Heading
    from tracker.campaign.library import Backup
    from tracker.campaign.maintenance import RecoveredSave
    from tracker.campaign.session import Step
    from tracker.coop.arrival import Joined
    from tracker.coop.plans import Hosting, Plan
    from tracker.settings import Settings

Done = TypeVar("Done")
QUICK = 0.5
"""Seconds after which a progress dialog is shown; also the longest wait for a task at exit."""


class CampaignList(Protocol):
    """Protocol of the screen with the list of campaigns: the methods that Campaigns calls."""

    def renew(self, at: str | None = None) -> None:
        """Read the folder again and put the cursor on the campaign at the path `at`; for None it stays."""

    def say(self, notice: str) -> None: ...


class CampaignApp(Protocol):
    """Protocol of the app: the attributes and methods of TrackerApp that Campaigns uses."""

    folder: str
    session: Session | None
    settings: Settings
    plan: Plan | None
    """How to share the campaign that opens next, or None to play alone."""

    def heading(self) -> Heading:
        """Return the data of the header for a screen opened now, with the save status."""

    def say(self, notice: str) -> None:
        """Show a message on the open table, or else on the list of campaigns."""

    def after_first_paint(self) -> None:
        """Do the work that was put off until the first frame of a table was painted."""

    async def part(self) -> None:
        """Coroutine that ends the connection to the other players, if the open campaign is shared. It stays open."""

    def new_list(self) -> Screen[Any]:
        """Return a new screen with the list of campaigns."""

    def top_list(self) -> CampaignList | None:
        """Return the list of campaigns if it is the top screen, else None."""


class Campaigns:
    """Controller of the app for whole campaigns: open, close, create, copy, rename, archive, recover, restore.

    At most one campaign is opened at a time.
    """

    def __init__(self, app: App[Any], host: CampaignApp) -> None:
        """`host` is the same object as `app`, typed as CampaignApp."""
        self._app = app
        self._host = host
        self.begun_names: dict[str, str] = {}
        """Typed names that were not submitted, by the title of their dialog."""
        self.begun_export: dict[str, str] = {}
        """The latest choices of an export."""
        self._work: BackgroundTask[Any] | None = None
        """Background task that must end before a table can open, or None."""

    @property
    def is_opening(self) -> bool:
        """True while this app opens a campaign. A lock on its file then belongs to this app, not to another tracker."""
        return self._work is not None

    def leave_work(self) -> None:
        """Cancel the background task, if any, and wait up to QUICK seconds until it releases its save."""
        if self._work:
            self._work.leave(QUICK)

    def first_screen(self) -> Screen[Any]:
        """Return the first screen of the app: a table if a session is open, else the list of campaigns."""
        return self._table(self._host.session) if self._host.session else self._host.new_list()

    def _table(self, session: Session) -> TableScreen:
        return TableScreen(Player(session, self._host.settings.dice))

    async def open(self, path: str, tail: Any = "ask", told: str = "") -> None:
        """Open the campaign at `path` and show the message `told` on its table. A failure is shown on the list.

        `tail` says what to do with a last entry without an end mark: "ask" the player, "keep" it or set it "aside". Do
        nothing if a campaign is open or being opened.
        """

        async def opened(session: asyncio.Future[Session]) -> None:
            try:
                found = session.result()
            except UnmarkedTail as question:
                self._ask_tail(path, question)
                return
            if found.readonly and code_here(found.save.head.id)[0] and not self._host.plan:
                await self._open_second(found)
                return
            self._host.session = found
            await self._app.push_screen(self._table(self._host.session))
            if told:
                self._host.say(told)
            self._app.call_after_refresh(self._host.after_first_paint)

        if self._host.session is None:  # otherwise a second click on the same row
            name = shown_line(os.path.basename(path).removesuffix(".toml"))
            await self._at_length(
                f"Opening {name}", lambda step: take_left(Session.open(path, tail=tail, step=step)), opened
            )

    async def _open_second(self, readonly: Session) -> None:
        """Join the campaign that another window of this player hosts, and open this window's own copy.

        `readonly` is the session of the campaign itself here: it is closed then, or shown if joining is not possible.
        """
        from tracker.coop.arrival import second_window

        async def joined(found: asyncio.Future[Joined | None]) -> None:
            if joined := found.result():
                readonly.close()
                await self._open_joined(joined)
                return
            self._host.session = readonly
            await self._app.push_screen(self._table(readonly))

        await self._at_length("Joining", lambda step: second_window(readonly, step), joined)

    async def _open_joined(self, joined: Joined) -> None:
        """Open the copy of a hosted campaign that `joined` names, then connect to its host. A failure is shown."""
        from tracker.coop.plans import Joining

        self._host.plan = Joining(joined.invitation, joined.name, joined.role, joined.note)
        await self.open(joined.path)

    async def _at_length(
        self,
        title: str,
        work: Callable[[Step], Done],
        then: Callable[[asyncio.Future[Done]], Awaitable[None]],
        about: Callable[[], str] = lambda: "Reading the full history, just this once.",
    ) -> None:
        """Run `work` in a thread, then await `then` with a future that holds the result or the exception.

        After QUICK seconds, show a progress bar below the sentence that `about` returns. Do nothing if other work is
        under way. If `then` raises SaveError, Refused or OSError, its text is shown as a message.
        """
        from tracker.app.screens.background_work import BackgroundTask

        if self._work:
            return
        self._work = work_now = BackgroundTask(work)
        await asyncio.wait([work_now.ended], timeout=QUICK)
        if work_now.ended.done():
            await self._ended(work_now, then)
            return
        from tracker.app.screens.background_work import ProgressScreen

        going = ProgressScreen(self._host.heading(), title, work_now, about)
        self._app.push_screen(going)
        self._app.run_worker(self._ended(work_now, then, going))

    async def _ended(
        self,
        work: BackgroundTask[Done],
        then: Callable[[asyncio.Future[Done]], Awaitable[None]],
        going: ProgressScreen | None = None,
    ) -> None:
        from tracker.app.screens.background_work import Cancelled

        await asyncio.wait([work.ended])
        self._work = None
        while going in self._app.screen_stack:  # a screen that was opened over the bar closes with it
            await self._app.pop_screen()
        try:
            await then(work.ended)
        except Cancelled:
            pass  # back on the list
        except (SaveError, Refused, OSError) as error:
            self._host.plan = None
            self._host.say(str(error))

    def _ask_tail(self, path: str, question: UnmarkedTail) -> None:
        from tracker.app.screens.unmarked_entry import tail_question

        def answered(tail: str | None) -> None:
            if tail:
                self._app.call_later(self.open, path, tail)

        self._app.push_screen(tail_question(self._host.heading(), question), answered)

    def say(self, notice: str) -> None:
        """Show a message on the list of campaigns; do nothing if another screen is on top."""
        if top := self._host.top_list():
            top.say(shown_line(notice, 300))

    async def go_to_list(self) -> None:
        """Close the campaign, if one is open, and show the list with the cursor on it.

        If something went wrong, such as changes that could not be saved, show a message.
        """
        left = self._host.session.save.path if self._host.session else None
        await self._host.part()
        notice = self._close_session()
        if len(self._app.screen_stack) > 1:
            self._app.pop_screen()
        else:
            await self._app.push_screen(self._host.new_list())
        if top := self._host.top_list():
            top.renew(left)
        self._host.say(notice)

    def _close_session(self) -> str:
        """Close the campaign. Return one sentence about what went wrong; "" if nothing did or none is open."""
        if self._host.session is None:
            return ""
        known, notes = len(self._host.session.notes), self._host.session.notes
        sign = self._host.session.close()
        self._host.session = None
        if sign.word == "NOT SAVED":
            return f"Some changes are NOT SAVED: {sign.why}."
        return "".join(notes[known : known + 1])

    async def open_example(self, example: str) -> None:
        """Copy the example at the path `example` into the saves and open the copy; a failure is shown as a message."""
        from tracker.campaign import library

        try:
            path = library.copy_example(example, self._host.folder)
        except SaveError as error:
            self._host.say(str(error))
            return
        await self.open(path)

    def pick_example(self) -> None:
        """Open the list of examples; a copy of the picked one is opened."""
        from tracker.app.screens.campaigns.rows import EXAMPLE, example_rows
        from tracker.app.screens.list_screen import Choices, ListScreen

        def picked(value: str | None) -> None:
            if value:
                self._app.call_later(self.open_example, value.removeprefix(EXAMPLE))

        about = [Content.styled("Examples are copies: you can't break anything.", "$muted")]
        choices = Choices(tuple(example_rows()), lambda _: about, filters=False)
        self._app.push_screen(ListScreen(self._host.heading(), "Examples", choices), picked)

    def new(self) -> None:
        """Ask for game, name and packs, then create the campaign and open it. A failure is shown as a message."""
        from tracker.app.screens.campaigns.rows import game_rows, official_hint
        from tracker.app.screens.list_screen import Choices, ListScreen

        self._app.push_screen(
            ListScreen(self._host.heading(), "New campaign", Choices(game_rows(), official_hint, filters=False)),
            lambda game: self._name_campaign(game) if game else None,
        )

    def _name_campaign(self, ident: str) -> None:
        from tracker.app.screens.name_dialog import NameDialog
        from tracker.content.packs import installed
        from tracker.games import GAMES

        game = GAMES[ident]

        def named(name: str | None) -> None:
            packs = installed() if game.official else ()
            if name is None:
                return
            if not packs:
                self._create(ident, name, [])
                return
            from tracker.app.screens.campaigns.new_packs import NewPacksScreen

            self._app.push_screen(
                NewPacksScreen(self._host.heading(), f"Packs of {name}", packs),
                lambda chosen: None if chosen is None else self._create(ident, name, chosen),
            )

        ask = "Name your campaign. It becomes a file in your saves."
        self._app.push_screen(
            NameDialog(self._host.heading(), f"New campaign: {game.name}", ask, self._name_problem, self.begun_names),
            named,
        )

    def _create(self, ident: str, name: str, packs: list[str]) -> None:
        """Create the campaign `name` of the game with the id `ident`, which uses the packs with these ids, and open it.

        A failure is shown as a message.
        """
        from tracker.campaign.library import use_packs
        from tracker.campaign.session import new_campaign
        from tracker.games import GAMES

        path = os.path.join(self._host.folder, f"{name}.toml")
        try:
            new_campaign(path, GAMES[ident].load())
            use_packs(path, packs)
        except (SaveError, OSError, Refused) as error:
            self._host.say(str(error))
            return
        self._app.call_later(self.open, path)

    def _name_problem(self, name: str, folder: str = "") -> str | None:
        """Return why a campaign in this folder cannot have this name, or None if it can.

        `folder` "" stands for the folder of saves.
        """
        from tracker.campaign.library import name_problem

        return name_problem(name, folder or self._host.folder)

    # -- the shelf --------------------------------------------------------------------------------------

    def rename(self, path: str) -> None:
        from tracker.campaign.library import rename

        self._with_name(path, "Rename", "New name? Its backups are renamed too.", rename)

    def copy(self, path: str) -> None:
        from tracker.campaign.library import duplicate

        self._with_name(path, "Copy", "What's the name of the copy?", duplicate, " copy")

    def _with_name(self, path: str, title: str, ask: str, act: Callable[[str, str], str], more: str = "") -> None:
        from tracker.app.screens.name_dialog import NameDialog

        name = os.path.basename(path).removesuffix(".toml")

        def problem(new: str) -> str | None:
            stays = new == name and not more  # a campaign may keep its name, a copy needs a new one
            return None if stays else self._name_problem(new, os.path.dirname(path))

        def named(new: str | None) -> None:
            if new is not None and new != name:
                self._shelve(lambda: act(path, new), "")

        self._app.push_screen(
            NameDialog(
                self._host.heading(),
                f"{title}: {shown_line(name)}",
                ask,
                problem,
                self.begun_names,
                name + more,
                does=title,
            ),
            named,
        )

    def archive(self, path: str) -> None:
        from tracker.campaign.library import archive

        name = shown_line(os.path.basename(path).removesuffix(".toml"))
        archived, back = (current_key(self._app.screen, usual) for usual in "vb")
        told = f"Archived “{name}”: {archived} shows the archive, {back} brings it back."
        self._shelve(lambda: archive(path), told)

    def bring_back(self, path: str) -> None:
        from tracker.campaign.library import bring_back

        name = shown_line(os.path.basename(path).removesuffix(".toml"))
        self._shelve(lambda: bring_back(path), f"Brought back “{name}”: Esc shows your campaigns.")

    def _shelve(self, act: Callable[[], str], told: str) -> None:
        """Call `act`, which moves or changes a campaign's file and returns its new path; then read the list again.

        The cursor goes to that path. Show the message `told`. If `act` raises SaveError, show its text instead, and the
        cursor goes to the first row.
        """
        try:
            path = act()
        except SaveError as error:
            path, told = "", str(error)
        if top := self._host.top_list():
            top.renew(path)
            top.say(shown_line(told, 300))

    async def recover(self, path: str) -> None:
        """Copy all intact entries of the damaged campaign at `path` into a new one and open that.

        The damaged file stays. Progress, the numbers of entries, and a failure are shown.
        """
        from tracker.campaign.maintenance import recovered

        async def opens(made: asyncio.Future[tuple[str, RecoveredSave]]) -> None:
            target, found = made.result()
            left_out = len(found.bad) + bool(found.unfinished)
            count = len(found.blocks)
            told = f"Recovered {count} {'entry' if count == 1 else 'entries'}" + (
                f"; left out {counted(left_out, 'damaged part')}." if left_out else "."
            )
            await self.open(target, told=told)

        name = shown_line(os.path.basename(path).removesuffix(".toml"))
        await self._at_length(f"Recovering {name}", lambda step: recovered(path, step), opens)

    # -- playing together -------------------------------------------------------------------------------

    def host(self, path: str) -> None:
        """Ask where to host the campaign at `path`, then open it for friends.

        The first time, ask for the player's name before. If software for that is missing, show how to install it.
        """
        if not self._may_share():
            return
        from tracker.app.screens.host_or_join import ways_to_host

        def picked(plan: Hosting | None) -> None:
            if plan:
                self._host.plan = plan
                self._app.call_later(self.open, path)

        self._with_own_name(lambda: self._app.push_screen(ways_to_host(self._host.heading()), picked))

    def join(self) -> None:
        """Ask for a code, join the campaign that it stands for, and open the copy that it makes here.

        The first time, ask for the player's name before. If software for that is missing, show how to install it.
        """
        if not self._may_share():
            return
        from tracker.app.screens.host_or_join import ask_code

        def typed(code: str | None) -> None:
            if code:
                self._app.call_later(self._join, code)

        self._with_own_name(lambda: self._app.push_screen(ask_code(self._host.heading(), self.begun_names), typed))

    async def _join(self, code: str) -> None:
        from tracker.coop.arrival import join

        told = ["Reaching the host."]

        def fills(step: Step) -> Joined:
            def stepped(done: float) -> None:
                if done:
                    told.append("Copying the campaign, just this once.")
                step(done)

            return join(code, self._host.folder, asked=told.append, step=stepped)

        async def joined(found: asyncio.Future[Joined]) -> None:
            await self._open_joined(found.result())

        await self._at_length("Joining", fills, joined, lambda: told[-1])

    def _may_share(self) -> bool:
        """Return True if what playing together needs is installed; else show how to install it, and return False."""
        from tracker.coop.plans import how_to_install

        if missing := how_to_install():
            self._host.say(missing)
        return not missing

    def _with_own_name(self, then: Callable[[], object]) -> None:
        """Call `then` once the player has a name.

        The first time, open a dialog that asks for it, and store it. If the player goes back there, never call `then`.
        """
        from tracker.app.screens.host_or_join import ask_name
        from tracker.coop.identity import known_name, remember

        def named(name: str | None) -> None:
            if name:
                remember(name)
                then()

        if known_name():
            then()
        else:
            self._app.push_screen(ask_name(self._host.heading(), self.begun_names), named)

    def merge(self, path: str) -> None:
        """Ask which other copy of the campaign at `path` to unite with it, and add its entries to the one at `path`.

        The result or a failure is shown as a message. If the campaign's folder cannot be read, show only that.
        """
        from tracker.app.screens.list_screen import Choices, ListScreen
        from tracker.app.widgets.options import Row
        from tracker.campaign.library import copies

        name = os.path.basename(path).removesuffix(".toml")
        try:
            there = copies(path)
        except OSError as error:
            self._host.say(f"Can't look for other copies: {error.strerror or error}.")
            return
        rows = [Row(shown_line(one.name), one.path, "", f"{counted(one.entries, 'entry')}") for one in there]
        rows = [row._replace(key=str(n)) for n, row in enumerate(rows[:9], 1)]
        rows.append(Row("Another file", "", "f", "such as one on a USB stick"))
        about = [
            Content(f"“{shown_line(name)}” gets every entry of the other copy that it lacks."),
            Content.styled("The other copy is unchanged.", "$muted"),
        ]

        def picked(other: str | None) -> None:
            if other:
                self._app.call_later(self._merge, path, other)
            elif other is not None:
                self._ask_copy(path)

        choices = Choices(tuple(rows), lambda _: about, filters=False)
        self._app.push_screen(ListScreen(self._host.heading(), f"Merge {shown_line(name)} with", choices), picked)

    def _ask_copy(self, path: str) -> None:
        from tracker.app.screens.name_dialog import NameDialog

        def problem(said: str) -> str | None:
            if not said.strip():
                return "Type the path of a file."
            return None if os.path.isfile(os.path.expanduser(said)) else f"No file at {shown_line(said, 60)}."

        def typed(said: str | None) -> None:
            if said:
                self._app.call_later(self._merge, path, os.path.expanduser(said))

        ask = "Where is the other copy? Type its path, such as /mnt/usb/vale.toml."
        self._app.push_screen(
            NameDialog(self._host.heading(), "Merge", ask, problem, self.begun_names, does="Merge"), typed
        )

    async def _merge(self, path: str, other: str) -> None:
        from tracker.campaign.merge import Merged, merge, sentences

        async def tells(done: asyncio.Future[Merged]) -> None:
            told = " ".join(sentences(done.result(), path, other))
            if top := self._host.top_list():
                top.renew(path)
            self._host.say(told)

        await self._at_length("Merging", lambda step: merge(path, other, "", step), tells)

    # -- export -----------------------------------------------------------------------------------------

    def export(self, path: str, session: Session | None = None) -> None:
        """Open the dialog that exports the campaign at `path`; at the end a message says where the export is.

        `session` is the campaign's session if it is open. In a browser, show a refusal: files here are not the
        player's.
        """
        if self._app.is_web:
            self._host.say("You can't export in a browser; ask for it where tracker runs.")
            return
        from contextlib import closing, nullcontext

        from tracker.app.screens.export import ExportScreen

        def reach(step: Step) -> AbstractContextManager[Session]:
            if session:
                return nullcontext(session)
            return closing(Session.open(path, write=False, tail="keep", step=step))

        def done(told: str | None) -> None:
            if told:
                self._host.say(told)

        name = os.path.basename(path).removesuffix(".toml")
        self._app.push_screen(ExportScreen(self._host.heading(), name, reach, self.begun_export), done)

    def show_statistics(self, path: str) -> None:
        """Open the statistics of the campaign at `path`. The save is read in a thread and not opened for writing."""
        from tracker.app.screens.statistics import StatisticsScreen
        from tracker.campaign.statistics import Gathered, gather

        def work(step: Step) -> Gathered:
            session = Session.open(path, write=False, tail="keep", step=step)
            session.close()
            return gather(session, step)

        name = shown_line(os.path.basename(path).removesuffix(".toml"))
        self._app.push_screen(StatisticsScreen(self._host.heading(), f"Statistics of {name}", work))

    # -- backups ----------------------------------------------------------------------------------------

    def show_backups(self, path: str) -> None:
        """Open the list of backups of the campaign at `path`. The picked one is restored as a new campaign or in place.

        If there is no backup, show a message instead.
        """
        from tracker.app.screens.campaigns.backups import BackupsScreen
        from tracker.campaign import library

        found = library.find(path)
        name = os.path.basename(path).removesuffix(".toml")
        if not found:
            self._host.say(f"No backups of “{shown_line(name)}” yet: tracker makes one after every session.")
            return

        def picked(choice: tuple[Backup, bool] | None) -> None:
            if choice and choice[1]:
                self._ask_in_place(path, choice[0])
            elif choice:
                self._app.call_later(self._restore_as_new, path, choice[0])

        self._app.push_screen(BackupsScreen(self._host.heading(), name, found), picked)

    def _ask_in_place(self, path: str, backup: Backup) -> None:
        from tracker.app.screens.list_screen import Choices, ListScreen
        from tracker.app.widgets.options import Row

        name = shown_line(os.path.basename(path).removesuffix(".toml"))
        rows = (
            Row("Replace", "yes", "y", "the current version is kept as a backup"),
            Row("Cancel", "no", "n", "no changes"),
        )
        about = [
            Content(f"“{name}” goes back to {backup.when:%Y-%m-%d} at {backup.when:%H:%M}."),
            Content.styled("The current version becomes a backup, so nothing is lost.", "$muted"),
        ]

        def answered(word: str | None) -> None:
            if word == "yes":
                self._app.call_later(self._restore_in_place, path, backup)

        self._app.push_screen(
            ListScreen(self._host.heading(), f"Backups: {name}", Choices(rows, lambda _: about, filters=False)),
            answered,
        )

    async def _restore_as_new(self, path: str, backup: Backup) -> None:
        from tracker.campaign import library

        name = shown_line(os.path.basename(path).removesuffix(".toml"))
        told = f"This is the backup of {backup.when:%Y-%m-%d %H:%M}; “{name}” is unchanged."

        async def opens(made: asyncio.Future[str]) -> None:
            await self.open(made.result(), told=told)

        await self._at_length(f"Restoring {name}", lambda step: library.as_new(backup, self._host.folder, step), opens)

    async def _restore_in_place(self, path: str, backup: Backup) -> None:
        from tracker.campaign import library

        name = shown_line(os.path.basename(path).removesuffix(".toml"))

        async def tells(made: asyncio.Future[str]) -> None:
            kept = os.path.basename(made.result())
            if top := self._host.top_list():
                top.renew(path)
            self._host.say(
                f"Restored “{name}” from {backup.when:%Y-%m-%d %H:%M}; the replaced version is kept as {kept}."
            )

        await self._at_length(f"Restoring {name}", lambda step: library.in_place(backup, path, step), tells)
