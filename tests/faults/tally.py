"""The table that a long run (`--faults N`) prints at its end: how often each kind of fault was tried, and what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

KINDS = ("kills", "injections", "races", "copies", "files", "keys")
"""Rows that come first, in this order; other kinds follow in the order of their names."""
REST = "other tests in tests/faults"
_PROPERTY = "tally"

Tally = Callable[[str, int], None]


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """Return `tally(kind, count)`, which adds to the table that a run with `--faults N` prints at its end.

    `kind` is a row of the table, one of `KINDS` or a new plural noun; `count` is how many the test has just tried. Call
    it as often as needed, after each fault or once per loop: counts of one kind are added up over all tests and all
    xdist workers. A test that fails is a failure of every kind it has named before, so a test that tries many faults
    and counts them at its end starts with `tally(kind, 0)`.
    """
    return lambda kind, count: record_property(_PROPERTY, [kind, count])


def rows(reports: list[pytest.TestReport]) -> list[tuple[str, int, int]]:
    """Return (kind, count, failed tests) for each kind that these reports name, and for tests/faults besides."""
    counts: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    for report in reports:
        named: list[Any] = [value for name, value in report.user_properties if name == _PROPERTY]
        if not named and report.nodeid.startswith("tests/faults/"):
            named = [(REST, 1)]
        for kind, count in named:
            counts[kind] += count if report.when == "call" else 0  # a failed teardown names them again
        failures.update({kind for kind, _ in named} if report.failed else ())
    order = [*KINDS, *sorted(counts.keys() - {*KINDS, REST}), REST]
    return [(kind, counts[kind], failures[kind]) for kind in order if kind in counts]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not config.getoption("--faults"):
        return
    stats = terminalreporter.stats
    ended = [report for outcome in ("passed", "failed") for report in stats.get(outcome, ()) if report.when == "call"]
    ended += [report for report in stats.get("error", ()) if report.failed]
    terminalreporter.section("faults")
    terminalreporter.write_line(f"{'kind':<30}{'count':>10}{'failures':>10}")
    for kind, count, failed in rows(ended):
        terminalreporter.write_line(f"{kind:<30}{count:>10,}{failed:>10,}")
