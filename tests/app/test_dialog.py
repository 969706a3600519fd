"""What the dialog of a move can do beyond a stat and a choice."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn
from textual._styles_cache import StylesCache

from tracker import games
from tracker.app.widgets.options import OptionPicker
from tracker.dice import ScriptedDice

HUNTER = {
    "name": "Hunter",
    "kind": "path",
    "one": {"text": "On a trail that you know, add one.", "on": True, "gives": "+1 gather_information"},
    "two": {"text": "Look again.", "on": True, "gives": "reroll gather_information"},
}


def table(folder: Path, *effects: dict[str, Any], **kara: Any) -> Path:
    return campaign(folder, *in_party({**KARA, **kara}), *sworn(HEIR), *effects)


def throw(player: Player, **faces: Any) -> None:
    player.app.dice = ScriptedDice(faces)


async def make(player: Player, name: str) -> None:
    """Start the move with this name from the picker."""
    await player.press("m", *name, "enter")


class TestAsset:
    def test_ticked_asset_adds_its_bonus(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, action=3, challenge=[4, 9])
            await make(player, "gather")
            assert "Hunter +1" in player.text
            await player.press("1")
            assert "■ Hunter +1" in player.text
            assert "On a trail that you know" in player.text
            await player.press("enter")
            assert "+ wits 1 + Hunter 1 = 5" in player.text

        play(table(tmp_path, assets={"hunter": HUNTER}), act)

    def test_cut_words_of_an_asset_are_whole_below_without_moving_to_it(self, tmp_path: Path) -> None:
        text = "When you follow somebody over bog, ford or ice by a trail that you have walked before, add +1."
        hunter = {**HUNTER, "one": {"text": text, "on": True, "gives": "+1 gather_information"}}

        async def act(player: Player) -> None:
            await make(player, "gather")
            words = " ".join(player.text.replace("│", " ").split())
            assert f"Hunter +1: {text}" in words

        play(table(tmp_path, assets={"hunter": hunter}), act)

    def test_tick_that_excludes_another_disables_its_row(self, tmp_path: Path) -> None:
        two = {
            "text": "Choose one.",
            "on": True,
            "gives": "add: +2 any if alone, gain: momentum +2 any on hit if alone",
        }

        async def act(player: Player) -> None:
            await make(player, "gather")
            rows = [line for line in player.text.splitlines() if "Hunter, add" in line]
            await player.press(rows[0].split("□")[0].strip(" │▐►"))
            assert "■ Hunter, add +2" in player.text
            assert "not together with Hunter, add +2" in player.text

        play(table(tmp_path, assets={"hunter": {**HUNTER, "two": two}}), act)

    def test_asset_offers_reroll_before_outcome_applies(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, action=1, challenge=[4, 9])
            await make(player, "gather")
            await player.press("enter")
            assert "MISS" in player.text
            throw(player, action=6)
            assert "a □ reroll the action die" in player.text
            await player.press("a")
            assert "WEAK HIT" in player.text
            assert "rerolled action 1 → 6 (Hunter)" in player.text
            assert player.entries()[-1].get("open")

        play(table(tmp_path, assets={"hunter": HUNTER}), act)


def test_spread_is_accepted_only_if_the_points_add_up(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("x", "enter")
        assert "Assign 2 points of loss" in player.text
        await player.press("+", "enter")
        assert "Assign 2 points in all, not 1" in player.text
        await player.press("down", "+")
        assert "health 5 → 4" in player.text
        await player.press("enter")
        assert (player.kara["health"], player.kara["spirit"], player.kara["setback"]) == (4, 4, 0)

    play(table(tmp_path, {"at": "kara.setback", "by": 2}), act)


def test_end_of_a_roll_says_what_the_outcome_means(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=4, challenge=[2, 10])
        await make(player, "endure harm")
        while "WEAK HIT" not in player.text:
            await player.press("enter")
        while "Changes" not in player.text:
            await player.press("enter")
        assert "■□ you press on" in player.text

    play(table(tmp_path), act)


def test_optional_choice_has_a_row_for_none(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=6, challenge=[1, 2])
        await make(player, "compel")
        await player.press("h")
        assert "0 □ no" in player.text
        await player.press("0", "enter")
        assert player.screen == "TableScreen"
        assert (player.kara["momentum"], player.kara["owed"]) == (3, {})

    play(table(tmp_path), act)


def test_invalid_number_beside_the_question_is_refused_in_words(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "enter the fray")
        await player.press(*"Wolf", "enter", "f")
        assert "how many of them" in player.text
        while "how many of them" not in str(player.app.focused.row.label):  # type: ignore[union-attr]
            await player.press("up")
        await player.press("+")
        assert "Only troublesome and dangerous foes form packs" in player.text

    play(table(tmp_path), act)


def test_random_character_takes_one_key(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("c", "d", "enter")
        (made,) = [one for ident, one in player.session.state["party"].items() if ident != "kara"]
        assert sorted(made[stat] for stat in ("edge", "heart", "iron", "shadow", "wits")) == [1, 1, 2, 2, 3]
        assert len(made["assets"]) == 3

    play(table(tmp_path), act)


@pytest.mark.parametrize("game", ["ironsworn", "wherever", "daggerheart"])
def test_odd_sided_dice_are_rolled_in_the_app_even_with_typed_dice(tmp_path: Path, game: str) -> None:
    async def act(player: Player) -> None:
        await player.press("escape", "c", "d")
        assert "your dice, with spaces" not in player.text
        await player.press("enter")
        assert len(player.session.state["party"]) == 1

    play(campaign(tmp_path, {"at": "dice_are", "to": "typed in"}, game=games.get(game)), act)


def test_f1_shows_the_credits(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("f1")
        await player.sees("Shawn Tomkin")
        await player.press("escape")
        assert player.screen == "TableScreen"

    play(table(tmp_path), act)


def test_late_offers_are_shown_before_applying(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "forsake")
        await player.press("1")
        assert "Sworn to someone you share a bond with" in player.text
        await player.press("k", "enter")
        assert player.screen == "TableScreen"
        assert player.kara["owed"].keys() == {"endure_stress_2", "test_your_bond"}

    bonds = {"ana": {"name": "Ana"}}
    play(table(tmp_path, bonds=bonds), act)


def test_asterisk_shows_hidden_offers(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=1, challenge=[4, 9])
        await make(player, "gather")
        await player.press("*")
        assert "No more options." in player.text
        await player.press("enter")
        assert "reroll the action die" not in player.text
        throw(player, action=6)
        await player.press("*")
        row = next(line for line in player.text.splitlines() if "reroll the action die" in line)
        await player.press(row.split("□")[0].strip(" │▐►"))
        assert "WEAK HIT" in player.text

    play(table(tmp_path), act)


class TestChooseSeveral:
    def test_space_marks_rows_and_enter_takes_all_marks(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("c", "c", *"Ana", "enter", "e", "h", "i", "enter")
            assert "(Space): 0 of 3 chosen" in player.text
            await player.press("space", "down", "space", "down", "space")
            assert "3 of 3 chosen" in player.text
            await player.press("down")
            assert "Next" in player.text
            await player.press("enter")
            assert "of 3 chosen" not in player.text

        play(table(tmp_path), act)

    def test_letters_filter_a_long_list_and_marks_are_named(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("c", "c", *"Ana", "enter", "e", "h", "i", "enter", *"lynx")
            assert "/ lynx" in player.text
            assert "0 of 3 chosen" in player.text
            assert "companion, health " in player.text
            await player.press("space", *"grave", "1")
            assert "marked: Gray Lynx, Grave Tender" in player.text
            await player.press(*"xyzzy", "backspace", "escape")
            assert "2 of 3 chosen" in player.text

        play(table(tmp_path), act)

    def test_enter_marks_nothing_and_says_how_many_are_missing(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, action=6, challenge=[1, 2])
            await make(player, "sojourn")
            await player.press("enter", "home", "enter")
            assert "Mark two first: Space marks " in player.text
            assert "0 of 2 chosen" in player.text
            await player.press("space", "enter")
            assert "Mark one more first, with Space or an option's key." in player.text
            assert "1 of 2 chosen" in player.text
            await player.press("space")
            assert "0 of 2 chosen" in player.text

        play(table(tmp_path), act)


def test_open_journey_continues_unless_a_new_one_is_chosen(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "undertake")
        assert "■ journey: The salt marshes" in player.text
        assert "□ journey: a new journey" in player.text
        await player.press("n")
        await player.sees("Where are you going?")

    marshes = {"id": "marshes", "name": "The salt marshes", "kind": "journey", "rank": "dangerous"}
    play(table(tmp_path, {"at": "tracks", "add": marshes}), act)


def test_cursor_starts_on_an_option_that_changes_something(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=6, challenge=[1, 2])
        await make(player, "forge")
        await player.press(*"Ana", "enter", "enter")
        assert "►2 ■ momentum +2" in player.text
        await player.press("enter")
        throw(player, action=6, challenge=[1, 2])
        await make(player, "make camp")
        await player.press("enter")
        assert "►4 □ focus" in player.text

    play(table(tmp_path), act)


def test_escape_leaves_a_prefilled_procedure_in_one_step(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("b", "enter", "enter")
        assert " called?" in player.text
        await player.press("escape")
        assert player.screen != "Dialog"

    other = {"name": "Banner", "kind": "path"}
    play(table(tmp_path, assets={"hunter": HUNTER, "banner": other}), act)


def test_footer_names_the_number_that_plus_changes(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "enter the fray")
        await player.press(*"Wolf", "enter", "d")
        assert "+ - Adds" in player.text
        await player.press("+")
        assert "adds +1" in player.text
        assert "how many of them 1" in player.text
        while "how many of them" not in str(player.app.focused.row.label):  # type: ignore[union-attr]
            await player.press("up")
        assert "+ - How many of them" in player.text

    play(table(tmp_path), act, size=(120, 40))


def test_only_the_number_that_plus_changes_says_so(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "enter the fray")
        await player.press(*"Wolf", "enter", "d")
        assert told_to_change(player) == ["adds +0"]
        while "how many of them" not in str(player.app.focused.row.label):  # type: ignore[union-attr]
            await player.press("up")
        assert told_to_change(player) == ["how many of them 1"]
        await player.press("+")
        assert told_to_change(player) == ["how many of them 2"]

    play(table(tmp_path), act)


def told_to_change(player: Player) -> list[str]:
    """Return the rows that say that + and - change them."""
    rows = player.app.screen.query_one(OptionPicker).data
    return [row.label for row in rows if "+ and - change it" in row.note]


def test_dice_key_says_that_it_is_for_the_campaign(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "gather")
        assert "Use real dice" in player.text
        await player.press("d")
        assert "This campaign now uses real dice; d switches back." in player.text
        assert "Use app dice" in player.text

    play(table(tmp_path), act)


def test_enter_label_follows_the_cursor(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "gather")
        await player.press("d", "enter")
        assert "Enter Use these" in player.text
        await player.press("shift+tab")
        assert "Enter Toggle" in player.text
        await player.press("tab")
        assert "Enter Use these" in player.text

    play(table(tmp_path), act)


def test_placeholder_hint_is_told_apart_from_a_default(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("c", "c")
        assert "e.g. Kara" in player.text
        await player.press("escape", "escape")
        await make(player, "forge")
        assert "e.g. Kara" not in player.text

    play(table(tmp_path), act)


def test_optional_line_says_what_enter_does(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "pay the price")
        await player.press("1", "enter")
        assert "Skip" in player.text
        await player.press("t")
        assert "Skip" not in player.text

    play(table(tmp_path), act)


def test_progress_odds_have_names(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "end the fight")
        assert "strong 81% weak 18% miss  1%" in player.text
        assert "after 1 more mark" not in player.text

    foes = [
        {"id": ident, "name": name, "kind": "fight", "rank": "formidable", "ticks": 40}
        for ident, name in (("man", "A broken man with an axe and a grudge"), ("wolf", "Wolf"))
    ]
    mine = [{"at": "kara.initiative", "to": "you"}, {"at": "kara.latest", "to": "strong hit"}]
    play(table(tmp_path, *({"at": "tracks", "add": foe} for foe in foes), *mine), act)


class TestNamedOutcomes:
    def test_obvious_price_is_told_in_the_journal(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await make(player, "pay the price")
            await player.press("1", "enter", *"The bridge falls", "enter")
            assert "Journal  The bridge falls" in player.text
            await player.press("enter")
            assert player.screen == "TableScreen"
            assert player.entries()[-1]["text"] == "The bridge falls"
            await player.sees("The bridge falls")
            await player.press("f")
            await player.sees("The bridge falls")

        play(table(tmp_path), act)

    def test_oracle_tells_which_of_two_named_answers(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, oracle=73)
            await make(player, "ask the oracle")
            await player.press("3", "enter", *"The miller", "enter", *"His son", "enter")
            assert "the likelier one: The miller" in player.text

        play(table(tmp_path), act)

    def test_unnamed_answers_are_told_as_likelier_or_other(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            throw(player, oracle=12)
            await make(player, "pay the price")
            await player.press("2", "enter", "enter")
            assert "the less likely one" in player.text

        play(table(tmp_path), act)


def test_new_journey_tells_its_progress(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=6, challenge=[1, 2])
        await make(player, "undertake")
        await player.press(*"The salt marshes", "enter", "d", "enter")
        assert "new journey: The salt marshes (dangerous, progress 2)" in player.text

    play(table(tmp_path), act)


def test_sojourn_focus_dice_are_on_the_card(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=6, challenge=[1, 2])
        await make(player, "sojourn")
        await player.press("enter")
        await player.sees("0 of 2 chosen")
        await player.press("4", "5")
        assert "spirit 1 → 3" in player.text, "what is marked is what is gained"
        await player.press("enter")
        await player.sees("Roll again to focus")
        row = next(line for line in player.text.splitlines() if "consort" in line)
        await player.press(row.split("consort")[0].strip(" │▐►"))
        throw(player, action=4, challenge=[3, 9])
        await player.press("enter")
        shown = " ".join(player.text.replace("│", " ").split())
        assert "FOCUS: WEAK HIT" in shown
        assert "+ heart 2 = 6 against" in shown
        assert "1 more of consort" in shown

    play(table(tmp_path, spirit=1, health=1), act)


def test_single_offer_is_named_in_the_footer_in_full_or_as_change(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await make(player, "gather")
        assert "k Change" in player.text
        assert "k Among" not in player.text

    play(table(tmp_path, bonds={"ana": {"name": "Ana"}}), act)


def test_unfinished_roll_is_due_in_plain_words(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        throw(player, action=6, challenge=[1, 9])
        await make(player, "face danger")
        await player.press("e", "escape")
        assert [owed.note for owed in player.session.owed("kara")] == ["finish the roll"]

    play(table(tmp_path), act)


def test_closed_dialog_is_freed_from_memory(tmp_path: Path) -> None:
    """An evening of three hours has some hundred moves, each with a dialog."""

    def pictures() -> int:
        gc.collect()
        return sum(isinstance(one, StylesCache) for one in gc.get_objects())

    async def act(player: Player) -> None:
        async def roll_and_undo() -> None:
            throw(player, action=6, challenge=[1, 2])
            await make(player, "face danger")
            await player.press("e")
            assert "STRONG HIT" in player.text
            await player.press("enter", "u")

        await roll_and_undo()
        before = pictures()
        for _ in range(4):
            await roll_and_undo()
        assert pictures() < before + 40  # a dialog has twenty, and the last one may still be there

    play(table(tmp_path), act)
