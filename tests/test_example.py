"""The example campaign is the evening that its script plays."""

from pathlib import Path

import pytest
from tests.make_example import EVENINGS, example, write

from tracker import games
from tracker.campaign.session import Session
from tracker.saves.save import Save

SAME = ("id", "at", "who", "did", "text", "answers")


@pytest.mark.parametrize("name", EVENINGS)
def test_script_makes_the_example_file(name: str, tmp_path: Path) -> None:
    write(tmp_path / "again.toml", name)
    told, played = (
        [{key: block.entry.get(key) for key in SAME} for block in Save.open(str(path), write=False).blocks]
        for path in (example(name), tmp_path / "again.toml")
    )
    assert told == played


def test_ironsworn_example_shows_a_fight_a_journey_vows_a_bond_and_a_companion() -> None:
    session = Session.open(str(example("ironsworn")), write=False)
    session.close()
    assert {track["kind"] for track in session.state["tracks"].values()} == {"vow", "journey", "fight"}
    kara = session.state["party"]["kara"]
    assert kara["bonds"]
    assert kara["assets"]["ash_hound"]["health"] == 4
    assert games.get("ironsworn").lint(session.state) == ()
    assert session.owed("tayla")


def test_wherever_example_shows_clocks_harm_gear_and_willpower() -> None:
    session = Session.open(str(example("wherever")), write=False)
    session.close()
    ilse, oren = session.state["party"].values()
    assert len(session.state["clocks"]) == 2
    assert ilse["harms"]["mental"]
    assert (ilse["stress"], ilse["wp"], ilse["marks"]["precision"]) == (3, 1, 1)
    assert oren["gear"]["boarding_hook"]["reliability"] == 1
    assert games.get("wherever").lint(session.state) == ()


def test_daggerheart_example_shows_both_sides_of_the_table() -> None:
    session = Session.open(str(example("daggerheart")), write=False)
    session.close()
    wren, boro = session.state["party"].values()
    assert len(session.state["adversaries"]) == len(session.state["countdowns"]) == 2
    assert session.state["countdowns"]["the_pack_closes_in"]["value"] == 3
    assert session.state["adversaries"]["the_gray_one"]["hp"] == 2
    assert (wren["hp"], wren["hope"], wren["stress"]) == (2, 2, 1)
    assert (boro["armor"], boro["hope"]) == (1, 1)
    assert session.state["fear"] == 2
    assert games.get("daggerheart").lint(session.state) == ()
