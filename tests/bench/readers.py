"""How long, and with how much memory, every reader takes over hostile and long files: `python -m tests.bench.readers`.

Each case is a file made for it and a reader: a command of the program, or a line of Python in READERS. It runs in a
process of its own. A reader is linear if twice the size takes twice the time; the goal is 2 s per 10 MB, and 500 MB of
memory for a save of 200,000 entries. `--megabytes 1 3 10` makes every file in these sizes, and `--readers check log`
gives every file to these readers.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import sys
import tempfile
import zlib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tests.bench.make_save import make_save

HEAD = b'format = 1\nrules = 1\nid = "7f3c2a"\ngame = "ironsworn"\nentries = 0\n\n[state]\nscene = ""\n'
MB = 1 << 20
SLOWEST = 100
"""Seconds of the processor after which a case is given up."""
READERS = {
    "open": "from tracker.campaign.session import Session; Session.open(path, tail='keep').close()",
    "preview": "from tests.faults.test_faults_generated import preview; preview(path)",
    "content": "from tests.faults.test_faults_generated import read_content; read_content(path)",
    "config": "from tracker import settings; settings.read(path)",
    "draft": "from tests.faults.test_faults_generated import read_draft; read_draft(path)",
    "pack": "from tracker.content.datasworn import read; read(open(path, 'rb').read())",
    "backups": "from tracker.saves import backups; [backups.look(one) for one in backups.find(path)]",
}
"""Readers that are not commands: Python that reads the file `path`."""


class Case(NamedTuple):
    """A kind of file, made at some size, and the reader that reads it."""

    make: Callable[[Path, int], None]
    size: int
    command: tuple[str, ...] = ("check", "x")
    in_megabytes: bool = False
    """True if `size` is in megabytes; otherwise it is a number of lines, entries or values."""


def marked(*bodies: bytes) -> bytes:
    """Return these blocks, each with an end mark that fits."""
    return b"".join(body + b"#= %d %08x\n" % (n, zlib.crc32(body)) for n, body in enumerate(bodies))


def entry(n: int, more: bytes = b"") -> bytes:
    return b'\n[[entry]]\nid = "k3f9.%d"\nt = %d\ndid = "journal"\ntext = "Line %d."\n' % (n, n, n) + more


def whole(made: Callable[[int], bytes]) -> Callable[[Path, int], None]:
    """Write all the bytes that are made for a size."""

    def make(path: Path, size: int) -> None:
        path.write_bytes(made(size))

    return make


def sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size * MB)


def sparse_after_head(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.write(marked(HEAD))
        file.truncate(size * MB)


def mended(n: int) -> bytes:
    """Return a save whose entries were edited by hand, so that no end mark fits."""
    return b"".join([marked(HEAD), *(entry(i) + b"#= %d %08x\n" % (i, i) for i in range(1, n))])


def broken(n: int) -> bytes:
    """Return a save whose entries cannot be read, each before an end mark that does not fit."""
    return b"".join([marked(HEAD), *(entry(i, b"x = = 1\n") + b"#= %d %08x\n" % (i, i) for i in range(1, n))])


def every_other(n: int) -> bytes:
    """Return a save with a bad entry before every good one."""
    parts = [entry(i, b"x = = 1\n" if i % 2 else b"") for i in range(1, n)]
    return marked(HEAD) + b"".join(
        part + b"#= %d %08x\n" % (i, 5 if i % 2 else zlib.crc32(part)) for i, part in enumerate(parts, 1)
    )


def by_hand(n: int, wrong: int = -1) -> bytes:
    """Return entries without ids and end marks; the one with the number `wrong` cannot be read."""
    lines = (b'\n[[entry]]\ndid = "journal"\ntext = "Line %d."%s\n' % (i, b" x" * (i == wrong)) for i in range(n))
    return marked(HEAD) + b"".join(lines)


def under_one_mark(n: int) -> bytes:
    """Return entries that cannot be read before one end mark that does not fit."""
    return marked(HEAD) + b"".join(entry(i) for i in range(1, n)) + b"x = = 1\n#= 1 00000001\n"


def doubles(n: int) -> bytes:
    """Return entries that all have the same id and different contents."""
    return marked(HEAD, *(b'\n[[entry]]\nid = "k.1"\nt = 1\ndid = "journal"\ntext = "%d"\n' % i for i in range(n)))


def alternating(n: int) -> bytes:
    """Return entries of which every other one has an end mark that does not fit."""
    parts = [entry(i) for i in range(1, n)]
    return marked(HEAD) + b"".join(
        part + b"#= %d %08x\n" % (i, zlib.crc32(part) ^ i % 2) for i, part in enumerate(parts, 1)
    )


def one_entry(before: bytes, each: bytes, after: bytes) -> Callable[[Path, int], None]:
    """Write one entry, with a mark that fits, that has `each` as often as is asked."""
    return whole(lambda n: marked(HEAD, entry(1, before + each * n + after)))


def each_entry(line: bytes, opening: bytes = b"\n") -> Callable[[Path, int], None]:
    """Write entries with right marks that also have this line; %d in it is the number of the entry before."""

    def body(n: int) -> bytes:
        return opening + entry(n, line.replace(b"%d", b"%d" % (n - 1)))[1:]

    return whole(lambda many: marked(HEAD, *(body(n) for n in range(1, many))))


def of_head(line: bytes) -> Callable[[Path, int], None]:
    """Write a head with this line as often as is asked; %d in it counts."""
    return whole(lambda n: HEAD + b"".join(line.replace(b"%d", b"%d" % i) for i in range(n)))


def crowd(n: int) -> bytes:
    """Return `n` characters, and then `n` losses of supply, each of which may change all of them."""
    everybody = b", ".join(b'{ at = "party", add = { id = "k%d" } }' % i for i in range(n))
    losses = b", ".join([b'{ at = "supply", by = -1 }'] * n)
    return marked(HEAD, *(entry(i, b"effects = [" + one + b"]\n") for i, one in enumerate((everybody, losses), 1)))


DEEP = b".".join([b"a"] * 90)
EFFECT = b'{ at = "supply", by = 1 }'
CHARACTER = b'effects = [{ at = "party", add = { id = "k%d", name = "Kara" } }]\n'
CASES: dict[str, Case] = {
    "marks": Case(whole(lambda n: marked(HEAD) + b"#= 5 00000001\n" * n), 1_000),
    "marks, long": Case(whole(lambda n: marked(HEAD) + b"#= 5 00000001\n" * n), 700_000),
    "marks of the head": Case(whole(lambda n: HEAD + b"#= 0 00000001\n" * n), 700_000),
    "marks of the head: list": Case(whole(lambda n: HEAD + b"#= 0 00000001\n" * n), 700_000, ("list",)),
    "mended": Case(whole(mended), 40_000),
    "broken": Case(whole(broken), 40_000),
    "broken, every other": Case(whole(every_other), 40_000),
    "without ids": Case(whole(by_hand), 8_000),
    "without ids, long": Case(whole(by_hand), 200_000),
    "one slip, first": Case(whole(lambda n: by_hand(n, 3)), 10_000),
    "one slip, last": Case(whole(lambda n: by_hand(n, n - 3)), 10_000),
    "one slip, long": Case(whole(lambda n: by_hand(n, n - 3)), 200_000),
    "one slip: recover": Case(whole(lambda n: by_hand(n, n // 2)), 10_000, ("recover", "x")),
    "under one mark": Case(whole(under_one_mark), 100_000),
    "doubles": Case(whole(doubles), 100_000),
    "open string": Case(
        whole(lambda n: marked(HEAD) + b'[[entry]]\ntext = """' + b"a\n" * (n * MB // 2)), 10, in_megabytes=True
    ),
    "open string in the head": Case(whole(lambda n: HEAD + b'x = """' + b"a\n" * (n * MB // 2)), 10, in_megabytes=True),
    "quotes": Case(whole(lambda n: marked(HEAD) + b"'\"" * (n * MB // 2)), 10, in_megabytes=True),
    "triple quotes": Case(whole(lambda n: marked(HEAD) + b'"""\n' * (n * MB // 4)), 10, in_megabytes=True),
    "lines after the end": Case(whole(lambda n: marked(HEAD) + b"a\n" * (n * MB // 2)), 50, in_megabytes=True),
    "comments after the end": Case(whole(lambda n: marked(HEAD) + b"# a\n" * (n * MB // 4)), 50, in_megabytes=True),
    "dotted keys": Case(whole(lambda n: HEAD + b"".join(b"a.b.c.d.e.f%d = 1\n" % i for i in range(n))), 100_000),
    "tables": Case(whole(lambda n: HEAD + b"".join(b"[a.b.c.d%d]\n" % i for i in range(n))), 100_000),
    "arrays of tables": Case(whole(lambda n: HEAD + b"[[a.b.c]]\n" * n), 100_000),
    "deep arrays of tables": Case(
        whole(lambda n: HEAD + b"".join(b"[[a%s]]\n" % (b".a" * (i % 90)) for i in range(n))), 10_000
    ),
    "keys in one table": Case(whole(lambda n: HEAD + b"".join(b"k%d = 1\n" % i for i in range(n))), 500_000),
    "one long array": Case(whole(lambda n: HEAD + b"x = [" + b"1," * n + b"]\n"), 2_000_000),
    "one long inline table": Case(
        whole(lambda n: HEAD + b"x = {" + b",".join(b"k%d=1" % i for i in range(n)) + b"}\n"), 300_000
    ),
    "keys in a deep table": Case(
        whole(lambda n: HEAD + b"[" + DEEP + b"]\n" + b"".join(b"k%d=1\n" % i for i in range(n))), 500_000
    ),
    "long dotted keys": Case(of_head(DEEP + b".k%d = 1\n"), 20_000),
    "quoted keys": Case(of_head(b'"k %d" = 1\n'), 300_000),
    "tables of tables": Case(of_head(b"[[a]]\n[a.b]\nc = %d\n"), 200_000),
    "deep nesting": Case(of_head(b"x%d = " + b"[" * 90 + b"]" * 90 + b"\n"), 20_000),
    "deeper nesting": Case(whole(lambda n: HEAD + b"x = " + b"[" * n), 3_000_000),
    "only comments": Case(whole(lambda n: b"# x\n" * n), 2_000_000),
    "only blank lines": Case(whole(lambda n: b"\n" * n), 10_000_000),
    "comments in the head": Case(of_head(b"# x\n"), 2_000_000),
    "one line": Case(whole(lambda n: b"a" * n), 10_000_000),
    "unclosed texts": Case(whole(lambda n: marked(HEAD) + b'[[entry]]\ntext = """\n#= 5 00000001\n' * n), 200_000),
    "unclosed texts, no marks": Case(whole(lambda n: marked(HEAD) + b"[[entry]]\ntext = '''\n" * n), 300_000),
    "a slip each": Case(whole(lambda n: marked(HEAD) + b"[[entry]]\ntext = = 1\n" * n), 300_000),
    "a slip each, right marks": Case(each_entry(b"x = = 1\n"), 80_000),
    "alternating marks": Case(whole(alternating), 80_000),
    "line ends of another system": Case(
        whole(lambda n: marked(HEAD, *(entry(i) for i in range(1, n))).replace(b"\n", b"\r\n")), 80_000
    ),
    "a comment each": Case(each_entry(b"# mine\n", b"# yours\n"), 80_000),
    "other forms": Case(each_entry(b"x = '%d'\n"), 80_000),
    "lists on lines": Case(each_entry(b"x = [\n  1,\n  %d,\n]\n"), 80_000),
    "long text": Case(one_entry(b'x = "', b"a", b'"\n'), 10_000_000),
    "escapes": Case(one_entry(b'x = "', b'\\n\\"', b'"\n'), 2_000_000),
    "quotes in a text": Case(one_entry(b'x = """', b'a"a""', b'"""\n'), 2_000_000),
    "many effects": Case(one_entry(b"effects = [", EFFECT + b", ", EFFECT + b"]\n"), 300_000),
    "many answers": Case(one_entry(b"answers = [", b'["a", 1], ', b'["a", 1]]\n'), 800_000),
    "many facts": Case(one_entry(b"facts = { changed = [", b'"x", ', b'"x"] }\n'), 2_000_000),
    "facts within facts": Case(each_entry(b"facts = " + b"{ a = " * 80 + b"1" + b" }" * 80 + b"\n"), 15_000),
    "undo of the one before": Case(each_entry(b'undoes = "k3f9.%d"\n'), 80_000),
    "undo of the first": Case(each_entry(b'undoes = "k3f9.1"\n'), 80_000),
    "one continues the other": Case(each_entry(b'open = true\ncloses = "k3f9.%d"\n'), 80_000),
    "edits of one": Case(
        whole(lambda n: marked(HEAD, *(entry(i, b'of = "k3f9.1"\n').replace(b"nal", b"nal/edit") for i in range(n)))),
        80_000,
    ),
    "backwards": Case(whole(lambda n: marked(HEAD, *(entry(n - i) for i in range(1, n)))), 80_000),
    "characters": Case(each_entry(CHARACTER), 40_000),
    "a crowd without supply": Case(whole(crowd), 100_000),
    "zeros": Case(whole(lambda n: bytes(n * MB)), 50, in_megabytes=True),
    "zeros: list": Case(whole(lambda n: bytes(n * MB)), 50, ("list",), in_megabytes=True),
    "sparse: list": Case(sparse, 1024, ("list",), in_megabytes=True),
    "sparse after the head: list": Case(sparse_after_head, 1024, ("list",), in_megabytes=True),
    "sparse after the head": Case(sparse_after_head, 50, in_megabytes=True),
    "long: check": Case(lambda path, n: make_save(str(path), n), 200_000),
    "long: log": Case(lambda path, n: make_save(str(path), n), 200_000, ("log", "x")),
    "long: recover": Case(lambda path, n: make_save(str(path), n), 200_000, ("recover", "x")),
    "long: show": Case(lambda path, n: make_save(str(path), n), 200_000, ("show", "x")),
}


def run(folder: str, command: tuple[str, ...]) -> tuple[float, float, int]:
    """Return seconds of the processor, megabytes at the highest, and the exit code: -9 for a case that was given up."""
    child = os.fork()
    if not child:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.environ["XDG_DATA_HOME"] = folder
        resource.setrlimit(resource.RLIMIT_CPU, (SLOWEST, SLOWEST))
        code = ["-c", f"path = {folder + '/x.toml'!r}; {READERS[command[0]]}"] if command[0] in READERS else []
        os.execv(sys.executable, [sys.executable, *(code or ["-m", "tracker", "--saves", folder, *command])])
    _, status, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def number(case: Case, megabytes: float) -> int:
    """Return the size for which the case's file has about so many megabytes."""
    if case.in_megabytes:
        return max(1, round(megabytes))
    lengths = []
    with tempfile.TemporaryDirectory(prefix="tracker-readers-") as folder:
        for size in (500, 1000):
            path = Path(folder) / f"{size}.toml"
            case.make(path, size)
            lengths.append(path.stat().st_size)
    return max(1, int(megabytes * MB * 500 / max(1, lengths[1] - lengths[0])))


def commands(case: Case, readers: list[str]) -> list[tuple[str, ...]]:
    named = [(reader,) if reader in {*READERS, "list"} else (*reader.split(), "x") for reader in readers]
    return named or [case.command]


def measure(name: str, case: Case, size: int, command: tuple[str, ...], kept: str | None) -> tuple[str, float]:
    """Return a row of the table, and the seconds for 10 MB."""
    with tempfile.TemporaryDirectory(prefix="tracker-readers-") as folder:
        path = Path(folder) / "x.toml"
        before = Path(kept) / f"{size}.toml" if kept and name.startswith("long:") else None
        if before and before.exists():
            path.write_bytes(before.read_bytes())
        else:
            case.make(path, size)
            if before:
                before.write_bytes(path.read_bytes())
        long = path.stat().st_size
        seconds, memory, code = run(folder, command)
    per = seconds / max(0.1, long / (10 * MB))  # a start alone takes 0.1 s
    where = f"{name:<28} {command[0]:<8} {size:>9} {long / MB:>7.1f} MB"
    return f"{where} {seconds:>8.2f} {per:>9.2f} {memory:>5.0f} MB  {code}", per


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", default="", help="a regular expression that the names of the cases should match")
    asked.add_argument("--times", type=float, default=1, help="how much larger than usual each file is")
    asked.add_argument("--megabytes", type=float, nargs="+", default=[], help="sizes of the files instead")
    asked.add_argument("--readers", nargs="+", default=[], help=f"commands, or some of {', '.join(READERS)}")
    asked.add_argument("--slow", action="store_true", help="print only what takes more than 2 s per 10 MB")
    asked.add_argument("--kept", help="a folder for the long saves, so that they are made once")
    given = asked.parse_args()
    print(f"{'case':<28} {'reader':<8} {'n':>9} {'size':>10} {'seconds':>8} {'per 10 MB':>9} {'peak':>8}  exit")
    for name, case in CASES.items():
        if not re.search(given.only, name):
            continue
        sizes = [number(case, size) for size in given.megabytes] or [max(1, int(case.size * given.times))]
        for size, command in product(sizes, commands(case, given.readers)):
            row, per = measure(name, case, size, command, given.kept)
            if per > 2 or not given.slow:
                print(row, flush=True)


if __name__ == "__main__":
    main()
