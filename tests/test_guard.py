"""The guard fails a test that changes the process, and names the change."""

from __future__ import annotations

import gc
import locale
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.guard import changed, changed_names, of_modules, of_process

from tracker.saves import writer
from tracker.saves.disk import Disk

KINDS: dict[str, Callable[[pytest.MonkeyPatch, Path], object]] = {
    "os.environ": lambda patch, _: patch.setenv("TRACKER_TEST", "1"),
    "the working folder": lambda patch, folder: patch.chdir(folder),
    "sys.path": lambda patch, folder: patch.syspath_prepend(folder),
    "sys.dont_write_bytecode": lambda patch, _: patch.setattr(sys, "dont_write_bytecode", True),
    "sys.stdin, stdout, stderr": lambda patch, _: patch.setattr(sys, "stdin", None),
}


def left(folder: Path, change: Callable[[], object]) -> list[str]:
    """Return the kinds of state that `change` has changed."""
    before = of_process(str(folder))
    change()
    return [told.partition(":")[0] for told in changed(before, of_process(str(folder)))]


class TestProcess:
    def test_unchanged_process_is_not_named(self, tmp_path: Path) -> None:
        assert left(tmp_path, lambda: None) == []

    @pytest.mark.parametrize("kind", KINDS)
    def test_change_is_named(self, tmp_path: Path, kind: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            assert left(tmp_path, lambda: KINDS[kind](patch, tmp_path)) == [kind]

    def test_umask_is_named(self, tmp_path: Path) -> None:
        umask = os.umask(0o022)
        try:
            assert left(tmp_path, lambda: os.umask(0o077)) == ["umask"]
        finally:
            os.umask(umask)

    def test_signal_handler_is_named(self, tmp_path: Path) -> None:
        handler = signal.getsignal(signal.SIGUSR1)
        try:
            assert left(tmp_path, lambda: signal.signal(signal.SIGUSR1, lambda *_: None)) == ["signal handlers"]
        finally:
            signal.signal(signal.SIGUSR1, handler)

    def test_gc_is_named(self, tmp_path: Path) -> None:
        try:
            assert left(tmp_path, gc.disable) == ["gc"]
        finally:
            gc.enable()

    def test_locale_is_named(self, tmp_path: Path) -> None:
        before = locale.setlocale(locale.LC_ALL)
        other = "C.UTF-8" if before == "C" else "C"
        try:
            assert left(tmp_path, lambda: locale.setlocale(locale.LC_ALL, other)) == ["locale"]
        finally:
            locale.setlocale(locale.LC_ALL, before)

    def test_thread_is_named(self, tmp_path: Path) -> None:
        end = threading.Event()
        thread = threading.Thread(target=end.wait)
        try:
            assert left(tmp_path, thread.start) == ["threads"]
        finally:
            end.set()
            thread.join()

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which files are open")
    def test_open_file_below_the_folder_is_named(self, tmp_path: Path) -> None:
        opened: list[Any] = []
        try:
            assert left(tmp_path, lambda: opened.append((tmp_path / "kept.txt").open("w"))) == ["open files"]
        finally:
            opened[0].close()


class TestModules:
    def test_replaced_constant_and_method_are_named(self) -> None:
        before = of_modules()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(writer, "RETRY_SECONDS", 0.0)
            patch.setattr(Disk, "sync", lambda *_: None)
            names = changed_names(before, of_modules())
        assert set(names) == {
            "tracker.saves.writer.RETRY_SECONDS",
            "tracker.saves.disk.Disk.sync",
        }
        assert changed_names(before, of_modules()) == []
