"""The export of a campaign: the choices, a progress bar, and the result."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from tracker.app.keymap import Hint
from tracker.app.screens.background_work import SECONDS, BackgroundTask, Cancelled, bar
from tracker.app.screens.base import Modal
from tracker.app.widgets.base import PRESS, Lines
from tracker.app.widgets.footer import MOVE, Footer
from tracker.app.widgets.header import Heading
from tracker.app.widgets.line_input import LineInput
from tracker.app.widgets.options import OptionPicker, Row
from tracker.campaign.chronicle import select
from tracker.campaign.session import SaveError, Session, Step
from tracker.export import formats
from tracker.export.file_names import plain_name
from tracker.export.parts import Document, Request
from tracker.games.api.errors import Refused
from tracker.text import shown_line

MECHANICS, CHARACTERS = "mechanics", "characters"
_FIRST = "html"
_ALL = "all"


class ExportScreen(Modal[str | None]):
    """Dialog in which the player chooses what to export, how and where.

    Ends with a sentence that says where the export is, or with None if the player goes back. Esc cancels an export
    under way and leaves the dialog open.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="export.back", tooltip="Go back, or cancel the export."),
        Binding("space", "mark", "Choose", id="export.mark", tooltip="Choose a format; mark or clear a box."),
        Binding("tab", "next", "Next", id="export.next", tooltip="Go to the next line.", show=False),
    ]

    def __init__(
        self,
        heading: Heading,
        name: str,
        reach: Callable[[Step], AbstractContextManager[Session]],
        begun: MutableMapping[str, str],
    ) -> None:
        """`name` is the name of the campaign. `reach` opens its session in a thread, for the time of an export.

        `begun` keeps the choices for the next time. The dialog reads and updates it.
        """
        super().__init__(heading, f"Export: {shown_line(name)}")
        self._campaign = name
        self._reach = reach
        self._begun = begun
        self._form = begun.get("form", _FIRST)
        self._marked = set(begun.get("marked", f"{MECHANICS} {CHARACTERS}").split())
        self._work: BackgroundTask[str] | None = None

    def body(self) -> Iterator[Widget]:
        yield OptionPicker(self._rows(), id="options")
        yield Lines((Content.styled("Sessions: all, a number, 2-4 or last", "$muted"),), classes="bare")
        yield LineInput(_ALL, id="sessions")
        yield Lines((Content.styled("Save as", "$muted"),), classes="bare")
        yield LineInput(self._usual(self._form), id="to")
        yield Lines((), id="told")

    def hints(self) -> tuple[Hint, ...]:
        back = self.hint("back", "Cancel" if self._work else "Back")
        if self._work:
            return (back,)
        export = self.hint("export", "Export", by=PRESS)
        return (export, self.hint("mark"), MOVE, self.hint("next", "Next line"), back)

    def on_mount(self) -> None:
        options = self.query_one(OptionPicker)
        options.focus()
        options.show(self._rows(), self._form)
        self.set_interval(SECONDS, self._show_progress)

    def on_unmount(self) -> None:
        super().on_unmount()
        if self._work:
            self._work.leave()  # also on quit

    # -- choosing ---------------------------------------------------------------------------------------

    def _rows(self) -> tuple[Row, ...]:
        kinds = (Row(one.name, name, note=one.about, on=name == self._form) for name, one in formats.FORMATS.items())
        always = self._form in formats.ALWAYS_WITH_CHARACTERS
        characters = Row(
            "Characters",
            CHARACTERS,
            note="with tracks and world notes, in their current state",
            reason=f"always in {formats.FORMATS[self._form].name}" if always else "",
            on=always or CHARACTERS in self._marked,
        )
        mechanics = Row("Moves and rolls", MECHANICS, note="without them, only the story", on=MECHANICS in self._marked)
        return (Row("Format"), *kinds, Row("With"), mechanics, characters)

    def _usual(self, form: str) -> str:
        """Return the default path of an export in the folder where tracker was started, with ~ for the home folder.

        `form` is the format, a key of `formats.FORMATS`.
        """
        name = plain_name(self._campaign)
        return os.path.join(_short(os.getcwd()), f"{name}{formats.FORMATS[form].ending or ' vault'}")

    def action_mark(self) -> None:
        row = self.query_one(OptionPicker).row
        if row is None or self._work or self.focused is not self.query_one(OptionPicker):
            return
        self._mark(str(row.value))

    def _mark(self, value: str) -> None:
        if value in formats.FORMATS:
            to = self.query_one("#to", LineInput)
            if to.value == self._usual(self._form):
                to.value = self._usual(value)
            self._form = value
        else:
            self._marked ^= {value}
        self.query_one(OptionPicker).show(self._rows())
        self._say("")

    def on_option_picker_picked(self, message: OptionPicker.Picked) -> None:
        if message.clicked:
            self._mark(str(message.row.value))
        else:
            self.action_export()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.action_export()

    def action_next(self) -> None:
        self.focus_next()

    # -- exporting --------------------------------------------------------------------------------------

    def action_export(self) -> None:
        """Start the export in a thread and return; the dialog shows its progress, then closes, or shows why it failed.

        Keep the choices for the next time. Do nothing while an export is under way. Without a path to export to, ask
        for one instead.
        """
        if self._work:
            return
        sessions = self.query_one("#sessions", LineInput).value.strip()
        to = os.path.expanduser(self.query_one("#to", LineInput).value.strip())
        if not to:
            self._say("Type the name of a file.")
            return
        form, story, characters = self._form, MECHANICS not in self._marked, CHARACTERS in self._marked
        self._begun["form"], self._begun["marked"] = form, " ".join(self._marked)
        reach = self._reach

        def work(step: Step) -> str:
            with reach(step) as session:
                selection = select(session, "" if sessions.casefold() == _ALL else sessions)
                formats.save(Document(session, Request(selection, story, characters)), form, to, step)
                damage = f" Parts may be missing: {session.save.read.damage}." if session.save.read.bad else ""
            return f"Exported to {_short(os.path.abspath(to))}.{damage}"

        self._work = BackgroundTask(work)
        self._show_hints()
        self._show_progress()
        self.run_worker(self._until_ended(self._work))

    async def _until_ended(self, work: BackgroundTask[str]) -> None:
        await asyncio.wait([work.ended])
        if not self.is_open:
            return
        self._work = None
        self._show_hints()
        try:
            self.dismiss(work.ended.result())
        except Cancelled:
            self._say("Canceled; nothing was written.")
        except (Refused, SaveError, OSError) as error:
            self._say(str(error))

    def _show_progress(self) -> None:
        if self._work:
            self._say(f"Exporting {bar(self._work.percent)}")

    def _show_hints(self) -> None:
        self.query_one(Footer).update(self.hints())

    def _say(self, words: str) -> None:
        told = Content.styled(shown_line(words, 400), "$mid").wrap(self.room) if words else ()
        self.query_one("#told", Lines).update(tuple(told))

    def action_back(self) -> None:
        if self._work:
            self._work.leave()
        else:
            self.dismiss(None)


def _short(path: str) -> str:
    """Return the path with ~ in place of the player's home folder; unchanged if it is not in that folder."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if home != "~" and (path == home or path.startswith(home + os.sep)) else path
