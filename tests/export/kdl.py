"""A small reader of KDL, as far as exports use it, and what Iron Vault makes of its nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<name>[a-z][a-z0-9-]*)=|(?P<number>-?\d+)(?![\w.])|(?P<bool>true|false)\b)'
)
_ESCAPE = re.compile(r'\\(["\\])')
_FENCE = re.compile(r"^```iron-vault-mechanics\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Node(NamedTuple):
    name: str
    values: list[Any]
    named: dict[str, Any]
    inside: list[Any]


def blocks(text: str) -> list[str]:
    """Return the text of each mechanics block in a Markdown text."""
    return _FENCE.findall(text)


def parse(text: str) -> list[Node]:
    """Return the nodes of a block. Raise ValueError for anything that is no KDL."""
    top: list[Node] = []
    stack = [top]
    for line in text.splitlines():
        if line.strip() == "}":
            stack.pop()
            continue
        node = _node(line.strip().removesuffix(" {"))
        stack[-1].append(node)
        if line.endswith(" {"):
            stack.append(node.inside)
    if len(stack) != 1:
        raise ValueError("a node is open")
    return top


def _node(line: str) -> Node:
    name, _, rest = line.partition(" ")
    node = Node(name, [], {}, [])
    at, key = 0, ""
    while at < len(rest):
        token = _TOKEN.match(rest, at)
        if not token:
            raise ValueError(f"no KDL: {rest[at:]}")
        at = token.end()
        if token["name"]:
            key = token["name"]
            continue
        value = _value(token)
        if key:
            node.named[key] = value
        else:
            node.values.append(value)
        key = ""
    return node


def _value(token: re.Match[str]) -> Any:
    if token["text"]:
        return _ESCAPE.sub(r"\1", token["text"][1:-1])
    return int(token["number"]) if token["number"] else token["bool"] == "true"


def outcomes(nodes: list[Node]) -> Iterator[str]:
    """Yield the outcome of each move as Iron Vault works it out from its dice."""
    for node in nodes:
        found, dice = "", (0, 0)
        for one in node.inside:
            if node.name == "move" and one.name in {"roll", "progress-roll"}:
                dice = one.named["vs1"], one.named["vs2"]
                rolled = sum(one.named.get(key, 0) for key in ("action", "stat", "adds"))
                found = _outcome(one.named["score"] if one.name == "progress-roll" else min(10, rolled), dice)
            elif node.name == "move" and one.name == "burn":
                found = _outcome(one.named["from"], dice)
        if found:
            yield found
        yield from outcomes(node.inside)


def _outcome(score: int, dice: tuple[int, int]) -> str:
    return ("miss", "weak hit", "strong hit")[sum(score > die for die in dice)]
