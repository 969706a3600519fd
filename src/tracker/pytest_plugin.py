"""pytest plugin for this project's own tests. Does nothing outside the source tree."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

# No other module of the program is imported: a mistake in one of them must not keep pytest from starting.
TREE = Path(__file__).resolve().parents[2]
OPTIONS = ("--scenarios", "--packs")
"""Options of our conftest that are followed by a folder."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[Any]:
    """Start pytest again with `--scenarios=DIR` if `--scenarios DIR` was typed in the source tree.

    pytest looks for its configuration before a conftest can declare the option, and would take DIR for a path of tests.
    This hook runs before that, and before pytest captures the output.
    """
    typed = early_config.invocation_params.args
    if {*OPTIONS} & {*typed} and early_config.invocation_params.dir == TREE:
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *joined(typed)])
    return (yield)


def joined(typed: Sequence[str]) -> Iterable[str]:
    """Return the arguments in `typed`, with each option in OPTIONS and the word after it joined: `--scenarios=DIR`."""
    words = iter(typed)
    return [f"{word}={next(words, '')}" if word in OPTIONS else word for word in words]
