"""The reference that other programs are timed against: the smallest useful Textual app."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import Static


class Minimal(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("a", "bump", "Bump"), ("q", "quit", "Quit")]
    count = 0

    def compose(self) -> ComposeResult:
        yield Static("READY count: 0")

    def action_bump(self) -> None:
        self.count += 1
        self.query_one(Static).update(f"READY count: {self.count}")


if __name__ == "__main__":
    Minimal().run()
