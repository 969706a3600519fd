"""The ids of all entries of a campaign, in little memory."""

from __future__ import annotations

from collections.abc import Iterable


class Ids:
    """A set of entry ids such as `k3f9x2ab.17`: an opening and a counter.

    The entries of one opening are counted without a gap, so `upto` needs one number for each opening: the highest
    counter before the first gap. `beyond` has the ids after a gap, and those of other forms.
    """

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self.upto: dict[str, int] = {}
        self.beyond: set[str] = set()
        for ident in ids:
            self.add(ident)

    def add(self, ident: str) -> None:
        """Add an id; do nothing if it is in the set already."""
        opening, number = _split(ident)
        if not number or number > self.upto.get(opening, 0) + 1:
            self.beyond.add(ident)
        elif number == self.upto.get(opening, 0) + 1:
            while (following := f"{opening}.{number + 1}") in self.beyond:
                self.beyond.remove(following)
                number += 1
            self.upto[opening] = number

    def __contains__(self, ident: str) -> bool:
        opening, number = _split(ident)
        return 0 < number <= self.upto.get(opening, 0) or ident in self.beyond


def _split(ident: str) -> tuple[str, int]:
    """Return (opening, counter) of an id; the counter is 0 if the id has another form."""
    opening, _, number = ident.partition(".")
    counted = number.isascii() and number.isdigit() and len(number) < 16 and number[0] != "0"
    return opening, int(number) if counted else 0
