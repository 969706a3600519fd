"""The dice of Daggerheart: what a roll means once the faces are known, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

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
