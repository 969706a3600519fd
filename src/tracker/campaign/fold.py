"""Apply effects to the state: the only place where an effect becomes a change.

Functions take the game's schema as `top`. The log and every procedure's draft use the same `apply`, which never raises:
an effect whose path does not exist, or whose value the schema does not allow, is idle and changes nothing. The entry
that created its target may have been undone, deleted by hand, or not merged yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Any

from tracker.campaign.state import Tree, Unshared, freeze, put, share, take_out, thaw, unshare
from tracker.games.api.schema import (
    Boolean,
    Choice,
    Collection,
    Counters,
    Effect,
    Integer,
    Kind,
    Ladder,
    Line,
    Path,
    Record,
    State,
)

_DEPTH = 8
"""Longest chain of effects that trigger each other; further ones are ignored. No game needs more than four."""


_STARTS: dict[int, tuple[Record, Tree]] = {}
"""Initial values of each schema of a record by its `id`, with the schema, so that no other one gets that number."""


class _Count(Integer):
    """Schema of a single number inside Counters. `apply` removes such a number when it reaches 0."""


def start(kind: Record) -> State:
    """Return the initial record of this schema, such as the state of a new campaign: start values, empty collections.

    Every call with the same schema returns the same Tree, which is immutable: making one each time would be slow.
    """
    known = _STARTS.get(id(kind))
    if known is None:
        known = _STARTS[id(kind)] = kind, Tree({name: _start(inner) for name, inner in kind.fields.items()})
    return known[1]


def fold(top: Record, state: State, effects: Iterable[Effect]) -> State:
    """Return the state after these effects and everything that they trigger, in order. Idle effects are skipped.

    An unshared state is changed in place and returned.
    """
    several = list(effects)
    if len(several) > 1 and not isinstance(state, Unshared):
        return share(fold(top, unshare(state), several))
    for effect in several:
        state = apply(top, state, effect)
    return state


def apply(top: Record, state: State, effect: Effect, depth: int = 0) -> State:
    """Return the state after this effect and all effects that it triggers; the same object if the effect is idle.

    An unshared state is changed in place and returned. `depth` is only used by the recursion: the number of triggers
    that led to this effect, which is ignored if they are more than _DEPTH.
    """
    found = locate(top, state, effect["at"])
    return state if found is None or depth > _DEPTH else apply_at(found, top, state, effect, depth)


def apply_at(place: tuple[Path, Kind | None, Any], top: Record, state: State, effect: Effect, depth: int = 0) -> State:
    """Return the state after this effect and all that it triggers, as `apply` does, without looking up its path.

    `place` is what `locate` has returned for this state and the effect's path. `depth` is the number of triggers that
    led to this effect.
    """
    path, kind, old = place
    if "by" in effect:
        after, brings = _by(kind, state, path, old, effect["by"])
    elif "to" in effect:
        after, brings = _to(kind, state, path, effect["to"]), []
    elif "add" in effect:
        after, brings = _add(kind, state, path, old, effect["add"])
    else:
        gone = isinstance(kind, Collection) and effect["drop"] in old
        after, brings = (take_out(state, (*path, effect["drop"])) if gone else state), []
    for brought in brings:
        after = apply(top, after, brought, depth + 1)
    return after


def locate(top: Record, state: State, at: str) -> tuple[Path, Kind | None, Any] | None:
    """Look up an effect's path, such as `scene` or `kara.momentum`; return (full path, schema, present value).

    A path that does not begin with a key of the state is looked up in the party. Return None if there is no such place.
    For a key that the schema does not declare, the returned schema is None; its value is None too if the key is not
    set.
    """
    kind: Kind | None = top.fields.get(at)
    if kind is not None:
        return (at,), kind, state[at] if at in state else _start(kind)
    path = tuple(at.split("."))
    if path[0] not in top.fields:
        path = ("party", *path)
    kind = top
    value: Any = state
    for n, key in enumerate(path):
        if isinstance(kind, Record):
            kind = kind.fields.get(key)
            value = value[key] if key in value else _start(kind) if kind else None
        elif isinstance(kind, Collection) and key in value:
            kind, value = kind.of, value[key]
        elif isinstance(kind, Counters) and n == len(path) - 1:
            kind, value = _Count(0, kind.most), value.get(key, 0)
        else:
            return None
    return path, kind, value


def _by(kind: Kind | None, state: State, path: Path, old: Any, by: int) -> tuple[State, list[Effect]]:
    if isinstance(kind, Ladder):
        return _climb(kind, state, path, old, by)
    if not isinstance(kind, Integer):
        return state, []
    brings: list[Effect] = []
    if by > 0:
        if kind.blocked and kind.blocked(state, path):
            return state, []
        most = kind.most(state, path) if kind.most else kind.high
        if old < most <= old + by and kind.filled:
            brings += kind.filled(state, path, old + by - most)
        left = old + by - max(old, most)
        if left > 0 and kind.beyond:
            brings += kind.beyond(state, path, left)
        return _set(kind, state, path, max(old, min(old + by, most))), brings
    low = kind.least(state, path) if kind.least else kind.low
    new = min(old, max(old + by, low))
    if by and kind.lowered:
        brings += kind.lowered(state, path, -by)
    if new == low < old and kind.emptied:
        brings += kind.emptied(state, path)
    left = -by - (old - new)
    if left and kind.rest:
        brings += kind.rest(state, path, left)
    return _set(kind, state, path, new), brings


def _climb(kind: Ladder, state: State, path: Path, old: str, by: int) -> tuple[State, list[Effect]]:
    rung = kind.values.index(old)
    new = max(0, min(rung + by, len(kind.values) - 1))
    brings = kind.moved(state, path, new - rung, rung + by - new) if kind.moved else []
    return _set(kind, state, path, kind.values[new]), brings


def _to(kind: Kind | None, state: State, path: Path, value: Any) -> State:
    if isinstance(kind, Integer) and isinstance(value, str) and value in kind.words:
        return _set(kind, state, path, kind.words[value](state, path))
    return _set(kind, state, path, complete(kind, value)) if fits(kind, value) else state


def _add(
    kind: Kind | None, state: State, path: Path, old: Any, record: Mapping[str, Any]
) -> tuple[State, list[Effect]]:
    if not isinstance(kind, Collection) or record["id"] in old:
        return state, []
    at = (*path, record["id"])
    brings = kind.added(state, at) if kind.added else []
    return put(state, at, complete(kind.of, {key: value for key, value in record.items() if key != "id"})), brings


def _set(kind: Kind | None, state: State, path: Path, value: Any) -> State:
    here: Any = state
    for key in path[:-1]:
        here = here[key]
    if isinstance(kind, _Count) and value == 0:
        return take_out(state, path) if path[-1] in here else state
    same = path[-1] in here and here[path[-1]] == value and type(here[path[-1]]) is type(value)
    return state if same else put(state, path, value)


def fits(kind: Kind | None, value: Any) -> bool:
    """Return True if the schema `kind` allows this value. If `kind` is None (unknown key), any TOML value fits."""
    match kind:
        case Integer():
            return isinstance(value, int) and not isinstance(value, bool) and kind.low <= value <= kind.high
        case Choice() | Ladder():
            return value in kind.values
        case Line():
            return isinstance(value, str)
        case Boolean():
            return isinstance(value, bool)
        case Counters():
            return isinstance(value, dict) and all(fits(Integer(1, kind.most), number) for number in value.values())
        case Record():
            return isinstance(value, dict) and all(fits(kind.fields.get(k), v) for k, v in value.items())
        case Collection():
            return isinstance(value, dict) and all(fits(kind.of, record) for record in value.values())
        case None:
            return isinstance(value, (str, int, float, date, time, list, tuple, dict))


def _start(kind: Kind) -> Any:
    match kind:
        case Integer() | Ladder():
            return kind.start
        case Choice():
            return kind.values[0]
        case Line():
            return ""
        case Boolean():
            return False
        case Record():
            return start(kind)
        case _:
            return Tree()


def written(top: Record, state: State) -> dict[str, Any]:
    """Return the state as saves and exports have it: a mutable copy of dicts and lists, without some empty fields.

    Left out are empty collections at its top level that the schema declares as `sparse`.
    """
    return {name: value for name, value in thaw(state).items() if value or not _is_sparse(top.fields.get(name))}


def _is_sparse(kind: Kind | None) -> bool:
    return isinstance(kind, Collection) and kind.sparse


def complete(kind: Kind | None, given: Any) -> Any:
    """Return an immutable copy of `given` in which every value fits the schema `kind`.

    Missing fields are added, and invalid values replaced by initial ones. Unknown keys are kept.
    """
    match kind:
        case Record() if isinstance(given, dict):
            fields = kind.fields
            own = {n: complete(fields[n], value) if n in fields else freeze(value) for n, value in given.items()}
            return Tree({**start(kind), **own})
        case Collection() if isinstance(given, dict):
            return Tree({ident: complete(kind.of, each) for ident, each in given.items() if isinstance(each, dict)})
        case _:
            return freeze(given) if kind is None or fits(kind, given) else _start(kind)
