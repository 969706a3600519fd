"""What a game shows: a sheet is data, and the app has one widget per kind of field.

`at` is the path that `+`, `-` and Space change; a field without one is only shown. `roll` names the
procedure that a press starts, with the answers that come along. Named tuples rather than dataclasses: there are
many, all of them are needed for the first frame, and a dataclass takes six times as long to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from tracker.games.api.schema import Effect

Odds: TypeAlias = tuple[tuple[str, int, str], ...]
"""Outcome, whole per cent, tone; best first. The per cents add up to 100."""
Tone: TypeAlias = Literal["good", "mid", "bad", ""]
"""How an outcome or a notice feels. It always stands beside a word that says the same."""


def chance(odds: Odds) -> int:
    """In how many of a hundred it works: what is bad does not."""
    return sum(percent for _, percent, tone in odds if tone != "bad")


class Start(NamedTuple):
    """A procedure to start, as a button or a key does it."""

    procedure: str
    answers: tuple[tuple[str, Any], ...] = ()


class Stat(NamedTuple):
    """A number or a die that is rolled with: pressing it starts the roll. `hot` is its letter after `r`.

    `begun`: its note is told even where there is no room for those of all.
    """

    at: str
    label: str
    value: int | str
    hot: str
    roll: Start
    note: str = ""
    begun: bool = False


class Ratings(NamedTuple):
    """Stats under a head that belongs to all of them. Several of these are the columns of one grid."""

    head: Stat
    stats: tuple[Stat, ...]


class Meter(NamedTuple):
    """A number between 0 and `high`, drawn as pips: full ones are what you have, or what is marked where it `marks`.

    `told`: the eye needs `high` as a number too, because it can change.
    """

    at: str
    label: str
    value: int
    high: int
    note: str = ""
    marks: bool = False
    told: bool = False


class Momentum(NamedTuple):
    """A number on a ruler from `low` to `high`, with what it can reach now and where a burn resets it."""

    at: str
    label: str
    value: int
    low: int
    high: int
    most: int
    reset: int
    note: str = ""


class Flag(NamedTuple):
    """One of several marks; Space adds `id` to the collection at `at`, or drops it; `reason` says why it does not."""

    at: str
    id: str
    label: str
    on: bool
    reason: str = ""

    def flipped(self) -> Effect:
        """What marks it, or clears it; Refused where it cannot be."""
        if self.reason:
            raise Refused(f"{self.label}: {self.reason}.")
        return {"at": self.at, "drop": self.id} if self.on else {"at": self.at, "add": {"id": self.id}}


class Flags(NamedTuple):
    """Marks side by side, in rows of `per_row`."""

    flags: tuple[Flag, ...]
    per_row: int = 3


class Counter(NamedTuple):
    """A number that is only counted, or a die on its ladder; with a `sign` it is drawn by as many of them."""

    at: str
    label: str
    value: int | str
    note: str = ""
    sign: str = ""


class Clock(NamedTuple):
    """Segments filled one by one."""

    at: str
    label: str
    value: int
    segments: int


class Line(NamedTuple):
    """A text: a weapon, a note, a status."""

    at: str
    label: str
    value: str


class Row(NamedTuple):
    """Small fields side by side."""

    fields: tuple[Counter | Line, ...]


class Track(NamedTuple):
    """A progress track of ten boxes with four ticks each, or a clock of `segments`, as many of them filled.

    `note` says what is special about it now; `at` is the path that `+` and `-` change. `ends` names the move that tries
    to end it, `odds` how that would go now.
    """

    id: str
    name: str
    kind: str
    rank: str
    ticks: int
    note: str = ""
    closed: str = ""
    at: str = ""
    segments: int = 0
    ends: str = ""
    odds: Odds = ()


One: TypeAlias = Stat | Ratings | Meter | Momentum | Flags | Counter | Clock | Line
Field: TypeAlias = One | Row


class Pane(NamedTuple):
    """Fields that belong together, under one title."""

    id: str
    title: str
    fields: tuple[Field, ...]


def each(fields: Iterable[Field]) -> Iterator[One]:
    """The fields one by one, those of a row too."""
    for field in fields:
        if isinstance(field, Row):
            yield from field.fields
        else:
            yield field


def is_shared(field: One, who: str) -> bool:
    """Whether its path leads to the table, and not to this one of the party."""
    at = "" if isinstance(field, (Flags, Ratings)) else field.at
    return bool(at) and at.split(".")[0] != who


class Member(NamedTuple):
    """One of the party, as the strip at the top shows them. `kind` is what they are, where a game has a word for it."""

    id: str
    name: str
    brief: str
    status: str = ""
    kind: str = ""

    @property
    def title(self) -> str:
        """Name, what they are, and how they are."""
        return ", ".join(filter(None, (self.name, self.kind, self.status)))


Place = Literal["", "owed", "oracle", "gm"]
"""Where a button leads that begins nothing by itself: what is owed, the oracle, the GM's side."""


class Action(NamedTuple):
    """Something that can be done now, as a button: greyed with its `reason` when it cannot.

    One that `opens` a place leads there; who has no such place begins what it starts.
    """

    key: str
    label: str
    start: Start
    note: str = ""
    odds: Odds = ()
    reason: str = ""
    opens: Place = ""


class Mark(NamedTuple):
    """A text that counts or does not: an ability, a talent, a feature of a card. Space changes the truth at `at`."""

    text: str
    on: bool
    at: str = ""


class Belonging(NamedTuple):
    """One thing that somebody has: an asset, a bond, a piece of gear, a card.

    `note` is a name of its own, or what is kept of it; `number` is what `+` and `-` change; `actions` are what can be
    done with this one.
    """

    id: str
    name: str
    kind: str = ""
    note: str = ""
    marks: tuple[Mark, ...] = ()
    number: Meter | Counter | None = None
    actions: tuple[Action, ...] = ()


class Holding(NamedTuple):
    """Belongings of one sort. `note` sums them up, `empty` stands where there are none, `actions` bring more."""

    id: str
    title: str
    things: tuple[Belonging, ...]
    note: str = ""
    empty: str = ""
    actions: tuple[Action, ...] = ()
    on_sheet: bool = False
    """Whether the numbers of the sheet tell it already."""


class Side(NamedTuple):
    """How one of the party stands in a fight, in words."""

    name: str
    words: str
    id: str = ""


class Fight(NamedTuple):
    """A fight under way: who is against you, how each of you stands, and what that lets one of you do."""

    foes: tuple[Track, ...]
    sides: tuple[Side, ...]
    moves: tuple[Action, ...]


class Foe(NamedTuple):
    """One who is against the party and has numbers: `words` tell the rest, a line each.

    `acts`: it has had its turn; `out` says why it is not in the fight any more.
    """

    id: str
    name: str
    kind: str
    note: str
    meters: tuple[Meter, ...]
    words: tuple[str, ...] = ()
    acts: bool = False
    out: str = ""
    actions: tuple[Action, ...] = ()


class GmSide(NamedTuple):
    """The other side of the table: what the GM holds, whose turn it is, who is against the party, what is coming.

    `pool.note` tells in short what `pool_note` tells in full; `party` is what a GM has to know of each of them.
    """

    pool: Meter
    pool_note: str
    pool_actions: tuple[Action, ...]
    turn: str
    turn_actions: tuple[Action, ...]
    foes_title: str
    foes: tuple[Foe, ...]
    foes_note: str
    foes_actions: tuple[Action, ...]
    tracks_title: str
    tracks: tuple[Track, ...]
    tracks_actions: tuple[Action, ...]
    party: tuple[Side, ...] = ()
    actions: tuple[Action, ...] = ()


class Oracles(NamedTuple):
    """What can be asked of fate: yes or no, and the tables of the campaign.

    Each of `questions` is yes or no at its odds. `tables` starts a roll on the tables whose ids are given to it under
    `tables`, at most `several` together; `together` are some that go well with each other. `besides` is what else a
    game lets fate decide. All of them take a `question` in the player's words.
    """

    questions: tuple[Action, ...]
    tables: Start
    several: int
    together: tuple[tuple[str, ...], ...] = ()
    besides: tuple[Action, ...] = ()

    def roll_on(self, ids: Iterable[str]) -> Start:
        """What rolls on these tables."""
        return Start(self.tables.procedure, (*self.tables.answers, ("tables", list(ids))))


class DueItem(NamedTuple):
    """A move that has become due, or a roll left under way."""

    label: str
    note: str
    start: Start | None = None
    run: str = ""
    """The id of the open entry, when it is a roll that was left."""


class Die(NamedTuple):
    """One die as it lies: `pips` draws the spots of a d6; `counts` frames the die that decides."""

    face: int
    sides: int
    word: str = ""
    counts: bool = False
    group: str = ""


class Card(NamedTuple):
    """How a roll is told: outcome, sum, reasons; every driver shows the same words."""

    title: str
    mark: str = ""
    outcome: str = ""
    tone: Tone = ""
    sum: str = ""
    why: str = ""
    dice: tuple[Die, ...] = ()
    between: tuple[str, ...] = ()
    """Words drawn between the groups of dice, e.g. `+ edge 3 = 5` and `against`."""
    short: str = ""
    """The roll in a few words, for one line of the journal."""
    score: int | None = None
    """What was held against the last group of dice, where there is such a number."""
    heading: str = ""
    """What a part of the journal begins with: the title of a scene, the number of a session."""

    @property
    def told(self) -> str:
        """The outcome as it is told in a sentence; one in capitals is shouted only on the screen."""
        return self.outcome.lower() if self.outcome.isupper() else self.outcome
