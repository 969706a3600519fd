"""Work that may take long: it is done in a thread, tells how far it is, and can be left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from tracker.saves.save import Step

Result = TypeVar("Result")


class Left(Exception):
    """Nobody waits for it any more."""


class AtLength(Generic[Result]):
    """Begun when it is made; `ended` has what came of it, or Left."""

    def __init__(self, work: Callable[[Step], Result]) -> None:
        self.percent = 0
        self._left = False
        self.ended = asyncio.get_running_loop().run_in_executor(None, work, self._step)

    def _step(self, done: float) -> None:
        if self._left:
            raise Left
        self.percent = int(done * 100)

    def leave(self) -> None:
        self._left = True


def bar(percent: int) -> str:
    """The same wherever the whole log is gone through."""
    full = percent // 5
    return f"{'━' * full}{'─' * (20 - full)} {percent}%"
