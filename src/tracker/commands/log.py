"""The command `log`: what happened in a campaign, oldest first, and what happens while it runs."""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from collections.abc import Iterable
from typing import Any

from tracker.arguments import Misuse
from tracker.campaign.chronicle import Moment, Selection, chronicle, news, select
from tracker.campaign.session import Session
from tracker.commands.campaign_lookup import path_of
from tracker.commands.output import card_in_json, say, say_json, warn_of_damage
from tracker.text import shown_line

LONGEST = 4000
"""Most characters of one line."""


def log(asked: argparse.Namespace) -> int:
    """Print the wanted items of the journal. With `--follow`, go on with new items until interrupted.

    Return the exit code: 1 if the save is damaged, else 0. Raise Misuse for a negative number of lines, Refused if a
    session, character or kind of item is unknown, and SaveError if there is no such campaign, or if its file disappears
    while it is followed.
    """
    if asked.lines is not None and asked.lines < 0:
        raise Misuse("-n takes a number from 0 on.")
    path = path_of(asked)
    session = Session.open(path, write=False, tail="keep")
    wanted = select(
        session,
        asked.session or "",
        asked.who or (),
        [kind for kinds in asked.kind for kind in kinds.split(",")],
        undone=asked.undone or asked.all,
        unfinished=asked.unfinished or asked.all,
    )
    moments: Iterable[Moment] = chronicle(session, wanted)
    if asked.lines is not None:
        moments = deque(moments, maxlen=min(asked.lines, sys.maxsize))
    for moment in moments:
        _tell(moment, json=asked.json)
    if damaged := warn_of_damage(session):
        return damaged
    return _follow(session, wanted, json=asked.json) if asked.follow else 0


def _tell(moment: Moment, *, json: bool) -> None:
    one = moment.line
    if json:
        say_json(_told(moment))
        return
    at = one.entry.get("at")
    when = at.strftime("%Y-%m-%d %H:%M") if at else " " * 16
    status = f"  ({one.remark})" if one.remark else ""
    say(f"{when}  {shown_line(f'{one.sentence()}{_dice(one.entry)}', LONGEST)}{status}")


def _told(moment: Moment) -> dict[str, Any]:
    """Return an item as data for JSON: its entry, its place in the story, its status, and its text in the journal."""
    one = moment.line
    place = {"session": moment.session, "scene": moment.scene, "kind": moment.kind}
    status = {"undone": one.undone, "superseded": one.superseded, "struck": one.struck}
    words = {"text": one.text or one.heading, "says": one.sentence()}
    return {**one.entry, **place, **status, **words, "card": card_in_json(one.card) if one.card else {}}


def _dice(entry: dict[str, Any]) -> str:
    """Return the rolled dice of an open entry as text to append, such as ", action 4"; "" for any other entry."""
    from tracker.saves.toml import emit_value

    rolled = entry.get("answers", []) if entry.get("open") else []
    return "".join(f", {key} {emit_value(value)}" for key, value in rolled if isinstance(value, dict))


def _follow(session: Session, wanted: Selection, *, json: bool) -> int:
    """Print each item that is added, and each that is undone or redone, until the file is gone. It never returns.

    `wanted` selects the items. Raise SaveError when the file is gone, and BrokenPipeError when the program that reads
    the output has ended.
    """
    told = {moment.line.entry["id"]: moment.line.status for moment in news(session, wanted._replace(undone=True))}
    sys.stdout.flush()
    missing = 0
    while missing < 3:
        _wait()
        missing = 0 if os.path.exists(session.save.path) else missing + 1
        if missing or not session.follow():
            continue
        for moment in news(session, wanted._replace(undone=True)):
            ident, status = moment.line.entry["id"], moment.line.status
            if told.get(ident, "" if wanted.undone else status or "") != status or (ident not in told and not status):
                _tell(moment, json=json)
            told[ident] = status
        sys.stdout.flush()
    from tracker.saves.errors import SaveError

    raise SaveError(f"{shown_line(session.save.name)} is gone.")


def _wait() -> None:
    """Wait a second. Raise BrokenPipeError at once if the program that reads the output has ended.

    Without `select.poll`, as on Windows, only wait.
    """
    import select as system
    import time

    if not hasattr(system, "poll"):
        time.sleep(1)
        return
    poll = system.poll()
    poll.register(sys.stdout.fileno(), 0)
    if poll.poll(1000):
        raise BrokenPipeError
