"""The export dialog by keys: what it offers, what it writes, and what it says."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from tests.app.helpers import KARA, Player, QuickDisk, campaign, in_party, play
from tests.app.test_goldens import compare

from tracker.app.app import TrackerApp
from tracker.app.widgets.line_input import LineInput
from tracker.campaign.session import Session
from tracker.export import formats
from tracker.export.parts import Document


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with the campaign `vale`. The player's home is the folder where tracker was started."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    folder = tmp_path / "saves"
    folder.mkdir()
    path = campaign(folder, *in_party(KARA))
    session = Session.open(str(path), disk=QuickDisk())
    session.write("The mill burns.", "kara")
    session.close()
    return folder


def exported() -> set[str]:
    return {path.name for path in Path.cwd().iterdir()}


async def wait_for(player: Player, words: str) -> None:
    await player.until(lambda: words in player.text)


def test_export_from_the_list_writes_a_web_page(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("E")
        assert player.screen == "ExportScreen"
        assert "~/vale.html" in player.text
        await player.press("enter")
        await player.until(lambda: player.screen == "CampaignsScreen")
        await wait_for(player, "Exported to ~/vale.html.")

    play(shelf, act)
    assert "The mill burns." in Path("vale.html").read_text(encoding="utf-8")
    assert exported() == {"vale.html"}


def test_export_is_refused_in_a_browser(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TrackerApp, "is_web", True)

    async def act(player: Player) -> None:
        await player.press("E")
        await wait_for(player, "You can't export in a browser")
        assert player.screen == "CampaignsScreen"

    play(shelf, act)
    assert not exported()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_dialog_is_drawn(shelf: Path, size: tuple[int, int], request: pytest.FixtureRequest) -> None:
    played = datetime(2020, 3, 5, 19, 40).timestamp()
    os.utime(shelf / "vale.toml", (played, played))

    async def act(player: Player) -> None:
        await player.sees("The mill burns.")
        await player.press("E", "down", "space")
        compare(f"export-{size[0]}x{size[1]}", player.text, request)

    play(shelf, act, size=size, paints=True)


def test_choices_change_the_file_and_are_remembered(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("E", "down", "space")
        assert "~/vale.md" in player.text
        await player.press("down", "down", "space", "down", "space")
        assert "~/vale.json" in player.text
        await player.press("enter")
        await player.until(lambda: player.screen == "CampaignsScreen")
        await player.press("E")
        assert "~/vale.json" in player.text
        assert "□ Moves and rolls" in player.text
        assert "always in JSON" in player.text

    play(shelf, act)
    told = json.loads(Path("vale.json").read_text(encoding="utf-8"))
    assert [entry["text"] for entry in told["entries"]] == ["The mill burns."]


def test_export_from_the_table_has_what_is_not_saved_yet(shelf: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("enter")
        await player.until(lambda: player.screen == "TableScreen")
        player.session.write("Just now.", "kara")
        await player.press("E", "enter")
        await player.until(lambda: player.screen == "TableScreen")
        await player.until(lambda: "Exported to ~/vale.html." in player.notice)

    play(shelf, act)
    assert "Just now." in Path("vale.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sessions", "to", "said"),
    [
        ("9", "~/vale.html", "There is no session 9"),
        ("x", "~/vale.html", "isn't a session"),
        ("all", "~/nowhere/vale.html", "There is no folder"),
        ("all", "~", "another name, or remove it first"),
        ("all", "", "Type the name of a file"),
    ],
)
def test_a_choice_that_does_not_work_is_told_and_can_be_mended(shelf: Path, sessions: str, to: str, said: str) -> None:
    async def act(player: Player) -> None:
        await player.press("E")
        for ident, value in (("#sessions", sessions), ("#to", to)):
            player.app.screen.query_one(ident, LineInput).value = value
        await player.press("enter")
        await wait_for(player, said)
        assert player.screen == "ExportScreen"

    play(shelf, act)
    assert exported() == set()


def test_escape_cancels_an_export_and_leaves_nothing(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The export waits in its first step until Esc has been pressed."""
    pressed = threading.Event()
    text = formats.text

    def slowly(document: Document, form: str, step: Callable[[float], None] | None = None) -> Iterator[str]:
        yield "beginning"
        assert step
        step(0.5)
        assert pressed.wait(20)
        step(0.6)
        yield from text(document, form, step)

    monkeypatch.setattr(formats, "text", slowly)

    async def act(player: Player) -> None:
        await player.press("E", "enter")
        await wait_for(player, "50%")
        await player.press("escape")
        pressed.set()
        await wait_for(player, "Canceled; nothing was written.")
        await player.press("escape")
        assert player.screen == "CampaignsScreen"

    play(shelf, act)
    assert exported() == set()
