"""Dice between the key that rolled them and the picture that shows them."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from textual.screen import UPDATE_PERIOD

if TYPE_CHECKING:
    from tracker.campaign.session import Session
    from tracker.saves.writer import SaveStatus

HASTE = 0.15
"""Seconds after a roll in which a key was typed ahead: nobody has waited for the dice yet."""
ROUNDS = 100
"""How many frames a changed file may take to be read again."""


class UnseenDice:
    """The time in which rolled dice are not on the screen: no key or click of that time may apply them."""

    def __init__(self) -> None:
        self.seen = asyncio.Event()
        self.seen.set()
        self._since = self._until = 0.0

    def begin(self) -> None:
        if self.seen.is_set():
            self._since = time.monotonic()
        self.seen.clear()

    def end(self) -> None:
        self._until = time.monotonic()
        self.seen.set()

    def hides(self, pressed: float) -> bool:
        """Return True if the dice were not on the screen when a key was pressed, or are not now."""
        return not self.seen.is_set() or self._since + HASTE <= pressed < self._until


async def until_saved(session: Session) -> SaveStatus:
    """Wait until rolled dice are on the disk, or it is clear that they cannot be now; return the save status.

    If another program has changed the file, the table reads it again meanwhile.
    """
    sign = await asyncio.to_thread(session.wait)
    for _ in range(ROUNDS):
        if sign.word != "saving":
            break
        await asyncio.sleep(UPDATE_PERIOD)
        sign = await asyncio.to_thread(session.wait)
    return sign


def told(sign: SaveStatus) -> str:
    """Return one sentence about dice that could not be saved, or ""."""
    if sign.word != "NOT SAVED":
        return ""
    return f"These dice are NOT SAVED: {sign.why.rstrip('.')}. You can play on."
