"""Where an export goes: what exists stays, and what fails leaves nothing behind."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.playing import Quick, campaign

from tracker.export import formats
from tracker.export.parts import Document
from tracker.games.api.errors import Refused

FORMS = tuple(formats.FORMATS)


class FullDisk(Quick):
    """A disk that takes one write and is full then."""

    written = 0

    def write(self, fd: int, data: bytes) -> int:
        self.written += 1
        if self.written > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data)


class Cancelled(Exception):
    pass


class Failing:
    """A history whose reading is cancelled."""

    def __getattr__(self, name: str) -> object:
        raise Cancelled


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Document]:
    monkeypatch.setattr(formats, "CHUNK", 100)
    (tmp_path / "saves").mkdir()
    with campaign(tmp_path / "saves") as session:
        session.write("The mill burns.", "kara")
        yield Document(session)


@pytest.mark.parametrize("form", FORMS)
def test_export_is_complete_and_leaves_no_other_file(made: Document, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    formats.save(made, form, str(folder / "tale"), disk=Quick())
    assert [path.name for path in folder.iterdir()] == ["tale"]
    files = [path for path in (folder / "tale", *(folder / "tale").rglob("*")) if path.is_file()]
    assert any("The mill burns." in path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_export_to_what_exists_is_refused(made: Document, tmp_path: Path, form: str, kind: str) -> None:
    target = tmp_path / "there"
    if kind == "file":
        target.write_text("mine")
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to(tmp_path / "nowhere")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(Refused, match="already exists; choose another name, or remove it first"):
        formats.save(made, form, str(target), disk=Quick())
    assert sorted(tmp_path.iterdir()) == before
    assert kind != "file" or target.read_text() == "mine"


@pytest.mark.parametrize("form", FORMS)
def test_export_to_a_full_disk_leaves_nothing(made: Document, tmp_path: Path, form: str) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(Refused, match="No space left on device; nothing was written"):
        formats.save(made, form, str(tmp_path / "tale"), disk=FullDisk())
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("form", FORMS)
def test_export_that_is_cancelled_leaves_nothing(made: Document, tmp_path: Path, form: str) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Cancelled):
        patch.setattr(made.session, "history", Failing())
        formats.save(made, form, str(tmp_path / "tale"), disk=Quick())
    assert sorted(tmp_path.iterdir()) == before


def test_export_into_no_folder_is_refused(made: Document, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"There is no folder .*nowhere; make it first"):
        formats.save(made, "markdown", str(tmp_path / "nowhere" / "tale.md"))


@pytest.mark.parametrize(
    ("target", "form"),
    [
        ("a.html", "html"),
        ("a.HTM", "html"),
        ("a.md", "markdown"),
        ("a.json", "json"),
        ("a", "markdown"),
        ("", "markdown"),
        ("a.txt", "markdown"),
        ("a.pdf", ""),
    ],
)
def test_format_of_a_path_is_that_of_its_ending(target: str, form: str) -> None:
    assert formats.format_of(target) == form
