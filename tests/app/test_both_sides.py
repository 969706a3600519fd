"""A game with a GM's side in the app: an encounter played from both sides, its screens, and what it refuses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.app.by_keys import Hands
from tests.app.helpers import KARA, Player, QuickDisk, campaign, in_party, play
from tests.app.test_goldens import compare
from tests.games.daggerheart_table import TABLE
from tests.terminal.encounter import RulesAlone, encounter

from tracker import games
from tracker.app.screens.dialog.screen import Dialog
from tracker.app.screens.gm import GmScreen
from tracker.app.widgets.buttons import ChipFlow
from tracker.app.widgets.foes import FoeList
from tracker.app.widgets.options import OptionPicker
from tracker.app.widgets.sheet import LineRow
from tracker.campaign.log import Entry
from tracker.campaign.session import Session, new_campaign
from tracker.games.api.view import Action

GAME = games.get("daggerheart")
EXAMPLE = Path(__file__).parents[2] / "saves" / "example-daggerheart.toml"
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])


def road(folder: Path) -> Path:
    """Write a campaign with Wren, Boro and Nib against a wolf and rats, and a countdown; return its path."""
    path = folder / "road.toml"
    new_campaign(str(path), GAME, QuickDisk())
    session = Session.open(str(path), disk=QuickDisk())
    session.do("edit", TABLE)
    session.close()
    return path


def example(folder: Path) -> Path:
    save = folder / "The Long Dark Road.toml"
    shutil.copy(EXAMPLE, save)
    return save


async def gm_side(player: Player) -> GmScreen:
    await player.press("g")
    assert isinstance(player.app.screen, GmScreen), player.text
    return player.app.screen


# -- an encounter ---------------------------------------------------------------------------------------


def on_gm_side(player: Player, entry: Entry) -> Action | None:
    """Return the key that makes this entry on the GM's side, or "" if it is made at the table."""
    side = GAME.gm_side(player.session.state)
    assert side
    told = dict(entry["answers"])
    of_all = (side.pool_actions, side.foes_actions, side.tracks_actions, *(foe.actions for foe in side.foes))
    for action in (action for actions in of_all for action in actions):
        given = dict(action.start.answers)
        if action.start.procedure == entry["did"] and all(told.get(key) == value for key, value in given.items()):
            return action
    return None


async def do(player: Player, entry: Entry, knows: set[str]) -> None:
    """Play this entry with keys: on the GM's side if it is the GM's, else at the table."""
    told: dict[str, Any] = dict(entry["answers"])
    hands = Hands(player, knows=knows)
    if entry["did"] == GAME.make_character.procedure:
        if not hands.dialog:  # a new campaign asks for somebody at once
            await player.press("c")
        await hands.answer(told, None)
    elif action := on_gm_side(player, entry):
        screen = await gm_side(player)
        while action not in screen.actions():
            await player.press("down")
        await player.press(action.key)
        await hands.answer(told, lambda key, _: told[key])
        await player.press("g")
    else:
        await hands.make(entry["did"], entry.get("who", player.table.player.active), told, lambda key, _: told[key])
    assert player.screen == "TableScreen", player.text


def test_encounter_by_keys_ends_like_the_session_alone(tmp_path: Path) -> None:
    rules = RulesAlone(tmp_path / "rules.toml")
    encounter(rules)
    entries = [entry for entry in rules.session.log.entries if entry["did"] in GAME.moves and not entry.get("open")]
    wanted = rules.close()
    path = tmp_path / "road.toml"
    new_campaign(str(path), GAME, QuickDisk())

    async def act(player: Player) -> None:
        knows: set[str] = set()
        boro, nib = entries[1:3]  # one made by keys is enough
        for entry in entries:
            if entry in (boro, nib):
                run = player.session.begin(entry["did"], "", entry["answers"])
                player.session.finish(run)
                continue
            with player.app.batch_update():  # quicker than the screen is painted
                await do(player, entry, knows)
            if not player.session.state["dice_are"]:
                await player.press("d")
        assert player.session.state == wanted

    play(path, act)
    assert {entry["did"].partition("/")[0] for entry in entries} >= {"character", "gm", "action", "harm", "rest"}


@SIZES
def test_trait_odds_have_heads(size: tuple[int, int], tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r")
        assert "critical  ■Hope  ■Fear  □Hope  □Fear" in player.text

    play(example(tmp_path), act, size=size)


# -- its screens ----------------------------------------------------------------------------------------


@SIZES
def test_screens(size: tuple[int, int], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    async def act(player: Player) -> None:
        async def see(name: str) -> None:
            await player.settle()
            compare(f"daggerheart-{name}-{size[0]}x{size[1]}", player.text, request)

        await see("table")
        await player.press("g")
        await see("gm-side")
        await player.press("g", "r", "a", "3", "a", "2")
        await see("action")
        await player.press("d", *"9 4 5 2", "enter")
        await see("result")

    play(example(tmp_path), act, size=size)


# -- a common roll --------------------------------------------------------------------------------------


def test_common_roll_takes_four_keys(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for keys in (("r", "a", "enter", "enter"), ("m", "2", "enter", "enter"), ("m", "1", "enter", "enter")):
            before = len(player.entries())
            await player.press(*keys[:2])
            for outcome in (
                "critical",
                "success with Hope",
                "success with Fear",
                "failure with Hope",
                "failure with Fear",
            ):
                assert outcome in player.text
            assert "Fear 2 → 3, spotlight to the GM" in player.text
            assert "always  The pack closes in 3 → 2" in player.text
            assert len(player.entries()) == before, "nothing falls before the odds are seen"
            await player.press(*keys[2:])
            assert player.screen == "TableScreen"
            facts = player.entries()[-1]["facts"]
            said = f"{facts['outcome']} · {facts['total']}"
            await player.settle()
            assert said.upper() in player.text.upper(), "in the words of the table"
            player.session.undo()

    play(example(tmp_path), act)


def test_hotkeys_change_default_answers_and_the_odds_follow(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("r", "a")
        plain = player.text
        assert "+ - Difficulty" in plain
        await player.press("a")
        assert "advantages 1" in player.text
        assert "+ d6 advantage against Difficulty 15" in player.text
        assert player.text.split("success with Hope")[1][:6] != plain.split("success with Hope")[1][:6]
        await player.press("-", "v", "v", "-")
        assert "advantages 0" in player.text
        assert "disadvantages 1" in player.text
        await player.press("-", "4")
        assert "Wolf-road guide 2 against Difficulty 15" in player.text
        assert "Before you roll" in player.text
        assert "Hope 4 → 3" in player.text
        await player.press("x")
        assert "Difficulty secret" in player.text
        assert "10: " in player.text
        await player.press("x", "-")
        assert "Difficulty 14" in player.text
        assert "against Difficulty 14" in player.text

    play(road(tmp_path), act)


def test_named_hotkey_makes_the_difficulty_secret_in_the_trait_prompt(
    tmp_path: Path,
) -> None:
    async def act(player: Player) -> None:
        await player.press("r")
        assert "x makes it secret" in player.text
        await player.press("x")
        assert "Difficulty secret" in player.text
        await player.press("x", "s")
        assert "Strength" in player.text
        assert "Difficulty 15" in player.text

    play(road(tmp_path), act)


def test_down_arrow_from_the_last_foe_stays_in_its_column(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("t", *["down"] * 4)
        assert player.app.focused is not None
        assert player.app.focused.region.right > 60

    play(road(tmp_path), act)


# -- the GM's side --------------------------------------------------------------------------------------


def test_input_for_one_adversary_is_not_shown_for_another(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await gm_side(player)
        await player.press("a", "2", "escape")
        await player.press("a")
        assert "■ Boro" in player.text
        await player.press("escape", "down", "down", "a")
        assert player.app.screen.run.value("adversary") == "rats"  # type: ignore[attr-defined]
        assert "■ Boro" not in player.text

    play(road(tmp_path), act)


def test_numbers_under_the_cursor_change_by_hand_and_are_undone(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        before = player.session.state
        screen = await gm_side(player)
        await player.press("+", "+", "down", "+")
        wolf = player.session.state["adversaries"]["wolf"]
        assert (wolf["hp"], wolf["stress"]) == (2, 1)
        assert "Dire wolf: Stress marked 0 → 1" in player.text
        while getattr(player.app.focused, "at", "") != "fear":
            await player.press("up")
        await player.press("+")
        assert player.session.state["fear"] == 4
        await player.press("right")
        with player.app.batch_update():
            while player.app.focused is not screen.query_one("#coming"):
                await player.press("down")
        await player.press("-")
        assert player.session.state["countdowns"]["pack"]["value"] == 5
        await player.press(*"uuuuu")
        assert player.session.state == before
        await player.press("escape")
        assert player.screen == "TableScreen"

    play(road(tmp_path), act)


def test_every_hotkey_starts_what_its_button_says(tmp_path: Path) -> None:
    """The hotkeys, the buttons and the help screen agree, and no key has two meanings."""

    async def act(player: Player) -> None:
        screen = await gm_side(player)
        actions = screen.actions()
        letters = [action.key for action in actions]
        assert len(set(letters)) == len(letters)
        chips = {chip.action.key for flow in screen.query(ChipFlow) for chip in flow.chips if chip.display}
        assert chips < set(letters)
        pressed_elsewhere = {
            "New adversary",
            "New countdown",
            "Attack",
            "Spend Fear",
            "Deal damage",
            "Tick",
            "How we play",
        }
        for action in (one for one in actions if one.label not in pressed_elsewhere):
            with player.app.batch_update():
                await player.press(action.key)
                assert player.screen == "Dialog", action
                dialog = player.app.screen
                assert isinstance(dialog, Dialog)
                assert dialog.run.move.id == action.start.procedure
                while player.app.screen is not screen:
                    await player.press("escape")
        await player.press("?")
        named = {row.key.strip(): row.label.strip() for row in player.app.screen.query_one(OptionPicker).data}
        for action in actions:
            assert named[action.key] == action.label
        await player.press("escape", "enter")
        assert "Dire wolf" in player.text
        assert "Remove" in player.text

    play(road(tmp_path), act)


def test_due_damage_is_shown_on_both_sides(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("d")
        await gm_side(player)
        await player.press("a", "1", "enter", *"18", "enter", *"6", "enter", "enter")
        assert player.screen == "GmScreen"
        assert "Take 10" in player.text
        await player.press("x", "a", "enter")
        wren = player.session.state["party"]["wren"]
        assert (wren["hp"], wren["armor"]) == (1, 1)
        assert player.screen == "GmScreen"

    play(road(tmp_path), act)


def test_marked_numbers_say_so_or_at_least_are_whole(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("p")
        await player.sees("HP marked")
        await player.press("escape")
        await gm_side(player)
        rows = [line for line in player.text.splitlines() if "HP" in line and "Stress" in line]
        assert rows
        assert not any("□…" in row or "■…" in row for row in rows), player.text

    play(road(tmp_path), act, size=(60, 18))


def test_gm_side_shows_no_foes_and_many_foes(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        gone = [{"at": "adversaries", "drop": one} for one in ("wolf", "rats")]
        player.session.do("edit", gone)
        screen = await gm_side(player)
        assert "No adversaries." in player.text
        assert getattr(player.app.focused, "at", "") == "fear"
        player.session.do(
            "edit",
            [{"at": "adversaries", "add": {"id": f"foe{n}", "name": f"Foe {n} [/oops] {'x' * 40}"}} for n in range(9)],
        )
        screen.show()
        await player.settle()
        foes = screen.query_one(FoeList)
        foes.focus()
        assert "↓" in player.text
        for _ in range(17):
            assert "/5" in player.text
            await player.press("down")
        assert foes.foe
        assert foes.foe.id == "foe8"
        assert "► Foe 8 [/oops]" in player.text
        assert "↑" in player.text
        assert "How we play" in player.text

    play(road(tmp_path), act)


def test_automatic_settings_can_be_switched_off(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("d")
        await gm_side(player)
        await player.press("w")
        await Hands(player).answer({"hope_and_fear": "by hand", "countdowns": "by hand"}, None)
        await player.press("g", "r", "a")
        assert "Hope 4 → 5" not in player.text
        assert "Fear 3 → 4" not in player.text
        await player.press(*"2 9", "enter", "enter")
        state = player.session.state
        assert (state["party"]["wren"]["hope"], state["fear"], state["countdowns"]["pack"]["value"]) == (4, 3, 6)
        await player.press("u", "u", "r", "a")
        assert "Fear 3 → 4" in player.text

    play(road(tmp_path), act)


def test_solo_oracle_makes_the_gms_move(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("d", "r", "a", *"2 9", "enter", "enter", "o")
        assert "50/50" in player.text
        assert "what the GM does" in player.text
        await player.press("6", *"3", "enter")
        assert "After a failure with Fear" in player.text
        before = player.session.state
        await player.press("enter")
        assert player.entries()[-1]["did"] == "fate/gm_move"
        assert player.session.state == before

    play(road(tmp_path), act)


def test_other_games_have_no_gm_keys(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for key in "azg":
            await player.press(key)
            assert player.screen == "TableScreen"
        await player.press("?")
        assert "GM side" not in player.text

    play(campaign(tmp_path, *in_party(KARA)), act)


# -- content of one's own ---------------------------------------------------------------------------------


def test_adversary_is_loaded_from_a_file_with_its_problems(tmp_path: Path) -> None:
    save = road(tmp_path)
    (tmp_path / "content").mkdir()
    good = '[[adversary]]\nid = "ash"\nname = "Ash wolf"\ndifficulty = 13\n'
    (tmp_path / "content" / "mine.toml").write_text(f'game = "daggerheart"\n{good}[[weapon]]\nid = "bow"\n')

    async def act(player: Player) -> None:
        await player.until(lambda: "mine.toml, line 6: name is missing" in player.notice)
        await gm_side(player)
        await player.press("n", "1", "enter")
        assert player.session.state["adversaries"]["ash_wolf"]["difficulty"] == 13

    play(save, act)


# -- what it refuses --------------------------------------------------------------------------------------


REFUSED: list[tuple[str, list[dict[str, Any]], tuple[str, ...], str]] = [
    ("an Experience without Hope", [{"at": "wren.hope", "to": 0}], ("r", "a", "4"), "no Hope left"),
    (
        "two Experiences for one Hope",
        [{"at": "wren.hope", "to": 1}],
        ("r", "a", "4", "5"),
        "This costs 2 Hope; Wren has 1",
    ),
    ("help without Hope", [{"at": "boro.hope", "to": 0}], ("r", "a", "2"), "no Hope left"),
    (
        "an Armor Slot that is not free",
        [{"at": "wren.armor", "to": 3}],
        ("a", "9", "enter", "5"),
        "no Armor Slot left",
    ),
    ("an Armor Slot against direct damage", [], ("a", "9", "enter", "x", "a"), "direct damage ignores armor"),
    ("a fourth short rest", [{"at": "short_rests", "to": 3}], ("z", "y", "s"), "3 in a row"),
    ("a Tag Team that is used up", [{"at": "wren.tag_team", "to": True}], ("m", *"tag"), "once per session"),
    ("Fear beyond the pool", [{"at": "fear", "to": 0}], ("g", "f"), "no Fear left"),
    (
        "more Fear than there is",
        [{"at": "fear", "to": 1}],
        ("g", "f", "e", "+"),
        "costs 2 Fear; the GM has 1",
    ),
    ("a countdown that has ended", [{"at": "countdowns.pack.ended", "to": True}], ("g", "k"), "no active countdown"),
    ("impossible dice", [{"at": "dice_are", "to": "typed in"}], ("r", "a", *"13 4", "enter"), "from 1 to 12"),
    ("to act before the death move", [{"at": "wren.down", "to": "death_move"}], ("r",), "death move is due"),
]


@pytest.fixture(scope="module")
def refused_at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return road(tmp_path_factory.mktemp("refused"))


def test_bad_input_is_refused_in_one_sentence_and_changes_nothing(refused_at: Path) -> None:
    async def act(player: Player) -> None:
        for what, given, keys, why in REFUSED:
            player.session.do("edit", given or [{"at": "scene", "to": what}])
            player.table.show()
            await player.rest()
            before, entries = player.session.state, len(player.entries())
            await player.press(*keys)
            told = f"{player.text} {player.notice}"
            assert why in " ".join(re.sub("[│\n]", " ", told).split()), f"{what}:\n{player.text}"
            with player.app.batch_update():
                while player.screen != "TableScreen":
                    await player.press("escape")
            assert player.session.state == before, what
            assert len(player.entries()) == entries, what
            player.session.undo()

    play(refused_at, act)


def test_reaction_roll_offers_no_help(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("v", "a")
        assert "Wolf-road guide" in player.text
        assert "helps" not in player.text

    play(road(tmp_path), act)


def test_refused_hotkey_says_why(tmp_path: Path) -> None:
    """A rest in a fight asks for confirmation. After a no, the screen names the way out; after a yes, the rest goes on."""

    async def act(player: Player) -> None:
        await player.press("z", "n")
        assert "No rest yet" in player.text, player.text
        await player.press("y")
        assert "Which rest?" in player.text, player.text

    play(road(tmp_path), act)


def test_sheet_that_changes_twice_at_once_shows_the_last(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        for n in range(3):
            name = {"id": f"axe{n}", "name": f"Axe {n}", "trait": "strength", "damage": "d8"}
            known = {"id": f"exp{n}", "name": f"Deed {n}", "bonus": 2}
            player.session.do("edit", [{"at": "wren.weapons", "add": name}, {"at": "wren.experiences", "add": known}])
            player.table.show()
        await player.settle()
        for words in ("Axe 2", "Deed 2 +2", "Hope      ● ● ● ● ○ ○     4"):
            assert words in player.text
        for _ in range(3):
            player.session.undo()
            player.table.show()
        await player.settle()
        assert not [row for row in player.table.query(LineRow) if row.data.label.startswith("Axe")]

    play(road(tmp_path), act)


def test_key_t_focuses_the_foes_and_enter_opens_their_actions(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("t", "enter")
        assert player.screen == "ListScreen", player.text
        assert "Attack" in player.text

    play(road(tmp_path), act)


def test_procedure_left_by_the_gm_is_not_due(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        before = len(player.entries())
        await player.press("g", "a")
        assert player.screen == "Dialog", player.text
        await player.press("escape", "escape")
        assert len(player.entries()) == before

    play(road(tmp_path), act)


def test_disabled_move_gives_its_reason_and_keeps_its_number(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        player.session.do("change", [{"at": "wren.hope", "to": 0}])
        await player.press("m", *"tag")
        assert "Not now: costs 3 Hope" in " ".join(player.text.split())
        await player.press("enter")
        assert player.screen == "ListScreen"

    play(road(tmp_path), act)


def test_dice_key_does_nothing_where_no_roll_is_next(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("g", "f")
        assert player.screen == "Dialog"
        await player.press("d")
        assert "real dice" not in player.text
        assert not player.app.typed_dice

    play(example(tmp_path), act)
