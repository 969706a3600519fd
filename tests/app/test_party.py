"""The party screen by keys: the members side by side, who acts, joins and leaves, and what they share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn

from tracker.app.screens.dialog.body import change_lines
from tracker.app.widgets.buttons import ActionChip
from tracker.app.widgets.party_columns import PartyColumns
from tracker.dice import ScriptedDice

BO = {"id": "bo", "name": "Bo", "edge": 1, "heart": 2, "iron": 3, "shadow": 1, "wits": 2}
CY = {"id": "cy", "name": "Cy", "edge": 2, "heart": 1, "iron": 1, "shadow": 3, "wits": 2}


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """Kara, Tayla, Bo and a vow."""
    return campaign(tmp_path, *in_party(KARA, TAYLA, BO), *sworn(HEIR))


def party(player: Player) -> Any:
    return player.session.state["party"]


async def apply(player: Player) -> None:
    """Enter, until the dialog is done; press 0 where marking none needs it. Fail if it does not end."""
    for _ in range(40):
        if player.screen != "Dialog":
            return
        await player.press("enter")
        if "press 0 for none" in player.text:
            await player.press("0")
    raise AssertionError(f"the dialog does not end:\n{player.text}")


class TestSideBySide:
    def test_four_members_fit_a_small_window_with_all_numbers(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, *in_party(KARA, TAYLA, BO, CY), {"at": "cy.momentum", "to": -6})

        async def act(player: Player) -> None:
            await player.press("p")
            assert player.screen == "PartyScreen"
            rows = player.text.splitlines()
            names = next(row for row in rows if "1 Kara" in row and "active" in row)
            assert all(name in names for name in ("Kara", "Tayla", "Bo", "Cy"))
            health = next(row for row in rows if "health " in row and "●" in row)
            assert health.count("●●●●● 5") == 4
            assert "-6" in next(row for row in rows if "momentum " in row and "+2" in row and "saved" not in row)
            assert player.text.count("supply") == 1
            assert "more ›" not in player.text

        play(save, act)

    def test_more_members_scroll_with_the_cursor(self, tmp_path: Path) -> None:
        people = [{**BO, "id": f"p{n}", "name": f"Person {n}"} for n in range(1, 8)]

        async def act(player: Player) -> None:
            await player.press("p")
            assert "3 more ›" in player.text
            card = player.app.screen.query_one(PartyColumns)
            await player.press(*["right"] * 6)
            assert card.here
            assert card.here.member.name == "Person 7"
            assert "‹ 3 more" in player.text

        play(campaign(tmp_path, *in_party(*people)), act)

    def test_marks_due_items_and_fights_are_shown_for_each(self, tmp_path: Path) -> None:
        save = campaign(
            tmp_path,
            *in_party(KARA, TAYLA),
            {"at": "kara.debilities", "add": {"id": "maimed"}},
            {"at": "tayla.owed.pay_the_price", "by": 1},
            {"at": "tracks", "add": {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "dangerous"}},
            {"at": "tayla.initiative", "to": "you"},
            {"at": "kara.status", "to": "dead"},
        )

        async def act(player: Player) -> None:
            await player.press("p")
            for words in ("■ maimed", "due Pay the Price", "fight has initiative", "dead"):
                assert words in player.text

        play(save, act)

    def test_illegal_state_is_told(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, *in_party({**KARA, "edge": 5}))

        async def act(player: Player) -> None:
            await player.press("p")
            assert "rules check: Kara: the stats are not 3, 2, 2, 1 and 1" in player.text

        play(save, act)

    def test_empty_party_says_so(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("escape", "p")
            assert "No characters yet" in player.text
            await player.press("c")
            assert player.screen == "Dialog"

        play(campaign(tmp_path), act)


class TestActiveCharacter:
    def test_enter_activates_the_member_under_the_cursor(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p", "right", "right", "enter")
            assert player.screen == "TableScreen"
            assert player.table.player.active == "bo"

        play(vale, act)

    def test_browsing_party_keeps_active_character(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p", "right", "escape")
            assert player.table.player.active == "kara"
            await player.press("p", "3", "p")
            assert player.table.player.active == "bo"

        play(vale, act)

    def test_click_selects_columns_and_presses_buttons(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p")
            people = player.app.screen.query_one(PartyColumns)
            await player.click(people, (people.size.width - 5, 2))
            assert people.here
            assert people.here.member.id == "bo"
            await player.click(next(iter(player.app.screen.query(ActionChip))))
            assert player.screen == "Dialog"
            assert "Rename a character" in player.text

        play(vale, act)


class TestPartyChanges:
    def test_member_can_be_renamed(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p", "right", "n", *"Tayla Reed")
            await apply(player)
            assert party(player)["tayla"]["name"] == "Tayla Reed"
            assert player.screen == "PartyScreen"
            assert player.entries()[-1]["facts"]["changed"] == ["Tayla is now called Tayla Reed"]
            assert player.table.player.active == "kara"

        play(vale, act)

    def test_member_can_retire_and_return(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p", "right", "r")
            await apply(player)
            assert party(player)["tayla"]["status"] == "retired"
            assert "retired" in player.text
            await player.press("r")
            await apply(player)
            assert party(player)["tayla"]["status"] == "alive"

        play(vale, act)

    def test_confirmation_names_what_leaves_along(self, tmp_path: Path) -> None:
        save = campaign(
            tmp_path,
            *in_party(KARA, TAYLA),
            {"at": "tayla.bonds", "add": {"id": "aren", "name": "Aren"}},
            {"at": "tayla.owed.endure_harm_2", "by": 1},
            {"at": "tayla.setback", "by": 3},
        )

        async def act(player: Player) -> None:
            await player.press("p", "right", "k")
            told = " ".join(player.text.split())
            assert "Tayla leaves the table." in told
            assert "1 bond, due: Endure Harm (2), Face a Setback (3)" in told.replace("│ │ ", "")
            await player.press("escape")
            assert party(player)["tayla"]["status"] == "alive"

        play(save, act)

    def test_removed_member_is_hidden_and_can_be_fetched_back(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("2", "j", *"I go.", "enter", "p", "k")
            await apply(player)
            people = player.app.screen.query_one(PartyColumns)
            assert [person.member.id for person in people.data] == ["kara", "bo"]
            assert player.table.player.active == "kara"
            await player.press("f")
            await apply(player)
            assert [person.member.id for person in people.data] == ["kara", "tayla", "bo"]
            assert player.table.player.active == "tayla"
            await player.press("u")
            assert [person.member.id for person in people.data] == ["kara", "bo"]
            await player.press("u")
            assert [person.member.id for person in people.data] == ["kara", "tayla", "bo"]

        play(vale, act)

    def test_journal_keeps_the_name_of_a_removed_member(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR))

        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("2", "m", "1", "e", "enter", "p", "k")
            await apply(player)
            await player.press("escape")
            await player.sees("strong hit  Tayla: Face Danger")

        play(save, act)

    def test_last_member_may_leave_and_return(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p", "k")
            await apply(player)
            assert "No characters yet" in player.text
            await player.press("f")
            await apply(player)
            assert player.table.player.active == "kara"

        play(campaign(tmp_path, *in_party(KARA)), act)

    def test_open_roll_must_be_finished_before_leaving(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 5, "challenge": [1, 10]})
            await player.press("m", "1", "e", "escape", "p", "k")
            assert player.screen == "PartyScreen"
            assert "Finish or undo your open roll" in player.text
            assert party(player)["kara"]["status"] == "alive"

        play(vale, act)


class TestCharacterCreation:
    @pytest.mark.parametrize(
        ("size", "beside"),
        [((80, 24), False), ((99, 30), False), ((100, 24), True), ((120, 40), True), ((200, 50), True)],
    )
    def test_character_so_far_is_shown_beside_the_question(
        self, tmp_path: Path, size: tuple[int, int], beside: bool
    ) -> None:
        async def act(player: Player) -> None:
            await player.press("c", *"Mira", "enter", "e", "h", "i", "enter")
            await player.sees("Choose up to 3 assets")
            assert ("So far" in player.text) is beside
            assert bool(re.search(r"│ +heart, iron +│", player.text)) is beside
            assert bool(re.search(rf"^╰{'─' * 26}╯", player.text, re.MULTILINE)) is beside

        play(campaign(tmp_path), act, size=size)

    def test_creation_resumes_after_a_restart(self, vale: Path) -> None:
        async def begin(player: Player) -> None:
            await player.press("c", "c", *"Aren", "enter", "i", "ctrl+q")

        async def go_on(player: Player) -> None:
            assert "aren" not in party(player)
            assert player.session.owed("kara")[0].note == "finish it"
            assert not any(action.reason == "finish your roll: x" for action in player.table.view.actions())
            await player.press("c")
            assert "Which two get a 2?" in player.text
            await player.press("e", "w")
            await apply(player)
            assert (party(player)["aren"]["iron"], party(player)["aren"]["edge"]) == (3, 2)
            assert player.table.player.active == "aren"
            assert not player.session.owed("aren")

        play(vale, begin)
        play(vale, go_on)

    def test_first_creation_resumes_by_itself(self, tmp_path: Path) -> None:
        async def begin(player: Player) -> None:
            await player.press("c", *"Aren", "enter", "ctrl+q")

        async def go_on(player: Player) -> None:
            assert player.screen == "Dialog"
            assert "Which stat gets the 3?" in player.text

        save = campaign(tmp_path)
        play(save, begin)
        play(save, go_on)

    def test_creation_can_be_undone(self, vale: Path) -> None:
        async def begin(player: Player) -> None:
            await player.press("c", "c", *"Aren", "enter", "ctrl+q")

        async def take_back(player: Player) -> None:
            await player.press("u")
            assert not player.session.owed("kara")
            await player.press("c")
            assert "roll one up" in player.text

        play(vale, begin)
        play(vale, take_back)

    def test_step_back_keeps_typed_text(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("c", "c", *"Aren", "enter", "escape")
            assert "Aren" in player.text
            await player.press("escape", "escape", "c", "c")
            assert "Aren" in player.text

        play(vale, act)

    def test_random_character_joins_and_becomes_active(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("p", "c", "d")
            await apply(player)
            assert len(party(player)) == 4
            assert player.table.player.active == list(party(player))[-1]
            assert player.screen == "PartyScreen"

        play(vale, act)


class TestSharedMoves:
    """Moves that concern several characters, played by three at one keyboard."""

    def test_shared_supply_is_lost_once(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.session.do("edit", [{"at": "supply", "to": 1}])
            player.session.do("change", [{"at": "supply", "by": -2}], who="kara")
            player.table.show()
            await player.rest()
            everyone = party(player).values()
            assert all("unprepared" in one["debilities"] for one in everyone)
            assert [one["out_of_supply"] for one in everyone] == [1, 1, 1]
            for who in ("kara", "tayla", "bo"):
                await player.press("x")
                assert player.screen == "Dialog"
                await player.press("+")
                await apply(player)
                assert party(player)[who]["out_of_supply"] == 0
            assert not any(player.session.owed(who) for who in party(player))
            assert [entry["who"] for entry in player.entries()[-3:]] == ["kara", "tayla", "bo"]

        play(vale, act)

    def test_camp_lets_each_member_choose(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 10]})
            player.session.do("edit", [{"at": f"{who}.spirit", "to": 3} for who in party(player)])
            await player.press("m", *"make camp", "enter")
            while player.screen == "Dialog" and "choose one" not in player.text:
                await player.press("enter")
            for asked in ("Kara: choose one", "Tayla: choose one", "Bo: choose one"):
                assert f"│  {asked}" in player.text
                await player.press("3", "enter")
            await apply(player)
            assert [one["spirit"] for one in party(player).values()] == [4, 4, 4]
            assert len([entry for entry in player.entries() if entry.get("did") == "adventure/make_camp"]) <= 2

        play(vale, act)

    def test_aid_benefits_the_ally(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", *"aid your", "enter", "3", "h")
            await player.press("2")
            await apply(player)
            assert party(player)["bo"]["momentum"] == 4
            assert party(player)["kara"]["momentum"] == 2
            await player.sees("strong hit  Kara: Aid Your Ally")

        play(vale, act)

    def test_journal_says_who_rolled(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            for n, name in (("1", "Kara"), ("2", "Tayla"), ("3", "Bo")):
                player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
                await player.press(n, "m", "1", "e")
                await apply(player)
                await player.sees(f"strong hit  {name}: Face Danger")

        play(vale, act)


class TestNames:
    def test_rolls_say_who_rolled(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("2", "m", "1", "e", "enter")
            await player.sees("STRONG HIT   Tayla: Face Danger")
            await player.press("l", "l")
            assert "■■ Tayla: Face Danger" in player.text

        play(vale, act)

    def test_journal_line_says_who_speaks(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("3", "j")
            assert "Bo: what happens? Enter saves" in player.text

        play(vale, act)

    def test_preview_has_a_row_for_each_member_if_needed(self) -> None:
        changes = ["Kara: health 5 → 4", "Bo: spirit 5 → 4", "Kara: momentum 2 → 1", "supply 5 → 4"]
        told = [line.plain for line in change_lines(changes, None, 60, ["Kara", "Bo"])]
        assert told[1:] == ["Kara: health 5 → 4   momentum 2 → 1", "Bo: spirit 5 → 4", "supply 5 → 4"]
        assert len(list(change_lines(changes, None, 74, ["Kara", "Bo"]))) == 2, "short enough for one"

    def test_new_member_is_told_last_and_a_track_once(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("t", "enter", "m", "enter")
            await player.sees("last  Kara: Reach a Milestone  Find the lost heir: progress 0 → 2")
            await player.press("c", "d", "enter")
            await player.sees(f"last    {list(party(player).values())[-1]['name']} joins: ")

        play(vale, act)

    def test_due_button_says_how_many_more_have_due_items(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            for who in ("kara", "tayla", "bo"):
                player.session.do("edit", [{"at": f"{who}.owed.pay_the_price", "by": 1}])
            player.table.show()
            await player.sees("Pay the Price▌ Kara, 2 more in the party")

        play(vale, act)

    def test_dead_member_is_marked_and_has_no_actions(self, tmp_path: Path) -> None:
        raider = {"id": "raider", "name": "Raider", "kind": "fight", "rank": "dangerous"}
        fallen = {**TAYLA, "status": "dead", "initiative": "foe"}

        async def act(player: Player) -> None:
            assert "2 Tayla  dead" in player.text
            await player.press("2")
            await player.sees("Fight: Tayla is dead")
            assert not any(line.plain.startswith("can ") for line in player.table.panes.fight.sides.lines(40))  # type: ignore[union-attr]

        play(campaign(tmp_path, *in_party(KARA, fallen), *sworn(raider)), act)

    def test_scene_is_named_over_the_journal_if_the_header_is_full(self, tmp_path: Path) -> None:
        scene = {"at": "scene", "to": "the ford below Ravencliff"}
        crowd = [{**BO, "id": f"bo{n}", "name": f"Bohemund {n}"} for n in range(3)]

        async def act(player: Player) -> None:
            head, *rows = player.text.splitlines()
            assert "the ford" not in head
            assert any("Journal, the ford below Ravencliff" in row for row in rows)

        play(campaign(tmp_path, *in_party(KARA, TAYLA, BO, CY, *crowd), scene), act)
