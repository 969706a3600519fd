"""Whole files that are no good save: each is refused with file and line, or shown with what is wrong with it."""

import os
import zlib
from pathlib import Path

import pytest
from tests.faults import campaign

from tracker.saves import reading
from tracker.saves.errors import SaveError
from tracker.table.session import Session

HEAD = b"""\
format = 1
rules = 1
id = "7f3c2a"
game = "ironsworn"
entries = 0

[state]
scene = ""
supply = 5

[state.party.kara]
name = "Kara"
health = 5
"""
ENTRY = b"""
[[entry]]
id = "k3f9.1"
t = 1
did = "journal"
text = "Kara leaps the gap."
"""


def marked(*blocks: bytes) -> bytes:
    """The head and its entries, each with a mark that fits."""
    return b"".join(block + b"#= %d %08x\n" % (n, zlib.crc32(block)) for n, block in enumerate(blocks))


def entry(lines: bytes, n: int = 1) -> bytes:
    return b'\n[[entry]]\nid = "k3f9.%d"\nt = %d\n' % (n, n) + lines + b"\n"


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "bad.toml")


def refused(path: str, data: bytes) -> str:
    """Why these bytes cannot be opened; they are left alone."""
    campaign.put_raw(path, data)
    with pytest.raises(SaveError) as error:
        Session.open(path)
    assert campaign.raw(path) == data
    assert "bad.toml" in str(error.value)
    assert str(error.value).endswith(".")
    return str(error.value)


def shown(path: str, data: bytes) -> str:
    """What is said of these bytes, which are shown for reading only and left alone."""
    campaign.put_raw(path, data)
    table = Session.open(path)
    said = table.readonly
    table.close()
    assert said
    assert campaign.raw(path) == data
    return said


class TestTheWholeFile:
    @pytest.mark.parametrize("data", [b"", b"\n", b"# only\n# comments", b"#= 0 00000000\n", b"[state]\nsupply = 5\n"])
    def test_without_a_format_is_no_campaign(self, path: str, data: bytes):
        assert "is not a campaign" in refused(path, data)

    @pytest.mark.parametrize("made", [b"999", b"0", b"true", b"1.0", b'"1"', b"[1]"])
    def test_of_another_format_is_refused_with_its_line(self, path: str, made: bytes):
        assert "line 2" in refused(path, b"# mine\n" + HEAD.replace(b"format = 1", b"format = " + made))

    def test_of_a_newer_format_says_that_it_is_newer(self, path: str):
        assert "newer" in refused(path, HEAD.replace(b"format = 1", b"format = 999"))

    def test_that_is_not_utf_8_is_refused_with_its_line(self, path: str):
        assert "line 12" in refused(path, HEAD.replace(b"Kara", b"Kar\xe9"))

    def test_with_a_byte_order_mark_says_so(self, path: str):
        assert "byte order mark" in refused(path, b"\xef\xbb\xbf" + HEAD)

    @pytest.mark.parametrize(
        ("line", "text", "column"),
        [(8, b"scene = oops", 9), (8, b'scene = "', 10), (8, b"= 4", 1), (8, b"scene = 1 2", 11), (8, b"scene = 1\nscene = 1", 10)],
    )
    def test_that_is_no_toml_is_refused_with_line_and_column(self, path: str, line: int, text: bytes, column: int):
        said = refused(path, HEAD.replace(b'scene = ""', text))
        assert f"line {line}" in said or f"line {line + 1}" in said
        assert f"column {column}" in said

    @pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, b"\0" * 100_000, b"a" * 1_000_000])
    def test_of_another_kind_is_refused(self, path: str, data: bytes):
        assert "line 1" in refused(path, data)

    @pytest.mark.parametrize(
        ("key", "value"),
        [(b"id", b"5"), (b"game", b"true"), (b"rules", b'"1"'), (b"rules", b"-1"), (b"entries", b"1.5"), (b"rules", b"true")],
    )
    def test_with_a_key_of_the_wrong_kind_is_refused_with_its_line(self, path: str, key: bytes, value: bytes):
        lines = HEAD.split(b"\n")
        at = next(n for n, line in enumerate(lines) if line.startswith(key))
        lines[at] = key + b" = " + value
        assert f"line {at + 1}" in refused(path, b"\n".join(lines))

    def test_of_a_game_that_we_do_not_have_is_refused(self, path: str):
        assert "chess" in refused(path, HEAD.replace(b"ironsworn", b"chess"))

    def test_of_newer_rules_is_refused(self, path: str):
        assert "newer rules" in refused(path, HEAD.replace(b"rules = 1", b"rules = 99"))


class TestTheState:
    """Edited by hand, it becomes an entry; what does not fit is refused, never dropped in silence."""

    @pytest.mark.parametrize("value", [b"true", b"4.0", b'"4"', b"6", b"-1", b"[4]", b"nan", b"2026-11-15", b"{ a = 1 }"])
    def test_with_a_value_of_the_wrong_kind_is_refused_with_its_line(self, path: str, value: bytes):
        said = refused(path, HEAD.replace(b"supply = 5", b"supply = " + value))
        assert "line 9" in said
        assert "supply" in said

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            (b"health = 5", b"health = 50", 13),
            (b'name = "Kara"', b"name = 5", 12),
            (b'name = "Kara"', b'status = "asleep"', 12),
            (b"[state.party.kara]", b"[state]\nparty = 4\n[x]", 12),
            (b"health = 5", b"owed = { face_danger = true }", 13),
            (b"health = 5", b"debilities.wounded = 5", 13),
            (b"[state.party.kara]", b"[state.party]\nana = 4\n[state.party.kara]", 12),
        ],
    )
    def test_is_refused_with_the_line_of_what_does_not_fit(self, path: str, old: bytes, new: bytes, line: int):
        data = HEAD.replace(old, new).replace(b"[state]\nparty", b"party")
        if b"party = 4" in data:
            line = 11
        assert f"line {line}:" in refused(path, data)

    def test_that_fits_is_taken_as_an_entry(self, path: str):
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

    def test_of_the_wrong_kind_under_a_fitting_mark_is_refused_too(self, path: str):
        """Somebody may have worked out the mark; the table that we show is always one of this game."""
        said = refused(path, marked(HEAD.replace(b"supply = 5", b"supply = true")))
        assert "line 9" in said


class TestTheBase:
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

    def test_that_fits_is_used(self, path: str):
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
            {"state": ""},
            {"state": "supply = 5\n[base.state.party.kara]\nname = 7\n"},
        ],
        ids=str,
    )
    def test_that_does_not_fit_is_not_used(self, path: str, given: dict[str, object]):
        """Then every entry is read and folded instead."""
        table = self.look(path, self.whole(self.base(**given)))
        assert table.log.upto == 0
        assert len(table.log.entries) == 2
        assert table.state == campaign.folded(path)


class TestAnEntry:
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
        "500 tables": b"facts = { n = " + b"{ a = " * 500 + b"1" + b" }" * 500 + b" }",
        "500 lists with something in each": b"facts = { n = " + b"[1, " * 500 + b"]" * 500 + b" }",
        "an impossible date": b"at = 2026-13-45T99:99:99Z",
        "a string that never ends": b'text = "' + b'\\"' * 300_000,
        "another string that never ends": b'text = """' + b'\\"""' * 100_000,
    }

    @pytest.mark.parametrize("mark", ["fits", "is wrong"])
    @pytest.mark.parametrize("what", BAD)
    def test_that_does_not_fit_is_said_with_its_line(self, path: str, what: str, mark: str):
        """What stands around it is shown."""
        key = self.BAD[what].split(b" = ")[0]
        lines = [line for line in ENTRY.split(b"\n") if not (line.startswith(key + b" ") and len(key) < 9)]
        bad = b"\n".join([*lines[:-1], self.BAD[what], b""])
        data = marked(HEAD, entry(b'text = "Before."', 8), bad, entry(b'text = "After."', 9))
        line = data.count(b"\n", 0, data.index(bad) + bad.index(self.BAD[what])) + 1
        if mark == "is wrong":
            data = data.replace(b"\n#= 2 ", b"\n#= 2 0", 1).replace(b"#= 2 0", b"#= 2 ", 1)[:-1] + b"\n"
            crc = b"%08x" % zlib.crc32(bad)
            data = data.replace(crc, b"%08x" % (zlib.crc32(bad) ^ 1))
        assert f"line {line} " in shown(path, data)
        found = campaign.contents(path)
        assert [block.entry["text"] for block in found.blocks] == ["Before.", "After."]

    @pytest.mark.parametrize("number", [b"nan", b"inf", b"-inf", b"1e400", b"-9223372036854775808", b"0xff"])
    def test_with_a_strange_number_where_any_value_may_stand_is_taken(self, path: str, number: bytes):
        campaign.put_raw(path, marked(HEAD, entry(b'text = "x"\nfacts = { n = ' + number + b" }")))
        table = Session.open(path)
        played = campaign.play_saved(table, 1)
        assert table.close().word == "saved"
        campaign.assert_whole(path, played)

    @pytest.mark.parametrize("value", [b"nan", b"inf", b"true", b'"4"', b"4.0", b"[]", b"{}", b"9223372036854775807"])
    def test_that_sets_a_value_which_does_not_fit_is_idle(self, path: str, value: bytes):
        campaign.put_raw(path, marked(HEAD, entry(b'effects = [{ at = "supply", to = ' + value + b" }]")))
        table = Session.open(path)
        assert table.state["supply"] == 5
        played = campaign.play_saved(table, 1)
        assert table.close().word == "saved"
        campaign.assert_whole(path, played)

    def test_may_hold_a_text_of_10_megabytes(self, path: str):
        text = b"The long night. " * 650_000
        campaign.put_raw(path, marked(HEAD, entry(b'text = "' + text + b'"')))
        table = Session.open(path)
        assert table.readonly == ""
        assert len(table.log.entries[0]["text"]) == len(text)
        played = campaign.play_saved(table, 1)
        assert table.close().word == "saved"
        campaign.assert_whole(path, played)

    def test_by_hand_may_hold_a_text_of_10_megabytes(self, path: str):
        text = b"The long night.\\n" * 650_000
        campaign.put_raw(path, marked(HEAD) + entry(b'text = "' + text + b'"').replace(b'id = "k3f9.1"\n', b""))
        table = Session.open(path)
        assert table.readonly == ""
        table.close()
        campaign.assert_whole(path, [])


class TestTwoEntriesWithOneId:
    def test_that_are_the_same_are_taken_once_and_said(self, path: str):
        campaign.put_raw(path, marked(HEAD, ENTRY, ENTRY))
        table = Session.open(path)
        assert len(table.log.entries) == 1
        assert any("stands twice" in note for note in table.notes)
        table.close()
        campaign.assert_whole(path, ["k3f9.1"])

    @pytest.mark.parametrize("based", [False, True])
    def test_that_differ_are_said_with_the_line_of_the_second(self, path: str, based: bool):
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
        line = data.count(b"\n", 0, data.rindex(b"[[entry]]")) + 1
        assert f"line {line} " in shown(path, data)


class TestEntriesByHand:
    def test_get_ids_of_their_own_however_many_there_are(self, path: str):
        hand = b"".join(b'\n[[entry]]\ntext = "By hand %d."\n' % n for n in range(120))
        campaign.put_raw(path, marked(HEAD, ENTRY) + hand)
        for _ in range(3):
            table = Session.open(path)
            assert table.readonly == ""
            texts = [found["text"] for found in table.log.entries]
            assert texts[:121] == ["Kara leaps the gap.", *(f"By hand {n}." for n in range(120))]
            last = table.log.entries[120]["id"]
            table.undo(last)
            assert table.settle().word == "saved"
            assert table.close().word == "saved"
        campaign.assert_whole(path, [])

    def test_before_others_by_hand_do_not_take_their_ids(self, path: str):
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


def test_a_wrong_number_in_a_mark_leaves_room_for_the_next(path: str):
    last = b"\n[[entry]]\ntext = \"Far.\"\nid = \"k3f9.2\"\nt = 2\n"
    campaign.put_raw(path, marked(HEAD, ENTRY) + last + b"#= 999999999999 %08x\n" % zlib.crc32(last))
    table = Session.open(path)
    played = campaign.play_saved(table, 2)
    table._writer.close()
    table.save.close()
    found = Session.open(path, write=False)
    assert [one["id"] for one in found.log.entries][-2:] == played
    found.close()


def test_only_the_head_can_be_read_of_any_of_these(path: str, tmp_path: Path):
    """A list of campaigns meets them all."""
    for data in (b"", b"\0" * 5000, b"\xff", HEAD[:30], b"format = 999", b"a" * 300_000, b"\n" * 300_000):
        campaign.put_raw(path, data)
        with open(path, "rb") as file:
            with pytest.raises(SaveError, match="bad.toml"):
                reading.read_head("bad.toml", file)
    assert os.listdir(tmp_path) == ["bad.toml"]
