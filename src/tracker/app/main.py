"""Starting the app and ending it, whatever happens in between."""

from __future__ import annotations

import gc
import os
import sys

from tracker import settings
from tracker.saves.errors import SaveError, Unmarked
from tracker.table.session import Session
from tracker.text import shown


def run(folder: str, path: str | None, seed: int | None) -> int:
    """Play until the player has had enough; the exit code says how it ended."""
    gc.disable()  # nothing of what is made before the app runs is garbage, and looking for it takes 10 ms
    session: Session | None = None
    if path:
        try:
            session = Session.open(path)
        except Unmarked as question:
            session = _settle_tail(path, question)
            if session is None:
                return 1
    from tracker.app.app import TrackerApp

    app = TrackerApp(folder, session, seed, settings.read())
    gc.freeze()
    gc.enable()
    lost = False
    try:
        app.run()
    finally:
        if app.session is not None:
            sign = app.session.close()
            if lost := sign.word == "NOT SAVED":
                _tell(f"Not everything could be saved: {sign.why}.")
    if app.fault:
        _tell(app.fault)
    return app.return_code or int(lost)


def _settle_tail(path: str, question: Unmarked) -> Session | None:
    """Ask on the plain terminal what becomes of a last entry without its end mark."""
    print(f"{shown(str(question))}\nIt says: {question.entry}")
    try:
        word = input("Keep it (k), or set it aside in a file of its own (s)? ").strip().lower()
    except (EOFError, KeyboardInterrupt):
        print()
        return None
    if word not in {"k", "s"}:
        raise SaveError("Neither k nor s: nothing was opened, nothing was changed.")
    return Session.open(path, tail="keep" if word == "k" else "aside")


def _tell(message: str) -> None:
    try:
        print(f"tracker: {shown(message)}", file=sys.stderr)
    except OSError:
        os.close(2)  # the terminal is gone; there is nobody to tell
