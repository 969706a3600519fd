"""Options of the whole test run."""

import gc
import os
import sys
from collections import Counter

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


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "part(every): only every so-manyth case in the usual run, all with --whole")


def pytest_collection_finish() -> None:
    """What stays until the end is not looked at for rubbish again and again: that was a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("whole"):
        return
    seen: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    for item in items:
        if mark := item.get_closest_marker("part"):
            test = item.nodeid.partition("[")[0]
            seen[test] += 1
            if (seen[test] - 1) % mark.args[0]:
                continue
        kept.append(item)
    items[:] = kept
