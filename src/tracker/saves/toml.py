"""TOML in both directions: a guarded reader for anything, an emitter and a fast reader for our own entries."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any


class BadToml(ValueError):
    """Why these bytes cannot be read; `line` counts from 1 within them."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


# -- reading anything -----------------------------------------------------------------------------------

# A string that is not closed ends with its line or with the text: looking for its end again from every quote
# would take minutes. The same holds for the words of a key.
SKIPPED = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{0,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{0,5}"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
# tomllib takes quadratic time over the segments of a dotted key: 20,000 of them are minutes.
_DEEP_KEY = re.compile(r"(?<![\w-])(?:(?:[\w-]++|'')[ \t]*+\.[ \t]*+){100}")
_DEEPEST = 100
_AT = re.compile(r" \(at line (\d+), column (\d+)\)$")
_INT64 = 2**63


def parse(data: bytes) -> dict[str, Any]:
    """The tables in these bytes, or BadToml with line and column; never slow, never another exception."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
        raise BadToml(f"this is not UTF-8 (column {column})", line) from None
    bare = SKIPPED.sub(lambda m: "''" + "\n" * m[0].count("\n"), text)
    if deep := _DEEP_KEY.search(bare):
        raise BadToml("a key is nested too deep", _line_at(bare, deep.start()))
    try:
        tables = tomllib.loads(text)
        huge = _beyond_int64(tables)
    except RecursionError:
        raise BadToml("values are nested too deep", _line_at(bare, _too_deep_at(bare))) from None
    except tomllib.TOMLDecodeError as error:
        why = str(error)
        if at := _AT.search(why):
            raise BadToml(f"{why[: at.start()]} (column {at[2]})", int(at[1])) from None
        raise BadToml(why.replace(" (at end of document)", " at the end"), text.count("\n") + 1) from None
    except ValueError:
        # Python refuses to convert integers of thousands of digits.
        digits = re.search(r"[\d_]{1000}", bare)
        raise BadToml("a number has too many digits", _line_at(bare, digits.start() if digits else 0)) from None
    if huge:
        raise BadToml("a number does not fit in 64 bits", _line_at(bare, _huge_at(bare)))
    return tables


def _beyond_int64(value: object, depth: int = 0) -> bool:
    """Whether a number in here is too large; RecursionError where it is too deep to be written again."""
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
    return next((n.start() for n in numbers if not -_INT64 <= int(n[0].replace("_", ""), 0) < _INT64), 0)


def _line_at(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


_SEGMENT = r"(?:[\w-]+|\"[^\"]*\"|'[^']*')"
_TABLE_OR_KEY = rf"[ \t]*(?:(\[\[?)([^\]]*)\]|({_SEGMENT}(?:[ \t]*\.[ \t]*{_SEGMENT})*)[ \t]*=)"


def line_of(text: str, path: Sequence[str]) -> int:
    """The line that gives this key its value, or else the one that comes nearest to it."""
    best, depth = 1, 0
    table: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not (found := re.match(_TABLE_OR_KEY, line)):
            continue
        here = [segment.strip("\"'") for segment in re.findall(_SEGMENT, found[2] or found[3] or "")]
        if found[1]:
            table = here
        else:
            here = table + here
        if depth < len(here) <= len(path) and here == list(path[: len(here)]):
            best, depth = number, len(here)
    return best


# -- writing our entries --------------------------------------------------------------------------------

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]')


_OPENING = "\n[[entry]]\n"


def emit_entry(entry: Mapping[str, Any]) -> bytes:
    """An entry with one line per key: whatever is torn off, no line is left that says something else."""
    lines = [f"{emit_key(key)} = {emit_value(value)}\n" for key, value in entry.items()]
    return (_OPENING + "".join(lines)).encode()


def emit_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else emit_string(key)


def emit_string(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}"


def emit_value(value: object) -> str:
    """One value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return emit_string(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if value.tzinfo else value.isoformat()
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


# -- reading our entries fast ---------------------------------------------------------------------------

# A string is passed over, a bare key becomes a JSON key, a new line a comma.
_TOKEN = re.compile(r'("(?:[^"\\]++|\\.)*+"?)( = )?|([A-Za-z0-9_-]+) = |(\n)')
_AT_LINE = re.compile(r"\nat = (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n")


def _short_int(digits: str) -> int:
    if len(digits) > 18:
        raise ValueError("perhaps beyond 64 bits")
    return int(digits)


_JSON = json.JSONDecoder(parse_int=_short_int)


def _to_json(found: re.Match[str]) -> str:
    string, equals, key, _ = found.groups()
    if key:
        return f'"{key}":'
    if string:
        return f"{string}:" if equals else str(string)
    return ","


def read_ours(data: bytes) -> dict[str, Any] | None:
    """What `emit_entry` wrote, at about a tenth of tomllib's cost; None for anything it cannot be sure of.

    Only for blocks whose checksum fits: then they are ours, or were read by `parse` once before.
    """
    if data.count(b"[") + data.count(b"{") > _DEEPEST or b"\\ud" in data or b"\\uD" in data:
        return None  # perhaps too deep, or half a character: JSON would take it
    try:
        text = data.decode()
        if not text.startswith(_OPENING) or not text.endswith("\n"):
            return None
        moment = _AT_LINE.search(text)
        if moment:
            text = f"{text[: moment.start()]}\n{text[moment.end() :]}"
        entry = _JSON.decode("{" + _TOKEN.sub(_to_json, text[len(_OPENING) : -1]) + "}")
        if moment:
            entry["at"] = datetime.fromisoformat(moment[1])
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
