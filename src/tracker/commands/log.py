"""The command `log`: what happened in a campaign."""

from __future__ import annotations

import argparse
from typing import Any

from tracker.commands.names import path_of
from tracker.commands.output import say, say_json
from tracker.text import shown_line


def log(asked: argparse.Namespace) -> int:
    from tracker.campaign.journal import as_written
    from tracker.campaign.session import Session
    from tracker.campaign.store import log_of

    session = Session.open(path_of(asked), write=False, tail="keep")
    session.save.read_whole()
    whole = log_of(session.save, session.game)
    for entry in whole.entries:
        if asked.json:
            told = {"undone": whole.undone(entry), "superseded": whole.superseded(entry)}
            say_json({**entry, **told})
        else:
            when = entry["at"].strftime("%Y-%m-%d %H:%M") if "at" in entry else " " * 16
            line = as_written(session.game, whole.state, entry)
            line = line._replace(undone=whole.undone(entry), superseded=whole.superseded(entry))
            status = f"  ({line.status})" if line.status else ""
            say(f"{when}  {entry['id']:<14} {shown_line(f'{line.sentence()}{_dice(entry)}', 4000)}{status}")
    return 0


def _dice(entry: dict[str, Any]) -> str:
    """Return the rolled dice of an open entry as text to append, such as ", action 4"; "" for any other entry."""
    from tracker.saves.toml import emit_value

    rolled = entry.get("answers", []) if entry.get("open") else []
    return "".join(f", {key} {emit_value(value)}" for key, value in rolled if isinstance(value, dict))
