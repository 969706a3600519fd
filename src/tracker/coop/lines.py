"""Lines between two trackers: frames of text, in order, encrypted. This one is a WebSocket over TLS 1.3."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import logging
import socket
import ssl
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.typing import Subprotocol

from tracker.coop import key_files
from tracker.coop.wire import FRAME

_NAME = Subprotocol("tracker")
_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())  # what strangers send would be printed on the screen
_LOG.propagate = False
PING_SECONDS = 10.0
SILENT_SECONDS = 20.0
"""Seconds without an answer after which a line counts as cut."""
OPEN_SECONDS = 5.0
"""Most seconds to connect. A host that leaves may never finish its answer."""
_SETTINGS: dict[str, Any] = {
    "max_size": FRAME,
    "max_queue": 4,
    "compression": None,
    "subprotocols": [_NAME],
    "logger": _LOG,
    "ping_interval": PING_SECONDS,
    "ping_timeout": SILENT_SECONDS,
    "open_timeout": OPEN_SECONDS,
    "close_timeout": 2,
}
"""Settings of both ends of a line."""

GARBAGE, WRONG_CODE, OTHER_VERSION, OTHER_CAMPAIGN, NOT_LET_IN = 4000, 4001, 4002, 4003, 4004
OTHER_RULES, BROKE_RULE, TOO_SLOW, DOOR_FULL, HOST_ENDS = 4005, 4006, 4008, 4009, 4010
TROUBLE, AGAIN = 4011, 4012
FINAL = {WRONG_CODE, OTHER_VERSION, OTHER_CAMPAIGN, NOT_LET_IN, OTHER_RULES}
"""Close codes after which a guest does not try again."""


class LineClosed(Exception):
    """Raised by a line that is cut or closed, or cannot be made.

    `code` and `why` are what the other end gave as the reason, 0 and "" if it gave none. `why` may also be a clause of
    ours.
    """

    def __init__(self, code: int = 0, why: str = "") -> None:
        super().__init__(why or "the connection is lost")
        self.code = code
        self.why = why


class Line(Protocol):
    """A connection to another tracker.

    `peer` is the other end's address. `binding` identifies the host as the encryption shows it; it is the same at both
    ends unless somebody is in between. All methods but `close` raise LineClosed.
    """

    peer: str
    binding: bytes

    async def send(self, frame: str) -> None:
        """Send a frame. Returns once it is on its way; whether it arrives is not known.

        Raise LineClosed if the line is cut.
        """

    async def recv(self) -> str:
        """Wait for the next frame and return it, or "" for one that is not text.

        Raise LineClosed if the line is cut.
        """

    async def close(self, code: int = 1000, why: str = "") -> None:
        """Close the line and tell the other end this code and this reason, a sentence. Never raises."""


class SocketLine:
    """A line over a WebSocket."""

    def __init__(self, socket: ClientConnection | ServerConnection, binding: bytes) -> None:
        self._socket = socket
        address = socket.remote_address
        self.peer = str(address[0]) if address else "?"
        self.binding = binding

    async def send(self, frame: str) -> None:
        try:
            await self._socket.send(frame)
        except ConnectionClosed as error:
            raise _closed(error) from None

    async def recv(self) -> str:
        try:
            frame = await self._socket.recv()
        except ConnectionClosed as error:
            raise _closed(error) from None
        return frame if isinstance(frame, str) else ""  # bytes are no message, and neither is ""

    async def close(self, code: int = 1000, why: str = "") -> None:
        await self._socket.close(code, why.encode()[:120].decode("utf-8", "ignore"))


def _closed(error: ConnectionClosed) -> LineClosed:
    return LineClosed(error.rcvd.code, error.rcvd.reason) if error.rcvd else LineClosed()


class Listener:
    """A listening host: `open` makes it answer. `meet` is awaited with the line of everybody who connects."""

    def __init__(self, meet: Callable[[Line], Awaitable[None]]) -> None:
        self._meet = meet
        self._server: Server | None = None

    async def open(self, address: str, port: int) -> int:
        """Listen at this address and return the port; port 0 takes a free one.

        The first time, this makes the certificate of this machine. Raise OSError if nothing can listen there, or if the
        certificate cannot be read or written.
        """
        certificate = key_files.Certificate()

        async def answer(socket: ServerConnection) -> None:
            await self._meet(SocketLine(socket, certificate.fingerprint))

        self._server = await serve(
            answer,
            address,
            port,
            ssl=certificate.context(),
            **_SETTINGS,
        )
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def stop(self) -> None:
        """Accept no more connections, and begin to close all lines."""
        if self._server is None:
            return
        loop = asyncio.get_running_loop()
        for listening in self._server.sockets:
            if sys.platform != "win32":  # where the loop has no readers, and no such fault
                loop.remove_reader(listening.fileno())
        await asyncio.sleep(0)  # asyncio would forget to close a connection that it has just accepted
        self._server.close(code=HOST_ENDS, reason="The host has left.")

    async def close(self) -> None:
        """Accept no more connections, and wait until all lines are closed and every `meet` has ended."""
        await self.stop()
        if self._server:
            await self._server.wait_closed()


async def dial(address: str, port: int) -> SocketLine:
    """Connect to the host at this address and port; return the line. Raise LineClosed if no tracker answers there."""
    try:
        socket = await connect(
            f"wss://{f'[{address}]' if ':' in address else address}:{port}/",
            ssl=key_files.guest_context(),
            server_hostname="tracker",
            proxy=None,
            **_SETTINGS,
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidMessage, EOFError) as error:
        raise LineClosed(0, _reason(error)) from None
    shown: ssl.SSLObject = socket.transport.get_extra_info("ssl_object")
    return SocketLine(socket, hashlib.sha256(shown.getpeercert(binary_form=True) or b"").digest())


def _reason(error: Exception) -> str:
    """Return why a connection failed, as a clause for the player."""
    if isinstance(error, ssl.SSLError) or not isinstance(error, OSError):
        return "what answers there isn't tracker"
    if isinstance(error, ConnectionRefusedError):
        return "no host is there"
    if isinstance(error, TimeoutError):
        return "there is no answer"
    if isinstance(error, socket.gaierror):
        return "no machine with that name is known"
    if error.errno in {errno.ENETUNREACH, errno.EHOSTUNREACH}:
        return "no network leads there"
    return error.strerror or str(error)
