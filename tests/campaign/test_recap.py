"""The recap: the last session in ten lines, made by rules."""

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import campaign, open_session, play, short_memory
from tests.hostile import HOSTILE
from tests.random_play import random_campaign

from tracker import games
from tracker.campaign import recap as recaps
from tracker.campaign.journal import edit, lines, strike
from tracker.campaign.recap import MOST, Recap, recap, sentences
from tracker.campaign.save_log import log_of
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.errors import Refused
from tracker.games.api.finished_moves import HEADINGS
from tracker.text import shown_line

EXAMPLES = Path(__file__).parents[2] / "saves"
STRONG = {"action": 6, "challenge": [1, 2]}
VOW: dict[str, Any] = {"track": "Find the heir", "rank": "epic"}


def told(found: Recap) -> dict[str, str]:
    return {one.heading: one.words for one in found.lines}


@pytest.fixture
def table(tmp_path: Path) -> Any:
    with campaign(tmp_path) as session:
        play(session, "story/session")
        yield session


# -- the examples ---------------------------------------------------------------------------------------


def example(game: str, tmp_path: Path) -> list[str]:
    session = open_session(shutil.copy(EXAMPLES / f"example-{game}.toml", tmp_path), write=False)
    return list(sentences(recap(session)))


def test_recap_of_the_ironsworn_example(tmp_path: Path) -> None:
    assert example("ironsworn", tmp_path) == [
        "Last time, in session 2",
        "It began: Three of them at the ford. Brak has the first one by the wrist before I can call him back.",
        "Scenes: The ford below Ravencliff",
        "Fights: Riders of the Ashen Crown",
        "Tracks: Riders of the Ashen Crown 0 → 2 of 10",
        "Changed: Kara: momentum 6 → 8",
        "Due: Tayla: Endure Stress (1)",
        "Next: Clash (edge); Face Danger (edge); Turn the Tide (no roll)",
    ]


def test_recap_of_the_wherever_example(tmp_path: Path) -> None:
    found = example("wherever", tmp_path)
    assert found[0] == "Last time, in session 1"
    assert found[1].startswith("It began: Two clerks asleep, one pretending.")
    assert found[2].startswith("It ended: Down the long stair in the rain")
    assert "Scenes: the harbor office; the long stair" in found
    assert any(line.startswith("Fights: won against an opponent") for line in found)
    assert any(line.startswith("Gained: Ilse: Storm lantern, Oilskin") for line in found)


def test_recap_of_the_daggerheart_example(tmp_path: Path) -> None:
    found = example("daggerheart", tmp_path)
    assert found[2].startswith("It ended: It stands over me and does not bite.")
    assert "Fights: The gray one; Snow wolves" in found
    assert any("The pack closes in 6 → 3 of 6" in line for line in found)
    assert any(line.startswith("Changed: Fear") and "HP marked 0 → 2" in line for line in found)


# -- what counts ----------------------------------------------------------------------------------------


def test_recap_tells_vows_bonds_notes_and_what_was_gained(table: Session) -> None:
    play(table, "quest/swear_an_iron_vow", dice=STRONG, **VOW)
    play(table, "notes/make", "", name="Ravencliff", text="", kind="place")
    table.do("change", [{"at": "kara.health", "by": -2}], who="kara")
    table.do("change", [{"at": "kara.debilities", "add": {"id": "wounded"}}], who="kara")
    found = told(recap(table))
    assert found["Vows"] == "sworn: Find the heir"
    assert found["Notes"] == "Ravencliff (place)"
    assert found["Changed"] == "wounded marked; momentum 2 → 4; health 5 → 3"


def test_recap_tells_how_a_vow_ended(table: Session) -> None:
    table.do("change", [{"at": "tracks.oath.ticks", "to": 40}], who="kara")
    play(table, "quest/fulfill_your_vow", dice={"challenge": [1, 2]})
    assert told(recap(table))["Vows"] == "fulfilled: The oath"


def test_recap_leaves_out_what_was_undone(table: Session) -> None:
    play(table, "quest/swear_an_iron_vow", dice=STRONG, **VOW)
    table.write("Forget this.")
    table.undo()
    table.undo()
    table.write("The only line.")
    found = told(recap(table))
    assert "Vows" not in found
    assert found["It began"] == "The only line."


def test_recap_leaves_out_an_unfinished_roll(table: Session) -> None:
    run = table.begin("quest/swear_an_iron_vow", "kara", list(VOW.items()))
    while run.prompt and run.prompt.key != "dice":
        run.answer(run.prompt.default)
    table.rolled(run, STRONG)
    assert "find_the_heir" in table.state["tracks"]
    assert "Vows" not in told(recap(table))
    while run.prompt:
        run.answer(run.prompt.default)
    table.finish(run)
    assert told(recap(table))["Vows"] == "sworn: Find the heir"


def test_recap_shows_passages_as_they_read_now(table: Session) -> None:
    for text in ("First", "Second", "Third"):
        table.write(text)
    newest, _, oldest = list(lines(table, table.history))[:3]
    strike(table, newest)
    edit(table, oldest, "First, edited")
    found = told(recap(table))
    assert (found["It began"], found["It ended"]) == ("First, edited", "Second")


def test_recap_begins_with_the_last_session(table: Session) -> None:
    table.write("Long ago")
    play(table, "story/session")
    assert told(recap(table))["It began"] == "Long ago", "a session in which nothing happened is none"
    assert recap(table).number == 2, "nothing has happened in session 3 yet"
    table.write("Now")
    assert told(recap(table))["It began"] == "Now"
    assert recap(table).number == 3


def test_recap_begins_after_a_long_rest_that_much_follows(table: Session) -> None:
    table.write("Yesterday")
    for entry in table.log.entries:
        entry["at"] -= timedelta(hours=7)
    for n in range(recaps.ENOUGH - 1):
        table.write(f"Today {n}")
        assert told(recap(table))["It began"] == "Yesterday", "a few lines after a rest don't make a session"
    table.write("Tonight")
    assert told(recap(table))["It began"] == "Today 0"
    table.log.entries[-recaps.ENOUGH]["at"] -= timedelta(hours=2)
    table.log.entries[-recaps.ENOUGH + 1]["at"] -= timedelta(hours=2)
    assert told(recap(table))["It began"] == "Yesterday", "two rests of less than six hours are none"


def test_recap_of_a_new_campaign_is_empty(tmp_path: Path) -> None:
    for game in games.GAMES:
        path = tmp_path / f"{game}.toml"
        new_campaign(str(path), games.get(game))
        session = open_session(path, write=False)
        assert list(sentences(recap(session))) == ["Nothing has happened yet."]


# -- any campaign ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games.GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_recap_of_a_random_campaign_is_short_and_the_same_before_the_snapshot(
    game: str, seed: int, tmp_path: Path
) -> None:
    path = tmp_path / "tale.toml"
    with short_memory(keep=5):
        random_campaign(path, game, 100 + seed, 40).close()
    session = open_session(path, write=False)
    assert session.log.upto
    found = recap(session)
    session.save.read_whole()
    assert recap(Session(session.save, session.game, log_of(session.save, session.game))) == found
    assert len(found.lines) <= MOST
    headings = [one.heading for one in found.lines]
    assert headings == sorted(headings, key=recaps._ORDER.index)
    assert set(headings) <= {*HEADINGS, "It began", "It ended", "Scenes", "Due", "Next"}


def test_recap_makes_hostile_text_safe(table: Session) -> None:
    for _, text in HOSTILE:
        try:
            table.write(text)
            table.do("change", [{"at": "kara.name", "to": text}, {"at": "tracks.oath.name", "to": text}])
            table.do("change", [{"at": "tracks.oath.ticks", "by": 4}])
        except Refused:
            continue
        for line in sentences(recap(table)):
            assert line == shown_line(line, 5000)
