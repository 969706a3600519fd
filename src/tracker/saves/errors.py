"""What can be wrong with a save, each in one sentence for the player."""

from __future__ import annotations


class SaveError(Exception):
    """A save that cannot be opened or written as asked; the message names the file, the line and a way out."""


class DamagedSave(SaveError):
    """The head cannot be read, so there is nothing to show; entries may still be whole."""


class LongHead(SaveError):
    """The head does not end where a list stops looking for its end; opening the save still may find it."""


class UnmarkedTail(SaveError):
    """The save ends in a whole entry without an end mark: a torn write or a person's. Somebody has to say."""

    def __init__(self, message: str, entry: str) -> None:
        super().__init__(message)
        self.entry = entry


class Changed(SaveError):
    """Another program has written the file since we last looked; it has to be read again first."""


class Detached(SaveError):
    """The file under the save's name does not hold the campaign any more; `how` says it in a word or two."""

    def __init__(self, message: str, how: str) -> None:
        super().__init__(message)
        self.how = how
