"""One thing that a player does, for random play together."""

from __future__ import annotations

import contextlib
import random

from tracker.campaign.session import Session
from tracker.games.api.errors import Refused


def act(session: Session, dice: random.Random) -> None:
    """Let one thing happen; nothing happens if the rules refuse it."""
    with contextlib.suppress(Refused):
        _act(session, dice)


def _act(session: Session, dice: random.Random) -> None:
    roll, opened = dice.random(), list(session.log.open_runs())
    if roll < 0.15:
        session.undo()
    elif roll < 0.25:
        session.redo()
    elif roll < 0.4:
        session.put(session.new_entry(who="kara", did="face_danger", open=True))
    elif roll < 0.6 and opened:
        gain = [{"at": "kara.momentum", "by": dice.choice([-1, 1, 2])}]
        closes = dice.choice(opened)["id"]
        session.put(session.new_entry(who="kara", did="face_danger", closes=closes, effects=gain))
    elif roll < 0.65 and (others := [one["id"] for one in session.log.entries if one.get("did") != "seat"]):
        session.undo(dice.choice(others))
    else:
        at = dice.choice(["kara.health", "kara.spirit", "supply"])
        session.do("change", [{"at": at, "by": dice.choice([-1, 1])}])
