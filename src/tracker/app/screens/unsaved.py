"""Dialog before leaving with unsaved changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tracker.app.keymap import Hint
from tracker.app.screens.base import Modal
from tracker.app.widgets.base import Box, Lines
from tracker.app.widgets.buttons import Chip
from tracker.app.widgets.footer import Footer
from tracker.app.widgets.header import Heading
from tracker.campaign.session import Session
from tracker.text import shown_line

TITLE = "Unsaved changes"
ONE_ROW = 66
"""Width from which all buttons fit in one row."""


class UnsavedScreen(Modal[bool]):
    """Dialog that asks the player about unsaved changes before leaving. Ends with True to leave, False to stay.

    Also ends with False once a retry or a copy has saved everything.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stay", "Stay", id="leaving.stay", tooltip="Stay; tracker keeps trying to save."),
        Binding("ctrl+s,s", "retry", "Save again", id="leaving.retry", tooltip="Try to save again now."),
        Binding("ctrl+e,c", "copy", "Save a copy", id="leaving.copy", tooltip="Save a copy in another place."),
        Binding("q", "leave", "Leave", id="leaving.leave", tooltip="Leave and lose unsaved changes."),
    ]

    def __init__(
        self,
        heading: Heading,
        session: Session,
        keep: Callable[[], str],
        copy: Callable[[Callable[[], object]], None],
        unkept: str,
    ) -> None:
        """Make the dialog for a session.

        `keep` stores unsubmitted input and returns "" or the reason for a failure; `unkept` is what it returned last.
        `copy` asks where to save a copy of the campaign, and calls the function that it is given once that is done.
        """
        super().__init__(heading, TITLE)
        self._session = session
        self._keep = keep
        self._copy = copy
        self._unkept = unkept

    def body(self) -> Iterator[Widget]:
        yield Lines((), id="why")
        yield Widget(
            Chip("Esc", "Stay", id="stay"),
            Chip("^s", "Save again", id="retry"),
            Chip("^e", "Save a copy", id="copy"),
            Chip("q", self._leave, id="leave"),
            id="buttons",
        )

    def hints(self) -> tuple[Hint, ...]:
        return (
            self.hint("stay"),
            self.hint("retry"),
            self.hint("copy"),
            self.hint("app.quit", self._leave)._replace(action="leave"),
        )

    @property
    def _leave(self) -> str:
        return "Leave anyway" if self._problems() else "Leave"

    def _problems(self) -> list[str]:
        """Return a sentence for each thing that the player would lose by leaving, with the reason; [] for none."""
        sign = self._session.sign
        problems = []
        if sign.word == "NOT SAVED":
            why = shown_line(sign.why, 200)
            problems.append(f"Can't save right now: {why}." if why else "Can't save right now.")
        if self._unkept:
            problems.append(f"Your draft can't be kept: {shown_line(self._unkept, 200)}.")
        return problems

    def on_mount(self) -> None:
        self.query_one("#stay").focus()

    def on_resize(self) -> None:
        self.set_class(self.size.width < ONE_ROW, "narrow")
        self.call_after_refresh(self._show)

    def headed(self) -> None:
        if self.is_mounted and self.is_open:
            self._show()

    def _show(self) -> None:
        problems = self._problems()
        lines = [Content("Saved. It's safe to leave now.")]
        if problems:
            lines = [
                *(Content.styled(problem, "$mid") for problem in problems),
                Content(),
                Content("Leaving anyway loses your unsaved changes."),
                Content("Your saved work is safe. While you stay, tracker keeps trying to save."),
            ]
        self.query_one("#card", Box).call(TITLE if problems else "Everything is saved")
        self.query_one("#leave", Chip).update(label=self._leave)
        self.query_one(Footer).update(self.hints())
        self.query_one("#why", Lines).update(tuple(part for line in lines for part in line.wrap(self.room)))

    def on_chip_pressed(self, message: Chip.Pressed) -> None:
        getattr(self, f"action_{message.chip.id}")()

    def action_stay(self) -> None:
        self.dismiss(False)

    def action_leave(self) -> None:
        self.dismiss(True)

    def action_copy(self) -> None:
        self._copy(self._end_if_saved)

    def action_retry(self) -> None:
        self._session.retry()
        if self._session.unmarked:
            from tracker.app.screens.unmarked_entry import ask_tail

            ask_tail(self, self._session, self._end_if_saved)
        else:
            self._end_if_saved()

    def _end_if_saved(self) -> None:
        """Close the dialog if the player would lose nothing by leaving; otherwise show what would still be lost.

        Before that, store unsubmitted input, and block until entries are saved or saving has failed.
        """
        self._unkept = self._keep()
        if self._session.wait().word == "NOT SAVED" or self._unkept:
            self._show()
        else:
            self.dismiss(False)
