"""What others of the party do within a move that one of them makes."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from tracker.games.base import Draft, Procedure
from tracker.games.ironsworn.deeds import Result, choose
from tracker.games.ironsworn.layout import living
from tracker.games.prompts import Answer, Prompt
from tracker.text import shown_line

T = TypeVar("T")


def acting(table: Draft, who: str, part: Generator[Prompt, Answer, T]) -> Generator[Prompt, Answer, T]:
    """This part of the move is somebody else's."""
    me, table.who = table.who, who
    try:
        return (yield from part)
    finally:
        table.who = me


def others(table: Draft) -> list[str]:
    """The rest of the party, as far as they are in play."""
    return [ident for ident in living(table.state) if ident != table.who]


def each_in_turn(table: Draft, result: Result) -> Procedure:
    """The one who rolled chooses first, then everybody else does."""

    def named(who: str) -> Result:
        name = shown_line(table.state["party"][who]["name"])
        return result._replace(title=f"{name}: {result.title[0].lower()}{result.title[1:]}")

    rest = others(table)
    yield from choose(table, named(table.who) if rest else result)
    for who in rest:
        yield from acting(table, who, choose(table, named(who), key=f"choose.{who}"))
