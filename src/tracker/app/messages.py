"""Messages that cross from the writer's thread to the screens."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class SessionSays(Message):
    """The session has something to say: "sign" or "stale"."""

    what: str
