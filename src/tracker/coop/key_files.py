"""The keys of this machine in the data folder: the host's certificate, and the player's own key.

The player's key proves to every host that the same player is back; campaigns keep its public half in the player's seat.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import hashlib
import os
import re
import ssl
from collections.abc import Callable

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tracker.campaign.own_seat import FOLDER, short_text
from tracker.saves.disk import Disk, NotRegular, data_folder, open_regular
from tracker.text import shown_line

_DAYS = 3650


def folder() -> str:
    """Return the path of the folder with the keys. Nothing is created. Raise OSError if there is no data folder."""
    return os.path.join(data_folder(), FOLDER)


class Certificate:
    """The certificate with which this machine hosts, made the first time.

    It is self-signed: guests trust it because the proofs of an invitation are about its fingerprint.
    """

    def __init__(self) -> None:
        """Read the certificate, or make it. Raise OSError if it cannot be read or written."""
        self.path = os.path.join(folder(), "host.pem")
        pem = _kept(self.path, _new_certificate)
        try:
            self.context()
            der = ssl.PEM_cert_to_DER_cert(pem[pem.index(b"-----BEGIN CERTIFICATE-----") :].decode())
        except (ssl.SSLError, ValueError):
            raise _damaged(self.path) from None
        self.fingerprint = hashlib.sha256(der).digest()

    def context(self) -> ssl.SSLContext:
        """Return the settings with which a host answers: TLS 1.3 and this certificate.

        Raise OSError, such as ssl.SSLError, if its file is no longer there or damaged.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(self.path, password="")  # none is asked for: ours has no password
        return context


def guest_context() -> ssl.SSLContext:
    """Return the settings with which a guest connects: TLS 1.3, and any certificate.

    The certificate is not checked here: the proofs of the invitation are about it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class OwnKey:
    """The Ed25519 key of a player on this machine, made the first time."""

    def __init__(self, name: str = "") -> None:
        """Read the key of the player with this name, or make it. "" is a key without a name.

        Also write its public half to a file of its own, if it is not there. Raise OSError if the key cannot be read or
        written.
        """
        path = os.path.join(folder(), _file_of(name))
        try:
            key = serialization.load_pem_private_key(_kept(path, _new_key), None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise _damaged(path) from None
        if not isinstance(key, Ed25519PrivateKey):
            raise _damaged(path)
        self._key = key
        self.public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
        """The public half, as text."""
        path = os.path.join(folder(), _file_of(name).replace(".pem", ".pub"))
        if short_text(path) != self.public:  # for `own_seat`, which must do without cryptography
            with contextlib.suppress(OSError):  # then the seat is found only in company
                Disk().replace_file(path, self.public.encode(), 0o600)

    def sign(self, statement: bytes) -> str:
        return base64.b64encode(self._key.sign(statement)).decode()


def _damaged(path: str) -> OSError:
    """Return an OSError, for the caller to raise, that says that the file at `path` is not ours, and the way out."""
    return OSError(errno.EINVAL, f"{shown_line(path, 200)} is damaged: delete it, and a new one is made")


def has_key(name: str) -> bool:
    """Return True if the player with this name has a key on this machine. Raise OSError if there is no data folder."""
    return os.path.exists(os.path.join(folder(), _file_of(name)))


def _file_of(name: str) -> str:
    """Return the name of the file with a player's key; "me.pem" for the name "".

    A hash of the name in it keeps names apart that look alike.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:20]
    return f"me-{plain}-{hashlib.sha256(name.casefold().encode()).hexdigest()[:8]}.pem" if name else "me.pem"


def mark(public: str) -> str:
    """Return a short text for a public key, such as "3f9a-21c0", that friends can compare aloud.

    It is the beginning of a hash, so that different keys may have the same one.
    """
    found = hashlib.sha256(public.encode()).hexdigest()
    return f"{found[:4]}-{found[4:8]}"


def is_signed(statement: bytes, signature: str, public: str) -> bool:
    """Return True if the owner of this public key has signed the statement.

    `signature` and `public` are in base64; for any other text, return False.
    """
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), statement)
    except (ValueError, InvalidSignature):
        return False
    return True


def _kept(path: str, make: Callable[[], bytes]) -> bytes:
    """Return the bytes of the file at `path`, at most 64 KB.

    If there is none, create it, and its folder, with the bytes that `make` returns. Raise OSError if the path names
    anything but a file, or the file cannot be read or created.
    """
    try:
        with open_regular(path) as file:
            return file.read(1 << 16)
    except NotRegular as error:
        raise OSError(errno.EINVAL, f"{shown_line(path, 200)} is not a file but {error.kind}: delete it") from None
    except FileNotFoundError:
        os.makedirs(data_folder(), mode=0o700, exist_ok=True)
        Disk().make_folder(os.path.dirname(path))
        made = make()
        try:
            Disk().write_file(path, made, 0o600)
        except FileExistsError:  # another tracker was faster
            return _kept(path, make)
        return made


def _new_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _new_certificate() -> bytes:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "tracker")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return secret + made.public_bytes(serialization.Encoding.PEM)
