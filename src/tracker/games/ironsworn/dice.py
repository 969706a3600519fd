"""The dice of Ironsworn: what the faces of a roll mean, and the exact odds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tracker.games.api.view import percent
from tracker.records import NamedTuple

if TYPE_CHECKING:
    from tracker.games.api import prompts


Outcome: TypeAlias = Literal["strong hit", "weak hit", "miss"]

MARKS: Final[Mapping[str, str]] = {"strong hit": "■■", "weak hit": "■□", "miss": "□□"}
"""Mark of each outcome: a full box for each challenge die that is beaten."""
HIGHEST_SCORE: Final = 10
TICKS_PER_BOX: Final = 4


class _Contest:
    """Base of the two kinds of roll: a score that is compared with two challenge dice.

    The score beats a challenge die only if it is higher than the die.
    """

    challenge: tuple[int, int]

    @property
    @abstractmethod
    def score(self) -> int:
        """The number that the challenge dice are compared with."""

    @property
    def beaten(self) -> tuple[bool, bool]:
        """Two bools: True if the score beats the first challenge die, and True if it beats the second."""
        return _beaten(self.score, self.challenge)

    @property
    def outcome(self) -> Outcome:
        return _outcome(self.beaten)

    @property
    def match(self) -> bool:
        """True if both challenge dice show the same face. Burning momentum does not change it."""
        first, second = self.challenge
        return first == second


class ActionRoll(_Contest):
    """An action roll with known faces: action die + stat + adds, compared with two challenge dice.

    Moves make one to find the outcome, and cards make one again from stored facts to show the roll. `action` is the
    face of the action die. `stat` is the value of the stat, or of a number such as health that replaces it.
    `momentum` is the character's momentum before the roll.
    """

    def __init__(self, action: int, challenge: tuple[int, int], stat: int, adds: int = 0, momentum: int = 0) -> None:
        self.action = action
        self.challenge = challenge
        self.stat = stat
        self.adds = adds
        self.momentum = momentum

    @property
    def cancelled(self) -> bool:
        """True if negative momentum cancels the action die, which then counts as 0.

        It does so if the face equals the momentum without its sign.
        """
        return self.action == -self.momentum

    @property
    def raw(self) -> int:
        """The sum before it is capped at 10."""
        return (0 if self.cancelled else self.action) + self.stat + self.adds

    @property
    def score(self) -> int:
        return min(self.raw, HIGHEST_SCORE)

    @property
    def burned_outcome(self) -> Outcome:
        """The outcome if the player burns momentum: challenge dice lower than momentum count as beaten."""
        return _outcome(self.burned_beaten)

    @property
    def burned_beaten(self) -> tuple[bool, bool]:
        """Two bools, one for each challenge die: True if the die is beaten after burning momentum."""
        # Momentum set by hand may exceed 10; a challenge die of 10 is never beaten.
        return _beaten(max(self.score, min(self.momentum, HIGHEST_SCORE)), self.challenge)

    @property
    def burn_helps(self) -> bool:
        """True if burning momentum improves the outcome; never with momentum of 1 or less, which is below no face."""
        return self.burned_outcome != self.outcome


class ProgressRoll(_Contest):
    """A progress roll with known faces: the full boxes of a track, compared with two challenge dice.

    `ticks` is the progress of the track, four ticks to a box. Momentum has no effect on the roll.
    """

    def __init__(self, ticks: int, challenge: tuple[int, int]) -> None:
        self.ticks = ticks
        self.challenge = challenge

    @property
    def score(self) -> int:
        return min(self.ticks // TICKS_PER_BOX, HIGHEST_SCORE)


def _beaten(score: int, challenge: tuple[int, int]) -> tuple[bool, bool]:
    first, second = challenge
    return score > first, score > second


def _outcome(beaten: tuple[bool, bool]) -> Outcome:
    if all(beaten):
        return "strong hit"
    return "weak hit" if any(beaten) else "miss"


def added(roll: ActionRoll, plus: Sequence[tuple[str, int]] = ()) -> str:
    """Return the adds of a roll as text, such as " + Marsh Crane 1 - 2"; "" if there are none.

    `plus` has (name, points) of the adds that have a name. The rest of `roll.adds` is shown without a name.
    """
    unnamed = roll.adds - sum(points for _, points in plus)
    named = [*plus, *([("", unnamed)] if unnamed else [])]
    signed = ((name, "+" if points > 0 else "-", abs(points)) for name, points in named)
    return "".join(f" {sign} {name}{' ' if name else ''}{points}" for name, sign, points in signed)


def told(roll: ActionRoll, stat_name: str, plus: Sequence[tuple[str, int]] = ()) -> tuple[str, str]:
    """Return (sum of the roll, reason for its outcome) in words: ("4 + iron 3 = 7", "7 beats the 5, but not the 9").

    `plus` has (name, points) of the adds that have a name. The rest of `roll.adds` is shown without a name.
    """
    total = f"{0 if roll.cancelled else roll.action} + {stat_name} {roll.stat}{added(roll, plus)} = {roll.raw}"
    if roll.raw > roll.score:
        total += f", capped at {roll.score}"
    if roll.cancelled:
        total += f"; momentum {roll.momentum} cancels the action die"
    return total, _why(roll)


def told_progress(roll: ProgressRoll) -> tuple[str, str]:
    """Return (full boxes of the track, reason for the outcome) in words.

    An example is ("6 full boxes; 1 extra tick doesn't count", "6 beats both").
    """
    boxes = f"{roll.score} full {'box' if roll.score == 1 else 'boxes'}"
    if over := roll.ticks % TICKS_PER_BOX:
        boxes += f"; {over} extra tick doesn't count" if over == 1 else f"; {over} extra ticks don't count"
    return boxes, _why(roll)


def _why(roll: _Contest) -> str:
    score = roll.score
    low, high = sorted(roll.challenge)
    if score > high:
        reason = f"{score} beats both"
    elif score < low:
        reason = f"{score} is below both"
    elif low == high:
        reason = f"{score} ties both (a tie goes to the die)"
    elif score == high:
        reason = f"{score} beats the {low} and ties the {high} (a tie goes to the die)"
    elif score == low:
        reason = f"{score} ties the {low} and is below the {high} (a tie goes to the die)"
    else:
        reason = f"{score} beats the {low}, but not the {high}"
    return f"{reason}; {_match_meaning(roll, roll.outcome)}" if roll.match else reason


def told_burn(roll: ActionRoll) -> str:
    """Return in words the result of burning momentum, such as "burned momentum, 8, beats the 7 and the 5".

    If the challenge dice match, the text says what the match means.
    """
    first, second = roll.challenge
    beats_first, beats_second = roll.burned_beaten
    if roll.match:
        dice = f"both {first}s"
    elif beats_first and beats_second:
        dice = f"the {first} and the {second}"
    else:
        low, high = sorted(roll.challenge)
        dice = f"the {low} {'but ties' if high == roll.momentum else 'but not'} the {high}"
    said = f"burned momentum, {roll.momentum}, beats {dice}"
    return f"{said}; {_match_meaning(roll, roll.burned_outcome)}" if roll.match else said


def _match_meaning(roll: _Contest, outcome: Outcome) -> str:
    if outcome == "strong hit":
        return "a match: expect a twist or an opening"
    if roll.challenge == (10, 10):
        return "double tens: as bad as it gets"
    return "a match: the trouble is worse"


class OracleAnswer(NamedTuple):
    """The oracle's answer to a yes/no question, as `oracle_answer` reads it from a d100.

    If `match` is True, the answer is extreme or has a twist.
    """

    answer: Literal["yes", "no"]
    match: bool


ODDS: Final[Mapping[str, tuple[str, int]]] = {
    "almost_certain": ("almost certain", 11),
    "likely": ("likely", 26),
    "fifty_fifty": ("50/50", 51),
    "unlikely": ("unlikely", 76),
    "small_chance": ("small chance", 91),
}
"""Label of each likelihood, and the lowest d100 result that means yes."""
OF_TWO: Final[Mapping[str, str]] = {"yes": "the likelier one", "no": "the less likely one"}
"""What the oracle answers if it chooses between two. The odds are those of "likely"."""


def oracle_answer(roll: int, odds: str) -> OracleAnswer:
    """Return the answer for a d100 result from 1 to 100; `odds` is a key of ODDS. Doubles and 100 are a match."""
    _, yes_from = ODDS[odds]
    return OracleAnswer("yes" if roll >= yes_from else "no", match=roll % 11 == 0 or roll == 100)


_ANY_CHALLENGE = (1, 1)
"""Placeholder where only the score is used, which does not depend on the challenge dice."""


class Odds(NamedTuple):
    """Exact odds of a roll: how many of the equally likely combinations of faces give each outcome.

    `strong`, `weak` and `miss` together are all combinations: 600 for an action roll, 100 for a progress roll.
    `match` is how many of all of them have equal challenge dice, whatever the outcome.
    """

    strong: int
    weak: int
    miss: int
    match: int


@cache
def action_odds(stat: int, adds: int, momentum: int) -> Odds:
    """Return the exact odds of an action roll. Negative momentum cancels the action die as in play.

    They are counted over the 600 combinations of the action die (6 faces) and the two challenge dice (100 pairs).
    """
    return _against_challenge(_scores(stat, adds, momentum))


@cache
def with_burn(stat: int, adds: int, momentum: int) -> Odds:
    """Return the exact odds of an action roll if the player burns momentum whenever that improves the outcome.

    They are counted over the 600 combinations of the action die (6 faces) and the two challenge dice (100 pairs).
    """
    # Against each die a burn counts as the better of score and momentum.
    return _against_challenge(max(score, momentum) for score in _scores(stat, adds, momentum))


def progress_odds(ticks: int) -> Odds:
    """Return the exact odds of a progress roll on a track with `ticks` ticks, over the 100 pairs of challenge dice."""
    return _against_challenge([ProgressRoll(ticks, _ANY_CHALLENGE).score])


def shown_odds(counts: Odds) -> prompts.Odds:
    """Return the odds as prompts and buttons show them: (label, percentage, tone) for strong hit, weak hit and miss."""
    strong, weak, miss = percent((counts.strong, counts.weak, counts.miss))
    return ("strong", strong, "good"), ("weak", weak, "mid"), ("miss", miss, "bad")


def _scores(stat: int, adds: int, momentum: int) -> list[int]:
    return [ActionRoll(face, _ANY_CHALLENGE, stat, adds, momentum).score for face in range(1, 7)]


def _against_challenge(scores: Iterable[int]) -> Odds:
    """Return the exact odds of a roll whose score is one of `scores`, each equally likely.

    Each score is counted against the 100 pairs of two ten-sided challenge dice. So `match` is 10 for each score,
    because ten pairs have equal faces.
    """
    strong = weak = miss = match = 0
    for score in scores:
        below = max(0, min(score, HIGHEST_SCORE) - 1)
        holding = 10 - below
        strong += below * below
        weak += 2 * below * holding
        miss += holding * holding
        match += 10
    return Odds(strong, weak, miss, match)
