"""How long, and with how much memory, every reader takes over hostile and long files: `python -m tests.bench.readers`.

Each case is a file made for it and a command of the program, run in a process of its own. A reader is linear if twice
the size takes twice the time; the goal is 2 s per 10 MB, and 500 MB of memory for a save of 200,000 entries.
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
from pathlib import Path
from typing import NamedTuple

from tests.bench.make_save import make_save

HEAD = b'format = 1\nrules = 1\nid = "7f3c2a"\ngame = "ironsworn"\nentries = 0\n\n[state]\nscene = ""\n'
MB = 1 << 20
SLOWEST = 100
"""Seconds of the processor after which a case is given up."""


class Case(NamedTuple):
    """A file, made at some size, and what is done with it."""

    make: Callable[[Path, int], None]
    size: int
    command: tuple[str, ...] = ("check", "x")


def marked(*bodies: bytes) -> bytes:
    """These blocks, each with a mark that fits."""
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
    """Entries that a person has changed, so that no mark fits."""
    return b"".join([marked(HEAD), *(entry(i) + b"#= %d %08x\n" % (i, i) for i in range(1, n))])


def broken(n: int) -> bytes:
    """Entries that cannot be read, each before a mark that does not fit."""
    return b"".join([marked(HEAD), *(entry(i, b"x = = 1\n") + b"#= %d %08x\n" % (i, i) for i in range(1, n))])


def every_other(n: int) -> bytes:
    """A bad entry before every good one."""
    parts = [entry(i, b"x = = 1\n" if i % 2 else b"") for i in range(1, n)]
    return marked(HEAD) + b"".join(
        part + b"#= %d %08x\n" % (i, 5 if i % 2 else zlib.crc32(part)) for i, part in enumerate(parts, 1)
    )


def by_hand(n: int, wrong: int = -1) -> bytes:
    """Entries without ids and marks; the one with this number cannot be read."""
    lines = (b'\n[[entry]]\ndid = "journal"\ntext = "Line %d."%s\n' % (i, b" x" * (i == wrong)) for i in range(n))
    return marked(HEAD) + b"".join(lines)


def under_one_mark(n: int) -> bytes:
    """Entries that cannot be read under one mark that does not fit."""
    return marked(HEAD) + b"".join(entry(i) for i in range(1, n)) + b"x = = 1\n#= 1 00000001\n"


def doubles(n: int) -> bytes:
    """The same id for every entry, which says something else each time."""
    return marked(HEAD, *(b'\n[[entry]]\nid = "k.1"\nt = 1\ndid = "journal"\ntext = "%d"\n' % i for i in range(n)))


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
    "open string": Case(whole(lambda n: marked(HEAD) + b'[[entry]]\ntext = """' + b"a\n" * (n * MB // 2)), 10),
    "open string in the head": Case(whole(lambda n: HEAD + b'x = """' + b"a\n" * (n * MB // 2)), 10),
    "quotes": Case(whole(lambda n: marked(HEAD) + b"'\"" * (n * MB // 2)), 10),
    "triple quotes": Case(whole(lambda n: marked(HEAD) + b'"""\n' * (n * MB // 4)), 10),
    "lines after the end": Case(whole(lambda n: marked(HEAD) + b"a\n" * (n * MB // 2)), 50),
    "comments after the end": Case(whole(lambda n: marked(HEAD) + b"# a\n" * (n * MB // 4)), 50),
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
    "zeros": Case(whole(lambda n: bytes(n * MB)), 50),
    "zeros: list": Case(whole(lambda n: bytes(n * MB)), 50, ("list",)),
    "sparse: list": Case(sparse, 1024, ("list",)),
    "sparse after the head: list": Case(sparse_after_head, 1024, ("list",)),
    "sparse after the head": Case(sparse_after_head, 50),
    "long": Case(lambda path, n: make_save(str(path), n), 200_000),
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
        resource.setrlimit(resource.RLIMIT_CPU, (SLOWEST, SLOWEST))
        os.execv(sys.executable, [sys.executable, "-m", "tracker", "--saves", folder, *command])
    _, status, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", default="", help="a regular expression that the names of the cases should match")
    asked.add_argument("--times", type=float, default=1, help="how much larger than usual each file is")
    asked.add_argument("--kept", help="a folder for the long saves, so that they are made once")
    given = asked.parse_args()
    print(f"{'case':<30} {'n':>9} {'size':>10} {'seconds':>8} {'per 10 MB':>9} {'peak':>8}  exit")
    for name, case in CASES.items():
        if not re.search(given.only, name):
            continue
        size = max(1, int(case.size * given.times))
        with tempfile.TemporaryDirectory(prefix="tracker-readers-") as folder:
            path = Path(folder) / "x.toml"
            kept = Path(given.kept) / f"{size}.toml" if given.kept and name.startswith("long") else None
            if kept and kept.exists():
                path.write_bytes(kept.read_bytes())
            else:
                case.make(path, size)
                if kept:
                    kept.write_bytes(path.read_bytes())
            long = path.stat().st_size
            seconds, memory, code = run(folder, case.command)
        per = seconds / max(0.1, long / (10 * MB))  # a start alone takes 0.1 s
        print(
            f"{name:<30} {size:>9} {long / MB:>7.1f} MB {seconds:>8.2f} {per:>9.2f} {memory:>5.0f} MB  {code}",
            flush=True,
        )


if __name__ == "__main__":
    main()
