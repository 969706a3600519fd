"""Snapshots and restores that fail or are killed: the save and the older backups stay as they were."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import CountingDisk, FailingDisk, RecordingDisk
from tests.faults.platter import losses
from tests.faults.test_faults_kill import ROOT

from tracker.campaign.session import Session, new_campaign
from tracker.saves import backups
from tracker.saves.backups import SNAPSHOT, Backup
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError

SHARES = (0.0, 0.5, 1.0)
KILLED = """
import sys
from tests.faults import campaign, test_faults_backups
from tests.faults.disks import DyingDisk
from tracker.saves import backups
campaign.tidy_often(setattr)
backups.NEWEST = 1000
path, act, call, share = sys.argv[1:]
test_faults_backups.ACTS[act](path, DyingDisk(int(call), float(share)))
print("done")
"""


def snapshot(path: str, disk: Disk) -> None:
    table = Session.open(path)
    try:
        backups.snapshot(path, table.save.head.id, os.path.getsize(path), disk)
    finally:
        table.save.close()


def restore_in_place(path: str, disk: Disk) -> None:
    backups.in_place(oldest(path), path, disk=disk)


def restore_as_new(path: str, disk: Disk) -> None:
    backups.as_new(oldest(path), os.path.dirname(path), disk=disk)


ACTS: dict[str, Callable[[str, Disk], None]] = {
    "snapshot": snapshot,
    "in place": restore_in_place,
    "as new": restore_as_new,
}


def oldest(path: str) -> Backup:
    return [one for one in backups.find(path) if one.kind == SNAPSHOT][-1]


@pytest.fixture
def played(save: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A campaign with a snapshot of its first entry and one of the twelve after that."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for first in (0, 12):
        table = campaign.reopen(save)
        campaign.play_saved(table, 12, first)
        table.close()
    return save


def held(path: str) -> dict[str, bytes]:
    """Return {path: bytes} of every backup."""
    return {file: campaign.raw(file) for one in backups.find(path) for file in one.paths}


def assert_nothing_lost(path: str, act: str, before: dict[str, bytes], present: bytes) -> None:
    """Assert that the save is the present one, or the restored one, and that no backup has changed or gone."""
    after = held(path)
    assert {file: after.get(file) for file in before} == before
    now = campaign.raw(path)
    if act == "in place" and now != present:
        assert now == campaign.raw(oldest(path).paths[0])
        assert present in after.values(), "the replaced one is kept"
    else:
        assert now == present
    assert all(not backups.look(one).problem for one in backups.find(path)), "no backup is half written"
    folder = os.path.dirname(path)
    for name in os.listdir(folder):
        if name.endswith(".toml"):
            assert campaign.contents(os.path.join(folder, name)).bad == [], name


@pytest.mark.parametrize("act", ACTS)
def test_failing_call_of_a_snapshot_or_restore_loses_nothing(
    act: str, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "NEWEST", 1000)  # nothing is thinned out meanwhile
    counting = CountingDisk()
    ACTS[act](played, counting)
    total = sum(counting.calls.values())
    assert total > 4
    before, present = held(played), campaign.raw(played)
    for nth in range(1, total + 1):
        left = nth

        def when(_call: str, _number: int) -> bool:
            nonlocal left
            left -= 1
            return left == 0

        disk = FailingDisk(errno.ENOSPC, when)
        with contextlib.suppress(SaveError):
            ACTS[act](played, disk)
        assert len(disk.failed) == 1
        assert_nothing_lost(played, act, before, present)
        if campaign.raw(played) != present:
            campaign.put_raw(played, present)
        assert not [name for name in os.listdir(os.path.dirname(played)) if name.endswith(".new")] or (
            disk.failed == ["unlink"]
        )


@pytest.mark.parametrize("act", ACTS)
def test_kill_during_a_snapshot_or_restore_leaves_the_save_and_older_backups(
    act: str, played: str, request: pytest.FixtureRequest
) -> None:
    counting = CountingDisk()
    ACTS[act](played, counting)
    total = sum(counting.calls.values())
    before, present, killed = held(played), campaign.raw(played), 0
    calls = range(1, total + 1) if request.config.getoption("--faults") else sorted({1, total // 3, total // 2, total})
    for n, call in enumerate(calls):
        search = os.pathsep.join([*filter(None, sys.path), str(ROOT)])
        ran = subprocess.run(
            [sys.executable, "-c", KILLED, played, act, str(call), str(SHARES[n % len(SHARES)])],
            env={**os.environ, "PYTHONPATH": search},
            stdout=subprocess.PIPE,
            check=False,
        )
        killed += ran.returncode == -signal.SIGKILL
        assert ran.returncode in {-signal.SIGKILL, 0}, ran.stdout
        assert_nothing_lost(played, act, before, present)
        campaign.put_raw(played, present)
    assert killed >= len(calls) - 1, "a later run may make a call less than the first, not more"
    # The next session works as if nothing had been, and sweeps up what was left.
    table = campaign.reopen(played)
    saved = campaign.play_saved(table, 3)
    table.close()
    campaign.assert_whole(played, saved)
    left = [name for _, _, names in os.walk(os.path.dirname(played)) for name in names if name.endswith(".new")]
    assert [name for name in left if "restored" not in name] == []


def test_power_cut_during_a_restore_in_place_leaves_one_version_or_the_other(tmp_path: Path) -> None:
    path, disk = str(tmp_path / "the fens.toml"), RecordingDisk()
    new_campaign(path, campaign.GAME, disk)
    for n in range(2):
        table = campaign.reopen(path, disk)
        if not n:
            campaign.add_kara(table)
        campaign.play_saved(table, 6, 6 * n)
        table.close()
    disk.edited()
    disk.said(*campaign.ids(oldest(path).paths[0]))  # both files hold these
    start = len(disk.calls)
    restore_in_place(path, disk)
    assert list(losses(disk.calls, path)) == []
    sync = next(n for n, call in enumerate(disk.calls) if n >= start and call.name == "sync")
    assert any(losses([*disk.calls[:sync], *disk.calls[sync + 1 :]], path)), "the sync counts"


def test_failing_snapshot_never_keeps_a_session_from_saving(played: str) -> None:
    table = Session.open(played, disk=FailingDisk(errno.EIO, lambda _call, _number: False))
    saved = campaign.play_saved(table, 3)
    disk = table.save.disk
    assert isinstance(disk, FailingDisk)
    disk.when = lambda call, _number: call == "link"
    assert table.close().word == "saved"
    assert [note for note in table.notes if note.startswith("Couldn't make a backup in")]
    campaign.assert_whole(played, saved)
