"""Copies of a campaign that were played apart and put together, and logs from which entries were deleted by hand."""

import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from tests.campaign.playing import (
    adds_up_to,
    campaign,
    open_session,
    opened_state,
    short_memory,
    whole_blocks,
    whole_file,
)

from tracker import cli
from tracker.campaign.journal import lines
from tracker.campaign.log import Entry
from tracker.campaign.session import Session
from tracker.saves.blocks import mark
from tracker.saves.save import Save

WEAK = {"action": 4, "challenge": [1, 9]}
"""A weak hit for Kara with iron, after which Face Danger asks for a price."""


def leave_open(table: Session) -> str:
    """Roll Face Danger to a weak hit and leave it there; return the id of the open entry."""
    run = table.begin("adventure/face_danger", "kara", [("using", "iron")])
    table.rolled(run, WEAK)
    table.leave(run)
    return run.opened


def go_on(path: Path, ident: str, choice: str) -> Entry:
    """Open a copy, finish the roll there and close it; return the entry that finishes it."""
    table = open_session(path)
    run = table.resume(ident)
    run.answer([choice])
    entry = table.finish(run)
    assert table.close().word == "saved"
    return entry


def put_together(target: Path, *others: Path) -> None:
    """Do what a person does: paste the entries that this copy lacks at its end, with their end marks."""
    here = {entry["id"] for entry in whole_file(target)}
    with target.open("ab") as file:
        for other in others:
            for block in whole_blocks(other):
                if block.entry["id"] not in here:
                    here.add(block.entry["id"])
                    file.write(block.body + mark(block.number or 0, block.body))


def delete(path: Path, ident: str) -> None:
    """Do what a person does in an editor: delete one entry with its end mark."""
    block = rf'\n\[\[entry\]\]\nid = "{re.escape(ident)}"\n.*?\n#= [^\n]*\n'
    text, deleted = re.subn(block, "\n", path.read_text("utf-8"), flags=re.DOTALL)
    assert deleted == 1
    path.write_text(text, "utf-8")


@pytest.fixture
def opened(tmp_path: Path) -> str:
    """The roll that is unfinished in both copies, tale.toml and copy.toml."""
    with campaign(tmp_path) as table:
        opened = leave_open(table)
    shutil.copy(tmp_path / "tale.toml", tmp_path / "copy.toml")
    return opened


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return tmp_path / "tale.toml"


@pytest.fixture
def second(tmp_path: Path) -> Path:
    return tmp_path / "copy.toml"


@pytest.fixture
def two_endings(opened: str, first: Path, second: Path) -> tuple[Entry, Entry]:
    """The roll was finished in both copies, in `second` at a later time, and each has taken in the other's entries."""
    table = open_session(second)
    table.write("Somewhere else.")
    table.close()
    endings = go_on(first, opened, "supply"), go_on(second, opened, "momentum")
    put_together(first, second)
    put_together(second, first)
    return endings


class TestRollFinishedInTwoCopies:
    def test_first_ending_counts(self, two_endings: tuple[Entry, Entry], first: Path, second: Path) -> None:
        assert two_endings[0]["t"] < two_endings[1]["t"]
        for path in (first, second):
            state = opened_state(path)
            assert state["supply"] == 4
            assert state["party"]["kara"]["momentum"] == 2
            assert state == adds_up_to(whole_file(path))

    def test_second_ending_counts_when_it_is_appended(self, two_endings: tuple[Entry, Entry], first: Path) -> None:
        """The second ending replaces what the open entry did only if that ending counts."""
        table = open_session(first, write=False)
        table.close()
        later = {**two_endings[1], "id": "later.1", "t": two_endings[1]["t"] + 1, "whole": True}
        before = table.state
        table.log.append(later)
        assert table.state == before
        assert table.log.superseded(later)
        assert adds_up_to(table.log.entries) == before

    def test_entries_after_the_second_ending_do_not_count(self, opened: str, first: Path, second: Path) -> None:
        table = open_session(second)
        table.write("Somewhere else.")
        run = table.resume(opened)
        run.note = "A thought on the way."
        table.leave(run)
        again = run.opened
        table.close()
        go_on(first, opened, "supply")
        go_on(second, again, "momentum")
        put_together(first, second)
        with closing(open_session(first)) as table:
            assert [table.log.superseded(entry) for entry in table.log.entries][-2:] == [True, True]
            assert table.state == adds_up_to(table.log.entries)
            assert table.state["supply"] == 4
            assert list(table.log.open_runs()) == []

    def test_undo_takes_both_endings_as_one(self, two_endings: tuple[Entry, Entry], first: Path) -> None:
        """An undo may name either ending. A redo restores the one that counted, not the other."""
        for ending in two_endings:
            with closing(open_session(first)) as table:
                before = table.state
                undo = table.undo(ending["id"])
                assert undo
                assert table.state["supply"] == 5
                assert table.state["party"]["kara"]["momentum"] == 2
                assert table.history.undo_of(two_endings[0]) == table.history.undo_of(two_endings[1]) == undo["id"]
                assert table.redo(undo["id"])
                assert table.state == before

    def test_second_ending_is_passed_over_by_undo(self, two_endings: tuple[Entry, Entry], first: Path) -> None:
        """`u` undoes the newest entry that counts."""
        with closing(open_session(first)) as table:
            newest = table.log.to_undo()
            assert newest
            assert newest["id"] not in {ending["id"] for ending in two_endings[1:]}

    @pytest.mark.parametrize("keep", [1, 200], ids=["behind the base", "in memory"])
    def test_journal_shows_that_the_second_does_not_count(
        self, two_endings: tuple[Entry, Entry], first: Path, keep: int
    ) -> None:
        with short_memory(keep, compact_after=1), closing(open_session(first)) as table:
            for n in range(4):
                table.write(f"Line {n}.")
        with short_memory(keep), closing(open_session(first)) as table:
            assert bool(table.log.upto) == (keep == 1)
            told = {one.entry["id"]: one for one in lines(table, table.history)}
            assert not told[two_endings[0]["id"]].superseded
            assert told[two_endings[1]["id"]].superseded
            assert not told[two_endings[1]["id"]].undone

    def test_second_ending_behind_the_base_is_not_offered_for_undo(
        self, two_endings: tuple[Entry, Entry], first: Path
    ) -> None:
        with short_memory(1, compact_after=1), closing(open_session(first)) as table:
            line = table.write("A line.")
            table.undo(line["id"])
            wrote = table.undo(next(e["id"] for e in table.log.entries if e.get("text") == "Somewhere else."))
            assert wrote
        with closing(open_session(first)) as table:
            assert table.history.newest_to_undo() == two_endings[0]["id"]

    def test_check_and_log_name_the_second(
        self, two_endings: tuple[Entry, Entry], first: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        ids = [ending["id"] for ending in two_endings]
        assert cli.main(["check", str(first)]) == 0
        said = capsys.readouterr().out
        assert f"Entry {ids[1]} continues a roll that entry {ids[0]} already continues: it does not count." in said
        assert cli.main(["log", str(first), "--undone"]) == 0
        said = capsys.readouterr().out
        (line,) = [line for line in said.splitlines() if "does not count" in line]
        assert "Face Danger" in line

    def test_roll_left_open_in_one_copy_stays_open(self, opened: str, first: Path, second: Path) -> None:
        """One copy went one step further and left the roll open; the other, later, finished it."""
        table = open_session(first)
        run = table.resume(opened)
        run.note = "Let us see."
        table.leave(run)
        left = run.opened
        table.close()
        table = open_session(second)
        table.write("Somewhere else.")
        table.close()
        ending = go_on(second, opened, "momentum")
        put_together(first, second)
        with closing(open_session(first)) as table:
            assert table.log.superseded(ending)
            assert [entry["id"] for entry in table.log.open_runs()] == [left]
        last = go_on(first, left, "supply")
        assert "whole" not in last, "what is superseded is no part of what the roll has done so far"
        with closing(open_session(first)) as table:
            assert table.log.counts(last)
            assert table.state["supply"] == 4
            assert table.state == adds_up_to(table.log.entries)


class TestEntryDeletedByHand:
    @pytest.fixture
    def orphan(self, opened: str, first: Path) -> Entry:
        """The ending of a roll whose opening entry was deleted."""
        ending = go_on(first, opened, "supply")
        delete(first, opened)
        return ending

    def test_ending_without_its_opening_can_be_undone(self, orphan: Entry, first: Path) -> None:
        with closing(open_session(first)) as table:
            assert table.state["supply"] == 4
            undone = table.undo()
            assert undone
            assert undone["undoes"] == orphan["id"]
            assert table.state["supply"] == 5
            assert table.redo()
            assert table.state["supply"] == 4
            assert table.state == adds_up_to(table.log.entries)

    def test_campaign_with_such_an_ending_is_compacted_and_opened(self, orphan: Entry, first: Path) -> None:
        """With a snapshot before such an ending, every opening would read more; with one after it, none does."""
        with short_memory(3, compact_after=2):
            for n in range(6):
                with closing(open_session(first)) as table:
                    table.write(f"Line {n}.")
                    table.full_log_reader.whole()
                    assert table.state == adds_up_to(whole_file(first))
                    near = table.log.holds(orphan["id"])
                with closing(Save.open(str(first), write=False)) as save:
                    assert (save.head.base is None) == near
            with closing(open_session(first)) as table:
                assert table.log.upto > 0
                assert table.state["supply"] == 4

    def test_undo_entry_that_names_nothing_is_passed_over(self, first: Path, opened: str) -> None:
        """A person may write `did = "undo"` and nothing else."""
        with first.open("a", encoding="utf-8") as file:
            file.write('\n[[entry]]\ndid = "undo"\n')
        with closing(open_session(first)) as table:
            assert table.log.out_of_turn() is None
            assert table.redo() is None


def test_open_roll_that_a_redo_brings_back_stays_open_when_old_entries_are_dropped(tmp_path: Path) -> None:
    with campaign(tmp_path) as table:
        left = leave_open(table)
        undo = table.undo(left)
        assert undo
        for n in range(4):
            table.write(f"Line {n}")
        chosen = len(table.log.entries) - 2  # a rewrite that begins now takes these for its base
        assert table.redo(undo["id"])
        table.log.advance(chosen)
        assert [entry["id"] for entry in table.log.open_runs()] == [left]
