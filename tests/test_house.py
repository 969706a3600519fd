"""How the program is built: one owner for each thing, and names that say what a module holds."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import tracker

SOURCE = Path(tracker.__file__).parent
MODULES = {str(path.relative_to(SOURCE)): path.read_text("utf-8") for path in SOURCE.rglob("*.py")}

WITHOUT_THEIR_EXTRA = () if find_spec("iroh") else ("coop.iroh_line",)
"""Modules that cannot be imported here, because the tests need no iroh."""


def places(pattern: str) -> list[str]:
    """Return the file and the line of each match in the program."""
    return [
        f"{path}:{text.count(chr(10), 0, found.start()) + 1}"
        for path, text in sorted(MODULES.items())
        for found in re.finditer(pattern, text)
    ]


@cache
def classes() -> list[type]:
    """Return each class that a module of the program defines."""
    found = {}
    for module in pkgutil.walk_packages(tracker.__path__, "tracker."):
        if module.name.endswith(("__main__", "pytest_plugin", *WITHOUT_THEIR_EXTRA)):
            continue
        for thing in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(thing) and thing.__module__.startswith("tracker"):
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
    return [*found.values()]


def is_ours(base: type) -> bool:
    return base.__module__.startswith("tracker.") and base.__module__ != "tracker.records"


def class_statements() -> list[ast.ClassDef]:
    """Return each class statement of the program, also those inside functions and other classes."""
    trees = map(ast.parse, MODULES.values())
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def base_names(one: ast.ClassDef) -> set[str]:
    """Return the names of a class's bases, without their modules and type arguments."""
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in one.bases}


def test_no_class_has_two_bases_of_ours() -> None:
    statements = class_statements()
    ours = {one.name for one in statements} - {"NamedTuple"}
    assert len(statements) > 400
    assert [one.name for one in statements if len(ours & base_names(one)) > 1] == []


def test_no_class_that_is_only_a_base_has_a_single_subclass() -> None:
    children = Counter(base for one in classes() for base in one.__bases__ if is_ours(base))
    single = [base.__name__ for base, count in children.items() if count == 1]
    assert [name for name in single if not places(rf"(?<!class )\b{name}\(")] == []


def test_no_module_or_package_is_named_by_a_gerund() -> None:
    assert [path for path in MODULES if re.search(r"ing(_\w+)?(\.py$|[/\\])", path)] == []


def test_no_method_is_a_stub_that_another_class_fills_in() -> None:
    assert places(r"NotImplementedError|\bcast\([^()]*, self\)") == []


def test_no_hint_of_the_footer_repeats_the_key_of_a_binding() -> None:
    assert places(r"\bHint\(key")
    assert places(r"\bHint\(\s*[\"']") == []
