"""Dialog that asks for one line, such as the name of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
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


class NameDialog(Modal[str | None]):
    """Dialog in which the player types one line, such as a name.

    Ends with the line, stripped, or with None if the player goes back.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="line.back", tooltip="Go back; your text is kept for next time."),
    ]

    def __init__(
        self,
        heading: Heading,
        title: str,
        ask: str,
        problem: Callable[[str], str | None],
        begun: MutableMapping[str, str],
        value: str = "",
        *,
        does: str = "Next",
    ) -> None:
        """Make a dialog with the text `ask` above its line, and `value` as the first content of the line.

        `does` is the footer label of Enter.

        `problem` returns why a line is not valid, for the player, or None. `begun` keeps unsubmitted text by the title
        of its dialog; such text takes precedence over `value`. The dialog updates it.
        """
        super().__init__(heading, title)
        self._begun = begun
        self._value = value
        self._ask = ask
        self._problem = problem
        self._does = does

    def body(self) -> Iterator[Widget]:
        yield Lines((Content.styled(self._ask, "$muted"),), id="ask", classes="bare")
        yield LineInput(self._begun.get(self._caption, self._value))
        yield Lines((), id="problem")

    def hints(self) -> tuple[Hint, ...]:
        return (self.hint("take", self._does, by=SUBMIT), self.hint("back"))

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._wrap)

    def _wrap(self) -> None:
        self.query_one("#ask", Lines).update(tuple(Content.styled(self._ask, "$muted").wrap(self.room)))

    async def action_take(self) -> None:
        await self.query_one(Input).action_submit()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        line = message.value.strip()
        if problem := self._problem(line):
            wrapped = Content.styled(problem, "$mid").wrap(self.room)
            self.query_one("#problem", Lines).update(tuple(wrapped))
        else:
            self._begun.pop(self._caption, None)
            self.dismiss(line)

    def action_back(self) -> None:
        self._begun[self._caption] = self.query_one(Input).value
        self.dismiss(None)
