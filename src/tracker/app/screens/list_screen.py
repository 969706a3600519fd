"""Picking from a list: a move, or what to do with a track.

Where a list can be filtered letters filter it, best match first, and digits pick; else a row's own key picks. Enter
picks what is under the cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.fuzzy import GAPS, Rank, rank
from tracker.app.screens.base import Modal
from tracker.app.widgets.footer import Hint
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import DIGITS, OptionPicker, Row
from tracker.app.widgets.value_widget import Lines

if TYPE_CHECKING:
    from tracker.app.app import TrackerApp


class Choices(NamedTuple):
    """The rows of a picker, and what to say about the one under the cursor."""

    rows: tuple[Row, ...]
    about: Callable[[Any], list[Content]]
    filters: bool = True
    later: Callable[[], tuple[Row, ...]] | None = None
    """The same rows with what takes a moment to work out."""


class ListScreen(Modal[Any]):
    """Ends with the value of the row that was picked, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="picker.back", tooltip="Back, without picking."),
        Binding("question_mark", "keys", "Keys", id="keys", tooltip="All keys for where you are."),
    ]

    app: TrackerApp

    def __init__(self, heading: Heading, title: str, choices: Choices) -> None:
        super().__init__(heading, title)
        self.choices = choices
        self._typed = ""
        self.set_class(choices.filters, "filters")

    def body(self) -> Iterator[Widget]:
        yield Lines(self._typed_line(), id="typed", classes="bare")
        place = "beside" if self.choices.filters else "below"
        picker = OptionPicker(self.choices.rows, listed=self.choices.filters, id="options")
        yield Widget(picker, Lines((), id="about"), id=place)

    def hints(self) -> tuple[Hint, ...]:
        hints = (Hint("↑↓", "Move", ""), Hint("Enter", "Pick", "pick"), Hint("Esc", "Back", "back"))
        return hints if self.choices.filters else (*hints, Hint("?", "Keys", "keys"))

    def on_mount(self) -> None:
        self.query_one(OptionPicker).focus()
        self._show_about()
        if self.choices.later:
            self.call_after_refresh(self._complete)

    def _complete(self) -> None:
        if self.choices.later:
            self.choices = self.choices._replace(rows=self.choices.later(), later=None)
            self.query_one(OptionPicker).show(self._matching())

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_about)

    def _typed_line(self) -> tuple[Content, ...]:
        if not self.choices.filters:
            return ()
        picks = [row.key for row in self.choices.rows if row.key and not row.reason]
        some = f", {picks[0]}-{picks[-1]} picks" if len(picks) > 1 else f", {picks[0]} picks" if picks else ""
        hint = self._typed or f"type to filter{some}"
        return (Content.assemble(("/ ", "bold $key"), (hint, "" if self._typed else "$faint")),)

    def _matching(self) -> tuple[Row, ...]:
        if not self._typed:
            return self.choices.rows
        found: list[tuple[Rank, Row]] = []
        for row in self.choices.rows:
            fits = None if row.heading else rank(self._typed, row.label)
            # A move that fits this moment stands in its group as well.
            if fits and all(row.value != other.value for _, other in found):
                found.append((fits, row))
        found.sort(key=lambda pair: pair[0])
        if found and found[0][0] < GAPS:  # else Enter would pick what nobody meant, where the meant one is greyed
            found = [pair for pair in found if pair[0] < GAPS]
        digits = iter(DIGITS)
        return tuple(row._replace(key="" if row.reason else next(digits, "")) for _, row in found)

    def on_key(self, event: events.Key) -> None:
        picker = self.query_one(OptionPicker)
        for row in picker.data:
            if row.key and row.key == event.character and not row.heading:
                event.stop()
                if row.reason:
                    self._show_about(row)
                else:
                    self.dismiss(row.value)
                return
        if event.key in {"backspace", "ctrl+u"} and self._typed:
            self._typed = self._typed[:-1] if event.key == "backspace" else ""
        elif self.choices.filters and event.is_printable and event.character and len(self._typed) < 40:
            self._typed += event.character
        else:
            return
        event.stop()
        self.query_one("#typed", Lines).update(self._typed_line())
        rows = self._matching()
        picker.show(rows, at=next((row.value for row in rows if not row.heading and not row.reason), None))
        self._show_about()

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(row for row in self.query_one(OptionPicker).data if row.key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What filters the list takes every sign."""
        if action == "keys":
            return not self.choices.filters
        return super().check_action(action, parameters)

    def action_keys(self) -> None:
        self.app.show_keys(self)

    def action_pick(self) -> None:
        self.query_one(OptionPicker).action_press()

    def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        self.dismiss(message.row.value)

    def on_option_picker_moved(self) -> None:
        self._show_about()

    def _show_about(self, greyed: Row | None = None) -> None:
        """Tell of the row under the cursor, or of one that cannot be picked, and why not."""
        picker = self.query_one(OptionPicker)
        # Where all that was found is greyed, the first of it is told.
        row = greyed or picker.row or next((row for row in picker.data if not row.heading), None)
        lines = self.choices.about(row.value) if row else [Content.styled("Nothing has that name.", "$muted")]
        if row and row.reason:
            lines = [*lines, Content(), Content.styled(f"Not now: {row.reason}.", "$mid")]
        beside = self.query_one(OptionPicker).size.width + 3 if self.choices.filters else 0
        width = max(10, self.room - beside)
        self.query_one("#about", Lines).update(tuple(line for text in lines for line in text.wrap(width)))

    def action_back(self) -> None:
        if self._typed:
            self._typed = ""
            self.query_one("#typed", Lines).update(self._typed_line())
            self.query_one(OptionPicker).show(self._matching())
            self._show_about()
        else:
            self.dismiss(None)
