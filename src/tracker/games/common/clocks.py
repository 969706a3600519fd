"""Clocks: segments filled one by one until something happens.

A game puts `CLOCKS` into the top of its schema as `clocks`, `MOVES` among its moves, and `shown` among its tracks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.games.api.game import Move, lazy_procedure
from tracker.games.api.phrases import arrow
from tracker.games.api.schema import Collection, Integer, Line, Path, Record, State
from tracker.games.api.view import Action, Start, Track
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.games.api.phrases import Change, Phrases

SIZES = (4, 6, 8, 10)
_LARGEST = 12
"""Largest number of segments in a save. The app offers ten at most; a hand-written save may have more."""
_ID = "clocks."
"""Prefix of a clock's id in the list of tracks. Ids of tracks have no dot."""


def _segments(state: State, path: Path) -> int:
    return int(state["clocks"][path[1]]["segments"])


CLOCKS = Collection(
    Record(
        {
            "name": Line(),
            "segments": Integer(1, _LARGEST, SIZES[0]),
            "filled": Integer(0, _LARGEST, most=_segments, label="the clock"),
        }
    )
)


def shown(state: State) -> tuple[Track, ...]:
    """Return all clocks as tracks for display. `is_clock` returns True for the ids of these tracks."""
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
    """Return the actions on a clock: fill, empty, rename, close; for a full clock, rename comes second.

    One that is not possible now has a reason. `track` is the id of the clock's Track, as `shown` makes it.
    """
    ident = track.removeprefix(_ID)
    clock = state["clocks"][ident]
    filled, segments = clock["filled"], clock["segments"]

    def act(key: str, label: str, move: str, note: str, reason: str = "") -> Action:
        return Action(key, label, Start(move, (("clock", ident),)), note, reason=reason)

    full = "already full" if filled >= segments else ""
    fill = act("+", "Fill a segment", "clock/fill", counted(filled + 1, segments), full)
    empty = act("-", "Empty a segment", "clock/empty", counted(filled - 1, segments), "" if filled else "already empty")
    rename = act("n", "Rename", "clock/rename", "change the name")
    close = act("c", "Close", "clock/close", "remove it")
    # A harmless action comes second when the clock is full: Fill is disabled then, and a double Enter changes nothing.
    return (fill, rename, empty, close) if full else (fill, empty, rename, close)


def _filled(change: Change) -> str:
    clock = change.after["clocks"][change.path[1]]
    if clock["filled"] >= clock["segments"]:
        return f"{change.name} is full: {counted(clock['filled'], clock['segments'])}"
    return f"{change.name} {arrow(change.old, clock['filled'])} of {clock['segments']}"


PHRASES: Phrases = {
    "clocks.*.name": "{old} is now called {new}",
    "clocks.*.filled": _filled,
    "clocks.*.segments": "{name} has {new} segments",
    "+clocks": lambda change: f"new clock: {change.name} ({change.new['segments']} segments)",
    "-clocks": lambda change: f"clock closed: {change.name} ({counted(change.old['filled'], change.old['segments'])})",
}
"""Phrases for the changes of `CLOCKS`."""


def counted(filled: int, segments: int) -> str:
    """Return progress as text, such as "2 of 6"."""
    return f"{filled} of {segments}"


MOVES = tuple(
    Move(f"clock/{name}", label, lazy_procedure("tracker.games.common.clock_moves", name), "by hand", trigger)
    for name, label, trigger in (
        ("begin", "Start a clock", "Something comes closer, step by step."),
        ("fill", "Fill a clock", "It comes a step closer."),
        ("empty", "Empty a clock", "You keep it at bay."),
        ("rename", "Rename a clock", "It goes by a new name."),
        ("close", "Close a clock", "It happened, or never will."),
    )
)
"""Moves on clocks, the same in every game."""
