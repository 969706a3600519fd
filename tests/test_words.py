"""What players read follows the style guide, as far as a machine can see it.

Every string literal in the program is checked, without docstrings, keys, paths and patterns. A string that breaks a
rule and has to stay goes into `ALLOWED`, with the reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "tracker"

_AMERICAN = (
    r"\b\w*(colour|armour|honour|favour|neighbour|rumour|harbour|licence|centre|theatre|mould|plough|fulfil(?!l)"
    r"|travell(?=e|ing)|grey(?!hold))\w*"
)
NEVER = {
    "no subject is whoever, somebody, nobody or everybody": r"\b(whoever|somebody|nobody|everybody)\b",
    "roll again or repeat, not once more": r"\bonce more\b",
    "tracker does it, not by itself": r"\bby (itself|themselves)\b",
    "optional input says (optional)": r"\bor nothing\b",
    "say what there is, not and nothing else": r"\band nothing else\b",
    "put it as an adjective, not that was or that were": r"\w that (was|were)\b",
    "due, not owed": r"\bowed?\b|\bowes\b",
    "unchanged, not as it is or as it stands": r"\bas (it|they) (is|are|was|stands?)\b",
    "undo, not take back": r"\b(take|took|taken|takes) (it |that |this )?back\b",
    "not any more is anymore, or better no longer": r"\bany more\b",
    "rolled here and typed in are app dice and real dice": r"\b(rolled here|typed in)\b",
    "choose from, not there is no X; there is Y": r"\bthere is no\b.*; there\b",
    "roll, not throw": r"\bthrown?s?\b",
    "assign, not spread": r"\bspread\b",
    "history, not whole log": r"\bwhole log\b",
    "intact, not whole": r"\bwhole (block|entr)",
    "play, not speak as": r"\bspeaks? as\b",
    "resume, not go on with": r"\bgo(es)? on with\b",
    "is or has, not stands or waits": r"\b(stands|waits)\b",
    "crossed out, not struck": r"\bstruck\b|\bstrike (it|this|out)\b",
    "read-only": r"\breading only\b",
    "rules check": r"\bnot by the rules\b",
    "remove, not take off": r"\btake(s|n)? off\b",
    "American spelling": _AMERICAN,
}
"""What is never written, and the pattern that finds it."""

ALLOWED = {
    "rolled here": "a value in saves",
    "typed in": "a value in saves",
    "owed": "a key in saves, or a word that plain mode still takes",
    "Take back initiative": "nothing is undone: the foe had it",
}
"""Strings that break a pattern and stay, with the reason."""

_PATH = re.compile(r"[a-z\d_*]*[./][a-z\d_./*]*")
"""A path in the state or an id of a move, whole or in part."""


def literals(module: Path) -> Iterator[tuple[int, str]]:
    """Yield every string of a module that a player may see, with its line."""
    tree = ast.parse(module.read_text())
    hidden = {id(node) for node in _hidden(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in hidden:
            continue
        if node.value not in ALLOWED and not _PATH.fullmatch(node.value):
            yield node.lineno, node.value


def _hidden(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the strings that no player sees: docstrings, keys of mappings, subscripts, names of keyword arguments."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                yield one.value
        if isinstance(node, ast.Subscript):
            yield from ast.walk(node.slice)
        elif isinstance(node, ast.Dict):
            yield from (key for key in node.keys if isinstance(key, ast.Constant))
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from ast.walk(node.value)
        elif isinstance(node, ast.keyword) and node.arg in {"key", "id", "module", "encoding"}:
            yield node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"re.compile", "lazy_procedure", "lazy"}:
            yield from node.args


def test_strings_follow_the_style_guide() -> None:
    found = [
        f"{module.relative_to(SRC)}:{line}: {why}: {text!r}"
        for module in sorted(SRC.rglob("*.py"))
        for line, text in literals(module)
        for why, pattern in NEVER.items()
        if re.search(pattern, text, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


def test_pages_and_tables_are_spelled_as_in_america() -> None:
    root = SRC.parents[1]
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(SRC / "content").rglob("*.toml")]
    examples = [root / "tests" / "make_example.py", *(root / "tests").glob("example_*.py")]
    found = [
        f"{page.relative_to(root)}:{n}: {line.strip()}"
        for page in (*pages, *examples)
        for n, line in enumerate(page.read_text().splitlines(), 1)
        if re.search(_AMERICAN, line, re.IGNORECASE) and not line.startswith("id = ")
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "Nobody acts.",
        "A bond, or nothing",
        "the dice that were rolled",
        "Owed",
        "Colours",
        "fulfil it",
        "Dice are rolled here",
        "Once more leads back",
    ],
)
def test_pattern_finds_what_is_never_written(text: str) -> None:
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in NEVER.values())


def test_literals_leave_out_docstrings_and_keys(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Nobody."""\nA = {"owed": "seen"}\nB = A["owed"]\nC = f"{B} also"\nD = "kara.owed"\n')
    assert [text for _, text in literals(module)] == ["seen", " also"]
