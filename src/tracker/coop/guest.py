"""A guest: joins a host, plays on alone while the line is cut, and comes back without being asked."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Literal, NoReturn

from tracker import __version__
from tracker.coop import lines, wire
from tracker.coop.events import Events, Present
from tracker.coop.key_files import OwnKey, mark
from tracker.coop.lines import Line, LineClosed
from tracker.coop.proofs import Meeting, fits, new_nonce
from tracker.coop.replica import Replica
from tracker.coop.rulings import AHEAD
from tracker.coop.session_events import SessionEvents
from tracker.games.api.errors import Refused
from tracker.games.common.seats import PLAYER, SPECTATOR
from tracker.records import NamedTuple
from tracker.saves.blocks import Entry
from tracker.saves.errors import SaveError
from tracker.saves.id_set import IdSet
from tracker.text import shown_line

FIRST_WAIT, LONGEST_WAIT = 0.2, 5.0
"""Seconds between two attempts to connect: at first, and at most."""
MANY = 2000
"""If so many missed entries have come, they are taken without waiting for the rest."""
COLLECT_SECONDS = 0.05
"""Seconds in which refused entries are collected, to be set aside together."""
Dial = Callable[[], Awaitable[Line]]
"""Function that connects to the host and returns the line. It raises LineClosed."""
Status = Literal["away", "asked", "catching up", "here", "refused"]
"""Where a guest is: not connected, waiting for the host's consent, exchanging what is missing, here, or not let in."""


class NotLetIn(Exception):
    """Raised if the host, or the GM of a feed, will never let this player in.

    `args` has a sentence that says why.
    """


class Welcome(NamedTuple):
    """The host's answer to a guest who is let in: the id of the guest's seat, the role, and the campaign.

    `seat` is "" for a spectator without one. `campaign` has texts by name: id, game, rules, layout and name.
    """

    seat: str
    role: str
    campaign: dict[str, str]


async def knock(
    line: Line, secret: str, key: OwnKey, name: str, campaign: str, role: str, asked: Callable[[str], None]
) -> Welcome:
    """Prove to the host at the other end of `line` that we know the code, and ask to be let in; return the answer.

    `secret` is that of the code, and `campaign` the id of the campaign that the guest has, or "". `asked` is called
    with a sentence for the player if the host has to decide. Raise NotLetIn if the host refuses, does not know the
    secret or is no tracker, and LineClosed if the line is cut.
    """
    try:
        hello = wire.read(await line.recv())
        if hello["k"] != "hello" or hello["wire"] != wire.WIRE:
            raise NotLetIn(f"The host plays with another version of tracker; this is {__version__}.")
        meeting = Meeting(line.binding, hello["nonce"], new_nonce())
        await line.send(
            wire.write(
                "join",
                wire=wire.WIRE,
                nonce=meeting.guest_nonce,
                proof=meeting.proof(secret, "guest"),
                name=name,
                campaign=campaign,
                role=role,
                key=key.public,
                signature=key.sign(meeting.statement("key", name)),
            )
        )
        answer = wire.read(await line.recv())
        if answer["k"] == "asked":
            asked(f"{shown_line(answer['who'], 30)} is asked to let you in. Your key is {mark(key.public)}.")
            answer = wire.read(await line.recv())
        if answer["k"] != "welcome" or not fits(answer["proof"], meeting.proof(secret, "host")):
            raise NotLetIn("That host doesn't know this code; ask for a new one.")
    except wire.Garbage:
        raise NotLetIn("No tracker answers there.") from None
    except LineClosed as closed:
        if closed.code in lines.FINAL:
            raise NotLetIn(shown_line(closed.why, 120)) from None
        raise
    told = {field: value for field, value in answer["campaign"].items() if isinstance(field, str)}
    return Welcome(answer["seat"], answer["role"], {field: str(value) for field, value in told.items()})


async def reconnect(visit: Callable[[], Awaitable[bool]]) -> NoReturn:
    """Coroutine that awaits `visit` again and again, with a pause after each time.

    The pause grows up to LONGEST_WAIT; it is short again after a visit that returned True. Errors of `visit` end this.
    """
    wait = FIRST_WAIT
    while True:
        if await visit():
            wait = FIRST_WAIT
        await asyncio.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT)


class Guest:
    """A joined campaign. Make it in the event loop in which it runs, and await `run`.

    `dial` connects to the host, `secret` is that of the code, `key` and `name` are the player's, and `role` is PLAYER
    or SPECTATOR.
    """

    def __init__(
        self, replica: Replica, dial: Dial, secret: str, key: OwnKey, name: str, events: Events, role: str = PLAYER
    ) -> None:
        self.replica = replica
        self.session = replica.session
        self.events = events
        self.role = role
        self.status: Status = "away"
        self.why = ""
        """Why the guest is refused, as a sentence, or ""."""
        self.trouble = ""
        """Why the host cannot save, or "" if it can."""
        self.host = "The host"
        """The name of the host, once the guest has been there and if the host has a seat."""
        self.present: list[Present] = []
        """Everybody who is here, as the host said last; empty while away."""
        self.to_share: set[str] = set()
        """Ids of entries that the host has not called saved yet."""
        self.waiting: dict[str, str] = {}
        """Reasons why entries wait at the host, by the entry's id."""
        self._dial = dial
        self._secret = secret
        self._key = key
        self._name = name
        self._line: Line | None = None
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._missed: list[Entry] = []
        """Entries that have come in and are not taken yet: that waits until the host has sent all, or MANY."""
        self._taken: list[Entry] = []
        """Entries that were taken, but that the frontend has not heard of."""
        self._before = self.session.state
        """The state before `_taken` were taken."""
        self._seen = 0
        """Number of entries that have been taken since the host began to send what we lack."""
        self._latest = 0
        """The highest time `t` of the entries that have come in."""
        self._refused: dict[str, str] = {}
        """Reasons why the host has just refused entries, by the entry's id; see `COLLECT_SECONDS`."""
        self._expected = 0
        """Estimate of the number of entries that the host will send."""
        self._loop = asyncio.get_running_loop()
        self._listening = SessionEvents(
            replica,
            events.says,
            entered=self._entered,
            written=self.replica.written,
            read_again=self._begin_again,
        )

    @property
    def progress(self) -> float:
        """The part of the missed entries that has come in, from 0 to 1, while catching up; 0 before that.

        The number of all is an estimate.
        """
        seen = self._seen + len(self._missed)
        return min(1.0, seen / self._expected) if self._expected else 0.0

    def stop(self) -> None:
        """Stop listening to the session. Cancel `run` first."""
        self._listening.stop()

    def _begin_again(self) -> None:
        """Begin to close the line, so that `run` connects again: another program has changed the file.

        The new visit exchanges what has changed. Do nothing while away.
        """
        if self._line:
            self._closing = asyncio.ensure_future(self._line.close(lines.AGAIN))

    def _entered(self, entry: Entry) -> None:
        if entry["id"] in self.replica.ids:
            return
        self.replica.add(entry)
        if self.role != SPECTATOR:
            self.to_share.add(entry["id"])
            if self._line:
                for frame in wire.frames([wire.text_of(entry)]):
                    self._queue.put_nowait(frame)

    async def run(self) -> None:
        """Coroutine that stays with the host until it is cancelled, and reconnects as often as needed.

        Return only if the host will never let this guest in; `status` is "refused" then.
        """
        try:
            await reconnect(self._visit)
        except NotLetIn as error:
            self.why = str(error)
            self._be("refused")
            self.events.says(self.why)

    async def _visit(self) -> bool:
        """Connect to the host and stay until the line is cut; return True if both copies had the same entries once.

        Afterwards `status` is "away", and if we were "here" the player is told the reason. Raise NotLetIn if the host
        will never let us in.
        """
        was_here = False
        try:
            line = await self._dial()
            try:
                await self._stay(line, await self._knock(line))
            finally:
                was_here = self.status == "here"
                await line.close()
        except LineClosed as closed:
            self._part(closed)
        except wire.Garbage as error:
            self._part(LineClosed(0, f"the host sent something unexpected ({error})"))
        except (SaveError, Refused, OSError) as error:
            self._part(LineClosed(0, str(error)))
        return was_here

    def _part(self, closed: LineClosed) -> None:
        was_here = self.status == "here"
        self._be("away")
        if was_here:
            why = shown_line(closed.why, 100).rstrip(".") or "The connection is lost"
            then = "you see more once it is back" if self.role == SPECTATOR else "you play on alone"
            self.events.says(f"{why}; {then}.")

    def _be(self, status: Status) -> None:
        self.status = status
        if status in {"away", "refused"}:
            self.present = []
        self.events.changed()

    async def _knock(self, line: Line) -> Welcome:
        def asked(sentence: str) -> None:
            self._be("asked")
            self.events.says(sentence)

        head = self.session.save.head
        welcome = await knock(line, self._secret, self._key, self._name, head.id, self.role, asked)
        check_welcome(welcome, self.session.game.id)
        return welcome

    async def _stay(self, line: Line, welcome: Welcome) -> None:
        """Say what this copy has, then hear the host until the line is cut. It never returns.

        Raise LineClosed when the line is cut, wire.Garbage for a message that is not for a guest, and SaveError,
        Refused or OSError if the host's entries cannot be added.
        """
        self._be("catching up")
        with self.replica.guard:
            if self.role != SPECTATOR:
                self.session.by = welcome.seat
            frame = wire.write("have", **self.replica.ids.message())
        await line.send(frame)
        self._queue, self._missed, self._taken, self._seen = asyncio.Queue(), [], [], 0
        pump = asyncio.ensure_future(self._pump(line))
        try:
            while True:
                await self._hear(wire.read(await line.recv()), line)
        finally:
            self._line = None
            pump.cancel()
            self._tell_taken()

    async def _pump(self, line: Line) -> None:
        with contextlib.suppress(LineClosed):
            while True:
                await line.send(await self._queue.get())

    async def _hear(self, message: wire.Message, line: Line) -> None:
        """Handle a message of the host: its entries, and what it says about ours and about who is here.

        Raise wire.Garbage if it is not for a guest, and SaveError, Refused or OSError if its entries cannot be added.
        """
        match message["k"]:
            case "have":
                theirs = IdSet.read(message["upto"], message["more"])
                self._expected = max(0, len(theirs) - len(self.replica.ids))
                self._share(theirs, line)
            case "entries":
                for entry in wire.entries(message):
                    self._latest = max(self._latest, self.replica.time)
                    if entry["t"] > self._latest + AHEAD:
                        raise wire.Garbage("the time of an entry is too far ahead")
                    self._latest = max(self._latest, entry["t"])
                    self._missed.append(entry)
                    self.to_share.discard(entry["id"])  # another guest has brought it, and the host has saved it
                if self.status == "here":
                    self._take_missed()
                else:
                    if len(self._missed) >= MANY:
                        self._take_some()
                    await asyncio.sleep(0)  # keys go on between two portions
            case "even":
                self._take_missed()
                self._compare(message)
                self._be("here")
            case "instead":
                self._replace(wire.entries(message))
            case "saved":
                self.to_share.difference_update(map(str, message["ids"]))
                for ident in map(str, message["ids"]):
                    self.waiting.pop(ident, None)
                self.events.changed()
            case "pending":
                self.waiting[message["id"]] = shown_line(message["why"], 100)
                self.events.changed()
            case "refused":
                if not self._refused:
                    self._loop.call_later(COLLECT_SECONDS, self._set_refused_aside)
                self._refused[message["id"]] = shown_line(message["why"], 100)
            case "here":
                self._read_present(message["who"])
            case "trouble":
                self.trouble = shown_line(message["why"], 100)
                self.events.says(f"{self.host} can't save: {self.trouble}." if self.trouble else "")
                self.events.changed()
            case other:
                raise wire.Garbage(f"{other} is not for a guest")

    def _share(self, theirs: IdSet, line: Line) -> None:
        """Queue the entries that the host lacks; from now on, `_entered` queues each new one.

        `theirs` has the ids of the host's entries. `to_share` and `waiting` begin anew. Raise OSError if the campaign's
        file cannot be read.
        """
        with self.replica.guard:
            texts = [] if self.role == SPECTATOR else self.replica.lacking(theirs)
        self.to_share = {wire.id_of(text) for text in texts}
        self.waiting = {}
        for frame in wire.frames(texts, many=True):
            self._queue.put_nowait(frame)
        self._line = line

    def _take_missed(self) -> None:
        """Add the entries that have come in to the session, and tell the frontend once.

        Raise SaveError, Refused or OSError if they cannot be added.
        """
        self._take_some()
        self._tell_taken()

    def _tell_taken(self) -> None:
        new, self._taken = self._taken, []
        self.replica.apart = self.status != "here"
        if new:
            self.replica.before = self._before
            self.events.new(new)

    def _take_some(self) -> None:
        """Move the entries that have come in from `_missed` to the session, and those that were new to `_taken`.

        Callers do so after every MANY, so that the event loop is not held up. Raise SaveError, Refused or OSError if
        they cannot be added.
        """
        if not self._taken:
            self._before = self.session.state
        self._seen += len(self._missed)
        missed, self._missed = self._missed, []
        with self.replica.guard:
            self._taken += self.replica.take(missed)

    def _compare(self, even: wire.Message) -> None:
        """If both copies have the same ids but not the same entries, ask for those of the host.

        `even` is the message with which the host says how many entries it has, and their checksum.
        """
        with self.replica.guard:
            if len(self.replica.ids) == even["count"] and self.replica.total() != even["sum"]:
                self._queue.put_nowait(wire.write("sums", of=self.replica.sums))

    def _replace(self, theirs: list[Entry]) -> None:
        """Replace our entries that differ from those in `theirs`, the host's, of the same id.

        Ours are set aside in a file beside the save, and the player is told. Raise Refused or OSError if that fails.
        """
        with self.replica.guard:
            ours = {wire.id_of(text): text for text in self.replica.texts([entry["id"] for entry in theirs])}
        known = [entry for entry in theirs if entry["id"] in ours]
        wrong = [entry for entry in known if not wire.is_same(ours[entry["id"]], wire.text_of(entry))]
        if wrong:
            self._set_aside([entry["id"] for entry in wrong], f"{len(wrong)} of your entries differ from the host's")
            with self.replica.guard:
                taken = self.replica.take(wrong)
            self.events.new(taken)

    def _set_refused_aside(self) -> None:
        refused, self._refused = self._refused, {}
        many = "an entry" if len(refused) == 1 else f"{len(refused)} entries"
        self._set_aside([*refused], f"The host refuses {many} ({next(iter(refused.values()))})")

    def _set_aside(self, ids: list[str], why: str) -> None:
        with self.replica.guard:
            gone = self.session.without({*ids})
            self.replica.read_again()
        self.to_share.difference_update(entry["id"] for entry in gone)
        self.events.says(f"{why}. {self.session.notes[-1] if gone else ''}".strip())

    def _read_present(self, who: list[object]) -> None:
        named = [one for one in who if isinstance(one, list) and len(one) == 3 and all(isinstance(x, str) for x in one)]
        self.present = [Present(one[0], shown_line(one[1], 30), shown_line(one[2], 30)) for one in named[:100]]
        self.host = next((one.name for one in self.present if one.role == "host"), self.host)
        self.events.changed()


def check_welcome(welcome: Welcome, game: str = "") -> None:
    """Raise NotLetIn if this tracker cannot play the campaign that the host has.

    `game` is the id of the game of the copy that the guest has, or "".
    """
    from tracker import games
    from tracker.coop.state_fingerprint import layout_of

    told = welcome.campaign
    if game and told.get("game") != game:
        raise NotLetIn("Another campaign is played there.")
    try:
        ours = games.get(told.get("game", ""))
    except Refused as error:
        raise NotLetIn(str(error)) from None
    if told.get("rules") != str(ours.rules) or told.get("layout") != layout_of(ours):
        raise NotLetIn(f"The host has other rules of {ours.name}; both of you need the same version of tracker.")
