"""Entries of a save: the order in which they count, and the form that one needs to be used at all.

Unknown keys are allowed and kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

Problem = tuple[str, str]
"""(key, reason): the key of the entry with the wrong value, and a clause for the player."""

TIME_LIMIT = 2**62
"""The time `t` of an entry must be below this number."""
_ID = re.compile(r"[a-z0-9_]{1,40}(?:\.[a-z0-9_]{1,20}){1,40}")
_PATH = re.compile(r"[a-z0-9_]{1,80}(?:\.[a-z0-9_]{1,80}){0,7}")
_NAME = re.compile(r"[a-z0-9_]{1,80}")
_FORMS = frozenset(["by", "to", "add", "drop"])
_SEAT = re.compile(r"[a-z0-9_]{1,20}")


def key(entry: Mapping[str, Any]) -> tuple[int, str]:
    """Return the sort key of an entry: (t, id). Effects are applied in this order."""
    return entry["t"], entry["id"]


def entry_problem(entry: dict[str, Any]) -> Problem | None:
    """Return the first problem that makes this entry unusable, as (key, clause for the player); None if it is valid."""
    for key, value in entry.items():
        if (rule := _KEYS.get(key)) and not rule[0](value):
            return key, f"{key} should be {rule[1]}"
    for effect in entry.get("effects", []):
        if why := effect_problem(effect):
            return "effects", f"effects: {why}"
    if not any(key in entry for key in ("did", "text", "effects", "undoes")):
        return "entry", "an entry needs did, text or effects"
    return None


def effect_problem(effect: object) -> str | None:
    """Return the reason why this is not a valid effect, as a clause for the player; None if it is valid."""
    if not isinstance(effect, dict):
        return "each should be a table"
    if not isinstance(at := effect.get("at"), str) or not _PATH.fullmatch(at):
        return "at should be a path of ids, like kara.momentum"
    forms = effect.keys() & _FORMS
    if len(forms) != 1:
        return f"{at} should have one of by, to, add and drop"
    (form,) = forms
    value = effect[form]
    match form:
        case "by" if not _whole(value):
            return f"{at} by should be a whole number"
        case "add" if not isinstance(value, dict) or not _name(value.get("id")):
            return f"{at} add should be a table with an id"
        case "drop" if not _name(value):
            return f"{at} drop should be an id"
    return None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9


def _time(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < TIME_LIMIT


def _name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _id(value: object) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def is_seat(value: object) -> bool:
    """Return True if the value can be the id of a seat, which entries name in `by`."""
    return isinstance(value, str) and _SEAT.fullmatch(value) is not None


def _text(value: object) -> bool:
    return isinstance(value, str)


def _answers(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) for pair in value
    )


_KEYS: dict[str, tuple[Callable[[object], bool], str]] = {
    "id": (_id, "an id like k3f9.17"),
    "t": (_time, "a whole number, 0 or more"),
    "at": (lambda value: isinstance(value, datetime), "a date with a time, like 2026-11-15T20:14:03Z"),
    "by": (is_seat, "the id of a seat, like ana, of at most 20 letters"),
    "who": (_text, "a text"),
    "did": (_text, "a text"),
    "text": (_text, "a text"),
    "answers": (_answers, "a list of pairs of key and value"),
    "facts": (lambda value: isinstance(value, dict), "a table"),
    "effects": (lambda value: isinstance(value, list), "a list of tables"),
    "undoes": (_id, "the id of an entry"),
    "closes": (_id, "the id of an entry"),
    "open": (lambda value: value is True, "true"),
    "whole": (lambda value: value is True, "true"),
}
