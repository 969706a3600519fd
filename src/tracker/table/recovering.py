"""A damaged campaign's whole entries, in a new campaign beside it."""

from __future__ import annotations

import os

from tracker.games import game as find_game
from tracker.games.refused import Refused
from tracker.saves import recover
from tracker.saves.errors import SaveError
from tracker.saves.recover import Rescue
from tracker.saves.save import Step
from tracker.table.fold import start
from tracker.table.log import Log
from tracker.table.state import thaw


def recovered(path: str, step: Step | None = None) -> tuple[str, Rescue]:
    """The path of the new campaign, and what is in it; the old one is only read. SaveError if there is no way."""
    found = recover.rescue(path)
    try:
        game = find_game(found.head.game)
    except Refused as error:
        raise SaveError(str(error)) from None
    whole = Log(game.top, start(game.top), [block.entry for block in found.blocks], step=step)
    top = found.head._replace(state=thaw(whole.state), entries=len(found.blocks))
    stem = path.removesuffix(".toml")
    names = (f"{stem}-recovered{f'-{n}' if n > 1 else ''}.toml" for n in range(1, 10**6))
    target = next(name for name in names if not os.path.lexists(name))
    try:
        recover.write(found, top, target)
    except OSError as error:
        raise SaveError(f"{target} cannot be made: {error.strerror or error}.") from None
    return target, found
