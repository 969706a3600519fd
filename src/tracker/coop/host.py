"""The host: judges the entries that guests send, saves them, and passes them on to the other guests."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tracker import __version__
from tracker.coop import lines, wire
from tracker.coop.events import Events, Knock, Present
from tracker.coop.invitation import new_secret
from tracker.coop.key_files import OwnKey, is_signed, mark
from tracker.coop.lines import Line, LineClosed
from tracker.coop.proofs import Meeting, fits, new_nonce
from tracker.coop.replica import Replica
from tracker.coop.rulings import judge
from tracker.coop.seats import Seat, give, seat_of, sit
from tracker.coop.session_events import SessionEvents
from tracker.coop.state_fingerprint import layout_of
from tracker.games.api.errors import Refused
from tracker.games.common import seats
from tracker.games.common.seats import GM, PLAYER, SPECTATOR
from tracker.saves.blocks import Entry
from tracker.saves.errors import SaveError
from tracker.saves.id_set import IdSet
from tracker.text import name_problem, shown_line

if TYPE_CHECKING:
    from tracker.coop.iroh_line import FarListener

SPEAK_SECONDS = 10.0
"""Seconds that a stranger has to prove the code."""
ANSWER_SECONDS = 300.0
"""Seconds in which the host can let somebody in who knocks."""
LONGEST_QUEUE = 2000
"""Frames that may wait for a guest who does not read; then the line is closed, and the guest comes back."""
LONGEST_SIZE = 64_000_000
"""Characters in these frames."""
LAST_SECONDS = 0.5
"""Most seconds that a host who leaves waits for its guests' lines to end."""
KNOCKS = 16
"""Most people who may wait for the host's answer at the same time."""
STRANGERS, STRANGERS_EACH = 16, 4
"""Most connections at the same time that have not proven the code yet: in all, and from one address."""
SLOWER_SECONDS, SLOWEST_SECONDS = 0.3, 3.0
"""Seconds before a wrong code is answered: for the first from an address, and at most."""
BURST, PER_SECOND = 300.0, 50.0
"""Entries that are taken from a guest at once, and in each second after that."""
MANY = 2000
"""If a guest lacks at least as many entries, they are read in a thread."""
MOST_WAITING = 5000
"""Most entries of a guest that may wait."""


class RuleBroken(Exception):
    """Raised for a guest whose line has to be closed. `args` has the reason."""


class ConnectedGuest:
    """A connected guest, as the host sees it."""

    def __init__(self, line: Line, seat: Seat, key: str) -> None:
        self.line = line
        self.seat = seat
        self.key = key
        self.trusted = False
        """True if the host has agreed to take entries of others from this guest."""
        self.waiting: dict[str, Entry] = {}
        """Entries of the guest that may become right, by id."""
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._size = 0
        self._sent = asyncio.Event()
        """Set whenever a frame was sent."""
        self._closing: asyncio.Future[None] | None = None
        self._credit = BURST
        self._since = asyncio.get_running_loop().time()

    @property
    def _is_full(self) -> bool:
        return self._queue.qsize() >= LONGEST_QUEUE or self._size >= LONGEST_SIZE

    def send(self, frame: str) -> None:
        """Queue a frame. If too many wait, begin to close the line instead. Do nothing once it is being closed."""
        if self._is_full:
            self.leave(lines.TOO_SLOW, "Your connection is too slow.")
        elif self._closing is None:
            self._put(frame)

    def _put(self, frame: str) -> None:
        self._queue.put_nowait(frame)
        self._size += len(frame)

    def leave(self, code: int, why: str) -> None:
        """Begin to close the guest's line, with this code and reason. Further calls do nothing."""
        self._closing = self._closing or asyncio.ensure_future(self.line.close(code, why))

    async def send_all(self, frames: Iterable[str]) -> None:
        """Queue frames in order, waiting whenever the queue is full and the line is not being closed."""
        for frame in frames:
            while self._is_full and self._closing is None:
                self._sent.clear()
                await self._sent.wait()
            self._put(frame)

    async def pump(self) -> None:
        """Send what is queued until the line is closed."""
        with contextlib.suppress(LineClosed):
            while True:
                frame = await self._queue.get()
                await self.line.send(frame)
                self._size -= len(frame)
                self._sent.set()

    async def pay(self, entries: float) -> None:
        """Charge this guest for that many entries, and wait until its credit covers them: a limit against floods."""
        now = asyncio.get_running_loop().time()
        self._credit = min(BURST, self._credit + (now - self._since) * PER_SECOND) - entries
        self._since = now
        if self._credit < 0:
            await asyncio.sleep(-self._credit / PER_SECOND)


class Host:
    """A hosted campaign. Make it in the event loop in which it runs; `open` or `meet` let guests come.

    `secret` is that of the code to join with, or "" for a new one.
    """

    def __init__(self, replica: Replica, events: Events, secret: str = "") -> None:
        self.replica = replica
        self.session = replica.session
        self.events = events
        self.secret = secret or new_secret()
        self.guests: list[ConnectedGuest] = []
        self.wrong_codes: Counter[str] = Counter()
        """Wrong codes by the address that they came from."""
        self._strangers: Counter[str] = Counter()
        self._admitted: set[tuple[str, str]] = set()
        """(key, role) of spectators who were let in before: the campaign has no seats for them."""
        self._origin: dict[str, ConnectedGuest | None] = {}
        """Senders of the entries that are not durable here yet, by the entry's id; None for our own entries.

        Nobody else gets these entries before they are durable.
        """
        self._put_out: set[str] = set()
        """Keys of guests who were put out."""
        self._meetings: set[asyncio.Task[object]] = set()
        """The tasks that serve a line."""
        self._knocking = 0
        self._trouble = ""
        self._listeners: list[lines.Listener | FarListener] = []
        self._listening = SessionEvents(
            replica,
            events.says,
            entered=self._entered,
            written=self._written,
            read_again=self._begin_again,
            sign=self._tell_trouble,
        )

    async def open(self, address: str = "127.0.0.1", port: int = 0) -> int:
        """Listen for guests; return the port. Raise OSError if that fails.

        `address` is the one to listen at, by default one that only this machine reaches. Port 0 takes a free one. The
        first time, this makes the certificate of this machine.
        """
        listener = lines.Listener(self.meet)
        self._listeners.append(listener)
        return await listener.open(address, port)

    async def open_far(self, *, local: bool = False) -> str:
        """Let guests come with iroh; return the ticket. `local` is for tests: it allows only this machine.

        Raise OSError if that fails.
        """
        from tracker.coop.iroh_line import FarListener

        listener = FarListener(self.meet)
        self._listeners.append(listener)
        return await listener.open(local=local)

    async def close(self) -> None:
        """Tell all guests that the host leaves, close their lines and stop listening; wait until that is done.

        A line that does not end is dropped after LAST_SECONDS.
        """
        self._listening.stop()
        for listener in self._listeners:
            await listener.stop()
        await asyncio.gather(*(guest.line.close(lines.HOST_ENDS, "The host has left.") for guest in self.guests))
        if self._meetings:
            await asyncio.wait(self._meetings, timeout=LAST_SECONDS)
        for task in self._meetings:
            task.cancel()  # it may be slowing a guest down, or asking about one
        for listener in self._listeners:
            await listener.close()

    async def put_out(self, seat: str) -> None:
        """Close the lines of the guest in the seat with this id; the code and the key do not let the guest in again."""
        for guest in [one for one in self.guests if one.seat.id == seat]:
            self._put_out.add(guest.key)
            await guest.line.close(lines.NOT_LET_IN, "The host removed you.")

    def sit(self, name: str, key: OwnKey) -> Seat:
        """Return the seat with this key, and make it the session's own; if there is none, make one with this name.

        The first seat of a campaign is that of a GM. Raise Refused if a new seat cannot be saved.
        """
        with self.replica.guard:
            return sit(self.session, name, key.public)

    def _write_seat(self, seat: Seat, key: str) -> None:
        self.session.do("seat", seats.add(seat.id, seat.name, seat.role, key))

    @property
    def present(self) -> list[Present]:
        """Everybody who is here: the host first, if it has a seat, then the guests by name."""
        state = self.session.state
        me = [Present(self.session.by, seats.name_of(state, self.session.by), "host")] if self.session.by else []
        theirs = {(one.seat.name, one.seat.id, one.seat.role) for one in self.guests}
        return [*me, *(Present(ident, name, role) for name, ident, role in sorted(theirs))]

    # -- our own entries, and what is durable -----------------------------------------------------------

    def _begin_again(self) -> None:
        """Make all guests connect again, so that they get what another program has changed in the file."""
        self._origin = {entry["id"]: self._origin.get(entry["id"]) for entry in self.session.unsaved()}
        for guest in self.guests:
            guest.leave(lines.AGAIN, "The host has read its file again.")

    def _entered(self, entry: Entry) -> None:
        if entry["id"] not in self.replica.ids:
            self.replica.add(entry)
            self._origin.setdefault(entry["id"], None)

    def _written(self, ids: Sequence[str]) -> None:
        """Pass the entries with these ids, which are durable now, to the other guests, and tell their sender so."""
        with self.replica.guard:
            entries = self.replica.written(ids)
        by_origin: dict[ConnectedGuest | None, list[Entry]] = {}
        for entry in entries:
            by_origin.setdefault(self._origin.pop(entry["id"], None), []).append(entry)
        for origin, theirs in by_origin.items():
            others = [guest for guest in self.guests if guest is not origin]
            for frame in wire.frames(map(wire.text_of, theirs)) if others else ():
                for guest in others:
                    guest.send(frame)
            if origin in self.guests and origin:
                origin.send(wire.write("saved", ids=[entry["id"] for entry in theirs]))

    def _tell_trouble(self) -> None:
        """Tell the guests when this machine can no longer save, with the reason, and when it can again."""
        sign = self.session.sign
        why = shown_line(sign.why or sign.word, 100) if sign.word in {"NOT SAVED", "READ-ONLY"} else ""
        if why != self._trouble:
            self._trouble = why
            for guest in self.guests:
                guest.send(wire.write("trouble", why=why))

    def _tell_present(self) -> None:
        here = self.present
        frame = wire.write("here", who=[[one.seat, one.name, one.role] for one in here])
        for guest in self.guests:
            guest.send(frame)
        self.events.changed()

    # -- at the door ------------------------------------------------------------------------------------

    async def meet(self, line: Line) -> None:
        """Coroutine that serves one line from the first word to its end, and then closes it. Never raises.

        What ends a line early, a bug included, is told to the player of this machine, except that it was cut.
        """
        guest: ConnectedGuest | None = None
        if task := asyncio.current_task():
            self._meetings.add(task)
            task.add_done_callback(self._meetings.discard)
        try:
            guest = await self._at_door(line)
            if guest:
                await self._serve(guest)
        except (wire.Garbage, RuleBroken) as error:
            who = guest.seat.name if guest else line.peer
            self.events.says(f"{who} was disconnected: {shown_line(str(error), 120)}.")
            await line.close(lines.GARBAGE if isinstance(error, wire.Garbage) else lines.BROKE_RULE, f"{error}.")
        except (LineClosed, TimeoutError):
            await line.close()
        except (SaveError, Refused, OSError) as error:
            self.events.says(f"A guest was disconnected: {shown_line(str(error), 120)}")
            await line.close(lines.TROUBLE, str(error))
        except Exception as fault:  # noqa: BLE001 a bug must not end the host, and must not pass in silence
            self.events.says(f"A guest was disconnected: internal error, {type(fault).__name__}: {fault}")
            await line.close(lines.TROUBLE, "The host has an internal error.")
        finally:
            if guest in self.guests and guest:
                self.guests.remove(guest)
                self._tell_present()

    async def _at_door(self, line: Line) -> ConnectedGuest | None:
        """Return the guest who has proven the code and was let in. Close the line and return None for anybody else.

        The host is asked about a player without a seat. Raise wire.Garbage, LineClosed or TimeoutError if the other end
        speaks nonsense, leaves, or says nothing, and Refused if a new seat cannot be saved.
        """
        if self._strangers.total() >= STRANGERS or self._strangers[line.peer] >= STRANGERS_EACH:
            await line.close(lines.DOOR_FULL, "Too many people are waiting to join; try again later.")
            return None
        self._strangers[line.peer] += 1
        try:
            async with asyncio.timeout(SPEAK_SECONDS + SLOWEST_SECONDS):
                met = await self._prove(line)
        finally:
            self._strangers -= Counter([line.peer])
        if met is None:
            return None
        meeting, message = met
        role = message["role"]
        if message["key"] in self._put_out:
            await line.close(lines.NOT_LET_IN, "The host removed you.")
            return None
        with self.replica.guard:
            ident = seats.with_key(self.session.state, message["key"])
            seat = seat_of(self.session.state, ident) if ident else None
        watches = role == SPECTATOR
        if watches:
            seat = Seat("", message["name"], SPECTATOR) if seat is None else seat._replace(role=SPECTATOR)
        if seat is None or (watches and not seat.id and (message["key"], role) not in self._admitted):
            seat = await self._ask(line, message)
            if seat is None:
                return None
        head = self.session.save.head
        campaign = {
            "id": head.id,
            "game": head.game,
            "rules": str(self.session.game.rules),
            "layout": layout_of(self.session.game),
            "name": self.session.save.name.removesuffix(".toml"),
        }
        proof = meeting.proof(self.secret, "host")
        await line.send(wire.write("welcome", proof=proof, seat=seat.id, role=seat.role, campaign=campaign))
        return ConnectedGuest(line, seat, message["key"])

    async def _prove(self, line: Line) -> tuple[Meeting, wire.Message] | None:
        """Return (meeting, message `join`) if the other end knows the code and may play this campaign.

        Otherwise close the line with the reason and return None. Raise wire.Garbage if the other end does not speak as
        a tracker does, and LineClosed if it leaves.
        """
        nonce = new_nonce()
        await line.send(wire.write("hello", wire=wire.WIRE, nonce=nonce, app=__version__))
        message = wire.read(await line.recv())
        if message["k"] != "join":
            raise wire.Garbage("join has to come first")
        if message["wire"] != wire.WIRE:
            await line.close(lines.OTHER_VERSION, f"The host plays with tracker {__version__}; use the same version.")
            return None
        meeting = Meeting(line.binding, nonce, message["nonce"])
        if not fits(message["proof"], meeting.proof(self.secret, "guest")):
            self.wrong_codes[line.peer] += 1
            self.events.says(self._about_wrong_code(line.peer, meeting, message))
            await asyncio.sleep(min(SLOWER_SECONDS * self.wrong_codes[line.peer], SLOWEST_SECONDS))
            await line.close(lines.WRONG_CODE, "That code is wrong or has expired; ask the host for a new one.")
            return None
        if message["campaign"] not in {"", self.session.save.head.id}:
            await line.close(lines.OTHER_CAMPAIGN, "Another campaign is played there.")
            return None
        signed = is_signed(meeting.statement("key", message["name"]), message["signature"], message["key"])
        if name_problem(message["name"]) or message["role"] not in {PLAYER, SPECTATOR} or not signed:
            raise wire.Garbage("join is not valid")
        return meeting, message

    def _about_wrong_code(self, peer: str, meeting: Meeting, message: wire.Message) -> str:
        """Return a sentence about the wrong code in the message `join` from this address, which is counted already.

        The tracker of a friend may only have the code of an earlier hosting: it has a copy of this campaign, and comes
        for the first time from this address. All others are said to be wrong.
        """
        has_copy = message["campaign"] == self.session.save.head.id
        signed = is_signed(meeting.statement("key", message["name"]), message["signature"], message["key"])
        if has_copy and signed and self.wrong_codes[peer] == 1:
            return f"{shown_line(message['name'], 30)} came with an old code: pass on the new one."
        return f"A wrong code came from {peer} ({self.wrong_codes.total()} so far)."

    async def _ask(self, line: Line, message: wire.Message) -> Seat | None:
        """Ask the host whether to let in somebody who sent the message `join` and has no seat; return the new seat.

        If the host declines, too many wait, or the name is that of somebody here, close the line and return None. Raise
        LineClosed if the guest leaves meanwhile, and Refused if the seat cannot be saved.
        """
        name = shown_line(message["name"], 30)
        with self.replica.guard:
            old = seats.called(self.session.state, message["name"])
        if old and (old == self.session.by or any(one.seat.id == old for one in self.guests)):
            await line.close(lines.NOT_LET_IN, f"{name} is here already; join with another name: --as NAME.")
            return None
        if self._knocking >= KNOCKS:
            await line.close(lines.DOOR_FULL, "Too many people are waiting to join; try again later.")
            return None
        await line.send(wire.write("asked", who=seats.name_of(self.session.state, self.session.by)))
        knock = Knock(name, line.peer, message["role"], returns=bool(old), mark=mark(message["key"]))
        self._knocking += 1
        try:
            let_in = await self._answer(line, knock)
        finally:
            self._knocking -= 1
        if not let_in:
            await line.close(lines.NOT_LET_IN, "The host didn't let you in.")
            return None
        if message["role"] == SPECTATOR:
            self._admitted.add((message["key"], SPECTATOR))
            return Seat("", name, SPECTATOR)
        with self.replica.guard:
            if mine := seats.with_key(self.session.state, message["key"]):  # through another window meanwhile
                return seat_of(self.session.state, mine)
            if old:
                self.session.do("seat", seats.change(self.session.state, old, key=message["key"]))
                return seat_of(self.session.state, old)
            role = PLAYER if self.session.state["seats"] else GM  # a host without a seat leaves that to the first guest
            seat = Seat(seats.free_id(self.session.state, message["name"]), message["name"], role)
            self._write_seat(seat, message["key"])
        return seat

    async def _answer(self, line: Line, knock: Knock) -> bool:
        """Return the host's answer to somebody who knocks, True to let them in; False without one in ANSWER_SECONDS.

        Raise LineClosed if the guest leaves.
        """
        answer = asyncio.ensure_future(self.events.asks(knock))
        gone = asyncio.ensure_future(line.recv())  # a guest says nothing while waiting, so this ends only with the line
        both = {answer, gone}
        try:
            await asyncio.wait(both, timeout=ANSWER_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                gone.exception()
                raise LineClosed
            return answer.done() and answer.result()
        finally:
            for task in both:
                task.cancel()
            await asyncio.wait(both)

    # -- at the table -----------------------------------------------------------------------------------

    async def _serve(self, guest: ConnectedGuest) -> None:
        """Exchange with a guest who was let in what each copy lacks, then hear the guest until the line is cut.

        It never returns: raise LineClosed when the line is cut, TimeoutError if the guest says nothing at first,
        wire.Garbage or RuleBroken for what a guest must not send, and Refused or OSError if entries cannot be added or
        read.
        """
        async with asyncio.timeout(SPEAK_SECONDS):
            have = wire.read(await guest.line.recv())
        if have["k"] != "have":
            raise wire.Garbage("have has to come first")
        theirs = IdSet.read(have["upto"], have["more"])
        begun = await self._send_many(guest, theirs)
        with self.replica.guard:
            # No await from here until the guest is in the list: whatever is written later comes after these frames.
            lacking = self.replica.lacking(theirs, self._origin)
            told = wire.write("have", **self.replica.ids.message())
            even = wire.write("even", count=len(self.replica.ids), sum=self.replica.total())
            self.guests.append(guest)
        pump = asyncio.ensure_future(guest.pump())
        try:
            await guest.send_all([*([] if begun else [told]), *wire.frames(lacking, many=True), even])
            if self._trouble:
                guest.send(wire.write("trouble", why=self._trouble))
            self._tell_present()
            while True:
                await self._hear(guest, wire.read(await guest.line.recv()))
        finally:
            pump.cancel()

    async def _send_many(self, guest: ConnectedGuest, theirs: IdSet) -> bool:
        """If a guest lacks MANY entries or more, send them, add their ids to `theirs`, and return True; else False.

        `theirs` has the ids of the guest's entries. They are read in a thread, so that the table stays usable. What is
        made meanwhile is not among them. Raise LineClosed if the line is cut, and OSError if the campaign's file cannot
        be read.
        """
        with self.replica.guard:
            wanted = self.replica.lacking_ids(theirs, self._origin)
            told = wire.write("have", **self.replica.ids.message())
        if len(wanted) < MANY:
            return False
        await guest.line.send(told)
        texts = await asyncio.to_thread(self.replica.texts, wanted)
        for frame in wire.frames(texts, many=True):
            await guest.line.send(frame)
        for ident in wanted:
            theirs.add(ident)
        return True

    async def _hear(self, guest: ConnectedGuest, message: wire.Message) -> None:
        """Handle a message of a guest, once `pay` lets it pass.

        Raise wire.Garbage if it is not for a host, RuleBroken if an entry in it is refused or too many wait, and
        Refused or OSError if the entries cannot be added.
        """
        if message["k"] == "sums":
            await guest.pay(BURST / 3)
            with self.replica.guard:
                texts = self.replica.different(message["of"])
            await guest.send_all(wire.frames(texts, kind="instead"))
            return
        if message["k"] != "entries":
            raise wire.Garbage(f"{message['k']} is not for a host")
        size = sum(len(text) for text in message["e"] if isinstance(text, str))
        await guest.pay(1 + size / 20_000 if message["many"] else len(message["e"]) + size / 4000)
        entries = wire.entries(message)
        with self.replica.guard:
            self._take(guest, entries, missed=message["many"])

    def _take(self, guest: ConnectedGuest, entries: list[Entry], *, missed: bool) -> None:
        """Judge entries that a guest sent, and take those that are right, up to one that is refused.

        Those that have to wait go to `guest.waiting`. `missed` is True while the guest sends what was made while apart.
        Raise RuleBroken if one is refused or too many wait, and Refused or OSError if those taken cannot be added.
        """
        taken: list[Entry] = []
        known: list[str] = []
        broken = ""
        for entry in entries:
            if entry["id"] in self.replica.ids:
                if wire.text_of(entry) not in self.replica.texts([entry["id"]]) and not missed:
                    broken = "an id was used again for another entry"
                    break
                if entry["id"] not in self._origin:
                    known.append(entry["id"])
                continue
            ruling = judge(entry, guest.seat, self.replica, missed=missed, trusted=guest.trusted)
            if ruling.word == "refuse":
                guest.send(wire.write("refused", id=entry["id"], why=ruling.why))
                broken = ruling.why
                break
            if ruling.word == "wait":
                if len(guest.waiting) >= MOST_WAITING:
                    broken = "too many entries wait"
                    break
                guest.waiting[entry["id"]] = entry
                guest.send(wire.write("pending", id=entry["id"], why=ruling.why))
                continue
            self.replica.add(entry)
            self._origin[entry["id"]] = guest
            taken.append(entry)
        if known:
            guest.send(wire.write("saved", ids=known))
        if taken:
            self.replica.apart = missed
            self._put_in(taken, guest)
            self._try_waiting()
        if guest.waiting and not broken:
            self.events.changed()
        if broken:
            raise RuleBroken(broken)

    def _put_in(self, taken: list[Entry], guest: ConnectedGuest) -> None:
        """Add entries to the session. Characters that they make and no seat plays are given to the guest's seat.

        Raise Refused or OSError, with nothing added, if they cannot be added. Raise Refused also if a character cannot
        be given.
        """
        self.replica.before = self.session.state
        before = set(self.session.state["party"])
        try:
            self.session.take(taken)
        except (Refused, OSError):
            self.replica.read_again()
            raise
        self.events.new(taken)
        made = [who for who in self.session.state["party"] if who not in before]
        for who in made:
            if guest.seat.id in self.session.state["seats"] and not seats.holder(self.session.state, who):
                give(self.session, who, guest.seat.id)

    def trust(self, guest: ConnectedGuest) -> None:
        """Take the waiting entries of this guest, and all later ones without asking.

        Raise Refused or OSError if the waiting ones cannot be added.
        """
        guest.trusted = True
        self._try_waiting()

    def accept(self, guest: ConnectedGuest) -> None:
        """Take the entries of this guest that wait for the host's answer; later ones are asked about again.

        Raise Refused or OSError if they cannot be added.
        """
        before, guest.trusted = guest.trusted, True
        try:
            self._try_waiting()
        finally:
            guest.trusted = before

    def decline(self, guest: ConnectedGuest) -> None:
        """Refuse the waiting entries of this guest, whose tracker then sets them aside."""
        for ident in guest.waiting:
            guest.send(wire.write("refused", id=ident, why="the host has said no"))
        guest.waiting.clear()

    def _try_waiting(self) -> None:
        """Judge waiting entries again: take those that are right now, drop those that are refused.

        Raise Refused or OSError if those that are right cannot be added.
        """
        with self.replica.guard:
            while any(self._try_waiting_of(guest) for guest in self.guests if guest.waiting):
                pass  # what was taken may be what other entries wait for

    def _try_waiting_of(self, guest: ConnectedGuest) -> bool:
        """Judge the waiting entries of this guest again: take those that are right, drop those that are refused.

        Return True if any were taken. Raise Refused or OSError if they cannot be added.
        """
        taken: list[Entry] = []
        for ident, entry in list(guest.waiting.items()):
            ruling = judge(entry, guest.seat, self.replica, missed=True, trusted=guest.trusted)
            if ruling.word == "wait":
                continue
            del guest.waiting[ident]
            if ruling.word == "take" and ident not in self.replica.ids:
                self.replica.add(entry)
                self._origin[ident] = guest
                taken.append(entry)
        if taken:
            self.replica.apart = True
            self._put_in(taken, guest)
        return bool(taken)
