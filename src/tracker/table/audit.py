"""Going through a whole log with a sharp eye, for `tracker check`."""

from __future__ import annotations

from tracker.games.schema import Effect, Ladder, Many, Number, Record, State
from tracker.table.fold import apply, fits, locate
from tracker.table.log import Log


def idle_effects(log: Log, top: Record) -> list[tuple[str, str]]:
    """The id of each entry that counts but has an effect without anything to act on, and which one."""
    state, found = log.base, []
    for entry in log.entries:
        if not log.counts(entry):
            continue
        for effect in entry.get("effects", ()):
            if idle(top, state, effect):
                found.append((entry["id"], effect["at"]))
            state = apply(top, state, effect)
    return found


def superseded_entries(log: Log) -> list[tuple[str, str]]:
    """Return the id of each superseded entry and of the one before it that goes on from the same open entry.

    "" instead, if the entry goes on from one that is superseded itself.
    """
    first: dict[str, str] = {}
    for entry in log.entries:
        if "closes" in entry:
            first.setdefault(entry["closes"], entry["id"])
    ends = ((entry["id"], first[entry["closes"]]) for entry in log.entries if log.superseded(entry))
    return [(ident, "" if other == ident else other) for ident, other in ends]


def idle(top: Record, state: State, effect: Effect) -> bool:
    place = locate(top, state, effect["at"])
    if place is None:
        return True
    _, kind, value = place
    if "by" in effect:
        return not isinstance(kind, (Number, Ladder))
    if "to" in effect:
        word = isinstance(kind, Number) and effect["to"] in kind.words if isinstance(effect["to"], str) else False
        return not word and not fits(kind, effect["to"])
    if not isinstance(kind, Many):
        return True
    return (effect["add"]["id"] in value) if "add" in effect else effect["drop"] not in value
