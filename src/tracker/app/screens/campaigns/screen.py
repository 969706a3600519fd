"""The list of campaigns, with a welcome on first start."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from tracker.app.key_queue import current_key
from tracker.app.keymap import Hint
from tracker.app.screens.background_work import LatestTask
from tracker.app.screens.base import MinSizeScreen, TooSmallNotice
from tracker.app.screens.campaigns.rows import EXAMPLE, campaign_row, columns, example_rows, title_row
from tracker.app.screens.window_sizes import BY_WIDTH, COZY
from tracker.app.widgets.base import PRESS, Lines, Pane
from tracker.app.widgets.footer import MOVE, Footer
from tracker.app.widgets.header import Header, Heading
from tracker.app.widgets.options import OptionPicker, Row
from tracker.campaign.library import CampaignInfo, all_as_they_stand, first_look
from tracker.games import name_of
from tracker.games.api.phrases import counted
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.app.filter import Filter
    from tracker.app.screens.campaigns.actions import Campaigns
    from tracker.app.screens.campaigns.preview import CampaignSummary
    from tracker.campaign.session import Step


WELCOME = (
    "╭───────╮",
    "│ ●   ● │   You tell the story.",
    "│   ●   │   tracker keeps the numbers,",
    "│ ●   ● │   the dice, and the journal.",
    "╰───────╯",
)
WELCOMING = 22
"""Height from which there is room for the welcome."""


def key(keys: str, action: str, description: str, tooltip: str) -> Binding:
    return Binding(keys, action, description, id=f"campaigns.{action}", tooltip=tooltip)


class PreviewPane(Pane):
    """The pane below the list, which gets the rows that the list leaves."""

    class Resized(Message):
        """Message that the pane has another size, so that more or less of the preview fits."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class CampaignsScreen(MinSizeScreen[None]):
    """Screen with the list of campaigns, the last played first. Enter opens the one under the cursor."""

    CSS_PATH = "campaigns.tcss"
    HORIZONTAL_BREAKPOINTS = BY_WIDTH[:2]
    BINDINGS: ClassVar[list[BindingType]] = [
        key("n", "new", "New", "Make a new campaign."),
        key("e", "example", "Examples", "Open a copy of an example."),
        key("slash", "find", "Find", "Find by name, game, or character."),
        key("f2", "rename", "Rename", "Rename this campaign."),
        key("c", "copy", "Copy", "Copy this campaign."),
        key("a,delete", "archive", "Archive", "Move it to the archive; nothing is deleted."),
        key("v", "archived", "Archived", "Show the archive; press again to return."),
        key("b", "bring_back", "Bring back", "Bring this campaign back from the archive."),
        key("R", "recover", "Recover", "Recover a damaged campaign into a new one."),
        key("h", "host", "Host", "Play this campaign with friends: host it."),
        key("j", "join", "Join", "Join a friend's campaign by code."),
        key("m", "merge", "Merge", "Merge another copy into this campaign."),
        key("E", "export", "Export", "Export a web page, Markdown, a vault, or JSON."),
        key("B", "backups", "Backups", "Show its backups, and restore one."),
        key("S", "statistics", "Statistics", "See charts of luck, dice, moves, and numbers."),
        key("question_mark", "keys", "Keys", "Show all keys on this screen."),
        key("escape", "back", "Back", "Leave the search or the archive."),
    ]

    def __init__(self, folder: str, campaigns: Campaigns) -> None:
        super().__init__()
        self.campaigns = campaigns
        self.folder = folder
        self.notice = ""
        self.archive = False
        self._filter: Filter | None = None
        """Search text; None while the player does not search."""
        self.listed: list[CampaignInfo] = []
        self._told: dict[tuple[str, int, float], CampaignSummary] = {}
        self._told_next: CampaignInfo | None = None
        """Campaign whose summary is read in the background, or None."""
        self._teller, self._closer = LatestTask(self), LatestTask(self)
        self._read()

    # -- what is there ----------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Header(self._heading())
        yield Lines(self._welcome(), id="welcome")
        yield Pane("Campaigns", Lines((), id="find"), OptionPicker(self._rows(), id="options"), id="list")
        yield PreviewPane("Where you left off", Lines((), id="about"), id="detail")
        yield Footer(self._hints())
        yield TooSmallNotice()

    def on_mount(self) -> None:
        self.query_one(OptionPicker).focus()
        self._show()
        self.call_after_refresh(self._look_closer)

    def on_screen_resume(self) -> None:
        self.renew()

    def on_unmount(self) -> None:
        self._teller.leave()
        self._closer.leave()

    def on_resize(self) -> None:
        self.query_one(OptionPicker).show(self._rows())
        self.call_after_refresh(self._show)

    def on_preview_pane_resized(self) -> None:
        self._show()

    def renew(self, at: str | None = None) -> None:
        """Read the folder again. With a path `at`, end a search and put the cursor on the campaign there.

        For None, both stay. If the folder cannot be read, the list is empty and the notice says why.
        """
        self._read()
        if at is not None and self._filter:
            self._find(None)
        self.query_one(OptionPicker).show(self._rows(), at)
        self._show()
        self._look_closer()

    def _read(self) -> None:
        """List the campaigns from the first part of each file, which is fast enough for the first frame.

        If the folder cannot be read, the list is empty and `notice` has the reason.
        """
        try:
            self.listed = first_look(self.folder, archive=self.archive)
        except OSError as error:
            self.listed = []
            self.notice = f"Can't read {shown_line(self.folder, 200)}: {error.strerror}."

    def _look_closer(self) -> None:
        listed = self.listed
        if any(one.stale for one in listed):
            self._closer.ask(lambda step: all_as_they_stand(listed, step), self._looked)

    def _looked(self, seen: list[CampaignInfo]) -> None:
        if self.is_open and [one.path for one in seen] == [one.path for one in self.listed]:
            self.listed = seen
            self.query_one(OptionPicker).show(self._rows())
            self._show()

    def _heading(self) -> Heading:
        place = f"{os.path.basename(self.folder)}/" + ("archive/" if self.archive else "")
        count = f"{counted(len(self.listed), 'campaign')} in {place}" if self.listed or self.archive else "no saves yet"
        return Heading("tracker", "archive" if self.archive else "campaigns", saved=count)

    @property
    def _first_start(self) -> bool:
        return not self.listed and not self.archive

    def _welcome(self) -> tuple[Content, ...]:
        if not self._first_start or self.app.size.height < WELCOMING:
            return ()
        return (*(Content.styled(line, "$key" if n in {0, 4} else "") for n, line in enumerate(WELCOME)),)

    def _rows(self) -> tuple[Row, ...]:
        if not self._first_start:
            recovers = current_key(self, "R")
            widths = columns(self.listed, self.app.size.width - (4 if self.app.size.width >= COZY else 0))
            listed = (campaign_row(n, one, recovers, widths) for n, one in enumerate(self._matching(), 1))
            return (title_row(widths), *listed)
        return (Row("New campaign", "new", "n", "pick a game, then make a character or roll one up"), *example_rows())

    def _matching(self) -> list[CampaignInfo]:
        if self._filter is None:
            return self.listed
        return [one for one in self.listed if self._filter.is_in(one.name, name_of(one.game), *one.characters)]

    def _hints(self) -> tuple[Hint, ...]:
        if self._filter:
            return (MOVE, self.hint("open", "Open", by=PRESS), self.hint("back", "Show all"))
        if self.archive:
            back = (self.hint("bring_back"), self.hint("back", "Campaigns"))
            return (*back, self.hint("find"), self.hint("keys"), self.hint("app.quit"))
        first = (self.hint("open", "Open", by=PRESS), self.hint("new"))
        last = (self.hint("keys"), self.hint("app.quit"))
        examples, archived = self.hint("example"), self.hint("archived")
        if not self.listed:
            return (*first, examples, *last, archived)
        some = (self.hint("rename"), self.hint("copy"), self.hint("archive"))
        kept, shared = self.hint("backups"), self.hint("export")
        together = (self.hint("host"), self.hint("join"), self.hint("merge"))
        return (*first, *some, *last, archived, examples, self.hint("find"), kept, shared, *together)

    # -- what is said about the one under the cursor ----------------------------------------------------

    @property
    def under(self) -> CampaignInfo | None:
        """The campaign under the cursor, or None if the cursor is on none."""
        row = self.query_one(OptionPicker).row
        return next((one for one in self.listed if row and one.path == row.value), None)

    def _show(self) -> None:
        self.query_one(Header).update(self._heading())
        self.query_one("#welcome", Lines).update(self._welcome())
        title = "The archive" if self.archive else "Start" if self._first_start else "Campaigns"
        self.query_one("#list", Pane).call(title)
        self.query_one("#detail", Pane).call("Good to know" if self._first_start else "Where you left off")
        self.query_one(Footer).update(self._hints())
        if one := self.under:
            told = self._told.get(_version(one))
            if told is None and self._told_next != one:
                self._told_next = one
                self._teller.ask(lambda step: self._tell(one, step), lambda told: self._heard(one, told))
            self._tell_all(told)
        elif self._first_start:
            self._say_lines(self._good_to_know())
        else:
            self._say_lines([Content.styled("No match." if self.listed else "The archive is empty.", "$muted")])

    def _tell(self, one: CampaignInfo, step: Step) -> CampaignSummary:
        from tracker.app.screens.campaigns.preview import summarize

        width, recovers, restores = max(20, self.size.width - 4), current_key(self, "R"), current_key(self, "B")
        return summarize(one, width, recovers, restores=restores, ours=self.campaigns.is_opening, step=step)

    def _heard(self, one: CampaignInfo, told: CampaignSummary) -> None:
        if not self.is_open:  # closed meanwhile
            return
        self._told[_version(one)] = told
        self._told_next = None
        if told.damage:
            self.listed = [c._replace(problem=told.damage) if c == one else c for c in self.listed]
            self.query_one(OptionPicker).show(self._rows())
        if self.under and self.under.path == one.path:
            self._tell_all(told)

    def _tell_all(self, told: CampaignSummary | None) -> None:
        """Show the notice and a summary, with as much of its story as fits.

        For None, while the summary is still being read, show only the notice.
        """
        width, height = self._room
        notice = Content.styled(self.notice, "$mid").wrap(width) if self.notice else []
        self._say_lines(told.fitted(width, height - len(notice)) if told else [])

    @property
    def _room(self) -> tuple[int, int]:
        return max(20, self.size.width - 4), max(1, self.query_one("#detail").content_size.height or 9)

    def _say_lines(self, lines: list[Content]) -> None:
        """Show the notice, if any, then as many of these lines as fit."""
        width, height = self._room
        notice = [Content.styled(self.notice, "$mid")] if self.notice else []
        wrapped = [part for line in [*notice, *lines] for part in (line.wrap(width) if line else [line])]
        self.query_one("#about", Lines).update(tuple(wrapped[:height]))

    def _good_to_know(self) -> list[Content]:
        return [
            Content("Examples are copies: you can't break anything."),
            Content(f"Saves are plain text files in {shown_line(self.folder, 200)}, written after every change."),
            Content(f"A friend hosts a campaign? {current_key(self, 'j')} joins with the code."),
            Content("The last line shows the keys. ? lists all, Esc goes back, u undoes."),
        ]

    def say(self, notice: str) -> None:
        """Show a message over the preview until the cursor moves or a search begins."""
        self.notice = notice
        self._show()

    # -- keys -------------------------------------------------------------------------------------------

    def on_option_picker_moved(self) -> None:
        self.notice = ""
        self._show()

    async def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        await self._open(message.row.value)

    async def on_key(self, event: events.Key) -> None:
        if self._filter:
            if self._filter.on_key(event):
                self._find(self._filter)
            return
        for row in self.query_one(OptionPicker).data:
            if row.key and row.key == event.character and event.character.isdigit():
                event.stop()
                await self._open(row.value)
                return

    async def _open(self, value: str) -> None:
        if value == "new":
            self.action_new()
        elif value.startswith(EXAMPLE):
            await self.campaigns.open_example(value.removeprefix(EXAMPLE))
        elif self.archive:
            self.campaigns.bring_back(value)
        else:
            await self.campaigns.open(value)

    async def action_open(self) -> None:
        row = self.query_one(OptionPicker).row
        if row:
            await self._open(row.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Return False for an action that is not possible now, such as renaming a campaign while the list is empty.

        During a search only its own actions are possible.
        """
        if self._filter and action not in {"back", "find", "open"}:
            return False
        if action in {"rename", "copy", "find", "backups", "export", "statistics"}:
            return bool(self.listed)
        if action in {"host", "merge"}:
            return bool(self.listed) and not self.archive
        if action == "archive":
            return bool(self.listed) and not self.archive
        if action == "bring_back":
            return bool(self.listed) and self.archive
        if action == "recover":
            return bool(self.under and self.under.problem)
        if action == "back":
            return self.archive or self._filter is not None
        return True

    def action_new(self) -> None:
        self.campaigns.new()

    def action_example(self) -> None:
        self.campaigns.pick_example()

    def action_find(self) -> None:
        from tracker.app.filter import Filter

        self._find(Filter(60))

    def on_paste(self, event: events.Paste) -> None:
        if self._filter:
            event.stop()
            self._filter.add(" ".join(event.text.split()))
            self._find(self._filter)

    def _find(self, letters: Filter | None) -> None:
        """Start or continue a search: show only the campaigns that match `letters`.

        None ends the search and shows all.
        """
        self._filter = letters
        line = (letters.line("Type a name, a game, or a character"),) if letters else ()
        self.query_one("#find", Lines).update(line)
        self.notice = ""
        self.query_one(OptionPicker).show(self._rows())
        self.call_after_refresh(self._show)

    def action_back(self) -> None:
        if self._filter:
            self._find(None)
        elif self.archive:
            self.action_archived()

    def action_archived(self) -> None:
        self.archive = not self.archive
        self._find(None)
        self.renew()

    def action_rename(self) -> None:
        if one := self.under:
            self.campaigns.rename(one.path)

    def action_copy(self) -> None:
        if one := self.under:
            self.campaigns.copy(one.path)

    def action_archive(self) -> None:
        if one := self.under:
            self.campaigns.archive(one.path)

    def action_bring_back(self) -> None:
        if one := self.under:
            self.campaigns.bring_back(one.path)

    async def action_recover(self) -> None:
        if one := self.under:
            await self.campaigns.recover(one.path)

    def action_host(self) -> None:
        if one := self.under:
            self.campaigns.host(one.path)

    def action_join(self) -> None:
        self.campaigns.join()

    def action_merge(self) -> None:
        if one := self.under:
            self.campaigns.merge(one.path)

    def action_export(self) -> None:
        if one := self.under:
            self.campaigns.export(one.path)

    def action_backups(self) -> None:
        if one := self.under:
            self.campaigns.show_backups(one.path)

    def action_statistics(self) -> None:
        if one := self.under:
            self.campaigns.show_statistics(one.path)

    def action_keys(self) -> None:
        self.tracker.show_keys(self)


def _version(one: CampaignInfo) -> tuple[str, int, float]:
    return one.path, one.entries, one.played.timestamp()
