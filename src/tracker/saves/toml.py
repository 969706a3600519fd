"""TOML for saves: a safe parser for any bytes, a writer for entries, and a fast parser for entries so written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from itertools import accumulate
from typing import Any


class BadToml(ValueError):
    """Raised for bytes that are not valid TOML. `why` is a clause for the player; `line` counts from 1."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


# -- reading anything -----------------------------------------------------------------------------------

# Matches strings and comments. An unclosed string ends with its line or with the text, and quantifiers are possessive:
# searching for the end again from every quote would take minutes.
SKIPPED = (
    r'(?s)"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{0,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{0,5}"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
)
_DEEP_KEY = r"(?<![\w-])(?:(?:[\w-]++|'')[ \t]*+\.[ \t]*+){100}"
_DEEPEST = 100
_HEADER = r"(?m)^[ \t]*+\[[^\]\n]*"
PARSE_MOST = 500_000
"""Most microseconds that tomllib may need for one text, as estimated: more than 80,000 keys."""
ALLOWED_LEAST = 1_200_000
"""Microseconds for `Allowance`: more than 10,000 entries that a person has written in a form of their own."""
ALLOWED_PER_BYTE = 0.1
COST_OF_AN_ERROR = 400
"""Microseconds taken from an `Allowance` for an entry that cannot be read: after 3,000 the rest is not looked into."""
_TOO_MUCH = "not read, as too much before it is damaged or in another form"
_AT = r" \(at line (\d+), column (\d+)\)$"
_INT64 = 2**63


class Allowance:
    """The time that tomllib may take for all parts of one file together, in estimated microseconds.

    It grows with the file's `size` in bytes. Entries in the form of `emit_entry` take nothing of it, so it runs out
    only in files that are full of entries which are damaged or written by hand in other forms.
    """

    def __init__(self, size: int) -> None:
        self.left = max(ALLOWED_LEAST, int(size * ALLOWED_PER_BYTE))

    def spend(self, cost: int) -> None:
        """Take `cost` from what is left. Raise BadToml, also from every later call, if that is not enough."""
        if cost >= self.left:
            self.left = 0
            raise BadToml(_TOO_MUCH, 1)
        self.left -= cost

    def fail(self) -> None:
        """Take COST_OF_AN_ERROR, the cost of an entry that cannot be read, from what is left. Never raises."""
        self.left = max(0, self.left - COST_OF_AN_ERROR)


def parse(data: bytes, allowance: Allowance | None = None) -> dict[str, Any]:
    """Return the top-level table in these bytes. Raise BadToml, and nothing else, if they are not valid TOML.

    Also raise BadToml for deep nesting and for integers beyond 64 bits: they would be slow, or could not be written
    again. Raise it, before tomllib sees the bytes, if tomllib would need longer than PARSE_MOST or than `allowance`.
    """
    import tomllib

    if allowance:
        allowance.spend(0)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
        raise BadToml(f"this is not UTF-8 (column {column})", line) from None
    bare, strings = _without_strings(text)
    cost = _cost(text, bare, strings)
    if cost > PARSE_MOST:
        raise BadToml("it is too long or has too many keys and values", 1)
    if allowance:
        allowance.spend(cost)
    if bare.count(".") >= _DEEPEST and (deep := re.search(_DEEP_KEY, bare)):
        raise BadToml("a key is nested too deep", _line_at(bare, deep.start()))
    try:
        tables = tomllib.loads(text)
        huge = _beyond_int64(tables)
    except RecursionError:
        raise BadToml("values are nested too deep", _line_at(bare, _too_deep_at(bare))) from None
    except tomllib.TOMLDecodeError as error:
        why = str(error)
        if at := re.search(_AT, why):
            raise BadToml(f"{why[: at.start()]} (column {at[2]})", int(at[1])) from None
        raise BadToml(why.replace(" (at end of document)", " at the end"), text.count("\n") + 1) from None
    except ValueError:
        # Python refuses to convert integers of thousands of digits.
        digits = re.search(r"[\d_]{1000}", bare)
        raise BadToml("a number has too many digits", _line_at(bare, digits.start() if digits else 0)) from None
    if huge:
        raise BadToml("a number does not fit in 64 bits", _line_at(bare, _huge_at(bare)))
    return tables


def _without_strings(text: str) -> tuple[str, int]:
    """Return (text in which every string and comment is '' and its line ends, number of strings and comments).

    Stop at a number that `_cost` takes for too many: millions of short strings would take much memory.
    """
    parts: list[str] = []
    at = number = 0
    for number, found in enumerate(re.finditer(SKIPPED, text), 1):
        start, end = found.span()
        parts += (text[at:start], "''", "\n" * text.count("\n", start, end))
        at = end
        if number > PARSE_MOST:
            break
    return "".join(parts) + text[at:], number


def _cost(text: str, bare: str, strings: int) -> int:
    """Return about how many microseconds tomllib needs for `text`; `bare` and `strings` are from `_without_strings`.

    The numbers were measured. tomllib looks at each part of a dotted key together with all parts before it, and with
    the header above it, so its time grows with their depth.
    """
    keys, dots = bare.count("="), bare.count(".")
    values = bare.count(",") + bare.count("[") + bare.count("{")
    cost = 40 + strings + 5 * keys + 4 * values + (text.count("\\") + bare.count("\n")) // 2 + len(text) // 12
    if not dots or cost > PARSE_MOST:
        return cost
    # The line with the most dots may be a list of floats; keys are never as deep as that.
    deepest = min(_DEEPEST, max(line.count(".") for line in bare.split("\n")))
    header = min(_DEEPEST, max((found[0].count(".") for found in re.finditer(_HEADER, bare)), default=0))
    return cost + header * keys // 5 + dots * (150 + 2 * deepest + 13 * header) // 100


def _beyond_int64(value: object, depth: int = 0) -> bool:
    """Return True if `value` contains an integer beyond 64 bits. Raise RecursionError if it is nested too deep.

    `depth` is only used by the recursion.
    """
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, int):
        return not -_INT64 <= value < _INT64
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_beyond_int64(one, depth + 1) for one in inside)


def _too_deep_at(bare: str) -> int:
    depth = 0
    for found in re.finditer(r"[\[\]{}]", bare):
        depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
        if depth >= _DEEPEST:
            return found.start()
    return 0


def _huge_at(bare: str) -> int:
    numbers = re.finditer(r"(?<![\w.])[+-]?(?:0x[0-9a-fA-F_]++|0o[0-7_]++|0b[01_]++|\d[\d_]{18,}+)(?![\w.:-])", bare)
    return next((n.start() for n in numbers if not -_INT64 <= _whole(n[0]) < _INT64), 0)


def _whole(digits: str) -> int:
    """Return the value of a TOML integer; 0 for text that only looks like one (0123, or thousands of digits)."""
    try:
        return int(digits.replace("_", ""), 0)
    except ValueError:
        return 0


def _line_at(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


_SEGMENT = r"(?:[\w-]+|\"[^\"]*\"|'[^']*')"
_TABLE_OR_KEY = rf"[ \t]*(?:(\[\[?)([^\]]*)\]|({_SEGMENT}(?:[ \t]*\.[ \t]*{_SEGMENT})*)[ \t]*=)"


def line_of(text: str, path: Sequence[str]) -> int:
    """Return the line number in `text`, from 1, of the key at `path`.

    If there is no such key, return the line of the nearest table around it, or else 1.
    """
    return LineIndex(text).of(path)


class LineIndex:
    """Index of a TOML text that finds the line numbers of its tables and keys, for many lookups in one text."""

    def __init__(self, text: str) -> None:
        self._first: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.split("\n"), 1):
            if not (found := re.match(_TABLE_OR_KEY, line)):
                continue
            here = tuple(segment.strip("\"'") for segment in re.findall(_SEGMENT, found[2] or found[3] or ""))
            if found[1]:
                table = here
            else:
                here = table + here
            self._first.setdefault(here, number)

    def of(self, path: Sequence[str]) -> int:
        """Return the line number, from 1, of the key at `path`.

        If there is no such key, return the line of the nearest table around it, or else 1.
        """
        whole = tuple(path)
        lines = (self._first.get(whole[:length]) for length in range(len(whole), 0, -1))
        return next(filter(None, lines), 1)


# -- writing our entries --------------------------------------------------------------------------------

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_ESCAPED = r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]'


_OPENING = "\n[[entry]]\n"
OURS = _OPENING.encode()
"""The bytes with which an entry in the form of `emit_entry` begins."""


def emit_entry(entry: Mapping[str, Any]) -> bytes:
    """Return an entry as TOML with one line per key, so that truncation never changes the meaning of a line.

    Raise TypeError for a value that TOML cannot hold.
    """
    lines = [f"{emit_key(key)} = {emit_value(value)}\n" for key, value in entry.items()]
    return (_OPENING + "".join(lines)).encode()


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return True if both entries, as parsed from TOML, are equal. Unlike with ==, nan is equal to nan."""
    if one == other or one.keys() != other.keys():
        return one == other
    unequal = [(value, other[key]) for key, value in one.items() if value != other[key]]
    if any(isinstance(value, (str, int)) for value, _ in unequal):
        return False
    return all(emit_value(value) == emit_value(second) for value, second in unequal)


def emit_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else emit_string(key)


def emit_string(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + re.sub(_ESCAPED, _escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}"


def emit_value(value: object) -> str:
    """Return a value as TOML on one line. Raise TypeError if TOML cannot hold it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return emit_string(value)
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{emit_key(k)} = {emit_value(v)}" for k, v in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(emit_value, value))}]"
    raise TypeError(f"{type(value).__name__} has no form in TOML")


def _moment(value: datetime) -> str:
    """Return a date and time as TOML.

    One with a time zone is converted to UTC, unless that would leave the years 1 to 9999.
    """
    if not value.tzinfo:
        return value.isoformat()
    try:
        value = value.astimezone(UTC)
    except OverflowError:
        return value.isoformat()
    return f"{value.year:04}-{value.strftime('%m-%dT%H:%M:%SZ')}"


# -- reading our entries fast ---------------------------------------------------------------------------

# To turn an inline table into JSON: matches strings, keys with their " = ", and colons, which are not valid TOML.
_TOKEN = re.compile(r'("(?:[^"\\]++|\\.)*+"?)( = )?|(?<![A-Za-z0-9_-])([A-Za-z0-9_-]++) = |(:)')
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z")
_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_ANY_STRING = rb'(?s)"(?:[^"\\]++|\\.)*+"?'
_NULL = rb"null(?! = )"
_ESCAPE = rb"(?s)\\(/|u[dD]|.)"
_USUAL = frozenset(["id", "t", "at", "who", "did", "answers", "facts", "effects", "text"])
"""Frequent keys, known to be valid without matching `_BARE`."""


def _short_int(digits: str) -> int:
    if len(digits) > 18:
        raise ValueError("perhaps beyond 64 bits")
    return int(digits)


def _no_constant(word: str) -> float:
    raise ValueError(f"TOML does not know {word}")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key is given twice")
    return table


_JSON = json.JSONDecoder(parse_int=_short_int, parse_constant=_no_constant, object_pairs_hook=_each_once)


def _to_json(found: re.Match[str]) -> str:
    which = found.lastindex
    if which == 1:
        return found[0]
    if which == 3:
        return f'"{found[3]}":'
    return f"{found[1]}:" if which == 2 else "="


def read_ours(data: bytes) -> dict[str, Any] | None:
    """Parse one entry in the form that `emit_entry` writes, ten times as fast as tomllib; return None for other bytes.

    The result is always the same as that of `parse`: bytes that `parse` could read otherwise give None.
    """
    if not data.startswith(OURS) or not data.endswith(b"\n") or _is_deep(data) or _only_json(data):
        return None
    entry: dict[str, Any] = {}
    try:
        text = data.decode()
        # Every value is on one line: a line end in a string or a list is not ours.
        for line in text[len(_OPENING) : -1].split("\n") if len(text) > len(_OPENING) else ():
            key, _, value = line.partition(" = ")
            if key not in _USUAL and not _BARE.fullmatch(key):
                key = _quoted_key(key)
            if key in entry:
                return None
            if key == "at" and _MOMENT.fullmatch(value):
                entry[key] = datetime.fromisoformat(value)
                continue
            if "{" in value:
                value = _TOKEN.sub(_to_json, value)
            entry[key], end = _JSON.raw_decode(value)
            if end != len(value):
                return None
    except ValueError:
        return None
    return entry


_NO_BRACKETS = bytes(one for one in range(256) if one not in b"[]{}")
_NESTS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def _is_deep(data: bytes) -> bool:
    """Return True if the values in `data`, the bytes of an entry, may be nested deeper than `parse` allows."""
    if data.count(b"[") + data.count(b"{") < _DEEPEST - 3:
        return False
    brackets = re.sub(_ANY_STRING, b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_NESTS.__getitem__, brackets)), default=0) >= _DEEPEST - 3


_COMMENT_LINE = rb"(?m)^[ \t]*+(?:#[^\x00-\x08\x0a-\x1f\x7f]*+)?\n"


def without_comments(data: bytes) -> bytes:
    """Return the bytes with line feeds as the only line ends, and without blank lines and lines that are comments.

    For `parse` they mean the same, or are no valid TOML as before, and `read_ours` can parse more of them. Bytes with
    strings of several lines are returned unchanged.
    """
    if b'"""' in data or b"'''" in data:
        return data
    data = data.replace(b"\r\n", b"\n")
    if b"#" in data:
        try:
            data.decode()
        except UnicodeDecodeError:
            return data
    return re.sub(_COMMENT_LINE, b"", data)


_TABLE = re.compile(r"\[([A-Za-z0-9_-]++(?:\.[A-Za-z0-9_-]++){0,30})\]")


def read_our_head(data: bytes) -> dict[str, Any] | None:
    """Parse a head in the form that `head.emit` writes, ten times as fast as tomllib; return None for other bytes.

    The result is always the same as that of `parse`. Quoted keys, inline tables and dates give None.
    """
    if _only_json(data):
        return None
    top: dict[str, Any] = {}
    table = top
    try:
        lines = iter(data.decode().split("\n"))
        for line in lines:
            if not line or (line[0] == "#" and line.isprintable()):
                continue
            if line[0] == "[":
                table = _new_table(top, line)
                continue
            key, _, value = line.partition(" = ")
            if key in table or not _BARE.fullmatch(key):
                return None
            table[key] = [*_items(lines)] if value == "[" else _plain_value(value)
    except ValueError:
        return None
    return top


def _new_table(top: dict[str, Any], line: str) -> dict[str, Any]:
    """Add an empty table for the header in `line`, such as [state.party], to the tables in `top`, and return it.

    Raise ValueError if the header has another form, or if it is there already.
    """
    header = _TABLE.fullmatch(line)
    if not header:
        raise ValueError("not a plain header")
    *above, name = header[1].split(".")
    table = top
    for part in above:
        table = table.setdefault(part, {})
        if type(table) is not dict:
            raise ValueError("not a table")
    if name in table:
        raise ValueError("a second table of this name")
    new: dict[str, Any] = {}
    table[name] = new
    return new


def _items(lines: Iterator[str]) -> Iterator[Any]:
    """Yield the parsed items of a list that is written with one item per line; stop after the line that ends the list.

    `lines` yields the lines after the one that opens it. Raise ValueError if a line has another form, or if no line
    ends the list.
    """
    for line in lines:
        if line == "]":
            return
        if not line.startswith("    ") or not line.endswith(","):
            raise ValueError("not a list of ours")
        yield _plain_value(line[4:-1])
    raise ValueError("a list without an end")


def _plain_value(text: str) -> Any:
    """Parse a string, number, boolean, or list of these. Raise ValueError if `text` is anything else."""
    if text[:1] != '"' and ("{" in text or text.count("[") > _DEEPEST // 2):
        raise ValueError("perhaps an inline table, or too deep")
    value, end = _JSON.raw_decode(text)
    if end != len(text):
        raise ValueError("more than a value")
    return value


def _only_json(data: bytes) -> bool:
    r"""Return True if the bytes contain something that JSON allows and TOML does not.

    That is a carriage return between two tokens, DEL, null, an escaped slash, or half a surrogate pair (\ud800).
    """
    if b"\r" in data or b"\x7f" in data or (b"null" in data and re.search(_NULL, re.sub(_STRING, b"", data))):
        return True
    if b"\\/" not in data and b"\\u" not in data:
        return False
    return any(escape == b"/" or len(escape) > 1 for escape in re.findall(_ESCAPE, data))


def _quoted_key(text: str) -> str:
    """Return the key in a quoted string. Raise ValueError if `text` is anything else."""
    key, end = _JSON.raw_decode(text)
    if not isinstance(key, str) or end != len(text):
        raise ValueError("not a key")
    return key
