"""The table at the end of a long run adds up what all tests and workers have tried."""

from typing import Any, Literal

import pytest
from tests.faults.tally import REST, Tally, rows


def ran(
    name: str,
    *counted: Any,
    outcome: Literal["passed", "failed"] = "passed",
    when: Literal["call", "teardown"] = "call",
) -> pytest.TestReport:
    told = [("tally", [kind, count]) for kind, count in counted]
    report = pytest.TestReport(name, ("", 0, ""), {}, outcome, None, when, user_properties=told)
    return pytest.TestReport._from_json(report._to_json())  # as a worker of xdist hands it over


def test_counts_are_added_up_and_each_failed_test_counts_once_per_kind() -> None:
    found = rows(
        [
            ran("tests/faults/a.py::a", ("kills", 3), ("kills", 4)),
            ran("tests/faults/a.py::b", ("kills", 1), ("kills", 1), outcome="failed"),
            ran("tests/app/b.py::keys", ("keys", 500), ("resizes", 2)),
            ran("tests/app/b.py::keys", ("keys", 500), outcome="failed", when="teardown"),
            ran("tests/faults/c.py::quiet", outcome="failed"),
            ran("tests/app/d.py::quiet", outcome="failed"),
        ]
    )
    assert found == [("kills", 9, 1), ("keys", 500, 1), ("resizes", 2, 0), (REST, 1, 1)]


def test_tally_is_told_with_the_report(tally: Tally, request: pytest.FixtureRequest) -> None:
    tally("checks", 2)
    assert request.node.user_properties == [("tally", ["checks", 2])]
