"""Makes a campaign of any length, the same one for the same numbers: `python -m tests.bench.make_save PATH COUNT`."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tracker.games.ironsworn import GAME
from tracker.games.ironsworn.layout import STATS
from tracker.games.schema import Effect, State
from tracker.saves.blocks import Entry
from tracker.saves.head import Head
from tracker.saves.save import Save
from tracker.table.fold import fold, locate, start
from tracker.table.run import Run
from tracker.table.session import Session
from tracker.table.state import thaw

FAR = 10
"""The entry that raises edge: no other entry touches it, so that undoing this one shows."""
AFTER = 300
"""How many entries a save may hold behind its last compaction when the program is killed."""
MOMENTUM = 6
EDGE = 2

_CHARACTER: Effect = {"at": "party", "add": {"id": "kara", "name": "Kara", "edge": EDGE, "heart": 2, "iron": 3}}
_VOW: Effect = {"at": "tracks", "add": {"id": "heir", "name": "Find the heir", "kind": "vow", "rank": "epic"}}
_CHANGES = ("kara.health", "kara.spirit", "kara.momentum", "supply", "tracks.heir.ticks")
_BEGAN = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
_BATCH = 1000


def line(number: int) -> str:
    """The journal line that an entry of this number holds, if it holds one; short enough for one row."""
    return f"Line {number} of the tale."


def ident(number: int) -> str:
    """The id of the entry of this number."""
    return f"bench.{number}"


def make_save(path: str, count: int, *, after: int = 0, seed: int = 1) -> None:
    """A save of `count` entries under this path, the last `after` of them written behind its compaction.

    The newest one is `line(count)`, and momentum is MOMENTUM.
    """
    Save.create(path, Head(id="bench", game=GAME.id, rules=GAME.rules, state=thaw(start(GAME.top))))
    entries = list(_campaign(count, random.Random(seed)))
    _append(path, entries[: count - after])
    compact(path)
    _append(path, entries[count - after :])


def compact(path: str) -> None:
    """What leaving a campaign does to its save."""
    Session.open(path).close()


def _append(path: str, entries: list[Entry]) -> None:
    """As the program does it, but many at a time; closing the save alone leaves it as a kill would."""
    save = Save.open(path)
    for first in range(0, len(entries), _BATCH):
        save.append(entries[first : first + _BATCH])
    save.close()


def _campaign(count: int, luck: random.Random) -> Iterator[Entry]:
    """Journal lines, changes, rolls and undos.

    Rolls and undos are in the first half of every hundred. So the last fifty entries of any whole hundreds are
    one thing each, and fifty undos are the same work on all of them; the fiftieth takes back a journal line.
    """
    state = before = start(GAME.top)
    n = 1
    while n <= count:
        kind = _kind(n, count, luck)
        made: list[dict[str, Any]]
        if kind == "undo":
            made, after = [{"did": "undo", "undoes": ident(n - 1)}], before
        else:
            made = list(_things(kind, n, state, luck))
            after = fold(GAME.top, state, [effect for thing in made for effect in thing.get("effects", ())])
        for thing in made:
            yield {"id": ident(n), "t": n, "at": _BEGAN + timedelta(minutes=n), **thing}
            n += 1
        state, before = after, state


def _kind(n: int, count: int, luck: random.Random) -> str:
    fixed = {1: "character", 2: "vow", FAR: "edge", count - 1: "momentum", count: "journal"}
    if n in fixed:
        return fixed[n]
    if n % 100 == 51:
        return "journal"
    kinds = ["journal"] * 9 + ["change"] * 5
    if 2 < n % 100 < 50 and not {n, n + 1} & fixed.keys():
        kinds += ["roll"] * 6
        if n - 1 not in fixed:
            kinds += ["undo"]
    return luck.choice(kinds)


def _things(kind: str, n: int, state: State, luck: random.Random) -> Iterator[dict[str, Any]]:
    """What the entries of one thing say: a roll is two, the dice as they fell and what came of them."""
    if kind == "character":
        yield {"did": "character/make", "effects": [_CHARACTER]}
    elif kind == "vow":
        yield {"who": "kara", "did": "quest/swear_an_iron_vow", "effects": [_VOW]}
    elif kind == "journal":
        yield {"who": "kara", "did": "journal", "text": line(n)}
    elif kind == "roll":
        yield from _roll(n, state, luck)
    else:
        effect = _effect(kind, state, luck)
        changed = GAME.changes(state, fold(GAME.top, state, [effect]), "kara")
        yield {"who": "kara", "did": "change", "facts": {"changed": changed}, "effects": [effect]}


def _effect(kind: str, state: State, luck: random.Random) -> Effect:
    if kind == "momentum":
        return {"at": "kara.momentum", "to": MOMENTUM}
    if kind == "edge":
        return {"at": "kara.edge", "by": 1}
    at = luck.choice(_CHANGES)
    found = locate(GAME.top, state, at)
    # Never down to the bottom, where one change brings others with it.
    return {"at": at, "by": 1 if found and found[2] < 3 else -1}


def _roll(n: int, state: State, luck: random.Random) -> Iterator[dict[str, Any]]:
    dice = {"action": luck.randint(1, 6), "challenge": [luck.randint(1, 10), luck.randint(1, 10)]}
    given = [["using", luck.choice(STATS)], ["dice", dice], ["choose", ["momentum"]]]
    run = Run(GAME, GAME.moves["adventure/face_danger"], "kara", state, given)
    said = {"who": "kara", "did": run.move.id}
    rolled = next(at for at, (key, _) in enumerate(run.answers, 1) if key == "dice")
    yield {**said, "open": True, "answers": run.answers[:rolled]}
    facts = {**run.draft.facts, "changed": GAME.changes(state, run.draft.state, "kara")}
    yield {**said, "closes": ident(n), "answers": run.answers, "facts": facts, "effects": run.draft.effects}


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("path")
    asked.add_argument("count", type=int)
    asked.add_argument("--after", type=int, default=0, help="entries behind the last compaction")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    make_save(given.path, given.count, after=given.after, seed=given.seed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
