"""The code that a host gives to friends: where the host is, and a secret. `proofs` shows that both ends know it."""

from __future__ import annotations

import re
import secrets

from tracker.records import NamedTuple

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""31 letters and digits without those that look alike: 0 and o, 1, i and l."""
SECRET = 16
"""Letters in the secret of a code: 79 bits."""
LONGEST = 400
"""Most characters of a code."""
_ADDRESS = re.compile(r"(?:\[[0-9a-fA-F:.%]{2,60}\]|[A-Za-z0-9.-]{1,253}):[0-9]{1,5}")
_COMMAND = re.compile(r"(?:\S*tracker\s+)?join\s+(\S+)(?:\s.*)?")
"""The command that has a code, as a host shows and copies it."""
_TICKET = re.compile(r"endpoint[a-z2-7]{20,300}")
EXAMPLE = "192.168.1.5:47113/abcd-efgh-jkmn-pqrs"


class Invitation(NamedTuple):
    """An invitation: where the host is, and the secret.

    `where` is ADDRESS:PORT, or the ticket of an iroh endpoint.
    """

    where: str
    secret: str

    def __str__(self) -> str:
        return f"{self.where}/{'-'.join(self.secret[n : n + 4] for n in range(0, len(self.secret), 4))}"

    @classmethod
    def read(cls, code: str) -> Invitation:
        """Return the invitation that a code stands for, or the command `tracker join` with a code.

        Raise ValueError, with a sentence for the player, if it stands for none.
        """
        command = _COMMAND.fullmatch(code.strip())
        where, _, secret = (command[1] if command else code.strip()).rpartition("/")
        secret = secret.replace("-", "").lower()
        known = (_ADDRESS.fullmatch(where) and int(where.rpartition(":")[2]) < 65536) or _TICKET.fullmatch(where)
        if len(code) > LONGEST or not known or len(secret) != SECRET or not set(secret) <= set(_LETTERS):
            raise ValueError(f"That isn't a code to join with; one looks like {EXAMPLE}.")
        return cls(where, secret)

    @property
    def is_far(self) -> bool:
        """True if the host is reached with iroh."""
        return _TICKET.fullmatch(self.where) is not None

    @property
    def address(self) -> tuple[str, int]:
        """The host's address, without brackets, and its port. Only for an invitation that is not `is_far`."""
        host, _, port = self.where.rpartition(":")
        return host.strip("[]"), int(port)


def is_code(text: str) -> bool:
    """Return True if this text is a code, or the command with one."""
    try:
        Invitation.read(text)
    except ValueError:
        return False
    return True


def place(address: str, port: int) -> str:
    """Return an address and a port as one text, ADDRESS:PORT. An IPv6 address gets brackets."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def new_secret() -> str:
    """Return a fresh secret of SECRET letters."""
    return "".join(secrets.choice(_LETTERS) for _ in range(SECRET))
