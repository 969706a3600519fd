"""What a second window saved after the window that hosted was gone comes back when the campaign is opened again."""

import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from tests.campaign.playing import campaign, open_session, whole_file

from tracker.campaign.other_windows import take_left
from tracker.campaign.session import Session
from tracker.saves.lock import Lock, lock_of

SEAT = [{"at": "seats", "add": {"id": "ana", "name": "Ana", "role": "gm"}}]


@pytest.fixture
def main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign that was shared, so that it has a seat."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with campaign(tmp_path) as table:
        table.do("seats/sit", SEAT)
        table.write("Shared.")
    return tmp_path / "tale.toml"


@pytest.fixture
def window(main: Path, tmp_path: Path) -> Path:
    """The copy of a second window, in which two lines were written after the host was gone."""
    with closing(open_session(main)) as table:
        ident = table.save.head.id
    folder = tmp_path / "data" / "tracker" / "coop" / "windows" / f"{ident}-1"
    folder.mkdir(parents=True)
    copy = Path(shutil.copy(main, folder / "tale.toml"))
    with closing(open_session(copy)) as table:
        table.by = "ana"
        table.write("One.")
        table.write("Two.")
    return copy


def texts(path: Path) -> list[str]:
    return [entry["text"] for entry in whole_file(path) if "text" in entry]


def opened(path: Path) -> Session:
    return take_left(open_session(path))


class TestTakeLeft:
    def test_lines_are_saved_told_and_taken_once(self, main: Path, window: Path) -> None:
        with closing(opened(main)) as table:
            assert table.notes[-1] == "2 entries of another window were added."
            assert [entry["text"] for entry in table.log.entries[-2:]] == ["One.", "Two."]
        assert texts(main)[-2:] == ["One.", "Two."]
        assert not window.exists()
        with closing(opened(main)) as table:
            assert table.notes == []

    def test_copy_that_has_nothing_more_brings_nothing_back_later(self, main: Path, window: Path) -> None:
        with closing(open_session(main)) as table, closing(open_session(window, write=False)) as other:
            table.take(other.log.entries)
        with closing(opened(main)) as table:
            assert table.notes == []
        assert not window.exists()

    def test_copy_of_an_open_window_is_left_alone(self, main: Path, window: Path) -> None:
        lock = Lock(lock_of(str(window)))
        try:
            with closing(opened(main)) as table:
                assert table.notes == []
        finally:
            lock.release()
        assert window.exists()
        assert "One." not in texts(main)

    def test_copy_stays_while_its_entries_cannot_be_saved(
        self, main: Path, window: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = open_session(main)
        with monkeypatch.context() as patch:
            patch.setattr(table.save.disk, "write", lambda *_: 0)
            take_left(table)
            assert table.sign.word == "NOT SAVED"
            assert window.exists()
        table.close()
        assert texts(main)[-2:] == ["One.", "Two."]

    @pytest.mark.parametrize("harm", ["damaged", "another campaign", "a folder", "a pipe"])
    def test_bad_copy_is_told_or_passed_over_and_stays(self, main: Path, window: Path, harm: str) -> None:
        data = window.read_bytes()
        window.unlink()
        match harm:
            case "damaged":
                window.write_bytes(data[:100])
            case "another campaign":
                window.write_bytes(data.replace(b'\nid = "', b'\nid = "x', 1))
            case "a folder":
                window.mkdir()
            case "a pipe":
                os.mkfifo(window)
        with closing(opened(main)) as table:
            assert len(table.notes) == (harm != "another campaign")
            assert all("can't be read" in note for note in table.notes)
        assert os.path.lexists(window)

    @pytest.mark.parametrize("harm", ["a damaged entry", "a torn end"])
    def test_damaged_copy_gives_its_intact_entries_and_stays(self, main: Path, window: Path, harm: str) -> None:
        data = window.read_bytes()
        if harm == "a torn end":
            data += b'\n[[entry]]\ntext = "Thr'
        else:
            data = data.replace(b'text = "One.', b'text = = "One')
        window.write_bytes(data)
        with closing(opened(main)) as table:
            assert f"in {window} is damaged; it stays there." in table.notes[-1]
        assert window.read_bytes() == data
        assert texts(main)[-1] == "Two."

    def test_window_takes_nothing_from_its_own_copy(self, main: Path, window: Path) -> None:
        with closing(opened(window)) as table:
            assert table.notes == []
        assert window.exists()
