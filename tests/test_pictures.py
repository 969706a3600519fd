"""The pictures in docs/pictures show the example campaigns, fetch nothing and reveal no path."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from tests.make_pictures import PICTURES, ROOT, SHOTS, make_pictures

from tracker.games import GAMES

SHOWN = {
    "ironsworn": (
        "The Drowned Mill",
        "Kara",
        "Tayla",
        "Break the Ashen Crown",
        "Riders of the Ashen Crown",
        "Brak",
        "saved",
    ),
    "ironsworn-roll": ("The Drowned Mill", "Clash +edge", "WEAK HIT", "Burn momentum"),
    "ironsworn-statistics": ("10 action rolls", "strong hit", "expected", "this well or better", "Over time"),
    "ironsworn-over-time": ("Kara: momentum", "session 2", "all sessions"),
    "ironsworn-recap": ("Last time", "Three of them at the ford", "Riders of the Ashen Crown", "Due", "Play on"),
    "wherever-we-go": ("The Stolen Ledger", "Ilse", "Oren", "Stealth", "Storm lantern", "The watch wakes", "69%"),
    "wherever-we-go-roll": ("Stealth", "MIXED SUCCESS", "Gamble", "bane", "Oilskin"),
    "daggerheart": ("The Wolf Road", "Wren", "Boro", "Hope", "Fear", "The gray one", "Longbow"),
    "daggerheart-roll": ("Attack", "success with Hope", "failure with Fear", "Wolf-road guide"),
    "daggerheart-gm": ("Fear", "Adversaries", "The gray one", "Snow wolves", "Countdowns", "The pack closes in"),
}
"""Words that must be readable on each picture."""


def words(svg: str) -> str:
    """Return what can be read on a picture."""
    return html.unescape(re.sub(r"<[^>]*>", "", svg.replace("</text>", " "))).replace("\u00a0", " ")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    make_pictures(folder)
    return folder


@pytest.mark.parametrize("name", SHOTS)
def test_picture_shows_the_example(name: str, fresh: Path) -> None:
    for folder in (PICTURES, fresh):
        seen = words((folder / f"{name}.svg").read_text(encoding="utf-8"))
        for word in SHOWN[name]:
            assert word in seen, (folder, word)


@pytest.mark.parametrize("name", SHOTS)
def test_picture_fetches_nothing_and_tells_no_path(name: str, fresh: Path) -> None:
    for folder in (PICTURES, fresh):
        svg = (folder / f"{name}.svg").read_text(encoding="utf-8")
        links = set(re.findall(r"[a-z]+://[^\s\"')]+", svg))
        assert links <= {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
        assert "@font-face" not in svg
        assert "@import" not in svg
        assert not re.search(r"/(?:tmp|home|root|Users)/", svg)


def test_every_game_has_pictures() -> None:
    assert {shot.game for shot in SHOTS.values()} == set(GAMES)


def test_every_picture_is_on_a_page() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    assert {path.stem for path in PICTURES.iterdir()} == set(SHOTS)
    for name in SHOTS:
        assert f"pictures/{name}.svg)" in pages
