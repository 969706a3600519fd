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


class Unshared(Tree):
    """A Tree that belongs to a single computation and may be changed in place, because copies for each effect are slow.

    All Trees that contain an Unshared are Unshared too. `share` makes them immutable again.
    """

    __slots__ = ()


def unshare(state: State) -> Unshared:
    """Return a copy of the state that `put` and `take_out` change in place. An inner Tree is copied when it changes."""
    return Unshared(state)


def share(state: State) -> Tree:
    """Return this state as an immutable one that can be kept. An unshared state is made immutable in place."""
    if isinstance(state, Unshared):
        for inner in state.values():
            if isinstance(inner, Unshared):
                share(inner)
        state.__class__ = Tree  # type: ignore[assignment]  # both have the same layout
        return state
    return state if isinstance(state, Tree) else Tree(state)


def freeze(value: Any) -> Any:
    """Return an immutable copy of a value: dicts become Trees, lists tuples.

    A Tree that is not Unshared is returned itself.
    """
    if isinstance(value, Tree) and not isinstance(value, Unshared):
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
    """Return a state with `value` at `path`, creating missing tables. An unshared state is changed in place."""
    key, *below = path
    changed = _changeable(state)
    dict.__setitem__(changed, key, put(_inner(changed, key), tuple(below), value) if below else freeze(value))
    return changed


def take_out(state: State, path: Path) -> Tree:
    """Return a state without the value at `path`. An unshared state is changed in place.

    Raise KeyError, with nothing changed, if there is no such value.
    """
    key, *below = path
    changed = _changeable(state)
    if below:
        dict.__setitem__(changed, key, take_out(_inner(changed, key), tuple(below)))
    else:
        dict.__delitem__(changed, key)
    return changed


def _changeable(state: State) -> Tree:
    return state if isinstance(state, Unshared) else Tree(state)


def _inner(state: Tree, key: str) -> State:
    """Return the table at `key` to change next: unshared if `state` is unshared, a new empty one if it is missing."""
    inner: State = state.get(key, Tree())
    return Unshared(inner) if isinstance(state, Unshared) and not isinstance(inner, Unshared) else inner
