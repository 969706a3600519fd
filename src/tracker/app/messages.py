"""Messages that cross from the writer's thread to the screens."""

from __future__ import annotations

from textual.message import Message


class SessionSays(Message):
    """The session has something to say: "sign" or "stale"."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what
