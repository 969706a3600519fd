"""A member of a table without a host: everybody reads the posts of one feed, in its order, and judges them alike.

An entry is posted once it is durable here, and signed with the player's key. Every reader checks it as a host checks
what a guest sends (`rulings.judge`), against the same posts in the same order, so that all readers come to the same
rulings. What needs a word, such as a new player or an entry for another player's character, waits for one of the GM.

A member posts its own entries; the GM's also posts those of others that the feed lacks. After any absence, or with
another server, a member reads what is new and posts what is missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Coroutine, Sequence
from typing import Any

from tracker.coop import key_files, wire
from tracker.coop import nats_feed as feeds
from tracker.coop.events import Events, Knock, Present
from tracker.coop.guest import NotLetIn, Status, Welcome, check_welcome, reconnect
from tracker.coop.lines import LineClosed
from tracker.coop.nats_feed import (
    ANSWER,
    CAMPAIGN,
    ENTRY,
    HERE,
    KNOCK,
    WORD,
    Feed,
    Post,
    Unreachable,
    hash_of,
    read_json,
)
from tracker.coop.proofs import new_nonce
from tracker.coop.replica import Replica, time_of
from tracker.coop.rulings import TAKE, Ruling, judge
from tracker.coop.seats import Seat, seat_of, sit
from tracker.coop.session_events import SessionEvents
from tracker.coop.state_fingerprint import layout_of
from tracker.games.api.errors import Refused
from tracker.games.api.phrases import counted
from tracker.games.common import seats
from tracker.games.common.seats import GM, NAME_MOST, PLAYER, SPECTATOR
from tracker.records import NamedTuple
from tracker.saves.blocks import Entry
from tracker.saves.disk import Disk, data_folder, open_regular
from tracker.saves.errors import SaveError
from tracker.saves.id_set import IdSet
from tracker.text import name_problem, shown_line

HERE_SECONDS = 10.0
"""Seconds after which a member says again that it is here. One who is silent for three times as long counts as gone."""
AT_ONCE = 2000
"""Most posts that are judged before the entries that passed are taken."""
MOST_WAITING = 5000
"""Most entries of one key that may wait; further ones are passed over."""
MOST_PRESENT = 50
KEPT_EVERY = 500
"""Posts after which the place in the feed is written down."""
PLACES = "feeds"
"""Folder beside the keys with the place in each feed up to which our file has everything. It may be deleted."""


class Author:
    """A player whose entries wait for the GM to accept them: the seat, and the entries by id (`waiting`)."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.waiting: dict[str, Entry] = {}


class Waiting(NamedTuple):
    """An entry that may become right, and the public key of the player who posted it."""

    key: str
    entry: Entry


class Caller:
    """A player without a seat who asks for one: the name, and the nonce that tells this question from later ones.

    `asking` is the task that asks the GM, or None before it has begun.
    """

    def __init__(self, name: str, nonce: str) -> None:
        self.name = name
        self.nonce = nonce
        self.asking: asyncio.Future[None] | None = None


class Member:
    """A campaign that is played over a feed. Make it in the event loop in which it runs, and await `run`.

    It has the methods and attributes that `Company` uses of a guest and, if our seat is a GM's, of a host. `name` is
    the player's, for a new seat; the key is that of `feed`.
    """

    def __init__(
        self,
        replica: Replica,
        feed: Feed,
        name: str,
        events: Events,
        role: str = PLAYER,
        *,
        opens: bool = False,
    ) -> None:
        """`opens` is True for the member who opens the campaign to others, and makes its stream if there is none.

        Raise Refused if the seat of such a member cannot be saved. `role` is PLAYER or SPECTATOR.
        """
        self.replica = replica
        self.session = replica.session
        self.events = events
        self.role = role
        self.status: Status = "away"
        self.why = ""
        """Why this member is refused, or ""."""
        self.trouble = ""
        self.host = ""
        """The name of the GM, once known."""
        self._unshared: set[str] = set()
        """Ids of entries of ours that the feed did not have when we looked last."""
        self.waiting: dict[str, str] = {}
        """Reasons why entries of ours wait for the GM's word, by the entry's id."""
        self._feed = feed
        self._key = feed.key
        self._name = name
        self._opens = opens
        self._there = IdSet()
        """The entries of the feed up to the last post that was read."""
        self._time = 0
        """The highest time `t` of the entries in `_there`."""
        self._at = 0
        """The number of the last post that was read."""
        self._first_key = ""
        """The key of the member who began the feed: believed as long as our copy has no seats."""
        self._held: dict[str, Waiting] = {}
        """Entries that wait, by id."""
        self._words: dict[str, str] = {}
        """Words of the GM: "take" or the reason why not, by the id of the entry."""
        self._played: dict[str, str] = {}
        """What the GM says is played: game, rules, layout and name of the campaign."""
        self._callers: dict[str, Caller] = {}
        """Who asks for a seat, by key."""
        self._nonce = ""
        """The last part of our own question for a seat."""
        self._fresh: list[Entry] = []
        """Entries that were judged right and are not taken yet."""
        self._known: list[Post] = []
        """Posts of entries that we have already, to be compared."""
        self._not_durable: set[str] = set()
        self._queue: asyncio.Queue[Entry] = asyncio.Queue()
        self._present: dict[str, tuple[Present, float]] = {}
        self._caught_up = asyncio.Event()
        self._tasks: set[asyncio.Future[None]] = set()
        """Work that is under way beside reading."""
        self._subject = ""
        self._kept_at = 0
        self._loop = asyncio.get_running_loop()
        self._listening = SessionEvents(
            replica,
            events.says,
            entered=self._entered,
            written=self._written,
            read_again=self._begin_again,
        )
        if opens:
            with replica.guard:
                sit(self.session, name, self._key.public)
        if role != SPECTATOR and self.seat:
            self.session.by = self.seat
        self.session.watches = role == SPECTATOR or not self.seat

    def stop(self) -> None:
        """Stop listening to the session. Cancel `run` first."""
        self._listening.stop()

    # -- how things are ---------------------------------------------------------------------------------

    @property
    def seat(self) -> str:
        """The id of our seat, or ""."""
        return seats.with_key(self.session.state, self._key.public)

    @property
    def is_gm(self) -> bool:
        record = self.session.state["seats"].get(self.seat)
        return record is not None and record["role"] == GM

    @property
    def progress(self) -> float:
        """The part of the feed that was read, from 0 to 1, while catching up; 0 if the feed has no posts."""
        return min(1.0, self._at / self._feed.last) if self._feed.last else 0.0

    @property
    def to_share(self) -> set[str]:
        """Ids of entries of ours that the feed does not have yet."""
        return {ident for ident in self._unshared if ident not in self._there}

    @property
    def present(self) -> list[Present]:
        """Everybody who is here, by name; empty while away."""
        return sorted((one for one, _ in self._present.values()), key=lambda one: (one.name, one.seat))

    @property
    def guests(self) -> list[Author]:
        """The authors of entries that wait for the GM's word."""
        found: dict[str, Author] = {}
        for ident, held in self._held.items():
            seat = self._seat_of(held.key)
            if seat and seat.id != self.seat:
                found.setdefault(held.key, Author(seat)).waiting[ident] = held.entry
        return list(found.values())

    def connection(self) -> str:
        """Return a sentence or two about the connection, for the list of people."""
        where, gm = self._feed.server.shown, self.host or "The GM"
        if self.status == "here":
            waits = f" {gm} has yet to agree to {counted(len(self.waiting), 'entry')} of yours." if self.waiting else ""
            return f"You play over {where}.{waits}"
        return {
            "asked": f"{gm} is asked to let you in.",
            "catching up": f"Catching up with {where}.",
            "refused": f"{self.why} You play alone.",
        }.get(self.status, f"{where} is away. You play alone until the connection is back.")

    # -- what the session tells -------------------------------------------------------------------------

    def _begin_again(self) -> None:
        """Begin to close the feed, so that `run` connects again: another program has changed the file."""
        self._closing = asyncio.ensure_future(self._feed.close("the save was read again"))

    def _entered(self, entry: Entry) -> None:
        if entry["id"] in self.replica.ids:
            return
        self.replica.add(entry)
        self._not_durable.add(entry["id"])
        if self._posts(entry):
            self._unshared.add(entry["id"])

    def _written(self, ids: Sequence[str]) -> None:
        with self.replica.guard:
            entries = self.replica.written(ids)
        self._not_durable.difference_update(ids)
        for entry in entries:
            if self._caught_up.is_set() and self._posts(entry) and entry["id"] not in self._there:
                self._queue.put_nowait(entry)

    def _posts(self, entry: Entry) -> bool:
        """Return True if this member posts the entry.

        A GM posts those of everybody, a spectator none, and others their own.
        """
        if self.role == SPECTATOR:
            return False
        return self.is_gm or (bool(self.session.by) and entry.get("by", "") == self.session.by)

    # -- staying ----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Coroutine that plays over the feed until it is cancelled, and reconnects as often as needed.

        Return only if the server or the GM will never let this member in; `status` is "refused" then.
        """
        try:
            await reconnect(self._visit)
        except (NotLetIn, Unreachable) as error:
            self.why = str(error)
            self._be("refused")
            self.events.says(f"{self.why} You play on alone.")

    async def _visit(self) -> bool:
        """Connect and stay with the feed until the connection is lost; return True if we were "here" at its end.

        Afterwards `status` is "away", and if we were "here" the player is told the reason. Raise NotLetIn or
        Unreachable if this member is refused for good.
        """
        was_here = False
        try:
            try:
                await self._feed.open()
                _end_if_cancelled()
                await self._stay()
            finally:
                was_here = self.status == "here"
                self._keep_place()
                await self._leave()
        except LineClosed as closed:
            self._part(str(closed))
        except (SaveError, Refused, OSError, wire.Garbage) as error:
            self._part(shown_line(str(error), 100))
        _end_if_cancelled()
        return was_here

    async def _leave(self) -> None:
        self._callers = {}
        if self.status == "here":
            with contextlib.suppress(LineClosed, Unreachable):
                await self._feed.call(self._card(bye="1"))
        await self._feed.close()

    def _part(self, why: str) -> None:
        if self.status == "here":
            self.events.says(f"{(why[:1].upper() + why[1:]).rstrip('.')}. You play on alone until it is back.")
        self._be("away")

    def _be(self, status: Status) -> None:
        self.status = status
        if status in {"away", "refused"}:
            self._present = {}
        self.events.changed()

    async def _stay(self) -> None:
        """Read the feed from where we stopped, and catch up at the last post that it has now.

        A member who opens the campaign makes its stream if there is none. It never returns: LineClosed is raised when
        the connection is lost. Raise NotLetIn or Unreachable if this member is refused for good, and Refused or OSError
        if entries cannot be taken.
        """
        self._caught_up.clear()
        if not await self._feed.look():
            if not self._opens:
                raise LineClosed(0, "the campaign is not on the server")
            await self._feed.begin(self.session.save.name.removesuffix(".toml"))
            await self._feed.look()
        self._be("catching up")
        await self._resume()
        last = self._feed.last
        await self._feed.follow(self._at)
        self._begin(self._feed.watch())
        try:
            while True:
                if self._at >= last and not self._caught_up.is_set():
                    self._catch_up()
                if not self._feed.is_behind or len(self._fresh) + len(self._known) >= AT_ONCE:
                    with self.replica.guard:
                        self._flush()
                    await asyncio.sleep(0)  # keys go on between two portions
                _end_if_cancelled()
                await self._hear(await self._feed.recv())
        finally:
            self._caught_up.clear()
            tasks, self._tasks = self._tasks, set()
            await _cancel(tasks)
            self._forget_fresh()
            for task in tasks:
                if not task.cancelled() and (fault := task.exception()):
                    raise fault

    def _forget_fresh(self) -> None:
        """Forget the posts whose entries were not taken or not compared: the next visit reads them again.

        Raise OSError if the campaign's file cannot be read.
        """
        if self._fresh or self._known:
            self._at = 0  # no place to keep: these posts have to be read again
        fresh, self._fresh, self._known = self._fresh, [], []
        if fresh:
            self._not_durable.difference_update(entry["id"] for entry in fresh)
            with self.replica.guard:
                self.replica.read_again()

    def _catch_up(self) -> None:
        """Take what was missed, then begin to post what the feed lacks and to say that we are here, and find our seat.

        Raise NotLetIn if this tracker cannot play the campaign, and Refused or OSError if what was missed cannot be
        taken.
        """
        with self.replica.guard:
            self._flush()
            self._check()
            self._caught_up.set()
            self._queue = asyncio.Queue()
            self._begin(self._post())
            self._begin(self._say_here())
            self._find_seat()

    def _begin(self, work: Coroutine[Any, Any, object]) -> asyncio.Future[None]:
        """Start the coroutine `work` as a task beside the reading of posts, and return the task.

        If it raises, the feed is closed with the reason, which ends the visit.
        """

        async def beside() -> None:
            try:
                await work
            except (LineClosed, SaveError, Refused, OSError) as error:
                await self._feed.close(str(error))
            except Exception:
                await self._feed.close("internal error")
                raise

        task = asyncio.ensure_future(beside())
        self._tasks.add(task)
        return task

    # -- the place in the feed --------------------------------------------------------------------------

    def _place_file(self) -> str:
        of = f"{self._feed.server.shown} {self.session.save.real}"
        name = f"{feeds.name_of(self.session.save.head.id)}-{hash_of(of)}.json"
        return os.path.join(key_files.folder(), PLACES, name)

    async def _resume(self) -> None:
        """Set the place from which the feed is read: where we stopped, or its beginning if that no longer fits.

        Raise LineClosed if the server does not answer.
        """
        place = self._read_place()
        self._there, self._time, self._at, self._subject, self._first_key = IdSet(), 0, 0, "", ""
        self._held, self._words, self._callers, self._played = {}, {}, {}, {}
        if not place or place.get("made") != self._feed.created or not 0 < place["at"] <= self._feed.last:
            return
        there = IdSet.read(place["upto"], place["more"])
        if not self.replica.ids.covers(there):
            return  # our file is an older one, or an entry was deleted: read everything
        if await self._feed.subject_at(place["at"]) == place["subject"]:
            self._there, self._time, self._at = there, place["time"], place["at"]
            self._subject, self._first_key, self._played = place["subject"], place["first"], place["played"]

    def _read_place(self) -> dict[str, Any] | None:
        try:
            with open_regular(self._place_file()) as file:
                read = json.loads(file.read(50_000_000))
        except (OSError, ValueError, RecursionError):
            return None
        wanted = {"at": int, "time": int, "made": str, "subject": str, "first": str, "played": dict}
        wanted |= {"upto": dict, "more": list}
        if not isinstance(read, dict) or any(type(read.get(name)) is not kind for name, kind in wanted.items()):
            return None
        return read

    def _keep_place(self) -> None:
        """Store the place in the feed in a file beside the keys, if everything up to it is in our save.

        Do nothing while an entry waits or is not durable yet. Never raises OSError: without the file, the next visit
        reads the feed from its beginning.
        """
        unsettled = self._held or (self._callers and self.is_gm) or self._fresh or self._known or self._not_durable
        if unsettled or not self._at:
            return
        told: dict[str, Any] = {
            "at": self._at,
            "time": self._time,
            "made": self._feed.created,
            "subject": self._subject,
        }
        told |= {"first": self._first_key, "played": self._played, **self._there.message()}
        self._kept_at = self._at
        with contextlib.suppress(OSError):
            os.makedirs(data_folder(), mode=0o700, exist_ok=True)
            Disk().make_folder(key_files.folder())
            Disk().make_folder(os.path.dirname(self._place_file()))
            Disk().replace_file(self._place_file(), json.dumps(told).encode(), 0o600)

    # -- reading ----------------------------------------------------------------------------------------

    async def _hear(self, post: Post) -> None:
        """Handle a post, and note the place up to which the feed was read.

        Raise NotLetIn if this member is refused or cannot play the campaign, Refused or OSError if entries cannot be
        taken, and LineClosed if the connection is lost.
        """
        if post.kind == HERE:
            await self._hear_here(post)
            return
        with self.replica.guard:
            if post.kind == feeds.ENTRY:
                self._hear_post(post)
            else:
                self._flush()
                self._hear_other(post)
            self._at, self._subject = post.seq, post.subject
            if self._at >= self._kept_at + KEPT_EVERY and not self._feed.is_behind:
                self._flush()
                self._keep_place()

    def _hear_other(self, post: Post) -> None:
        """React to a post that is no entry. Everything before it has been taken.

        Raise NotLetIn if the campaign there is one that this tracker cannot play, or if the GM refuses us a seat; and
        Refused or OSError if entries that waited for this post cannot be taken.
        """
        match post.kind:
            case feeds.WORD if post.about not in self._words and self._is_of_gm(post):
                self._words[post.about] = post.text
                self._hear_word(post.about, post.text)
            case feeds.CAMPAIGN if (not self._first_key or self._is_of_gm(post)) and post.is_genuine:
                self._first_key = self._first_key or post.key
                self._played = read_json(post.text)
                if self._caught_up.is_set():
                    self._check()
            case feeds.KNOCK:
                self._hear_knock(post)
            case feeds.ANSWER:
                self._hear_answer(post)

    def _seat_of(self, key: str) -> Seat | None:
        """Return the seat of the player with this key; None if there is none.

        While our copy has no seats, the player who began the feed counts as a GM.
        """
        state = self.session.state
        if ident := seats.with_key(state, key):
            return seat_of(state, ident)
        return Seat("-", "", GM) if key == self._first_key and not state["seats"] else None

    def _is_of_gm(self, post: Post) -> bool:
        seat = self._seat_of(post.key)
        return seat is not None and seat.role == GM and post.is_genuine

    def _check(self) -> None:
        """Raise NotLetIn if another campaign is played there, or by a game or rules that this tracker does not have."""
        if self._played:
            if self._played.get("id") != self.session.save.head.id:
                raise NotLetIn("Another campaign is played there.")
            check_welcome(Welcome("", "", self._played), self.session.game.id)

    def _check_seat(self) -> None:
        """Raise NotLetIn if our seat no longer has our key."""
        record = self.session.state["seats"].get(self.session.by)
        if self.role != SPECTATOR and record and record["key"] != self._key.public:
            raise NotLetIn("The GM removed you.")

    def _hear_post(self, post: Post) -> None:
        """Judge the entry in a post: put it into `_fresh` to be taken, or into `_held` to wait, or drop it.

        A post of an entry that we have already goes to `_known`, to be compared. Raise Refused or OSError if earlier
        entries, which may be taken first, cannot be taken, and NotLetIn if our seat no longer has our key.
        """
        ident = post.about
        if ident in self._there:
            return  # the first that was right counts
        if ident in self.replica.ids:
            self._known.append(post)
            return
        entry = self._entry_of(post)
        if entry is None or not post.is_genuine:
            return
        ruling = self._rule(post.key, entry)
        if ruling != TAKE and (self._fresh or self._known):
            self._flush()
            ruling = self._rule(post.key, entry)
        if ruling == TAKE:
            self._accept(entry)
        elif ruling.word == "wait" and sum(one.key == post.key for one in self._held.values()) < MOST_WAITING:
            self._held[ident] = Waiting(post.key, entry)
            self.events.changed()

    def _entry_of(self, post: Post) -> Entry | None:
        try:
            entry = wire.entry_of(post.text)
        except wire.Garbage:
            return None
        return entry if entry["id"] == post.about else None

    def _rule(self, key: str, entry: Entry) -> Ruling:
        """Return whether a genuine entry of the player with this key is taken, waits, or is refused.

        Raise OSError if the campaign's file cannot be read.
        """
        seat = self._seat_of(key)
        if seat is None:
            return Ruling("wait", "its author has no seat")
        trusted = self._words.get(entry["id"]) == "take"
        brings = seat.role == GM  # other members post only what is their own
        return judge(entry, seat, self.replica, missed=brings, trusted=trusted, time=self._time)

    def _accept(self, entry: Entry) -> None:
        self._held.pop(entry["id"], None)
        self.replica.add(entry)
        self._fresh.append(entry)
        self._not_durable.add(entry["id"])
        self._count(entry["id"], entry["t"])

    def _count(self, ident: str, time: int) -> None:
        """Count the entry with this id and this `t` (`time`) among those that the feed has."""
        self._there.add(ident)
        self._time = max(self._time, time)
        self._unshared.discard(ident)

    def _flush(self) -> None:
        """Take the entries in `_fresh` into the session, then those that have waited for them, until none is left.

        First compare the posts in `_known` with our entries. Once caught up, check our seat at the end, and find it.
        Raise Refused or OSError if entries cannot be taken; they are then read from the feed again later. Raise
        NotLetIn if our seat no longer has our key.
        """
        if self._known:
            self._compare()
        while self._fresh:
            fresh, self._fresh = self._fresh, []
            self.replica.before = self.session.state
            self.replica.apart = not self._caught_up.is_set()
            try:
                self.session.take(fresh)
            except (Refused, OSError):
                self._fresh = fresh
                self._forget_fresh()
                raise
            self.events.new(fresh)
            self._give(fresh)
            self._settle()
        if self._caught_up.is_set():
            self._check_seat()
            self._find_seat()

    def _settle(self) -> None:
        """Judge the entries in `_held` again: those that are right now go to `_fresh`, those refused are dropped.

        Raise OSError if the campaign's file cannot be read.
        """
        for ident, held in list(self._held.items()):
            if ident in self._there:
                del self._held[ident]
                continue
            ruling = self._rule(held.key, held.entry)
            if ruling == TAKE:
                self._accept(held.entry)
            elif ruling.word == "refuse":
                del self._held[ident]

    def _compare(self) -> None:
        """Compare posts with our entries of the same ids; where they differ, replace ours by those of the feed.

        Ours are set aside in a file beside the campaign, and the player is told. Raise Refused or OSError if they
        cannot be replaced.
        """
        known, self._known = self._known, []
        texts = self.replica.texts(post.about for post in known)
        ours = {wire.id_of(text): text for text in texts}
        wrong: list[Entry] = []
        for post in known:
            ident = post.about
            if ident in self._there:
                continue
            if wire.is_same(ours.get(ident, ""), post.text):
                self._count(ident, time_of(post.text))
                if post.key == self._key.public and self._caught_up.is_set():
                    self._find_why(ident, post)
                continue
            entry = self._entry_of(post)
            if entry and post.is_genuine and self._rule(post.key, entry) == TAKE:
                self._count(ident, entry["t"])
                wrong.append(entry)
        if wrong:
            self._set_aside([entry["id"] for entry in wrong], f"{len(wrong)} of your entries differ from the others'")
            self.events.new(self.replica.take(wrong))

    def _find_why(self, ident: str, post: Post) -> None:
        """Judge the post with an entry of ours as the other members do.

        If they make the entry wait for the GM's word, store the reason in `waiting`. Tell the frontend either way.
        Raise OSError if the campaign's file cannot be read.
        """
        entry = self._entry_of(post)
        ruling = self._rule(post.key, entry) if entry else TAKE
        if ruling.word == "wait":
            self.waiting[ident] = ruling.why
        self.events.changed()

    def _set_aside(self, ids: list[str], why: str) -> None:
        gone = self.session.without({*ids})
        self.replica.read_again()
        self._unshared.difference_update(ids)
        for ident in ids:
            self.waiting.pop(ident, None)
        if gone:
            self.events.says(f"{why}: set aside in a file beside the campaign.")
        self.events.changed()

    def _give(self, fresh: list[Entry]) -> None:
        """As the GM, give each character that the entries in `fresh` make to its author's seat; others do nothing.

        A character that some seat plays already is left there. Raise Refused if the change cannot be saved.
        """
        if not self.is_gm:
            return
        for entry in fresh:
            by = entry.get("by", "")
            made = [one["add"]["id"] for one in entry.get("effects", ()) if one["at"] == "party" and "add" in one]
            for who in made:
                state = self.session.state
                if by in state["seats"] and who in state["party"] and not seats.holder(state, who):
                    plays = [*state["seats"][by]["plays"], who]
                    self.session.do("seat", seats.change(state, by, plays=plays))

    # -- the GM's word ----------------------------------------------------------------------------------

    def _hear_word(self, ident: str, word: str) -> None:
        self.waiting.pop(ident, None)
        if word == "take":
            self._settle()
            self._flush()
        elif ident in self._held:
            del self._held[ident]
        elif ident in self.replica.ids:
            self._set_aside([ident], f"The GM refuses an entry ({shown_line(word, 100)})")
        self.events.changed()

    def accept(self, author: Author) -> None:
        """As the GM, begin to tell everybody to take this author's waiting entries.

        If that fails, the connection is closed and made again.
        """
        self._say_words(author, "take")

    def decline(self, author: Author) -> None:
        """As the GM, begin to tell everybody to refuse this author's waiting entries; their tracker sets them aside.

        If that fails, the connection is closed and made again.
        """
        self._say_words(author, "the GM has said no")

    def _say_words(self, author: Author, word: str) -> None:
        self._begin(self._feed.publish_all(WORD, dict.fromkeys(author.waiting, word)))

    def put_out(self, seat: str) -> None:
        """As the GM, remove the key from the seat with this id: later posts of its owner are refused.

        Raise Refused if the change cannot be saved.
        """
        with self.replica.guard:
            self.session.do("seat", seats.change(self.session.state, seat, key=""))

    # -- seats ------------------------------------------------------------------------------------------

    def _find_seat(self) -> None:
        """Take our seat if we have one, and be "here"; otherwise ask the GM for one, once, and be "asked".

        A spectator needs no seat. As the GM, also begin to ask the player about each caller who was not asked about
        yet.
        """
        state = self.session.state
        gm = next((ident for ident, one in state["seats"].items() if one["role"] == GM), "")
        self.host = seats.name_of(state, gm) if gm else ""
        self._callers = {key: one for key, one in self._callers.items() if not seats.with_key(state, key)}
        if ident := self.seat:
            self.session.by = ident
        self.session.watches = self.role == SPECTATOR or not ident  # nobody would take what is made without a seat
        if self.role == SPECTATOR or ident:
            if self.status != "here":
                self._be("here")
                self._begin(self._feed.call(self._card(new="1")))
        elif not self._nonce:
            self._nonce = new_nonce()[:8]
            told = json.dumps({"name": self._name})
            self._begin(self._feed.publish(KNOCK, self._nonce, told))
            self._be("asked")
            self.events.says(f"{self.host or 'The GM'} is asked to let you in.")
        if self.is_gm:
            for key, caller in self._callers.items():
                if caller.asking is None:
                    caller.asking = self._begin(self._ask(key, caller))

    def _hear_knock(self, post: Post) -> None:
        name = read_json(post.text).get("name", "")
        known = self._seat_of(post.key) or post.key in self._callers
        if known or name_problem(name) or len(name) > NAME_MOST or not post.is_genuine:
            return
        if len(self._callers) < MOST_PRESENT:
            self._callers[post.key] = Caller(name, post.about)
            if self._caught_up.is_set():
                self._find_seat()

    async def _ask(self, key: str, caller: Caller) -> None:
        """As a GM, ask the player whether a caller is let in; then give the caller a seat, or post the refusal.

        `key` is the caller's public key. Raise Refused if the seat cannot be saved, and LineClosed if the connection is
        lost.
        """
        state = self.session.state
        old = seats.called(state, caller.name)
        if await self.events.asks(
            Knock(shown_line(caller.name, NAME_MOST), self._feed.server.shown, PLAYER, bool(old), key_files.mark(key))
        ):
            with self.replica.guard:
                state = self.session.state
                if not seats.with_key(state, key):
                    old = seats.called(state, caller.name)
                    ident = old or seats.free_id(state, caller.name)
                    made = seats.change(state, old, key=key) if old else seats.add(ident, caller.name, key=key)
                    self.session.do("seat", made)
        else:
            await self._feed.publish(ANSWER, f"{hash_of(key)}.{caller.nonce}", "The GM didn't let you in.")
        self._callers.pop(key, None)

    def _hear_answer(self, post: Post) -> None:
        key, _, nonce = post.about.partition(".")
        if not self._is_of_gm(post):
            return
        for caller in [one for one, asked in self._callers.items() if hash_of(one) == key and asked.nonce == nonce]:
            gone = self._callers.pop(caller)
            if gone.asking:
                gone.asking.cancel()
        if (key, nonce) == (hash_of(self._key.public), self._nonce):
            raise NotLetIn(shown_line(post.text, 100))

    # -- writing ----------------------------------------------------------------------------------------

    async def _post(self) -> None:
        """Coroutine that posts what the feed lacks, and then each entry of ours that becomes durable. It never returns.

        Raise LineClosed when the connection is lost, and OSError if the campaign's file cannot be read.
        """
        with self.replica.guard:
            texts = {wire.id_of(text): text for text in self.replica.lacking(self._there, self._not_durable)}
            waits = [entry for entry in self.session.log.entries if entry["id"] in self._not_durable]
        if not self.is_gm:
            texts = {ident: text for ident, text in texts.items() if self._posts(wire.entry_of(text))}
        self._unshared = {*texts, *(one["id"] for one in waits if self._posts(one) and one["id"] not in self._there)}
        self.events.changed()
        if self.is_gm:
            await self._say_campaign()
        await self._publish(texts)
        while True:
            entries = [await self._queue.get()]
            while not self._queue.empty():
                entries.append(self._queue.get_nowait())
            await self._publish(
                {entry["id"]: wire.text_of(entry) for entry in entries if entry["id"] not in self._there}
            )

    async def _publish(self, texts: dict[str, str]) -> None:
        for ident, why in (await self._feed.publish_all(ENTRY, texts)).items():
            self.waiting[ident] = why
            self.events.says(f"An entry can't be shared: {why}.")

    async def _say_campaign(self) -> None:
        head, game = self.session.save.head, self.session.game
        told = {"id": head.id, "game": head.game, "rules": str(game.rules), "layout": layout_of(game)}
        told["name"] = self.session.save.name.removesuffix(".toml")
        if {**self._played, "name": told["name"]} != told:
            await self._feed.publish(CAMPAIGN, told["layout"], json.dumps(told))

    async def _say_here(self) -> None:
        """Coroutine that tells the others again and again that we are here, and drops those who are silent for long.

        It never returns: LineClosed is raised when the connection is lost.
        """
        while True:
            await asyncio.sleep(HERE_SECONDS)
            if self.status == "here":
                await self._feed.call(self._card())
            past = self._loop.time() - 3 * HERE_SECONDS
            for key, (_, heard) in list(self._present.items()):
                if heard < past:
                    del self._present[key]
                    self.events.changed()

    async def _hear_here(self, post: Post) -> None:
        """Note that somebody is here or has gone, and greet who has just come. Posts that are not genuine are ignored.

        Raise LineClosed if the connection is lost.
        """
        told = read_json(post.text)
        if not post.is_genuine:
            return
        if "bye" in told:
            if self._present.pop(post.key, None):
                self.events.changed()
            return
        seat, name = self._seat_of(post.key), shown_line(told.get("name", ""), NAME_MOST)
        if seat and seat.id != "-":
            present = Present(seat.id, seat.name, SPECTATOR if told.get("role") == SPECTATOR else seat.role)
        elif told.get("role") == SPECTATOR and name:
            present = Present("", name, SPECTATOR)
        else:
            return
        if post.key in self._present or len(self._present) < MOST_PRESENT:
            before = self._present.get(post.key)
            self._present[post.key] = (present, self._loop.time())
            if before is None or before[0] != present:
                self.events.changed()
        if "new" in told and post.key != self._key.public and self.status == "here":
            await self._feed.call(self._card())

    def _card(self, **more: str) -> str:
        """Return the message with which we tell others that we are here.

        It is JSON of our name, our role, and the fields in `more`.
        """
        return json.dumps({"name": self._name, "role": self.role, **more})


def _end_if_cancelled() -> None:
    """Raise CancelledError if this task was cancelled, and a library has let that pass."""
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError


async def _cancel(tasks: set[asyncio.Future[None]]) -> None:
    """Cancel tasks until they have ended: a library may let the first time pass."""
    left = tasks
    while left:
        for task in left:
            task.cancel()
        left = (await asyncio.wait(left, timeout=0.1))[1]


async def find(server: feeds.Server, name: str) -> dict[str, str]:
    """Return what is told about the campaign with this name or id on a server: id, game, rules, layout and name.

    Raise Unreachable, with a sentence for the player, if there is none or more than one; LineClosed if nobody answers.
    """
    found = await feeds.campaigns(server)
    alike = [one for one in found if one[0] == name] or [one for one in found if one[1].casefold() == name.casefold()]
    if not alike:
        others = ", ".join(sorted(said for _, said in found)[:5])
        way_out = f"There are: {shown_line(others, 150)}." if others else "Has it been opened with `tracker host`?"
        raise Unreachable(f"No campaign called “{shown_line(name)}” is on {server.shown}. {way_out}")
    if len(alike) > 1:
        ids = " or ".join(ident for ident, _ in alike[:3])
        raise Unreachable(f"{len(alike)} campaigns are called “{shown_line(name)}” there; join one by its id: {ids}.")
    ident = alike[0][0]
    told = await feeds.told(server, ident)
    if feeds.name_of(told.get("id", "")) != ident:
        raise Unreachable(f"“{shown_line(name)}” on {server.shown} is not open yet; ask its GM to host it once.")
    return told
