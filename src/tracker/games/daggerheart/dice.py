"""The dice of Daggerheart: what the faces of a roll mean, and the exact odds."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tracker.games.api.errors import Refused
from tracker.games.api.view import percent, whole
from tracker.records import NamedTuple
from tracker.text import shown_line

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
"""All five outcomes, best first."""

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
"""Sign of each outcome: filled for a success, ? for a secret one, with H or F for the higher die."""
FACES: Final = 12
TRAITS: Final = ("agility", "strength", "finesse", "instinct", "presence", "knowledge")
HOT: Final = {trait: trait[0] for trait in TRAITS}

BARE: Final = ("strength", "finesse")
"""Traits that bare hands can use."""

ARRAY: Final = (2, 1, 1, 0, 0, -1)
"""Numbers that a new character assigns to the six traits."""

ANCHORS: Final = (5, 10, 15, 20, 25, 30)
"""Difficulties of the printed ladder; any number between them is allowed too."""


class Duality(NamedTuple):
    """A duality roll with known faces: the Hope Die and the Fear Die, both d12, and a bonus.

    Procedures make one from the rolled faces, to find the outcome. `plus` is the sum of everything that is added to the
    two dice.
    """

    hope: int
    fear: int
    plus: int

    @property
    def total(self) -> int:
        return self.hope + self.fear + self.plus

    @property
    def critical(self) -> bool:
        """True if both dice are equal, which is a success at any total."""
        return self.hope == self.fear

    @property
    def with_hope(self) -> bool:
        """True if the Hope Die is at least as high as the Fear Die."""
        return self.hope >= self.fear

    def outcome(self, difficulty: int) -> Outcome:
        if self.critical:
            return CRITICAL
        return told_outcome(self.total >= difficulty, self.with_hope)

    @property
    def unsettled(self) -> str:
        """The outcome while the Difficulty is secret: CRITICAL, "with hope" or "with fear" only."""
        return CRITICAL if self.critical else "with hope" if self.with_hope else "with fear"

    def reaction(self, difficulty: int) -> str:
        """Return the outcome of a reaction roll: CRITICAL, "success" or "failure", without Hope and Fear."""
        return CRITICAL if self.critical else "success" if self.total >= difficulty else "failure"


def told_outcome(success: bool, with_hope: bool) -> Outcome:  # noqa: FBT001
    """Return the name of the outcome of a roll that is not critical.

    `success` is True if the total reaches the Difficulty, and `with_hope` if the Hope Die is the higher one.
    """
    if success:
        return "success with hope" if with_hope else "success with fear"
    return "failure with hope" if with_hope else "failure with fear"


def is_success(outcome: str) -> bool:
    return outcome == CRITICAL or outcome.startswith("success")


def is_with_hope(outcome: str) -> bool:
    """Return True for a critical success and for an outcome that ends in "hope", else False."""
    return outcome == CRITICAL or outcome.endswith("hope")


def announced(total: int, outcome: str) -> str:
    """Return a roll as players announce it: "15 with Hope", or "Critical Success" without the total."""
    if outcome == CRITICAL:
        return "Critical Success"
    return f"{total} with {'Hope' if is_with_hope(outcome) else 'Fear'}"


def in_capitals(outcome: str) -> str:
    """Return the name of an outcome as players write it, such as "success with Hope"."""
    return outcome.replace("hope", "Hope").replace("fear", "Fear")


def net(advantages: int, disadvantages: int) -> int:
    """Return the net advantage: 1 if there are more advantages, -1 if there are more disadvantages, else 0."""
    return (advantages > disadvantages) - (advantages < disadvantages)


def extra(own: int, die: int, helpers: list[int], edition: str) -> int:
    """Return the sum that advantage, disadvantage and help add to the two d12.

    `own` is the net advantage (1, 0 or -1), and `die` the face of its die. `helpers` are the faces of the helpers'
    dice, of which only the best counts. A disadvantage die is subtracted and the best helper added. An advantage die
    and the best helper are both added in edition 1.0; in 2.0 only the higher of the two is (ruling D1).
    """
    best = max(helpers, default=0)
    if own > 0 and edition == "2.0":
        return max(die, best)
    return own * die + best


class Attack(NamedTuple):
    """An adversary's attack roll with known faces: one or two d20 and a bonus.

    `own` is the net advantage. If it is 0, there is one face; if it is 1 or -1, there are two, and the higher or the
    lower one is kept. `plus` is added to the kept face.
    """

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


# -- dice in writing -----------------------------------------------------------------------------------
_TERM = re.compile(r"([+-]?)(\d{0,2})(d?)(\d{0,3})")
_DICE_MOST: Final = 40


class DamageDice(NamedTuple):
    """Damage dice, as `dice` parses them from a text such as `2d8+1`; `str()` returns such a text again.

    `dice` holds the number of sides of each die, and `flat` is the number that is added to their sum.
    """

    dice: tuple[int, ...]
    flat: int

    def __str__(self) -> str:
        sizes = sorted(set(self.dice), key=self.dice.index)
        words = "+".join(f"{self.dice.count(size)}d{size}" for size in sizes)
        return (f"{words}{self.flat:+d}" if self.flat else words) if words else str(self.flat)

    def total(self, faces: Collection[int], *, critical: bool) -> int:
        """Return the damage of these faces.

        A critical adds the maximum of all dice too, but the flat bonus only once.
        """
        return sum(faces) + (self.critical() if critical else self).flat

    def critical(self) -> DamageDice:
        """Return these dice with the maximum of all dice added to the flat bonus."""
        return self._replace(flat=self.flat + sum(self.dice))


def dice(text: str, proficiency: int = 1) -> DamageDice:
    """Parse dice such as `2d8+1`. Dice without a number, as in `d8+1`, are rolled `proficiency` times.

    Raise Refused if the text is not of this form.
    """
    plain = text.replace(" ", "").replace("−", "-").lower()
    sizes: list[int] = []
    flat, at = 0, 0
    while at < len(plain):
        term = _TERM.match(plain, at)
        if not term or term.end() == at or (at and not term[1]):
            raise _unread(text)
        at = term.end()
        sign, many, is_dice, size = term.groups()
        if is_dice:
            if sign == "-" or not size or not 2 <= int(size) <= 100:
                raise _unread(text)
            sizes += [int(size)] * (int(many) if many else max(proficiency, 0))
        else:
            if not many + size:
                raise _unread(text)
            flat += int(f"{sign}{many}{size}")
    if not plain or len(sizes) > _DICE_MOST:
        raise _unread(text)
    return DamageDice(tuple(sizes), flat)


def _unread(text: str) -> Refused:
    return Refused(f"“{shown_line(text, 30)}” isn't dice: type it like d8+2 or 2d6+3.")


def is_dice(text: str) -> bool:
    try:
        dice(text)
    except Refused:
        return False
    return True


# -- countdowns -----------------------------------------------------------------------------------------
PROGRESS: Final[Mapping[str, int]] = dict(zip(OUTCOMES, (3, 2, 1, 0, 0), strict=True))
CONSEQUENCE: Final[Mapping[str, int]] = dict(zip(OUTCOMES, (0, 0, 1, 2, 3), strict=True))


def steps(kind: str, outcome: str) -> int:
    """Return how many steps, 0 to 3, a countdown of this kind advances on an action roll with this outcome.

    Return 0 for kinds that do not advance with rolls.
    """
    return {"standard": 1, "progress": PROGRESS[outcome], "consequence": CONSEQUENCE[outcome]}.get(kind, 0)


# -- levels ---------------------------------------------------------------------------------------------
HIGHEST_LEVEL: Final = 10

STEPS_UP: Final = (2, 5, 8)
"""Levels that begin tiers 2, 3 and 4. Each gives a new Experience and Proficiency +1."""


def tier(level: int) -> int:
    return 1 + sum(level >= step for step in STEPS_UP)


HEADS = ("critical", "■Hope", "■Fear", "□Hope", "□Fear")
"""Short names of the outcomes, for columns of odds. ■ is a success and □ a failure, as on every card."""
LABELS = ("critical", "success with Hope", "success with Fear", "failure with Hope", "failure with Fear")
TONES = ("good", "good", "mid", "bad", "bad")


class Odds(NamedTuple):
    """Exact odds of an action roll: how many of the equally likely combinations of faces give each outcome.

    `total` is the number of all combinations.
    """

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
def odds(
    difficulty: int,
    modifier: int,
    own: int = 0,
    helpers: int = 0,
    edition: str = "2.0",
    die: int = 6,
    extra_dice: tuple[int, ...] = (),
) -> Odds:
    """Return the exact odds of an action roll against a Difficulty, counted over all combinations of faces.

    `modifier` is the sum of all flat bonuses and penalties. `own` is the net advantage (1, 0 or -1), rolled with a
    die of `die` sides. `helpers` is the number of helpers, who roll a d6 each. `edition`, "1.0" or "2.0", says whether
    an advantage die and the best of these are added, or only the higher one. `extra_dice` are the numbers of sides of
    further dice, which are all added.
    """
    beside = _beside(own, helpers, edition, die)
    for sides in extra_dice:
        beside = _with_die(beside, sides)
    every = sum(beside.values())
    # For every total, a higher Hope Die is as likely as a higher Fear Die.
    reached = sum(many * _higher_from(difficulty - modifier - plus) for plus, many in beside.items())
    short = FACES * (FACES - 1) // 2 * every - reached
    return Odds(FACES * every, reached, reached, short, short)


@cache
def _higher_from(total: int) -> int:
    """Return how many of the 144 pairs of two d12 have a higher first die and a sum of at least `total`."""
    return sum(high + low >= total for high in range(2, FACES + 1) for low in range(1, high))


@cache
def _beside(own: int, helpers: int, edition: str, die: int) -> Mapping[int, int]:
    """Return {sum: number of combinations} of the sums that the advantage die and the helpers' dice can add to a roll.

    `own` is the net advantage (1, 0 or -1), whose die has `die` sides; `helpers` is the number of helpers, with a d6
    each; `edition` is "1.0" or "2.0".
    """
    best = _highest_of(helpers, 6)
    mine = _highest_of(abs(own), die)
    counts: dict[int, int] = {}
    for a, many in mine.items():
        for b, more in best.items():
            together = extra(own, a, [b], edition)
            counts[together] = counts.get(together, 0) + many * more
    return counts


def _with_die(counts: Mapping[int, int], sides: int) -> Mapping[int, int]:
    """Return {sum: number of combinations} after one more die of `sides` sides; `counts` holds those without it."""
    more: dict[int, int] = {}
    for total, many in counts.items():
        for face in range(1, sides + 1):
            more[total + face] = more.get(total + face, 0) + many
    return more


def _highest_of(dice: int, sides: int) -> dict[int, int]:
    return {n: n**dice - (n - 1) ** dice for n in range(1, sides + 1)} if dice else {0: 1}


def with_sign(number: int, name: str = "") -> str:
    """Return a term of a sum: "+ 2" or "- 1"; with a name "+ Agility 2" or "+ Agility -1"."""
    if name:
        return f"+ {name} {number}"
    return f"{'+' if number >= 0 else '-'} {abs(number)}"


def term(experience: str) -> str:
    """Return an Experience with its bonus, such as "Wolf-road guide +2", as a term of a sum: "+ Wolf-road guide 2"."""
    name, _, bonus = shown_line(experience, 28).rpartition(" ")
    return with_sign(int(bonus), name) if name and bonus.lstrip("+-").isdecimal() else f"+ {shown_line(experience, 28)}"


def shown_odds(counts: Odds) -> prompts.Odds:
    """Return the odds of an action roll as prompts show them: (label, percentage, tone), best outcome first."""
    return tuple(zip(LABELS, percent(counts), TONES, strict=True))


def secret_odds() -> prompts.Odds:
    """Return the odds of an action roll whose Difficulty is secret, as prompts show them.

    They are (label, percentage, tone) for critical, with Hope and with Fear. They are the same for every roll.
    """
    critical, hope, fear = percent((12, 66, 66))
    return ("critical", critical, "good"), ("with Hope", hope, "good"), ("with Fear", fear, "bad")


def reaction_odds(counts: Odds) -> prompts.Odds:
    """Return the odds of a reaction roll as prompts show them: (label, percentage, tone) for each outcome.

    The outcomes are critical, success and failure. `counts` are the odds of an action roll with the same dice.
    """
    plain = counts.success_with_hope + counts.success_with_fear
    critical, success, failure = percent((counts.critical, plain, counts.total - counts.success))
    return ("critical", critical, "good"), ("success", success, "good"), ("failure", failure, "bad")


def success_percent(counts: Odds) -> str:
    """Return the chance of success as a whole percentage, without the sign."""
    return whole(100 * counts.success / counts.total)


def over_a_range(odds_at: Callable[[int], Odds]) -> str:
    """Return the chances of success against the Difficulties 5, 10, ..., 30 as text: "5: 99%, 10: 86%, …".

    `odds_at` returns the odds of the roll against a given Difficulty.
    """
    return ", ".join(f"{diff}: {success_percent(odds_at(diff))}%" for diff in ANCHORS)


@cache
def attack_odds(evasion: int, plus: int, own: int = 0) -> tuple[int, int, int]:
    """Return the exact odds of an adversary's d20 attack as three counts: critical hits, other hits, misses.

    They are counted over 20 faces, or, if `own` is not 0, over the 400 pairs of two d20. `plus` is the modifier,
    and `own` the net advantage (1, 0 or -1).
    """
    lies = [Attack(faces, own, plus) for faces in product(range(1, 21), repeat=2 if own else 1)]
    critical = sum(one.critical for one in lies)
    hit = sum(one.hits(evasion) for one in lies) - critical
    return critical, hit, len(lies) - critical - hit


def shown_attack(counts: tuple[int, int, int]) -> prompts.Odds:
    """Return the counts of `attack_odds` as prompts show them: (label, percentage, tone) for critical, hit and miss.

    Critical and hit have the tone "bad" and miss "good", because an adversary attacks the players.
    """
    critical, hit, miss = percent(counts)
    return ("critical", critical, "bad"), ("hit", hit, "bad"), ("miss", miss, "good")


def d20_odds(difficulty: int, plus: int, own: int) -> prompts.Odds:
    """Return the odds of an adversary's d20 roll against a Difficulty, as prompts show them.

    They are (label, percentage, tone) for success and failure. `plus` is the modifier, and `own` the net advantage
    (1, 0 or -1). Success has the tone "bad" and failure "good", because an adversary's success is bad for the
    players.
    """
    critical, hit, miss = attack_odds(difficulty, plus, own)
    success, failure = percent((critical + hit, miss))
    return ("success", success, "bad"), ("failure", failure, "good")


def attack_odds_on(evasions: Sequence[tuple[str, int]], plus: int, own: int = 0) -> prompts.Odds:
    """Return the odds of one d20 attack roll that counts against several targets, as prompts show them.

    They are (label, percentage, tone) for critical, for each set of targets that can be hit together, largest
    first, and for a miss of all. `evasions` holds (name, Evasion) of each target. `plus` is the modifier, and `own`
    the net advantage (1, 0 or -1).
    """
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
