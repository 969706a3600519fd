"""Options of the whole test run."""

import gc
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.faults.tally import pytest_terminal_summary, tally  # noqa: F401 a fixture and a hook for all tests
from tests.guard import leaves_modules_unchanged, leaves_process_unchanged  # noqa: F401 fixtures for all tests

# A busy machine is no failure: no example has a deadline, and none is too slow to draw.
# 40 examples instead of hypothesis's 100 keep the usual run under five minutes.
# The usual run draws the same examples every time, so that a change is never blamed for what another one did;
# --whole draws new ones.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("usual", _PATIENT, max_examples=40, derandomize=True)
settings.register_profile("whole", _PATIENT, max_examples=100)
settings.load_profile("usual")


@pytest.fixture(scope="session", autouse=True)
def no_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the player's own keys and colors away from the tests, and recaps off the screen."""
    with pytest.MonkeyPatch.context() as patch:
        config = tmp_path_factory.mktemp("config")
        (config / "tracker").mkdir()
        (config / "tracker" / "config.toml").write_text("recap = false\n")  # the examples were played long ago
        patch.setenv("XDG_CONFIG_HOME", str(config))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_backups_at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the snapshots of test campaigns out of the real data folder, in programs that tests start too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--faults",
        type=int,
        default=0,
        metavar="KILLS",
        help="the long run of tests/faults: this many kills, 40 generated files and 200 random keys for each of them, "
        "and every single flipped bit",
    )
    parser.addoption(
        "--exports",
        type=int,
        default=0,
        metavar="CAMPAIGNS",
        help="export this many campaigns of random play, and let other programs read them; see tests/export",
    )
    parser.addoption(
        "--npm", metavar="DIR", help="with --exports: the folder with kdljs, html-validate, playwright-core"
    )
    parser.addoption(
        "--rounds",
        type=int,
        default=0,
        metavar="ROUNDS",
        help="this many rounds of random play together, with cut lines, changing hosts and killed processes",
    )
    parser.addoption(
        "--merges",
        type=int,
        default=0,
        metavar="MERGES",
        help="this many merges of copies that were played apart, in any order and grouping",
    )
    parser.addoption("--update-goldens", action="store_true", help="write the goldens of tests/app anew")
    parser.addoption(
        "--scenarios", action="append", default=[], metavar="DIR", help="play the scenario files of this folder too"
    )
    parser.addoption(
        "--packs", action="append", default=[], metavar="DIR", help="check the reader on all Datasworn packs below too"
    )
    parser.addoption(
        "--whole",
        action="store_true",
        help="every scenario in the app and every walk through a move, where a part of them is played usually",
    )


def _handle(number: int, handler: Any) -> None:
    signal.signal(number, handler)


def pytest_configure(config: pytest.Config) -> None:
    """Let Python cache compiled files, take signals as in a terminal, and restore both at the end of the run.

    Programs that tests start would compile themselves anew every time, and inherit signals that a background job or
    nohup ignores, so that Ctrl+C would not end them.
    """
    if config.getoption("whole"):
        settings.load_profile("whole")
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        config.add_cleanup(partial(_handle, number, signal.signal(number, handler)))
    patch = pytest.MonkeyPatch()
    patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    patch.setattr(sys, "dont_write_bytecode", False)
    config.add_cleanup(patch.undo)
    config.add_cleanup(partial(gc.set_threshold, *gc.get_threshold()))
    config.add_cleanup(gc.unfreeze)
    config.addinivalue_line("markers", "part(every): only every so-manyth case in the usual run, all with --whole")


def pytest_collection_finish() -> None:
    """Keep what lives until the end out of garbage collections, which took a sixth of the time."""
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
