"""The proofs that both ends of a connection know the secret of a code.

The secret is never sent. Each end proves that it knows the secret, with an HMAC over both nonces and the host's
identity as the encryption shows it: the fingerprint of its certificate, or its key. Somebody in between has another
identity, so that neither proof fits.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from tracker.records import NamedTuple


def new_nonce() -> str:
    """Return a fresh random number for one connection, as 32 hexadecimal digits."""
    return secrets.token_hex(16)


class Meeting(NamedTuple):
    """One connection, as both of its ends see it: the host's identity (`binding`) and the nonce of each end.

    Every proof and signature covers one meeting, so that none can be used again in another.
    """

    binding: bytes
    host_nonce: str
    guest_nonce: str

    def proof(self, secret: str, side: str) -> str:
        """Return the proof that this side, "host" or "guest", knows the secret of the code, as hexadecimal digits."""
        key = hashlib.sha256(b"tracker invitation " + secret.encode()).digest()
        return hmac.new(key, self.statement(side), "sha256").hexdigest()

    def statement(self, *about: str) -> bytes:
        """Return the bytes that a proof or a signature about this meeting covers.

        `about` are texts that say what is proven: a side, or "key" and the player's name.
        """
        return "\n".join(("tracker 1", *about, self.binding.hex(), self.host_nonce, self.guest_nonce)).encode()


def fits(given: str, wanted: str) -> bool:
    """Return True if two proofs are equal. The time that this takes says nothing about where they differ."""
    return hmac.compare_digest(given.encode(), wanted.encode())
