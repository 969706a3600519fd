"""The GM's side in plain mode: what it prints, and what can be typed there."""

from __future__ import annotations

from pathlib import Path

from tests.games.daggerheart_table import STATE, TABLE
from tests.plain.helpers import KARA, UNSPEAKABLE, campaign, plain

from tracker import games
from tracker.campaign.fold import fold
from tracker.games.api import plain_text
from tracker.plain import text_lines

GAME = games.get("daggerheart")


def test_gm_side_is_told_without_pictures() -> None:
    side = GAME.gm_side(STATE)
    assert side
    lines = list(text_lines.gm_side(GAME, side))
    assert not [line for line in lines if UNSPEAKABLE.search(line)]
    said = "\n".join(lines)
    for line in (
        "Fear 3 of 12, 0 spent this scene. Usual in a scene: incidental 0–1, minor 1–3",
        "Spotlight: the players",
        "Dire wolf, bruiser, Difficulty 14, HP 0 of 5 marked, Stress 0 of 3 marked, minor, 7+ major, 13+ severe",
        "The pack closes in: standard countdown, 6 of 6 left",
        "Wren: Evasion 12, 6 HP left",
        "Spend Fear",
    ):
        assert line in said


def test_ended_countdown_says_so() -> None:
    side = GAME.gm_side(fold(GAME.top, STATE, [{"at": "countdowns.pack.value", "by": -6}]))
    assert side
    assert "The pack closes in: standard countdown, 0 of 6 left, ended" in list(text_lines.gm_side(GAME, side))


def test_help_speaks_in_the_words_of_the_sheet(tmp_path: Path) -> None:
    told = str(plain(campaign(tmp_path, *TABLE, name="road", game=GAME), "help", "quit"))
    assert "HP -1, Fear +1: change a number" in told
    assert "momentum" not in told
    told = str(plain(campaign(tmp_path, KARA), "help", "quit"))
    assert "health -1, supply +1: change a number" in told
    assert "set momentum -2" in told


def test_sheet_tells_thresholds_in_words() -> None:
    (line,) = [f for f in GAME.sheet(STATE, "wren")[0].fields if "severe" in str(getattr(f, "value", ""))]
    assert plain_text.field(line) == "damage thresholds: minor 1, 7+ major 2, 14+ severe 3"


def test_gm_command_exists_only_in_games_with_a_gm_side(tmp_path: Path) -> None:
    road = plain(campaign(tmp_path, *TABLE, name="road", game=GAME), "gm", "quit")
    assert "Spotlight: the players" in str(road)
    assert "Spotlight" not in str(plain(campaign(tmp_path, KARA), "gm", "quit"))
