"""Snapshots are made, thinned out, found again and brought back."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.app.helpers import KARA, QuickDisk, campaign, in_party

from tracker.campaign import session as table
from tracker.campaign.session import Session
from tracker.saves import backups, saves_folder
from tracker.saves.backups import APART, COMPACTED, NEWEST, REPLACED, ROOM, SNAPSHOT, Backup, file_name, superfluous
from tracker.saves.errors import SaveError

NOW = datetime(2026, 11, 18, 20, 14, 5)
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(microsecond=0))


def kept(times: list[datetime], now: datetime = NOW) -> set[datetime]:
    return set(times) - superfluous(dict.fromkeys(times, 1), now)


class TestThinning:
    def test_every_hour_of_a_day_keeps_its_last_snapshot(self) -> None:
        times = [NOW - timedelta(minutes=20 * n) for n in range(24 * 3)]
        hours = {max(t for t in times if t.hour == hour) for hour in range(24)}
        assert kept(times) == hours | set(times[:NEWEST])

    def test_every_day_of_a_month_keeps_its_last_snapshot(self) -> None:
        times = [NOW - timedelta(hours=6 * n) for n in range(4 * 31)]
        assert {at.date() for at in kept(times)} == {at.date() for at in times}
        old = [at for at in kept(times) if at < NOW - timedelta(days=7)]
        assert all(at == max(t for t in times if t.date() == at.date()) for at in old)

    def test_every_month_of_a_year_and_every_year_keep_their_last_snapshot(self) -> None:
        times = [NOW - timedelta(days=n) for n in range(5 * 365)]
        left = kept(times)
        assert {at.year for at in left} == {at.year for at in times}
        last_year = {(at.year, at.month) for at in times if at > NOW - timedelta(days=334)}
        assert last_year <= {(at.year, at.month) for at in left}

    def test_snapshots_of_years_of_play_stay_few(self) -> None:
        left: set[datetime] = set()
        for evening in range(2 * 365):
            for hour in range(3):
                at = datetime(2026, 1, 1, 19) + timedelta(days=evening, hours=hour)
                left = kept([*left, at], at)
        assert len(left) < 90

    @given(st.lists(MOMENTS, unique=True), MOMENTS)
    @example([NOW - timedelta(minutes=n) for n in range(100)], datetime(2099, 1, 1))
    @example([NOW - timedelta(minutes=n) for n in range(100)], datetime(1970, 1, 1))
    def test_newest_and_later_snapshots_stay_whatever_the_clock_says(
        self, times: list[datetime], now: datetime
    ) -> None:
        left = kept(times, now)
        past = sorted(at for at in times if at <= now)
        assert set(past[-NEWEST:]) <= left
        assert {at for at in times if at > now} <= left
        assert kept(list(left), now) == left

    @given(st.lists(MOMENTS, unique=True))
    def test_clock_far_ahead_deletes_nothing_more(self, times: list[datetime]) -> None:
        now = max(times, default=NOW)
        assert kept(times, now) == kept(times, datetime(2199, 1, 1))

    @given(st.lists(MOMENTS, min_size=1, max_size=40))
    def test_new_snapshot_stays_whatever_the_clock_said_before(self, clock: list[datetime]) -> None:
        left: set[datetime] = set()
        for now in clock:
            left = kept([*left, now], now)
            assert now in left

    def test_large_snapshots_make_room_but_the_newest_stay(self) -> None:
        times = [NOW - timedelta(days=n) for n in range(20)]
        assert superfluous(dict.fromkeys(times, ROOM // 15), NOW) == set(times[15:])
        assert superfluous(dict.fromkeys(times, ROOM), NOW) == set(times[NEWEST:])


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "tracker" / "backups"


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """A campaign with one snapshot, of Kara."""
    (tmp_path / "saves").mkdir()
    return campaign(tmp_path / "saves", *in_party(KARA))


def play(path: Path, *lines: str) -> Session:
    """Play an evening in which these lines are written, and close the session."""
    session = Session.open(str(path), disk=QuickDisk())
    for line in lines:
        session.write(line, "kara")
    assert session.close().word == "saved"
    return session


def snapshots(path: Path) -> list[Backup]:
    return [one for one in backups.find(str(path)) if one.kind == SNAPSHOT]


class TestSnapshots:
    def test_end_of_a_session_makes_one_in_both_folders(self, vale: Path, data: Path) -> None:
        play(vale, "One.")
        newest, first = snapshots(vale)
        here, there = map(Path, newest.paths)
        assert here.parent == vale.parent / ".backups"
        assert there.parent.parent.parent == data
        assert here.read_bytes() == there.read_bytes() == vale.read_bytes()
        assert backups.look(newest) == (2, "")
        assert backups.look(first) == (1, "")

    def test_session_without_entries_makes_none(self, vale: Path) -> None:
        before = snapshots(vale)
        play(vale)
        assert snapshots(vale) == before

    def test_entries_of_a_killed_session_are_in_the_next_one(self, vale: Path) -> None:
        killed = Session.open(str(vale), disk=QuickDisk())
        killed.write("Saved, and then the power went.", "kara")
        killed.settle()
        killed._writer.close()
        killed.save.close()
        play(vale)
        assert backups.look(snapshots(vale)[0]).entries == 2

    def test_hour_of_play_makes_one(self, vale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        session = Session.open(str(vale), disk=QuickDisk())
        session.write("Early.", "kara")
        session.settle()
        assert len(snapshots(vale)) == 1
        monkeypatch.setattr(table, "BACKUP_SECONDS", 0.0)
        session.write("An hour later.", "kara")
        session.settle()
        assert [backups.look(one).entries for one in snapshots(vale)] == [3, 1]
        monkeypatch.undo()
        session.write("A minute after that.", "kara")
        session.settle()
        assert len(snapshots(vale)) == 2
        session.close()

    @pytest.mark.parametrize(
        "beside", ["", "another campaign's", "from a wrong clock", "a broken link", "a replaced file"]
    )
    def test_command_makes_one_unless_there_is_one_from_the_last_hour(self, vale: Path, beside: str) -> None:
        before = snapshots(vale)
        (recent,) = (Path(one.paths[0]) for one in before)
        now = datetime.now()
        odd = {
            "another campaign's": file_name(f"{vale.stem} 2", now),
            "from a wrong clock": file_name(vale.stem, now + timedelta(days=999)),
            "a broken link": file_name(vale.stem, now + timedelta(days=999)),
            "a replaced file": file_name(vale.stem, now, REPLACED),
        }
        if beside:
            other = recent.with_name(odd[beside])
            if beside == "a broken link":
                other.symlink_to("nothing")
                recent.rename(recent.with_name(file_name(vale.stem, now - timedelta(minutes=1))))
            else:
                recent.rename(other)
        session = Session.open(str(vale))
        session.write("One command.", "kara")
        session.close(brief=True)
        found = (one for one in recent.parent.glob("*.toml") if one.is_file())
        made = [one for one in found if "One command." in one.read_text()]
        assert len(made) == (beside not in {"", "a broken link"})

    def test_reader_makes_none(self, vale: Path) -> None:
        before = snapshots(vale)
        Session.open(str(vale), write=False).close()
        assert snapshots(vale) == before

    def test_snapshot_is_a_real_copy_with_the_mode_of_the_save(self, vale: Path) -> None:
        vale.chmod(0o640)
        play(vale, "One.")
        for path in map(Path, snapshots(vale)[0].paths):
            status = path.stat()
            assert (stat.S_IMODE(status.st_mode), status.st_nlink) == (0o640, 1)
            assert not path.samefile(vale)
            before = path.read_bytes()
            os.truncate(vale, 10)
            assert path.read_bytes() == before

    def test_snapshot_holds_durable_entries_only(self, vale: Path) -> None:
        session = Session.open(str(vale), disk=QuickDisk())
        with open(vale, "ab") as file:
            file.write(b'[[entry]]\nid = "half')
        assert backups.snapshot(str(vale), "x", session.save.read.end, QuickDisk()) == []
        session.save.close()
        [newest, _] = sorted((vale.parent / ".backups").glob("vale 2*"), reverse=True)[:2]
        assert b"half" not in newest.read_bytes()

    def test_two_in_one_second_get_two_names(self, vale: Path) -> None:
        size = vale.stat().st_size
        for _ in range(3):
            assert backups.snapshot(str(vale), "x", size, QuickDisk(), NOW) == []
        assert {path.name for path in (vale.parent / ".backups").glob("vale 2026-11-18 20*")} == {
            f"vale 2026-11-18 20.14.0{n}.toml" for n in (5, 6, 7)
        }

    def test_unwritable_folder_is_reported_once_and_stops_nothing(self, vale: Path, data: Path) -> None:
        for path in (*(vale.parent / ".backups").iterdir(), vale.parent / ".backups"):
            path.unlink() if path.is_file() else path.rmdir()
        (vale.parent / ".backups").write_text("in the way")
        session = Session.open(str(vale), disk=QuickDisk())
        told: list[str] = []
        session.listeners.append(told.append)
        session._snapshot()
        session.write("One.", "kara")
        session._snapshot()
        assert session.settle().word == "saved"
        assert session.close().word == "saved"
        [note] = [note for note in session.notes if "Couldn't make a backup" in note]
        assert note.startswith(f"Couldn't make a backup in {vale.parent / '.backups'}: .backups is not a folder")
        assert "untidy" in told
        assert backups.look(snapshots(vale)[0]).entries == 2

    @pytest.mark.parametrize("place", ["beside", "data"])
    def test_link_in_place_of_a_folder_is_not_followed(self, place: str, vale: Path, tmp_path: Path) -> None:
        group = Path(backups.group_folder(str(vale), backups.ident_of(str(vale))))
        folder = vale.parent / ".backups" if place == "beside" else group.parent
        folder.rename(tmp_path / "moved away")
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "vale 2020-01-01 10.00.00.toml").write_text("somebody else's")
        folder.symlink_to(elsewhere)
        session = play(vale, "One.")
        assert "Couldn't make a backup" in session.notes[-1]
        assert [path.name for path in elsewhere.glob("vale*20*")] == ["vale 2020-01-01 10.00.00.toml"]

    def test_campaign_id_that_is_a_path_stays_in_the_backup_folder(self, vale: Path, data: Path) -> None:
        assert backups.snapshot(str(vale), "../../../out", vale.stat().st_size, QuickDisk()) == []
        assert {path.parent.parent for path in data.rglob("*.toml")} == {
            data / backups.ident_of(str(vale)),
            Path(backups.group_folder(str(vale), "../../../out")).parent,
        }
        assert Path(backups.group_folder(str(vale), "../../../out")).parent.parent == data

    def test_unfinished_snapshot_of_a_killed_program_is_swept(self, vale: Path) -> None:
        left = vale.parent / ".backups" / ".vale 2020-01-01 10.00.00.toml.123.new"
        other = vale.parent / ".backups" / ".valerie 2020-01-01 10.00.00.toml.123.new"
        left.write_text("half")
        other.write_text("half")
        play(vale, "One.")
        assert (left.exists(), other.exists()) == (False, True)


class TestFinding:
    def test_renamed_campaign_keeps_its_history(self, vale: Path) -> None:
        before = snapshots(vale)
        new = Path(saves_folder.rename(str(vale), "The Drowned Mill", QuickDisk()))
        play(new, "One.")
        names = [(one.when, one.name) for one in snapshots(new)]
        assert names[1:] == [(before[0].when, "The Drowned Mill"), (before[0].when, "vale")]
        assert Path(snapshots(new)[1].paths[0]) == new.parent / ".backups" / (
            f"The Drowned Mill {before[0].when:%Y-%m-%d %H.%M.%S}.toml"
        )

    def test_backups_follow_a_campaign_into_the_archive_and_back(self, vale: Path) -> None:
        before = len(snapshots(vale))
        there = saves_folder.archive(str(vale), QuickDisk())
        assert len(snapshots(Path(there))) >= before
        back = Path(saves_folder.bring_back(there, QuickDisk()))
        assert [len(one.paths) for one in snapshots(back)] == [2] * before

    def test_copy_has_its_own_backups_and_thins_out_no_others(self, vale: Path) -> None:
        copy = Path(saves_folder.duplicate(str(vale), "copy", QuickDisk()))
        before = snapshots(vale)
        for n in range(15):
            play(copy, f"Line {n}.")
        assert snapshots(vale) == before
        assert {one.name for one in snapshots(copy)} == {"copy"}

    def test_old_snapshots_are_deleted_in_both_folders(self, vale: Path) -> None:
        [first] = snapshots(vale)
        data, hour = vale.read_bytes(), first.when.replace(minute=0, second=0) - timedelta(days=400)
        for folder in {Path(path).parent for path in first.paths}:
            for minute in range(60):
                made = folder / backups.file_name("vale", hour + timedelta(minutes=minute))
                made.write_bytes(data)
        assert len(snapshots(vale)) == 61
        play(vale, "One.")
        left = snapshots(vale)
        assert [len(one.paths) for one in left] == [2] * NEWEST
        assert left[-1].when == hour + timedelta(minutes=60 - (NEWEST - 2))

    def test_copies_of_one_name_in_two_folders_stay_apart(self, vale: Path, tmp_path: Path) -> None:
        (tmp_path / "stick").mkdir()
        copy = tmp_path / "stick" / "vale.toml"
        copy.write_bytes(vale.read_bytes())
        play(copy, "On the stick.")
        folders = {path.parent for one in snapshots(copy) for path in map(Path, one.paths)}
        assert Path(backups.group_folder(str(vale), "x")).name != Path(backups.group_folder(str(copy), "x")).name
        assert len(folders) == 3

    @pytest.mark.parametrize("beside", [True, False])
    def test_deleted_campaign_is_found_by_its_name(self, beside: bool, vale: Path) -> None:
        before = snapshots(vale)
        vale.unlink()
        if not beside:
            (vale.parent / ".backups").rename(vale.parent / "gone too")
        [found] = snapshots(vale)
        assert found.when == before[0].when
        assert len(found.paths) == (2 if beside else 1)

    def test_campaign_with_a_damaged_head_has_its_backups(self, vale: Path) -> None:
        before = snapshots(vale)
        vale.write_bytes(b"\0" * 1000)
        assert snapshots(vale) == before

    def test_versions_that_compaction_or_another_program_replaced_are_listed(self, vale: Path) -> None:
        play(vale, "One.")
        (vale.parent / ".backups" / "vale.kept-1.toml").write_bytes(vale.read_bytes())
        kinds = [one.kind for one in backups.find(str(vale))]
        assert (kinds.count(COMPACTED), kinds.count(APART)) == (2, 1)

    def test_only_our_own_file_names_count(self, vale: Path) -> None:
        before = backups.find(str(vale))
        folder = vale.parent / ".backups"
        for name in ("vale 2026-13-45 99.00.00.toml", "valerie 2026-11-18 20.14.05.toml", "vale 2026-11-18.toml"):
            (folder / name).write_text("")
        assert backups.find(str(vale)) == before


class TestLook:
    @pytest.mark.parametrize(
        "damage",
        [
            lambda data: b"",
            lambda data: b"\0" * len(data),
            lambda data: data[: len(data) // 2],
            lambda data: data.replace(b'"One."', b'"One.'),
            lambda data: data.replace(b"entries =", b"entries"),
        ],
    )
    def test_damage_in_head_or_end_is_seen(self, damage: object, vale: Path) -> None:
        play(vale, "One.")
        newest = snapshots(vale)[0]
        for path in map(Path, newest.paths):
            path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
        assert backups.look(newest).problem
        with pytest.raises(SaveError, match="This backup is damaged"):
            backups.as_new(newest, str(vale.parent))

    def test_unfinished_write_at_the_end_is_seen_and_can_be_restored(self, vale: Path) -> None:
        play(vale, "One.")
        newest = snapshots(vale)[0]
        here, there = map(Path, newest.paths)
        here.write_bytes(here.read_bytes()[:-40] + b"\0" * 40)
        assert backups.look(newest).problem == ""
        assert backups.checked(newest) == str(there)
        there.write_bytes(there.read_bytes() + b"\0" * 100)
        assert backups.look(newest).problem == "its end is damaged"
        new = backups.as_new(newest, str(vale.parent), disk=QuickDisk())
        assert Session.open(new, disk=QuickDisk()).close().word == "saved"

    def test_entry_edited_by_hand_is_no_damage(self, vale: Path) -> None:
        play(vale, "One.")
        newest = snapshots(vale)[0]
        for path in map(Path, newest.paths):
            path.write_bytes(path.read_bytes().replace(b"One.", b"Two."))
        assert backups.look(newest) == (2, "")

    def test_one_intact_copy_of_two_is_enough(self, vale: Path) -> None:
        newest = snapshots(vale)[0]
        Path(newest.paths[0]).write_bytes(b"\0" * 1000)
        assert backups.look(newest) == (1, "")
        new = backups.as_new(newest, str(vale.parent), disk=QuickDisk())
        assert Path(new).read_bytes() == Path(newest.paths[1]).read_bytes()

    def test_huge_file_is_read_in_parts(self, vale: Path) -> None:
        newest = snapshots(vale)[0]
        for path in newest.paths:
            os.truncate(path, 1 << 40)
        assert backups.look(newest).problem

    def test_link_is_not_followed(self, vale: Path, tmp_path: Path) -> None:
        link = vale.parent / ".backups" / "vale 2030-01-01 10.00.00.toml"
        link.symlink_to(vale)
        assert "link" in backups.look(snapshots(vale)[0]).problem


class TestRestore:
    def test_restored_campaign_gets_a_free_name(self, vale: Path) -> None:
        first = snapshots(vale)[0]
        play(vale, "One.")
        before = vale.read_bytes()
        paths = [Path(backups.as_new(first, str(vale.parent), disk=QuickDisk())) for _ in range(2)]
        assert [path.name for path in paths] == ["vale restored.toml", "vale restored 2.toml"]
        assert all(path.read_bytes() == Path(first.paths[0]).read_bytes() for path in paths)
        assert vale.read_bytes() == before
        assert play(paths[0], "Another way.").state["party"]["kara"]["name"] == "Kara"

    def test_restore_in_place_keeps_the_present_file(self, vale: Path) -> None:
        first = snapshots(vale)[0]
        play(vale, "One.")
        vale.chmod(0o640)
        present = vale.read_bytes()
        before = backups.find(str(vale))
        kept_as = Path(backups.in_place(first, str(vale), disk=QuickDisk()))
        assert vale.read_bytes() == Path(first.paths[0]).read_bytes()
        assert stat.S_IMODE(vale.stat().st_mode) == 0o640
        assert kept_as.read_bytes() == present
        newest, *rest = backups.find(str(vale))
        assert (newest.kind, newest.paths) == (REPLACED, (str(kept_as),))
        assert rest == before
        assert not list(vale.parent.glob(".*.new"))

    def test_replaced_file_is_never_thinned_out(self, vale: Path) -> None:
        backups.in_place(snapshots(vale)[0], str(vale), disk=QuickDisk())
        for n in range(12):
            play(vale, f"Line {n}.")
        assert [one.kind for one in backups.find(str(vale))].count(REPLACED) == 1

    def test_deleted_campaign_is_restored_in_place(self, vale: Path) -> None:
        before = vale.read_bytes()
        vale.unlink()
        assert backups.in_place(backups.find(str(vale))[0], str(vale), disk=QuickDisk()) == ""
        assert vale.read_bytes() == before

    def test_damaged_file_is_kept_when_it_is_replaced(self, vale: Path) -> None:
        vale.write_bytes(b"format = 1\nid = ")
        kept_as = backups.in_place(snapshots(vale)[0], str(vale), disk=QuickDisk())
        assert Path(kept_as).read_bytes() == b"format = 1\nid = "
        assert play(vale, "One.").state["party"]["kara"]["name"] == "Kara"

    def test_campaign_that_another_tracker_has_open_stays(self, vale: Path) -> None:
        first = snapshots(vale)[0]
        session = Session.open(str(vale), disk=QuickDisk())
        try:
            with pytest.raises(SaveError, match=r"another tracker has it open.*close it there first"):
                backups.in_place(first, str(vale), disk=QuickDisk())
            session.write("Still here.", "kara")
            assert session.settle().word == "saved"
        finally:
            session.close()

    def test_backup_damaged_in_the_middle_is_refused_and_changes_nothing(self, vale: Path) -> None:
        play(vale, *(f"Line {n}." for n in range(3)))
        newest = snapshots(vale)[0]
        for path in map(Path, newest.paths):
            path.write_bytes(path.read_bytes().replace(b'"Line 1."', b'"Line 1.'))
        before = vale.read_bytes()
        acts: list[Callable[[], object]] = [
            lambda: backups.as_new(newest, str(vale.parent)),
            lambda: backups.in_place(newest, str(vale)),
        ]
        for act in acts:
            with pytest.raises(SaveError, match=r"line .* is damaged.*Choose another"):
                act()
        assert vale.read_bytes() == before
        assert [path.name for path in vale.parent.glob("*.toml")] == ["vale.toml"]


class TestChosen:
    FOUND = tuple(
        Backup(at, SNAPSHOT, "vale", ()) for at in (NOW, NOW - timedelta(hours=1), datetime(2026, 11, 17, 22, 5, 1))
    )

    @pytest.mark.parametrize(
        ("when", "number"),
        [
            ("1", 1),
            ("3", 3),
            ("2026-11-18", 1),
            ("2026-11-18 19", 2),
            ("2026-11-18 19.14", 2),
            ("2026-11-18 19:14", 2),
            ("2026-11-18T19:14", 2),
            ("2026-11-17", 3),
            ("2026", 1),
            ("yesterday", 3),
            ("today 19", 2),
        ],
    )
    def test_number_or_beginning_of_a_date_names_one(self, when: str, number: int) -> None:
        assert backups.chosen([*self.FOUND], when, NOW) is self.FOUND[number - 1]

    @pytest.mark.parametrize("when", ["0", "4", "2026-11-16", "tomorrow", "", "x", "-1", "²"])
    def test_unknown_choice_is_refused_with_the_possible_ones(self, when: str) -> None:
        with pytest.raises(SaveError, match="a number from the list, or a date such as 2026-11-18"):
            backups.chosen([*self.FOUND], when, NOW)


def test_number_of_thousands_of_digits_is_no_backup() -> None:
    with pytest.raises(SaveError, match="No backup is called"):
        backups.chosen([], "1" * 5000)


@pytest.mark.parametrize("seconds", [1, 30, 60])
def test_second_that_was_free_next_is_not_years_ago(seconds: int) -> None:
    assert backups.ago(NOW + timedelta(seconds=seconds), NOW) == "just now"


def test_backups_beside_the_save_work_without_a_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("platformdirs.user_data_dir", unknown)
    save = tmp_path / "vale.toml"
    save.write_bytes(b"anything")
    problems = backups.snapshot(str(save), "k3f9", 8, QuickDisk(), NOW)
    assert problems == [
        "Couldn't make a backup in the data folder: you have no home folder; set HOME or XDG_DATA_HOME."
    ]
    assert [one.kind for one in backups.find(str(save))] == [SNAPSHOT]
