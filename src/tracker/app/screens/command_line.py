"""Command line over the table: the commands of plain mode, with completion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from tracker.app.keymap import Hint
from tracker.app.screens.base import Modal
from tracker.app.widgets.base import Lines
from tracker.app.widgets.header import Heading
from tracker.app.widgets.line_input import SUBMIT, LineInput
from tracker.app.widgets.options import OptionPicker, Row
from tracker.campaign.player import Player
from tracker.campaign.typed_commands import Meaning, Word, complete, interpret
from tracker.games.api.errors import Refused
from tracker.text import shown_line

MOST = 12
"""Number of completions shown."""


class CommandScreen(Modal[Meaning]):
    """Dialog in which the player types one command. Its result is the meaning of the line, or None for no command.

    If the line is not a valid command, the dialog stays open and shows the reason.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="command.back", tooltip="Go back."),
        Binding("tab", "complete", "Complete", id="command.complete", tooltip="Take the line under the cursor."),
        Binding("up", "move(-1)", "Up", id="command.up", tooltip="Move up.", show=False),
        Binding("down", "move(1)", "Down", id="command.down", tooltip="Move down.", show=False),
    ]

    def __init__(self, heading: Heading, player: Player, words: Mapping[str, Word]) -> None:
        """`words` are commands of the table besides those of plain mode, by name."""
        super().__init__(heading, "Command")
        self._player = player
        self._words = words

    def body(self) -> Iterator[Widget]:
        yield LineInput(
            placeholder=f"e.g. {self._player.session.game.typed_examples}, undo, or a move by name", id="typed"
        )
        yield OptionPicker((), listed=True, id="options")
        yield Lines((), id="message")

    def hints(self) -> tuple[Hint, ...]:
        move = self.hint("move(-1)", "Move", also="move(1)")
        return (self.hint("run", "Run", by=SUBMIT), self.hint("complete"), move, self.hint("back"))

    def on_mount(self) -> None:
        self._show()
        self._line.focus()

    @property
    def _line(self) -> LineInput:
        return self.query_one("#typed", LineInput)

    def _show(self, message: str = "") -> None:
        found = complete(self._player, self._line.value, self._words)[:MOST]
        rows = tuple(Row(shown_line(one.line, 60).rstrip(), one.line, note=shown_line(one.note, 60)) for one in found)
        self.query_one(OptionPicker).show(rows)
        said = Content.styled(shown_line(message, 300), "$mid").wrap(self.room) if message else ()
        self.query_one("#message", Lines).update(tuple(said))

    def on_input_changed(self, message: Input.Changed) -> None:
        message.stop()
        self._show()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.action_run()

    def action_run(self) -> None:
        line = self._line.value.strip()
        if not line:
            self.dismiss(None)
            return
        try:
            meaning = interpret(self._player, line, self._words)
        except Refused as error:
            self._show(str(error))
            return
        self.dismiss(meaning)

    def action_complete(self) -> None:
        if row := self.query_one(OptionPicker).row:
            self._line.value = str(row.value)
            self._line.cursor_position = len(self._line.value)

    def action_move(self, by: int) -> None:
        self.query_one(OptionPicker).action_move(by, 0)

    def on_option_picker_picked(self) -> None:
        self.action_complete()
        self._line.focus()

    def action_back(self) -> None:
        self.dismiss(None)
