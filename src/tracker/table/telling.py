"""What every driver says about a session in the same words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from tracker.games import facts, story
from tracker.games.sheet import Owed
from tracker.games.words import arrow
from tracker.table.log import Entry
from tracker.table.session import Session
from tracker.table.story import RESTORE, STRIKE
from tracker.text import shown_line

_STEP = re.compile(r"(?P<what>.+) (?P<old>\S+) → (?P<to>\S+)(?P<of>(?: of \d+)?)")
A_REST = timedelta(hours=6)
_DONE = {STRIKE: "a line struck out", RESTORE: "a line put back", "redo": "an older entry", "undo": "an older entry"}


def spoke(session: Session) -> str:
    """Who speaks first: whoever did so last, else the first of the party, else nobody."""
    party = [member.id for member in session.game.members(session.state)]
    last = (entry.get("who", "") for entry in reversed(session.log.entries))
    return next((who for who in last if who in party), next(iter(party), ""))


def owing(session: Session, who: str) -> Iterator[tuple[str, tuple[Owed, ...]]]:
    """Who owes what: first the one who speaks, then the others. A roll that is nobody's is there once."""
    told: set[str] = set()
    for one in dict.fromkeys((who, *(member.id for member in session.game.members(session.state)))):
        if due := tuple(due for due in session.owed(one) if due.run not in told):
            told |= {each.run for each in due if each.run}
            yield one, due


def name_of(session: Session, entry: Entry) -> str:
    """Whose entry it is, where there is more than one to name."""
    party = session.state["party"]
    return shown_line(party[entry["who"]]["name"]) if len(party) > 1 and entry.get("who") in party else ""


def changed(entry: Entry) -> list[str]:
    """Return what an entry changed, in the words that were kept with it."""
    return facts.changes(entry.get("facts", {}))


def in_one(phrases: list[str]) -> list[str]:
    """Steps of the same thing are told once: 1 → 2 and 2 → 3 as 1 → 3. What came back to where it was is told whole."""
    told: list[str] = []
    for phrase in phrases:
        before, after = (_STEP.fullmatch(one) for one in (told[-1] if told else "", phrase))
        follows = before and after and all(before[part] == after[part] for part in ("what", "of"))
        if before and after and follows and before["to"] == after["old"] and before["old"] != after["to"]:
            told[-1] = f"{before['what']} {arrow(before['old'], after['to'])}{after['of']}"
        else:
            told.append(phrase)
    return told


def undone(session: Session, entry: Entry) -> str:
    """What an undo or a redo was about."""
    named = entry
    for older in reversed(session.log.entries):
        if older["id"] == named.get("undoes"):
            named = older
    did = named.get("did", "")
    if did in session.game.moves:
        return session.game.moves[did].name
    words = ", ".join(changed(named)) or named.get("text") or _DONE.get(did, did) or "an older entry"
    return shown_line(words, 60)


def rested(session: Session) -> bool:
    """Whether so many hours have passed since the last entry that a new session may be meant.

    A clock that was set back tells the same: what counts is that the two are far apart.
    """
    if session.readonly or not session.log.entries:
        return False
    last = session.log.entries[-1]
    at = last.get("at")
    if not isinstance(at, datetime) or last.get("did") == story.SESSION.id:
        return False
    return abs(datetime.now(UTC) - (at if at.tzinfo else at.replace(tzinfo=UTC))) > A_REST
