"""Drafts for the journal, kept beside the save until they are written or emptied."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tracker.saves.disk import Disk, open_regular

if TYPE_CHECKING:
    from tracker.app.screens.dialog.forms import PendingInput


_MOST = 8 << 20
"""Bytes that are read of a draft: twice the longest text that an entry may have."""


def draft_path(save: str, of: str = "") -> str:
    """Return the path of the draft for a new line, or for the text of the entry with this id."""
    folder, name = os.path.split(save)
    return os.path.join(folder, f".{name}.{f'{of}.' if of else ''}draft")


def load_draft(save: str, of: str = "") -> str:
    """Return the draft, or "" if there is none."""
    try:
        with open_regular(draft_path(save, of), follow=False) as file:
            return file.read(_MOST).decode("utf-8", "replace").strip()
    except OSError:
        return ""  # missing, unreadable or not a file of ours: a lost draft is not worth an error


def save_draft(save: str, words: str, of: str = "") -> None:
    """Write this draft, or remove it if it is empty. Raise OSError, with the old one still there, on failure."""
    if words:
        write_draft(save, words, of)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft_path(save, of))


def write_draft(save: str, words: str, of: str = "") -> str:
    """Write this draft, even an empty one, and return its path. It has the permissions of the save.

    Raise OSError, with the old draft still there, on failure.
    """
    path = draft_path(save, of)
    Disk().replace_file(path, words.encode("utf-8", "replace"), _mode(save))
    return path


def _mode(save: str) -> int:
    try:
        return stat.S_IMODE(os.stat(save).st_mode) & 0o666
    except OSError:
        return 0o600


Subject = tuple[str, ...]
"""Who does what, and about whom: see `Run.subject`."""
_OF = "typed"


def load_input(save: str) -> dict[Subject, PendingInput]:
    """Return what was typed and not taken; {} if someone else has written in the file."""
    from tracker.app.screens.dialog.forms import PendingInput

    try:
        kept = json.loads(load_draft(save, _OF) or "[]")
    except (ValueError, RecursionError):
        return {}
    pairs = [pair for pair in kept if isinstance(pair, list) and len(pair) == 2] if isinstance(kept, list) else []
    return {
        tuple(subject): PendingInput(words)
        for subject, words in pairs
        if isinstance(subject, list) and _texts(subject) and isinstance(words, dict) and _texts(words.values())
    }


def _texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def save_input(save: str, begun: Mapping[Subject, PendingInput]) -> None:
    """Remember it; OSError if that cannot be done."""
    words = [[subject, one.words] for subject, one in begun.items() if one.words]
    save_draft(save, json.dumps(words) if words else "", _OF)
