"""Where campaigns lie, what they may be called, and what is there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tracker import COMMANDS
from tracker.saves import reading
from tracker.saves.disk import Disk
from tracker.saves.errors import SaveError
from tracker.text import shown_line

_EXAMPLE = "example-"
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
_UNFIT = re.compile(r'[/\\\x00-\x1f\x7f:*?"<>|]')
_LAST_MARK = re.compile(rb"(?m)^#= (\d{1,12}) [0-9a-f]{8}")


def source_tree() -> Path | None:
    """The project's folder, when the package runs from one."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "pyproject.toml").is_file() and (root / "src" / "tracker").is_dir() else None


def saves_folder(asked: str | None) -> str:
    """`--saves`, else TRACKER_SAVES, else the source tree's saves/, else the platform's data folder."""
    folder = asked or os.environ.get("TRACKER_SAVES")
    if not folder:
        tree = source_tree()
        if tree:
            folder = str(tree / "saves")
        else:
            from platformdirs import user_data_dir

            folder = os.path.join(user_data_dir("tracker", appauthor=False), "saves")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise SaveError(f"The saves folder {shown_line(folder, 200)} cannot be used: {error.strerror}.") from None
    return folder


def path_of(name: str, folder: str) -> str:
    """A name in the saves folder; one that ends in .toml or holds a slash is a path of its own."""
    if name.endswith(".toml") or "/" in name or os.sep in name:
        return name
    return os.path.join(folder, f"{name}.toml")


def however_written(path: str) -> str:
    """The one file beside this path whose name differs from it in capitals only; else the path itself."""
    folder, wanted = os.path.split(path)
    if os.path.exists(path) or not os.path.isdir(folder or "."):
        return path
    alike = [name for name in os.listdir(folder or ".") if name.casefold() == wanted.casefold()]
    return os.path.join(folder, alike[0]) if len(alike) == 1 else path


def name_problem(name: str) -> str | None:
    """Why a new campaign cannot be called this, in one sentence; None if it can."""
    said = f"“{shown_line(name)}”"
    if not name.strip():
        return "A campaign needs a name."
    if len(name) > 60:
        return f"A name has at most 60 characters; this one has {len(name)}."
    if name.lower() in COMMANDS:
        return f"{said} is a command of tracker; choose another name."
    if _UNFIT.search(name) or name.startswith((".", "-")) or name != name.strip() or name.endswith("."):
        return f"{said} cannot be one plain file name; use letters, numbers, spaces, - and _."
    if name.endswith(".toml"):
        return f"Leave the .toml away from {said}; it is added by itself."
    if name.lower().startswith(_EXAMPLE) or name.lower().split(".")[0] in _DEVICES:
        return f"{said} is reserved; choose another name."
    try:
        if len(os.fsencode(name)) > 200:
            return "That name is too long for a file."
    except UnicodeEncodeError:
        return f"{said} cannot be a file name."
    return None


@dataclass(frozen=True)
class Listed:
    """A campaign as a list shows it; `problem` says why it cannot be opened as usual.

    It is `stale` if entries came after its head was written: then the head does not know them.
    """

    name: str
    path: str
    game: str
    characters: tuple[str, ...]
    played: datetime
    entries: int
    problem: str = ""
    stale: bool = False


def campaigns(folder: str) -> list[Listed]:
    """Every campaign in the folder, the one played last first. Reads heads only."""
    names = [name for name in os.listdir(folder) if name.endswith(".toml") and not name.startswith((".", _EXAMPLE))]
    paths = [os.path.join(folder, name) for name in names]
    return sorted(map(_listed, filter(os.path.isfile, paths)), key=lambda one: one.played, reverse=True)


def _listed(path: str) -> Listed:
    name = os.path.basename(path).removesuffix(".toml")
    try:
        played = datetime.fromtimestamp(os.stat(path).st_mtime)
        with open(path, "rb") as file:
            top, _ = reading.read_head(os.path.basename(path), file)
            entries = _last_number(file, top.entries)
    except SaveError as error:
        return Listed(name, path, "", (), played, 0, str(error))
    except OSError as error:
        return Listed(name, path, "", (), datetime.fromtimestamp(0), 0, f"it cannot be read: {error.strerror}")
    party = top.state.get("party")
    who = [one for one in party.values() if isinstance(one, dict)] if isinstance(party, dict) else []
    names = tuple(str(one.get("name", "")) for one in who if one.get("status") != "gone")
    return Listed(name, path, top.game, names, played, entries, stale=entries != top.entries)


def _last_number(file: object, entries: int) -> int:
    assert hasattr(file, "seek")
    assert hasattr(file, "read")
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - (1 << 14)))
    marks = _LAST_MARK.findall(file.read())
    return max(entries, int(marks[-1])) if marks else entries


def examples() -> Iterator[Path]:
    """The example campaigns that come with the program, one per game."""
    packed = Path(__file__).resolve().parents[1] / "examples"
    tree = source_tree()
    folder = tree / "saves" if tree else packed
    return iter(sorted(folder.glob(f"{_EXAMPLE}*.toml")))


def is_example(path: str) -> bool:
    return os.path.basename(path).startswith(_EXAMPLE)


def copy_example(example: Path, folder: str) -> str:
    """A copy to play with, under a name that is free; the example itself is never written."""
    stem = example.stem.removeprefix(_EXAMPLE).replace("-", " ").capitalize()
    for n in range(1, 1000):
        target = os.path.join(folder, f"{stem} example{f' {n}' if n > 1 else ''}.toml")
        try:
            Disk().write_file(target, example.read_bytes())
        except FileExistsError:
            continue
        except OSError as error:
            raise SaveError(f"The example cannot be copied to {shown_line(target, 200)}: {error.strerror}.") from None
        return target
    raise SaveError("There are too many copies of that example; move some of them away.")
