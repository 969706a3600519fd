"""The seven kinds of prompt that a procedure can yield.

A prompt's key is the name under which its answer is stored in the entry, and under which a scenario gives the answer.
Each prompt validates its own answer, so a frontend needs no rules: `check` raises Refused with the reason.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Generator, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from tracker.games.api.errors import Refused
from tracker.games.api.facts import is_whole
from tracker.games.api.phrases import counted
from tracker.games.api.schema import State
from tracker.games.api.view import Odds
from tracker.records import NamedTuple, Record
from tracker.text import NAME_MOST, name_problem, shown_line

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
    "roll_until_accepted",
]

Answer: TypeAlias = Any
"""Any TOML value: str, int, bool, list[str] or dict[str, int]."""

_FEW = 9
"""Largest number of options that an error message lists."""


class Option(NamedTuple):
    """One option of a prompt: its `key`, which is the answer, and its `label`, which players read.

    `note` says in a few words what the option would do, and `about` describes it at length. If `reason` is set, the
    option is disabled, and `reason` says why. `hot` is the hotkey. `odds` are those of the roll that the option leads
    to. Of options with the same `group`, if it is not "", at most one can be chosen.
    """

    key: str
    label: str
    note: str = ""
    reason: str = ""
    hot: str = ""
    odds: Odds = ()
    about: str = ""
    group: str = ""


def member_option(state: State, who: str, note: str = "", label: str = "") -> Option:
    """Return the option for the member `who` of the party. `label` replaces the member's name.

    Its hotkey is a digit, the member's place in the party; there is none after the ninth member, or for a removed one.
    `note` is that of the option.
    """
    members = state["party"]
    shown = [ident for ident, one in members.items() if one["status"] != "gone"]
    number = shown.index(who) + 1 if who in shown else 0
    return Option(who, label or shown_line(members[who]["name"]), note, hot=str(number) if 1 <= number <= 9 else "")


class Prompt(Record):
    """A question to the player; the base of the seven kinds.

    `default` is the answer if the player gives none, or None if the player must answer. A `quiet` prompt is answered
    with its default without being asked; the player can change the answer until the next roll. A prompt that is also
    `aside` is shown only when the player asks for hidden prompts.
    """

    key: str
    title: str
    default: Answer = None
    quiet: bool = False
    aside: bool = False

    @property
    def asking(self) -> str:
        """The title, followed by a colon unless it ends with "?" or "? (optional)"."""
        return self.title + ("" if self.title.endswith(("?", "? (optional)")) else ":")

    @abstractmethod
    def check(self, answer: Answer) -> Answer:
        """Return the answer, validated and normalized. Raise Refused, with the reason, if it is not a valid answer."""


def _of(options: tuple[Option, ...], key: Answer) -> Option:
    for option in options:
        if option.key == key:
            if option.reason:
                raise Refused(f"{option.label}: {option.reason}.")
            return option
    there = f"; choose from: {', '.join(option.label for option in options)}" if 0 < len(options) <= _FEW else ""
    raise Refused(f"“{key}” isn't an option{there}.")


class Pick(Prompt):
    """A prompt for exactly one of several options: a stat, a track, a rank. The answer is the key of the option.

    The cursor starts on the option with the key `likely`, or if that is None on the default. `heads` are short names
    of the outcomes for columns of odds, if those in the odds are long.
    """

    options: tuple[Option, ...]
    likely: str | None = None
    heads: tuple[str, ...] = ()

    def check(self, answer: Answer) -> Answer:
        return _of(self.options, answer).key


class Choose(Prompt):
    """A prompt for at least `least` and at most `most` different options. The answer is the list of their keys.

    The cursor starts on the option with the key `likely`.
    """

    options: tuple[Option, ...]
    least: int = 1
    most: int = 1
    likely: str | None = None

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, (list, tuple)):
            raise Refused("Choose from the list.")
        chosen = [_of(self.options, key) for key in answer]
        keys = [option.key for option in chosen]
        if len(set(keys)) != len(keys):
            raise Refused("You can't choose the same thing twice.")
        there: dict[str, Option] = {}
        for option in chosen:
            if option.group and option is not there.setdefault(option.group, option):
                raise Refused(f"Choose {there[option.group].label} or {option.label}, not both.")
        if not self.least <= len(keys) <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            raise Refused(f"Choose {wanted}, not {len(keys)}.")
        return keys

    def why_not(self, option: Option, chosen: Container[str]) -> str:
        """Return the reason why an option cannot be chosen in addition to those with the keys in `chosen`, or ""."""
        others = (one for one in self.options if one.group == option.group and one.key in chosen and one != option)
        other = next(others, None) if option.group else None
        return option.reason or (f"not together with {other.label}" if other else "")


def choose_any(key: str, title: str, options: Iterable[Option], *, quiet: bool = True, aside: bool = False) -> Choose:
    """Return a prompt for any number of the options. The default is none of them.

    `quiet` and `aside` are those of the prompt: without an argument, the prompt is answered by default.
    """
    there = tuple(options)
    return Choose(key=key, title=title, options=there, least=0, most=len(there), default=[], quiet=quiet, aside=aside)


class Spread(Prompt):
    """A prompt to distribute exactly `points` points over `targets`, each an option with its maximum.

    The answer maps the key of an option to its points; options without points are left out.
    """

    points: int
    targets: tuple[tuple[Option, int], ...]

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, Mapping):
            raise Refused("Type a name and a number of points.")
        limits = {option.key: limit for option, limit in self.targets}
        shares: dict[str, int] = {}
        for key, share in answer.items():
            target = _of(tuple(option for option, _ in self.targets), key)
            if not is_whole(share) or share < 0:
                raise Refused(f"{target.label}: {share!r} is not a number of points.")
            if share > limits[key]:
                raise Refused(f"{target.label} takes at most {limits[key]}, not {share}.")
            if share:
                shares[key] = share
        if sum(shares.values()) != self.points:
            raise Refused(f"Assign {counted(self.points, 'point')} in all, not {sum(shares.values())}.")
        return shares


class Number(Prompt):
    """A prompt for a whole number from `low` to `high`. The answer is an int.

    If the prompt is quiet, pressing the hotkey `hot` adds one; if `off` is set too, `hot` switches between `low` and
    the default instead. `off` is the word shown for `low`. `means` maps some of the numbers to their meaning in words.
    If players must not see the default, `concealed` is the phrase shown for it.
    """

    low: int
    high: int
    hot: str = ""
    off: str = ""
    means: Mapping[int, str] = MappingProxyType({})
    concealed: str = ""

    def told(self, value: int) -> str:
        """Return this number as text for the player.

        The default is shown as `concealed`, and `low` as `off`, if these are set. A number in `means` is followed by
        its meaning, as in "2, dangerous".
        """
        if self.concealed and value == self.default:
            return self.concealed
        if self.off and value == self.low:
            return self.off
        return f"{value}, {self.means[value]}" if value in self.means else str(value)

    def pressed(self, value: int) -> int:
        """Return the number after a press of the hotkey, given the number before: one more, or `low` after `high`.

        If `off` is set, the hotkey switches: return `low` for any other number, and for `low` the default (`low` + 1 if
        the default is None or 0).
        """
        if self.off:
            return self.low if value != self.low else (self.default or self.low + 1)
        return value + 1 if value < self.high else self.low

    def check(self, answer: Answer) -> Answer:
        if not is_whole(answer) or not self.low <= answer <= self.high:
            raise Refused(f"Type a number from {self.low} to {self.high}.")
        return answer


class Text(Prompt):
    """A prompt for one line of text with at most `most` characters. The answer is a str.

    "" is accepted only if `empty` is True. `hint` is an example answer.
    """

    most: int = 60
    empty: bool = False
    hint: str = ""

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, str):
            raise Refused("Type a line of text.")
        line = answer.strip()
        if not line and not self.empty:
            raise Refused("Type something first.")
        if len(line) > self.most:
            raise Refused(f"{len(line)} characters is too long; the limit is {self.most}.")
        if len(line.splitlines()) > 1:
            raise Refused("Keep it to one line.")
        if line and (problem := name_problem(line[:NAME_MOST])):
            raise Refused(problem)
        return line


class Roll(Prompt):
    """A prompt for dice to roll. `dice` maps the name of a die to its sides, or to a tuple of sides for several dice.

    The answer maps each name to the face, or to a list of faces. `called` maps names that players would not understand,
    such as ids, to words for them. `odds` are the chances of each outcome; `stakes` lists for each outcome, in the same
    order, the changes that it would bring, one phrase each. With `at_once` the dice are rolled without asking, because
    the player saw the odds with the previous answer. `ours` marks dice that nobody owns, such as a d29: the app rolls
    them even if the player uses real dice.
    """

    dice: Mapping[str, int | tuple[int, ...]]
    called: Mapping[str, str] = MappingProxyType({})
    odds: Odds = ()
    stakes: tuple[tuple[str, ...], ...] = ()
    at_once: bool = False
    ours: bool = False

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, Mapping):
            raise Refused("Type a result for each die.")
        if unknown := set(answer) - set(self.dice):
            raise Refused(f"This roll has no die called {min(unknown)}.")
        faces: dict[str, int | list[int]] = {}
        for name, sides in self.dice.items():
            if name not in answer:
                raise Refused(f"Missing a result for the {self._named(name)}.")
            if isinstance(sides, int):
                faces[name] = self._face(name, sides, answer[name])
            else:
                given = answer[name]
                if not isinstance(given, (list, tuple)) or len(given) != len(sides):
                    raise Refused(f"{self.called.get(name, name)} takes {len(sides)} results.")
                faces[name] = [self._face(name, s, f) for s, f in zip(sides, given, strict=True)]
        return faces

    def _named(self, die: str) -> str:
        return self.called.get(die) or f"{die.replace('_', ' ')} die"

    def _face(self, die: str, sides: int, face: object) -> int:
        if not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= sides:
            raise Refused(f"The {self._named(die)} goes from 1 to {sides}, not {face}.")
        return face


class Confirm(Prompt):
    """A prompt for yes or no. The answer is a bool, True for yes.

    `note` says what yes would do, and `hot` is the hotkey for yes. If `reason` is set, yes is not allowed, and `reason`
    says why.
    """

    note: str = ""
    hot: str = "y"
    reason: str = ""

    def check(self, answer: Answer) -> Answer:
        if not isinstance(answer, bool):
            raise Refused("Type yes or no.")
        if answer and self.reason:
            raise Refused(f"{self.title}: {self.reason}.")
        return answer


def roll_until_accepted(roll: Roll, title: str, note: str) -> Generator[Prompt, Answer, Any]:
    """Yield the prompt `roll`, and offer a reroll until the player accepts the faces. Return the last faces.

    They are the answer to `roll`, by die name. `title` and `note` are those of the offer.
    """
    faces, times = (yield roll), 1
    while (yield Confirm(key=f"again_{times}", title=title, note=note, hot="a", default=False, quiet=True)):
        times += 1
        faces = yield roll.replace(key=f"{roll.key}_{times}")
    return faces
