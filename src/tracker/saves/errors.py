"""Errors of a save. The message of each is one sentence for the player."""

from __future__ import annotations


class SaveError(Exception):
    """A save cannot be opened or written as asked. The message says why and, where there is one, the way out."""


class DamagedSave(SaveError):
    """The head of a save cannot be read, so it cannot be opened; `tracker recover` may still rescue its entries."""


class LongHead(SaveError):
    """The head is longer than the caller wanted to read; the save may be intact, and opening it may work."""


class UnmarkedTail(SaveError):
    """The save ends in an entry without an end mark, an unfinished write or a hand edit; the player must choose.

    `entry` is that entry in a few words, `tail` are the bytes after the last end mark. Read the save again with
    tail="keep" or "aside".
    """

    def __init__(self, message: str, entry: str, tail: bytes) -> None:
        super().__init__(message)
        self.entry = entry
        self.tail = tail


class Changed(SaveError):
    """Another program has changed the file since it was last read or written here; read it again first."""


class Detached(SaveError):
    """The file at the save's path was deleted, emptied or replaced; `how` says which, such as "emptied"."""

    def __init__(self, message: str, how: str) -> None:
        super().__init__(message)
        self.how = how
