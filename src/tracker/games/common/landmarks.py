"""Events for a recap that every game has: new notes and members, members who left, and full clocks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tracker.games.api.finished_moves import Gauge, Landmark
from tracker.games.api.schema import State
from tracker.text import shown_line

_LEFT = {"retired": "retires", "dead": "dies", "lost": "is lost", "gone": "leaves the table"}
NAME_MOST = 60
"""Most characters of a name in a recap."""


def landmarks(before: State, after: State) -> tuple[Landmark, ...]:
    """Return the events that all games have in common and that happened between the two states.

    These are new notes and members, members who left or came back, and clocks that became full.
    """
    return (*_notes(before, after), *_party(before, after), *_clocks(before, after))


def changed(before: State, after: State, field: str) -> Iterator[tuple[str, State | None, State]]:
    """Yield (id, earlier, present) for each record in the collection `field` that is new or has changed.

    `earlier` is None for a new record. Removed records are left out. The collection may be missing from both states.
    """
    were, are = before.get(field, {}), after.get(field, {})
    if were is not are:
        for ident, one in are.items():
            was = were.get(ident)
            if was is not one:
                yield ident, was, one


def changed_members(before: State, after: State) -> Iterator[tuple[str, State, State]]:
    """Yield (prefix, earlier record, present record) for each character in both states whose record has changed.

    The prefix is the character's name, such as "Kara: ", in a party of several, else "".
    """
    several = len(after["party"]) > 1
    for _, was, me in changed(before, after, "party"):
        if was is not None:
            yield f"{called(me)}: " if several else "", was, me


def _notes(before: State, after: State) -> Iterator[Landmark]:
    for _, was, note in changed(before, after, "notes"):
        if was is None:
            yield Landmark("Notes", f"{called(note)} ({note['kind']})")


def _party(before: State, after: State) -> Iterator[Landmark]:
    for _, was, who in changed(before, after, "party"):
        if was is None:
            yield Landmark("Party", f"{called(who)} joins")
        elif was["status"] != who["status"]:
            yield Landmark("Party", f"{called(who)} {_LEFT.get(who['status'], 'is back')}")


def _clocks(before: State, after: State) -> Iterator[Landmark]:
    for _, was, clock in changed(before, after, "clocks"):
        if clock["filled"] >= clock["segments"] and (was is None or was["filled"] < was["segments"]):
            yield Landmark("Tracks", f"{called(clock)} is full")


def called(record: State) -> str:
    """Return the name of a record, made safe to show."""
    return _shown(record["name"])


@lru_cache(1000)
def _shown(name: str) -> str:
    """Return a name, safe to show. Cached: statistics ask for the same few after every entry."""
    return shown_line(name, NAME_MOST)


def clock_gauges(state: State) -> tuple[Gauge, ...]:
    """Return a gauge with the filled segments of each clock, for statistics; () if there is no clock."""
    return tuple(
        Gauge(f"clocks.{ident}", called(clock), clock["filled"], 0, clock["segments"], "track")
        for ident, clock in state.get("clocks", {}).items()
    )
