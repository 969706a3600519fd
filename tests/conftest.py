"""Options of the whole test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--faults",
        type=int,
        default=0,
        metavar="KILLS",
        help="the long run of tests/faults: this many kills, and every single flipped bit",
    )
    parser.addoption("--update-goldens", action="store_true", help="write the goldens of tests/app anew")
    parser.addoption(
        "--scenarios", action="append", default=[], metavar="DIR", help="play the scenario files of this folder too"
    )
