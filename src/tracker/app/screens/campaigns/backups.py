"""The backups of a campaign: when they were made, what they hold, and the keys that restore one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from tracker.app.keymap import Hint
from tracker.app.screens.background_work import LatestTask
from tracker.app.screens.campaigns.preview import CampaignSummary, summarize
from tracker.app.screens.list_screen import Choices, ListScreen
from tracker.app.widgets.base import PRESS
from tracker.app.widgets.footer import MOVE
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import DIGITS, Row
from tracker.campaign.library import REPLACED, Backup, Condition, ago, look, look_at_backup
from tracker.campaign.session import Step
from tracker.text import shown_line

LATELY = timedelta(days=30)
"""Age up to which a row shows the time since a backup; an older one has only its date."""


class BackupsScreen(ListScreen):
    """Dialog with the list of a campaign's backups.

    Ends with (picked backup, replace), or None if the player goes back. `replace` is True to replace the campaign with
    the backup, False to open the backup as a new campaign.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "i",
            "in_place",
            "Replace",
            id="backups.in_place",
            tooltip="Replace the campaign with this backup; both are kept.",
        ),
    ]

    def __init__(self, heading: Heading, name: str, found: list[Backup]) -> None:
        self._campaign = name
        self._found = found
        self._seen: dict[Backup, Condition] = {}
        self._told: dict[Backup, CampaignSummary] = {}
        super().__init__(heading, f"Backups: {shown_line(name)}", Choices(self._rows(), self._preview, filters=False))
        self._looker, self._teller = LatestTask(self), LatestTask(self)
        self.add_class("whole")

    def _rows(self) -> tuple[Row, ...]:
        rows = (self._row(number, one) for number, one in enumerate(self._found))
        return (Row("   made                              entries"), *rows)

    def _row(self, number: int, one: Backup) -> Row:
        seen = self._seen.get(one)
        entries = f"{seen.entries:,}" if seen and (seen.entries or not seen.problem) else ""
        lately = ago(one.when) if datetime.now() - one.when < LATELY else ""
        label = f"{one.when:%Y-%m-%d %H:%M}   {lately:<15}{entries:>7}"
        kind = "replaced by a restore" if one.kind == REPLACED else one.kind
        if one.name != self._campaign:
            kind = f"{kind}, then named “{shown_line(one.name)}”"
        note = f"damaged: {shown_line(seen.problem, 100)}" if seen and seen.problem else kind
        return Row(label, (one, False), DIGITS[number] if number < len(DIGITS) else "", note)

    def hints(self) -> tuple[Hint, ...]:
        take = (self.hint("pick", "Open as new", by=PRESS), self.hint("in_place"))
        return (MOVE, *take, self.hint("back"), self.hint("keys"))

    def on_mount(self) -> None:
        super().on_mount()
        self._looker.ask(self._look, self._looked)

    def on_unmount(self) -> None:
        self._looker.leave()
        self._teller.leave()

    def _look(self, step: Step) -> dict[Backup, Condition]:
        """Return the condition of each backup, from a quick look at each file. Runs in a thread.

        `step` is called before each file; it raises Cancelled if the result is not wanted any more.
        """
        seen: dict[Backup, Condition] = {}
        for one in self._found:
            step(0)
            seen[one] = look(one)
        return seen

    def _looked(self, seen: dict[Backup, Condition]) -> None:
        if self.is_open:
            self._seen = seen
            self.choices = self.choices._replace(rows=self._rows())
            self.list.show()

    def _preview(self, value: tuple[Backup, bool]) -> list[Content]:
        """Return the summary of the campaign in a backup, wrapped for the pane; [] while it is read in the background.

        `value` is that of the backup's row.
        """
        one = value[0]
        if one not in self._told:
            self._teller.ask(lambda step: self._tell(one, step), lambda told: self._heard(one, told))
            return []
        # An empty preview has no layout yet: its height is what the list leaves, without the row between.
        height = self.query_one("#below").size.height - self.list.picker.size.height - 1
        return self._told[one].fitted(self.room, max(1, height))

    def _tell(self, one: Backup, step: Step) -> CampaignSummary:
        listed = look_at_backup(one)
        told = None if listed.problem else summarize(listed, self.room, ours=True, step=step)
        if told and not told.damage:
            return told
        # The keys that help with a damaged campaign do nothing here: the player picks another backup.
        problem = told.damage if told else listed.problem
        return CampaignSummary([Content.styled(shown_line(problem, 300), "$mid")])

    def _heard(self, one: Backup, told: CampaignSummary) -> None:
        if self.is_open:
            self._told[one] = told
            self.call_after_refresh(self.list.show_about)  # the height of the preview is known then

    def action_in_place(self) -> None:
        if row := self.list.picker.row:
            self.dismiss((row.value[0], True))
