"""All keys for where you are, read off the bindings in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from tracker.app.draw import column
from tracker.app.screens.modal import Modal
from tracker.app.widgets.foot import Hint
from tracker.app.widgets.head import Heading
from tracker.app.widgets.options import OptionPicker, Row

SHOWN = {
    "question_mark": "?",
    "plus": "+",
    "minus": "-",
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "slash": "/",
    "delete": "Del",
}


def display(keys: str) -> str:
    """A key as the player knows it."""
    first = keys.split(",", maxsplit=1)[0]
    return SHOWN.get(first, first.replace("ctrl+", "^"))


def bindings_of(screen: Screen[object]) -> Iterator[tuple[Screen[object] | App[object], Binding]]:
    """The bindings of a screen and of the app, each once, with whose it is."""
    seen: set[str] = set()
    for owner in (screen, screen.app):
        for bindings in type(owner).__dict__.get("BINDINGS", ()):
            if not isinstance(bindings, Binding) or not bindings.id or bindings.id in seen:
                continue
            name, _, arguments = bindings.action.partition("(")
            does = screen.check_action(name, tuple(int(n) for n in arguments.rstrip(")").split(",") if n.isdigit()))
            if does:
                seen.add(bindings.id)
                yield owner, bindings


class Keys(Modal[None]):
    """A list to read; any of Esc, Enter and ? closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter", "back", "Back", id="keys.back", tooltip="Back to where you were."),
    ]

    def __init__(self, heading: Heading, screen: Screen[object]) -> None:
        super().__init__(heading, "Keys")
        self._rows = tuple(
            Row(
                Content.assemble(column(binding.description, 14)).plain,
                binding.id,
                key=f"{display(binding.key):>6}",
                note=binding.tooltip,
            )
            for _, binding in bindings_of(screen)
        )

    def body(self) -> Iterator[Widget]:
        yield OptionPicker(self._rows)

    def hints(self) -> tuple[Hint, ...]:
        return (Hint("↑↓", "Scroll", ""), Hint("Esc", "Back", "back"))

    def on_mount(self) -> None:
        self.query_one(OptionPicker).focus()

    def on_option_picker_picked(self) -> None:
        self.dismiss(None)

    def action_back(self) -> None:
        self.dismiss(None)
