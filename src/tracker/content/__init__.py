"""Oracle tables, assets and equipment: shipped with a game, or added by the player in files beside the saves."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import cache

from tracker.content.toml_reader import read
from tracker.games.api.content import Content
from tracker.saves.disk import open_regular
from tracker.text import shown_line

FILE_MOST = 1_000_000
"""Most bytes of one file. A hundred tables of a hundred rows need less, and parsing more would be slow."""


@cache
def shipped(game: str) -> Content:
    """Return the content shipped with the game that has this id; empty for an unknown id.

    The files are read once. Raise OSError if one of them cannot be read.
    """
    folder = os.path.join(os.path.dirname(__file__), game)
    if not os.path.isdir(folder):
        return read([], game)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    found = [(name, _bytes(os.path.join(folder, name))) for name in names]
    return read(found, game)


def load(game: str, folder: str, moves: Collection[str]) -> Content:
    """Return a game's content, with additions and replacements from the files in `folder`.

    `moves` are the last parts of the ids of moves that roll dice; assets may name only those. Unreadable files and
    invalid parts are skipped, with a sentence for each in `problems`; never raises for them. `folder` may be missing.
    """
    taken: list[tuple[str, bytes]] = []
    problems: list[str] = []
    try:
        # Hidden files belong to editors and the system.
        names = sorted(name for name in os.listdir(folder) if name.endswith(".toml") and not name.startswith("."))
    except FileNotFoundError:
        names = []
    except OSError as error:
        names = []
        problems.append(f"Can't read the folder {shown_line(folder, 200)}: {error.strerror}.")
    for name in names:
        try:
            taken.append((name, _bytes(os.path.join(folder, name))))
        except OSError as error:
            problems.append(f"Can't read {shown_line(name)}: {error.strerror or error}.")
    content = read(taken, game, moves, shipped(game))
    return content._replace(problems=(*shipped(game).problems, *problems, *content.problems))


def _bytes(path: str) -> bytes:
    """Return the bytes of the file at `path`.

    Raise OSError if it cannot be read, is larger than FILE_MOST, or is not a regular file.
    """
    with open_regular(path) as file:
        data = file.read(FILE_MOST + 1)
    if len(data) > FILE_MOST:
        raise OSError(f"it is larger than {FILE_MOST // 1_000_000} MB; split it")
    return data
