"""Words typed in procedures that were left, kept beside the save until they are taken."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tracker.app import draft

if TYPE_CHECKING:
    from tracker.app.screens.asking import Begun

Subject = tuple[str, ...]
"""Who does what, and about whom: see `Run.subject`."""
_OF = "typed"


def typed(save: str) -> dict[Subject, Begun]:
    """Return what was typed and not taken; {} if someone else has written in the file."""
    from tracker.app.screens.asking import Begun

    try:
        kept = json.loads(draft.kept(save, _OF) or "[]")
    except (ValueError, RecursionError):
        return {}
    pairs = [pair for pair in kept if isinstance(pair, list) and len(pair) == 2] if isinstance(kept, list) else []
    return {
        tuple(subject): Begun(words)
        for subject, words in pairs
        if isinstance(subject, list) and _texts(subject) and isinstance(words, dict) and _texts(words.values())
    }


def _texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def keep_typed(save: str, begun: Mapping[Subject, Begun]) -> None:
    """Remember it; OSError if that cannot be done."""
    words = [[subject, one.words] for subject, one in begun.items() if one.words]
    draft.keep(save, json.dumps(words) if words else "", _OF)
