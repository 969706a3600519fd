"""An evening in lines, through a pipe."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from tests import program
from tests.hostile import HOSTILE
from tests.plain.helpers import (
    BO,
    GAME,
    HEIR,
    KARA,
    Heard,
    Quick,
    campaign,
    command,
    dice_are_typed_in,
    heard,
    making_kara,
    opened,
    plain,
    state,
)

from tracker.campaign.session import Session

WHAT_NOW = "What now? Type a number, a move, or help."


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """A campaign with Kara and a vow."""
    return campaign(tmp_path, KARA, HEIR)


class TestWholeEvening:
    LINES = (
        *("dice", *making_kara()),
        *("swear", "Find the lost heir", "d", "adds 1", "4 5 3", ""),
        *("face danger", "e", "2 4 9", "momentum", "back", "1", ""),
        *("momentum 9", "face danger", "heart", "1 5 8", "burn yes", ""),
        *("face danger", "wits", "1 9 10", ""),
        *("owed", "table", "70", "", ""),
        *("say The ford is cold.", "supply -2", "undo", "journal", "quit"),
    )

    def test_evening_leaves_the_expected_state(self, tmp_path: Path) -> None:
        save = campaign(tmp_path)
        told = plain(save, *self.LINES)
        assert told.code == 0
        assert told.lines[-1] == "vale is closed; everything is saved."
        kara = state(save)["party"]["kara"]
        assert {stat: kara[stat] for stat in ("edge", "heart", "iron", "shadow", "wits")} == {
            "edge": 3, "heart": 2, "iron": 2, "shadow": 1, "wits": 1,
        }  # fmt: skip
        assert kara["momentum"] == 3
        assert kara["owed"] == {}
        assert state(save)["supply"] == 5
        assert state(save)["tracks"]["find_the_lost_heir"]["rank"] == "dangerous"
        done = [entry["did"].rpartition("/")[2] for entry in opened(save).log.entries if not entry.get("open")]
        assert done == [
            *(
                "change",
                "make",
                "swear_an_iron_vow",
                "face_danger",
                "change",
                "face_danger",
                "face_danger",
                "pay_the_price",
            ),
            *("journal", "change", "undo"),
        ]

    def test_every_change_is_reported_and_saved(self, tmp_path: Path) -> None:
        told = plain(campaign(tmp_path), *self.LINES)
        assert [line for line in told.lines if line.endswith("Saved.")] == [
            "switched to real dice. Saved.",
            "Kara joins: edge 3, heart 2, iron 2, shadow 1, wits 1. Saved.",
            "Swear an Iron Vow: momentum 2 to 4, new vow: Find the lost heir (dangerous). Saved.",
            "Face Danger: momentum 4 to 3. Saved.",
            "momentum 3 to 9. Saved.",
            "Face Danger: momentum 9 to 3. Saved.",
            "Face Danger: Pay the Price is due. Saved.",
            "Pay the Price: it weighs on you: stress. Saved.",
            "Written. Saved.",
            "supply 5 to 3. Saved.",
            "Undone: supply 5 to 3. Saved.",
        ]

    def test_journal_repeats_the_evening(self, tmp_path: Path) -> None:
        told = plain(campaign(tmp_path), *self.LINES)
        last = told.after("Undone: supply 5 to 3. Saved.")[1:]
        price, *rest = last[-5:-2]
        assert price.startswith("Pay the Price, ")
        assert rest == ["The ford is cold.", "supply 5 to 3, undone"]
        assert (
            "Face Danger, strong hit, 3 (+heart) vs 5 and 8, burned momentum, 9, beats the 5 and the 8, momentum 9 to 3"
            in last
        )


class TestStart:
    def test_start_names_the_campaign_and_the_party(self, tmp_path: Path) -> None:
        save = campaign(
            tmp_path,
            *(KARA, HEIR, {"at": "kara.health", "by": -1}, {"at": "kara.debilities", "add": {"id": "shaken"}}),
            *({"at": "tracks.heir.ticks", "by": 6}, {"at": "kara.owed.endure_stress_1", "by": 1}),
        )
        told = plain(save).lines
        menu = [one.label for one in (*GAME.now(state(save), "kara"), *GAME.rolls(state(save), "kara"))]
        assert told[: -len(menu) - 2] == [
            "vale, Ironsworn",
            "You play Kara.",
            *("edge 3", "heart 2", "iron 2", "shadow 1", "wits 1"),
            *("health 4 of 5", "spirit 5 of 5, shaken", "supply 5 of 5", "momentum 2, maximum 9, reset 1"),
            *("marked: shaken", "xp 0", "xp spent 0", "weapon: 1 harm"),
            "Find the lost heir: dangerous vow, 1 of 10 boxes and 2 ticks",
            "Due: Endure Stress (1)",
            "Type due to do it.",
        ]
        offered = told[-len(menu) - 2 : -2]
        labels = [line.partition(":")[0].partition(",")[0] for line in offered]
        assert labels == [f"{n}. {one}" for n, one in enumerate(menu, 1)]
        assert "Face Danger: edge, strong 33%, weak 44%, miss 23%" in "\n".join(offered)
        assert told[-2:] == [WHAT_NOW, "vale is closed; everything is saved."]

    def test_empty_party_offers_to_make_a_character(self, tmp_path: Path) -> None:
        assert plain(campaign(tmp_path)).lines[:4] == [
            "vale, Ironsworn",
            "No characters yet.",
            "1. Make a character",
            WHAT_NOW,
        ]

    def test_start_names_the_party_and_the_last_active_character(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, KARA, BO)
        assert "The party: Kara, Bo" in plain(save, "as bo", "say I am here.").lines
        assert plain(save).lines[1] == "You play Bo."

    def test_new_character_is_active_at_once(self, tmp_path: Path) -> None:
        told = plain(campaign(tmp_path, BO), *making_kara(), "sheet", "undo", "sheet")
        assert [line for line in told.lines if line.startswith("You play")] == [
            "You play Bo.",
            "You play Kara.",
            "You play Bo.",
        ]

    def test_start_takes_a_name_alone_and_a_seed(self, vale: Path) -> None:
        rolled = [self.rolls(vale, "--seed", str(seed), "--plain", "vale") for seed in (5, 5, 6)]
        assert rolled[0] == rolled[1] != rolled[2]

    def rolls(self, vale: Path, *words: str) -> list[str]:
        done = program.run(["--saves", str(vale.parent), *words], b"roll\ne\n\nroll\ne\n\nroll\ne\n\n")
        dice = [line for line in heard(done).lines if line.startswith("Dice:")]
        assert len(dice) == 3
        return dice

    def test_example_is_copied_first(self, tmp_path: Path) -> None:
        example = Path(__file__).parents[2] / "saves" / "example-ironsworn.toml"
        before = example.read_bytes()
        words = command(tmp_path, str(example), "--plain")
        told = heard(subprocess.run(words, input=b"supply -1\n", capture_output=True, check=False))
        assert told.lines[0] == "Ironsworn example, Ironsworn"
        assert example.read_bytes() == before
        assert (tmp_path / "Ironsworn example.toml").exists()


class TestCommands:
    """The commands of plain mode between two moves."""

    def test_move_is_found_by_number_name_or_part_of_it(self, vale: Path) -> None:
        number = next(line for line in plain(vale).lines if ". Face Danger:" in line).partition(".")[0]
        for word in (number, "Face Danger", "danger", "FACE DANGER"):
            assert plain(vale, word).after(WHAT_NOW)[0] == "Face Danger", word

    def test_menu_entry_comes_before_other_matches(self, vale: Path) -> None:
        assert "Face a Setback" in plain(vale, "moves").text
        assert plain(vale, "face").after(WHAT_NOW)[0] == "Face Danger"
        assert plain(vale, "face a").lines[-3] == "No setback is due."

    def test_number_from_the_list_of_all_moves_starts_it(self, vale: Path) -> None:
        moves = plain(vale, "moves").lines
        line = next(line for line in moves if "Endure Harm: You are hurt." in line)
        assert moves[moves.index("Suffer:") + 1] == line
        assert plain(vale, line.partition(".")[0]).after(WHAT_NOW)[0] == "Endure Harm"

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("dance", "Unknown command “dance”; type help for a list."),
            ("endure", "“endure” could be Endure Harm or Endure Stress: type more of it."),
            ("99", "Unknown command “99”; type help for a list."),
            ("owed", "Nothing is due."),
            ("say", "Write what? Type say and a text."),
            ("as Ana", "No character is called “Ana”; choose from: Kara."),
            ("redo", "Nothing to redo."),
            ("journal all", "How many lines? Type journal and a number."),
            ("undo it", "Type undo alone."),
            ("health 6", "health stays 5; it runs from 0 to 5."),
            ("health +1", "health stays 5; it runs from 0 to 5."),
            ("hea -1", "“hea” could be health or heart: type more of it."),
            (
                "mark luck",
                "“luck” isn't on the sheet; choose from: wounded, shaken, unprepared, maimed, cursed, encumbered, corrupted, tormented.",
            ),
            ("clear wounded", "wounded is not marked."),
            ("overcome", "No obstacle."),
        ],
    )
    def test_refusal_is_one_sentence_and_changes_nothing(self, line: str, answer: str, vale: Path) -> None:
        before = vale.read_bytes()
        assert plain(vale, line).lines[-3:-1] == [answer, WHAT_NOW]
        assert vale.read_bytes() == before

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("health -1", "health 5 to 4. Saved."),
            ("HEALTH -2", "health 5 to 3. Saved."),
            ("supply 2", "supply 5 to 2. Saved."),
            ("momentum 3", "momentum 2 to 3. Saved."),
            ("momentum -3", "momentum 2 to -1. Saved."),
            ("set momentum -3", "momentum 2 to -3. Saved."),
            ("xp +2", "experience 0 to 2. Saved."),
            ("lost heir +4", "Find the lost heir: progress 0 to 1. Saved."),
            ("mark wounded", "wounded marked. Saved."),
            ("say I wade in.", "Written. Saved."),
        ],
    )
    def test_change_by_hand_can_be_undone(self, line: str, answer: str, vale: Path) -> None:
        before = state(vale)
        told = plain(vale, line, "undo", "redo", "undo")
        assert next(said for said in told.lines if said.endswith("Saved.")) == answer
        assert state(vale) == before
        assert [entry["did"] for entry in opened(vale).log.entries[1:]] == [
            "journal" if line.startswith("say") else "change", "undo", "redo", "undo",
        ]  # fmt: skip

    def test_undo_brings_back_an_entry_that_was_undone_out_of_turn(self, vale: Path) -> None:
        session = Session.open(str(vale), disk=Quick())
        first, _ = session.write("First."), session.write("Second.")
        session.undo(first["id"])
        session.close()
        told = plain(vale, "undo", "undo")
        assert [line for line in told.lines if line.endswith("Saved.")] == [
            "Redone: First. Saved.",
            "Undone: Second. Saved.",
        ]

    def test_number_set_to_zero_triggers_what_a_loss_does(self, vale: Path) -> None:
        plain(vale, "supply 0")
        assert "unprepared" in state(vale)["party"]["kara"]["debilities"]

    def test_old_words_still_work(self, vale: Path) -> None:
        assert plain(vale, "begin a clock").after(WHAT_NOW)[0] == "Start a clock"
        assert "Nothing is due." in plain(vale, "owed").lines

    def test_undo_says_whose_thing_it_undid(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, KARA, BO)
        told = plain(save, "as bo", "health -1", "as kara", "undo")
        assert "Undone for Bo: health 5 to 4. Saved." in told.lines

    def test_change_beyond_a_limit_says_why(self, vale: Path) -> None:
        told = plain(vale, "health -2", "mark wounded", "health +1", "clear wounded", "health +1")
        assert "health stays 3: wounded." in told.lines
        assert "health 3 to 4. Saved." in told.lines

    def test_sheet_and_tracks_tell_how_it_stands_now(self, vale: Path) -> None:
        told = plain(vale, "health -1", "sheet", "lost heir 40", "tracks")
        assert "health 4 of 5" in told.after("health 5 to 4. Saved.")
        assert "Find the lost heir: dangerous vow, 10 of 10 boxes, ready to fulfill" in told.lines

    def test_journal_can_be_read_further_back(self, vale: Path) -> None:
        assert plain(vale, "journal").after(WHAT_NOW)[0] == "vale is closed; everything is saved."
        written = [f"say Line {n}." for n in range(15)]
        told = plain(vale, *written, "journal", "journal 12").lines
        assert told.count("Line 5.") == 2
        assert told.count("Line 3.") == 1
        assert told.count("Line 2.") == 0

    def test_help_names_every_word(self, vale: Path) -> None:
        told = plain(vale, "help").text
        for word in (
            "moves",
            "due",
            "sheet",
            "tracks",
            "journal",
            "say",
            "as",
            "dice",
            "undo",
            "redo",
            "quit",
            "health -1",
        ):
            assert f"\n{word}" in told

    def test_menu_is_repeated_when_it_changed_or_is_asked_for(self, vale: Path) -> None:
        assert plain(vale, "momentum 3", "say Hm.").text.count(". Face Danger: ") == 1
        assert plain(vale, "", "").text.count(". Face Danger: ") == 3
        told = plain(vale, "lost heir 40")
        assert ". Fulfill Your Vow: Find the lost heir" in "\n".join(
            told.after("Find the lost heir: progress 0 to 10. Saved.")
        )

    def test_quit_ends_it_and_nothing_after_it_is_heard(self, vale: Path) -> None:
        assert plain(vale, "quit", "health -1").lines[-1] == "vale is closed; everything is saved."
        assert state(vale)["party"]["kara"]["health"] == 5


class TestDue:
    def test_due_item_is_listed_and_done_and_another_character_may_owe_it(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, KARA, BO, {"at": "bo.owed.endure_harm_2", "by": 1})
        told = plain(save, "as kara", "dice", "owed", "", "4 1 1", "embrace", "", "owed")
        assert "Due for Bo: Endure Harm (2)" in told.lines
        assert "Endure Harm" in told.lines
        assert told.lines[-3] == "Nothing is due."
        assert state(save)["party"]["bo"]["health"] == 3
        assert state(save)["party"]["bo"]["owed"] == {}

    def test_unfinished_roll_comes_first_and_blocks_others(self, vale: Path) -> None:
        told = plain(vale, "roll", "e", "leave", "face danger", "1", "owed", "")
        assert "Action roll is unfinished: due resumes it." in told.lines
        assert "Due: Action roll, finish the roll" in told.lines
        assert told.lines.count("You have an unfinished roll: due resumes it, undo cancels it.") == 2
        assert "Action roll: no change. Saved." in told.lines
        assert not list(opened(vale).log.open_runs())

    def test_unfinished_roll_without_a_character_is_listed_once(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, KARA, BO)
        told = plain(save, "make a character", "random", "leave")
        assert [line for line in told.lines if line.startswith("Due")] == [
            "Due: Make a character, finish the roll",
        ]

    def test_undo_reverts_an_open_roll(self, vale: Path) -> None:
        before = state(vale)
        assert "Undone: Action roll. Saved." in plain(vale, "roll", "e", "leave", "undo").lines
        assert state(vale) == before
        assert not list(opened(vale).log.open_runs())


class TestHostileText:
    def test_text_of_a_save_is_safe_to_show(self, tmp_path: Path) -> None:
        names = [text for _, text in HOSTILE if "\udc80" not in text]
        people = [{"at": "party", "add": {"id": f"p{n}", "name": name}} for n, name in enumerate(names)]
        vows = [{"at": "tracks", "add": {"id": f"v{n}", "name": name, "kind": "vow"}} for n, name in enumerate(names)]
        save = campaign(tmp_path, *people, *vows, {"at": "scene", "to": "\x1b[2J\nscene"})
        told = plain(
            save, "sheet", "tracks", *(f"as {n}" for n in range(1, len(names) + 1)), "milestone", "back", "journal"
        )
        assert told.code == 0
        assert "Scene: ␛[2J↵scene" in told.lines

    def test_hostile_text_is_kept_or_refused_and_printed_harmless(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, KARA)
        names = [text for _, text in HOSTILE if "\udc80" not in text and "\n" not in text]
        lines = [line for name in names for line in (f"say {name}", name, "leave", f"as {name}", f"{name} +1", "leave")]
        told = plain(save, *lines, "journal 999")
        assert told.code == 0
        texts = [entry.get("text") for entry in opened(save).log.entries]
        assert "\x1b[31mred\x1b[0m" in texts

    def test_invalid_answer_is_repeated_safely(self, vale: Path) -> None:
        told = plain(vale, "milestone", "heir", "\x1b[2J\x9b1m\u202e")
        assert "Nothing left to answer; “␛[2J‹U+009B›1m‹U+202E›” was ignored." in told.lines

    def test_undecodable_input_is_asked_again(self, vale: Path) -> None:
        words = command(vale.parent, "play", "vale", "--plain")
        done = subprocess.run(words, input=b"say \xff\xfe\nsay Here.\n", capture_output=True, check=False)
        told = heard(done)
        assert "That line is not text in the encoding of this terminal; type it again." in told.lines
        assert [entry.get("text") for entry in opened(vale).log.entries[1:]] == ["Here."]

    def test_terminal_without_our_signs_gets_others(self, vale: Path) -> None:
        words = command(vale.parent, "play", "vale", "--plain")
        env = {**os.environ, "PYTHONIOENCODING": "ascii"}
        done = subprocess.run(words, input=b"health -1\n", env=env, capture_output=True, check=False)
        assert b"health 5 to 4. Saved.\n" in done.stdout
        assert done.returncode == 0


@pytest.mark.parametrize("seed", range(3))
def test_any_input_leaves_the_save_whole(seed: int, vale: Path) -> None:
    chance = random.Random(seed)
    words = [
        *("", "back", "leave", "undo", "redo", "owed", "dice", "journal", "sheet", "say Hm.", "as 1", "mark shaken", "moves"),
        *("face danger", "swear", "milestone", "fulfill", "forsake", "overcome", "pay", "oracle", "harm", "stress", "roll"),
        *("setback", "out of", "strike", "make", "choose", "random", "edge", "e", "burn", "burn yes", "bond yes", "adds 2"),
        *("momentum -9", "supply -4", "health 0", "exchange", "table", "supply 1, health 1", "Ana", "1 1 1", "5 9 10", "77"),
        *map(str, range(10)),
        *("leave", "") * 8,
    ]  # fmt: skip
    told: Heard = plain(vale, *(chance.choice(words) for _ in range(1500)), words=("--seed", str(seed)))
    assert told.code == 0
    assert len(opened(vale).log.entries) > 30


def test_belongings_and_party_are_listed(tmp_path: Path) -> None:
    hound = {
        "id": "hound",
        "name": "Ash Hound",
        "kind": "companion",
        "note": "Brak",
        "health": 3,
        "max": 4,
        "one": {"text": "It follows a scent.", "on": True},
        "two": {"text": "It keeps watch.", "on": False},
    }
    save = campaign(
        tmp_path,
        KARA,
        BO,
        {"at": "kara.assets", "add": hound},
        {"at": "bo.owed.pay_the_price", "by": 1},
        {"at": "kara.edge", "to": 5},
    )
    told = plain(save, "belongings", "party")
    for line in (
        "Ash Hound, companion, Brak, health 3 of 4",
        "marked: It follows a scent.",
        "not marked: It keeps watch.",
        "New asset, not now: costs 3; you have 0",
        "due: Pay the Price",
        "Rules check: Kara: the stats are not 3, 2, 2, 1 and 1, as a new character's are.",
    ):
        assert line in told.lines, told.text


class TestDiceSource:
    def test_campaign_decides_and_the_command_changes_it_for_good(self, vale: Path) -> None:
        told = plain(vale, "dice", "quit")
        assert "switched to real dice. Saved." in told.lines
        assert state(vale)["dice_are"] == "typed in"
        told = plain(vale, "face danger", "e", "1 9 8", "", "dice")
        assert "Dice: 1 action, challenge 9 holds, challenge 8 holds" in told.lines
        assert state(vale)["dice_are"] == "rolled here"
        assert "Type your dice" not in plain(vale, "face danger", "e").text

    def test_player_decides_if_the_campaign_does_not(self, vale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        dice_are_typed_in(vale.parent / "settings", monkeypatch)
        assert "Type your dice, in this order: " in plain(vale, "face danger", "e").text


class TestNote:
    def test_note_is_kept_in_the_journal_with_its_move(self, vale: Path) -> None:
        told = plain(
            vale, "dice", "face danger", "note The ford.", "e", "note The ford is cold.", "6 1 1", "", "journal"
        )
        assert "Note: The ford is cold." in told.lines
        assert opened(vale).log.entries[-1]["text"] == "The ford is cold."
        assert "The ford is cold." in told.lines[-3]

    def test_note_waits_with_an_unfinished_roll_and_can_be_undone(self, vale: Path) -> None:
        plain(vale, "face danger", "e", "note The ford is cold.", "leave")
        (left,) = opened(vale).log.open_runs()
        assert left["text"] == "The ford is cold."
        assert "No note." in plain(vale, "owed", "note", "leave").lines
        (left,) = opened(vale).log.open_runs()
        assert not left.get("text")
