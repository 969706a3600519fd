"""Messages that cross from the writer's thread to the screens."""

from __future__ import annotations

from textual.message import Message


class Folding(Message):
    """The whole log is being folded: how much is done, in per cent; None when it is over."""

    def __init__(self, percent: int | None) -> None:
        super().__init__()
        self.percent = percent


class SessionSays(Message):
    """The session has something to say: "sign" or "stale"."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what
