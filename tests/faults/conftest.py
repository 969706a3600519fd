"""What every test of faults gets: a save that tidies up often, a writer that waits to be told, and no hang."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.faults import campaign

from tracker.saves import writer

HANG_SECONDS = 600
"""Seconds after which a test hangs; many, because a busy machine needs more than a minute for some tests."""


@pytest.fixture(autouse=True)
def tidies_often(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign.tidy_often(monkeypatch.setattr)
    monkeypatch.setattr(writer, "RETRY_SECONDS", 3600.0)


@pytest.fixture(autouse=True)
def never_hangs(request: pytest.FixtureRequest) -> Iterator[None]:
    def too_long(*_: object) -> None:
        pytest.fail("this hangs")  # not a TimeoutError: that is an OSError, and those are answered

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(0 if request.config.getoption("--faults") else HANG_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def save(tmp_path: Path) -> str:
    """The path of a new campaign with one character."""
    path = str(tmp_path / "the vale.toml")
    campaign.new(path)
    return path


@pytest.fixture
def many(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """How many: the given number in the normal run, what `--faults` says in the long one if that is more."""
    return lambda normal: max(normal, request.config.getoption("--faults"))
