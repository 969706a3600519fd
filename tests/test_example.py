"""The example campaign is the evening that its script plays."""

from pathlib import Path

from tests.make_example import EXAMPLE, write

from tracker.games import game
from tracker.saves.save import Save
from tracker.table.session import Session

SAME = ("id", "at", "who", "did", "text", "answers")


def test_the_script_plays_what_the_file_tells(tmp_path: Path) -> None:
    write(tmp_path / "again.toml")
    told, played = (
        [{key: block.entry.get(key) for key in SAME} for block in Save.open(str(path), write=False).blocks]
        for path in (EXAMPLE, tmp_path / "again.toml")
    )
    assert told == played


def test_it_shows_a_fight_a_journey_vows_a_bond_and_a_companion() -> None:
    session = Session.open(str(EXAMPLE), write=False)
    session.close()
    assert {track["kind"] for track in session.state["tracks"].values()} == {"vow", "journey", "fight"}
    kara = session.state["party"]["kara"]
    assert kara["bonds"]
    assert kara["assets"]["ash_hound"]["health"] == 4
    assert game("ironsworn").lint(session.state) == ()
    assert session.owed("tayla")
