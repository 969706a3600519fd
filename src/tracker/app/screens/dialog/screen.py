"""The dialog of a procedure: one screen whose content changes with each prompt.

How each kind of prompt is answered by keys, the same in every procedure of every game:

- *Pick*, *Confirm*: an option's key takes it, and the next prompt comes; where that would end the procedure it only
  goes there, so that its changes are seen first, and Enter applies them. Arrows and Enter do the same.
- *Choose one*: the key goes to an option, Enter takes it.
- *Choose several*: key or Space marks, the same again clears. Enter marks what is not marked while there is room;
  where it is, or was just cleared, Enter takes all that are. `0` is nothing of it all.
- In a long list of any kind letters filter it, and digits are its keys.
- *Spread*: an option's key puts one more point there, `+` and `-` change the one under the cursor; Enter takes them.
- *Number*: type it, or `+` and `-`; Enter takes it.
- *Text*: type it; Enter takes it, and applies it where it is all there is to say. Here letters are letters, and
  arrows lead to the rows above.
- *Roll*: Enter rolls; where dice are typed in, type the faces and press Enter. `d` changes from one to the other.
- Rows above the question revise what was taken for granted: their key flips them, `+` and `-` change a number, or it
  is typed with the cursor on it. `*` offers those that hardly anybody wants, too.
- At the end everything that will change is shown, and Enter applies it. Enter on a prompt that ends the procedure,
  with its changes shown, applies them at once.

Esc is one step back and keeps what was typed, marked and spread; over dice it does not go, they wait under owed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tracker.app.drafts import Subject
from tracker.app.key_queue import key_now
from tracker.app.screens.dialog.forms import NOTHING, PendingInput, is_long, is_offer
from tracker.app.screens.dialog.seeking import Seeks
from tracker.app.screens.table.journal_input import Keeps
from tracker.app.unseen_dice import UnseenDice, told, until_saved
from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import OptionPicker, Row
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.dice import typed
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp

Again: TypeAlias = "Callable[[], tuple[Run, PendingInput] | None]"
"""What was rolled last, ready to be rolled once more; None if nothing was."""


class Dialog(Seeks, Keeps):
    """Drives one run. It ends with the entry that was made, or with None when it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Go on", id="dialog.accept", tooltip="Take what is shown."),
        Binding("escape", "back", "Back", id="dialog.back", tooltip="One step back; dice that were rolled stay."),
        Binding("space", "mark", "Mark", id="dialog.mark", tooltip="Mark the one under the cursor, or clear it."),
        Binding("plus,equals_sign", "add(1)", "Add 1", id="dialog.add", tooltip="One more."),
        Binding("minus", "add(-1)", "Take 1", id="dialog.take", tooltip="One less."),
        Binding("d", "dice", "Dice", id="dialog.dice", tooltip="All dice from now on: rolled here, or typed in."),
        Binding("n", "note", "Note", id="dialog.note", tooltip="A line of your own, kept in the journal with it."),
        Binding("r", "again", "Again", id="dialog.again", tooltip="What was rolled last, once more."),
        Binding("asterisk", "aside", "More", id="dialog.aside", tooltip="Offer what is hardly ever wanted, too."),
        Binding("up", "rows(-1)", "Up", id="dialog.up", tooltip="To the rows.", show=False),
        Binding("down", "rows(1)", "Down", id="dialog.down", tooltip="To the rows.", show=False),
        Binding("question_mark", "keys", "Keys", id="dialog.keys", tooltip="All keys for where you are."),
    ]

    app: TrackerApp

    def __init__(
        self,
        session: Session,
        run: Run,
        heading: Heading,
        who: str,
        left: dict[Subject, PendingInput],
        *,
        again: Again | None = None,
        odds_first: bool = False,
    ) -> None:
        """`odds_first`: whoever began this has not seen its odds, so that nothing is rolled before they are shown.

        What was begun in it is found in `left`, and is there again when it is left.
        """
        begun = left.pop(run.subject, None) or PendingInput()
        super().__init__(session, run, heading, who, begun if run.opened else begun.again(session.state))
        run.note = run.note or self.begun.note
        self._left = left
        self._again = again
        self._odds_first = odds_first
        self._falling = False
        """Whether dice have fallen that are not on the disk yet."""
        self.unseen: UnseenDice = UnseenDice()

    def keep_begun(self) -> str:
        """A procedure that can go on waits under owed; what was typed in any is kept with the table's."""
        with contextlib.suppress(Refused):  # opened for reading only: nothing was begun that could be kept
            self.session.leave(self.run)
        self.forget()
        self._left[self.run.subject] = self.begun
        return ""

    def forget(self) -> None:
        """What was begun here has become an entry, or is kept elsewhere."""
        for subject in [subject for subject, begun in self._left.items() if begun is self.begun]:
            del self._left[subject]

    async def on_mount(self) -> None:
        if self._odds_first:
            self.show(fresh=True)
        else:
            await self.go_on()

    # -- answering --------------------------------------------------------------------------------------

    async def go_on(self) -> None:
        """Roll what is to be rolled at once, then show the prompt."""
        fell = False
        while isinstance(roll := self.run.prompt, Roll) and roll.at_once and not self.typed(roll):
            if not await self._roll(self.app.dice.roll(roll.dice)):
                return
            fell = True
        self.show(fresh=True)
        if fell:
            self.tumble()

    async def _throw(self, prompt: Roll) -> None:
        """Roll here and now."""
        if await self._roll(self.app.dice.roll(prompt.dice)):
            await self.go_on()
            self.tumble()

    async def _roll(self, faces: Answer) -> bool:
        """Answer a roll; the faces are shown once they are on the disk, or it is clear that they cannot be now.

        Return False if they could not be taken at all.
        """
        try:
            self.session.roll(self.run, faces)
        except Refused as error:
            self.say(str(error))
            return False
        self.message, self._falling = "", True
        self.unseen.begin()
        sign = await until_saved(self.session)
        self.message = told(sign) or self.message  # the table may have changed meanwhile, and said so
        self._falling = False
        self.call_after_refresh(self.unseen.end)
        return True

    async def _answer(self, value: Answer) -> None:
        """Give this answer. If it ends the procedure and its changes stood on the screen, they are applied; so is a
        line that was all there is to say.
        """
        shown = self.ahead is not None and not self.follows(self.ahead) and self.value() == value
        self.begun.keep(self.run.prompt, value)
        try:
            self.run.answer(value)
        except Refused as error:
            self.say(str(error))
            return
        self.message = ""
        only_a_line = len(self.run.seen) == 1 and isinstance(self.run.seen[0], Text)
        if (shown or only_a_line) and self.run.prompt is None:
            self._finish()
        else:
            await self.go_on()

    def _finish(self) -> None:
        try:
            entry = self.session.finish(self.run)
        except Refused as error:
            self.message = str(error)
            self.show(fresh=True)
            return
        self.dismiss(entry)

    async def action_accept(self) -> None:
        """Take what is under the cursor, what is marked, or what is typed; nothing while rolled dice are not shown."""
        if not self.unseen.seen.is_set():
            return
        prompt, row = self.run.prompt, self.picker.row
        if self.noting:
            self.close_note()
        elif prompt is None:
            self._finish()
        elif row and is_offer(row) and self.among_rows:
            await self.revise(row, stay=True)
        elif isinstance(prompt, Roll):
            await (self._type_faces(prompt) if self.typed(prompt) else self._throw(prompt))
        elif isinstance(prompt, Choose) and prompt.most > 1 and self.marks(prompt):
            self._toggle(row, prompt)
        elif isinstance(prompt, Choose) and prompt.most > 1 and (missing := self.missing(prompt)):
            self.say(f"Mark {missing} more first, with Space or its key.")
        elif isinstance(prompt, Text):
            await self._answer(self.line.value.strip() or ("" if prompt.empty else prompt.default or ""))
        elif (value := self.value()) is None:
            self.say("Type something first.")
        else:
            await self._answer(value)

    async def _type_faces(self, prompt: Roll) -> None:
        try:
            faces = prompt.check(typed(self.line.value, prompt.dice, prompt.called))
        except (ValueError, Refused) as error:
            self.say(str(error))
            return
        if await self._roll(faces):
            await self.go_on()

    def action_back(self) -> None:
        """One step back; from the first step, out. Dice that lie wait under owed."""
        if self.noting:
            self.close_note()
            return
        if self.sought:
            self.look_for("")
            return
        self.message = ""
        self.begun.learn(self.run)
        if self.run.back():
            self.show(fresh=True)
            return
        try:
            self.session.leave(self.run)
        except Refused as error:
            self.say(str(error))
            return
        self.dismiss(None)

    def follow(self) -> None:
        """What was shown may not be what would happen now; what has no place on the table any more is left."""
        before, asked = self.run.state, self.run.prompt
        try:
            self.session.renew(self.run)
        except Refused as error:
            self.message = str(error)
            if self.app.screen is self and not self._falling:
                self.dismiss(None)
                return
        if self.run.state != before:
            self.message = "The table has changed."
        if not self.message or self._falling or not (self.is_mounted and self.is_open):
            return
        another = (asked and asked.key) != (self.run.prompt and self.run.prompt.key)
        if another and self.noting:
            self.close_note()
        self.show(fresh=another)  # what stands in the line stays, where the same is asked

    # -- rows -------------------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        """Press a row's own key, wherever the focus is; or type into the line, if there is one."""
        if not self.unseen.seen.is_set():
            event.stop()
            return
        self.still()
        if not self.noting and self.seek(event):
            event.stop()
            return
        if event.character is None or self.noting:
            return
        row = next((row for row in self.picker.data if row.key == event.character and not row.heading), None)
        if row and (self.takes != "" or self.among_rows):
            event.stop()
            if row.reason:
                self.say(f"{row.label}: {row.reason}.")
            else:
                await self._by_key(row)
        elif self.type_number(event.character):
            event.stop()
        elif event.is_printable and self.takes is not None and self.line.wants(event.character):
            if self.among_rows and event.character in "+-=" and self.picker.row and is_offer(self.picker.row):
                return  # the number under the cursor
            event.stop()
            self.set_focus(self.line)
            self.line.replace(event.character, *self.line.selection)

    async def _by_key(self, row: Row) -> None:
        """Do what the key of a row does, or a click on it."""
        prompt = self.run.prompt
        if is_offer(row):
            await self.revise(row)
            return
        self.picker.show(self.picker.data, at=row.value)
        self._remember(row)
        self.message = ""
        if isinstance(prompt, Choose) and prompt.most > 1:
            self._toggle(row, prompt)
        elif isinstance(prompt, Spread):
            self.action_add(1)
        elif isinstance(prompt, (Pick, Confirm)) and self._goes_on(prompt, row.value):
            await self._answer(row.value)
        else:
            self.set_focus(self.picker)
            self.show()

    def _goes_on(self, prompt: Prompt, value: Answer) -> bool:
        """Whether more follows, if only why this is refused; what would end the procedure is shown first."""
        try:
            return self.follows(self.run.trial(prompt.check(value)))
        except Refused:
            return True

    async def action_row(self, key: str) -> None:
        """What the key of a row does, for a click on the foot line."""
        if row := next((row for row in self.picker.data if row.key == key and not row.reason), None):
            await self._by_key(row)

    def action_mark(self) -> None:
        prompt = self.run.prompt
        if isinstance(prompt, Choose) and prompt.most > 1:
            self._toggle(self.picker.row, prompt)

    def _toggle(self, row: Row | None, prompt: Choose) -> None:
        marked = self.begun.marked(prompt)
        if row is None or is_offer(row):
            self.say(f"{prompt.title}: mark some with Space first.")
            return
        self.message, self.cleared = "", None
        if row.value == NOTHING:
            marked = []
        elif row.value in marked:
            marked.remove(row.value)
            self.cleared = row.value
        elif len(marked) < prompt.most:
            marked.append(row.value)
        else:
            self.message = f"Only {prompt.most} can be chosen; take one back first."
        self.begun.keep(prompt, marked)
        self.sought = ""
        self.show()

    def _remember(self, row: Row) -> None:
        """The cursor comes back here when the same is asked again."""
        prompt = self.run.prompt
        if isinstance(prompt, Choose) and prompt.most == 1:
            self.begun.keep(prompt, [] if row.value == NOTHING else [row.value])
        elif isinstance(prompt, (Pick, Confirm)):
            self.begun.keep(prompt, row.value)

    def action_rows(self, step: int) -> None:
        """From a line or a button to the rows."""
        if not self.among_rows and self.picker.row:
            self.set_focus(self.picker)
        elif self.picker.row:
            self.picker.action_move(step, 0)

    def on_option_picker_left(self, message: OptionPicker.Left) -> None:
        """Below what can be changed stands what Enter does."""
        if message.step > 0 and self.picker.row and is_offer(self.picker.row):
            self.set_focus(self.line if self.takes is not None else self._accept_chip)

    async def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        if self.unseen.hides(message.time):
            return
        if message.clicked:
            await self._by_key(message.row)
        else:
            await self.action_accept()

    def on_option_picker_moved(self, message: OptionPicker.Moved) -> None:
        self.type_number("")
        self.cleared = None
        if not is_offer(message.row):
            self._remember(message.row)
        self.message = ""
        self.show()

    # -- lines and buttons ------------------------------------------------------------------------------

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        if self.unseen.hides(message.time):
            return
        await self.action_accept()

    def on_input_changed(self, message: Input.Changed) -> None:
        message.stop()
        if message.input.id == "own_line":
            self.run.note = self.begun.note = message.value.strip()
        elif self.takes is not None:
            self.begun.keep(self.run.prompt, message.value)
        if self.is_mounted and self.is_open:
            self.message = ""
            self.show()

    async def on_chip_pressed(self, message: Chip.Pressed) -> None:
        if self.unseen.hides(message.time):
            return
        await self.run_action(str(message.chip.id))

    def action_note(self) -> None:
        self.open_note()

    def action_dice(self) -> None:
        """Between dice that are rolled here and dice that are typed in, for this campaign."""
        try:
            self.app.change_dice()
            self.session.renew(self.run)
        except Refused as error:
            self.say(str(error))
            return
        where = "typed in" if self.app.typed_dice else "rolled here"
        self.message = f"From now on all dice of this campaign are {where}; {key_now(self, 'd')} changes it back."
        self.show(fresh=True)

    async def action_again(self) -> None:
        """What was rolled last, in place of the roll that was begun."""
        try:
            last = self._again() if self._again else None
        except Refused as error:
            self.say(str(error))
            return
        if last is None:
            self.say("Nothing was rolled yet.")
            return
        self._again = None
        self.run, self.begun = last
        await self.go_on()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for keys that do nothing here, and for all while rolled dice are being saved."""
        if self._falling:  # not until they are seen: the picture that shows them asks which keys to name
            return False
        prompt = self.run.prompt
        if self.noting and action not in {"accept", "back"}:
            return False
        match action:
            case "mark":
                return isinstance(prompt, Choose) and prompt.most > 1
            case "add":
                return isinstance(prompt, (Spread, Number)) or self.number_beside(None) is not None
            case "dice" | "note":
                return not self._is_key(action[0]) and not is_long(prompt)
            case "again":
                return not is_long(prompt) and self._again is not None and not self.run.rolled and not self._is_key("r")
            case _:
                return super().check_action(action, parameters)

    def _is_key(self, key: str) -> bool:
        """Whether a row has this key."""
        return any(row.key == key for row in self.picker.data)

    def action_keys(self) -> None:
        self.app.show_keys(self)
