"""A line to type in."""

from __future__ import annotations

import unicodedata
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input

_JOINERS = "\u200c\u200d"


SUBMIT = Binding("enter", "submit", "Enter", id="line.submit", tooltip="Enter what you have typed.", show=False)


class LineInput(Input):
    """Input widget for one line of text. Pasted lines are joined by spaces.

    `takes` has the characters that can be typed; the screen gets all other keys. If it is "", every character can be
    typed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [SUBMIT]
    DEFAULT_CSS = "LineInput, LineInput:focus { border: none; background-tint: $foreground 0%; }"
    takes = ""

    def watch_has_focus(self, _has_focus: bool) -> None:  # noqa: FBT001
        """Do nothing. Textual would recompute all styles for the focus, which only the text cursor shows here."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return super().check_consume_key(key, character) and self.wants(character)

    def wants(self, character: str | None) -> bool:
        """Return True if this character can be typed into the line; False for None and for keys left to the screen."""
        return bool(character) and (not self.takes or str(character) in self.takes)

    async def _on_key(self, event: events.Key) -> None:
        if self.takes and event.character == " " and not self.value.strip():
            event.stop()  # a line with only spaces would hide the placeholder
            event.prevent_default()
        elif event.is_printable and not self.wants(event.character):
            event.prevent_default()  # it goes on to the screen

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)

    @property
    def _value(self) -> Text:
        """The text with one visible sign in place of each control character, so that the cursor position fits."""
        # Textual asks for it three times a key: measured, a sign looked up for each character took 0.1 s in 100 KB.
        signs = self.value if self.value.isprintable() else self.value.translate(SIGNS)
        return Text(signs, no_wrap=True, overflow="ignore", end="")


class _Signs(dict[int, str]):
    """Translation table for `str.translate`, filled on demand: character code to visible sign."""

    def __missing__(self, code: int) -> str:
        self[code] = sign = _sign(chr(code))
        return sign


def _sign(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    if char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return char
    return "·"


SIGNS = _Signs()
