"""Names of files that every file system takes, and every link of Obsidian."""

from __future__ import annotations

import re

from tracker.text import shown_line

MOST = 100
"""Most bytes of a file name that is made from another name."""
_NO_NAME = re.compile(r'[\\/:*?"<>|#^\[\]{}`%$&~=\x00-\x1f\x7f]')
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))}


def plain_name(text: str) -> str:
    """Return a text as a file name without path separators and signs that some system or link gives a meaning to.

    Characters that cannot stay become dashes. The name has at most about MOST bytes, and is never "".
    """
    name = _NO_NAME.sub("-", shown_line(text, MOST)).lstrip(" .-").rstrip(" .")
    while len(name.encode("utf-8", "replace")) > MOST:
        name = name[:-1].rstrip(" .")
    if name.split(".")[0].strip().upper() in _DEVICES:
        name += "-"
    return name if any(map(str.isalnum, name)) else f"unnamed {name}".strip()


class NameBook:
    """The paths given to the notes of one vault.

    No two are alike, even to a file system that does not tell upper from lower case.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, folder: str, text: str) -> str:
        """Return a new path in `folder` for a note called `text`, without an extension, and remember it as taken.

        If the path is taken already, a number is added. `folder` is "" for the folder of the vault.
        """
        name = plain_name(text)
        base = f"{folder}/{name}" if folder else name
        path, number = base, 1
        while path.casefold() in self._taken:
            number += 1
            path = f"{base} ({number})"
        self._taken.add(path.casefold())
        return path
