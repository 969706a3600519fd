"""The table at every size: which panes there are, what they tell, and that no number is ever cut."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.app.helpers import HEIR, KARA, TAYLA, Player, campaign, in_party, play, sworn
from tests.app.test_widgets import look
from textual import events
from textual.geometry import Size
from textual.screen import Screen

from tracker.app.screens.table.screen import TableScreen
from tracker.app.widgets.base import ValueWidget
from tracker.app.widgets.belongings import ThingRow
from tracker.app.widgets.options import OptionPicker, Row, cut
from tracker.app.widgets.rolls import Rolled, RollTable
from tracker.app.widgets.sheet import Cell, FlagGrid, MeterRow, MomentumRuler, Tile
from tracker.app.widgets.tabs import Tabs
from tracker.dice import ScriptedDice
from tracker.games.api.prompts import Odds
from tracker.games.api.view import Card, Die

WOLF = {"id": "wolf", "name": "A grey wolf", "kind": "fight", "rank": "dangerous", "ticks": 8}
ROAD = {"id": "road", "name": "To Ravencliff", "kind": "journey", "rank": "dangerous", "ticks": 24}
HOUND = {
    "id": "hound",
    "name": "Ash Hound",
    "kind": "companion",
    "note": "Brak",
    "one": {"text": "It follows a scent: +1 to Gather Information.", "on": True},
    "two": {"text": "It keeps watch: +1 to Make Camp.", "on": False},
    "health": 4,
    "max": 4,
}
RUNNER = {"id": "runner", "name": "Javelin Runner", "kind": "path", "one": {"text": "Throw on the run.", "on": True}}
FERRIN = {"id": "ferrin", "name": "Old Ferrin", "note": "he knows the ford"}
HELD = (
    {"at": "kara.assets", "add": HOUND},
    {"at": "kara.assets", "add": RUNNER},
    {"at": "kara.bonds", "add": FERRIN},
)
FIGHT = (*sworn(WOLF), {"at": "kara.initiative", "to": "foe"})
NARROW, COZY, WIDE = (80, 24), (120, 40), (200, 50)


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """Kara with a hound and a friend, Tayla, a vow and a journey."""
    return campaign(tmp_path, *in_party(KARA, TAYLA), *sworn(HEIR, ROAD), *HELD)


async def become(player: Player, width: int, height: int) -> None:
    """Resize the window."""
    player.pilot.app._driver._size = (width, height)  # type: ignore[union-attr]
    player.app.post_message(events.Resize(Size(width, height), Size(width, height)))
    await player.rest()
    await player.settle()


class TestTabs:
    def test_open_line_stays_visible(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"Rain")
            tabs = player.table.query_one(Tabs)
            await player.click(tabs, (26, 0))
            await player.sees("┤ Journal ├")
            await player.press("s")
            assert "Rains" in player.text

        play(vale, act)

    def test_line_opened_in_a_wide_window_stays_visible(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("l", "l")
            assert "┤ Rolls ├" in player.text
            await become(player, *COZY)
            await player.press("j", *"Rain")
            await become(player, *NARROW)
            await player.press("s")
            assert "Rains" in player.text

        play(vale, act)

    def test_key_opens_the_next_tab_and_click_any_tab(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("j", *"Rain.", "enter")
            assert "┤ Tracks ├─ Journal ── Rolls" in player.text
            assert "■ ■ ■ □" in player.text
            assert "─ Journal ─" in player.text
            await player.press("l")
            assert "─ Tracks ─┤ Journal ├─ Rolls" in player.text
            assert "■ ■ ■ □" not in player.text
            await player.press("l")
            assert "─ Tracks ── Journal ─┤ Rolls ├" in player.text
            assert "│ Rain." not in player.text
            assert "No roll yet." in player.text
            tabs = player.table.query_one(Tabs)
            await player.click(tabs, (4, 0))
            assert "┤ Tracks ├" in player.text
            await player.click(tabs, (15, 0))
            assert "┤ Journal ├" in player.text
            await player.press("t")
            assert "┤ Tracks ├" in player.text
            assert "► dangerous" in player.text

        play(vale, act)

    def test_rolls_are_listed_newest_first_with_score_and_dice(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            for faces in ((6, 1, 2), (1, 9, 10)):
                player.app.dice = ScriptedDice({"action": faces[0], "challenge": list(faces[1:])})
                await player.press("r", "e", "enter")
            await player.press("l", "l")
            rows = [re.sub(r".*│", "", row).split() for row in player.text.splitlines() if re.search("│ [■□]", row)]
            assert rows == [
                ["□□", "miss", "Kara:", "Action", "roll", "4", "9", "10"],
                ["■■", "strong", "Kara:", "Action", "roll", "9", "1", "2"],
            ]
            await player.press("u")
            await player.settle()
            assert "miss    Action" not in player.text

        play(vale, act)

    def test_line_can_be_written_from_the_rolls_tab(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("l", "l", "j", *"Rain.", "enter")
            assert player.entries()[-1]["text"] == "Rain."
            await player.sees("Rain.")

        play(vale, act)

    def test_wide_window_has_no_tabs_and_says_so(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("l")
            assert player.notice == "Tabs only appear in a narrow window."
            assert "├─ Journal" not in player.text

        play(vale, act, size=COZY)


class TestBelongings:
    @pytest.mark.parametrize("size", [NARROW, COZY, WIDE])
    def test_companion_health_changes_on_the_sheet(self, vale: Path, size: tuple[int, int]) -> None:
        async def act(player: Player) -> None:
            hound = player.table.query(ThingRow).first()
            await player.tab_to(hound)
            await player.press("-")
            assert player.kara["assets"]["hound"]["health"] == 3
            await player.sees("● ● ● ○")
            assert re.search(r"Brak .*‹ 3 ›", player.text)
            await player.press("down")
            assert "►Javelin Runner◄" in player.text
            await player.press("enter")
            assert player.screen != "TableScreen"

        play(vale, act, size=size)

    def test_roomy_window_shows_every_ability(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            assert "■ It follows a scent: +1 to" in player.text
            assert "□ It keeps watch: +1 to Make Camp." in player.text
            assert re.search(r"Old Ferrin +he knows the ford", player.text)

        play(vale, act, size=COZY)

    def test_small_window_shows_one_row_each(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            assert re.search(r"Javelin Runner +1 of 1", player.text)
            assert "It follows a scent" not in player.text

        play(vale, act, size=NARROW)

    def test_belongings_disappear_with_the_last_character(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.sees("Old Ferrin")
            await player.press("u")
            await player.sees("You have no character yet.")
            await player.until(lambda: "─ Bonds ─" not in player.text)
            assert "─ Assets ─" not in player.text
            await player.press("ctrl+r")
            await player.sees("─ Bonds ─")

        play(campaign(tmp_path, *in_party(KARA), *HELD), act, size=COZY)

    def test_new_belonging_is_shown_at_once(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.session.do("edit", [{"at": "kara.bonds", "add": {"id": "bo", "name": "Bo of the mill"}}])
            player.table.show()
            await player.sees("Bo of the mill")
            await player.press("2")
            await player.sees("None yet")

        play(vale, act, size=COZY)


class TestFight:
    @pytest.mark.parametrize("size", [NARROW, COZY, WIDE])
    def test_fight_pane_shows_foes_initiative_and_forbidden_moves(self, vale: Path, size: tuple[int, int]) -> None:
        async def act(player: Player) -> None:
            assert "Fight" not in player.text
            player.session.do("edit", FIGHT)
            player.table.show()
            await player.sees("A grey wolf")
            text = player.text
            assert re.search(r"A grey wolf +deals 2", text)
            assert re.search(r"dangerous +■ ■ □", text)
            assert re.search(r"Kara +no initiative", text)
            assert re.search(r"Tayla +not in the fight", text)
            assert re.search(r"m1 Clash", text)
            assert re.search(r"Strike, Secure", text)
            player.session.do("edit", [{"at": "kara.initiative", "to": "you"}])
            player.table.show()
            await player.sees("Kara   has initiative")
            assert re.search(r"m1 Strike", player.text)
            assert re.search(r"Clash, ", player.text)
            player.session.do("edit", [{"at": "tracks.wolf.status", "to": "won"}])
            player.table.show()
            await player.until(lambda: "Fight" not in player.text)
            if size == NARROW:
                assert "┤ Tracks ├" in player.text

        play(vale, act, size=size)

    def test_disabled_moves_have_no_button_while_others_fit(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.session.do("edit", FIGHT)
            moves = [action for action in player.table.view.actions() if action.key.startswith("m")]
            labels = [move.label for move in moves]
            assert labels == ["Clash", "Face Danger", "Turn the Tide", "Gather Information"]
            assert [move.key for move in moves] == ["m1", "m2", "m3", "m4"], "a move has one number everywhere"

        play(vale, act)

    @pytest.mark.parametrize("size", [NARROW, COZY])
    def test_t_goes_to_the_foes_then_to_the_tracks(self, tmp_path: Path, size: tuple[int, int]) -> None:
        async def act(player: Player) -> None:
            ticks = {name: one["ticks"] for name, one in player.session.state["tracks"].items()}
            await player.press("t", "+")
            assert player.session.state["tracks"]["wolf"]["ticks"] == ticks["wolf"] + 1
            await player.press("t", "+")
            assert player.session.state["tracks"]["heir"]["ticks"] == ticks["heir"] + 1
            await player.press("t", "enter")
            assert "Clash" in player.text
            assert player.screen == "ListScreen"

        play(campaign(tmp_path, *in_party(KARA, TAYLA), *sworn({**HEIR, "ticks": 0}), *FIGHT), act, size=size)


class TestBelongingsCursor:
    def test_cursor_stays_on_its_thing_while_another_goes(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            crane = {**HOUND, "id": "crane", "name": "Marsh Crane", "note": "Long", "health": 2}
            player.session.do("change", [{"at": "kara.assets", "add": crane}])
            player.table.show()
            await player.sees("Long")
            await player.tab_to(player.table.query(ThingRow).first())
            await player.press("u")
            await player.until(lambda: "Long" not in player.text)
            await player.press("-")
            assert player.kara["assets"]["hound"]["health"] == 3

        play(vale, act, size=COZY)

    def test_cursor_goes_to_the_stats_when_its_thing_goes(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            crane = {**HOUND, "id": "crane", "name": "Marsh Crane", "note": "Long", "health": 2}
            player.session.do("change", [{"at": "kara.assets", "add": crane}])
            player.table.show()
            await player.sees("Long")
            await player.tab_to(next(row for row in player.table.query(ThingRow) if row.data.id == "crane"))
            await player.press("u")
            await player.until(lambda: "Long" not in player.text)
            assert isinstance(player.app.focused, Tile)

        play(vale, act, size=COZY)


class TestChangedNumber:
    def test_change_is_shown_until_something_else_happens(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press(*["tab"] * 5, "-", "-")
            assert re.search(r"health .*‹ 3 › ↓1", player.text)
            await player.press("down", "down", "-")
            await player.sees("‹ 4 › ↓1")
            assert "health    ● ● ● ○ ○       3   " in player.text
            await player.press("u")
            await player.sees("‹ 5 › ↑1")
            await player.press("2")
            assert not re.search("[↑↓]", player.text)
            await player.press("1")
            assert not re.search("[↑↓]", player.text)

        play(vale, act)


class TestLastResult:
    @pytest.mark.parametrize("size", [NARROW, COZY])
    def test_move_without_a_roll_is_shown(self, vale: Path, size: tuple[int, int]) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 6, "challenge": [1, 2]})
            await player.press("r", "e", "enter")
            await player.sees("STRONG HIT")
            await player.press("t", "enter", "m", "enter")
            await player.until(lambda: "STRONG HIT" not in player.text)
            assert re.search(r"Reach a Milestone\s[\s\S]*Find the lost heir: progress 0 → 2", player.text)

        play(vale, act, size=size)

    def test_due_item_in_a_frame_says_that_it_is_due(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.session.do("edit", [{"at": "kara.owed.pay_the_price", "by": 1}])
            player.table.show()
            await player.sees("▐x Pay the Price▌ due: Kara")

        play(vale, act, size=(120, 40))

    def test_due_items_are_told_in_words(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.app.dice = ScriptedDice({"action": 1, "challenge": [9, 10]})
            await player.press("m", "2", "e", "enter")
            await player.sees("due   ▐x Pay the Price▌ Kara")
            assert "Kara: due" not in player.text
            assert re.search(r"last .*MISS .*Face Danger .*due: Pay the Price", player.text)

        play(vale, act)


def test_odds_beside_the_moves_have_heads(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m")
        await player.sees("strong  weak  miss")
        rows = player.text.splitlines()
        head = next(n for n, row in enumerate(rows) if "strong  weak  miss" in row)
        numbers = [match.end() for match in re.finditer(r"\d+%", rows[head + 1].split("│")[2])]
        names = [match.end() for match in re.finditer("strong|weak|miss", rows[head].split("│")[2])]
        assert numbers == names

    play(vale, act)


def test_enter_on_a_stat_shows_the_odds_before_rolling(vale: Path) -> None:
    async def act(player: Player) -> None:
        before = len(player.entries())
        await player.tab_to(player.table.query(Tile).first())
        await player.press("enter")
        assert "strong 33%" in player.text
        await player.press("escape", "escape")
        assert player.screen == "TableScreen"
        assert len(player.entries()) == before

    play(vale, act)


def test_enter_right_after_a_move_rolls_only_when_repeated(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.tab_to(player.table.query(Tile).first())
        await player.press("r", "r")
        while player.screen == "Dialog":
            await player.press("enter")
        before = len(player.entries())
        await player.press("enter")
        assert player.screen == "TableScreen"
        assert player.notice == "Press Enter again to roll with edge."
        await player.press("enter")
        assert player.screen == "Dialog"
        await player.press("escape")
        assert len(player.entries()) == before

    play(vale, act)


class TestSizes:
    WORDS = (r"health .* 5\b", r"spirit .* 5\b", r"supply .* 5\b", r"momentum .*\+2\b")

    @pytest.mark.parametrize("size", [(60, 18), NARROW, (100, 30), (115, 24), (116, 30), COZY, (179, 50), WIDE])
    def test_every_number_is_shown_in_full(self, vale: Path, size: tuple[int, int]) -> None:
        async def act(player: Player) -> None:
            for word in self.WORDS:
                assert re.search(word, player.text), player.text
            assert re.search(r"│.* 6 *(│|$)", player.text, re.MULTILINE), player.text
            assert max(map(len, player.text.splitlines())) <= size[0]

        play(vale, act, size=size)

    def test_widest_window_shows_next_member_and_earlier_rolls(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            assert "─ 2  Tayla ─" in player.text
            assert "edge 1  heart 3  iron 1  shadow 2  wits 2" in player.text
            assert "─ Earlier rolls ─" in player.text
            await player.press("2")
            await player.sees("─ 1  Kara ─")

        play(vale, act, size=WIDE)

    @pytest.mark.parametrize(("width", "least"), [(116, 36), (120, 37), (179, 80), (180, 70), (200, 90)])
    def test_journal_gets_the_columns_that_others_do_not_need(self, vale: Path, width: int, least: int) -> None:
        async def act(player: Player) -> None:
            assert player.table.query_one("#journal").outer_size.width >= least

        play(vale, act, size=(width, 40))

    @pytest.mark.parametrize("size", [COZY, WIDE])
    def test_pane_without_content_takes_one_row(self, tmp_path: Path, size: tuple[int, int]) -> None:
        async def act(player: Player) -> None:
            for name in ("#assets", "#bonds", "#tracks", "#last"):
                assert player.table.query_one(name).outer_size.height == 1, name
            for words in ("Assets  None yet: b adds one.", "No roll yet.", player.session.game.no_tracks[:20]):
                assert words in player.text, player.text
            player.session.do("edit", HELD)
            player.table.show()
            await player.sees("─ Assets ─")

        play(campaign(tmp_path, *in_party(KARA)), act, size=size)

    @pytest.mark.parametrize("size", [COZY, WIDE])
    def test_name_of_a_track_is_whole_beside_a_note(self, tmp_path: Path, size: tuple[int, int]) -> None:
        name = "Bring the miller's boy home again"
        save = campaign(tmp_path, *in_party(KARA, TAYLA), *sworn({**HEIR, "name": name, "by": "kara"}))

        async def act(player: Player) -> None:
            assert name in player.text

        play(save, act, size=size)

    def test_odds_of_the_buttons_are_explained(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.sees("━ strong  ─ weak  · miss")

        play(vale, act, size=COZY)

    def test_wide_window_of_any_height_lists_rolls_or_omits_them(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            for action in (6, 5):
                player.app.dice = ScriptedDice({"action": action, "challenge": [1, 2]})
                await player.press("r", "e", "enter", "enter")
            seen = set()
            for height in range(18, 54, 5):
                await become(player, 200, height)
                rolls = player.table.query_one("#rolls").size.height
                assert rolls == 0 or rolls >= 2
                assert "STRONG HIT" in player.text
                seen.add(rolls > 0)
            assert seen == {False, True}

        play(vale, act, size=WIDE)

    def test_too_small_window_says_so_and_recovers(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            for width, height in ((59, 24), (80, 17), (20, 5)):
                await become(player, width, height)
                assert player.text.split("\n")[0].strip() == "60 × 18 needed", player.text
                assert "tracker NAME --plain" in player.text
                assert "quit with ^q" in player.text
                assert "health" not in player.text
                await become(player, 80, 24)
                assert "health" in player.text
                assert "needed" not in player.text

        play(vale, act)

    def test_too_small_window_accepts_only_quit_keys(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            before = len(player.entries())
            await player.press("r")
            await become(player, 59, 24)
            await player.press("e", "enter", "ctrl+p")
            await player.type("e")
            assert player.screen == "Dialog"
            await player.press("escape", "+")
            assert player.screen == "TableScreen"
            assert len(player.entries()) == before
            await become(player, *NARROW)
            await player.press("+")
            assert player.kara["edge"] == 4
            await become(player, 59, 24)
            await player.press("ctrl+q")
            assert player.app._exit

        play(vale, act)

    def test_resize_with_an_open_dialog_keeps_the_layout(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("m", "1")
            assert player.screen == "Dialog"
            for width, height in ((200, 50), (60, 18), (116, 30), (59, 10), (80, 24)):
                await become(player, width, height)
                assert player.screen == "Dialog"
            await player.press("escape")
            assert isinstance(player.app.screen, TableScreen)
            assert "┤ Tracks ├" in player.text
            await become(player, 120, 40)
            assert "╭─ Assets ─" in player.text
            assert "┤ Tracks ├" not in player.text

        play(vale, act)

    @pytest.mark.parametrize("key", ["", "m"], ids=["table", "dialog"])
    def test_two_sizes_at_once_are_not_laid_out_in_turn_for_ever(
        self, key: str, vale: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        laid: list[Size] = []
        resized = Screen._screen_resized

        def counted(screen: Screen[object], size: Size) -> None:
            laid.append(size)
            assert len(laid) < 50
            resized(screen, size)

        async def act(player: Player) -> None:
            await player.press(*key)
            monkeypatch.setattr(Screen, "_screen_resized", counted)
            old, now = Size(100, 30), player.app.size
            for size in (old, now, old):
                player.app.screen.post_message(events.Resize(size, size))
                player.app.screen.call_later(lambda: None)  # two that follow each other at once become one
            await player.rest()
            assert {one.size for one in player.app.screen_stack} == {now}

        play(vale, act)


class TestFocus:
    def test_focus_survives_a_too_small_window(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("down", "down")
            stood, before = player.app.focused, player.text
            await become(player, 30, 8)
            await player.until(lambda: player.text.strip().startswith("60 × 18 needed"))
            await become(player, 80, 24)
            assert player.app.focused is stood
            await player.until(lambda: player.text == before)
            await player.press("m", "1")
            stood = player.app.focused
            await become(player, 20, 5)
            await player.until(lambda: player.text.strip().startswith("60 × 18 needed"))
            await become(player, 80, 24)
            assert player.app.focused is stood

        play(vale, act)

    @pytest.mark.parametrize("kind", [Tile, MeterRow, MomentumRuler, FlagGrid, Cell])
    def test_cursor_stays_where_it_is_when_a_row_comes_and_goes(self, kind: type[ValueWidget[Any]], vale: Path) -> None:
        async def act(player: Player) -> None:
            def place() -> object:
                widget = player.app.focused
                assert isinstance(widget, ValueWidget)
                return widget.here if isinstance(widget, FlagGrid) else widget.data

            player.session.do("change", [{"at": "kara.assets", "add": HOUND}])
            player.table.show()
            await player.rest()
            await player.tab_to(player.table.query(kind).first(kind))
            await player.press(*["right"] * (kind is FlagGrid))
            stood = place()
            player.session.do("change", [{"at": "kara.waiting.any", "by": 1}])
            player.table.show()
            await player.until(lambda: "bonus" in player.text and player.app.focused is not None)
            assert place() == stood
            await player.press("u")
            await player.until(lambda: "bonus" not in player.text and player.app.focused is not None)
            assert place() == stood

        play(vale, act, size=COZY)

    @pytest.mark.parametrize("size", [NARROW, COZY])
    def test_focused_journal_says_so_in_its_title(self, vale: Path, size: tuple[int, int]) -> None:
        async def act(player: Player) -> None:
            assert "─ Journal ─" in player.text
            player.table.query_one("#journal").focus()
            await player.rest()
            assert "─ ► Journal ─" in player.text

        play(vale, act, size=size)


class TestNoticeSinceLastMove:
    def test_manual_change_is_told_and_a_journal_line_only_in_the_journal(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            player.session.do("change", [{"at": "kara.xp", "by": 1}], who="kara")
            player.table.show()
            await player.sees("last  Edited: experience 0 → 1")
            player.table.action_dice()
            await player.settle()
            assert "Edited" not in player.text
            player.session.write("Rain.", "kara")
            player.table.show()
            await player.sees("Rain.")
            assert player.text.count("Rain.") == 1

        play(vale, act)

    def test_digit_without_a_character_says_so(self, vale: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("3")
            assert player.notice == "There is no character 3: p shows the party."

        play(vale, act)

    def test_settling_for_another_keeps_the_active_character(self, tmp_path: Path) -> None:
        async def act(player: Player) -> None:
            await player.press("x")
            assert "Tayla ·" in player.text
            while player.screen == "Dialog":
                await player.press("enter")
            assert player.table.player.active == "kara"
            assert player.notice == "Tayla is done; you play Kara again."

        play(campaign(tmp_path, *in_party(KARA, TAYLA), {"at": "tayla.owed.endure_stress_1", "by": 1}), act)


def test_number_of_a_disabled_move_says_why(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m")
        assert "Type to filter" in player.text
        assert "picks" not in player.text
        await player.press("2")
        assert "Not now: Kara is retired." in player.text

    play(campaign(tmp_path, *in_party(KARA), {"at": "kara.status", "to": "retired"}), act)


def test_filter_without_a_matching_name_looks_through_the_triggers(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m", *"sickness")
        assert "1 Heal" in player.text

    play(vale, act)


def test_filter_without_a_match_says_how_to_clear_it(vale: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m", "slash", *"und")
        assert "/ und" in player.text
        assert "Esc Clear filter" in player.text
        await player.press(*"zz")
        assert "Nothing matches “undzz”. Esc" in player.text
        await player.press("escape")
        assert "Type to filter, 1-" in player.text
        assert "Esc Back" in player.text

    play(vale, act)


class TestLittleRoom:
    def test_label_uses_columns_that_no_odds_need(self) -> None:
        odds: Odds = (("strong", 33, "good"), ("weak", 44, "mid"), ("miss", 23, "bad"))
        rows: tuple[Row, ...] = (Row("Among people you share a bond with, who know you: +1", "k", "k", on=False),)
        rows += tuple(Row(f"stat {n}", n, odds=odds, note="with burn 48%") for n in range(2))
        assert "who know you: +1" in look(OptionPicker(rows), 74)[0]
        assert not cut(rows[0], rows, 74)

    def test_outcomes_are_named_once_above_the_numbers(self) -> None:
        odds: Odds = (("strong", 33, "good"), ("weak", 44, "mid"), ("miss", 23, "bad"))
        stats = tuple(Row(name, name, name[0], odds=odds, note="burn: 52%") for name in ("edge", "heart"))
        rows = [row.rstrip() for row in look(OptionPicker((Row("Roll with:"), *stats)), 60)]
        assert rows[0] == "Roll with:                      strong  weak  miss"
        assert rows[1].endswith("33%   44%   23% burn: 52%")
        assert rows[0].index("strong") + len("strong") == rows[1].index("33%") + len("33%")
        mixed = (Row("Roll with:"), *stats, Row("wits", "w", odds=(("yes", 50, "good"), ("no", 50, "bad"))))
        assert "strong 33%" in look(OptionPicker(mixed), 60)[1]

    def test_labels_are_as_wide_as_the_longest_if_that_cuts_no_note(self) -> None:
        rows = tuple(
            Row(label, label, "k", "already 5") for label in ("relax", "partake: supply -1, health +1, and more")
        )
        first, second = look(OptionPicker(rows), 60)
        assert first.index("already") == second.index("already")

    def test_chance_is_shown_even_if_words_are_cut(self, tmp_path: Path) -> None:
        bell = {**HEIR, "name": "Bring the stolen bell home before the frost", "ticks": 36}

        async def act(player: Player) -> None:
            await player.press("m", *"fulfill")
            row = next(row for row in player.text.splitlines() if "Fulfill Your Vow" in row)
            assert "Bring the…" in row
            assert "%" in row.split("│")[1]

        play(campaign(tmp_path, *in_party(KARA), *sworn(bell)), act)

    def test_dice_of_a_roll_are_all_told_or_none(self) -> None:
        card = Card("Clash", mark="□□", outcome="MISS", score=6, dice=(Die(7, 10), Die(9, 10)))
        for width in range(16, 50):
            table = RollTable((Rolled("Clash", card),))
            row = table.lines(width, 5)[1].plain
            assert ("7" in row) == ("9" in row), width
            assert len(row) <= width
