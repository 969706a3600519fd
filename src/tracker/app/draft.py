"""A journal line that was begun and left, kept beside the save until it is written or emptied."""

from __future__ import annotations

import contextlib
import os


def _beside(save: str) -> str:
    folder, name = os.path.split(save)
    return os.path.join(folder, f".{name}.draft")


def kept(save: str) -> str:
    try:
        with open(_beside(save), encoding="utf-8", errors="replace") as file:
            return file.read(100_000)
    except OSError:
        return ""  # there is none; or it cannot be read, and a line begun is not worth a message


def keep(save: str, line: str) -> None:
    """Remember this line; an empty one is forgotten. OSError if that cannot be done."""
    if line:
        with open(_beside(save), "w", encoding="utf-8", errors="replace") as file:
            file.write(line)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(_beside(save))
