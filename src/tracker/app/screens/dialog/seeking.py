"""A long list in a dialog: letters look for a name in it, as in the list of moves, and digits take what is found."""

from __future__ import annotations

from textual import events

from tracker.app.screens.dialog.forms import is_long
from tracker.app.screens.dialog.revising import Revises

LONGEST = 40
"""Letters that are worth typing."""


class Seeks(Revises):
    """Letters go into the filter of a long list; with another prompt it is gone."""

    def seek(self, event: events.Key) -> bool:
        """Whether this key was for the filter."""
        if not is_long(self.run.prompt) or not self.among_rows:
            return False
        if event.key == "backspace" and self.sought:
            self.look_for(self.sought[:-1])
        elif event.character and event.character.isalpha() and len(self.sought) < LONGEST:
            self.look_for(self.sought + event.character)
        else:
            return False
        return True

    def look_for(self, typed: str) -> None:
        self.sought, self.message = typed, ""
        rows = self.rows()
        first = next((row.value for row in rows if not row.heading and not row.reason), None)
        self.picker.show(rows, at=first if typed else None)
        self.show()
