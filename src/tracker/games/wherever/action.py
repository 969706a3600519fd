"""An action roll, from the draft to the assigned banes: one's own, or one for the whole group."""

from __future__ import annotations

from collections.abc import Callable

from tracker.games.base import Draft, Procedure
from tracker.games.wherever.drafting import ask_skill, drafted
from tracker.games.wherever.legal import begin
from tracker.games.wherever.odds import chances, shown_odds
from tracker.games.wherever.rolling import first_roll, gambles, take_stock, teller, throw
from tracker.games.wherever.rolls import Lying


def roll(table: Draft) -> Procedure:
    """An action roll, from the draft to the assigned banes."""
    yield from _action(table, "roll", group=False)


def group(table: Draft) -> Procedure:
    """One rolls for all; whoever can, helps."""
    yield from _action(table, "group", group=True)


def _action(table: Draft, move: str, *, group: bool) -> Procedure:
    begin(table, move)
    skill = yield ask_skill(table)
    meant = yield from drafted(table, skill, group=group)
    faces = yield from throw(table, meant, shown_odds(chances(meant.pool)))
    tell = _with_outcome(table, teller(table, meant.pool))
    lies = yield from gambles(table, meant.pool, first_roll(faces), tell, skill=skill)
    yield from take_stock(table, lies, skill)


def _with_outcome(table: Draft, tell: Callable[[Lying], None]) -> Callable[[Lying], None]:
    def told(lies: Lying) -> None:
        tell(lies)
        table.facts["outcome"] = lies.outcome

    return told
