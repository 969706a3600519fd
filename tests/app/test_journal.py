"""The journal from the keyboard: writing, reading, mending, and parting the story."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, QuickDisk, campaign, in_party, play, sworn
from tests.campaign.playing import short_memory
from textual.geometry import Region

from tracker.app.screens.table.screen import HistoryProgress
from tracker.app.widgets import line_input
from tracker.app.widgets.base import FEW
from tracker.app.widgets.journal_pane import JournalView
from tracker.app.widgets.passage_input import PassageInput
from tracker.campaign import session as sessions
from tracker.campaign.session import Session
from tracker.games.api.view import Start
from tracker.settings import Settings


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """Kara, Tayla and a vow."""
    return campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR))


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA), *sworn(HEIR))


def long_played(path: Path) -> None:
    """Write forty-one journal lines, most of them before the snapshot."""
    with short_memory(keep=6):
        session = Session.open(str(path), disk=QuickDisk())
        for n in range(41):
            session.write(f"Line {n}.")
        session.close()


class TestStoryBreaks:
    def test_new_scene_is_in_the_header_and_heads_its_entries(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "s", "s", *"The ford", "enter")
            assert player.session.state["scene"] == "The ford"
            assert player.table.player.active == "tayla"
            await player.sees("vale  The ford")
            assert player.text.count("The ford") >= 2
            await player.press("u")
            assert player.session.state["scene"] == ""
            await player.until(lambda: "The ford" not in player.text)
            await player.press("J")
            await player.sees("The ford  undone")

        play(vale, act)

    def test_new_session_is_numbered(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("s", "n", "enter")
            await player.sees("Session 2")
            assert player.entries()[-1]["effects"] == [{"at": "session", "by": 1}]

        play(vale, act)

    @pytest.mark.parametrize("key", ["s", "Y"])
    def test_new_session_is_offered_after_hours_and_never_forced(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
    ) -> None:
        class Yesterday(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Self:
                return super().now(tz or UTC) - timedelta(days=1)

        with monkeypatch.context() as patch:
            patch.setattr(sessions, "datetime", Yesterday)
            path = campaign(tmp_path, *in_party(KARA))

        async def offered(player: Player) -> None:
            assert player.notice == f"It's been a while: {key} starts a new session."
            await player.press("+")
            assert player.kara["edge"] == 4

        async def at_once(player: Player) -> None:
            assert player.notice == ""

        play(path, offered, settings=Settings(keys={"part": key}))
        play(path, at_once)


class TestJournalPane:
    def test_party_line_names_its_speaker(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "j", *"Rain", "enter")
            await player.sees("Tayla: Rain")

        play(vale, act)

    def test_solo_line_names_nobody(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"Rain", "enter")
            await player.sees("Rain")
            assert "Kara: Rain" not in player.text

        play(alone, act)

    def test_mechanics_fold_and_unfold(self, alone: Path) -> None:
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


def test_cursor_returns_to_an_entry_that_was_hidden(alone: Path) -> None:
    async def act(player: Player) -> None:
        await told(player, "Rain")
        await player.press("+")
        await told(player, "Snow", "Hail")
        await player.press("J", "up", "up")
        await player.sees("►   edge 3 → 4")
        await player.press("f")
        await player.sees("► Rain")
        await player.press("f")
        await player.sees("►   edge 3 → 4")
        await player.press("f", "down", "f")
        await player.sees("► Snow")

    play(alone, act)


async def told(player: Player, *lines: str) -> None:
    for line in lines:
        await player.press("j", *line, "enter")


class TestJournalScreen:
    def test_edit_changes_an_entry_and_undo_restores_it(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await told(player, "The frod", "Rain")
            await player.press("J", "up", "e", *["backspace"] * 3, *"ord", "enter")
            assert player.screen == "JournalScreen"
            await player.sees("► The ford")
            assert player.entries()[-1]["did"] == "journal/edit"
            await player.press("u")
            await player.sees("► The frod")
            await player.press("ctrl+r", "escape")
            await player.sees("The ford")
            assert player.screen == "TableScreen"

        play(alone, act)

    def test_entry_of_several_paragraphs_is_edited_in_the_line(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            player.session.write("The ford.\n\nRain, and a raven", "kara")
            await player.press("J", "e")
            line = player.table.app.screen.query_one("#write", PassageInput)
            assert (line.value, line.rows) == ("The ford.\n\nRain, and a raven", 3)
            await player.press("s", "enter")
            await player.sees("Rain, and a ravens")
            assert player.entries()[-1]["text"] == "The ford.\n\nRain, and a ravens"

        play(alone, act)

    def test_escape_keeps_an_edit_apart_from_a_new_line(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await told(player, "The frod", "Rain")
            await player.press("j", *"Thun", "escape", "J", "up", "e", *"!!", "escape")
            await player.sees("Draft kept: e continues it.")
            assert player.screen == "JournalScreen"
            await player.press("down", "e")
            assert player.table.app.screen.query_one("#write").value == "Rain"  # type: ignore[attr-defined]
            await player.press("escape", "up", "e", "enter")
            await player.sees("The frod!!")
            await player.press("j", *"der", "enter")
            assert player.entries()[-1]["text"] == "Thunder"

        play(alone, act)

    def test_line_begun_on_the_table_continues_here(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"alpha", "ctrl+p", *"full journal", "enter")
            await player.until(lambda: player.screen == "JournalScreen")
            await player.press("j", *" beta", "ctrl+q")
            assert player.app._exit

        play(alone, act)
        assert (alone.parent / ".vale.toml.draft").read_text() == "alpha beta"

    def test_screen_stays_closed_while_a_draft_cannot_be_saved(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            (alone.parent / ".vale.toml.draft").mkdir()
            await player.press("j", *"alpha", "ctrl+p", *"full journal", "enter")
            await player.sees("This draft can't be kept (Is a directory)")
            assert player.screen == "TableScreen"
            await player.press("enter")
            assert player.entries()[-1]["text"] == "alpha"

        play(alone, act)

    def test_struck_entry_stays_readable_and_keeps_its_effects(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "J", "k")
            assert player.kara["edge"] == 4
            await player.sees("edge 3 → 4  crossed out")
            await player.sees("k Restore")
            assert "its effects still count" in player.text
            await player.press("delete")
            await player.until(lambda: "crossed out" not in player.text)

        play(alone, act)

    def test_undo_this_takes_back_any_entry(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "J")
            await told(player, "Rain", "Mud")
            await player.press("up", "up", "U")
            assert player.kara["edge"] == 3
            await player.sees("► edge 3 → 4  undone")

        play(alone, act)

    def test_undone_entry_is_redone_after_later_entries(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "J")
            await told(player, "Rain", "Mud")
            await player.press("up", "up", "U")
            await told(player, "Thunder")
            assert player.kara["edge"] == 3
            await player.press("U")
            assert player.kara["edge"] == 4
            await player.until(lambda: "undone" not in player.text)

        play(alone, act)

    def test_undo_takes_back_the_undo_of_an_old_entry(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "J")
            await told(player, "Rain", "Mud")
            await player.press("up", "up", "U", "escape", "u")
            assert player.kara["edge"] == 4
            assert player.notice == "Redone: edge 3 → 4"
            await player.press("u")
            assert player.notice == "Undone: Mud"
            await player.press("u")
            assert player.notice == "Undone: Rain"

        play(alone, act)

    def test_history_that_cannot_be_read_is_told(self, alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_: object) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        async def act(player: Player) -> None:
            await player.press("+", "J")
            await told(player, "Rain", "Mud")
            await player.press("up", "up", "U")
            monkeypatch.setattr(player.session.history, "undo_of", fail)
            await player.press("U")
            assert player.notice == "The history can't be read: Input/output error."
            assert player.kara["edge"] == 3

        play(alone, act)

    def test_undo_reaches_entries_before_snapshot(self, alone: Path) -> None:
        async def long_ago(player: Player) -> None:
            await player.press("+", "J")
            for n in range(30):
                player.session.write(f"Line {n}.")

        async def undo(player: Player) -> None:
            await player.press("J", "home", "down", "U")
            await player.until(lambda: player.notice == "Undone: an older entry")
            assert player.kara["edge"] == 3
            for n in range(30):
                player.session.write(f"More {n}.")

        async def bring_back(player: Player) -> None:
            assert player.session.log.upto > 40
            await player.press("J", "home", "down", "U")
            await player.until(lambda: player.notice == "Redone: an older entry")
            assert player.kara["edge"] == 4

        with short_memory(keep=3):
            for act in (long_ago, undo, bring_back):
                play(alone, act)

    def test_fold_applies_here_and_on_the_table(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+")
            await told(player, "Rain")
            await player.press("J", "f")
            assert "edge 3 → 4" not in player.text
            assert "► Rain" in player.text
            await player.press("escape")
            await player.until(lambda: "edge 3 → 4" not in player.text)

        play(alone, act)

    def test_long_journal_is_read_by_pages_and_long_entry_by_lines(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            for n in range(100):
                player.session.write(f"Line {n}.")
            player.session.write("\n".join(f"Row {n}." for n in range(60)))
            await player.press("J")
            assert "Row 59." in player.text
            await player.press("up")
            assert "Row 59." not in player.text
            assert "Row 35." in player.text
            await player.press("home")
            assert "Line 0." in player.text
            await player.press("pagedown", "pagedown")
            assert "► Line 1" in player.text
            await player.press("end")
            assert "Row 59." in player.text

        play(alone, act)

    def test_unreadable_pages_are_told_and_the_rest_stays(self, alone: Path) -> None:
        long_played(alone)

        async def act(player: Player) -> None:
            alone.rename(alone.with_suffix(".away"))
            await player.press("J")
            await player.sees("Can't read older entries right now: No such file or directory.")
            await player.press("home")
            assert "Line 40." in player.text
            assert "Line 0." not in player.text
            alone.with_suffix(".away").rename(alone)
            await player.press("home")
            await player.sees("Line 0.")

        play(alone, act)

    def test_old_undo_of_a_vanished_file_is_told(self, alone: Path) -> None:
        long_played(alone)

        async def act(player: Player) -> None:
            await player.press("J")
            alone.rename(alone.with_suffix(".away"))
            player.session.full_log_reader.under_way = True
            player.table.post_message(HistoryProgress(None))  # the writer found no file when it was to fold
            await player.sees("Can't read the full history now")
            alone.with_suffix(".away").rename(alone)

        play(alone, act)

    def test_enter_on_the_journal_pane_opens_the_screen(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            player.app.set_focus(player.table.query_one("#journal"))
            await player.press("enter")
            assert player.screen == "JournalScreen"

        play(alone, act, size=(120, 40))


class TestEntriesOutsideTheStory:
    def test_dice_setting_is_not_told_and_can_be_undone(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "J")
            assert "dice are typed in" not in player.text
            await player.press("escape", "u")
            assert not player.app.typed_dice

        play(alone, act)

    def test_settled_item_is_told_once(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            player.session.do("edit", [{"at": "kara.owed.pay_the_price", "by": 1}])
            player.table.start(Start("owed/strike_off"))
            await player.rest()
            await player.press("enter", "J")
            assert player.text.count("Done: Pay the Price") == 1

        play(alone, act)

    def test_unchanged_name_makes_no_entry(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            before = len(player.entries())
            await player.press("p", "n", "enter")
            assert "Kara is already the name; type another." in player.text
            await player.press("escape")
            assert len(player.entries()) == before

        play(alone, act)


class TestFind:
    def test_found_line_is_shown_in_the_journal(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            for n in range(60):
                player.session.write(f"Line {n} of the tale.")
            await player.press("/", *"line 7")
            await player.sees("Line 7 of the tale.")
            assert "Line 8 of the tale." not in player.text.split("Journal")[1]
            await player.press("enter")
            assert player.screen == "JournalScreen"
            await player.sees("► Line 7 of the tale.")
            await player.press("/", *"line 41")
            await player.sees("Line 41")
            await player.press("enter")
            await player.sees("► Line 41 of the tale.")
            await player.press("escape")
            assert player.screen == "TableScreen"

        play(alone, act)

    def test_found_move_table_and_track_are_opened(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("/", *"face danger", "enter")
            assert player.screen == "Dialog"
            await player.press("escape", "/", *"lost heir", "enter")
            assert player.app.focused is not None
            assert player.app.focused.track.id == "heir"  # type: ignore[attr-defined]
            await player.press("/", *"character trait", "enter")
            await player.sees("Character trait:")

        play(alone, act)

    def test_search_without_result_says_so_and_escape_returns(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("/", *"xyzzy")
            await player.sees("No match.")
            await player.press("enter")
            assert player.screen == "FindScreen"
            await player.press("escape")
            assert player.screen == "TableScreen"

        play(alone, act)


class TestLongInput:
    def test_paste_of_more_than_100_kb_is_taken_whole(self, alone: Path) -> None:
        pasted = "word and more " * 10_000

        async def act(player: Player) -> None:
            await player.press("j")
            await player.type(pasted)
            await player.press("!", "enter")
            assert player.entries()[-1]["text"] == pasted.strip() + "!"
            await player.press("+")
            assert player.kara["edge"] == 4
            await player.press("J", "up", "up")
            await player.sees("│ word and more")

        play(alone, act)

    def test_key_in_a_long_line_does_not_scan_all_characters(
        self, alone: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked: list[str] = []
        sign = line_input._sign

        def noted(char: str) -> str:
            looked.append(char)
            return sign(char)

        monkeypatch.setattr(line_input, "_sign", noted)

        async def act(player: Player) -> None:
            await player.press("j")
            await player.type("wörd-\u00adand " * 20_000)
            looked.clear()
            await player.press("!")
            await player.sees("-·and!")
            assert len(looked) <= len(set("wörd-\u00adan !")), "each character is looked up once"

        play(alone, act)

    @pytest.mark.parametrize(
        "sign", ["👨‍👩‍👧‍👦", "e\u0301", "漢", "👍🏽", "ש"], ids=["family", "accent", "wide", "tone", "rtl"]
    )
    def test_endless_word_is_never_split_within_a_grapheme(self, alone: Path, sign: str) -> None:
        async def act(player: Player) -> None:
            player.session.write(sign * 150)
            await player.press("J")
            told = [row.strip("│► \n") for row in player.text.splitlines() if sign in row]
            assert len(told) > 1
            assert "".join(told) == sign * 150

        play(alone, act)


def test_unchanged_rows_are_not_painted_again(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        journal = player.app.screen.query_one(JournalView)
        crop = Region(0, 0, *journal.outer_size)
        for n in range(30):
            player.session.write(f"Line {n}")
        player.table.show()
        await player.rest()
        await player.press("down", "-", "+")
        before = journal.render_lines(crop)
        await player.press("-")
        after = journal.render_lines(crop)
        assert "health 5 → 4" in "".join(strip.text for strip in after)
        assert sum(not any(strip is other for other in before) for strip in after) <= FEW

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_key_before_the_first_frame_keeps_its_effect(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for n in range(5):
            player.session.write(f"Line {n}", "kara")
        await player.press("J", "home")
        screen: Any = player.app.screen
        first = screen.reader.here
        screen._open()
        assert screen.reader.here == first

    play(campaign(tmp_path, *in_party(KARA)), act)
