"""View data: a game describes its sheet as data, and the app has one widget per kind of field.

`at` is the path that `+`, `-` and Space change, such as `kara.health`; a field with an empty path is read-only. `label`
is what players call the field, `note` a few words beside it. These are named tuples: the first frame needs all of them,
and a dataclass takes six times as long to create.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tracker.games.api.errors import Refused
from tracker.records import NamedTuple

if TYPE_CHECKING:
    from tracker.games.api.schema import Effect

Odds: TypeAlias = tuple[tuple[str, float, str], ...]
"""(outcome, exact chance in percent, tone) for each outcome, best first. `whole` writes a chance for the screen."""
Tone: TypeAlias = Literal["good", "mid", "bad", ""]
"""Tone of an outcome or a notice. Its color never stands alone: words say the same."""


def chance(odds: Odds) -> float:
    """Return the chance, in percent, of an outcome whose tone is not "bad"."""
    return sum(percent for _, percent, tone in odds if tone != "bad")


def percent(counts: Sequence[int]) -> tuple[float, ...]:
    """Return the exact shares of the counts in percent. At least one count must not be 0."""
    total = sum(counts)
    return tuple(100 * count / total for count in counts)


def whole(percent: float) -> str:
    """Return a chance as the nearest whole percentage, without the sign, such as "83".

    Every chance that a player sees is written here. What can happen is never "0", and what can fail never "100":
    these are "<1" and ">99". Rounded chances of one roll can add up to 99 or 101.
    """
    exact = round(percent, 9)  # sums of floats are off by less
    if 0 < exact <= 0.5:
        return "<1"
    return ">99" if 99.5 <= exact < 100 else str(round(exact))


class Start(NamedTuple):
    """A reference to a procedure that a button or a key starts. Games make it, frontends start it.

    `procedure` is the id of a move. `answers` holds (prompt key, answer) pairs; these prompts are then not asked.
    """

    procedure: str
    answers: tuple[tuple[str, Any], ...] = ()


class Stat(NamedTuple):
    """A stat on a character's sheet that the player can roll with: a number, or a die such as "d8".

    Games make it for `Game.sheet`. Enter or a click on the stat starts `roll`, and so does the key `r` followed by
    the letter `hot`. `at` is its path in the state. `note` is a remark such as the marks toward a better die. In a
    window without room for all notes, only the notes of stats with `begun` set to True are shown.
    """

    at: str
    label: str
    value: int | str
    hot: str
    roll: Start
    note: str = ""
    begun: bool = False


NO_RATING = "–"
"""Value of a stat in which the character has no rating."""


class Ratings(NamedTuple):
    """A column of stats on a sheet: `head`, and below it the `stats` that belong to it. Adjacent ones form a grid."""

    head: Stat
    stats: tuple[Stat, ...]


class Meter(NamedTuple):
    """A number from 0 to `high` on a sheet, drawn as pips. The player changes it with + and -.

    Full pips are points left; if `marks` is True, they are points marked. `at` is the path of the number in the
    state; if it is "", the number cannot be changed here. If `told` is True, `high` is written as a number too,
    because it can change.
    """

    at: str
    label: str
    value: int
    high: int
    note: str = ""
    marks: bool = False
    told: bool = False


class Momentum(NamedTuple):
    """The momentum of an Ironsworn character on the sheet: a number on a ruler from `low` to `high`.

    `at` is the path of the number in the state. `most` is the current maximum, and `reset` the value to which
    burning momentum sets the number.
    """

    at: str
    label: str
    value: int
    low: int
    high: int
    most: int
    reset: int
    note: str = ""


class Flag(NamedTuple):
    """A mark on a sheet that the player can set and clear, such as a condition; `on` is True if it is set.

    A mark is set if the collection at the path `at` has a record with the id `id`: Space adds or drops that record. If
    `reason` is set, the mark cannot be changed now, and `reason` says why.
    """

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
    """A group of marks on a sheet, drawn as a grid with `per_row` marks in each row."""

    flags: tuple[Flag, ...]
    per_row: int = 3


class Counter(NamedTuple):
    """A number without a maximum, or a die such as d8, on a sheet; `at` is its path in the state.

    If `sign` is set, the number is drawn as a row of that many signs.
    """

    at: str
    label: str
    value: int | str
    note: str = ""
    sign: str = ""


class Clock(NamedTuple):
    """A clock on a sheet with `segments` segments, `value` of which are filled; `at` is its path in the state."""

    at: str
    label: str
    value: int
    segments: int


class Line(NamedTuple):
    """A text on a sheet, such as a weapon, a note or a status; `at` is its path in the state.

    `called` is the label in plain text, for a line that is drawn without one.
    """

    at: str
    label: str
    value: str
    called: str = ""


class Row(NamedTuple):
    """One line of a sheet with several small fields side by side."""

    fields: tuple[Counter | Line, ...]


class Track(NamedTuple):
    """A progress track of ten boxes with four ticks each, or a clock if `segments` is not 0, as frontends show it.

    `ticks` is the progress; for a clock, the number of filled segments. `at` is the path of that number in the state.
    `closed` is the word for how the track ended, or "" while it is open. `ends` is the name of the move that tries to
    end the track, and `odds` are the current odds of that move.
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
    about: str = ""
    """What is known about it, such as the tactics of a foe; "" for most tracks."""
    counts_down: bool = False
    """True if the number of segments is the number of steps left: it begins full and ends at 0."""


One: TypeAlias = Stat | Ratings | Meter | Momentum | Flags | Counter | Clock | Line
Field: TypeAlias = One | Row


class Pane(NamedTuple):
    """A titled group of fields on a character's sheet, made by `Game.sheet`."""

    id: str
    title: str
    fields: tuple[Field, ...]


def each(fields: Iterable[Field]) -> Iterator[One]:
    """Yield all fields; in place of a row, yield the fields in it."""
    for field in fields:
        if isinstance(field, Row):
            yield from field.fields
        else:
            yield field


def is_shared(field: One, who: str) -> bool:
    """Return True if the field can change state that does not belong to the character `who`, such as supply.

    Return False for read-only fields, and for Flags and Ratings.
    """
    at = "" if isinstance(field, (Flags, Ratings)) else field.at
    return bool(at) and at.split(".")[0] != who


class Member(NamedTuple):
    """A member of the party in the strip at the top.

    `brief` has the most important numbers. `status` is a word such as "retired", or "" for a member who can act. `kind`
    describes the character, such as class and level, or is "".
    """

    id: str
    name: str
    brief: str
    status: str = ""
    kind: str = ""

    @property
    def title(self) -> str:
        """Name, kind and status, separated by commas; empty ones are left out."""
        return ", ".join(filter(None, (self.name, self.kind, self.status)))


Place = Literal["", "owed", "oracle", "gm", "note"]
"""Screen that a button opens instead of starting a procedure: due items, oracles, the GM's side, a world note.

The note is the answer `note` of the action's `start`.
"""


class Action(NamedTuple):
    """Something that the player can start, shown as a button with the hotkey `key`. Games make it.

    `start` is the procedure that begins. If `reason` is set, the button is disabled, and `reason` says why. If `opens`
    names a screen, a frontend that has this screen opens it instead of starting `start`.
    """

    key: str
    label: str
    start: Start
    note: str = ""
    odds: Odds = ()
    reason: str = ""
    opens: Place = ""


def numbered(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return the actions with enabled ones first, and with new hotkeys: m1 to m9 in this order, then ""."""
    possible_first = sorted(actions, key=lambda action: bool(action.reason))
    return tuple(action._replace(key=f"m{n}" if n < 10 else "") for n, action in enumerate(possible_first, 1))


class Mark(NamedTuple):
    """One line of a belonging that is on or off: an ability, a talent, a feature of a card.

    Space toggles the bool at the path `at` of the state; nothing can be toggled if `at` is "".
    """

    text: str
    on: bool
    at: str = ""


class Belonging(NamedTuple):
    """One thing that a character owns: an asset, a bond, a piece of gear, a card.

    `note` is the name that the player gave the thing, or a remark on it; `marks` are its abilities; `number` is the
    value that `+` and `-` change; `actions` is what can be done with the thing.
    """

    id: str
    name: str
    kind: str = ""
    note: str = ""
    marks: tuple[Mark, ...] = ()
    number: Meter | Counter | None = None
    actions: tuple[Action, ...] = ()


class Holding(NamedTuple):
    """A group of belongings on a character's page.

    `note` summarizes the group, `empty` is the text shown if the group has no things, and `actions` add things to it.
    """

    id: str
    title: str
    things: tuple[Belonging, ...]
    note: str = ""
    empty: str = ""
    actions: tuple[Action, ...] = ()
    on_sheet: bool = False
    """True if the sheet already shows this group."""


class Side(NamedTuple):
    """One line about the situation of a character in a fight or on the GM's side.

    `name` is the character's name, `words` describes the situation, and `id` is the character's id.
    """

    name: str
    words: str
    id: str = ""


class Fight(NamedTuple):
    """The current fight: the foes, the situation of each character, and the moves that the fight allows."""

    foes: tuple[Track, ...]
    sides: tuple[Side, ...]
    moves: tuple[Action, ...]


class Foe(NamedTuple):
    """An adversary on the GM's side, with the numbers that the GM changes; made by `Game.gm_side`.

    `note` is a short remark, such as the Difficulty. `words` describes the rest, one line each. `acts` is True once
    the adversary has acted this turn; `out` says why it left the fight, and is "" while it fights.
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
    """Everything that the GM's screen shows: resource pool, whose turn it is, adversaries and countdowns.

    `pool_note` explains the pool, and `pool.note` does so in short, for a low window. `turn` says in words whose turn
    it is. `party` has what a GM must know of each character. Each of the tuples of actions has the buttons of its part.
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
    """Everything that a game offers on the oracle screen: yes/no questions, tables and other fate rolls.

    Each of `questions` is a yes/no roll at its odds. `tables` starts a roll on tables: the answer to its prompt
    `tables` is a list of at most `several` table ids. `together` holds groups of ids of tables that go well together.
    `besides` holds the game's other fate rolls. Each of these procedures has a prompt `question` for the player's own
    words.
    """

    questions: tuple[Action, ...]
    tables: Start
    several: int
    together: tuple[tuple[str, ...], ...] = ()
    besides: tuple[Action, ...] = ()

    @property
    def procedures(self) -> frozenset[str]:
        """The ids of all procedures that these oracles start."""
        starts = (self.tables, *(one.start for one in (*self.questions, *self.besides)))
        return frozenset(start.procedure for start in starts if start.procedure)

    def roll_on(self, ids: Iterable[str]) -> Start:
        """Return the start of a roll on the tables with these ids."""
        return Start(self.tables.procedure, (*self.tables.answers, ("tables", list(ids))))


class DueItem(NamedTuple):
    """Something that a character still has to do: a due move or an unfinished roll.

    `start` makes a due move, and is None for an unfinished roll.
    """

    label: str
    note: str
    start: Start | None = None
    run: str = ""
    """Id of the open entry of an unfinished roll, else ""."""

    @property
    def words(self) -> str:
        """The label, which says if it is an unfinished roll."""
        return f"{self.label}, unfinished" if self.run else self.label


class Die(NamedTuple):
    """One rolled die of a card: its face, its number of sides, and a label (`word`).

    `counts` is True for a die that decides the result; it gets a frame. Dice with the same `group` are drawn together.
    """

    face: int
    sides: int
    word: str = ""
    counts: bool = False
    group: str = ""


class Card(NamedTuple):
    """An entry of the journal as every frontend shows it, such as a roll with its dice; made by `Game.card`.

    `mark` is a short sign of the outcome, such as ■□, or the faces of the dice. `sum` is the sum of the roll as
    text, and `reasons` say why the outcome is what it is.
    """

    title: str
    mark: str = ""
    outcome: str = ""
    tone: Tone = ""
    sum: str = ""
    reasons: tuple[str, ...] = ()
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
    """The outcome for use in a sentence; "" if `outcome` in lower case will do."""
    banner: str = ""
    """A word to celebrate beside the outcome, such as MATCH; else ""."""
    offers: tuple[Action, ...] = ()
    """Actions that this roll suggests besides the prompts of its procedure, such as the oracle after a match."""
    faces: str = ""
    """The dice in words, for a text that cannot draw them; "" if `short` tells them."""

    @property
    def why(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)

    @property
    def told(self) -> str:
        """The outcome for use in a sentence: `in_words` if set, else `outcome`, in lower case if it is in capitals."""
        return self.in_words or (self.outcome.lower() if self.outcome.isupper() else self.outcome)

    @property
    def outcome_alone(self) -> str:
        """The outcome for programs: `told` without the total of the dice that may follow it, as in "success · 17"."""
        alone, _, total = self.told.rpartition(" · ")
        return alone if alone and total.lstrip("-").isdecimal() else self.told
