"""What a host or a guest tells a frontend."""

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
    """Somebody who knows the code and has no seat. `returns` is True if the name has a seat with another key."""

    name: str
    address: str
    role: str
    returns: bool = False


async def _let_in(_: Knock) -> bool:
    return True


class Events(NamedTuple):
    """Functions that are called in the thread of the event loop.

    `new` gets entries of others that were taken in, `changed` is called when somebody came or left or the connection
    changed, `says` gets a sentence for the player, `asks` returns whether somebody is let in.
    """

    new: Callable[[list[Entry]], None] = lambda _: None
    changed: Callable[[], None] = lambda: None
    says: Callable[[str], None] = lambda _: None
    asks: Callable[[Knock], Awaitable[bool]] = _let_in
