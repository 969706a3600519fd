"""A save that ends too early, or in what was never written: all before is there, the rest is set aside."""

import os
import random
import re
import shutil
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.disks import QuickDisk

from tracker.campaign import session
from tracker.campaign.session import Session
from tracker.saves.errors import SaveError, UnmarkedTail
from tracker.saves.save import Save

MARK = re.compile(rb"(?m)^#= \d+ [0-9a-f]{8}\n")


@pytest.fixture
def ends(save: str) -> list[int]:
    """Where the head and each block of the save end."""
    table = Session.open(save, disk=QuickDisk())
    for n in range(4):
        campaign.play(table, n)
    assert table.settle().word == "saved"
    table._writer.close()
    table.save.close()
    return [found.end() for found in MARK.finditer(campaign.raw(save))]


def cut(save: str, data: bytes, folder: Path) -> str:
    """Write other bytes as the save, alone in a fresh folder; return its path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = str(folder / os.path.basename(save))
    campaign.put_raw(path, data)
    return path


class TestTruncatedSave:
    def test_save_cut_in_the_last_three_entries_keeps_all_before(
        self, save: str, ends: list[int], tmp_path: Path
    ) -> None:
        whole, before = campaign.raw(save), campaign.ids(save)
        for size in range(ends[-4], len(whole) + 1):
            path = cut(save, whole[:size], tmp_path / "cut")
            blocks = sum(end <= size for end in ends[1:])
            good = ends[blocks]
            asked = False
            try:
                table = Session.open(path, disk=QuickDisk())
            except UnmarkedTail:
                asked = True
                assert campaign.raw(path) == whole[:size], "asking changes nothing"
                table = Session.open(path, tail="aside", disk=QuickDisk())
            found = [entry["id"] for entry in table.log.entries]
            kept = len(found) > blocks
            torn = [campaign.raw(file) for file in campaign.torn_files(path)]
            assert found[:blocks] == before[:blocks]
            assert table.readonly == ""
            if kept:
                # Only the end mark was hurt: no entry was.
                assert found == before[: blocks + 1]
                assert not asked
                assert torn == []
            elif whole[good:size].strip():
                assert torn == [whole[good:size]]
                assert any("torn-1.txt" in note for note in table.notes)
                assert campaign.raw(path) == whole[:good]
            if size % 5:
                table.close()
                continue
            campaign.play_saved(table, 1)
            assert table.close().word == "saved"
            campaign.assert_whole(path, before[:blocks])

    def test_save_cut_in_its_last_mark_loses_no_entry(
        self, save: str, ends: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(session, "COMPACT_AFTER", 1000)
        whole, before = campaign.raw(save), campaign.ids(save)
        mark = whole.rindex(b"#= ")
        for size in range(mark + 2, len(whole)):
            path = cut(save, whole[:size], tmp_path / "cut")
            table = Session.open(path, disk=QuickDisk())
            before_next = [entry["id"] for entry in table.log.entries]
            (next_id,) = campaign.play_saved(table, 1)
            table._writer.close()
            table.save.close()
            again = Save.open(path, write=False)
            assert before_next == before
            assert [block.entry["id"] for block in again.blocks] == [*before, next_id]
            assert again.notes == []

    def test_entry_cut_between_two_keys_is_asked_about_and_can_be_kept(
        self, save: str, ends: list[int], tmp_path: Path
    ) -> None:
        whole = campaign.raw(save)
        size = whole.rindex(b"text = ")
        path = cut(save, whole[:size], tmp_path / "cut")
        with pytest.raises(UnmarkedTail, match="without its end mark") as asked:
            Session.open(path, disk=QuickDisk())
        assert asked.value.entry
        table = Session.open(path, tail="keep", disk=QuickDisk())
        assert len(table.log.entries) == len(ends) - 1
        table.close()
        campaign.assert_whole(path, campaign.ids(save))

    def test_reader_sees_the_save_without_its_truncated_end(self, save: str, ends: list[int], tmp_path: Path) -> None:
        """A program that only looks may look in the middle of a write."""
        whole, before = campaign.raw(save), campaign.ids(save)
        for size in range(ends[-2] + 1, len(whole)):
            path = cut(save, whole[:size], tmp_path / "cut")
            look = Session.open(path, write=False)
            found = [entry["id"] for entry in look.log.entries]
            look.close()
            assert found[: len(before) - 1] == before[:-1]
            assert campaign.raw(path) == whole[:size]
            assert os.listdir(tmp_path / "cut") == [os.path.basename(path)]


class TestForeignTail:
    @pytest.mark.parametrize("tail", [b"\0", b"\0" * 4096, b"\n" + b"\0" * 100, b"\n[[entry]]\n" + b"\0" * 50])
    def test_tail_of_zeros_is_set_aside(self, save: str, ends: list[int], tail: bytes) -> None:
        self.set_aside(save, tail)

    @pytest.mark.parametrize("seed", range(20))
    def test_tail_of_noise_is_set_aside(self, save: str, ends: list[int], seed: int) -> None:
        self.set_aside(save, random.Random(seed).randbytes(seed * 50 + 8))

    def test_tail_after_half_an_entry_is_set_aside(self, save: str, ends: list[int]) -> None:
        whole = campaign.raw(save)
        half = whole[ends[-2] : ends[-2] + 40]
        campaign.put_raw(save, whole[: ends[-2]])
        self.set_aside(save, half + b"\0" * 512)

    @staticmethod
    def set_aside(save: str, tail: bytes) -> None:
        before, whole = campaign.ids(save), campaign.raw(save)
        campaign.put_raw(save, whole + tail)
        table = Session.open(save, disk=QuickDisk())
        assert [entry["id"] for entry in table.log.entries] == before
        assert [campaign.raw(file) for file in campaign.torn_files(save)] == [tail]
        assert campaign.raw(save) == whole
        table.close()


class TestSettingAside:
    def test_setting_aside_never_takes_a_name_in_use(self, save: str, ends: list[int]) -> None:
        whole = campaign.raw(save)
        for tail in (b"first", b"second"):
            campaign.put_raw(save, whole + tail)
            Session.open(save, disk=QuickDisk()).close()
        assert [campaign.raw(file) for file in campaign.torn_files(save)] == [b"first", b"second"]

    def test_cuts_nothing_where_no_name_is_left(self, save: str, ends: list[int]) -> None:
        for n in range(1, 1000):
            campaign.put_raw(save.replace(".toml", f".torn-{n}.txt"), b"")
        torn = campaign.raw(save) + b"a torn end"
        campaign.put_raw(save, torn)
        table = Session.open(save, disk=QuickDisk())
        assert table.readonly
        table.close()
        assert campaign.raw(save) == torn

    def test_player_is_told_what_was_set_aside(self, save: str, ends: list[int]) -> None:
        campaign.put_raw(save, campaign.raw(save) + b"did = ")
        table = Session.open(save, disk=QuickDisk())
        table.close()
        assert any(re.search(r"moved to the vale\.torn-1\.txt", note) for note in table.notes)


def test_save_cut_anywhere_in_the_head_is_refused_and_unchanged(save: str, ends: list[int], tmp_path: Path) -> None:
    whole = campaign.raw(save)
    for size in range(ends[0] - len(b"#= 0 00000000\n")):
        path = cut(save, whole[:size], tmp_path / "cut")
        try:
            look = Session.open(path, write=False)
        except SaveError:
            continue
        finally:
            assert campaign.raw(path) == whole[:size]
        look.close()
        assert look.notes, "what is left can be read as a head, but not as ours"
