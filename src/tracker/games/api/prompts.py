"""The seven questions a procedure can ask.

A prompt's key is the word under which its answer is stored and under which a scenario gives it. It says
itself which answers fit, so that no driver has to know; what does not fit is `Refused` with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tracker.games.api.errors import Refused
from tracker.games.api.view import Odds
from tracker.games.common.format import counted
from tracker.text import NAME_MOST, name_problem

__all__ = [
    "Answer",
    "Choose",
    "Confirm",
    "Number",
    "Odds",
    "Option",
    "Pick",
    "Prompt",
    "Refused",
    "Roll",
    "Spread",
    "Text",
]

Answer: TypeAlias = Any
"""What TOML can hold: a word, a number, a truth, a list of words, a table of numbers."""


@dataclass(frozen=True)
class Option:
    """One thing to pick. `reason` says why it cannot be picked now; `note` what it would do; `about` is a long text."""

    key: str
    label: str
    note: str = ""
    reason: str = ""
    hot: str = ""
    odds: Odds = ()
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """`default` is taken where nobody answers; a `quiet` prompt is not asked at all, but can be revised.

    One that is `aside` as well is not even offered unless somebody asks for it by its key.
    """

    key: str
    title: str
    default: Answer = None
    quiet: bool = False
    aside: bool = False

    @property
    def asking(self) -> str:
        """The title with its mark, before whatever follows it."""
        return self.title + ("" if self.title.endswith("?") else ":")

    def check(self, answer: Answer) -> Answer:
        """The answer, if it fits; else Refused."""
        raise NotImplementedError


def _of(options: tuple[Option, ...], key: Answer) -> Option:
    for option in options:
        if option.key == key:
            if option.reason:
                raise Refused(f"{option.label}: {option.reason}.")
            return option
    raise Refused(f"There is no “{key}” here; there is {', '.join(o.key for o in options) or 'nothing'}.")


@dataclass(frozen=True, kw_only=True)
class Pick(Prompt):
    """One of several: a stat, a track, a rank, a character. A cursor stands on `likely` first, else on the default."""

    options: tuple[Option, ...]
    likely: str | None = None

    def check(self, answer: Answer) -> Answer:
        return _of(self.options, answer).key


@dataclass(frozen=True, kw_only=True)
class Choose(Prompt):
    """At least `least` and at most `most` different ones of a list. A cursor stands on `likely` first."""

    options: tuple[Option, ...]
    least: int = 1
    most: int = 1
    likely: str | None = None

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, (list, tuple)):
            raise Refused(f"{self.asking} a list is needed.")
        keys = [_of(self.options, key).key for key in answer]
        if len(set(keys)) != len(keys):
            raise Refused("The same choice cannot be made twice.")
        if not self.least <= len(keys) <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            raise Refused(f"Choose {wanted}, not {len(keys)}.")
        return keys


@dataclass(frozen=True, kw_only=True)
class Spread(Prompt):
    """`points` over targets, each of which can take its limit; refused until they add up."""

    points: int
    targets: tuple[tuple[Option, int], ...]

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, Mapping):
            raise Refused(f"{self.asking} a table of points is needed.")
        limits = {option.key: limit for option, limit in self.targets}
        shares: dict[str, int] = {}
        for key, share in answer.items():
            target = _of(tuple(option for option, _ in self.targets), key)
            if not _whole(share) or share < 0:
                raise Refused(f"{target.label}: {share!r} is not a number of points.")
            if share > limits[key]:
                raise Refused(f"{target.label} can take {limits[key]}, not {share}.")
            if share:
                shares[key] = share
        if sum(shares.values()) != self.points:
            are = "is" if self.points == 1 else "are"
            raise Refused(f"{counted(self.points, 'point')} {are} to be spread, not {sum(shares.values())}.")
        return shares


@dataclass(frozen=True, kw_only=True)
class Number(Prompt):
    """A whole number between `low` and `high`.

    Where it is quiet, the key `hot` adds one; with `off`, what the number is called at `low`, it goes there and back.
    `means` says of some numbers what comes of them.
    """

    low: int
    high: int
    hot: str = ""
    off: str = ""
    means: Mapping[int, str] = field(default_factory=dict)

    def told(self, value: int) -> str:
        """The number as it is said."""
        if self.off and value == self.low:
            return self.off
        return f"{value}: {self.means[value]}" if value in self.means else str(value)

    def pressed(self, value: int) -> int:
        """What its key makes of this value."""
        if self.off:
            return self.low if value != self.low else (self.default or self.low + 1)
        return value + 1 if value < self.high else self.low

    def check(self, answer: Answer) -> Answer:
        if not _whole(answer) or not self.low <= answer <= self.high:
            raise Refused(f"{self.asking} a number from {self.low} to {self.high} is needed.")
        return answer


@dataclass(frozen=True, kw_only=True)
class Text(Prompt):
    """A line of at most `most` characters; empty only where `empty` allows it."""

    most: int = 60
    empty: bool = False
    hint: str = ""

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, str):
            raise Refused(f"{self.asking} a text is needed.")
        line = answer.strip()
        if not line and not self.empty:
            raise Refused("Type something first.")
        if len(line) > self.most:
            raise Refused(f"At most {self.most} characters fit here; these are {len(line)}.")
        if len(line.splitlines()) > 1:
            raise Refused("One line only.")
        if line and (problem := name_problem(line[:NAME_MOST])):
            raise Refused(problem)
        return line


@dataclass(frozen=True, kw_only=True)
class Roll(Prompt):
    """The dice wanted, by name: a number of sides, or several for dice of one name.

    `called` has the words for a name that nobody would say, such as one with an id in it.
    `stakes` say of each of the odds what it would change, a phrase each, where that is known before the dice fall.
    `at_once`: the odds were before the player's eyes with the last answer, so that nothing is left to ask.
    `ours`: dice that lie on no table, such as one with 29 sides; they are rolled here, wherever others come from.
    """

    dice: Mapping[str, int | tuple[int, ...]]
    called: Mapping[str, str] = field(default_factory=dict)
    odds: Odds = ()
    stakes: tuple[tuple[str, ...], ...] = ()
    at_once: bool = False
    ours: bool = False

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, Mapping):
            raise Refused(f"{self.asking} faces by name are needed.")
        if unknown := set(answer) - set(self.dice):
            raise Refused(f"No die called {min(unknown)} is rolled here.")
        faces: dict[str, int | list[int]] = {}
        for name, sides in self.dice.items():
            if name not in answer:
                raise Refused(f"The face of the {name} die is missing.")
            if isinstance(sides, int):
                faces[name] = _face(name, sides, answer[name])
            else:
                given = answer[name]
                if not isinstance(given, (list, tuple)) or len(given) != len(sides):
                    raise Refused(f"{len(sides)} faces are needed for {name}.")
                faces[name] = [_face(name, s, f) for s, f in zip(sides, given, strict=True)]
        return faces


@dataclass(frozen=True, kw_only=True)
class Confirm(Prompt):
    """Yes or no, with what yes would do. `hot` is the key that says yes; `reason` is why it cannot be said now."""

    note: str = ""
    hot: str = "y"
    reason: str = ""

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, bool):
            raise Refused(f"{self.asking} yes or no is needed.")
        if answer and self.reason:
            raise Refused(f"{self.asking} {self.reason}.")
        return answer


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _face(name: str, sides: int, face: object) -> int:
    if not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= sides:
        raise Refused(f"The {name} die has faces from 1 to {sides}, not {face}.")
    return face
