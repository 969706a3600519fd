"""Lines over iroh: QUIC between two keys, which finds its way through home routers, if need be through a relay.

Nothing here runs unless a player asks for it: iroh speaks to servers of its makers, to learn under which address this
machine is seen, and to relay what cannot go directly. What they relay is encrypted from end to end.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable
from typing import Any

import iroh

from tracker.coop.lines import Line, LineClosed
from tracker.coop.wire import FRAME

_PROTOCOL = b"tracker/1"
_ENDED = re.compile(r"closed by peer: (?:(.*) )?\(code (\d+)\)", re.DOTALL)
_LOOPBACK = ("127.0.0.1:0", "[::1]:0")
OPEN_SECONDS = 10.0
"""Most seconds to connect, around routers and through relays."""
TOO_LONG = 1009


class FarLine:
    """A line over one stream of an iroh connection: each frame is its length in four bytes, and the text."""

    def __init__(self, connection: Any, stream: Any, peer: str, host: bytes, own: Any = None) -> None:
        """`host` is the public key of the host; `own` is an endpoint that is closed with the line, or None."""
        self.peer = peer
        self.binding = host
        self._connection = connection
        self._in, self._out = stream.recv(), stream.send()
        self._own = own

    async def send(self, frame: str) -> None:
        data = frame.encode()
        try:
            await self._out.write_all(len(data).to_bytes(4, "big") + data)
        except iroh.IrohError:
            raise self._closed() from None

    async def recv(self) -> str:
        try:
            size = int.from_bytes(await self._in.read_exact(4), "big")
            if size > FRAME:
                await self.close(TOO_LONG, "That frame is too long.")
                raise LineClosed(TOO_LONG, "a frame was too long")
            return bytes(await self._in.read_exact(size)).decode("utf-8", "replace")
        except iroh.IrohError:
            raise self._closed() from None

    def _closed(self) -> LineClosed:
        found = _ENDED.search(self._connection.close_reason() or "")
        return LineClosed(int(found[2]), found[1] or "") if found else LineClosed()

    async def close(self, code: int = 1000, why: str = "") -> None:
        self._connection.close(code, why.encode()[:120])
        if self._own:
            own, self._own = self._own, None
            await own.close()


class FarListener:
    """A host that is reached by the ticket of its endpoint, once `open` has returned it.

    `meet` is awaited with the line of everybody who connects.
    """

    def __init__(self, meet: Callable[[Line], Awaitable[None]]) -> None:
        self._meet = meet
        self._endpoint: Any = None
        self._accepting: asyncio.Future[None] | None = None
        self._meetings: set[asyncio.Future[None]] = set()

    async def open(self, *, local: bool = False) -> str:
        """Listen for guests and return the ticket to reach this host. `local` allows only guests on this machine.

        Unless `local`, wait up to OPEN_SECONDS for a relay, and do without if there is none. Raise OSError if iroh
        cannot listen.
        """
        try:
            self._endpoint = await _endpoint(local=local, accepts=True)
            if not local:
                with contextlib.suppress(TimeoutError):  # without a relay, friends in the same network still come
                    async with asyncio.timeout(OPEN_SECONDS):
                        await self._endpoint.online()
            ticket = str(iroh.EndpointTicket.from_addr(self._endpoint.addr()))
        except iroh.IrohError as error:
            raise OSError(f"iroh can't listen: {error}") from None
        self._accepting = asyncio.ensure_future(self._accept())
        return ticket

    async def _accept(self) -> None:
        while (incoming := await self._endpoint.accept_next()) is not None:
            meeting = asyncio.ensure_future(self._answer(incoming))
            self._meetings.add(meeting)
            meeting.add_done_callback(self._meetings.discard)

    async def _answer(self, incoming: Any) -> None:
        with contextlib.suppress(iroh.IrohError, TimeoutError):
            async with asyncio.timeout(OPEN_SECONDS):
                where = await incoming.remote_addr()
                connection = await (await incoming.accept()).connect()
                stream = await connection.open_bi()
            peer = getattr(where, "addr", "").rpartition(":")[0] or connection.remote_id().fmt_short()
            await self._meet(FarLine(connection, stream, peer, bytes(self._endpoint.id().to_bytes())))

    async def stop(self) -> None:
        """Accept no more connections."""
        if self._accepting:
            self._accepting.cancel()

    async def close(self) -> None:
        """Accept no more connections, close all lines, and wait until every `meet` has ended."""
        tasks = {*self._meetings, *filter(None, [self._accepting])}
        for task in tasks:
            task.cancel()
        if self._endpoint:
            await self._endpoint.close()
        if tasks:
            await asyncio.wait(tasks)


async def dial(ticket: str, *, local: bool = False) -> FarLine:
    """Connect to the host with this ticket and return the line. Raise LineClosed if it does not answer.

    That is also raised for a ticket that is not valid. `local` is for tests: it allows only a host on this machine.
    """
    own = None
    try:
        where = iroh.EndpointTicket.from_string(ticket).endpoint_addr()
        async with asyncio.timeout(OPEN_SECONDS):
            own = await _endpoint(local=local)
            connection = await own.connect(where, _PROTOCOL)
            stream = await connection.accept_bi()
    except (iroh.IrohError, TimeoutError):
        if own:
            await own.close()
        raise LineClosed(0, "no host is there") from None
    except BaseException:
        if own:
            await own.close()
        raise
    return FarLine(connection, stream, "?", bytes(connection.remote_id().to_bytes()), own)


async def _endpoint(*, local: bool, accepts: bool = False) -> Any:
    new_builder: Any = iroh.EndpointBuilder
    builder = new_builder()
    if local:
        builder.apply_minimal()
        builder.relay_mode(iroh.RelayMode.disabled())
        for address in _LOOPBACK:
            builder.bind_addr(address)
    else:
        builder.apply_n0()
    if accepts:
        builder.alpns([_PROTOCOL])
    return await builder.bind()
