"""Input that is not submitted: drafts of the journal and answers begun, kept beside the save."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from typing import Any

from tracker.campaign.run import Run
from tracker.games.api.prompts import Roll
from tracker.games.api.schema import State
from tracker.saves.disk import Disk, open_regular

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
NOTE = "note:"
"""Key of the player's own line; no prompt has it."""


class PendingInput:
    """Unsubmitted input per prompt (marks, shares, text), kept when the player steps back."""

    def __init__(self, words: Mapping[str, str] | None = None) -> None:
        self.words = dict(words or {})
        """Typed text by the key of its prompt; it outlives the session."""
        self.proposed = frozenset(self.words)
        """Keys of text that was typed in an earlier session: typing replaces it."""
        self._by_key: dict[str, Any] = {**self.words}
        self._faces: dict[tuple[str, tuple[str, ...]], str] = {}
        """Typed faces, by the dice for which they were typed."""
        self._left_at: State | None = None

    def leave(self, table: State) -> None:
        self._left_at = table

    def again(self, table: State) -> PendingInput:
        """Return the input that still holds: all of it on the same state, else only typed text."""
        return self if self._left_at is table else PendingInput(self.words)

    def get(self, key: str) -> Any:
        """Return the input for a prompt's key, or None."""
        return self._by_key.get(key)

    def keep(self, key: str, value: Any) -> None:
        self._by_key[key] = value

    def keep_words(self, key: str, words: str) -> None:
        """Keep text beyond this session; "" forgets it."""
        if words:
            self.words[key] = words
        else:
            self.words.pop(key, None)

    def keep_faces(self, key: str, dice: tuple[str, ...], line: str) -> None:
        """Keep the text typed for these dice; "" forgets what was typed for any dice of this prompt."""
        if line:
            self._faces[key, dice] = line
        else:
            self._faces = {known: text for known, text in self._faces.items() if known[0] != key}

    def faces(self, key: str, dice: tuple[str, ...]) -> str:
        """Return the text typed for these dice, or for the first of them: the player types the rest after it."""
        known = (self._faces.get((key, dice[:n])) for n in range(len(dice), 0, -1))
        return next((line for line in known if line is not None), "")

    @property
    def note(self) -> str:
        """The player's own line."""
        return self.words.get(NOTE, "")

    @note.setter
    def note(self, note: str) -> None:
        self.keep_words(NOTE, note)

    def learn(self, run: Run) -> None:
        """Keep all answers of a run, so that a step back finds them."""
        self._by_key |= {prompt.key: run.value(prompt.key) for prompt in run.seen if not isinstance(prompt, Roll)}


def load_input(save: str) -> dict[Subject, PendingInput]:
    """Return what was typed and not taken; {} if someone else has written in the file."""
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
