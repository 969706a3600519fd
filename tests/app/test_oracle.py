"""The oracle by keys: yes or no, tables by group and by name, several at once, the answer in the journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import KARA, TAYLA, Player, campaign, in_party, play
from textual.widgets import Input

from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.options import OptionPicker
from tracker.campaign.session import Session
from tracker.dice import ScriptedDice

TAVERN = """
game = "ironsworn"
[[table]]
id = "tavern"
name = "Tavern talk"
group = "Inns"
rows = ["A debt nobody will name", "Three riders, asking for you"]
"""
WRONG = '[[table]]\nid = "x"\nname = "Bad"\n[[table]]\nid = "y"\n'


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return campaign(tmp_path, *in_party(KARA, TAYLA))


def rolls(player: Player, **faces: int) -> None:
    """Set the dice that fall next."""
    player.app.dice = ScriptedDice({**faces})


def answer(player: Player) -> dict[str, Any]:
    """Return the facts of the newest entry, which must be complete."""
    entry = player.entries()[-1]
    assert not entry.get("open")
    facts: dict[str, Any] = entry["facts"]
    return facts


@pytest.mark.parametrize("key", ["escape", "enter"])
def test_question_can_be_left_when_the_filter_matches_nothing(save: Path, key: str) -> None:
    async def act(player: Player) -> None:
        await player.press("o", *"zzz", "tab", "a", key)
        assert isinstance(player.app.focused, OptionPicker)
        assert "50/50" in player.text
        await player.press("escape")
        assert player.screen == "TableScreen"

    play(save, act)


class TestYesOrNo:
    @pytest.mark.parametrize(
        ("key", "odds", "face", "said"),
        [
            ("1", "almost certain", 11, "yes"),
            ("2", "likely", 25, "no"),
            ("3", "50/50", 51, "yes"),
            ("4", "unlikely", 75, "no"),
            ("5", "small chance", 91, "yes"),
        ],
    )
    def test_three_keys_ask_at_each_of_the_odds(self, save: Path, key: str, odds: str, face: int, said: str) -> None:
        async def act(player: Player) -> None:
            rolls(player, oracle=face)
            await player.press("o", key)
            assert f"{face}  {said.upper()}" in player.text
            await player.press("enter")
            assert player.screen == "TableScreen"
            assert (answer(player)["odds"], answer(player)["answer"]) == (odds, said)
            await player.sees(f"{face} {said}  Kara: Ask the Oracle")

        play(save, act)

    def test_question_is_kept_and_told_with_the_answer(self, save: Path) -> None:
        async def act(player: Player) -> None:
            rolls(player, oracle=64)
            await player.press("o", "tab")
            await player.type("Are there 3 of them?")
            await player.press("enter", "2")
            assert "YES   Are there 3 of them? likely" in player.text
            await player.press("enter")
            assert answer(player)["question"] == "Are there 3 of them?"
            await player.sees("Are there 3 of them? likely")

        play(save, act)

    def test_unanswered_question_is_proposed_again(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "tab")
            await player.type("Is the barrow guarded?")
            await player.press("enter", "escape", "o")
            assert "Is the barrow guarded?" in player.text
            await player.press("3", "enter")
            assert answer(player)["question"] == "Is the barrow guarded?"
            await player.press("o")
            assert player.app.screen.query_one("#question", Input).value == ""

        play(save, act)

    def test_oracle_picks_the_likelier_of_two(self, save: Path) -> None:
        async def act(player: Player) -> None:
            rolls(player, oracle=25)
            await player.press("o", "tab")
            await player.type("Who holds the ford?")
            await player.press("enter", "6")
            await player.type("bandits")
            await player.press("enter")
            await player.type("the dead")
            await player.press("enter", "enter")
            assert player.screen == "TableScreen", player.text
            assert answer(player)["told"] == "the less likely one: the dead"
            assert answer(player)["question"] == "Who holds the ford?"

        play(save, act)

    def test_match_is_told(self, save: Path) -> None:
        async def act(player: Player) -> None:
            rolls(player, oracle=77)
            await player.press("o", "3")
            assert "a match: an extreme answer, or a twist" in player.text

        play(save, act)


class TestTables:
    def test_action_and_theme_take_one_key(self, save: Path) -> None:
        async def act(player: Player) -> None:
            rolls(player, action=1, theme=100)
            await player.press("o", "7", "enter")
            assert (answer(player)["tables"], answer(player)["faces"]) == (["Action", "Theme"], [1, 100])
            await player.sees("Action + Theme: ")
            assert "last" in player.text

        play(save, act)

    def test_group_opens_and_closes(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", *["down"] * 9)
            assert "+ Core" in player.text
            assert "□ Action" not in player.text
            await player.press("enter")
            assert "- Core" in player.text
            assert "□ Action" in player.text
            await player.press("left")
            assert "□ Action" not in player.text
            await player.press("right", "down")
            rolls(player, action=40)
            await player.press("enter", "enter")
            assert answer(player)["tables"] == ["Action"]

        play(save, act)

    def test_typing_filters_by_name_and_by_group(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", *"weath")
            assert "Weather" in player.text
            assert "Action" not in player.text
            await player.press(*["backspace"] * 5, *"peopl")
            assert "Rumor" in player.text
            await player.press(*"zz")
            assert "Nothing matches" in player.text
            await player.press("escape")
            assert "almost certain" in player.text
            await player.press("escape")
            assert player.screen == "TableScreen"

        play(save, act)

    def test_digit_asks_among_the_matches(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", *"likely")
            assert "1 likely" in player.text
            await player.press("2", "enter")
            assert answer(player)["odds"] == "unlikely"

        play(save, act)

    def test_marked_tables_are_rolled_together(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", *"weath", "space", *["backspace"] * 5, *"rumo", "space")
            assert "marked: Weather + Rumor" in player.text
            rolls(player, weather=3, rumour=50)
            await player.press("enter", "enter")
            assert answer(player)["tables"] == ["Weather", "Rumor"]

        play(save, act)

    def test_at_most_three_tables_can_be_marked(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", *"people", "space", "down", "space", "down", "space", "down", "space")
            assert "Roll 3 tables at most" in player.text
            await player.press("up", "space", "down", "space")
            assert "at most" not in player.text
            assert player.text.count("■ ") == 3

        play(save, act)

    def test_only_tables_can_be_marked(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "space")
            assert "Move to a table first" in player.text
            await player.press("down")
            assert "Move to a table first" not in player.text

        play(save, act)

    def test_table_can_be_read_before_the_roll(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", *"challenge")
            assert "dangerous" in player.text.lower()

        play(save, act, size=(120, 40))


class TestPlayersTables:
    def test_own_tables_are_listed(self, save: Path) -> None:
        content = save.parent / "content"
        content.mkdir()
        (content / "mine.toml").write_text(TAVERN, encoding="utf-8")

        async def act(player: Player) -> None:
            rolls(player, tavern=2)
            await player.press("o", *"tavern", "enter", "enter")
            assert answer(player)["told"] == "Three riders, asking for you"

        play(save, act)

    def test_all_problems_in_own_files_are_told(self, save: Path) -> None:
        content = save.parent / "content"
        content.mkdir()
        (content / "mine.toml").write_text(TAVERN + WRONG, encoding="utf-8")

        async def act(player: Player) -> None:
            await player.until(lambda: "1 more: o shows all." in player.notice)
            await player.press("o", *["down"] * 20, "enter")
            assert "mine.toml, line 8" in player.text
            assert "mine.toml, line 11" in player.text
            await player.press("escape")
            assert "Your files and packs" in player.text

        play(save, act)


class TestAnswer:
    def test_sentence_is_in_the_same_entry(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "3", "n")
            await player.type("Two of them, asleep.")
            await player.press("enter")
            assert player.screen == "TableScreen"
            assert player.entries()[-1]["text"] == "Two of them, asleep."
            await player.sees("Kara: Two of them, asleep.")
            await player.press("u")
            await player.until(lambda: "Two of them" not in player.text)

        play(save, act)

    def test_sentence_is_kept_on_quit(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "3", "n")
            await player.type("Two of them, asleep.")
            await player.press("ctrl+q")

        async def later(player: Player) -> None:
            await player.press("x", "enter")
            assert player.entries()[-1]["text"] == "Two of them, asleep."

        play(save, act)
        play(save, later)

    def test_escape_keeps_the_sentence_then_the_answer(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "3", "n")
            await player.type("Half a thought")
            await player.press("escape")
            assert "Half a thought" in player.text
            await player.press("escape")
            assert "almost certain" in player.text
            assert player.entries()[-1]["text"] == "Half a thought"
            assert player.app.screen.query_one("#question", Input).value == ""
            await player.press("escape")
            assert player.screen == "TableScreen"

        play(save, act)

    def test_roll_again_keeps_both_answers(self, save: Path) -> None:
        async def act(player: Player) -> None:
            rolls(player, oracle=10)
            await player.press("o", "tab", "y", "enter", "4")
            rolls(player, oracle=90)
            await player.press("r")
            assert "90  YES" in player.text
            await player.press("enter")
            told = [entry["facts"] for entry in player.entries() if "facts" in entry and "odds" in entry["facts"]]
            assert [(facts["answer"], facts["question"]) for facts in told] == [("no", "y"), ("yes", "y")]

        play(save, act)

    def test_question_is_asked_again_after_the_answer_was_noted(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "3", "n", *"So", "escape", "r")
            assert player.entries()[-2]["text"] == "So"
            assert "So" not in player.text.split()
            await player.press("enter")
            assert player.screen == "TableScreen"
            assert "text" not in player.entries()[-1]

        play(save, act)

    def test_every_button_can_be_clicked(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("o", "3")
            for name in ("again", "note"):
                await player.click(player.app.screen.query_one(f"#{name}", Chip))
            await player.press("escape")
            await player.click(player.app.screen.query_one("#back", Chip))
            assert player.screen == "OracleScreen"
            await player.press("3")
            await player.click(player.app.screen.query_one("#accept", Chip))
            assert player.screen == "TableScreen"

        play(save, act)

    def test_answer_is_saved_before_it_is_shown_and_survives_a_crash(self, save: Path) -> None:
        async def act(player: Player) -> None:
            rolls(player, oracle=64)
            await player.press("o", "3")
            there = Session.open(str(save), write=False)
            assert there.log.entries[-1]["answers"][-1] == ["dice", {"oracle": 64}]
            there.close()

        play(save, act)

        async def come_back(player: Player) -> None:
            await player.press("x")
            assert "64  YES" in player.text
            await player.press("enter")
            assert answer(player)["answer"] == "yes"

        play(save, come_back)

    def test_oracle_answers_while_a_roll_is_unfinished(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("r", "e", "escape")
            unfinished = [entry["id"] for entry in player.session.log.open_runs()]
            assert unfinished
            rolls(player, oracle=64)
            await player.press("o", "3")
            assert "64  YES" in player.text
            await player.press("enter")
            assert answer(player)["answer"] == "yes"
            assert [entry["id"] for entry in player.session.log.open_runs()] == unfinished

        play(save, act)


class TestTypedDice:
    def test_faces_are_typed_on_the_same_screen(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "o", "7")
            await player.type("12 101")
            await player.press("enter")
            assert "goes from 1 to 100" in player.text
            await player.press(*["backspace"] * 3, *"00", "enter", "enter")
            assert answer(player)["faces"] == [12, 100]

        play(save, act)

    def test_question_is_shown_while_d100_faces_are_typed(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "o", "tab", *"Who?", "enter", "2", *"5 5", "enter")
            assert "Who?" in player.text
            assert "yes 75%" in player.text
            assert "5 and 5 is 55" in player.text

        play(save, act)

    def test_change_of_dice_is_shown_on_the_list(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "o", "3", "d")
            assert "Roll" in player.text
            await player.press("escape")
            assert "Kara · app dice" in player.text
            assert "almost certain" in player.text

        play(save, act)

    def test_escape_before_the_faces_leaves_nothing_behind(self, save: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d")
            before = len(player.entries())
            await player.press("o", "tab", *"why", "enter", "3", "escape")
            assert player.app.screen.query_one("#question", Input).value == "why"
            await player.press("escape")
            assert len(player.entries()) == before

        play(save, act)


def test_oracle_without_a_character_is_refused(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("escape", "o")
        assert player.notice == "No character yet: c makes one."

    play(campaign(tmp_path), act)


def test_unasked_question_is_proposed_once(save: Path) -> None:
    async def types(player: Player) -> None:
        await player.press("o", "tab", *"Is it far?", "ctrl+q")

    async def asks(player: Player) -> None:
        await player.press("o")
        assert "Is it far?" in player.text
        await player.press("2", "enter")
        assert answer(player)["question"] == "Is it far?"
        await player.press("o")
        assert player.app.screen.query_one("#question", Input).value == ""

    play(save, types)
    play(save, asks)


def test_names_of_tables_are_whole_in_the_smallest_window(save: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("o")
        assert "8 Character role + goal" in player.text
        await player.press(*"name")
        assert "Name of a settlement▌" in player.text

    play(save, act, size=(60, 18))


def test_space_in_a_name_goes_into_the_filter_and_marks_nothing(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("o", *"what", "space", *"they")
        assert "/ what they" in player.text
        assert "marked:" not in player.text
        assert "What they want right now" in player.text

    play(campaign(tmp_path, *in_party(KARA)), act)
