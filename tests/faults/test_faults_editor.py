"""Another program changes the save while we have it open: it is noticed, never overwritten, and ours comes after."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import FailingDisk, QuickDisk

from tracker.campaign import session
from tracker.campaign.session import Session, Tail
from tracker.saves.compaction import backups

ADDED = b"""
[[entry]]
text = "Written in an editor."
effects = [{ at = "supply", by = -1 }]
"""


def by_rename(path: str, data: bytes) -> None:
    campaign.put_raw(path + "~", data)
    os.replace(path + "~", path)


def in_place(path: str, data: bytes) -> None:
    with open(path, "r+b") as file:
        file.truncate()
        file.write(data)


EDITORS = pytest.mark.parametrize("editor", [by_rename, in_place])
Editor = Callable[[str, bytes], None]


@pytest.fixture
def disk() -> FailingDisk:
    return FailingDisk(errno.ENOSPC, lambda name, number: False)


@pytest.fixture
def table(save: str, disk: FailingDisk) -> Session:
    table = Session.open(save, disk=disk)
    campaign.play_saved(table, 7)
    return table


def texts(path: str) -> list[str]:
    return [block.entry.get("text", "") for block in campaign.contents(path).blocks]


def assert_taken_in(table: Session, save: str, ours: str) -> None:
    """Assert that the editor's text is in the save and counts, that our entries follow it, and that a note says so."""
    assert table.settle().word == "saved"
    assert "Written in an editor." in texts(save)
    assert campaign.ids(save)[-1] == ours
    assert any("Another program" in note for note in table.notes)
    assert table.state == campaign.folded(save)
    assert table.state["supply"] == 4
    assert table.close().word == "saved"
    campaign.assert_whole(save, [ours])
    assert "Written in an editor." in texts(save)


class TestAddedEntry:
    @EDITORS
    def test_added_entry_is_noticed_at_our_next_entry(self, table: Session, save: str, editor: Editor) -> None:
        editor(save, campaign.raw(save) + ADDED)
        ours = table.write("Ours.")["id"]
        assert_taken_in(table, save, ours)

    @EDITORS
    def test_added_entry_is_noticed_at_the_end_of_a_session(self, table: Session, save: str, editor: Editor) -> None:
        edited = campaign.raw(save) + ADDED
        editor(save, edited)
        assert table.close().word == "saved"
        assert "Written in an editor." in texts(save)
        campaign.assert_whole(save, [])

    @EDITORS
    def test_added_entry_is_noticed_before_a_rewrite(self, table: Session, save: str, editor: Editor) -> None:
        editor(save, campaign.raw(save) + ADDED)
        table._tidy()
        ours = table.write("Ours.")["id"]
        assert_taken_in(table, save, ours)

    @EDITORS
    def test_added_entry_is_noticed_while_ours_cannot_be_written(
        self, table: Session, save: str, disk: FailingDisk, editor: Editor
    ) -> None:
        """The rest of our failed write must not be cut off from another program's file."""
        whole = campaign.raw(save)
        disk.when = lambda name, number: name in ("write", "truncate")
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        editor(save, whole + ADDED + b"# and a long comment" + b"." * 500 + b"\n")
        disk.heal()
        table.retry()
        assert_taken_in(table, save, ours)
        assert b"and a long comment" in campaign.raw(save)

    def test_added_entry_is_noticed_right_before_the_file_is_replaced(
        self, table: Session, save: str, disk: FailingDisk
    ) -> None:
        edited = campaign.raw(save) + ADDED

        def when(name: str, number: int) -> bool:
            if name == "link":
                disk.heal()
                by_rename(save, edited)
            return False

        table.write("Before.")
        table.settle()
        disk.when = when
        table._tidy()
        ours = table.write("Ours.")["id"]
        assert_taken_in(table, save, ours)

    def test_added_entry_is_noticed_right_before_our_write(self, table: Session, save: str, disk: FailingDisk) -> None:
        edited = campaign.raw(save) + ADDED

        def when(name: str, number: int) -> bool:
            if name == "write":
                disk.heal()
                by_rename(save, edited)
            return False

        disk.when = when
        ours = table.write("Ours.")["id"]
        assert_taken_in(table, save, ours)

    @pytest.mark.parametrize("by", ["writing anew", "appending"])
    def test_added_entry_is_noticed_in_the_middle_of_our_write(
        self, table: Session, save: str, disk: FailingDisk, by: str
    ) -> None:
        whole = campaign.raw(save)

        def when(name: str, number: int) -> bool:
            if name == "sync":
                disk.heal()
                in_place(save, (whole if by == "writing anew" else campaign.raw(save)) + ADDED)
            return False

        disk.when = when
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert {"Ours.", "Written in an editor."} <= set(texts(save))
        assert campaign.ids(save).count(ours) == 1
        assert table.state == campaign.folded(save)
        assert table.close().word == "saved"
        campaign.assert_whole(save, [ours])


class TestWaitingEntries:
    @EDITORS
    def test_waiting_entries_have_the_same_times_in_memory_and_in_the_file_after_a_refresh(
        self, table: Session, save: str, disk: FailingDisk, editor: Editor
    ) -> None:
        """Their bytes were made before the refresh gave them a new time: the order would differ after reopening."""
        later = campaign.ids(save)[-1].split(".")[0] + ".later"
        added = f'\n[[entry]]\nid = "{later}"\nt = 5000\ntext = "Far ahead."\n'
        disk.when = lambda name, number: name == "write"
        table.do("x", [{"at": "kara.momentum", "to": 9}])
        table.do("x", [{"at": "kara.momentum", "by": -1}])
        assert table.settle().word == "NOT SAVED"
        editor(save, campaign.raw(save) + added.encode() + b'effects = [{ at = "kara.momentum", to = 0 }]\n')
        disk.heal()
        table.retry()
        assert table.settle().word == "NOT SAVED"
        assert table.unmarked
        table.answer_tail(table.unmarked, "keep")
        assert table.settle().word == "saved"
        assert table.state["party"]["kara"]["momentum"] == 8
        in_memory = [(entry["t"], entry["id"]) for entry in table.log.entries][-3:]
        in_file = [(block.entry["t"], block.entry["id"]) for block in campaign.contents(save).blocks][-3:]
        assert in_file == in_memory
        assert in_file[0] == (5000, later)
        table._writer.close()
        table.save.close()
        assert campaign.folded(save) == table.state

    def test_waiting_entries_keep_times_that_are_late_enough(
        self, table: Session, save: str, disk: FailingDisk
    ) -> None:
        """The old file may hold them too: one id with two contents could not be put together any more."""
        edited = campaign.raw(save) + ADDED

        def when(name: str, number: int) -> bool:
            if name == "write":
                disk.heal()
                os.link(save, save + ".old")
                by_rename(save, edited)
            return False

        disk.when = when
        ours = table.write("Ours.")["id"]
        assert_taken_in(table, save, ours)
        old, new = (
            {block.entry["id"]: block.entry for block in campaign.contents(path).blocks}
            for path in (save + ".old", save)
        )
        assert old[ours] == new[ours]

    def test_waiting_entries_never_get_earlier_times_than_known_ones(self, table: Session, save: str) -> None:
        """An older version of the file was put back: what comes now still sorts after what was there."""
        older = campaign.raw(save)
        last = campaign.play_saved(table, 3, first=7)[-1]
        times = {entry["id"]: entry["t"] for entry in table.log.entries}
        in_place(save, older)
        ours = table.write("Ours.")
        assert table.settle().word == "saved"
        assert ours["t"] > times[last]
        table.close()


class TestChangedEntry:
    @EDITORS
    def test_changed_entry_is_believed(self, table: Session, save: str, editor: Editor) -> None:
        editor(save, campaign.raw(save).replace(b"Roll 3.", b"Not 3."))
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert "Not 3." in texts(save)
        assert "Roll 3." not in texts(save)
        assert campaign.ids(save)[-1] == ours
        assert table.close().word == "saved"

    @EDITORS
    def test_entry_changed_before_a_rewrite_is_part_of_it(self, table: Session, save: str, editor: Editor) -> None:
        """A snapshot planned before the change would make the old state permanent."""
        campaign.play_saved(table, 17, first=7)
        editor(save, campaign.raw(save).replace(b"by = 3", b"by = 1", 1))
        table._tidy()
        table.write("Ours.")
        assert table.settle().word == "saved"
        look = Session.open(save, write=False)
        look.close()
        assert look.state == campaign.folded(save)
        assert table.close().word == "saved"
        campaign.assert_whole(save, [])

    @EDITORS
    def test_entry_changed_into_nonsense_stops_writing_until_it_is_repaired(
        self, table: Session, save: str, editor: Editor
    ) -> None:
        good = campaign.raw(save)
        spoilt = good.replace(b'text = "Roll 3.', b'text = "Roll 3.\n')
        editor(save, spoilt)
        ours = table.write("Ours.")["id"]
        sign = table.settle()
        assert sign.word == "NOT SAVED"
        line = spoilt.count(b"\n", 0, spoilt.index(b"Roll 3.")) + 1
        assert f"line {line} " in sign.why
        assert campaign.raw(save) == spoilt
        editor(save, good)
        table.retry()
        assert table.settle().word == "saved"
        assert campaign.ids(save)[-1] == ours
        assert table.close().word == "saved"
        campaign.assert_whole(save, [ours])

    @EDITORS
    def test_changed_state_is_taken_once(self, save: str, editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
        """Also if we are killed before the head is written anew."""
        table = Session.open(save, disk=FailingDisk(errno.ENOSPC, lambda name, number: name in ("replace", "exchange")))
        monkeypatch.setattr(session, "COMPACT_AFTER", 1000)
        editor(save, campaign.raw(save).replace(b"supply = 5", b"supply = 3"))
        table.write("Ours.")
        assert table.settle().word == "saved"
        assert table.state["supply"] == 3
        table.do("x", [{"at": "supply", "by": -1}])
        assert table.settle().word == "saved"
        table._writer.close()
        table.save.close()
        again = Session.open(save)
        assert again.state["supply"] == 2
        again.close()


class TestUnfinishedWrite:
    def test_unfinished_write_is_not_truncated(self, table: Session, save: str) -> None:
        whole = campaign.raw(save)
        in_place(save, whole[: len(whole) - 20])
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        assert campaign.raw(save) == whole[: len(whole) - 20]
        assert campaign.torn_files(save) == []
        in_place(save, whole + ADDED)
        table.retry()
        assert_taken_in(table, save, ours)

    def test_empty_file_is_waited_for(self, table: Session, save: str) -> None:
        whole = campaign.raw(save)
        in_place(save, b"")
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        assert campaign.raw(save) == b""
        in_place(save, whole + ADDED)
        table.retry()
        assert_taken_in(table, save, ours)


class TestTruncatedCopy:
    """A sync program copied the file in the middle of another tracker's write, or that tracker was killed in it."""

    @pytest.fixture
    def copies(self, table: Session, save: str, tmp_path: Path) -> tuple[bytes, bytes]:
        """The file with one more entry, and the same without the last lines of that entry, which still reads as one."""
        campaign.put_raw(str(tmp_path / "elsewhere.toml"), campaign.raw(save))
        elsewhere = Session.open(str(tmp_path / "elsewhere.toml"), disk=QuickDisk())
        elsewhere.do("x", [{"at": "supply", "by": -1}], text="Written in an editor.")
        assert elsewhere.settle().word == "saved"
        elsewhere._writer.close()
        elsewhere.save.close()
        full = campaign.raw(elsewhere.save.path)
        return full, full[: full.rindex(b"effects = ")]

    @EDITORS
    def test_truncated_copy_waits_for_the_rest(
        self, table: Session, save: str, copies: tuple[bytes, bytes], editor: Editor
    ) -> None:
        full, half = copies
        editor(save, half)
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        assert "without its end mark" in table.sign.why
        assert table.unmarked
        table.retry()
        assert table.settle().word == "NOT SAVED"
        assert campaign.raw(save) == half
        assert campaign.torn_files(save) == []
        editor(save, full)
        table.retry()
        assert table.unmarked is None
        assert_taken_in(table, save, ours)

    @EDITORS
    def test_truncated_entry_is_set_aside_on_request_and_taken_when_complete(
        self, table: Session, save: str, copies: tuple[bytes, bytes], editor: Editor
    ) -> None:
        full, half = copies
        editor(save, half)
        ours = table.write("Ours.")["id"]
        table.settle()
        assert table.unmarked
        table.answer_tail(table.unmarked, "aside")
        assert table.settle().word == "saved"
        assert table.state["supply"] == 5
        (aside,) = campaign.torn_files(save)
        assert half.endswith(campaign.raw(aside))
        editor(save, full)
        later = table.write("Later.")["id"]
        assert_taken_in(table, save, later)
        assert ours in campaign.ids(save)

    @EDITORS
    def test_truncated_entry_is_kept_on_request(
        self, table: Session, save: str, copies: tuple[bytes, bytes], editor: Editor
    ) -> None:
        editor(save, copies[1] + b'text = "By hand."\n')
        ours = table.write("Ours.")["id"]
        table.settle()
        assert table.unmarked
        table.answer_tail(table.unmarked, "keep")
        assert table.settle().word == "saved"
        assert texts(save)[-2:] == ["By hand.", "Ours."]
        assert campaign.torn_files(save) == []
        assert table.close().word == "saved"
        campaign.assert_whole(save, [ours])

    @pytest.mark.parametrize("answer", ["keep", "aside"])
    def test_truncated_entry_that_changed_before_the_answer_is_asked_about_again(
        self, table: Session, save: str, copies: tuple[bytes, bytes], answer: Tail
    ) -> None:
        full, half = copies
        in_place(save, half)
        table.write("Ours.")
        table.settle()
        question = table.unmarked
        assert question
        grown = full[: full.rindex(b"text = ")]
        in_place(save, grown)
        table.answer_tail(question, answer)
        assert table.settle().word == "NOT SAVED"
        assert campaign.raw(save) == grown
        assert table.unmarked
        assert table.unmarked.tail != question.tail
        table.answer_tail(table.unmarked, "keep")
        assert table.settle().word == "saved"
        assert table.state["supply"] == 4
        table.close()

    @pytest.mark.parametrize("tidied", [False, True])
    def test_truncated_entry_does_not_replace_one_saved_here(self, table: Session, save: str, tidied: bool) -> None:
        """The copy is one of our own file, from before that entry was complete, with another snapshot if `tidied`."""
        campaign.play_saved(table, 17, first=7)
        saved = [table.do("x", [{"at": "supply", "by": -1}])["id"]]
        assert table.settle().word == "saved"
        older = campaign.raw(save)
        if tidied:
            saved += campaign.play_saved(table, 10)
        by_rename(save, older[: older.rindex(b"effects = ")])
        saved.append(table.write("Ours.")["id"])
        assert table.settle().word == "NOT SAVED"
        assert table.unmarked
        table.answer_tail(table.unmarked, "aside")
        assert table.settle().word == "saved"
        assert table.state["supply"] == 4
        assert table.state == campaign.folded(save)
        assert table.close().word == "saved"
        campaign.assert_whole(save, saved)


class TestDeletedSave:
    def test_deleted_save_is_reported_and_the_change_waits(self, table: Session, save: str) -> None:
        kept = campaign.raw(save)
        os.unlink(save)
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        assert "gone" in table.sign.why
        assert not os.path.exists(save)
        campaign.put_raw(save, kept)
        table.retry()
        assert table.settle().word == "saved"
        assert campaign.ids(save)[-1] == ours
        assert table.close().word == "saved"

    def test_deleted_save_has_left_a_backup(self, table: Session, save: str) -> None:
        os.unlink(save)
        table.write("Ours.")
        assert table.close().word == "NOT SAVED"
        (kept,) = backups(save)[-1:]
        assert len(campaign.ids(kept)) >= 5
        assert campaign.contents(kept).bad == []


def test_backup_has_what_the_editor_wrote(table: Session, save: str) -> None:
    edited = campaign.raw(save) + b"# a word from the editor\n" + ADDED
    by_rename(save, edited)
    table.write("Ours.")
    assert table.settle().word == "saved"
    assert table.close().word == "saved"
    assert campaign.raw(backups(save)[-1]).startswith(edited)
    assert b"# a word from the editor\n" in campaign.raw(save)


class TestOpening:
    def test_opening_reads_the_file_that_it_will_write(self, save: str) -> None:
        """Another file takes its name between reading and locking."""
        edited = campaign.raw(save) + ADDED

        class Slow(QuickDisk):
            def open(self, path: str, flags: int, mode: int = 0o644) -> int:
                fd = super().open(path, flags, mode)
                if path == save and os.path.getsize(save) != len(edited):
                    by_rename(save, edited)
                return fd

        table = Session.open(save, disk=Slow())
        ours = table.write("Ours.")["id"]
        assert_taken_in(table, save, ours)

    @pytest.mark.parametrize("tidied", [False, True])
    def test_opening_keeps_comments_byte_for_byte(self, save: str, tidied: bool) -> None:
        """A comment without its line end belongs to the next block, before and behind a compaction."""
        campaign.put_raw(save, campaign.raw(save) + b"# remember the well")
        table = Session.open(save, disk=QuickDisk())
        if tidied:
            table._tidy()
        table.write("Ours.")
        assert table.settle().word == "saved"
        table._writer.close()
        table.save.close()
        found = campaign.contents(save)
        assert found.notes == []
        assert b"# remember the well\n" in campaign.raw(save)
