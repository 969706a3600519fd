"""The dice of Daggerheart: what a roll means once the faces are known, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from tracker.games.common.format import percent

if TYPE_CHECKING:
    from tracker.games.api import prompts


Outcome: TypeAlias = Literal[
    "critical success", "success with hope", "success with fear", "failure with hope", "failure with fear"
]
CRITICAL: Final = "critical success"

OUTCOMES: Final[tuple[Outcome, ...]] = (
    CRITICAL,
    "success with hope",
    "success with fear",
    "failure with hope",
    "failure with fear",
)
"""All five, best first."""

MARKS: Final[Mapping[str, str]] = {
    CRITICAL: "■■",
    "success with hope": "■H",
    "success with fear": "■F",
    "failure with hope": "□H",
    "failure with fear": "□F",
    "with hope": "?H",
    "with fear": "?F",
    "success": "■",
    "failure": "□",
}
"""Filled when it worked, with the die that was higher."""
FACES: Final = 12
TRAITS: Final = ("agility", "strength", "finesse", "instinct", "presence", "knowledge")
HOT: Final = {trait: trait[0] for trait in TRAITS}

BARE: Final = ("strength", "finesse")
"""What bare hands are rolled with."""

ARRAY: Final = (2, 1, 1, 0, 0, -1)
"""What a new character lays over the six traits."""

ANCHORS: Final = (5, 10, 15, 20, 25, 30)
"""The ladder of Difficulties; any number between them will do too."""


class Duality(NamedTuple):
    """The two d12 as they lie, and all that is added to them."""

    hope: int
    fear: int
    plus: int

    @property
    def total(self) -> int:
        return self.hope + self.fear + self.plus

    @property
    def critical(self) -> bool:
        """Both show the same: a success whatever the total."""
        return self.hope == self.fear

    @property
    def with_hope(self) -> bool:
        """Only the two faces decide; equal ones count as Hope."""
        return self.hope >= self.fear

    def outcome(self, difficulty: int) -> Outcome:
        if self.critical:
            return CRITICAL
        return told_outcome(self.total >= difficulty, self.with_hope)

    @property
    def unsettled(self) -> str:
        """As much as can be said while the Difficulty is secret."""
        return CRITICAL if self.critical else "with hope" if self.with_hope else "with fear"

    def reaction(self, difficulty: int) -> str:
        """Hope and Fear have no part in a reaction."""
        return CRITICAL if self.critical else "success" if self.total >= difficulty else "failure"


def told_outcome(success: bool, with_hope: bool) -> Outcome:  # noqa: FBT001
    """The outcome of a roll whose dice do not match."""
    if success:
        return "success with hope" if with_hope else "success with fear"
    return "failure with hope" if with_hope else "failure with fear"


def is_success(outcome: str) -> bool:
    return outcome == CRITICAL or outcome.startswith("success")


def is_with_hope(outcome: str) -> bool:
    """A critical counts as a roll with Hope."""
    return outcome == CRITICAL or outcome.endswith("hope")


def announced(total: int, outcome: str) -> str:
    """A roll as the table says it."""
    if outcome == CRITICAL:
        return "Critical Success"
    return f"{total} with {'Hope' if is_with_hope(outcome) else 'Fear'}"


def net(advantages: int, disadvantages: int) -> int:
    """1, -1 or 0: they cancel one for one, and never more than one die is rolled."""
    return (advantages > disadvantages) - (advantages < disadvantages)


def extra(own: int, die: int, helpers: list[int], edition: str) -> int:
    """What the dice beside the two d12 add. `own` is the net advantage.

    Edition 2.0 takes the highest of all advantage dice, 1.0 adds the best helper to one's own. A die of disadvantage
    is taken off, and the best helper added all the same.
    """
    best = max(helpers, default=0)
    if own > 0 and edition == "2.0":
        return max(die, best)
    return own * die + best


class Attack(NamedTuple):
    """A GM's d20: with a net advantage or disadvantage two are rolled, and the one that is kept decides."""

    faces: tuple[int, ...]
    own: int
    plus: int

    @property
    def kept(self) -> int:
        return max(self.faces) if self.own > 0 else min(self.faces) if self.own < 0 else self.faces[0]

    @property
    def total(self) -> int:
        return self.kept + self.plus

    @property
    def critical(self) -> bool:
        return self.kept == 20

    def hits(self, evasion: int) -> bool:
        return self.critical or self.total >= evasion


# -- countdowns -----------------------------------------------------------------------------------------
PROGRESS: Final[Mapping[str, int]] = dict(zip(OUTCOMES, (3, 2, 1, 0, 0), strict=True))
CONSEQUENCE: Final[Mapping[str, int]] = dict(zip(OUTCOMES, (0, 0, 1, 2, 3), strict=True))


def steps(kind: str, outcome: str) -> int:
    """How far a countdown of this kind advances on an action roll."""
    return {"standard": 1, "progress": PROGRESS[outcome], "consequence": CONSEQUENCE[outcome]}.get(kind, 0)


# -- levels ---------------------------------------------------------------------------------------------
HIGHEST_LEVEL: Final = 10

STEPS_UP: Final = (2, 5, 8)
"""The levels that begin a tier: a new Experience, and Proficiency +1."""


def tier(level: int) -> int:
    return 1 + sum(level >= step for step in STEPS_UP)


LABELS = ("critical", "success with Hope", "success with Fear", "failure with Hope", "failure with Fear")
TONES = ("good", "good", "mid", "bad", "bad")


class Odds(NamedTuple):
    """In how many of all equally likely throws each outcome comes."""

    critical: int
    success_with_hope: int
    success_with_fear: int
    failure_with_hope: int
    failure_with_fear: int

    @property
    def total(self) -> int:
        return sum(self)

    @property
    def success(self) -> int:
        return self.critical + self.success_with_hope + self.success_with_fear


@cache
def odds(difficulty: int, modifier: int, own: int = 0, helpers: int = 0, edition: str = "2.0", die: int = 6) -> Odds:
    """`own` is the net advantage, rolled with a d6 or another `die`; each helper rolls a d6.

    Of 144 throws of the two d12, times all throws of the dice beside them.
    """
    beside = _beside(own, helpers, edition, die)
    every = sum(beside.values())
    # Hope higher and Fear higher come equally often for every total.
    reached = sum(many * _higher_from(difficulty - modifier - plus) for plus, many in beside.items())
    short = FACES * (FACES - 1) // 2 * every - reached
    return Odds(FACES * every, reached, reached, short, short)


@cache
def _higher_from(total: int) -> int:
    """Throws of two d12 with the first one higher, that come to so much or more."""
    return sum(high + low >= total for high in range(2, FACES + 1) for low in range(1, high))


@cache
def _beside(own: int, helpers: int, edition: str, die: int) -> Mapping[int, int]:
    """What the dice beside the two d12 can come to, and in how many of their throws."""
    best = _highest_of(helpers, 6)
    mine = _highest_of(abs(own), die)
    counts: dict[int, int] = {}
    for a, many in mine.items():
        for b, more in best.items():
            together = extra(own, a, [b], edition)
            counts[together] = counts.get(together, 0) + many * more
    return counts


def _highest_of(dice: int, sides: int) -> dict[int, int]:
    return {n: n**dice - (n - 1) ** dice for n in range(1, sides + 1)} if dice else {0: 1}


def shown_odds(counts: Odds) -> prompts.Odds:
    """The odds as a prompt shows them."""
    return tuple(zip(LABELS, percent(counts), TONES, strict=True))


def secret_odds() -> prompts.Odds:
    """What can be said without a Difficulty: which die is higher."""
    critical, hope, fear = percent((12, 66, 66))
    return ("critical", critical, "good"), ("with Hope", hope, "good"), ("with Fear", fear, "bad")


def reaction_odds(counts: Odds) -> prompts.Odds:
    """Of a reaction roll, in which Hope and Fear have no part."""
    plain = counts.success_with_hope + counts.success_with_fear
    critical, success, failure = percent((counts.critical, plain, counts.total - counts.success))
    return ("critical", critical, "good"), ("success", success, "good"), ("failure", failure, "bad")


def success_percent(counts: Odds) -> int:
    return round(100 * counts.success / counts.total)


def over_a_range(modifier: int, own: int = 0, helpers: int = 0, edition: str = "2.0", die: int = 6) -> str:
    """The chance of success against each Difficulty of the ladder, in words."""
    told = ((diff, success_percent(odds(diff, modifier, own, helpers, edition, die))) for diff in ANCHORS)
    return ", ".join(f"{diff}: {chance}%" for diff, chance in told)


@cache
def attack_odds(evasion: int, plus: int, own: int = 0) -> tuple[int, int, int]:
    """Of 20, or 400, throws of an adversary's d20: critical, hit, miss."""
    lies = [Attack(faces, own, plus) for faces in product(range(1, 21), repeat=2 if own else 1)]
    critical = sum(one.critical for one in lies)
    hit = sum(one.hits(evasion) for one in lies) - critical
    return critical, hit, len(lies) - critical - hit


def shown_attack(counts: tuple[int, int, int]) -> prompts.Odds:
    """For the eye of the players: what is good for an adversary is bad for them."""
    critical, hit, miss = percent(counts)
    return ("critical", critical, "bad"), ("hit", hit, "bad"), ("miss", miss, "good")


def d20_odds(difficulty: int, plus: int, own: int = 0) -> prompts.Odds:
    """Of a bare d20 against a Difficulty: what is good for an adversary is bad for the players."""
    critical, hit, miss = attack_odds(difficulty, plus, own)
    success, failure = percent((critical + hit, miss))
    return ("success", success, "bad"), ("failure", failure, "good")


def attack_odds_on(evasions: Sequence[tuple[str, int]], plus: int, own: int = 0) -> prompts.Odds:
    """One attack on these, each a name and an Evasion: who of them it hits."""
    steps = sorted({evasion for _, evasion in evasions})
    if len(steps) == 1:
        return shown_attack(attack_odds(steps[0], plus, own))
    counts = [attack_odds(evasion, plus, own) for evasion in steps]
    hit = [count[1] for count in counts]
    only = [more - less for more, less in zip(hit, [*hit[1:], 0], strict=True)]
    shares = percent((counts[0][0], *reversed(only), counts[0][2]))
    some = (f"hits only {', '.join(one for one, own in evasions if own <= step)}" for step in steps[-2::-1])
    labels = ("critical", "hits both" if len(evasions) == 2 else "hits all", *some, "miss")
    return tuple(
        (label, part, "good" if label == "miss" else "bad") for label, part in zip(labels, shares, strict=True)
    )
