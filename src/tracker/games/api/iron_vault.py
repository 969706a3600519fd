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
    """Text of a node that is a link already and must not be escaped; all other text is escaped when it is written."""

    __slots__ = ()


Value: TypeAlias = str | int | bool


class Node(NamedTuple):
    """A node of KDL: a name, positional values, named values, and child nodes (`inside`)."""

    name: str
    values: tuple[Value, ...] = ()
    named: Mapping[str, Value] = MappingProxyType({})
    inside: tuple[Node, ...] = ()


Linker: TypeAlias = Callable[[str, str, str], Link]
"""Function that returns the link to a file of the vault, given "character" or "track", an id and a name."""


def line(text: str) -> Node:
    """Return the node that shows a line of text."""
    return Node("-", (text,))


class Vault(NamedTuple):
    """The functions that export a game to Iron Vault.

    `Game.vault` is one, or None if the plugin does not know the game.

    - `playset` is the plugin's key for the game.
    - `move` returns the Datasworn id of a move, such as `move:classic/combat/strike`, or "".
    - `rolls` returns the nodes of a roll, given the facts of its entry; [] if the plugin would show another outcome.
    - `changes` returns (nodes of the acting character's changes, {id of another member: nodes of its changes}).
    - `tells` returns True if those nodes cover a change, given its phrase and the state after it.
    - `character` returns the front matter of a character.
    """

    playset: str
    move: Callable[[str], str]
    rolls: Callable[[Mapping[str, Any]], list[Node]]
    changes: Callable[[State, State, str, Linker], tuple[list[Node], dict[str, list[Node]]]]
    tells: Callable[[str, State], bool]
    character: Callable[[State, str], dict[str, Value]]


def numbered(pairs: Iterable[tuple[str, int, int]]) -> list[Node]:
    """Return a node for each meter whose number has changed, given (name, number before, number after) of each."""
    return [Node("meter", (name,), {"from": old, "to": new}) for name, old, new in pairs if old != new]
