"""Oracle screen: yes/no questions and tables, one or several at once; the answer, with a sentence for the journal."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from tracker.app.drawings import dice as drawn_dice
from tracker.app.drawings import odds_bar, tone_style, verdict
from tracker.app.filter import HINT, Filter
from tracker.app.screens.base import Modal, UnseenDice, unsaved_dice, until_saved
from tracker.app.screens.dialog.forms import faces_hint
from tracker.app.screens.list_screen import Choices, FilteredList, ListScreen, by_digits
from tracker.app.widgets.base import Lines
from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.footer import Footer, Hint
from tracker.app.widgets.header import Heading
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import DIGITS, OptionPicker, Row
from tracker.campaign.drafts import PendingInput, Subject
from tracker.campaign.log import Entry
from tracker.campaign.run import Run
from tracker.campaign.session import Session
from tracker.dice import typed
from tracker.games.api import content as games_content
from tracker.games.api.content import Oracle
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Answer, Roll
from tracker.games.api.view import Action, Oracles, Start
from tracker.text import shown_line

TALL = 22
"""Window height from which dice are drawn."""


class OracleScreen(Modal[Entry | Run | None]):
    """List of questions and tables, or the answer to one.

    Ends with the entry of the last answer, with a run that has more prompts, or with None.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="oracle.back", tooltip="One step back; an answer is kept."),
        Binding("space", "mark", "Mark", id="oracle.mark", tooltip="Mark a table; Enter rolls all that are marked."),
        Binding("right", "fold(True)", "Open", id="oracle.open", tooltip="Open the group under the cursor."),
        Binding("left", "fold(False)", "Close", id="oracle.close", tooltip="Close the group under the cursor."),
        Binding("r", "again", "Roll again", id="oracle.again", tooltip="Ask the same again; this answer stays too."),
        Binding("j", "write", "With a sentence", id="oracle.write", tooltip="Write a sentence beside the answer."),
        Binding("question_mark", "keys", "Keys", id="oracle.keys", tooltip="All keys for where you are."),
    ]

    def __init__(
        self, session: Session, who: str, heading: Heading, aside: str, left: dict[Subject, PendingInput]
    ) -> None:
        """`left` holds a typed question until its answer is saved."""
        super().__init__(heading, "Oracle", aside)
        self._begun = left.setdefault((who, "oracle"), PendingInput())
        self.session = session
        self.who = who
        self.run: Run | None = None
        """The question under way: dice to type, or an answer on the screen; None while the list is shown."""
        self._asked = Start("")
        self._told: tuple[Content, ...] = ()
        """Description of the question, shown while dice are typed."""
        self._fortunes = Fortunes(session.game.oracles(), session.content())
        self._opened: set[str] = set()
        self._marked: list[str] = []
        self.list = FilteredList(self, self._rows, self._fortunes.about, self._typed_line)
        self.unseen: UnseenDice = UnseenDice()
        self._not_saved = ""
        """Message about dice that could not be saved, or ""."""

    def body(self) -> Iterator[Widget]:
        hint = "a question, if you like: Tab"
        yield LineInput(self._begun.note, id="question", classes="bare", placeholder=hint, max_length=200)
        yield from self.list.widgets()
        yield Lines((), id="answer")
        yield LineInput(id="line", select_on_focus=False)
        yield Lines((), id="message")
        yield Widget(
            Chip("Enter", "Into the journal", id="take"),
            Chip("j", "A sentence", id="write"),
            Chip("r", "Again", id="again"),
            Chip("Esc", "Ask more", id="back"),
            id="buttons",
        )

    def hints(self) -> tuple[Hint, ...]:
        if self.run is None:
            return (
                Hint("1-9", "Ask", ""),
                Hint("Enter", "Roll", "pick"),
                Hint("Space", "Mark", "mark"),
                Hint("Tab", "Question", "question"),
                Hint("Esc", "Back", "back"),
                Hint("?", "Keys", "keys"),
            )
        if self.run.prompt is not None:
            return (Hint("Enter", "These faces", "take"), Hint("Esc", "Back", "back"))
        return (
            Hint("Enter", "Into the journal", "take"),
            Hint("j", "A sentence", "write"),
            Hint("r", "Again", "again"),
            Hint("Esc", "Ask more", "back"),
        )

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self._show, stay=True)

    # -- what can be asked ------------------------------------------------------------------------------

    def _rows(self) -> tuple[Row, ...]:
        if self.list.filter.typed:
            return self._fortunes.matching(self.list.filter, self._marked)
        return self._fortunes.rows(self._opened, self._marked)

    def _typed_line(self) -> Content:
        marked = f"   marked: {self._fortunes.named(self._marked)}" if self._marked else ""
        return self.list.filter.line(f"{HINT}, a digit asks", marked)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable keys that do nothing here, and all keys while a rolled answer is not shown yet."""
        if not self.unseen.seen.is_set():
            return False
        answered = self.run is not None and self.run.prompt is None
        if action in {"again", "write"}:
            return answered
        if action in {"mark", "fold", "question", "pick"}:
            return self.run is None
        return super().check_action(action, parameters)

    async def on_key(self, event: events.Key) -> None:
        """Ask by a digit, or filter. Does nothing while text is typed or an answer is shown."""
        if self.run is not None or isinstance(self.focused, Input):
            return
        if row := self.list.with_key(event.character):
            event.stop()
            await self._take(row)
        elif event.character not in {" ", "?"} and self.list.on_key(event):
            self._say("")

    def action_mark(self) -> None:
        row = self.list.picker.row
        if row is None or not isinstance(row.value, Tables) or row.on is None:
            self._say("Put the cursor on a table first: Enter opens a group.")
            return
        (ident,) = row.value.ids
        if ident in self._marked:
            self._marked.remove(ident)
        elif len(self._marked) < self._fortunes.oracles.several:
            self._marked.append(ident)
        else:
            self._say(f"At most {self._fortunes.oracles.several} are rolled together; take one back first.")
            return
        self._show_list()

    def action_fold(self, opens: bool) -> None:  # noqa: FBT001
        row = self.list.picker.row
        if row and isinstance(row.value, Group):
            (self._opened.add if opens else self._opened.discard)(row.value.name)
            self._show_list()

    def action_question(self) -> None:
        self.query_one("#question").focus()

    def action_pick(self) -> None:
        self.list.picker.action_press()

    async def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        if self.run is not None or self.unseen.hides(message.time):
            return
        await self._take(message.row)

    def on_option_picker_moved(self) -> None:
        self.list.show_about()

    async def _take(self, row: Row) -> None:
        match row.value:
            case Action(start=start):
                self._told = tuple(self._fortunes.about(row.value))
                await self._ask(start)
            case Tables(ids=ids):
                together = self._marked if self._marked and row.on is not None else ids
                self._told = (Content.styled(self._fortunes.named(together), "bold"),)
                await self._ask(self._fortunes.oracles.roll_on(together))
            case Group(name=name):
                self.action_fold(name not in self._opened)
            case Problems(found=found):
                rows = tuple(Row(shown_line(problem, 200), n) for n, problem in enumerate(found))
                choices = Choices(rows, lambda n: [Content(shown_line(found[n], 300))], filters=False)
                self.app.push_screen(ListScreen(self.tracker.heading(), "What is wrong in your files", choices))

    # -- asking -----------------------------------------------------------------------------------------

    async def _ask(self, start: Start) -> None:
        question = self.query_one("#question", Input).value.strip()
        try:
            run = self.session.begin(start.procedure, self.who, start.answers)
            if question:
                run.revise("question", question)
        except Refused as error:
            self._say(str(error))
            return
        if run.prompt and not isinstance(run.prompt, Roll):
            self._begun.note = ""
            self.dismiss(run)
            return
        self._asked = start
        self.run = run
        await self._go_on()

    async def _go_on(self) -> None:
        """Roll, unless the player types the dice; then show the prompt or the answer."""
        assert self.run is not None
        while isinstance(self.run.prompt, Roll) and not self.tracker.typed_dice:
            if not await self._roll(self.tracker.dice.roll(self.run.prompt.dice)):
                self.run = None
                return
        self._show()
        if self._not_saved:
            self._say(self._not_saved)

    async def _roll(self, faces: Answer) -> bool:
        """Answer a roll and wait until it is saved or cannot be. Return False if it was refused."""
        assert self.run is not None
        try:
            self.session.roll(self.run, faces)
        except Refused as error:
            self._say(str(error))
            return False
        self.unseen.begin()
        self._not_saved = unsaved_dice(await until_saved(self.session))
        self.call_after_refresh(self.unseen.end)
        return True

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        if self.unseen.hides(message.time):
            return
        if message.input.id == "question":
            self.list.picker.focus()
        else:
            await self.action_take()

    def on_input_changed(self, message: Input.Changed) -> None:
        """Store question and sentence with every change, so that quitting keeps them."""
        if message.input.id == "question":
            self._begun.note = message.value.strip()
        if message.input.id == "line" and self.run and self.run.prompt is None:
            self.run.note = message.value.strip()

    async def action_take(self) -> None:
        """Submit typed dice, or save the answer and close the screen."""
        if self.run is None or not self.unseen.seen.is_set():
            return
        if isinstance(prompt := self.run.prompt, Roll):
            line = self.query_one("#line", Input)
            try:
                faces = prompt.check(typed(line.value, prompt.dice))
            except (ValueError, Refused) as error:
                self._say(str(error))
                return
            line.value = ""
            if await self._roll(faces):
                await self._go_on()
        elif entry := self._finish():
            self._begun.note = ""
            self.dismiss(entry)

    def _finish(self) -> Entry | None:
        """Save the answer with the typed sentence as an entry. Return None if it was refused."""
        assert self.run is not None
        try:
            return self.session.finish(self.run)
        except Refused as error:
            self._say(str(error))
            return None

    async def action_again(self) -> None:
        if self._finish():
            self.query_one("#line", Input).value = ""
            await self._ask(self._asked)

    def action_write(self) -> None:
        self.query_one("#line").focus()

    def keep_begun(self) -> str:
        """Leave an answer as a due item, with its sentence. Return "": this never fails."""
        if self.run:
            self.session.leave(self.run)
        return ""

    def action_back(self) -> None:
        """Step back: from a text field to its surroundings, from an answer to the list, from the list to the table."""
        line, question = self.query_one("#line", Input), self.query_one("#question", Input)
        if self.run is None:
            if self.focused is question:
                self.list.picker.focus()
            elif self.list.clear():
                self._say("")
            else:
                self.dismiss(None)
        elif self.focused is line and self.run.prompt is None:
            self.query_one("#take").focus()
        else:
            if self.run.prompt is None and not self._finish():
                self.session.leave(self.run)  # the answer becomes a due item
            if self.run.prompt is None:
                line.value = question.value = ""
            self.run = None
            self._marked = []
            self._show()

    async def on_chip_pressed(self, message: Chip.Pressed) -> None:
        if self.unseen.hides(message.time):
            return
        await self.run_action(str(message.chip.id))

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    # -- showing ----------------------------------------------------------------------------------------

    def _say(self, words: str) -> None:
        """Show a message until something else happens; "" clears it."""
        said = Content.styled(shown_line(words, 300), "$mid").wrap(self.room) if words else ()
        self.query_one("#message", Lines).update(tuple(said))

    def _show(self, *, stay: bool = False) -> None:
        """Show the list, the dice to type, or the answer. `stay` keeps the focus."""
        asking = self.run is None
        prompt = self.run.prompt if self.run else None
        for name in ("question", "typed", "beside"):
            self.query_one(f"#{name}").display = asking
        self.query_one("#buttons").display = not asking and prompt is None
        line = self.query_one("#line", LineInput)
        line.display = not asking
        sentence = "a sentence beside it in the journal: j"
        line.placeholder = faces_hint(prompt) if isinstance(prompt, Roll) else sentence
        self._say("")
        self.query_one("#answer", Lines).update(tuple(self._answer_lines()))
        self.query_one(Footer).update(self.hints())
        if asking:
            self._show_list()
        if not stay:
            (self.list.picker if asking else line if prompt else self.query_one("#take")).focus()

    def _show_list(self) -> None:
        self._say("")
        self.list.show()

    def _answer_lines(self) -> Iterator[Content]:
        if self.run is None:
            return
        card = self.session.game.card(self.run.move.id, self.run.draft.facts)
        if isinstance(self.run.prompt, Roll):
            asked = shown_line(str(self.run.draft.facts.get("question", "")), 200)
            for line in (Content.styled(card.title, "$muted"), Content(asked), *self._told):
                yield from line.wrap(self.room) if line else ()
            return
        yield Content.styled(card.title, "$muted")
        if self.size.height >= TALL:
            yield from drawn_dice(card, self.room)
        if card.outcome:
            yield from Content.assemble(verdict(card.mark, card.outcome, card.tone), f"  {card.sum}").wrap(self.room)
        else:
            yield from Content.styled(card.sum, "bold").wrap(self.room)
        if card.why:
            yield from Content.styled(card.why, "$muted").wrap(self.room)


ALL_ROWS, FEW_ROWS = 100, 3
"""Maximum of rows shown of a single table, and of each of several."""


class Group(NamedTuple):
    """Row of a group of tables; Enter opens and closes the group."""

    name: str


class Tables(NamedTuple):
    """Row of a table, or of several that are rolled together."""

    ids: tuple[str, ...]


class Problems(NamedTuple):
    """Row that opens the list of problems in the player's files."""

    found: tuple[str, ...]


Fortune = Action | Tables | Group | Problems


class Fortunes:
    """Rows of the oracle screen for one campaign."""

    def __init__(self, oracles: Oracles, content: games_content.Content) -> None:
        self.oracles = oracles
        self.content = content
        self.tables = games_content.whole(content.oracles)

    def rows(self, opened: Collection[str], marked: Collection[str]) -> tuple[Row, ...]:
        """Return yes/no questions first, then combinations, then tables; closed groups hide their tables."""
        digits = iter(DIGITS)
        rows: list[Row] = []
        if self.oracles.questions:
            rows.append(Row("Yes or no"))
        for action in self.oracles.questions:
            chance = f"{action.odds[0][0]} {action.odds[0][1]}%" if action.odds else ""
            rows.append(Row(action.label, action, next(digits, ""), chance))
        if self.oracles.besides:
            rows.append(Row("Besides"))
        rows += [Row(action.label, action, next(digits, "")) for action in self.oracles.besides]
        pairs = [ids for ids in self.oracles.together if all(i in self.content.oracles for i in ids)]
        rows += [Row("Together")] if pairs else []
        rows += [Row(self.named(ids), Tables(ids), next(digits, "")) for ids in pairs]
        rows += self._by_group(opened, marked)
        if self.content.problems:
            rows += [Row("Your files"), self._problems()]
        return tuple(rows)

    def _by_group(self, opened: Collection[str], marked: Collection[str]) -> Iterator[Row]:
        groups: dict[str, list[Oracle]] = {}
        for table in self.tables:
            groups.setdefault(table.group, []).append(table)
        if groups:
            yield Row("Tables")
        for name, tables in groups.items():
            is_open = name in opened
            count = f"{len(tables)} {'table' if len(tables) == 1 else 'tables'}"
            yield Row(f"{'-' if is_open else '+'} {shown_line(name)}", Group(name), note=count)
            if is_open:
                yield from (self._row(table, marked) for table in tables)

    def _row(self, table: Oracle, marked: Collection[str], note: str = "") -> Row:
        return Row(shown_line(table.name), Tables((table.id,)), note=note, on=table.id in marked)

    def _problems(self) -> Row:
        many = len(self.content.problems)
        return Row("what is wrong in them", Problems(self.content.problems), note=str(many))

    def matching(self, letters: Filter, marked: Collection[str]) -> tuple[Row, ...]:
        """Return rows whose name or group contains the typed text; the first nine get a digit as hotkey."""
        asked = [Row(a.label, a) for a in (*self.oracles.questions, *self.oracles.besides) if letters.is_in(a.label)]
        tables = [
            self._row(table, marked, shown_line(table.group))
            for table in self.tables
            if letters.is_in(table.name, table.group)
        ]
        return by_digits((*asked, *tables))

    def named(self, ids: Collection[str]) -> str:
        return " + ".join(shown_line(self.content.oracles[ident].name) for ident in ids)

    # -- beside the list --------------------------------------------------------------------------------

    def about(self, fortune: Fortune) -> Iterator[Content]:
        """Yield the description of the row under the cursor."""
        match fortune:
            case Action(label=label, note=note, odds=odds):
                yield Content.styled(label, "bold")
                yield Content.styled(note, "$muted")
                if odds:
                    yield odds_bar(odds, 20)
                    yield Content.assemble(*[(f"{name} {n}%  ", tone_style(tone)) for name, n, tone in odds])
            case Tables(ids=ids):
                for ident in ids:
                    yield from self._about_table(self.content.oracles[ident], ALL_ROWS if len(ids) == 1 else FEW_ROWS)
            case Group(name=name):
                yield Content.styled(shown_line(name), "bold")
                yield from (Content(shown_line(t.name)) for t in self.tables if t.group == name)
            case Problems(found=found):
                yield Content.styled("Enter shows all of them.", "$muted")
                yield from (Content(shown_line(problem, 300)) for problem in found)

    def _about_table(self, table: Oracle, most: int) -> Iterator[Content]:
        dice = " ".join(f"d{self.content.oracles[part].sides}" for part in table.parts) or f"d{table.sides}"
        yield Content.assemble((shown_line(table.name), "bold"), (f"   {dice}", "$faint"))
        if table.parts:
            yield Content.styled(self.named(table.parts), "$muted")
        last = 0
        for n, text in enumerate(table.rows):
            upto = table.upto[n] if table.upto else (n + 1) * table.sides // len(table.rows)
            if n < most:
                faces = str(upto) if upto == last + 1 else f"{last + 1}-{upto}"
                yield Content.assemble((f"{faces:>6}  ", "$faint"), shown_line(text, 200))
            last = upto
