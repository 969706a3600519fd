"""Report states the rules cannot produce. Players may still keep them."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.phrases import counted
from tracker.games.api.schema import State
from tracker.games.common.members import living
from tracker.games.ironsworn.state import OPEN, STATS, most_momentum
from tracker.text import shown_line

_HELD = {"wounded": "health", "shaken": "spirit"}


def lint(state: State) -> tuple[str, ...]:
    """Return one line for each value that the rules cannot produce; () if there is none."""
    return (*_table(state), *(line for ident in state["party"] for line in _character(state, ident)))


def _table(state: State) -> Iterator[str]:
    unprepared = any("unprepared" in state["party"][ident]["debilities"] for ident in living(state))
    if unprepared and state["supply"]:
        yield f"Supply is {state['supply']}, but a character is unprepared."
    if not unprepared and not state["supply"] and state["party"]:
        yield "Supply is 0, but no one is unprepared."
    if not any(t["kind"] == "fight" and t["status"] in OPEN for t in state["tracks"].values()):
        for one in state["party"].values():
            if one["initiative"] != "none":
                yield f"{shown_line(one['name'])} is in a fight, but no fight is open."


def _character(state: State, ident: str) -> Iterator[str]:
    me = state["party"][ident]
    name = shown_line(me["name"])
    most = most_momentum(state, ("party", ident, "momentum"))
    if me["momentum"] > most:
        yield f"{name}: momentum {me['momentum']} is above its maximum {most}."
    for debility, field in _HELD.items():
        if debility in me["debilities"] and me[field]:
            yield f"{name} is {debility}, but {field} is {me[field]}."
    if sorted((me[stat] for stat in STATS), reverse=True) != [3, 2, 2, 1, 1]:
        yield f"{name}: the stats are not 3, 2, 2, 1 and 1, as a new character's are."
    if me["spent"] > me["xp"]:
        yield f"{name}: {me['spent']} experience spent, but only {me['xp']} earned."
    if me["bond_ticks"] < len(me["bonds"]):  # some assets mark a bond twice
        yield f"{name}: {counted(me['bond_ticks'], 'bond tick')}, but {counted(len(me['bonds']), 'bond')}."
    for asset in me["assets"].values():
        if asset["health"] > asset["max"]:
            yield f"{name}: {shown_line(asset['name'])} has more health than its maximum."
