"""A fingerprint of how a game's state is made: two trackers whose games differ must not share a campaign."""

from __future__ import annotations

import hashlib
from typing import Any

from tracker.games.api.game import Game


def layout_of(game: Game) -> str:
    """Return a hash, 16 hexadecimal digits, of the names, kinds and limits of all fields of this game's state."""
    return hashlib.sha256(repr(_form(game.top)).encode()).hexdigest()[:16]


def _form(kind: Any) -> Any:
    if isinstance(kind, tuple):
        return type(kind).__name__, [_form(part) for part in kind]
    if isinstance(kind, str | int | bool):
        return kind
    if hasattr(kind, "items"):
        return [(name, _form(part)) for name, part in kind.items()]
    return kind is None  # a function cannot be compared; whether there is one can
