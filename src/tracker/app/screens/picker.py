"""Picking from a list: a move, or what to do with a track. Typing filters, a key or Enter picks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.screens.modal import Modal
from tracker.app.widgets.foot import Hint
from tracker.app.widgets.head import Heading
from tracker.app.widgets.lines import Lines
from tracker.app.widgets.options import OptionPicker, Row


class Choices(NamedTuple):
    """The rows of a picker, and what to say about the one under the cursor."""

    rows: tuple[Row, ...]
    about: Callable[[Any], list[Content]]
    filters: bool = True


class Picker(Modal[Any]):
    """Ends with the value of the row that was picked, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="picker.back", tooltip="Back, without picking."),
    ]

    def __init__(self, heading: Heading, title: str, choices: Choices) -> None:
        super().__init__(heading, title)
        self.choices = choices
        self._typed = ""

    def body(self) -> Iterator[Widget]:
        yield Lines(self._typed_line(), id="typed", classes="bare")
        place = "beside" if self.choices.filters else "below"
        yield Widget(OptionPicker(self.choices.rows, id="options"), Lines((), id="about"), id=place)

    def hints(self) -> tuple[Hint, ...]:
        return (Hint("↑↓", "Move", ""), Hint("Enter", "Pick", "pick"), Hint("Esc", "Back", "back"))

    def on_mount(self) -> None:
        self.query_one(OptionPicker).focus()
        self._show_about()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_about)

    def _typed_line(self) -> tuple[Content, ...]:
        if not self.choices.filters:
            return ()
        hint = self._typed or "type to filter, a key picks"
        return (Content.assemble(("/ ", "bold $key"), (hint, "" if self._typed else "$faint")),)

    def _matching(self) -> tuple[Row, ...]:
        if not self._typed:
            return self.choices.rows
        word = self._typed.lower()
        found: list[Row] = []
        for row in self.choices.rows:
            # A move that fits this moment stands in its group as well.
            if not row.heading and word in row.label.lower() and all(row.value != other.value for other in found):
                found.append(row)
        return tuple(found)

    def on_key(self, event: events.Key) -> None:
        picker = self.query_one(OptionPicker)
        for row in picker.data:
            if row.key and row.key == event.character and not row.heading and not row.reason and not self._typed:
                event.stop()
                self.dismiss(row.value)
                return
        if event.key == "backspace" and self._typed:
            self._typed = self._typed[:-1]
        elif self.choices.filters and event.is_printable and event.character and len(self._typed) < 40:
            self._typed += event.character
        else:
            return
        event.stop()
        self.query_one("#typed", Lines).update(self._typed_line())
        picker.show(self._matching())
        self._show_about()

    def action_pick(self) -> None:
        self.query_one(OptionPicker).action_press()

    def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        self.dismiss(message.row.value)

    def on_option_picker_moved(self) -> None:
        self._show_about()

    def _show_about(self) -> None:
        row = self.query_one(OptionPicker).row
        lines = self.choices.about(row.value) if row else [Content.styled("Nothing has that name.", "$muted")]
        beside = self.query_one(OptionPicker).size.width + 3 if self.choices.filters else 0
        width = max(20, self.room - beside)
        self.query_one("#about", Lines).update(tuple(line for text in lines for line in text.wrap(width)))

    def action_back(self) -> None:
        if self._typed:
            self._typed = ""
            self.query_one("#typed", Lines).update(self._typed_line())
            self.query_one(OptionPicker).show(self._matching())
        else:
            self.dismiss(None)
