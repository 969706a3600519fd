"""Any single call to the disk may fail: it is said, nothing is lost, and a retry goes on without a restart."""

import errno
import os
import shutil
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from tests.faults import campaign
from tests.faults.disks import CountingDisk, FailingDisk, QuickDisk, ShortDisk

from tracker.campaign.session import Session, new_campaign
from tracker.saves import compaction
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError

CODES = [errno.EIO, errno.ENOSPC, errno.EACCES]
ENTRIES = 12
SAVING = ("write", "sync")
"""The calls without which an entry is not saved."""


def play(path: str, disk: Disk) -> list[str]:
    """Open, play, compact, close; retry where a fault is said. The ids in the order of playing."""
    played = []
    table = Session.open(path, disk=disk)
    if table.readonly:
        table.close()
        table = Session.open(path, disk=disk)
    for n in range(ENTRIES):
        before = list(disk.failed) if isinstance(disk, FailingDisk) else []
        played.append(campaign.play(table, n)["id"])
        sign = table.settle()
        assert sign == table.sign
        if sign.word != "saved":
            assert isinstance(disk, FailingDisk)
            assert (sign.word, sign.why) == ("NOT SAVED", os.strerror(disk.code))
            assert disk.failed != before
            assert table.log.entries[-1]["id"] == played[-1], "the change stays on the screen"
            assert_readable(path, played[:-1])
            table.retry()
            assert table.settle().word == "saved"
        assert_readable(path, played)
    assert table.close().word == "saved"
    return played


def assert_readable(path: str, acknowledged: list[str]) -> None:
    """Assert that another program would find every acknowledged entry now."""
    found = campaign.contents(path)
    assert found.bad == []
    assert set(acknowledged) <= {block.entry["id"] for block in found.blocks}


def calls_of_a_good_run(path: str, good: bytes) -> dict[str, int]:
    clean(path, good)
    disk = CountingDisk()
    play(path, disk)
    return disk.calls


@pytest.fixture
def tried(code: int, request: pytest.FixtureRequest) -> Callable[[int], Iterable[int]]:
    """Function from a number of calls to those that fail.

    Each fails with the first error code, the first and the last also with others; with `--faults`, all with all.
    """
    every = code == CODES[0] or request.config.getoption("--faults")
    return lambda count: range(1, count + 1) if every else sorted({1, count})


def only(*calls: tuple[str, int]) -> Callable[[str, int], bool]:
    """Return whether a call is one of these, each given by its name and its number."""
    return lambda name, number: (name, number) in calls


@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.__getitem__)
@pytest.mark.parametrize(
    "call", ["open", "close", "write", "sync", "replace", "exchange", "link", "unlink", "sync_folder"]
)
def test_nth_call_failing_once_loses_nothing(
    call: str, code: int, save: str, tried: Callable[[int], Iterable[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "KEPT", 1)
    monkeypatch.setattr(QuickDisk, "exchanges", call != "replace")
    good = campaign.raw(save)
    count = calls_of_a_good_run(save, good)[call]
    assert count > 1
    for nth in tried(count):
        clean(save, good)
        disk = FailingDisk(code, only((call, nth)))
        played = play(save, disk)
        assert disk.failed == [call]
        if call != "unlink":
            assert not [name for name in os.listdir(os.path.dirname(save)) if name.endswith(".new")]
        campaign.assert_whole(save, played)
        assert campaign.contents(save).notes == [], "nobody is told of changes that nobody made"


@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.__getitem__)
@pytest.mark.parametrize("call", SAVING)
def test_failed_write_that_cannot_be_reverted_at_once_loses_nothing(
    call: str, code: int, save: str, tried: Callable[[int], Iterable[int]]
) -> None:
    good = campaign.raw(save)
    for nth in tried(calls_of_a_good_run(save, good)[call]):
        clean(save, good)
        disk = FailingDisk(code, only((call, nth), ("truncate", 1)))
        campaign.assert_whole(save, play(save, disk))
        assert campaign.contents(save).notes == []


@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.__getitem__)
def test_writes_failing_from_the_nth_on_are_made_up_later(
    code: int, save: str, tried: Callable[[int], Iterable[int]]
) -> None:
    good = campaign.raw(save)
    for nth in tried(calls_of_a_good_run(save, good)["write"]):
        clean(save, good)
        broken = False

        def when(name: str, number: int, nth: int = nth) -> bool:
            nonlocal broken
            broken = broken or (name, number) == ("write", nth)
            return broken

        disk = FailingDisk(code, when)
        table = Session.open(save, disk=disk)
        played, saved = [], []
        for n in range(ENTRIES):
            played.append(campaign.play(table, n)["id"])
            if table.settle().word == "saved":
                saved = list(played)
            assert_readable(save, saved)
        if saved != played:
            assert table.sign.word == "NOT SAVED"
            assert table.sign.why == os.strerror(code)
        disk.heal()
        table.retry()
        assert table.settle().word == "saved"
        assert table.close().word == "saved"
        campaign.assert_whole(save, played)
        assert campaign.ids(save)[-ENTRIES:] == played, "in the order in which they were played"


def test_close_on_a_broken_disk_reports_what_is_not_saved_and_releases_the_lock(save: str) -> None:
    disk = FailingDisk(errno.EIO, lambda name, number: name in ("write", "close"))
    table = Session.open(save, disk=disk)
    before = campaign.raw(save)
    table.write("Lost, and said so.")
    sign = table.close()
    assert (sign.word, sign.why) == ("NOT SAVED", os.strerror(errno.EIO))
    assert campaign.contents(save).bad == []
    assert campaign.raw(save).startswith(before)
    assert_open_to_all(save)


def assert_open_to_all(save: str) -> None:
    again = campaign.reopen(save)
    assert again.readonly == ""
    again.close()


class TestShortWrites:
    @pytest.mark.parametrize("most", [1, 7, 100])
    def test_short_writes_are_continued(self, save: str, most: int) -> None:
        played = play(save, ShortDisk(most))
        campaign.assert_whole(save, played)
        assert campaign.contents(save).notes == []

    def test_write_of_nothing_is_an_error(self, save: str) -> None:
        table = Session.open(save, disk=ShortDisk(0))
        before = campaign.raw(save)
        table.write("Nothing is taken.")
        assert table.settle().word == "NOT SAVED"
        assert table.sign.why
        table.close()
        assert campaign.raw(save) == before


class TestNewCampaign:
    @pytest.mark.parametrize("code", CODES, ids=errno.errorcode.__getitem__)
    def test_failed_creation_leaves_nothing(self, tmp_path: str, code: int) -> None:
        path = os.path.join(tmp_path, "new.toml")
        disk = CountingDisk()
        new_campaign(path, campaign.GAME, disk)
        os.unlink(path)
        for call in ("open", "write", "sync", "link", "sync_folder"):
            for nth in range(1, disk.calls[call] + 1):
                failing = FailingDisk(code, only((call, nth)))
                if call == "link" and code == errno.EACCES:
                    continue  # how a filesystem without second names says so: there is another way
                with pytest.raises(SaveError, match=f"new.toml.*{os.strerror(code)}"):
                    new_campaign(path, campaign.GAME, failing)
                assert os.listdir(tmp_path) == []
                campaign.new(path)
                empty(tmp_path)

    def test_new_campaign_never_replaces_a_file(self, save: str) -> None:
        before = campaign.raw(save)
        with pytest.raises(SaveError, match="already exists"):
            new_campaign(save, campaign.GAME)
        assert campaign.raw(save) == before

    def test_works_without_second_names(self, tmp_path: str) -> None:
        path = os.path.join(tmp_path, "new.toml")
        new_campaign(path, campaign.GAME, FailingDisk(errno.EPERM, lambda name, number: name == "link"))
        assert os.listdir(tmp_path) == ["new.toml"]
        with pytest.raises(SaveError, match="already exists"):
            new_campaign(path, campaign.GAME, FailingDisk(errno.EPERM, lambda name, number: name == "link"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda entry: entry.update(text="\ud800"),
        lambda entry: entry.update(facts={"n": 2**63}),
        lambda entry: entry.update(facts={"n": object()}),
        lambda entry: entry.update(facts={"n": None}),
        lambda entry: entry.update(effects=[{"at": "kara.momentum", "by": 10**12}]),
        lambda entry: entry.update(facts={"n": deep(5000)}),
    ],
    ids=["surrogate", "65 bits", "no TOML", "nothing", "out of range", "too deep"],
)
def test_unreadable_data_is_never_written(spoil: Callable[[dict[str, Any]], None], save: str) -> None:
    table = Session.open(save)
    before = campaign.raw(save)
    entry = {**table.new_entry(did="x", text="x"), "id": "spoiled.1"}
    spoil(entry)
    table._writer.put(entry)
    assert table.settle().word == "NOT SAVED"
    assert "Can't save this change" in table.sign.why
    table.close()
    assert campaign.raw(save) == before


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def clean(save: str, good: bytes) -> None:
    """Put the save back as it was, alone in its folder."""
    empty(os.path.dirname(save))
    campaign.put_raw(save, good)


def empty(folder: str) -> None:
    shutil.rmtree(folder)
    os.mkdir(folder)
