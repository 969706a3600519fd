"""The fast reader of our own entries agrees with tomllib, or keeps out of it."""

from datetime import UTC, date, datetime, time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.hostile import HOSTILE

from tracker.saves import toml

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
    """A value that is equal to another only if every type in it is the same too."""
    if isinstance(value, dict):
        return {key: exactly(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [exactly(inner) for inner in value]
    return type(value), repr(value)


def slowly(data: bytes) -> dict[str, Any]:
    (entry,) = toml.parse(data)["entry"]
    assert isinstance(entry, dict)
    return entry


class TestWhatWeWrite:
    @settings(max_examples=300, deadline=None)
    @given(entries(ours))
    def test_is_read_fast_and_as_tomllib_reads_it(self, entry: dict[str, Any]) -> None:
        data = toml.emit_entry(entry)
        fast = toml.read_ours(data)
        assert fast is not None
        assert exactly(fast) == exactly(slowly(data)) == exactly(entry)

    @settings(max_examples=200, deadline=None)
    @given(entries(other))
    def test_is_read_right_whatever_is_in_it(self, entry: dict[str, Any]) -> None:
        data = toml.emit_entry(entry)
        fast = toml.read_ours(data)
        assert exactly(slowly(data)) == exactly(entry)
        assert fast is None or exactly(fast) == exactly(entry)

    @pytest.mark.parametrize(("label", "text"), HOSTILE, ids=[label for label, _ in HOSTILE])
    def test_holds_hostile_texts(self, label: str, text: str) -> None:
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
    ),
    *("é", "\u2028", "\x7f", "\ufeff"),
]
slips = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 4), st.sampled_from(PIECES) | st.just("")), min_size=1, max_size=3
)


class TestWhatAPersonMadeOfIt:
    @settings(max_examples=250, deadline=None)
    @given(entries(ours), slips)
    @example({"t": 5}, [(11, 1, "at")])
    @example({"text": "a", "t": 5}, [(11, 0, "x = 1e5\n")])
    def test_is_read_as_tomllib_reads_it_or_left_to_it(
        self, entry: dict[str, Any], slips: list[tuple[int, int, str]]
    ) -> None:
        text = toml.emit_entry(entry).decode()
        for where, gone, new in slips:
            at = where % (len(text) + 1)
            text = text[:at] + new + text[at + gone :]
        try:
            tables = toml.parse(text.encode())
        except toml.BadToml:
            return  # such bytes never get a right CRC
        fast = toml.read_ours(text.encode())
        assert fast is None or exactly({"entry": [fast]}) == exactly(tables)

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
    def test_leaves_other_ways_to_write_to_tomllib(self, body: str) -> None:
        data = f"\n[[entry]]\n{body}".encode()
        assert toml.parse(data)["entry"]
        assert toml.read_ours(data) is None
