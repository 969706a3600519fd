"""The pictures of the README show the example as it is, and bring nothing along that nobody asked for."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from tests.make_pictures import PICTURES, ROOT, SHOTS, pictures

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = {
    "table": (
        "The Drowned Mill",
        "Kara",
        "Tayla",
        "Break the Ashen Crown",
        "Riders of the Ashen Crown",
        "Brak",
        "saved",
    ),
    "roll": ("The Drowned Mill", "Clash +edge", "WEAK HIT", "Burn momentum"),
}


def words(svg: str) -> str:
    """What can be read on it."""
    return html.unescape(re.sub(r"<[^>]*>", "", svg.replace("</text>", " "))).replace("\u00a0", " ")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    pictures(folder)
    return folder


@pytest.mark.parametrize("name", SHOTS)
def test_it_shows_the_example(name: str, fresh: Path) -> None:
    for folder in (PICTURES, fresh):
        seen = words((folder / f"{name}.svg").read_text(encoding="utf-8"))
        for word in SHOWN[name]:
            assert word in seen, (folder, word)


@pytest.mark.parametrize("name", SHOTS)
def test_it_fetches_nothing_and_tells_no_path(name: str, fresh: Path) -> None:
    for folder in (PICTURES, fresh):
        svg = (folder / f"{name}.svg").read_text(encoding="utf-8")
        links = set(re.findall(r"[a-z]+://[^\s\"')]+", svg))
        assert links <= {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
        assert "@font-face" not in svg
        assert "@import" not in svg
        assert not re.search(r"/(?:tmp|home|root|Users)/", svg)


@pytest.mark.parametrize("name", SHOTS)
def test_it_stands_in_the_readme(name: str) -> None:
    assert f"(tests/pictures/{name}.svg)" in README
