"""Entries that no program of ours wrote: taken, said with their line, or kept from doing harm."""

import zlib
from pathlib import Path

import pytest
from tests.faults import campaign
from tests.faults.handmade import ENTRY, HEAD, entry, marked, shown

from tracker.campaign import session
from tracker.campaign.session import Session
from tracker.saves import toml

BAD = {
    "id": b"id = 5",
    "id with a slash": b'id = "k3/f"',
    "time as a text": b't = "1"',
    "time as a truth": b"t = true",
    "time below zero": b"t = -1",
    "time beyond all": b"t = 9223372036854775807",
    "date": b"at = 2026-11-15",
    "who": b"who = 5",
    "did": b"did = []",
    "text": b"text = 5",
    "answers": b'answers = ["using", "edge"]',
    "facts": b"facts = 5",
    "effects": b"effects = 5",
    "effect": b"effects = [5]",
    "effect without a place": b"effects = [{ by = 1 }]",
    "effect with a place of the wrong kind": b"effects = [{ at = 5, by = 1 }]",
    "effect on no id": b'effects = [{ at = "Kara!", by = 1 }]',
    "effect without a form": b'effects = [{ at = "supply" }]',
    "effect of two forms": b'effects = [{ at = "supply", by = 1, to = 2 }]',
    "by a truth": b'effects = [{ at = "supply", by = true }]',
    "by a fraction": b'effects = [{ at = "supply", by = 1.0 }]',
    "by a text": b'effects = [{ at = "supply", by = "1" }]',
    "by far too much": b'effects = [{ at = "supply", by = 1000000000000 }]',
    "add of nothing": b'effects = [{ at = "party", add = 5 }]',
    "add without an id": b'effects = [{ at = "party", add = {} }]',
    "drop of a number": b'effects = [{ at = "party", drop = 5 }]',
    "undoes": b"undoes = 5",
    "open": b"open = 1",
    "beyond 64 bits": b"facts = { n = 9223372036854775808 }",
    "5,000 digits": b"facts = { n = " + b"9" * 5000 + b" }",
    "hex beyond 64 bits": b"facts = { n = 0x" + b"f" * 5000 + b" }",
    "a key of 20,000 segments": b"a" + b".a" * 20_000 + b" = 1",
    "a quoted key of 20,000 segments": b'"a"' + b'."a"' * 20_000 + b" = 1",
    "20,000 lists": b"facts = { n = " + b"[" * 20_000 + b"]" * 20_000 + b" }",
    "150 tables": b"facts = { n = " + b"{ a = " * 150 + b"1" + b" }" * 150 + b" }",
    "150 lists with something in each": b"facts = { n = " + b"[1, " * 150 + b"]" * 150 + b" }",
    "an impossible date": b"at = 2026-13-45T99:99:99Z",
    "a string that never ends": b'text = "' + b'\\"' * 300_000,
    "another string that never ends": b'text = """' + b'\\"""' * 100_000,
}


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "bad.toml")


class TestEntry:
    @pytest.mark.parametrize("mark", ["fits", "is wrong"])
    @pytest.mark.parametrize("what", BAD)
    def test_invalid_entry_is_reported_with_its_line(self, path: str, what: str, mark: str) -> None:
        """The entries around it are shown."""
        key = BAD[what].split(b" = ")[0]
        lines = [line for line in ENTRY.split(b"\n") if not line.startswith(key + b" ")]
        bad = b"\n".join([*lines[:-1], BAD[what], b""])
        around = entry(b'text = "Before."', 8), entry(b'text = "After."', 9)
        data = marked(HEAD, around[0], bad, around[1], unfit=2 if mark == "is wrong" else -1)
        line = data.count(b"\n", 0, data.index(BAD[what])) + 1
        said = shown(path, data)
        assert f"line {line} " in said or (f"line {line + 1} " in said and "at the end" in said)
        found = campaign.contents(path)
        assert [block.entry["text"] for block in found.blocks] == ["Before.", "After."]

    @pytest.mark.parametrize("number", [b"nan", b"inf", b"-inf", b"1e400", b"-9223372036854775808", b"0xff"])
    def test_unusual_number_is_taken_where_any_value_may_stand(self, path: str, number: bytes) -> None:
        campaign.put_raw(path, marked(HEAD, entry(b'text = "x"\nfacts = { n = ' + number + b" }")))
        table = Session.open(path)
        played = campaign.play_saved(table, 1)
        assert table.close().word == "saved"
        campaign.assert_whole(path, played)

    @pytest.mark.parametrize("value", [b"nan", b"inf", b"true", b'"4"', b"4.0", b"[]", b"{}", b"9223372036854775807"])
    def test_value_that_does_not_fit_is_idle(self, path: str, value: bytes) -> None:
        campaign.put_raw(path, marked(HEAD, entry(b'effects = [{ at = "supply", to = ' + value + b" }]")))
        table = Session.open(path)
        assert table.state["supply"] == 5
        played = campaign.play_saved(table, 1)
        assert table.close().word == "saved"
        campaign.assert_whole(path, played)

    def test_entry_may_hold_a_text_of_10_megabytes(self, path: str) -> None:
        text = b"The long night. " * 650_000
        campaign.put_raw(path, marked(HEAD, entry(b'text = "' + text + b'"')))
        table = Session.open(path)
        assert table.readonly == ""
        assert len(table.log.entries[0]["text"]) == len(text)
        played = campaign.play_saved(table, 1)
        assert table.close().word == "saved"
        campaign.assert_whole(path, played)

    def test_handwritten_entry_may_hold_a_very_long_text(self, path: str) -> None:
        text = b"The long night.\\n" * 100_000
        campaign.put_raw(path, marked(HEAD) + b'\n[[entry]]\ntext = "' + text + b'"\n')
        table = Session.open(path)
        assert table.readonly == ""
        table.close()
        assert len(campaign.contents(path).blocks[0].entry["text"]) == 1_600_000


class TestRepeatedId:
    def test_equal_entries_are_taken_once_and_reported(self, path: str) -> None:
        campaign.put_raw(path, marked(HEAD, ENTRY, ENTRY))
        table = Session.open(path)
        assert len(table.log.entries) == 1
        assert any("appears twice" in note for note in table.notes)
        table.close()
        campaign.assert_whole(path, ["k3f9.1"])

    @pytest.mark.parametrize("based", [False, True])
    def test_different_entries_are_reported_with_the_line_of_the_second(self, path: str, based: bool) -> None:
        data = marked(HEAD, ENTRY, entry(b'text = "Another."'))
        if based:
            campaign.put_raw(path, marked(HEAD))
            table = Session.open(path)
            campaign.play_saved(table, 20)
            table.close()
            whole = campaign.raw(path)
            assert b"[base]" in whole
            block = whole[whole.rindex(b"\n[[entry]]") :]
            data = whole + block.replace(b'text = "', b'text = "Not ', 1)
        line = data.count(b"\n", 0, data.rindex(b"\n[[entry]]") + 1) + 1
        assert f"line {line} " in shown(path, data)


class TestHandwrittenEntries:
    def test_get_ids_of_their_own_however_many_there_are(self, path: str) -> None:
        hand = b"".join(b'\n[[entry]]\ntext = "By hand %d."\n' % n for n in range(120))
        campaign.put_raw(path, marked(HEAD, ENTRY) + hand)
        for _ in range(3):
            table = Session.open(path)
            assert table.readonly == ""
            found = [block.entry for block in campaign.contents(path).blocks]
            assert [one.get("text") for one in found][:121] == [
                "Kara leaps the gap.", *(f"By hand {n}." for n in range(120)),
            ]  # fmt: skip
            assert [one["id"] for one in found[:121]] == sorted({one["id"] for one in found[:121]})
            table.undo(found[120]["id"])
            assert table.settle().word == "saved"
            assert table.close().word == "saved"
        campaign.assert_whole(path, [])

    def test_handwritten_entries_do_not_take_the_ids_of_later_ones(self, path: str) -> None:
        campaign.put_raw(path, marked(HEAD, ENTRY) + b'\n[[entry]]\ntext = "First."\n')
        table = Session.open(path)
        table._since_head = 1
        table.close()
        data = campaign.raw(path)
        at = data.index(b"\n[[entry]]", data.index(b"Kara leaps"))
        campaign.put_raw(path, data[:at] + b'\n[[entry]]\ntext = "Second."\n' + data[at:])
        table = Session.open(path)
        assert table.readonly == ""
        assert {found["text"] for found in table.log.entries} == {"Kara leaps the gap.", "First.", "Second."}
        table.close()
        campaign.assert_whole(path, [])


def test_wrong_number_in_a_mark_leaves_room_for_the_next(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "COMPACT_AFTER", 1000)
    last = b'\n[[entry]]\ntext = "Far."\nid = "k3f9.2"\nt = 2\n'
    campaign.put_raw(path, marked(HEAD, ENTRY) + last + b"#= 999999999999 %08x\n" % zlib.crc32(last))
    table = Session.open(path)
    played = campaign.play_saved(table, 2)
    table._writer.close()
    table.save.close()
    found = Session.open(path, write=False)
    assert [one["id"] for one in found.log.entries][-2:] == played
    assert not any("end mark" in note for note in found.notes)
    found.close()


def test_word_of_millions_of_letters_in_a_table_does_not_hang_the_fast_reader() -> None:
    """Looking for a key again from each letter of the word would take hours."""
    assert toml.read_ours(b"\n[[entry]]\nfacts = { a = " + b"1" * 2_000_000 + b" }\n") is None
