"""Finding something in the journal: bytes are scanned, and only what they promise is read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tracker.saves.toml import emit_string
from tracker.table.pages import far_undone, said_later
from tracker.table.session import Session
from tracker.table.story import Item, Words, item, items
from tracker.table.telling import changed, name_of

_GAP = rb"(?: |\\[nrt])+"
"""What may stand between two words of a text."""


def says(session: Session, one: Item) -> str:
    """All that an item says, on one line."""
    words = [one.heading, name_of(session, one.entry), one.text]
    did = one.entry.get("did", "")
    if did in session.game.moves and not one.heading:
        card = session.game.card(did, one.entry.get("facts", {}))
        words += [session.game.moves[did].name, card.told, card.short]
    return " ".join(" ".join(filter(None, [*words, *changed(one.entry)])).split())


def find(session: Session, typed: str) -> Iterator[list[Item]]:
    """Items that say this, newest first, a few at a time; an empty list only says that the search goes on."""
    wanted = " ".join(typed.casefold().split())
    log = session.log
    near = items(session, [(entry, log.undone(entry)) for entry in reversed(log.entries)])
    yield [one for one in near if wanted in says(session, one).casefold()]
    if not log.upto:
        return
    dead, words = said_later(log, session.save.marked())
    here = {entry["id"] for entry in log.entries}
    for entries in session.save.matching(_promising(session, wanted, words)):
        read = [(entry, far_undone(entry, dead)) for entry in entries if entry["id"] not in here]
        found = [item(session, entry, words, undone=undone) for entry, undone in read if _is_told(entry)]
        yield [one for one in found if wanted in says(session, one).casefold()]


def _is_told(entry: dict[str, object]) -> bool:
    return not {"undoes", "of", "open"} & entry.keys()


def _promising(session: Session, wanted: str, words: Words) -> re.Pattern[bytes]:
    """What stands in the bytes of an entry that may say this: the words, a move's id, or its own if it was edited."""
    ways = [_GAP.join(b"".join(map(_either_case, emit_string(word)[1:-1])) for word in wanted.split(" "))]
    moves = (move.id for move in session.game.moves.values() if wanted in move.name.casefold())
    ways += [re.escape(f'\ndid = "{ident}"'.encode()) for ident in moves]
    edited = (of for of, text in words.texts.items() if wanted in " ".join(text.casefold().split()))
    ways += [re.escape(f'\nid = "{of}"'.encode()) for of in edited]
    return re.compile(b"|".join(ways))


def _either_case(char: str) -> bytes:
    forms = dict.fromkeys(form.encode("utf-8", "replace") for form in (char, char.upper(), char.lower()))
    return b"(?:" + b"|".join(map(re.escape, forms)) + b")"
