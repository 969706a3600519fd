"""Changes by hand, in words: `health -1`, `momentum 3`, `mark wounded`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tracker.games.prompts import Refused
from tracker.games.schema import Effect
from tracker.games.sheet import Clock, Counter, Field, Flags, Meter, Momentum, Ratings, Stat, each
from tracker.plain.finding import find
from tracker.table.session import Session

_CHANGE = re.compile(r"(set )?\s*(.*[^\s\d].*?)\s+([+-]?)([0-9]{1,6})")


def meant(session: Session, who: str, line: str) -> Effect | None:
    """A number of the sheet, or the ticks of a track, by so much or to so much; None if the line is no change."""
    change = _CHANGE.fullmatch(line)
    if change is None:
        return None
    numbers = dict(_numbers(session, who))
    found = find(change[2], list(numbers))
    if found is None:
        return None
    value = int(change[3] + change[4])
    relative = change[3] and not change[1]
    return {"at": list(numbers.values())[found], "by" if relative else "to": value}


def _numbers(session: Session, who: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Every number that can be changed: its names, and its path."""
    game = session.game
    for field in _fields(session, who):
        if isinstance(field, (Stat, Meter, Momentum, Counter, Clock)):
            yield (field.label, game.label(field.at)), field.at
        elif isinstance(field, Ratings):
            yield from (((stat.label, game.label(stat.at)), stat.at) for stat in (field.head, *field.stats))
    for holding in game.belongings(session.state, who) if who else ():
        for thing in holding.things:
            if thing.number and not holding.on_sheet:
                yield (thing.note or thing.name, thing.name), thing.number.at
    for track in game.tracks(session.state):
        if not track.closed:
            yield (track.name, track.id), track.at


def _fields(session: Session, who: str) -> Iterator[Field]:
    panes = session.game.sheet(session.state, who) if who else ()
    return (field for pane in panes for field in each(pane.fields))


def examples(session: Session, who: str) -> Iterator[str]:
    """How a number is changed, in the words of the sheet."""
    fields = list(_fields(session, who))
    meters = [field.label for field in fields if isinstance(field, Meter)]
    if meters:
        yield (
            f"{meters[0]} -1, or {meters[-1]} +1: change a number of the sheet by hand, or that of a track by its name"
        )
        yield f"{meters[0]} 3: set it"
    yield from (f"set {field.label} -2: set it below 0" for field in fields if isinstance(field, Momentum))


def flagged(session: Session, who: str, word: str, *, on: bool) -> Effect:
    """Mark or clear the flag that is meant."""
    flags = [flag for field in _fields(session, who) if isinstance(field, Flags) for flag in field.flags]
    found = find(word, [(flag.label, flag.id) for flag in flags])
    if found is None:
        raise Refused(f"Which one? There is {', '.join(flag.label for flag in flags) or 'nothing to mark'}.")
    flag = flags[found]
    if flag.on == on and not flag.reason:
        raise Refused(f"{flag.label} is {'marked already' if on else 'not marked'}.")
    return flag.flipped()
