"""What commands print: safe lines, JSON and one-line errors."""

from __future__ import annotations

import sys
from typing import Any

from tracker.parser import complain
from tracker.streams import encodable
from tracker.text import shown


def say(line: str = "") -> None:
    """Print one line on stdout, made safe to show; replace characters that stdout's encoding lacks."""
    print(encodable(shown(line), sys.stdout))


def fail(message: str) -> int:
    """Print why a command failed as one line on stderr; return exit code 1."""
    complain(message)
    return 1


def say_json(value: Any) -> None:
    """Print a value as one line of JSON: times in ISO format, and null for a number that JSON lacks."""
    import json

    print(json.dumps(_finite(value), default=_plain, allow_nan=False))


def _finite(value: Any) -> Any:
    """Return a copy of the value with None for every nan and infinity in it, which JSON cannot hold."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and value - value != 0 else value


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
