"""The members of the party, as the state of every game has them: who is in play, and whose record a field is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.api.schema import Path, State
from tracker.text import shown_line


def living(state: State) -> list[str]:
    """Return the ids of all characters in play, also of those who cannot act now: unconscious or Broken ones."""
    return [ident for ident, who in state["party"].items() if who["status"] == "alive"]


def character(state: State, path: Path) -> Mapping[str, Any]:
    """Return the record of the character that contains the field at this path, such as ("party", "kara", "xp")."""
    found: Mapping[str, Any] = state["party"][path[1]]
    return found


def out_of_play(me: Mapping[str, Any]) -> str:
    """Return why the character with this record can make no move, such as "Kara is retired"; "" if in play."""
    return "" if me["status"] == "alive" else f"{shown_line(me['name'])} is {me['status']}"
