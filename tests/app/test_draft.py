"""Input that was begun and left: what is kept of it, whatever the disk does."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.app.helpers import KARA, Player, campaign, in_party, play

from tracker.campaign import unsent_input


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
    unsent_input.save_draft(save, "Rain.")
    with no_file_longer_than(8), pytest.raises(OSError, match="File too large"):
        unsent_input.save_draft(save, "Rain, and the ford is cold.")
    assert unsent_input.load_draft(save) == "Rain."
    assert [file.name for file in tmp_path.iterdir()] == [".vale.toml.draft"]


def test_finished_passage_is_not_offered_as_a_draft_after_a_crash(tmp_path: Path) -> None:
    save = campaign(tmp_path, *in_party(KARA))

    async def act(player: Player) -> None:
        await player.press("j", *"Rain", "enter")
        unsent_input.save_draft(str(save), "Rain")  # as if the program had ended before it removed the file
        await player.press("j")
        await player.until(lambda: player.text.count("Rain") == 1)  # in the journal, above the empty line
        assert "what happens? Enter saves" in player.text

    play(save, act, size=(120, 40))


def test_draft_timer_keeps_nothing_of_a_line_that_is_being_closed(tmp_path: Path) -> None:
    save = campaign(tmp_path, *in_party(KARA))

    async def act(player: Player) -> None:
        await player.press("j", *"Rain")
        line, at_work = player.table.query_one("#write"), player.table.journal_input
        remove = line.remove

        def removed() -> object:
            at_work.keep()  # what the timer does
            return remove()

        line.remove = removed  # type: ignore[assignment, method-assign]
        await player.press("enter")
        assert unsent_input.load_draft(str(save)) == ""

    play(save, act)
