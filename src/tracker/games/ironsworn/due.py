"""Moves that become due for a character, and those that are done."""

from __future__ import annotations

from tracker.games.api.draft import Draft
from tracker.games.ironsworn.state import OWED_MOST


def owe(table: Draft, move: str) -> None:
    """Record that a move is due for the acting character, once more if it is due already."""
    full = table.me["owed"].get(move, 0) >= OWED_MOST
    table.mine(f"{'owed_beyond' if full else 'owed'}.{move}", 1)


def pay(table: Draft, move: str) -> None:
    """Record that a move is due once less for the acting character; change nothing if it is not due."""
    if table.me["owed_beyond"].get(move):
        table.mine(f"owed_beyond.{move}", -1)
    elif table.me["owed"].get(move):
        table.mine(f"owed.{move}", -1)
