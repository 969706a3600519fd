"""The list of campaigns, and what a first start shows instead."""

from __future__ import annotations

import os
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen

from tracker.app.draw import column, fit
from tracker.app.telling import journal
from tracker.app.widgets.foot import Foot, Hint
from tracker.app.widgets.head import Head, Heading
from tracker.app.widgets.lines import Lines
from tracker.app.widgets.options import OptionPicker, Row
from tracker.app.widgets.pane import Pane
from tracker.games import NAMES
from tracker.saves import places
from tracker.saves.errors import SaveError
from tracker.saves.places import Listed
from tracker.table.session import Session
from tracker.table.shelf import shelf
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp

DETAIL = 9
"""Rows for what is said about the campaign under the cursor."""
WELCOME = (
    "╭───────╮",
    "│ ●   ● │   You tell the story.",
    "│   ●   │   This keeps the numbers,",
    "│ ●   ● │   the dice and the journal.",
    "╰───────╯",
)


class CampaignsScreen(Screen[None]):
    """Enter opens the campaign under the cursor; the one played last is the first."""

    CSS_PATH = "campaigns.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-compact"), (116, "-cozy")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New", id="campaigns.new", tooltip="Make a new campaign."),
        Binding("e", "example", "Example", id="campaigns.example", tooltip="Open a copy of an example."),
        Binding("question_mark", "keys", "Keys", id="campaigns.keys", tooltip="All keys for where you are."),
    ]

    app: TrackerApp

    def __init__(self, folder: str, notice: str = "") -> None:
        super().__init__()
        self.folder = folder
        self.notice = notice
        self.listed = shelf(folder)

    def compose(self) -> ComposeResult:
        yield Head(self._heading())
        yield Lines(self._welcome(), id="welcome")
        yield Pane("Campaigns", OptionPicker(self._rows(), id="options"), id="list")
        yield Pane("Where you left off", Lines((), id="about"), id="detail")
        yield Foot(self._hints())

    def on_mount(self) -> None:
        self.query_one(OptionPicker).focus()
        self._show()

    def on_screen_resume(self) -> None:
        self.listed = shelf(self.folder)
        self.query_one(OptionPicker).show(self._rows())
        self._show()

    def _heading(self) -> Heading:
        count = f"{len(self.listed)} in {os.path.basename(self.folder)}/" if self.listed else "nothing saved yet"
        return Heading("tracker", "campaigns", saved=count)

    def _welcome(self) -> tuple[Content, ...]:
        if self.listed:
            return ()
        return (*(Content.styled(line, "$key" if n in {0, 4} else "") for n, line in enumerate(WELCOME)),)

    def _rows(self) -> tuple[Row, ...]:
        if self.listed:
            head = f"   {'name':<21} {'game':<15} {'characters':<13} {'last played':<12}entries"
            return (Row(head), *(self._campaign(n, one) for n, one in enumerate(self.listed, 1)))
        examples = [
            Row(
                NAMES.get(self._game_of(example), example.stem),
                f"example:{example}",
                str(n),
                "open a copy of the example",
            )
            for n, example in enumerate(places.examples(), 1)
        ]
        return (Row("New campaign", "new", "n", "pick a game, make a character or roll one up"), *examples)

    def _game_of(self, example: Path) -> str:
        return example.stem.removeprefix("example-")

    def _campaign(self, number: int, one: Listed) -> Row:
        name = column(fit(shown_line(one.name), 21), 21)
        if one.problem:
            label = Content.assemble(name, " damaged").plain
        else:
            game = column(NAMES.get(one.game, shown_line(one.game)), 15)
            who = column(fit(", ".join(map(shown_line, one.characters)) or "–", 13), 13)
            label = Content.assemble(name, " ", game, " ", who, f" {_when(one.played):<12}{one.entries:>7}").plain
        return Row(label, one.path, str(number) if number <= 9 else "")

    def _hints(self) -> tuple[Hint, ...]:
        return (
            Hint("Enter", "Open", "open"),
            Hint("n", "New", "new"),
            Hint("e", "Example", "example"),
            Hint("?", "Keys", "keys"),
            Hint("^q", "Quit", "app.quit"),
        )

    def _show(self) -> None:
        self.query_one(Head).update(self._heading())
        self.query_one("#welcome", Lines).update(self._welcome())
        self.query_one("#list", Pane).call("Campaigns" if self.listed else "Begin")
        self.query_one("#detail", Pane).call("Where you left off" if self.listed else "Good to know")
        row = self.query_one(OptionPicker).row
        one = next((c for c in self.listed if row and c.path == row.value), None)
        lines = [Content.styled(self.notice, "$mid")] if self.notice else []
        lines += self._left_off(one) if one else self._good_to_know()
        width = max(20, self.size.width - 4)
        self.query_one("#about", Lines).update(tuple(part for line in lines for part in line.wrap(width))[:DETAIL])

    def _good_to_know(self) -> list[Content]:
        return [
            Content("Examples are copies; nothing you do in them can break."),
            Content(f"Saves are plain text files in {shown_line(self.folder, 200)}, written after every change."),
            Content("The last line names the keys. ? tells more, Esc goes back, u undoes."),
        ]

    def _left_off(self, one: Listed) -> list[Content]:
        """The last lines of the journal and how everybody is; or what is wrong with the save."""
        if one.problem:
            from tracker.saves.recover import newest_good_backup

            backup = newest_good_backup(one.path)
            lines = [
                Content.styled(shown_line(one.problem, 300), "$mid"),
                Content(f"`tracker recover {shown_line(one.name)!r}` saves every whole entry in a new campaign."),
            ]
            return [*lines, Content(f"Its newest good backup is {shown_line(backup, 200)}.")] if backup else lines
        try:
            session = Session.open(one.path, write=False, tail="keep")
        except (SaveError, OSError) as error:
            return [Content.styled(shown_line(str(error), 300), "$mid")]
        session.close()
        last = list(islice(journal(session), 3))[::-1]
        who = [
            Content.assemble((member.name, "bold"), (f"  {member.brief}  {member.status}".rstrip(), "$muted"))
            for member in session.game.members(session.state)
        ]
        return [*last, *who] or [Content.styled("Nothing has happened yet.", "$muted")]

    def on_option_picker_moved(self) -> None:
        self.notice = ""
        self._show()

    async def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        await self._open(message.row.value)

    async def on_key(self, event: events.Key) -> None:
        for row in self.query_one(OptionPicker).data:
            if row.key and row.key == event.character and event.character.isdigit():
                event.stop()
                await self._open(row.value)
                return

    async def _open(self, value: str) -> None:
        if value == "new":
            self.action_new()
        elif value.startswith("example:"):
            await self.app.open_example(Path(value.removeprefix("example:")))
        else:
            await self.app.open_campaign(value)

    async def action_open(self) -> None:
        row = self.query_one(OptionPicker).row
        if row:
            await self._open(row.value)

    def action_new(self) -> None:
        self.app.new_campaign()

    def action_example(self) -> None:
        self.app.pick_example()

    def action_keys(self) -> None:
        self.app.show_keys(self)

    def say(self, notice: str) -> None:
        self.notice = notice
        self._show()


def _when(moment: datetime) -> str:
    """When it was last played, as short as it can be said."""
    days = (datetime.now().date() - moment.date()).days
    if days <= 0:
        return f"today {moment:%H:%M}"
    if days == 1:
        return "yesterday"
    return f"{moment.day} {moment:%b}" if days < 300 else f"{moment:%Y-%m-%d}"
