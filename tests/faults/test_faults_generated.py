"""Every reader over files that chance has made: whatever is in one, it is read or refused in words.

A failing case tells its seed and leaves its file in the folder of the test.
"""

import contextlib
import os
import pickle
import shutil
import tomllib
import zlib
from argparse import Namespace
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import pytest
from tests.faults import generated
from tests.faults.disks import QuickDisk
from tests.faults.tally import Tally

from tracker import cli, content, games, settings
from tracker.app import drawings, keymap, screens, widgets
from tracker.app.app import TrackerApp
from tracker.app.screens.campaigns.preview import summarize
from tracker.app.screens.table_view import TableView
from tracker.app.widgets.journal_pane import journal
from tracker.arguments import parse
from tracker.campaign import unsent_input
from tracker.campaign.history import Pages
from tracker.campaign.journal import find
from tracker.campaign.player import Player
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.plain import text_lines as plain
from tracker.saves import saves_folder
from tracker.saves.errors import SaveError

USUAL = 500
PARTS = 5
"""Tests among which the cases are shared out."""
PER_FAULT = 40
"""Cases for each of the kills of `--faults N`: 500 of them are 20,000."""
LINE = "A line of ours."


COMMANDS = (
    "show x",
    "show x --json",
    "show x --format {name}",
    "log x --all",
    "log x --all --json",
    "export x --characters --as markdown",
    "export x --characters --as html",
    "export x --as json",
    "check x",
    "check x --json",
    "backups x",
    "recover x",
)
"""Every command that reads a campaign."""
SHARE = 6
"""Each file is read by one in so many of them: all of them take longer than all other readers together."""


@cache
def asked(line: str) -> Namespace:
    """Return a parsed command line. Parsing it anew for each file would take half of the time."""
    return parse(line.split())


def commands(path: str) -> None:
    folder = os.path.dirname(path)
    for line in COMMANDS[zlib.crc32(Path(path).read_bytes()) % SHARE :: SHARE]:
        code = cli._run(Namespace(**{**vars(asked(line)), "saves": folder, "name": path}))
        assert code in {0, 1}, line
    for line in ("list", "list --json"):
        assert cli._run(Namespace(**{**vars(asked(line)), "saves": folder})) == 0


def preview(path: str) -> None:
    folder = os.path.dirname(path)
    one = next(one for one in saves_folder.campaigns(folder) if one.path == path)
    summarize(one, 60).fitted(60, 20)


def look_at(session: Session) -> None:
    """Make all that the app or plain mode would say about this session."""
    list(journal(session))
    list(journal(session, folded=True))
    plain.journal(session, 50)
    list(find(session, "a"))
    pages = Pages(session.history)
    while pages.back():
        pass
    player = Player(session)
    view = TableView(player, str)
    view.last()
    view.rolls(before_last=False)
    for who in player.party:
        player.active = who
        view.fields(), view.ratings(), view.held(), view.tracks(), view.actions(), player.next_due(), view.fight()
        list(plain.sheet(session, who))
        with contextlib.suppress(Refused):
            player.repeat_last()
    for _, _, card in view._done():
        drawings.dice(card, 60)
        list(plain.card(card))


def read_only(path: str) -> None:
    session = Session.open(path, write=False, tail="keep")
    try:
        look_at(session)
    finally:
        session.close()


def play_on(path: str) -> None:
    """Write a line, take it back and bring it back, close: who opens it then finds the same."""
    session = Session.open(path, disk=QuickDisk(), tail="keep")
    try:
        if session.readonly:
            return
        session.write(LINE)
        session.undo()
        session.redo()
        look_at(session)
        state = session.state
    finally:
        sign = session.close()
    assert sign.word == "saved", sign
    once_more = Session.open(path, write=False)
    once_more.close()
    assert once_more.readonly == "you opened it that way", once_more.readonly
    assert once_more.state == state
    assert any(entry.get("text") == LINE for entry in once_more.log.entries)


def refused_in_words(reader: Callable[[str], None], path: str) -> None:
    """Run a reader; a refusal names the file."""
    said = ""
    try:
        reader(path)
    except SaveError as error:
        said = str(error)
    assert not said or os.path.basename(path).removesuffix(".toml") in said, said
    assert "\n" not in said


def read_save(path: str) -> None:
    refused_in_words(read_only, path)
    preview(path)
    commands(path)
    refused_in_words(play_on, shutil.copy(path, f"{path}.copy.toml"))


def read_content(path: str) -> None:
    for ident in games.GAMES:
        found = content.load(ident, os.path.dirname(path), {move.rpartition("/")[2] for move in games.get(ident).moves})
        assert found.oracles.keys() >= content.shipped(ident).oracles.keys()


def read_settings(path: str) -> None:
    found = settings.read(path)
    _, wrong = keymap.valid_keys(found, TrackerApp, screens, widgets)
    assert all(problem.startswith("config.toml, line ") for problem in (*found.problems, *wrong)), wrong
    with contextlib.suppress(settings.NotSavedError):
        settings.save_theme(path, "vellum")
        assert settings.read(path).theme == "vellum"


def read_draft(path: str) -> None:
    """Read these bytes as the drafts beside a save; reading must not raise."""
    shutil.copy(path, unsent_input.draft_path(path))
    shutil.copy(path, unsent_input.draft_path(path, "typed"))
    unsent_input.load_draft(path)
    unsent_input.load_input(path)


@pytest.fixture
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse each text once: twenty readers of a file in a row took half of their time for the same text."""
    loads = tomllib.loads
    packed = lru_cache(200)(lambda text: pickle.dumps(loads(text)))
    monkeypatch.setattr(tomllib, "loads", lambda text: pickle.loads(packed(text)))


READERS = {"save": read_save, "content": read_content, "settings": read_settings}


@pytest.mark.usefixtures("parsed_once")
@pytest.mark.parametrize("part", range(PARTS))
def test_generated_file_is_read_or_refused_in_words(
    part: int, tmp_path: Path, request: pytest.FixtureRequest, tally: Tally, capsys: pytest.CaptureFixture[str]
) -> None:
    tally("files", 0)
    many = max(USUAL, PER_FAULT * request.config.getoption("--faults"))
    for seed in range(part, many, PARTS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        kind, data = generated.case(seed)
        path = folder / ("config.toml" if kind == "settings" else "generated.toml")
        path.write_bytes(data)
        try:
            READERS[kind](str(path))
            read_draft(str(path))
        except Exception as error:
            raise AssertionError(f"seed {seed}, {kind}: {path}") from error
        told = capsys.readouterr()
        assert "Traceback" not in told.err + told.out
        shutil.rmtree(folder)
        tally("files", 1)
