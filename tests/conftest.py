"""Options of the whole test run."""

import os
import sys

import pytest

# Programs that tests start would compile themselves anew every time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.fixture(scope="session", autouse=True)
def no_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's own keys and colours are in the way of a test."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))


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
    parser.addoption(
        "--whole",
        action="store_true",
        help="every scenario in the app and every walk through a move, where a part of them is played usually",
    )
