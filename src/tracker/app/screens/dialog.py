"""The dialog of a procedure: one screen whose content changes with each prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from tracker.app.draw import dice as drawn_dice
from tracker.app.draw import odds_bar, verdict
from tracker.app.screens.asking import NOTHING, OFFER, about, asked
from tracker.app.screens.modal import Modal
from tracker.app.widgets.chip import Chip
from tracker.app.widgets.foot import Foot, Hint
from tracker.app.widgets.head import Heading
from tracker.app.widgets.lines import Lines
from tracker.app.widgets.options import OptionPicker, Row
from tracker.app.widgets.pane import Pane
from tracker.app.widgets.typing import LineInput
from tracker.dice import typed
from tracker.games.prompts import (
    Answer,
    Choose,
    Confirm,
    Number,
    Odds,
    Pick,
    Prompt,
    Refused,
    Roll,
    Spread,
    Text,
)
from tracker.table.log import Entry
from tracker.table.run import Run
from tracker.table.session import Session

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp

FRAME = 7
"""Rows of a dialog that are neither text nor options: head, foot, border, buttons and what lies between."""


class Dialog(Modal[Entry | None]):
    """Drives one run. It ends with the entry that was made, or with None when it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Apply", id="dialog.accept", tooltip="Take what is shown."),
        Binding("escape", "back", "Back", id="dialog.back", tooltip="One step back; dice that lie stay."),
        Binding("plus,equals_sign", "add(1)", "Add 1", id="dialog.add", tooltip="One more."),
        Binding("minus", "add(-1)", "Take 1", id="dialog.take", tooltip="One less."),
        Binding("question_mark", "keys", "Keys", id="dialog.keys", tooltip="All keys for where you are."),
    ]

    app: TrackerApp

    def __init__(self, session: Session, run: Run, heading: Heading, aside: str) -> None:
        super().__init__(heading, run.move.name, aside)
        self.session = session
        self.run = run
        self._typed: dict[str, str] = {}
        """What was typed under each key, so that a step back does not lose it."""
        self._chosen: list[str] = []
        self._shares: dict[str, int] = {}
        self._message = ""

    def body(self) -> Iterator[Widget]:
        yield Lines((), id="roll")
        yield Lines((), id="ask", classes="bare")
        yield OptionPicker(id="options")
        yield LineInput(id="line", select_on_focus=False)
        yield Lines((), id="change")
        yield Widget(Chip("Enter", "Apply", id="accept"), Chip("Esc", "Back", id="back"), id="buttons")

    def hints(self) -> tuple[Hint, ...]:
        return (Hint("Enter", "Apply", "accept"), Hint("Esc", "Back", "back"))

    async def on_mount(self) -> None:
        await self._go_on()

    # -- driving ----------------------------------------------------------------------------------------

    async def _go_on(self) -> None:
        """Roll what is to be rolled at once, then show the prompt."""
        while isinstance(self.run.prompt, Roll) and self.run.prompt.at_once and not self.app.typed_dice:
            if not await self._roll(self.app.dice.roll(self.run.prompt.dice)):
                return
        self._chosen, self._shares = [], {}
        self._show(fresh=True)

    async def _roll(self, faces: Answer) -> bool:
        """The faces are on the disk before anybody sees them; False if they could not be taken at all."""
        try:
            self.session.roll(self.run, faces)
        except Refused as error:
            self._message = str(error)
            self._show()
            return False
        self._message = ""
        await asyncio.to_thread(self.session.wait)
        return True

    async def _answer(self, value: Answer) -> None:
        try:
            self.run.answer(value)
        except Refused as error:
            self._message = str(error)
            self._show()
            return
        self._message = ""
        await self._go_on()

    async def action_accept(self) -> None:
        prompt = self.run.prompt
        picker = self.query_one(OptionPicker)
        match prompt:
            case None:
                self._finish()
            case Pick() | Choose():
                if picker.row:
                    await self._take(picker.row)
            case Spread():
                await self._answer(self._shares)
            case Confirm():
                await self._answer(True)
            case Roll() if not self.app.typed_dice:
                if await self._roll(self.app.dice.roll(prompt.dice)):
                    await self._go_on()
            case _:
                await self._submit(self.query_one(Input).value)

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        await self._submit(message.value)

    async def _submit(self, text: str) -> None:
        prompt = self.run.prompt
        if isinstance(prompt, (Text, Number)):
            self._typed[prompt.key] = text
        match prompt:
            case Roll():
                try:
                    faces = prompt.check(typed(text, prompt.dice))
                except (ValueError, Refused) as error:
                    self._message = str(error)
                    self._show()
                    return
                if await self._roll(faces):
                    await self._go_on()
            case Number():
                word = text.strip()
                number = int(word) if word.lstrip("+-").isdecimal() and len(word) < 9 else word
                await self._answer(number)
            case Text():
                await self._answer(text.strip() or prompt.default or "")

    async def _take(self, row: Row) -> None:
        """A row was picked: an offer to revise, or an option of the prompt."""
        prompt = self.run.prompt
        if isinstance(row.value, str) and row.value.startswith(OFFER):
            await self._revise(row.value.removeprefix(OFFER))
        elif isinstance(prompt, Pick):
            await self._answer_and_apply(row.value)
        elif isinstance(prompt, Spread):
            await self._answer(self._shares)
        elif isinstance(prompt, Choose):
            if row.value == NOTHING:
                await self._answer_and_apply([])
            elif prompt.most == 1:
                await self._answer_and_apply([row.value])
            elif row.value in self._chosen and len(self._chosen) >= prompt.least:
                await self._answer_and_apply(list(self._chosen))
            else:
                self._toggle(row.value, prompt)

    def _toggle(self, key: str, prompt: Choose) -> None:
        if key in self._chosen:
            self._chosen.remove(key)
        elif len(self._chosen) < prompt.most:
            self._chosen.append(key)
        else:
            self._message = f"Only {prompt.most} can be chosen; take one back first."
        self._show()
        self._message = ""

    async def _answer_and_apply(self, value: Answer) -> None:
        """If this answer ends the procedure, its changes were on the screen already: it is applied at once."""
        shown = self._trial(value) is not None and self.run.rolled
        await self._answer(value)
        if shown and self.run.prompt is None:
            self._finish()

    def _finish(self) -> None:
        try:
            entry = self.session.finish(self.run)
        except Refused as error:
            self._message = str(error)
            self._show(fresh=True)
            return
        self.dismiss(entry)

    def action_back(self) -> None:
        """One step back; from the first step, out. Dice that lie wait under owed."""
        self._message = ""
        if self.run.back():
            self._show(fresh=True)
            return
        self.session.leave(self.run)
        self.dismiss(None)

    async def _revise(self, key: str) -> None:
        key, _, option = key.partition(":")
        prompt = next((p for p in self.run.quiet() if p.key == key), None)
        now = self.run.value(key)
        if isinstance(prompt, Confirm):
            self._revised(key, not now)
        elif isinstance(prompt, Choose):
            self._revised(key, [o.key for o in prompt.options if (o.key in now) != (o.key == option)])
        elif isinstance(prompt, Pick):
            self._revised(key, option)
        await self._go_on()

    def _revised(self, key: str, value: Answer) -> None:
        try:
            self.run.revise(key, value)
        except Refused as error:
            self._message = str(error)
        else:
            self._message = ""

    def action_add(self, by: int) -> None:
        """More or less of the number that this prompt, or the roll ahead, has."""
        prompt = self.run.prompt
        picker = self.query_one(OptionPicker)
        if isinstance(prompt, Spread) and picker.row and not str(picker.row.value).startswith(OFFER):
            limits = {option.key: limit for option, limit in prompt.targets}
            now = self._shares.get(picker.row.value, 0)
            self._shares[picker.row.value] = max(0, min(now + by, limits[picker.row.value]))
            self._show()
            return
        offered = str(picker.row.value).removeprefix(OFFER) if picker.row else ""
        numbers = [p for p in self.run.quiet() if isinstance(p, Number) and p.low < p.high]
        number = next((p for p in numbers if p.key == offered), numbers[-1] if numbers else None)
        if number:
            value = self.run.value(number.key) + by
            if number.low <= value <= number.high:
                self._revised(number.key, value)
                self._show()

    async def on_key(self, event: events.Key) -> None:
        """An option's own key, where nobody is typing."""
        if isinstance(self.focused, Input) or event.character is None:
            return
        for row in self.query_one(OptionPicker).data:
            if row.key and row.key == event.character and not row.heading and not row.reason:
                event.stop()
                event.prevent_default()
                self.query_one(OptionPicker).show(self.query_one(OptionPicker).data, at=row.value)
                if isinstance(self.run.prompt, Choose) and not str(row.value).startswith(OFFER):
                    self._choose_by_key(row, self.run.prompt)
                else:
                    await self._take(row)
                return

    def _choose_by_key(self, row: Row, prompt: Choose) -> None:
        """A digit marks; Enter applies. So a slip of the finger costs nothing."""
        if prompt.most > 1 and row.value != NOTHING:
            self._toggle(row.value, prompt)
        else:
            self._show()

    async def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        await self._take(message.row)

    def on_option_picker_moved(self) -> None:
        self._show()

    async def on_chip_pressed(self, message: Chip.Pressed) -> None:
        if message.chip.id == "accept":
            await self.action_accept()
        else:
            self.action_back()

    def action_keys(self) -> None:
        self.app.show_keys(self)

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self._show)

    # -- showing ----------------------------------------------------------------------------------------

    def _trial(self, value: Answer) -> Run | None:
        """The run as it would be with this answer, if the procedure then ends."""
        trial = self.run.trial(value)
        return trial if trial.prompt is None else None

    def _show(self, *, fresh: bool = False) -> None:
        prompt = self.run.prompt
        picker = self.query_one(OptionPicker)
        line = self.query_one(Input)
        self.query_one("#card", Pane).call(self._title())
        roll, ask = tuple(self._roll_lines()), tuple(self._ask_lines())
        self.query_one("#roll", Lines).update(roll)
        self.query_one("#ask", Lines).update(ask)
        rows = tuple(asked(self.run, self._chosen, self._shares))
        own = (row for row in rows if not row.heading and not str(row.value).startswith(OFFER))
        first = next((row.value for row in own if not row.reason), None)
        picker.show(rows, at=first if fresh else None)
        asks = isinstance(prompt, (Text, Number)) or (isinstance(prompt, Roll) and self.app.typed_dice)
        line.display = asks
        if fresh:
            begun = self._typed.get(prompt.key, "") if prompt else ""
            default = prompt.default if isinstance(prompt, (Text, Number)) else None
            line.value = begun or ("" if default is None or isinstance(prompt, Text) else str(default))
            line.cursor_position = len(line.value)
            line.placeholder = self._placeholder(prompt)
            (line if asks else picker if first is not None else self.query_one("#accept")).focus()
        picker.styles.margin = (0, 0, 1, 0) if rows else (0, 0, 0, 0)
        ending = self._ending(prompt)
        change = tuple(self._change_lines(ending))
        self.query_one("#change", Lines).update(change)
        # A long list gives way: what is about to happen and the buttons stay in sight.
        picker.styles.max_height = max(3, self.size.height - FRAME - len(roll) - len(ask) - len(change))
        self._show_buttons(prompt, ending)

    def _title(self) -> str:
        return self.session.game.card(self.run.move.id, self.run.draft.facts).title

    def _placeholder(self, prompt: Prompt | None) -> str:
        if isinstance(prompt, Text):
            return prompt.hint or str(prompt.default or "")
        if isinstance(prompt, Roll):
            return "faces, with spaces: " + " ".join(
                f"{name} d{sides}" if isinstance(sides, int) else " ".join(f"{name} d{s}" for s in sides)
                for name, sides in prompt.dice.items()
            )
        return ""

    def _roll_lines(self) -> Iterator[Content]:
        if not self.run.rolled:
            return
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        rows = drawn_dice(card, self.room) if self.size.height >= 22 else []
        yield from rows
        if card.outcome:
            yield from Content.assemble(verdict(card.mark, card.outcome, card.tone), f"  {card.sum}").wrap(self.room)
        elif card.sum:
            yield from Content(card.sum).wrap(self.room)
        if card.why:
            yield from Content.styled(card.why, "$muted").wrap(self.room)

    def _ask_lines(self) -> Iterator[Content]:
        prompt = self.run.prompt
        if isinstance(prompt, (Pick, Choose, Text, Number, Spread, Confirm)):
            yield from Content.styled(prompt.title + (":" if not prompt.title.endswith("?") else ""), "$muted").wrap(
                self.room
            )
        if isinstance(prompt, Roll):
            yield Content(prompt.title)
            if prompt.odds:
                yield _odds_line(prompt.odds)

    def _ending(self, prompt: Prompt | None) -> Run | None:
        """The run as it will be when Enter is pressed now, if that ends it."""
        row = self.query_one(OptionPicker).row
        if prompt is None:
            return self.run
        if not row or str(row.value).startswith(OFFER):
            return None
        try:
            if isinstance(prompt, Choose):
                chosen = self._chosen if prompt.most > 1 else [row.value]
                return self._trial([] if row.value == NOTHING else chosen)
            return self._trial(row.value) if isinstance(prompt, Pick) else None
        except Refused:
            return None

    def _change_lines(self, ending: Run | None) -> Iterator[Content]:
        if words := about(self.run, self.query_one(OptionPicker).row):
            yield from Content.styled(words, "$muted").wrap(self.room)
        if self._message:
            yield from Content.styled(self._message, "$mid").wrap(self.room)
        if ending:
            changes = self.session.changes(ending, self.run.opened)
            yield Content.styled("Will change" if changes else "Nothing will change", "$muted")
            if changes:
                yield from Content("   ".join(changes)).wrap(self.room)

    def _show_buttons(self, prompt: Prompt | None, ending: Run | None) -> None:
        applies = prompt is None or (ending is not None and self.run.rolled)
        word = "Apply" if applies else "Roll" if isinstance(prompt, Roll) else "Take it"
        row = self.query_one(OptionPicker).row
        if isinstance(prompt, Choose) and prompt.most > 1 and row and not applies:
            word = "Take them" if row.value in self._chosen and len(self._chosen) >= prompt.least else "Mark it"
        later = "Later, the dice stay in owed" if self.run.rolled else "Back"
        self.query_one("#accept", Chip).update(label=word)
        self.query_one("#back", Chip).update(label=later)
        keys = [row.key for row in self.query_one(OptionPicker).data if row.key]
        hints = [Hint(" ".join(keys), "Choose", "accept")] if keys else []
        if any(isinstance(p, Number) for p in self.run.quiet()):
            hints.append(Hint("+ -", "Adds", "add(1)"))
        hints += [Hint("Enter", word, "accept"), Hint("Esc", "Later" if self.run.rolled else "Back", "back")]
        self.query_one(Foot).update(tuple(hints))


def _odds_line(odds: Odds) -> Content:
    numbers = [(f"  {name} {n}%", f"${tone}") for name, n, tone in odds]
    return Content.assemble(odds_bar(odds, 20), *numbers)
