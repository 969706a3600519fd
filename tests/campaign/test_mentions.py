"""World notes in the journal of a campaign, most of which lies before the snapshot."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.playing import campaign, open_session, play, short_memory

from tracker.campaign import journal, mentions
from tracker.campaign.session import Session
from tracker.games.api.prompts import Roll
from tracker.games.api.view import Start
from tracker.games.common.notes import MAKE, Mention


def note(session: Session, name: str, kind: str = "person") -> str:
    run = session.begin(MAKE, "", (("name", name), ("kind", kind), ("text", "")))
    session.finish(run)
    return str(next(reversed(session.state["notes"])))


def texts(session: Session, ident: str) -> list[str]:
    return [one.text or one.sentence() for found in mentions.lines_about(session, ident) for one in found]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with short_memory(keep=6), campaign(tmp_path) as session:
        session.write("Before the note: @tayla.")
        note(session, "Tayla")
        for n in range(60):
            session.write(f"Line {n}" + (" with @Tayla" if n % 20 == 0 else ""))
        path = session.save.real
        session.close()
        again = open_session(path)
        assert again.log.upto > 40
        yield again
        again.close()


class TestLinesAbout:
    def test_lines_of_any_age_are_found_newest_first(self, table: Session) -> None:
        table.write("Tayla again")
        assert texts(table, "tayla") == [
            "Tayla again",
            "Line 40 with @Tayla",
            "Line 20 with @Tayla",
            "Line 0 with @Tayla",
            "Before the note: @tayla.",
        ]

    def test_renamed_note_keeps_its_lines(self, table: Session) -> None:
        table.finish(table.begin("notes/rename", "", (("note", "tayla"), ("name", "The Smith"))))
        table.write("@the_smith speaks")
        assert texts(table, "tayla")[:2] == ["@the_smith speaks", "Line 40 with @Tayla"]

    def test_undone_rename_restores_the_name(self, table: Session) -> None:
        table.finish(table.begin("notes/rename", "", (("note", "tayla"), ("name", "The Smith"))))
        table.undo()
        assert table.state["notes"]["tayla"]["name"] == "Tayla"
        assert table.state["notes"]["tayla"]["former"] == {}

    def test_line_edited_to_a_mention_is_found(self, table: Session) -> None:
        old = next(one for one in journal.lines(table, table.history) if one.text == "Line 3")
        journal.edit(table, old, "Line 3 by @tayla")
        assert "Line 3 by @tayla" in texts(table, "tayla")

    def test_line_edited_away_is_not_found(self, table: Session) -> None:
        old = next(one for one in journal.lines(table, table.history) if one.text == "Line 20 with @Tayla")
        journal.edit(table, old, "Line 20 alone")
        assert "Line 20 with @Tayla" not in texts(table, "tayla")

    def test_undone_line_says_so(self, table: Session) -> None:
        table.write("@Tayla leaves")
        table.undo()
        (first, *_) = (one for found in mentions.lines_about(table, "tayla") for one in found)
        assert (first.text, first.status) == ("@Tayla leaves", "undone")

    def test_longer_name_takes_its_lines(self, table: Session) -> None:
        note(table, "Tayla Reed")
        table.write("@Tayla Reed")
        assert texts(table, "tayla_reed") == ["@Tayla Reed"]
        assert "@Tayla Reed" not in texts(table, "tayla")

    def test_deleted_note_has_no_lines(self, table: Session) -> None:
        assert texts(table, "nobody") == []

    def test_move_that_names_the_note_is_found(self, table: Session) -> None:
        play(table, "sheet/bond", **{"with": "Tayla", "note": ""})
        assert "Tayla" in texts(table, "tayla")[0]


class TestLatest:
    def test_newest_text_decides(self, table: Session) -> None:
        table.write("@Bran and @Tayla and @Odd")
        found = mentions.latest(table)
        assert found == [Mention("Bran", ""), Mention("Tayla", "tayla"), Mention("Odd", "")]

    def test_notice_names_linked_notes_and_the_way_to_make_others(self, table: Session) -> None:
        said = mentions.notice(table, "@Bran and @tayla and @Odd", "note {}".format)
        assert said == "Linked: Tayla. No note on Bran or Odd yet: note Bran makes one."

    def test_notice_of_a_text_without_mentions_is_empty(self, table: Session) -> None:
        assert mentions.notice(table, "Tayla sleeps.", str) == ""

    def test_new_note_takes_the_first_unknown_name_then_the_next(self, table: Session) -> None:
        table.write("@Bran and @Tayla and @Odd")
        assert mentions.new_note(table) == Start(MAKE, (("name", "Bran"),))
        note(table, "Bran")
        assert mentions.new_note(table) == Start(MAKE, (("name", "Odd"),))

    def test_line_without_a_mention_ends_the_offer(self, table: Session) -> None:
        table.write("@Bran")
        table.write("Nobody.")
        assert mentions.new_note(table) == Start(MAKE)

    def test_undone_line_offers_nothing(self, table: Session) -> None:
        table.write("@Bran")
        table.undo()
        assert mentions.new_note(table) == Start(MAKE)


class TestNoteOfAnswer:
    def test_missing_answer_gives_no_note(self, table: Session) -> None:
        assert mentions.note_of_answer(table) is None

    def test_rolled_name_becomes_the_name(self, table: Session) -> None:
        run = table.begin("fate/ask_the_oracle", "kara", (("choose", ["spark"]), ("tables", ["name_hill"])))
        while isinstance(run.prompt, Roll):
            table.rolled(run, dict.fromkeys(run.prompt.dice, 1))
        entry = table.finish(run)
        start = mentions.note_of_answer(table, entry)
        assert start
        assert dict(start.answers)["name"] == entry["facts"]["told"]

    def test_oracle_answer_becomes_the_text_of_the_note(self, table: Session) -> None:
        play(
            table, "fate/ask_the_oracle", choose=["yes_no"], odds="likely", question="Is she home?", dice={"oracle": 90}
        )
        start = mentions.note_of_answer(table)
        assert start
        words = dict(start.answers)["text"]
        assert "Is she home?" in words
        assert "yes" in words
        run = table.begin(start.procedure, "", (*start.answers, ("name", "Home"), ("kind", "place")))
        assert table.finish(run)
        assert table.state["notes"]["home"]["text"] == words
