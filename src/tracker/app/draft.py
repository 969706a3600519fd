"""Drafts for the journal, kept beside the save until they are written or emptied."""

from __future__ import annotations

import contextlib
import os
import stat

from tracker.saves.disk import Disk, open_regular

_MOST = 8 << 20
"""Bytes that are read of a draft: twice the longest text that an entry may have."""


def beside(save: str, of: str = "") -> str:
    """Return the path of the draft for a new line, or for the text of the entry with this id."""
    folder, name = os.path.split(save)
    return os.path.join(folder, f".{name}.{f'{of}.' if of else ''}draft")


def kept(save: str, of: str = "") -> str:
    """Return the draft, or "" if there is none."""
    try:
        with open_regular(beside(save, of), follow=False) as file:
            return file.read(_MOST).decode("utf-8", "replace").strip()
    except OSError:
        return ""  # missing, unreadable or not a file of ours: a lost draft is not worth an error


def keep(save: str, words: str, of: str = "") -> None:
    """Write this draft, or remove it if it is empty. Raise OSError, with the old one still there, on failure."""
    if words:
        write(save, words, of)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside(save, of))


def write(save: str, words: str, of: str = "") -> str:
    """Write this draft, even an empty one, and return its path. It has the permissions of the save.

    Raise OSError, with the old draft still there, on failure.
    """
    path = beside(save, of)
    Disk().replace_file(path, words.encode("utf-8", "replace"), _mode(save))
    return path


def _mode(save: str) -> int:
    try:
        return stat.S_IMODE(os.stat(save).st_mode) & 0o666
    except OSError:
        return 0o600
