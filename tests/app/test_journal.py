"""The journal from the keyboard: writing, reading, mending, and parting the story."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn

from tracker.table import session as sessions


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """Kara, Tayla and a vow."""
    return campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR))


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


class TestPartsOfTheStory:
    def test_a_new_scene_stands_beside_the_name_and_over_what_follows(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "s", "s", *"The ford", "enter", "enter")
            assert player.session.state["scene"] == "The ford"
            assert player.table.view.who == "tayla"
            await player.sees("vale  The ford")
            assert player.text.count("The ford") == 2
            await player.press("u")
            assert player.session.state["scene"] == ""
            await player.sees("The ford  undone")

        play(vale, act)

    def test_a_new_session_is_numbered(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("s", "n", "enter")
            await player.sees("Session 2")
            assert player.entries()[-1]["effects"] == [{"at": "session", "by": 1}]

        play(vale, act)

    def test_it_is_offered_after_some_hours_and_never_forced(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Yesterday(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:
                return datetime.now(tz or UTC) - timedelta(days=1)

        with monkeypatch.context() as patch:
            patch.setattr(sessions, "datetime", Yesterday)
            path = campaign(tmp_path, *in_party(KARA))

        async def offered(player: Player) -> None:
            assert player.notice == "Some hours have passed: s begins a new session."
            await player.press("+")
            assert player.kara["edge"] == 4

        async def at_once(player: Player) -> None:
            assert player.notice == ""

        play(path, offered)
        play(path, at_once)


class TestReadingOnTheTable:
    def test_in_a_party_a_line_says_whose_it_is(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "j", *"Rain", "enter")
            await player.sees("Tayla: Rain")

        play(vale, act)

    def test_alone_it_does_not(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"Rain", "enter")
            await player.sees("Rain")
            assert "Kara: Rain" not in player.text

        play(alone, act)

    def test_mechanics_fold_away_and_come_back(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "j", *"Rain", "enter", "s", "n", "enter")
            await player.sees("   edge 3 → 4")
            await player.press("f")
            await player.until(lambda: "edge 3 → 4" not in player.text)
            assert "Rain" in player.text
            assert "Session 2" in player.text
            await player.press("f")
            await player.sees("   edge 3 → 4")

        play(alone, act)
