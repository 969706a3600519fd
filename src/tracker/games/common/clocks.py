"""Clocks: segments filled one by one until something happens. Every game can lay them on its table.

A game puts `CLOCKS` under the name `clocks` at the top of its table, `MOVES` among its moves, and `shown` among its
tracks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.api.game import Move, lazily
from tracker.games.api.schema import Collection, Integer, Line, Path, Record, State
from tracker.games.api.view import Action, Start, Track
from tracker.games.common.format import arrow
from tracker.text import shown_line

SIZES = (4, 6, 8, 10)
_LARGEST = 12
"""No clock is begun with more than ten segments, but somebody may write one into their save."""
_ID = "clocks."
"""Before a clock's id where tracks and clocks stand in one list: no track's id has a dot."""


def _segments(state: State, path: Path) -> int:
    return int(state["clocks"][path[1]]["segments"])


CLOCKS = Collection(
    Record({"name": Line(), "segments": Integer(1, _LARGEST, SIZES[0]), "filled": Integer(0, _LARGEST, most=_segments)})
)


def shown(state: State) -> tuple[Track, ...]:
    """The clocks as they stand under the tracks."""
    return tuple(
        Track(
            f"{_ID}{ident}",
            shown_line(clock["name"]),
            "clock",
            "",
            clock["filled"],
            note="full" if clock["filled"] >= clock["segments"] else "",
            at=f"clocks.{ident}.filled",
            segments=clock["segments"],
        )
        for ident, clock in state["clocks"].items()
    )


def is_clock(track: str) -> bool:
    return track.startswith(_ID)


def actions(state: State, track: str) -> tuple[Action, ...]:
    """What can be done with the clock of this id among the tracks."""
    ident = track.removeprefix(_ID)
    clock = state["clocks"][ident]
    filled, segments = clock["filled"], clock["segments"]

    def act(key: str, label: str, move: str, note: str, reason: str = "") -> Action:
        return Action(key, label, Start(move, (("clock", ident),)), note, reason=reason)

    full = "it is full" if filled >= segments else ""
    fill = act("+", "Fill a segment", "clock/fill", counted(filled + 1, segments), full)
    empty = act("-", "Empty a segment", "clock/empty", counted(filled - 1, segments), "" if filled else "it is empty")
    rename = act("n", "Rename", "clock/rename", "call it something else")
    close = act("c", "Close", "clock/close", "take it off the table")
    # Where nothing can be filled any more, Enter twice falls on what changes nothing until something is typed.
    return (fill, rename, empty, close) if full else (fill, empty, rename, close)


def phrase(effect: Mapping[str, Any], before: State, after: State) -> str:
    """What a change of `clocks` is called; "" if it is of no interest."""
    path = effect["at"].split(".")
    if "add" in effect:
        return f"clock: {shown_line(effect['add']['name'])}, {effect['add']['segments']} segments"
    if "drop" in effect:
        clock = before["clocks"][effect["drop"]]
        return f"clock closed: {shown_line(clock['name'])}, {counted(clock['filled'], clock['segments'])}"
    old, clock = before["clocks"][path[1]], after["clocks"][path[1]]
    name = shown_line(clock["name"])
    match path[2]:
        case "filled" if clock["filled"] >= clock["segments"]:
            return f"{name} is full, {counted(clock['filled'], clock['segments'])}"
        case "filled":
            return f"{name} {arrow(old['filled'], clock['filled'])} of {clock['segments']}"
        case "name":
            return f"{shown_line(old['name'])} is now called {name}"
        case _:
            return f"{name} has {clock['segments']} segments"


def counted(filled: int, segments: int) -> str:
    """How far it has come."""
    return f"{filled} of {segments}"


MOVES = tuple(
    Move(f"clock/{name}", label, lazily("tracker.games.common.clock_moves", name), "by hand", trigger)
    for name, label, trigger in (
        ("begin", "Begin a clock", "Something comes nearer, step by step."),
        ("fill", "Fill a clock", "It has come a step nearer."),
        ("empty", "Empty a clock", "It has been held off."),
        ("rename", "Rename a clock", "It is something else than you thought."),
        ("close", "Close a clock", "It has happened, or never will."),
    )
)
"""The same in every game."""
