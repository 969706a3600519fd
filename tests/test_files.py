"""Every place in src that opens, creates, renames or removes a file was decided: docs/files.md says how.

A new one belongs into the list below and into that table, and opens by `open_regular`, `open_file` or `create_file`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "tracker"
TABLE = Path(__file__).parents[1] / "docs" / "files.md"

DECIDED: dict[str, set[str]] = {
    "campaign/unsent_input.py": {"open_regular", "os.unlink", "replace_file"},
    "campaign/library.py": {"replace_file"},
    "campaign/merge.py": {"write_file"},
    "campaign/other_windows.py": {"disk.unlink"},
    "campaign/session.py": {"write_file"},
    "content/__init__.py": {"open_regular"},
    "content/pack_cache.py": {"disk.unlink", "make_folder", "open_regular", "os.makedirs", "replace_file"},
    "content/pack_files.py": {"TemporaryDirectory", "open_regular"},
    "content/packs.py": {"disk.unlink", "make_folder", "open_regular", "os.makedirs", "replace_file"},
    "content/pack_abilities.py": {"read_text"},
    "campaign/own_seat.py": {"open_regular"},
    "coop/arrival.py": {"os.makedirs"},
    "coop/web_host.py": {"os.makedirs"},
    "coop/company.py": {"make_folder", "os.unlink", "replace_file"},
    "coop/nats_feed.py": {"open_regular"},
    "coop/identity.py": {"make_folder", "open_regular", "os.makedirs", "replace_file"},
    "coop/key_files.py": {"make_folder", "open_regular", "os.makedirs", "replace_file", "write_file"},
    "coop/nats_member.py": {"make_folder", "open_regular", "os.makedirs", "replace_file"},
    "export/html_page.py": {"read_text"},
    "export/formats.py": {"write_file", "write_folder"},
    "plain/console.py": {"os.open"},
    "saves/backups.py": {
        "create_temp",
        "disk.replace",
        "make_folder",
        "open_regular",
        "os.chmod",
        "os.makedirs",
        "second_name",
        "shutil.copymode",
        "write_file",
    },
    "saves/compaction.py": {
        "create_temp",
        "disk.exchange",
        "disk.replace",
        "make_folder",
        "open_regular",
        "second_name",
        "shutil.copymode",
    },
    "saves/disk.py": {
        "create_file",
        "create_temp",
        "disk.open",
        "open(fd)",
        "os.fchmod",
        "os.ftruncate",
        "os.link",
        "make_folder",
        "os.mkdir",
        "os.open",
        "os.rename",
        "os.replace",
        "os.unlink",
        "second_name",
        "self.link",
        "self.open",
        "self.replace",
        "self.unlink",
        "shutil.rmtree",
    },
    "saves/saves_folder.py": {
        "disk.replace",
        "disk.unlink",
        "make_folder",
        "open_regular",
        "os.makedirs",
        "second_name",
        "write_file",
    },
    "saves/lock.py": {"create_file", "open", "open_file", "open_regular", "os.ftruncate"},
    "saves/recovery.py": {"open_regular", "write_file"},
    "saves/marks.py": {"open_regular", "replace_file"},
    "saves/save.py": {"open(fd)", "open_file", "open_regular", "self.disk.replace", "self.disk.truncate", "write_file"},
    "settings.py": {"open_regular", "os.makedirs", "replace_file"},
    "streams.py": {"open(fd)", "os.open"},
}
"""The calls of each module. A module that is not listed opens nothing."""

OURS = {
    "create_file",
    "create_temp",
    "make_folder",
    "open_file",
    "open_regular",
    "replace_file",
    "second_name",
    "write_file",
    "write_folder",
}
ANYWHERE = {
    "chmod",
    "copy2",
    "copyfile",
    "copymode",
    "copytree",
    "fchmod",
    "fdopen",
    "ftruncate",
    "hardlink_to",
    "lchmod",
    "makedirs",
    "mkdir",
    "mkdtemp",
    "mkfifo",
    "mknod",
    "mkstemp",
    "read_bytes",
    "read_text",
    "removedirs",
    "renames",
    "rmdir",
    "rmtree",
    "symlink",
    "symlink_to",
    "touch",
    "unlink",
    "write_bytes",
    "write_text",
    "NamedTemporaryFile",
    "TemporaryDirectory",
    "TemporaryFile",
}
OF_FILES = {"open", "replace", "rename", "link", "remove", "copy", "move", "truncate", "exchange"}
"""Names that other things have too: they count if they are called on one of these."""
OWNERS = {"os", "io", "disk", "self.disk", "shutil", "Disk", "Path", "codecs", "gzip", "tokenize", "webbrowser"}


def calls(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name of each call in this module that touches a file, and its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and (name := called(node, path)):
            yield name, node.lineno


def called(node: ast.Call, path: Path) -> str:
    """Return a short name if this call touches a file, else ""."""
    match node.func:
        case ast.Name("open" | "reading" | "_Ready"):
            return "open(fd)" if node.args and is_descriptor(node.args[0]) else "open"
        case ast.Name(name) if name in OURS:
            return name
        case ast.Attribute(_, name) if name in OURS:
            return name
        case ast.Attribute(owner, name) if name in ANYWHERE | OF_FILES:
            of = ast.unparse(owner).removesuffix("()")
            if name in ANYWHERE:
                return f"{of}.{name}" if of in OWNERS | {"self"} else name
            on_self = of == "self" and path.name == "disk.py"
            if name in OF_FILES and (of in OWNERS or on_self):
                return f"{of}.{name}"
    return ""


def is_descriptor(node: ast.expr) -> bool:
    """Return True for a descriptor that was opened elsewhere."""
    return ast.unparse(node) == "fd" or (
        isinstance(node, ast.Call) and ast.unparse(node.func) in {"os.dup", "_open_checked"}
    )


@cache
def found() -> dict[str, dict[str, int]]:
    """Return the calls of each module that has any, each with the line of one of them."""
    modules = {str(path.relative_to(SOURCE)): dict(calls(path)) for path in sorted(SOURCE.rglob("*.py"))}
    return {module: names for module, names in modules.items() if names}


def test_every_call_that_touches_a_file_is_decided() -> None:
    new = [
        f"{module}:{line}: {name}"
        for module, names in found().items()
        for name, line in names.items()
        if name not in DECIDED.get(module, set())
    ]
    assert new == [], "decide in docs/files.md how these treat links and special files, then list them here"


def test_no_decision_names_a_call_that_is_gone() -> None:
    there = found()
    assert {module: names - set(there.get(module, {})) for module, names in DECIDED.items()} == {
        module: set() for module in DECIDED
    }


def test_table_has_every_module_that_touches_a_file() -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert [module for module in DECIDED if f"`{module}`" not in text] == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("open(path)", "open"),
        ("open(os.dup(fd), 'rb')", "open(fd)"),
        ("reading(os.dup(fd))", "open(fd)"),
        ("reading(path)", "open"),
        ("os.open(path, 0)", "os.open"),
        ("Path(path).write_text('')", "write_text"),
        ("self.disk.replace(a, b)", "self.disk.replace"),
        ("os.rename(a, b)", "os.rename"),
        ("shutil.move(a, b)", "shutil.move"),
        ("os.unlink(a)", "os.unlink"),
        ("'a'.replace('a', 'b')", ""),
        ("Session.open(path)", ""),
        ("self.panes.open('Journal')", ""),
    ],
)
def test_call_is_recognized(source: str, name: str) -> None:
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.Call)
    assert called(node, SOURCE / "any.py") == name
