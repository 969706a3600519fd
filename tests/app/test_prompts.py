"""Every kind of prompt in the dialog: answered by keys, left and come back to, resized, and with names that bite."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.app.helpers import HEIR, KARA, Player, campaign, in_party, play, sworn
from tests.app.test_goldens import compare
from tests.app.test_hostile import SAFE, harmless
from tests.faults.disks import FailingDisk
from textual.widgets import Input

from tracker.app.app import TrackerApp
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.dice import ScriptedDice
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.game import Move
from tracker.games.api.prompts import Choose, Confirm, Number, Option, Pick, Roll, Spread, Text

LONG = "A name that is longer than any row of a dialog of eighty columns has room for, and 12 more words"
ANSWERS: dict[str, tuple[str, ...]] = {
    "pick": ("2",),
    "choose-one": ("2", "enter"),
    "choose": ("1", "down", "down", "space", "enter"),
    "spread": ("1", "2", "+", "enter"),
    "number": ("7", "enter"),
    "text": (*"Oath n1", "enter"),
    "confirm": ("n",),
    "roll": (*"4", "enter"),
}
"""The keys that answer each kind, in the order in which they are asked."""
GIVEN = {
    "pick": "b",
    "choose-one": ["b"],
    "choose": ["a", "c"],
    "spread": {"a": 1, "b": 2},
    "number": 7,
    "text": "Oath n1",
    "confirm": False,
}


def everything(*names: str, many: int = 12) -> Move:
    """Return a procedure that asks one prompt of every kind for each of these names."""
    name, *_ = names = names or ("Something",)
    called = [names[n % len(names)] for n in range(many)]
    options = tuple(
        Option(chr(97 + n), f"{called[n]} {n + 1}", f"note {n + 1}", about=f"About {n + 1}") for n in range(many)
    )

    def ask(table: Draft) -> Procedure:
        yield Number(key="adds", title="adds", low=-9, high=9, default=0, quiet=True)
        yield Pick(key="pick", title=f"Which {name}", options=options)
        yield Choose(key="choose-one", title="Choose one", options=options[:3])
        yield Choose(key="choose", title="Choose two", options=options, least=2, most=2)
        yield Spread(key="spread", title="Spread 3", points=3, targets=tuple((one, 2) for one in options[:3]))
        yield Number(key="number", title="How many?", low=1, high=9, default=3)
        table.facts["told"] = yield Text(key="text", title="What is it called?", hint="Oath")
        yield Confirm(key="confirm", title="Is it so?", note="it would be")
        yield Roll(key="roll", title="Roll it", dice={"action": 6})
        table.mine("momentum", 1)

    return Move("test/everything", "Everything", ask)


async def begin(player: Player, move: Move) -> None:
    run = Run(player.session.game, move, "kara", player.session.state)
    player.table._ask(lambda: run)
    await player.until(lambda: player.screen == "Dialog")
    await player.rest()


def asked(player: Player) -> str:
    """Return the key of the prompt that is asked now."""
    dialog: Any = player.app.screen
    return dialog.run.prompt.key if dialog.run.prompt else ""


def evening(tmp_path: Path, act: Callable[[Player], Awaitable[None]], move: Move | None = None, **how: Any) -> None:
    async def all_of_it(player: Player) -> None:
        await player.press("d")
        await begin(player, move or everything())
        await act(player)

    play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), all_of_it, **how)


def test_each_kind_is_answered_by_its_keys(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for key, presses in ANSWERS.items():
            assert asked(player) == key
            await player.press(*presses)
        assert "momentum 2 → 3" in player.text
        await player.press("enter")
        answers = dict(player.entries()[-1]["answers"])
        assert {key: answers[key] for key in GIVEN} == GIVEN
        assert answers["roll"] == {"action": 4}
        assert player.kara["momentum"] == 3

    evening(tmp_path, act)


def test_step_back_keeps_the_answer_for_enter(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        kinds = [key for key in ANSWERS if key != "roll"]
        await player.press("+")
        for key in kinds:
            await player.press(*ANSWERS[key])
        for key in reversed(kinds):
            await player.press("escape")
            assert asked(player) == key
        await player.press("escape")
        assert player.screen == "TableScreen"
        await begin(player, everything())
        for key in kinds:
            assert asked(player) == key
            await player.press("enter")
        dialog: Any = player.app.screen
        assert {key: dialog.run.value(key) for key in GIVEN} == GIVEN

    evening(tmp_path, act)


def test_revised_default_survives_a_step_back(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m", *"endure harm", "enter", "2", "enter", "+", "+")
        assert "adds +2" in player.text
        await player.press("escape", "enter")
        assert "adds +2" in player.text

    play(campaign(tmp_path, *in_party(KARA)), act)


@pytest.mark.part(2)
@pytest.mark.parametrize("kind", ANSWERS)
def test_resize_during_a_prompt_loses_nothing(kind: str, tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for key, presses in ANSWERS.items():
            if key == kind:
                *begun, last = presses
                await player.press(*begun)
                for size in ((120, 40), (60, 18), (50, 15), (200, 50), (80, 24)):
                    await player.pilot.resize_terminal(*size)
                    await player.settle()
                await player.press(last)
            else:
                await player.press(*presses)
        await player.press("enter")
        answers = dict(player.entries()[-1]["answers"])
        assert {key: answers[key] for key in GIVEN} == GIVEN

    evening(tmp_path, act)


@pytest.mark.part(2)
@pytest.mark.parametrize("names", [SAFE[n::2] for n in range(2)], ids=range(2))
def test_hostile_names_are_harmless_in_every_kind(names: list[tuple[str, str]], tmp_path: Path) -> None:
    from tracker.text import shown_line

    async def act(player: Player) -> None:
        for three in (names[n : n + 3] for n in range(0, len(names), 3)):
            await begin(player, everything(*(shown_line(name) for _, name in three), many=3))
            for key, presses in ANSWERS.items():
                harmless(player)
                if key == "text":
                    for _, name in three:
                        await player.type(name)
                        harmless(player)
                        await player.press("end", "ctrl+u")
                    await player.press(*["escape"] * 7)
                    break
                await player.press(*presses)
            assert player.screen == "TableScreen", three

    play(campaign(tmp_path, *in_party(KARA)), act)


class TestPresetText:
    """A text prompt with a default: typing replaces it, Enter keeps it, and it can be cleared if empty text is allowed."""

    KEYS: ClassVar[dict[str, tuple[tuple[str, ...], str]]] = {
        "left": (("enter",), "Leather"),
        "replaced": ((*"Mail", "enter"), "Mail"),
        "mended": (("end", "s", "enter"), "Leathers"),
        "emptied": (("backspace", "enter"), ""),
    }

    @pytest.mark.parametrize(("keys", "answer"), KEYS.values(), ids=KEYS)
    def test_preset_text_can_be_kept_replaced_extended_or_cleared(
        self, keys: tuple[str, ...], answer: str, tmp_path: Path
    ) -> None:
        def ask(table: Draft) -> Procedure:
            table.facts["told"] = yield Text(key="text", title="Which armor?", empty=True, default="Leather")
            table.mine("momentum", 1)

        async def act(player: Player) -> None:
            await player.press(*keys, "enter")
            assert player.entries()[-1]["facts"]["told"] == answer

        evening(tmp_path, act, Move("test/text", "Text", ask))


def test_preset_number_is_replaced_by_typing_or_changed_by_signs(tmp_path: Path) -> None:
    def ask(table: Draft) -> Procedure:
        table.facts["told"] = yield Number(key="number", title="How many?", low=1, high=99, default=2)
        table.mine("momentum", 1)

    async def act(player: Player) -> None:
        for keys, line in (("+", "3"), ("4", "4"), ("1", "41"), ("+", "42"), ("5", "5")):
            await player.press(keys)
            assert player.app.screen.query_one("#line", Input).value == line
        await player.press("escape")
        await begin(player, move)
        await player.press("6", "enter", "enter")
        assert player.entries()[-1]["facts"]["told"] == 6

    move = Move("test/number", "Number", ask)
    evening(tmp_path, act, move)


class TestOffers:
    def test_plus_changes_the_offer_even_beside_a_line(self, tmp_path: Path) -> None:
        def ask(table: Draft) -> Procedure:
            adds = yield Number(key="adds", title="adds", low=0, high=9, default=0, quiet=True)
            text = yield Text(key="text", title="Damage")
            table.facts |= {"told": f"{text} {adds}"}
            table.mine("momentum", 1)

        async def act(player: Player) -> None:
            await player.press(*"d8+2", "up", "+", "+", "down", "enter", "enter")
            assert player.entries()[-1]["facts"]["told"] == "d8+2 2"

        evening(tmp_path, act, Move("test/damage", "Damage", ask))

    def test_down_leaves_the_offers_for_enter(self, tmp_path: Path) -> None:
        def ask(table: Draft) -> Procedure:
            yield Number(key="adds", title="adds", low=0, high=9, default=0, quiet=True)
            yield Roll(key="roll", title="Roll it", dice={"action": 6})
            table.mine("momentum", 1)

        async def act(player: Player) -> None:
            await player.press("d", "up")
            assert "Enter Next" in player.text
            await player.press("down")
            assert "►Enter Roll◄" in player.text

        evening(tmp_path, act, Move("test/roll", "Roll", ask))


class TestLongList:
    def test_long_list_moves_by_pages_and_to_its_ends(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            for key, under in (("end", "Something 12"), ("home", "adds +0"), ("pagedown", "S"), ("pageup", "adds +0")):
                await player.press(key)
                assert player.app.focused.row.label.startswith(under)  # type: ignore[union-attr]

        evening(tmp_path, act)

    def test_keys_screen_moves_by_pages(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("escape", "?")
            before = player.text.splitlines()[3:20]
            await player.press("pagedown")
            assert not set(before) & set(player.text.splitlines()[4:19]), player.text

        evening(tmp_path, act)

    def test_long_list_says_how_many_are_hidden(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            assert "↓ 15 more" in player.text
            await player.press(*["down"] * 10)
            assert "↑" in player.text
            assert "↓" in player.text
            await player.press("end")
            assert "↓" not in player.text

        evening(tmp_path, act, everything(many=20), size=(60, 18))

    def test_long_list_has_hotkeys_beyond_the_ninth(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            assert "▐a Something 10▌" in player.text
            await player.press("b")
            dialog: Any = player.app.screen
            assert dialog.run.value("pick") == "k"

        evening(tmp_path, act)

    def test_cut_row_is_told_in_full_below_the_list(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            assert "12 more words 1" in player.text.replace("│\n│  ", "").replace("  ", " ")
            assert "About 1" in player.text

        evening(tmp_path, act, everything(LONG))


class TestTypedDice:
    def test_letters_are_hotkeys_and_digits_are_faces(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "m", "1", "e", *"2 4 5", "enter", "b")
            assert "■ Burn momentum" in player.text
            assert "STRONG HIT" in player.text
            await player.press("b", "4", "enter")
            assert player.session.state["supply"] == 4

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR), {"at": "kara.momentum", "to": 10}), act)

    def test_plus_is_a_key_and_an_error_is_cleared_by_valid_faces(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("d", "m", "1", "e", "+", *"2 4", "enter")
            assert "Type 3 results" in player.text
            assert "adds +1" in player.text
            await player.press("space", "9")
            assert "Type 3 results" not in player.text
            await player.press("enter")
            assert "+ edge 3 + 1 = 6" in player.text

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_typed_dice_belong_to_the_campaign_and_survive_a_restart(self, tmp_path: Path) -> None:
        save = campaign(tmp_path, *in_party(KARA), *sworn(HEIR))

        async def first(player: Player) -> None:
            await player.press("r", "d")
            assert "real dice" in player.text
            assert "your dice, with spaces" not in player.text
            await player.press("e")
            assert "your dice, with spaces" in player.text

        async def second(player: Player) -> None:
            assert player.app.typed_dice
            await player.press("u")
            assert not player.app.typed_dice

        play(save, first)
        play(save, second)


class TestTypedFaces:
    HUNTER: ClassVar[dict[str, Any]] = {
        "name": "Hunter",
        "kind": "path",
        "one": {"text": "On a trail.", "on": True, "gives": "+1 gather_information"},
        "two": {"text": "Look again.", "on": True, "gives": "reroll gather_information"},
    }

    def evening(self, tmp_path: Path, act: Callable[[Player], Awaitable[None]]) -> None:
        party = in_party({**KARA, "assets": {"hunter": self.HUNTER}})
        play(campaign(tmp_path, *party, {"at": "dice_are", "to": "typed in"}), act)

    def test_space_before_the_first_face_keeps_the_hint(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("r", "e", "space")
            assert "your dice, with spaces" in player.text
            await player.press("4", "space", "7")
            assert "4 7" in player.text

        self.evening(tmp_path, act)

    def test_faces_stay_when_offers_change(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("m", *"gather", "enter", "enter", *"3 4 9")
            await player.press("a")
            assert "■ Hunter +1" in player.text
            assert line(player) == "3 4 9"
            await player.press("enter")
            assert "+ wits 1 + Hunter 1 = 5" in player.text

        self.evening(tmp_path, act)

    def test_faces_have_no_sign_and_change_no_add(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("m", *"face", "enter", "e", "-")
            assert "adds -1" in player.text
            await player.press("5", "-")
            assert "adds -1" in player.text
            assert "move up to “adds”" in player.text
            assert "+ -" not in player.text.splitlines()[-1]
            await player.press("up", "-")
            assert "adds -2" in player.text
            assert line(player) == "5"

        self.evening(tmp_path, act)

    def test_faces_return_after_a_step_back(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("m", *"face", "enter", "e", *"3 4", "escape", "h")
            assert line(player) == "3 4"
            await player.press("escape", "escape", "m", *"face", "enter", "e")
            assert line(player) == "3 4"

        self.evening(tmp_path, act)

    def test_faces_stay_before_those_of_an_added_die(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("m", *"gather", "enter", "enter", *"1 4 9", "enter", "a", "6")
            assert "+ wits 1 = 2" in player.text, "the dice that lie stay in sight"
            await player.press("f")
            assert "■ reroll the first" in player.text
            assert line(player) == "6"
            await player.press("a")
            assert line(player) == "", "a face of the action die is no face of a challenge die"
            await player.press("a", " ", "2", "enter")
            assert "+ wits 1 = 7" in player.text

        self.evening(tmp_path, act)


def line(player: Player) -> str:
    """Return the text in the dialog's input line."""
    return player.app.screen.query_one("#line", Input).value


class TestNote:
    def test_note_is_saved_with_the_move(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1", "e", "n", *"I leap, b 1.", "enter")
            assert "Journal  I leap, b 1." in player.text
            await player.press("enter")
            assert player.entries()[-1]["text"] == "I leap, b 1."

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_note_waits_with_unfinished_dice(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1", "e", "n", *"I leap.", "escape", "escape")
            assert player.screen == "TableScreen"
            await player.press("x", "enter")
            assert player.entries()[-1]["text"] == "I leap."

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)


class TestRepeatLastRoll:
    def test_repeat_takes_two_keys_and_shows_the_odds_first(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1", "h", "enter")
            made = len(player.entries())
            await player.press("r", "r")
            assert "Face Danger" in player.text
            assert "►h heart 2" in player.text
            assert len(player.entries()) == made
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("enter", "enter")
            assert player.entries()[-1]["did"] == "adventure/face_danger"

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_repeat_without_a_roll_says_so(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("r", "r")
            assert "No roll to repeat yet." in player.text

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)


def test_dialog_shows_the_keys_in_force(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.app.dice = ScriptedDice({"action": 2, "challenge": [4, 5]})
        await player.press("m", "1", "e", "?")
        for words in ("b Burn momentum", "1 momentum -1", "4 supply -1"):
            assert words in player.text

    play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR), {"at": "kara.momentum", "to": 10}), act)


class TestDiceAnimation:
    def test_animated_dice_are_saved_and_any_key_skips_them(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(TrackerApp, "can_animate", True)

        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1", "e")
            dialog: Any = player.app.screen
            assert "STRONG HIT" not in player.text
            assert "Changes" not in player.text
            rows = player.text.count("\n"), player.text.index("Enter Apply")
            assert player.entries()[-1]["open"]
            assert player.session.sign.word == "saved"
            dialog.still()
            await player.rest()
            assert "STRONG HIT" in player.text
            assert (player.text.count("\n"), player.text.index("Enter Apply")) == rows
            await player.press("enter")
            assert player.kara["momentum"] == 3

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_animation_swallows_no_key(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(TrackerApp, "can_animate", True)

        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 2, "challenge": [4, 9]})
            await player.press("m", "1", "e", "4", "enter")
            assert player.session.state["supply"] == 4

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_animation_is_off_without_motion(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            assert not player.app.can_animate

        play(campaign(tmp_path, *in_party(KARA)), act)


class TestFullDisk:
    def test_message_about_unsaved_dice_goes_when_they_are_saved(self, tmp_path: Path) -> None:
        disk = FailingDisk(errno.ENOSPC, lambda call, _: full and call == "write")
        full = False

        async def act(player: Player) -> None:
            nonlocal full
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1")
            full = True
            await player.press("e")
            await player.sees("These dice are NOT SAVED")
            full = False
            player.session.retry()
            await player.until(lambda: player.session.sign.word == "saved")
            await player.until(lambda: "NOT SAVED" not in player.text)

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act, disk=disk)

    def test_full_disk_during_a_dialog_loses_nothing_and_is_told(self, tmp_path: Path) -> None:
        disk = FailingDisk(errno.ENOSPC, lambda call, _: full and call == "write")
        full = False

        async def act(player: Player) -> None:
            nonlocal full
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1")
            full = True
            await player.press("e")
            await player.sees("NOT SAVED")
            assert "No space left" in player.text.splitlines()[0]
            assert "STRONG HIT" in player.text
            await player.press("n", *"I leap.", "enter", "enter")
            assert player.kara["momentum"] == 3
            await player.sees("NOT SAVED")
            full = False
            await player.press("ctrl+s")
            await player.until(lambda: player.session.sign.word == "saved")

        save = campaign(tmp_path, *in_party(KARA), *sworn(HEIR))
        play(save, act, disk=disk)
        again = Session.open(str(save), write=False)
        assert again.state["party"]["kara"]["momentum"] == 3
        assert again.log.entries[-1]["text"] == "I leap."
        again.close()


class TestKeyCounts:
    """How many keys a move takes from the table to its applied result."""

    def test_face_danger_to_a_strong_hit_takes_four(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("m", "1", "e", "enter")
            assert player.screen == "TableScreen"
            assert player.kara["momentum"] == 3
            await player.press("u")
            assert player.kara["momentum"] == 2

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_question_takes_three_keys_and_another_speaker_one(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"oracle": 60})
            await player.press("o", "2", "enter")
            assert player.screen == "TableScreen"
            assert player.entries()[-1]["facts"]["answer"] == "yes"
            await player.press("2")
            assert player.table.player.active == "tayla"

        tayla = {**KARA, "id": "tayla", "name": "Tayla"}
        play(campaign(tmp_path, *in_party(KARA, tayla), *sworn(HEIR)), act)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("kind", ANSWERS)
def test_screen(kind: str, size: tuple[int, int], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    async def act(player: Player) -> None:
        for key, presses in ANSWERS.items():
            if key == kind:
                await player.press(*presses[:-1])
                break
            await player.press(*presses)
        await player.settle()
        await player.until(lambda: "saving" not in player.text)
        compare(f"prompt-{kind}-{size[0]}x{size[1]}", player.text, request)

    evening(tmp_path, act, size=size)


class TestSavedInput:
    """Typed input is kept wherever the player leaves."""

    VOW = ("/", *"swear an iron", "enter")

    @pytest.mark.parametrize("way", [("ctrl+q",), ("escape", "ctrl+q"), ("escape", "q")], ids=["quit", "out", "list"])
    def test_typed_text_is_proposed_next_time(self, tmp_path: Path, way: tuple[str, ...]) -> None:
        path = campaign(tmp_path, *in_party(KARA))

        async def types(player: Player) -> None:
            await player.press(*self.VOW, *"Avenge my sister", *way)

        async def finds(player: Player) -> None:
            await player.press(*self.VOW)
            assert "Avenge my sister" in player.text

        play(path, types)
        play(path, finds)

    def test_text_of_a_dialog_that_was_left_is_on_disk_while_play_goes_on(self, tmp_path: Path) -> None:
        path = campaign(tmp_path, *in_party(KARA))
        draft = tmp_path / ".vale.toml.typed.draft"

        async def leaves(player: Player) -> None:
            await player.press(*self.VOW, *"Avenge my sister", "escape")
            await player.until(draft.exists)
            assert "Avenge my sister" in draft.read_text()

        play(path, leaves)

    def test_saved_text_is_not_proposed_again(self, tmp_path: Path) -> None:
        path = campaign(tmp_path, *in_party(KARA))

        async def types(player: Player) -> None:
            await player.press("s", "s", *"The ford", "ctrl+q")

        async def goes_on(player: Player) -> None:
            await player.press("s", "s", "enter")
            assert player.session.state["scene"] == "The ford"
            await player.press("ctrl+q")

        play(path, types)
        assert list(tmp_path.glob(".*draft"))
        play(path, goes_on)
        assert not list(tmp_path.glob(".*draft"))

    def test_note_is_kept_with_the_input(self, tmp_path: Path) -> None:
        path = campaign(tmp_path, *in_party(KARA))

        async def types(player: Player) -> None:
            await player.press("r", "n", *"Rain on slate", "ctrl+q")

        async def finds(player: Player) -> None:
            await player.press("r")
            assert "Rain on slate" in player.text

        play(path, types)
        play(path, finds)

    def test_invalid_file_of_drafts_is_ignored(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("s", "s", *"The ford", "enter")
            assert player.session.state["scene"] == "The ford"

        path = campaign(tmp_path, *in_party(KARA))
        (tmp_path / ".vale.toml.typed.draft").write_text('[["?", 3], 7')
        play(path, act)
        (tmp_path / ".vale.toml.typed.draft").write_text("[[1, 3]]")
        play(path, act)


class TestChooseSeveral:
    OPTIONS = tuple(Option(key, f"Foe {key}") for key in "abc")

    def _some(self, least: int, most: int) -> Move:
        def ask(table: Draft) -> Procedure:
            table.facts["chosen"] = yield Choose(
                key="choose", title="Which", options=self.OPTIONS, least=least, most=most
            )
            yield Text(key="text", title="Why", hint="because")

        return Move("test/some", "Some", ask)

    def test_enter_does_not_mark_what_was_just_cleared(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await begin(player, self._some(1, 3))
            await player.press("1", "2", "3", "1", "2", "enter")
            assert player.app.screen.run.value("choose") == ["c"]  # type: ignore[attr-defined]

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_enter_takes_what_space_has_marked(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await begin(player, self._some(2, 2))
            await player.press("space", "down", "space", "enter")
            assert player.app.screen.run.value("choose") == ["a", "b"]  # type: ignore[attr-defined]

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_marks_are_forgotten_after_the_state_changed(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            some = self._some(1, 3)
            await begin(player, some)
            await player.press("1", "2", "escape")
            await begin(player, some)
            assert "2 of 3 chosen" in player.text
            await player.press("escape", "+")
            await begin(player, some)
            assert "2 of 3 chosen" not in player.text

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)

    def test_proposed_text_is_replaced_by_typing(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            some = self._some(1, 3)
            await begin(player, some)
            await player.press("1", "enter", *"Rats", "escape", "escape", "+")
            await begin(player, some)
            await player.press("1", "enter")
            assert player.app.screen.query_one("#line", Input).value == "Rats"
            await player.press(*"Drums")
            assert player.app.screen.query_one("#line", Input).value == "Drums"

        play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)


def test_enter_after_a_note_does_what_it_did_before(tmp_path: Path) -> None:
    def ask(table: Draft) -> Procedure:
        yield Number(key="adds", title="adds", low=-9, high=9, default=0, quiet=True)
        yield Roll(key="roll", title="Roll", dice={"d6": 6})

    async def act(player: Player) -> None:
        await begin(player, Move("test/note", "Note", ask))
        await player.press("n", *"Rain", "enter")
        assert "►Enter Roll◄" in player.text
        await player.press("enter")
        assert player.app.screen.run.rolled  # type: ignore[attr-defined]

    play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)


def test_number_beside_the_question_can_be_typed(tmp_path: Path) -> None:
    def ask(table: Draft) -> Procedure:
        yield Number(key="difficulty", title="Difficulty", low=1, high=60, default=11, quiet=True)
        yield Number(key="hp", title="HP", low=1, high=60, default=5, quiet=True)
        yield Text(key="damage", title="Damage", hint="d6")

    async def act(player: Player) -> None:
        await begin(player, Move("test/numbers", "Numbers", ask))
        await player.press("up", *"18", "down", *"7")
        run = player.app.screen.run  # type: ignore[attr-defined]
        assert (run.value("difficulty"), run.value("hp")) == (18, 7)
        await player.press(*"99")
        assert run.value("hp") == 9
        assert line(player) == ""

    play(campaign(tmp_path, *in_party(KARA), *sworn(HEIR)), act)
