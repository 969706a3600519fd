"""Statistics of a campaign, computed from its history. The game says what its rolls, dice and numbers mean.

`gather` reads the history once; `statistics` then counts all of it, or some sessions, or one character. Undone entries
and unfinished rolls do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tracker.campaign.chronicle import ALL, Selection, number_after
from tracker.campaign.fold import fold, start
from tracker.campaign.log import Entry
from tracker.campaign.luck import Sums, distribution, stray_chance, streak_chance
from tracker.campaign.session import Session, Step
from tracker.games.api.finished_moves import Feat, Gauge, Group, PastMove, PastRoll, RollKind
from tracker.games.api.game import Game
from tracker.games.api.schema import ROLLED, TYPED, State
from tracker.games.api.view import Tone
from tracker.records import NamedTuple
from tracker.text import shown_line

SOURCES: Mapping[str, str] = {ROLLED: "app dice", TYPED: "real dice"}
"""What players call the two sources of dice, by the value of `dice_are`."""
FEW = 5
"""Least rolls with known odds before luck is judged."""


# -- gathering ------------------------------------------------------------------------------------------


class _Rolled(NamedTuple):
    session: int
    who: str
    roll: PastRoll


class _Die(NamedTuple):
    session: int
    who: str
    name: str
    sides: int
    source: str
    face: int


class _Moved(NamedTuple):
    session: int
    who: str
    did: str
    tone: Tone | None
    """Tone of the outcome of the move's first roll; None for a move without a roll."""


class _Done(NamedTuple):
    session: int
    who: str
    feat: Feat


@dataclass
class _Line:
    """A gauge over time. `points` has (number of the entry, session, value) for each change of it."""

    gauge: Gauge
    points: list[tuple[int, int, int]] = field(default_factory=list)


@dataclass
class Gathered:
    """Everything that `gather` has found in the history of one campaign; the input of `statistics`."""

    game: Game
    names: dict[str, str]
    """Names of the characters by id, also of those who are no longer in the party."""
    last: int
    """Number of the latest session."""
    entries: int = 0
    """Number of entries that count."""
    begins: dict[int, int] = field(default_factory=dict)
    """Number of the first entry of each session."""
    passages: Counter[tuple[int, str]] = field(default_factory=Counter)
    rolls: list[_Rolled] = field(default_factory=list)
    dice: Counter[_Die] = field(default_factory=Counter)
    moves: Counter[_Moved] = field(default_factory=Counter)
    feats: Counter[_Done] = field(default_factory=Counter)
    lines: dict[str, _Line] = field(default_factory=dict)


def gather(session: Session, step: Step | None = None) -> Gathered:
    """Read the whole history of a campaign and return everything that `statistics` counts. Can run in any thread.

    `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the file cannot be read.
    """
    game, base = session.game, session.log.base
    found = Gathered(game, _names(session.state), int(session.state["session"]))
    tones = {kind.name: dict(kind.outcomes) for kind in game.roll_kinds}
    state, number, reached = start(game.top), 1, False
    for entry, counts in session.history.counted(step):
        if not reached and session.log.holds(entry["id"]):
            state, reached = base, True
        if not counts:
            continue
        found.entries += 1
        number = number_after(number, entry)
        found.begins.setdefault(number, found.entries)
        before, state = state, fold(game.top, state, entry.get("effects", ()))
        who = entry.get("who", "")
        if state is not before:
            if state["party"] is not before["party"]:
                found.names = {**_names(state), **found.names}
            _follow(found, state, number)
        if entry.get("did") == "journal" and entry.get("text"):
            found.passages[number, who] += 1
        if entry.get("open") or entry.get("did") not in game.moves:
            continue
        _count_move(found, past_move(entry, before, state), number, tones)
    return found


def past_move(entry: Entry, before: State, after: State) -> PastMove:
    """Return an entry as the PastMove that the game's statistics read, with the states before and after it.

    Answers that a hand edit has made malformed are left out.
    """
    pairs = entry.get("answers", ())
    given = [one for one in pairs if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str)]
    facts: Any = entry.get("facts", {})
    return PastMove(
        entry.get("did", ""),
        entry.get("who", ""),
        dict(given),
        facts if isinstance(facts, Mapping) else {},
        before,
        after,
    )


def _count_move(found: Gathered, move: PastMove, number: int, tones: Mapping[str, Mapping[str, Tone]]) -> None:
    game, who = found.game, move.who
    rolls = game.past_rolls(move)
    found.rolls += (_Rolled(number, who, roll) for roll in rolls)
    tone = tones[rolls[0].kind][rolls[0].outcome] if rolls else None
    found.moves[_Moved(number, who, move.did, tone)] += 1
    source = SOURCES.get(move.before["dice_are"], "")
    for die in game.past_dice(move):
        found.dice[_Die(number, who, die.name, die.sides, source, die.face)] += 1
    for feat in game.feats(move):
        found.feats[_Done(number, who, feat)] += 1


def _follow(found: Gathered, state: State, number: int) -> None:
    for gauge in found.game.gauges(state):
        line = found.lines.get(gauge.id)
        if line is None:
            line = found.lines[gauge.id] = _Line(gauge)
        elif line.gauge.value == gauge.value and line.gauge.high == gauge.high:
            line.gauge = gauge
            continue
        line.gauge = gauge
        line.points.append((found.entries, number, gauge.value))


def _names(state: State) -> dict[str, str]:
    return {ident: shown_line(who["name"]) for ident, who in state["party"].items()}


# -- counting -------------------------------------------------------------------------------------------


class OutcomeTally(NamedTuple):
    """How often an outcome came up.

    `times` counts final outcomes, `fell` those of the dice before anything changed them. `expected` is the number that
    the odds predict for `fell`.
    """

    name: str
    tone: Tone
    times: int
    fell: int
    expected: float


class Luck(NamedTuple):
    """How lucky some rolls were: `points`, the sum over all rolls, and `sums`, the exact distribution of that sum.

    The worst outcome of a roll has 0 points, the next better one 1, and so on. `chance` is the chance of at least that
    many points, or None after too few rolls.
    """

    points: int
    sums: Sums
    chance: float | None

    @property
    def expected(self) -> float:
        return self.sums.mean


class Streak(NamedTuple):
    """The longest series of good or of bad outcomes, and the chance of a series at least that long in these rolls."""

    length: int
    chance: float


class RollTally(NamedTuple):
    """All rolls of one kind. `known` counts the rolls whose odds are stored in their entries; `luck` covers only these.

    `matches` is the number of matches in all rolls, and `matches_expected` the number expected from the odds.
    """

    kind: RollKind
    times: int
    known: int
    outcomes: tuple[OutcomeTally, ...]
    luck: Luck | None
    best: Streak
    worst: Streak
    matches: int
    matches_expected: float


class DieTally(NamedTuple):
    """How often each face of one kind of die came up, starting with face 1.

    `source` is "app dice" or "real dice", or "" if the campaign does not say. `stray` is the chance that a fair die
    deviates at least as much, or None after too few rolls.
    """

    name: str
    source: str
    faces: tuple[int, ...]
    stray: float | None

    @property
    def times(self) -> int:
        return sum(self.faces)

    @property
    def mean(self) -> float:
        return sum(face * times for face, times in enumerate(self.faces, 1)) / max(1, self.times)


class MoveTally(NamedTuple):
    """How often a move was made, and how often its roll ended with a good, middling and bad outcome."""

    did: str
    name: str
    times: int
    good: int
    mid: int
    bad: int


class FeatTally(NamedTuple):
    """How often something was done, such as burning momentum: the total cost and the results.

    `paid` is the cost in `unit`. `what` has (result in words, times), most frequent first.
    """

    name: str
    times: int
    paid: int
    unit: str
    what: tuple[tuple[str, int], ...]


class Series(NamedTuple):
    """A number over time. `points` has (number of the entry, value) at its first entry and at each change.

    `low` and `high` bound the values for a plot. `worse` is True if a higher value is worse. `who` is a character's
    name, or "".
    """

    id: str
    label: str
    group: Group
    who: str
    low: int
    high: int
    points: tuple[tuple[int, int], ...]
    worse: bool = False


class Statistics(NamedTuple):
    """What happened in a campaign, or in a part of it, in numbers.

    `first` and `last` are the numbers of the part's first and last entry. `sessions` has (session, number of its first
    entry) for the sessions in it. `who` has the names of the characters, with commas, or is "" for all of them.
    """

    who: str
    sessions: tuple[tuple[int, int], ...]
    first: int
    last: int
    moves_made: int
    passages: int
    rolls: tuple[RollTally, ...]
    dice: tuple[DieTally, ...]
    moves: tuple[MoveTally, ...]
    feats: tuple[FeatTally, ...]
    series: tuple[Series, ...]

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        return not (self.rolls or self.dice or self.moves or self.series)


def statistics(found: Gathered, wanted: Selection = ALL) -> Statistics:
    """Return the statistics of the sessions and characters in `wanted`, counted from what `gather` has found.

    Other parts of `wanted`, such as its kinds, make no difference.
    """
    low, high = (found.last, found.last) if wanted.latest else (wanted.first, wanted.last)

    def takes(one: _Rolled | _Die | _Moved | _Done) -> bool:
        return low <= one.session <= high and (not wanted.who or one.who in wanted.who)

    begins = sorted((number, at) for number, at in found.begins.items() if low <= number <= high)
    after = min((at for number, at in found.begins.items() if number > high), default=found.entries + 1)
    first, last = (begins[0][1], after - 1) if begins else (0, 0)
    moves = Counter[tuple[str, Tone | None]]()
    for moved, times in found.moves.items():
        if takes(moved):
            moves[moved.did, moved.tone] += times
    passages = sum(
        times
        for (number, who), times in found.passages.items()
        if low <= number <= high and (not wanted.who or who in wanted.who)
    )
    rolls = [one.roll for one in found.rolls if takes(one)]
    return Statistics(
        ", ".join(found.names.get(who, "") for who in sorted(wanted.who)),
        tuple(begins),
        first,
        last,
        moves.total(),
        passages,
        tuple(_rolls(kind, [roll for roll in rolls if roll.kind == kind.name]) for kind in _kinds(found.game, rolls)),
        _dice((die, times) for die, times in found.dice.items() if takes(die)),
        _moves(found.game, moves),
        _feats((done.feat, times) for done, times in found.feats.items() if takes(done)),
        tuple(_series(found, wanted, first, last)),
    )


def _kinds(game: Game, rolls: Iterable[PastRoll]) -> list[RollKind]:
    there = {roll.kind for roll in rolls}
    return [kind for kind in game.roll_kinds if kind.name in there]


def _rolls(kind: RollKind, rolls: Sequence[PastRoll]) -> RollTally:
    known = [roll for roll in rolls if roll.odds and sum(roll.odds)]
    names = [name for name, _ in kind.outcomes]
    final, fell = Counter(roll.outcome for roll in rolls), Counter(roll.fell for roll in known)
    by_odds = Counter(roll.odds for roll in known)
    expected = [sum(many * odds[n] / sum(odds) for odds, many in by_odds.items()) for n in range(len(names))]
    luck = None
    if known:
        sums = distribution(by_odds)
        points = sum(len(names) - 1 - names.index(roll.fell) for roll in known)
        luck = Luck(points, sums, sums.at_least(points) if len(known) >= FEW else None)
    ways, every = kind.match_odds
    return RollTally(
        kind,
        len(rolls),
        len(known),
        tuple(
            OutcomeTally(name, tone, final[name], fell[name], expected[n])
            for n, (name, tone) in enumerate(kind.outcomes)
        ),
        luck,
        _streak(kind, known, "good"),
        _streak(kind, known, "bad"),
        sum(roll.match for roll in rolls) if kind.match else 0,
        len(rolls) * ways / every if kind.match else 0.0,
    )


def _streak(kind: RollKind, rolls: Sequence[PastRoll], tone: Tone) -> Streak:
    """Return the longest series of rolls of this kind whose dice fell to an outcome of this tone, with its chance."""
    of_tone = {name for name, its in kind.outcomes if its == tone}
    places = [n for n, (name, _) in enumerate(kind.outcomes) if name in of_tone]
    longest = run = 0
    for roll in rolls:
        run = run + 1 if roll.fell in of_tone else 0
        longest = max(longest, run)
    chances = [sum(roll.odds[n] for n in places) / sum(roll.odds) for roll in rolls]
    return Streak(longest, streak_chance(chances, longest))


def _dice(dice: Iterable[tuple[_Die, int]]) -> tuple[DieTally, ...]:
    faces: dict[tuple[str, str, int], list[int]] = {}
    for die, times in dice:
        faces.setdefault((die.name, die.source, die.sides), [0] * die.sides)[die.face - 1] += times
    found = [DieTally(name, source, tuple(shown), stray_chance(shown)) for (name, source, _), shown in faces.items()]
    return tuple(sorted(found, key=lambda die: (-die.times, die.name, die.source)))


def _moves(game: Game, moves: Counter[tuple[str, Tone | None]]) -> tuple[MoveTally, ...]:
    found: dict[str, Counter[Tone | None]] = {}
    for (did, tone), times in moves.items():
        found.setdefault(did, Counter())[tone] += times
    tallies = [
        MoveTally(did, game.moves[did].name, each.total(), each["good"], each["mid"] + each[""], each["bad"])
        for did, each in found.items()
    ]
    return tuple(sorted(tallies, key=lambda move: (-move.times, move.name)))


def _feats(feats: Iterable[tuple[Feat, int]]) -> tuple[FeatTally, ...]:
    found: dict[str, list[tuple[Feat, int]]] = {}
    for feat, times in feats:
        found.setdefault(feat.name, []).append((feat, times))
    return tuple(_feat(name, several) for name, several in sorted(found.items()))


def _feat(name: str, several: Sequence[tuple[Feat, int]]) -> FeatTally:
    what = Counter[str]()
    for feat, times in several:
        if feat.what:
            what[feat.what] += times * feat.many
    in_order = sorted(what.items(), key=lambda pair: (-pair[1], pair[0]))
    done = sum(feat.many * times for feat, times in several)
    paid = sum(feat.paid * times for feat, times in several)
    return FeatTally(name, done, paid, next((feat.unit for feat, _ in several if feat.unit), ""), tuple(in_order))


def _series(found: Gathered, wanted: Selection, first: int, last: int) -> Iterable[Series]:
    if not first:
        return
    for line in found.lines.values():
        gauge = line.gauge
        if gauge.group == "count" or (wanted.who and gauge.who and gauge.who not in wanted.who):
            continue
        points = [(at, value) for at, _, value in line.points if first <= at <= last]
        earlier = [value for at, _, value in line.points if at < first]
        if earlier and (not points or points[0][0] > first):
            points.insert(0, (first, earlier[-1]))
        if not points or (gauge.group == "track" and earlier and len(points) == 1):
            continue  # a track that nothing happened to
        most = max(value for _, value in points)
        high = max(gauge.high if gauge.high is not None else gauge.low + 1, most)
        low = min(gauge.low, *(value for _, value in points))
        who = found.names.get(gauge.who, "")
        yield Series(gauge.id, gauge.label, gauge.group, who, low, high, tuple(points), gauge.worse)
