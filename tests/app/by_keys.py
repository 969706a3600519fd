"""Play a procedure in the app with keys, as a player at the keyboard would: every prompt is answered by key presses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.app.helpers import Player
from textual.widgets import Input

from tracker.app.screens.dialog.forms import SpreadForm
from tracker.app.screens.dialog.screen import Dialog
from tracker.app.screens.list_screen import ListScreen
from tracker.app.widgets.options import OptionPicker, Row
from tracker.games.api.prompts import Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.view import Start

LETTERS = 2
"""As much of a name as somebody types before looking at the list."""


class Unable(Exception):
    """Raised when the app does not let a player do something; has the app's own words, if there are any."""


class Hands:
    """A player who knows each answer in advance and has only the keys to give it."""

    def __init__(self, player: Player, *, knows: set[str] | None = None) -> None:
        self.player = player
        self._knows = knows
        """Moves that were found in the list once, and are started as their buttons start them from then on."""

    @property
    def dialog(self) -> Dialog | None:
        screen = self.player.app.screen
        return screen if isinstance(screen, Dialog) else None

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.player.app.screen.query_one(OptionPicker).data

    @property
    def under(self) -> Any:
        """The value under the cursor."""
        row = self.player.app.screen.query_one(OptionPicker).row
        return row.value if row else None

    # -- from the table ---------------------------------------------------------------------------------

    async def speak_as(self, who: str) -> None:
        if self.player.table.player.active != who:
            await self.player.press(str(list(self.player.session.state["party"]).index(who) + 1))
        assert self.player.table.player.active == who

    async def make(self, procedure: str, who: str, answers: Mapping[str, Any], dice: Any) -> None:
        """Make a move from the picker to the table that it leaves; Unable if the app does not let it happen."""
        await self.speak_as(who)
        if self._knows is None or procedure not in self._knows:
            await self.pick_move(procedure)
        else:
            self.player.table.start(Start(procedure))
            await self.player.rest()
            if not self.dialog:
                raise Unable(self.player.notice)
        await self.answer(answers, dice)
        if self._knows is not None:
            self._knows.add(procedure)

    async def pick_move(self, procedure: str) -> None:
        player, name = self.player, self.player.session.game.moves[procedure].name
        with player.app.batch_update():  # quicker than the screen is painted
            await player.press("m")
            assert isinstance(player.app.screen, ListScreen), player.text
            await player.press(*("space" if letter == " " else letter for letter in name[:LETTERS].lower()))
            row = next((row for row in self.rows if not row.heading and row.label == name), None)
            assert row, f"{name} is not in the list"
            if not row.reason:
                await self._go_to(row.value)
        if row.reason:
            assert row.reason[:8] in player.text, player.text
            await player.press("escape", "escape")
            raise Unable(row.reason)
        await player.press("enter")
        if not self.dialog:
            raise Unable(player.notice)

    async def _go_to(self, value: Any) -> None:
        """Move the cursor to the row of this value with arrow keys."""
        values = [row.value for row in self.rows]
        way = "down" if values.index(value) > values.index(self.under) else "up"
        with self.player.app.batch_update():
            for _ in values:
                if self.under == value:
                    return
                await self.player.press(way)
        raise AssertionError(f"no arrow leads to {value}:\n{self.player.text}")

    async def press(self, *keys: str) -> None:
        """Press the keys one after the other, faster than the screen is painted."""
        with self.player.app.batch_update():
            await self.player.press(*keys)

    # -- in the dialog ----------------------------------------------------------------------------------

    async def answer(self, answers: Mapping[str, Any], dice: Any) -> None:
        """Answer until the table is there again. `dice(key, wanted)` gives the faces of a roll."""
        while dialog := self.dialog:
            run = dialog.run
            quiet = next((p for p in run.quiet() if p.key in answers and run.value(p.key) != answers[p.key]), None)
            if quiet:
                await self.revise(quiet, answers[quiet.key])
            elif run.prompt is None:
                await self.player.press("enter")
                if self.dialog and self.dialog.run.prompt is None:
                    raise Unable(self.player.text)
            elif isinstance(run.prompt, Roll):
                await self.roll(run.prompt, dice(run.prompt.key, run.prompt.dice))
            elif run.prompt.key in answers:
                await self.give(run.prompt, answers[run.prompt.key])
            else:
                assert run.prompt.default is not None, f"{run.prompt.key} is not answered:\n{self.player.text}"
                await self.give(run.prompt, run.prompt.default)

    async def roll(self, prompt: Roll, faces: Mapping[str, Any]) -> None:
        await self._look_at_the_line()
        told = [str(face) for many in faces.values() for face in (many if isinstance(many, list) else [many])]
        await self.player.type(" ".join(told))
        await self.player.press("enter")
        self._taken(prompt, dict(faces))

    async def give(self, prompt: Prompt, value: Any) -> None:
        """Answer the prompt that is asked."""
        if isinstance(prompt, Pick):
            await self._press_row(value)
            if self._asks(prompt):
                await self.player.press("enter")
        elif isinstance(prompt, Choose):
            await self._choose(prompt, value)
        elif isinstance(prompt, Spread):
            for key, share in value.items():
                await self._go_to(self._pickable(key).value)
                await self.press(*"+" * share)
            if self.dialog and (not isinstance(self.dialog.form, SpreadForm) or self.dialog.form.shares() != value):
                raise Unable(self.player.text)
            await self.player.press("enter")
        elif isinstance(prompt, Confirm):
            await self._press_row(value)
            if self._asks(prompt):
                await self.player.press("enter")
        else:
            assert isinstance(prompt, (Text, Number))
            with self.player.app.batch_update():
                await self._look_at_the_line()
                await self.player.press("end", "ctrl+u")
                await self.player.type(str(value))
            await self.player.press("enter")
        self._taken(prompt, value)

    async def _choose(self, prompt: Choose, values: list[str]) -> None:
        if not values:
            await self.player.press("0", "enter")
            return
        for value in values:
            await self._press_row(value)
        if self._asks(prompt):
            await self.player.press("enter")

    async def revise(self, prompt: Prompt, value: Any) -> None:
        """Change what was not asked: an offer beside the prompt, or one that is only made when it is asked for."""
        if prompt.aside and not any(str(row.value).startswith(f"offer:{prompt.key}") for row in self.rows):
            await self._look_at_the_options()
            await self.player.press("*")
        offer = f"offer:{prompt.key}"
        if isinstance(prompt, Confirm):
            await self._press_row(offer)
        elif isinstance(prompt, Choose):
            now = self._now(prompt)
            for key in [*(k for k in value if k not in now), *(k for k in now if k not in value)]:
                await self._press_row(f"{offer}:{key}")
        elif isinstance(prompt, Pick):
            await self._press_row(f"{offer}:{value}")
        elif isinstance(prompt, Number):
            await self.player.tab_to(self.player.app.screen.query_one(OptionPicker))
            await self._go_to(self._pickable(offer).value)
            by = value - self._now(prompt)
            for _ in range(abs(by)):
                before = self._now(prompt)
                await self.player.press("+" if by > 0 else "-")
                if self._now(prompt) == before:
                    raise Unable(self.player.text)
        self._taken(prompt, value)

    async def _press_row(self, value: str) -> None:
        """Choose the row of this value by its hotkey, or by arrows and Enter if it has none."""
        row = self._pickable(value)
        await self._look_at_the_options()
        if row.key:
            if row.key.isdigit() and str(self.under).startswith("offer:"):
                await self._go_to(row.value)  # with the cursor on a number, a digit is typed into it
            await self.player.press(row.key)
        else:
            await self._go_to(row.value)
            await self.player.press("enter")

    async def _look_at_the_options(self) -> None:
        """Move the focus from the input line, where letters are typed, to the options, where they are hotkeys."""
        if isinstance(self.player.app.focused, Input):
            await self.player.tab_to(self.player.app.screen.query_one(OptionPicker))

    async def _look_at_the_line(self) -> None:
        if not isinstance(self.player.app.focused, Input):
            await self.player.tab_to(self.player.app.screen.query_one(Input))

    def _pickable(self, value: Any) -> Row:
        row = next((row for row in self.rows if row.value == value), None)
        if row is None:
            raise Unable(f"nothing on the screen offers {value}")
        if row.reason:
            raise Unable(row.reason)
        return row

    def _asks(self, prompt: Prompt) -> bool:
        """Return True if the dialog still asks this prompt."""
        return bool(self.dialog and self.dialog.run.prompt and self.dialog.run.prompt.key == prompt.key)

    def _now(self, prompt: Prompt) -> Any:
        assert self.dialog
        return self.dialog.run.value(prompt.key)

    def _taken(self, prompt: Prompt, value: Any) -> None:
        """Raise Unable unless the app has recorded exactly this answer. A dialog that has ended has taken it."""
        if self.dialog and self._now(prompt) != value:
            raise Unable(self.player.text)

    async def leave(self) -> None:
        """Close whatever is open; take back dice that have been rolled."""
        for _ in range(12):
            if self.player.screen == "TableScreen":
                break
            await self.player.press("escape")
        assert self.player.screen == "TableScreen", self.player.text
        if list(self.player.session.log.open_runs()):
            await self.player.press("u")
