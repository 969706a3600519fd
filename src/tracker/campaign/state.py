"""The state as an immutable tree."""

from __future__ import annotations

from typing import Any, NoReturn

from tracker.games.api.schema import Path, State


class Tree(dict[str, Any]):
    """An immutable dict: every method that would change it raises TypeError."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the table changes by entries only")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


def freeze(value: Any) -> Any:
    """Return an immutable copy of a value: dicts become Trees, lists tuples. A Tree is returned as it is."""
    if isinstance(value, Tree):
        return value
    if isinstance(value, dict):
        return Tree({key: freeze(inner) for key, inner in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(map(freeze, value))
    return value


def thaw(value: Any) -> Any:
    """Return a mutable copy of a value, made of dicts and lists, as the writers of TOML and JSON need it."""
    if isinstance(value, dict):
        return {key: thaw(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [thaw(inner) for inner in value]
    return value


def put(state: State, path: Path, value: Any) -> Tree:
    """Return a new state with `value` at `path`; missing tables on the way are created. `state` is not changed."""
    key, *below = path
    changed = dict(state)
    changed[key] = put(state.get(key, Tree()), tuple(below), value) if below else freeze(value)
    return Tree(changed)


def take_out(state: State, path: Path) -> Tree:
    """Return a new state without the value at `path`; `state` is not changed. Raise KeyError if there is none."""
    key, *below = path
    changed = dict(state)
    if below:
        changed[key] = take_out(state[key], tuple(below))
    else:
        del changed[key]
    return Tree(changed)
