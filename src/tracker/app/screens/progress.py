"""Progress of a long task over the whole log, which can be cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.background import BackgroundTask, bar
from tracker.app.screens.base import Modal
from tracker.app.widgets.base import Lines
from tracker.app.widgets.footer import Hint
from tracker.app.widgets.header import Heading

SECONDS = 0.1
"""Seconds between two updates of the progress bar."""


class ProgressScreen(Modal[None]):
    """Progress dialog. The caller closes it when the work ends; Esc cancels the work."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Leave it", id="going.back", tooltip="Leave it; nothing is changed."),
    ]

    def __init__(self, heading: Heading, title: str, work: BackgroundTask[Any]) -> None:
        super().__init__(heading, title)
        self._work = work

    def body(self) -> Iterator[Widget]:
        yield Lines(self._lines(), id="told")

    def hints(self) -> tuple[Hint, ...]:
        return (Hint("Esc", "Leave it", "back"),)

    def _lines(self) -> tuple[Content, ...]:
        return (Content("This once the whole log is gone through."), Content(bar(self._work.percent)))

    def on_mount(self) -> None:
        self.set_interval(SECONDS, lambda: self.query_one("#told", Lines).update(self._lines()))

    def on_unmount(self) -> None:
        super().on_unmount()
        self._work.leave()  # also on quit

    def action_back(self) -> None:
        self.dismiss(None)
