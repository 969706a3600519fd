"""Find what the player means by a typed word: a move, number, flag or oracle table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tracker.campaign.session import Session
from tracker.games.api.content import whole
from tracker.games.api.errors import Refused
from tracker.games.api.schema import Effect
from tracker.games.api.view import Action, Clock, Counter, Field, Flags, Meter, Momentum, Ratings, Stat, each
from tracker.text import shown_line


def find(word: str, named: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the item matched by number (from 1), name, prefix or whole words, or None.

    The first of an item's names is the one shown to players. Raise Refused if several items match equally well.
    """
    word = word.strip().casefold()
    if not word:
        return None
    if word.isascii() and word.isdigit():
        number = int(word[:9])
        if 1 <= number <= len(named):
            return number - 1
        return next((n for n, names in enumerate(named) if word in names), None)
    folded = [[name.casefold() for name in names if name] for names in named]
    for fits in (str.__eq__, str.startswith, _has_words):
        found = [n for n, names in enumerate(folded) if any(fits(name, word) for name in names)]
        if len(found) > 1:
            raise Refused(f"“{word}” could be {' or '.join(named[n][0] for n in found)}: type more of it.")
        if found:
            return found[0]
    return None


def _has_words(name: str, words: str) -> bool:
    """Return True if a word after the first begins with `words`: “dan” is in Face Danger, “anger” is not."""
    return len(words) >= 3 and f" {words}" in name


_CHANGE = re.compile(r"(set )?\s*(.*[^\s\d].*?)\s+([+-]?)([0-9]{1,6})")


def parse_edit(session: Session, who: str, line: str) -> Effect | None:
    """Parse a change by hand, such as `health -1` or `momentum 3`, or return None if the line is none."""
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
    """Yield (names, path) of every number that can be changed by hand."""
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
    """Yield examples of changing numbers, with the labels of this sheet."""
    fields = list(_fields(session, who))
    meters = [field.label for field in fields if isinstance(field, Meter)]
    if meters:
        yield (
            f"{meters[0]} -1, or {meters[-1]} +1: change a number of the sheet by hand, or that of a track by its name"
        )
        yield f"{meters[0]} 3: set it"
    yield from (f"set {field.label} -2: set it below 0" for field in fields if isinstance(field, Momentum))


def flagged(session: Session, who: str, word: str, *, on: bool) -> Effect:
    """Return the effect that marks or clears the named flag. Raise Refused if there is none, or nothing changes."""
    flags = [flag for field in _fields(session, who) if isinstance(field, Flags) for flag in field.flags]
    found = find(word, [(flag.label, flag.id) for flag in flags])
    if found is None:
        raise Refused(f"Which one? There is {', '.join(flag.label for flag in flags) or 'nothing to mark'}.")
    flag = flags[found]
    if flag.on == on and not flag.reason:
        raise Refused(f"{flag.label} is {'marked already' if on else 'not marked'}.")
    return flag.flipped()


_BETWEEN = re.compile(r"\s*[,+]\s*|\s+and\s+")


def lines(session: Session) -> Iterator[str]:
    """Yield the oracle tables by group, suggested combinations, and problems in the player's files."""
    content = session.content()
    groups: dict[str, list[str]] = {}
    for table in whole(content.oracles):
        groups.setdefault(shown_line(table.group), []).append(shown_line(table.name))
    for group, names in groups.items():
        yield f"{group}: {'; '.join(names)}"
    for ids in session.game.oracles().together:
        if all(ident in content.oracles for ident in ids):
            yield f"Together: {' + '.join(shown_line(content.oracles[ident].name) for ident in ids)}"
    yield from content.problems
    yield "A name rolls on that table, several with commas between roll together." if groups else "There is no table."


def parse_tables(session: Session, words: str) -> Action | None:
    """Return the action that rolls on the named tables, or None if a name matches none."""
    there = session.content().oracles
    tables = whole(there)
    names = [(shown_line(table.name), table.id) for table in tables]
    for wanted in ([words], _BETWEEN.split(words)):  # a name may have a comma in it
        found = [None if word.isdigit() else find(word, names) for word in wanted]
        if ids := list(dict.fromkeys(tables[n].id for n in found if n is not None)) if None not in found else []:
            break
    else:
        return None
    oracles = session.game.oracles()
    if len(ids) > oracles.several:
        raise Refused(f"At most {oracles.several} tables are rolled together.")
    return Action("", " + ".join(shown_line(there[ident].name) for ident in ids), oracles.roll_on(ids))
