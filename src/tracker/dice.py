"""Named dice and their sources: random, scripted, or typed in by the player."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Protocol

Wanted = Mapping[str, int | tuple[int, ...]]
"""Number of sides by die name; a tuple for several dice of one name."""
Faces = dict[str, int | list[int]]
"""Result by die name; a list for several dice of one name."""


class Dice(Protocol):
    """Protocol of an object that rolls dice for prompts, such as RandomDice."""

    def roll(self, wanted: Wanted) -> Faces:
        """Return a face for each die in `wanted`, by the die's name.

        `wanted` maps names to numbers of sides. Where it has a tuple of them, the result has a list of faces.
        """
        ...


class RandomDice:
    """Dice rolled by the program: with the system's random source, or with `seed` for a repeatable sequence."""

    def __init__(self, seed: int | None = None) -> None:
        self._face = _system_face
        if seed is not None:
            from random import Random

            given = Random(seed)
            self._face = lambda sides: given.randint(1, sides)

    def roll(self, wanted: Wanted) -> Faces:
        return {name: self._one(sides) for name, sides in wanted.items()}

    def _one(self, sides: int | tuple[int, ...]) -> int | list[int]:
        if isinstance(sides, int):
            return self._face(sides)
        return [self._face(one) for one in sides]


def _system_face(sides: int) -> int:
    """Return a fair face, from 1 to `sides`, from the system's random source.

    The module `random` would take longer to import than to roll.
    """
    bits = sides.bit_length()
    while (number := int.from_bytes(os.urandom(4)) >> (32 - bits)) >= sides:
        pass
    return number + 1


class ScriptedDice:
    """Dice with predefined results, `faces` by die name, each used once, for tests and scenarios.

    `left` has the results not used yet. `roll` raises LookupError, with none used, if a result is missing.
    """

    def __init__(self, faces: Faces) -> None:
        self.left = dict(faces)

    def roll(self, wanted: Wanted) -> Faces:
        missing = [name for name in wanted if name not in self.left]
        if missing:
            raise LookupError(f"no face is given for the {missing[0]} die")
        return {name: self.left.pop(name) for name in wanted}


def dice_labels(wanted: Wanted, called: Mapping[str, str] | None = None) -> list[str]:
    """Return a label for each group of equal dice, such as "challenge 2d10", in the order in which faces are typed.

    `wanted` has the dice by name. `called` maps these names to other ones to show.
    """
    return [
        said if (kind := f"{_many(alike)}d{one}") == said else f"{said} {kind}"
        for name, sides in wanted.items()
        for said in ((called or {}).get(name) or name.replace("_", " "),)
        for one, alike in groupby(sides if isinstance(sides, tuple) else (sides,))
    ]


def _many(alike: Iterable[int]) -> str:
    many = len(list(alike))
    return str(many) if many > 1 else ""


def _has(wanted: Wanted, sides: int) -> bool:
    return any(sides in (one if isinstance(one, tuple) else (one,)) for one in wanted.values())


def _one_digit_each(word: str, wanted: Wanted) -> bool:
    """Return True if each digit in `word`, typed without spaces like 592, can only mean one die.

    That is so if no die has more than ten sides, and no "10" in the word could be a single face of a d10.
    """
    sides = {one for several in wanted.values() for one in (several if isinstance(several, tuple) else (several,))}
    return max(sides) <= 10 and not (10 in sides and "10" in word)


def parse_faces(text: str, wanted: Wanted, called: Mapping[str, str] | None = None) -> Faces:
    """Return the faces in `text`, as a player typed them, by die name. They are in the order of `wanted`.

    Spaces or commas separate them. Digits without spaces are one die each, if no die has more than ten sides: 592 is 5,
    9 and 2. As printed on real dice, 0 on a d10 is 10 and 00 on a d100 is 100. Faces are not checked against the number
    of sides. `called` gives names for dice in messages. Raise ValueError, with a message for the player, for a wrong
    count or a word that is not a number of at most 4 digits.
    """
    words = text.replace(",", " ").split()
    count = sum(1 if isinstance(sides, int) else len(sides) for sides in wanted.values())
    if len(words) == 1 and len(words[0]) == count and _one_digit_each(words[0], wanted):
        words = list(words[0])
    if len(words) != count:
        named = ", ".join(dice_labels(wanted, called))
        in_one = " A d100 is one number: 5 and 5 is 55." if _has(wanted, 100) else ""
        raise ValueError(f"Type {count} {'result' if count == 1 else 'results'}: {named}.{in_one}")
    for word in words:
        if not word.isascii() or not word.isdigit() or len(word) > 4:
            raise ValueError(f"“{word[:20]}” is not a die result.")
    numbers = iter(map(int, words))

    def face(sides: int) -> int:
        return next(numbers) or (sides if sides in {10, 100} else 0)

    return {
        name: face(sides) if isinstance(sides, int) else [face(one) for one in sides] for name, sides in wanted.items()
    }
