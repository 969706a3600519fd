"""Readers do work in proportion to the size of a file, whatever is in it.

Work is counted, not timed: the lines of Python that are run, and the bytes that are copied, searched and decoded.
"""

from __future__ import annotations

import contextlib
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, SupportsIndex

import pytest
from tests.bench import readers
from tests.bench.readers import HEAD, entry, marked

from tracker import settings
from tracker.saves import blocks, reader, toml
from tracker.saves.errors import SaveError
from tracker.saves.save import Save


class Work:
    """Counts lines that are run, and bytes that are looked at, within `with work.counted():`."""

    def __init__(self) -> None:
        self.done = 0

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(before)

    def _trace(self, frame: FrameType, what: str, _: Any) -> Any:
        if frame.f_code.co_filename == __file__:
            return None
        self.done += what == "line"
        return self._trace


class Bytes(bytes):
    """Bytes that count how many of them are looked at, in slices of them too."""

    work: Work

    def _of(self, data: bytes) -> Bytes:
        made = Bytes(data)
        made.work = self.work
        return made

    def _look(self, start: int = 0, end: int | None = None) -> None:
        self.work.done += max(0, (len(self) if end is None else end) - start)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return super().__getitem__(key)
        found = self._of(super().__getitem__(key))
        found._look()
        return found

    def __add__(self, other: Any) -> Bytes:
        self._look()
        return self._of(super().__add__(other))

    def count(self, sub: Any, start: Any = 0, end: Any = None) -> int:
        self._look(start, end)
        return super().count(sub, start, len(self) if end is None else end)

    def find(self, sub: Any, start: Any = 0, end: Any = None) -> int:
        found = super().find(sub, start, len(self) if end is None else end)
        self._look(start, end if found < 0 else found)
        return found

    def decode(self, *how: Any) -> str:
        self._look()
        return super().decode(*how)


class File(io.BytesIO):
    """A file whose bytes count."""

    def __init__(self, data: bytes, work: Work) -> None:
        super().__init__(data)
        self.work = work

    def read(self, size: SupportsIndex | None = -1) -> bytes:
        found = Bytes(super().read(-1 if size is None else int(size)))
        found.work = self.work
        found._look()
        return found


def work_of(data: bytes) -> int:
    """Return how much work it is to read these bytes as a save."""
    work = Work()
    with work.counted(), contextlib.suppress(SaveError):
        reader.read("x.toml", File(data, work), tail="keep", whole=True)
    return work.done


def hidden(n: int) -> bytes:
    """Return entries whose text never ends as it is read from any of them."""
    return marked(HEAD) + b"".join(b'\n[[entry]]\ntext = \\"""\n#= %d 00000001\n' % i for i in range(n))


CASES: dict[str, Callable[[int], bytes]] = {
    "marks": lambda n: marked(HEAD) + b"#= 5 00000001\n" * n,
    "marks that fit nothing": lambda n: marked(HEAD) + b"#= 5 00000001\n#= 5 00000000\n" * n,
    "marks of a head": lambda n: HEAD + b"#= 0 00000001\n" * n,
    "changed entries": readers.mended,
    "damaged entries": readers.broken,
    "damaged entries between good ones": readers.every_other,
    "entries without ids": readers.by_hand,
    "entries without ids and a slip": lambda n: readers.by_hand(n, n - 2),
    "entries under one mark": readers.under_one_mark,
    "entries with one id": readers.doubles,
    "texts that never end": hidden,
    "quoted saves in texts": lambda n: (
        marked(HEAD) + (b'\n[[entry]]\ntext = """\n#= 1 00000001\n' + marked(entry(1)) + b'"""\n#= 5 00000001\n') * n
    ),
    "comments": lambda n: marked(HEAD) + b"# said\n" * n,
    "a long line": lambda n: marked(HEAD) + b"\n[[entry]]\ntext = '" + b"x" * 100 * n,
}


@pytest.mark.parametrize("made", CASES.values(), ids=CASES)
def test_twice_the_file_is_at_most_about_twice_the_work(made: Callable[[int], bytes]) -> None:
    once, twice = work_of(made(40)), work_of(made(80))
    assert twice < 2.5 * once


def test_twice_the_settings_are_about_twice_the_work(tmp_path: Path) -> None:
    def work(keys: int) -> int:
        path = tmp_path / "config.toml"
        path.write_text("[keys]\n" + "".join(f"k{n} = {n}\n" for n in range(keys)), "utf-8")
        done = Work()
        with done.counted():
            assert len(settings.read(str(path)).problems) == keys
        return done.done

    work(1)  # what is imported late
    assert work(80) < 2.5 * work(40)


def test_save_quoted_in_a_text_is_no_entry_of_its_own() -> None:
    quoted = b"".join(entry(n) + b"#= 1 %08x\n" % zlib.crc32(entry(n)) for n in range(5, 8))
    block = b'\n[[entry]]\nid = "k.1"\nt = 1\ntext = """\n#= 4 00000001\n' + quoted + b'"""\n'
    found = blocks.scan(marked(block, entry(2)))
    assert [block.entry["id"] for block in found.blocks] == ["k.1", "k3f9.2"]
    assert not found.bad
    changed = blocks.scan(marked(block, entry(2)).replace(b"t = 1\n", b"t = 3\n", 1))
    assert [block.edited for block in changed.blocks] == [True, False]


def test_more_than_9999_entries_by_hand_stay_in_their_order() -> None:
    numbers = [1, 2, 9998, 9999, 10_000, 10_001, 99_999, 100_000, 99_999_999, 100_000_000]
    words = [reader.in_order(number) for number in numbers]
    assert words == sorted(words)


def test_entries_of_a_long_save_share_their_keys_and_usual_words() -> None:
    made = [
        {"id": f"k.{n}", "t": n, "who": "kara", "did": "change", "effects": [{"at": "kara.health", "by": 1}]}
        for n in range(2100)
    ]
    found = blocks.scan(marked(*map(toml.emit_entry, made))).blocks
    assert [block.entry for block in found] == made
    one, other = found[-2].entry, found[-1].entry
    assert list(map(id, one)) == list(map(id, other))
    assert one["did"] is other["did"]
    assert one["effects"][0]["at"] is other["effects"][0]["at"]


def test_blocks_hold_no_copy_of_the_file() -> None:
    data = marked(entry(1), entry(2))
    found = blocks.scan(data).blocks
    assert [block.body for block in found] == [entry(1), entry(2)]
    assert all(block._text is data for block in found)


def test_whole_file_is_not_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(marked(HEAD, entry(1)))
    save = Save.open(str(path), write=False)
    before = save.read
    save.read_whole()
    assert save.read is before
    path.write_bytes(marked(HEAD, entry(1), entry(2)))
    save.read_whole()
    assert len(save.blocks) == 2
