"""A set of entry ids that a few numbers describe: little memory, and two copies of a campaign can compare theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_COUNTER = re.compile(r"[1-9][0-9]{0,14}")


def split(ident: str) -> tuple[str, int]:
    """Return (opening, counter) of an entry id: ("k3f9a2b7", 17) for `k3f9a2b7.17`.

    Return (the whole id, 0) if it does not end in a counter from 1 on.
    """
    opening, _, counter = ident.rpartition(".")
    return (opening, int(counter)) if opening and _COUNTER.fullmatch(counter) else (ident, 0)


class IdSet:
    """A growing set of entry ids.

    `upto` has the highest counter without a gap for each opening (the first part of an id), `beyond` every other id.
    Together they are a version vector.
    """

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self.upto: dict[str, int] = {}
        self.beyond: set[str] = set()
        for ident in ids:
            self.add(ident)

    def __contains__(self, ident: str) -> bool:
        opening, counter = split(ident)
        return 0 < counter <= self.upto.get(opening, 0) or ident in self.beyond

    def __len__(self) -> int:
        return sum(self.upto.values()) + len(self.beyond)

    def add(self, ident: str) -> None:
        """Add an id; do nothing if it is in the set already."""
        opening, counter = split(ident)
        if counter != self.upto.get(opening, 0) + 1:
            if ident not in self:
                self.beyond.add(ident)
            return
        self.upto[opening] = counter
        while self.beyond and (following := f"{opening}.{self.upto[opening] + 1}") in self.beyond:
            self.beyond.remove(following)
            self.upto[opening] += 1

    def message(self) -> dict[str, Any]:
        """Return the set as the fields of a `have` message: the dict `upto`, and `more`, a sorted list of other ids."""
        return {"upto": self.upto, "more": sorted(self.beyond)}

    @classmethod
    def read(cls, upto: Mapping[str, Any], more: Iterable[Any]) -> IdSet:
        """Return the set that the fields of a `have` message from a friend describe.

        Counters in `upto` that are not whole numbers from 1 to 2**53 - 1, and ids in `more` that are not text, are left
        out.
        """
        read = cls()
        read.upto = {key: value for key, value in upto.items() if type(value) is int and 0 < value < 2**53}
        read.beyond = {ident for ident in more if isinstance(ident, str)}
        return read

    def covers(self, other: IdSet) -> bool:
        """Return True if every id of the other set is in this one."""
        counted = (
            f"{opening}.{counter}" in self
            for opening, upto in other.upto.items()
            for counter in range(self.upto.get(opening, 0) + 1, upto + 1)
        )
        return all(counted) and all(ident in self for ident in other.beyond)

    def lacking(self, ids: Iterable[str]) -> list[str]:
        """Return a list of those of `ids` that are not in this set, in the same order."""
        return [ident for ident in ids if ident not in self]
