"""Rolls outside moves: a bare action roll, and a bare progress roll."""

from __future__ import annotations

from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Option, Pick
from tracker.games.ironsworn.asset_bonuses import other_stat
from tracker.games.ironsworn.dice import progress_odds, shown_odds
from tracker.games.ironsworn.roll import action_roll, ask_help, ask_stat, begin, track_roll
from tracker.games.ironsworn.state import OPEN
from tracker.text import shown_line


def bare_roll(table: Draft) -> Procedure:
    """Make an action roll outside any move. Bonuses and burning momentum apply, but the outcome has no consequences.

    Only a miss after Turn the Tide makes Pay the Price due.
    Raise Refused if the character is out of play.
    """
    begin(table, "action_roll")
    adds = yield from ask_help(table, "action_roll")
    stat, other = "", other_stat(table)
    if not other:
        stat = yield ask_stat(table, "action_roll", adds)
    yield from action_roll(table, "action_roll", stat, adds, at_once=not other, initiative="told", priced=False)


def bare_progress(table: Draft) -> Procedure:
    """Make a progress roll on any open track; the track does not change.

    Raise Refused if no track is open or the character is out of play.
    """
    begin(table, "progress_roll")
    options = tuple(
        Option(
            ident,
            shown_line(track["name"]),
            f"{track['rank']} {track['kind']}",
            odds=shown_odds(progress_odds(track["ticks"])),
        )
        for ident, track in table.state["tracks"].items()
        if track["status"] in OPEN
    )
    if not options:
        raise Refused("No open track: start one first.")
    which = Pick(key="track", title="Which track?", options=options)
    track = yield which
    yield from track_roll(table, "progress_roll", track, which, initiative="told")
