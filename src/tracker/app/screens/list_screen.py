"""Pick from a list: a move, an action on a track.

If the list can be filtered, letters filter it and digits pick; otherwise the hotkeys of the rows pick. Enter picks the
row under the cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.filter import HINT, Filter
from tracker.app.keymap import Hint, key_for
from tracker.app.screens.base import KEYS, READ, Modal, PageToRead
from tracker.app.widgets.base import PRESS, Lines
from tracker.app.widgets.footer import MOVE, Footer
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import DIGITS, OptionPicker, Row
from tracker.records import NamedTuple
from tracker.text import shown_line


class FilteredList:
    """The widgets of a list that typed letters filter: the letters above, the rows, and a description beside.

    The description is that of the row under the cursor. The screen that owns it provides the matching rows and the
    descriptions.
    """

    def __init__(
        self,
        screen: Modal[Any],
        rows: Callable[[], tuple[Row, ...]],
        about: Callable[[Any], Iterable[Content]],
        line: Callable[[], Content | None],
        *,
        listed: bool = False,
        place: str = "beside",
    ) -> None:
        """`rows` returns the rows to show now, and `about` the description of a row's value.

        `line` returns the text above the list, or None for none. `listed` draws plain rows instead of chips. `place` is
        the id of the container: "beside" puts the description beside the list, any other id puts it below.
        """
        self.filter = Filter()
        self._screen = screen
        self._rows, self._about, self._line = rows, about, line
        self._place = place
        self.picker = OptionPicker(listed=listed, id="options")
        self.above = Lines((), id="typed", classes="bare")
        self.beside = Lines((), id="about")

    def widgets(self) -> Iterator[Widget]:
        """Fill the list and yield the widgets for the screen to compose."""
        self.show_rows()
        yield self.above
        yield Widget(self.picker, self.beside, id=self._place)

    def show(self, at: Any = None) -> None:
        """Show the matching rows and the description of the row under the cursor.

        The cursor goes to the row with the value `at`; for None it stays on its row. If that row is not there or is
        disabled, the cursor goes to the first enabled one.
        """
        self.show_rows(at)
        self.show_about()
        self._screen.query_one(Footer).update(self._screen.hints())

    def show_rows(self, at: Any = None) -> None:
        """Show the matching rows and the filter text, but leave the description.

        The cursor goes to the row with the value `at`; for None it stays on its row. If that row is not there or is
        disabled, the cursor goes to the first enabled one.
        """
        line = self._line()
        self.above.update((line,) if line else ())
        self.picker.show(self._rows(), at)

    def on_key(self, event: events.Key) -> bool:
        """Pass a key to the filter, put the cursor on the first match, and return True.

        Return False if the filter ignores the key.
        """
        if not self.filter.on_key(event):
            return False
        first = next((row.value for row in self._rows() if not row.heading and not row.reason), None)
        self.show(first if self.filter.typed else None)
        return True

    def clear(self) -> bool:
        """Clear the filter, show all rows, and return True.

        Return False, with nothing changed, if the filter was empty.
        """
        if not self.filter.clear():
            return False
        self.show()
        return True

    def back_hint(self) -> Hint:
        """Return the footer's hint for the key that goes back. It says so if the key clears the filter first."""
        return self._screen.hint("back", "Clear filter" if self.filter.typed else "")

    def with_key(self, key: str | None) -> Row | None:
        """Return the shown row with this hotkey, which may be disabled; None if there is none or `key` is None."""
        return next((row for row in self.picker.data if row.key and row.key == key and not row.heading), None)

    def show_about(self, greyed: Row | None = None) -> None:
        """Show the description of the row under the cursor, or of `greyed`, a disabled row that the player has chosen.

        For a disabled row, show the reason too.
        """
        if self._place == "beside" and not self.picker.size.width:
            return  # there is no layout yet; the first one calls this again
        # If all matches are disabled, describe the first.
        row = greyed or self.picker.row or next((row for row in self.picker.data if not row.heading), None)
        lines = [*self._about(row.value)] if row else [Content.styled(self._no_match(), "$muted")]
        if row and row.reason:
            lines += [Content(), Content.styled(f"Not now: {row.reason}.", "$mid")]
        taken = self.picker.size.width + 3 if self._place == "beside" else 0
        width = max(10, self._screen.room - taken)
        wrapped = [line for text in lines for line in text.wrap(width)]
        self.beside.update(tuple(wrapped[: max(1, self._screen.size.height)]))

    def _no_match(self) -> str:
        if not self.filter.typed:
            return "No match."
        back = key_for(self._screen, "back")
        return f"Nothing matches “{shown_line(self.filter.typed)}”. {back} clears the filter."


def by_digits(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return these rows with digits as hotkeys for the first nine enabled ones, and no hotkeys for the others."""
    digits = iter(DIGITS)
    return tuple(row._replace(key="" if row.reason else next(digits, "")) for row in rows)


class MissingPack(NamedTuple):
    """Value of the disabled row for a pack that the campaign uses but that is not installed."""

    title: str


def missing_rows(missing: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """Yield two rows for each pack that is not installed: its title, disabled, and the command that installs it.

    `missing` has (title, command) pairs, as `Session.missing_packs` returns them.
    """
    for title, command in missing:
        yield Row(title, MissingPack(title), reason="not installed")
        yield Row(f"    {command}")


class Choices(NamedTuple):
    """The content of a ListScreen: its rows, and a function that returns the description of a row's value.

    `filters` is True if letters filter the list, False if they are hotkeys of the rows.
    """

    rows: tuple[Row, ...]
    about: Callable[[Any], list[Content]]
    filters: bool = True
    explained: str = ""
    """Words beside the line to filter with: what the notes of the rows mean."""
    missing_note: Callable[[Row], str] | None = None
    """Function that returns the note of a row that has none, called only for rows in sight: it takes a moment."""
    full_text: Callable[[Any], PageToRead | None] | None = None
    """Function that returns the full text of a row's value, or None if there is none; None if no row has one."""
    words: Callable[[Any], str] | None = None
    """Function that returns more words of a row's value, which are looked through if no label matches the filter."""


class ListScreen(Modal[Any]):
    """Dialog in which the player picks one row of a list.

    Ends with the value of the picked row, or with None if the player goes back.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="picker.back", tooltip="Go back without picking."),
        READ,
        KEYS,
    ]

    def __init__(self, heading: Heading, title: str, choices: Choices) -> None:
        super().__init__(heading, title)
        self.choices = choices
        place = "beside" if choices.filters else "below"
        self.list = FilteredList(
            self, self._matching, self._about, self._typed_line, listed=choices.filters, place=place
        )
        self.set_class(choices.filters, "filters")

    def body(self) -> Iterator[Widget]:
        yield from self.list.widgets()

    def hints(self) -> tuple[Hint, ...]:
        reads = (self.hint("read"),) if self.choices.full_text else ()
        hints = (MOVE, self.hint("pick", "Choose", by=PRESS), *reads, self.list.back_hint())
        return hints if self.choices.filters else (*hints, self.hint("keys"))

    def on_mount(self) -> None:
        self.list.picker.focus()
        self.list.show_about()
        if self.choices.missing_note:
            self.call_after_refresh(self.list.picker.complete, self.choices.missing_note)

    def on_resize(self) -> None:
        self.call_after_refresh(self.list.show_about)

    def _typed_line(self) -> Content | None:
        if not self.choices.filters:
            return None
        picks = [row.key for row in self.choices.rows if row.key and not row.reason]
        some = f", {picks[0]}-{picks[-1]} to choose" if len(picks) > 1 else f", {picks[0]} to choose" if picks else ""
        explained = f"; {self.choices.explained}" if self.choices.explained else ""
        return self.list.filter.line(f"{HINT}{some}{explained}")

    def _matching(self) -> tuple[Row, ...]:
        if not self.list.filter.typed:
            return self.choices.rows
        rows = [row for row in self.choices.rows if not row.heading]
        fitting = self.list.filter.fitting(rows, lambda row: row.label)
        if words := None if fitting else self.choices.words:
            fitting = [row for row in rows if self.list.filter.is_in(words(row.value))]
        # A move that fits now is listed in its group as well: keep the first. Labels first: packs bring many rows.
        alike: dict[str, list[Row]] = {}
        once = []
        for row in fitting:
            others = alike.setdefault(row.label, [])
            if all(row.value != other.value for other in others):
                others.append(row)
                once.append(row)
        return by_digits(once)

    def _about(self, value: Any) -> list[Content]:
        return self.choices.about(value)

    def on_key(self, event: events.Key) -> None:
        if row := self.list.with_key(event.character):
            event.stop()
            if row.reason:
                self.list.show_about(row)
            else:
                self.picked(row)
        elif self.choices.filters:
            self.list.on_key(event)

    def keys_now(self) -> tuple[Row, ...]:
        return tuple(row for row in self.list.picker.data if row.key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if the action is enabled.

        The help key is only enabled in a list without a filter, and the reading key only if rows can have full texts.
        """
        if action == "keys":
            return not self.choices.filters
        if action == "read":
            return self.choices.full_text is not None
        return super().check_action(action, parameters)

    def action_keys(self) -> None:
        self.tracker.show_keys(self)

    def action_pick(self) -> None:
        self.list.picker.action_press()

    def action_read(self) -> None:
        """Open the full text of the row under the cursor, if a pack has it."""
        row, full_text = self.list.picker.row, self.choices.full_text
        if row and full_text and (reading := full_text(row.value)):
            self.tracker.show_page(self.heading, reading)

    def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        self.picked(message.row)

    def picked(self, row: Row) -> None:
        """Handle the row that the player picked: the dialog ends with its value. A subclass may stay open instead.

        A row that can only be read opens its text.
        """
        if isinstance(row.value, PageToRead):
            self.tracker.show_page(self.heading, row.value)
        else:
            self.dismiss(row.value)

    def on_option_picker_moved(self) -> None:
        self.list.show_about()

    def action_back(self) -> None:
        if not self.list.clear():
            self.dismiss(None)


def about_a_friends(heading: Heading, verb: str, what: str, told: str) -> ListScreen:
    """Return a dialog that asks before this player changes an entry of another one. It ends with "yes", "no" or None.

    `verb` says what the player does, such as "Undo", and `what` is "did", "undid" or "wrote", for the title. `told` is
    a sentence about the entry.
    """
    rows = (Row(f"{verb} it", "yes", "y", "the journal shows that it was you"), Row("Cancel", "no", "n"))
    choices = Choices(rows, lambda _: [Content(told)], filters=False)
    return ListScreen(heading, f"{verb} what a friend {what}?", choices)
