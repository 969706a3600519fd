"""The formats of exports by name, and writing an export to a new file or folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from tracker.campaign.session import Step
from tracker.export.file_names import plain_name
from tracker.export.parts import Document
from tracker.games.api.errors import Refused
from tracker.records import NamedTuple
from tracker.saves.disk import Disk
from tracker.text import shown_line


class Format(NamedTuple):
    """A format of exports: its name for players, the extension of its files, its module, and its purpose.

    `ending` is "" for a format that is a folder of files.
    """

    name: str
    ending: str
    module: str
    about: str


FORMATS = {
    "html": Format("Web page", ".html", "html_page", "one file for any browser; prints well"),
    "markdown": Format("Markdown", ".md", "markdown", "text with headings, for wikis and notes apps"),
    "iron-vault": Format("Iron Vault", "", "iron_vault", "a folder that opens as an Obsidian vault"),
    "json": Format("JSON", ".json", "json_data", "everything, for other programs"),
}
"""The formats by the name that the command line takes."""
ALWAYS_WITH_CHARACTERS = frozenset({"iron-vault", "json"})
"""Formats that have the characters whether they are asked for or not."""
CHUNK = 1 << 16


def format_of(target: str) -> str:
    """Return the name of the format whose extension the path `target` has; "" if no format has it.

    Without an extension, and for .txt, that is "markdown".
    """
    ending = os.path.splitext(target)[1].lower()
    known = {one.ending: name for name, one in FORMATS.items() if one.ending} | {".htm": "html"}
    known |= dict.fromkeys(("", ".markdown", ".txt"), "markdown")
    return known.get(ending, "")


def file_name(document: Document, form: str) -> str:
    """Return a name for the file or folder of an export in the format `form`, made from the campaign's name.

    The name has the extension of the format; that of a folder ends in " vault".
    """
    name = plain_name(document.name)
    return f"{name}{FORMATS[form].ending or ' vault'}"


def text(document: Document, form: str, step: Step | None = None) -> Iterator[str]:
    """Yield an export in the format `form`, the name of one, as the pieces of one text. It must not be a folder.

    `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise OSError if the save cannot be read.
    """
    pieces: Iterator[str] = _module(form).write(document, step)
    return pieces


def save(document: Document, form: str, target: str, step: Step | None = None, disk: Disk | None = None) -> None:
    """Write an export to a new file or folder at the path `target`; it appears only when it is complete.

    `form` is the name of a format. `step` is called with the progress, from 0 to 1, and may raise to cancel. Raise
    Refused, with nothing new left, if the path exists or cannot be written, if its folder does not exist, or if the
    save cannot be read.
    """
    path = os.path.abspath(target)
    told, folder = shown_line(target, 300), os.path.dirname(path)
    exists = Refused(f"{told} already exists; choose another name, or remove it first.")
    if os.path.lexists(path):
        raise exists
    if not os.path.isdir(folder):
        raise Refused(f"There is no folder {shown_line(folder, 300)}; make it first, or choose another place.")
    disk = disk or Disk()
    try:
        if FORMATS[form].ending:
            disk.write_file(path, encoded(text(document, form, step)))
        else:
            files = _module(form).files(document, step)
            disk.write_folder(path, ((inside, encoded(pieces)) for inside, pieces in files))
    except FileExistsError:
        raise exists from None
    except OSError as error:
        raise Refused(f"Can't export to {told}: {error.strerror or error}; nothing was written.") from None


def encoded(pieces: Iterable[str]) -> Iterator[bytes]:
    """Yield the pieces encoded in UTF-8, in chunks of about CHUNK bytes. A character that has no code becomes a ?."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(held).encode("utf-8", "replace")
            held, size = [], 0
    yield "".join(held).encode("utf-8", "replace")


def _module(form: str) -> Any:
    return import_module(f"tracker.export.{FORMATS[form].module}")
