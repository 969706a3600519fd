"""Each kind of prompt in plain mode: the printed block, and the meaning of an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.plain.helpers import HEIR, KARA, campaign, making_kara, opened, plain, state

from tracker.campaign.unsent_input import PendingInput, load_input, save_input
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Confirm, Number, Option, Pick, Prompt, Roll, Spread, Text
from tracker.plain import prompts

FOUR = (
    Option("edge", "edge 3", odds=(("strong", 30, "good"), ("miss", 70, "bad")), hot="e"),
    Option("press_on", "go on: momentum -2", note="■■ 2 → 0"),
    Option("harm", "Endure Harm (1)", reason="health is 0"),
    Option("heart", "heart 2", hot="h"),
)
PICK = Pick(key="using", title="Roll with", options=FOUR)
SIZES = Pick(
    key="segments",
    title="How many?",
    options=tuple(Option(str(n), f"{n} segments") for n in (4, 6, 8, 10)),
    default="6",
)
TWO = Choose(key="choose", title="Which two?", options=FOUR, least=2, most=2)
ANY = Choose(key="choose", title="Any", options=FOUR, least=0, most=3)
SPREAD = Spread(
    key="exchange",
    title="Spread 3",
    points=3,
    targets=((Option("health", "health"), 2), (Option("xp", "xp earned"), 5)),
)
NUMBER = Number(key="amount", title="How much?", low=-3, high=9)
TEXT = Text(key="name", title="What is it called?", most=10, hint="Kara")
ROLL = Roll(
    key="dice",
    title="Roll +edge",
    dice={"action": 6, "challenge": (10, 10)},
    odds=(("strong", 30, "good"), ("miss", 70, "bad")),
)
CONFIRM = Confirm(key="burn", title="Burn momentum", note="■■ STRONG HIT  momentum 9 → 2")


class TestBlock:
    @pytest.mark.parametrize(
        ("prompt", "lines"),
        [
            (
                PICK,
                [
                    "Roll with:",
                    "1. edge 3: strong 30%, miss 70%",
                    "2. go on: momentum -2, 2 to 0",
                    "3. Endure Harm (1), not now: health is 0",
                    "4. heart 2",
                    "Type a number or a word",
                ],
            ),
            (
                SIZES,
                [
                    "How many?",
                    *("4 segments", "6 segments", "8 segments", "10 segments"),
                    "Type a number or a word; Enter takes 6",
                ],
            ),
            (
                SPREAD,
                [
                    "Spread 3:",
                    "health, up to 2",
                    "xp earned, up to 5",
                    "Type where it goes, e.g. health 2, xp earned 1",
                ],
            ),
            (NUMBER, ["How much?", "Type a number from -3 to 9"]),
            (TEXT, ["What is it called?", "For example: Kara", "Type a line"]),
            (ROLL, ["Roll +edge:", "strong 30%, miss 70%", "Enter rolls"]),
            (CONFIRM, ["Burn momentum:", "Yes: STRONG HIT, momentum 9 to 2", "Type yes or no"]),
        ],
        ids=["pick", "sizes", "spread", "number", "text", "roll", "confirm"],
    )
    def test_block_has_the_question_the_options_and_how_to_answer(self, prompt: Prompt, lines: list[str]) -> None:
        assert [*prompts.block(prompt), prompts.how(prompt, by_hand=False)] == lines

    def test_block_says_how_many_to_choose(self) -> None:
        assert prompts.how(TWO, by_hand=False) == "Type 2 numbers or words, separated by commas"
        assert prompts.how(ANY, by_hand=False) == "Type 0 to 3 numbers or words, separated by commas; Enter skips"

    def test_block_says_which_faces_in_which_order(self) -> None:
        assert prompts.how(ROLL, by_hand=True) == "Type your dice, in this order: action d6, challenge 2d10"

    def test_block_says_what_enter_takes(self) -> None:
        taken = Pick(key="track", title="How?", options=FOUR, default="press_on")
        assert prompts.how(taken, by_hand=False) == "Type a number or a word; Enter takes 2"

    def test_block_says_how_to_clear_a_text(self) -> None:
        stands = Text(key="armor", title="Which armor?", empty=True, default="Leather")
        assert prompts.how(stands, by_hand=False) == "Type a line; Enter takes “Leather”, - leaves it empty"
        assert prompts.parsed(stands, "-") == ""
        assert prompts.parsed(TEXT, "-") == "-"

    def test_quoted_word_of_plain_mode_answers_a_text(self) -> None:
        assert prompts.parsed(TEXT, '"help"') == "help"
        assert prompts.parsed(TEXT, "“leave”") == "leave"
        assert prompts.parsed(TEXT, '"run"') == '"run"'

    @pytest.mark.parametrize(
        ("prompt", "value", "lines"),
        [
            (
                CONFIRM,
                False,
                ["Burn momentum: no. To change it, type burn momentum yes (STRONG HIT, momentum 9 to 2)."],
            ),
            (CONFIRM, True, ["Burn momentum: yes. To change it, type burn momentum no."]),
            (NUMBER, 2, ["How much? 2. To change it, type amount and a number from -3 to 9."]),
            (
                Number(key="amount", title="health gained:", low=0, high=2),
                2,
                ["health gained: 2. To change it, type health gained and a number from 0 to 2."],
            ),
            (Number(key="amount", title="points", low=3, high=3), 3, []),
            (TEXT, "", ["What is it called: none. To add one, type for example “name Kara”."]),
            (
                Text(key="question", title="Your question (optional)", empty=True, hint="Is Aren alive?"),
                "",
                ["Your question: none. To add one, type for example “your question Is Aren alive?”."],
            ),
            (
                SPREAD,
                {"health": 2, "xp": 1},
                ["Spread 3: health 2, xp earned 1. To change it, type exchange and your answer."],
            ),
            (Pick(key="way", title="way", options=FOUR[2:3]), FOUR[2].key, []),
            (
                Pick(key="way", title="way", options=FOUR[:2]),
                "press_on",
                ["way: go on: momentum -2. To change it, type: “way edge 3” (strong 30%, miss 70%)"],
            ),
            (
                Choose(key="helped_by", title="Assets that help", options=FOUR[:2], least=0, most=2),
                [],
                [
                    "Assets that help: none. To change it, type:",
                    "“assets that help edge 3” (strong 30%, miss 70%)",
                    "“assets that help go on: momentum -2” (2 to 0)",
                ],
            ),
        ],
    )
    def test_offer_says_what_is_chosen_and_what_to_type(self, prompt: Prompt, value: Any, lines: list[str]) -> None:
        assert list(prompts.offer(prompt, value)) == lines

    def test_title_that_is_printed_can_be_typed(self) -> None:
        assert prompts.names(Number(key="amount", title="health gained:", low=0, high=2)) == ("health gained", "amount")
        assert prompts.names(Choose(key="helped_by", title="What helps?", options=FOUR)) == ("helped by", "helped_by")


class TestParsed:
    @pytest.mark.parametrize(
        ("prompt", "line", "answer"),
        [
            *((PICK, line, "edge") for line in ("1", "e", "edge", "EDGE", "edge 3", " edge ", "ed")),
            *((PICK, line, "press_on") for line in ("2", "press on", "press_on", "go on", "momentum", "mom")),
            *((SIZES, line, "4") for line in ("4", "4 segments")),
            (SIZES, "10", "10"),
            (TWO, "1, 4", ["edge", "heart"]),
            (TWO, "4 1", ["heart", "edge"]),
            (TWO, "edge 3, heart 2", ["edge", "heart"]),
            (TWO, "e h", ["edge", "heart"]),
            (ANY, "go on: momentum -2", ["press_on"]),
            (SPREAD, "health 1, xp 2", {"health": 1, "xp": 2}),
            (SPREAD, "health=2 xp earned: 1", {"health": 2, "xp": 1}),
            (SPREAD, "xp 3 health 0", {"xp": 3}),
            (NUMBER, "7", 7),
            (NUMBER, "-3", -3),
            (NUMBER, "+2", 2),
            (TEXT, " Kara ", "Kara"),
            (TEXT, "7", "7"),
            (ROLL, "4 10 1", {"action": 4, "challenge": [10, 1]}),
            (ROLL, "4,0,1", {"action": 4, "challenge": [10, 1]}),
            *((CONFIRM, line, True) for line in ("yes", "y", "YES")),
            *((CONFIRM, line, False) for line in ("no", "n")),
        ],
    )
    def test_answer_is_taken(self, prompt: Prompt, line: str, answer: Any) -> None:
        assert prompts.parsed(prompt, line) == answer

    @pytest.mark.parametrize(
        ("prompt", "line", "why"),
        [
            (SIZES, "1", "“1” isn't an option; choose 4 segments or 6 segments or 8 segments or 10 segments."),
            (
                PICK,
                "luck",
                "“luck” isn't an option; choose edge 3 or go on: momentum -2 or Endure Harm (1) or heart 2.",
            ),
            (PICK, "5", "“5” isn't an option"),
            (PICK, "0", "“0” isn't an option"),
            (PICK, "harm", "Endure Harm (1): health is 0."),
            (PICK, "3", "Endure Harm (1): health is 0."),
            (PICK, "mo", "“mo” isn't an option"),
            (PICK, "arm", "“arm” isn't an option"),
            (TWO, "1", "Choose 2, not 1."),
            (TWO, "1, 1", "You can't choose the same thing twice."),
            (TWO, "1, 9", "“9” isn't an option"),
            (SPREAD, "1 2", "Which one gets 1? Type its name before it."),
            (SPREAD, "health", "How many for health? Type a number after it."),
            (SPREAD, "health 1", "Assign 3 points in all, not 1."),
            (SPREAD, "health 3", "health takes at most 2, not 3."),
            (SPREAD, "health 1 health 1 xp 1", "health is named twice."),
            (SPREAD, "luck 3", "“luck” isn't an option; choose health or xp earned."),
            (NUMBER, "10", "Type a number from -3 to 9"),
            (NUMBER, "+-2", "Type a number from -3 to 9"),
            (NUMBER, "many", "Type a number from -3 to 9"),
            (TEXT, "x" * 11, "the limit is 10"),
            (ROLL, "4 10", "Type 3 results: action d6, challenge 2d10."),
            (ROLL, "7 1 1", "The action die goes from 1 to 6, not 7."),
            (ROLL, "a b c", "“a” is not a die result."),
            (CONFIRM, "maybe", "Type yes or no"),
        ],
    )
    def test_wrong_answer_is_refused_in_one_sentence(self, prompt: Prompt, line: str, why: str) -> None:
        with pytest.raises(Refused) as refused:
            prompts.parsed(prompt, line)
        assert why in str(refused.value)

    def test_refusal_does_not_repeat_many_options(self) -> None:
        many = Pick(key="x", title="x", options=tuple(Option(f"a{n}", f"asset {n}") for n in range(30)))
        with pytest.raises(Refused, match=r"^“luck” isn't an option; choose one of 30\.$"):
            prompts.parsed(many, "luck")

    def test_part_that_fits_two_options_is_refused(self) -> None:
        with pytest.raises(Refused, match="could be Endure Harm"):
            prompts.parsed(
                Pick(key="x", title="x", options=(Option("a", "Endure Harm"), Option("b", "Endure Stress"))), "endure"
            )


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    return campaign(tmp_path, KARA, HEIR)


class TestMove:
    def test_wrong_answer_is_reported_and_asked_again(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "luck", "e", "7 1 1", "9", "3 5 9", "gold", "supply", "what", "")
        asked = "Type a number or a word. Also: back, help, leave."
        at = told.lines.index("“luck” isn't an option; choose edge 3 or heart 2 or iron 2 or shadow 1 or wits 1.")
        assert told.lines[at + 1] == asked
        assert "The action die goes from 1 to 6, not 7." in told.lines
        assert "Type 3 results: action d6, challenge 2d10." in told.lines
        assert "Nothing left to answer; “what” was ignored." in told.lines
        assert "Face Danger: supply 5 to 4. Saved." in told.lines
        answers = dict(opened(vale).log.entries[-1]["answers"])
        assert answers["using"] == "edge"
        assert answers["dice"] == {"action": 3, "challenge": [5, 9]}
        assert answers["choose"] == ["supply"]

    def test_empty_line_repeats_the_block_if_it_answers_nothing(self, vale: Path) -> None:
        told = plain(vale, "danger", "", "")
        assert told.lines.count("Roll with:") == 3

    def test_step_back_asks_again_and_leaving_the_first_question_changes_nothing(self, vale: Path) -> None:
        before = vale.read_bytes()
        told = plain(vale, "swear", "To go", "back", "back")
        assert told.lines.count("What do you swear to do?") == 2
        assert told.lines[-3] == "Nothing has changed."
        assert vale.read_bytes() == before

    def test_odd_sided_dice_are_rolled_here_though_dice_are_typed(self, vale: Path) -> None:
        told = plain(vale, "dice", "make a character", "roll one up", "")
        assert "Type your dice" not in told.text
        assert len(state(vale)["party"]) == 2

    def test_no_step_leads_back_before_the_dice(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "e", "3 5 9", "back", "momentum", "back", "supply", "")
        assert "The dice are rolled; you can't go back past them. Type leave to finish later." in told.lines
        assert "Face Danger: supply 5 to 4. Saved." in told.lines

    def test_leaving_makes_the_roll_due_with_the_answers_since(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "e", "3 5 9", "momentum", "leave", "owed", "")
        assert "Face Danger is unfinished: due resumes it." in told.lines
        assert "Face Danger: momentum 2 to 1. Saved." in told.lines

    def test_help_explains_the_move_and_quit_makes_the_roll_due(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "help", "e", "3 5 9", "quit", "undo")
        assert "Face Danger: You try something risky, or a threat is upon you." in told.lines
        assert told.lines.count("Roll with:") == 1
        assert told.lines[-1].endswith("Face Danger is unfinished.")
        assert "back goes back a step, leave stops here, quit ends; rolled dice are kept." in told.lines
        assert opened(vale).log.open_runs()

    def test_quiet_answers_change_the_odds_and_the_roll(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "adds 2", "adds 99", "adds", "e", "3 7 7", "")
        assert "adds: 2." in told.lines
        assert "1. edge 3: strong 56%, weak 35%, miss 9%" in told.lines
        assert told.text.count("Type a number from -9 to 9.") == 2
        assert "3 + edge 3 + 2 = 8" in told.lines

    def test_hidden_options_can_be_asked_for(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "e", "1 9 9", "leave", "dice")
        assert "reroll" not in told.text.lower()
        told = plain(vale, "owed", "reroll challenge 1, action", "undo", words=("--seed", "1"))
        assert "Face Danger +edge" in told.after("Due: Face Danger, finish the roll")
        assert len([line for line in told.lines if line.startswith("Dice: ")]) == 2

    def test_burn_is_offered_where_it_helps_and_can_be_revoked(self, vale: Path) -> None:
        told = plain(vale, "momentum 9", "dice", "danger", "e", "1 5 8", "burn", "burn no", "burn yes", "")
        offer = "Burn momentum: no. To change it, type burn momentum yes (STRONG HIT, momentum 9 to 2, then the result applies)."
        assert told.lines.count(offer) == 1
        assert told.after("Burn momentum: yes.")[:3] == [
            "Face Danger +edge, momentum 9",
            "Dice: 1 action, challenge 5 beaten, challenge 8 beaten",
            "STRONG HIT",
        ]
        assert told.lines.count("Dice: 1 action, challenge 5 holds, challenge 8 holds") == 2
        assert "burned momentum, 9, beats the 5 and the 8 (was a miss)" in told.lines
        assert "Face Danger: momentum 9 to 3. Saved." in told.lines
        assert "Burn momentum" not in plain(vale, "dice", "danger", "e", "6 1 1").text

    def test_card_is_told_as_the_game_phrases_it(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "e", "3 5 9")
        assert told.after("Type your dice, in this order: action d6, challenge 2d10. Also: back, help, leave.")[:9] == [
            "Face Danger +edge",
            "Dice: 3 action, challenge 5 beaten, challenge 9 holds",
            "WEAK HIT",
            "3 + edge 3 = 6",
            "6 beats the 5, but not the 9",
            "You get through, at a cost. Choose one:",
            "1. momentum -1: 2 to 1",
            "2. Endure Harm (1): your next move",
            "3. Endure Stress (1): your next move",
        ]

    def test_card_is_repeated_only_when_it_changed(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "e", "3 5 9", "", "gold", "momentum", "back", "supply", "leave", "owed")
        assert told.lines.count("WEAK HIT") == 2

    def test_disabled_option_is_told_with_its_reason(self, vale: Path) -> None:
        told = plain(vale, "mark wounded", "dice", "endure harm", "1", "6 1 1", "1", "2", "")
        assert "1. shake it off: momentum -1, health +1, not now: wounded" in told.lines
        assert "shake it off: momentum -1, health +1: wounded." in told.lines
        assert "Endure Harm: health 5 to 4, momentum 2 to 3. Saved." in told.lines

    def test_points_are_spread(self, vale: Path) -> None:
        told = plain(vale, "momentum -9", "momentum -2", "owed", "", "health 9", "health 2, supply 1", "")
        assert "3 to pay. What with?" in told.lines
        assert "Type a number or a word; Enter takes 1. Also: back, help, leave." in told.lines
        assert "health takes at most 5, not 9." in told.lines
        kara = state(vale)["party"]["kara"]
        assert (kara["health"], state(vale)["supply"], kara["setback"]) == (3, 4, 0)

    def test_app_dice_need_only_enter(self, vale: Path) -> None:
        told = plain(vale, "swear", "To go", "epic", "4 5 6", "", words=("--seed", "3"))
        assert "tracker rolls these. For real dice, type dice before a move." in told.lines
        assert any(line.startswith("Dice: ") for line in told.lines)

    def test_character_may_be_called_like_a_command(self, tmp_path: Path) -> None:
        save = campaign(tmp_path)
        plain(save, *("Back" if line == "Kara" else line for line in making_kara()))
        assert state(save)["party"]["back"]["name"] == "Back"


class TestAside:
    """What a player can type in a move without answering its prompt."""

    def test_reading_words_read_out_and_the_question_stays(self, vale: Path) -> None:
        told = plain(vale, "danger", "sheet", "tracks", "due", "moves combat", "journal", "e")
        assert told.lines.count("health 5 of 5") == 2
        assert "Find the lost heir: dangerous vow, 0 of 10 boxes" in told.after("Face Danger")
        assert "Nothing is due." in told.lines
        assert "Combat:" in told.lines
        assert "Quest:" not in told.lines
        assert told.lines.count("Roll with:") == 1
        assert "Face Danger +edge" in told.lines

    def test_unknown_group_of_moves_is_refused_with_the_groups(self, vale: Path) -> None:
        told = plain(vale, "moves juggling")
        assert any(line.startswith("No group of moves is called “juggling”; choose from: ") for line in told.lines)

    def test_note_is_kept_by_back_out_of_the_first_question(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "note The ford.", "back", "danger", "e", "6 1 1", "")
        assert "Nothing has changed. Your note is kept for the next Face Danger." in told.lines
        assert opened(vale).log.entries[-1]["text"] == "The ford."

    @pytest.mark.parametrize("end", [("leave", "quit"), ("back", "quit"), ("quit",), ()])
    def test_note_is_kept_over_the_end_of_the_session(self, vale: Path, end: tuple[str, ...]) -> None:
        plain(vale, "danger", "note The ford.", *end)
        assert list(vale.parent.glob(".*draft"))
        told = plain(vale, "dice", "danger", "e", "6 1 1", "", "danger", "leave")
        assert told.lines.count("Note: The ford.") == 1
        assert "The ford." in plain(vale, "journal").text
        assert not list(vale.parent.glob(".*draft"))

    def test_note_leaves_the_drafts_of_the_app_as_they_are(self, vale: Path) -> None:
        save_input(str(vale), {("kara", "oracle"): PendingInput({"question": "Is it late?"})})
        plain(vale, "danger", "note The ford.", "leave", "quit")
        kept = {subject: one.words for subject, one in load_input(str(vale)).items()}
        assert kept[("kara", "oracle")] == {"question": "Is it late?"}
        assert {"note:": "The ford."} in kept.values()

    def test_note_is_kept_by_back_within_the_move(self, vale: Path) -> None:
        plain(vale, "dice", "swear", "To go", "note By the ford.", "back", "To go", "epic", "4 1 1", "")
        assert opened(vale).log.entries[-1]["text"] == "By the ford."

    def test_changed_option_is_said_alone(self, vale: Path) -> None:
        told = plain(vale, "dice", "danger", "adds 2", "e", "3 5 9")
        after = told.after("adds: 2.")
        assert told.lines.count("Roll with:") == 1
        assert any(line.startswith("1. edge") for line in after)

    def test_no_line_has_an_arrow_or_two_periods(self, vale: Path) -> None:
        lines = ("health -1", "danger", "e", "1 5 9", "momentum", "", "undo", "say It ends. Here.", "undo", "journal")
        told = plain(vale, "dice", *lines)
        assert "→" not in told.text
        assert ".. " not in told.text
        assert not any(line.endswith("..") for line in told.lines)

    def test_target_is_taken_as_it_is_printed(self) -> None:
        shares = Spread(
            key="exchange",
            title="Assign 3",
            points=3,
            targets=((Option("dace.resolve", "Dace: resolve"), 2), (Option("health", "health"), 2)),
        )
        for line in ("Dace: resolve 2, health 1", "dace resolve 2 health: 1"):
            assert prompts.parsed(shares, line) == {"dace.resolve": 2, "health": 1}
