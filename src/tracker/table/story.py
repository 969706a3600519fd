"""The journal: what has happened, as it is to be read.

How an entry reads can be changed by a later one that names it with `of`. The entry itself stays as it was, and
an edit or a strike that is undone has never been.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tracker.games.refused import Refused
from tracker.games.schema import Effect
from tracker.games.story import SCENE
from tracker.table.history import history
from tracker.table.log import Entry
from tracker.table.session import Session
from tracker.text import name_problem

EDIT, STRIKE, RESTORE = "journal/edit", "journal/strike", "journal/restore"
JOINED = 20
"""How many changes by hand are told as one at the most: nobody waits for more of them to be read."""


class Words:
    """What newer entries say about how older ones read. To be told them newest first."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.struck: dict[str, bool] = {}

    def hear(self, entry: Entry) -> bool:
        """Whether this entry is about another one; the newest word about one counts."""
        of, did = entry.get("of"), entry.get("did")
        if not isinstance(of, str) or did not in {EDIT, STRIKE, RESTORE}:
            return False
        if did == EDIT:
            self.texts.setdefault(of, entry.get("text", ""))
        else:
            self.struck.setdefault(of, did == STRIKE)
        return True


class Item(NamedTuple):
    """One thing that happened, as it reads now.

    `changes` are the entries that it stands for, newest first; `superseded`: see `Log`.
    """

    entry: Entry
    text: str
    heading: str = ""
    undone: bool = False
    struck: bool = False
    changes: tuple[Entry, ...] = ()
    superseded: bool = False


def items(session: Session, entries: Iterable[tuple[Entry, bool]], words: Words | None = None) -> Iterator[Item]:
    """What these entries say, newest first, each with whether it is undone."""
    words = words or Words()
    open_now = {entry["id"] for entry in session.log.open_runs()}
    for entry, undone in entries:
        if "undoes" in entry or (entry.get("open") and (undone or entry["id"] not in open_now)):
            continue
        if entry.get("did") in {EDIT, STRIKE, RESTORE} and (undone or words.hear(entry)):
            continue
        if _about_dice(entry):
            continue
        yield item(session, entry, words, undone=undone)


def _about_dice(entry: Entry) -> bool:
    """Whether it only says where dice come from: no part of the story."""
    effects = entry.get("effects")
    return entry.get("did") == "change" and bool(effects) and all(one.get("at") == "dice_are" for one in effects or ())


def item(session: Session, entry: Entry, words: Words, *, undone: bool) -> Item:
    did, ident = entry.get("did", ""), entry["id"]
    text = words.texts[ident] if ident in words.texts else str(entry.get("text", ""))
    heading = session.game.card(did, entry.get("facts", {})).heading if did in session.game.moves else ""
    if heading:
        heading, text = text or heading, ""
    return Item(entry, text, heading, undone, words.struck.get(ident, False), (entry,), session.superseded(entry))


def story(session: Session) -> Iterator[Item]:
    """All of it, newest first. Changes by hand that follow each other are one: eight ticks are not eight lines."""
    joined: Item | None = None
    for one in items(session, history(session)):
        if joined and len(joined.changes) < JOINED and _same_hand(joined, one):
            joined = joined._replace(changes=(*joined.changes, *one.changes))
            continue
        if joined:
            yield joined
        joined = one
    if joined:
        yield joined


def _same_hand(newer: Item, older: Item) -> bool:
    a, b = newer.entry, older.entry
    by_hand = a.get("did") == b.get("did") == "change" and a.get("who") == b.get("who")
    return by_hand and (newer.undone, newer.struck) == (older.undone, older.struck) and not newer.text + older.text


# -- changing how it reads ------------------------------------------------------------------------------


def edit(session: Session, one: Item, text: str, who: str = "") -> Entry | None:
    """Let an entry read otherwise; None if it reads so already."""
    text = text.strip()
    if text == (one.heading or one.text):
        return None
    effects: list[Effect] = []
    if one.heading:
        if problem := name_problem(text):
            raise Refused(problem)
        effects = [{"at": "scene", "to": text}] if _is_played(session, one) else []
    elif not text and not one.entry.get("effects") and one.entry.get("did") not in session.game.moves:
        raise Refused("Nothing would be left of it: strike it out instead.")
    return session.about(one.entry["id"], EDIT, text=text, effects=effects, who=who)


def _is_played(session: Session, one: Item) -> bool:
    """Whether this is the scene that the table stands in; an older one may have the same title."""
    log = session.log
    begun = (entry for entry in reversed(log.entries) if entry.get("did") == SCENE.id and not log.undone(entry))
    newest = next(begun, one.entry)
    return newest["id"] == one.entry["id"] and session.state.get("scene") == one.heading


def strike(session: Session, one: Item, who: str = "") -> Entry:
    """Strike an entry out, or put it back. It still counts: only an undo takes back what it did."""
    return session.about(one.entry["id"], RESTORE if one.struck else STRIKE, who=who)
