"""TOML in both directions: a guarded reader for anything, an emitter and a fast reader for our own entries."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any


class BadToml(ValueError):
    """Why these bytes cannot be read; `line` counts from 1 within them."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


# -- reading anything -----------------------------------------------------------------------------------

_SKIPPED = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)
# tomllib takes quadratic time over the segments of a dotted key: 20,000 of them are minutes.
_DEEP_KEY = re.compile(r"(?:(?:[\w-]+|'')[ \t]*\.[ \t]*){100}")
_DEEP_NEST = re.compile(r"(?:[\[{][ \t\r\n]*){100}")
_AT = re.compile(r" \(at line (\d+), column (\d+)\)$")
_INT64 = 2**63


def parse(data: bytes) -> dict[str, Any]:
    """The tables in these bytes, or BadToml with line and column; never slow, never another exception."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadToml(f"byte {error.start} is not valid UTF-8", line) from None
    bare = _SKIPPED.sub(lambda m: "''" + "\n" * m[0].count("\n"), text)
    for pattern, what in ((_DEEP_KEY, "a key is nested too deep"), (_DEEP_NEST, "values are nested too deep")):
        if deep := pattern.search(bare):
            raise BadToml(what, bare.count("\n", 0, deep.start()) + 1)
    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise BadToml("values are nested too deep", 1) from None
    except tomllib.TOMLDecodeError as error:
        why = str(error)
        if at := _AT.search(why):
            return _fail(f"{why[: at.start()]} (column {at[2]})", int(at[1]))
        return _fail(why.replace(" (at end of document)", " at the end"), text.count("\n") + 1)
    except ValueError:
        # Python refuses to convert integers of thousands of digits.
        digits = re.search(r"[\d_]{1000}", bare)
        return _fail("a number has too many digits", bare.count("\n", 0, digits.start() if digits else 0) + 1)
    if (huge := _beyond_int64(tables)) is not None:
        return _fail(f"the number under {huge} does not fit in 64 bits", _line_of(text, huge))
    return tables


def _fail(why: str, line: int) -> dict[str, Any]:
    raise BadToml(why, line)


def _beyond_int64(value: object, key: str = "") -> str | None:
    if isinstance(value, int):
        return None if -_INT64 <= value < _INT64 else key
    if isinstance(value, dict):
        return next((k for name, v in value.items() if (k := _beyond_int64(v, name)) is not None), None)
    if isinstance(value, list):
        return next((k for v in value if (k := _beyond_int64(v, key)) is not None), None)
    return None


def _line_of(text: str, key: str) -> int:
    found = re.search(rf"(?m)^.*\b{re.escape(key)}\b\s*=", text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


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
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")( = )?|([A-Za-z0-9_-]+) = |(\n)')
_AT_LINE = re.compile(r"\nat = (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n")


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
    text = data.decode("utf-8", "replace")
    if not text.startswith(_OPENING) or not text.endswith("\n"):
        return None
    moment = _AT_LINE.search(text)
    if moment:
        text = f"{text[: moment.start()]}\n{text[moment.end() :]}"
    try:
        entry = json.loads("{" + _TOKEN.sub(_to_json, text[len(_OPENING) : -1]) + "}")
        if moment:
            entry["at"] = datetime.fromisoformat(moment[1])
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
