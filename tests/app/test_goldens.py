"""Whole screens as plain text, to be looked at in a diff. `pytest --update-goldens` writes them anew."""

from __future__ import annotations

import os
import re
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from tests.app.helpers import Player, play

GOLDENS = Path(__file__).parent / "goldens"
EXAMPLE = Path(__file__).parents[2] / "saves" / "example-ironsworn.toml"
ALLOWED = re.compile(r"[\n -~\u00a0-\u00ff\u2500-\u259f●○■□▲►◄…–→⇄‹›↑↓“”’]*")
"""What every terminal draws one cell wide: ASCII, Latin-1, boxes, blocks and a few signs; quotes in words."""

SCREENS = {
    "table": (),
    "picker": ("m",),
    "stat": ("m", "1"),
    "burn": ("1", "d", "m", "1", "e", *"2 4 5", "enter"),
    "owed": ("x",),
    "tracks": ("t", "enter"),
    "oracle": ("o", *["down"] * 9, "enter"),
    "command": (":", *"hea"),
    "oracle-answer": ("o", "tab", *"Is the ford watched", "enter", "2"),
    "oracle-typed": ("d", "o", "7"),
    "keys": ("?",),
    "writing": ("j",),
    "belongings": ("b",),
    "taking-an-asset": ("b", "n"),
    "palette": ("ctrl+p",),
    "about": ("f1",),
    "part": ("s",),
    "find": ("/", *"the f"),
    "notes": ("W", *"Old Ferrin", "enter", *"The miller; he knows the ford.", "enter", "enter", "w"),
    "note": ("W", *"Old Ferrin", "enter", *"The miller; he knows the ford.", "enter", "enter", "w", "enter"),
    "journal": ("J", "up", "up"),
    "journal-edit": ("J", "up", "up", "k", "e"),
    "journal-folded": ("J", "f"),
    "scene": ("s", "s", *"The drowned mill", "enter"),
    "party": ("p",),
    "leaving-the-table": ("p", "k"),
}


TABLES = {
    "tab-tracks-80x24": ("l",),
    "tab-journal-80x24": ("l", "l"),
    "tab-rolls-80x24": ("l", "l", "l"),
    "table-60x18": (),
    "table-100x30": (),
    "table-116x30": (),
    "table-200x50": (),
}
"""The table at other sizes, and what a narrow one shows beside the sheet."""


@pytest.mark.parametrize("name", TABLES)
def test_table(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    save = tmp_path / "The Drowned Mill.toml"
    shutil.copy(EXAMPLE, save)

    async def act(player: Player) -> None:
        await player.press(*TABLES[name])
        await player.settle()
        compare(name, player.text, request)

    width, height = map(int, name.rpartition("-")[2].split("x"))
    play(save, act, size=(width, height), paints=True)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str, size: tuple[int, int], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    save = tmp_path / "The Drowned Mill.toml"
    shutil.copy(EXAMPLE, save)

    async def act(player: Player) -> None:
        for key in SCREENS[name]:
            await player.press("space" if key == " " else key)
        await player.settle()
        await player.until(lambda: not {"saving", "Searching"} & set(player.text.split()))
        compare(f"{name}-{size[0]}x{size[1]}", player.text, request)

    play(save, act, size=size, paints=name in UNDER)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_first_start(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "saves").mkdir()
    monkeypatch.chdir(tmp_path)

    async def act(player: Player) -> None:
        compare(f"first-start-{size[0]}x{size[1]}", player.text, request)

    play(Path("saves"), act, size=size, paints=True)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_campaigns(size: tuple[int, int], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    saves = tmp_path / "saves"
    saves.mkdir()
    for n, name in enumerate(("The Drowned Mill", "A campaign with a rather long name", "Broken")):
        shutil.copy(EXAMPLE, saves / f"{name}.toml")
        played = datetime(2020, 3, 4 + n, 20, 14).timestamp()
        os.utime(saves / f"{name}.toml", (played, played))
    (saves / "Broken.toml").write_bytes(b"format = 1\nid = ")
    os.utime(saves / "Broken.toml", (0, 0))

    async def act(player: Player) -> None:
        await player.sees("momentum")
        await player.settle()  # the preview takes the rows that it needs a frame later
        compare(f"campaigns-{size[0]}x{size[1]}", player.text, request)
        await player.press("down", "a", "v")
        await player.sees("momentum")
        await player.settle()  # the preview takes the rows that it needs a frame later
        compare(f"archive-{size[0]}x{size[1]}", player.text, request)
        await player.press("f2")
        compare(f"rename-{size[0]}x{size[1]}", player.text, request)

    play(saves, act, size=size, paints=True)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_backups(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    saves = tmp_path / "saves"
    (saves / ".backups").mkdir(parents=True)
    shutil.copy(EXAMPLE, saves / "The Drowned Mill.toml")
    for when in ("2020-03-04 20.14.05", "2020-03-04 21.14.31", "2020-03-05 19.02.44", "replaced 2020-03-05 19.40.00"):
        shutil.copy(EXAMPLE, saves / ".backups" / f"The Drowned Mill {when}.toml")
    (saves / ".backups" / "The Drowned Mill 2020-03-05 19.02.44.toml").write_bytes(b"format = 1\nid = ")
    played = datetime(2020, 3, 5, 19, 40).timestamp()
    os.utime(saves / "The Drowned Mill.toml", (played, played))

    async def act(player: Player) -> None:
        await player.press("B")
        await player.sees("momentum")
        await player.sees("43")
        compare(f"backups-{size[0]}x{size[1]}", player.text, request)
        await player.press("i")
        compare(f"backups-in-place-{size[0]}x{size[1]}", player.text, request)

    play(saves, act, size=size, paints=True)


UNDER = {"burn", "oracle-answer"}
"""What lies under these was painted decided before the roll."""


def compare(name: str, text: str, request: pytest.FixtureRequest) -> None:
    golden = GOLDENS / f"{name}.txt"
    if request.config.getoption("--update-goldens"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text + "\n", encoding="utf-8")
    assert ALLOWED.fullmatch(text), set(ALLOWED.sub("", text))
    assert text + "\n" == golden.read_text(encoding="utf-8")
