"""The chronicle: the journal from its first item to its last, each with its session of play and its scene.

Exports, statistics, the recap and `tracker log` read a campaign through it. It streams: memory does not grow with the
length of the campaign.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from tracker.campaign.fold import fold, start
from tracker.campaign.history import History, Later
from tracker.campaign.journal import JOINED, JournalLine, is_item, line, same_hand
from tracker.campaign.log import Entry
from tracker.campaign.session import Session, Step
from tracker.campaign.typed_commands import find
from tracker.games.api.errors import Malformed, Refused
from tracker.games.api.game import Game, Move
from tracker.games.api.schema import State
from tracker.games.common import notes
from tracker.games.common.scenes import SCENE, SESSION
from tracker.records import NamedTuple
from tracker.text import shown_line

KINDS = {
    "story": "texts of the players, scenes and sessions",
    "move": "moves and other procedures",
    "oracle": "answers of the oracle",
    "note": "world notes",
    "change": "changes by hand",
}
"""The kinds of items, each with what it means in a few words."""
HIGHEST = 9999
"""The highest number of a session, as `scenes.LAYOUT` has it."""


class Moment(NamedTuple):
    """An item of the journal with its place in the story: session of play and scene.

    `number` is the number of the session. `scene` is the title of the scene, "" before the first scene of the session.
    `kind` is one of KINDS. The line that begins a session or scene is the first moment of it.
    """

    line: JournalLine
    session: int
    scene: str
    kind: str

    @property
    def begins_session(self) -> bool:
        return self.line.entry.get("did") == SESSION.id

    @property
    def begins_scene(self) -> bool:
        return self.line.entry.get("did") == SCENE.id

    @property
    def unfinished(self) -> bool:
        """True for a procedure that was left before its end, such as a move whose dice are rolled."""
        return bool(self.line.entry.get("open"))

    @property
    def counts(self) -> bool:
        """True for an item that is part of the story: not undone, not superseded and not unfinished.

        A crossed-out item counts, too.
        """
        return not (self.line.undone or self.line.superseded or self.unfinished)


class Selection(NamedTuple):
    """A filter for the moments of a campaign, such as “sessions 2 to 4, Kara, only moves”. Make one with `select`.

    `first` and `last` are the lowest and highest session. If `latest` is True, only the latest session is wanted. `who`
    has the ids of the wanted characters and `kinds` the wanted kinds; an empty one wants all. The flags `undone`,
    `unfinished` and `struck` also let in items that are undone or superseded, unfinished, or crossed out.
    """

    first: int = 1
    last: int = HIGHEST
    latest: bool = False
    who: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    undone: bool = False
    unfinished: bool = False
    struck: bool = True

    def takes(self, moment: Moment) -> bool:
        """Return True if the filter lets this moment in, whatever its session: the caller has to check that."""
        one = moment.line
        return (
            (not self.who or one.entry.get("who") in self.who)
            and (not self.kinds or moment.kind in self.kinds)
            and (self.undone or not (one.undone or one.superseded))
            and (self.unfinished or not moment.unfinished)
            and (self.struck or not one.struck)
        )


ALL = Selection()
_BEGINS = re.compile(rb'\ndid = "%s"|at = "session"' % re.escape(SESSION.id.encode()))
"""Pattern for the bytes of an entry that begins a session or sets its number."""
_CLOSES = re.compile(rb"\ncloses = ")
_SESSIONS = re.compile(r"([0-9]{1,4})(?:\s*[-–]\s*([0-9]{1,4}))?")


def select(
    session: Session,
    sessions: str = "",
    characters: Iterable[str] = (),
    kinds: Iterable[str] = (),
    *,
    undone: bool = False,
    unfinished: bool = False,
    struck: bool = True,
) -> Selection:
    """Return the Selection for arguments that a player has typed.

    `sessions` is `N`, `A-B` or `last`, or "" for all. `characters` are names or beginnings of names. `kinds` are names
    in KINDS. Raise Malformed if a kind is unknown or `sessions` has another form, and Refused if the campaign has no
    such session, or a name fits no character or several. The flags `undone`, `unfinished` and `struck` also let in
    items that are undone or superseded, unfinished, or crossed out.
    """
    wanted = Selection(undone=undone, unfinished=unfinished, struck=struck)
    said, newest = sessions.strip().casefold(), int(session.state["session"])
    if said in {"last", "latest"}:
        wanted = wanted._replace(latest=True)
    elif said:
        typed = _SESSIONS.fullmatch(said)
        if not typed:
            raise Malformed(f"“{shown_line(sessions, 40)}” isn't a session; write 3, 2-4 or last.")
        first, last = int(typed[1]), int(typed[2] or typed[1])
        if first > last:
            raise Malformed(f"Sessions {first}-{last} are in the wrong order; write {last}-{first}.")
        if first < 1 or first > newest:
            there = f"sessions 1 to {newest}" if newest > 1 else "only session 1"
            raise Refused(f"There is no session {first}; this campaign has {there}.")
        wanted = wanted._replace(first=first, last=last)
    unknown = next((kind for kind in kinds if kind not in KINDS), None)
    if unknown is not None:
        raise Malformed(f"“{shown_line(unknown, 40)}” isn't a kind of entry; choose from: {', '.join(KINDS)}.")
    return wanted._replace(who=frozenset(_character(session, name) for name in characters), kinds=frozenset(kinds))


Change = tuple[State, State]
"""The state before an entry and after it."""


def _character(session: Session, name: str) -> str:
    party = session.state["party"]
    found = find(name, [[shown_line(who["name"])] for who in party.values()])
    if found is None:
        there = ", ".join(shown_line(who["name"]) for who in party.values())
        way_out = f"choose from: {there}." if there else "there are none yet."
        raise Refused(f"No character is called “{shown_line(name, 40)}”; {way_out}")
    return str(list(party)[found])


def chronicle(session: Session, wanted: Selection = ALL, step: Step | None = None) -> Iterator[Moment]:
    """Yield the wanted moments of a campaign, oldest first.

    Items that are added after the first one is asked for are left out. Can run in any thread. `step` is called with the
    progress, from 0 to 1, and may raise to cancel. Raise OSError if the file cannot be read.
    """
    history = session.history
    later = history.later(history.marked())
    number, since = 1, ""
    if wanted.latest:
        number, since = int(session.state["session"]), _latest(history, later)
    yield from _moments(session, wanted, history.oldest_first(later, since, step), later, (number, "", since))


def with_changes(
    session: Session, wanted: Selection = ALL, step: Step | None = None
) -> Iterator[tuple[Moment, tuple[Change, ...]]]:
    """Yield (moment, changes) for the moments that `chronicle` yields, oldest first.

    A change is the pair (state before, state after). There is one for each entry of a move; `changes` is () for a
    moment that does not count. The state of the whole campaign is computed from its first entry on, even if few
    sessions are wanted. `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the
    file cannot be read.
    """
    history = session.history
    later = history.later(history.marked())
    folded = _Fold(session, later)
    entries = folded.along(history.oldest_first(later, step=step))
    place = 1, "", ""
    if wanted.latest and (since := _latest(history, later)):
        entries = itertools.dropwhile(lambda pair: pair[0]["id"] != since, entries)
        place = int(session.state["session"]), "", since
    for moment in _moments(session, wanted, entries, later, place):
        yield moment, folded.changes


class _Fold:
    """Computes the state entry by entry, from the first one on.

    `changes` has the changes by the entry that `along` yielded last, after those by earlier entries of its procedure;
    it is () if that entry does not count.
    """

    def __init__(self, session: Session, later: Later) -> None:
        self._session = session
        self._state: State = start(session.game.top)
        self._under_way: dict[str, tuple[Change, ...]] = {}
        """The changes so far of each procedure under way, by the id of its newest open entry."""
        self._void = self._not_counting(session.history, later)
        self.changes: tuple[Change, ...] = ()

    @staticmethod
    def _not_counting(history: History, later: Later) -> frozenset[str]:
        """Return the ids of open entries that do not count because of a later entry of their procedure.

        That entry is undone, or replaces the effects of the open one. Raise OSError if the file cannot be read.
        """
        void: set[str] = set()
        older = itertools.chain.from_iterable(history.matching(_CLOSES, later))
        for entry, undone in itertools.chain(history.newest(), older):
            closes = entry.get("closes")
            if closes and (undone or entry["id"] in void or (entry.get("whole") and not history.superseded(entry))):
                void.add(str(closes))
        return frozenset(void)

    def along(self, entries: Iterable[tuple[Entry, bool]]) -> Iterator[tuple[Entry, bool]]:
        """Yield these (entry, undone) pairs unchanged, each after the state and `changes` are updated for its entry.

        `entries` must begin with the first entry of the campaign.
        """
        top, history = self._session.game.top, self._session.history
        for entry, undone in entries:
            before, ident = self._state, entry["id"]
            held = self._under_way.pop(entry.get("closes", ""), ())
            counts = not (undone or "undoes" in entry or history.superseded(entry))
            if counts and ident not in self._void:
                self._state = fold(top, before, entry.get("effects", ()))
                held = (*held, (before, self._state))
            self.changes = held if counts else ()
            if entry.get("open"):
                self._under_way[ident] = held
            yield entry, undone


def news(session: Session, wanted: Selection = ALL) -> Iterator[Moment]:
    """Yield the wanted moments of the entries after the snapshot, which are in memory, oldest first. Reads no file."""
    log, history = session.log, session.history
    place = int(log.base["session"]), str(log.base["scene"]), ""
    yield from _moments(session, wanted, reversed(list(history.newest())), history.later(()), place)


def _moments(
    session: Session,
    wanted: Selection,
    entries: Iterable[tuple[Entry, bool]],
    later: Later,
    place: tuple[int, str, str],
) -> Iterator[Moment]:
    """Yield the wanted moments of these (entry, undone) pairs, which come oldest first.

    `place` is (session number, scene title, id) before the first of them. The id is that of an entry that has begun
    this session and must not be counted again, or "".
    """
    game, history = session.game, session.history
    number, scene, since = place
    open_now = {entry["id"] for entry in session.log.open_runs()}
    asked = game.oracles().procedures
    for entry, undone in entries:
        if not is_item(entry, undone=undone, open_now=open_now):
            continue
        did = entry.get("did")
        counts = not (undone or entry.get("open") or history.superseded(entry))
        if counts and entry["id"] != since:
            number = number_after(number, entry)
        if counts and did == SESSION.id:
            scene = ""
        if not wanted.first <= number <= wanted.last:
            continue
        one = line(session, entry, later, undone=undone)
        if counts and did == SCENE.id:
            scene = one.heading
        moment = Moment(one, number, scene, _kind(game, one, asked))
        if wanted.takes(moment):
            yield moment


def joined(moments: Iterable[Moment]) -> Iterator[Moment]:
    """Yield these moments, which come oldest first, with consecutive changes by hand of a character joined into one.

    Only moments of the same session are joined, and at most JOINED of them.
    """
    held: Moment | None = None
    for moment in moments:
        alike = held and held.session == moment.session and same_hand(moment.line, held.line)
        if held and alike and len(held.line.changes) < JOINED:
            one = moment.line._replace(changes=(*moment.line.changes, *held.line.changes))
            held = held._replace(line=one)
            continue
        if held:
            yield held
        held = moment
    if held:
        yield held


def number_after(number: int, entry: Entry) -> int:
    """Return the number of the session of play after this entry, which must not be undone; `number` is the one before.

    A new session adds 1, and a change by hand can set the number.
    """
    if entry.get("did") == SESSION.id:
        return min(number + 1, HIGHEST)
    for effect in entry.get("effects", ()):
        if effect.get("at") == "session":
            by, to = effect.get("by", 0), effect.get("to", number)
            number = (to if isinstance(to, int) else number) + (by if isinstance(by, int) else 0)
            number = max(1, min(number, HIGHEST))
    return number


def _latest(history: History, later: Later) -> str:
    """Return the id of the entry that began the latest session or set its number by hand.

    Return "" if the campaign has only its first session. Raise OSError if the file cannot be read.
    """
    pages = itertools.chain([history.newest()], history.matching(_BEGINS, later))
    for entry, undone in itertools.chain.from_iterable(pages):
        begins = entry.get("did") == SESSION.id or any(one.get("at") == "session" for one in entry.get("effects", ()))
        if begins and not (undone or entry.get("open") or "undoes" in entry or history.superseded(entry)):
            return str(entry["id"])
    return ""


def _kind(game: Game, one: JournalLine, asked: frozenset[str]) -> str:
    entry = one.entry
    did = entry.get("did", "")
    if did in asked:
        return "oracle"
    if did in notes.MOVES:
        return "note"
    if did in {SCENE.id, SESSION.id, "journal"}:
        return "story"
    move: Move | None = game.moves.get(did)
    if move is None:
        return "change" if entry.get("effects") or not entry.get("text") else "story"
    rolled = bool(one.card and one.card.dice)  # a bare roll of a stat changes nothing by hand
    return "change" if move.group == "by hand" and not rolled else "move"
