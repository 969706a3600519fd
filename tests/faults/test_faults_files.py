"""Whole files that are no good save: each is refused with file and line, or read without what is wrong with it."""

import os
import stat
import zlib
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.handmade import ENTRY, HEAD, entry, marked, refused

from tracker.campaign.session import Session
from tracker.saves import reader, saves_folder
from tracker.saves.errors import SaveError


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "bad.toml")


class TestWholeFile:
    @pytest.mark.parametrize("data", [b"", b"\n", b"# only\n# comments", b"#= 0 00000000\n", b"[state]\nsupply = 5\n"])
    def test_file_without_a_format_is_no_campaign(self, path: str, data: bytes) -> None:
        assert "is not a campaign" in refused(path, data)

    @pytest.mark.parametrize("made", [b"999", b"0", b"true", b"1.0", b'"1"', b"[1]"])
    def test_unknown_format_is_refused_with_its_line(self, path: str, made: bytes) -> None:
        assert "line 2" in refused(path, b"# mine\n" + HEAD.replace(b"format = 1", b"format = " + made))

    def test_newer_format_says_that_it_is_newer(self, path: str) -> None:
        assert "newer" in refused(path, HEAD.replace(b"format = 1", b"format = 999"))

    def test_file_that_is_not_utf_8_is_refused_with_its_line(self, path: str) -> None:
        assert "line 12" in refused(path, HEAD.replace(b"Kara", b"Kar\xe9"))

    def test_byte_order_mark_is_reported(self, path: str) -> None:
        assert "byte order mark" in refused(path, b"\xef\xbb\xbf" + HEAD)

    @pytest.mark.parametrize(
        ("line", "text", "column"),
        [
            (8, b"scene = oops", 9),
            (8, b'scene = "', 10),
            (8, b"= 4", 1),
            (8, b"scene = 1 2", 11),
            (9, b"scene = 1\nscene = 1", 10),
        ],
    )
    def test_invalid_toml_is_refused_with_line_and_column(self, path: str, line: int, text: bytes, column: int) -> None:
        said = refused(path, HEAD.replace(b'scene = ""', text))
        assert f"line {line}:" in said
        assert f"column {column}" in said

    @pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, b"\0" * 100_000, b"a" * 1_000_000])
    def test_file_of_another_kind_is_refused(self, path: str, data: bytes) -> None:
        assert "line 1" in refused(path, data)

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            (b"id", b"5"),
            (b"game", b"true"),
            (b"rules", b'"1"'),
            (b"rules", b"-1"),
            (b"entries", b"1.5"),
            (b"rules", b"true"),
        ],
    )
    def test_key_of_the_wrong_kind_is_refused_with_its_line(self, path: str, key: bytes, value: bytes) -> None:
        lines = HEAD.split(b"\n")
        at = next(n for n, line in enumerate(lines) if line.startswith(key))
        lines[at] = key + b" = " + value
        assert f"line {at + 1}" in refused(path, b"\n".join(lines))

    def test_unknown_game_is_refused(self, path: str) -> None:
        assert "chess" in refused(path, HEAD.replace(b"ironsworn", b"chess"))

    def test_newer_rules_are_refused(self, path: str) -> None:
        assert "newer rules" in refused(path, HEAD.replace(b"rules = 1", b"rules = 99"))


class TestState:
    """A [state] edited by hand becomes an entry; what does not fit the schema is refused with a reason."""

    @pytest.mark.parametrize(
        "value", [b"true", b"4.0", b'"4"', b"6", b"-1", b"[4]", b"nan", b"2026-11-15", b"{ a = 1 }"]
    )
    def test_value_of_the_wrong_kind_is_refused_with_its_line(self, path: str, value: bytes) -> None:
        said = refused(path, HEAD.replace(b"supply = 5", b"supply = " + value))
        assert "line 9" in said
        assert "supply" in said

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            (b"health = 5", b"health = 50", 13),
            (b'name = "Kara"', b"name = 5", 12),
            (b'name = "Kara"', b'status = "asleep"', 12),
            (b"[state.party.kara]", b"party = 4\n[x]", 11),
            (b"health = 5", b"owed = { face_danger = true }", 13),
            (b"health = 5", b"debilities.wounded = 5", 13),
            (b"[state.party.kara]", b"[state.party]\nana = 4\n[state.party.kara]", 12),
        ],
    )
    def test_value_that_does_not_fit_is_refused_with_its_line(
        self, path: str, old: bytes, new: bytes, line: int
    ) -> None:
        assert f"line {line}:" in refused(path, HEAD.replace(old, new))

    def test_edited_state_that_fits_becomes_an_entry(self, path: str) -> None:
        campaign.put_raw(path, marked(HEAD).replace(b"supply = 5", b"supply = 2"))
        table = Session.open(path)
        assert table.state["supply"] == 2
        assert any("[state] was edited by hand" in note for note in table.notes)
        assert table.close().word == "saved"
        campaign.assert_whole(path, [])
        again = Session.open(path)
        assert again.notes == []
        assert again.state["supply"] == 2
        again.close()

    def test_wrong_kind_under_a_fitting_mark_is_not_believed(self, path: str) -> None:
        """The state is the fold of the entries, whatever the head says."""
        campaign.put_raw(path, marked(HEAD.replace(b"supply = 5", b"supply = true")))
        table = Session.open(path)
        assert table.state["supply"] == 5
        table.close()


class TestSnapshot:
    def base(self, **given: object) -> bytes:
        values = {"upto": 1, "last": '[1, "k3f9.1"]', "size": len(marked(HEAD, ENTRY)) - len(marked(HEAD))}
        values |= {"crc": f'"{zlib.crc32(marked(HEAD, ENTRY)[len(marked(HEAD)) :]):08x}"', "without": "[]", **given}
        lines = "".join(f"{key} = {value}\n" for key, value in values.items() if key != "state")
        state = given.get("state", 'scene = ""\nsupply = 5\nparty = {}\ntracks = {}\n')
        return HEAD + f"[base]\n{lines}[base.state]\n{state}".encode()

    def whole(self, head: bytes) -> bytes:
        return marked(head, ENTRY, entry(b'text = "Two."', 2))

    def look(self, path: str, data: bytes) -> Session:
        campaign.put_raw(path, data)
        table = Session.open(path, write=False)
        table.close()
        assert campaign.raw(path) == data
        return table

    def test_snapshot_that_fits_is_used(self, path: str) -> None:
        table = self.look(path, self.whole(self.base()))
        assert (table.log.upto, len(table.log.entries)) == (1, 1)

    @pytest.mark.parametrize(
        "given",
        [
            {"upto": 99},
            {"upto": -1},
            {"upto": "true"},
            {"upto": 2**62},
            {"size": 10**12},
            {"size": 0},
            {"crc": '"00000000"'},
            {"last": '[9, "zzzz.9"]'},
            {"last": "[]"},
            {"without": '["k3f9.9"]'},
            {"without": "[5]"},
            {"state": "supply = true\n"},
            {"state": 'party = "nobody"\n'},
            {"state": "supply = 5\n[base.state.party.kara]\nname = 7\n"},
        ],
        ids=str,
    )
    def test_snapshot_that_does_not_fit_is_ignored(self, path: str, given: dict[str, object]) -> None:
        """Then every entry is read and folded instead."""
        table = self.look(path, self.whole(self.base(**given)))
        assert table.log.upto == 0
        assert len(table.log.entries) == 2
        assert table.state == campaign.folded(path)


class TestCampaignList:
    """The list of campaigns with damaged saves in the folder: it reads their heads only."""

    BAD = (b"", b"\0" * 5000, b"\xff", HEAD[:30], b"format = 999", b"a" * 300_000, b"\n" * 300_000)

    @pytest.mark.parametrize("data", BAD, ids=range(len(BAD)))
    def test_list_tells_what_is_wrong_with_a_campaign(self, path: str, data: bytes) -> None:
        campaign.put_raw(path, data)
        with open(path, "rb") as file, pytest.raises(SaveError, match=r"bad\.toml"):
            reader.read_head("bad.toml", file)
        (listed,) = saves_folder.campaigns(os.path.dirname(path))
        assert "bad.toml" in listed.problem

    def test_list_leaves_out_special_files_and_does_not_hang(self, path: str, tmp_path: Path) -> None:
        campaign.put_raw(path, marked(HEAD))
        (tmp_path / "folder.toml").mkdir()
        os.mkfifo(tmp_path / "pipe.toml")
        os.symlink("nowhere", tmp_path / "link.toml")
        assert [listed.name for listed in saves_folder.campaigns(str(tmp_path))] == ["bad"]

    def test_list_is_not_misled_by_text_that_looks_like_a_mark(self, path: str, tmp_path: Path) -> None:
        campaign.put_raw(path, marked(HEAD, ENTRY) + b"#= " + b"9" * 5000 + b" 00000000\n")
        (listed,) = saves_folder.campaigns(str(tmp_path))
        assert listed.entries == 1


def test_example_is_copied_whole_and_never_over_another_campaign(tmp_path: Path) -> None:
    example = tmp_path / "example-vale.toml"
    example.write_bytes(marked(HEAD, ENTRY))
    copies = [saves_folder.copy_example(str(example), str(tmp_path)) for _ in range(2)]
    assert len(set(copies)) == 2
    assert [campaign.ids(copy) for copy in copies] == [campaign.ids(str(example))] * 2
    idents = {campaign.contents(path).head.id for path in [str(example), *copies]}
    assert len(idents) == 3, "each is a campaign of its own"
    assert len(os.listdir(tmp_path)) == 3, "nothing is left beside them"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_save_that_root_has_played_still_belongs_to_its_owner(save: str) -> None:
    os.chown(save, 12345, 12346)
    os.chmod(save, 0o600)
    table = Session.open(save)
    table.write("By root.")
    before = os.stat(save).st_ino
    table.close()
    after = os.stat(save)
    assert after.st_ino != before, "it was rewritten"
    assert (after.st_uid, after.st_gid, stat.S_IMODE(after.st_mode)) == (12345, 12346, 0o600)
