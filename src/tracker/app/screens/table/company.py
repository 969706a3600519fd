"""The others at the table: what the keys for playing together do, and what is shown of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Protocol

from textual.app import App
from textual.content import Content
from textual.timer import Timer

from tracker.app.key_queue import current_key
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.screens.name_dialog import NameDialog
from tracker.app.screens.people import CodeScreen, PeopleScreen
from tracker.app.widgets.options import Row
from tracker.coop.company import Company
from tracker.coop.plans import HERE, Hosting, Joining, Plan, lan_address, own_address
from tracker.games.api.errors import Refused
from tracker.games.common.seats import PLAYER

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
    """Protocol of the attributes and methods of TableScreen that TableCompany uses."""

    session: Session
    player: Player
    view: TableView

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
        self._news = ""
        self._collecting = False
        self._begun: asyncio.Task[None] | None = None
        self._codes: dict[str, str] = {}

    # -- coming and going -------------------------------------------------------------------------------

    def begin(self, plan: Plan) -> None:
        """Host or join, as `plan` says; if that fails, show the reason."""
        self._do(self._begin(plan))

    async def _begin(self, plan: Plan) -> None:
        await self.company.begin(plan)
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

    async def part(self) -> None:
        """Leave the others. The campaign stays open."""
        if self._begun and not self._begun.done():
            self._begun.cancel()
        await self.company.part()

    # -- keys -------------------------------------------------------------------------------------------

    def choose(self) -> None:
        """Open the list of ways to play together, or to stop."""
        company = self.company
        rows: list[Row] = []
        if company.is_host or company.is_guest:
            rows.append(Row("Play alone", "part", "a", "the connection ends; you keep everything"))
        if not company.is_host:
            rows.append(Row("Host here", "here", "h", "reached from this machine, and through ssh"))
            lan = own_address()
            rows.append(
                Row("Host on your network", "lan", "n", f"reached at {lan}", reason="" if lan else "no network")
            )
        rows.append(Row("Join by code", "join", "j", "a friend hosts this campaign"))
        abouts = {
            "here": "Friends join with a code, on this machine or through an ssh tunnel.",
            "lan": "Everyone in your network who has the code can join.",
            "join": "You play with the host who gave you the code.",
            "part": "What you do stays on this machine until you play together again.",
        }
        if self.table.app.is_web:
            rows = [row._replace(reason="not in a browser") for row in rows if row.value != "part"]
        picked: dict[str, Callable[[], None]] = {
            "here": lambda: self.begin(Hosting(HERE)),
            "lan": lambda: self.begin(Hosting(lan_address())),
            "join": self.ask_code,
            "part": lambda: self._do(self.part()),
        }
        choices = Choices(tuple(rows), lambda value: [Content.styled(abouts[value], "$muted")], filters=False)
        self.table.app.push_screen(
            ListScreen(self.table.view.heading(), "Play together", choices),
            lambda value: picked[value]() if value else None,
        )

    def ask_code(self) -> None:
        """Ask for a code, and join with it."""
        from tracker.coop.arrival import read_code

        def problem(code: str) -> str | None:
            try:
                read_code(code)
            except Refused as error:
                return str(error)
            return None

        def typed(code: str | None) -> None:
            if code is not None:
                self.begin(Joining(read_code(code), self.company.name, PLAYER))

        ask = "Paste the code that the host has passed on."
        self.table.app.push_screen(NameDialog(self.table.view.heading(), "Join", ask, problem, self._codes), typed)

    def show_code(self) -> None:
        """Open the screen with the code, if this machine hosts."""
        if self.company.invitation:
            self.table.app.push_screen(CodeScreen(self.table.view.heading(), self.company))
        else:
            host = current_key(self.table.app.screen, "h")
            self.table.refuse(f"You don't host this campaign: {host} does.")

    def show_people(self) -> None:
        """Open the page with everybody who plays."""
        self.table.app.push_screen(PeopleScreen(self.table.view.heading(), self.company, self._people_changed))

    def _people_changed(self, said: str) -> None:
        self.table.show(said)

    def agree(self) -> None:
        """Say yes to the oldest question, such as who is let in."""
        self.table.show(self.company.agree())

    # -- what happens -----------------------------------------------------------------------------------

    def company_changed(self) -> None:
        view, company = self.table.view, self.company
        standing = company.standing
        view.company = heading_words(standing)
        view.to_share = standing.to_share
        if not self.table.is_open:
            return
        self.table.show_sign()
        if question := company.question():
            yes, people = (current_key(self.table.app.screen, usual) for usual in "yP")
            way = f"{yes} lets them in" if "knocks" in question else f"{yes} agrees"
            self.table.show(f"{question} {way}, {people} shows all.")
        self._lead()

    def company_says(self, sentence: str) -> None:
        if self.table.is_open:
            self.table.show(sentence)

    def company_entered(self, news: str, *, reunion: bool) -> None:
        table = self.table
        if not table.is_open:
            return
        present = table.player.notice
        if reunion:
            table.show(news)
        elif news and present in {"", self._news}:
            self._news = news
            table.show(news)
            table.set_timer(NEWS_SECONDS, lambda: self._forget(news))
        else:
            table.show(present)
        self._lead()

    def _forget(self, news: str) -> None:
        if self.table.is_open and self._news == news == self.table.player.notice:
            self.table.show()

    def _lead(self) -> None:
        """Let dialogs follow what has changed, soon: what comes within a moment counts as one change."""
        if not self._collecting:
            self._collecting = True
            self.table.set_timer(TOGETHER_SECONDS, self._lead_now)

    def _lead_now(self) -> None:
        self._collecting = False
        if self.table.is_open:
            self.table.lead()


def heading_words(standing: Any) -> tuple[str, str]:
    """Return what the head line says about the others: at length, and in a few cells."""
    if standing.asks:
        return f"{standing.asks} asks", f"{standing.asks} asks"
    sign = "host ⇄" if standing.listens else "⇄"
    if standing.away or not standing.others:
        return f"{sign} –", f"{sign} –"
    return f"{sign} {' '.join(standing.others)}", f"{sign}{len(standing.others)}"
