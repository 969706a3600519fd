"""A line to type in."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class LineInput(Input):
    """Takes all of what is pasted: several lines become one."""

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)
