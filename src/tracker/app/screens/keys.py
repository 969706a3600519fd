"""Help: all active keys, read from the bindings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from textual.actions import parse
from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from tracker.app.drawings import column
from tracker.app.keymap import Hint, declared, display, hint_of, key_of
from tracker.app.screens.base import Modal
from tracker.app.screens.table.screen import TableScreen
from tracker.app.widgets.base import DOWN, UP
from tracker.app.widgets.header import Heading
from tracker.app.widgets.options import OptionPicker, Row

GROUPS = {
    "Play": ("move", "roll", "progress", "harm", "rest", "oracle", "owed", "dice", "gm", "command"),
    "Story": ("journal", "passage", "find", "notes", "part", "fold", "undo", "redo"),
    "The sheet": ("add", "take", "mark", "tracks", "track.new", "belongings", "tab"),
    "The party": ("party", "character", "speak"),
}
"""Groups of bindings, by their id or its first part; all others are in the last groups."""
NOW = "Now"
REST = "Here"
MOVING = "Navigation"
EVERYWHERE = "Everywhere"


def bindings_of(screen: Screen[object]) -> Iterator[tuple[DOMNode, Binding]]:
    """Yield (owner, binding) for the enabled bindings of the focused widget, its ancestors and the app.

    Each binding id is yielded once. A binding is left out if earlier bindings use all its keys.
    """
    seen: set[str] = set()
    taken: set[str] = set()
    focus = screen.focused.ancestors_with_self if screen.focused else [screen, screen.app]
    for owner in focus:
        for binding in declared(type(owner)):
            _, name, parameters = parse(binding.action)
            keys = set(key_of(screen.app, binding).split(","))
            if binding.id not in seen and not keys <= taken and owner.check_action(name, parameters):
                seen.add(binding.id or "")
                taken |= keys
                yield owner, binding


class KeysScreen(Modal[None]):
    """Help dialog that lists all keys of a screen; Esc, Enter or ? closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter", "back", "Back", id="keys.back", tooltip="Back to where you were."),
    ]

    def __init__(self, heading: Heading, screen: Screen[object]) -> None:
        super().__init__(heading, f"Keys: {screen_name(screen)}")
        grouped: dict[str, list[Row]] = {name: [] for name in (*GROUPS, REST, MOVING, EVERYWHERE)}
        for owner, binding in bindings_of(screen):
            grouped[_group(owner, binding)].append(_row(screen, binding))
        rows: list[Row] = []
        if isinstance(screen, Modal) and (own := screen.keys_now()):
            wide = max(14, *(Content(row.label).cell_length for row in own))
            rows = [Row(NOW), *(_own_row(row, min(wide, 30)) for row in own)]
        for name, found in grouped.items():
            rows += [Row(name), *found] if found else []
        self._rows = tuple(rows)

    def body(self) -> Iterator[Widget]:
        yield OptionPicker(self._rows)

    def on_resize(self) -> None:
        self.call_after_refresh(self._lay)

    def _lay(self) -> None:
        """Show the rows for the present width: a note that is too long for its row goes on in rows below it."""
        self.query_one(OptionPicker).show(tuple(_in_full(self._rows, self.room)))

    def hints(self) -> tuple[Hint, ...]:
        return (hint_of(UP, DOWN, description="Scroll"), self.hint("back"))

    def on_mount(self) -> None:
        self.query_one(OptionPicker).focus()

    def on_option_picker_picked(self) -> None:
        self.dismiss(None)

    def action_back(self) -> None:
        self.dismiss(None)


def screen_name(screen: Screen[object]) -> str:
    """Return the name of a screen for the title of its list of keys; "here" if it has no name."""
    title = screen.query("#card")
    named = {"TableScreen": "on the table", "CampaignsScreen": "the list of campaigns"}
    here = named.get(type(screen).__name__) or (str(title.first(Widget).border_title or "") if title else "")
    return here.strip() or "here"


def _group(owner: DOMNode, binding: Binding) -> str:
    if isinstance(owner, App):
        return EVERYWHERE
    if isinstance(owner, Modal):
        return REST
    ident = binding.id or ""
    if ident.split(".")[0] in {"beside", "cursor", "press"}:
        return MOVING
    for name, idents in GROUPS.items():
        if ident in idents or ident.split(".")[0] in idents:
            return name
    return REST


def _own_row(row: Row, wide: int) -> Row:
    """Return an option of the screen as a row of the list of keys: label in `wide` cells, hotkey, note and reason."""
    return Row(column(row.label, wide).plain, f"row:{row.key}", f"{row.key:>6}", row.note, row.reason)


def _in_full(rows: tuple[Row, ...], room: int) -> Iterator[Row]:
    before = 1 + max(len(row.key) + Content(row.label).cell_length + 3 for row in rows if not row.heading)
    for row in rows:
        said = Content(row.reason or row.note)
        if row.heading or said.cell_length <= room - before:
            yield row
            continue
        first, *more = (line.plain.rstrip() for line in said.wrap(max(12, room - before)))
        yield row._replace(reason=first) if row.reason else row._replace(note=first)
        yield from (Row(" " * before + line) for line in more)


def key_label(screen: Screen[Any], binding: Binding) -> str:
    """Return the label of a binding: the game's own if it has one, else the binding's description."""
    return (screen.own_word(binding.action) if isinstance(screen, TableScreen) else "") or binding.description


def _row(screen: Screen[object], binding: Binding) -> Row:
    label = Content.assemble(column(key_label(screen, binding), 14)).plain
    return Row(label, binding.id, key=f"{display(key_of(screen.app, binding)):>6}", note=binding.tooltip)
