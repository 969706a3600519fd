"""Starting the app, and closing the campaign when the app ends for any reason."""

from __future__ import annotations

import gc
import os
import sys
import time
from typing import TYPE_CHECKING

from tracker import settings
from tracker.app.deferred_ssl import put_off
from tracker.campaign.other_windows import take_left
from tracker.campaign.own_seat import code_here
from tracker.campaign.session import SaveError, Session, Tail, UnmarkedTail
from tracker.text import shown

if TYPE_CHECKING:
    from tracker.coop.plans import Plan

SOON = 0.3
"""Seconds that opening a campaign may take before the app shows its first screen."""


def run(folder: str, path: str | None, seed: int | None, plan: Plan | None = None) -> int:
    """Run the app until the player quits, close the campaign, and return the exit code.

    `path` is the campaign to open first; None starts with the list of `folder`. `seed` makes the dice repeatable.
    `plan` says how to share the campaign with others. The code is not 0 if something is not saved, the app hit a bug, a
    signal ended it, or the player gave no answer about an entry without an end mark. Raise SaveError if the campaign
    cannot be opened, or if that answer is not valid.
    """
    gc.disable()  # startup creates no garbage; skipping the collector saves 10 ms
    session: Session | None = None
    late: tuple[str, Tail] | None = None
    if path:
        tail: Tail = "ask"
        try:
            session = _opened_soon(path, tail)
        except UnmarkedTail as question:
            if not (word := _settle_tail(question)):
                return 1
            tail = word
            session = _opened_soon(path, tail)
        late = None if session else (path, tail)
        if session and session.readonly and not plan and code_here(session.save.head.id)[0]:
            session, plan = _second_window(session)
    put_off()
    from tracker.app.app import TrackerApp

    app = TrackerApp(folder, session, seed, settings.read(), late, plan)
    gc.freeze()
    gc.enable()
    lost = False
    try:
        if os.isatty(2):
            app.run()
        else:
            from tracker.streams import stderr_on_terminal

            with stderr_on_terminal():
                app.run()
    finally:
        app.campaigns.leave_work()
        if app.session is not None:
            known = len(app.session.notes)
            sign = app.session.close()
            for note in app.session.notes[known:]:
                _tell(note)
            if lost := sign.word == "NOT SAVED":
                _tell(f"Some changes are NOT SAVED: {sign.why}.")
    if app.fault:
        _tell(app.fault)
    return app.return_code or int(lost or bool(app.fault))


class _Late(Exception):
    """Raised to stop opening a campaign after SOON seconds, so that the app can open it with a progress bar."""


def _opened_soon(path: str, tail: Tail) -> Session | None:
    """Open the campaign at `path` and return its session. Give up and return None after SOON seconds.

    `tail` says what to do with a last entry without an end mark; if it is "ask", raise UnmarkedTail. Raise SaveError if
    the campaign cannot be opened.
    """
    began = time.monotonic()

    def step(_: float) -> None:
        if time.monotonic() > began + SOON:
            raise _Late

    try:
        return take_left(Session.open(path, tail=tail, step=step))
    except _Late:
        return None


def _second_window(readonly: Session) -> tuple[Session, Plan | None]:
    """Open this window's own copy of a campaign that another window hosts. Return (session of the copy, plan to join).

    `readonly` is the session of the campaign itself, which is closed then. If the campaign cannot be joined, return
    (`readonly`, None). Block meanwhile. Raise SaveError if the copy cannot be opened.
    """
    from tracker.coop.plans import Joining, how_to_install

    if how_to_install():
        return readonly, None
    from tracker.coop.arrival import second_window

    if (joined := second_window(readonly, lambda _: None)) is None:
        return readonly, None
    readonly.close()
    return Session.open(joined.path, tail="keep"), Joining(joined.invitation, joined.name, joined.role)


def _settle_tail(question: UnmarkedTail) -> Tail | None:
    """Ask on the plain terminal what to do with a last entry that has no end mark, and return the answer.

    Return None if the input ends or the player presses Ctrl+C. Raise SaveError for an answer other than k or s.
    """
    print(f"{shown(str(question))}\nIt says: {question.entry}")
    try:
        word = input("Keep it (k), or move it to a separate file (s)? ").strip().lower()
    except (EOFError, KeyboardInterrupt):
        print()
        return None
    except UnicodeDecodeError:
        word = ""
    if word not in {"k", "s"}:
        raise SaveError("Please answer k or s. Nothing was opened or changed.")
    return "keep" if word == "k" else "aside"


def _tell(message: str) -> None:
    try:
        print(f"tracker: {shown(message)}", file=sys.stderr)
    except OSError:
        os.close(2)  # the terminal is gone; there is nobody to tell
