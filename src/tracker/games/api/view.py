"""View data: a game describes its sheet as data, and the app has one widget per kind of field.

`at` is the path that `+`, `-` and Space change; a field with an empty path is read-only. `roll` names the procedure
that a press starts, with the first answers. These are named tuples: the first frame needs all of them, and a dataclass
takes six times as long to create.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from tracker.games.api.errors import Refused

if TYPE_CHECKING:
    from tracker.games.api.schema import Effect

Odds: TypeAlias = tuple[tuple[str, int, str], ...]
"""(outcome, whole percentage, tone) for each outcome, best first; the percentages add up to 100."""
Tone: TypeAlias = Literal["good", "mid", "bad", ""]
"""Tone of an outcome or a notice. Its color never stands alone: words say the same."""


def chance(odds: Odds) -> int:
    """Return the percentage of all outcomes that are not bad."""
    return sum(percent for _, percent, tone in odds if tone != "bad")


class Start(NamedTuple):
    """A procedure to start, with the first answers, for a button or a key."""

    procedure: str
    answers: tuple[tuple[str, Any], ...] = ()


class Stat(NamedTuple):
    """A number or die to roll with: a press starts the roll. `hot` is its letter after `r`.

    The note of a stat that has `begun` is shown even if there is no room for all notes.
    """

    at: str
    label: str
    value: int | str
    hot: str
    roll: Start
    note: str = ""
    begun: bool = False


class Ratings(NamedTuple):
    """Stats under a head that applies to all of them. Adjacent Ratings are the columns of one grid."""

    head: Stat
    stats: tuple[Stat, ...]


class Meter(NamedTuple):
    """A number from 0 to `high`, drawn as pips. Full pips are points left, or points marked if `marks` is set.

    `told` shows `high` as a number too, for a maximum that can change.
    """

    at: str
    label: str
    value: int
    high: int
    note: str = ""
    marks: bool = False
    told: bool = False


class Momentum(NamedTuple):
    """A number on a ruler from `low` to `high`. `most` is the current maximum, `reset` the value after a burn."""

    at: str
    label: str
    value: int
    low: int
    high: int
    most: int
    reset: int
    note: str = ""


class Flag(NamedTuple):
    """One of several marks. Space adds `id` to the collection at `at` or drops it, unless there is a `reason`."""

    at: str
    id: str
    label: str
    on: bool
    reason: str = ""

    def flipped(self) -> Effect:
        """Return the effect that toggles the mark. Raise Refused if there is a `reason`."""
        if self.reason:
            raise Refused(f"{self.label}: {self.reason}.")
        return {"at": self.at, "drop": self.id} if self.on else {"at": self.at, "add": {"id": self.id}}


class Flags(NamedTuple):
    """Marks side by side, `per_row` in each row."""

    flags: tuple[Flag, ...]
    per_row: int = 3


class Counter(NamedTuple):
    """A bare number, or a die of the ladder. With a `sign`, the number is drawn as that many signs."""

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
    """A text field: a weapon, a note, a status."""

    at: str
    label: str
    value: str


class Row(NamedTuple):
    """Small fields side by side."""

    fields: tuple[Counter | Line, ...]


class Track(NamedTuple):
    """A progress track of ten boxes with four ticks each, or a clock if it has `segments`.

    `ticks` counts the filled segments of a clock. `note` says what is special now, `at` is the path that `+` and `-`
    change. `ends` names the move that tries to end the track, `odds` are those of that move now.
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
    hidden: bool = False
    """True if the number of segments is a secret: the filled ones are shown as a number."""


One: TypeAlias = Stat | Ratings | Meter | Momentum | Flags | Counter | Clock | Line
Field: TypeAlias = One | Row


class Pane(NamedTuple):
    """Fields that belong together, under one title."""

    id: str
    title: str
    fields: tuple[Field, ...]


def each(fields: Iterable[Field]) -> Iterator[One]:
    """Yield all fields, with rows flattened."""
    for field in fields:
        if isinstance(field, Row):
            yield from field.fields
        else:
            yield field


def is_shared(field: One, who: str) -> bool:
    """Return True if the field's path leads to shared state and not to this character."""
    at = "" if isinstance(field, (Flags, Ratings)) else field.at
    return bool(at) and at.split(".")[0] != who


class Member(NamedTuple):
    """A member of the party in the strip at the top. `kind` is the game's word for the character, if it has one."""

    id: str
    name: str
    brief: str
    status: str = ""
    kind: str = ""

    @property
    def title(self) -> str:
        """Name, kind and status, as far as they are set."""
        return ", ".join(filter(None, (self.name, self.kind, self.status)))


Place = Literal["", "owed", "oracle", "gm"]
"""Screen that a button opens instead of starting a procedure: due items, oracles, the GM's side."""


class Action(NamedTuple):
    """A possible action as a button, disabled if it has a `reason`.

    An action that `opens` a place leads there; a frontend without that place starts `start` instead.
    """

    key: str
    label: str
    start: Start
    note: str = ""
    odds: Odds = ()
    reason: str = ""
    opens: Place = ""


def numbered(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return suggestions with their keys, disabled ones last: m1 to m9, and none beyond."""
    possible_first = sorted(actions, key=lambda action: bool(action.reason))
    return tuple(action._replace(key=f"m{n}" if n < 10 else "") for n, action in enumerate(possible_first, 1))


class Mark(NamedTuple):
    """A text with an on/off mark: an ability, a talent, a feature of a card. Space toggles the bool at `at`."""

    text: str
    on: bool
    at: str = ""


class Belonging(NamedTuple):
    """One thing that a character owns: an asset, a bond, a piece of gear, a card.

    `note` is its own name or what is recorded about it, `number` the value that `+` and `-` change, `actions` what can
    be done with it.
    """

    id: str
    name: str
    kind: str = ""
    note: str = ""
    marks: tuple[Mark, ...] = ()
    number: Meter | Counter | None = None
    actions: tuple[Action, ...] = ()


class Holding(NamedTuple):
    """A group of belongings. `note` sums the group up, `empty` is shown if it has none, `actions` add to it."""

    id: str
    title: str
    things: tuple[Belonging, ...]
    note: str = ""
    empty: str = ""
    actions: tuple[Action, ...] = ()
    on_sheet: bool = False
    """True if the sheet already shows this group."""


class Side(NamedTuple):
    """Situation of one character in a fight, in words."""

    name: str
    words: str
    id: str = ""


class Fight(NamedTuple):
    """The current fight: the foes, the situation of each character, and the moves it allows."""

    foes: tuple[Track, ...]
    sides: tuple[Side, ...]
    moves: tuple[Action, ...]


class Foe(NamedTuple):
    """An adversary with numbers. `words` describes the rest, one line each.

    `acts` is set once the foe has acted this turn; `out` says why it left the fight, else "".
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
    """The GM's side: resource pool, whose turn it is, adversaries and countdowns.

    `pool.note` is the short form of `pool_note`; `party` holds what a GM must know of each character.
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
    """The oracles of a game: yes/no questions and the tables of the campaign.

    Each of `questions` is a yes/no roll at its odds. `tables` starts a roll on the tables whose ids it gets in the
    answer `tables`, at most `several` together. `together` suggests tables to combine. `besides` holds the game's other
    fate rolls. All of them take the player's words as `question`.
    """

    questions: tuple[Action, ...]
    tables: Start
    several: int
    together: tuple[tuple[str, ...], ...] = ()
    besides: tuple[Action, ...] = ()

    def roll_on(self, ids: Iterable[str]) -> Start:
        """Return the call that rolls on these tables."""
        return Start(self.tables.procedure, (*self.tables.answers, ("tables", list(ids))))


class DueItem(NamedTuple):
    """A due move, or an unfinished roll."""

    label: str
    note: str
    start: Start | None = None
    run: str = ""
    """Id of the open entry of an unfinished roll, else ""."""


class Die(NamedTuple):
    """One die of a result. `word` labels the die, `counts` frames the die that decides; each `group` is drawn apart."""

    face: int
    sides: int
    word: str = ""
    counts: bool = False
    group: str = ""


class Card(NamedTuple):
    """A roll as every frontend shows it: dice, outcome, sum and reasons."""

    title: str
    mark: str = ""
    outcome: str = ""
    tone: Tone = ""
    sum: str = ""
    why: str = ""
    dice: tuple[Die, ...] = ()
    between: tuple[str, ...] = ()
    """Words drawn between the groups of dice, such as `+ edge 3 = 5` and `against`."""
    short: str = ""
    """The roll in a few words, for one line of the journal."""
    score: int | None = None
    """Number compared with the last group of dice, or None."""
    heading: str = ""
    """Heading of a new part of the journal: the title of a scene, the number of a session; else ""."""
    in_words: str = ""
    """The outcome for use in a sentence, if it is more than the lower-case outcome."""
    banner: str = ""
    """A word to celebrate beside the outcome, such as MATCH; else ""."""
    offers: tuple[Action, ...] = ()
    """What this roll suggests besides its own questions, such as the oracle after a match."""

    @property
    def told(self) -> str:
        """The outcome for use in a sentence: `in_words`, or the outcome with capitals in lower case."""
        return self.in_words or (self.outcome.lower() if self.outcome.isupper() else self.outcome)
