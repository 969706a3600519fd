"""Words for the journal that were begun and left, kept beside the save until they are written or emptied."""

from __future__ import annotations

import contextlib
import os


def beside(save: str, of: str = "") -> str:
    """The file for a new line, or for the words of the entry with this id."""
    folder, name = os.path.split(save)
    return os.path.join(folder, f".{name}.{f'{of}.' if of else ''}draft")


def kept(save: str, of: str = "") -> str:
    try:
        with open(beside(save, of), encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""  # there is none; or it cannot be read, and a line begun is not worth a message


def keep(save: str, words: str, of: str = "") -> None:
    """Remember these words; empty ones are forgotten. OSError if that cannot be done, and what was kept stays."""
    if words:
        folder, name = os.path.split(save)
        temp = os.path.join(folder, f".{name}.{os.getpid()}.new")  # one that is left is swept away with the save's
        try:
            with open(temp, "w", encoding="utf-8", errors="replace") as file:
                file.write(words)
            os.replace(temp, beside(save, of))
        except OSError:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temp)
            raise
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside(save, of))
