"""Texts of packs, read out in lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.content.small_packs import data, fen
from tests.plain.helpers import KARA, campaign, plain

from tracker.content import packs
from tracker.content.datasworn import read


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    written = data(fen())
    made = packs.add(read(written), written)[0]
    used = {"id": made.id, "version": made.version, "sha": made.sha, "title": made.title}
    return campaign(tmp_path, KARA, {"at": "packs", "add": used})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("read wade", "type roll, and change the numbers by hand"),
        ("read WADE", "See also: Face Danger, Sinking"),
        ("read bog eel", "Bog Eel, Foe"),
        ("read omen", "See also: Depth"),
        ("read o", "Type read and one of these names."),
        ("read dragon", "No text of your packs is called “dragon”."),
        ("read", "Read what? Type read and the name of a move, table, asset, or foe."),
    ],
)
def test_page_of_a_pack_is_read_by_its_name(save: Path, line: str, told: str) -> None:
    assert told in plain(save, line).text


def test_page_is_read_inside_a_move_which_goes_on(save: Path) -> None:
    said = plain(save, "face danger", "read bog eel", "leave")
    assert "Bog Eel, Foe" in said.lines
    assert "Nothing has changed." in said.lines


def test_campaign_without_packs_tells_how_to_get_some(tmp_path: Path) -> None:
    told = "No pack in use has texts; packs chooses packs, `tracker packs add` installs one."
    assert told in plain(campaign(tmp_path, KARA), "read strike").lines
