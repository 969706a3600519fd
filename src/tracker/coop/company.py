"""The others at an open campaign, as frontends see them: who is here, what they did, who knocks, what is unshared.

A frontend makes a `Company` for its session in the event loop in which that session is used, and calls `begin`. It
shows `standing` in its header line, and implements `Frontend` to hear what happens.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from tracker.campaign import journal
from tracker.campaign.own_seat import code_here, table_file
from tracker.campaign.session import Session
from tracker.coop import arrival, key_files
from tracker.coop.events import Events, Knock, Present
from tracker.coop.guest import Guest
from tracker.coop.host import ConnectedGuest, Host
from tracker.coop.identity import own_name
from tracker.coop.invitation import Invitation, place
from tracker.coop.plans import HERE, PORT, Gathering, Hosting, Plan, own_address, why_not
from tracker.coop.questions import about_knock, knocks, what_waits
from tracker.coop.replica import Replica
from tracker.coop.seats import give
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import counted
from tracker.games.api.schema import State
from tracker.games.common import seats
from tracker.games.common.seats import GM, PLAYER, SPECTATOR
from tracker.records import NamedTuple
from tracker.saves.blocks import Entry
from tracker.saves.disk import Disk
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.coop.nats_member import Author, Member

LATE_SECONDS = 2.0
"""Seconds within which the host calls an entry saved; then it is shown that only this machine has it."""
LAST_WORDS = 1.0
"""Most seconds that `part` waits for the host to get our last entries."""
FEW = 6
"""Most changes that the news of a reunion lists."""


class Frontend(Protocol):
    """Protocol of a frontend of a company, whose methods are called in the thread of the event loop."""

    def company_changed(self) -> None:
        """Show who is here and the state of the connection, one of which has changed."""

    def company_says(self, sentence: str) -> None:
        """Show the player a sentence."""

    def company_entered(self, news: str, *, reunion: bool) -> None:
        """Show the state, which others have changed.

        `news` is a line about that, or "". `reunion` is True if it is about all that was missed while apart.
        """


class Standing(NamedTuple):
    """The state of the connection between this player and the others, for a header line.

    `others` are the names of those who are here. `listens` is True for a host. `away` is the status of a guest who is
    not here, such as "asked", or "". `asks` is the name of somebody who knocks or whose entries wait for our word, or
    "". `watches` is True for a spectator.
    """

    others: tuple[str, ...] = ()
    listens: bool = False
    away: str = ""
    asks: str = ""
    watches: bool = False


class Person(NamedTuple):
    """Somebody at the table, for a list: a seat of the campaign, a spectator without one, or somebody who knocks.

    `seat` is "" without one. `characters` are names; `since` is the moment since when the person is here, or None if
    away. `asks` says what the person waits for, as a clause, or "".
    """

    seat: str
    name: str
    role: str
    characters: tuple[str, ...]
    since: datetime | None
    is_host: bool = False
    is_me: bool = False
    asks: str = ""


class _Caller(NamedTuple):
    """Somebody who knocks, and the future of the player's answer: True to let them in."""

    knock: Knock
    answer: asyncio.Future[bool]


class Company:
    """The connection of an open campaign to the others: as its host, as a guest, as a member of a feed, or none.

    `frontend` hears what happens. Use it only in the event loop in which it was made.
    """

    def __init__(
        self, session: Session, frontend: Frontend, name: str = "", guard: AbstractContextManager[object] | None = None
    ) -> None:
        """Make a company that plays alone until `begin`, in a running event loop. Nothing is sent.

        `name` is the player's; "" stands for the name of a seat with a key on this machine, or the name that was used
        last. `guard` is a reentrant lock, for a frontend that uses the session in another thread; the event loop takes
        it whenever it uses the session. Raise Refused if `name` cannot be a name, and OSError if a key on this machine
        cannot be read.
        """
        self.session = session
        self.name = own_name(name, session.state)
        self.invitation = ""
        """The code that others join with, or "" for a guest."""
        self.remark = ""
        """A sentence to show beside the code, such as that the usual port is in use, or ""."""
        self.reunion: tuple[str, ...] = ()
        """Lines about the last reunion, as `reunited` returns them; () if there was none."""
        self._frontend = frontend
        self._guard = guard or threading.RLock()
        self._host: Host | None = None
        self._guest: Guest | Member | None = None
        self._member: Member | None = None
        """The same as `_guest` if we play over a NATS server, else None."""
        self._staying: asyncio.Future[None] | None = None
        self._callers: list[_Caller] = []
        self._since: dict[Present, datetime] = {}
        self._fresh: list[Entry] = []
        self._before = session.state
        self._apart = False
        self._late: frozenset[str] = frozenset()
        """Ids of entries of ours that the host had not called saved within LATE_SECONDS."""
        self._loop = asyncio.get_running_loop()
        self._table_file = ""

    # -- coming and going -------------------------------------------------------------------------------

    async def begin(self, plan: Plan) -> None:
        """Host, join or gather, as `plan` says.

        Return once we host, or once the attempts to connect to the others have begun. Raise Refused, with a sentence
        for the player, if that fails, and OSError if a key or the campaign's file cannot be read or written.
        """
        if isinstance(plan, Hosting):
            await self.host(plan.address or HERE, plan.port, far=plan.far)
        elif isinstance(plan, Gathering):
            await self.gather(plan)
        else:
            await self.join(plan.invitation, plan.role)

    async def host(self, address: str = HERE, port: int = 0, *, far: bool = False) -> None:
        """Host the campaign at this address; port 0 takes the usual one, or a free one if that is in use.

        With `far`, guests come with iroh instead. An earlier connection is ended first. Raise Refused, with a sentence
        for the player, if the campaign is read-only or nothing can listen there, and OSError if a key or the campaign's
        file cannot be read or written.
        """
        await self.part()
        if self.session.readonly:
            raise Refused(f"This campaign is read-only: {self.session.readonly}.")
        host = Host(await self._replica(), self._events())
        try:
            self._sit(host)
            where = (
                await self._open_far(host) if far else place(reachable(address), await self._open(host, address, port))
            )
        except BaseException:
            await host.close()
            raise
        self._host = host
        self.invitation = str(Invitation(where, host.secret))
        self._leave_word()
        self.session.listeners.append(self._hear)
        self._changed()

    def _sit(self, host: Host) -> None:
        """Take our seat at the table of this host; make one if there is none.

        A seat with our name counts as ours and gets our key: the old key may be on another computer of this player.
        Raise Refused if the seat cannot be saved, and OSError if our key cannot be read or written.
        """
        key, state = key_files.OwnKey(self.name), self.session.state
        old = seats.called(state, self.name)
        if old and not seats.with_key(state, key.public):
            self.session.by = old
            self.session.do("seat", seats.change(state, old, key=key.public))
        host.sit(self.name, key)

    async def _open_far(self, host: Host) -> str:
        try:
            return await host.open_far()
        except OSError as error:
            raise Refused(f"{error}.") from None

    async def _open(self, host: Host, address: str, port: int) -> int:
        try:
            return await host.open(address, port or PORT)
        except OSError as error:
            if port:
                raise Refused(why_not(address, port, error)) from None
        try:
            free = await host.open(address)
        except OSError as error:
            raise Refused(why_not(address, PORT, error)) from None
        self.remark = f"Port {PORT} is in use, so you host on port {free}; --port N chooses one."
        return free

    async def join(self, code: str | Invitation, role: str = PLAYER) -> None:
        """Begin to join the host of this invitation, and come back without being asked whenever the line is cut.

        `role` is PLAYER or SPECTATOR. An earlier connection is ended first. Raise Refused if `code` is no code or the
        campaign is read-only, and OSError if our key or the campaign's file cannot be read.
        """
        await self.part()
        invitation = arrival.read_code(code) if isinstance(code, str) else code
        if self.session.readonly:
            raise Refused(f"This campaign is read-only: {self.session.readonly}.")
        key = key_files.OwnKey(self.name)
        self.session.watches = role == SPECTATOR
        self.session.by = "" if role == SPECTATOR else seats.with_key(self.session.state, key.public)
        guest = Guest(
            await self._replica(),
            lambda: arrival.dial(invitation),
            invitation.secret,
            key,
            self.name,
            self._events(),
            role,
        )
        self._guest = guest
        self.session.listeners.append(self._hear)
        self._staying = asyncio.ensure_future(guest.run())
        self._changed()

    async def gather(self, plan: Gathering) -> None:
        """Begin to play over a NATS server, and come back without being asked whenever the connection is lost.

        An earlier connection is ended first. Raise Refused if the campaign is read-only, and OSError if our key, or the
        campaign's file, cannot be read.
        """
        from tracker.coop.nats_feed import Feed, Server
        from tracker.coop.nats_member import Member

        await self.part()
        if self.session.readonly:
            raise Refused(f"This campaign is read-only: {self.session.readonly}.")
        feed = Feed(Server(plan.url, plan.credentials), self.session.save.head.id, key_files.OwnKey(self.name))
        member = Member(await self._replica(), feed, self.name, self._events(), plan.role, opens=plan.opens)
        self._guest = self._member = member
        self.session.listeners.append(self._hear)
        self._staying = asyncio.ensure_future(member.run())
        self._changed()

    async def _replica(self) -> Replica:
        """Return a new replica of the session. It is made in a thread, because that reads the whole file.

        Raise OSError if the file cannot be read.
        """
        session = self.session
        replica = await asyncio.to_thread(Replica, session, self._guard)
        for entry in session.log.entries:  # made meanwhile
            if entry["id"] not in replica.ids:
                replica.add(entry)
        return replica

    async def part(self) -> None:
        """End the connection, as a host, as a guest or as a member of a feed. Do nothing if alone.

        The campaign stays open and as it is, and the frontend is told. A guest waits up to LAST_WORDS seconds until the
        host has our last entries. The file with the code for other windows is removed.
        """
        host, guest, staying = self._host, self._guest, self._staying
        self._host = self._guest = self._member = self._staying = None
        code, self.invitation, self.remark, self._callers = self.invitation, "", "", []
        if self._hear in self.session.listeners:
            self.session.listeners.remove(self._hear)
        if self._table_file:
            if code_here(self.session.save.head.id)[0] == code:  # else another window has hosted it since
                with contextlib.suppress(OSError):
                    os.unlink(self._table_file)
            self._table_file = ""
        if host:
            await host.close()
        if guest and staying:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_WORDS):
                    while guest.status == "here" and guest.to_share:
                        await asyncio.sleep(0.01)
            staying.cancel()
            await asyncio.wait([staying])
            guest.stop()
        self.session.watches = False
        if host or guest:
            self._frontend.company_changed()

    def _leave_word(self) -> None:
        """Write the invitation to the file in which other windows on this machine look for it (`code_here`).

        If that fails, do nothing: the other windows then open the campaign read-only.
        """
        with contextlib.suppress(OSError):  # then they open read-only, as without company
            path = table_file(self.session.save.head.id)
            Disk().make_folder(os.path.dirname(path))
            Disk().replace_file(path, f"{self.invitation}\n{self.name}".encode(), 0o600)
            self._table_file = path

    # -- how things are ---------------------------------------------------------------------------------

    @property
    def is_host(self) -> bool:
        return self._host is not None

    @property
    def is_guest(self) -> bool:
        return self._guest is not None

    @property
    def standing(self) -> Standing:
        """The state of the connection now, as a Standing for the header line."""
        others = tuple(dict.fromkeys(one.name for one in self._present() if not self._is_me(one)))
        if self._host:
            return Standing(others, listens=True, asks=self._asks())
        guest = self._guest
        if guest is None:
            return Standing()
        away = "" if guest.status == "here" else guest.status
        asks = self._asks() if self._member else ""
        return Standing(others, away=away, asks=asks, watches=guest.role == SPECTATOR)

    @property
    def to_share(self) -> int:
        """Number of entries that only this machine has, because the host is away, is silent, can't save or can't agree.

        0 while nothing is in the way: then entries are shared in an instant.
        """
        guest = self._guest
        if guest is None or (guest.status == "here" and not (guest.trouble or guest.waiting or self._is_silent)):
            return 0
        return len(guest.to_share)

    @property
    def _is_silent(self) -> bool:
        """True if the host has not called an entry of ours saved within LATE_SECONDS."""
        return self._guest is not None and not self._late.isdisjoint(self._guest.to_share)

    def _look_for_late(self, unshared: frozenset[str]) -> None:
        """Tell the frontend that the host is silent, if it still has not called all of these entries saved.

        `unshared` has the ids of entries of ours. Those that are late go to `_late`.
        """
        if self._guest and (late := unshared & self._guest.to_share):
            self._late = late
            self._changed()

    def _asks(self) -> str:
        if self._callers:
            return self._callers[0].knock.name
        waiting = self._waiting()
        return waiting[0].seat.name if waiting else ""

    def _waiting(self) -> list[ConnectedGuest | Author]:
        if self._member:
            return [*self._member.guests] if self._member.is_gm else []
        return [one for one in self._host.guests if one.waiting] if self._host else []

    def _answer(self, guest: ConnectedGuest | Author, *, yes: bool) -> None:
        """Accept the entries of this guest that wait, or refuse them if `yes` is False; then tell the frontend.

        Raise Refused or OSError if a host cannot add them.
        """
        if self._host and isinstance(guest, ConnectedGuest):
            (self._host.accept if yes else self._host.decline)(guest)
        elif self._member and not isinstance(guest, ConnectedGuest):
            (self._member.accept if yes else self._member.decline)(guest)
        self._changed()

    def _present(self) -> list[Present]:
        end = self._host or self._guest
        return end.present if end else []

    def _is_me(self, one: Present) -> bool:
        return one.seat == self.session.by if one.seat else one.name == self.name

    def people(self) -> list[Person]:
        """Return everybody at the table: those who knock, then those who are here, then those who are away.

        That is everybody who has a seat, watches or knocks.
        """
        state = self.session.state
        here: dict[str, Present] = {}
        for one in self._present():  # the host first, whose second window may be here, too
            here.setdefault(one.seat or one.name, one)
        asks = {one.seat.id: what_waits(list(one.waiting.values())) for one in self._waiting()}
        known = [
            Person(
                ident,
                seats.name_of(state, ident),
                record["role"],
                tuple(_name(state, who) for who in record["plays"]),
                self._since.get(here[ident]) if ident in here else None,
                is_host=ident in here and here[ident].role == "host",
                is_me=ident == self.session.by,
                asks=asks.get(ident, ""),
            )
            for ident, record in state["seats"].items()
        ]
        watching = [
            Person("", one.name, SPECTATOR, (), self._since.get(one), is_me=self._is_me(one))
            for one in here.values()
            if not one.seat
        ]
        callers = [
            Person("", one.knock.name, one.knock.role, (), None, asks=about_knock(one.knock)) for one in self._callers
        ]
        found = [*known, *watching]
        return [*callers, *(one for one in found if one.since), *(one for one in found if not one.since)]

    def question(self) -> str:
        """Return the oldest question that the host or GM must answer, as a sentence, or "" if there is none.

        Somebody who knocks comes before entries that wait.
        """
        if self._callers:
            return knocks(self._callers[0].knock)
        for guest in self._waiting():
            return f"{guest.seat.name} {what_waits(list(guest.waiting.values()))}."
        return ""

    def connection(self) -> str:
        """Return a sentence or more about the connection, for the list of people."""
        if self._host:
            wrong = self._host.wrong_codes.total()
            tried = f" {counted(wrong, 'wrong code')} so far." if wrong else ""
            where = self.invitation.partition("/")[0]
            shown = (
                "friends with the code reach you with iroh"
                if where.startswith("endpoint")
                else f"{where} listens for guests"
            )
            return f"You host: {shown}.{tried}"
        guest, left = self._guest, self.to_share
        if guest is None:
            return "You play alone."
        shared = f" {counted(left, 'entry')} of yours {'is' if left == 1 else 'are'} only here so far." if left else ""
        if self._member:
            return self._member.connection()
        if guest.status == "here":
            trouble = f" {guest.host} can't save: {guest.trouble}." if guest.trouble else ""
            waits = f" {guest.host} has yet to agree to {counted(len(guest.waiting), 'entry')} of yours."
            silent = "" if guest.trouble or guest.waiting or not left else f" No answer for a moment.{shared}"
            return f"{guest.host or 'The host'} hosts.{waits if guest.waiting else ''}{trouble}{silent}"
        said = {
            "asked": f"{guest.host or 'The host'} is asked to let you in.",
            "catching up": "Catching up with the host.",
            "refused": f"{guest.why} You play alone.",
        }.get(guest.status, "The host is away. You play alone until the connection is back.")
        return said + shared

    # -- the host's word --------------------------------------------------------------------------------

    def agree(self, one: Person | None = None) -> str:
        """Say yes to what this person asks, or without one to the oldest question.

        Return a sentence about the result, or "" if there is no question. Raise Refused or OSError if entries that
        waited cannot be added.
        """
        return self._reply(one, yes=True)

    def decline(self, one: Person | None = None) -> str:
        """Say no to what this person asks, or without one to the oldest question.

        Return a sentence about the result, or "" if there is no question.
        """
        return self._reply(one, yes=False)

    def _reply(self, one: Person | None, *, yes: bool) -> str:
        """Answer yes or no to a person who knocks or whose entries wait, or without one to the oldest question.

        Return a sentence about the result, or "" if there is no such question. Raise Refused or OSError if entries that
        waited cannot be added.
        """
        for caller in self._callers:
            if one is None or (not one.seat and one.name == caller.knock.name):
                self._callers.remove(caller)
                if not caller.answer.done():
                    caller.answer.set_result(yes)
                self._changed()
                return f"{caller.knock.name} {'comes in' if yes else 'is not let in'}."
        for guest in self._waiting():
            if one is None or one.seat == guest.seat.id:
                self._answer(guest, yes=yes)
                return f"{'Accepted' if yes else 'Declined'}: what {guest.seat.name} asked for."
        return ""

    async def put_out(self, seat: str) -> None:
        """Remove the player in the seat with this id, who is not let in again: while we host, or over a feed for good.

        Do nothing for a guest of a host. Raise Refused if the change cannot be saved.
        """
        if self._host:
            await self._host.put_out(seat)
        elif self._member:
            self._member.put_out(seat)

    def give(self, who: str, seat: str) -> None:
        """Let only the player in the seat `seat` play the character `who`, both ids; with "", everybody may.

        If a guest does this, the host has to agree. Raise Refused if the change cannot be saved.
        """
        give(self.session, who, seat)

    def appoint(self, seat: str, role: str) -> None:
        """Give the player in the seat with this id a role, PLAYER or GM. Do nothing if the player has it already.

        Raise Refused if the change cannot be saved.
        """
        effects = seats.change(self.session.state, seat, role=role)
        if effects:
            self.session.do("seat", effects)

    @property
    def may_manage(self) -> bool:
        """True if this player may change seats, as the host or a GM."""
        seat = self.session.state["seats"].get(self.session.by)
        return self.is_host or bool(seat and seat["role"] == GM)

    # -- what happens -----------------------------------------------------------------------------------

    def _events(self) -> Events:
        return Events(self._new, self._changed, self._says, self._asked)

    def _says(self, sentence: str) -> None:
        if sentence:
            self._frontend.company_says(sentence)

    def _changed(self) -> None:
        now = datetime.now()
        self._since = {one: self._since.get(one, now) for one in self._present()}
        self._frontend.company_changed()

    async def _asked(self, knock: Knock) -> bool:
        caller = _Caller(knock, self._loop.create_future())
        self._callers.append(caller)
        self._changed()
        try:
            return await caller.answer
        finally:
            if caller in self._callers:
                self._callers.remove(caller)
                self._changed()

    def _new(self, entries: list[Entry]) -> None:
        end = self._host or self._guest
        if not end:
            return
        if not self._fresh:
            self._before, self._apart = end.replica.before, False
        self._apart = self._apart or end.replica.apart
        self._fresh += entries
        self._tell_new()

    def _hear(self, what: str) -> None:
        if what == "table":
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._table_changed)

    def _table_changed(self) -> None:
        self._tell_new()
        if self._guest and self._guest.status == "here" and (unshared := frozenset(self._guest.to_share)):
            self._loop.call_later(LATE_SECONDS, self._look_for_late, unshared)

    def _tell_new(self) -> None:
        """Tell the frontend about the entries in `_fresh`, once they are folded into the state, and empty `_fresh`.

        If they were made while apart, set `reunion` and tell what changed in all; for the first entries of a new copy,
        tell nothing but that the state has changed; otherwise tell only the last of them. Entries of our own are not
        told.
        """
        if not self._fresh or self.session.folding:
            return
        entries, self._fresh = self._fresh, []
        others = [entry for entry in entries if entry.get("by", "") != self.session.by]
        first = self._before == self._start()
        if self._apart and others and not first:
            self.reunion = tuple(reunited(self.session, self._before, others))
            more = len(self.reunion) - 1 - FEW
            changes = ", ".join(self.reunion[1 : 1 + FEW]) + (f" and {more} more" if more > 0 else "")
            news = f"{self.reunion[0]}; {changes}." if changes else f"{self.reunion[0]}."
            self._frontend.company_entered(news, reunion=True)
        else:
            self._frontend.company_entered("" if self._apart else news_of(self.session, others), reunion=False)

    def _start(self) -> object:
        from tracker.campaign.fold import start

        return start(self.session.game.top)


def reunited(session: Session, before: State, entries: Iterable[Entry]) -> list[str]:
    """Return what a reunion brought: a line with who made how many entries meanwhile, then each change of the state.

    `before` is the state before the reunion, and `entries` are those that others made. Each change is a phrase.
    """
    made: dict[str, int] = {}
    for entry in entries:
        name = seats.name_of(session.state, entry.get("by", "")) or "Others"
        made[name] = made.get(name, 0) + 1
    names = " and ".join(", ".join(made).rsplit(", ", 1))
    changes = session.game.changes(before, session.state, "")
    return [f"{names} while you were apart: {counted(sum(made.values()), 'entry')}", *changes]


def news_of(session: Session, entries: list[Entry]) -> str:
    """Return a line about the last of these entries of others, with the name of its author; "" for no entries.

    An entry about seats is told only if there are no others.
    """
    told = [one for one in entries if one.get("did") != "seat"]
    if not told:
        return journal.as_written(session.game, session.state, entries[-1]).sentence() if entries else ""
    entry = told[-1]
    name = seats.name_of(session.state, entry.get("by", ""))
    if "undoes" in entry:
        word = "redid" if entry.get("did") == "redo" else "undid"
        return f"{name} {word}: {journal.undone(session, entry)}"
    if did := journal.rewritten(session, entry):
        return f"{name} {did}"
    line = journal.as_written(session.game, session.state, entry)
    return line.sentence() if line.who else f"{name}: {line.sentence()}"


def reachable(address: str) -> str:
    """Return the address to put in a code for a host that listens at `address`.

    For a host that listens at all addresses, that is this machine's own in its network, or HERE if it has none.
    """
    return (own_address() or HERE) if address in {"0.0.0.0", "::"} else address


def _name(state: State, who: str) -> str:
    return shown_line(state["party"].get(who, {}).get("name", who), 40)
