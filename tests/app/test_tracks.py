"""Tracks and clocks by keys: begun, marked, cleared, ranked, renamed, closed, opened again, put away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn

from tracker.app.widgets.tracks import TrackList

TIDE = {"id": "tide", "name": "The tide turns", "segments": 4, "filled": 2}
OVER = {**HEIR, "status": "fulfilled", "ticks": 40}


def clocks(*records: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"at": "clocks", "add": record} for record in records]


def heir(player: Player) -> Any:
    return player.session.state["tracks"]["heir"]


def tide(player: Player) -> Any:
    return player.session.state["clocks"]["tide"]


def shown(player: Player) -> list[str]:
    return [track.name for track in player.table.query_one(TrackList).data]


def last_words(player: Player) -> list[str]:
    words: list[str] = player.entries()[-1]["facts"]["changed"]
    return words


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR), *clocks(TIDE))


class TestBegin:
    def test_n_begins_a_track_by_kind_name_and_rank(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("n", "j")
            await player.type("The salt marshes")
            await player.press("enter", "d")
            assert "new journey: The salt marshes (dangerous)" in player.text
            await player.press("enter")
            assert player.screen == "TableScreen"
            marshes = player.session.state["tracks"]["the_salt_marshes"]
            assert (marshes["kind"], marshes["rank"], marshes["ticks"]) == ("journey", "dangerous", 0)

        play(save, act)

    @pytest.mark.parametrize(("key", "segments"), [("4", 4), ("6", 6), ("8", 8), ("0", 10)])
    def test_n_begins_a_clock_by_name_and_size(self, save: Path, key: str, segments: int) -> None:
        async def act(player: Player) -> None:
            await player.press("n", "c")
            await player.type("The watch wakes")
            await player.press("enter", key, "enter")
            await player.sees(f"0 of {segments}")
            assert player.session.state["clocks"]["the_watch_wakes"]["segments"] == segments
            await player.press("u")
            assert "the_watch_wakes" not in player.session.state["clocks"]

        play(save, act)

    def test_n_without_a_character_makes_one_first(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("escape", "n")
            assert "Make a character" in player.text

        play(campaign(tmp_path), act)


class TestTrackMenu:
    def test_menu_shows_the_odds_now_and_after_another_mark(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter")
            assert "now                ━━────────··········  strong  9%  weak 42%  miss 49%" in player.text
            assert "after 1 more mark  ━━━━━──────────·····  strong 25%  weak 50%  miss 25%" in player.text

        play(campaign(tmp_path, *in_party(KARA), *sworn({**HEIR, "ticks": 16})), act)

    def test_mark_counts_by_rank_and_plus_counts_one_tick(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter", "+", "enter")
            assert heir(player)["ticks"] == 8
            await player.press("t", "+")
            assert heir(player)["ticks"] == 9
            await player.press("enter", "-", "enter")
            assert heir(player)["ticks"] == 1
            assert last_words(player) == ["Find the lost heir: progress 2¼ → ¼"]

        play(save, act)

    def test_several_marks_can_be_made_at_once(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter", "+", "+", "+", "enter")
            assert heir(player)["ticks"] == 24

        play(save, act)

    def test_changed_rank_keeps_the_progress(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter", "k")
            assert "dangerous    no change" in player.text
            await player.press("e", "enter")
            assert (heir(player)["rank"], heir(player)["ticks"]) == ("extreme", 16)
            assert last_words(player) == ["Find the lost heir: now extreme"]

        play(campaign(tmp_path, *in_party(KARA), *sworn({**HEIR, "ticks": 16})), act)

    def test_track_can_be_renamed(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter", "n")
            await player.type("Find the heir's grave")
            await player.press("enter", "enter")
            assert heir(player)["name"] == "Find the heir's grave"
            assert last_words(player) == ["Find the lost heir is now called Find the heir's grave"]

        play(save, act)

    def test_unavailable_move_is_disabled_with_its_reason(self, tmp_path: Path) -> None:
        bear = {"id": "bear", "name": "Bear", "kind": "fight", "rank": "formidable"}

        async def act(player: Player) -> None:
            await player.press("t", "enter")
            assert "Strike           not in the fight" in player.text
            assert "Clear progress   no progress to clear" in player.text

        play(campaign(tmp_path, *in_party(KARA), *sworn(bear)), act)

    def test_track_is_shared_by_the_party(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "t", "enter", "m", "enter")
            assert heir(player)["ticks"] == 8
            assert player.entries()[-1]["who"] == "tayla"
            await player.press("1", "t", "enter", "m", "enter")
            assert heir(player)["ticks"] == 16

        play(save, act)


class TestClosedTrack:
    def test_track_can_be_closed_by_hand(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter", "x", "2", "enter")
            assert heir(player)["status"] == "forsaken"
            await player.sees("forsaken")

        play(save, act)

    def test_menu_offers_only_what_is_still_possible(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter")
            assert "dangerous vow, fulfilled" in player.text
            assert "Nothing has that name" not in player.text
            await player.press("o", "enter")
            assert heir(player)["status"] == "open"

        play(campaign(tmp_path, *in_party(KARA), *sworn(OVER)), act)

    def test_hidden_track_returns_when_reopened(self, tmp_path: Path) -> None:
        oath = {**HEIR, "id": "oath", "name": "Break the crown"}

        async def act(player: Player) -> None:
            await player.press("t", "down", "enter", "a", "enter")
            await player.until(lambda: shown(player) == ["Break the crown"])
            assert heir(player)["status"] == "fulfilled"
            await player.press("u")
            await player.until(lambda: shown(player) == ["Break the crown", "Find the lost heir"])
            await player.press("ctrl+r", "m")
            await player.press(*"open a", "enter", "enter", "enter")
            await player.until(lambda: shown(player) == ["Find the lost heir", "Break the crown"])

        play(campaign(tmp_path, *in_party(KARA), *sworn(OVER, oath)), act)


class TestCursor:
    OATHS = tuple({**HEIR, "id": f"oath{n}", "name": f"Oath {n}"} for n in (1, 2, 3))

    def under(self, player: Player) -> str:
        track = player.table.query_one(TrackList).track
        return track.name if track else ""

    def test_cursor_moves_from_a_closed_track_to_the_first_open_one(self, tmp_path: Path) -> None:
        over = [{**oath, "status": "fulfilled"} for oath in self.OATHS[:2]]

        async def act(player: Player) -> None:
            await player.press("t", "down", "enter", "x", "1", "enter")
            await player.sees("3 finished")
            await player.press("t")
            assert self.under(player) == "Find the lost heir"

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR, self.OATHS[2], *over)), act)

    def test_cursor_moves_to_a_new_track(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("n", "c")
            await player.type("The bell")
            await player.press("enter", "4", "enter", "t")
            await player.until(lambda: self.under(player) == "The bell")

        play(save, act)


class TestClocks:
    def test_plus_and_minus_fill_and_empty_a_clock(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "down", "+")
            assert (tide(player)["filled"], player.notice) == (3, "The tide turns 2 → 3 of 4")
            await player.press("-", "-")
            assert tide(player)["filled"] == 1

        play(save, act)

    def test_full_clock_is_told_and_takes_no_more(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "down", "+", "+")
            await player.sees("The tide turns is full: 4 of 4")
            await player.press("+")
            assert tide(player)["filled"] == 4
            await player.press("enter")
            assert "Fill a segment   already full" in player.text

        play(save, act)

    def test_menu_fills_empties_renames_and_closes_a_clock(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "down", "enter", "+", "+", "enter")
            assert tide(player)["filled"] == 4
            await player.press("t", "enter", "-", "enter")
            assert tide(player)["filled"] == 3
            await player.press("t", "enter", "n")
            await player.type("The flood comes")
            await player.press("enter", "enter")
            await player.until(lambda: "The flood comes" in shown(player))
            await player.press("t", "enter", "c", "enter")
            assert player.session.state["clocks"] == {}
            assert last_words(player) == ["clock closed: The flood comes (3 of 4)"]
            await player.press("u")
            assert tide(player)["filled"] == 3

        play(save, act)

    def test_save_may_have_more_segments_than_the_app_offers(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.sees("7 of 12")

        play(campaign(tmp_path, *in_party(KARA), *clocks({**TIDE, "segments": 12, "filled": 7})), act)
