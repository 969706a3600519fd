"""Errors of a save. The message of each is one sentence for the player."""

from __future__ import annotations


class SaveError(Exception):
    """Raised when a save cannot be opened or written as asked. The message says why and, if possible, the way out."""


class DamagedSave(SaveError):
    """Raised when the head of a save cannot be used; `tracker recover` may still rescue the entries."""


class LongHead(SaveError):
    """Raised when a head is longer than the caller wanted to read.

    The save may be intact, and can be opened as usual.
    """


class UnmarkedTail(SaveError):
    """Raised when a save ends in an entry without an end mark, from an unfinished write or a hand edit.

    The player must choose what to do with that entry, which `entry` describes in a few words; `tail` has the bytes
    after the last end mark. Open the save again with tail="keep" or "aside".
    """

    def __init__(self, message: str, entry: str, tail: bytes) -> None:
        super().__init__(message)
        self.entry = entry
        self.tail = tail


class Changed(SaveError):
    """Raised when another program has changed the file since we last read or wrote it.

    The caller must read it again.
    """


class Detached(SaveError):
    """Raised when the file at the save's path was deleted, emptied or replaced; `how` says which, such as "emptied"."""

    def __init__(self, message: str, how: str) -> None:
        super().__init__(message)
        self.how = how
