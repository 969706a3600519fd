"""Words begun and left: what is kept of them, whatever the disk does."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tracker.campaign import drafts


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_keeps_the_previous_draft(tmp_path: Path) -> None:
    save = str(tmp_path / "vale.toml")
    drafts.save_draft(save, "Rain.")
    with no_file_longer_than(8), pytest.raises(OSError, match="File too large"):
        drafts.save_draft(save, "Rain, and the ford is cold.")
    assert drafts.load_draft(save) == "Rain."
    assert [file.name for file in tmp_path.iterdir()] == [".vale.toml.draft"]
