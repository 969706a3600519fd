"""Events that a host, a guest or a member of a feed reports to a frontend."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tracker.records import NamedTuple
from tracker.saves.blocks import Entry


class Present(NamedTuple):
    """Somebody who is here. `role` is "host", or the role of the seat; `seat` is "" for a spectator without one."""

    seat: str
    name: str
    role: str


class Knock(NamedTuple):
    """Somebody who asks to be let in: knows the code, but has no seat.

    `returns` is True if there is a seat with this name, but another key. `mark` stands for the key of the asking
    machine, which shows it as well.
    """

    name: str
    address: str
    role: str
    returns: bool = False
    mark: str = ""


async def _let_in(_: Knock) -> bool:
    return True


class Events(NamedTuple):
    """Callbacks, which are called in the thread of the event loop.

    `new` gets entries of others that were taken. `changed` is called when somebody has come or left, or the connection
    has changed. `says` gets a sentence for the player, or "". `asks` returns True to let somebody in.
    """

    new: Callable[[list[Entry]], None] = lambda _: None
    changed: Callable[[], None] = lambda: None
    says: Callable[[str], None] = lambda _: None
    asks: Callable[[Knock], Awaitable[bool]] = _let_in
