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
OPTION = "--scenarios"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[Any]:
    """Start pytest again with `--scenarios=DIR` where `--scenarios DIR` was typed.

    pytest looks for its configuration before it has read a conftest that would tell it about the option. It takes
    DIR for a path of tests then, and if DIR lies outside the tree, finds neither configuration nor conftest.
    A plugin is the first code of ours that runs. This one comes before pytest captures the output.
    """
    typed = early_config.invocation_params.args
    if OPTION in typed and early_config.invocation_params.dir == TREE:
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *joined(typed)])
    return (yield)


def joined(typed: Sequence[str]) -> Iterable[str]:
    """Return the arguments with `--scenarios DIR` written as `--scenarios=DIR`."""
    words = iter(typed)
    return [f"{OPTION}={next(words, '')}" if word == OPTION else word for word in words]
