"""A line to type in."""

from __future__ import annotations

import unicodedata

from rich.text import Text
from textual import events
from textual.widgets import Input

_JOINERS = "\u200c\u200d"


class LineInput(Input):
    """Takes all of what is pasted: several lines become one."""

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)

    @property
    def _value(self) -> Text:
        """One sign for each character, so that the cursor fits; none that a terminal acts on."""
        return Text("".join(map(_sign, self.value)), no_wrap=True, overflow="ignore", end="")


def _sign(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    if char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return char
    return "·"
