"""A session of many entries keeps only the newest of them in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.playing import campaign, open_session, play, short_memory

from tracker.campaign import log, session
from tracker.campaign.session import Session

DICE = {"action": 6, "challenge": [1, 2]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    with short_memory(keep=6), campaign(tmp_path) as opened:
        yield opened


def play_on(table: Session, count: int) -> None:
    """Play lines, moves and undos, each durable before the next."""
    for n in range(count):
        table.write(f"Line {n}")
        if n % 4 == 0:
            play(table, "adventure/face_danger", using="edge", dice=DICE)
        if n % 6 == 0:
            table.undo()
        table.settle()


class TestLongSession:
    def test_memory_holds_only_entries_after_the_base(self, table: Session) -> None:
        play_on(table, 100)
        assert table.save.count > 150
        assert len(table.log.entries) <= 2 * (log.KEEP + session.COMPACT_AFTER)
        assert len(table.save.blocks) <= 2 * (log.KEEP + session.COMPACT_AFTER)

    def test_state_is_that_of_reading_the_file(self, table: Session) -> None:
        play_on(table, 60)
        again = open_session(table.save.real, write=False)
        assert again.state == table.state
        again.close()

    def test_undo_reaches_entries_that_left_the_memory(self, table: Session) -> None:
        table.do("change", [{"at": "kara.edge", "by": 1}])
        changed = table.log.entries[-1]["id"]
        play_on(table, 60)
        assert changed not in {entry["id"] for entry in table.log.entries}
        edge = table.state["party"]["kara"]["edge"]
        table.undo(changed)
        assert table.state["party"]["kara"]["edge"] == edge - 1

    def test_undo_after_undo_reaches_the_first_entry(self, table: Session) -> None:
        play_on(table, 40)
        while table.undo():
            pass
        assert not table.state["party"]

    def test_open_roll_stays_in_memory_until_it_is_finished(self, table: Session) -> None:
        run = table.begin("adventure/face_danger", "kara", [("using", "edge")])
        table.rolled(run, DICE)
        for n in range(60):
            table.write(f"Line {n}")
            table.settle()
        run = table.resume(run.opened)
        assert table.finish(run)["closes"] in {entry["id"] for entry in table.log.entries}

    def test_redo_of_an_open_roll_before_the_base_can_be_finished(self, table: Session) -> None:
        run = table.begin("adventure/face_danger", "kara", [("using", "edge")])
        table.rolled(run, DICE)
        opened = run.opened
        undo = table.undo()
        assert undo
        for n in range(14):  # the file is tidied with the roll before its base, and the log still holds it
            table.write(f"Line {n}")
        table.settle()
        table.redo(undo["id"])
        table.finish(table.resume(opened))
        before = table.state
        for n in range(60):
            table.write(f"Line {n}")
            table.settle()
        assert table.state == before
        again = open_session(table.save.real, write=False)
        assert again.state == before
        again.close()
