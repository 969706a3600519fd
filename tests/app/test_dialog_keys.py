"""Keys of a dialog: each means one thing while it is open, and the line asks for what is rolled now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.app.helpers import KARA, TAYLA, Player, campaign, in_party, play
from tests.app.test_prompts import asked, begin

from tracker.app.screens.dialog.forms import RollForm
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import OptionPicker
from tracker.campaign.unsent_input import PendingInput
from tracker.games.api.draft import Draft, Procedure
from tracker.games.api.game import Move
from tracker.games.api.prompts import Choose, Number, Option, Pick, Roll, Text

THREE = tuple(Option(key, key.capitalize()) for key in ("ash", "birch", "cedar"))


def offered(key: str, *names: str) -> Choose:
    """Return a choice that is answered with nothing by default and can be revised."""
    options = tuple(Option(name.lower(), name) for name in names)
    return Choose(key=key, title=key, options=options, least=0, most=len(options), default=[], quiet=True)


def keys(player: Player) -> dict[str, str]:
    """Return {label of a row: its hotkey}."""
    return {row.label: row.key for row in player.app.screen.query_one(OptionPicker).data if not row.heading}


def meet(tmp_path: Path, act: Any, procedure: Any, *, people: tuple[dict[str, Any], ...] = (KARA,)) -> None:
    async def evening(player: Player) -> None:
        await begin(player, Move("test/keys", "Keys", procedure))
        await act(player)

    play(campaign(tmp_path, *in_party(*people)), evening)


def test_digit_on_a_number_row_is_typed_there_and_picks_no_option(tmp_path: Path) -> None:
    def ask(_: Draft) -> Procedure:
        yield Number(key="adds", title="adds", low=0, high=30, default=0, quiet=True)
        yield Pick(key="wood", title="Which wood?", options=THREE)

    async def act(player: Player) -> None:
        await player.press("up", "2", "1")
        dialog: Any = player.app.screen
        assert (asked(player), dialog.run.value("adds")) == ("wood", 21)

    meet(tmp_path, act, ask)


def test_keys_of_rows_stay_when_a_step_is_added(tmp_path: Path) -> None:
    def ask(_: Draft) -> Procedure:
        first = yield offered("first", "Push")
        if first:
            yield offered("added", "Harder")
        yield offered("last", "Luck")
        yield Pick(key="wood", title="Which wood?", options=THREE)

    async def act(player: Player) -> None:
        before = keys(player)
        await player.press(before["Push"])
        after = keys(player)
        assert {label: after[label] for label in before} == before
        assert after["Harder"] not in before.values()
        await player.press(before["Push"])
        assert keys(player) == before

    meet(tmp_path, act, ask)


def test_member_has_the_digit_of_the_place_in_the_party(tmp_path: Path) -> None:
    def ask(_: Draft) -> Procedure:
        yield offered("luck", "Luck")
        yield Pick(key="who", title="Who?", options=(Option("tayla", "Tayla of the ford"), Option("other", "Another")))

    async def act(player: Player) -> None:
        assert keys(player)["Tayla of the ford"] == "2"
        assert keys(player)["Another"] == "1"

    meet(tmp_path, act, ask, people=(KARA, TAYLA))


def test_member_beside_the_question_has_that_digit_too(tmp_path: Path) -> None:
    def ask(_: Draft) -> Procedure:
        yield offered("luck", "Luck")
        yield offered("help", "Tayla")
        yield Pick(key="wood", title="Which wood?", options=THREE)

    async def act(player: Player) -> None:
        assert keys(player)["Tayla"] == "2"
        assert [keys(player)[wood] for wood in ("Ash", "Birch", "Cedar")] == ["1", "3", "4"]

    meet(tmp_path, act, ask, people=(KARA, TAYLA))


def test_line_asks_for_the_dice_of_the_pool_as_it_is_now(tmp_path: Path) -> None:
    def ask(_: Draft) -> Procedure:
        pushed = yield offered("push", "Push")
        yield Roll(key="roll", title="Roll", dice={"pool": (6, 6, 6) if pushed else (6,)})

    async def act(player: Player) -> None:
        await player.press("d")
        assert "your dice: pool d6" in player.text
        await player.press("up", "enter")
        assert "your dice, with spaces: pool 3d6" in player.text

    meet(tmp_path, act, ask)


def test_deleted_faces_stay_deleted_for_every_pool(tmp_path: Path) -> None:
    def ask(_: Draft) -> Procedure:
        pushed = yield offered("push", "Push")
        yield Roll(key="roll", title="Roll", dice={"pool": (6, 6) if pushed else (6,)})

    async def act(player: Player) -> None:
        await player.press("d", "4", "a", "backspace", "a")
        assert player.app.screen.query_one("#line", LineInput).value == ""

    meet(tmp_path, act, ask)
    pending = PendingInput()
    one, two = (Roll(key="roll", title="Roll", dice={"pool": (6,) * many}) for many in (1, 2))
    RollForm(one, pending, typed_dice=True).keep("4")
    RollForm(two, pending, typed_dice=True).keep("")
    assert RollForm(one, pending, typed_dice=True).first_line() == ""


def test_keys_that_roll_at_once_say_so(tmp_path: Path) -> None:
    async def act(player: Player) -> None:
        await player.press("m", *"face danger", "enter")
        assert "e h i s w Roll with" in player.text

    play(campaign(tmp_path, *in_party(KARA)), act)


def test_deleted_text_stays_deleted_and_enter_asks_for_another(tmp_path: Path) -> None:
    def ask(table: Draft) -> Procedure:
        table.facts["told"] = yield Text(key="name", title="Name", default="Somebody")

    async def act(player: Player) -> None:
        await player.press("backspace", "enter")
        assert player.screen == "Dialog"
        assert "Type something first." in player.text
        assert "Somebody" not in player.text
        await player.press("B")
        assert "Type something first." not in player.text

    meet(tmp_path, act, ask)
