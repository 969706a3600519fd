"""Real system calls that fail, or at which the program is killed: strace makes them, as long as it is there and may."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.faults import campaign
from tests.faults.tally import Tally
from tests.faults.test_faults_kill import ROOT

PLAYS = Path(__file__).with_name("plays_and_ends.py")
COUNT = 12
"""How many things are played; the save is compacted three times meanwhile."""
CALLS = ("write", "fdatasync", "fsync", "rename", "linkat", "openat", "ftruncate", "unlink", "flock", "close")
"""What the program calls by these names, or by the older and newer ones of the same call."""
NAMES = {
    "write": "write,pwrite64,writev",
    "rename": "rename,renameat,renameat2",
    "linkat": "link,linkat",
    "unlink": "unlink,unlinkat",
}
ERRORS = ("EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES", "EROFS", "EMFILE")
FEW = ["write:error=ENOSPC", "fdatasync:error=EIO", "rename:error=EACCES", "openat:error=EMFILE", "fsync:signal=KILL"]
MATRIX = [
    *(f"{call}:error={error}" for call, error in product(CALLS, ERRORS)),
    *(f"{call}:signal=KILL" for call in CALLS),
]


@cache
def why_not() -> str:
    """Return why nothing can be injected here, "" if it can."""
    if not shutil.which("strace"):
        return "strace is not installed"
    tried = subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    return f"strace may not trace here: {tried.stderr.strip()}" if tried.returncode else ""


@pytest.fixture(autouse=True)
def _can_inject() -> None:
    if why := why_not():
        pytest.skip(why)


class Ran(NamedTuple):
    """How a program ended and what it said."""

    status: int
    out: str
    err: str


def play(save: str, inject: str, when: str, log: Path) -> tuple[Ran, bool]:
    """Play with this fault at the so-manyth such call of a thread; return how it went, and whether the fault struck."""
    call, _, fault = inject.partition(":")
    trace = NAMES.get(call, call)
    with started(save) as program:
        assert program.stdout
        assert program.stdout.readline() == b"ready\n"
        strace = ["strace", "-f", "-o", str(log), "-e", "signal=none", "-e", f"trace={trace}"]
        strace += ["-e", f"inject={trace}:{fault}:when={when}", "-p", str(program.pid)]
        with subprocess.Popen(strace, stderr=subprocess.PIPE) as tracer:
            assert tracer.stderr
            assert b"attached" in tracer.stderr.readline()
            out, err = program.communicate(b"go\n")
            tracer.communicate()
    struck = b"(INJECTED)" in log.read_bytes() or program.returncode == -signal.SIGKILL
    return Ran(program.returncode, out.decode(), err.decode()), struck


def started(save: str) -> subprocess.Popen[bytes]:
    """Start the player, which waits for a line.

    It keeps no compiled modules (-B): a fault would cut one off, and no other process could import it.
    """
    search = os.pathsep.join([*filter(None, sys.path), str(ROOT)])
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-B", str(PLAYS), save, str(COUNT)],
        env={**os.environ, "PYTHONPATH": search},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )


def assert_nothing_lost(save: str, ran: Ran) -> list[str]:
    """Return what the program printed. Assert that no saved entry is lost, the save is intact, and no traceback came."""
    assert ran.err == ""
    assert ran.status in {0, -signal.SIGKILL}
    said = [line for line in ran.out.split("\n")[:-1] if ": " not in line]
    campaign.assert_whole(save, said)
    return said


@pytest.mark.parametrize("inject", FEW)
def test_injected_fault_loses_nothing(inject: str, save: str, tmp_path: Path, tally: Tally) -> None:
    tally("injections", 0)
    ran, struck = play(save, inject, "2", tmp_path / "strace")
    assert struck
    tally("injections", 1)
    assert_nothing_lost(save, ran)


def test_lasting_fault_is_said_and_what_was_saved_before_stays(save: str, tmp_path: Path, tally: Tally) -> None:
    """From its fifth sync on the disk fails for good."""
    ran, struck = play(save, "fdatasync:error=EIO", "5+", tmp_path / "strace")
    assert struck
    tally("injections", 1)
    said = assert_nothing_lost(save, ran)
    assert 0 < len(said) < COUNT
    assert "closed: NOT SAVED" in ran.out


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "any_fault" in metafunc.fixturenames:
        metafunc.parametrize("any_fault", MATRIX if metafunc.config.getoption("--faults") else [])


def test_fault_at_any_call_loses_nothing(
    any_fault: str, save: str, tmp_path: Path, many: Callable[[int], int], tally: Tally
) -> None:
    """The nth call fails, for every n that there is, up to what --faults asks for."""
    tally("injections", 0)
    before = campaign.raw(save)
    for n in range(1, many(1) + 1):
        shutil.rmtree(os.path.join(os.path.dirname(save), ".backups"), ignore_errors=True)
        for old in campaign.torn_files(save):
            os.unlink(old)
        campaign.put_raw(save, before)
        ran, struck = play(save, any_fault, str(n), tmp_path / "strace")
        if not struck:
            break
        tally("injections", 1)
        try:
            assert_nothing_lost(save, ran)
        except BaseException as fault:
            fault.add_note(f"{any_fault} at call {n}")
            raise


def test_short_writes_of_a_real_file_that_may_not_grow_lose_nothing(save: str, tally: Tally) -> None:
    """The system takes a part of a write, then says EFBIG: a limit on the size of files does that."""
    said: list[str] = []
    for more in (500, 700):
        with started(save) as program:
            assert program.stdout
            assert program.stdout.readline() == b"ready\n"
            resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (os.path.getsize(save) + more,) * 2)
            out, err = program.communicate(b"go\n")
        tally("injections", 1)
        said += assert_nothing_lost(save, Ran(program.returncode, out.decode(), err.decode()))
        assert "closed: NOT SAVED" in out.decode()
    campaign.assert_whole(save, said)
