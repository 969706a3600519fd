"""Words typed in procedures that were left, kept beside the save until they are taken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tracker.app import draft

if TYPE_CHECKING:
    from tracker.app.screens.asking import Begun

Subject = tuple[str, ...]
"""Who does what, and about whom: see `Run.subject`."""
_OF = "typed"


def typed(save: str) -> dict[Subject, Begun]:
    """What was typed and not taken."""
    from tracker.app.screens.asking import Begun

    try:
        kept = json.loads(draft.kept(save, _OF) or "[]")
        return {tuple(subject): Begun(words) for subject, words in kept}
    except (ValueError, TypeError):
        return {}  # somebody else has written in it


def keep_typed(save: str, begun: Mapping[Subject, Begun]) -> None:
    """Remember it; OSError if that cannot be done."""
    words = [[subject, one.words] for subject, one in begun.items() if one.words]
    draft.keep(save, json.dumps(words) if words else "", _OF)
