"""Runs the program in the process of the tests: a start of its own costs 80 ms, twenty times a short command."""

from __future__ import annotations

import gc
import io
import subprocess
from collections.abc import Iterable

import pytest

from tracker.cli import main


def run(words: Iterable[str], typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command as `subprocess.run` would, with `typed` as its input.

    Not for tests of signals, of closed streams, of imports or of the environment that Python reads when it starts.
    """
    given = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
    threshold = gc.get_threshold()  # an evening sets its own
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", given)
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        try:
            code = main([*words])
        except SystemExit as end:
            code = int(end.code or 0)  # never a text, which Python would print
        finally:
            gc.set_threshold(*threshold)
    return subprocess.CompletedProcess([*words], code, out.buffer.getvalue(), err.buffer.getvalue())
