"""Report states the rules cannot produce. Players may still keep them."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.games.api.schema import State
from tracker.games.wherever.dice import MARKS_FOR, sides
from tracker.games.wherever.state import ATTRIBUTE_OF, SLOTS, TRACKS, WEIGHTS, harms_of, misplaced
from tracker.text import shown_line


def lint(state: State) -> tuple[str, ...]:
    """Return one line for each value that the rules cannot produce; () if all are possible."""
    return tuple(line for who in state["party"].values() for line in _character(who))


def _character(me: State) -> Iterator[str]:
    name = shown_line(me["name"])
    for number in ("wp", *TRACKS):
        if me[number] > me[f"{number}_max"]:
            told = "WP" if number == "wp" else number
            yield f"{name}: {told} {me[number]} is above its maximum {me[f'{number}_max']}."
    for track, two in TRACKS.items():
        most = sum(sides(me[attribute]) for attribute in two)
        if me[f"{track}_max"] != most:
            yield f"{name}: {track} should have a maximum of {most}, the sizes of {' and '.join(two)} together."
    for skill in ATTRIBUTE_OF:
        marks = me["marks"][skill]
        if marks and marks >= MARKS_FOR[me["skills"][skill]]:
            yield f"{name}: {skill} has {marks} marks on a clock of {MARKS_FOR[me['skills'][skill]]}."
    for item in me["gear"].values():
        if item["reliability"] > item["max"]:
            yield f"{name}: {shown_line(item['name'])} is more reliable than its maximum."
    for place, slots in SLOTS.items():
        taken = sum(WEIGHTS[item["weight"]] for item in me["gear"].values() if item["place"] == place)
        if taken > slots:
            yield f"{name}: {taken:g} of {slots} slots are used {place}."
    for sort, harms in harms_of(me).items():
        for harm in harms.values():
            if misplaced(harm):
                yield f"{name}: a {harm['grade']} {sort} harm is on {harm['on']}."
