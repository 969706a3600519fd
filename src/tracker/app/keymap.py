"""Keys as players see them: display, hints for the footer, lookup, and validation of keys that a player has set."""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys, _character_to_key
from textual.screen import Screen

from tracker.records import NamedTuple
from tracker.settings import Settings
from tracker.text import shown_line

SHOWN = {
    "question_mark": "?",
    "plus": "+",
    "minus": "-",
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "slash": "/",
    "colon": ":",
    "delete": "Del",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "left": "Left",
    "right": "Right",
    "up": "Up",
    "down": "Down",
    "home": "Home",
    "end": "End",
    "tab": "Tab",
    "backspace": "Bksp",
}
_ARROWS = {frozenset(("Up", "Down")): "↑↓", frozenset(("Left", "Right")): "‹ ›"}
_MODIFIERS = {"ctrl", "shift", "alt", "super", "hyper", "meta"}
_NAMED = {key.value for key in Keys}


def display(keys: str) -> str:
    """Return a key as players see it, such as `^q`, `PgUp` or `F1`. Of comma-separated keys, return the first."""
    first = keys.split(",", maxsplit=1)[0].strip()
    if first in SHOWN:
        return SHOWN[first]
    if first.startswith("f") and first[1:].isdigit():
        return first.upper()
    *modifiers, last = first.split("+")
    with contextlib.suppress(KeyError):
        last = unicodedata.lookup(last.replace("_", " ")) if len(last) > 1 else last
    return "+".join((*modifiers, last)).replace("ctrl+", "^").replace("shift+", "Shift+")


def display_several(keys: Iterable[str]) -> str:
    """Return keys that do opposite things as players see them together, such as `+ -` or `↑↓`."""
    several = " ".join(map(display, keys))
    return _ARROWS.get(frozenset(several.split()), several)


class Hint(NamedTuple):
    """One key in the footer: the key as players see it, a word or two for what it does, and the action of a click.

    `bindings` are those that the key comes from; they are empty for hotkeys, which come from the options of a list.
    """

    key: str
    description: str
    action: str
    bindings: tuple[Binding, ...] = ()


def hint_of(*bindings: Binding, description: str = "", action: str = "") -> Hint:
    """Return the hint for the keys of these bindings, labeled with `description` or the label of the first.

    `action` is what a click on the hint does; with "", a click does nothing.
    """
    keys = display_several(binding.key for binding in bindings)
    return Hint(keys, description or bindings[0].description, action, bindings)


def declared(owner: type) -> Iterator[Binding]:
    """Yield the bindings of a class and its bases that have an id, those of the class itself first.

    Of several bindings with the same id, only the first is yielded.
    """
    seen: set[str] = set()
    for kind in owner.__mro__:
        for binding in kind.__dict__.get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id and binding.id not in seen:
                seen.add(binding.id)
                yield binding


def key_of(app: App[Any], binding: Binding) -> str:
    """Return the keys of a binding, comma-separated: those that the player has set, else the default ones."""
    own: Mapping[str, str] = getattr(app, "own_keys", {})
    return own.get(binding.id or "", binding.key)


def bound(screen: Screen[Any], action: str) -> Binding | None:
    """Return the binding of this screen for an action, or None if there is none.

    An action that begins with `app.` is looked up in the app instead.
    """
    owner: type = type(screen.app) if action.startswith("app.") else type(screen)
    return next((binding for binding in declared(owner) if binding.action == action.removeprefix("app.")), None)


def key_for(screen: Screen[Any], action: str) -> str:
    """Return the key for an action as players see it: the one that the player has set, else the default one.

    Return "" if no binding of the screen has this action.
    """
    binding = bound(screen, action)
    return display(key_of(screen.app, binding)) if binding else ""


def current_key_for(usual: str, screen: Screen[object]) -> str:
    """Return the key of a command of this screen as players see it, such as `^q`.

    `usual` is the command's default key in the same form. If the player has set another key, return that. In a key like
    `m1` only the letter is replaced.
    """
    letter, digit = (usual[:-1], usual[-1]) if len(usual) == 2 and usual[-1].isdigit() else (usual, "")
    for binding in declared(type(screen)):
        if display(binding.key) == letter:
            return display(key_of(screen.app, binding)) + digit
    return usual


def valid_keys(settings: Settings, app: type, *packages: ModuleType) -> tuple[dict[str, str], list[str]]:
    """Return (the player's usable keys by binding id, sentences for the player about the other ones).

    `app` is the class of the app; `packages` contain every screen and widget with bindings, and are imported.
    """
    owners = [owner for package in packages for owner in _owners(package)]
    known = {binding.id: binding for owner in [app, *owners] for binding in declared(owner)}
    taken: dict[str, str] = {}
    problems: list[str] = []
    for ident, keys in settings.keys.items():
        why = _why_unusable(ident, keys, known)
        if why:
            problems.append(settings.problem(ident, why))
        else:
            taken[ident] = keys
    everywhere = [binding for owner in [app, *owners] if not issubclass(owner, Screen) for binding in declared(owner)]
    for screen in [owner for owner in owners if issubclass(owner, Screen)]:
        for ident, why in list(_clashes([*declared(screen), *everywhere], taken)):
            if taken.pop(ident, ""):
                problems.append(settings.problem(ident, why))
    return taken, problems


def _owners(package: ModuleType) -> Iterator[type[DOMNode]]:
    """Import all modules of a package, and yield every screen and widget class that they define."""
    import pkgutil
    from importlib import import_module

    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for thing in vars(import_module(found.name)).values():
            if isinstance(thing, type) and issubclass(thing, DOMNode) and thing.__module__ == found.name:
                yield thing


def _why_unusable(ident: str, keys: str, known: Mapping[str | None, Binding]) -> str:
    said = f"“{shown_line(ident)}”"
    if ident not in known:
        return f"no command is called {said}; the palette lists them."
    for key in keys.split(","):
        if not is_key(key.strip()):
            return f"“{shown_line(key, 30)}” is not a key, so {said} is unchanged."
        if known[ident].priority and len(key.strip()) == 1:
            return f"{said} works while typing, so it can't be a letter key."
    return ""


def is_key(key: str) -> bool:
    """Return True if this text can name a key, such as `a`, `f5` or `ctrl+up`.

    Some terminals cannot send all of them.
    """
    if key in _NAMED or (len(key) == 1 and key.isprintable()):
        return True
    *modifiers, last = key.split("+")
    if not _MODIFIERS.issuperset(modifiers):
        return False
    if len(last) == 1 or last in _NAMED:
        return True
    try:
        unicodedata.lookup(last.replace("_", " "))
    except KeyError:
        return last in SHOWN
    return True


def _clashes(bindings: list[Binding], own: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (binding id, sentence for the player) for each key set by the player that another binding has too.

    `bindings` are all those that work on one screen; `own` has the keys set by the player, by binding id.
    """
    holders: dict[str, Binding] = {}
    for binding in sorted(bindings, key=lambda one: one.id in own):
        mine = binding.id or ""
        for key in own.get(mine, binding.key).split(","):
            name = _character_to_key(key.strip()) if len(key.strip()) == 1 else key.strip()
            holder = holders.setdefault(name, binding)
            if mine in own and holder.id != mine and holder.action != binding.action:
                yield mine, f"{display(name)} is already “{holder.description}”, so “{mine}” is unchanged."
                break
