"""A player's own settings: `config.toml` in the platform's config folder. What is wrong in it is named and left out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tracker.text import shown_line

NAME = "config.toml"
_MOST = 1 << 20
"""Bytes that are read of the file."""
DICE = ("rolled", "typed")
_THEME_LINE = re.compile(r"(?m)^([ \t]*theme[ \t]*=[ \t]*)(?:\"[^\"\n]*\"|'[^'\n]*'|[^#\n]*?)([ \t]*(?:#[^\n]*?)?\r?)$")
_AT_LINE = re.compile(rf"{re.escape(NAME)}, line (\d+): ")
_FIRST_TABLE = re.compile(r"(?m)^[ \t]*\[")


class Settings(NamedTuple):
    """`keys` are the keys for a binding, by its id. `problems` has one sentence for each thing that was left out."""

    path: str = ""
    """Where a change is written; nowhere, if it is empty."""
    theme: str = ""
    dice: str = DICE[0]
    """Whose dice count in a campaign that does not say."""
    keys: Mapping[str, str] = MappingProxyType({})
    problems: tuple[str, ...] = ()
    lines: Mapping[str, int] = MappingProxyType({})
    """The line of each of the `keys`, and of the theme."""

    def problem(self, key: str, why: str) -> str:
        """A sentence about what stands in the line of this key."""
        return f"{NAME}, line {self.lines.get(key, 1)}: {why}"


def folder() -> str:
    """Where programs keep their settings on this platform."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming"), "tracker")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "tracker")
    return os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "tracker")


def read(path: str | None = None) -> Settings:
    """Return the settings in this file, else in the platform's; none where there is no file. It never raises."""
    path = path or os.path.join(folder(), NAME)
    from tracker.saves.disk import open_regular

    try:
        with open_regular(path) as file:
            data = file.read(_MOST)
    except (FileNotFoundError, NotADirectoryError):
        return Settings(path)
    except OSError as error:
        return Settings(path, problems=(f"{shown_line(path, 200)} cannot be read: {error.strerror}.",))
    from tracker.saves import toml

    try:
        tables = toml.parse(data)
    except toml.BadToml as error:
        return Settings(path, problems=(f"{NAME}, line {error.line}: {error.why}; all of it was left out.",))
    text = data.decode()
    taken, problems = _taken(tables)
    places = toml.Lines(text)
    lines = {".".join(key[1:]) or key[0]: places.of(key) for key in _paths(tables)}
    told = in_order(f"{NAME}, line {places.of(key)}: {why}" for key, why in problems)
    return Settings(path, problems=tuple(told), lines=lines, **taken)


def in_order(problems: Iterable[str]) -> list[str]:
    """What is wrong, in the order of the lines that it stands in."""
    return sorted(problems, key=lambda told: int(found[1]) if (found := _AT_LINE.search(told)) else 0)


def _paths(tables: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, value in tables.items():
        if isinstance(value, dict):
            yield from ((name, *rest) for rest in _paths(value))
        else:
            yield (name,)


def _taken(tables: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[tuple[str, ...], str]]]:
    """What can be used, and what is wrong with the rest, by where it stands."""
    taken: dict[str, Any] = {}
    problems: list[tuple[tuple[str, ...], str]] = []
    for name, value in tables.items():
        said = shown_line(str(value), 40)
        if name == "theme" and isinstance(value, str):
            taken["theme"] = value
        elif name == "dice" and value in DICE:
            taken["dice"] = value
        elif name == "keys" and isinstance(value, dict):
            taken["keys"] = {}
            for key in _paths(value):
                keys = value
                for part in key:
                    keys = keys[part]
                if isinstance(keys, str):
                    taken["keys"][".".join(key)] = keys
                else:
                    problems.append((("keys", *key), f"the key of {shown_line('.'.join(key))} should be a text."))
        elif name == "dice":
            problems.append(((name,), f"dice is “rolled” or “typed”, not “{said}”."))
        elif name == "theme":
            problems.append(((name,), "theme should be the name of a theme, as a text."))
        elif name == "keys":
            problems.append(((name,), "keys should be a table, [keys]."))
        else:
            problems.append(((name,), f"nobody knows “{shown_line(name)}”; there are theme, dice and [keys]."))
    return taken, problems


class NotKept(Exception):
    """A change that could not be written to the settings; the message says why."""


def keep_theme(path: str, theme: str) -> None:
    """Write this theme into the file: one line changes, all others stay. Raise NotKept if that cannot be done."""
    from tracker.saves.disk import open_regular

    try:
        try:
            with open_regular(path) as file:
                data = file.read(_MOST + 1)
            if len(data) > _MOST:
                raise OSError(f"it is larger than {_MOST >> 20} MB")
            text = data.decode()
        except FileNotFoundError:
            text = ""
        _replace(path, _with_theme(text, theme))
    except OSError as error:
        why = error.strerror or str(error)
        raise NotKept(f"The theme is not kept: {shown_line(path, 200)} cannot be written ({why}).") from None
    except ValueError:
        raise NotKept(f"The theme is not kept: {NAME} is not whole TOML; mend it first.") from None


def _with_theme(text: str, theme: str) -> str:
    """Return the text with this theme in it. Raise ValueError if it does not say so then, or is not TOML."""
    from tracker.saves import toml

    table = _FIRST_TABLE.search(text)
    top, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    if found := _THEME_LINE.search(top):
        top = f'{top[: found.start()]}{found[1]}"{theme}"{found[2]}{top[found.end() :]}'
    else:
        top = f'theme = "{theme}"\n{top}'
    if toml.parse((top + rest).encode()).get("theme") != theme:
        raise ValueError
    return top + rest


def _replace(path: str, text: str) -> None:
    """Put this text in the place of the file, with the old permissions. Raise OSError with the old file left."""
    import stat

    from tracker.saves.disk import Disk

    real = os.path.realpath(path)  # it may be a link into the player's dotfiles
    os.makedirs(os.path.dirname(real), exist_ok=True)
    try:
        mode = stat.S_IMODE(os.stat(real).st_mode) & 0o777
    except FileNotFoundError:
        mode = None
    Disk().replace_file(real, text.encode(), mode)
