"""Saves made by hand, good and bad, and what is said of them."""

from __future__ import annotations

import os
import zlib

import pytest
from tests.faults import campaign

from tracker.campaign.session import Session
from tracker.saves.errors import SaveError

HEAD = b"""\
format = 1
rules = 1
id = "7f3c2a"
game = "ironsworn"
entries = 0

[state]
scene = ""
supply = 5

[state.party.kara]
name = "Kara"
health = 5
"""
ENTRY = b"""
[[entry]]
id = "k3f9.1"
t = 1
did = "journal"
text = "Kara leaps the gap."
"""


def marked(*blocks: bytes, unfit: int = -1) -> bytes:
    """Return the head and its entries, each with a mark that fits, except for the one with this number."""
    return b"".join(block + b"#= %d %08x\n" % (n, zlib.crc32(block) ^ (n == unfit)) for n, block in enumerate(blocks))


def entry(lines: bytes, n: int = 1) -> bytes:
    return b'\n[[entry]]\nid = "k3f9.%d"\nt = %d\n' % (n, n) + lines + b"\n"


def refused(path: str, data: bytes) -> str:
    """Return the reason why these bytes cannot be opened; assert that the file stays unchanged."""
    campaign.put_raw(path, data)
    with pytest.raises(SaveError) as error:
        Session.open(path)
    assert campaign.raw(path) == data
    assert os.path.basename(path) in str(error.value)
    assert str(error.value).endswith(".")
    return str(error.value)


def shown(path: str, data: bytes) -> str:
    """Return what is said about these bytes, which open read-only; assert that the file stays unchanged."""
    campaign.put_raw(path, data)
    table = Session.open(path)
    said = table.readonly
    table.close()
    assert said
    assert campaign.raw(path) == data
    return said
