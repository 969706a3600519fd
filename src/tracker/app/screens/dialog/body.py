"""What a dialog shows of the run that it drives: dice, outcome, offers, question, options, changes, buttons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from tracker.app.screens.base import Modal
from tracker.app.screens.dialog.forms import (
    NOTHING,
    OFFER,
    PendingInput,
    about,
    asked,
    is_long,
    is_offer,
    offered,
    typed_into,
    with_signs,
)
from tracker.app.screens.dialog.showing import (
    Form,
    change_lines,
    fitting,
    key_hints,
    note_lines,
    odds_line,
    placeholder,
    question,
    roll_lines,
    seek_line,
    stake_lines,
    veiled,
)
from tracker.app.widgets.box import Box
from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.footer import Footer, Hint
from tracker.app.widgets.header import Heading
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import OptionPicker, Row, cut
from tracker.app.widgets.value_widget import Lines
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.schema import ROLLED, TYPED
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp

FRAME = 6
"""Rows that are neither text nor options: head, foot, border, and the buttons with the row above them."""
CHANGES = 3
"""Rows kept free for what will change when it is decided whether the dice can be drawn."""
ROWS = 5
"""Rows to choose from or to change that are worth more than what each outcome would do."""
TYPE_ALL, ROLL_ALL = "Type all dice", "Roll all here"
"""Where dice come from is settled for the campaign, not for this once."""
FRAMES = 4
FRAME_SECONDS = 0.05
"""How long the dice tumble, in all a fifth of a second."""


class CardScreen(Modal[Entry | None]):
    """Composed once; what changes from prompt to prompt is what the widgets show."""

    app: TrackerApp

    def __init__(self, session: Session, run: Run, heading: Heading, who: str, begun: PendingInput) -> None:
        super().__init__(heading, run.move.name)
        self._who = who
        self.session = session
        self.run = run
        self.begun = begun
        self.message = ""
        self.noting = False
        self.cleared: Answer = None
        """What somebody has just taken the mark from."""
        self.aside = False
        """Whether what hardly anybody wants is offered too."""
        self.sought = ""
        """What was typed to find something in a long list."""
        self.takes: str | None = None
        """What the line takes; None while there is none."""
        self.ahead: Run | None = None
        """The run as Enter would make it now."""
        self._form: Form = "full"
        self._shown_among_rows = False
        self.touched = ""
        """The number whose letter was pressed last."""
        self._tumbling: Timer | None = None
        self._frames = 0
        # They are asked for their keys before they are mounted.
        self._rolled = Lines((), id="roll")
        self._asked = Lines((), id="ask", classes="bare")
        self.picker = OptionPicker(id="options")
        self.line = LineInput(id="line", select_on_focus=False)
        self._changes = Lines((), id="change")
        hint = "a line of your own, kept in the journal"
        self._own_line = LineInput(id="own_line", select_on_focus=False, placeholder=hint)
        self._accept_chip = Chip("Enter", "Apply", id="accept")
        self._dice_chip = Chip("d", TYPE_ALL, id="dice")
        self._note_chip = Chip("n", "Note", id="note")
        self._back_chip = Chip("Esc", "Back", id="back")

    def body(self) -> Iterator[Widget]:
        yield from (self._rolled, self._asked, self.picker, self.line, self._changes, self._own_line)
        yield Widget(self._accept_chip, self._dice_chip, self._note_chip, self._back_chip, id="buttons")

    def hints(self) -> tuple[Hint, ...]:
        return (Hint("Enter", "Apply", "accept"), Hint("Esc", "Back", "back"))

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self.show(resized=True))

    def say(self, message: str) -> None:
        """Say this until something else happens."""
        self.message = message
        self.show()

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(row for row in self.picker.data if row.key)

    @property
    def among_rows(self) -> bool:
        """Whether the rows have the focus, and not a line or a button."""
        return self.focused is self.picker

    def on_descendant_focus(self) -> None:
        if self.among_rows != self._shown_among_rows:
            self.show()

    # -- what Enter would do ----------------------------------------------------------------------------

    def marks(self, prompt: Choose) -> bool:
        """Whether Enter marks what is under the cursor: it is not marked yet, nor just cleared, and one more may be."""
        marked, row = self.begun.marked(prompt), self.picker.row
        if row is None or is_offer(row) or row.value == NOTHING or (marked and row.value == self.cleared):
            return False
        return row.value not in marked and len(marked) < prompt.most

    def missing(self, prompt: Choose) -> int:
        """How many must still be marked before they can be taken."""
        row = self.picker.row
        least = prompt.least if row and row.value == NOTHING else max(1, prompt.least)
        return max(0, least - len(self.begun.marked(prompt)))

    def value(self) -> Answer:
        """The answer that Enter gives now; None if there is none."""
        prompt, row = self.run.prompt, self.picker.row
        own = row.value if row and not is_offer(row) else None
        match prompt:
            case Pick() | Confirm():
                return own
            case Choose() if prompt.most > 1:
                return None if self.marks(prompt) or self.missing(prompt) else self.begun.marked(prompt)
            case Choose():
                return None if own is None else [] if own == NOTHING else [own]
            case Spread():
                return self.begun.shares(prompt)
            case Number():
                word = self.line.value.strip()
                return int(word) if word.isdecimal() and len(word) < 9 else word or None
            case _:
                return None

    def _look_ahead(self) -> Run | None:
        prompt, value = self.run.prompt, self.value()
        if prompt is None:
            return self.run
        try:
            return None if value is None else self.run.trial(prompt.check(value))
        except Refused:
            return None

    def follows(self, ahead: Run) -> bool:
        """Whether something is asked there, or can be revised that could not be before."""
        known = {row.value for row in offered(self.run)}
        return ahead.prompt is not None or any(row.value not in known for row in offered(ahead))

    # -- showing ----------------------------------------------------------------------------------------

    def rows(self) -> tuple[Row, ...]:
        words = "" if isinstance(self.run.prompt, Roll) else question(self.run.prompt, self.begun)
        lines = [line.plain for line in Content(words).wrap(self.room)] if words else []
        typed = self.app.typed_dice
        return asked(self.run, self.begun, lines, typed_dice=typed, aside=self.aside, sought=self.sought)

    def show(self, *, fresh: bool = False, resized: bool = False) -> None:
        """Bring everything up to date; what did not change is not painted. `fresh` is for another prompt."""
        self._stop()
        prompt, picker = self.run.prompt, self.picker
        if fresh:
            self.sought = ""
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        self._title(card.title)
        rows = self.rows()
        own = next((row.value for row in rows if not row.heading and not row.reason and not is_offer(row)), None)
        if fresh:
            at = self.begun.at(prompt)
            there = at is not None and any(row.value == at and not row.reason for row in rows)
            picker.show(rows, at=at if there else own)
            self._open_line(prompt, has_options=own is not None)
        else:
            picker.show(rows)
        rows = with_signs(rows, self.run, *self._by_signs())
        picker.show(rows)
        self._shown_among_rows = self.among_rows
        self.ahead = self._look_ahead()
        change = tuple(self._change_lines())
        # What changes the outcome stands right under it.
        joined = bool(rows) and is_offer(rows[0])
        room = self.size.height - FRAME - bool(rows) - 2 * (self.takes is not None)
        room -= 2 * (self.has_class("-cozy") or self.has_class("-wide")) + (self.run.rolled and not joined)
        ask = tuple(self._ask_lines(rows, room - len(change) - min(len(rows), ROWS)))
        if fresh or resized:
            self._form = fitting(card, self.room, room - len(ask) - len(rows) - max(CHANGES, len(change)))
        told = self.run.rolled or bool(card.outcome)  # where no die is left there is an outcome without a roll
        roll = tuple(roll_lines(card, self.room, self._form)) if told else ()
        self._rolled.styles.margin = (0, 0, int(not joined), 0)
        self._rolled.update(roll)
        self._asked.update(ask)
        self._changes.update(change)
        picker.styles.margin = (0, 0, 1, 0) if rows else (0, 0, 0, 0)
        # A long list gives way: what is about to happen and the buttons stay in sight.
        picker.styles.max_height = max(3, room - len(roll) - len(ask) - len(change))
        self._show_buttons(prompt)

    def _title(self, title: str) -> None:
        box = self.query_one("#card", Box)
        box.call(title)
        aside = Content(" · ".join(filter(None, (self._who, f"dice {TYPED if self.app.typed_dice else ROLLED}"))))
        if box.border_subtitle != aside:
            box.border_subtitle = aside

    def _open_line(self, prompt: Prompt | None, *, has_options: bool) -> None:
        line = self.line
        self.takes = typed_into(prompt, typed_dice=self.app.typed_dice)
        line.display = self.takes is not None
        if self.takes is not None:
            line.takes = self.takes
            line.placeholder = placeholder(prompt)
            with self.prevent(LineInput.Changed):
                line.value = self.begun.line(prompt)
            line.cursor_position = len(line.value)
            proposed = prompt is not None and prompt.key in self.begun.proposed
            if isinstance(prompt, Number) or (isinstance(prompt, Text) and (proposed or line.value == prompt.default)):
                line.select_all()  # typing replaces it, and the arrows go into it
            self.set_focus(line)
        elif has_options:
            self.set_focus(self.picker)
        else:
            self.set_focus(self._accept_chip)

    def _ask_lines(self, rows: tuple[Row, ...], room: int) -> Iterator[Content]:
        """The question, unless it stands among the rows; and the odds of a roll that is to be made, with what each
        outcome would change where there is room for it.
        """
        prompt = self.run.prompt
        if not any(row.heading for row in rows) and (words := question(prompt, self.begun)):
            yield from (lines := Content.styled(words, "$muted").wrap(self.room))
            room -= len(lines)
        if is_long(prompt):
            yield from seek_line(prompt, self.begun, self.sought).wrap(self.room)
        if not isinstance(prompt, Roll) or not prompt.odds:
            return
        staked = tuple(stake_lines(prompt, self.room)) if prompt.stakes else ()
        yield from staked if staked and len(staked) <= room else odds_line(prompt.odds).wrap(self.room)

    def _change_lines(self) -> Iterator[Content]:
        row = self.picker.row
        if row and (self.among_rows or not is_offer(row)):
            if cut(row, self.picker.data, self.room):
                whole = ": ".join(filter(None, (row.label, row.note)))
                yield from Content(whole).wrap(self.room)
            if (words := about(self.run, row)) and words not in {row.label, row.note}:
                yield from Content.styled(words, "$muted").wrap(self.room)
        if self.message:
            yield from Content.styled(shown_line(self.message, 300), "$mid").wrap(self.room)
        paid = self.run if isinstance(self.run.prompt, Roll) and self.run.prompt.stakes else None
        if seen := self.ahead or paid:
            changes = self.session.changes(seen)
            party = [shown_line(one["name"]) for one in seen.draft.state["party"].values()]
            yield from change_lines(changes, seen.prompt, self.room, party)
        if not self.noting:
            yield from note_lines(" ".join(filter(None, (self.run.draft.text, self.run.note))), self.room)

    def _show_buttons(self, prompt: Prompt | None) -> None:
        word, back = self._enter(prompt), self._leave()
        self._accept_chip.update(label=word)
        self._back_chip.update(label=back)
        rolls = self._roll_next(prompt) is not None
        dice = self._dice_chip
        dice.update(label=ROLL_ALL if self.app.typed_dice else TYPE_ALL)
        dice.display = rolls and bool(self.check_action("dice", ()))
        note = self._note_chip
        note.display = self.takes is None and not rolls and bool(self.check_action("note", ()))
        hints = [] if self.noting else list(self._key_hints())
        hints.append(Hint("Enter", word, "accept"))
        if dice.display:
            hints.append(Hint("d", dice.label, "dice"))
        if note.display:
            hints.append(Hint("n", "Note", "note"))
        if self.check_action("again", ()):
            hints.append(Hint("r", "Again", "again"))
        hints.append(Hint("Esc", back.partition(",")[0], "back"))
        if self.takes != "" and not self.noting:
            hints.append(Hint("?", "Keys", "keys"))
        self.query_one(Footer).update(tuple(hints))

    def _key_hints(self) -> Iterator[Hint]:
        return key_hints(self.picker.data, self.run, self._by_signs(), typing=self.takes == "")

    def _by_signs(self) -> tuple[Number | None, Number | None]:
        return self.number_now(1), self.number_now(-1)

    def number_now(self, by: int) -> Number | None:
        """The number beside the question that `+` or `-` changes now; None where they are for what is asked."""
        row, among = self.picker.row, self.among_rows
        beside = bool(row and is_offer(row)) and among
        if isinstance(self.run.prompt, Number) or (isinstance(self.run.prompt, Spread) and row and not is_offer(row)):
            return self.number_beside(row, by) if beside else None
        typing = self.takes == "" or (self.takes is not None and self.line.value)
        return None if typing and not among else self.number_beside(row, by)

    def number_beside(self, row: Row | None, by: int = 0) -> Number | None:
        """The quiet number under a cursor that is seen, or whose letter was pressed; else the first that has a letter,
        or the last one, of those that `by` does not take too far.
        """
        offered = (p for p in self.run.quiet() if self.aside or not p.aside)
        numbers = [p for p in offered if isinstance(p, Number) and p.low < p.high]
        under = [p for p in numbers if row and row.value == OFFER + p.key and self.among_rows]
        under += [p for p in numbers if p.key == self.touched] or [p for p in numbers if p.hot][:1]
        free = [p for p in reversed(numbers) if p.low <= self.run.value(p.key) + by <= p.high]
        return next(iter([*under, *free, *reversed(numbers)]), None)

    def _roll_next(self, prompt: Prompt | None) -> Roll | None:
        """The dice that fall with the next answer."""
        ahead = self.ahead.prompt if self.ahead else None
        if isinstance(prompt, Roll):
            return prompt
        return ahead if isinstance(ahead, Roll) and ahead.at_once else None

    def typed(self, roll: Roll) -> bool:
        """Whether these faces are typed in."""
        return typed_into(roll, typed_dice=self.app.typed_dice) is not None

    def _enter(self, prompt: Prompt | None) -> str:
        """What Enter does, in a word or two."""
        row = self.picker.row
        if self.noting:
            return "Keep the note"
        if row and is_offer(row) and self.among_rows:
            return "Change it" if row.on is not None else "Go on"
        if prompt is None or (self.ahead is not None and not self.follows(self.ahead)):
            return "Apply"
        if isinstance(prompt, Choose) and prompt.most > 1:
            if self.marks(prompt):
                return "Mark it"
            return f"Mark {missing} more first" if (missing := self.missing(prompt)) else "Take them"
        if roll := self._roll_next(prompt):
            return "Roll" if not self.typed(roll) else "Take these" if roll is prompt else "Take it"
        if isinstance(prompt, Text) and not prompt.default and prompt.empty and not self.line.value.strip():
            return "Leave it out"
        return "Take it"

    def _leave(self) -> str:
        """What Esc does, and where the roll goes."""
        if self.noting or self.run.last_asked is not None or not self.run.rolled:
            return "Back"
        return "Later, the dice stay in owed"

    # -- a note -----------------------------------------------------------------------------------------

    def open_note(self) -> None:
        self.noting = True
        self._noted_from = self.focused
        note = self._own_line
        with self.prevent(LineInput.Changed):
            note.value = self.run.note
        note.cursor_position = len(note.value)
        note.display = True
        self.set_focus(note)
        self.show()

    def close_note(self) -> None:
        self.noting = False
        self._own_line.display = False
        self.set_focus(self._noted_from or self._accept_chip)
        self.show()

    # -- dice that tumble -------------------------------------------------------------------------------

    def tumble(self) -> None:
        """Let the dice that fell tumble for a moment, in their place. They are saved, and every key works already."""
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        if not (self.app.animates and self._form != "words" and card.dice and self.is_mounted and self.is_open):
            return
        self._frames = FRAMES
        self.picker.veil(veiled=True)
        self._changes.update((Content(" "),) * len(self._changes.data))
        self._tumble_on()
        self._tumbling = self.set_interval(FRAME_SECONDS, self._tumble_on)

    def _tumble_on(self) -> None:
        self._frames -= 1
        if self._frames < 0:
            self.show()
            return
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        faces = [random.randint(1, die.sides) for die in card.dice]
        self._rolled.update(tuple(veiled(card, self.room, self._form, faces)))

    def still(self) -> None:
        """The dice lie, for whoever does not wait."""
        if self._tumbling:
            self.show()

    def _stop(self) -> None:
        if self._tumbling:
            self._tumbling.stop()
            self._tumbling = None
            self.picker.veil(veiled=False)
