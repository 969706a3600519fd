"""Work in the background: a task in a thread, the newest request of a widget, and the progress screen."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message_pump import MessagePump
from textual.widget import Widget

from tracker.app.keymap import Hint
from tracker.app.screens.base import Modal
from tracker.app.widgets.base import Lines
from tracker.app.widgets.header import Heading
from tracker.campaign.session import Step

Result = TypeVar("Result")


class Cancelled(Exception):
    """Raised inside background work, by its step function, when the work was cancelled."""


class BackgroundTask(Generic[Result]):
    """A task in its own daemon thread, such as opening a long campaign. It starts on construction.

    `percent` is its progress, 0 to 100. `ended` is a future with the task's result or exception; the exception is
    Cancelled if `leave` stopped the task.
    """

    def __init__(self, work: Callable[[Step], Result]) -> None:
        """Start `work` in a thread.

        `work` is called with a step function and has to report its progress to it, from 0 to 1. The step function
        raises Cancelled after `leave`. An event loop must be running.
        """
        self.percent = 0
        self._left = False
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[Result] = self._loop.create_future()
        self._thread = in_background(lambda: self._run(work))

    def _run(self, work: Callable[[Step], Result]) -> None:
        try:
            result = work(self._step)
        except BaseException as error:  # noqa: BLE001 whoever awaits it gets it
            self._tell(self.ended.set_exception, error)
        else:
            self._tell(self.ended.set_result, result)

    def _tell(self, tell: Callable[[Any], None], what: object) -> None:
        def told() -> None:
            if not self.ended.done():
                tell(what)

        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody is left to be told
            self._loop.call_soon_threadsafe(told)

    def _step(self, done: float) -> None:
        if self._left:
            raise Cancelled
        self.percent = int(done * 100)

    def leave(self, patience: float = 0) -> None:
        """Cancel the task, which ends when it next reports progress. Block up to `patience` seconds for that.

        Do nothing if the task has ended.
        """
        self._left = True
        self._thread.join(patience)


class LatestTask:
    """Runs background work for a widget, such as a preview, of which only the newest request matters.

    Requests run one at a time in daemon threads. A new request cancels the one before, which ends when it next reports
    progress.
    """

    def __init__(self, widget: MessagePump) -> None:
        self._widget = widget
        self._request: object = None
        self._one_at_a_time = threading.Lock()

    def ask(self, work: Callable[[Step], Result], then: Callable[[Result], None]) -> None:
        """Run `work` in a thread and return at once; later call `then` with its result in the widget's task.

        `work` is called with a function to report progress, which raises Cancelled after a newer request or
        `leave`; `then` is not called in that case. Any other exception of `work` is raised in the widget's
        task.
        """
        self._request = request = object()

        def step(_: float) -> None:
            if self._request is not request:
                raise Cancelled

        def run() -> None:
            try:
                with self._one_at_a_time:
                    step(0)
                    call: Callable[[], None] = partial(then, work(step))
            except Cancelled:
                return
            except Exception as error:  # noqa: BLE001 it is raised below
                call = partial(_raise, error)
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody is left to be told
                self._widget.call_later(call)

        in_background(run)

    def leave(self) -> None:
        """Cancel the newest request, for example because the widget is closed."""
        self._request = None


def in_background(work: Callable[[], None]) -> threading.Thread:
    """Run `work` in a daemon thread and return the thread.

    The program does not wait for it at exit, as it would for the threads of Textual's workers and of asyncio.
    """
    thread = threading.Thread(target=work, name="background", daemon=True)
    thread.start()
    return thread


def _raise(error: Exception) -> None:
    raise error


def bar(percent: int) -> str:
    """Return a progress bar of 20 cells with the percentage after it, as text. `percent` is from 0 to 100."""
    full = percent // 5
    return f"{'━' * full}{'─' * (20 - full)} {percent}%"


SECONDS = 0.1
"""Seconds between two updates of the progress bar."""


class ProgressScreen(Modal[None]):
    """Dialog that shows the progress of a background task. Esc cancels the task.

    The caller closes the dialog when the task ends.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Cancel", id="going.back", tooltip="Cancel; nothing changes."),
    ]

    def __init__(self, heading: Heading, title: str, work: BackgroundTask[Any], about: Callable[[], str]) -> None:
        """`about` returns a sentence about what is going on, shown above the bar."""
        super().__init__(heading, title)
        self._work = work
        self._about = about

    def body(self) -> Iterator[Widget]:
        yield Lines((Content(self._about()), Content(bar(self._work.percent))), id="told")

    def hints(self) -> tuple[Hint, ...]:
        return (self.hint("back"),)

    def _lines(self) -> tuple[Content, ...]:
        return (*Content(self._about()).wrap(self.room), Content(bar(self._work.percent)))

    def on_mount(self) -> None:
        self.set_interval(SECONDS, lambda: self.query_one("#told", Lines).update(self._lines()))

    def on_unmount(self) -> None:
        super().on_unmount()
        self._work.leave()  # also on quit

    def action_back(self) -> None:
        self.dismiss(None)
