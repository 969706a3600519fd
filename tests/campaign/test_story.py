"""The journal as it reads: edits, strikes and headings are entries, and the log underneath stays as it was."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.campaign.playing import BO, campaign, open_session, play, short_memory

from tracker.campaign import journal
from tracker.campaign.journal import JournalLine, is_session_due, join_changes, undone
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with campaign(tmp_path) as session:
        yield session


def told(table: Session) -> list[JournalLine]:
    """Return the texts of the journal, newest last."""
    return list(journal.story(table))[::-1]


def texts(table: Session) -> list[str]:
    return [item.text for item in told(table) if item.text]


def test_sentence_of_a_move_without_a_roll_names_its_track_once(table: Session) -> None:
    play(table, "quest/reach_a_milestone")
    assert told(table)[-1].sentence() == "Reach a Milestone, The oath: progress 0 → 2"


class TestEditing:
    def test_edit_changes_how_a_line_reads_and_keeps_the_line(self, table: Session) -> None:
        line = table.write("The frod.")
        table.write("Rain.")
        journal.edit(table, told(table)[-2], "The ford.")
        assert texts(table) == ["The ford.", "Rain."]
        assert line in table.log.entries
        assert line["text"] == "The frod."

    def test_undone_edit_gives_the_old_words_back(self, table: Session) -> None:
        table.write("The frod.")
        journal.edit(table, told(table)[-1], "The fort.")
        journal.edit(table, told(table)[-1], "The ford.")
        entry = table.undo()
        assert entry is not None
        assert undone(table, entry) == "The ford."
        assert texts(table) == ["The fort."]
        table.undo()
        assert texts(table) == ["The frod."]
        table.redo()
        assert texts(table) == ["The fort."]

    def test_same_words_are_no_edit(self, table: Session) -> None:
        table.write("Rain.")
        before = len(table.log.entries)
        assert journal.edit(table, told(table)[-1], " Rain. ") is None
        assert len(table.log.entries) == before

    def test_line_cannot_be_emptied_but_a_note_can(self, table: Session) -> None:
        table.write("Rain.")
        with pytest.raises(Refused, match="cross it out instead"):
            journal.edit(table, told(table)[-1], "  ")
        play(table, "adventure/face_danger", using="edge", dice={"action": 4, "challenge": [2, 3]})
        journal.edit(table, told(table)[-1], "Over the wall.")
        assert told(table)[-1].text == "Over the wall."
        journal.edit(table, told(table)[-1], "")
        assert told(table)[-1].text == ""

    def test_too_long_text_is_refused(self, table: Session) -> None:
        table.write("Rain.")
        with pytest.raises(Refused, match="1,000,000"):
            journal.edit(table, told(table)[-1], "x" * 1_000_001)

    def test_edit_before_the_snapshot_holds_after_a_restart(self, tmp_path: Path) -> None:
        with short_memory(keep=4), campaign(tmp_path) as table:
            table.write("The frod.")
            for n in range(40):
                table.write(f"Line {n}")
            old = told(table)[1]
            journal.edit(table, old, "The ford.")
            journal.strike(table, told(table)[5])
            for n in range(40, 60):
                table.write(f"Line {n}")
            table.settle()
            path = table.save.real
        again = open_session(path)
        assert again.log.upto
        read = told(again)
        assert read[1].text == "The ford."
        assert [item.text for item in read if item.struck] == ["Line 3"]
        again.close()


class TestStriking:
    def test_struck_line_can_be_restored_and_its_effects_always_count(self, table: Session) -> None:
        table.do("change", [{"at": "kara.health", "by": -1}], who="kara")
        journal.strike(table, told(table)[-1])
        assert told(table)[-1].struck
        assert table.state["party"]["kara"]["health"] == 4
        journal.strike(table, told(table)[-1])
        assert not told(table)[-1].struck
        table.undo()
        assert told(table)[-1].struck

    def test_struck_change_does_not_join_its_neighbors(self, table: Session) -> None:
        for _ in range(3):
            table.do("change", [{"at": "kara.xp", "by": 1}], who="kara")
        assert len(told(table)[-1].changes) == 3
        journal.strike(table, told(table)[-1])
        assert [len(item.changes) for item in told(table)[-2:]] == [2, 1]

    def test_struck_changes_among_many_are_left_out_of_the_joined_line(self, table: Session) -> None:
        before = len(told(table))
        for _ in range(2 * journal.JOINED + 3):
            table.do("change", [{"at": "kara.xp", "by": 1}], who="kara")
        assert [len(item.changes) for item in told(table)[before:]] == [3, journal.JOINED, journal.JOINED]


class TestScenes:
    def test_scene_has_a_title_in_the_state_and_in_the_journal(self, table: Session) -> None:
        play(table, "story/scene", "", title="The ford")
        assert table.state["scene"] == "The ford"
        assert told(table)[-1].heading == "The ford"
        play(table, "story/scene", "", title="The mill")
        table.undo()
        assert table.state["scene"] == "The ford"

    def test_sessions_are_counted(self, table: Session) -> None:
        play(table, "story/session", "")
        play(table, "story/session", "")
        assert [item.heading for item in told(table) if item.heading] == ["Session 2", "Session 3"]
        assert table.state["session"] == 3

    def test_scene_can_begin_while_a_roll_is_unfinished(self, table: Session) -> None:
        run = table.begin("adventure/face_danger", "kara", [("using", "edge")])
        table.rolled(run, {"action": 1, "challenge": [10, 9]})
        play(table, "story/scene", "", title="The ford")
        assert table.state["scene"] == "The ford"

    def test_edited_title_of_the_present_scene_changes_in_the_state_too(self, table: Session) -> None:
        play(table, "story/scene", "", title="The frod")
        journal.edit(table, told(table)[-1], "The ford")
        assert (told(table)[-1].heading, table.state["scene"]) == ("The ford", "The ford")
        play(table, "story/scene", "", title="The mill")
        journal.edit(table, told(table)[-2], "A ford")
        assert [item.heading for item in told(table)[-2:]] == ["A ford", "The mill"]
        assert table.state["scene"] == "The mill"
        with pytest.raises(Refused, match="empty"):
            journal.edit(table, told(table)[-1], "")

    def test_older_scene_of_the_same_title_changes_alone(self, table: Session) -> None:
        for title in ("The inn", "The road", "The inn"):
            play(table, "story/scene", "", title=title)
        journal.edit(table, told(table)[-3], "The old inn")
        assert [item.heading for item in told(table)[-3:]] == ["The old inn", "The road", "The inn"]
        assert table.state["scene"] == "The inn"


class TestNewSessionOffer:
    def test_session_is_offered_only_hours_after_the_last_play(self, table: Session) -> None:
        assert not is_session_due(table)
        table.log.entries[-1]["at"] = datetime.now(UTC) - timedelta(hours=5)
        assert not is_session_due(table)
        table.log.entries[-1]["at"] = datetime.now(UTC) - timedelta(hours=7)
        assert is_session_due(table)
        play(table, "story/session", "")
        table.log.entries[-1]["at"] = datetime.now(UTC) - timedelta(hours=7)
        assert not is_session_due(table)

    def test_time_without_a_zone_or_none_at_all_is_no_trouble(self, table: Session) -> None:
        table.log.entries[-1]["at"] = datetime(2020, 1, 1, 12)
        assert is_session_due(table)
        del table.log.entries[-1]["at"]
        assert not is_session_due(table)


class TestUnreadableFile:
    def test_unreadable_file_is_reported_once(self, table: Session) -> None:
        table.settle()
        path = Path(table.save.real)
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        for _ in range(3):
            assert not table.refresh()
        assert len(table.notes) == 1
        path.write_bytes(whole)
        assert table.refresh()


def test_two_at_the_table_do_not_join_their_changes(table: Session) -> None:
    table.do("edit", [BO])
    table.do("change", [{"at": "kara.xp", "by": 1}], who="kara")
    table.do("change", [{"at": "bo.xp", "by": 1}], who="bo")
    assert [len(item.changes) for item in told(table)[-2:]] == [1, 1]


class TestJoinedChanges:
    def test_changes_of_the_same_number_are_told_once(self) -> None:
        steps = ["experience 1 → 2", "experience 2 → 3", "experience 3 → 7"]
        assert join_changes(steps) == ["experience 1 → 7"]
        assert join_changes(["Storm 1 → 2 of 6", "Storm 2 → 3 of 6"]) == ["Storm 1 → 3 of 6"]

    def test_changes_of_different_things_are_not_joined(self) -> None:
        steps = [
            "health 5 → 4",
            "spirit 4 → 3",
            "health 4 → 3",
            "wounded marked",
            "Storm 2 → 3 of 6",
            "Storm 3 → 4 of 8",
        ]
        assert join_changes(steps) == ["health 5 → 3", *steps[1:2], *steps[3:]]

    def test_change_and_its_reversal_are_one_phrase(self) -> None:
        there_and_back = ["health 5 → 4", "health 4 → 5"]
        assert join_changes(there_and_back) == ["health 5 → 4 → 5"]
        assert join_changes([*there_and_back, "spirit 3 → 2", "health 5 → 3"]) == ["health 5 → 3", "spirit 3 → 2"]
        assert join_changes(["Storm 2 → 3 of 6", "Storm 3 → 2 of 6"]) == ["Storm 2 → 3 → 2 of 6"]
