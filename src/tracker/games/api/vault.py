"""How the Obsidian plugin Iron Vault sees a game that it knows: its moves, rolls, changes and characters.

Iron Vault keeps mechanics in blocks of KDL, a language of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from tracker.games.api.schema import State
from tracker.records import NamedTuple


class Link(str):
    """A text of a node that is a link already; other texts are escaped before they are written."""

    __slots__ = ()


Value: TypeAlias = str | int | bool


class Node(NamedTuple):
    """A node of KDL: a name, values in order, values by name, and nodes inside it."""

    name: str
    values: tuple[Value, ...] = ()
    named: Mapping[str, Value] = MappingProxyType({})
    inside: tuple[Node, ...] = ()


Linker: TypeAlias = Callable[[str, str, str], Link]
"""Function that returns the link to a file of the vault, given "character" or "track", an id and a name."""


def line(text: str) -> Node:
    """Return the node of a line of text."""
    return Node("-", (text,))


class Vault(NamedTuple):
    """The functions with which a game that Iron Vault knows is exported for it. `Game.vault` is one, or None.

    `playset` is the plugin's key of the game. `move` returns the Datasworn id of a move, such as
    `move:classic/combat/strike`, or "". `rolls` returns the nodes of a roll from the facts of its entry, and [] for
    what the plugin would show with another outcome. `changes` returns the nodes of a change of the state by the
    character, and those of other members of the party by their ids. `tells` says whether these nodes tell a change,
    given its phrase and the state after it. `character` returns the front matter of a character.
    """

    playset: str
    move: Callable[[str], str]
    rolls: Callable[[Mapping[str, Any]], list[Node]]
    changes: Callable[[State, State, str, Linker], tuple[list[Node], dict[str, list[Node]]]]
    tells: Callable[[str, State], bool]
    character: Callable[[State, str], dict[str, Value]]


def numbered(pairs: Iterable[tuple[str, int, int]]) -> list[Node]:
    """Return a node for each (name, before, after) of a meter whose number has changed."""
    return [Node("meter", (name,), {"from": old, "to": new}) for name, old, new in pairs if old != new]
