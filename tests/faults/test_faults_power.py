"""A power cut after any call leaves a readable save with all that was said to be saved; and every sync counts."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import Call, RecordingDisk
from tests.faults.platter import Found, Platter, losses

from tracker.campaign.log import Entry
from tracker.campaign.session import Session, new_campaign
from tracker.saves.save import Save

NAMING = ("replace", "exchange", "link")
"""Calls that put a file under a name, the second one they are given."""
TORN = b"\n[[entry]]\nid = "


class PowerGone(BaseException):
    """Raised where the program ends without any cleanup."""


class Recording(RecordingDisk):
    """Ends the program before the call that `ends_before` names, or fails once at the one that `fails_at` names."""

    ends_before = ""
    fails_at = ""

    def before(self, call: str, *args: object) -> None:
        if call == self.ends_before:
            self.ends_before = ""
            raise PowerGone
        if call == self.fails_at:
            self.fails_at = ""
            raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "the vale.toml")


def opened(path: str, disk: Recording) -> Session:
    """Open the save as a screen does: what it shows while the status is saved is promised."""
    table = campaign.reopen(path, disk)

    def heard(what: str) -> None:
        if what == "sign" and table.sign.word == "saved":
            disk.said(*(entry["id"] for entry in table.log.entries))

    table.listeners.append(heard)
    heard("sign")
    return table


def saved(table: Session) -> None:
    assert table.settle().word == "saved"
    for listener in table.listeners:
        listener("sign")


def killed(table: Session) -> None:
    """Let go of the save without any tidying up."""
    table._writer.close()
    table.save.close()


def played(path: str, disk: Recording) -> None:
    """Make a campaign, play, compact, quit, open, play."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    for _ in range(2):
        table = opened(path, disk)
        if not table.state["party"]:
            campaign.add_kara(table)
            saved(table)
        for n in range(13):
            campaign.play(table, n)
            saved(table)
        table.close()


def killed_and_opened_again(path: str, disk: Recording, call: str) -> None:
    """Kill the program before this call; open the save with another, show it, and play on."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    table = opened(path, disk)
    campaign.add_kara(table)
    saved(table)
    table._writer.close()
    disk.ends_before = call
    with pytest.raises(PowerGone):
        if call == "sync":
            table.save.append([table.new_entry(did="journal", text="Written, not yet synced.")])
        else:
            table.save.compact({}, 0, {}, frozenset())
    table.save.close()
    table = opened(path, disk)
    table.write("After the kill.")
    saved(table)
    killed(table)


def edited_and_played_on(path: str, disk: Recording) -> None:
    """Replace the file as an editor does, without a sync; then show it and play on."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    table = opened(path, disk)
    campaign.add_kara(table)
    saved(table)
    other = path + "~"
    fd = disk.open(other, os.O_RDWR | os.O_CREAT)
    disk.write_all(fd, campaign.raw(path) + b"# a word from the editor\n")
    disk.close(fd)
    disk.edited()
    disk.replace(other, path)
    table._tidy()
    saved(table)
    table.write("After the editor.")
    saved(table)
    killed(table)


def torn_and_opened(path: str, disk: Recording) -> None:
    """Open a save with a truncated end, which is set aside; then play on."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    save = Save.open(path, disk=disk)
    disk.write_all(save._fd, TORN)
    disk.sync(save._fd)
    save.close()
    disk.note("torn")
    table = opened(path, disk)
    campaign.add_kara(table)
    saved(table)
    killed(table)


def failed_and_tried_again(path: str, disk: Recording) -> None:
    """Fail a sync, so that what was written is taken back; then retry and play on."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    table = opened(path, disk)
    disk.fails_at = "sync"
    campaign.add_kara(table)
    assert table.settle().word == "NOT SAVED"
    table.retry()
    saved(table)
    killed(table)


def taken_from_elsewhere(path: str, disk: Recording) -> None:
    """Take several entries of another player at a time, some of them late, between own ones and compactions."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    table = opened(path, disk)
    campaign.add_kara(table)
    saved(table)
    table.on_written.append(lambda ids: disk.said(*ids))  # the other player is told so
    first = [line_of_bob(n, n) for n in range(2, 6)]
    table.take(first[2:])
    saved(table)
    for n in range(22):
        campaign.play(table, n)
        saved(table)
    table.take(first[:2])
    assert table.folding
    table.write("Meanwhile.")
    saved(table)
    table.adopt_late()
    table.take([line_of_bob(n, 50 + n) for n in range(6, 9)])
    saved(table)
    table.close()
    opened(path, disk).close()


def line_of_bob(n: int, t: int) -> Entry:
    return {"id": f"bob.{n}", "t": t, "by": "bob", "did": "journal", "text": f"Line {n}."}


def killed_before_replace(path: str, disk: Recording) -> None:
    killed_and_opened_again(path, disk, "replace")


def without_exchange(path: str, disk: Recording, story: Callable[[str, Recording], None]) -> None:
    """Play the story on a system that cannot exchange two files."""
    disk.exchanges = False
    story(path, disk)


STORIES: dict[str, Callable[[str, Recording], None]] = {
    "played": played,
    "killed before a sync": lambda path, disk: killed_and_opened_again(path, disk, "sync"),
    "killed before a folder's sync": lambda path, disk: killed_and_opened_again(path, disk, "sync_folder"),
    "killed before an exchange": lambda path, disk: killed_and_opened_again(path, disk, "exchange"),
    "killed before a replace": lambda path, disk: without_exchange(path, disk, killed_before_replace),
    "edited": edited_and_played_on,
    "torn": torn_and_opened,
    "failed": failed_and_tried_again,
    "taken from elsewhere": taken_from_elsewhere,
}


@pytest.mark.parametrize("story", STORIES)
def test_power_cut_loses_nothing_that_was_reported_as_saved(path: str, story: str) -> None:
    disk = Recording()
    STORIES[story](path, disk)
    assert list(losses(disk.calls, path)) == []


def test_power_cut_loses_nothing_where_files_cannot_be_exchanged(path: str) -> None:
    disk = Recording()
    without_exchange(path, disk, played)
    assert list(losses(disk.calls, path)) == []
    assert not any(call.name == "exchange" for call in disk.calls)


def refused(path: str, disk: Recording) -> str:
    """Take in an entry of another player, save it, and take it out again as refused."""
    new_campaign(path, campaign.GAME, disk)
    disk.said()
    table = opened(path, disk)
    campaign.add_kara(table)
    saved(table)
    table.listeners.clear()
    table.take([line_of_bob(n, n) for n in range(2, 5)])
    assert table.settle().word == "saved"
    disk.note("torn")
    table.without({"bob.3"})
    table.write("On.")
    assert table.settle().word == "saved"
    killed(table)
    return 'text = "Line 3."'


def test_refused_entry_is_never_lost_from_both_places(path: str) -> None:
    disk = Recording()
    text = refused(path, disk).encode()
    assert not torn_is_lost(disk.calls, text)
    aside = next(
        n for n, call in enumerate(disk.calls) if call.name == "link" and call.args[1].endswith(".refused-1.txt")
    )
    assert torn_is_lost(without(disk.calls, last(disk.calls, "sync", aside)), text)


def torn_is_lost(calls: list[Call], text: bytes = TORN) -> bool:
    """Return True if some power cut would leave a text neither in the save nor in a file of its own beside it."""
    platter, torn = Platter(), False
    for call in calls:
        platter.follow(call)
        torn = torn or call.name == "torn"
        if torn and any(text not in beside(found) for _, found in platter.after_a_cut()):
            return True
    return False


def beside(found: Found) -> bytes:
    """Return what the save and the files beside it hold, without the backups."""
    return b"".join(data for path, data in found.items() if os.path.basename(os.path.dirname(path)) != ".backups")


def test_truncated_data_is_never_lost_from_both_places(path: str) -> None:
    disk = Recording()
    torn_and_opened(path, disk)
    assert not torn_is_lost(disk.calls)


class TestModel:
    """The model of the disk notices each of these faults; otherwise it could find nothing."""

    @pytest.mark.parametrize(
        ("story", "left_out"),
        [
            ("played", "sync"),
            ("played", "sync_folder"),
            ("killed before a sync", "sync"),
            ("killed before a folder's sync", "sync_folder"),
            ("edited", "sync"),
            ("edited", "sync_folder"),
            ("torn", "sync"),
            ("failed", "sync"),
        ],
    )
    def test_model_notices_a_missing_kind_of_sync(self, path: str, story: str, left_out: str) -> None:
        disk = Recording()
        disk.leave_out = lambda call: call.name == left_out
        STORIES[story](path, disk)
        assert any(losses(disk.calls, path))

    @pytest.mark.parametrize("story", STORIES)
    def test_model_notices_every_missing_sync_before_saved_is_reported(self, path: str, story: str) -> None:
        calls = recorded(path, story)
        for said in says_more(calls):
            assert any(losses(without(calls, last(calls, "sync", said)), path))

    @pytest.mark.parametrize("story", STORIES)
    def test_model_notices_every_missing_sync_around_a_new_name(self, path: str, story: str) -> None:
        """A new file must be synced before it gets the save's name, and its name before more is called saved."""
        calls = recorded(path, story)
        for named in (n for n, call in enumerate(calls) if call.name in NAMING and call.args[1] == path):
            if calls[named - 1].name != "edited":
                assert any(losses(without(calls, last(calls, "sync", named)), path))
            folder = following(calls, "sync_folder", named)
            if any(folder < said < following(calls, "sync_folder", folder) for said in says_more(calls)):
                assert any(losses(without(calls, folder), path))

    def test_model_notices_every_missing_sync_before_a_truncation(self, path: str) -> None:
        calls = recorded(path, "torn")
        cut = following(calls, "truncate", 0)
        assert torn_is_lost(without(calls, last(calls, "sync", cut)))
        assert torn_is_lost(without(calls, last(calls, "sync_folder", cut)))


def recorded(path: str, story: str) -> list[Call]:
    disk = Recording()
    STORIES[story](path, disk)
    assert any(says_more(disk.calls))
    return disk.calls


def without(calls: list[Call], n: int) -> list[Call]:
    return calls[:n] + calls[n + 1 :]


def says_more(calls: list[Call]) -> list[int]:
    """Return the places among the calls where further entries are promised."""
    said, found = set[str](), []
    for n, call in enumerate(calls):
        if call.name == "said" and not said.issuperset(call.args):
            said |= set(call.args)
            found.append(n)
    return found


def last(calls: list[Call], name: str, before: int) -> int:
    return max(n for n, call in enumerate(calls[:before]) if call.name == name)


def following(calls: list[Call], name: str, after: int) -> int:
    return next((n for n in range(after + 1, len(calls)) if calls[n].name == name), len(calls))
