"""Tracks, changed by hand: what no move did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.base import Draft, Procedure
from tracker.games.ironsworn.layout import OPEN
from tracker.games.ironsworn.rolls import RANKS
from tracker.games.ironsworn.tracks import ask_rank, close
from tracker.games.prompts import Number, Option, Pick, Refused, Text
from tracker.text import shown_line

ENDS = {"vow": ("fulfilled", "forsaken"), "journey": ("arrived", "abandoned"), "fight": ("won", "lost")}
"""How a track of each kind may end."""


def mark_progress(table: Draft) -> Procedure:
    """Progress that no move gave."""
    track = yield _which_open(table)
    yield from _progress(table, track, 1)


def clear_progress(table: Draft) -> Procedure:
    """Progress lost outside a move."""
    track = yield _which_open(table)
    yield from _progress(table, track, -1)


def _progress(table: Draft, track: str, sign: int) -> Procedure:
    this = table.state["tracks"][track]
    times = yield Number(key="times", title="how many marks", low=1, high=40, default=1, quiet=True)
    table.facts["track"] = this["name"]
    table.by(f"tracks.{track}.ticks", sign * times * RANKS[this["rank"]].ticks)


def change_rank(table: Draft) -> Procedure:
    """It is harder, or easier, than it seemed. What is marked stays marked."""
    track = yield _which_open(table)
    this = table.state["tracks"][track]
    rank = yield ask_rank("How hard is it?", reasons={this["rank"]: "it is that now"}, vow=this["kind"] == "vow")
    table.facts["track"] = this["name"]
    table.to(f"tracks.{track}.rank", rank)


def rename_track(table: Draft) -> Procedure:
    track = yield _which(table.state["tracks"])
    old = table.state["tracks"][track]["name"]
    name = yield Text(key="name", title="What is it called?", default=old)
    table.facts["track"] = name
    table.to(f"tracks.{track}.name", name)


def close_track(table: Draft) -> Procedure:
    """A track that ends without a progress move: you fled, gave up, or it came to nothing."""
    track = yield _which_open(table)
    this = table.state["tracks"][track]
    status = yield Pick(
        key="status",
        title="How does it end?",
        options=tuple(Option(status, status) for status in ENDS[this["kind"]]),
    )
    table.facts["track"] = this["name"]
    close(table, track, status)


def reopen_track(table: Draft) -> Procedure:
    """It was not over after all. What it brought when it ended stays."""
    track = yield _which_over(table)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.status", "open")
    table.to(f"tracks.{track}.away", False)


def put_away(table: Draft) -> Procedure:
    """A track that is over is not shown any more; to open it again brings it back."""
    track = yield _which_over(table)
    table.facts["track"] = table.state["tracks"][track]["name"]
    table.to(f"tracks.{track}.away", True)


def _which_open(table: Draft) -> Pick:
    return _which({i: t for i, t in table.state["tracks"].items() if t["status"] in OPEN}, "There is no open track.")


def _which_over(table: Draft) -> Pick:
    over = {i: t for i, t in table.state["tracks"].items() if t["status"] not in OPEN}
    return _which(over, "No track is over.")


def _which(there: Mapping[str, Any], none: str = "There is no track.") -> Pick:
    if not there:
        raise Refused(none)
    options = (Option(ident, shown_line(t["name"]), f"{t['rank']} {t['kind']}") for ident, t in there.items())
    return Pick(key="track", title="Which track", options=tuple(options))
