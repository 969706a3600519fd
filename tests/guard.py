"""Fails a test that leaves the process changed for those after it."""

from __future__ import annotations

import gc
import locale
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

_SIGNALS = sorted(signal.valid_signals())
_OPEN = Path("/proc/self/fd")
READER_SECONDS = 5.0


def _umask() -> int:
    umask = os.umask(0o022)
    os.umask(umask)
    return umask


def _threads() -> tuple[str, ...]:
    """Return the names of threads that keep the process from ending, or that write a save."""
    others = (one for one in threading.enumerate() if one is not threading.main_thread())
    return tuple(one.name for one in others if not one.daemon or one.name == "writer")


def _join_readers() -> None:
    """Wait for the threads that read saves for a screen: the app ends without them, and they still hold a file."""
    for one in threading.enumerate():
        if one.name == "background":
            one.join(READER_SECONDS)


def _open_files(folder: str) -> tuple[str, ...]:
    """Return the open files below this folder; none where the system does not tell."""
    found = []
    try:
        numbers = os.listdir(_OPEN)
    except FileNotFoundError:
        return ()
    for number in numbers:
        try:
            path = os.readlink(f"{_OPEN}/{number}")
        except FileNotFoundError:
            continue  # the descriptor by which the others were listed
        if path.startswith(folder):
            found.append(path)
    return tuple(sorted(found))


def of_process(folder: str) -> dict[str, Any]:
    """Return what a test shares with all others of its process, by name."""
    return {
        "os.environ": {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
        "the working folder": os.getcwd(),
        "umask": _umask(),
        "signal handlers": [signal.getsignal(number) for number in _SIGNALS],
        "sys.path": list(sys.path),
        "sys.dont_write_bytecode": sys.dont_write_bytecode,
        "sys.stdin, stdout, stderr": (sys.stdin, sys.stdout, sys.stderr),
        "sys.getswitchinterval()": sys.getswitchinterval(),
        "sys.getrecursionlimit()": sys.getrecursionlimit(),
        "gc": (gc.isenabled(), gc.get_threshold()),
        "locale": locale.setlocale(locale.LC_ALL),
        "threads": _threads(),
        "open files": _open_files(folder),
    }


def of_modules() -> dict[str, dict[str, Any]]:
    """Return all names of the package's modules and classes with what they stand for."""
    found: dict[str, dict[str, Any]] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "tracker" and isinstance(module, ModuleType):
            names = dict(vars(module))
            found[name] = names
            for one in names.values():
                if isinstance(one, type) and one.__module__ == name:
                    found[f"{name}.{one.__qualname__}"] = dict(vars(one))
    return found


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [f"{name}: {was!r} -> {after[name]!r}" for name, was in before.items() if after[name] != was]


def changed_names(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> list[str]:
    """Return the names that stand for another object; those that were only added are imports."""
    return [
        f"{owner}.{name}"
        for owner, names in before.items()
        for name, was in names.items()
        if not name.startswith("__") and after.get(owner, names).get(name) is not was
    ]


@pytest.fixture(autouse=True)
def leaves_process_unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail a test after which the process is another: the next test would run under other conditions."""
    folder = str(tmp_path_factory.getbasetemp())
    before = of_process(folder)
    yield
    _join_readers()
    if after := changed(before, of_process(folder)):
        pytest.fail("the test has left changed: " + "; ".join(after), pytrace=False)


_modules: dict[str, dict[str, Any]] = {}
"""The names after the last file of tests: reading them all takes 4 ms."""


@pytest.fixture(autouse=True, scope="module")
def leaves_modules_unchanged() -> Iterator[None]:
    """Fail the last test of a file that has left a constant, a function or a method of the package replaced."""
    before = dict(_modules) or of_modules()
    yield
    after = of_modules()
    replaced = changed_names(before, after)
    _modules.clear()
    _modules.update(after)
    if replaced:
        pytest.fail("the tests of this file have left replaced: " + ", ".join(replaced), pytrace=False)
