"""The effects that lead from one state to another, as if made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.games.api.schema import Collection, Counters, Effect, Kind, Record, State


def state_difference(top: Record, old: State, new: State) -> list[Effect]:
    """Return the effects (`to`, `add` and `drop`) that turn `old` into `new`; `top` is the schema of both.

    If `new` lacks a record of a collection, the record is dropped; if it lacks a counter, the counter is set to 0.
    Other keys that `new` lacks are ignored.
    """
    return list(_record(top, old, new, ()))


def _record(kind: Record, old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...]) -> list[Effect]:
    effects: list[Effect] = []
    for key, value in new.items():
        effects += _field(kind.fields.get(key), old.get(key), value, (*path, key))
    return effects


def _field(kind: Kind | None, old: Any, new: Any, path: tuple[str, ...]) -> list[Effect]:
    if old == new and type(old) is type(new):
        return []
    if isinstance(kind, Collection) and isinstance(new, dict) and isinstance(old, dict):
        effects: list[Effect] = [{"at": _at(path), "drop": ident} for ident in old if ident not in new]
        for ident, record in new.items():
            if not isinstance(record, dict):
                continue
            if ident in old:
                effects += _record(kind.of, old[ident], record, (*path, ident))
            else:
                effects.append({"at": _at(path), "add": {"id": ident, **record}})
        return effects
    if isinstance(kind, Record) and isinstance(new, dict) and isinstance(old, dict):
        return _record(kind, old, new, path)
    if isinstance(kind, Counters) and isinstance(new, dict) and isinstance(old, dict):
        return [
            {"at": _at((*path, key)), "to": new.get(key, 0)}
            for key in {**old, **new}
            if old.get(key, 0) != new.get(key, 0)
        ]
    return [{"at": _at(path), "to": new}]


def _at(path: tuple[str, ...]) -> str:
    """Return a path as effects write it: the keys joined with dots, without a leading "party", such as `kara.health`.

    The path of the party itself is "party".
    """
    return ".".join(path[1:] if path[0] == "party" and len(path) > 1 else path)
