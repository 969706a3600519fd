"""The dialog of a procedure: one screen whose content changes with each prompt.

Keys for each kind of prompt, the same in every procedure of every game:

- *Pick*, *Confirm*: an option's hotkey answers. If that would end the procedure, the hotkey only moves the cursor, so
  that the changes are seen first, and Enter applies them. Arrows and Enter do the same.
- *Choose one*: the hotkey moves the cursor, Enter answers.
- *Choose several*: hotkey or Space marks and clears. Enter never marks; it answers with all marked options, or says
  how many are missing. `0` is none of them.
- In a long list of any kind letters filter it, and digits are the hotkeys.
- *Spread*: an option's hotkey adds a point there, `+` and `-` change the one under the cursor; Enter answers.
- *Number*: type it, or `+` and `-`; Enter answers.
- *Text*: type it; Enter answers, and applies a procedure that asks nothing else. Letters are text here, and arrows lead
  to the rows above.
- *Roll*: Enter rolls. If the player types dice, type the faces and press Enter. `d` switches between the two.
- Rows above the question revise default answers: their hotkey toggles them, `+` and `-` change a number, or digits type
  it with the cursor on it. `*` shows those hidden by default, too.
- At the end everything that will change is shown, and Enter applies it. Enter on a prompt that ends the procedure, with
  its changes shown, applies them at once.
- An answer of the oracle is kept by every way out: Enter leads back to the table, Esc to the list of questions, and `r`
  asks the same again.

Esc is one step back and keeps unsubmitted input. It does not go back over dice: the run becomes a due item.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import ClassVar, TypeAlias

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from tracker.app.filter import filter_key
from tracker.app.key_queue import current_key
from tracker.app.keymap import Hint
from tracker.app.screens.base import READ, Modal, PageToRead, UnseenDice, unsaved_dice, until_saved
from tracker.app.screens.dialog.body import (
    ROLL_ALL,
    TYPE_ALL,
    Body,
    RollLines,
    SoFar,
    change_lines,
    key_hints,
    note_lines,
)
from tracker.app.screens.dialog.forms import Form, Hotkeys, Offers, all_rows, form_of, is_offer, revisable_rows
from tracker.app.widgets.base import Box
from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Heading
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import OptionPicker, Row, cut
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.campaign.unsent_input import PendingInput, Subject
from tracker.games.api.content import text_of_move
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Number, Prompt, Roll, Text
from tracker.records import NamedTuple
from tracker.text import shown_line

FRAMES = 4
FRAME_SECONDS = 0.05
"""Seconds of a frame of the dice animation; all frames take a fifth of a second."""
Again: TypeAlias = "Callable[[], tuple[Run, PendingInput] | None]"
"""Function that returns a new run that repeats the last roll, with its input, or None. May raise Refused."""


class Question(NamedTuple):
    """The oracle question that a dialog asks, so that the player can ask it again. The oracle screen makes it.

    `begin` returns a new run of the same question, or raises Refused.
    """

    begin: Callable[[], Run]
    about: tuple[Content, ...]
    """Description of the question, shown while faces are typed."""


class Dialog(Modal[Entry | None]):
    """Dialog that plays a run: it asks the prompts, rolls the dice and shows the result.

    Ends with the run's entry, or with None if the player left the run. Widgets are composed once; later prompts
    only update them.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Next", id="dialog.accept", tooltip="Confirm what is shown."),
        Binding("escape", "back", "Back", id="dialog.back", tooltip="Back one step; rolled dice are kept."),
        Binding("space", "mark", "Mark", id="dialog.mark", tooltip="Mark or clear the option under the cursor."),
        Binding("plus,equals_sign", "add(1)", "Add 1", id="dialog.add", tooltip="Add 1 to the number."),
        Binding("minus", "add(-1)", "Subtract 1", id="dialog.take", tooltip="Subtract 1 from the number."),
        Binding("d", "dice", "Dice", id="dialog.dice", tooltip="Switch between app dice and real dice."),
        Binding("n", "note", "Write", id="dialog.note", tooltip="Add your own line to this journal entry."),
        Binding("r", "again", "Repeat", id="dialog.again", tooltip="Repeat your last roll."),
        Binding("o", "oracle", "Oracle", id="dialog.oracle", tooltip="Ask the oracle, then go on here."),
        Binding("w", "keep", "Make note", id="dialog.keep", tooltip="Make a world note of this answer."),
        READ,
        Binding("asterisk", "aside", "More", id="dialog.aside", tooltip="Show rarely used options too."),
        Binding("up", "rows(-1)", "Up", id="dialog.up", tooltip="To the options.", show=False),
        Binding("down", "rows(1)", "Down", id="dialog.down", tooltip="To the options.", show=False),
        Binding("question_mark", "keys", "Keys", id="dialog.keys", tooltip="Show all keys on this screen."),
    ]

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
        question: Question | None = None,
        oracle: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """`who` is the character's name for the border. `left` maps `Run.subject` to unsubmitted input.

        The dialog takes its own input out of `left`. `again` returns the last roll, for the key that repeats it.
        `odds_first` waits for Enter before the first roll, because the player has not seen its odds. `question` is set
        if the run asks the oracle. `oracle` opens the oracle over this dialog and then calls the function that it is
        given; if it is None, the key is disabled.
        """
        super().__init__(heading, run.move.name)
        begun = left.pop(run.subject, None) or PendingInput()
        self._who = who
        self.session = session
        self.run = run
        self.begun = begun if run.opened else begun.again(session.state)
        run.note = run.note or self.begun.note
        self._left = left
        self._again = again
        self._odds_first = odds_first
        self._question = question
        self._oracle = oracle
        self.asks_more = False
        """True if the dialog ended with an answer of the oracle, and the player wants to ask another question."""
        self.keeps = False
        """True if the dialog ended with an answer of the oracle, and the player wants to make a note of it."""
        self._falling = False
        """True while rolled dice are being saved."""
        self.unseen: UnseenDice = UnseenDice()
        self.message = ""
        self._unsaved = ""
        """Message about dice that are not saved, or ""."""
        self.noting = False
        self._noted_from: Widget | None = None
        """Widget that gets the focus back when the note is closed."""
        self.offers = Offers(run)
        several = heading.members[:9] if len(heading.members) > 1 else ()
        self._hotkeys = Hotkeys({one.id: str(n) for n, one in enumerate(several, 1)})
        self._form = form_of(run.prompt, self.begun)
        self.takes: str | None = None
        """Characters that the line accepts, "" for all; None while there is no line."""
        self.ahead: Run | None = None
        """Copy of the run after Enter, for the preview; None if Enter does not answer."""
        self._shown_among_rows = False
        self._tumbling: Timer | None = None
        self._frames = 0
        self.parts = Body()
        self._so_far: SoFar | None = None
        """The pane with the character so far, while one is made."""
        self.picker, self.line = self.parts.picker, self.parts.line
        self._text_of = ""
        """Id of the move whose full text was looked up last; `_text` is the result."""
        self._text: PageToRead | None = None

    def keep_begun(self) -> str:
        """Suspend the run with `Session.leave` and put its unsubmitted input into `left`. Return "": it never fails."""
        with contextlib.suppress(Refused):  # read-only: there is nothing to store
            self.session.leave(self.run)
        self.forget()
        self._left[self.run.subject] = self.begun
        return ""

    def forget(self) -> None:
        """Remove this dialog's unsubmitted input from `left`.

        Call this when it has become an entry or is stored again.
        """
        for subject in [subject for subject, begun in self._left.items() if begun is self.begun]:
            del self._left[subject]

    async def on_mount(self) -> None:
        if self._odds_first:
            self.show(fresh=True)
        elif self._rolls_at_once(self.run.prompt):
            self.unseen.begin()
            self.call_later(self.go_on)  # the app waits for this mount: a slow disk would keep it from every key
        else:
            await self.go_on()

    @property
    def form(self) -> Form:
        """The form of the current prompt, updated with the cursor's row and the text of the line."""
        before, prompt = self._form, self.run.prompt
        if before.prompt is not prompt:
            self._form = self._new_form(prompt)
            if before.prompt and prompt and before.prompt.key == prompt.key:
                self._form.resume(before)
        row = self.picker.row
        self._form.at = row.value if row and not is_offer(row) else None
        self._form.line = self.line.value
        return self._form

    def _new_form(self, prompt: Prompt | None) -> Form:
        form = form_of(prompt, self.begun, typed_dice=self.tracker.typed_dice)
        form.hotkeys = self._hotkeys
        return form

    @property
    def answered(self) -> bool:
        """True while an answer of the oracle is shown and no prompt is left; False in other procedures."""
        run = self.run
        asks = self._question is not None or run.move.id in self.session.game.oracles().procedures
        return asks and run.rolled and run.prompt is None and run.last_asked is None

    # -- answering ----------------------------------------------------------------------------------------

    async def go_on(self) -> None:
        """Make and save the rolls that need no confirmation, then show the next prompt.

        If a roll is refused, show the reason and make no more.
        """
        fell = False
        while isinstance(roll := self.run.prompt, Roll) and self._rolls_at_once(roll):
            if not await self._roll(self.tracker.dice.roll(roll.dice)):
                return
            fell = True
        self.show(fresh=True)
        if fell:
            self.tumble()

    async def _throw(self, prompt: Roll) -> None:
        """Roll the dice of this prompt in the app, and show what follows; if the roll is refused, show the reason."""
        if await self._roll(self.tracker.dice.roll(prompt.dice)):
            await self.go_on()
            self.tumble()

    async def _roll(self, faces: Answer) -> bool:
        """Answer a roll with these faces, and return True once they are saved or saving has failed.

        The caller shows the faces after that; until then, keys are ignored. A failure to save is shown as a message. If
        the answer is refused, show the reason and return False.
        """
        try:
            self.session.roll(self.run, faces)
        except Refused as error:
            if not self.unseen.seen.is_set():
                self.unseen.end()
            self.say(str(error))
            return False
        self.message, self._falling = "", True
        self.unseen.begin()
        sign = await until_saved(self.session)
        # The state may have changed meanwhile, with a message of its own.
        self._unsaved = unsaved_dice(sign)
        self.message = self._unsaved or self.message
        self._falling = False
        self.call_after_refresh(self.unseen.end)
        return True

    async def _answer(self, value: Answer) -> None:
        """Give this answer and go on to the next prompt; if it is refused, show the reason.

        Finish the run if the answer ends it and its changes were on the screen, or if the run only asks for a line of
        text.
        """
        form = self.form
        shown = self.ahead is not None and not self.follows(self.ahead) and form.value() == value
        form.keep(value)
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
        """Do what Enter does: submit the answer, roll, toggle an offer, close the note, or finish the run.

        Do nothing while rolled dice are not shown yet.
        """
        if not self.unseen.seen.is_set():
            return
        prompt, row, form = self.run.prompt, self.picker.row, self.form
        if self.noting and not self.answered:
            self.close_note()
        elif prompt is None:
            self._finish()
        elif row and is_offer(row) and self.among_rows:
            await self._revise(row, stay=True)
        elif isinstance(prompt, Roll) and not self.typed(prompt):
            await self._throw(prompt)
        elif form.press("enter"):
            self._follow_form(form)
        else:
            await self._take(form)

    async def _take(self, form: Form) -> None:
        """Submit the form's answer and go on, or show what is missing."""
        try:
            value = form.value()
        except Refused as error:
            self.say(str(error))
            return
        if value is None:
            self.say("Type something first.")
        elif not isinstance(form.prompt, Roll):
            await self._answer(value)
        elif await self._roll(value):
            await self.go_on()

    def action_back(self) -> None:
        """Go one step back; from the first step, or after a roll, leave the dialog.

        An open note or a filter is closed first. An answer of the oracle is saved as an entry; other rolled
        dice become a due item.
        """
        if self.noting:
            self.close_note()
            return
        if self.answered:
            with contextlib.suppress(Refused):  # the answer then becomes a due item
                entry = self.session.finish(self.run)
                self.asks_more = True
                self.dismiss(entry)
                return
        if self.form.filter.clear():
            self._show_found()
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
        """Replay the run on the state that something else has changed. If the run cannot go on, close the dialog.

        Say so only if the prompt, its options, the odds or the changes that are shown are others now.
        """
        shows = self.is_mounted and self.is_open
        before, asked, seen = self.run.state, self.run.prompt, self._seen() if shows else None
        told = ""
        try:
            self.session.renew(self.run)
        except Refused as error:
            self.message = told = str(error)
            if self.app.screen is self and not self._falling:
                self.dismiss(None)
                return
        if self.run.state != before and not (shows and seen == self._seen()):
            changes = self.session.game.changes(before, self.run.state, self.run.who)
            words = shown_line(", ".join(changes[:2]), 120)
            self.message = told = f"Changed meanwhile: {words}." if words else "Something changed here."
        if not told or self._falling or not shows:
            return
        another = (asked and asked.key) != (self.run.prompt and self.run.prompt.key)
        if another and self.noting:
            self.close_note()
        self.show(fresh=another)  # the line keeps its text if the prompt is the same

    def _seen(self) -> tuple[object, ...]:
        """Return a value that stands for what the player sees of the run.

        It is equal before and after a change of the state that the player cannot see here.
        """
        run, form, ahead = self.run, self.form, self._look_ahead()
        card = self.session.game.card(run.move.id, run.draft.facts)
        changes = tuple(self.session.changes(ahead)) if ahead else ()
        return run.prompt and run.prompt.key, self.rows(), form.about(), card, changes

    # -- rows ---------------------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        """Pass a key to the first that uses it: filter, number under the cursor, row with this hotkey, line.

        Ignore the key while rolled dice are not shown yet; else it also ends their animation.
        """
        if not self.unseen.seen.is_set():
            event.stop()
            return
        self.still()
        form = self.form
        if not self.noting and self.among_rows and form.seek(filter_key(event)):
            event.stop()
            self._show_found()
            return
        if event.character is None or self.noting:
            return
        if self._type_digit(event.character):
            event.stop()
            return
        row = next((row for row in self.picker.data if row.key == event.character and not row.heading), None)
        if row and (self.takes != "" or self.among_rows):
            event.stop()
            if row.reason:
                self.say(f"{row.label}: {row.reason}.")
            else:
                await self._by_key(row)
        elif event.is_printable and self.takes is not None and self.line.wants(event.character):
            if self.among_rows and event.character in "+-=" and self.picker.row and is_offer(self.picker.row):
                return  # + and - are for the number under the cursor
            event.stop()
            self.set_focus(self.line)
            self.line.replace(event.character, *self.line.selection)

    async def _by_key(self, row: Row) -> None:
        """Do what the hotkey of this row does, or a click on the row.

        That revises the answer of an offer. On an option it answers at once if the form is `quick` and the dialog goes
        on afterwards; otherwise it moves the cursor or changes a mark or a number.
        """
        form = self.form
        if is_offer(row):
            await self._revise(row)
            return
        form.take(row.value)
        self.picker.show(self.picker.data, at=row.value)
        self.message = form.message
        if form.quick and self._goes_on(form):
            await self._answer(row.value)
            return
        if not form.marks and not form.counts:
            self.set_focus(self.picker)
        self.show()

    def _follow_form(self, form: Form) -> None:
        """Update the dialog after a key has changed its form."""
        self.message = form.message
        if form.takes is None:
            self.show()
        else:
            self.line.value = form.line  # the change event updates the rest
            self.line.select_all()

    def _show_found(self) -> None:
        """Show the options that match the filter, with the cursor on the first."""
        self.message = ""
        rows = self.rows()
        first = next((row.value for row in rows if not row.heading and not row.reason), None)
        self.picker.show(rows, at=first if self._form.filter.typed else None)
        self.show()

    def _goes_on(self, form: Form) -> bool:
        """Return True if the dialog goes on after the answer under the cursor.

        It does if a prompt or new offers follow, or if the answer is refused. Otherwise the answer would end the run,
        so its effects are shown first.
        """
        try:
            return form.prompt is not None and self.follows(self.run.trial(form.prompt.check(form.at)))
        except Refused:
            return True

    async def action_row(self, key: str) -> None:
        """Do what the hotkey `key` does, for a click on the footer. Do nothing if no enabled row has it."""
        if row := next((row for row in self.picker.data if row.key == key and not row.reason), None):
            await self._by_key(row)

    def action_mark(self) -> None:
        form = self.form
        if form.marks and form.press("space"):
            self._follow_form(form)

    def action_rows(self, step: int) -> None:
        """Move the focus from a line or a button to the rows; if they have it, move the cursor by `step` rows."""
        if not self.among_rows and self.picker.row:
            self.set_focus(self.picker)
        elif self.picker.row:
            self.picker.action_move(step, 0)

    def on_option_picker_left(self, message: OptionPicker.Left) -> None:
        """When the cursor goes down from an offer in the last row, focus the line, else the Enter button."""
        if message.step > 0 and self.picker.row and is_offer(self.picker.row):
            self.set_focus(self.line if self.takes is not None else self.parts.accept)

    async def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        if self.unseen.hides(message.time):
            return
        if message.clicked:
            await self._by_key(message.row)
        else:
            await self.action_accept()

    def on_option_picker_moved(self, message: OptionPicker.Moved) -> None:
        form = self.form
        self._type_digit("")
        if not is_offer(message.row):
            form.go(message.row.value)
        self.message = ""
        self.show()

    # -- lines and buttons --------------------------------------------------------------------------------

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
            self.form.keep(message.value)
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
        """Switch between app dice and typed dice for this campaign, at a shared table only for this player; say so.

        If that is refused, show the reason.
        """
        try:
            self.tracker.change_dice()
            self.session.renew(self.run)
        except Refused as error:
            self.say(str(error))
            return
        which = "real" if self.tracker.typed_dice else "app"
        uses = "You now use" if self.session.by else "This campaign now uses"
        self.message = f"{uses} {which} dice; {current_key(self, 'd')} switches back."
        self.show(fresh=True)

    def _full_text(self) -> PageToRead | None:
        """Return the page with the full text of the move, or None if no pack of the campaign has it."""
        move = self.run.move.id
        if self._text_of != move:
            content = self.session.content()
            text = text_of_move(content, move) if content.texts else None
            self._text_of, self._text = move, PageToRead("text", text.id) if text else None
        return self._text

    def action_read(self) -> None:
        if reading := self._full_text():
            self.tracker.show_page(self.heading, reading)

    def action_oracle(self) -> None:
        if self._oracle:
            self._oracle(self._after_oracle)

    def _after_oracle(self) -> None:
        """After the oracle was asked over this dialog: replay the run on the new state and show its prompt.

        If the run is refused, show the reason.
        """
        try:
            self.session.renew(self.run)
        except Refused as error:
            self.message = str(error)
        self.show(fresh=True)

    async def action_again(self) -> None:
        """Save an answer of the oracle and ask the same question again. In other procedures, repeat the last roll.

        If that is not possible, show the reason.
        """
        if self._question and self.answered:
            await self._ask_again(self._question)
            return
        try:
            last = self._again() if self._again else None
        except Refused as error:
            self.say(str(error))
            return
        if last is None:
            self.say("No roll to repeat yet.")
            return
        self._again = None
        await self._drive(*last)

    def action_keep(self) -> None:
        """Save the oracle's answer and end the dialog; `keeps` tells the caller to ask for a note of the answer.

        If saving is refused, show the reason instead.
        """
        try:
            entry = self.session.finish(self.run)
        except Refused as error:
            self.say(str(error))
            return
        self.keeps = True
        self.dismiss(entry)

    async def _ask_again(self, question: Question) -> None:
        try:
            entry = self.session.finish(self.run)
        except Refused as error:
            self.say(str(error))
            return
        try:
            run = question.begin()
        except Refused:  # the list of questions says why when it is asked there
            self.asks_more = True
            self.dismiss(entry)
        else:
            await self._drive(run, PendingInput())

    async def _drive(self, run: Run, begun: PendingInput) -> None:
        """Replace the dialog's run by `run` and show its prompt; `begun` is the run's unsubmitted input."""
        self.run, self.begun = run, begun
        self.offers.run = run
        await self.go_on()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for an action that does nothing now, and for every action while rolled dice are being saved."""
        if self._falling:  # only until they are saved: the frame that shows the dice asks which keys to name
            return False
        if self.noting and action not in {"accept", "back"}:
            return False
        match action:
            case "mark":
                return self.form.marks
            case "add":
                return self.form.counts or self.offers.number(None) is not None
            case "dice":
                return self._roll_next(self.run.prompt) is not None and not self._is_key("d") and not self.form.long
            case "note":
                return not self._is_key("n") and not self.form.long
            case "oracle":
                asks = self._oracle is not None and self._question is None and self.takes != ""
                return asks and not self.form.long and not self._is_key("o")
            case "keep":
                return self._question is not None and self.answered and not self._is_key("w")
            case "read":
                return self._full_text() is not None
            case "again":
                last = self._again is not None and not self.run.rolled
                return (
                    (last or (self._question is not None and self.answered))
                    and not self.form.long
                    and not self._is_key("r")
                )
            case _:
                return super().check_action(action, parameters)

    def _is_key(self, key: str) -> bool:
        """Return True if a row has this hotkey."""
        return any(row.key == key for row in self.picker.data)

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    # -- offers beside the question -----------------------------------------------------------------------

    def action_aside(self) -> None:
        """Show or hide the offers that are hidden by default, such as a reroll that no asset gives."""
        if self.offers.show_hidden():
            self.message = ""
            self.show()
        else:
            self.say("No more options.")

    async def _revise(self, row: Row, *, stay: bool = False) -> None:
        """Take the offer in this row, which changes a default answer; show the reason if that is refused.

        Then the cursor goes to the question. `stay` is True if Enter was pressed, not the hotkey: the cursor then stays
        on the row, unless the row is gone or a roll follows. Enter on a number changes nothing.
        """
        change = self.offers.change(row, by_key=not stay)
        if change is None:  # + and - change this number, so Enter goes back to the question
            self.message = ""
            self.show(fresh=True)
            return
        if row.on is None:
            self.picker.show(self.picker.data, at=row.value)
        if not self._revised(*change):
            return
        due = isinstance(self.run.prompt, Roll) and self.run.prompt.at_once
        if stay and not due and any(other.value == row.value for other in self.rows()):
            self.show()
        else:
            await self.go_on()

    def _revised(self, key: str, value: Answer) -> bool:
        try:
            self.run.revise(key, value)
        except Refused as error:
            self.say(str(error))
            return False
        self.message = ""
        return True

    def action_add(self, by: int) -> None:
        """Add `by` to the number that + and - change now: the answer itself or an offered number.

        If the result would be outside the limits, show a message instead.
        """
        form = self.form
        if number := self.number_now(by):
            value = self.run.value(number.key) + by
            if not number.low <= value <= number.high:
                self.say(f"{number.title[0].upper()}{number.title[1:]}: {number.low} to {number.high}.")
            elif self._revised(number.key, value):
                self.show()
        elif form.press("+" if by > 0 else "-"):
            self._follow_form(form)
        elif beside := self._number_beside(by):
            self.say(f"You're typing dice: move up to “{beside.title}” to use + and -.")

    def _type_digit(self, digit: str) -> bool:
        """Add a typed digit to the number under the cursor, if it is one of those above the question.

        Return True if the digit was used; the number changes if the typed value is within its limits. If the
        cursor is not on such a number, or `digit` is not a digit, such as "", forget the digits typed so far
        and return False.
        """
        typed = self.offers.type_digit(self.picker.row if self.among_rows else None, digit)
        if typed is None:
            return False
        number, value = typed
        if number.low <= value <= number.high and self._revised(number.key, value):
            self.show()
        return True

    # -- what is shown ------------------------------------------------------------------------------------

    def body(self) -> Iterator[Widget]:
        yield from self.parts.widgets()

    def beside(self) -> Iterator[Widget]:
        """Yield the pane with the answers so far, if this run makes a character; otherwise nothing."""
        if self.run.move.id == self.session.game.make_character.procedure:
            self._so_far = SoFar((), id="so_far")
            self._so_far.border_title = "So far"
            yield self._so_far

    def headed(self) -> None:
        """Remove the message about unsaved dice once they are saved."""
        if self._unsaved and self.message == self._unsaved and self.heading.saved == "saved":
            self.message = self._unsaved = ""
            if self.is_mounted and self.is_open:
                self.show()

    def hints(self) -> tuple[Hint, ...]:
        return (self.hint("accept", "Apply"), self.hint("back"))

    def on_resize(self) -> None:
        if self._so_far:
            self._so_far.show(self.run)  # it decides how wide the dialog is
            self.set_class(bool(self._so_far.display), "alone")
        self.call_after_refresh(lambda: self.show(resized=True))

    def say(self, message: str) -> None:
        """Show a message until the player answers, moves the cursor or types."""
        self.message = message
        self.show()

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(row for row in self.picker.data if row.key)

    @property
    def among_rows(self) -> bool:
        """True if the rows have the focus, False if a line or a button has it."""
        return self.focused is self.picker

    def on_descendant_focus(self) -> None:
        if self.among_rows != self._shown_among_rows:
            self.show()

    # -- what Enter would do ------------------------------------------------------------------------------

    def _look_ahead(self) -> Run | None:
        prompt, form = self.run.prompt, self.form
        if prompt is None:
            return self.run
        try:
            value = form.value() if form.previews else None
            return None if value is None else self.run.trial(prompt.check(value))
        except Refused:
            return None

    def follows(self, ahead: Run) -> bool:
        """Return True if the dialog will show more prompts or offers after the next answer.

        `ahead` is a copy of the run that has this answer.
        """
        known = {row.value for row in revisable_rows(self.run)}
        return ahead.prompt is not None or any(row.value not in known for row in revisable_rows(ahead))

    # -- showing ------------------------------------------------------------------------------------------

    def rows(self) -> tuple[Row, ...]:
        """Return the rows to show: offers, the question if there are offers, and the options of the prompt."""
        form = self.form
        words = "" if isinstance(self.run.prompt, Roll) else form.question()
        lines = [line.plain for line in Content(words).wrap(self.room)] if words else []
        return all_rows(self.offers, form, lines)

    def show(self, *, fresh: bool = False, resized: bool = False) -> None:
        """Update all widgets; unchanged ones are not painted.

        `fresh` moves the cursor to where the prompt starts and resets the line. `resized` fits the drawn dice to the
        window.
        """
        self._stop()
        prompt, picker = self.run.prompt, self.picker
        if fresh:
            self._form = self._new_form(prompt)
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        self._title(card.title)
        rows = self.rows()
        own = next((row.value for row in rows if not row.heading and not row.reason and not is_offer(row)), None)
        if fresh:
            at = self._form.first()
            there = at is not None and any(row.value == at and not row.reason for row in rows)
            picker.show(rows, at=at if there else own)
            self._open_line(has_options=own is not None)
        else:
            picker.show(rows)
            self.line.placeholder = self._form.placeholder  # an offer may have changed the dice of the same roll
        rows = self.offers.with_signs(rows, *self._by_signs())
        picker.show(rows)
        self._shown_among_rows = self.among_rows
        self.ahead = self._look_ahead()
        change = tuple(self._change_lines())
        height = self.size.height - 2 * (self.has_class("-cozy") or self.has_class("-wide"))
        rolled, refit = self.run.rolled, fresh or resized
        more = (*self._cut_offers(), *(() if change else self._told_so_far()))
        self.parts.lay(card, self.form, rows, change, more, self.room, height, rolled=rolled, refit=refit)
        self._show_buttons(prompt)
        if self._so_far:
            self._so_far.show(self.run)

    def _told_so_far(self) -> Iterator[Content]:
        if self._so_far and not self._so_far.display:
            yield from self._so_far.told(self.run)

    def _cut_offers(self) -> Iterator[Content]:
        """Yield label and description of each enabled offer whose row has no room for them.

        The offer under the cursor is left out.
        """
        under = self.picker.row if self.among_rows else None
        for row in self.picker.data:
            words = self.offers.about(row) if is_offer(row) and row != under and not row.reason else ""
            if words and cut(row, self.picker.data, self.room):
                yield Content.assemble((f"{row.label}: ", "bold $muted"), (words, "$muted"))

    def _title(self, title: str) -> None:
        box = self.query_one("#card", Box)
        box.call(title)
        aside = Content(" · ".join(filter(None, (self._who, "real dice" if self.tracker.typed_dice else "app dice"))))
        if box.border_subtitle != aside:
            box.border_subtitle = aside

    def _open_line(self, *, has_options: bool) -> None:
        """Open the form's input line, if it has one, and set the focus.

        The focus goes to the line. Without a line it goes to the options if there are any (`has_options`), else to the
        Enter button.
        """
        form = self.form
        self.takes = form.takes
        with self.prevent(LineInput.Changed):
            self.parts.open_line(form)
        self.set_focus(self.line if form.takes is not None else self.picker if has_options else self.parts.accept)

    def _change_lines(self) -> Iterator[Content]:
        if self.run.prompt is None and self.run.rolled:
            mark = self.session.game.card(self.run.move.id, self.run.draft.facts).mark
            if means := self.run.move.meaning(mark):
                yield from Content(f"{mark} {means}").wrap(self.room)
        row = self.picker.row
        if row and (self.among_rows or not is_offer(row)):
            words = self.offers.about(row) if is_offer(row) else self.form.about()
            if cut(row, self.picker.data, self.room) and not words.startswith(row.label.rstrip("….,;: ")):
                whole = ": ".join(filter(None, (row.label, row.note)))
                yield from Content(whole).wrap(self.room)
            if words and words not in {row.label, row.note}:
                yield from Content.styled(words, "$muted").wrap(self.room)
        if self.message:
            yield from Content.styled(shown_line(self.message, 300), "$mid").wrap(self.room)
        if self._question and isinstance(self.run.prompt, Roll):
            asked = Content(shown_line(str(self.run.draft.facts.get("question", "")), 200))
            yield from (line for words in (asked, *self._question.about) if words for line in words.wrap(self.room))
        paid = self.run if isinstance(self.run.prompt, Roll) and self.run.prompt.stakes else None
        seen = self.ahead or paid
        if seen and ((changes := self.session.changes(seen)) or not self.answered):
            party = [shown_line(one["name"]) for one in seen.draft.state["party"].values()]
            yield from change_lines(changes, seen.prompt, self.room, party, rolled=self.run.rolled)
        if not self.noting:
            yield from note_lines(" ".join(filter(None, (self.run.draft.text, self.run.note))), self.room)

    def _show_buttons(self, prompt: Prompt | None) -> None:
        word, back = self._enter(prompt), self._leave()
        self.parts.accept.update(label=word)
        self.parts.back.update(label=back)
        rolls = self._roll_next(prompt) is not None
        dice = self.parts.dice
        dice.update(label=ROLL_ALL if self.tracker.typed_dice else TYPE_ALL)
        dice.display = rolls and bool(self.check_action("dice", ()))
        self.parts.again.display = self._question is not None and self.answered
        oracle = self.parts.oracle
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        offer = next((one for one in card.offers if one.opens == "oracle"), None)
        asks = bool(self.check_action("oracle", ()))
        oracle.display = asks and offer is not None
        oracle.update(label=offer.label if offer else "Oracle")
        note = self.parts.note
        note.display = self.takes is None and not rolls and bool(self.check_action("note", ()))
        hints = [] if self.noting else list(self._key_hints())
        hints.append(self.hint("accept", word))
        if dice.display:
            hints.append(self.hint("dice", dice.label))
        if note.display:
            hints.append(self.hint("note"))
        if asks:
            hints.append(self.hint("oracle"))
        if self.check_action("again", ()):
            hints.append(self.hint("again"))
        if self.check_action("keep", ()):
            hints.append(self.hint("keep"))
        if self.check_action("read", ()):
            hints.append(self.hint("read"))
        hints.append(self.hint("back", back.partition(",")[0]))
        if self.takes != "" and not self.noting:
            hints.append(self.hint("keys"))
        self.query_one(Footer).update(tuple(hints))
        self.parts.fit_buttons(self.room)

    def _key_hints(self) -> Iterator[Hint]:
        return key_hints(self.picker.data, self.form, self._by_signs(), self.hint, typing=self.takes == "")

    def _by_signs(self) -> tuple[Number | None, Number | None]:
        return self.number_now(1), self.number_now(-1)

    def number_now(self, by: int) -> Number | None:
        """Return the offered number that + (`by` is 1) or - (`by` is -1) changes now.

        Return None if there is none, if the keys change the answer itself, or if they are typed as text.
        """
        row, among, form = self.picker.row, self.among_rows, self.form
        if form.counts and not (among and row and is_offer(row)) and (form.takes is not None or form.at is not None):
            return None
        typing = self.takes == "" or (self.takes is not None and self.line.value)
        return None if typing and not among else self._number_beside(by)

    def _number_beside(self, by: int) -> Number | None:
        return self.offers.number(self.picker.row if self.among_rows else None, by)

    def _roll_next(self, prompt: Prompt | None) -> Roll | None:
        """Return the next roll: `prompt` itself, or the roll made right after its answer; None if there is none."""
        ahead = self.ahead.prompt if self.ahead else None
        if isinstance(prompt, Roll):
            return prompt
        return ahead if isinstance(ahead, Roll) and ahead.at_once else None

    def _rolls_at_once(self, prompt: Prompt | None) -> bool:
        """Return True if this prompt is a roll that the app makes without waiting for a key."""
        return isinstance(prompt, Roll) and prompt.at_once and not self.typed(prompt)

    def typed(self, roll: Roll) -> bool:
        """Return True if the player types the faces of this roll."""
        return self.tracker.typed_dice and not roll.ours

    def _enter(self, prompt: Prompt | None) -> str:
        """Return the label of the Enter button: what Enter does now, given where the cursor is.

        `prompt` is the present prompt, or None at the end of the run.
        """
        row = self.picker.row
        if self.answered:
            return "Save to journal"
        if self.noting:
            return "Save line"
        if row and is_offer(row) and self.among_rows:
            return "Toggle" if row.on is not None else "Next"
        if prompt is None or (self.ahead is not None and not self.follows(self.ahead)):
            return "Apply"
        roll = self._roll_next(prompt)
        return self.form.enter(rolls=roll is not None and not self.typed(roll))

    def _leave(self) -> str:
        """Return the label of the Esc button; after a roll it says that the dice are kept."""
        if self.answered and not self.noting:
            return "Save, ask another" if self._question else "Save"
        if not self.noting and self.run.last_asked is None and not self.run.rolled and self.run.note:
            return "Later, line is kept"
        if self.noting or self.run.last_asked is not None or not self.run.rolled:
            return "Back"
        return "Later, dice are kept"

    # -- a note -------------------------------------------------------------------------------------------

    def open_note(self) -> None:
        """Open and focus the line for the player's own note on this entry."""
        self.noting = True
        self._noted_from = self.focused
        note = self.parts.own_line
        with self.prevent(LineInput.Changed):
            note.value = self.run.note
        note.cursor_position = len(note.value)
        note.display = True
        self.set_focus(note)
        self.show()

    def close_note(self) -> None:
        """Close the line of the note but keep its text, and return the focus to the widget that had it before."""
        self.noting = False
        self.parts.own_line.display = False
        self.set_focus(self._noted_from or self.parts.accept)
        self.show()

    # -- dice that tumble ---------------------------------------------------------------------------------

    def tumble(self) -> None:
        """Start to animate the new dice, which are saved already; any key ends the animation.

        Do nothing if animation is off or the dice are not drawn.
        """
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        if not (self.tracker.can_animate and self.parts.draws and card.dice and self.is_mounted and self.is_open):
            return
        self._frames = FRAMES
        self.picker.veil(veiled=True)
        self.parts.changes.update((Content(" "),) * len(self.parts.changes.data))
        self._tumble_on()
        self._tumbling = self.set_interval(FRAME_SECONDS, self._tumble_on)

    def _tumble_on(self) -> None:
        self._frames -= 1
        if self._frames < 0:
            self.show()
            return
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        faces = [random.randint(1, die.sides) for die in card.dice]
        lines = RollLines.of(card, self.room, draws=True)
        self.parts.roll.update(tuple(lines.veiled(card, self.room, faces)))

    def still(self) -> None:
        """Stop a running animation of dice, if any, and show the result."""
        if self._tumbling:
            self.show()

    def _stop(self) -> None:
        if self._tumbling:
            self._tumbling.stop()
            self._tumbling = None
            self.picker.veil(veiled=False)
