"""Who is at the table, and what goes with somebody who leaves."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games import members
from tracker.games.base import Draft, Procedure
from tracker.games.daggerheart.catalogue import owed_label
from tracker.games.schema import State

member_moves = members.member_moves
rename = members.rename
_STAYS = "Fear, adversaries and countdowns stay"


def retire(table: Draft) -> Procedure:
    """Out of play, and still to be seen."""
    yield from members.retire(table, _burdens(table.me), _STAYS)


def remove(table: Draft) -> Procedure:
    """Off the table: no longer shown, and all of it kept for the day they come back."""
    yield from members.remove(table, _burdens(table.me), _STAYS)


def bring_back(table: Draft) -> Procedure:
    """Somebody is in play again."""
    yield from members.bring_back(table)


def _burdens(me: State) -> Iterator[str]:
    due = [owed_label(name) for name, n in me["owed"].items() for _ in range(n)]
    if due:
        yield f"owed {', '.join(due)}"
