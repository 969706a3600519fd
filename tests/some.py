"""A part of many in the usual run, all of them in the long one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest

Thing = TypeVar("Thing")


def some(config: pytest.Config, things: Sequence[Thing], every: int) -> Sequence[Thing]:
    """Every so-manyth; all with `--whole`."""
    return things if config.getoption("whole") else things[::every]
