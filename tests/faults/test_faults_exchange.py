"""A compaction never overwrites another program's change, not even one of the last moment, nor after a crash in it."""

import errno
import glob
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import FailingDisk, QuickDisk, RecordingDisk
from tests.faults.platter import Platter
from tests.faults.tally import Tally

from tracker.campaign.session import Session
from tracker.saves.compaction import BACKUPS, backups, kept_apart
from tracker.saves.disk import Disk

ADDED = b'\n[[entry]]\ntext = "Written in an editor."\n'
ROOT = Path(__file__).parents[2]


class HookedDisk(QuickDisk):
    """Calls `first` once before an exchange, and `then` once after it."""

    first: Callable[[], object] | None = None
    then: Callable[[], object] | None = None

    def exchange(self, one: str, other: str) -> bool:
        first, self.first = self.first, None
        if first:
            first()
        done = super().exchange(one, other)
        then, self.then = self.then, None
        if then:
            then()
        return done


def by_rename(path: str, data: bytes) -> None:
    campaign.put_raw(path + "~", data)
    os.replace(path + "~", path)


def append(path: str, data: bytes) -> None:
    with open(path, "ab") as file:
        file.write(data)


@pytest.fixture
def disk() -> HookedDisk:
    return HookedDisk()


@pytest.fixture
def table(save: str, disk: HookedDisk) -> Session:
    table = Session.open(save, disk=disk)
    campaign.play_saved(table, 12)
    table.write("Before.")
    table.settle()
    return table


def everywhere(save: str) -> bytes:
    """Return the bytes of every file in the save's folder and among its backups."""
    folder = os.path.dirname(save)
    paths = [*glob.glob(f"{glob.escape(folder)}/*"), *glob.glob(f"{glob.escape(folder)}/{BACKUPS}/*")]
    return b"".join(campaign.raw(path) for path in paths if os.path.isfile(path))


def assert_nothing_left(save: str) -> None:
    assert [name for name in os.listdir(os.path.dirname(save)) if name.endswith((".new", "~"))] == []


class TestLastMoment:
    @pytest.mark.parametrize("by", ["rename", "appending"])
    def test_change_before_the_exchange_is_not_overwritten(
        self, table: Session, save: str, disk: HookedDisk, by: str
    ) -> None:
        known, whole = campaign.ids(save), campaign.raw(save)
        disk.first = lambda: by_rename(save, whole + ADDED) if by == "rename" else append(save, ADDED)
        table._tidy()
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert disk.first is None
        assert b"Written in an editor." in campaign.raw(save)
        assert campaign.ids(save)[-1] == ours
        assert table.close().word == "saved"
        campaign.assert_whole(save, [*known, ours])
        assert kept_apart(save) == []
        assert_nothing_left(save)

    def test_change_before_the_exchange_may_be_an_older_version(
        self, table: Session, save: str, disk: HookedDisk
    ) -> None:
        older = campaign.raw(save)
        campaign.play_saved(table, 3)
        known = campaign.ids(save)
        disk.first = lambda: by_rename(save, older + ADDED)
        table._tidy()
        assert table.settle().word == "saved"
        assert set(known) < set(campaign.ids(save))
        assert b"Written in an editor." in campaign.raw(save)
        assert table.close().word == "saved"

    def test_deletion_before_the_exchange_is_noticed(self, table: Session, save: str, disk: HookedDisk) -> None:
        disk.first = lambda: os.unlink(save)
        table._tidy()
        table.write("Ours.")
        assert table.settle().word == "NOT SAVED"
        assert table.detached == "deleted"
        assert not os.path.exists(save)
        assert_nothing_left(save)
        table.close()

    def test_folder_under_the_name_is_put_back(self, table: Session, save: str, disk: HookedDisk) -> None:
        def change() -> None:
            os.unlink(save)
            os.mkdir(save)

        disk.first = change
        table._tidy()
        table.write("Ours.")
        assert table.settle().word == "NOT SAVED"
        assert table.detached == "no longer a file"
        assert os.path.isdir(save)
        assert_nothing_left(save)
        table.close()

    def test_change_after_the_exchange_is_read(self, table: Session, save: str, disk: HookedDisk) -> None:
        known = campaign.ids(save)
        disk.then = lambda: append(save, ADDED)
        table._tidy()
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert b"Written in an editor." in campaign.raw(save)
        assert table.state == campaign.folded(save)
        assert table.close().word == "saved"
        campaign.assert_whole(save, [*known, ours])

    def test_change_between_two_exchanges_is_kept_apart(self, table: Session, save: str, disk: HookedDisk) -> None:
        """Somebody replaces the save, and somebody writes to the new file before it is taken out again."""
        whole = campaign.raw(save)
        disk.first = lambda: by_rename(save, whole + ADDED)
        disk.then = lambda: append(save, b'\n[[entry]]\ntext = "In between."\n')
        table._tidy()
        assert table.settle().word == "saved"
        assert b"Written in an editor." in campaign.raw(save)
        assert b"In between." in campaign.raw(kept_apart(save)[-1])
        assert any(os.path.basename(kept_apart(save)[-1]) in note for note in table.notes)
        assert table.close().word == "saved"
        assert_nothing_left(save)

    @pytest.mark.parametrize("exchanges", [True, False])
    def test_late_write_to_the_replaced_file_is_kept_apart(
        self, table: Session, save: str, disk: HookedDisk, exchanges: bool
    ) -> None:
        disk.exchanges = exchanges
        with open(save, "ab") as editor:
            table._tidy()
            table.settle()
            editor.write(ADDED)
        for _ in range(7):
            table._tidy()
            table.settle()
        assert b"Written in an editor." in campaign.raw(kept_apart(save)[-1])
        assert any(os.path.basename(kept_apart(save)[-1]) in note for note in table.notes)
        assert table.close().word == "saved"

    def test_version_is_kept_though_it_cannot_be_put_back(self, save: str) -> None:
        disk = FailingDisk(errno.EIO, lambda name, number: False)
        table = Session.open(save, disk=disk)
        known, whole = campaign.play_saved(table, 12), campaign.raw(save)
        count = disk.calls["exchange"]

        def when(name: str, number: int) -> bool:
            if (name, number) == ("exchange", count + 1):
                by_rename(save, whole + ADDED)
            return (name, number) == ("exchange", count + 2)

        disk.when = when
        table._tidy()
        ours = table.write("Ours.")["id"]
        assert table.settle().word == "saved"
        assert disk.failed == ["exchange"]
        assert b"Written in an editor." in campaign.raw(kept_apart(save)[-1])
        assert table.close().word == "saved"
        campaign.assert_whole(save, [*known, ours])
        assert_nothing_left(save)


class TestFilesystem:
    @pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL, errno.ENOTSUP])
    def test_filesystem_without_exchange_compacts_as_before(
        self, save: str, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("tracker.saves.disk._exchange_call", lambda: lambda one, other: code)
        table = Session.open(save, disk=QuickDisk())
        known = campaign.play_saved(table, 12)
        assert backups(save)
        assert table.close().word == "saved"
        campaign.assert_whole(save, known)
        assert_nothing_left(save)

    def test_filesystem_without_hard_links_makes_backups_by_exchange(self, save: str) -> None:
        table = Session.open(save, disk=FailingDisk(errno.EPERM, lambda name, number: name == "link"))
        known = campaign.play_saved(table, 12)
        assert table.close().word == "saved"
        assert len(backups(save)) >= 2
        assert all(campaign.contents(path).bad == [] for path in backups(save))
        campaign.assert_whole(save, known)
        assert_nothing_left(save)

    def test_real_call_swaps_two_files_and_reports_a_missing_one(self, tmp_path: Path) -> None:
        one, other = tmp_path / "one", tmp_path / "other"
        one.write_text("1")
        other.write_text("2")
        if not Disk().exchange(str(one), str(other)):
            pytest.skip("this filesystem cannot exchange two files")
        assert (one.read_text(), other.read_text()) == ("2", "1")
        with pytest.raises(FileNotFoundError):
            Disk().exchange(str(one), str(tmp_path / "nobody"))


class PowerGone(BaseException):
    """Raised where the program ends without any cleanup."""


def vanish() -> None:
    raise PowerGone


class TestCrash:
    def test_crash_right_after_the_exchange_keeps_the_version_that_was_taken_out(
        self, table: Session, save: str, disk: HookedDisk
    ) -> None:
        """The version taken out may be another program's, and nothing has read it yet."""
        known, whole = campaign.ids(save), campaign.raw(save)
        table._writer.close()
        disk.first = lambda: by_rename(save, whole + ADDED)
        disk.then = vanish
        monkey = pytest.MonkeyPatch()
        monkey.setattr(QuickDisk, "unlink", lambda *_: vanish())
        monkey.setattr(QuickDisk, "replace", lambda *_: vanish())
        top = table.save.head
        assert top.base
        with pytest.raises(PowerGone):
            table.save.compact(top.state, 0, top.base.state, top.base.without)
        monkey.undo()
        table.save.close()  # as the end of the process does
        assert b"Written in an editor." not in campaign.raw(save)
        again = Session.open(save, disk=QuickDisk())
        assert b"Written in an editor." in campaign.raw(kept_apart(save)[-1])
        assert any(os.path.basename(kept_apart(save)[-1]) in note for note in again.notes)
        assert again.close().word == "saved"
        campaign.assert_whole(save, known)
        assert_nothing_left(save)

    @pytest.mark.parametrize("moment", ["before", "between", "after"])
    def test_power_cut_at_any_call_loses_nobodys_line(self, save: str, tmp_path: Path, moment: str) -> None:
        """Another program replaces or changes the file around an exchange; every state that a cut may leave is opened."""
        disk = Neighbor(save, moment)
        fd = os.open(save, os.O_RDONLY)
        disk.know(fd, save)
        os.close(fd)
        table = Session.open(save, disk=disk)
        known = campaign.play_saved(table, 4)
        disk.active = True
        table._tidy()
        table.write("Ours.")
        assert table.settle().word == "saved"
        known.append(table.log.entries[-1]["id"])
        said = len(disk.calls)
        table.close()
        for n, files in enumerate(states(disk, save, disk.began)):
            folder = tmp_path / f"cut {n}"
            path = unpack(files, save, folder)
            again = campaign.reopen(path)
            assert again.readonly == ""
            again.close()
            assert b"Written in an editor." in everywhere(path)
            campaign.assert_whole(path, known[:4])
            shutil.rmtree(folder)
        assert said > disk.began > 0

    @pytest.mark.parametrize(
        ("left", "kept"),
        [
            ("the same", False),
            ("half", False),
            ("half of the head", False),
            ("zeros", False),
            ("half of it zeros", False),
            ("nothing", False),
            ("a link", False),
            ("one entry more", True),
            ("one entry changed", True),
            ("an edited head", True),
            ("another campaign", True),
            ("No campaign", True),
        ],
    )
    def test_left_file_is_removed_only_if_the_save_has_all_of_it(self, save: str, left: str, kept: bool) -> None:
        table = Session.open(save, disk=QuickDisk())
        known = campaign.play_saved(table, 9)
        table.close()
        data, other = campaign.raw(save), f"{save}.other"
        end = data.index(b"\n", data.index(b"\n#= 0 ") + 1)
        versions = {
            "the same": data,
            "half": data[: (end + len(data)) // 2],
            "half of the head": data[: end // 2],
            "zeros": bytes(5000),
            "half of it zeros": data[: len(data) * 2 // 3] + bytes(len(data) // 3),
            "nothing": b"",
            "one entry more": data + ADDED,
            "one entry changed": data.replace(b"Roll 3.", b"Not 3."),
            "an edited head": data.replace(b"supply = 5", b"supply = 3", 1),
            "another campaign": data.replace(b'\nid = "', b'\nid = "z', 1),
            "No campaign": b"# remember the milk\n",
        }
        temp = os.path.join(os.path.dirname(save), ".the vale.toml.123.new")
        if left == "a link":
            campaign.put_raw(other, data + ADDED)
            os.symlink(other, temp)
        else:
            campaign.put_raw(temp, versions[left])
        again = Session.open(save, disk=QuickDisk())
        assert [campaign.raw(path) for path in kept_apart(save)] == ([versions[left]] if kept else [])
        assert any("is kept as" in note for note in again.notes) == kept
        again.close()
        assert_nothing_left(save)
        campaign.assert_whole(save, known)


class Neighbor(RecordingDisk):
    """Another program that writes around the first exchange once this is `active`: before it, after it, or both."""

    def __init__(self, save: str, moment: str) -> None:
        super().__init__()
        self.save, self.moment = save, moment
        self.active, self.began = False, 0

    def know(self, fd: int, path: str) -> None:
        """Record a file that was there before."""
        number = os.fstat(fd).st_ino
        self.note("open", path, number, False)
        self.note("write", number, campaign.raw(path))
        self.note("sync", number)
        self.note("sync_folder", os.path.dirname(path))

    def exchange(self, one: str, other: str) -> bool:
        active, self.active = self.active, False
        if active and self.moment == "before":
            self._save_in_editor()
        elif active and self.moment == "between":
            self._append()
        done = super().exchange(one, other)
        if active and self.moment == "after":
            self._save_in_editor()
        return done

    def _save_in_editor(self) -> None:
        data = campaign.raw(self.save)
        fd = self.open(self.save + "~", os.O_RDWR | os.O_CREAT)
        self.write_all(fd, data + ADDED)
        self.sync(fd)
        self.close(fd)
        self.sync_folder(os.path.dirname(self.save))
        self.began = len(self.calls)
        self.replace(self.save + "~", self.save)

    def _append(self) -> None:
        fd = self.open(self.save, os.O_RDWR | os.O_APPEND)
        self.write_all(fd, ADDED)
        self.sync(fd)
        self.close(fd)
        self.began = len(self.calls)


def states(disk: RecordingDisk, save: str, since: int) -> Iterator[dict[str, bytes]]:
    """Yield every different state of the save's folder that a power cut may leave after the call with this number."""
    platter, seen = Platter(), set[frozenset[tuple[str, bytes]]]()
    beside = os.path.join(os.path.dirname(save), "")
    for n, call in enumerate(disk.calls, 1):
        platter.follow(call)
        if n > since:
            for _, everything in platter.after_a_cut():
                files = {path: data for path, data in everything.items() if path.startswith(beside)}
                state = frozenset(files.items())
                if state not in seen:
                    seen.add(state)
                    yield files


def unpack(files: dict[str, bytes], save: str, folder: Path) -> str:
    """Write these files into another folder; the path of the save there."""
    os.makedirs(folder / BACKUPS)
    for path, data in files.items():
        if not path.endswith(".lock"):
            campaign.put_raw(str(folder / os.path.relpath(path, os.path.dirname(save))), data)
    return str(folder / os.path.basename(save))


RACER = """
import os, random, sys
path, count = sys.argv[1], int(sys.argv[2])

def stable():
    while True:
        with open(path, "rb") as file:
            before = os.fstat(file.fileno())
            data = file.read()
            after = os.fstat(file.fileno())
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns) and len(data) == after.st_size:
            return data

for n in range(count):
    sys.stdin.readline()
    for _ in range(random.randrange(100_000)):
        pass  # any moment of a compaction is as good as another
    entry = f'\\n[[entry]]\\ntext = "Racer {n}."\\n'.encode()
    if n % 2:
        with open(path, "ab") as file:
            file.write(entry)
    else:
        data = stable()
        with open(path + "~", "wb") as file:
            file.write(data + entry)
        os.replace(path + "~", path)
    print(n, flush=True)
"""


def test_race_with_a_program_that_writes_all_the_time_loses_nobodys_line(
    save: str, many: Callable[[int], int], tally: Tally
) -> None:
    """A second process replaces the file and appends to it by turns while every entry is followed by a compaction."""
    rounds = many(30)
    tally("races", 0)
    racer = subprocess.Popen(
        [sys.executable, "-c", RACER, save, str(rounds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert racer.stdin
    assert racer.stdout
    table = Session.open(save, disk=Disk())
    known = campaign.ids(save)
    for n in range(rounds):
        racer.stdin.write("\n")
        racer.stdin.flush()
        for k in range(3):
            known.append(table.write(f"Ours {n} {k}.")["id"])
            table._tidy()
            assert table.settle().word == "saved"
        racer.stdout.readline()
        tally("races", 1)
    racer.communicate()
    assert racer.returncode == 0
    assert table.close().word == "saved"
    campaign.assert_whole(save, [])
    found = everywhere(save)
    assert [ident for ident in known if f'id = "{ident}"\n'.encode() not in found] == []
    assert [n for n in range(rounds) if f'text = "Racer {n}."\n'.encode() not in found] == []
    assert_nothing_left(save)
