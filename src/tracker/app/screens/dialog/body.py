"""Widgets and text of a dialog: the roll, the question, the changes, the buttons, and the character so far."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from textual.content import Content
from textual.widget import Widget

from tracker.app.drawings import dice as drawn_dice
from tracker.app.drawings import odds_bar, packed, tone_style, verdict
from tracker.app.keymap import Hint
from tracker.app.screens.dialog.forms import Form, is_offer, key_ranges
from tracker.app.widgets.base import Lines
from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import OptionPicker, Row
from tracker.campaign.run import Run
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Odds, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.view import Card, whole
from tracker.records import NamedTuple
from tracker.text import shown_line

BAR = 20
SHORT = 16
"""Cells of an offer's label in the footer; a longer one is shown as "Change"."""

FRAME = 6
"""Rows that are neither text nor options: header, footer, border, buttons and the row above them."""
CHANGES = 3
"""Rows kept free for changes when the size of the drawing is chosen."""
ROWS = 5
"""Rows of options that come before the stakes of a roll."""
INDENT = 2
ANSWER_MOST = 30
"""Most characters of an answer in the line that tells all answers so far."""
LEAST_WIDTH = 100
"""Width of a window with room beside a dialog."""
TYPE_ALL, ROLL_ALL = "Use real dice", "Use app dice"
"""Labels of the dice button."""


class Body:
    """The widgets of a Dialog's card: roll, question, options, input line, changes. They are composed once.

    Later prompts only update them.
    """

    def __init__(self) -> None:
        self.roll = Lines((), id="roll")
        self.question = Lines((), id="ask", classes="bare")
        self.picker = OptionPicker(id="options")
        self.line = LineInput(id="line", select_on_focus=False)
        self.changes = Lines((), id="change")
        hint = "your own line for the journal"
        self.own_line = LineInput(id="own_line", select_on_focus=False, placeholder=hint)
        self.accept = Chip("Enter", "Apply", id="accept")
        self.dice = Chip("d", TYPE_ALL, id="dice")
        self.note = Chip("n", "Write", id="note")
        self.again = Chip("r", "Repeat", id="again")
        self.oracle = Chip("o", "Oracle", id="oracle")
        self.back = Chip("Esc", "Back", id="back")
        self.draws = True
        """True if the dice are drawn. Chosen for a prompt and kept while it is answered, so that nothing jumps."""

    def widgets(self) -> Iterator[Widget]:
        """Yield the widgets for the dialog to compose, top to bottom."""
        yield from (self.roll, self.question, self.picker, self.line, self.changes, self.own_line)
        yield Widget(self.accept, self.oracle, self.dice, self.note, self.again, self.back, id="buttons")

    def fit_buttons(self, room: int) -> None:
        """Shorten the row of buttons to `room` cells.

        First the label of Esc is shortened, then buttons are left out, the last one first. Enter and Esc always stay,
        and so does the button that has the focus.
        """

        def over() -> bool:
            shown = [chip for chip in (self.accept, *others, self.back) if chip.display]
            return sum(chip.chip_cells + 1 for chip in shown) - 1 > room

        others = (self.oracle, self.dice, self.note, self.again)
        if over():
            self.back.update(label=self.back.label.partition(",")[0])
        for chip in reversed(others):
            if over() and not chip.has_focus:
                chip.display = False

    def open_line(self, form: Form) -> None:
        """Show the input line with the form's initial text; hide the line if the form has none."""
        line = self.line
        line.display = form.takes is not None
        if form.takes is None:
            return
        line.takes = form.takes
        line.placeholder = form.placeholder
        line.value = form.first_line()
        line.cursor_position = len(line.value)
        if form.replaces():
            line.select_all()  # typing replaces the text, arrows move into it

    def lay(
        self,
        card: Card,
        form: Form,
        rows: tuple[Row, ...],
        changes: tuple[Content, ...],
        more: tuple[Content, ...],
        room: int,
        height: int,
        *,
        rolled: bool,
        refit: bool,
    ) -> None:
        """Show the roll, the question and the changes in a card of `room` cells, in a window of `height` rows.

        `rows` are the rows that the picker shows already. `more` are texts to show above the changes; each is left out
        unless all of it fits. `rolled` is True once dice were rolled. `refit` decides anew whether dice are drawn.
        Unchanged widgets are not painted.
        """
        joined = bool(rows) and is_offer(rows[0])  # offers that change the outcome are right below it
        left = height - FRAME - bool(rows) - 2 * (form.takes is not None) - (rolled and not joined)
        ask = tuple(ask_lines(form, rows, room, left - len(changes) - min(len(rows), ROWS)))
        if refit:
            rows_left = left - len(ask) - len(rows) - max(CHANGES, len(changes))
            self.draws = sum(map(len, RollLines.of(card, room, draws=True))) <= rows_left
        told = rolled or bool(card.outcome)  # without dice there is an outcome without a roll
        roll = (*chain(*RollLines.of(card, room, draws=self.draws)),) if told else ()
        free = left - len(roll) - len(ask) - len(rows) - len(changes) - 1
        wrapped = [words.wrap(room) for words in more]
        fits = [lines for n, lines in enumerate(wrapped) if sum(map(len, wrapped[: n + 1])) < free]
        if fits:
            changes = (*chain(*fits), *([Content()] if changes else []), *changes)
        self.roll.styles.margin = (0, 0, int(not joined), 0)
        self.roll.update(roll)
        self.question.update(ask)
        self.changes.update(changes)
        self.picker.styles.margin = (0, 0, 1, 0) if rows else (0, 0, 0, 0)
        # Shrink a long list: changes and buttons stay visible.
        self.picker.styles.max_height = max(3, left - len(roll) - len(ask) - len(changes))


class RollLines(NamedTuple):
    """A roll as lines of text: the result, then the dice, then the reason."""

    result: list[Content]
    dice: list[Content]
    reason: list[Content]

    @classmethod
    def of(cls, card: Card, room: int, *, draws: bool) -> RollLines:
        """Return the lines of a roll, at most `room` cells wide. If `draws` is False, the dice are in words.

        The sum is left out if the drawn dice show it. The reason is then beside the outcome, if it fits there.
        """
        drawn = drawn_dice(card, room) if draws else []
        total = "" if _between_the_dice(card, drawn) else card.sum
        dice = drawn or _face_lines(card, room)
        why = card.reasons
        if not card.outcome:
            return cls(Content(total).wrap(room) if total else [], dice, packed(why, room))
        banner = Content.assemble(" ", (f" ★ {card.banner} ★ ", "bold reverse $key")) if card.banner else ""
        outcome = Content.assemble(verdict(card.mark, card.outcome, card.tone), banner)
        beside, below = (total, why) if total or not why else (why[0], why[1:])
        said = Content.assemble(outcome, f"  {beside}")
        if said.cell_length <= room:
            return cls([said], dice, packed(below, room))
        return cls([outcome, *(Content(total).wrap(room) if total else [])], dice, packed(why, room))

    def veiled(self, card: Card, room: int, faces: Iterable[int]) -> list[Content]:
        """Return the lines for one frame of the animation: the dice show these faces, and all other text is blank.

        There are as many lines as for the finished roll, so that nothing moves.
        """
        dice = tuple(
            die._replace(face=face, counts=False, word=" " * len(die.word))
            for die, face in zip(card.dice, faces, strict=True)
        )
        between = tuple(" " * len(word) for word in card.between)
        blank = Content(" ")
        tumbling = drawn_dice(card._replace(dice=dice, between=between), room)
        return [*[blank] * len(self.result), *tumbling, *[blank] * len(self.reason)]


def _face_lines(card: Card, room: int) -> list[Content]:
    """Return the faces of a roll as text, for a card without drawn dice, wrapped to `room` cells.

    Return [] if the text of the sum already contains every face.
    """
    if Counter(str(die.face) for die in card.dice) <= Counter(re.findall(r"\d+", card.sum)):
        return []
    parts, group = [], card.dice[0].group
    for die in card.dice:
        if die.group != group:
            group = die.group
            parts.append(Content.styled(group, "$muted"))
        face = Content.styled(str(die.face), "bold" if die.counts else "")
        parts.append(Content.assemble(face, (f" {die.word}".rstrip(), "$muted")))
    return Content("   ").join(parts).wrap(room)


def _between_the_dice(card: Card, drawn: list[Content]) -> bool:
    """Return True if the drawn dice show the sum, so that its text would repeat it.

    That is so if the sum ends in the first word between the dice, and a row of `drawn`, the picture, has that word.
    """
    return any(card.sum.endswith(word) and word in row.plain for word in card.between[:1] for row in drawn)


def ask_lines(form: Form, rows: tuple[Row, ...], room: int, height: int) -> Iterator[Content]:
    """Yield the question, the filter of a long list, and the odds of a roll, in lines of `room` cells.

    The question is left out if `rows` has a heading, because the heading is the question. Each outcome of a roll is
    shown with the changes that it would make, if that fits into `height` rows.
    """
    if not any(row.heading for row in rows) and (words := form.question()):
        yield from (lines := Content.styled(words, "$muted").wrap(room))
        height -= len(lines)
    if form.long:
        marked = form.marked_labels()
        yield from form.filter.line(beside=f"   marked: {marked}" if marked else "").wrap(room)
    prompt = form.prompt
    if not isinstance(prompt, Roll) or not prompt.odds:
        return
    staked = tuple(stake_lines(prompt, room)) if prompt.stakes else ()
    yield from staked if staked and len(staked) <= height else odds_line(prompt.odds).wrap(room)


def odds_line(odds: Odds) -> Content:
    """Return the odds in one line: a bar, then each outcome with its percentage."""
    numbers = [(f"  {name} {whole(n):>2}%", tone_style(tone)) for name, n, tone in odds]
    return Content.assemble(odds_bar(odds, BAR), *numbers)


def stake_lines(prompt: Roll, room: int) -> Iterator[Content]:
    """Yield lines of at most `room` cells: for each outcome of the roll its name, chance and changes.

    The roll must have stakes. Changes that all outcomes share are only in the last line, after the word "always".
    """
    anyway = [phrase for phrase in prompt.stakes[0] if all(phrase in stake for stake in prompt.stakes)]
    name = max(len(label) for label, _, _ in prompt.odds)
    beside = name + len(" 100%")
    told = [", ".join(phrase for phrase in stake if phrase not in anyway) for stake in prompt.stakes]
    longest = max(map(len, told))
    bar = next((cells for cells in (BAR, BAR // 2) if beside + cells + longest + 3 <= room), 0)
    for (label, n, tone), words in zip(prompt.odds, told, strict=True):
        full = round(n * bar / 100)
        picture = Content.assemble(("━" * full, tone_style(tone)), ("─" * (bar - full), "$faint"))
        told_chance = (f"{label:<{name}} {whole(n):>3}%", tone_style(tone))
        start = Content.assemble(told_chance, " ", picture, "  " if bar else " ")
        for row, part in enumerate(Content.styled(words or "no changes", "$muted").wrap(room - start.cell_length)):
            yield Content.assemble(Content(" " * start.cell_length) if row else start, part)
    if anyway:
        yield from Content.assemble(("always  ", "$muted"), ", ".join(anyway)).wrap(room)


def change_lines(
    changes: list[str], ahead: Prompt | None, room: int, party: Iterable[str] = (), *, rolled: bool = False
) -> Iterator[Content]:
    """Yield a heading and the changes that Enter would make, in lines of `room` cells.

    Each of `changes` is a phrase. It begins with a name from `party` if it is about that member. If the changes do not
    fit in one line, each member gets a line. `ahead` is the prompt that follows, or None at the end of the run.
    `rolled` is True if dice are rolled already. If there are no changes, yield "No changes on the sheet" at the end of
    the run and nothing before it.
    """
    if not changes:
        if ahead is None:
            yield Content.styled("No changes on the sheet", "$muted")
        return
    before = isinstance(ahead, Roll) and not rolled
    head = "Changes" if ahead is None else "Before you roll" if before else "So far"
    yield Content.styled(head, "$muted")
    by_name: dict[str, list[str]] = {}
    for change in changes:
        whose = _whose(change, party)
        several = by_name.setdefault(whose, [])
        several.append(change.removeprefix(whose) if several else change)
    told = ["   ".join(several) for several in by_name.values()]
    short = Content("   ".join(told))
    yield from [short] if short.cell_length <= room else [line for one in told for line in Content(one).wrap(room)]


def _whose(change: str, party: Iterable[str]) -> str:
    """Return the name from `party` with which a change begins, including the colon and blank after it; "" if none."""
    return next((f"{name}: " for name in party if change.startswith(f"{name}: ")), "")


def note_lines(note: str, room: int) -> Iterator[Content]:
    """Yield the text of the entry, after the word "Journal", in lines of `room` cells; nothing for "".

    Of several paragraphs, only the last is shown.
    """
    if note:
        before, _, last = note.rstrip().rpartition("\n\n")
        yield from Content.assemble(("Journal  ", "$muted"), "… " if before else "", shown_line(last, 300)).wrap(room)


def key_hints(
    rows: tuple[Row, ...],
    form: Form,
    by_signs: tuple[Number | None, Number | None],
    hint: Callable[..., Hint],
    *,
    typing: bool,
) -> Iterator[Hint]:
    """Yield footer hints for the hotkeys of the rows in short form, such as `1-4 Choose b Burn`.

    `by_signs` has the number that `+` changes and the one that `-` changes; None for a key that changes none. While
    text is typed (`typing`), yield only the hint for the arrow keys, which move to the rows. `hint` is that of the
    screen, for its bindings.
    """
    if typing:
        yield from [hint("rows(1)", "Options", also="rows(-1)")] if rows else []
        return
    yield from form.hints()
    offers = [row for row in rows if row.key and is_offer(row) and not row.reason]
    if len(offers) == 1:
        label = offers[0].label
        yield Hint(offers[0].key, label if len(label) <= SHORT else "Change", f"row('{offers[0].key}')")
    elif offers:
        yield Hint(key_ranges(sorted(row.key for row in offers)), "Change", "")
    plus, minus = by_signs
    if plus and plus == minus:
        yield hint("add(1)", _capital(plus.title), also="add(-1)")
    elif form.counts:
        yield hint("add(1)", "Adjust", also="add(-1)")
    else:
        yield from [hint("add(1)", _capital(plus.title))] if plus else []
        yield from [hint("add(-1)", _capital(minus.title))] if minus else []


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


class SoFar(Lines):
    """Pane beside the dialog that makes a character: the answers given so far, each below its question.

    It is hidden in a window narrower than LEAST_WIDTH; the dialog then shows the answers below its question.
    """

    @staticmethod
    def told(run: Run) -> Iterator[Content]:
        """Yield one text with all answers of this run, in order; nothing if there are none."""
        if answers := [shown_line(said, ANSWER_MOST) for _, said in _answers(run)]:
            yield Content.assemble(("So far  ", "$muted"), (" · ".join(answers), "bold"))

    def show(self, run: Run) -> None:
        """Show the answers of this run.

        If they do not all fit, show the first answer, the name, and the newest ones.
        """
        width = max(10, self.content_size.width or 22)
        height = max(1, (self.app.size.height - 6) if self.is_attached else 20)
        blocks = [list(_block(prompt, said, width)) for prompt, said in _answers(run)]
        while len(blocks) > 1 and sum(map(len, blocks)) > height:
            del blocks[1]  # the first is the name
        lines = [line for block in blocks for line in block]
        self.update(tuple(lines) or (Content.styled("No answers yet.", "$faint"),))
        self.display = self.app.size.width >= LEAST_WIDTH
        self.styles.height = self.app.size.height - 2  # 1fr would reach below the footer


def _answers(run: Run) -> Iterator[tuple[Prompt, str]]:
    for prompt, (_, value) in list(zip(run.seen, run.answers, strict=True))[1:]:  # the first is how to make one
        if not prompt.quiet and (said := _answer_text(prompt, value)):
            yield prompt, shown_line(said, 120)


def _answer_text(prompt: Prompt, value: Answer) -> str:
    """Return an answer as text, options by their labels; "" for a roll or an empty line."""
    match prompt:
        case Pick():
            return next(option.label for option in prompt.options if option.key == value)
        case Choose() if isinstance(value, (list, tuple)):
            return ", ".join(option.label for option in prompt.options if option.key in value) or "none"
        case Spread() if isinstance(value, dict):
            return ", ".join(
                f"{target.label} {value[target.key]}" for target, _ in prompt.targets if target.key in value
            )
        case Number() | Text():
            return str(value)
        case Confirm():
            return "yes" if value else "no"
        case Roll() | _:
            return ""


def _block(prompt: Prompt, said: str, width: int) -> Iterator[Content]:
    yield from Content.styled(shown_line(prompt.title, 120), "$muted").wrap(width)
    for row in Content.styled(said, "bold").wrap(width - INDENT):
        yield row.pad_left(INDENT)
