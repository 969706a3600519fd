"""Finding the campaign that a command line means: its folder, its path, the beginning of its name."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tracker.arguments import COMMANDS, Misuse
from tracker.games.api.errors import Refused
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.game import Game


def folder_of(asked: argparse.Namespace) -> str:
    """Return the path of the saves folder for this command line. The folder is not created.

    Raise OSError if there is no data folder to put it in.
    """
    return saves_folder.saves_folder(asked.saves)


def path_of(asked: argparse.Namespace) -> str:
    """Return the path of the campaign `asked.name`, which may be a path or the beginning of a name, in any case.

    Raise SaveError, with the most similar name, if there is no such campaign or the folder cannot be read, Refused if
    several names begin so, and OSError if there is no data folder.
    """
    folder = folder_of(asked)
    path = saves_folder.match_case(saves_folder.path_of(asked.name, folder))
    if os.path.exists(path):
        return path
    if path != os.path.join(folder, f"{asked.name}.toml"):
        raise SaveError(f"No campaign at {shown_line(asked.name, 300)}.")
    names = names_in(folder)
    if begun := begun_by(asked.name, names):
        return os.path.join(folder, f"{begun}.toml")
    from tracker.similar_names import most_similar

    found = most_similar(asked.name, [*names, *(COMMANDS if asked.command == "play" else ())])
    way_out = f"did you mean {shown_line(found)}?" if found else "see `tracker list`."
    raise SaveError(f"No campaign “{shown_line(asked.name)}” in {shown_line(folder, 300)}; {way_out}")


def begun_by(word: str, names: Iterable[str]) -> str:
    """Return the only one of the names that begins with `word`, in any case, or "" if none does.

    Raise Refused if several do.
    """
    begun = [name for name in names if word and name.casefold().startswith(word.casefold())]
    if len(begun) > 1:
        told = " or ".join(f"“{shown_line(name)}”" for name in sorted(begun)[:9])
        raise Refused(f"“{shown_line(word)}” could be {told}: type its whole name.")
    return begun[0] if begun else ""


def game_called(word: str) -> Game:
    """Return the game with the id `word`, in any case. Raise Misuse if there is none."""
    from tracker import games

    ident = word.casefold()
    if ident not in games.GAMES:
        raise Misuse(f"No game is called “{shown_line(word)}”; choose from: {', '.join(games.GAMES)}.")
    return games.get(ident)


def names_in(folder: str) -> list[str]:
    """Return the names of the campaigns in the folder at this path, sorted.

    Raise SaveError if it does not exist or cannot be read.
    """
    try:
        return saves_folder.names(folder)
    except OSError as error:
        raise no_folder(folder, error) from None


def no_folder(folder: str, error: OSError) -> SaveError:
    """Return a SaveError, for the caller to raise, that says why the saves folder at this path cannot be read.

    `error` is the error that reading it raised.
    """
    if isinstance(error, FileNotFoundError):
        return SaveError(f"There is no folder {shown_line(folder, 300)}; `tracker new NAME --game ironsworn` makes it.")
    return saves_folder.unusable(folder, error)


def way_out(asked: argparse.Namespace) -> str:
    """Return a sentence that says how to rescue the campaign `asked.name`, whose head cannot be read.

    Raise SaveError if there is no such campaign. Raise Refused if several names begin so.
    """
    from tracker.saves.backups import find

    path = path_of(asked)
    name = quoted(asked.name)
    back = f"; `tracker restore {name}` restores a backup" if find(path) else ""
    if asked.command == "recover":
        return f"Nothing in it can be recovered{back}."
    return f"`tracker recover {name}` saves every intact entry{back}."


def quoted(name: str) -> str:
    """Return a name in the form in which it can be typed in a shell, in quotes if necessary."""
    import shlex

    return shlex.quote(name)
