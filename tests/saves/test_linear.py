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

from tracker import games, settings
from tracker.campaign.log import Log, _require_bounded_work
from tracker.campaign.save_log import log_in
from tracker.saves import blocks, head, reader, toml
from tracker.saves.errors import SaveError
from tracker.saves.save import Save


class Work:
    """Counter of lines that are run and of bytes that are read within `with work.counted():`."""

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
    """Bytes that count how many of them are read, in their slices, too."""

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
    """A file that counts the bytes read."""

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
    "texts left open by each entry": lambda n: marked(HEAD) + b'[[entry]]\ntext = """\n#= 5 00000001\n' * n,
    "texts left open without marks": lambda n: marked(HEAD) + b"[[entry]]\ntext = '''\n" * n,
    "a slip in each entry": lambda n: marked(HEAD, *(entry(i, b"x = = 1\n") for i in range(n))),
    "marks of which every other one fits": readers.alternating,
    "line ends of another system": lambda n: marked(HEAD, *(entry(i) for i in range(n))).replace(b"\n", b"\r\n"),
    "a comment in each entry": lambda n: marked(HEAD, *(entry(i, b"# mine\n") for i in range(n))),
    "entries in another form": lambda n: marked(HEAD, *(entry(i, b"x = 0x%x\n" % i) for i in range(n))),
    "many effects": lambda n: marked(HEAD, entry(1, b"effects = [" + b'{ at = "a", by = 1 }, ' * n + b"3]\n")),
    "keys in a deep table": lambda n: (
        HEAD + b"[" + readers.DEEP + b"]\n" + b"".join(b"k%d = 1\n" % i for i in range(n)) + b"#= 0 00000001\n"
    ),
    "a long line": lambda n: marked(HEAD) + b"\n[[entry]]\ntext = '" + b"x" * 100 * n,
}


@pytest.mark.parametrize("made", CASES.values(), ids=CASES)
def test_twice_the_file_is_at_most_about_twice_the_work(made: Callable[[int], bytes]) -> None:
    work_of(made(4))  # the first time, patterns are compiled too
    once, twice = work_of(made(80)), work_of(made(160))
    assert twice < 2.2 * once


ABSURD = {
    "keys": b"k = 1\n" * 150_000,
    "tables": b"[a]\n" * 150_000,
    "arrays of tables": b"[[a.b.c]]\n" * 150_000,
    "long headers": (b"[[" + readers.DEEP + b"]]\n") * 20_000,
    "keys below a long header": b"[" + readers.DEEP + b"]\n" + b"k = 1\n" * 40_000,
    "long keys": (readers.DEEP + b" = 1\n") * 2_000,
    "values": b"x = [" + b"1," * 150_000 + b"]\n",
    "tables on one line": b"x = {" + b"a.b=1," * 100_000 + b"}\n",
    "lists in lists": b"x = " + b"[" * 200_000 + b"]" * 200_000,
    "blank lines": b"\n" * 1_200_000,
    "one text": b"x = '" + b"a" * 7_000_000 + b"'",
}


@pytest.mark.parametrize("data", ABSURD.values(), ids=ABSURD)
def test_absurd_text_is_refused_before_it_is_parsed(data: bytes) -> None:
    work = Work()
    with work.counted(), pytest.raises(toml.BadToml, match="too long or has too many keys"):
        toml.parse(data)
    assert work.done < len(data) / 4  # tomllib runs a line of its own or more for nearly every byte


def log_made_by(data: bytes) -> Log:
    return log_in(reader.read("x.toml", io.BytesIO(data), tail="keep", whole=True), games.get("ironsworn"))


def test_crowd_that_would_be_counted_for_hours_is_refused_at_once() -> None:
    log_made_by(readers.crowd(100))
    data, work = readers.crowd(3000), Work()
    with work.counted(), pytest.raises(SaveError, match="3,000 characters and more changes than can be worked out"):
        log_made_by(data)
    assert work.done < 2 * len(data)  # folding it runs hundreds of times as many lines


def test_large_party_that_has_played_for_years_is_read() -> None:
    everybody = [{"at": "party", "add": {"id": f"k{n}"}} for n in range(60)]
    lost: list[dict[str, Any]] = [{"at": "supply", "by": by} for by in (1, 1, -1)]
    entries = [{"id": f"k.{n}", "t": n, "effects": lost if n else everybody} for n in range(400)]
    _require_bounded_work({}, [entries[0], *entries[1:] * 250])  # 100,000 entries


def test_real_texts_are_far_below_what_is_refused() -> None:
    tracks = "".join(f'[state.tracks.t{n}]\nname = "x"\nrank = 1\nprogress = 2\nkind = "vow"\n' for n in range(10_000))
    assert toml._cost(tracks, *toml._without_strings(tracks)) < toml.PARSE_MOST
    by_hand = "[[entry]]\nid='k.1'\nt=5\ndid='journal'\ntext='''\nSaid.\n'''\neffects=[{at='a.b', by=1}]\n"
    assert 10_000 * toml._cost(by_hand, *toml._without_strings(by_hand)) < toml.ALLOWED_LEAST


class TestAllowance:
    """A limit for parsing: a file full of errors is given up, but none of our own entries."""

    @pytest.fixture(autouse=True)
    def soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(toml, "ALLOWED_LEAST", 3 * toml.COST_OF_AN_ERROR)

    def test_entries_of_ours_are_read_after_any_number_of_errors(self) -> None:
        slips = [entry(n, b"x = = 1\n") for n in range(1, 9)]
        changed = entry(10) + b"#= 10 00000001\n"
        found = blocks.scan(marked(*slips, entry(9)) + changed + marked(entry(11)))
        assert [block.entry["id"] for block in found.blocks] == ["k3f9.9", "k3f9.10", "k3f9.11"]
        assert [bad.line for bad in found.bad][:2] == [7, 15]
        assert len(found.bad) == len(slips)
        assert found.bad[0].why.startswith("Invalid value")
        assert found.bad[-1].why == "not read, as too much before it is damaged or in another form"

    def test_entries_in_another_form_are_read_up_to_the_allowance(self) -> None:
        found = blocks.scan(marked(*(entry(n, b"x = 0x1\n") for n in range(1, 40)), entry(40)))
        assert 3 < len(found.blocks) < 30
        assert found.blocks[-1].entry["id"] == "k3f9.40"
        assert len(found.blocks) + len(found.bad) == 40

    def test_longer_file_has_a_larger_allowance(self) -> None:
        assert toml.Allowance(10**8).left == 10**7


def test_too_many_entries_without_marks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "UNMARKED_MOST", 1500)
    assert len(list(blocks.read_entries(readers.by_hand(1500)[len(marked(HEAD)) :]))) == 1500
    with pytest.raises(toml.BadToml, match="more than 1,500 entries without end marks") as error:
        list(blocks.read_entries(readers.by_hand(1501)[len(marked(HEAD)) :]))
    assert error.value.line == 4 * 1500 + 2


def test_quotes_by_the_million_take_little_memory() -> None:
    import tracemalloc

    data = marked(HEAD) + b"'\"" * 50_000 + b'"""'
    tracemalloc.start()
    with contextlib.suppress(SaveError):
        reader.read("x.toml", io.BytesIO(data), tail="keep")
    assert tracemalloc.get_traced_memory()[1] < 20 * len(data)
    tracemalloc.stop()


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


def test_mark_that_does_not_fit_ends_the_head_unless_it_is_in_a_text() -> None:
    top = HEAD + b'note = """\n#= 0 00000001\n[[entry]]\n"""\n'
    assert head.find_end(top + b"#= 0 00000002\n" + entry(1)) == (len(top), len(top) + 14, False)
    assert head.find_end(top + entry(1)[1:]) == (len(top), len(top), False)
    assert head.find_end(top) is None
