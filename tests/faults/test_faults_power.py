"""A power cut after any call leaves a readable save with all that was said to be saved; and every sync counts."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import Call, RecordingDisk
from tests.faults.platter import Platter, losses

from tracker.saves.save import Save
from tracker.table.session import Session, new_campaign

TORN = b"\n[[entry]]\nid = "


class PowerGone(BaseException):
    """The program ends here, without any clearing up."""


class Recording(RecordingDisk):
    """Ends the program before the call that `ends_before` names."""

    ends_before = ""

    def before(self, call: str, *args: object) -> None:
        if call == self.ends_before:
            self.ends_before = ""
            raise PowerGone


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "the vale.toml")


def say_what_is_shown(disk: Recording, table: Session) -> None:
    """Whatever stands on a screen that says saved is promised."""
    assert table.settle().word == "saved"
    disk.said(*(entry["id"] for entry in table.log.entries))


def played(path: str, disk: Recording) -> None:
    """Make a campaign, play, compact, quit, open, play."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    for _ in range(2):
        table = Session.open(path, disk=disk)
        if not table.state["party"]:
            campaign.add_kara(table)
        for n in range(13):
            campaign.play(table, n)
            say_what_is_shown(disk, table)
        table.close()


def killed_and_opened_again(path: str, disk: Recording, call: str) -> None:
    """The program is killed before this call; another opens the save, shows it, and plays on."""
    new_campaign(path, campaign.GAME, disk)
    table = Session.open(path, disk=disk)
    campaign.add_kara(table)
    say_what_is_shown(disk, table)
    table._writer.close()
    disk.ends_before = call
    with pytest.raises(PowerGone):
        if call == "sync":
            table.save.append([table._entry(did="journal", text="Written, not yet synced.")])
        else:
            table.save.compact({}, 0, {}, frozenset())
    table.save.close()
    table = campaign.reopen(path, disk)
    say_what_is_shown(disk, table)
    table.write("After the kill.")
    say_what_is_shown(disk, table)
    table._writer.close()
    table.save.close()


def edited_and_played_on(path: str, disk: Recording) -> None:
    """An editor puts its own file in place, without a sync; we play on."""
    new_campaign(path, campaign.GAME, disk)
    table = Session.open(path, disk=disk)
    campaign.add_kara(table)
    say_what_is_shown(disk, table)
    other = path + "~"
    fd = disk.open(other, os.O_RDWR | os.O_CREAT)
    disk.write_all(fd, campaign.raw(path) + b"# a word from the editor\n")
    disk.close(fd)
    disk.replace(other, path)
    disk.edited()
    table.write("After the editor.")
    say_what_is_shown(disk, table)
    table._writer.close()
    table.save.close()


def torn_and_opened(path: str, disk: Recording) -> None:
    """The save has a torn end, which is set aside; then we play on."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    save = Save.open(path, disk=disk)
    disk.write_all(save._fd, TORN)
    disk.sync(save._fd)
    save.close()
    disk.note("torn")
    table = Session.open(path, disk=disk)
    campaign.add_kara(table)
    say_what_is_shown(disk, table)
    table._writer.close()
    table.save.close()


STORIES: dict[str, Callable[[str, Recording], None]] = {
    "played": played,
    "killed before a sync": lambda path, disk: killed_and_opened_again(path, disk, "sync"),
    "killed before a folder's sync": lambda path, disk: killed_and_opened_again(path, disk, "sync_folder"),
    "killed before a replace": lambda path, disk: killed_and_opened_again(path, disk, "replace"),
    "edited": edited_and_played_on,
    "torn": torn_and_opened,
}


@pytest.mark.parametrize("story", STORIES)
def test_no_power_cut_costs_anything_that_was_said_to_be_saved(path: str, story: str):
    disk = Recording()
    STORIES[story](path, disk)
    assert list(losses(disk.calls, path)) == []


def torn_is_lost(calls: list[Call], path: str) -> bool:
    """Whether some power cut would leave the torn end neither in the save nor in a file of its own."""
    platter, torn = Platter(), False
    for call in calls:
        platter.follow(call)
        torn = torn or call.name == "torn"
        if torn and any(TORN not in b"".join(found.values()) for _, found in platter.after_a_cut()):
            return True
    return False


def test_what_was_torn_is_never_lost_from_both_places(path: str):
    disk = Recording()
    torn_and_opened(path, disk)
    assert not torn_is_lost(disk.calls, path)


class TestTheModel:
    """It could not find anything if it did not miss each of these."""

    @pytest.mark.parametrize(
        ("story", "left_out"),
        [
            ("played", "sync"),
            ("played", "sync_folder"),
            ("killed before a sync", "sync"),
            ("killed before a folder's sync", "sync_folder"),
            ("edited", "sync_folder"),
            ("torn", "sync"),
        ],
    )
    def test_misses_a_kind_of_sync(self, path: str, story: str, left_out: str):
        disk = Recording()
        disk.leave_out = lambda call: call.name == left_out
        STORIES[story](path, disk)
        assert any(losses(disk.calls, path))

    @pytest.mark.parametrize("story", STORIES)
    def test_misses_every_single_sync(self, path: str, story: str):
        disk = Recording()
        STORIES[story](path, disk)
        for n in needed(disk.calls):
            without = disk.calls[:n] + disk.calls[n + 1 :]
            assert any(losses(without, path)), f"call {n} of {len(disk.calls)}: {disk.calls[n]}"

    def test_misses_the_sync_before_a_replace(self, path: str):
        disk = Recording()
        played(path, disk)
        replaces = [n for n, call in enumerate(disk.calls) if call.name == "replace"]
        assert len(replaces) > 3
        for n in replaces:
            sync = max(m for m, call in enumerate(disk.calls[:n]) if call.name == "sync")
            assert any(losses(disk.calls[:sync] + disk.calls[sync + 1 :], path))


def needed(calls: list[Call]) -> list[int]:
    return [n for n, call in enumerate(calls) if call.name in ("sync", "sync_folder")]
