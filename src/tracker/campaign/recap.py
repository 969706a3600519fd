"""The recap: what happened in the last session, in ten lines. It follows from the entries by rules; nothing is made up.

The last session is what was played since the last new session, or since the last long rest that has ENOUGH entries
after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Final, NamedTuple

from tracker.campaign.fold import fold, start
from tracker.campaign.journal import A_REST, line
from tracker.campaign.log import Entry
from tracker.campaign.session import Session, Step
from tracker.campaign.statistics import past_move
from tracker.games.api.finished_moves import HEADINGS, Gauge, Landmark
from tracker.games.api.game import Game
from tracker.games.api.phrases import arrow
from tracker.games.api.schema import State
from tracker.games.common import landmarks as common
from tracker.games.common.scenes import SCENE, SESSION
from tracker.text import shown_line

MOST: Final = 10
"""Most lines of a recap."""
BEGAN, ENDED, SCENES, DUE, NEXT = "It began", "It ended", "Scenes", "Due", "Next"
_ORDER = (BEGAN, ENDED, SCENES, *HEADINGS, DUE, NEXT)
_GIVES_WAY = ("Notes", "Travel", "Tracks", SCENES, "Party")
"""Headings that are left out, in this order, if there are more than MOST lines."""
PASSAGE_MOST = 400
"""Most characters shown of a passage."""
FEW = 6
"""Most things told in one line."""
ENOUGH = 12
"""Fewest entries after a long rest that are told without those before it: a few of them make no evening."""
LONGEST = 5000
"""Most entries of a recap; a session of more, which nobody rested in, is told from there on."""


class RecapLine(NamedTuple):
    """One line of a recap: a short heading, and the words, which are safe to show."""

    heading: str
    words: str


class Recap(NamedTuple):
    """A summary of the last session: its `number`, the time of its last entry (`when`, or None), and `lines` of text.

    `lines` is empty if nothing has happened yet.
    """

    number: int
    when: datetime | None
    lines: tuple[RecapLine, ...]


def recap(session: Session, who: str = "", step: Step | None = None) -> Recap:
    """Return the recap of a campaign. It can run in any thread.

    `who` is the id of the active character, whose next moves are suggested. If the last session began before the
    snapshot, the whole history is read; `step` is then called with the progress, from 0 to 1, and may raise to cancel.
    Raise OSError if the file cannot be read.
    """
    number = int(session.state["session"])
    since, when = _last_sitting(session)
    if not since:
        return Recap(number, None, ())
    heard = _Told(session)
    for entry, before, after in _entries(session, since, step):
        heard.hear(entry, before, after)
        if entry.get("did") != SESSION.id:  # one that began after all this tells nothing yet
            number = int(after["session"])
    lines = [*heard.lines(), *_due(session), *_next(session, who or heard.last_who)]
    lines.sort(key=lambda one: _ORDER.index(one.heading))
    for heading in _GIVES_WAY:
        if len(lines) > MOST:
            lines = [one for one in lines if one.heading != heading]
    return Recap(number, when, tuple(lines))


def _last_sitting(session: Session) -> tuple[str, datetime | None]:
    """Return (id of the first entry of the last session, time of its last entry); ("", None) if nothing has happened.

    The session begins after the newest "new session" entry that something follows, or after a pause of more than A_REST
    with ENOUGH entries after it. At most the newest LONGEST entries are looked at. Entries that cannot be read from the
    file are left out.
    """
    first, newest, later, told = "", None, None, 0
    for entry, undone in islice(session.history, LONGEST):
        if undone or "undoes" in entry or session.history.superseded(entry):
            continue
        at = _time(entry)
        rested = at is not None and later is not None and later - at > A_REST
        if first and ((rested and told >= ENOUGH) or entry.get("did") == SESSION.id):
            break
        later = at or later
        if entry.get("did") != SESSION.id:
            first, newest = str(entry["id"]), newest or at
            told += not entry.get("open")
    return first, newest


def _time(entry: Entry) -> datetime | None:
    at = entry.get("at")
    return (at if at.tzinfo else at.replace(tzinfo=UTC)) if isinstance(at, datetime) else None


def _entries(session: Session, since: str, step: Step | None) -> Iterator[tuple[Entry, State, State]]:
    """Yield (entry, state before, state after) for the entries that count, oldest first.

    They begin at the entry with the id `since`; yield nothing if no entry has this id. `step` is called with the
    progress, from 0 to 1, if the whole file is read. Raise OSError if it cannot be read.
    """
    log, top = session.log, session.game.top
    entries = list(log.entries)
    at = next((n for n, entry in enumerate(entries) if entry["id"] == since), None)
    if at is not None:
        state, begun = log.state_at(at), True
        counted: Iterable[tuple[Entry, bool]] = ((entry, log.counts(entry)) for entry in entries[at:])
    else:
        state, begun, counted = start(top), False, session.history.counted(step)
    for entry, counts in counted:
        begun = begun or entry["id"] == since
        if counts:
            before, state = state, fold(top, state, entry.get("effects", ()))
            if begun:
                yield entry, before, state


class _Told:
    """Collects what the entries of a session say for the recap. Pass them to `hear` one by one, oldest first.

    On construction, raise OSError if the file cannot be read.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._later = session.history.later(session.history.marked())
        self._held: dict[str, list[Landmark]] = {}
        """Landmarks of open entries, by their ids: they count once the procedure has ended."""
        self._found: dict[str, dict[str, None]] = {}
        """What was found, by heading, each once."""
        self._passages: list[str] = []
        self._first: dict[str, Gauge] | None = None
        self._now: dict[str, Gauge] = {}
        """The gauges as they were at first, and as they are now."""
        self.last_who = ""

    def hear(self, entry: Entry, before: State, after: State) -> None:
        game, did = self._session.game, entry.get("did", "")
        move = past_move(entry, before, after)
        marks = [*common.landmarks(before, after), *game.landmarks(move), *self._held.pop(entry.get("closes", ""), ())]
        if entry.get("open"):
            self._held[entry["id"]] = marks
        else:
            for mark in marks:
                self._found.setdefault(mark.heading, {})[mark.words] = None
        if self._first is None:
            self._first = {gauge.id: gauge for gauge in game.gauges(before)}
        self._now = {gauge.id: gauge for gauge in game.gauges(after)}
        for ident, gauge in self._now.items():
            self._first.setdefault(ident, gauge)
        if did in {"journal", SCENE.id}:
            told = line(self._session, entry, self._later, undone=False)
            if told.heading:
                self._found.setdefault(SCENES, {})[shown_line(told.heading, 80)] = None
            elif told.text.strip() and not told.struck:
                self._passages.append(told.text)
        if who := entry.get("who"):
            self.last_who = who

    def lines(self) -> Iterator[RecapLine]:
        """Yield the lines about what has happened: first and last passage, then one line for each heading."""
        if self._passages:
            yield RecapLine(BEGAN, passage(self._passages[0]))
        if len(self._passages) > 1:
            yield RecapLine(ENDED, passage(self._passages[-1]))
        numbers, tracks = self._changes()
        found = {heading: list(words) for heading, words in self._found.items()}
        for heading, more in (("Changed", numbers), ("Tracks", tracks)):
            found[heading] = [*found.get(heading, []), *more]
        for heading, words in found.items():
            if told := _several(words):
                yield RecapLine(heading, told)

    def _changes(self) -> tuple[list[str], list[str]]:
        """Return two lists of phrases, such as "health 3 → 2": for numbers that have changed, and for tracks."""
        numbers: list[str] = []
        tracks: list[str] = []
        party = self._session.state["party"]
        for ident, now in self._now.items():
            was = (self._first or {})[ident]
            if was.value == now.value:
                continue
            told = f"{now.label} {arrow(was.value, now.value)}"
            if now.group == "track":
                tracks.append(f"{told} of {now.high}")
            elif len(party) > 1 and now.who in party:
                numbers.append(f"{shown_line(party[now.who]['name'], 20)}: {told}")
            else:
                numbers.append(told)
        return numbers, tracks


def passage(text: str) -> str:
    """Return a text on one line, safe to show; if it is longer than PASSAGE_MOST, cut it between words and add …."""
    words = shown_line(text, 4 * PASSAGE_MOST)
    if len(words) <= PASSAGE_MOST:
        return words
    return words[:PASSAGE_MOST].rpartition(" ")[0].rstrip(" ,;:") + "…"


def _several(words: Sequence[str]) -> str:
    """Return these phrases as one text, joined by semicolons; "" if there are none.

    A phrase that another one repeats with more detail is left out. Phrases with the same beginning, such as "Kara: ",
    are joined under it. After FEW phrases the rest is replaced by "N more".
    """
    told = _joined(one for one in words if not any(other.startswith(f"{one}, ") for other in words))
    more = [f"{len(told) - FEW} more"] if len(told) > FEW else []
    return "; ".join([*told[:FEW], *more])


def _joined(words: Iterable[str]) -> list[str]:
    under: dict[str, list[str]] = {}
    for one in words:
        start, colon, rest = one.partition(": ")
        under.setdefault(start if colon else one, []).extend([rest] if colon else [])
    return [f"{start}: {', '.join(rest)}" if rest else start for start, rest in under.items()]


def _due(session: Session) -> Iterator[RecapLine]:
    members = session.game.members(session.state)
    several = len(members) > 1
    due = [
        f"{member.name}: {item.words}" if several else item.words
        for member in members
        for item in session.owed(member.id)
    ]
    if due:
        told = [f"{one}, {due.count(one)} times" if due.count(one) > 1 else one for one in dict.fromkeys(due)]
        yield RecapLine(DUE, _several(told))


def _next(session: Session, who: str) -> Iterator[RecapLine]:
    """Yield a line with up to three moves that the game suggests to the character with the id `who`.

    If that one is not in play, take the first character who is. Yield nothing if there is none, or no move.
    """
    game: Game = session.game
    alive = [member.id for member in game.members(session.state) if not member.status]
    if not alive:
        return
    who = who if who in alive else alive[0]
    fits = [action for action in game.now(session.state, who) if not action.reason][:3]
    if fits:
        told = [f"{one.label} ({one.note})" if one.note else one.label for one in fits]
        yield RecapLine(NEXT, shown_line("; ".join(told), 300))


def sentences(found: Recap) -> Iterator[str]:
    """Yield the recap as lines of text: its title, then one for each of its lines; or that nothing has happened."""
    if not found.lines:
        yield "Nothing has happened yet."
        return
    yield title(found)
    for one in found.lines:
        yield f"{one.heading}: {one.words}"


def title(found: Recap) -> str:
    """Return the heading of a recap, such as "Last time, in session 3"."""
    return f"Last time, in session {found.number}"
