"""The fast reader of our own entries agrees with tomllib, or keeps out of it."""

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.hostile import HOSTILE
from tests.make_example import example as example_of

from tracker import games
from tracker.cli import main
from tracker.saves import blocks, head, toml

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "#= 3 00000000",
        "\n[[entry]]\n",
        'a = "b"',
        '"',
        "\\",
        '\\"',
        "\\u0041",
        "true",
        "= ",
        "{ x = 1 }",
        "\nat = 2026-01-01T00:00:00Z\n",
    ]
)
ours = st.recursive(
    st.integers(-(10**9), 10**9) | st.booleans() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
other = st.recursive(
    ours
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.sampled_from([date(2026, 1, 2), time(3, 4, 5, 678), datetime(2026, 1, 2, 3, 4, 5, 6)]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
moments = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(
    lambda at: at.replace(microsecond=0, fold=0, tzinfo=UTC)
)


def entries(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "id": st.just("k3f9.17"),
            "t": st.integers(0, 10**9),
            "at": moments,
            "answers": st.lists(st.tuples(texts, values).map(list), max_size=3),
            "facts": st.dictionaries(texts, values, max_size=4),
            "effects": st.lists(
                st.dictionaries(st.sampled_from(["at", "by", "to", "add"]), values, max_size=2), max_size=2
            ),
            "text": texts,
            "two words": values,
        },
    )


def exactly(value: Any) -> Any:
    """Return a form of the value that equals another only if all types inside are the same, too."""
    if isinstance(value, dict):
        return {key: exactly(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [exactly(inner) for inner in value]
    return type(value), repr(value)


def slowly(data: bytes) -> dict[str, Any]:
    (entry,) = toml.parse(data)["entry"]
    assert isinstance(entry, dict)
    return entry


class TestOurEntries:
    @settings(max_examples=300)
    @given(entries(ours))
    def test_fast_reader_reads_our_entries_as_tomllib_does(self, entry: dict[str, Any]) -> None:
        data = toml.emit_entry(entry)
        fast = toml.read_ours(data)
        assert fast is not None
        assert exactly(fast) == exactly(slowly(data)) == exactly(entry)

    @settings(max_examples=200)
    @given(entries(other))
    def test_fast_reader_reads_any_value_of_ours(self, entry: dict[str, Any]) -> None:
        data = toml.emit_entry(entry)
        fast = toml.read_ours(data)
        assert exactly(slowly(data)) == exactly(entry)
        assert fast is None or exactly(fast) == exactly(entry)

    @pytest.mark.parametrize(("label", "text"), HOSTILE, ids=[label for label, _ in HOSTILE])
    def test_fast_reader_reads_hostile_texts(self, label: str, text: str) -> None:
        if "surrogates" in label:
            with pytest.raises(UnicodeEncodeError):
                toml.emit_entry({"text": text})
            return
        entry = {"text": text, "facts": {text: [text]}}
        assert toml.read_ours(toml.emit_entry(entry)) == slowly(toml.emit_entry(entry)) == entry


PIECES = [
    *"\"'#[]{}=,.\n\r\t -+_0123456789eExobTZ:\\/tfnulainqr",
    *(
        "\n\n",
        "\r\n",
        "# note\n",
        " = ",
        '""',
        '"""',
        "'''",
        "[[entry]]\n",
        "[entry.facts]\n",
        "a.b = 1\n",
        "x = 1\n",
        ", ",
        "{}",
    ),
    *(
        "0x1f",
        "1_000",
        "+1",
        "1e5",
        "-0",
        "inf",
        "nan",
        "2026-01-02",
        "03:04:05",
        "\\u00e9",
        "\\U0001f600",
        "at = 2026-01-02T03:04:05Z\n",
        "null",
        "NaN",
        "-Infinity",
        "\\/",
        ":",
        "t = 5\n",
        "t = 5, ",
    ),
    *("é", "\u2028", "\x7f", "\ufeff"),
]
slips = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 4), st.sampled_from(PIECES) | st.just("")), min_size=1, max_size=3
)


class TestEditedEntries:
    @settings(max_examples=250)
    @given(entries(ours), slips)
    @example({"t": 5}, [(11, 1, "at")])
    @example({"text": "a", "t": 5}, [(11, 0, "x = 1e5\n")])
    def test_fast_reader_reads_edited_entries_as_tomllib_does_or_declines(
        self, entry: dict[str, Any], slips: list[tuple[int, int, str]]
    ) -> None:
        text = toml.emit_entry(entry).decode()
        for where, gone, new in slips:
            at = where % (len(text) + 1)
            text = text[:at] + new + text[at + gone :]
        fast = toml.read_ours(text.encode())
        if fast is not None:  # whoever wrote these bytes may have given them a right CRC
            assert exactly({"entry": [fast]}) == exactly(toml.parse(text.encode()))

    @settings(max_examples=150)
    @given(entries(ours), slips)
    def test_entry_without_its_comments_reads_as_tomllib_reads_it_with_them(
        self, entry: dict[str, Any], slips: list[tuple[int, int, str]]
    ) -> None:
        text = toml.emit_entry(entry).decode()
        for where, gone, new in slips:
            at = where % (len(text) + 1)
            text = text[:at] + new + text[at + gone :]
        for data in (text.encode(), text.replace("\n", "\r\n").encode(), text.replace("\n", "\n \t# it's\n").encode()):
            fast = toml.read_ours(b"\n" + toml.without_comments(data).strip(b"\n") + b"\n")
            if fast is not None:
                assert exactly({"entry": [fast]}) == exactly(toml.parse(data))

    @pytest.mark.parametrize("comment", ["# \x01", "# \x7f", "x # y", '"""\n# y\n"""', "#\udcff"])
    def test_fast_reader_declines_what_is_no_comment(self, comment: str) -> None:
        data = toml.emit_entry({"t": 5}) + comment.encode("utf-8", "surrogateescape") + b"\n"
        assert toml.read_ours(b"\n" + toml.without_comments(data).strip(b"\n") + b"\n") is None

    def test_fast_reader_reads_hundreds_of_effects_and_declines_deep_ones(self) -> None:
        entry = {"effects": [{"at": "supply", "by": n} for n in range(300)]}
        assert toml.read_ours(toml.emit_entry(entry)) == entry
        deep: Any = 1
        for _ in range(98):
            deep = [deep]
        assert toml.read_ours(toml.emit_entry({"answers": deep})) is None

    @pytest.mark.parametrize(
        "body",
        [
            "t = 0x10\n",
            "t = 1_000\n",
            "t = +5\n",
            "t = 5 # five\n",
            "t = 5\n\ntext = 'x'\n",
            'text = """\nat = 2026-01-02T03:04:05Z\n"""\n',
            'text = "\\U0001f600"\n',
            "facts.score = 3\n",
            "facts = { score.high = 3 }\n",
            "answers = [\n  1,\n]\n",
            "answers = [1, 2,]\n",
            "[entry.facts]\nscore = 3\n",
            "t = 1\n\n[[entry]]\nt = 2\n",
        ],
    )
    def test_fast_reader_declines_other_ways_to_write(self, body: str) -> None:
        data = f"\n[[entry]]\n{body}".encode()
        assert toml.parse(data)["entry"]
        assert toml.read_ours(data) is None


NOT_TOML = [
    "t = null\n",
    "t = NaN\n",
    "t = Infinity\n",
    "t = -Infinity\n",
    "t = [1, null]\n",
    "t = 05\n",
    "t = 5\nt = 5\n",
    't = 5\n"t" = 5\n',
    "facts = { a = 1, a = 2 }\n",
    'facts = { a = 1, "\\u0061" = 2 }\n',
    "at = 2026-01-02T03:04:05Z\nat = 5\n",
    "at = 2026-01-02T24:00:00Z\n",
    "t = 5, did = 6\n",
    "answers = [1\n2]\n",
    "facts = { a = 1\nb = 2 }\n",
    '"t":5\n',
    'facts = {"a":5}\n',
    'text = "a\\/b"\n',
    'text = "a\x7fb"\n',
    'text = "a\x01b"\n',
    'text = "a\nb"\n',
    'text = "\\ud83d\\ude00"\n',
    "t =\r5\n",
    "5\n",
    '"lone"\n',
]
DEEP = f"answers = {'[' * 98}1{']' * 98}\n"


class TestNotToml:
    @pytest.mark.parametrize("body", [*NOT_TOML, DEEP])
    def test_json_that_is_not_toml_is_left_to_tomllib(self, body: str) -> None:
        data = f"\n[[entry]]\n{body}".encode()
        with pytest.raises(toml.BadToml):
            toml.parse(data)
        assert toml.read_ours(data) is None

    @pytest.mark.parametrize("body", NOT_TOML)
    def test_block_with_right_checksum_is_reported_with_line_number(self, body: str) -> None:
        good = toml.emit_entry({"id": "a.1", "t": 1, "did": "journal"})
        bad = f'\n[[entry]]\nid = "a.2"\n{body}'.encode()
        found = blocks.scan(good + blocks.mark(1, good) + bad + blocks.mark(2, bad))
        assert [block.entry["id"] for block in found.blocks] == ["a.1"]
        (problem,) = found.bad
        first = good.count(b"\n") + 3  # past the first mark and the blank line: the line of [[entry]]
        assert first <= problem.line <= first + 1 + body.count("\n") + 1

    def test_check_names_the_line_of_such_a_block(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        save = tmp_path / "vale.toml"
        assert main(["new", "vale", "--game", "ironsworn", "--saves", str(tmp_path)]) == 0
        body = b'\n[[entry]]\nid = "a.1"\nt = 1\nat = 2026-01-02T03:04:05Z\ndid = "journal"\nfacts = { a = null }\n'
        before = save.read_bytes()
        save.write_bytes(before + body + blocks.mark(1, body))
        capsys.readouterr()
        assert main(["check", str(save)]) == 1
        line = before.count(b"\n") + body.count(b"\n")
        assert f"line {line}: " in capsys.readouterr().out


slugs = st.sampled_from(["state", "party", "kara", "tracks", "oath", "base", "last", "two words", "x"])
heads = st.dictionaries(
    slugs,
    st.recursive(ours | st.floats(allow_nan=False), lambda inner: st.dictionaries(slugs, inner, max_size=3)),
    max_size=4,
)
ODD_HEADS = [
    "[a]\nx = 1\n[a]\n",
    "[a.b]\n[a]\n",
    "[a]\nb = 1\n[a.b]\n",
    "[a]\nx = 1\nx = 2\n",
    'x = [\n    "a",\n    "b",\n]\n',
    'x = [\n    "a",\n',
    "x = [\n    [\n        1,\n    ],\n]\n",
    'x = { "a": 1 }\n',
    "x = [{}]\n",
    "x = [null]\n",
    '[a."b c"]\nx = 1\n',
    "[[a]]\nx = 1\n",
    "[a] # note\n",
    "# note\nx = 1\n",
    "# \x01\nx = 1\n",
    "x = 2026-01-02\n",
    f"x = {'[' * 200}{']' * 200}\n",
    f"[{'.'.join('a' * 40)}]\n",
    "x = 1",
    "x = 1 \n",
    " x = 1\n",
    "x=1\n",
]


class TestHeads:
    @settings(max_examples=60)
    @given(heads)
    def test_fast_reader_reads_heads_as_tomllib_does_or_declines(self, tables: dict[str, Any]) -> None:
        data = tomli_w.dumps(tables).encode()
        fast = toml.read_our_head(data)
        assert fast is None or exactly(fast) == exactly(toml.parse(data))

    @settings(max_examples=100)
    @given(heads, slips)
    def test_fast_reader_reads_edited_heads_as_tomllib_does_or_declines(
        self, tables: dict[str, Any], slips: list[tuple[int, int, str]]
    ) -> None:
        text = tomli_w.dumps(tables)
        for where, gone, new in slips:
            at = where % (len(text) + 1)
            text = text[:at] + new + text[at + gone :]
        fast = toml.read_our_head(text.encode())
        assert fast is None or exactly(fast) == exactly(toml.parse(text.encode()))

    @pytest.mark.parametrize("text", ODD_HEADS)
    def test_fast_reader_declines_odd_heads_or_reads_them_alike(self, text: str) -> None:
        fast = toml.read_our_head(text.encode())
        assert fast is None or exactly(fast) == exactly(toml.parse(text.encode()))

    @pytest.mark.parametrize("game", games.GAMES)
    def test_fast_reader_reads_the_head_of_an_example(self, game: str) -> None:
        data = example_of(game).read_bytes()
        found = head.find_end(data)
        assert found is not None
        assert toml.read_our_head(data[: found[0]]) == toml.parse(data[: found[0]])

    def test_head_with_line_ends_of_another_system_is_read_fast(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data = b'format = 1\r\nid = "x"\r\ngame = "toy"\r\n\r\n[state]\r\nscene = "a"\r\n'
        slow = head.read("x", b"# a comment = 'x'\nx = 0x1\n" + data, trusted=False)
        monkeypatch.setattr(toml, "parse", None)
        assert head.read("x", data, trusted=False) == slow._replace(extra={})
