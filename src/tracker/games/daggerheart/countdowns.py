"""Procedures on countdowns, which advance with rolls, with rests, or by hand."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Number, Option, Pick, Roll, Text
from tracker.games.daggerheart.action import advance, tell_fired
from tracker.text import shown_line

KIND_WORDS: Mapping[str, tuple[str, str, str]] = {
    "standard": ("standard", "every action roll advances it by 1", "s"),
    "progress": ("progress", "successes advance it by 3, 2 or 1", "p"),
    "consequence": ("consequence", "Fear and failures advance it by 1, 2 or 3", "c"),
    "long_term": ("long-term", "the GM advances it on long rests", "l"),
    "custom": ("custom", "only by hand", "u"),
}
"""Label of each kind of countdown, what makes it advance, and its hotkey."""
LOOPS: Mapping[str, str] = {
    "none": "ends",
    "loop": "loops",
    "increasing": "loops, 1 longer",
    "decreasing": "loops, 1 shorter",
}


def begin(table: Draft) -> Procedure:
    """Ask for a countdown's name, kind, start and loop, and add it. A start of 0 is replaced by a d6 roll."""
    name = yield Text(key="name", title="What is coming?", hint="The pack closes in")
    kind = yield Pick(
        key="kind",
        title="What makes it advance?",
        options=tuple(Option(key, label, note, hot=hot) for key, (label, note, hot) in KIND_WORDS.items()),
        default="standard",
    )
    start = yield Number(key="start", title="Starting value (0 rolls a d6)", low=0, high=30, default=6)
    loop = yield Pick(
        key="loop",
        title="When it triggers, it",
        options=tuple(Option(key, words) for key, words in LOOPS.items()),
        default="none",
        quiet=True,
    )
    if not start:
        faces = yield Roll(key="dice", title="Starting value", dice={"start": 6}, at_once=True)
        start = faces["start"]
    ident = table.new_id(name, table.state["countdowns"])
    table.add("countdowns", {"id": ident, "name": name, "kind": kind, "start": start, "value": start, "loop": loop})
    table.facts["told"] = f"{shown_line(name)}, {start}"


def move(table: Draft) -> Procedure:
    """Ask for a running countdown and advance it by hand, by 1 or more. Raise Refused if none is running."""
    ident = yield _which(table, running=True)
    by = yield Number(key="advance", title="steps", low=1, high=30, default=1, quiet=True)
    tell_fired(table, [ident] if advance(table, ident, by) else [])


def back(table: Draft) -> Procedure:
    """Ask for a running countdown and set it back, at most to its start. Raise Refused if none is running."""
    ident = yield _which(table, running=True)
    this = table.state["countdowns"][ident]
    by = yield Number(key="advance", title="steps", low=1, high=30, default=1, quiet=True)
    table.by(f"countdowns.{ident}.value", min(by, max(0, this["start"] - this["value"])))


def listen(table: Draft) -> Procedure:
    """Ask for a running countdown, and pause it, or resume it if it is paused.

    The prompt of an action roll does not preselect a paused countdown. Raise Refused if none is running.
    """
    ident = yield _which(table, running=True)
    table.to(f"countdowns.{ident}.paused", not table.state["countdowns"][ident]["paused"])


def again(table: Draft) -> Procedure:
    """Ask for a countdown and restart it from its start value. Raise Refused if there is none."""
    ident = yield _which(table)
    table.to(f"countdowns.{ident}.ended", False)
    table.to(f"countdowns.{ident}.value", max(1, table.state["countdowns"][ident]["start"]))


def rename(table: Draft) -> Procedure:
    ident = yield _which(table)
    name = yield Text(
        key="new_name", title="New name of the countdown", default=table.state["countdowns"][ident]["name"]
    )
    table.to(f"countdowns.{ident}.name", name)


def close(table: Draft) -> Procedure:
    """Ask for a countdown and remove it. Raise Refused if there is none."""
    ident = yield _which(table)
    table.facts["told"] = shown_line(table.state["countdowns"][ident]["name"])
    table.drop("countdowns", ident)


def _which(table: Draft, *, running: bool = False) -> Pick:
    there = table.state["countdowns"]
    if not there:
        raise Refused("No countdowns yet: start one first.")
    free = [ident for ident, one in there.items() if not (running and one["ended"])]
    if not free:
        raise Refused("Every countdown has ended: restart one first.")
    return Pick(
        key="name",
        title="Which countdown?",
        options=tuple(
            Option(
                ident,
                shown_line(one["name"]),
                f"{KIND_WORDS[one['kind']][0]}, {one['value']} of {one['start']}",
                "ended" if running and one["ended"] else "",
            )
            for ident, one in there.items()
        ),
        default=free[0] if len(free) == 1 else None,
        quiet=len(free) == len(there) == 1,
    )
