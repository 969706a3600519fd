"""Parts of moves that concern other members of the party; procedures that change the party."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TypeVar

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.prompts import Answer, Prompt
from tracker.games.api.schema import State
from tracker.games.common import party
from tracker.games.ironsworn.outcomes import Result, choose
from tracker.games.ironsworn.roll import set_initiative
from tracker.games.ironsworn.state import living, owed_label, owed_times, times_due
from tracker.text import shown_line

T = TypeVar("T")


def as_member(table: Draft, who: str, part: Generator[Prompt, Answer, T]) -> Generator[Prompt, Answer, T]:
    """Run a part of a procedure with the member `who` as the acting character; return the result of the part."""
    me, table.who = table.who, who
    try:
        return (yield from part)
    finally:
        table.who = me


def others(table: Draft) -> list[str]:
    """Return the ids of all characters in play except the acting one."""
    return [ident for ident in living(table.state) if ident != table.who]


def each_in_turn(table: Draft, result: Result) -> Procedure:
    """Ask each character in play, the acting one first, to choose from the result's options; apply each choice."""

    def named(who: str) -> Result:
        name = shown_line(table.state["party"][who]["name"])
        return result._replace(title=f"{name}: {result.title[0].lower()}{result.title[1:]}")

    rest = others(table)
    yield from choose(table, named(table.who) if rest else result)
    for who in rest:
        yield from as_member(table, who, choose(table, named(who), key=f"choose.{who}"))


def _holds(me: State) -> Iterator[str]:
    for word, held in (("asset", me["assets"]), ("bond", me["bonds"])):
        if held:
            yield f"{len(held)} {word}{'s' if len(held) > 1 else ''}"


def _due(me: State) -> list[str]:
    points = [f"{owed_label(name)} ({me[name]})" for name in ("setback", "out_of_supply") if me[name]]
    moves = [label for name, times in owed_times(me).items() for label in times_due(owed_label(name), times)]
    return moves + points


member_moves = party.member_moves
rename = party.rename
_retire, _remove = party.leaving(_due, "Vows, journeys and fights stay", _holds)


def retire(table: Draft) -> Procedure:
    """Ask for confirmation, then take the character out of play and out of a fight; the sheet stays visible.

    Raise Refused if the status is not alive.
    """
    yield from _retire(table)
    _out_of_the_fight(table)


def remove(table: Draft) -> Procedure:
    """Ask for confirmation, then take the character out of a fight and hide them. The record stays, for a return."""
    yield from _remove(table)
    _out_of_the_fight(table)


def _out_of_the_fight(table: Draft) -> None:
    if table.me["initiative"] != "none":
        set_initiative("none", table)


def bring_back(table: Draft) -> Procedure:
    """Ask who comes back into play, and set the status to alive.

    The character becomes unprepared if the shared supply is 0, and is no longer unprepared otherwise. Raise Refused if
    all are in play.
    """
    whom = yield from party.bring_back(table)
    unprepared = "unprepared" in table.state["party"][whom]["debilities"]
    if not table.state["supply"] and not unprepared:
        table.add(f"{whom}.debilities", {"id": "unprepared"})
    elif table.state["supply"] and unprepared:
        table.drop(f"{whom}.debilities", "unprepared")
