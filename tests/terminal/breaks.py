"""The program with a fault of its own, put in by a test: the key `t` raises, or the frame after it, or its reading."""

import sys

from textual import events
from textual.message import Message

from tracker.app.screens.table.screen import TableScreen
from tracker.app.terminal_input import TerminalDriver
from tracker.app.widgets.tracks import TrackList
from tracker.cli import main


def raises(_: object) -> None:
    raise RuntimeError("this was put in by a test")


def cannot_be_painted(table: TableScreen) -> None:
    TrackList.render = raises  # type: ignore[assignment, method-assign]
    table.query_one(TrackList).refresh()


def cannot_be_read(driver: TerminalDriver, message: Message, _: object) -> None:
    if isinstance(message, events.Key) and message.key == "t":
        raises(None)
    driver.process_message(message)


if __name__ == "__main__":
    where = sys.argv.pop(1)
    if where == "input":
        TerminalDriver._pass_on = cannot_be_read  # type: ignore[assignment, method-assign]
    else:
        TableScreen.action_tracks = raises if where == "key" else cannot_be_painted  # type: ignore[assignment, method-assign]
    raise SystemExit(main())
