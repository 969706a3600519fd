"""Options of the whole test run."""

from pathlib import Path

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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each scenario is a test of its own, named by its id."""
    if "scenario" in metafunc.fixturenames:
        from tests.scenarios.runner import scenarios

        folders = [Path(__file__).parent / "scenarios", *map(Path, metafunc.config.getoption("scenarios"))]
        found = [one for folder in folders for path in sorted(folder.glob("*.toml")) for one in scenarios(path)]
        metafunc.parametrize("scenario", found, ids=[f"{one['id']} {one['title']}" for one in found])
