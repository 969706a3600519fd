"""Plans for sharing a campaign once it is open, and the checks to make before. This needs no optional packages."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tracker.games.api.errors import Refused
from tracker.games.common.seats import PLAYER
from tracker.records import NamedTuple
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.coop.invitation import Invitation

PORT = 47113
"""Port on which a campaign is hosted if it is free and none is given."""
HERE = "127.0.0.1"
"""Address that only this machine, and ssh tunnels to it, can reach."""
CODE_VARIABLE = "TRACKER_CODE"
"""Environment variable with the code to join with if none is given. Other users of the machine cannot see it."""
_NEEDED = ("websockets", "cryptography")
_EXTRAS = {"": ("Playing together", ""), "browser": ("Playing in browsers", "textual_serve")}
_EXTRAS |= {"nats": ("Playing over a server", "nats"), "far": ("Playing far apart", "iroh")}
"""By extra: what it is for, as the beginning of a sentence, and the module that it needs besides _NEEDED."""
_PACKAGES = {"textual_serve": "textual-serve", "nats": "nats-py"}
"""Names of packages by module, where they differ."""


class Hosting(NamedTuple):
    """A plan to host: the address and port to listen at, and the player's name; "" and 0 for the usual ones.

    `far` is True to be reached with iroh instead.
    """

    address: str = ""
    port: int = 0
    name: str = ""
    far: bool = False


class Joining(NamedTuple):
    """A plan to join a host: its invitation, and the player's name and role.

    `note` is a sentence for the player, or "".
    """

    invitation: Invitation
    name: str = ""
    role: str = PLAYER
    note: str = ""


class Gathering(NamedTuple):
    """A plan to play over a NATS server: its URL, a file with credentials or "", and the player's name and role.

    `opens` is True for the player who opens the campaign to others there. `note` is a sentence for the player, or "".
    """

    url: str
    credentials: str = ""
    name: str = ""
    role: str = PLAYER
    opens: bool = False
    note: str = ""


Plan = Hosting | Joining | Gathering


def how_to_install(extra: str = "") -> str:
    """Return a sentence that says how to install what playing together needs; "" if it is installed.

    `extra` is "browser", "nats" or "far" for friends in browsers, for a NATS server, or for iroh.
    """
    what, more = _EXTRAS[extra]
    missing = [_PACKAGES.get(name, name) for name in (*_NEEDED, more) if name and find_spec(name) is None]
    python = shown_line(sys.executable, 300)
    return f"{what} needs more packages: {python} -m pip install {' '.join(missing)}" if missing else ""


def own_address() -> str:
    """Return this machine's address in its network, or "" if there is none. Nothing is sent."""
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            return str(probe.getsockname()[0])
    return ""


def lan_address() -> str:
    """Return this machine's address in its network. Raise Refused if there is none."""
    if address := own_address():
        return address
    raise Refused("This machine has no network; without --lan, it hosts for itself and ssh.")


def check_port(address: str, port: int) -> None:
    """Raise Refused, with a sentence for the player, if nothing can listen at this address ("" for HERE) and port.

    Port 0 is always free.
    """
    address = address or HERE
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except (OSError, OverflowError) as error:
            raise Refused(why_not(address, port, error)) from None


def why_not(address: str, port: int, error: Exception) -> str:
    """Return a sentence that says why nothing can listen at this address and port.

    `error` is the OSError or OverflowError that the attempt raised.
    """
    number = error.errno if isinstance(error, OSError) else 0
    if isinstance(error, OverflowError):
        return f"There is no port {port}; ports go from 1 to 65535."
    if number == errno.EADDRINUSE:
        return f"Port {port} is in use; choose another with --port."
    if number == errno.EACCES:
        return f"Port {port} is not for everyone; choose one above 1023 with --port."
    if number == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"This machine doesn't have the address {shown_line(address, 60)}: use --lan, or another --bind."
    why = error.strerror if isinstance(error, OSError) else ""
    return f"Can't listen at {shown_line(address, 60)}, port {port}: {why or error}."
