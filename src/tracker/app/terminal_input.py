"""The terminal driver: Textual's own, with input that no byte can break.

Uses private names of Textual (`_xterm_parser`, `_parse_extended_key`, `_in_band_window_resize`, `_run_input_thread`,
`_handle_exception`, `_sigcont_application`, `_must_signal_resume`, `_auto_restart`, `_enable_bracketed_paste`);
tests/app/test_terminal_input.py and tests/terminal/test_input.py break if one of them changes.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import selectors
import termios
from collections.abc import Iterable
from typing import Any

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.keys import Keys
from textual.message import Message

READ_MOST = 4096
"""Bytes taken from the terminal in one go."""
WAIT = 0.1
"""Seconds between two looks at whether the app wants its input thread to end."""
LOST = "\ufffd"
"""Stands for bytes that are not UTF-8."""
ESC_SIGN = "\u241b"
"""Stands for an ESC in pasted text."""
_ESC, _HIGH, _SAFE = 0x1B, 0x80, ord("!")
_X10_MOUSE = b"\x1b[M"
_X10_BYTES = 3


class Decoder:
    """Incremental decoder of terminal input. It accepts every byte; bytes that are not UTF-8 become LOST.

    Old terminals report the mouse as `ESC [ M` and three bytes, which past column 95 are not ASCII. Such a byte is
    replaced by an ASCII one, so that it is not decoded together with the text after it. Textual ignores these reports.
    """

    def __init__(self) -> None:
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._matched = 0
        """How much of a mouse report has been read, its three bytes included."""

    def decode(self, data: bytes) -> str:
        return self._text.decode(self._without_high_mouse_bytes(data))

    def _without_high_mouse_bytes(self, data: bytes) -> bytes:
        if not self._matched and _ESC not in data:
            return data
        safe = bytearray(data)
        for n, byte in enumerate(data):
            if byte == _ESC:
                self._matched = 1
            elif self._matched >= len(_X10_MOUSE):
                if byte >= _HIGH:
                    safe[n] = _SAFE
                self._matched = (self._matched + 1) % (len(_X10_MOUSE) + _X10_BYTES)
            elif self._matched:
                self._matched = self._matched + 1 if byte == _X10_MOUSE[self._matched] else 0
        return bytes(safe)


class Pastes:
    """Filter that replaces every ESC in pasted text by a visible sign.

    Textual would take such an ESC and the rest of the paste for typed keys: it would insert them before the text that
    precedes them, or run the commands of these keys if no text line has the focus.
    """

    def __init__(self) -> None:
        self._pasting = False
        self._before = ""
        """End of what was passed on outside a paste: the start of a paste may be split between two reads."""
        self._held = ""
        """End of the last read that may begin the end of the paste."""

    def clean(self, text: str) -> str:
        """Take the next piece of input, and return the text to pass on now.

        A few characters that may begin the mark at the end of a paste are held back until the next call, so the result
        may be "".
        """
        text, self._held = self._held + text, ""
        parts: list[str] = []
        while text:
            part, text = self._inside(text) if self._pasting else self._outside(text)
            parts.append(part)
        return "".join(parts)

    def _outside(self, text: str) -> tuple[str, str]:
        """Take input outside of a paste. Return (text up to and with the mark that begins a paste, the rest).

        What follows the mark is then taken as inside the paste. Without a mark, return (`text`, "").
        """
        joined = self._before + text
        found = joined.find(BRACKETED_PASTE_START)
        if found < 0:
            self._before = joined[1 - len(BRACKETED_PASTE_START) :]
            return text, ""
        cut = found + len(BRACKETED_PASTE_START) - len(self._before)
        self._pasting, self._before = True, ""
        return text[:cut], text[cut:]

    def _inside(self, text: str) -> tuple[str, str]:
        """Take input inside a paste. Return (text up to and with the mark that ends the paste, the rest).

        Every ESC before the mark is replaced. Without a mark, return (`text`, ""), but hold back an end of the text
        that may begin the mark: `clean` puts it before the next piece.
        """
        body, end, rest = text.partition(BRACKETED_PASTE_END)
        if not end:
            ends = (BRACKETED_PASTE_END[:length] for length in range(len(BRACKETED_PASTE_END) - 1, 0, -1))
            self._held = next((begun for begun in ends if body.endswith(begun)), "")
            body = body.removesuffix(self._held)
        self._pasting = not end
        return body.replace(chr(_ESC), ESC_SIGN) + end, rest


class Parser(XTermParser):
    """Textual's parser of escape sequences, which keeps a paste together and ignores a key with an invalid number."""

    def __init__(self, debug: bool = False) -> None:  # noqa: FBT001, FBT002
        super().__init__(debug)
        self._pastes = Pastes()

    def feed(self, data: str) -> Iterable[Message]:
        return super().feed(text) if (text := self._pastes.clean(data)) else ()

    def _parse_extended_key(self, sequence: str) -> list[events.Key] | None:  # type: ignore[override]
        try:
            return super()._parse_extended_key(sequence)
        except (ValueError, OverflowError):  # "97:65", or a code point past the last one
            return [events.Key(Keys.Ignore, sequence)]


class TerminalDriver(LinuxDriver):
    """Driver that reads keys, mouse and pastes, and drops input that is malformed instead of failing."""

    _raw: list[Any] | None = None
    """The attributes of the terminal while the app has it; None before that, or if they cannot be read."""

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._raw = self._attributes()

    def _attributes(self) -> list[Any] | None:
        """Return the attributes of the terminal, as `termios.tcgetattr` does; None if it has none or is gone."""
        with contextlib.suppress(termios.error):
            return termios.tcgetattr(self.fileno)
        return None

    def _sigcont_application(self, *_: object) -> None:
        """Go on after a stop.

        Before a SIGTSTP stopped the app, Textual left the terminal, and it starts again now. A SIGSTOP gives no time
        for that: the threads still run, and a second pair of them would keep the app from ending. Only what a shell may
        have changed meanwhile is set again: attributes, pastes in brackets, and the picture.
        """
        if self._must_signal_resume:
            super()._sigcont_application()
        elif self._auto_restart and self._raw is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._raw)
            self._enable_bracketed_paste()
            size = Size(*self._get_terminal_size())
            self._app.post_message(events.Resize(size, size))

    def stop_application_mode(self) -> None:
        """Clear the alternate screen and leave it. Some terminals show the rest of a larger frame after a resize."""
        self.write("\x1b[2J\x1b[H")
        super().stop_application_mode()

    def _run_input_thread(self) -> None:
        """Read input until the driver stops. An exception ends the app like any other bug.

        Textual alone would print the traceback and leave the exit code 0.
        """
        try:
            self.run_input_thread()
        except Exception as error:  # noqa: BLE001
            self._app.call_later(self._app._handle_exception, error)  # noqa: SLF001

    def run_input_thread(self) -> None:
        decoder, parser = Decoder(), Parser(self._debug)
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(WAIT):
                    try:
                        data = os.read(self.fileno, READ_MOST)
                    except OSError as error:
                        if error.errno == errno.EIO:  # the terminal is gone; the app watches for that itself
                            return
                        raise
                    for message in parser.feed(text) if (text := decoder.decode(data)) else ():
                        self._pass_on(message, parser)
                for message in parser.tick():
                    self._pass_on(message, parser)

    def _pass_on(self, message: Message, parser: XTermParser) -> None:
        """Pass a message to the app, except an unreadable key or a window size that was not asked for."""
        if isinstance(message, events.Key) and _unreadable(message.character or ""):
            return
        if isinstance(message, events.Resize) and not self._in_band_window_resize:
            parser.mouse_pixels = False  # a size that nobody asked for; SIGWINCH reports the real one
            return
        self.process_message(message)


def _unreadable(text: str) -> bool:
    """Return True if the text is LOST, or contains a surrogate, which cannot be written to a terminal."""
    return text == LOST or any("\ud800" <= char <= "\udfff" for char in text)
