"""Who is at the table: what goes with somebody who leaves, and what they share when they come back."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games import members
from tracker.games.base import Draft, Procedure
from tracker.games.ironsworn.catalogue import owed_label
from tracker.games.ironsworn.rolling import take
from tracker.games.schema import State

member_moves = members.member_moves
rename = members.rename
_STAYS = "Vows, journeys and fights stay"


def retire(table: Draft) -> Procedure:
    """Out of play, and still to be seen."""
    yield from members.retire(table, _burdens(table.me), _STAYS)
    _out_of_the_fight(table)


def remove(table: Draft) -> Procedure:
    """Off the table: no longer shown, and all of it kept for the day they come back."""
    yield from members.remove(table, _burdens(table.me), _STAYS)
    _out_of_the_fight(table)


def _burdens(me: State) -> Iterator[str]:
    for word, held in (("asset", me["assets"]), ("bond", me["bonds"])):
        if held:
            yield f"{len(held)} {word}{'s' if len(held) > 1 else ''}"
    due = [owed_label(name) for name, n in me["owed"].items() for _ in range(n)]
    due += [f"{owed_label(name)} ({me[name]})" for name in ("setback", "out_of_supply") if me[name]]
    if due:
        yield f"owed {', '.join(due)}"


def _out_of_the_fight(table: Draft) -> None:
    if table.me["initiative"] != "none":
        take("none", table)


def bring_back(table: Draft) -> Procedure:
    """Somebody is in play again. What is shared, they share."""
    whom = yield from members.bring_back(table)
    unprepared = "unprepared" in table.state["party"][whom]["debilities"]
    if not table.state["supply"] and not unprepared:
        table.add(f"{whom}.debilities", {"id": "unprepared"})
    elif table.state["supply"] and unprepared:
        table.drop(f"{whom}.debilities", "unprepared")
