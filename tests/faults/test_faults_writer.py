"""The thread that writes: the save status is true at every moment, and the thread neither dies nor blocks another."""

import errno
import os
import sys
import threading
from collections.abc import Iterator
from itertools import combinations, groupby

import pytest
from tests.faults import campaign
from tests.faults.disks import FailingDisk, QuickDisk

from tracker.campaign import log
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.saves import writer
from tracker.saves.writer import SaveStatus, Writer


@pytest.fixture
def hasty() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


class HeldDisk(QuickDisk):
    """A disk whose writes wait until they are released."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.there = threading.Event()

    def before(self, call: str, *args: object) -> None:
        if call == "write":
            self.there.set()
            self.go.wait()


class TestSaveStatus:
    def test_saved_is_shown_when_and_only_when_nothing_waits(self, save: str, hasty: None) -> None:
        table = Session.open(save, disk=QuickDisk())
        for n in range(400):
            table.write(f"Line {n}.")
            with table._writer._wake:
                assert (table.sign.word == "saved") == (not table._writer.waiting())
            if n % 3 == 0:
                assert table.settle().word == "saved"
                assert table.sign.word == "saved"
        table.close()

    def test_saving_is_shown_while_the_disk_works(self, save: str) -> None:
        disk = HeldDisk()
        table = Session.open(save, disk=disk)
        heard = []
        table.listeners.append(lambda what: heard.append(table.sign.word) if what == "sign" else None)
        table.write("Slow.")
        assert disk.there.wait(60)
        assert table.sign.word == "saving"
        table.write("More.")
        assert table.sign.word == "saving"
        disk.go.set()
        assert table.settle().word == "saved"
        assert (heard[0], heard[-1]) == ("saving", "saved")
        table.close()

    def test_reason_stays_until_writing_works_again(self, save: str) -> None:
        disk = FailingDisk(errno.ENOSPC, lambda name, number: name == "write")
        table = Session.open(save, disk=disk)
        heard = []
        table.listeners.append(lambda what: heard.append(table.sign.word) if what == "sign" else None)
        for n in range(3):
            table.write(f"Line {n}.")
            assert table.settle().word == "NOT SAVED"
        table.retry()
        assert table.settle().word == "NOT SAVED"
        disk.heal()
        table.retry()
        assert table.settle().word == "saved"
        # A listener that is late reads the same word twice.
        assert [word for word, _ in groupby(word for word in heard if word != "saving")] == ["NOT SAVED", "saved"]
        table.close()


class TestRetry:
    def test_retry_comes_by_itself(self, save: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(writer, "RETRY_SECONDS", 0.01)
        disk = FailingDisk(errno.ENOSPC, lambda name, number: name == "write" and number < 4)
        table = Session.open(save, disk=disk)
        saved = threading.Event()
        table.listeners.append(lambda what: saved.set() if table.sign.word == "saved" else None)
        table.write("Tried again and again.")
        assert saved.wait(60)
        assert len(disk.failed) == 3
        table.close()


class TestImpossibleEntry:
    @pytest.mark.parametrize("text", ["\ud800", "a\udcffb"])
    def test_entry_that_no_file_can_hold_is_refused_before_it_happens(self, save: str, text: str) -> None:
        table = Session.open(save)
        before = table.state
        with pytest.raises(Refused):
            table.write(text)
        with pytest.raises(Refused):
            table.do("x", [{"at": "kara.name", "to": text}])
        assert table.state == before
        campaign.play_saved(table, 1)
        assert table.close().word == "saved"


class TestWholeLogOnFullDisk:
    """An undo of an entry before the snapshot reads the whole log while entries wait for a full disk."""

    @pytest.fixture
    def disk(self) -> FailingDisk:
        return FailingDisk(errno.ENOSPC, lambda name, number: False, share=0.99)

    @pytest.fixture
    def table(self, save: str, disk: FailingDisk) -> Session:
        table = Session.open(save, disk=QuickDisk())
        campaign.play_saved(table, 70)
        assert table.close().word == "saved"
        table = Session.open(save, disk=disk)
        assert table.log.upto > log.KEEP
        return table

    def test_whole_log_is_read_without_waiting_entries_and_loses_nothing(
        self, save: str, table: Session, disk: FailingDisk
    ) -> None:
        disk.when = lambda name, number: name in ("write", "truncate")
        waiting = [table.do("x", [{"at": "supply", "by": -1}])["id"]]
        assert table.settle().word == "NOT SAVED"
        undone = table.undo(campaign.ids(save)[1])
        assert undone is not None
        waiting += [undone["id"], table.write("Waits too.")["id"]]
        assert table.settle().word == "NOT SAVED"
        assert [entry["id"] for entry in table.log.entries][-3:] == waiting
        shown = table.state
        disk.heal()
        table.retry()
        assert table.settle().word == "saved"
        assert table.state == shown == campaign.folded(save)
        assert campaign.ids(save)[-3:] == waiting
        assert table.close().word == "saved"
        campaign.assert_whole(save, waiting)

    def test_file_is_not_written_while_the_whole_log_is_read(
        self, table: Session, disk: FailingDisk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        disk.when = lambda name, number: name == "write"
        table.write("Waits.")
        assert table.settle().word == "NOT SAVED"
        tried = threading.Event()

        def when(name: str, number: int) -> bool:
            tried.set()
            return name == "write"

        during = []

        def step(_: float) -> None:
            monkeypatch.setattr(writer, "RETRY_SECONDS", 0.0001)
            disk.when = when
            table._writer.retry()
            during.append(tried.wait(0.1))

        table.full_log_reader.whole(step)
        assert set(during) == {False}
        assert tried.wait(60)
        disk.heal()
        assert table.close().word == "saved"


def test_file_that_disappears_while_the_whole_log_is_read_is_reported(save: str) -> None:
    table = Session.open(save)
    first = campaign.play_saved(table, 30)[0]
    assert table.close().word == "saved"
    table = Session.open(save)
    kept = campaign.raw(save)
    os.unlink(save)
    with pytest.raises(Refused, match="gone"):
        table.undo(first)
    assert table.settle().word == "NOT SAVED"
    campaign.put_raw(save, kept)
    table.retry()
    assert table.settle().word == "saved"
    assert table.state == campaign.folded(save)
    table.close()


APPENDING = ("write", "sync", "truncate", "sync_folder")
"""The calls that append an entry, or take back what a failed try has left."""


class TestReason:
    @pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EDQUOT], ids=errno.errorcode.__getitem__)
    @pytest.mark.parametrize(
        "calls", [calls for size in (1, 2, 3, 4) for calls in combinations(APPENDING, size)], ids="+".join
    )
    def test_sign_tells_the_real_reason_while_calls_fail_in_a_row(
        self, save: str, code: int, calls: tuple[str, ...]
    ) -> None:
        left = 0

        def when(name: str, number: int) -> bool:
            nonlocal left
            left -= name in calls
            return name in calls and left >= 0

        table = Session.open(save, disk=FailingDisk(code, when))
        ids = []
        for left in (1, 2, 3, 1, 2, 3):  # noqa: B007 counted down above
            ids.append(campaign.play(table, 0)["id"])
            for _ in range(4):
                if table.settle().word == "saved":
                    break
                assert table.sign == ("NOT SAVED", os.strerror(code))
                table.retry()
            assert table.settle().word == "saved"
            assert [note for note in table.notes if "tidy" not in note] == []
        assert table.close().word == "saved"
        campaign.assert_whole(save, ids)


class TestFailedRewrite:
    def test_failed_rewrite_is_told_once_per_reason_and_loses_nothing(self, save: str) -> None:
        full = FailingDisk(errno.ENOSPC, lambda name, number: name == "open" and number > 1)
        table = Session.open(save, disk=full)
        heard: list[str] = []
        table.listeners.append(heard.append)
        ids = campaign.play_saved(table, 12)
        told = f"Couldn't tidy the vale.toml ({os.strerror(errno.ENOSPC)}); every entry is still saved."
        assert table.notes == [told]
        assert heard.count("untidy") == 1
        assert table.sign.word == "saved"
        full.code = errno.EIO
        ids += campaign.play_saved(table, 6)
        assert table.notes == [told, told.replace(os.strerror(errno.ENOSPC), os.strerror(errno.EIO))]
        full.heal()
        assert table.close().word == "saved"
        campaign.assert_whole(save, ids)


def test_thread_that_cannot_be_started_is_told_and_started_later(save: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    table = Session.open(save, disk=QuickDisk())
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        table.write("Not yet.")
        assert table.settle() == writer.not_saved("the system is out of threads")
    table.retry()
    assert table.settle().word == "saved"
    assert table.close().word == "saved"
    assert Session.open(save, write=False).log.entries[-1]["text"] == "Not yet."


def test_close_during_a_write_takes_it_for_no_other_programs_change(save: str, monkeypatch: pytest.MonkeyPatch) -> None:
    writes, goes_on = threading.Event(), threading.Event()

    class SlowDisk(QuickDisk):
        def sync(self, fd: int) -> None:
            writes.set()
            assert goes_on.wait(30)

    goes_on.set()
    table = Session.open(save, disk=SlowDisk())
    settle = Writer.settle

    def wait_for_the_disk(self: Writer) -> SaveStatus:
        goes_on.set()
        return settle(self)

    monkeypatch.setattr(Writer, "settle", wait_for_the_disk)
    writes.clear()
    goes_on.clear()
    table.write("Ours.")
    assert writes.wait(30)
    assert table.close().word == "saved"
    assert [note for note in table.notes if "Another program" in note] == []
