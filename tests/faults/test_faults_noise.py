"""A save with any of its bytes changed: read or refused in words, never touched, and never silently another."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign

from tracker.campaign.session import Session
from tracker.saves.errors import SaveError

LOOKING = "you opened it that way"


def cuts(chance: random.Random, data: bytes) -> tuple[int, int]:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return start, min(end, start + chance.choice([1, 10, 300, len(data)]))


def flip(chance: random.Random, data: bytes) -> bytes:
    spoilt = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 20])):
        spoilt[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(spoilt)


def cut(chance: random.Random, data: bytes) -> bytes:
    start, end = cuts(chance, data)
    return data[:start] + data[end:]


def insert(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    new = chance.choice(
        [chance.randbytes(chance.randrange(1, 50)), b"\n[[entry]]\n", b"\n#= 0 00000000\n", b'"""', b"\0" * 99, b"\n"]
    )
    return data[:at] + new + data[at:]


def duplicate(chance: random.Random, data: bytes) -> bytes:
    start, end = cuts(chance, data)
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[start:end] + data[at:]


def swap(chance: random.Random, data: bytes) -> bytes:
    a, b, c, d = sorted(chance.randrange(len(data) + 1) for _ in range(4))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def swap_blocks(chance: random.Random, data: bytes) -> bytes:
    blocks = data.split(b"\n[[entry]]")
    one, other = (chance.randrange(len(blocks)) for _ in range(2))
    blocks[one], blocks[other] = blocks[other], blocks[one]
    return b"\n[[entry]]".join(blocks)


SPOILING = [flip, cut, insert, duplicate, swap, swap_blocks]


def look(path: str) -> tuple[list[str], object]:
    """Return what a reader is told about this save, and the state that it sees; None if it sees none."""
    try:
        table = Session.open(path, write=False)
    except SaveError as error:
        return [str(error)], None
    try:
        said = table.notes + ([table.readonly] if table.readonly != LOOKING else [])
        return said, table.state
    finally:
        table.close()


@pytest.fixture
def good(save: str) -> bytes:
    """A save with a snapshot, entries after it, and an undo."""
    table = Session.open(save)
    campaign.play_saved(table, 23)
    table._writer.close()
    table.save.close()
    data = campaign.raw(save)
    assert b"[base]" in data
    return data


@pytest.mark.parametrize("spoil", SPOILING, ids=lambda spoil: spoil.__name__)
def test_random_damage_is_read_or_refused_and_never_touched(
    save: str, good: bytes, tmp_path: Path, spoil: Callable[[random.Random, bytes], bytes], many: Callable[[int], int]
) -> None:
    chance = random.Random(spoil.__name__)
    path = str(tmp_path / "spoilt.toml")
    before = sorted(os.listdir(tmp_path))
    for _ in range(many(1020) // len(SPOILING)):
        spoilt = spoil(chance, good)
        campaign.put_raw(path, spoilt)
        said, _ = look(path)
        assert campaign.raw(path) == spoilt
        assert said or spoilt == good or only_whole_blocks_are_gone(spoilt, good)
    os.unlink(path)
    assert sorted(os.listdir(tmp_path)) == before


def only_whole_blocks_are_gone(spoilt: bytes, good: bytes) -> bool:
    """Cut exactly behind an end mark: a save as it once was."""
    return good.startswith(spoilt.rstrip(b"\n"))


@pytest.mark.parametrize("spoil", SPOILING, ids=lambda spoil: spoil.__name__)
def test_random_damage_can_be_played_on_or_not_but_no_entry_that_we_add_is_lost(
    save: str, good: bytes, tmp_path: Path, spoil: Callable[[random.Random, bytes], bytes]
) -> None:
    chance = random.Random(spoil.__name__)
    for n in range(15):
        folder = tmp_path / str(n)
        folder.mkdir()
        path = str(folder / "spoilt.toml")
        campaign.put_raw(path, spoil(chance, good))
        try:
            table = campaign.reopen(path)
        except SaveError:
            continue
        if table.readonly:
            table.close()
            continue
        added = [table.write(f"Line {line}.")["id"] for line in range(7)]
        assert table.settle().word == "saved"
        assert table.close().word == "saved"
        campaign.assert_whole(path, added)


def test_every_flipped_bit_is_noticed(save: str, tmp_path: Path, many: Callable[[int], int]) -> None:
    table = Session.open(save)
    campaign.play_saved(table, 2)
    table._writer.close()
    table.save.close()
    good = campaign.raw(save)
    path = str(tmp_path / "flipped.toml")
    places = [(at, bit) for at in range(len(good)) for bit in range(8)]
    if not many(0):
        marks = [at for at in range(len(good)) if good[max(0, at - 14) : at + 14].find(b"#=") >= 0]
        places = random.Random(8).sample(places, 800) + [(at, bit) for at in marks for bit in range(8)]
    unnoticed = []
    for at, bit in places:
        flipped = bytearray(good)
        flipped[at] ^= 1 << bit
        campaign.put_raw(path, bytes(flipped))
        said, _ = look(path)
        if not said:
            unnoticed.append((at, bit, bytes(flipped[max(0, at - 20) : at + 20])))
    assert unnoticed == []
