"""The journal from the keyboard: writing, reading, mending, and parting the story."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, QuickDisk, campaign, in_party, play, sworn
from tests.campaign.playing import short_memory
from textual.geometry import Region

from tracker.app.background import Folding
from tracker.app.widgets import line_input
from tracker.app.widgets.cached import FEW
from tracker.app.widgets.journal_view import JournalView
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
    """Forty-one lines, most of them behind the base."""
    with short_memory(keep=6):
        session = Session.open(str(path), disk=QuickDisk())
        for n in range(41):
            session.write(f"Line {n}.")
        session.close()


class TestPartsOfTheStory:
    def test_a_new_scene_stands_beside_the_name_and_over_what_follows(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "s", "s", *"The ford", "enter")
            assert player.session.state["scene"] == "The ford"
            assert player.table.player.active == "tayla"
            await player.sees("vale  The ford")
            assert player.text.count("The ford") >= 2
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

    @pytest.mark.parametrize("key", ["s", "Y"])
    def test_it_is_offered_after_some_hours_and_never_forced(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
    ) -> None:
        class Yesterday(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:
                return datetime.now(tz or UTC) - timedelta(days=1)

        with monkeypatch.context() as patch:
            patch.setattr(sessions, "datetime", Yesterday)
            path = campaign(tmp_path, *in_party(KARA))

        async def offered(player: Player) -> None:
            assert player.notice == f"Some hours have passed: {key} begins a new session."
            await player.press("+")
            assert player.kara["edge"] == 4

        async def at_once(player: Player) -> None:
            assert player.notice == ""

        play(path, offered, settings=Settings(keys={"part": key}))
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


async def told(player: Player, *lines: str) -> None:
    for line in lines:
        await player.press("j", *line, "enter")


class TestTheWholeJournal:
    def test_an_entry_is_edited_and_u_gives_the_old_words_back(self, alone: Path) -> None:
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

    def test_escape_keeps_an_edit_for_later_and_a_line_of_its_own(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await told(player, "The frod", "Rain")
            await player.press("j", *"Thun", "escape", "J", "up", "e", *"!!", "escape")
            await player.sees("The line is kept: e goes on with it.")
            assert player.screen == "JournalScreen"
            await player.press("down", "e")
            assert player.table.app.screen.query_one("#write").value == "Rain"  # type: ignore[attr-defined]
            await player.press("escape", "up", "e", "enter")
            await player.sees("The frod!!")
            await player.press("j", *"der", "enter")
            assert player.entries()[-1]["text"] == "Thunder"

        play(alone, act)

    def test_a_line_begun_on_the_table_goes_on_here(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"alpha", "ctrl+p", *"read on", "enter")
            await player.until(lambda: player.screen == "JournalScreen")
            await player.press("j", *" beta", "ctrl+q")
            assert player.app._exit

        play(alone, act)
        assert (alone.parent / ".vale.toml.draft").read_text() == "alpha beta"

    def test_it_stays_closed_while_a_line_cannot_be_kept(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            (alone.parent / ".vale.toml.draft").mkdir()
            await player.press("j", *"alpha", "ctrl+p", *"read on", "enter")
            await player.sees("The line cannot be kept (Is a directory)")
            assert player.screen == "TableScreen"
            await player.press("enter")
            assert player.entries()[-1]["text"] == "alpha"

        play(alone, act)

    def test_strike_leaves_it_readable_and_takes_nothing_back(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "J", "k")
            assert player.kara["edge"] == 4
            await player.sees("edge 3 → 4  struck")
            await player.press("delete")
            await player.until(lambda: "struck" not in player.text)

        play(alone, act)

    def test_one_thing_is_undone_wherever_it_stands(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "J")
            await told(player, "Rain", "Mud")
            await player.press("up", "up", "U")
            assert player.kara["edge"] == 3
            await player.sees("► edge 3 → 4  undone")

        play(alone, act)

    def test_what_is_undone_comes_back_though_something_was_done_since(self, alone: Path) -> None:
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

    def test_the_last_thing_may_have_been_an_undo_of_something_old(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "J")
            await told(player, "Rain", "Mud")
            await player.press("up", "up", "U", "escape", "u")
            assert player.kara["edge"] == 4
            assert player.notice == "edge 3 → 4: back again"
            await player.press("u")
            assert player.notice == "Mud: undone"
            await player.press("u")
            assert player.notice == "Rain: undone"

        play(alone, act)

    def test_so_does_what_lies_far_back(self, alone: Path) -> None:
        async def long_ago(player: Player) -> None:
            await player.press("+", "J")
            for n in range(30):
                player.session.write(f"Line {n}.")

        async def undo(player: Player) -> None:
            await player.press("J", "home", "down", "U")
            await player.until(lambda: player.notice == "An old entry: undone")
            assert player.kara["edge"] == 3
            for n in range(30):
                player.session.write(f"More {n}.")

        async def bring_back(player: Player) -> None:
            assert player.session.log.upto > 40
            await player.press("J", "home", "down", "U")
            await player.until(lambda: player.notice == "An old entry: back again")
            assert player.kara["edge"] == 4

        with short_memory(keep=3):
            for act in (long_ago, undo, bring_back):
                play(alone, act)

    def test_mechanics_fold_here_and_on_the_table_alike(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+")
            await told(player, "Rain")
            await player.press("J", "f")
            assert "edge 3 → 4" not in player.text
            assert "► Rain" in player.text
            await player.press("escape")
            await player.until(lambda: "edge 3 → 4" not in player.text)

        play(alone, act)

    def test_a_long_one_is_read_by_pages_and_a_passage_line_by_line(self, alone: Path) -> None:
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
            assert "► Line 3" in player.text
            await player.press("end")
            assert "Row 59." in player.text

        play(alone, act)

    def test_what_cannot_be_read_now_is_said_and_the_rest_stays(self, alone: Path) -> None:
        long_played(alone)

        async def act(player: Player) -> None:
            alone.rename(alone.with_suffix(".away"))
            await player.press("J")
            await player.sees("No more of the journal can be read now: No such file or directory.")
            await player.press("home")
            assert "Line 40." in player.text
            assert "Line 0." not in player.text
            alone.with_suffix(".away").rename(alone)
            await player.press("home")
            await player.sees("Line 0.")

        play(alone, act)

    def test_an_old_undo_whose_file_goes_away_under_it_is_said(self, alone: Path) -> None:
        long_played(alone)

        async def act(player: Player) -> None:
            await player.press("J")
            alone.rename(alone.with_suffix(".away"))
            player.session.undos.folding = True
            player.table.post_message(Folding(None))  # the writer found no file when it was to fold
            await player.sees("The whole log cannot be read now")
            alone.with_suffix(".away").rename(alone)

        play(alone, act)

    def test_enter_on_the_journal_opens_it(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            player.app.set_focus(player.table.query_one("#journal"))
            await player.press("enter")
            assert player.screen == "JournalScreen"

        play(alone, act, size=(120, 40))


class TestWhatIsNoStory:
    def test_where_dice_come_from_is_not_told_and_can_be_undone(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "J")
            assert "dice are typed in" not in player.text
            await player.press("escape", "u")
            assert not player.app.typed_dice

        play(alone, act)

    def test_what_was_settled_is_told_once(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            player.session.do("edit", [{"at": "kara.owed.pay_the_price", "by": 1}])
            player.table.start(Start("owed/strike_off"))
            await player.rest()
            await player.press("enter", "J")
            told = player.text.split("Settle what is owed")[1]
            assert told.count("Pay the Price") == 1

        play(alone, act)

    def test_a_name_that_is_no_other_changes_nothing(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            before = len(player.entries())
            await player.press("p", "n", "enter")
            assert "Kara is the name already; type another." in player.text
            await player.press("escape")
            assert len(player.entries()) == before

        play(alone, act)


class TestFinding:
    def test_a_line_is_gone_to_in_the_journal(self, alone: Path) -> None:
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

    def test_a_move_is_made_a_table_rolled_and_a_track_shown(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("/", *"face danger", "enter")
            assert player.screen == "Dialog"
            await player.press("escape", "/", *"lost heir", "enter")
            assert player.app.focused is not None
            assert player.app.focused.track.id == "heir"  # type: ignore[attr-defined]
            await player.press("/", *"character trait", "enter")
            await player.sees("Character trait:")

        play(alone, act)

    def test_nothing_is_said_to_be_nothing_and_escape_goes_back(self, alone: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("/", *"xyzzy")
            await player.sees("Nothing is found.")
            await player.press("enter")
            assert player.screen == "FindScreen"
            await player.press("escape")
            assert player.screen == "TableScreen"

        play(alone, act)


class TestWhateverIsTyped:
    def test_a_paste_of_more_than_100_kb_is_taken_whole(self, alone: Path) -> None:
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

    def test_a_key_in_a_long_line_does_not_look_at_every_character_again(
        self, alone: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked: list[str] = []
        sign = line_input._sign
        monkeypatch.setattr(line_input, "_sign", lambda char: looked.append(char) or sign(char))

        async def act(player: Player) -> None:
            await player.press("j")
            await player.type("wörd-\u00adand " * 20_000)
            looked.clear()
            await player.press("!")
            await player.sees("-·and!")
            assert len(looked) <= 1

        play(alone, act)

    @pytest.mark.parametrize(
        "sign", ["👨‍👩‍👧‍👦", "e\u0301", "漢", "👍🏽", "ש"], ids=["family", "accent", "wide", "tone", "rtl"]
    )
    def test_a_word_without_end_is_never_torn_within_a_sign(self, alone: Path, sign: str) -> None:
        async def act(player: Player) -> None:
            player.session.write(sign * 150)
            await player.press("J")
            told = [row.strip("│► \n") for row in player.text.splitlines() if sign in row]
            assert len(told) > 1
            assert "".join(told) == sign * 150

        play(alone, act)


def test_rows_that_are_still_there_are_not_painted_again(tmp_path: Path) -> None:
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


def test_a_key_that_is_quicker_than_the_first_frame_is_not_taken_back(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for n in range(5):
            player.session.write(f"Line {n}", "kara")
        await player.press("J", "home")
        screen: Any = player.app.screen
        first = screen.book.item
        screen._open()
        assert screen.book.item == first

    play(campaign(tmp_path, *in_party(KARA)), act)
