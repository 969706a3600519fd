"""Values of a campaign as JSON can hold them: no nan, no infinity, and times as text."""

from __future__ import annotations

from typing import Any


def finite(value: Any) -> Any:
    """Return a copy of a value with None in place of each nan and infinity in it; tuples in it become lists."""
    match value:
        case dict():
            return {key: finite(one) for key, one in value.items()}
        case list() | tuple():
            return [finite(one) for one in value]
        case float():
            return value if value - value == 0 else None
        case _:
            return value


def as_text(value: Any) -> str:
    """Return the text for a value of a kind that JSON lacks: ISO format for dates and times, else `str(value)`."""
    return str(value.isoformat() if hasattr(value, "isoformat") else value)
