"""Playing together, at the table of the app: what its keys do, and what the table shows of the others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Protocol

from textual.app import App
from textual.content import Content
from textual.timer import Timer

from tracker.app.key_queue import current_key
from tracker.app.screens.host_or_join import ask_code, host_rows
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.screens.people import CodeScreen, LeaveGuestsScreen, PeopleScreen, agreeing
from tracker.app.widgets.options import Row
from tracker.coop.arrival import read_code
from tracker.coop.company import Company
from tracker.coop.plans import Hosting, Joining, Plan
from tracker.games.api.errors import Refused
from tracker.games.common.seats import PLAYER, SPECTATOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from tracker.app.screens.base import Tracker
    from tracker.app.screens.table_view import TableView
    from tracker.campaign.player import Player
    from tracker.campaign.session import Session

NEWS_SECONDS = 3.0
"""Seconds for which a line about what somebody else did is shown."""
TOGETHER_SECONDS = 0.05
"""Seconds in which changes by others are collected before dialogs follow them."""


class SharedTable(Protocol):
    """Protocol of the attributes and methods of TableScreen that TableCompany uses; TableScreen describes them."""

    session: Session
    player: Player
    view: TableView
    noticed_at: float

    @property
    def app(self) -> App[Any]: ...
    @property
    def tracker(self) -> Tracker: ...
    @property
    def is_open(self) -> bool: ...
    def show(self, notice: str = "") -> None: ...
    def refuse(self, why: str) -> None: ...
    def show_sign(self) -> None: ...
    def lead(self) -> None: ...
    def set_timer(self, delay: float, callback: Callable[[], Any]) -> Timer: ...


class TableCompany:
    """Controller of a table that is shared with others; the table makes it when the player hosts or joins."""

    def __init__(self, table: SharedTable, name: str = "") -> None:
        """`name` is the player's name, "" for the usual one. Raise Refused if it cannot be a name."""
        self.table = table
        self.company = Company(table.session, self, name)
        table.view.to_share = lambda: self.company.to_share
        self._question = ""
        self._told: object = None
        """The standing and the question that dialogs were told of last."""
        self._news = ""
        self._shown = table.session.state
        """The state that the table showed when somebody came or left last."""
        self._parted = ""
        """What was said when the connection was lost."""
        self._collecting = False
        self._begun: asyncio.Task[None] | None = None
        self._codes: dict[str, str] = {}

    # -- coming and going -------------------------------------------------------------------------------

    def begin(self, plan: Plan) -> None:
        """Start to host or join, as `plan` says, and return at once; if that fails, the reason is shown."""
        self._do(self._begin(plan))

    async def _begin(self, plan: Plan) -> None:
        await self.company.begin(plan)
        self.table.player.sit_down()
        self.table.show(self.table.player.notice)
        if isinstance(plan, Hosting):
            self.show_code()
        elif plan.note:
            self.table.show(plan.note)

    def _do(self, work: Awaitable[None]) -> None:
        async def done() -> None:
            try:
                await work
            except Refused as error:
                self.table.show(str(error))
            except OSError as error:
                self.table.show(f"Can't play together: {error.strerror or error}.")

        self._begun = asyncio.ensure_future(done())

    def _after_asking(self, then: Callable[[], object]) -> None:
        """Call `then`, which ends the connection. If guests are here, ask the host first, saying who they are."""
        guests = self.company.standing.others if self.company.is_host else ()
        if not guests:
            then()
            return

        def answered(leaves: bool | None) -> None:  # noqa: FBT001
            if leaves:
                then()

        self.table.app.push_screen(LeaveGuestsScreen(self.table.view.heading(), guests), answered)

    async def _play_alone(self) -> None:
        await self.part()
        self.table.show("You play alone.")

    async def part(self) -> None:
        """Coroutine that stops hosting, or ends the connection to the host. The campaign stays open.

        An attempt to host or join that is under way is canceled.
        """
        if self._begun and not self._begun.done() and self._begun is not asyncio.current_task():
            self._begun.cancel()
        await self.company.part()

    # -- keys -------------------------------------------------------------------------------------------

    def choose(self) -> None:
        """Open the list of ways to play together, or to stop, and do what the player picks.

        A browser offers only to stop.
        """
        company = self.company
        rows = [] if company.is_host else list(host_rows())
        rows.append(Row("Join by code", "join", "j", "a friend hosts this campaign"))
        if company.is_host or company.is_guest:
            rows.append(Row("Play alone", "part", "a", "the connection ends; you keep everything"))
        if self.table.app.is_web:
            rows = [row if row.value == "part" else row._replace(reason="not in a browser") for row in rows]
        choices = Choices(tuple(rows), lambda _: [Content.styled(company.connection(), "$muted")], filters=False)

        def picked(value: Hosting | str | None) -> None:
            if isinstance(value, Hosting):
                self.begin(value)
            elif value == "join":
                self.table.app.push_screen(ask_code(self.table.view.heading(), self._codes), self._join)
            elif value == "part":
                self._after_asking(lambda: self._do(self._play_alone()))

        self.table.app.push_screen(ListScreen(self.table.view.heading(), "Play together", choices), picked)

    def _join(self, code: str | None) -> None:
        if code:
            role = SPECTATOR if self.table.session.watches else PLAYER
            joining = Joining(read_code(code), self.company.name, role)
            self._after_asking(lambda: self.begin(joining))

    def show_code(self) -> None:
        """Open the screen with the code that others join with. If this machine does not host, show how to host."""
        if self.company.invitation:
            self.table.app.push_screen(CodeScreen(self.table.view.heading(), self.company, self.table.show))
        else:
            host = current_key(self.table.app.screen, "h")
            self.table.refuse(f"You don't host this campaign: {host} does.")

    def show_people(self) -> None:
        """Open the page with everybody who has a seat or watches."""
        self.table.app.push_screen(PeopleScreen(self.table.view.heading(), self.company, self._people_changed))

    def _people_changed(self, said: str) -> None:
        self.table.show(said)

    def agree(self) -> None:
        """Answer the oldest question for the host, such as who is let in, with yes, and show what that does.

        Without a question, only remove the message that the table shows.
        """
        self.table.show(self.company.agree())

    def decline(self) -> None:
        """Answer the oldest question for the host with no, and show what that does."""
        self.table.show(self.company.decline())

    # -- what happens -----------------------------------------------------------------------------------

    def company_changed(self) -> None:
        view, company = self.table.view, self.company
        standing = company.standing
        view.company = heading_words(standing)
        if not self.table.is_open:
            return
        self.table.show_sign()
        if self.table.session.state is not self._shown:  # a seat was made
            self._shown = self.table.session.state
            self._show_present()
        if self._parted == self.table.player.notice and not standing.away:
            self.table.show()
        before, self._question = self._question, company.question()
        if self._question and self._question != before:
            question = self._question
            yes, no, people = (current_key(self.table.app.screen, usual) for usual in "ynP")
            self.table.show(f"{question} {agreeing(question, yes)}, {no} doesn't, {people} shows all.")
        if (seen := (standing, self._question)) != self._told:
            self._told = seen
            self._lead()

    def company_says(self, sentence: str) -> None:
        if not self.table.is_open:
            return
        standing = self.company.standing
        if standing.away == "away" and not standing.watches:
            sentence = self._parted = f"{sentence} {current_key(self.table.app.screen, 'h')} hosts from here."
        self.table.show(sentence)

    def company_entered(self, news: str, *, reunion: bool) -> None:
        table = self.table
        if not table.is_open:
            return
        present, since = table.player.notice, table.noticed_at
        read = present in {"", self._news} or time.monotonic() > since + NEWS_SECONDS
        if reunion:
            table.show(news)
        elif news and read and not self.company.question():
            self._news = news
            table.show(news)
            table.set_timer(NEWS_SECONDS, lambda: self._forget(news))
        else:
            self._show_present()
        self._lead()

    def _show_present(self) -> None:
        """Update the table from the state of the session. The message in the last row stays, and keeps its age."""
        table = self.table
        since = table.noticed_at
        table.show(table.player.notice)
        table.noticed_at = since

    def _forget(self, news: str) -> None:
        if self.table.is_open and self._news == news == self.table.player.notice:
            self.table.show()

    def _lead(self) -> None:
        """Tell the dialogs over the table about a change, TOGETHER_SECONDS from now.

        Further changes until then count as the same one.
        """
        if not self._collecting:
            self._collecting = True
            self.table.set_timer(TOGETHER_SECONDS, self._lead_now)

    def _lead_now(self) -> None:
        self._collecting = False
        if self.table.is_open:
            self.table.lead()


_AWAY = {
    "away": ("⇄ offline", "offline"),
    "refused": ("⇄ offline", "offline"),
    "asked": ("⇄ not let in yet", "at the door"),
    "catching up": ("⇄ catching up", "⇄ …"),
}
"""What the header says about a guest who is not here, at length and in a few cells, by status."""


def heading_words(standing: Any) -> tuple[str, str]:
    """Return what the header says about the other players, as (long form, form in a few cells).

    `standing` is the Standing of the Company: who is here, and the state of the connection.
    """
    if standing.asks:
        return f"{standing.asks} asks", f"{standing.asks} asks"
    sign = "host ⇄" if standing.listens else "⇄"
    if standing.away:
        return _AWAY[standing.away]
    if not standing.others:
        return (f"{sign} no guests", f"{sign}0") if standing.listens else (f"{sign} alone", f"{sign}0")
    return f"{sign} {' '.join(standing.others)}", f"{sign}{len(standing.others)}"
