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
"""Lowest rank of a name that has other characters between the typed letters."""
HINT = "Type to filter"
ERASERS = {"backspace", "ctrl+u"}


class Filter:
    """The filter of a list: the letters that the player has typed, and the matching of names against them."""

    def __init__(self, most: int = 40) -> None:
        """`most` is the largest number of letters; further ones are ignored."""
        self.typed = ""
        self._most = most

    def press(self, key: str) -> bool:
        """Add a character, erase one for `backspace`, or erase all for `ctrl+u`. Return True if the key was used.

        A `/` before the first letter is used up without effect: many players press it to start a filter.
        Return False for any other key, and for an erasing key if there are no letters.
        """
        if key in ERASERS and self.typed:
            self.typed = self.typed[:-1] if key == "backspace" else ""
        elif len(key) == 1:
            if self.typed or key != "/":
                self.add(key)
        else:
            return False
        return True

    def on_key(self, event: events.Key) -> bool:
        """Pass a key event to the filter. Return True, and stop the event, if the filter used the key."""
        if not self.press(filter_key(event)):
            return False
        event.stop()
        return True

    def add(self, letters: str) -> None:
        self.typed = (self.typed + letters)[: self._most]

    def clear(self) -> bool:
        """Erase the letters and return True; return False if there were none."""
        typed, self.typed = self.typed, ""
        return bool(typed)

    def line(self, hint: str = HINT, beside: str = "") -> Content:
        """Return the line above the list: the typed letters after a `/`, or `hint` if there are none; then `beside`."""
        if not self.typed:
            return Content.assemble((hint, "$faint"), (beside, "$muted"))
        return Content.assemble(("/ ", "bold $key"), shown_line(self.typed), (beside, "$muted"))

    def fitting(self, items: Iterable[Named], name: Callable[[Named], str]) -> list[Named]:
        """Return the items whose name matches the letters, best match first; without letters, all items in order.

        Matches with other characters between the letters are returned only if there are no closer ones.
        """
        if not self.typed:
            return list(items)
        close, loose = rank_items(self.typed, items, name)
        return close or loose  # else Enter could pick with gaps what nobody meant, where the meant one is greyed

    def is_in(self, *names: str) -> bool:
        """Return True if the typed letters occur, in one piece and in any case, in `names` joined by spaces.

        Also return True if there are no letters.
        """
        return self.typed.strip().lower() in " ".join(names).lower()


def filter_key(event: events.Key) -> str:
    """Return the key for `Filter.press`: a printable character, `backspace` or `ctrl+u`; "" for any other key."""
    return event.key if event.key in ERASERS else event.character or "" if event.is_printable else ""


def rank_items(typed: str, items: Iterable[Named], name: Callable[[Named], str]) -> tuple[list[Named], list[Named]]:
    """Return the items whose name matches the letters `typed`, as two lists: close matches and loose ones.

    In a close match, the name has the letters in one piece or as initials of words; in a loose one, other
    characters stand between the letters. Each list has the best match first.
    """
    ranks = [(fits, item) for item in items if (fits := rank(typed, name(item)))]
    ranks.sort(key=lambda pair: pair[0])
    return [item for fits, item in ranks if fits < GAPS], [item for fits, item in ranks if fits >= GAPS]


def rank(typed: str, name: str) -> Rank | None:
    """Return a sort key for how well the letters `typed` match a name, lower is better; None if they do not match.

    The order is: start of the name, start of a word, initials of the words, anywhere in one piece, and last the
    letters with other characters between them.
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
