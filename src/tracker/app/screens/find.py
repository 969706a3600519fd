"""Search: moves, oracle tables and tracks by name, and journal lines by their words, newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import get_current_worker

from tracker.app.filter import rank_items
from tracker.app.keymap import Hint
from tracker.app.screens.base import READ, Modal, PageToRead
from tracker.app.widgets.base import Lines
from tracker.app.widgets.header import Heading
from tracker.app.widgets.line_input import SUBMIT, LineInput
from tracker.app.widgets.options import OptionPicker, Row
from tracker.campaign.journal import JournalLine, find
from tracker.campaign.session import Session
from tracker.games.api.content import table_names, text_of_move
from tracker.games.api.phrases import short_date
from tracker.records import NamedTuple
from tracker.text import shown_line

FEW = 5
"""Maximum of results for each kind but the journal."""
MANY = 100
"""Maximum of journal lines in the results; a longer search term narrows them down."""


class SearchResult(NamedTuple):
    """A picked result of the search; FindScreen ends with it.

    `kind` is "move", "table", "track", "note" or "entry", and `id` identifies one of that kind. For a text of a pack,
    the kind is "read"; its id is the kind of the text, a space and the id of the text.
    """

    kind: str
    id: str


class FindScreen(Modal[SearchResult | None]):
    """Search dialog that searches while the player types. Ends with the picked result, or None if the player goes back.

    The journal is searched in a thread, so that no key waits for it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="find.back", tooltip="Go back."),
        READ,
        Binding("up", "move(-1)", "Up", id="find.up", tooltip="Move up.", show=False),
        Binding("down", "move(1)", "Down", id="find.down", tooltip="Move down.", show=False),
    ]

    def __init__(
        self, heading: Heading, session: Session, who: str, sought: str, remember: Callable[[str], None]
    ) -> None:
        """`who` is the id of the active character, or "". `sought` is the search term to begin with.

        `remember` is called with the term after every change.
        """
        from tracker.content.pack_pages import page_names

        super().__init__(heading, "Find")
        self.session = session
        self._who = who
        self._sought = sought
        self._remember = remember
        self._typed = ""
        self._items: list[JournalLine] = []
        self._looking = False
        self._content = session.content()
        oracles = self._content.oracles
        self._tables = {one.id: shown_line(one.name) for one in oracles.values()} | table_names(oracles)
        self._texts = [
            (f"{one.name} ({one.note})", SearchResult("read", f"{one.kind} {one.id}"))
            for one in page_names(self._content)
            if one.kind != "text" or not self._content.texts[one.id].move
        ]
        self.add_class("whole")

    def body(self) -> Iterator[Widget]:
        yield LineInput(placeholder="a word in the journal or a note, a move, a table, a track", id="typed")
        yield OptionPicker((), listed=True, id="options")
        yield Lines((), id="about")

    def hints(self) -> tuple[Hint, ...]:
        reads = (self.hint("read"),) if self._content.texts else ()
        return (
            self.hint("move(-1)", "Move", also="move(1)"),
            self.hint("pick", "Go there", by=SUBMIT),
            *reads,
            self.hint("back"),
        )

    def on_mount(self) -> None:
        self.query_one(Input).value = self._sought
        self.query_one(Input).focus()

    # -- looking ----------------------------------------------------------------------------------------

    def on_input_changed(self, message: Input.Changed) -> None:
        self._typed = " ".join(message.value.split())
        self._remember(message.value)
        self._items, self._looking = [], bool(self._typed)
        self.workers.cancel_group(self, "find")
        if self._typed:
            self.run_worker(partial(self._look, self._typed), group="find", thread=True, exclusive=True)
        self._show()

    def _look(self, typed: str) -> None:
        """Search the journal for `typed` and post the results to the screen. Runs in a thread.

        If older entries cannot be read, there are only results from memory.
        """
        worker, count = get_current_worker(), 0
        try:
            for found in find(self.session, typed):
                if worker.is_cancelled:
                    return
                if found:
                    count += len(found)
                    self.call_later(self._found, typed, found)
                if count >= MANY:
                    break
        except OSError:
            pass  # the file is gone for now, which the save status shows; entries in memory were searched
        if not worker.is_cancelled:
            self.call_later(self._done, typed)

    def _found(self, typed: str, found: list[JournalLine]) -> None:
        if typed == self._typed:
            self._items = [*self._items, *found][:MANY]
            self._show()

    def _done(self, typed: str) -> None:
        if typed == self._typed:
            self._looking = False
            self._show()

    # -- showing ----------------------------------------------------------------------------------------

    def _show(self) -> None:
        if not self.is_open:
            return
        rows = tuple(self._rows()) if self._typed else ()
        self.query_one(OptionPicker).show(rows)
        nothing = "No match." if self._typed and not rows else ""
        word = "Searching the journal …" if self._looking else nothing
        self.query_one("#about", Lines).update((Content.styled(word, "$muted"),) if word else ())

    def _rows(self) -> Iterator[Row]:
        game, state = self.session.game, self.session.state
        moves = [(move.name, SearchResult("move", move.id)) for move in game.moves.values()]
        tables = [(name, SearchResult("table", ident)) for ident, name in self._tables.items()]
        tracks = [(shown_line(one.name), SearchResult("track", one.id)) for one in game.tracks(state)]
        noted = [(shown_line(one["name"]), SearchResult("note", ident)) for ident, one in state["notes"].items()]
        kinds = {"Moves": moves, "Oracles": tables, "Tracks": tracks, "World notes": noted, "Texts": self._texts}
        fits = {title: rank_items(self._typed, sorted(names), lambda one: one[0]) for title, names in kinds.items()}
        fits["World notes"][0].extend(self._notes_about(fits["World notes"][0]))
        for title, (close, _) in fits.items():
            yield from self._named(title, close)
        yield from self._told()
        found = self._items or any(close for close, _ in fits.values())
        if not found and not self._looking:  # while the search goes on, loose matches would catch the cursor
            for title, (_, loose) in fits.items():
                yield from self._named(f"{title}, close matches", loose)

    def _named(self, title: str, found: list[tuple[str, SearchResult]]) -> Iterator[Row]:
        yield from [Row(title)] if found else []
        for name, value in found[:FEW]:
            yield Row(name, value, reason=self._why_not(value))

    def _notes_about(self, named: list[tuple[str, SearchResult]]) -> list[tuple[str, SearchResult]]:
        """Return (label, result) for each world note whose paragraph contains the search term, except those in `named`.

        Return [] if the term is "". `named` has such pairs too.
        """
        wanted, known = self._typed.casefold(), {value.id for _, value in named}
        return [
            (f"{shown_line(one['name'])}: {shown_line(one['text'], 60)}", SearchResult("note", ident))
            for ident, one in sorted(self.session.state["notes"].items())
            if wanted and ident not in known and wanted in one["text"].casefold()
        ]

    def _told(self) -> Iterator[Row]:
        if self._items:
            yield Row("Journal")
        for one in self._items:
            yield Row(self._snippet(one), SearchResult("entry", one.entry["id"]), note=when(one))

    def _why_not(self, value: SearchResult) -> str:
        move = self.session.game.moves.get(value.id) if value.kind == "move" else None
        if value.kind in {"track", "note", "read"} or (move and move.solo):
            return ""
        if not self._who:
            return "make a character first"
        return self.session.game.why_not(self.session.state, self._who, move.id) if move else ""

    def _snippet(self, one: JournalLine) -> str:
        """Return the text of a journal line, cut to the width of a row so that the search term is visible."""
        text = shown_line(one.sentence(), 2000)
        at = text.casefold().find(self._typed.casefold())
        room = max(20, self.room - 26)
        start = text.rfind(" ", 0, max(0, at - room // 3)) + 1 if at + len(self._typed) > room else 0
        return shown_line(("… " if start else "") + text[start:], room)

    # -- going there ------------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        self.query_one(OptionPicker).action_move(by, 0)

    def action_pick(self) -> None:
        self.query_one(OptionPicker).action_press()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.action_pick()

    def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        if message.row.value.kind == "read":
            self.action_read()
        else:
            self.dismiss(message.row.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if the action is enabled. Reading is only enabled if a pack has texts."""
        if action == "read":
            return bool(self._content.texts)
        return super().check_action(action, parameters)

    def action_read(self) -> None:
        """Open the full text of the result under the cursor, if it has one."""
        row = self.query_one(OptionPicker).row
        reading = self._reading(row.value) if row else None
        if reading:
            self.tracker.show_page(self.heading, reading)

    def _reading(self, found: SearchResult) -> PageToRead | None:
        match found.kind:
            case "read":
                kind, _, ident = found.id.partition(" ")
                return PageToRead(kind, ident)
            case "table":
                return PageToRead("oracle", found.id)
            case "move":
                text = text_of_move(self._content, found.id)
                return PageToRead("text", text.id) if text else None
        return None

    def action_back(self) -> None:
        self.dismiss(None)


def when(one: JournalLine) -> str:
    """Return the date of a journal line as text, after a word such as "undone" if one applies.

    Without a valid time, return only the word, which may be "".
    """
    at = one.entry.get("at")
    word = f"{one.remark} " if one.remark else ""
    return f"{word}{short_date(at)}" if isinstance(at, datetime) else word.strip()
