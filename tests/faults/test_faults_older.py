"""Another version takes the save's name while it is open: nothing that was called saved disappears."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable

import pytest
from tests.faults import campaign
from tests.faults.disks import FailingDisk, QuickDisk

from tracker.campaign.session import Session, new_campaign
from tracker.saves.compaction import BACKUPS, backups, kept_apart
from tracker.saves.errors import SaveError


def by_rename(path: str, data: bytes) -> None:
    campaign.put_raw(path + "~", data)
    os.replace(path + "~", path)


def in_place(path: str, data: bytes) -> None:
    with open(path, "r+b") as file:
        file.truncate()
        file.write(data)


Program = Callable[[str, bytes], None]
PROGRAMS = pytest.mark.parametrize("program", [by_rename, in_place])


@pytest.fixture
def table(save: str) -> Session:
    """A session with 40 saved entries, most of them before the snapshot."""
    table = Session.open(save, disk=QuickDisk())
    campaign.play_saved(table, 40)
    assert table.save.head.base
    assert table.save.head.base.upto > 20
    return table


def deleted(path: str) -> None:
    os.unlink(path)


def emptied(path: str) -> None:
    in_place(path, b"")


def emptied_by_rename(path: str) -> None:
    by_rename(path, b"")


def spoiled(path: str) -> None:
    in_place(path, b"<html>504 Gateway Time-out</html>\n")


def other_campaign(path: str) -> None:
    new_campaign(path + "~", campaign.GAME, QuickDisk())
    os.replace(path + "~", path)


WAYS = {
    deleted: "deleted",
    emptied: "emptied",
    emptied_by_rename: "emptied",
    spoiled: "damaged",
    other_campaign: "another campaign is there now",
}


@pytest.fixture
def target(save: str) -> str:
    return os.path.join(os.path.dirname(save), "a copy.toml")


@pytest.mark.parametrize(("lose", "how"), WAYS.items(), ids=[way.__name__ for way in WAYS])
class TestLostSave:
    def test_reason_is_told_and_play_goes_on(
        self, table: Session, save: str, lose: Callable[[str], None], how: str
    ) -> None:
        kept = campaign.raw(save)
        lose(save)
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        assert table.sign.why
        assert table.detached == how
        assert table.log.entries[-1]["id"] == ours
        by_rename(save, kept)
        table.retry()
        assert table.settle().word == "saved"
        assert table.detached == ""
        assert campaign.ids(save)[-1] == ours
        assert table.close().word == "saved"

    def test_copy_holds_everything_and_is_played_on(
        self, table: Session, save: str, target: str, lose: Callable[[str], None], how: str
    ) -> None:
        known = campaign.ids(save)
        lose(save)
        lost = campaign.raw(save) if os.path.exists(save) else None
        waiting = [table.write("One.")["id"], table.write("Two.")["id"]]
        assert table.settle().word == "NOT SAVED"
        state = table.state
        assert table.save_copy(target) == len(known) + 2
        assert campaign.ids(target) == known + waiting
        assert campaign.contents(target).bad == []
        assert campaign.contents(target).notes == []
        assert (table.sign.word, table.detached, table.save.path) == ("saved", "", target)
        assert table.state == state == campaign.folded(target)
        after = campaign.play_saved(table, 12)
        assert table.close().word == "saved"
        campaign.assert_whole(target, known + waiting + after)
        assert (campaign.raw(save) if os.path.exists(save) else None) == lost

    def test_copy_of_a_session_that_only_looks_back_needs_no_new_entry(
        self, table: Session, save: str, target: str, lose: Callable[[str], None], how: str
    ) -> None:
        known = campaign.ids(save)
        lose(save)
        assert table.save_copy(target) == len(known)
        assert campaign.ids(target) == known
        table.close()


def kept(save: str) -> list[str]:
    """Return the ids in the version that was set aside last."""
    return campaign.ids(kept_apart(save)[-1])


def noted(table: Session, words: str) -> None:
    """Assert that the notes say what was done, and where the version before is."""
    told = [note for note in table.notes if words in note]
    assert told
    name = os.path.basename(kept_apart(table.save.real)[-1])
    assert any(f"kept as {BACKUPS}{os.sep}{name}." in note for note in table.notes)


def played_on(table: Session, save: str, known: list[str]) -> None:
    """Assert that the session goes on, and that what it saves survives a crash and is there after closing."""
    known = known + campaign.play_saved(table, 9)
    assert table.state == campaign.folded(save)
    crashed = save.replace("the vale", "crashed")
    shutil.copy(save, crashed)
    campaign.assert_whole(crashed, known)
    assert table.close().word == "saved"
    campaign.assert_whole(save, known)
    assert campaign.ids(save) == sorted(campaign.ids(save), key=dict(places(save)).__getitem__)


def places(save: str) -> list[tuple[str, tuple[int, str]]]:
    entries = [block.entry for block in campaign.contents(save).blocks]
    return [(entry["id"], (entry["t"], entry["id"])) for entry in entries]


class TestOlderVersion:
    @PROGRAMS
    @pytest.mark.parametrize("between", [1, 4, 30], ids=["1 entry", "4 entries", "30 entries"])
    def test_older_version_put_back_keeps_what_was_saved_since(
        self, table: Session, save: str, program: Program, between: int
    ) -> None:
        """With 30 entries the older version ends far behind the snapshot of the newer one."""
        older = campaign.raw(save)
        campaign.play_saved(table, between, first=40)
        state, known = table.state, campaign.ids(save)
        program(save, older)
        table.retry()
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert campaign.ids(save) == [*known, ours]
        assert table.state["party"] == state["party"]
        assert kept(save) == known
        assert campaign.contents(kept_apart(save)[-1]).bad == []
        noted(table, f"Another program put back an older version of the vale: {between} newer")
        played_on(table, save, [*known, ours])

    @PROGRAMS
    def test_older_version_put_back_is_noticed_when_we_only_quit(
        self, table: Session, save: str, program: Program
    ) -> None:
        older = campaign.raw(save)
        campaign.play_saved(table, 3, first=40)
        known = campaign.ids(save)
        program(save, older)
        assert table.close().word == "saved"
        campaign.assert_whole(save, known)

    @PROGRAMS
    def test_older_version_put_back_repeatedly_loses_nothing(self, table: Session, save: str, program: Program) -> None:
        older, known = campaign.raw(save), campaign.ids(save)
        for n in range(4):
            known += campaign.play_saved(table, 3, first=3 * n)
            program(save, older)
        known.append(table.write("Ours.")["id"])
        assert table.settle().word == "saved"
        assert campaign.ids(save) == known
        assert table.close().word == "saved"

    def test_version_from_before_the_first_entry_loses_nothing(self, table: Session, save: str) -> None:
        known = campaign.ids(save)
        new = campaign.raw(save)
        new = new[: new.index(b"\n[[entry]]")]
        in_place(save, new)
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert campaign.ids(save) == [*known, ours]
        played_on(table, save, [*known, ours])

    def test_older_version_checked_out_by_git_keeps_what_was_saved_since(self, table: Session, save: str) -> None:
        folder = os.path.dirname(save)

        def git(*words: str) -> None:
            names = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
            subprocess.run(["git", "-C", folder, *names, *words], check=True, capture_output=True)

        git("init")
        git("add", os.path.basename(save))
        git("commit", "-m", "Before the storm")
        campaign.play_saved(table, 14, first=40)
        known = campaign.ids(save)
        git("checkout", "--", os.path.basename(save))
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert campaign.ids(save) == [*known, ours]
        played_on(table, save, [*known, ours])

    @PROGRAMS
    def test_older_version_is_not_accepted_while_ours_cannot_be_kept(self, save: str, program: Program) -> None:
        disk = FailingDisk(errno.ENOSPC, lambda name, number: False)
        table = Session.open(save, disk=disk)
        older = campaign.raw(save)
        campaign.play_saved(table, 9)
        known = campaign.ids(save)
        program(save, older)
        disk.when = lambda name, number: name == "write"
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        assert campaign.raw(save) == older
        assert kept_apart(save) == []
        disk.heal()
        table.retry()
        assert table.settle().word == "saved"
        assert campaign.ids(save) == [*known, ours]
        assert table.close().word == "saved"

    def test_older_version_is_completed_though_the_disk_fails_after_ours_was_kept(self, save: str) -> None:
        disk = FailingDisk(errno.EIO, lambda name, number: False)
        table = Session.open(save, disk=disk)
        older = campaign.raw(save)
        campaign.play_saved(table, 9)
        known = campaign.ids(save)
        in_place(save, older)
        first = disk.calls["write"]
        disk.when = lambda name, number: name == "write" and number > first + 1
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "NOT SAVED"
        assert kept(save) == known
        in_place(save, older)  # and once more, while those wait
        disk.heal()
        table.retry()
        assert table.settle().word == "saved"
        assert campaign.ids(save) == [*known, ours]
        assert table.close().word == "saved"
        campaign.assert_whole(save, [*known, ours])

    def test_older_version_without_a_backup_keeps_the_state(self, table: Session, save: str) -> None:
        """Rewritten in place far behind the snapshot, and the backups deleted."""
        older = campaign.raw(save)
        campaign.play_saved(table, 30, first=40)
        state, after = table.state, [block.entry["id"] for block in table.save.blocks]
        shutil.rmtree(os.path.join(os.path.dirname(save), BACKUPS))
        in_place(save, older)
        table.retry()
        table.write("Ours.")
        assert table.settle().word == "saved"
        assert table.state == state == campaign.folded(save)
        assert set(after) <= set(campaign.ids(save))
        assert any("in no file anymore" in note for note in table.notes)
        assert table.close().word == "saved"


class TestSiblingCopy:
    @PROGRAMS
    @pytest.mark.parametrize("theirs", [1, 25], ids=["1 entry", "25 entries"])
    def test_sibling_copy_put_in_place_is_united_with_ours(
        self, table: Session, save: str, program: Program, theirs: int
    ) -> None:
        """With 25 entries the copy has a snapshot that lies behind ours."""
        copy = save.replace("the vale", "the copy")
        shutil.copy(save, copy)
        other = Session.open(copy, disk=QuickDisk())
        there = campaign.play_saved(other, theirs)
        other.close()
        here = campaign.play_saved(table, 5, first=40)
        known = campaign.ids(save)
        program(save, campaign.raw(copy))
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert set(campaign.ids(save)) == {*known, *there, ours}
        assert campaign.ids(save)[-1] == ours
        assert kept(save) == known
        assert table.state == campaign.folded(save)
        noted(table, f"{len(here)} missing entries were added again")
        played_on(table, save, [*known, *there, ours])

    def test_entry_changed_in_the_copy_counts_as_it_is_there(self, table: Session, save: str) -> None:
        known = campaign.ids(save)
        data = campaign.raw(save)
        by_rename(save, data.replace(b'text = "Roll 1."', b'text = "Not 1."'))
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert campaign.ids(save) == [*known, ours]
        assert b"Not 1." in campaign.raw(save)
        assert b"Roll 1." in campaign.raw(kept_apart(save)[-1])
        noted(table, "1 entry saved here was changed or deleted there")
        played_on(table, save, known)


class TestPerson:
    @PROGRAMS
    @pytest.mark.parametrize("n", [5, 38], ids=["behind the snapshot", "after the snapshot"])
    def test_deleting_an_entry_in_the_middle_is_respected(
        self, table: Session, save: str, program: Program, n: int
    ) -> None:
        known = campaign.ids(save)
        program(save, without_block(campaign.raw(save), n))
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        gone = [ident for ident in known if ident not in campaign.ids(save)]
        assert len(gone) == 1
        assert gone[0] in kept(save)
        assert campaign.ids(save)[-1] == ours
        noted(table, "1 entry saved here was changed or deleted there")
        assert table.state == campaign.folded(save)
        assert table.close().word == "saved"

    def test_editing_an_older_version_deletes_only_what_they_deleted(self, table: Session, save: str) -> None:
        older = campaign.raw(save)
        campaign.play_saved(table, 4, first=40)
        known = campaign.ids(save)
        in_place(save, without_block(older, 38))
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert campaign.ids(save) == [*known[:37], *known[38:], ours]
        assert kept(save) == known
        noted(table, "4 newer entries were added again")
        noted(table, "1 entry saved here was changed or deleted there")
        assert table.close().word == "saved"

    @PROGRAMS
    def test_adding_an_entry_keeps_no_second_version(self, table: Session, save: str, program: Program) -> None:
        program(save, campaign.raw(save) + b'\n[[entry]]\ntext = "Written in an editor."\n')
        table.write("Ours.")
        assert table.settle().word == "saved"
        assert kept_apart(save) == []
        assert table.close().word == "saved"


def without_block(data: bytes, n: int) -> bytes:
    mark = data.index(b"\n#= %d " % n) + 1
    start = data.index(b"\n", data.index(b"\n#= %d " % (n - 1)) + 1) + 1
    return data[:start] + data[data.index(b"\n", mark) + 1 :]


class TestCopy:
    def test_existing_file_is_never_replaced(self, table: Session, save: str, target: str) -> None:
        campaign.put_raw(target, b"mine")
        os.unlink(save)
        table.write("Ours.")
        table.settle()
        with pytest.raises(SaveError, match=r"a copy\.toml already exists"):
            table.save_copy(target)
        assert campaign.raw(target) == b"mine"
        assert table.save.path == save
        assert table.close().word == "NOT SAVED"

    def test_full_disk_leaves_the_session_as_it_was(self, save: str, target: str) -> None:
        disk = FailingDisk(errno.ENOSPC, lambda name, number: False)
        table = Session.open(save, disk=disk)
        ours = campaign.play_saved(table, 9)
        os.unlink(save)
        ours.append(table.write("Ours.")["id"])
        table.settle()
        disk.when = lambda name, number: name == "write"
        with pytest.raises(SaveError, match=os.strerror(errno.ENOSPC)):
            table.save_copy(target)
        assert not os.path.exists(target)
        assert table.detached == "deleted"
        disk.heal()
        table.save_copy(target)
        assert table.close().word == "saved"
        campaign.assert_whole(target, ours)

    def test_old_name_is_free_for_another_tracker_afterwards(self, table: Session, save: str, target: str) -> None:
        table.save_copy(target)
        other = Session.open(save, disk=QuickDisk())
        assert other.readonly == ""
        other.close()
        again = Session.open(target, disk=QuickDisk())
        assert again.readonly
        again.close()
        table.close()

    def test_undo_of_old_entries_works_on_the_copy(self, table: Session, save: str, target: str) -> None:
        first = next(ident for ident in campaign.ids(save)[1:])
        os.unlink(save)
        table.save_copy(target)
        assert table.undo(first)
        assert table.settle().word == "saved"
        assert table.state == campaign.folded(target)
        assert table.close().word == "saved"

    def test_history_that_is_in_no_file_any_more_leaves_its_state(self, table: Session, save: str, target: str) -> None:
        """Rewritten in place, and the backups deleted: only what is in memory is left."""
        after = [block.entry["id"] for block in table.save.blocks]
        in_place(save, b"")
        shutil.rmtree(os.path.join(os.path.dirname(save), BACKUPS))
        ours = table.write("Ours.")["id"]
        state = table.state
        assert table.save_copy(target) == len(after) + 2
        assert table.state == state == campaign.folded(target)
        assert any("in no file anymore" in note for note in table.notes)
        assert table.close().word == "saved"
        campaign.assert_whole(target, [*after, ours])

    def test_history_is_united_from_backups_that_each_have_a_part(self, table: Session, save: str, target: str) -> None:
        known = campaign.ids(save)
        in_place(save, b"")
        for n, backup in enumerate(backups(save)):
            data = campaign.raw(backup)
            first = data.index(b"\n[[entry]]") if n % 2 else data.index(b"#= 1 ")
            second = data.index(b"\n", data.index(b"#= 1 " if n % 2 else b"#= 2 ")) + 1
            first = data.index(b"\n", first) + 1 if not n % 2 else first
            campaign.put_raw(backup, data[:first] + data[second:])
        assert table.save_copy(target) == len(known)
        assert campaign.ids(target) == known
        table.close()


def test_entry_with_a_number_that_is_not_equal_to_itself_is_not_changed_by_a_touch(save: str) -> None:
    with open(save, "ab") as file:
        file.write(b'\n[[entry]]\nid = "zz.1"\nt = 900\ntext = "A slip."\nfacts = { x = nan }\n' * 2)
    table = Session.open(save, tail="keep")
    assert not table.readonly
    table.write("Something.")
    assert table.settle().word == "saved"
    os.utime(save)
    table.write("Something more.")
    assert table.settle().word == "saved"
    assert not any("changed or deleted" in note for note in table.notes)
    table.close()
