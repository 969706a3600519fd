"""Oracle screen: yes/no questions and tables, one or several at once. The player picks here; the dialog rolls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice, takewhile
from textwrap import wrap
from typing import ClassVar, Protocol

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from tracker.app.drawings import odds_bar, tone_style
from tracker.app.filter import HINT, Filter
from tracker.app.keymap import Hint
from tracker.app.screens.base import READ, TAB, Modal, PageToRead
from tracker.app.screens.dialog.forms import key_ranges
from tracker.app.screens.dialog.screen import Dialog, Question
from tracker.app.screens.list_screen import Choices, FilteredList, ListScreen, MissingPack, by_digits, missing_rows
from tracker.app.widgets.base import PRESS, Box, Lines
from tracker.app.widgets.header import Heading
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import DIGITS, OptionPicker, Row, note_cuts_label
from tracker.campaign.log import Entry
from tracker.campaign.mentions import note_of_answer
from tracker.campaign.player import Player
from tracker.campaign.run import Run
from tracker.campaign.unsent_input import PendingInput
from tracker.games import GAMES
from tracker.games.api import content as games_content
from tracker.games.api.content import Oracle, row_lines
from tracker.games.api.errors import Refused
from tracker.games.api.view import Action, Oracles, Start, whole
from tracker.records import NamedTuple
from tracker.text import shown_line


class Ask(Protocol):
    """Protocol of a function that opens the dialog of a run and returns at once.

    `question` is set if the run asks the oracle. When the dialog closes, `then` is called with the dialog and its new
    entry, or with None for the entry if the player left the run.
    """

    def __call__(
        self, run: Run, *, question: Question | None = None, then: Callable[[Dialog, Entry | None], None]
    ) -> None: ...


class OracleScreen(Modal[None]):
    """Dialog with the list of oracle questions and tables. A picked one is asked in a dialog over this screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="oracle.back", tooltip="Back to the table."),
        Binding("space", "mark", "Mark", id="oracle.mark", tooltip="Mark a table; Enter rolls all marked tables."),
        Binding("right", "fold(True)", "Open", id="oracle.open", tooltip="Open the group under the cursor."),
        Binding("left", "fold(False)", "Close", id="oracle.close", tooltip="Close the group under the cursor."),
        READ,
        Binding("question_mark", "keys", "Keys", id="oracle.keys", tooltip="Show all keys on this screen."),
    ]

    def __init__(self, player: Player, heading: Heading, begun: PendingInput, ask: Ask) -> None:
        """Make the screen. `begun.note` keeps the text of the player's question until it is answered.

        `ask` opens the dialog of a question.
        """
        super().__init__(heading, "Oracle")
        self._player = player
        self._who = player.active
        self._begun = begun
        self._drive = ask
        session = player.session
        official = GAMES[session.game.id].official
        self._fortunes = OracleRows(session.game.oracles(), session.content(), session.missing_packs(), official)
        self._opened: set[Group] = set()
        self._marked: list[str] = []
        self.list = FilteredList(self, self._rows, self._fortunes.about, self._typed_line)

    def body(self) -> Iterator[Widget]:
        hint = "Tab: write your question (optional)"
        yield LineInput(self._begun.note, id="question", classes="bare", placeholder=hint, max_length=200)
        yield from self.list.widgets()
        yield Lines((), id="message")

    def hints(self) -> tuple[Hint, ...]:
        return (
            Hint(key_ranges(DIGITS), "Ask", ""),
            self.hint("pick", "Roll", by=PRESS),
            self.hint("mark"),
            self.hint("question", "Question", by=TAB),
            *([self.hint("read", "Read")] if self._fortunes.has_packs else []),
            self.list.back_hint(),
            self.hint("keys"),
        )

    def on_mount(self) -> None:
        self._show_list()
        self.list.picker.focus()

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self._show_list)

    # -- what can be asked ------------------------------------------------------------------------------

    def _rows(self) -> tuple[Row, ...]:
        if self.list.filter.typed:
            rows = self._fortunes.matching(self.list.filter, self._marked)
            width = self.list.picker.size.width
            return tuple(row._replace(note="") if note_cuts_label(row, width) else row for row in rows)
        return self._fortunes.rows(self._opened, self._marked)

    def _typed_line(self) -> Content:
        marked = f"   marked: {self._fortunes.named(self._marked)}" if self._marked else ""
        return self.list.filter.line(f"{HINT}, 1-9 to ask", marked)

    def on_key(self, event: events.Key) -> None:
        """Pick the row with this digit, or pass the key to the filter.

        Do nothing while the question's line has the focus.
        """
        if isinstance(self.focused, Input):
            return
        if row := self.list.with_key(event.character):
            event.stop()
            self._take(row)
        elif event.character not in {" ", "?"} and self.list.on_key(event):
            self._say("")

    def _types_a_space(self) -> bool:
        """Add a space to the filter and return True if a row's label has the typed letters with a space after them.

        Otherwise, or if there are no letters, change nothing and return False.
        """
        typed = f"{self.list.filter.typed} "
        if typed == " " or not any(typed.lower() in row.label.lower() for row in self._rows() if not row.heading):
            return False
        self.list.filter.add(" ")
        self.list.show()
        return True

    def action_mark(self) -> None:
        if self._types_a_space():
            return
        row = self.list.picker.row
        if row is None or not isinstance(row.value, Tables) or row.on is None:
            self._say("Move to a table first: Enter opens a group.")
            return
        (ident,) = row.value.ids
        if ident in self._marked:
            self._marked.remove(ident)
        elif len(self._marked) < self._fortunes.oracles.several:
            self._marked.append(ident)
        else:
            self._say(f"Roll {self._fortunes.oracles.several} tables at most; unmark one first.")
            return
        self._show_list()

    def action_fold(self, opens: bool) -> None:  # noqa: FBT001
        row = self.list.picker.row
        if row and isinstance(row.value, Group):
            (self._opened.add if opens else self._opened.discard)(row.value)
            self._show_list()

    def action_question(self) -> None:
        self._question.focus()

    def action_pick(self) -> None:
        self.list.picker.action_press()

    def action_read(self) -> None:
        """Open the reader at the table under the cursor, the first one of several; on another row, show what to do."""
        row = self.list.picker.row
        if row and isinstance(row.value, Tables):
            self.tracker.show_page(self.heading, PageToRead("oracle", row.value.ids[0]))
        else:
            self._say("Move to a table first: Enter opens a group.")

    def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        self._take(message.row)

    def on_option_picker_moved(self) -> None:
        self._say("")
        self.list.show_about()

    def _take(self, row: Row) -> None:
        match row.value:
            case Action(start=start):
                self._ask(start, tuple(self._fortunes.about(row.value)))
            case Tables(ids=ids):
                together = self._marked if self._marked and row.on is not None else ids
                named = Content.styled(self._fortunes.named(together), "bold")
                self._ask(self._fortunes.oracles.roll_on(together), (named,))
            case Group() as group:
                self.action_fold(group not in self._opened)
            case Problems(found=found):
                rows = tuple(Row(shown_line(problem, 200), n) for n, problem in enumerate(found))
                choices = Choices(rows, lambda n: [Content(shown_line(found[n], 300))], filters=False)
                self.app.push_screen(ListScreen(self.tracker.heading(), "Problems in your files", choices))

    # -- asking -----------------------------------------------------------------------------------------

    def _ask(self, start: Start, about: tuple[Content, ...]) -> None:
        words = self._question.value.strip()

        def begin() -> Run:
            run = self._player.start(start, self._who)
            if words:
                run.revise("question", words)
            return run

        try:
            run = begin()
        except Refused as error:
            self._say(str(error))
        else:
            self.add_class("asking")  # or the list would show behind a smaller dialog
            self._drive(run, question=Question(begin, about), then=self._asked)

    def _asked(self, dialog: Dialog, entry: Entry | None) -> None:
        """Close this screen after an answer, with a dialog for a note of it if the player has asked for that.

        Show the list again if the player left the question (`entry` is None) or wants to ask another one. `dialog` is
        the one that asked the question.
        """
        if entry:
            self._begun.note = ""
            if dialog.keeps and (start := note_of_answer(self._player.session, entry)):
                self._drive(self._player.start(start), then=self._noted)
                return
            if not dialog.asks_more:
                self.dismiss(None)
                return
            self._question.value = ""
        self._marked = []
        self.remove_class("asking")
        self._show_list()
        self.list.picker.focus()

    def _noted(self, _dialog: Dialog, _entry: Entry | None) -> None:
        """Close this screen after the dialog for a note of the answer, whether or not a note was made."""
        self.dismiss(None)

    @property
    def _question(self) -> LineInput:
        return self.query_one("#question", LineInput)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self._leave_question()

    def _leave_question(self) -> None:
        """Give the focus to the list. A filter that matches nothing is cleared: an empty list cannot take the focus."""
        if self.list.picker.row is None:
            self.list.clear()
        self.list.picker.focus()

    def on_input_changed(self, message: Input.Changed) -> None:
        """Store the typed question with every change, so that it is kept if the player quits."""
        self._begun.note = message.value.strip()

    def action_back(self) -> None:
        """Go one step back: from the question to the list, from a filter to all rows, from the list to the table."""
        if self.focused is self._question:
            self._leave_question()
        elif self.list.clear():
            self._say("")
        else:
            self.dismiss(None)

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    # -- showing ----------------------------------------------------------------------------------------

    def _say(self, words: str) -> None:
        """Show a message below the list; "" removes it."""
        said = Content.styled(shown_line(words, 300), "$mid").wrap(self.room) if words else ()
        self.query_one("#message", Lines).update(tuple(said))

    def _show_list(self) -> None:
        dice = "real dice" if self._player.types_dice else "app dice"
        self.query_one("#card", Box).border_subtitle = Content(f"{self._player.name} · {dice}")
        self._say("")
        self.list.show()


ALL_ROWS, FEW_ROWS = 100, 3
"""Maximum of rows shown of a single table, and of each of several."""
MATCHES = 60
"""Maximum of tables listed for a filter: packs bring hundreds, and more letters are quicker than a long list."""
OWN = "Tables"
"""Heading of the tables that are shipped or from the player's files."""


class Group(NamedTuple):
    """Value of a row on the oracle screen that stands for a group of tables; Enter opens and closes the group.

    `origin` is the title of the pack's source, or OWN. A Group with an empty name stands for all groups of that origin.
    """

    name: str
    origin: str = OWN


class Tables(NamedTuple):
    """Value of a row on the oracle screen that rolls on a table, or on several together; `ids` are their ids."""

    ids: tuple[str, ...]


class Problems(NamedTuple):
    """Value of the row on the oracle screen that opens the list of problems in the player's files.

    `found` has a sentence for each problem.
    """

    found: tuple[str, ...]


Fortune = Action | Tables | Group | Problems | MissingPack
MOST_HINT = 34
"""Cells of a line of the hint about official content, which is part of the list."""


class OracleRows:
    """Makes the rows of the oracle screen, and their descriptions, for one campaign."""

    def __init__(
        self,
        oracles: Oracles,
        content: games_content.Content,
        missing: Sequence[tuple[str, str]] = (),
        official: str = "",
    ) -> None:
        """`missing` has (title, command) for each pack that is not installed; the command installs it.

        `official` says how to get official content; it is shown while the campaign has no packs.
        """
        self._missing = missing
        self.oracles = oracles
        self.content = content
        self.tables = games_content.rollable_tables(content.oracles)
        self.has_packs = any(map(games_content.from_pack, content.oracles))
        self._official = "" if self.has_packs or missing else official
        self._groups: dict[Group, list[Oracle]] = {}
        for table in self.tables:
            self._groups.setdefault(group_of(table), []).append(table)

    def rows(self, opened: Collection[Group], marked: Collection[str]) -> tuple[Row, ...]:
        """Return all rows: questions, combinations, tables by group, missing packs, how to get official ones, problems.

        `opened` has the groups whose tables are listed, `marked` the ids of marked tables.
        """
        digits = iter(DIGITS)
        rows: list[Row] = []
        if self.oracles.questions:
            rows.append(Row("Yes or no"))
        for action in self.oracles.questions:
            chance = f"{action.odds[0][0]} {whole(action.odds[0][1])}%" if action.odds else ""
            rows.append(Row(action.label, action, next(digits, ""), chance))
        if self.oracles.besides:
            rows.append(Row("Also"))
        rows += [Row(action.label, action, next(digits, "")) for action in self.oracles.besides]
        pairs = [ids for ids in self.oracles.together if all(i in self.content.oracles for i in ids)]
        rows += [Row("Combined")] if pairs else []
        rows += [Row(self.named(ids), Tables(ids), next(digits, "")) for ids in pairs]
        rows += self._by_group(opened, marked)
        if self._official:
            rows += [Row("From packs"), *(Row(f"  {line}") for line in wrap(self._official, MOST_HINT))]
        if self.content.problems:
            rows += [Row("Your files and packs"), self._problems()]
        return tuple(rows)

    def _by_group(self, opened: Collection[Group], marked: Collection[str]) -> Iterator[Row]:
        own = [group for group in self._groups if group.origin == OWN]
        origins = dict.fromkeys(group.origin for group in self._groups if group.origin != OWN)
        yield from [Row(OWN)] if own else []
        for group in own:
            yield from self._opened(group, opened, marked)
        yield from [Row("From packs")] if origins or self._missing else []
        yield from missing_rows(self._missing)
        for origin in origins:
            everything = Group("", origin)
            yield self._folded(shown_line(origin), everything, opened)
            for group in self._groups if everything in opened else ():
                if group.origin == origin:
                    yield from self._opened(group, opened, marked)

    def _opened(self, group: Group, opened: Collection[Group], marked: Collection[str]) -> Iterator[Row]:
        """Yield the row of a group and, if the group is in `opened`, the rows of its tables."""
        indent = "" if group.origin == OWN else "  "
        yield self._folded(f"{indent}{shown_line(group.name)}", group, opened)
        if group in opened:
            yield from (self._row(table, marked) for table in self._groups[group])

    def _folded(self, label: str, group: Group, opened: Collection[Group]) -> Row:
        many = len(self._within(group))
        words = label.lstrip()
        sign = f"{' ' * (len(label) - len(words))}{'-' if group in opened else '+'} "
        return Row(sign + words, group, note=f"{many} {'table' if many == 1 else 'tables'}")

    def _within(self, group: Group) -> list[Oracle]:
        if group.name:
            return self._groups.get(group, [])
        return [table for one, tables in self._groups.items() if one.origin == group.origin for table in tables]

    def _row(self, table: Oracle, marked: Collection[str], note: str = "") -> Row:
        return Row(shown_line(table.name), Tables((table.id,)), note=note, on=table.id in marked)

    def _problems(self) -> Row:
        many = len(self.content.problems)
        return Row("problems", Problems(self.content.problems), note=str(many))

    def matching(self, letters: Filter, marked: Collection[str]) -> tuple[Row, ...]:
        """Return the questions, then the tables, that match the filter: tables by name first, then by group or source.

        The first nine get a digit. Only MATCHES tables are listed; if there are more, the last row says how many more.
        `marked` has the ids of marked tables.
        """
        asked = [Row(a.label, a) for a in (*self.oracles.questions, *self.oracles.besides) if letters.is_in(a.label)]
        named = [table for table in self.tables if letters.is_in(table.name)]
        known = {table.id for table in named}
        there = [table for table in self.tables if table.id not in known and letters.is_in(*self._place(table))]
        found = [*named, *there]
        rows = [self._row(table, marked, self._note(table)) for table in found[:MATCHES]]
        more = [Row(f"and {len(found) - MATCHES} more: type more letters")] if len(found) > MATCHES else []
        return (*by_digits((*asked, *rows)), *more)

    def _place(self, table: Oracle) -> tuple[str, ...]:
        """Return the name of a table, its group and, for a table of a pack, its source."""
        group = group_of(table)
        return (table.name, group.name) if group.origin == OWN else (table.name, group.name, group.origin)

    def _note(self, table: Oracle) -> str:
        """Return where a table is, as text with " · " between the parts: inner group, outer groups, source of a pack.

        Tables of one name in one pack differ only in that.
        """
        _, group, *source = self._place(table)
        return shown_line(" · ".join((*reversed(group.split(" / ")), *source)), 80)

    def named(self, ids: Collection[str]) -> str:
        """Return the names of the tables with these ids, joined by " + ".

        Words with which all begin are written once.
        """
        names = [shown_line(self.content.oracles[ident].name).split(" ") for ident in ids]
        beginnings = zip(*(words[:-1] for words in names), strict=False)
        shared = len([*takewhile(lambda words: len(set(words)) == 1, beginnings)])
        return " + ".join(" ".join(words[shared if n else 0 :]) for n, words in enumerate(names))

    # -- beside the list --------------------------------------------------------------------------------

    def about(self, fortune: Fortune) -> Iterator[Content]:
        """Yield the lines that describe the value of a row, such as the odds of a question or the rows of a table."""
        match fortune:
            case Action(label=label, note=note, odds=odds):
                yield Content.styled(label, "bold")
                yield Content.styled(note, "$muted")
                if odds:
                    yield odds_bar(odds, 20)
                    yield Content.assemble(*[(f"{name} {whole(n)}%  ", tone_style(tone)) for name, n, tone in odds])
            case Tables(ids=ids):
                for ident in ids:
                    yield from self._about_table(self.content.oracles[ident], ALL_ROWS if len(ids) == 1 else FEW_ROWS)
            case Group(name=name, origin=origin) as group:
                yield Content.styled(shown_line(name or origin), "bold")
                if name and origin != OWN:
                    yield Content.styled(shown_line(origin), "$faint")
                yield from (Content(shown_line(table.name)) for table in self._within(group))
            case MissingPack(title=title):
                yield Content(title)
            case Problems(found=found):
                yield Content.styled("Enter shows them all.", "$muted")
                yield from (Content(shown_line(problem, 300)) for problem in found)

    def _about_table(self, table: Oracle, most: int) -> Iterator[Content]:
        dice = " ".join(f"d{self.content.oracles[part].sides}" for part in table.parts)
        dice = dice or (f"d{table.sides}" if table.sides else "no die: you choose")
        yield Content.assemble((shown_line(table.name), "bold"), (f"   {dice}", "$faint"))
        if (origin := group_of(table).origin) != OWN:
            yield Content.styled(f"{shown_line(table.group)} · {shown_line(origin)}", "$faint")
        if table.parts:
            yield Content.styled(self.named(table.parts), "$muted")
        wide = 6 if table.sides <= 100 else 2 * len(str(table.sides)) + 1
        for faces, text in islice(row_lines(table), most):
            yield Content.assemble((f"{faces or '–':>{wide}}  ", "$faint"), shown_line(text, 200))


def group_of(table: Oracle) -> Group:
    """Return the group in which a table is listed; its origin is OWN for a table that comes from no pack."""
    if not games_content.from_pack(table.id):
        return Group(table.group)
    return Group(table.group, table.source.title or table.id.partition("/")[0])
