"""A filter: the letters that a player types, and the names that they fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from textual.content import Content

from tracker.text import shown_line

if TYPE_CHECKING:
    from textual import events

Named = TypeVar("Named")
Rank = tuple[int, int]
GAPS: Rank = (4, 0)
"""From here on the letters are there, but other letters stand between them."""
HINT = "type to filter"
ERASERS = {"backspace", "ctrl+u"}


class Filter:
    """The letters typed to filter one list. They fit a name in the same way wherever a player filters."""

    def __init__(self, most: int = 40) -> None:
        """`most` is the number of letters that are taken."""
        self.typed = ""
        self._most = most

    def press(self, key: str) -> bool:
        """Take a character, or erase one by `backspace` and all by `ctrl+u`. Return False if there is nothing to do."""
        if key in ERASERS and self.typed:
            self.typed = self.typed[:-1] if key == "backspace" else ""
        elif len(key) == 1:
            self.add(key)
        else:
            return False
        return True

    def on_key(self, event: events.Key) -> bool:
        """Take a key, and stop it. Return False if it is not for the filter."""
        if not self.press(pressed(event)):
            return False
        event.stop()
        return True

    def add(self, letters: str) -> None:
        self.typed = (self.typed + letters)[: self._most]

    def clear(self) -> bool:
        """Forget the letters. Return False if there are none."""
        typed, self.typed = self.typed, ""
        return bool(typed)

    def line(self, hint: str = HINT, beside: str = "") -> Content:
        """Return the line over the list: the letters, or `hint` while there are none."""
        shown = (shown_line(self.typed), "") if self.typed else (hint, "$faint")
        return Content.assemble(("/ ", "bold $key"), shown, (beside, "$muted"))

    def fitting(self, items: Iterable[Named], name: Callable[[Named], str]) -> list[Named]:
        """Return the items whose name the letters fit, best first; those with gaps only where there are no others.

        Without letters all of them fit, in their order.
        """
        if not self.typed:
            return list(items)
        close, loose = ranked(self.typed, items, name)
        return close or loose  # else Enter could pick with gaps what nobody meant, where the meant one is greyed

    def is_in(self, *names: str) -> bool:
        """Return True if these names have the letters in one piece."""
        return self.typed.strip().lower() in " ".join(names).lower()


def pressed(event: events.Key) -> str:
    """Return the key as a filter takes it: a character, or what erases. "" for all other keys."""
    return event.key if event.key in ERASERS else event.character or "" if event.is_printable else ""


def ranked(typed: str, items: Iterable[Named], name: Callable[[Named], str]) -> tuple[list[Named], list[Named]]:
    """Return the items whose name these letters fit, best first: those in which they stand together, and the rest."""
    ranks = [(fits, item) for item in items if (fits := rank(typed, name(item)))]
    ranks.sort(key=lambda pair: pair[0])
    return [item for fits, item in ranks if fits < GAPS], [item for fits, item in ranks if fits >= GAPS]


def rank(typed: str, name: str) -> Rank | None:
    """How well these letters fit a name, best first; None if they are not in it in this order.

    Best is how it begins, then how a word of it begins, then the first letters of its words, then anywhere in one
    piece, then with gaps.
    """
    letters, whole = typed.lower().strip(), name.lower()
    if whole.startswith(letters):
        return 0, 0
    begins = [found.start() for found in re.finditer(r"\b\w", whole)]
    if at := next((at for at in begins if whole.startswith(letters, at)), None):
        return 1, at
    if "".join(whole[at] for at in begins).startswith(letters.replace(" ", "")):
        return 2, 0
    if (at := whole.find(letters)) >= 0:
        return 3, at
    at = first = -1
    for letter in letters.replace(" ", ""):
        at = whole.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
    return 4, at - first
