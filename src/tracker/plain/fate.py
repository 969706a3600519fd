"""The tables of the oracle in lines: which there are, and which ones are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tracker.games.content import whole
from tracker.games.refused import Refused
from tracker.games.sheet import Action
from tracker.plain.finding import find
from tracker.table.session import Session
from tracker.text import shown_line

_BETWEEN = re.compile(r"\s*[,+]\s*|\s+and\s+")


def lines(session: Session) -> Iterator[str]:
    """The tables by group, what goes well together, and what is wrong in a player's files."""
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


def meant(session: Session, words: str) -> Action | None:
    """A roll on the tables of these names; None if no table is meant."""
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
