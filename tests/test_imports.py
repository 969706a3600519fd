"""What a start costs, counted instead of timed: modules imported, entries parsed, bytes held."""

import json
import os
import pkgutil
import subprocess
import sys
import tracemalloc
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.bench.make_save import line, make_save
from tests.terminal.pty import Pty

import tracker
from tracker.campaign.log import KEEP
from tracker.campaign.session import COMPACT_AFTER, Session
from tracker.saves import toml

LONG = 100_000
MOST_MODULES = 87
MOST_HELD = 4_000_000

IMPORT_ONE_BY_ONE = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
    if found := {"textual", "rich"} & sys.modules.keys():
        raise SystemExit(f"{name} imports {' and '.join(found)}")
"""

RUN_A_COMMAND = """
import sys
from tracker.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""

STOP_AT_THE_FRAME_THAT_SHOWS = """
import json, os, runpy, sys
from textual.drivers.linux_driver import LinuxDriver

told, awaited, module, *sys.argv[1:] = sys.argv[1:]
parsed = 0

def count_entries():
    from tracker.saves import toml
    read = toml.read_ours
    def counted(data):
        global parsed
        parsed += 1
        return read(data)
    toml.read_ours = counted

def until_it_shows(driver, data, write=LinuxDriver.write):
    write(driver, data)
    if awaited in data:
        with open(told, "w") as file:
            json.dump([[*sys.modules], parsed], file)
        os._exit(0)

LinuxDriver.write = until_it_shows
if module == "tracker":
    count_entries()
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""


class Frame(NamedTuple):
    """What painting one frame took: the imported modules, and the number of parsed entries."""

    modules: list[str]
    parsed: int


def frame_that_shows(awaited: str, folder: Path, module: str, *words: str) -> Frame:
    told = folder / f"{module}.json"
    with Pty(
        [sys.executable, "-c", STOP_AT_THE_FRAME_THAT_SHOWS, str(told), awaited, module, *words], colours=False
    ) as program:
        assert program.wait_end() == 0, program.text()
    return Frame(*json.loads(told.read_text()))


@pytest.fixture(scope="module")
def long_save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A long campaign, killed as late after a compaction as possible."""
    path = tmp_path_factory.mktemp("saves") / "long.toml"
    make_save(str(path), LONG, after=COMPACT_AFTER, only_lines=True)
    return path


@pytest.fixture(scope="module")
def first_frame(long_save: Path) -> Frame:
    """The first frame that shows where the story was left."""
    return frame_that_shows(line(LONG), long_save.parent, "tracker", "--saves", str(long_save.parent), "long")


def python(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)


def headless() -> list[str]:
    names = [module.name for module in pkgutil.walk_packages(tracker.__path__, "tracker.")]
    without_their_extra = () if find_spec("iroh") else ("tracker.coop.iroh_line",)  # the tests need no iroh
    return [name for name in names if not name.startswith(("tracker.app", "tracker.__main__", *without_their_extra))]


class TestNoScreen:
    def test_no_layer_below_the_app_imports_textual(self) -> None:
        layers = headless()
        assert {"tracker.cli", "tracker.dice", "tracker.games.ironsworn.moves.adventure", "tracker.saves.save"} <= {
            *layers
        }
        assert python(IMPORT_ONE_BY_ONE, *layers).stderr == ""

    @pytest.mark.parametrize("command", ["--help", "list", "show tale", "log tale", "check tale"])
    def test_reading_command_imports_neither_textual_nor_writing_code(self, tmp_path: Path, command: str) -> None:
        make_save(str(tmp_path / "tale.toml"), 20)
        done = python(RUN_A_COMMAND, "--saves", str(tmp_path), *command.split())
        assert done.returncode == 0
        assert not {"textual", "rich", "platformdirs", "tomli_w"} & {*done.stderr.split()}

    def test_roll_imports_only_what_it_needs(self, tmp_path: Path) -> None:
        make_save(str(tmp_path / "tale.toml"), 20)
        roll = ["roll", "tale", "wits", "--dice", "1,1,9", "--defaults"]
        words = ["--saves", str(tmp_path), *roll]
        first, second = (python(RUN_A_COMMAND, *words) for _ in range(2))  # the first makes the backup of this hour
        assert (first.returncode, second.returncode) == (0, 0), second
        later = {"_strptime", "platformdirs", "shutil", "tempfile", "pathlib", "random", "textual", "tracker.content"}
        assert not later & {*second.stderr.split()}


class TestBeforeFirstFrame:
    def test_parts_not_shown_are_not_imported(self, first_frame: Frame) -> None:
        later = {
            "tracker.app.screens.campaigns.screen",
            "tracker.app.screens.dialog.screen",
            "tracker.app.screens.keys",
            "tracker.app.screens.name_dialog",
            "tracker.app.screens.list_screen",
            "tracker.games.ironsworn.moves.adventure",
            "tracker.games.api.prompts",
            "tracker.saves.recovery",
            "tracker.campaign.run",
        }
        assert not later & {*first_frame.modules}
        far = ("tracker.coop", "websockets", "cryptography", "nats", "iroh")
        assert not [name for name in first_frame.modules if name.startswith(far)]

    def test_own_modules_are_few(self, first_frame: Frame) -> None:
        ours = sorted(name for name in first_frame.modules if name.startswith("tracker"))
        assert len(ours) <= MOST_MODULES, ours

    def test_other_modules_are_those_of_any_textual_app(self, first_frame: Frame, tmp_path: Path) -> None:
        smallest = frame_that_shows("READY", tmp_path, "tests.bench.minimal").modules
        few = python("import argparse, concurrent.futures.thread, gc, sys, tomllib; print(*sys.modules)").stdout.split()
        more = {*first_frame.modules} - {*smallest} - {*few}
        assert not {name for name in more if not name.startswith(("tracker", "rich._unicode_data"))}

    def test_only_entries_after_the_snapshot_are_parsed(self, first_frame: Frame) -> None:
        assert 0 < first_frame.parsed <= KEEP + COMPACT_AFTER


def count_calls(monkeypatch: pytest.MonkeyPatch, reader: str) -> list[bytes]:
    """Return a list that collects all bytes that this function of `toml` is given from now on, except for blanks."""
    given: list[bytes] = []
    read = getattr(toml, reader)

    def counted(data: bytes) -> Any:
        given.extend([data] if data.strip() else [])
        return read(data)

    monkeypatch.setattr(toml, reader, counted)
    return given


class TestLongSave:
    def test_opening_parses_the_head_once_and_each_entry_after_the_snapshot_once(
        self, long_save: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fast, slow = count_calls(monkeypatch, "read_ours"), count_calls(monkeypatch, "parse")
        heads = count_calls(monkeypatch, "read_our_head")
        session = Session.open(str(long_save), write=False)
        session.close()
        assert len(fast) == len(session.log.entries) == KEEP + COMPACT_AFTER
        assert (len(heads), len(slow)) == (1, 0)

    def test_opening_holds_a_small_part_in_memory(self, long_save: Path) -> None:
        tracemalloc.start()
        session = Session.open(str(long_save), write=False)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        session.close()
        assert most < MOST_HELD < os.path.getsize(long_save) / 2
