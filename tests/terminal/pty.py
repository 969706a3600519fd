"""Drives a full-screen program in a real pseudo-terminal, with a model of what its screen shows.

    with Pty([sys.executable, "app.py"]) as program:
        program.wait_for("READY")
        program.press("a", until="count: 1")

Times are taken by a thread at the moment bytes arrive, so that the model's own slowness is not in them.
Linux only.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import queue
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Self

import pyte

KEYS = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "backspace": "\x7f", "space": " ",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "home": "\x1b[H", "end": "\x1b[F", "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "delete": "\x1b[3~",
    "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~",
    **{f"ctrl+{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}  # fmt: skip

# What pyte would print instead of passing over: private keyboard modes and strings to the device.
_UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<=][0-9;]*[@-~]|\x1b[P_^][^\x1b]*\x1b\\")
_UNKNOWN_OR_COLOUR = re.compile(rb"\x1b\[[0-9;:]*m|" + _UNKNOWN_TO_PYTE.pattern)
_UNFINISHED = re.compile(rb"\x1b(?:\[(?:[<=][0-9;]*)?|[P_^][^\x1b]*\x1b?)?\Z")
_SYNC_QUERY, _SYNC_ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"

# A session leader that opens a terminal gets it as its own, which is what makes resizing signal the program.
_TAKE_TERMINAL = 'exec "$@" <>"$0"'

PATIENCE = 60.0
"""Seconds after which a wait is in vain. Nothing is measured by it, so a busy machine may take its time."""
_QUIET = 0.005
_LONGEST_BURST = 0.25


class Pty:
    """A program in a pseudo-terminal of its own, killed at the end of the `with` block.

    A wait that is in vain raises TimeoutError, which shows the last screen.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        rows: int = 40,
        cols: int = 120,
        cwd: str | os.PathLike[str] | None = None,
        colours: bool = True,
    ) -> None:
        """Without `colours` the model knows characters only, which is half the work of it."""
        self._passed_over = _UNKNOWN_TO_PYTE if colours else _UNKNOWN_OR_COLOUR
        self._rows: list[str] = []
        """What was read of the screen; those that have changed since are in its `dirty`."""
        self.screen = pyte.Screen(cols, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._unfinished = b""
        self._raw = bytearray()
        # Not a SimpleQueue: its `get` may wait without an end when its time is up just as it wakes (Python 3.11).
        self._chunks: queue.Queue[tuple[float, bytes]] = queue.Queue()
        self._changed_at = 0.0
        self._closed = False
        self._fd, theirs = os.openpty()
        self._set_size(rows, cols)
        inherited = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        self._started_at = time.perf_counter()
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _TAKE_TERMINAL, os.ttyname(theirs), *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**inherited, **terminal, **(env or {})},
            cwd=cwd,
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill(signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        os.close(self._fd)

    @property
    def raw(self) -> bytes:
        """All bytes that the program has written so far."""
        return bytes(self._raw)

    def text(self) -> str:
        """Return the screen as the last wait left it, without blanks at its right and bottom."""
        return "\n".join(self.rows()).rstrip()

    def row(self, number: int) -> str:
        """Return one row of that screen, counted from 0 at the top."""
        return self.rows()[number]

    def rows(self) -> list[str]:
        """Return the rows of that screen, without blanks at their right.

        Only rows that have changed are read again: most waits look at a screen of which a row or two are new.
        """
        screen, columns = self.screen, range(self.screen.columns)
        if len(self._rows) != screen.lines:
            self._rows = [""] * screen.lines
            screen.dirty.update(range(screen.lines))
        for y in screen.dirty:
            if y < screen.lines:
                line = screen.buffer[y]
                self._rows[y] = "".join([line[x].data for x in columns]).rstrip()
        screen.dirty.clear()
        return self._rows

    def wait_until(self, cond: Callable[[], bool], timeout: float = PATIENCE, since: float | None = None) -> float:
        """Return the seconds from `since`, or from the start, to the output that made `cond` true and left it so."""
        since = self._started_at if since is None else since
        deadline = time.perf_counter() + timeout
        if cond():
            return max(self._changed_at - since, 0.0)
        while not self._closed and (left := deadline - time.perf_counter()) > 0:
            met_at: float | None = None
            for at in self._digest(left):
                met_at = (met_at or at) if cond() else None
            if met_at is not None:
                return met_at - since
        raise self._timeout("The program ended" if self._closed else f"Nothing after {timeout} seconds")

    def wait_for(self, text: str, timeout: float = PATIENCE) -> float:
        """Return the seconds from the start to the frame that showed `text`."""
        return self.wait_until(lambda: text in self.text(), timeout)

    def wait_gone(self, text: str, timeout: float = PATIENCE) -> float:
        """Return the seconds from the start to the frame that no longer showed `text`."""
        return self.wait_until(lambda: text not in self.text(), timeout)

    def settle(self, quiet: float = 0.15) -> float:
        """Return the seconds from the start to the last output that was followed by `quiet` seconds without any."""
        while not self._closed and list(self._digest(quiet)):
            pass
        return self._changed_at - self._started_at

    def send(self, keys: str | bytes) -> float:
        """Type a key by its name in `KEYS`, or else the text or the bytes themselves; return when that was."""
        now = time.perf_counter()
        data = keys if isinstance(keys, bytes) else KEYS.get(keys, keys).encode()
        while data:
            data = data[os.write(self._fd, data) :]
        return now

    def press(self, key: str, until: str | None = None, timeout: float = PATIENCE) -> float:
        """Type `key`; return the seconds to the frame that showed `until`, or to any change of the screen."""
        before = self._look()
        at = self.send(key)
        if until is None:
            return self.wait_until(lambda: self._look() != before, timeout, at)
        return self.wait_until(lambda: until in self.text(), timeout, at)

    def resize(self, rows: int, cols: int) -> None:
        """Give the terminal another size; the system tells the program by SIGWINCH."""
        self.screen.resize(rows, cols)
        self._rows = []
        self._set_size(rows, cols)

    def cook(self) -> None:
        """Clear the screen and let the terminal echo and edit lines, as a shell does while the program is stopped."""
        attributes = termios.tcgetattr(self._fd)
        attributes[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(self._fd, termios.TCSANOW, attributes)
        self.screen.erase_in_display(2)

    def kill(self, sig: signal.Signals) -> None:
        """Send `sig` to the program; nothing if it has ended."""
        self._process.send_signal(sig)

    def wait_end(self, timeout: float = PATIENCE) -> int:
        """Return the exit status of the program, or minus the signal that ended it."""
        try:
            status = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise self._timeout(f"Still running after {timeout} seconds") from None
        self.wait_until(lambda: self._closed)
        return status

    @property
    def pid(self) -> int:
        return self._process.pid

    def rss_mb(self) -> float:
        """Return the program's resident memory in megabytes."""
        with open(f"/proc/{self.pid}/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024

    def _set_size(self, rows: int, cols: int) -> None:
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def _look(self) -> int:
        """Return a hash of everything visible: characters, colors and styles."""
        cells, cols = self.screen.buffer, range(self.screen.columns)
        return hash(tuple(cells[y][x] for y in range(self.screen.lines) for x in cols))

    def _timeout(self, what: str) -> TimeoutError:
        return TimeoutError(f"{what}; the screen was:\n{self.text()}")

    def _read(self) -> None:
        """Collect output until there is none, which an empty chunk tells."""
        data = b"-"
        while data:
            try:
                data = os.read(self._fd, 65536)
            except OSError as error:
                if error.errno != errno.EIO:  # how Linux says that the program has let go of the terminal
                    raise
                data = b""
            at = time.perf_counter()
            if _SYNC_QUERY in data:
                os.write(self._fd, _SYNC_ANSWER)
            self._raw += data
            self._chunks.put((at, data))

    def _digest(self, wait: float) -> Iterator[float]:
        """Feed the next burst of output to the screen, and tell when each chunk of it arrived.

        Nothing is fed before the burst is over, because pyte is slow and would hold up the reader.
        """
        burst: list[tuple[float, bytes]] = []
        with contextlib.suppress(queue.Empty):  # the end of the burst
            burst.append(self._chunks.get(timeout=wait))
            while burst[-1][0] - burst[0][0] < _LONGEST_BURST:
                burst.append(self._chunks.get(timeout=_QUIET))
        for at, data in burst:
            self._closed = self._closed or not data
            known = self._passed_over.sub(b"", self._unfinished + data)
            unfinished = _UNFINISHED.search(known)
            cut = unfinished.start() if unfinished else len(known)
            self._unfinished = known[cut:]
            self._stream.feed(known[:cut])
            self._changed_at = at
            yield at
