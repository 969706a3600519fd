"""The dice of Wherever We Go: how a pool is stepped, and what it means once the faces are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Outcome: TypeAlias = Literal["failure", "mixed success", "success", "great success"]

NONE: Final = "0"
"""No die: an untrained skill, or one that was stepped away."""
RATED: Final = ("d6", "d8", "d10", "d12")
RUNGS: Final = (NONE, *RATED)
"""The ladder. 0 stands where other games have a d4."""
BONUSES_MOST: Final = 3
STRESS_SIDES: Final = 6
BANE: Final = 1
WILL: Final = 6
"""The face of a stress die that gives 1 WP back."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("failure", "mixed success", "success", "great success")
"""By edges; three or more are great."""
MARKS: Final[Mapping[str, str]] = {
    "failure": "□□□",
    "mixed success": "■□□",
    "success": "■■□",
    "great success": "■■■",
}

GRADES: Final = ("minor", "severe", "major")
"""How bad a harm is; in this game major is worse than severe."""
WEAKENED: Final = "weakened"
PENALTIES: Final[Mapping[str, int]] = {"minor": -1, "severe": -2, "major": -3}
MARKS_FOR: Final[Mapping[str, int]] = {"0": 6, "d6": 8, "d8": 10, "d10": 12, "d12": 0}
"""Marks that lead from a rating to the next one; above d12 there is none."""


def sides(die: str) -> int:
    """The sides of a die as it is written; 0 for none."""
    return int(die.removeprefix("d"))


def net(mods: Iterable[int], harms: Iterable[int] = ()) -> int:
    """All together: bonuses stop at +3 before penalties come off, and of harms only the worst counts."""
    mods = list(mods)
    bonus = min(BONUSES_MOST, sum(mod for mod in mods if mod > 0))
    return bonus + sum(mod for mod in mods if mod < 0) + min(harms, default=0)


def stepped(attribute: str, skill: str, by: int) -> tuple[str, str]:
    """The two base dice after so many steps; before each, look again which is lower or higher."""
    a, s = RUNGS.index(attribute), RUNGS.index(skill)
    top = len(RUNGS) - 1
    for _ in range(abs(by)):
        if by > 0:
            a, s = (a, min(s + 1, top)) if s <= a else (a + 1, s)
        else:
            a, s = (a, max(s - 1, 0)) if s >= a else (a - 1, s)
    return RUNGS[a], RUNGS[s]


def edges_of(face: int) -> int:
    """What a face is worth: nothing below 6, two from 10 on."""
    return (face >= 6) + (face >= 10)


def outcome_of(edges: int) -> Outcome:
    return OUTCOMES[min(edges, len(OUTCOMES) - 1)]


def damage_of(banes: int) -> int:
    """Two for each of the first three."""
    return 2 * min(banes, 3)


def graded(points: int) -> str:
    """How bad so much damage in one place is."""
    return WEAKENED if points < 2 else GRADES[min(points // 2, 3) - 1]


class Pool(NamedTuple):
    """Dice before they are rolled: two base dice as stepped, a talent's, and so many stress dice."""

    attribute: str
    skill: str
    talent: str = NONE
    stress: int = 0

    @property
    def dice(self) -> dict[str, int | tuple[int, ...]]:
        """Those that there are, by name."""
        wanted: dict[str, int | tuple[int, ...]] = {
            name: sides(die) for name, die in zip(self._fields, self[:3], strict=False) if die != NONE
        }
        if self.stress:
            wanted["stress"] = (STRESS_SIDES,) * self.stress
        return wanted

    @property
    def action(self) -> tuple[int, ...]:
        """The sides of all but the stress dice."""
        return tuple(sides(die) for die in self[:3] if die != NONE)


class Lying(NamedTuple):
    """Dice as they lie; where there is no die, the face is 0."""

    attribute: int
    skill: int
    talent: int
    stress: tuple[int, ...] = ()

    @property
    def edges(self) -> int:
        return sum(map(edges_of, (*self[:3], *self.stress)))

    @property
    def banes(self) -> int:
        """Only on stress dice; a 1 on any other means nothing."""
        return self.stress.count(BANE)

    @property
    def will(self) -> int:
        return self.stress.count(WILL)

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.edges)


def lying(faces: Mapping[str, int | list[int]]) -> Lying:
    """The first roll."""
    return _laid(faces, tuple(_several(faces)))


def gamble(pool: Pool, before: Lying) -> Pool:
    """What is rolled again: everything but the stress dice that show 1, and one more stress die."""
    return pool._replace(stress=len(before.stress) - before.banes + 1)


def gambled(before: Lying, faces: Mapping[str, int | list[int]]) -> Lying:
    """The new faces; locked ones stay in their place, the new die is the last."""
    new = iter(_several(faces))
    return _laid(faces, (*(BANE if face == BANE else next(new) for face in before.stress), *new))


def _laid(faces: Mapping[str, int | list[int]], stress: tuple[int, ...]) -> Lying:
    one = {name: face for name, face in faces.items() if isinstance(face, int)}
    return Lying(one.get("attribute", 0), one.get("skill", 0), one.get("talent", 0), stress)


def _several(faces: Mapping[str, int | list[int]]) -> list[int]:
    found = faces.get("stress", [])
    return found if isinstance(found, list) else [found]
