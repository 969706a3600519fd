"""Players at one campaign, each in an app of their own: what they see of each other, and what their keys do."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import TAYLA, Player, QuickDisk, campaign, in_party, playing
from tests.app.test_goldens import compare
from tests.app.together import arriving, company, company_here, even, guest, hosting, two

from tracker.app.screens.dialog.screen import Dialog
from tracker.campaign.secret_notes import secret_notes
from tracker.campaign.session import Session
from tracker.coop import arrival
from tracker.coop.invitation import Invitation
from tracker.coop.key_files import OwnKey, mark
from tracker.coop.key_files import folder as key_folder
from tracker.coop.lines import Line, LineClosed
from tracker.games.api.errors import Refused
from tracker.games.common import seats
from tracker.games.daggerheart import GAME as DAGGERHEART

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])


@pytest.fixture(autouse=True)
def _own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def evening(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


async def with_tayla(bob: Player, *others: Player) -> None:
    """Give Bob a character, as if he had made it."""
    bob.session.do("edit", in_party(TAYLA))
    await even(bob, *others)
    await others[0].until(lambda: seats.holder(others[0].session.state, "tayla") == "bob")
    await even(bob, *others)
    bob.table.show()
    await bob.rest()


class TestArrival:
    def test_knock_takes_no_key_and_y_lets_the_friend_in(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                await ana.press("j", *"Who is th")
                coming = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
                await ana.sees("Bob asks")
                await ana.press("y", *"ere?", "enter")
                assert ana.entries()[-1]["text"] == "Who is thyere?"
                assert not coming.done()
                await ana.press("y")
                await ana.until(coming.done)
                assert Path(coming.result().path) == tmp_path / "bob" / "vale.toml"

        evening(play())

    def test_y_lets_a_friend_in_who_knocks_while_the_code_is_shown(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                await ana.press("i")
                coming = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
                await ana.sees(f"Bob knocks, key {mark(OwnKey('Bob').public)}. y lets them in, n doesn't.")
                assert "y Yes" in ana.text.splitlines()[-1]
                await ana.press("y")
                await ana.until(coming.done)
                assert (ana.screen, ana.notice) == ("TableScreen", "Bob comes in.")

        evening(play())

    @pytest.mark.parametrize("keys", ["Pn", "n", "in"])
    def test_friend_who_is_not_let_in_gets_one_sentence(self, tmp_path: Path, keys: str) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                coming = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
                await ana.until(lambda: bool(company(ana).question()))
                await ana.press(*keys)
                await ana.until(coming.done)
                assert str(coming.exception()) == "The host didn't let you in."
                assert list((tmp_path / "bob").iterdir()) == []

        evening(play())

    def test_host_is_told_that_the_usual_port_is_in_use(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        async def play() -> None:
            with socket.socket() as taken:
                taken.bind(("127.0.0.1", 0))  # not the usual one, which other tests take and leave at the same time
                taken.listen()
                usual = taken.getsockname()[1]
                monkeypatch.setattr("tracker.coop.company.PORT", usual)
                async with hosting(tmp_path) as ana:
                    port = company(ana).invitation.partition("/")[0].rpartition(":")[2]
                    await ana.press("i")
                    await ana.sees(f"Port {usual} is in use, so you host on port {port}; --port N chooses one.")

        evening(play())

    def test_host_picks_who_comes_in(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                bob = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
                await ana.until(lambda: company(ana).question().startswith("Bob knocks, key "))
                cyd = asyncio.ensure_future(arriving(ana, tmp_path, "Cyd"))
                await ana.until(lambda: len(company(ana)._callers) == 2)
                await ana.press("P", "2", "1")
                await ana.until(cyd.done)
                assert not bob.done()
                await ana.press("n")
                await ana.until(bob.done)
                assert str(bob.exception()) == "The host didn't let you in."

        evening(play())

    def test_friend_with_another_key_is_said_to_take_the_seat(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                coming = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
                await ana.until(lambda: company(ana).question().startswith("Bob knocks, key "))
                [caller] = company(ana).people()[:1]
                assert caller.asks == f"knocks · new at this table · key {mark(OwnKey('Bob').public)} · from 127.0.0.1"
                await ana.press("y")
                await ana.until(coming.done)
                monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other machine"))
                coming = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
                await ana.until(lambda: company(ana).question().startswith("Bob knocks, for Bob's seat, key "))
                await ana.press("P")
                await ana.sees(f"takes Bob's seat, with another key · key {mark(OwnKey('Bob').public)}")
                await ana.press("n")
                await ana.until(coming.done)

        evening(play())

    def test_campaign_with_the_same_name_is_left_alone(self, tmp_path: Path) -> None:
        async def play() -> None:
            (tmp_path / "bob").mkdir()
            mine = campaign(tmp_path / "bob", name="vale").read_bytes()
            async with hosting(tmp_path) as ana, guest(ana, tmp_path, "Bob") as bob:
                assert Path(bob.session.save.path).name == "vale 2.toml"
                assert bob.notice == "You have another campaign called vale, so this one is vale 2."
            assert (tmp_path / "bob" / "vale.toml").read_bytes() == mine

        evening(play())

    def test_second_window_of_the_host_joins_with_a_copy_of_its_own(self, tmp_path: Path) -> None:
        from tracker.app.main import _second_window

        async def play() -> None:
            async with hosting(tmp_path) as ana:
                readonly = Session.open(str(tmp_path / "ana" / "vale.toml"))
                assert readonly.readonly
                session, plan = await asyncio.to_thread(_second_window, readonly)
                session.close()
                assert plan
                async with playing(Path(session.save.path), plan=plan) as window:
                    await window.until(lambda: window.session.by == "ana")
                    await window.press("j", *"From here, too.", "enter")
                    await even(ana, window)
                    assert ana.entries()[-1].get("text") == "From here, too.", window.text
                    assert ana.entries()[-1]["by"] == "ana"

        evening(play())


class TestAtTheTable:
    def test_each_sees_what_the_other_does_and_who_wrote_it(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                ana.table.noticed_at = 0.0  # as if she had read the message long ago
                await bob.press("j", *"I come in from the rain.", "enter")
                await ana.sees("Bob: I come in from the rain.")
                assert ana.notice == "Bob: I come in from the rain."
                await ana.press("j", *"Sit down.", "enter")
                await even(ana, bob)
                await bob.press("l")
                await bob.sees("Ana: Sit down.")
                await ana.sees("host ⇄ Bob")
                await bob.sees("⇄ Ana")

        evening(play())

    def test_news_never_hide_the_answer_to_ones_own_key(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await ana.press("x")
                assert ana.notice == "Nothing is due."
                await bob.press("j", *"Rain.", "enter")
                await even(ana, bob)
                await ana.rest()
                assert ana.notice == "Nothing is due."

        evening(play())

    def test_player_acts_for_no_character_of_another(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                assert bob.table.player.active == ""
                await bob.press("1")
                await bob.sees("─ Kara (Ana) ─")
                await bob.press("m", "1")
                await bob.sees("Ana plays Kara; ask at the table")
                await with_tayla(bob, ana)
                await bob.press("2", "m")
                assert bob.screen == "ListScreen"
                await bob.press("escape")

        evening(play())

    def test_undo_of_what_a_friend_did_asks_first(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                ana.session.do("change", [{"at": "supply", "by": -1}])
                await even(ana, bob)
                entry = next(one for one in bob.entries() if one.get("did") == "change")
                bob.table.toggle_undone(entry, undone=False)
                await bob.rest()
                await bob.sees("Ana did this: supply 5 → 4.")
                await bob.press("n")
                assert bob.session.state["supply"] == 4
                bob.table.toggle_undone(entry, undone=False)
                await bob.rest()
                await bob.press("y")
                await even(ana, bob)
                assert ana.session.state["supply"] == 5

        evening(play())

    def test_undo_of_a_friends_move_says_whose_it_is_and_what_it_takes(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await with_tayla(bob, ana)
                await bob.press("d", "m", "2", "e", *"6 1 1", "enter", "enter")
                await even(ana, bob)
                await ana.press("J", "U")
                await ana.sees("Bob did this for Tayla: Face Danger, momentum 2 → 3.")
                await ana.press("y")
                await even(ana, bob)
                await bob.press("J")
                await bob.sees("undone by Ana")

        evening(play())

    def test_redo_of_what_a_friend_undid_says_so_and_leaves_a_mark(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                ana.session.do("change", [{"at": "supply", "by": -1}])
                await even(ana, bob)
                bob.session.undos.undo()
                await even(ana, bob)
                await ana.press("ctrl+r")
                await ana.sees("Redo what a friend undid?")
                await ana.sees("Bob undid this: supply 5 → 4.")
                await ana.press("y", "J")
                await ana.sees("supply 5 → 4  redone by Ana")
                await even(ana, bob)
                await bob.press("J")
                await bob.sees("redone by Ana")

        evening(play())

    def test_edit_of_a_friends_line_keeps_its_mark_when_the_friend_crosses_it_out(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await bob.press("j", *"The lamp.", "enter")
                await even(ana, bob)
                await ana.press("J", "e", "y")
                await ana.until(lambda: bool(ana.app.screen.query("#write")))
                await ana.rest()
                await ana.press(*" Kara waves.", "enter")
                await even(ana, bob)
                await bob.press("J", "k")
                await bob.sees("The lamp. Kara waves.  edited by Ana, crossed out")
                await ana.sees("The lamp. Kara waves.  edited by Ana, crossed out")
                await ana.press("k", "y")
                await ana.until(lambda: "crossed out" not in ana.text)
                await ana.press("k", "y")
                await ana.sees("edited and crossed out by Ana")

        evening(play())

    def test_edit_of_what_a_friend_wrote_asks_first_and_says_who_did_it(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await ana.press("j", *"A raven watches.", "enter")
                await even(ana, bob)
                await bob.press("J", "e")
                await bob.sees("Ana wrote this: A raven watches.")
                await bob.press("n", "e", "y")
                ana.table.noticed_at = 0.0  # as if she had read the message long ago
                await bob.until(lambda: bool(bob.app.screen.query("#write")))
                await bob.rest()
                await bob.press(*" It calls.")
                await bob.press("enter")
                await even(ana, bob)
                await bob.sees("Ana: A raven watches. It calls.  edited by Bob")
                await bob.press("k", "y")
                await ana.until(lambda: ana.notice == "Bob crossed out: A raven watches.")
                await bob.sees("crossed out by Bob")
                await bob.press("k")
                await bob.sees("Restore what a friend wrote?")
                await bob.press("y", "j", *"Mine.", "enter", "k")
                await bob.sees("Crossed out.")
                await even(ana, bob)
                assert "by Bob" not in next(line for line in bob.text.splitlines() if "Mine." in line)

        evening(play())

    def test_u_undoes_ones_own_last_thing(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await bob.press("j", *"Mine.", "enter")
                await even(ana, bob)
                await ana.press("j", *"Later.", "enter")
                await even(ana, bob)
                await bob.press("u")
                await even(ana, bob)
                assert "Undone" in bob.notice
                told = [one.get("text") for one in ana.entries() if "text" in one and not ana.session.log.undone(one)]
                assert told[-1] == "Later."
                assert "Mine." not in told

        evening(play())

    def test_due_of_a_friend_is_shown_and_not_offered(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await with_tayla(bob, ana)
                bob.session.do("change", [{"at": "tayla.owed.pay_the_price", "by": 1}], who="tayla")
                await even(ana, bob)
                await ana.sees("due from Bob")
                await ana.press("x")
                assert ana.notice == "Nothing is due from you. Pay the Price is due from Bob."
                ana.session.do("change", [{"at": "kara.owed.endure_harm", "by": 1}], who="kara")
                await even(ana, bob)
                ana.table.show()
                await ana.sees("Kara, Pay the Price due from Bob")
                await bob.press("x")
                assert bob.screen == "Dialog"

        evening(play())

    def test_spectator_follows_and_writes_nothing(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana, guest(ana, tmp_path, "Cyd", "spectator") as cyd:
                await ana.press("j", *"Look here.", "enter")
                await even(ana, cyd)
                await cyd.press("l")
                await cyd.sees("Look here.")
                assert cyd.text.splitlines()[0].endswith("watching")
                await cyd.press("m")
                assert cyd.notice == "This campaign is read-only: you are watching."
                await cyd.press("u")
                await even(ana, cyd)
                ana.session.do("change", [{"at": "kara.owed.pay_the_price", "by": 1}], who="kara")
                await cyd.sees("due from Ana")
                await ana.press("h", "a", "l")
                await cyd.sees("The host has left; you see more once it is back.")

        evening(play())

    def test_spectator_who_joins_again_still_watches(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana, guest(ana, tmp_path, "Cyd", "spectator") as cyd:
                await ana.press("h", "a", "l")
                await cyd.sees("The host has left")
                await ana.press("h", "h")
                await ana.until(lambda: ana.screen == "CodeScreen")
                await cyd.press("h", "j")
                await cyd.type(company(ana).invitation)
                await cyd.press("enter")
                await ana.sees("Cyd knocks, to watch, key ")
                await cyd.sees("Ana is asked to let you in.")
                assert "hosts from here" not in cyd.text
                await ana.press("y")
                await even(ana, cyd)
                await cyd.until(lambda: company_here(cyd) == ("Ana",))
                assert cyd.text.splitlines()[0].endswith("watching")
                assert [*ana.session.state["seats"]] == ["ana"]

        evening(play())


class TestPeople:
    def test_host_on_a_new_computer_keeps_the_seat(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                assert seats.holder(ana.session.state, "kara") == "ana"
            monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new"))
            async with hosting(tmp_path) as ana:
                assert [*ana.session.state["seats"]] == ["ana"]
                assert ana.table.player.active == "kara"

        evening(play())

    def test_damaged_key_is_told_at_the_table(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path):
                pass
            for path in Path(key_folder()).glob("me-*.pem"):
                path.write_text("no key")
            async with playing(tmp_path / "ana" / "vale.toml") as ana:
                await ana.press("h")
                await ana.sees("Can't play together: ")
                assert ana.notice.endswith(" is damaged: delete it, and a new one is made.")

        evening(play())

    def test_host_hands_a_character_over(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                bob.table.noticed_at = 0.0  # as if he had read the message long ago
                await ana.press("P", "2", "1")
                await even(ana, bob)
                assert seats.holder(bob.session.state, "kara") == "bob"
                await bob.until(lambda: bob.notice == "Ana no longer plays Kara, Bob plays Kara")
                await bob.press("1", "m")
                assert bob.screen == "ListScreen"

        evening(play())

    def test_character_that_the_host_makes_is_the_hosts(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await ana.press("c", "d", "enter")
                await even(ana, bob)
                made = next(who for who in bob.session.state["party"] if who != "kara")
                assert seats.holder(bob.session.state, made) == "ana"
                assert bob.table.player.active == ""
                await ana.press("u")
                await even(ana, bob)
                assert [*bob.session.state["seats"]["ana"]["plays"]] == ["kara"]

        evening(play())

    def test_guest_asks_for_a_character_and_the_host_agrees(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                ana.session.do("edit", in_party(TAYLA))
                await even(ana, bob)
                await bob.press("P", "2", "1")
                await ana.sees("Bob wants to play tayla")
                assert seats.holder(ana.session.state, "tayla") == ""
                await ana.press("y")
                await ana.until(lambda: seats.holder(ana.session.state, "tayla") == "bob")
                assert ana.notice == "Accepted: what Bob asked for."

        evening(play())

    def test_code_is_copied_to_the_terminals_clipboard(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                await ana.press("i", "y")
                assert ana.app.clipboard == f"tracker join {company(ana).invitation}"
                assert "Copied." in ana.text

        evening(play())

    def test_dice_are_switched_for_oneself_alone(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await bob.press("d")
                await even(ana, bob)
                assert (ana.app.typed_dice, bob.app.typed_dice) == (False, True)

        evening(play())


class TestSecrets:
    def test_secret_note_travels_only_when_it_is_revealed(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await ana.press("w", "down", "enter")
                assert ana.screen == "NameDialog"
                await ana.type("The drowned king")
                await ana.press("enter")
                await ana.type("He is Kara's father.")
                await ana.press("enter")
                await ana.sees("The drowned king")
                ana.session.write("Rain.")
                await even(ana, bob)
                assert "drowned" not in (tmp_path / "ana" / "vale.toml").read_text(encoding="utf-8")
                await ana.press("up", "enter", "r")
                assert ana.screen == "Dialog"
                await ana.press("enter")
                await ana.until(lambda: bool(ana.session.state["notes"]))
                await even(ana, bob)
                note = next(iter(bob.session.state["notes"].values()))
                assert (note["name"], note["text"]) == ("The drowned king", "He is Kara's father.")
                assert secret_notes(ana.session) == []

        evening(play())

    def test_gm_side_that_the_table_hides_is_on_the_gms_screen_only(self, tmp_path: Path) -> None:
        async def play() -> None:
            (tmp_path / "ana").mkdir()
            campaign(tmp_path / "ana", {"at": "settings.foes", "to": "hidden"}, game=DAGGERHEART)
            async with hosting(tmp_path) as ana, guest(ana, tmp_path, "Bob") as bob:
                await bob.press("g")
                assert bob.screen == "TableScreen"
                await ana.press("g")
                assert ana.screen == "GmScreen"
                ana.session.do("change", [{"at": "settings.foes", "to": "shown"}])
                await even(ana, bob)
                await bob.press("g")
                assert bob.screen == "GmScreen"

        evening(play())


class TestDialogs:
    def test_dialog_says_nothing_about_what_it_does_not_show(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await ana.press("d", "m", "2", "e")
                assert ana.screen == "Dialog"
                await ana.settle()
                before = ana.text
                bob.session.do("change", [{"at": "supply", "by": -1}])
                await even(ana, bob)
                await ana.until(lambda: not ana.table.company or not ana.table.company._collecting)
                assert dialog(ana).message == ""
                await ana.settle()
                assert ana.text.splitlines()[1:] == before.splitlines()[1:]

        evening(play())

    def test_dialog_says_that_what_it_shows_has_changed_and_keeps_the_dice(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await ana.press("d", "m", "2", "e", *"1 9 9", "enter")
                rolled = dialog(ana).run.answers
                bob.session.do("change", [{"at": "kara.momentum", "to": 10}])
                await even(ana, bob)
                await ana.until(lambda: dialog(ana).message == "Changed meanwhile: momentum 2 → 10.")
                assert [one for one in dialog(ana).run.answers if one in rolled] == rolled

        evening(play())

    def test_dialog_of_a_roll_that_a_friend_undoes_ends_with_a_sentence(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with two(tmp_path) as (ana, bob):
                await ana.press("d", "m", "2", "e", *"1 9 9", "enter")
                await even(ana, bob)
                bob.session.undo(dialog(ana).run.opened)
                await even(ana, bob)
                await ana.until(lambda: ana.screen == "TableScreen")
                assert ana.notice == "That roll is already finished or undone."

        evening(play())


def dialog(player: Player) -> Dialog:
    assert isinstance(player.app.screen, Dialog)
    return player.app.screen


class TestComingAndGoing:
    def test_reunion_tells_what_others_did_and_what_changed(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                async with guest(ana, tmp_path, "Bob") as bob:
                    await even(ana, bob)
                for _ in range(2):
                    ana.session.do("change", [{"at": "supply", "by": -1}])
                async with guest(ana, tmp_path, "Bob") as bob:
                    await even(ana, bob)
                    await bob.until(lambda: "while you were apart" in bob.notice)
                    assert bob.notice == "Ana while you were apart: 2 entries; supply 5 → 3."

        evening(play())

    def test_host_leaves_and_a_guest_hosts_from_here(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana, guest(ana, tmp_path, "Bob") as bob:
                await ana.press("i")
                await ana.sees("Here now: Bob.")
                await ana.press("escape", "h", "a")
                await ana.sees("Still here: Bob.")
                await ana.press("s")
                assert company(ana).is_host
                await ana.press("h", "a", "l")
                await ana.until(lambda: ana.notice == "You play alone.")
                await bob.sees("The host has left; you play on alone. h hosts from here.")
                assert "⇄ offline" in bob.text.splitlines()[0]
                await bob.press("j", *"Alone.", "enter")
                await bob.sees("saved · 1 to share")
                await bob.press("h", "h")
                await bob.until(lambda: bob.screen == "CodeScreen")
                await bob.press("escape")
                await ana.press("h", "j")
                await ana.type(f"tracker join {company(bob).invitation}")
                await ana.press("enter")
                await even(ana, bob)
                await ana.until(lambda: company_here(ana) == ("Bob",))
                assert ana.session.by == "ana"
                assert "host ⇄ Ana" in bob.text.splitlines()[0]

        evening(play())

    @pytest.mark.parametrize("key", ["q", "ctrl+q"])
    def test_host_is_asked_before_leaving_guests(self, tmp_path: Path, key: str) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana, guest(ana, tmp_path, "Bob") as bob:
                await ana.press(key)
                await ana.sees("Still here: Bob.")
                await ana.press("enter")
                assert company(ana).is_host
                await ana.press(key)
                await ana.press("l")
                await bob.sees("The host has left")

        evening(play())

    def test_wrong_code_is_one_sentence_and_play_goes_on(self, tmp_path: Path) -> None:
        async def play() -> None:
            async with hosting(tmp_path) as ana:
                wrong = company(ana).invitation.rpartition("/")[0] + "/aaaa-aaaa-aaaa-aaaa"
                (tmp_path / "saves").mkdir()
                async with playing(tmp_path / "saves") as bob:
                    await bob.press("j")
                    assert "What are you called at the table?" in bob.text
                    await bob.type(wrong)
                    await bob.press("enter")
                    await bob.sees("That is a code; it comes next. First your name.")
                    for _ in wrong:
                        await bob.press("backspace")
                    await bob.type("Bob")
                    await bob.press("enter")
                    await bob.type("nonsense")
                    await bob.press("enter")
                    await bob.sees("That isn't a code to join with")
                    await bob.press("escape", "j")
                    for _ in "nonsense":
                        await bob.press("backspace")
                    await bob.type(wrong)
                    await bob.press("enter")
                    await bob.sees("That code is wrong or has expired; ask the host for a new one.")

        evening(play())

    def test_list_hosts_a_campaign_and_joins_one(self, tmp_path: Path) -> None:
        async def play() -> None:
            (tmp_path / "ana").mkdir()
            (tmp_path / "saves").mkdir()
            campaign(tmp_path / "ana", *in_party(TAYLA))
            async with playing(tmp_path / "ana") as ana, playing(tmp_path / "saves") as bob:
                await ana.press("h", "enter", "h")
                await ana.until(lambda: ana.screen == "CodeScreen")
                await ana.press("escape")
                await bob.press("j")
                await bob.type(company(ana).invitation)
                await bob.press("enter")
                await bob.until(lambda: bob.app.session is not None)
                await even(ana, bob)

        evening(play())


class TestMerge:
    @pytest.fixture
    def copies(self, tmp_path: Path) -> Path:
        """Two copies of a campaign in one folder, each with a line of its own."""
        saves = tmp_path / "saves"
        saves.mkdir()
        first = campaign(saves, *in_party(TAYLA))
        shutil.copy(first, saves / "vale (Bob).toml")
        for name, text in (("vale", "At the ford."), ("vale (Bob)", "At the mill.")):
            session = Session.open(str(saves / f"{name}.toml"), disk=QuickDisk())
            session.write(text)
            session.close()
        return saves

    def test_list_unites_two_copies(self, copies: Path) -> None:
        async def play() -> None:
            async with playing(copies) as player:
                await player.press("m", "1")
                await player.sees("only from vale")
            read = [Session.open(str(path), write=False) for path in sorted(copies.glob("*.toml"))]
            told = ["".join(entry.get("text", "") for entry in one.log.entries) for one in read]
            assert sorted(map(len, told)) == [len("At the ford."), len("At the ford.At the mill.")]

        evening(play())

    def test_folder_that_has_vanished_is_told(self, copies: Path) -> None:
        async def play() -> None:
            async with playing(copies) as player:
                shutil.rmtree(copies)
                await player.press("m")
                await player.sees("Can't look for other copies: No such file or directory.")

        evening(play())

    def test_path_without_a_file_is_refused(self, copies: Path) -> None:
        async def play() -> None:
            async with playing(copies) as player:
                await player.press("m", "f", "enter")
                await player.sees("Type the path of a file.")
                await player.type("/nowhere/vale.toml")
                await player.press("enter")
                await player.sees("No file at /nowhere/vale.toml.")

        evening(play())


@SIZES
def test_shared_screens_match_their_goldens(
    size: tuple[int, int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    suffix = f"{size[0]}x{size[1]}"

    async def play() -> None:
        async with hosting(tmp_path, size=size, paints=True) as ana:
            coming = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
            await ana.sees("Bob asks")
            await ana.settle()
            compare(f"together-knock-{suffix}", re.sub(r"[0-9a-f]{4}-[0-9a-f]{4}", "3f9a-21c0", ana.text), request)
            await ana.press("y")
            await ana.until(coming.done)
            async with guest(ana, tmp_path, "Bob", size=size, paints=True) as bob:
                await with_tayla(bob, ana)
                await ana.press("x")
                await ana.settle()
                compare(f"together-table-{suffix}", ana.text, request)
                await bob.press("x", "P")
                await bob.settle()
                compare(f"together-people-{suffix}", without_times(bob.text), request)
                await bob.press("escape")
            for _ in range(2):
                ana.session.do("change", [{"at": "kara.health", "by": -1}, {"at": "supply", "by": -1}], who="kara")
            async with guest(ana, tmp_path, "Bob", size=size, paints=True) as bob:
                await bob.until(lambda: "while you were apart" in bob.notice)
                await even(ana, bob)
                await bob.settle()
                compare(f"together-reunion-{suffix}", bob.text, request)

    evening(play())


def without_times(text: str) -> str:
    at_one_time = re.sub(r"\d+:\d\d [ap]\.m\. *", lambda found: "8:14 p.m.".ljust(len(found[0])), text)
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:47113", at_one_time)


def test_host_that_sends_nothing_is_left_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line is real; all later ones are lost, as with a host that ends after it has let a friend in."""
    knocked: list[Invitation] = []
    dial = arrival.dial

    async def dial_once(invitation: Invitation) -> Line:
        knocked.append(invitation)
        if len(knocked) > 1:
            raise LineClosed(0, "the host is gone")
        return await dial(invitation)

    async def play() -> None:
        async with hosting(tmp_path) as ana:
            monkeypatch.setattr(arrival, "dial", dial_once)
            monkeypatch.setattr(arrival, "PATIENCE", 0.5)
            coming = asyncio.ensure_future(arriving(ana, tmp_path, "Bob"))
            await ana.until(lambda: bool(company(ana).question()))
            await ana.press("y")
            with pytest.raises(Refused, match="sends nothing"):
                await asyncio.wait_for(coming, 60)

    evening(play())
    assert len(knocked) > 1
