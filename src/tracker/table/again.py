"""What was rolled last, once more."""

from __future__ import annotations

import contextlib

from tracker.games.prompts import Refused, Roll
from tracker.table.run import Run
from tracker.table.session import Session


def again(session: Session, who: str) -> Run | None:
    """The newest roll of this character, answered as it was up to its dice; nothing falls yet. None if there is none.

    What no longer fits is asked again.
    """
    for entry in reversed(session.log.entries):
        if entry.get("who") != who or entry.get("open") or "facts" not in entry or not session.log.counts(entry):
            continue
        did = entry.get("did", "")
        if did not in session.game.moves or not session.game.card(did, entry["facts"]).dice:
            continue
        said, run = dict(entry.get("answers", [])), session.begin(did, who)
        with contextlib.suppress(Refused):
            while run.prompt is not None and not isinstance(run.prompt, Roll) and run.prompt.key in said:
                run.answer(said[run.prompt.key])
        return run
    return None
