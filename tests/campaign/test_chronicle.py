"""The journal in order of play, with sessions and scenes, and the selections of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import BO, campaign, open_session, play, short_memory

from tracker.campaign import journal
from tracker.campaign.chronicle import HIGHEST, Moment, Selection, chronicle, joined, select, with_changes
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.saves import search

DICE = {"action": 6, "challenge": [1, 2]}


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A campaign of six sessions, most of it from before the snapshot, with undos, edits and strikes everywhere."""
    monkeypatch.setattr(search, "_STRETCH", 3000)
    with short_memory(keep=6), campaign(tmp_path) as session:
        session.do("edit", [BO])
        for n in range(90):
            session.write(f"Line {n}", "bo" if n % 4 == 0 else "kara")
            if n % 5 == 0:
                play(session, "adventure/face_danger", using="edge", dice=DICE)
            if n % 7 == 0:
                session.undo()
            if n % 14 == 0:
                session.redo()
            if n % 6 == 0:
                play(session, "story/scene", title=f"Scene {n}")
            if n % 9 == 0:
                journal.edit(session, next(journal.lines(session, session.history)), f"Edited {n}")
            if n % 11 == 0:
                journal.strike(session, next(journal.lines(session, session.history)))
            if n % 15 == 14:
                play(session, "story/session")
        path = session.save.real
        session.close()
        again = open_session(path)
        again.write("The newest")
        assert again.log.upto > 60
        yield again
        again.close()


def everything(session: Session) -> list[journal.JournalLine]:
    return list(journal.lines(session, session.history))[::-1]


def told(moments: Iterator[Moment]) -> list[str]:
    return [moment.line.heading or moment.line.text or moment.line.name for moment in moments]


def test_chronicle_of_a_long_campaign_equals_the_journal_backwards(long: Session) -> None:
    moments = list(chronicle(long, Selection(undone=True, unfinished=True)))
    assert [moment.line for moment in moments] == everything(long)


def test_chronicle_latest_session_of_a_long_campaign_is_the_end_of_the_whole(long: Session) -> None:
    whole = list(chronicle(long))
    assert list(chronicle(long, select(long, "last"))) == [one for one in whole if one.session == 7]
    assert whole[-1].session == long.state["session"] == 7


def test_chronicle_sessions_from_before_the_snapshot_begin_with_their_heading(long: Session) -> None:
    moments = list(chronicle(long, select(long, "2-3")))
    assert [moment.line.heading for moment in moments if moment.begins_session] == ["Session 2", "Session 3"]
    assert moments[0].begins_session
    assert moments[0].scene == ""
    assert {moment.session for moment in moments} == {2, 3}
    assert next(moment.scene for moment in moments if moment.begins_scene) == "Edited 18"


def test_chronicle_since_an_entry_of_the_file_begins_with_it(long: Session) -> None:
    later = long.history.later(long.history.marked())
    ids = [entry["id"] for entry, _ in long.history.oldest_first(later)]
    assert len(ids) == len(set(ids)) == len(list(long.history))
    for since in (ids[0], ids[1], ids[30], ids[-10], ids[-1]):
        assert [entry["id"] for entry, _ in long.history.oldest_first(later, since)] == ids[ids.index(since) :]


def test_chronicle_tells_its_progress(long: Session) -> None:
    steps: list[float] = []
    list(chronicle(long, step=steps.append))
    assert steps == sorted(steps)
    assert len(steps) > 3
    assert all(0 < step <= 1 for step in steps)


def test_chronicle_can_be_cancelled(long: Session) -> None:
    class Enough(Exception):
        pass

    def step(_: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        list(chronicle(long, step=step))


@pytest.mark.parametrize("named", [0, 1, 2])
def test_chronicle_undo_of_any_entry_of_an_old_procedure_hides_it(tmp_path: Path, named: int) -> None:
    """An undo may name the first, the middle or the last entry of a roll; two copies put together make such logs."""
    with short_memory(keep=2), campaign(tmp_path) as session:
        opened = session.do("adventure/face_danger", who="kara")
        opened["open"] = True
        held = session.put(
            session.new_entry(who="kara", did="adventure/face_danger", closes=opened["id"], open=True, text="held")
        )
        ended = session.put(
            session.new_entry(who="kara", did="adventure/face_danger", closes=held["id"], text="rolled")
        )
        session.put(session.new_entry(did="undo", undoes=(opened, held, ended)[named]["id"]))
        for n in range(30):
            session.write(f"Line {n}")
        path = session.save.real
        session.close()
        with_undone = Selection(undone=True)
        again = open_session(path, write=False)
        assert again.log.upto > 4
        assert "rolled" not in told(chronicle(again))
        assert [one.line.undone for one in chronicle(again, with_undone) if one.line.text == "rolled"] == [True]
        again.close()


def test_changes_lead_from_the_start_to_the_present_state(long: Session) -> None:
    """Only the edit of a scene's title changes the state without being an item."""
    state = None
    for _, changes in with_changes(long, Selection(undone=True, unfinished=True)):
        for before, after in changes:
            assert state is None or {**before, "scene": ""} == {**state, "scene": ""}
            state = after
    assert state == long.state


def test_changes_of_a_roll_in_two_entries_are_both_with_its_end(tmp_path: Path) -> None:
    with campaign(tmp_path) as session:
        opened = session.put(
            session.new_entry(
                who="kara", did="adventure/face_danger", open=True, effects=[{"at": "kara.health", "by": -1}]
            )
        )
        session.do("change", [{"at": "kara.spirit", "by": -1}], who="kara")
        effects = [{"at": "kara.momentum", "by": 1}]
        session.put(session.new_entry(who="kara", did="adventure/face_danger", closes=opened["id"], effects=effects))
        *_, (_, (first, second)) = with_changes(session)
        assert [one["party"]["kara"]["health"] for one in first] == [5, 4]
        assert [one["party"]["kara"]["momentum"] for one in second] == [2, 3]
        assert second[1] == session.state


@pytest.mark.parametrize("keep", [2, 300])
def test_changes_of_a_roll_whose_end_is_undone_or_replaces_it_are_left_out(tmp_path: Path, keep: int) -> None:
    with short_memory(keep=keep), campaign(tmp_path) as session:
        for end in ({}, {"whole": True}):
            effects = [{"at": "kara.health", "by": -1}]
            opened = session.put(session.new_entry(who="kara", did="roll/action", open=True, effects=effects))
            effects = [{"at": "kara.spirit", "by": -1}]
            session.put(session.new_entry(who="kara", did="roll/action", closes=opened["id"], effects=effects, **end))
            if not end:
                session.undo()
        for n in range(20):
            session.write(f"Line {n}")
        path = session.save.real
    again = open_session(path, write=False)
    changes = [one for _, several in with_changes(again) for one in several]
    assert changes[-1][1] == again.state
    assert {after["party"]["kara"]["health"] for _, after in changes[2:]} == {5}
    again.close()


class TestNumbers:
    @pytest.fixture
    def table(self, tmp_path: Path) -> Iterator[Session]:
        with campaign(tmp_path) as session:
            yield session

    def test_undone_session_begins_nothing(self, table: Session) -> None:
        table.write("One")
        play(table, "story/session")
        table.undo()
        table.write("Still one")
        assert [one.session for one in chronicle(table)] == [1, 1, 1]

    def test_number_set_by_hand_is_counted_on_from(self, table: Session) -> None:
        table.write("Before")
        table.do("change", [{"at": "session", "to": 12}])
        table.write("Twelve")
        play(table, "story/session")
        table.write("Thirteen")
        assert [(one.session, one.line.text) for one in chronicle(table) if one.line.text] == [
            (1, "Before"),
            (12, "Twelve"),
            (13, "Thirteen"),
        ]
        assert told(chronicle(table, select(table, "last"))) == ["Session 13", "Thirteen"]
        assert told(chronicle(table, select(table, "12")))[-1] == "Twelve"

    def test_number_set_too_high_is_kept_in_range(self, table: Session) -> None:
        table.do("change", [{"at": "session", "by": 10**8}])
        table.write("Far")
        assert [one.session for one in chronicle(table)][-1] == HIGHEST == table.state["session"]

    def test_crossed_out_heading_still_begins_its_session(self, table: Session) -> None:
        play(table, "story/session")
        journal.strike(table, everything(table)[-1])
        table.write("Two")
        assert [one.session for one in chronicle(table, Selection(struck=False))][-1] == 2

    def test_renamed_scene_gives_its_new_name(self, table: Session) -> None:
        play(table, "story/scene", title="The frod")
        journal.edit(table, everything(table)[-1], "The ford")
        table.write("Rain.")
        assert list(chronicle(table))[-1].scene == "The ford"

    def test_new_session_has_no_scene_yet(self, table: Session) -> None:
        play(table, "story/scene", title="The ford")
        play(table, "story/session")
        table.write("Rain.")
        assert list(chronicle(table))[-1].scene == ""


class TestSelections:
    @pytest.fixture
    def table(self, tmp_path: Path) -> Iterator[Session]:
        with campaign(tmp_path) as session:
            session.do("edit", [BO])
            session.write("By Kara", "kara")
            session.write("By Bo", "bo")
            play(session, "adventure/face_danger", using="edge", dice=DICE)
            session.do("change", [{"at": "kara.health", "by": -1}], who="kara")
            session.do("change", [{"at": "kara.health", "by": -1}], who="kara")
            session.do("change", [{"at": "bo.health", "by": -1}], who="bo")
            play(session, "notes/make", name="Tayla", kind="person", text="")
            play(session, "fate/ask_the_oracle", choose=["yes_no"], odds="likely", dice={"oracle": 90})
            run = session.begin("adventure/face_danger", "kara", [("using", "edge")])
            session.rolled(run, DICE)
            yield session

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ({"kinds": ["story"]}, ["By Kara", "By Bo"]),
            ({"kinds": ["oracle", "note"]}, ["Make a note", "Ask the Oracle"]),
            ({"kinds": ["move"]}, ["Face Danger"]),
            ({"kinds": ["move"], "unfinished": True}, ["Face Danger", "Face Danger"]),
            ({"characters": ["b"], "kinds": ["story", "move"]}, ["By Bo"]),
        ],
    )
    def test_selection_takes_what_was_asked_for(self, table: Session, wanted: dict[str, Any], found: list[str]) -> None:
        assert told(chronicle(table, select(table, **wanted))) == found

    def test_roll_outside_a_move_is_a_move_and_no_change(self, table: Session) -> None:
        table.undo()
        play(table, "roll/action", using="edge", dice=DICE)
        assert told(chronicle(table, select(table, kinds=["move"])))[-1] == "Action roll"

    def test_changes_by_hand_in_a_row_are_joined(self, table: Session) -> None:
        hand = [one.line for one in joined(chronicle(table, select(table, kinds=["change"])))]
        assert [line.phrases for line in hand][-2:] == [["health 5 → 3"], ["health 5 → 4"]]

    @pytest.mark.parametrize("sessions", ["2", "0", "3-1", "one", "1-", "-1", "1-2-3", "99999", "１"])
    def test_unknown_session_is_refused(self, table: Session, sessions: str) -> None:
        with pytest.raises(Refused, match=r"isn't a session|wrong order|no session"):
            select(table, sessions)

    def test_unknown_character_or_kind_is_refused_with_the_known_ones(self, table: Session) -> None:
        with pytest.raises(Refused, match="choose from: Kara, Bo"):
            select(table, characters=["Zed"])
        with pytest.raises(Refused, match="story, move, oracle, note, change"):
            select(table, kinds=["moves"])


def test_chronicle_of_a_damaged_save_tells_what_can_be_read(tmp_path: Path) -> None:
    with campaign(tmp_path) as session:
        for n in range(9):
            session.write(f"Line {n}")
        path = Path(session.save.real)
    path.write_bytes(path.read_bytes().replace(b'text = "Line 4"', b'text = "Line 4'))
    damaged = open_session(path, write=False)
    assert damaged.save.read.bad
    assert [one for one in told(chronicle(damaged)) if one.startswith("Line")] == [
        f"Line {n}" for n in range(9) if n != 4
    ]
    damaged.close()
