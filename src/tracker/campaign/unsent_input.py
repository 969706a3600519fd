"""Input that the player has typed but not submitted, in files beside the save: journal lines and answers to prompts.

In all functions, `save` is the path of the save.
"""

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
"""Most bytes read of a draft; twice the size of the longest text that an entry may have."""


def draft_path(save: str, of: str = "") -> str:
    """Return the path of a draft file beside the save at the path `save`; create nothing.

    The draft is for an edit of the entry with the id `of`, or for a new journal line if `of` is "".
    """
    folder, name = os.path.split(save)
    return os.path.join(folder, f".{name}.{f'{of}.' if of else ''}draft")


def load_draft(save: str, of: str = "") -> str:
    """Return the draft for an edit of the entry with the id `of`, or for a new journal line if it is "".

    `save` is the path of the save. Blanks at the ends are left out. Return "" if there is no draft or it cannot be
    read.
    """
    try:
        with open_regular(draft_path(save, of), follow=False) as file:
            return file.read(_MOST).decode("utf-8", "replace").strip()
    except OSError:
        return ""  # missing, unreadable or not a file of ours: a lost draft is not worth an error


def save_draft(save: str, words: str, of: str = "") -> None:
    """Store `words` as the draft of an edit of the entry with the id `of`, or of a new journal line if `of` is "".

    The file is beside the save at the path `save`. If `words` is "", delete it. Raise OSError, with the old draft in
    place, on failure.
    """
    if words:
        write_draft(save, words, of)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft_path(save, of))


def write_draft(save: str, words: str, of: str = "") -> str:
    """Store `words` as the draft of an edit of the entry with the id `of`, or of a new line; return the file's path.

    Unlike `save_draft`, write a file even for "". It gets the permissions of the save at the path `save`. Raise
    OSError, with the old draft in place, on failure.
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
"""Identifies the run that input belongs to: see `Run.subject`."""
_OF = "typed"
NOTE = "note:"
"""Key of the player's own journal line for a run; no prompt has this key."""


class PendingInput:
    """Input that a player has entered for one run and not submitted yet. A dialog fills it, and reads it when reopened.

    It has marks, shares and text by the key of the prompt, and typed faces of dice. Only the text in `words` is stored
    in a file, by `save_input`; the rest is lost when the program ends.
    """

    def __init__(self, words: Mapping[str, str] | None = None) -> None:
        self.words = dict(words or {})
        """Typed text by the key of its prompt, which `save_input` stores."""
        self.proposed = frozenset(self.words)
        """Keys of text from an earlier session; when the player types, new text should replace it."""
        self._by_key: dict[str, Any] = {**self.words}
        self._faces: dict[tuple[str, tuple[str, ...]], str] = {}
        """Text with typed faces, by the prompt's key and the names of the dice that it was typed for."""
        self._left_at: State | None = None

    def leave(self, table: State) -> None:
        """Remember the campaign's state at the moment when the player leaves the run; `again` compares it."""
        self._left_at = table

    def again(self, table: State) -> PendingInput:
        """Return the input to use when the run is opened again. `table` is the campaign's state now.

        Return this object if the state is the one given to `leave`; otherwise a new object with only the typed text.
        """
        return self if self._left_at is table else PendingInput(self.words)

    def get(self, key: str) -> Any:
        """Return the input for the prompt with this key, or None if there is none."""
        return self._by_key.get(key)

    def keep(self, key: str, value: Any) -> None:
        """Keep this input for the prompt with this key until the program ends."""
        self._by_key[key] = value

    def keep_words(self, key: str, words: str) -> None:
        """Set the typed text for the prompt with the key `key`; "" removes it. `save_input` stores these texts."""
        if words:
            self.words[key] = words
        else:
            self.words.pop(key, None)

    def keep_faces(self, key: str, dice: tuple[str, ...], line: str) -> None:
        """Keep the text `line` that the player has typed for these dice of the prompt with the key `key`.

        If `line` is "", forget the texts for all dice of that prompt.
        """
        if line:
            self._faces[key, dice] = line
        else:
            self._faces = {known: text for known, text in self._faces.items() if known[0] != key}

    def faces(self, key: str, dice: tuple[str, ...]) -> str:
        """Return the text that the player has typed so far for these dice of the prompt with the key `key`, or "".

        If the text was typed for fewer dice, the first ones of `dice`, return that text: the player only has to add the
        faces of the other dice.
        """
        known = (self._faces.get((key, dice[:n])) for n in range(len(dice), 0, -1))
        return next((line for line in known if line is not None), "")

    @property
    def note(self) -> str:
        """The player's own journal line for this run, or ""."""
        return self.words.get(NOTE, "")

    @note.setter
    def note(self, note: str) -> None:
        self.keep_words(NOTE, note)

    def learn(self, run: Run) -> None:
        """Keep the answers of a run, except rolls, so that its prompts offer them again after the player steps back."""
        self._by_key |= {prompt.key: run.value(prompt.key) for prompt in run.seen if not isinstance(prompt, Roll)}


def load_input(save: str) -> dict[Subject, PendingInput]:
    """Return the stored input of unfinished runs by `Run.subject`, from the file beside the save at the path `save`.

    Invalid parts are skipped. Return {} if there is no file or it cannot be read.
    """
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
    """Store the typed text of unfinished runs in a file beside the save at the path `save`, or delete it without text.

    `begun` has the input of each run by `Run.subject`. Raise OSError, with the old file in place, on failure.
    """
    words = [[subject, one.words] for subject, one in begun.items() if one.words]
    save_draft(save, json.dumps(words) if words else "", _OF)
