"""The player's settings, `config.toml` in the platform's config folder. Invalid parts are reported and ignored."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tracker.records import NamedTuple
from tracker.text import shown_line

NAME = "config.toml"
_MOST = 1 << 20
"""Most bytes read from the file."""
DICE = ("rolled", "typed")
_THEME_LINE = r"(?m)^([ \t]*theme[ \t]*=[ \t]*)(?:\"[^\"\n]*\"|'[^'\n]*'|[^#\n]*?)([ \t]*(?:#[^\n]*?)?\r?)$"
_AT_LINE = rf"{re.escape(NAME)}, line (\d+): "
_FIRST_TABLE = r"(?m)^[ \t]*\["


class Settings(NamedTuple):
    """The player's settings, as `read` found them in the settings file.

    `keys` maps ids of key bindings to keys. `theme` is "" if not set. `problems` has a sentence for the player about
    each part that was ignored.
    """

    path: str = ""
    """File that changes are written to, or "" for none."""
    theme: str = ""
    dice: str = DICE[0]
    """One of DICE, for campaigns that do not set it: rolled by the program, or typed in by the player."""
    recap: bool = True
    """True if a campaign that is opened after some hours tells what happened last time."""
    keys: Mapping[str, str] = MappingProxyType({})
    problems: tuple[str, ...] = ()
    lines: Mapping[str, int] = MappingProxyType({})
    """Line numbers in the file by setting: "theme", "dice", "recap", and each name in `keys`."""

    def problem(self, key: str, why: str) -> str:
        """Return a sentence for the player: file name and line of the setting `key`, then the reason `why`.

        The line is 1 if the file does not have this setting.
        """
        return f"{NAME}, line {self.lines.get(key, 1)}: {why}"


def folder() -> str:
    """Return the path of tracker's config folder on this platform. The folder is not created."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming"), "tracker")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "tracker")
    return os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "tracker")


def read(path: str | None = None) -> Settings:
    """Return the settings in the file at `path`, by default the platform's settings file. Never raises OSError.

    If there is no file, return the defaults. Parts that are invalid, or the whole file if it cannot be read or parsed,
    are ignored and named in the result's `problems`.
    """
    path = path or os.path.join(folder(), NAME)
    from tracker.saves.disk import open_regular

    try:
        with open_regular(path) as file:
            data = file.read(_MOST)
    except (FileNotFoundError, NotADirectoryError):
        return Settings(path)
    except OSError as error:
        return Settings(path, problems=(f"Can't read {shown_line(path, 200)}: {error.strerror}.",))
    from tracker.saves import toml

    try:
        tables = toml.parse(data)
    except toml.BadToml as error:
        return Settings(path, problems=(f"{NAME}, line {error.line}: {error.why}; the whole file was ignored.",))
    text = data.decode()
    taken, problems = _taken(tables)
    places = toml.LineIndex(text)
    lines = {".".join(key[1:]) or key[0]: places.of(key) for key in _paths(tables)}
    told = sorted_by_line(f"{NAME}, line {places.of(key)}: {why}" for key, why in problems)
    return Settings(path, problems=tuple(told), lines=lines, **taken)


def sorted_by_line(problems: Iterable[str]) -> list[str]:
    """Return sentences from `Settings.problem` sorted by the line number in them."""
    return sorted(problems, key=lambda told: int(found[1]) if (found := re.search(_AT_LINE, told)) else 0)


def _paths(tables: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, value in tables.items():
        if isinstance(value, dict):
            yield from ((name, *rest) for rest in _paths(value))
        else:
            yield (name,)


def _taken(tables: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[tuple[str, ...], str]]]:
    """Return (valid settings by field of Settings, problems) for the parsed file `tables`.

    A problem is a pair (keys that lead to the setting, reason as a sentence for the player).
    """
    taken: dict[str, Any] = {}
    problems: list[tuple[tuple[str, ...], str]] = []
    for name, value in tables.items():
        said = shown_line(str(value), 40)
        if name == "theme" and isinstance(value, str):
            taken["theme"] = value
        elif name == "dice" and value in DICE:
            taken["dice"] = value
        elif name == "recap" and isinstance(value, bool):
            taken["recap"] = value
        elif name == "keys" and isinstance(value, dict):
            taken["keys"] = {}
            for key in _paths(value):
                keys = value
                for part in key:
                    keys = keys[part]
                if isinstance(keys, str):
                    taken["keys"][".".join(key)] = keys
                else:
                    problems.append(
                        (("keys", *key), f"the key of {shown_line('.'.join(key))} should be text in quotes.")
                    )
        elif name == "dice":
            problems.append(((name,), f"dice should be “rolled” or “typed”, not “{said}”."))
        elif name == "recap":
            problems.append(((name,), f"recap should be true or false, not “{said}”."))
        elif name == "theme":
            problems.append(((name,), "theme should be the name of a theme in quotes."))
        elif name == "keys":
            problems.append(((name,), "keys should be a table, [keys]."))
        else:
            problems.append(((name,), f"unknown setting “{shown_line(name)}”; use theme, dice, recap or [keys]."))
    return taken, problems


class NotSavedError(Exception):
    """Raised when the settings file could not be changed; the message says why."""


def save_theme(path: str, theme: str) -> None:
    """Set the theme in the settings file at `path` to this name; other lines stay as they are.

    Create the file and its folder if they are missing. Raise NotSavedError, with the file unchanged, on failure.
    """
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
        raise NotSavedError(f"Theme not saved: can't write {shown_line(path, 200)} ({why}).") from None
    except ValueError:
        raise NotSavedError(f"Theme not saved: {NAME} is not valid TOML; fix it first.") from None


def _with_theme(text: str, theme: str) -> str:
    """Return the text of a settings file with this theme set.

    Raise ValueError if the result is not valid TOML, or has another theme when it is read.
    """
    from tracker.saves import toml

    table = re.search(_FIRST_TABLE, text)
    top, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    if found := re.search(_THEME_LINE, top):
        top = f'{top[: found.start()]}{found[1]}"{theme}"{found[2]}{top[found.end() :]}'
    else:
        top = f'theme = "{theme}"\n{top}'
    if toml.parse((top + rest).encode()).get("theme") != theme:
        raise ValueError
    return top + rest


def _replace(path: str, text: str) -> None:
    """Replace the file at `path`, or the one that a link there leads to, by one with this text, in one step.

    Keep the permissions, and create the folder if needed. Raise OSError, with the old file in place, on failure.
    """
    import stat

    from tracker.saves.disk import Disk

    real = os.path.realpath(path)  # may be a link into the player's dotfiles
    os.makedirs(os.path.dirname(real), exist_ok=True)
    try:
        mode = stat.S_IMODE(os.stat(real).st_mode) & 0o777
    except FileNotFoundError:
        mode = None
    Disk().replace_file(real, text.encode(), mode)
