"""The table by keys: what each key does, says, and leaves alone."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import threading
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, QuickDisk, campaign, in_party, play, screen_text, sworn

from tracker.app.app import TrackerApp
from tracker.app.screens.dialog.screen import Dialog
from tracker.app.screens.notice import NoticeScreen
from tracker.app.screens.table.screen import TableScreen
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Header
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import OptionPicker
from tracker.app.widgets.sheet import FlagGrid, MomentumRuler, Tile
from tracker.campaign.session import Session
from tracker.dice import ScriptedDice

TURNS = 100
"""Of the loop: whatever is to come without the disk has come by then."""
FULL = {"at": "kara.momentum", "to": 10}


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """Kara, Tayla and a vow."""
    return campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR))


def throw(player: Player, action: int, *challenge: int) -> None:
    """Set the faces of the next action roll."""
    player.app.dice = ScriptedDice({"action": action, "challenge": list(challenge)})


async def danger(player: Player) -> None:
    """Face Danger with edge."""
    await player.press("m", "1", "e")
    assert isinstance(player.app.screen, Dialog)


class TestNumbersAndMarks:
    def test_plus_and_minus_change_the_number_under_the_cursor(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            before = len(player.entries())
            await player.press(*["tab"] * 5, "-")
            assert player.kara["health"] == 4
            await player.sees("health 5 → 4")
            await player.press("+")
            assert player.kara["health"] == 5
            assert player.notice == "health 4 → 5"
            assert len(player.entries()) == before + 2

        play(vale, act)

    def test_number_at_its_limit_stays_and_makes_no_entry(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            before = len(player.entries())
            await player.press(*["tab"] * 5, "+")
            assert player.notice == "health stays 5; it runs from 0 to 5."
            assert len(player.entries()) == before

        play(vale, act)

    def test_space_toggles_a_flag(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.tab_to(player.table.query_one(FlagGrid))
            await player.press("space")
            assert list(player.kara["debilities"]) == ["wounded"]
            await player.sees("■►wounded")
            await player.press("right", "space", "left", "space")
            assert list(player.kara["debilities"]) == ["shaken"]
            await player.sees("□►wounded")

        play(vale, act)

    def test_plus_without_a_number_says_what_to_do(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.set_focus(player.table.query_one("#journal"))
            await player.press("+")
            assert player.notice == "Move to a number first, with arrows or Tab."

        play(vale, act)

    @pytest.mark.parametrize("key", ["tab", "up", "m", "f"])
    def test_refusal_is_removed_with_the_next_key(self, vale: Path, key: str) -> None:
        async def act(player: Player) -> None:
            player.app.set_focus(player.table.query_one("#journal"))
            await player.press("+")
            await player.sees("Move to a number first")
            await player.press(key)
            assert "Move to a number first" not in player.notice
            if key == "m":
                await player.press("escape")
            await player.until(lambda: "Move to a number first" not in player.text)

        play(vale, act)

    def test_message_of_a_change_stays_with_the_next_key(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.set_focus(player.table.query_one(MomentumRuler))
            await player.press("-", "tab")
            assert "→" in player.notice

        play(vale, act)

    def test_digit_changes_the_active_character(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "+")
            assert player.session.state["party"]["tayla"]["edge"] == 2
            assert player.kara["edge"] == 3
            await player.sees("Tayla ─")
            await player.press("1", "+", "9")
            assert player.kara["edge"] == 4
            await player.sees("Kara ─")

        play(vale, act)


class TestJournal:
    def test_saved_line_gives_the_keys_back(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"mud+1", "enter")
            assert player.entries()[-1]["text"] == "mud+1"
            await player.sees("mud+1")
            await player.press("+")
            assert player.kara["edge"] == 4
            await player.press("m")
            assert player.screen == "ListScreen"
            assert [entry["text"] for entry in player.entries() if "text" in entry] == ["mud+1"]

        play(vale, act)

    def test_escape_keeps_the_line_for_later(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"The f", "escape")
            assert not any("text" in entry for entry in player.entries())
            await player.press("+", "j")
            assert player.kara["edge"] == 4
            await player.sees("The f")
            await player.press(*"ord", "enter")
            assert player.entries()[-1]["text"] == "The ford"
            await player.press("j", "enter")
            assert player.entries()[-1]["text"] == "The ford"

        play(vale, act)

    @pytest.mark.parametrize("before", [(), ("q", "enter")], ids=["at once", "after a look at the campaigns"])
    def test_begun_line_survives_a_restart(self, vale: Path, before: tuple[str, ...]) -> None:
        async def begin(player: Player) -> None:
            await player.press(*before, "j", *"The f", "ctrl+q")

        async def go_on(player: Player) -> None:
            await player.press("j", *"ord", "enter")
            assert player.entries()[-1]["text"] == "The ford"

        play(vale, begin)
        play(vale, go_on)


class TestMove:
    def test_move_takes_four_keys(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 6, 1, 2)
            before = len(player.entries())
            await player.press("m", "1", "e", "enter")
            assert player.screen == "TableScreen"
            made = player.entries()[before:]
            assert [entry["did"] for entry in made if not entry.get("open")] == ["adventure/face_danger"]
            assert player.kara["momentum"] == 3
            await player.sees("STRONG HIT")

        play(vale, act)

    def test_choice_is_previewed_before_it_is_applied(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 4, 5, 9)
            await danger(player)
            assert "WEAK HIT" in player.text
            assert "+ edge 3 = 7" in player.text
            await player.press("4")
            assert "supply 5 → 4" in player.text
            assert player.session.state["supply"] == 5
            await player.press("1")
            assert "momentum 2 → 1" in player.text
            assert "supply 5 → 4" not in player.text
            await player.press("4", "enter")
            assert player.screen == "TableScreen"
            assert player.session.state["supply"] == 4
            assert player.kara["momentum"] == 2

        play(vale, act)

    def test_move_left_with_escape_is_due_with_its_dice(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 4, 5, 9)
            await danger(player)
            await player.press("escape")
            assert player.screen == "TableScreen"
            assert player.notice == "Face Danger is unfinished: x resumes it."
            await player.press("r")
            assert player.screen == "TableScreen"
            assert "your open roll" in player.notice
            await player.press("x")
            assert "+ edge 3 = 7" in player.text
            await player.press("enter")
            assert player.kara["momentum"] == 1
            await player.press("x")
            assert player.notice == "Nothing is due."

        play(vale, act)

    def test_escape_steps_back_and_keeps_typed_text(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            before = len(player.entries())
            await player.press("m", "5", *"Oath", "enter", "d")
            assert "Roll +heart" in player.text
            await player.press("escape")
            assert "How hard will it be?" in player.text
            await player.press("escape")
            assert "What do you swear to do?" in player.text
            assert "Oath" in player.text
            await player.press("escape")
            assert player.screen == "TableScreen"
            assert len(player.entries()) == before

        play(vale, act)

    def test_adds_count_in_the_odds_and_in_the_roll(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 1, 5, 5)
            await player.press("r")
            without = player.text
            await player.press("+", "+")
            assert "adds +2" in player.text
            assert player.text != without
            await player.press("-", "e")
            assert "+ edge 3 + 1 = 5" in player.text

        play(vale, act)

    def test_typing_filters_the_picker(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("m", *"swear")
            assert [row.label for row in player.app.screen.query_one(OptionPicker).data] == ["Swear an Iron Vow"]
            await player.press("escape")
            assert player.screen == "ListScreen"
            await player.press("escape")
            assert player.screen == "TableScreen"

        play(vale, act)


class TestBurn:
    @pytest.mark.parametrize(
        ("momentum", "dice", "offered"),
        [
            (10, (1, 5, 9), True),
            (10, (6, 1, 2), False),
            (2, (1, 5, 9), False),
            (6, (1, 5, 9), True),
            (5, (1, 5, 9), False),
        ],
    )
    def test_burn_is_offered_only_if_it_helps(
        self, tmp_path: Path, momentum: int, dice: tuple[int, int, int], offered: bool
    ) -> None:
        async def act(player: Player) -> None:
            throw(player, *dice)
            await danger(player)
            assert ("Burn momentum" in player.text) is offered
            await player.press("b")
            assert (player.app.screen.run.value("burn") is True) is offered  # type: ignore[attr-defined]

        path = campaign(tmp_path, *in_party(KARA), *sworn(HEIR), {"at": "kara.momentum", "to": momentum})
        play(path, act)

    def test_burn_changes_the_outcome_and_can_be_revised_until_enter(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 1, 5, 9)
            await danger(player)
            assert "MISS" in player.text
            await player.press("b")
            assert "momentum 10 → 3" in player.text
            await player.press("b")
            assert "due: Pay the Price" in player.text
            assert player.kara["momentum"] == 10
            await player.press("b", "enter")
            assert player.kara["momentum"] == 3
            assert player.entries()[-1]["facts"]["outcome"] == "strong hit"

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR), FULL), act)


class TestTypedDice:
    def test_invalid_faces_are_refused_and_roll_nothing(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d")
            assert player.notice == "Real dice: type in what you roll."
            before = len(player.entries())
            await danger(player)
            for faces, why in (
                ("7 5 9", "The action die goes from 1 to 6, not 7."),
                ("1 5 11", "The challenge die goes from 1 to 10, not 11."),
                ("1 5", "Type 3 results: action d6, challenge 2d10."),
                ("one two three", "“one” is not a die result."),
                ("1 5 -9", "“-9” is not a die result."),
            ):
                await player.press("ctrl+u")
                await player.type(faces)
                await player.press("enter")
                assert why in player.text
                assert len(player.entries()) == before
            await player.press("ctrl+u")
            await player.type("4 5, 9")
            await player.press("enter")
            assert "+ edge 3 = 7" in player.text

        play(vale, act)

    def test_d_switches_back_to_app_dice(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "d")
            assert player.notice == "App dice: tracker rolls."
            await danger(player)
            assert "against" in player.text

        play(vale, act)


class TestVows:
    def test_vow_is_sworn_marked_and_fulfilled(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 6, 1, 2)
            await player.press("m", "1", *"Oath", "enter", "d", "enter", "enter")
            assert player.screen == "TableScreen"
            assert player.session.state["tracks"]["oath"]["rank"] == "dangerous"
            await player.press("t", "enter", "m")
            assert "Oath: progress 0 → 2" in player.text
            assert player.session.state["tracks"]["oath"]["ticks"] == 0
            await player.press("enter")
            assert player.session.state["tracks"]["oath"]["ticks"] == 8
            await player.press("t", "+", "+")
            assert player.session.state["tracks"]["oath"]["ticks"] == 10
            assert player.notice == "Oath: progress 2¼ → 2½"
            player.app.dice = ScriptedDice({"challenge": [1, 1]})
            await player.press("v", "enter", "enter")
            assert player.entries()[-1]["facts"]["score"] == 2
            player.app.dice = ScriptedDice({"challenge": [1, 1]})
            await player.press("t", "enter", "f", "enter", "enter")
            assert player.session.state["tracks"]["oath"]["status"] == "fulfilled"
            assert player.kara["xp"] == 2

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_tracks_without_a_vow_say_so(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            assert "No vow yet: Swear an Iron Vow." in player.text
            await player.press("t")
            assert "Swear an Iron Vow" in player.notice
            await player.press("v")
            assert player.screen == "TableScreen"

        play(campaign(tmp_path, *in_party(KARA)), act)


class TestUndo:
    def test_undo_takes_back_the_last_entry_and_names_it(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            start = player.session.state
            throw(player, 6, 1, 2)
            await danger(player)
            await player.press("enter", "j", *"mud", "enter", "+")
            done = player.session.state
            for notice in ("Undone for Kara: edge 3 → 4", "Undone for Kara: mud", "Undone for Kara: Face Danger"):
                await player.press("u")
                assert player.notice == notice
            assert player.session.state == start
            await player.sees("Undone for Kara")
            for notice in ("Redone for Kara: Face Danger", "Redone for Kara: mud", "Redone for Kara: edge 3 → 4"):
                await player.press("ctrl+r")
                assert player.notice == notice
            assert player.session.state == done
            await player.press("ctrl+r")
            assert player.notice == "Nothing to redo."

        play(vale, act)

    def test_undo_takes_back_an_open_roll(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 4, 5, 9)
            await danger(player)
            await player.press("escape", "u", "x")
            assert player.notice == "Nothing is due."

        play(vale, act)

    def test_undo_stops_at_the_first_entry(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("u")
            assert player.session.state["party"] == {}
            await player.sees("You have no character yet.")
            await player.press("u")
            assert player.notice == "Nothing to undo."
            await player.press("ctrl+r")
            await player.sees("Kara ─")

        play(campaign(tmp_path, *in_party(KARA)), act)


class TestCampaigns:
    def test_q_goes_to_the_list_and_enter_returns(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "q")
            assert player.screen == "CampaignsScreen"
            assert player.app.session is None
            elsewhere = Session.open(str(vale))
            assert elsewhere.readonly == ""
            elsewhere.close()
            await player.press("enter")
            await player.sees("q Campaigns")
            assert player.kara["edge"] == 4
            await player.press("u")
            assert player.notice == "Undone for Kara: edge 3 → 4"
            await player.press("q", "1")
            assert player.screen == "TableScreen"

        play(vale, act)

    def test_new_campaign_leads_to_its_first_character(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("n", "1", *"show", "enter")
            assert "is a command of tracker" in player.text
            await player.press("ctrl+u", *"Vale", "enter", "c", *"Ana", "enter", "e", "h", "i", "enter")
            await player.press("0", "enter", "d", "enter", "enter")
            assert "Ana joins: edge 3, heart 2, iron 2, shadow 1, wits 1" in player.text
            await player.press("enter")
            assert player.session.state["party"]["ana"]["edge"] == 3
            await player.sees("Ana ─")
            await player.until(lambda: isinstance(player.app.focused, Tile))

        play(tmp_path, act)

    def test_damaged_campaign_is_told_and_the_list_works(self, vale: Path) -> None:
        vale.with_name("broken.toml").write_bytes(b"format = 1\nid = ")
        os.utime(vale.with_name("broken.toml"), (0, 0))

        async def act(player: Player) -> None:
            await player.press("2")
            assert player.screen == "CampaignsScreen"
            assert "broken.toml, line 2" in player.text
            await player.press("1")
            assert player.screen == "TableScreen"

        play(vale.parent, act, size=(120, 40))

    def test_unmarked_last_entry_is_asked_about(self, vale: Path) -> None:
        data = vale.read_bytes()
        vale.write_bytes(data[: data.rindex(b"#= ")])

        async def act(player: Player) -> None:
            await player.press("enter")
            assert "One question first" in player.text
            await player.press("escape", "enter", "k")
            await player.sees("q Campaigns")
            assert player.kara["edge"] == 3

        play(vale.parent, act)


class BrokenDisk(QuickDisk):
    """A disk that cannot write while it is `full`, and whose syncs wait until `goes_on` is set."""

    def __init__(self) -> None:
        self.full = False
        self.waits = threading.Event()
        self.goes_on = threading.Event()
        self.goes_on.set()

    def write(self, fd: int, data: bytes) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data)

    def sync(self, fd: int) -> None:
        if not self.goes_on.is_set():
            self.waits.set()
        assert self.goes_on.wait(30)


class TestFocusAfterLine:
    @pytest.mark.parametrize("way", ["enter", "escape"])
    def test_focus_returns_to_where_it_was(self, vale: Path, way: str) -> None:
        async def act(player: Player) -> None:
            await player.press("down", "down")
            stood = player.app.focused
            await player.press("j", *"hm", way)
            assert player.app.focused is stood

        play(vale, act)


def test_named_price_is_told(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m", *"pay", "enter", "1", "enter")
        await player.type("The dog is gone for good")
        await player.press("enter", "enter")
        assert player.screen == "TableScreen", player.text
        assert "The dog is gone for good" in player.text
        await player.press("J")
        await player.sees("The dog is gone for good")

    play(vale, act)


class TestSaveStatus:
    def sign(self, player: Player) -> str:
        return player.app.screen.query_one(Header).data.saved

    def test_change_is_never_shown_with_an_older_status(self, vale: Path) -> None:
        disk = BrokenDisk()

        async def act(player: Player) -> None:
            frames: list[str] = []
            paint = player.app._display

            def painted(*frame: Any) -> None:
                paint(*frame)
                frames.append(player.text)

            player.app._display = painted  # type: ignore[method-assign, assignment]
            disk.goes_on.clear()
            await player.press("+")
            changed = [frame for frame in frames if re.search(r"4 .*\n.*edge", frame)]
            assert changed
            assert all("saving" in frame for frame in changed)
            disk.goes_on.set()
            await player.sees("saved")

        play(vale, act, disk=disk, paints=True)

    def test_full_disk_is_told_until_there_is_room(self, vale: Path) -> None:
        disk = BrokenDisk()

        async def act(player: Player) -> None:
            disk.full = True
            await player.press("+")
            await player.sees("NOT SAVED")
            assert "No space left on device" in player.text.splitlines()[0]
            assert player.kara["edge"] == 4
            await player.press("+")
            disk.full = False
            await player.press("ctrl+s")
            await player.until(lambda: self.sign(player) == "saved")
            assert "NOT SAVED" not in player.text

        play(vale, act, disk=disk)
        assert opened(vale).state["party"]["kara"]["edge"] == 5

    def test_full_disk_is_told_in_a_dialog(self, vale: Path) -> None:
        disk = BrokenDisk()

        async def act(player: Player) -> None:
            disk.full = True
            await player.press("r", "e")
            assert player.screen == "Dialog"
            await player.sees("NOT SAVED")
            disk.full = False
            await player.press("enter")
            await player.until(lambda: self.sign(player) == "saved")

        play(vale, act, disk=disk)

    def test_saved_is_shown_only_after_the_sync(self, vale: Path) -> None:
        disk = BrokenDisk()

        async def act(player: Player) -> None:
            disk.goes_on.clear()
            await player.press("+")
            await player.until(lambda: self.sign(player) == "saving")
            await player.press("+", "?")
            assert self.sign(player) == "saving"
            disk.goes_on.set()
            await player.until(lambda: self.sign(player) == "saved")
            await player.press("escape")
            assert self.sign(player) == "saved"

        play(vale, act, disk=disk)

    def test_dialog_knows_saves_made_while_it_opened(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.push_screen(NoticeScreen(player.app.heading()._replace(saved="saving"), "About", ()))
            player.table.show_sign()
            await player.settle()
            assert player.screen == "NoticeScreen"
            assert self.sign(player) == "saved"

        play(vale, act)

    def test_dice_are_saved_before_they_are_shown(self, vale: Path) -> None:
        disk = BrokenDisk()

        async def act(player: Player) -> None:
            throw(player, 4, 5, 9)
            await player.press("m", "1")
            disk.goes_on.clear()
            pressed = asyncio.create_task(player.press("e"))
            await asyncio.to_thread(disk.waits.wait, 30)
            for _ in range(TURNS):
                await asyncio.sleep(0)
                player.app.screen._on_timer_update()
            assert "Roll with" in player.text
            assert "WEAK HIT" not in player.text
            disk.goes_on.set()
            await pressed
            assert "WEAK HIT" in player.text

        play(vale, act, disk=disk)

    def test_save_locked_elsewhere_is_read_only(self, vale: Path) -> None:
        holder = Session.open(str(vale))

        async def act(player: Player) -> None:
            assert "READ-ONLY" in player.text.splitlines()[0]
            assert player.notice.startswith("Read-only, following changes live: another tracker has it open")
            before = vale.read_bytes()
            for key in ("+", "u", "r"):
                await player.press(key)
                await player.press("e", "escape", "escape")
                assert player.kara["edge"] == 3
            await player.press("j")
            assert "read-only" in player.notice
            assert not player.table.query("#write")
            assert vale.read_bytes() == before

        try:
            play(vale, act)
        finally:
            holder.close()


class TestExternalWrites:
    HAND = b'\n[[entry]]\ntext = "Somebody was here."\n'
    HALF = b'\n[[entry]]\nid = "other.1"\nt = 900\ntext = "Somebody was here."\n'

    @pytest.mark.parametrize(("answer", "there"), [("k", True), ("s", False)])
    def test_half_written_entry_is_asked_about(self, vale: Path, answer: str, there: bool) -> None:
        async def act(player: Player) -> None:
            with vale.open("ab") as file:
                file.write(self.HALF)
            await player.press("+")
            await player.until(lambda: player.notice.endswith("^s asks whether to keep it."))
            assert "NOT SAVED" in player.text
            await player.press("ctrl+s")
            assert "One question first" in player.text
            assert "It says: " in player.text
            await player.press("escape")
            assert player.session.sign.word == "NOT SAVED"
            await player.press("ctrl+s", answer)
            assert player.screen == "TableScreen"
            await player.until(lambda: player.session.sign.word == "saved")
            assert ("Somebody was here." in [entry.get("text") for entry in player.session.log.entries]) is there

        play(vale, act)
        assert opened(vale).state["party"]["kara"]["edge"] == 4
        assert bool(list(vale.parent.glob("vale.torn-*.txt"))) is not there

    def test_half_written_entry_is_asked_about_before_leaving(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            with vale.open("ab") as file:
                file.write(self.HALF)
            await player.press("+")
            await player.until(lambda: "NOT SAVED" in player.text)
            await player.press("q", "ctrl+s", "k")
            await player.until(lambda: player.screen == "TableScreen")
            assert player.session.sign.word == "saved"

        play(vale, act)
        assert opened(vale).state["party"]["kara"]["edge"] == 4

    def test_external_and_own_entries_are_both_there(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            with vale.open("ab") as file:
                file.write(self.HAND)
            await player.press("+")
            await player.until(lambda: "Somebody was here." in player.text)
            assert player.kara["edge"] == 4
            assert "by hand" in player.notice or "changed by another program" in player.notice
            await player.until(lambda: player.session.sign.word == "saved")

        play(vale, act)
        entries = opened(vale).log.entries
        assert [entry.get("text", entry.get("did")) for entry in entries[1:]] == ["Somebody was here.", "change"]

    def test_external_entry_during_a_dialog_is_taken_in(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 6, 1, 2)
            await player.press("m", "1")
            with vale.open("ab") as file:
                file.write(self.HAND)
            await player.press("e", "enter")
            await player.until(lambda: player.session.sign.word == "saved")
            assert player.kara["momentum"] == 3

        play(vale, act)
        table = opened(vale)
        assert table.state["party"]["kara"]["momentum"] == 3
        assert any(entry.get("text") == "Somebody was here." for entry in table.log.entries)

    def test_externally_removed_dice_are_not_due(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 1, 9, 2)
            await danger(player)
            delete_dice(player, vale)
            player.session.write("Rain.")
            await player.until(lambda: "read it again" in " ".join(player.session.notes))
            await player.until(lambda: player.screen == "TableScreen")
            assert player.notice == "That roll is already finished or undone."
            assert not list(player.session.log.open_runs())

        play(vale, act)

    def test_externally_removed_dice_are_not_due_behind_the_keys_screen(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 1, 9, 2)
            await danger(player)
            delete_dice(player, vale)
            player.session.write("Rain.")
            await player.press("?")
            await player.until(lambda: "read it again" in " ".join(player.session.notes))
            await player.press("escape")
            await player.sees("That roll is already finished or undone.")
            await player.press("*", "escape")
            assert player.screen == "TableScreen"
            assert "waits under owed" not in player.text

        play(vale, act)

    def test_older_version_keeps_the_dice_of_an_open_dialog(self, vale: Path) -> None:
        older = vale.read_bytes()

        async def act(player: Player) -> None:
            throw(player, 1, 9, 2)
            await danger(player)
            vale.write_bytes(older)
            player.session.write("Rain.")
            await player.until(lambda: "1 newer entry was added again" in " ".join(player.session.notes))
            await player.until(lambda: player.session.sign.word == "saved")
            assert player.screen != "TableScreen"
            assert list(player.session.log.open_runs())

        play(vale, act)
        assert list(opened(vale).log.open_runs())

    def test_dialog_previews_the_changed_state(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, 1, 9, 2)
            await player.press("m", "1")
            player.session.settle()  # or the edit would cut off what is being written
            edited = vale.read_text(encoding="utf-8").replace("supply = 5", "supply = 2", 1)
            vale.write_text(edited, encoding="utf-8")
            await player.press("e")
            await player.sees("Changed meanwhile: supply 5 → 2.")
            assert "supply 5" not in player.text.replace("supply 5 → 2", "")
            row = next(
                n for n, row in enumerate(player.app.screen.query_one(OptionPicker).data) if row.value == "supply"
            )
            await player.press(*["down"] * row)
            await player.sees("supply 2 → 1")
            await player.press("enter")
            await player.until(lambda: player.screen == "TableScreen")
            assert player.session.state["supply"] == 1

        play(vale, act)

    def test_typed_faces_stay_in_the_line(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("m", "1", "d", "e", *"4 9")
            player.session.settle()  # or the edit would cut off what is being written
            edited = vale.read_text(encoding="utf-8").replace("supply = 5", "supply = 2", 1)
            vale.write_text(edited, encoding="utf-8")
            player.session.write("Mud.")
            await player.until(lambda: player.session.state["supply"] == 2)
            assert player.app.screen.query_one("#line", LineInput).value == "4 9"

        play(vale, act)

    def test_party_screen_shows_external_changes(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p")
            player.session.settle()  # or the edit would cut off what is being written
            edited = vale.read_text(encoding="utf-8").replace("supply = 5", "supply = 2", 1)
            vale.write_text(edited, encoding="utf-8")
            player.session.write("Mud.")
            await player.until(lambda: player.session.state["supply"] == 2)
            shared = next(line for line in player.text.splitlines() if "shared" in line)
            assert "  2 " in shared

        play(vale, act)

    def test_vanished_save_is_told(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            vale.unlink()
            await player.press("+")
            await player.until(lambda: "vale.toml is gone" in player.notice)
            await player.press("-", "q")
            assert "Leaving anyway loses" in player.text
            await player.press("q")
            assert player.screen == "CampaignsScreen"

        play(vale, act)


def delete_dice(player: Player, path: Path) -> None:
    """Take the entry of the roll under way out of the file, as a person would: a later one shows the gap."""
    player.session.write("Mud.")
    player.session.wait()
    text = path.read_text(encoding="utf-8")
    mark = text.index("\n#= ", text.index("\nopen = true\n")) + 1
    start = text.rindex("\n[[entry]]\n", 0, mark)
    path.write_text(text[:start] + text[text.index("\n", mark) + 1 :], encoding="utf-8")


def opened(path: Path) -> Session:
    session = Session.open(str(path), write=False)
    session.close()
    return session


PLACES = {
    "the table": (),
    "a dialog": ("r",),
    "a line in a dialog": ("c",),
    "the journal's line": ("j", "T"),
    "the picker": ("m",),
    "what to do with a track": ("t", "enter"),
    "the keys": ("?",),
    "the palette": ("ctrl+p",),
    "the campaigns": ("q",),
    "the name of a new campaign": ("q", "n"),
    "the whole journal": ("J",),
    "an entry that is edited": ("J", "e"),
}


class TestEveryScreen:
    @pytest.mark.part(3)
    @pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
    @pytest.mark.parametrize("place", PLACES)
    def test_screen_has_a_way_out(self, vale: Path, place: str, key: str) -> None:
        async def act(player: Player) -> None:
            await player.press(*PLACES[place], key)
            assert player.app._exit
            assert player.app.return_code == 0

        play(vale, act, size=(80, 24))

    @pytest.mark.part(3)  # tests/app/test_walk.py leaves every screen by Esc, all in one app
    @pytest.mark.parametrize("place", PLACES)
    def test_escape_returns_to_the_table(self, vale: Path, place: str) -> None:
        async def act(player: Player) -> None:
            await player.press(*PLACES[place])
            for _ in range(3):
                await player.press("escape")
            if player.screen == "CampaignsScreen":
                await player.press("enter")
            assert player.screen == "TableScreen"
            await player.until(lambda: bool(player.table.query(Tile)))
            player.app.set_focus(player.table.query_one(MomentumRuler))
            await player.press("+")
            assert player.kara["momentum"] == 3

        play(vale, act, size=(80, 24))

    LAST: ClassVar[dict[str, tuple[str, str, str]]] = {
        "the table": ("Campaigns", "CampaignsScreen", "Where you left off"),
        "a dialog": ("Repeat", "Dialog", "No roll to repeat yet."),
        "a line in a dialog": ("Keys", "KeysScreen", "Keys: "),
        "the journal's line": ("Later, draft is kept", "TableScreen", "Draft kept"),
        "the picker": ("Back", "TableScreen", "m Move"),
        "what to do with a track": ("Keys", "KeysScreen", "Keys: Find the lost heir"),
        "the keys": ("Back", "TableScreen", "m Move"),
        "the palette": ("Back", "TableScreen", "m Move"),
        "the campaigns": ("Quit", "", ""),
        "the name of a new campaign": ("Keys", "KeysScreen", "Keys: New campaign"),
        "the whole journal": ("Write", "JournalScreen", "what happens? Enter saves"),
        "an entry that is edited": ("Later, draft is kept", "JournalScreen", "e Edit"),
    }
    """The last key that the foot names, the screen to which it leads, and what stands there."""

    @pytest.mark.part(3)
    @pytest.mark.parametrize("place", PLACES)
    def test_footer_can_be_clicked(self, vale: Path, place: str) -> None:
        word, screen, seen = self.LAST[place]

        async def act(player: Player) -> None:
            await player.press(*PLACES[place])
            foot = player.app.screen.query_one(Footer)
            at, hint = foot._places()[-1]
            assert hint.description == word
            await player.click(foot, offset=(at.start + 1, 0))
            if screen:
                assert player.screen == screen
                await player.sees(seen)
            else:
                assert player.app._exit

        play(vale, act)

    def test_palette_does_what_the_keys_do(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("+", "ctrl+p")
            await player.press(*"undo")
            await player.sees("Undo the last thing")
            await player.press("enter")
            await player.until(lambda: player.screen == "TableScreen" and player.kara["edge"] == 3)
            assert player.notice == "Undone for Kara: edge 3 → 4"

        play(vale, act)


def test_line_opened_before_the_footer_has_its_hints(tmp_path: Path) -> None:
    async def evening() -> None:
        session = Session.open(str(campaign(tmp_path, *in_party(KARA))), disk=QuickDisk())
        app = TrackerApp(str(tmp_path), session)
        try:
            async with app.run_test(size=(80, 24)) as pilot:
                table = cast("TableScreen", app.screen)
                assert not table.query("#foot")
                await table.action_write()
                await table.laid.wait()
                await pilot.pause()
                assert "Later, draft is kept" in screen_text(app)
        finally:
            session.close()

    asyncio.run(evening())


def test_numbers_of_now_are_the_same_in_strip_and_picker(tmp_path: Path) -> None:
    wolf = {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "dangerous"}
    fighting = {"at": "kara.initiative", "to": "you"}

    async def act(player: Player) -> None:
        strip = [(a.key, a.label) for a in player.table.view.actions() if a.key.startswith("m")]
        await player.press("m")
        rows = [(f"m{row.key}", row.label) for row in player.app.screen.query_one(OptionPicker).data if row.key]
        assert strip == rows[: len(strip)]
        assert [key for key, _ in rows] == [f"m{n}" for n in range(1, len(rows) + 1)]
        assert "End the Fight" not in dict(strip).values()

    play(campaign(tmp_path, *in_party(KARA), *sworn(wolf), fighting), act)
