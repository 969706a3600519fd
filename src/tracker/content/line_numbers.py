"""Line numbers of keys and list items in TOML text; tomllib reports them only for syntax errors."""

from __future__ import annotations

import re
from typing import TypeAlias

from tracker.saves.toml import SKIPPED

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list indexes that lead to a value in the parsed tables, as in ("asset", 2, "ability", 0, "gives", 1)."""

_STATEMENT = re.compile(r"(?m)^[ \t]*(?:(\[\[?)([^\]\n]*)\]|([\w-]+)[ \t]*=)")
_TOKEN = re.compile(r"[\[\]{},]|[^\s\[\]{},]+")


class LineNumbers:
    """Index of a valid TOML text that finds the line number of a value by its path, for messages to the player."""

    def __init__(self, text: str) -> None:
        self._bare = re.sub(SKIPPED, _hollow, text)
        self._places = _statements(self._bare)

    def of(self, path: Path) -> int:
        """Return the line number of the value at `path`, counted from 1.

        The path holds keys, and for items of lists their numbers from 0, such as ("table", 0, "rows").
        If there is no such value, return the line of the nearest table or list around it, or else 1.
        """
        for length in range(len(path), 0, -1):
            place = self._places.get(path[:length])
            if place is not None:
                if length < len(path) and isinstance(item := path[length], int):
                    place = self._item(place, item)
                return self._bare.count("\n", 0, place) + 1
        return 1

    def _item(self, place: int, item: int) -> int:
        """Return the offset of item number `item`, from 0, in the list whose value begins at the offset `place`.

        Return `place` if the list is shorter.
        """
        depth = 0
        for token in _TOKEN.finditer(self._bare, place):
            if depth == 1 and item == 0 and token[0] not in {",", "]"}:
                return token.start()
            match token[0]:
                case "[" | "{":
                    depth += 1
                case "]" | "}":
                    depth -= 1
                    if depth == 0:
                        break
                case "," if depth == 1:
                    item -= 1
        return place


def _hollow(skipped: re.Match[str]) -> str:
    """Return the replacement for a match, with as many lines: nothing for a comment, empty quotes for a string."""
    return "" if skipped[0].startswith("#") else '"' + "\n" * skipped[0].count("\n")


def _statements(bare: str) -> dict[Path, int]:
    """Return {path: offset} of each table header and assignment in the text `bare`."""
    places: dict[Path, int] = {}
    last: dict[Path, int] = {}
    here: Path = ()
    for statement in _STATEMENT.finditer(bare):
        brackets, header, key = statement.groups()
        if key:
            places[*here, key] = statement.start()
            continue
        *outer, name = (part.strip() for part in header.split("."))
        here = ()
        for part in outer:
            here = (*here, part)
            if here in last:
                here = (*here, last[here])
        here = (*here, name)
        if brackets == "[[":
            last[here] = last.get(here, -1) + 1
            here = (*here, last[here])
        places[here] = statement.start()
    return places
