"""Secret notes: a GM's notes in a file beside the save, which no other player gets before they are revealed.

A secret note is revealed by making a world note with its name. Until then it is neither in the save nor in anything
that is sent to others.
"""

from __future__ import annotations

import json

from tracker.campaign.session import Session
from tracker.campaign.unsent_input import load_draft, save_draft
from tracker.games.api.errors import Refused
from tracker.games.api.view import Start
from tracker.games.common import notes
from tracker.games.common.notes import MAKE
from tracker.records import NamedTuple

_OF = "secret"
MOST = 500
"""Most secret notes of a campaign."""


class SecretNote(NamedTuple):
    """A note that only this machine has."""

    name: str
    text: str


def secret_notes(session: Session) -> list[SecretNote]:
    """Return the secret notes of a campaign that are not revealed yet; those that cannot be read are left out.

    Return [] if there are none.
    """
    try:
        kept = json.loads(load_draft(session.save.real, _OF) or "[]")
    except (ValueError, RecursionError):
        return []
    pairs = [pair for pair in kept if isinstance(pair, list) and len(pair) == 2] if isinstance(kept, list) else []
    found = (SecretNote(*pair) for pair in pairs[:MOST] if all(isinstance(part, str) for part in pair))
    return [note for note in found if not notes.named(session.state, note.name)]


def keep(session: Session, note: SecretNote, instead: SecretNote | None = None) -> None:
    """Store a secret note in the file beside the save: in the place of the note `instead`, or else at the end.

    Raise Refused if another note has this name, if there are too many, or if the file cannot be written.
    """
    found = secret_notes(session)
    if notes.named(session.state, note.name):
        raise Refused("There is a world note with this name; choose another one.")
    if any(one.name.casefold() == note.name.casefold() for one in found if one != instead):
        raise Refused("There is a secret note with this name; choose another one.")
    if len(found) >= MOST:
        raise Refused(f"There are {MOST} secret notes; remove or reveal some first.")
    _write(session, [note if one == instead else one for one in found] + ([] if instead in found else [note]))


def remove(session: Session, note: SecretNote) -> None:
    """Remove a secret note from the file beside the save. Raise Refused if the file cannot be written."""
    _write(session, [one for one in secret_notes(session) if one != note])


def reveal(note: SecretNote) -> Start:
    """Return a Start that makes a world note with the name and text of a secret one.

    Once that note is made, `secret_notes` leaves the secret one out.
    """
    return Start(MAKE, (("name", note.name), ("text", note.text)) if note.text else (("name", note.name),))


def _write(session: Session, found: list[SecretNote]) -> None:
    try:
        save_draft(session.save.real, json.dumps([[*one] for one in found]) if found else "", _OF)
    except OSError as error:
        raise Refused(f"Can't keep secret notes: {error.strerror or error}.") from None
