"""Procedures on clocks: begin, fill, empty, rename, close.

They are apart from `clocks`, which the first frame needs, because they import the prompts, which it does not need.
"""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Number, Option, Pick, Text
from tracker.games.common.clocks import SIZES, counted
from tracker.text import shown_line


def begin(table: Draft) -> Procedure:
    """Ask for the name and the size of a clock, and add the clock."""
    name = yield Text(key="name", title="What is coming?", hint="The tide turns")
    size = yield Pick(
        key="segments",
        title="How many segments?",
        options=tuple(Option(str(n), f"{n} segments", hot=str(n % 10)) for n in SIZES),
    )
    ident = table.new_id(name, table.state["clocks"])
    table.add("clocks", {"id": ident, "name": name, "segments": int(size)})
    table.facts["clock"] = name


def fill(table: Draft) -> Procedure:
    """Ask for a clock and how many of its segments to fill, 1 by default, and fill them.

    Raise Refused if there is no clock.
    """
    ident = yield _which(table, full="already full")
    clock = table.state["clocks"][ident]
    most = max(1, clock["segments"] - clock["filled"])
    times = yield Number(key="times", title="segments", low=1, high=most, default=1, quiet=True)
    table.by(f"clocks.{ident}.filled", times)


def empty(table: Draft) -> Procedure:
    """Ask for a clock and how many of its segments to empty, 1 by default, and empty them.

    Raise Refused if there is no clock.
    """
    ident = yield _which(table, empty="already empty")
    most = max(1, table.state["clocks"][ident]["filled"])
    times = yield Number(key="times", title="segments", low=1, high=most, default=1, quiet=True)
    table.by(f"clocks.{ident}.filled", -times)


def rename(table: Draft) -> Procedure:
    ident = yield _which(table)
    name = yield Text(key="name", title="New name?", default=table.state["clocks"][ident]["name"])
    table.to(f"clocks.{ident}.name", name)


def close(table: Draft) -> Procedure:
    """Ask for a clock and remove it. Raise Refused if there is no clock."""
    ident = yield _which(table)
    table.drop("clocks", ident)


def _which(table: Draft, *, full: str = "", empty: str = "") -> Pick:
    """Return the prompt for a clock. If `full` is given, full clocks are disabled with this reason; `empty` likewise.

    Raise Refused if there is no clock.
    """
    clocks = table.state["clocks"]
    if not clocks:
        raise Refused("No clocks yet.")
    options = (
        Option(
            ident,
            shown_line(clock["name"]),
            counted(clock["filled"], clock["segments"]),
            full if clock["filled"] >= clock["segments"] else empty if not clock["filled"] else "",
        )
        for ident, clock in clocks.items()
    )
    return Pick(key="clock", title="Which clock?", options=tuple(options))
